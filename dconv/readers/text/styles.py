"""Bold and underlined words of a text for terminals, as `Strong` and `Emphasis` in the tree.

The text reader sees lines without styles.  So each paragraph looks up its characters on its own
lines afterwards.
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
    styler = _Styler(manual, styles)
    manual = replace(manual, preface=styler.blocks(manual.preface))
    return tree.with_bodies(manual, lambda section: styler.blocks(section.body))


@dataclass(slots=True)
class _Styler:
    """Puts the `styles` of lines into the nodes of `manual`."""

    manual: tree.Manual
    styles: Mapping[int, Sequence[Style]]

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
                return replace(node, items=tuple([
                    replace(
                        item, terms=tuple(map(self.term, item.terms)), body=self.flow(item.body)
                    )
                    for item in node.items
                ]))
            case tree.Labelled() | tree.Example():
                return replace(node, body=self.flow(node.body))
            case _:
                return node

    def term(self, term: tree.Term) -> tree.Term:
        return replace(term, content=self.content(term.content, term.line, term.line))

    def content(
        self, content: tuple[tree.Inline, ...], first: int, last: int
    ) -> tuple[tree.Inline, ...]:
        """`content`, which is on the lines `first` to `last`, with its styles."""
        if not any(line in self.styles for line in range(first, last + 1)):
            return content
        kinds = self.character_styles(first, last, tree.plain_text(content))
        nodes: list[tree.Inline] = []
        index = 0
        for node in content:
            end = index + len(node.text)
            if isinstance(node, tree.Text):
                start = 0
                for kind, run in groupby(_with_blanks(node.text, kinds[index:end])):
                    words = node.text[start : start + len(list(run))]
                    start += len(words)
                    nodes.append(_with_style(tree.Text(words), kind))
            else:
                nodes.append(_with_style(node, next(filter(None, kinds[index:end]), "")))
            index = end
        return tuple(nodes)

    def character_styles(self, first: int, last: int, text: str) -> list[str]:
        """The style of each character of `text`: `STRONG`, `EMPHASIS` or empty.

        The text is on the lines `first` to `last`; they may have other characters, such as those
        before and after it, and dropped ones.
        """
        characters: list[tuple[str, str]] = []
        for line in self.manual.source.lines[first - 1 : last]:
            kinds = [""] * len(line.text)
            for style in self.styles.get(line.number, ()):
                for index in range(style.start, style.end):
                    kinds[index] = STRONG if style.kind == "bold" else kinds[index] or EMPHASIS
            characters += [
                (character, kind) for character, kind in zip(line.text, kinds, strict=True)
                if character != " "
            ]
        letters = text.replace(" ", "").replace("\n", "")
        start = "".join([character for character, _ in characters]).find(letters)
        if start < 0:
            return [""] * len(text)
        located = iter(characters[start:])
        return ["" if character.isspace() else next(located)[1] for character in text]


STRONG, EMPHASIS = "strong", "emphasis"


def _with_blanks(text: str, kinds: Sequence[str]) -> Iterator[str]:
    """The `kinds` of the characters of `text`; a blank between two of one style has that style."""
    for index, kind in enumerate(kinds):
        around = kinds[index - 1 : index + 2 : 2] if index else []
        if text[index] == " " and len(around) == 2 and around[0] == around[1]:
            kind = around[0]
        yield kind


def _with_style(node: tree.Inline, kind: str) -> tree.Inline:
    if not kind:
        return node
    return tree.Strong((node,)) if kind == STRONG else tree.Emphasis((node,))
