"""Inline nodes to a line of reStructuredText, so that docutils reads the same nodes back.

Markup: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#inline-markup
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docutils import nodes
from docutils.utils import urischemes

GLUE = "\0"  # for "\ ": a border of markup that shows nothing; breaks no line

# characters that may start markup or a substitution wherever they stand
ALWAYS = re.compile(r"[\\*`|]")
# "_" at the end of a word makes a reference of it
TRAILING = re.compile(r"_(?![^\W_])")
# "http:" in "http://x", with all words in front that a scheme could start after; what has
# no colon behind it is matched too, lest each of its letters be tried
SCHEME = re.compile(r"([A-Za-z0-9][A-Za-z0-9.+-]*+)(:(?=\S))?")
AT = re.compile(r"(?<=\S)@(?=\S)")
# "1." and "b)" at the start of a paragraph: it would be a list
ENUMERATOR = re.compile(r"(\w+|#)(?=[.)](?: |$))")
# " : " in a term: what follows would be a classifier
CLASSIFIER = re.compile(r" :(?= |$)")

# characters that may stand directly in front of markup, and behind it
BEFORE, AFTER = " -/:", " -/:.,;!?'\")]}>"
# opening quotes, and at the same places the closing ones
OPENING, CLOSING = "'\"([{<", "'\")]}>"


def escaped(text: str) -> str:
    """`text` with a backslash before each character that would be markup."""
    shown = ALWAYS.sub(r"\\\g<0>", text)
    shown = TRAILING.sub(r"\\_", shown)
    if ":" in shown:
        shown = SCHEME.sub(_uncoloned, shown)
    return AT.sub(r"\\@", shown)


def _uncoloned(match: re.Match[str]) -> str:
    if not match[2]:
        return match[0]
    words = re.split(r"[.+-]", match[1])
    starts = {match[1].casefold(), *(word.casefold() for word in words)}
    return rf"{match[1]}\:" if starts & urischemes.schemes.keys() else match[0]


def line(children: Sequence[nodes.Node], *, term: bool = False) -> str:
    """`children` of a paragraph, or a title, or a `term`, with `GLUE` between what must not touch.

    No start of it is taken for a list, no end for the start of a literal block.
    """
    parts: list[tuple[str, bool]] = []
    for node in children:
        match node:
            case nodes.Text():
                parts.append((escaped(node.astext()), False))
            case nodes.TextElement():
                parts.append((_markup(node), True))
            case _:
                raise TypeError(f"{node!r} cannot stand in a line")
    shown = "".join(_glued(parts))
    if parts and not parts[0][1]:
        shown = _unlisted(shown)
    if shown.endswith("::"):
        shown = rf"{shown[:-1]}\:"
    return CLASSIFIER.sub(r" \\:", shown) if term else shown


def _unlisted(shown: str) -> str:
    """`shown` so that it starts no list, table, directive or title."""
    match = ENUMERATOR.match(shown)
    if match:
        return rf"{match[0]}\{shown[match.end():]}"
    if not shown.partition(" ")[0].strip("\\"):
        return f"{GLUE}{shown}"  # backslashes alone look like the line above a title
    return shown if shown[0].isalnum() or shown[0] == "\\" else rf"\{shown}"


def _markup(node: nodes.TextElement) -> str:
    text = node.astext()
    match node:
        case nodes.strong():
            return f"**{escaped(text)}**"
        case nodes.emphasis():
            return f"*{escaped(text)}*"
        case nodes.literal():
            # back quotes and a backslash at the end need the role, which knows escapes
            return f":literal:`{_role(text)}`" if "`" in text or text[-1] == "\\" else f"``{text}``"
        case nodes.reference():
            place = f"{node['refid']}_" if "refid" in node else _uri(node["refuri"])
            return f"`{escaped(text)} <{place}>`__"
        case _:
            raise TypeError(f"{node.tagname} cannot stand in a line")


def _role(text: str) -> str:
    return re.sub(r"[\\`]", r"\\\g<0>", text)


def _uri(uri: str) -> str:
    """`uri` inside angle brackets: "_" at its end would make it a name."""
    shown = re.sub(r"[\\`*<>]", r"\\\g<0>", uri)
    return rf"{shown[:-1]}\_" if shown.endswith("_") else shown


def _glued(parts: Sequence[tuple[str, bool]]) -> list[str]:
    """The texts of `parts`, each with whether it is markup, with borders where needed."""
    shown: list[str] = []
    for at, (text, marked) in enumerate(parts):
        before = parts[at - 1][0][-1:] if at else ""
        after = parts[at + 1][0][:1] if at + 1 < len(parts) else ""
        if marked and at:
            first = text.lstrip("*`")[:1]
            place = OPENING.find(before)
            quoted = place >= 0 and first != CLOSING[place]
            if parts[at - 1][1] or not (before in BEFORE or quoted):
                shown.append(GLUE)
        shown.append(text)
        if marked and after and not parts[at + 1][1] and after not in AFTER:
            shown.append(GLUE)
    return shown
