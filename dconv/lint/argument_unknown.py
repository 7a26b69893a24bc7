"""The text describes an argument that the signature has not.

Readers do not know where it belongs; often it is misspelt, or the signature was forgotten.
Told are placeholders that the first level below 'Arguments' describes, words described
there beside those that a signature offers to choose from, and placeholders of the text
that are nearly one of the signature, its beginning, or begin with it; the first of each in an
entry.

Bad:
    mode { tcp|http }
      Arguments :
        tcp    is any traffic
        http   is that of web servers
        spop   is that of agents

Good:
    mode { tcp|http|spop }
      Arguments :
        tcp    is any traffic
        http   is that of web servers
        spop   is that of agents
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.lint.arguments import PLACEHOLDER, WORD, Arguments, arguments
from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule
from dconv.lint.spelling import distance
from dconv.model.tree import Entry

OTHERS = ("(", "[", ",")  # what stands in front of an argument of another signature
FEWEST = 2  # words to choose from that are described
SLIPS = 2
SHORT = 4  # a shorter placeholder is compared with no other


def _find(context: Context) -> Iterator[Finding]:
    """A finding for each argument that is described and not in the signature."""
    for _, entry in context.entries:
        found = arguments(entry)
        told: set[str] = set()
        for one in found.described if found else ():
            if found is None or not one.held or one.name in found.words:
                continue
            told.add(one.name)
            wanted = _near(one.name, found.placeholders)
            hint = f"; did you mean '<{wanted}>'?" if wanted else ""
            message = f"no signature of '{entry.name}' has '{one.text}'{hint}"
            yield Finding(one.line, context.column(one.line, one.text), message, len(one.text))
        if found is not None:
            told.update(one.name for one in found.described)
            yield from _choices(context, found)
        yield from _misspelt(context, entry, told)


def _near(name: str, names: Sequence[str]) -> str:
    """The placeholder that `name` is a slip or the beginning of."""
    for other in names:
        if distance(name, other, SLIPS) <= SLIPS or other.startswith(name):
            return other
    return ""


def _choices(context: Context, found: Arguments) -> Iterator[Finding]:
    """Words that are described beside those to choose from."""
    words = [one for one in found.described if not one.held]
    if sum(one.name in found.choices for one in words) < FEWEST:
        return
    for one in words:
        if one.text and one.name not in found.words:
            message = f"no signature of '{found.entry.name}' has '{one.text}'"
            yield Finding(one.line, context.column(one.line, one.text), message, len(one.text))


def _misspelt(context: Context, entry: Entry, told: set[str]) -> Iterator[Finding]:
    """Placeholders in the text that are written like one of the signature, and not quite.

    Those of other signatures, behind a bracket or a comma, are meant.
    """
    text = " ".join(form.text for form in entry.signatures)
    if "<" not in text:
        return
    known = {*WORD.findall(text), *told}
    held = [match["name"] for match in PLACEHOLDER.finditer(text)]
    for line in context.lines[entry.signatures[-1].span.last : entry.span.last]:
        for match in PLACEHOLDER.finditer(line.text) if "<" in line.text else ():
            name = match["name"]
            before = line.text[match.start() - 1 : match.start()]
            if name in known or before in OTHERS or len(name) < SHORT:
                continue
            for other in dict.fromkeys(held):
                if len(other) >= SHORT and _alike(name, other):
                    known.add(name)
                    message = f"unknown argument '<{name}>'; did you mean '<{other}>'?"
                    yield Finding(line.number, line.column + match.start(), message, len(match[0]))
                    break


def _alike(name: str, other: str) -> bool:
    """Whether two names differ by a slip, or by what one has behind the other."""
    if name[-1].isdigit() or other[-1].isdigit():
        return False
    return distance(name, other, 1) == 1 or name.startswith(other) or other.startswith(name)


RULE = Rule("argument-unknown", "warning", __doc__, _find)
