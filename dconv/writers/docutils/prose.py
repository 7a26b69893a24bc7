"""Inline content as docutils nodes; none inside another, as reStructuredText has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, assert_never

from docutils import nodes

from dconv.model import tree
from dconv.writers.docutils.link_targets import LinkTargets
from dconv.writers.html.escape import one_line
from dconv.writers.html.inlines import is_technical

WEB_SCHEMES = ("http://", "https://")
SPACES = re.compile(r"\s+")
DELETED = "del"  # the class of words that are struck through, as docutils' HTML knows it

Child: TypeAlias = "str | nodes.Node"


def inlines(content: Iterable[tree.Inline], link_targets: LinkTargets) -> list[nodes.Node]:
    """A line of prose as inline nodes; white space is folded, and removed at both ends."""
    children: list[Child] = []
    pending: list[Child] = []  # links to insert at the next space, so that they split no word
    for part in content:
        for child in _inline(part, link_targets):
            if pending and isinstance(child, str) and (gap := SPACES.search(child)):
                children += [child[: gap.start()], *pending]
                pending = []
                child = child[gap.start() :]
            children.append(child)
        if isinstance(part, tree.Reference):
            pending += _other_targets(part, link_targets)
    return merge_texts([*children, *pending])


def merge_texts(children: Iterable[Child]) -> list[nodes.Node]:
    """Texts and inline nodes as children of one element: white space folded, texts joined."""
    texts: list[Child] = []
    for child in children:
        if isinstance(child, nodes.Text):
            child = child.astext()
        if isinstance(child, str) and texts and isinstance(texts[-1], str):
            texts[-1] += child
        else:
            texts.append(child)
    if texts and isinstance(texts[0], str):
        texts[0] = texts[0].lstrip()
    if texts and isinstance(texts[-1], str):
        texts[-1] = texts[-1].rstrip()
    return [
        nodes.Text(SPACES.sub(" ", child)) if isinstance(child, str) else child
        for child in texts if child != ""
    ]


def strip_lines(lines: Sequence[str]) -> list[str]:
    """`lines` without blank ones at their ends."""
    trimmed = without_blank_end(lines)
    while trimmed and not trimmed[0]:
        del trimmed[0]
    return trimmed


def without_blank_end(lines: Sequence[str]) -> list[str]:
    """`lines` without blank ones at the end."""
    trimmed = list(lines)
    while trimmed and not trimmed[-1]:
        trimmed.pop()
    return trimmed


def title_and_body(doctree: nodes.document) -> tuple[str, list[nodes.Node]]:
    """The words of title and subtitle of `doctree` on one line, and all that follows them."""
    titles = [node for node in doctree.children if isinstance(node, nodes.title | nodes.subtitle)]
    body = [node for node in doctree.children if node not in titles]
    return one_line(" ".join(node.astext() for node in titles)), body


def elements(node: nodes.Element) -> list[nodes.Element]:
    """The children of `node`, which has no text of its own."""
    return [child for child in node.children if isinstance(child, nodes.Element)]


def enumerator(node: nodes.Element, number: int) -> str:
    """The label of the item `number` of the enumerated list `node`: "3.", "(b)"."""
    label = str(number)
    if node["enumtype"] != "arabic":
        label = chr(ord("a" if node["enumtype"] == "loweralpha" else "A") + number - 1)
    return f"{node['prefix']}{label}{node['suffix']}"


def link(text: str, attributes: dict[str, str]) -> nodes.reference:
    """A link to what `attributes` (`refid` or `refuri`) say, which shows `text`."""
    link_text = one_line(text)
    return nodes.reference("", link_text, name=link_text, **attributes)


def _inline(part: tree.Inline, link_targets: LinkTargets) -> Iterator[Child]:
    match part:
        case tree.Text():
            yield part.text
        case tree.Code():
            yield from _marked(nodes.literal, part.text)
        case tree.Argument():
            attributes = link_targets.attributes(part.target) if part.target else {}
            if attributes:
                yield from _linked(part.text, attributes)
            else:
                yield from _marked(nodes.emphasis, part.text)
        case tree.Reference():
            yield from _reference(part, link_targets)
        case tree.Hyperlink():
            if part.url.casefold().startswith(WEB_SCHEMES):
                yield from _linked(part.text, {"refuri": part.url})
            else:
                yield part.text
        case tree.Strong() | tree.Emphasis() | tree.Deleted() if any(
            _is_link(inner, link_targets) for inner in part.content
        ):
            for inner in part.content:  # docutils nests no inline nodes; the link matters more
                yield from _inline(inner, link_targets)
        case tree.Strong():
            yield from _marked(nodes.strong, part.text)
        case tree.Emphasis():
            yield from _marked(nodes.emphasis, part.text)
        case tree.Deleted():
            struck = nodes.inline("", one_line(part.text), classes=[DELETED])
            yield from _with_outer_spaces(part.text, struck)
        case tree.LineBreak() | tree.Image():
            yield part.text
        case _:
            assert_never(part)


def _reference(part: tree.Reference, link_targets: LinkTargets) -> Iterator[Child]:
    linked = _linkable(part, link_targets)
    if linked:
        yield from _linked(part.text, linked[0][1])
    elif part.kind in ("literal", "option") or (part.kind == "name" and is_technical(part.text)):
        yield from _marked(nodes.literal, part.text)
    else:
        yield part.text


def _is_link(part: tree.Inline, link_targets: LinkTargets) -> bool:
    return isinstance(part, tree.Hyperlink) or (
        isinstance(part, tree.Reference) and bool(_linkable(part, link_targets))
    )


def _linkable(
    part: tree.Reference, link_targets: LinkTargets
) -> list[tuple[tree.Target, dict[str, str]]]:
    """The targets of `part` that a link can be made to, each with its attributes."""
    links = [(target, link_targets.attributes(target)) for target in part.targets]
    return [(target, attributes) for target, attributes in links if attributes]


def _other_targets(part: tree.Reference, link_targets: LinkTargets) -> Iterator[Child]:
    """The further places that an ambiguous reference may mean, in brackets."""
    separator = " [or: "
    for target, attributes in _linkable(part, link_targets)[1:]:
        yield separator
        yield from _linked(link_targets.label(target), attributes)
        separator = ", "
    if separator == ", ":
        yield "]"


def _marked(
    kind: type[nodes.literal | nodes.emphasis | nodes.strong], text: str
) -> Iterator[Child]:
    """`text` as an element of `kind`, blanks at its ends outside."""
    yield from _with_outer_spaces(text, kind("", one_line(text)))


def _linked(text: str, attributes: dict[str, str]) -> Iterator[Child]:
    yield from _with_outer_spaces(text, link(text, attributes))


def _with_outer_spaces(text: str, element: nodes.TextElement) -> Iterator[Child]:
    if not text.strip():
        yield text
        return
    yield text[: len(text) - len(text.lstrip())]
    yield element
    yield text[len(text.rstrip()) :]
