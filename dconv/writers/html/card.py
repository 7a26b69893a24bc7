"""The head of an entry: its name, and a card of facts that answers at a glance.

    timeout client                         deprecated
    Syntax    timeout client <timeout>
    Sections  defaults  frontend  listen  (backend)

The words of the card are elsewhere in the source, so its elements carry their lines for the proof
(see `marks`).  The class of a chip says "yes" or "X": the theme draws a tick.  A chip of what is
not allowed has the word, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dconv.model.placeholders import placeholder_anchors
from dconv.model.tree import Definition, Entry, Fact, Signature, Span, Usage, UsageKind, walk
from dconv.writers.html.context import (
    Availability,
    PageContext,
    anchor_attributes,
    empty_anchors,
    heading_name,
)
from dconv.writers.html.escape import attribute, text
from dconv.writers.html.marks import ADDED, mark, moved

# an escaped argument "&lt;name&gt;", alternatives "{", "|", "} {"
PART = re.compile(r"(?P<argument>&lt;[^&]{1,60}&gt;)|[{}|](?: ?[{}|])*")
BRACKET = re.compile(r"([\[\]])")
OPTIONAL = re.compile(r"<i>[^<]*</i>")
TICKS: Mapping[str, str] = {"yes": "yes", "X": "yes X", "x": "yes x"}  # classes


def head(entry: Entry, context: PageContext, identity: str = "", link: str = "") -> str:
    """The name of `entry` as a heading that links to itself, with its badges.

    `identity` and `link` are more attributes for the heading and for its link.
    """
    name = heading_name(context.level)
    badges = ""
    if entry.deprecated:
        badges += ' <span class="badge deprecated">deprecated</span>'
    if entry.experimental:
        badges += ' <span class="badge experimental">experimental</span>'
    return (
        f'<{name}{identity} class="name"{ADDED}>'
        f'<a href="#{context.anchor(entry.anchor)}"{link}>'
        f"{text(entry.name)}</a>{badges}</{name}>\n"
    )


def card(entry: Entry, context: PageContext, alias: str = "") -> str:
    """What to know of `entry` at a glance, a row each: syntax, usages, facts, types, releases.

    A new row is one more line here: `_row` writes one with words of ours; one with words of
    the source carries their lines for the proof, as in `_usage`.  `alias` is one more anchor,
    as an attribute for the name in the first signature (see `shows_name`).
    """
    start = entry.span.first
    origin = mark(f' data-from="{start}"')
    rows = [f'<dl class="card"{origin}>\n<dt{ADDED}>Syntax</dt><dd>']
    signatures: list[str] = []
    anchors = {entry.anchor, ""}
    placeholders = _placeholders(entry)
    for signature, places in zip(entry.signatures, placeholders, strict=True):
        anchor = signature.anchor if signature.anchor not in anchors else ""
        signatures.append(_signature(signature, anchor, iter(places), alias, start, context))
        anchors.add(signature.anchor)
        alias = ""
    rows.append(f"{'<br>'.join(signatures)}</dd>\n")
    rows += [_usage(usage, start) for usage in entry.usages]
    rows += [_fact(fact, context) for fact in entry.facts]
    if types := dict.fromkeys(signature.type for signature in entry.signatures if signature.type):
        rows.append(_row("Type", text(", ".join(types))))
    if availability := context.availability(entry.anchor):
        rows.append(_row("Versions", _availability(availability)))
    rows.append("</dl>\n")
    return "".join(rows)


def _placeholders(entry: Entry) -> tuple[tuple[str, ...], ...]:
    """For each signature the anchors of its placeholders, empty if none is defined."""
    if any(isinstance(node, Definition) for node in walk(entry.body)):
        return placeholder_anchors(entry).signatures
    return ((),) * len(entry.signatures)


def _row(label: str, content: str) -> str:
    """One row of the card with words of ours; `content` is HTML."""
    return f"<dt{ADDED}>{text(label)}</dt><dd{ADDED}>{content}</dd>\n"


def shows_name(entry: Entry, context: PageContext) -> bool:
    """True if the first signature begins with its name, which has room for an alias."""
    first = next(iter(entry.signatures), None)
    if first is None or (first.anchor != entry.anchor and context.aliases.get(first.anchor)):
        return False
    return _syntax(first, iter(())).startswith("<b>")


def _signature(
    signature: Signature, anchor: str, places: Iterator[str], alias: str, start: int,
    context: PageContext,
) -> str:
    """One line of syntax, with its `anchor` where that is not empty.

    Placeholders link to their definitions in the body, whose anchors are `places`.
    """
    identity = aliases = ""
    if anchor:
        identity = f' id="{context.anchor(anchor)}"'
        aliases = empty_anchors(anchor_attributes(context.aliases.get(anchor, ())))
    shown = _syntax(signature, map(context.anchor, places))
    if alias:
        shown = shown.replace("<b>", f"<a{alias}>", 1).replace("</b>", "</a>", 1)
    lines = moved(_lines(signature.span, start))
    return f'<code{identity} class="signature"{lines}>{aliases}{shown}</code>'


def _syntax(signature: Signature, places: Iterator[str]) -> str:
    """The text of `signature`, its name, optional parts and placeholders marked up."""
    shown = PART.sub(lambda match: _part(match, places), _optional(text(signature.text)))
    name = text(signature.name)
    if name and shown != name and shown.startswith(name):
        return f"<b>{name}</b>{shown[len(name):]}"
    return shown


def _part(match: re.Match[str], anchors: Iterator[str]) -> str:
    if match["argument"]:
        anchor = next(anchors, "")
        if "<" in OPTIONAL.sub("", match[0]):  # "<[>]": a bracket that ends elsewhere
            return match[0]
        if anchor:
            return f'<a href="#{anchor}">{match[0]}</a>'
        return f"<var>{match[0]}</var>"
    return f"<em>{match[0]}</em>"


def _optional(shown: str) -> str:
    """`shown`, a line of syntax, with the outermost parts in brackets marked.

    It stays as it is if a bracket lacks its other half.
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
    lines = moved(_lines(usage.span, start))
    front = f"<dt{ADDED}>{_label(usage.kind)}</dt><dd{lines}"
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


