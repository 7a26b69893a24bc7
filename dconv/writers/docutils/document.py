"""The linked tree to a docutils document of stock nodes, for docutils' writers and Sphinx.

    section      a section; an entry is one too, titled with its name: outlines list it,
                 no writer's lists nest too deep, and reStructuredText stays flat
    signatures   a literal block of the class `signature`
    usages       a label in bold and a table, or one line for contexts
    labels       a paragraph in bold; notes and warnings are admonitions
    examples     a literal block of the classes `code` and the language's
    definitions  a definition list; its terms have the ids
    references   links with `refid` or `refuri`; the other meanings of an ambiguous
                 name follow in brackets

The names of nodes are their ids.  No word of the source is dropped but the ink that
`dconv.proof.expected` names; `proof` beside it checks that.  Inline nodes are never nested,
and cells never span, since reStructuredText and man pages cannot write that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from docutils import frontend, nodes, utils

from dconv.model.tree import (
    Block,
    Definitions,
    Entry,
    Example,
    Flow,
    Heading,
    Inline,
    Labelled,
    List,
    Manual,
    Paragraph,
    Preformatted,
    Section,
    SeeAlso,
    Table,
    plain,
)
from dconv.writers.docutils import front, lists, tables
from dconv.writers.docutils.places import Elsewhere, Places, places
from dconv.writers.docutils.prose import folded, inlines

DEEPEST_LIST = 4  # lists within lists: LaTeX takes four with bullets, ODT five


def document(
    manual: Manual, title: str = "", elsewhere: Mapping[str, Elsewhere] | None = None
) -> nodes.document:
    """The linked `manual` as a docutils document of stock nodes.

    `title` serves where the text has none.  `elsewhere` tells where the other
    documents of the release are; references to those that it lacks are no links.
    """
    known = places(manual, elsewhere or {})
    made = utils.new_document(manual.source.path, frontend.get_default_settings())
    made += front.cover(manual, title)
    made["title"] = made[0].astext()
    before, after = _preface(manual)
    made += list(_flow(before, known))
    made += front.contents(manual, known)
    made += list(_flow(after, known))
    _sections(made, manual, known)
    return made


def _preface(manual: Manual) -> tuple[list[Block], list[Block]]:
    """What stands before the source's table of contents, and what after it."""
    line = manual.summary_span.first if manual.summary_span else len(manual.source.lines) + 1
    blocks = manual.preface
    return (
        [block for block in blocks if block.span.first < line],
        [block for block in blocks if block.span.first >= line],
    )


def _sections(made: nodes.document, manual: Manual, known: Places) -> None:
    stack: list[nodes.Element] = [made]
    for depth, section in front.outline(manual):
        del stack[depth + 1 :]
        node = _titled(front.heading(section), [section.anchor], known)
        for part in _body(section, known):
            node += part
        stack[-1] += node
        stack.append(node)


def _titled(title: str, anchors: Iterable[str], known: Places) -> nodes.section:
    ids = list(dict.fromkeys(known.ids[anchor] for anchor in anchors))
    return nodes.section("", nodes.title("", title), ids=ids, names=list(ids))


def _body(section: Section, known: Places) -> Iterator[nodes.Element]:
    """The blocks of `section`: text, then entries as sections of their own.

    Text that follows an entry belongs to the section again, which docutils cannot
    say: it stands below a line at the end of the entry's.
    """
    last: nodes.section | None = None
    apart = False
    for block in section.body:
        if isinstance(block, Entry):
            if last is not None:
                yield last
            last, apart = _entry(block, known), False
        elif last is None:
            yield from _flow((block,), known)
        else:
            if not apart:
                last += nodes.transition()
            last += list(_flow((block,), known))
            apart = True
    if last is not None:
        yield last


def _entry(entry: Entry, known: Places) -> nodes.section:
    anchors = [entry.anchor, *(signature.anchor for signature in entry.signatures)]
    made = _titled(folded(entry.name) or "…", anchors, known)
    signatures = [signature.text for signature in entry.signatures]
    if block := literal(signatures, "signature"):
        made += block
    for usage in entry.usages:
        made += list(tables.usage(usage))
    made += list(_flow(entry.body, known))
    return made


# --- flow -----------------------------------------------------------------------------


