"""The head of an entry: its name, and a card with its syntax, usages and releases.

    timeout client                         deprecated
    Syntax    timeout client <timeout>
    Sections  defaults  frontend  listen  (backend)

Signatures whose `names` are marked are the head themselves, and the card has the rest, if any:

    -z, --size=<n>

The words of the card are elsewhere in the source, so its elements carry their lines for the proof
(see `marks`).  The words "yes", "X" and "-" of the source are only classes of chips: the theme adds
a tick, or strikes out what is not allowed.  Other chips have their word as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from dconv.model.placeholders import placeholder_anchors
from dconv.model.tree import Definition, Entry, Signature, Span, TableValues, Usage, UsageKind, walk
from dconv.writers.html.context import (
    Availability,
    PageContext,
    anchor_attributes,
    empty_anchors,
    heading_name,
)
from dconv.writers.html.escape import attribute, text
from dconv.writers.html.marks import DATA_ADDED, lines_attribute, mark

# an escaped placeholder "&lt;name&gt;", alternatives "{", "|", "} {"
PLACEHOLDER_OR_CHOICE = re.compile(r"(?P<placeholder>&lt;[^&]{1,60}&gt;)|[{}|](?: ?[{}|])*")
BRACKET = re.compile(r"([\[\]])")
OPTIONAL = re.compile(r"<i>[^<]*</i>")
NEGATION = "no "  # before a name: "no option httplog"
YES_CLASSES: Mapping[str, str] = {"yes": "yes", "X": "yes X", "x": "yes x"}


def is_headed_by_signatures(entry: Entry) -> bool:
    """Whether the signatures of `entry` are its heading: each has `names`, which are shown bold."""
    return not entry.usages and all(signature.names for signature in entry.signatures)


def entry_heading(
    entry: Entry, context: PageContext, heading_attribute: str, link_attribute: str
) -> str:
    """The name of `entry` as a heading that links to itself, with its badges.

    `heading_attribute` and `link_attribute` are more attributes for the heading and for its link.
    """
    name = heading_name(context.level)
    if is_headed_by_signatures(entry):
        html = _signature_links(entry, context, link_attribute) + _badges(entry, DATA_ADDED)
        return f'<{name}{heading_attribute} class="name signatures">{html}</{name}>\n'
    return (
        f'<{name}{heading_attribute} class="name"{DATA_ADDED}>'
        f'<a href="#{context.anchor(entry.anchor)}"{link_attribute}>'
        f"{text(entry.title)}</a>{_badges(entry)}</{name}>\n"
    )


def _badges(entry: Entry, added: str = "") -> str:
    """What state `entry` is in, each word with the attribute `added`."""
    states = ["deprecated"] * entry.deprecated + ["experimental"] * entry.experimental
    return "".join([f' <span class="badge {state}"{added}>{state}</span>' for state in states])


def _signature_links(entry: Entry, context: PageContext, link_attribute: str) -> str:
    """The signatures of `entry`, a line each, as links to their places."""
    lines: list[str] = []
    anchors = {entry.anchor}
    for signature in entry.signatures:
        anchor = signature.anchor or entry.anchor
        id_attribute = ""
        if anchor not in anchors:
            anchors.add(anchor)
            alias_attributes = anchor_attributes(context.aliases.get(anchor, ()))
            lines.append(empty_anchors(alias_attributes))
            id_attribute = f' id="{context.anchor(anchor)}"'
        first, last = signature.span.first, signature.span.last
        data_lines = lines_attribute(str(first) if first == last else f"{first}-{last}")
        lines.append(
            f'<a href="#{context.anchor(anchor)}"{link_attribute}>'
            f'<code{id_attribute} class="signature"{data_lines}>{_with_names(signature)}</code>'
            "</a><br>"
        )
        link_attribute = ""
    return "".join(lines).removesuffix("<br>")


def _with_names(signature: Signature) -> str:
    """The text of `signature` with its names bold; all of it, if it writes none of them out."""
    names_at: dict[int, str] = {}
    for name in signature.names:
        if (start := _name_start(signature.text, name)) >= 0:
            names_at[start] = max(name, names_at.get(start, ""), key=len)
    parts: list[str] = []
    end = 0
    for start, name in sorted(names_at.items()):
        if start >= end:
            rest = text(signature.text[end:start])
            parts.append(f"{_with_placeholders(rest)}<b>{text(name)}</b>")
            end = start + len(name)
    rest = _with_placeholders(text(signature.text[end:]))
    return f"{''.join(parts)}{rest}" if parts else f"<b>{text(signature.text)}</b>"


def _name_start(signature_text: str, name: str) -> int:
    """Where `name` starts in `signature_text`, not inside of a longer name; -1 if nowhere."""
    start = signature_text.find(name)
    while start > 0 and (signature_text[start - 1].isalnum() or signature_text[start - 1] in "-_"):
        start = signature_text.find(name, start + 1)
    return start


def card(entry: Entry, context: PageContext, name_attribute: str = "") -> str:
    """The card of `entry`, a row each: syntax, usages, values from tables, types, releases.

    A new row is one more line here: `_row` writes one with words that dconv adds; one with words of
    the source carries their lines for the proof, as in `_usage`.  `name_attribute` is one more
    anchor, as an attribute for the name in the first signature (see `starts_with_name`).
    """
    if is_headed_by_signatures(entry):
        rows = [_table_values(table, context) for table in entry.from_tables]
        rows += _added_rows(entry, context)
        return f'<dl class="card"{DATA_ADDED}>\n{"".join(rows)}</dl>\n' if rows else ""
    start = entry.span.first
    origin = mark(f' data-from="{start}"')
    rows = [f'<dl class="card"{origin}>\n<dt{DATA_ADDED}>Syntax</dt><dd>']
    signatures: list[str] = []
    anchors = {entry.anchor, ""}
    placeholders = _placeholder_anchors(entry)
    for signature, signature_anchors in zip(entry.signatures, placeholders, strict=True):
        anchor = signature.anchor if signature.anchor not in anchors else ""
        signatures.append(
            _signature(signature, anchor, signature_anchors, name_attribute, start, context)
        )
        anchors.add(signature.anchor)
        name_attribute = ""
    rows.append(f"{'<br>'.join(signatures)}</dd>\n")
    rows += [_usage(usage, start) for usage in entry.usages]
    rows += [_table_values(table, context) for table in entry.from_tables]
    return "".join([*rows, *_added_rows(entry, context), "</dl>\n"])


def _added_rows(entry: Entry, context: PageContext) -> Iterator[str]:
    """The rows with what `entry` does not say in these words: types, releases."""
    if types := dict.fromkeys(signature.type for signature in entry.signatures if signature.type):
        yield _row("Type", text(", ".join(types)))
    if availability := context.availability(entry.anchor):
        yield _row("Versions", _availability(availability))


def _placeholder_anchors(entry: Entry) -> tuple[tuple[str, ...], ...]:
    """For each signature the anchors of its placeholders, empty if none is defined."""
    if any(isinstance(node, Definition) for node in walk(entry.body)):
        return placeholder_anchors(entry).signatures
    return ((),) * len(entry.signatures)


def _row(label: str, content: str) -> str:
    """One row of the card with words that dconv adds; `content` is HTML."""
    return f"<dt{DATA_ADDED}>{text(label)}</dt><dd{DATA_ADDED}>{content}</dd>\n"


def starts_with_name(entry: Entry, context: PageContext) -> bool:
    """Whether the first signature starts with its name, which can then have one more anchor."""
    first = next(iter(entry.signatures), None)
    if first is None or is_headed_by_signatures(entry):
        return False
    if first.anchor != entry.anchor and context.aliases.get(first.anchor):
        return False
    return _syntax(first).startswith("<b>")


def _signature(
    signature: Signature, anchor: str, anchors: Iterable[str], name_attribute: str, start: int,
    context: PageContext,
) -> str:
    """One line of syntax, with its `anchor` where that is not empty.

    Placeholders link to their definitions in the body, whose anchors are `anchors`.
    """
    id_attribute = aliases = ""
    if anchor:
        id_attribute = f' id="{context.anchor(anchor)}"'
        aliases = empty_anchors(anchor_attributes(context.aliases.get(anchor, ())))
    html = _syntax(signature, map(context.anchor, anchors))
    if name_attribute:
        html = html.replace("<b>", f"<a{name_attribute}>", 1).replace("</b>", "</a>", 1)
    classes = "signature"
    if html == f"<b>{text(signature.name)}</b>":  # one element instead of two
        html, classes = text(signature.name), "signature bare"
    lines = lines_attribute(_lines(signature.span, start))
    return f'<code{id_attribute} class="{classes}"{lines}>{aliases}{html}</code>'


def _syntax(signature: Signature, anchors: Iterable[str] = ()) -> str:
    """The text of `signature`, its name, optional parts and placeholders marked up."""
    html = _with_placeholders(_with_optional_parts(text(signature.text)), anchors)
    name = text(signature.name)
    before = NEGATION if html.startswith(NEGATION) else ""
    if name and html.startswith(name, len(before)):
        return f"{before}<b>{name}</b>{html[len(before) + len(name):]}"
    return html


def _with_placeholders(html: str, anchors: Iterable[str] = ()) -> str:
    """`html`, a line of syntax, with its placeholders marked, and linked to `anchors` in turn."""
    remaining = iter(anchors)

    def marked(match: re.Match[str]) -> str:
        if not match["placeholder"]:
            return f"<em>{match[0]}</em>"
        anchor = next(remaining, "")
        if "<" in OPTIONAL.sub("", match[0]):  # "<[>]": a bracket that ends elsewhere
            return match[0]
        return f'<a href="#{anchor}">{match[0]}</a>' if anchor else f"<var>{match[0]}</var>"

    return PLACEHOLDER_OR_CHOICE.sub(marked, html)


def _with_optional_parts(html: str) -> str:
    """`html`, a line of syntax, with the outermost parts in brackets marked.

    It stays as it is if a bracket lacks its other half.
    """
    depth = 0
    marked_parts: list[str] = []
    for part in BRACKET.split(html):
        if part == "]":
            depth -= 1
        marked_parts.append(f"<i>{part}" if part == "[" and not depth else part)
        if part == "]" and not depth:
            marked_parts.append("</i>")
        if part == "[":
            depth += 1
        if depth < 0:
            return html
    return "".join(marked_parts) if not depth else html


def _usage(usage: Usage, start: int) -> str:
    data_lines = lines_attribute(_lines(usage.span, start))
    start_tags = f"<dt{DATA_ADDED}>{_label(usage.kind)}</dt><dd{data_lines}"
    if usage.kind == "contexts":
        return f"{start_tags}>{text(', '.join([name for name, _ in usage.values]))}</dd>\n"
    if usage.kind == "default-server":
        chips = [
            f'<span class="{"no" if state.casefold() == "no" else "yes stated"}">'
            f'<span class="hidden">{text(name)} </span>{text(state)}</span>'
            for name, state in usage.values
        ]
    else:
        chips = [_chip(name, state) for name, state in usage.values]
    return f'{start_tags} class="chips">{" ".join(chips)}</dd>\n'


def _table_values(table: TableValues, context: PageContext) -> str:
    """What only a table elsewhere says, with a link to it."""
    match table.name:
        case "sections" | "contexts" | "rule sets" | "default-server" as kind:
            chips = " ".join([_chip(name, state) for name, state in table.values])
            source = f'{context.link_start(table.source)} class="from">as the matrix says</a>'
            return _row(_label(kind), f'<span class="chips">{chips}</span> {source}')
        case name:
            return _row(name.capitalize(), text(", ".join([value for value, _ in table.values])))


def _availability(availability: Availability) -> str:
    """In which releases the entry is; links to it there, folded, where there are any."""
    summary = text(availability.summary)
    if not availability.link_lines:
        return summary
    html = ""
    for label, releases in availability.link_lines:
        links = [f'<a href="{attribute(href)}">{text(name)}</a>' for name, href in releases]
        html += f"<p>{text(label)}{' '.join(links)}</p>"
    return f'<details class="versions"><summary>{summary}</summary>{html}</details>'


def _label(kind: UsageKind) -> str:
    return kind.replace("-", " ").capitalize()


def _chip(name: str, state: str) -> str:
    """The place `name` with its `state`."""
    if state in YES_CLASSES:
        return f'<span class="{YES_CLASSES[state]}">{text(name)}</span>'
    if state == "-":
        no = f'<span class="hidden"{DATA_ADDED}>no</span>'
        return f'<span class="no -">{text(name)} {no}</span>'
    html = f'{text(name)} <span class="hidden">{text(state)}</span>'
    if state == "no":
        return f'<span class="no">{html}</span>'
    if state.startswith(("yes", "X")):
        # "yes(!)", see `NAMED_ONLY`: only in sections with a name
        return f'<span class="yes stated">{html} <small{DATA_ADDED}>named</small></span>'
    return f'<span class="stated">{text(name)} {text(state)}</span>'


def _lines(span: Span, start: int) -> str:
    """The lines of `span`, counted from the line `start` as 0."""
    first, last = span.first - start, span.last - start
    return f"+{first}" if first == last else f"+{first}-{last}"
