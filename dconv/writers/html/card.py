"""The head of an entry: its name, and a card of facts that answers at a glance.

    timeout client                         deprecated
    Syntax    timeout client <timeout>
    Sections  defaults  frontend  listen  (backend)

What stands here was moved out of the order of the source because it became data:
the elements carry the lines that they stand for as `data-lines` ("+3-4" counts from the card's
`data-from`, which weighs less), and words that are added carry `data-added`, so that
the proof can account for every word.  A chip's "yes" or "X" is told by its class alone: the
theme draws a tick, and what is not allowed says so in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dconv.model.placeholders import defined
from dconv.model.tree import Entry, Fact, Signature, Span, Usage, UsageKind
from dconv.writers.html.escape import attribute, text
from dconv.writers.html.inlines import address

# an escaped argument "&lt;name&gt;", alternatives "{", "|", "} {"
PART = re.compile(r"(?P<argument>&lt;[^&]{1,60}&gt;)|[{}|](?: ?[{}|])*")
BRACKET = re.compile(r"([\[\]])")
OPTIONAL = re.compile(r"<i>[^<]*</i>")
TICKS: Mapping[str, str] = {"yes": "yes", "X": "yes X", "x": "yes x"}  # told by a class


def head(entry: Entry) -> str:
    """The name of `entry` as a heading that links to itself, with its badges."""
    anchor = attribute(entry.anchor)
    badges = ""
    if entry.deprecated:
        badges += ' <span class="badge deprecated">deprecated</span>'
    if entry.experimental:
        badges += ' <span class="badge experimental">experimental</span>'
    return (
        f'<h2 class="name" data-added><a href="#{anchor}">'
        f"{text(entry.name)}</a>{badges}</h2>\n"
    )


def card(entry: Entry) -> str:
    """Signatures, usages and types of `entry` as a list of facts."""
    start = entry.span.first
    rows = [f'<dl class="card" data-from="{start}">\n<dt data-added>Syntax</dt><dd>']
    known = {entry.anchor, ""}
    anchors = defined(entry).signatures
    for signature, own in zip(entry.signatures, anchors, strict=True):
        rows.append(_signature(signature, signature.anchor not in known, iter(own), start))
        known.add(signature.anchor)
    rows.append("</dd>\n")
    rows += [_usage(usage, start) for usage in entry.usages]
    rows += [_fact(fact) for fact in entry.facts]
    types = dict.fromkeys(one.type for one in entry.signatures if one.type)
    if types:
        rows.append(f"<dt data-added>Type</dt><dd data-added>{text(', '.join(types))}</dd>\n")
    room = f'<dd data-versions="{attribute(entry.anchor)}"></dd>'  # `pages` fills it
    rows.append(f"{room}</dl>\n")
    return "".join(rows)


def _signature(
    signature: Signature, is_place: bool, anchors: Iterator[str], start: int
) -> str:
    """One line of syntax; it gets its anchor where it is the first to have it.

    Placeholders lead to their definitions below, in turn to each of `anchors`.
    """
    identity = f' id="{attribute(signature.anchor)}"' if is_place else ""
    shown = PART.sub(lambda match: _part(match, anchors), _optional(text(signature.text)))
    name = text(signature.name)
    if name and shown != name and shown.startswith(name):
        shown = f"<b>{name}</b>{shown[len(name):]}"
    lines = _lines(signature.span, start)
    return f'<code{identity} class="signature" data-lines="{lines}">{shown}</code>'


def _part(match: re.Match[str], anchors: Iterator[str]) -> str:
    if match["argument"]:
        anchor = next(anchors, "")
        if "<" in OPTIONAL.sub("", match[0]):  # "<[>]": a bracket that ends elsewhere
            return match[0]
        if anchor:
            return f'<a href="#{attribute(anchor)}">{match[0]}</a>'
        return f"<var>{match[0]}</var>"
    return f"<em>{match[0]}</em>"


def _optional(shown: str) -> str:
    """`shown`, a line of syntax, with what stands in brackets marked, the outermost alone.

    Where a bracket lacks its other half, nothing is.
    """
    depth = 0
    out: list[str] = []
    for part in BRACKET.split(shown):
        if part == "]":
            depth -= 1
        out.append(f"<i>{part}" if part == "[" and not depth else part)
        if part == "]" and not depth:
            out.append("</i>")
        if part == "[":
            depth += 1
        if depth < 0:
            return shown
    return "".join(out) if not depth else shown


def _usage(usage: Usage, start: int) -> str:
    lines = _lines(usage.span, start)
    front = f'<dt data-added>{_label(usage.kind)}</dt><dd data-lines="{lines}"'
    if usage.kind == "contexts":
        return f"{front}>{text(', '.join([name for name, _ in usage.values]))}</dd>\n"
    if usage.kind == "default-server":
        chips = [
            f'<span class="{"no" if state.casefold() == "no" else "yes told"}">'
            f'<span class="hidden">{text(name)} </span>{text(state)}</span>'
            for name, state in usage.values
        ]
    else:
        chips = [_chip(name, state) for name, state in usage.values]
    return f'{front} class="chips">{" ".join(chips)}</dd>\n'


def _fact(fact: Fact) -> str:
    """What only a table elsewhere tells; a link says which."""
    match fact.name:
        case "sections" | "contexts" | "rule sets" | "default-server" as kind:
            chips = " ".join([_chip(name, state) for name, state in fact.values])
            source = f'<a class="from" href="{address(fact.source)}">as the matrix says</a>'
            label, shown = _label(kind), f'<span class="chips">{chips}</span> {source}'
        case name:
            label = name.capitalize()
            shown = text(", ".join([value for value, _ in fact.values]))
    return f"<dt data-added>{text(label)}</dt><dd data-added>{shown}</dd>\n"


def _label(kind: UsageKind) -> str:
    match kind:
        case "sections":
            return "Sections"
        case "contexts":
            return "Contexts"
        case "rule sets":
            return "Rule sets"
        case "default-server":
            return "Default server"


def _chip(name: str, state: str) -> str:
    """One place with its state: as a tick, or as a line through it and a word."""
    if state in TICKS:
        return f'<span class="{TICKS[state]}">{text(name)}</span>'
    if state == "-":
        return f'<span class="no -">{text(name)} <span class="hidden" data-added>no</span></span>'
    shown = f'{text(name)} <span class="hidden">{text(state)}</span>'
    if state == "no":
        return f'<span class="no">{shown}</span>'
    if state.startswith(("yes", "X")):
        return f'<span class="yes told">{shown} <small data-added>named</small></span>'
    return f'<span class="told">{text(name)} {text(state)}</span>'


def _lines(span: Span, start: int) -> str:
    """The lines of `span`, counted from the line `start` as 0."""
    first, last = span.first - start, span.last - start
    return f"+{first}" if first == last else f"+{first}-{last}"
