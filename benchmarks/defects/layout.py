"""Titles, indentation, labels and characters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from dconv.model.tree import Example, Paragraph, Preformatted, SeeAlso, walk
from defects.defect import Defect, Edit, IntactText, changed_line, with_typo

TYPOGRAPHIC = {'"': "\u201d", "'": "\u2019", "-": "\u2013", " ": "\u00a0"}


def _paragraph_lines(text: IntactText, min_count: int = 1) -> Iterator[range]:
    """The numbers of the lines of each paragraph that has at least `min_count` lines."""
    for text_block in text.context.text_blocks:
        span = text_block.span
        if isinstance(text_block.node, Paragraph) and span.last - span.first + 1 >= min_count:
            yield range(span.first, span.last + 1)


def number_repeated(text: IntactText, random: Random) -> Iterator[Defect]:
    """A section with the number of the one before it."""
    sections = [section for section in text.context.sections if section.number]
    for before, section in pairwise(sections):
        if before.level == section.level:
            first = section.title_span.first
            yield from text.replaced(first, section.number, before.number, name=before.number)


def dot_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """A number of a section without its dot."""
    for section in text.context.sections:
        if section.number:
            yield from text.replaced(
                section.title_span.first, f"{section.number}.", section.number, name=section.number
            )


def underline_length(text: IntactText, random: Random) -> Iterator[Defect]:
    """An underline that is shorter or longer than its title."""
    for section in text.context.sections:
        last = section.title_span.last
        if section.number and last > section.title_span.first:
            line = text.line(last).rstrip()
            changed = random.choice((line[:-1], line + line[:1], line[: len(line) // 2]))
            yield changed_line(last, changed)


def line_too_long(text: IntactText, random: Random) -> Iterator[Defect]:
    """A line of prose with more than 80 columns."""
    for lines in _paragraph_lines(text, 2):
        number = random.choice(lines[:-1])
        line, word = text.line(number).rstrip(), text.line(number + 1).split()[0]
        if len(line) <= 80 < len(line) + 1 + len(word) < 100:
            indent = len(text.line(number + 1)) - len(text.line(number + 1).lstrip())
            rest = " " * indent + text.line(number + 1).split(maxsplit=1)[-1]
            yield Defect((Edit(number, number + 1, (f"{line} {word}", rest)),))


def tab_for_blanks(text: IntactText, random: Random) -> Iterator[Defect]:
    """A tab instead of the blanks at the start of a line."""
    for lines in _paragraph_lines(text):
        number = random.choice(lines)
        line = text.line(number)
        if len(line) - len(line.lstrip()) >= 2:
            yield changed_line(number, "\t" + line.lstrip())


def trailing_blanks(text: IntactText, random: Random) -> Iterator[Defect]:
    """Blanks at the end of a line."""
    for lines in _paragraph_lines(text):
        number = random.choice(lines)
        yield changed_line(number, text.line(number).rstrip() + "  ")


def typographic_character(text: IntactText, random: Random) -> Iterator[Defect]:
    """A typographic character: a curly quote, a dash or a no-break space."""
    for lines in _paragraph_lines(text):
        number = random.choice(lines)
        line = text.line(number)
        start = len(line) - len(line.lstrip())
        places = [
            index for index, character in enumerate(line)
            if index >= start and character in TYPOGRAPHIC
        ]
        if places:
            index = random.choice(places)
            changed = f"{line[:index]}{TYPOGRAPHIC[line[index]]}{line[index + 1 :]}"
            yield changed_line(number, changed)


def body_deep(text: IntactText, random: Random) -> Iterator[Defect]:
    """The first paragraph of an entry, indented as a continued signature is."""
    for _, entry in text.context.entries:
        block = entry.body[0] if entry.body else None
        if isinstance(block, Paragraph):
            span = block.span
            lines = tuple("    " + line for line in text.lines[span.first - 1 : span.last])
            yield Defect((Edit(span.first, span.last, lines),), entry.name)


def body_shallow(text: IntactText, random: Random) -> Iterator[Defect]:
    """A paragraph of an entry that is indented one column too much or too little."""
    for _, entry in text.context.entries:
        for block in entry.body[1:]:
            if isinstance(block, Paragraph) and block.span.last > block.span.first:
                rows = text.lines[block.span.first - 1 : block.span.last]
                if all(row.startswith("  ") for row in rows):
                    changed = tuple(random.choice((row[1:], " " + row)) for row in rows[:1])
                    deeper = len(changed[0]) > len(rows[0])
                    lines = tuple(" " + row if deeper else row[1:] for row in rows)
                    yield Defect((Edit(block.span.first, block.span.last, lines),), entry.name)


def _examples(text: IntactText) -> Iterator[tuple[Example, Preformatted]]:
    for section in text.context.sections:
        for node in walk(section.body):
            block = node.body[0] if isinstance(node, Example) and node.body else None
            if (
                isinstance(node, Example) and isinstance(block, Preformatted)
                and block.span.first > node.span.first
            ):
                yield node, block


def example_flat(text: IntactText, random: Random) -> Iterator[Defect]:
    """An example at the column of its label."""
    for node, block in _examples(text):
        label = text.line(node.span.first)
        column = len(label) - len(label.lstrip())
        rows = text.lines[block.span.first - 1 : block.span.last]
        indent = min(len(row) - len(row.lstrip()) for row in rows if row.strip())
        if indent > column:
            lines = tuple(" " * column + row[indent:] if row.strip() else row for row in rows)
            yield Defect((Edit(block.span.first, block.span.last, lines),))


def label_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A label with a typo or without its colon."""
    for node, _ in _examples(text):
        line = text.line(node.span.first)
        if ":" in line:
            wrong = line.replace(node.label, with_typo(node.label, random), 1)
            changed = random.choice((line.replace(":", "", 1).rstrip(), wrong))
            yield changed_line(node.span.first, changed)


def see_also_glued(text: IntactText, random: Random) -> Iterator[Defect]:
    """A "See also" that is right after the text above it."""
    for text_block in text.context.text_blocks:
        above = text_block.span.first - 1
        if (
            isinstance(text_block.node, SeeAlso) and not text.line(above).strip()
            and text.line(above - 1).strip()
        ):
            line = f"{text.line(above - 1).rstrip()} {text.line(above + 1).lstrip()}"
            yield Defect((Edit(above - 1, above + 1, (line,)),))


def see_also_label(text: IntactText, random: Random) -> Iterator[Defect]:
    """A "See also" with a typo."""
    for text_block in text.context.text_blocks:
        if isinstance(text_block.node, SeeAlso):
            first = text_block.span.first
            line = text.line(first)
            changed = line.replace("also", random.choice(("aslo", "als", "allso")))
            if changed != line:
                yield changed_line(first, changed)


def blank_line_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """No blank line between an entry and the signature after it."""
    for _, entry in text.context.entries:
        first = entry.span.first
        if first > 2 and not text.line(first - 1).strip() and text.line(first - 2).strip():
            yield Defect((text.delete_lines(first - 1, first - 1),), entry.name)