def _fact(fact: Fact, context: PageContext) -> str:
    """What only a table elsewhere says, with a link to it."""
    match fact.name:
        case "sections" | "contexts" | "rule sets" | "default-server" as kind:
            chips = " ".join([_chip(name, state) for name, state in fact.values])
            source = f'{context.link(fact.source)} class="from">as the matrix says</a>'
            return _row(_label(kind), f'<span class="chips">{chips}</span> {source}')
        case name:
            return _row(name.capitalize(), text(", ".join([value for value, _ in fact.values])))


def _availability(availability: Availability) -> str:
    """In which releases the entry is; links to it there, folded, where there are any."""
    summary = text(availability.summary)
    if not availability.places:
        return summary
    shown = ""
    for label, places in availability.places:
        links = [f'<a href="{attribute(href)}">{text(name)}</a>' for name, href in places]
        shown += f"<p>{text(label)}{' '.join(links)}</p>"
    return f'<details class="versions"><summary>{summary}</summary>{shown}</details>'


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
    """The place `name` with its `state`."""
    if state in TICKS:
        return f'<span class="{TICKS[state]}">{text(name)}</span>'
    if state == "-":
        no = f'<span class="hidden"{ADDED}>no</span>'
        return f'<span class="no -">{text(name)} {no}</span>'
    shown = f'{text(name)} <span class="hidden">{text(state)}</span>'
    if state == "no":
        return f'<span class="no">{shown}</span>'
    if state.startswith(("yes", "X")):
        return f'<span class="yes told">{shown} <small{ADDED}>named</small></span>'
    return f'<span class="told">{text(name)} {text(state)}</span>'


def _lines(span: Span, start: int) -> str:
    """The lines of `span`, counted from the line `start` as 0."""
    first, last = span.first - start, span.last - start
    return f"+{first}" if first == last else f"+{first}-{last}"
