"""Bold and underlined words of a text for terminals, as `Strong` and `Emphasis` in the tree.

The text reader sees lines without styles.  So each paragraph looks up its characters on its own
lines afterwards.  A name of one of the document's own entries in bold is a reference to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from dconv.model import tree
from dconv.model.values import dataclass
from dconv.readers.text.filters.filtered import Style


def styled(manual: tree.Manual, styles: Mapping[int, Sequence[Style]]) -> tree.Manual:
    """Return `manual` with the `styles` of its lines in its paragraphs and terms."""
    names = frozenset(name for _, entry in tree.entries(manual) for name in entry.names)
    styler = _Styler(manual, styles, names)
    manual = replace(manual, preface=styler.blocks(manual.preface))
    return tree.with_bodies(manual, lambda section: styler.blocks(section.body))


@dataclass(slots=True)
class _Styler:
    """Puts the `styles` of lines into the nodes of `manual`; `names` are those of its entries."""

    manual: tree.Manual
    styles: Mapping[int, Sequence[Style]]
    names: frozenset[str]

    def blocks(self, blocks: Sequence[tree.Block]) -> tuple[tree.Block, ...]:
        return tuple([
            replace(block, body=self.flow(block.body)) if isinstance(block, tree.Entry)
            else self.node(block)
            for block in blocks
        ])

    def flow(self, nodes: Sequence[tree.Flow]) -> tuple[tree.Flow, ...]:
        return tuple([self.node(node) for node in nodes])

    def node(self, node: tree.Flow) -> tree.Flow:
        match node:
            case tree.Paragraph():
                return replace(
                    node, content=self.content(node.content, node.span.first, node.span.last)
                )
            case tree.List():
                items = [replace(item, body=self.flow(item.body)) for item in node.items]
                return replace(node, items=tuple(items))
            case tree.Definitions():
                return replace(node, items=tuple([self.definition(item) for item in node.items]))
            case tree.Labelled() | tree.Example():
                return replace(node, body=self.flow(node.body))
            case _:
                return node

    def definition(self, item: tree.Definition) -> tree.Definition:
        terms = [
            replace(term, content=self.content(term.content, term.line, term.line))
            for term in item.terms
        ]
        return replace(item, terms=tuple(terms), body=self.flow(item.body))

    def content(
        self, content: tuple[tree.Inline, ...], first: int, last: int
    ) -> tuple[tree.Inline, ...]:
        """`content`, which is on the lines `first` to `last`, with its styles."""
        if not any(line in self.styles for line in range(first, last + 1)):
            return content
        character_styles = self.character_styles(first, last, tree.plain_text(content))
        nodes: list[tree.Inline] = []
        index = 0
        for node in content:
            end = index + len(node.text)
            if isinstance(node, tree.Text):
                nodes += self.styled_text(node.text, character_styles[index:end])
            else:
                kinds = [style[0] for style in character_styles[index:end] if style]
                nodes.append(_with_style(node, kinds[0] if kinds else ""))
            index = end
        return tuple(nodes)

    def styled_text(self, text: str, character_styles: Sequence[_Style]) -> Iterator[tree.Inline]:
        """The inlines of `text`, in the styles of its characters."""
        index = 0
        for kind, run in groupby(_kinds(text, character_styles)):
            words = text[index : index + len(list(run))]
            index += len(words)
            style = character_styles[index - len(words)]
            if kind and style and words in self.names:
                line, column = style[1:]
                yield tree.Reference(words, words, line, column, kind="literal")
            else:
                yield _with_style(tree.Text(words), kind)

    def character_styles(self, first: int, last: int, text: str) -> list[_Style]:
        """The style of each character of `text`, with its line and column.

        The text is on the lines `first` to `last`; they may have other characters, such as those
        before and after it, and dropped ones.
        """
        characters: list[tuple[str, _Style]] = []
        for line in self.manual.source.lines[first - 1 : last]:
            kinds = [""] * len(line.text)
            for style in self.styles.get(line.number, ()):
                for index in range(style.start, style.end):
                    kinds[index] = STRONG if style.kind == "bold" else kinds[index] or EMPHASIS
            characters += [
                (character, (kind, line.number, line.column + index) if kind else None)
                for index, (character, kind) in enumerate(zip(line.text, kinds, strict=True))
                if character != " "
            ]
        letters = text.replace(" ", "").replace("\n", "")
        start = "".join([character for character, _ in characters]).find(letters)
        if start < 0:
            return [None] * len(text)
        located = iter(characters[start:])
        return [None if character.isspace() else next(located)[1] for character in text]


STRONG, EMPHASIS = "strong", "emphasis"
_Style = tuple[str, int, int] | None  # of a character: strong or emphasis, its line, its column


def _kinds(text: str, character_styles: Sequence[_Style]) -> Iterator[str]:
    """The style of each character of `text`; a blank between two of one style has that style."""
    kinds = [style[0] if style else "" for style in character_styles]
    for index, kind in enumerate(kinds):
        around = kinds[index - 1 : index + 2 : 2] if index else []
        if text[index] == " " and len(around) == 2 and around[0] == around[1]:
            kind = around[0]
        yield kind


def _with_style(node: tree.Inline, kind: str) -> tree.Inline:
    if not kind:
        return node
    return tree.Strong((node,)) if kind == STRONG else tree.Emphasis((node,))
