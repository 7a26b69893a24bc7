"""Backlinks: every entry gets the places where documents of its release mention or use it.

They are computed once, when all documents are linked.  Tables that list everything
(matrices, summaries) do not count, nor do mentions inside the entry itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from dconv.model import tree
from dconv.model.references import own_inlines
from dconv.model.values import dataclass

# (document, anchor of an entry) to its backlinks, each once, in the order of the text
_Backlinks: TypeAlias = "dict[tree.Target, dict[tree.Backlink, None]]"


@dataclass(frozen=True, slots=True)
class _BlockMentions:
    """An entry, or prose of a section, with its anchors and the places that it mentions.

    Each place says whether an example mentions it.
    """

    source: tree.Target
    number: str
    name: str
    anchors: tuple[str, ...]
    mentions: tuple[tuple[tree.Target, bool], ...]


def with_backlinks(manuals: Sequence[tree.Manual]) -> list[tree.Manual]:
    """`manuals`, the linked documents of one release, with the backlinks of all entries."""
    blocks = [
        _block_mentions(block, section, manual.name)
        for manual in manuals for section in tree.sections(manual) for block in section.body
    ]
    owners: dict[tree.Target, tree.Target] = {}
    for block in blocks:
        for anchor in block.anchors:
            owners.setdefault(tree.Target(block.source.document, anchor), block.source)
    backlinks: _Backlinks = {}
    for block in blocks:
        for target, in_example in block.mentions:
            entry = owners.get(target)
            if entry is not None and entry != block.source:
                section = block.number
                if block.source.document != entry.document:
                    section = f"{block.source.document} {section}".rstrip()
                backlink = tree.Backlink(block.source, section, block.name, in_example)
                backlinks.setdefault(entry, {})[backlink] = None
    return [_with_entry_backlinks(backlinks, manual) for manual in manuals]


def _block_mentions(block: tree.Block, section: tree.Section, document: str) -> _BlockMentions:
    """The anchors and mentions of `block`; prose counts for its section."""
    if not isinstance(block, tree.Entry):
        in_prose = tuple(mention for node in tree.walk((block,)) for mention in _mentions(node))
        source = tree.Target(document, section.anchor)
        return _BlockMentions(source, section.number, section.title, (), in_prose)
    anchors = [block.anchor, *(signature.anchor for signature in block.signatures)]
    mentions: list[tuple[tree.Target, bool]] = []
    for node in tree.walk(block.body):
        mentions += _mentions(node)
        if isinstance(node, tree.Definition):
            anchors += [term.anchor for term in node.terms if term.anchor]
        elif isinstance(node, tree.Table):
            anchors += [row.anchor for row in node.rows if row.anchor]
    source = tree.Target(document, block.anchor)
    return _BlockMentions(source, section.number, block.title, tuple(anchors), tuple(mentions))


def _mentions(node: tree.Block | tree.Item | tree.Definition) -> Iterator[tuple[tree.Target, bool]]:
    """The places that `node` itself mentions, and whether it is an example."""
    if isinstance(node, tree.Preformatted):
        for code in node.styled_code:
            if code.target is not None:
                yield code.target, True
    elif not isinstance(node, tree.Table) or node.role == "data":  # other tables mention everything
        for inline in own_inlines(node):
            if isinstance(inline, tree.Reference):
                yield from ((target, False) for target in inline.targets)


def _with_entry_backlinks(backlinks: _Backlinks, manual: tree.Manual) -> tree.Manual:
    """`manual` with the `backlinks` of its entries."""

    def with_links(block: tree.Block) -> tree.Block:
        if not isinstance(block, tree.Entry):
            return block
        links = backlinks.get(tree.Target(manual.name, block.anchor))
        return replace(block, backlinks=tuple(links)) if links else block

    return tree.with_bodies(manual, lambda section: tuple(map(with_links, section.body)))
