"""Tables, summaries, tables of sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from dconv.model.tree import Table, walk
from defects.defect import Defect, Edit, IntactText, changed_line, with_typo

MARK = re.compile(r"(?<=\s)[X-](?=\s|$)")
STATE = re.compile(r"\b(?:yes|no)\b")


def matrix_mark(text: IntactText, random: Random) -> Iterator[Defect]:
    """A mark of the matrix that the entry's own table contradicts."""
    own = {signature.name for _, entry in text.context.entries if entry.usages
           for signature in entry.signatures}
    for listing in text.context.listings:
        for row in listing.names if listing.kind == "matrix" else ():
            line = text.line(row.line)
            marks = list(MARK.finditer(line, len(row.name)))
            if row.name in own and marks:
                mark = random.choice(marks)
                new = "-" if mark[0] == "X" else "X"
                changed = f"{line[: mark.start()]}{new}{line[mark.end() :]}"
                yield changed_line(row.line, changed, row.name)


def usage_mark(text: IntactText, random: Random) -> Iterator[Defect]:
    """A state of an entry's own table that the matrix contradicts."""
    listed = {
        row.name for listing in text.context.listings for row in listing.names
        if listing.kind == "matrix"
    }
    for _, entry in text.context.entries:
        for usage in entry.usages:
            line = text.line(usage.span.last)
            states = list(STATE.finditer(line))
            if usage.kind == "sections" and entry.name in listed and states:
                state = random.choice(states)
                new = "no " if state[0] == "yes" else "yes"
                changed = f"{line[: state.start()]}{new}{line[state.end() :]}"
                yield changed_line(usage.span.last, changed, entry.name)


def usage_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """An entry without its table of sections or its line of contexts."""
    for _, entry in text.context.entries:
        if len(entry.usages) == 1 and not entry.deprecated:
            span = entry.usages[0].span
            yield Defect((text.delete_lines(span.first, span.last),), entry.name)


def usage_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A table of sections with a typo."""
    for _, entry in text.context.entries:
        for usage in entry.usages:
            word = random.choice(usage.values)[0].split()[-1] if usage.values else ""
            edit = text.replace(usage.span.first, word, with_typo(word, random)) if word else None
            if edit and len(word) > 4:
                yield Defect((edit,), entry.name)


def summary_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """A summary without one of its lines."""
    for row in text.context.manual.contents:
        if row.number:
            yield Defect((text.delete_lines(row.line, row.line),))


def summary_changed(text: IntactText, random: Random) -> Iterator[Defect]:
    """A summary with another title."""
    for row in text.context.manual.contents:
        words = row.title.split()
        if row.number and len(words) > 1:
            wrong = [with_typo(words[0], random), *words[1:]]
            new = random.choice((words[:-1], [*words, "syntax"], wrong))
            yield from text.replaced(row.line, row.title, " ".join(new))


def summary_order(text: IntactText, random: Random) -> Iterator[Defect]:
    """Two lines of a summary that change places."""
    rows = [row for row in text.context.manual.contents if row.number]
    for row, following in pairwise(rows):
        if row.line + 1 == following.line:
            lines = text.line(following.line), text.line(row.line)
            yield Defect((Edit(row.line, following.line, lines),))


def title_changed(text: IntactText, random: Random) -> Iterator[Defect]:
    """A title that the summary has in other words."""
    listed = {row.number for row in text.context.manual.contents}
    for section in text.context.sections:
        if section.number in listed and " " in section.title:
            first = section.title_span.first
            title = section.title
            new = random.choice(
                (f"{title} syntax", with_typo(title, random), title.rpartition(" ")[0])
            )
            edit = text.replace(first, title, new)
            if edit:
                line = Edit(first + 1, first + 1, ("-" * len(edit.lines[0]),))
                yield Defect((edit, line), f"section {section.number}")


def cells_shifted(text: IntactText, random: Random) -> Iterator[Defect]:
    """A row of a matrix or summary whose cells are elsewhere."""
    for section in text.context.sections:
        for table in walk(section.body):
            if not isinstance(table, Table) or table.role == "data":
                continue
            for row in table.rows:
                line = text.line(row.span.first)
                gaps = list(re.finditer(r" {3,}", line.rstrip()))
                if gaps and row.span.first == row.span.last:
                    index = random.choice(gaps).start()
                    changed = (line[:index] + line[index + 2 :], f"{line[:index]}  {line[index:]}")
                    edit = Edit(row.span.first, row.span.first, (random.choice(changed),))
                    yield Defect((edit,), line.split("(")[0].split()[0])


def border_broken(text: IntactText, random: Random) -> Iterator[Defect]:
    """A line of a drawn table with a misplaced border, or without its last one."""
    for section in text.context.sections:
        for table in walk(section.body):
            if not isinstance(table, Table) or table.layout not in ("grid", "pipes"):
                continue
            for number in range(table.span.first + 1, table.span.last):
                line = text.line(number).rstrip()
                inner = [index for index, character in enumerate(line) if character == "|"][1:]
                if len(inner) > 1 and table.layout == "grid":
                    index = random.choice(inner)
                    is_border_lost = random.random() < 0.3
                    changed = line[:-1] if is_border_lost else f"{line[:index]} {line[index:]}"
                    yield changed_line(number, changed)


def row_over_two_lines(text: IntactText, random: Random) -> Iterator[Defect]:
    """A row of a matrix or summary broken into two lines."""
    for listing in text.context.listings:
        for row in listing.names if listing.kind != "index" else ():
            line = text.line(row.line).rstrip()
            gap = re.search(r" {3,}(?=\S)", line)
            if gap:
                lines = line[: gap.start()], " " * gap.end() + line[gap.end() :]
                yield Defect((Edit(row.line, row.line, lines),), row.name)
