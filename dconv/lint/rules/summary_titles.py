"""The table of contents in the text and the titles of the sections disagree.

The summary lacks a section, lists one that does not exist, gives another title or number, or has
another order. It may leave out what is before a colon: '2.1. Proxying' for '2.1. Basic features:
Proxying'.

Bad:
    Summary
    -------
    1.    Terms
    2.    Settings
    ...
    1. Terms and names
    ------------------
    2. Settings
    -----------
    3. Limits
    ---------

Good:
    Summary
    -------
    1.    Terms and names
    2.    Settings
    3.    Limits
    ...
    1. Terms and names
    ------------------
    2. Settings
    -----------
    3. Limits
    ---------
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dconv.lint.context import Context
from dconv.lint.numbering import has_wrapped_title, number_key
from dconv.lint.rule import Finding, Rule, report
from dconv.model.diagnostics import NameChange
from dconv.model.tree import ContentsLine, Section

SPACES = re.compile(r"\s+")
# "Terms . . . . . . 12", "Terms.......12"
LEADER = re.compile(r"(?<![\s.])(?:\s*\.){3,}\s*\d*$")
WRAPPED_TITLE_START = 20  # characters of a title that identify it if it wraps
PAGE_BREAK = re.compile(r".*\[Page \d+\]$")  # the last line of a page of an RFC


def _find(context: Context) -> Iterator[Finding]:
    sections = {
        _number(section.number): section for section in reversed(context.sections)
        if section.number
    }
    rows = _rows(context.manual.contents, sections)
    if not rows:
        return
    listed = {_number(row.number) for row in rows}
    deepest = max(len(number_key(number)) for number in listed)
    unlisted = {
        number: section for number, section in sections.items()
        if number not in listed and len(number_key(number)) <= deepest
    }
    seen: set[str] = set()
    for row in rows:
        number = _number(row.number)
        section = sections.get(number)
        if section is not None and _is_same_title(row.title, section.title) and number not in seen:
            seen.add(number)
        elif actual := next(
            (other for other in unlisted if _is_same_title(row.title, unlisted[other].title)), ""
        ):
            del unlisted[actual]
            message = f"the summary lists '{row.title}' as section {row.number}; it is {actual}"
            yield report(context.line(row.line), message)
        elif section is None and has_wrapped_title(
            context.lines[rows[-1].line :], number, row.title[:WRAPPED_TITLE_START]
        ):
            continue  # the section exists: the reader does not see a title on two lines as one
        elif section is None:
            message = f"the summary lists section {row.number} '{row.title}', which does not exist"
            yield report(context.line(row.line), message)
        elif number in seen:
            yield report(context.line(row.line), f"the summary lists section {row.number} twice")
        else:
            message = f"the summary calls section {row.number} '{row.title}'; its title is "
            yield report(context.line(row.line), f"{message}'{section.title}'")
            seen.add(number)
    yield from _out_of_order(context, [row for row in rows if _number(row.number) in sections])
    # a summary that a page break ends may go on after it, where the reader does not see it
    below = next((line.text for line in context.lines[rows[-1].line :] if line.text), "")
    last = number_key(rows[-1].number) if PAGE_BREAK.match(below) else ()
    for number in sorted(unlisted, key=number_key):
        if not last or number_key(number) < last:
            yield _missing(context, unlisted[number], rows)


def _rows(summary: Sequence[ContentsLine], sections: Mapping[str, Section]) -> list[ContentsLine]:
    """The numbered lines of `summary`, each with the lines on which its title continues.

    A line without number continues the one above if it has a leader, or if both are the title of
    one of `sections`, which are named by their numbers.
    """
    rows: list[ContentsLine] = []
    for row in summary:
        if row.number:
            rows.append(replace(row, title=LEADER.sub("", row.title)))
        elif rows:
            title = SPACES.sub(" ", f"{rows[-1].title} {LEADER.sub('', row.title)}")
            section = sections.get(_number(rows[-1].number))
            if LEADER.search(row.title) or (section and _is_same_title(title, section.title)):
                rows[-1] = replace(rows[-1], title=title)
    return rows


def _out_of_order(context: Context, rows: list[ContentsLine]) -> Iterator[Finding]:
    highest = rows[0] if rows else None
    for row in rows:
        if highest and number_key(row.number) < number_key(highest.number):
            message = f"the summary lists section {row.number} after section {highest.number}"
            yield report(context.line(row.line), message)
        else:
            highest = row


def _missing(context: Context, section: Section, rows: list[ContentsLine]) -> Finding:
    """A finding at the line of the summary next to which `section` belongs."""
    before = [row for row in rows if number_key(row.number) <= number_key(section.number)]
    row = max(before, key=lambda row: number_key(row.number)) if before else rows[0]
    side = "after" if before else "before"
    message = f"the summary lacks section {section.number} '{section.title}': add it {side}"
    change = NameChange(
        group=f"{rows[0].line}", name=f"{section.number} {section.title}",
        state="missing from the summary", place=f"{side} {row.number}", verb="add",
    )
    return report(context.line(row.line), f"{message} this line", change)


def _number(number: str) -> str:
    """"4" for "4.0", the number of a chapter in some texts."""
    return number.removesuffix(".0") if number.count(".") == 1 else number


def _is_same_title(short: str, title: str) -> bool:
    """Whether `short` is `title`, apart from white space and a part before a colon left out.

    Where one is in capitals, as the titles of chapters often are, case does not count.
    """
    short, other = SPACES.sub(" ", short), SPACES.sub(" ", title)
    if short.isupper() or other.isupper():
        short, other = short.casefold(), other.casefold()
    before, found, end = other.rpartition(short)
    return short == other or (bool(found) and not end and before.rstrip().endswith(":"))


RULE = Rule("summary-titles", "warning", __doc__, _find)