def _flow(blocks: Iterable[Block], known: Places, depth: int = 0) -> Iterator[nodes.Element]:
    """`blocks` as body elements; `depth` counts the lists around them."""
    for node in blocks:
        match node:
            case Paragraph():
                yield from _paragraph(inlines(node.content, known))
            case Preformatted():
                yield from _preformatted(node)
            case Example():
                yield from _label(node.label, node.caption, known)
                yield from _flow(node.body, known, depth)
            case SeeAlso():
                yield from _label(node.label, node.content, known)
            case Labelled():
                yield from _labelled(node, known, depth)
            case Heading():
                yield from _heading(node, known)
            case List() | Definitions():
                yield from _list(node, known, depth)
            case Table():
                yield tables.table(node, known)
            case Entry():  # never within a body
                yield from _flow(node.body, known, depth)
            case _:
                assert_never(node)


def _paragraph(content: Sequence[nodes.Node]) -> Iterator[nodes.paragraph]:
    if content:
        yield nodes.paragraph("", "", *content)


def literal(lines: Iterable[str], *classes: str) -> nodes.literal_block | None:
    """`lines` as a literal block without blank lines at its ends; None if nothing is left."""
    rows = [line.rstrip() for line in lines]
    while rows and not rows[0]:
        rows.pop(0)
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        return None
    shared = min(len(row) - len(row.lstrip(" ")) for row in rows if row)
    text = "\n".join(row[shared:] for row in rows)
    block = nodes.literal_block("", text)
    block["xml:space"] = "preserve"
    block["classes"] += [name for name in map(nodes.make_id, classes) if name]
    return block


def _preformatted(node: Preformatted) -> Iterator[nodes.literal_block]:
    classes = ("code", node.language) if node.language else ()
    if block := literal(node.lines, *classes):
        yield block


def _label(
    label: str, content: tuple[Inline, ...], known: Places
) -> Iterator[nodes.paragraph]:
    """A label in bold, and what stands behind it."""
    shown: list[nodes.Node] = []
    if words := folded(label):
        shown.append(nodes.strong("", f"{words}:"))
    behind = inlines(content, known)
    if shown and behind:
        shown.append(nodes.Text(" "))
    if shown and behind and isinstance(behind[0], nodes.Text):
        shown[-1:] = [nodes.Text(f" {behind.pop(0).astext()}")]
    yield from _paragraph([*shown, *behind])


def _labelled(node: Labelled, known: Places, depth: int) -> Iterator[nodes.Element]:
    words = folded(node.label)
    match node.kind:
        case "note" | "warning":
            body = list(_flow(node.body, known, depth))
            if body and words:
                title = nodes.title("", words)
                yield nodes.admonition("", title, *body, classes=[node.kind])
                return
            yield from _label(node.label, (), known)
            yield from body
        case "arguments" | "label":
            first = node.body[0] if node.body else None
            if isinstance(first, Paragraph) and len(node.body) == 1:
                yield from _label(node.label, first.content, known)
                return
            yield from _label(node.label, (), known)
            yield from _flow(node.body, known, depth)
        case _:
            assert_never(node.kind)


def _heading(node: Heading, known: Places) -> Iterator[nodes.paragraph]:
    """A small title: a paragraph in bold, which all writers show as such."""
    if words := folded(plain(node.content)):
        made = nodes.paragraph("", "", nodes.strong("", words))
        if node.anchor:
            made["ids"] = [known.ids[node.anchor]]
            made["names"] = [known.ids[node.anchor]]
        yield made


def _list(node: List | Definitions, known: Places, depth: int) -> Iterator[nodes.Element]:
    """A list; one that LaTeX finds too deep is written as the paragraphs of its items."""

    def inside(body: Sequence[Flow]) -> list[nodes.Element]:
        return list(_flow(body, known, depth + 1))

    match node:
        case List():
            if depth < DEEPEST_LIST:
                yield from lists.listed(node, inside)
            else:
                for item in node.items:
                    yield from lists.marked(item, inside(item.body))
        case Definitions():
            if depth < DEEPEST_LIST:
                items = [lists.definition(one, inside(one.body), known) for one in node.items]
                yield nodes.definition_list("", *items)
            else:
                for one in node.items:
                    yield lists.term(one, known, nodes.paragraph)
                    yield from inside(one.body)
        case _:
            assert_never(node)
