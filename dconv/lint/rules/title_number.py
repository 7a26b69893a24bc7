"""A section number does not follow the one before it, or is not written like the others.

A number that is skipped, goes back or has no section above it is often left from moving
sections. Where most numbers end with a dot, all must; programs that read the text take '4.2
Limits' for chapter 4. The rule 'section-number' reports numbers that are used twice.

Bad:
    2. Settings
    2.1. Names
    2.3. Limits
    3 Commands

Good:
    2. Settings
    2.1. Names
    2.2. Limits
    3. Commands
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from dconv.lint.context import Context
from dconv.lint.numbering import has_wrapped_title, number_key
from dconv.lint.rule import Finding, Rule
from dconv.model.diagnostics import NameChange
from dconv.model.tree import Section, sections_with_depth


def _find(context: Context) -> Iterator[Finding]:
    # in a chapter without a number, the sections are numbered from 1
    parts: dict[str, list[Section]] = {}
    chapter = ""
    for section, depth in sections_with_depth(context.manual):
        if depth == 0:
            chapter = "" if section.number else section.anchor
        parts.setdefault(chapter, []).append(section)
    for sections in parts.values():
        yield from _wrong_numbers(context, list(_numbered(context, sections)))
    numbered = _numbered(context, context.sections)
    numbers_and_lines = [(section.number, section.title_span.first) for section in numbered]
    yield from _number_endings(context, numbers_and_lines)
    yield from _number_endings(context, [(row.number, row.line) for row in context.manual.contents])


def _wrong_numbers(context: Context, numbered: Sequence[Section]) -> Iterator[Finding]:
    """Numbers that do not follow the one before."""
    numbers = {number_key(section.number) for section in numbered}
    lower = [number for number in numbers if len(number) > 1]
    # false if most numbers have no section above: "3.1" without "3"
    chapters_have_titles = sum(number[:-1] in numbers for number in lower) * 2 >= len(lower)
    for before, section in pairwise(numbered):
        last, number = number_key(before.number), number_key(section.number)
        if not _follows(last, number) and (
            chapters_have_titles or not _starts_chapter(last, number)
        ):
            message = f"section {section.number} follows section {before.number}"
            line = section.title_span.first
            between = context.lines[before.title_span.last : line]
            number_between = ".".join(map(str, (*number[:-1], number[-1] - 1)))
            if has_wrapped_title(between, number_between):
                continue  # its title takes two lines
            yield Finding(line, context.line(line).column, message, len(section.number))


def _numbered(context: Context, sections: Iterable[Section]) -> Iterator[Section]:
    """Those of `sections` with a number, without those that repeat a number with another underline.

    Those are the questions "1.", "2." inside a chapter.
    """
    underlines: dict[str, str] = {}  # the character of each number's first underline
    for section in sections:
        span = section.title_span
        underline = context.line(span.last).text[:1] if span.last > span.first else ""
        if section.number and underlines.setdefault(section.number, underline) == underline:
            yield section


def _follows(before: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether `number` is the same as `before`, the next one of its level, or the first below."""
    if number == before:
        return True  # section-number reports it
    if len(number) > len(before):
        return number in {(*before, 0), (*before, 1)}
    return number[:-1] == before[: len(number) - 1] and number[-1] - before[len(number) - 1] == 1


def _starts_chapter(before: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether `number` is that of the first section of a later chapter: "3.1" after "1.9"."""
    return number[-1] in (0, 1) and before[: len(number) - 1] < number[:-1]


def _number_endings(
    context: Context, numbers_and_lines: list[tuple[str, int]]
) -> Iterator[Finding]:
    """Numbers that end in another way than most: without a dot, or with a parenthesis."""
    texts = [(number, context.line(line)) for number, line in numbers_and_lines if number]
    endings = [line.text.partition(number)[2][:1].strip() for number, line in texts]
    usual, count = Counter(endings).most_common(1)[0] if endings else ("", 0)
    if not usual or count * 2 <= len(endings):
        return
    for (number, line), ending in zip(texts, endings, strict=True):
        if ending != usual:
            message = f"write '{usual}' after the number {number}, as after the others"
            change = NameChange(
                group=f"{numbers_and_lines[0][1]} {ending}", name=number,
                state=f"not followed by '{usual}'", place=f"with '{usual}'", verb="end",
            )
            yield Finding(line.number, line.column, message, len(number), change)


RULE = Rule("title-number", "warning", __doc__, _find)
