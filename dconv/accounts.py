"""What the pages must show, line by line: the source's side of the proof.

Every non-blank line is owned by exactly one block, and every word of it is
expected in the text, shown as data (a signature, a usage, the summary), or
dropped as decoration by a rule that has a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from dconv.diagnostics import Diagnostic
from dconv.lines import Line
from dconv.outline import header
from dconv.tree import (
    Block,
    Definition,
    Definitions,
    Entry,
    Example,
    Heading,
    Item,
    Labelled,
    List,
    Manual,
    Section,
    SeeAlso,
    Span,
    Table,
    plain,
    sections,
    walk,
)

# what draws a table and is no word: "|", "+----+", "---+---", "====="
BORDER = re.compile(r"^[|+:=~-]*[|+][|+:=~-]*$|^[-=]{3,}$")


QUOTE = "`"  # around code; pages show the code instead

# what shows words on a line that its content may share
Marked: TypeAlias = Example | Item | Definition | Labelled | SeeAlso


@dataclass(frozen=True, slots=True)
class Datum:
    """Words of lines `first` to `last` that stand in an element of their own as data."""

    first: int
    last: int
    words: tuple[str, ...]


@dataclass(slots=True)
class Account:
    """The expectation for one document, indexed by line number (place 0 is unused).

    `words` are those expected in running order; `data` those that stand apart;
    `dropped` counts, by rule, the lines that lose a mark.
    """

    words: list[list[str]]
    owners: list[str]
    data: list[Datum] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    problems: list[Diagnostic] = field(default_factory=list)


def account(manual: Manual) -> Account:
    """What the pages of `manual` must show."""
    lines = manual.source.lines
    words = [line.text.replace(QUOTE, "").split() for line in lines]
    found = Account([[], *words], [""] * (len(lines) + 1))
    _frame(manual, found)
    for section in sections(manual):
        _title(section, found)
        _blocks(section.body, manual, found)
    _blocks(manual.preface, manual, found)
    for line in lines:
        if QUOTE in line.text and found.owners[line.number] != "Preformatted":
            found.dropped["back quotes around code"] += 1
        if line.text and not found.owners[line.number]:
            found.problems.append(_problem(manual, line.number, "stands in no block"))
    return found


def _frame(manual: Manual, found: Account) -> None:
    """Header, summary and footer."""
    lines = manual.source.lines
    if manual.header.span is not None:
        span = manual.header.span
        _own(manual, found, span, "header")
        for number in _numbers(span):
            words = header.words(lines[number - 1])
            _datum(found, number, number, words)
            if len(words) < len(found.words[number]):
                found.dropped["header rule or label"] += 1
            found.words[number] = []
    if manual.summary_span is not None:
        _own(manual, found, manual.summary_span, "summary")
        for row in manual.summary:
            _datum(found, row.line, row.line, [*row.number.split(), *row.title.split()])
        found.dropped["summary title"] += 2
        for number in _numbers(manual.summary_span):
            found.words[number] = []
    if manual.footer is not None:
        _own(manual, found, manual.footer, "footer")
        found.dropped["editor's footer"] += manual.footer.last - manual.footer.first + 1
        for number in _numbers(manual.footer):
            found.words[number] = []


def _title(section: Section, found: Account) -> None:
    span = section.title_span
    for number in _numbers(span):
        found.owners[number] = "title"
    found.words[span.first] = [
        *section.number.split(), *section.title.replace(QUOTE, "").split()
    ]
    _underline(span, found)


def _underline(span: Span, found: Account) -> None:
    if span.last > span.first:
        found.words[span.last] = []
        found.dropped["underline"] += 1


def _blocks(blocks: tuple[Block, ...], manual: Manual, found: Account) -> None:
    """The lines of `blocks`: what shows text owns its lines, what contains it the rest."""
    marked: list[Marked] = []
    ordered: set[int] = set()
    for node in walk(blocks):
        match node:
            case Entry():
                _entry(node, manual, found)
            case Item() | Definition() | Labelled() | Example():
                marked.append(node)
            case List():
                if node.ordered:
                    ordered.update(item.span.first for item in node.items)
            case Table():
                _own(manual, found, node.span, "Table")
                _table(node, manual, found)
            case SeeAlso():
                _own(manual, found, node.span, "SeeAlso")
                marked.append(node)
            case Definitions():
                pass
            case Heading():
                _own(manual, found, node.span, "Heading")
                _underline(node.span, found)
            case _:
                _own(manual, found, node.span, type(node).__name__)
    cursor: Counter[int] = Counter()
    for node in marked:
        _mark(node, found, cursor, node.span.first in ordered)


def _entry(entry: Entry, manual: Manual, found: Account) -> None:
    """Signatures and usages: data."""
    lines = manual.source.lines
    for signature in entry.signatures:
        _own(manual, found, signature.span, "Signature")
        words = [word for number in _numbers(signature.span) for word in found.words[number]]
        _datum(found, signature.span.first, signature.span.last, words)
        for number in _numbers(signature.span):
            found.words[number] = []
    for usage in entry.usages:
        _own(manual, found, usage.span, "Usage")
        found.dropped["usage label"] += 1
        shown = [word for name, state in usage.values for word in _shown(usage.kind, name, state)]
        _datum(found, usage.span.first, usage.span.last, shown)
        source = Counter(
            re.findall(r"[^\s|,:`]+", " ".join(lines[n - 1].text for n in _numbers(usage.span)))
        )
        if Counter(shown) - source - _repeats(shown):
            found.problems.append(_problem(manual, usage.span.first, "is not what its data say"))
        for number in _numbers(usage.span):
            found.words[number] = []


def _shown(kind: str, name: str, state: str) -> tuple[str, ...]:
    """The words of one pair of a usage that the page must show."""
    if kind == "contexts":
        return tuple(name.split())
    return (*name.split(), *state.split())


def _repeats(words: list[str]) -> Counter[str]:
    """Group words ("TCP") stand once in the source and before each of their names here."""
    return Counter({word: count for word, count in Counter(words).items() if word.isupper()})


def _mark(node: Marked, found: Account, cursor: Counter[int], ordered: bool) -> None:
    """The lines at the head of `node` that its content does not own, and its marks.

    `cursor` counts, by line, the words that nodes around it have shown there.
    """
    first = node.span.first
    if not isinstance(node, SeeAlso):
        last = node.body[0].span.first if node.body else node.span.last
        for number in range(first, last + 1):
            if not found.owners[number]:
                found.owners[number] = type(node).__name__
    match node:
        case Item():
            _drop(found, first, cursor[first], node.marker, "list number" if ordered else "bullet")
        case Definition():
            _definition(node, found, cursor)
        case _:
            _colon(found, first, cursor, node.label.split(), "label's colon")


def _definition(node: Definition, found: Account, cursor: Counter[int]) -> None:
    first = node.span.first
    if node.marker and node.marker[0].isalnum():
        cursor[first] += 1
    elif node.marker:
        _drop(found, first, cursor[first], node.marker, "bullet")
    for term in node.terms:
        words = plain(term.content).split()
        if node.separator == ":":
            _colon(found, term.line, cursor, words, "definition's colon")
        else:
            cursor[term.line] += len(words) + len(node.separator.split())


def _table(table: Table, manual: Manual, found: Account) -> None:
    """A table's words stand in the order of its cells."""
    lines = manual.source.lines
    rows = (*table.head, *table.rows)
    cells = [word for row in rows for cell in row.cells for word in plain(cell.content).split()]
    source = _table_words(table, lines)
    missing, extra = source - Counter(cells), Counter(cells) - source
    _mend(missing, extra)
    if missing:
        words = " ".join(sorted(missing))
        message = f"loses words of a table: {words}"
        found.problems.append(_problem(manual, table.span.first, message))
    if extra:
        found.dropped["repeated group word of a table's head"] += extra.total()
    found.dropped["table rule or repeated head"] += len(table.decoration)
    for number in _numbers(table.span):
        found.words[number] = []
    found.words[table.span.first] = cells


def _mend(missing: Counter[str], extra: Counter[str]) -> None:
    """Take words that a line's end broke at their hyphen, and that a cell shows whole, out."""
    for word in [word for word in extra if "-" in word]:
        head, hyphen, tail = word.rpartition("-")
        if missing[head + hyphen] and missing[tail]:
            missing -= Counter((head + hyphen, tail))
            extra -= Counter((word,))


def _table_words(table: Table, lines: tuple[Line, ...]) -> Counter[str]:
    decoration = set(table.decoration)
    words: Counter[str] = Counter()
    for number in _numbers(table.span):
        if number not in decoration:
            text = lines[number - 1].text.replace(QUOTE, "")
            if table.kind in ("grid", "pipes"):
                text = text.replace("|", " ")
            words.update(word for word in text.split() if not BORDER.match(word))
    if table.kind == "matrix":  # a group's word loses the colon behind it: "TCP:"
        for word in [word for word in words if word.endswith(":")]:
            words[word[:-1]] += words.pop(word)
    return words


def _drop(found: Account, number: int, at: int, mark: str, rule: str) -> None:
    """Drop the word `mark` that stands at the place `at` of a line."""
    words = found.words[number]
    if words[at : at + 1] == [mark]:
        del words[at]
        found.dropped[rule] += 1


def _colon(
    found: Account, number: int, cursor: Counter[int], label: list[str], rule: str
) -> None:
    """Drop the colon behind the words `label`, the next ones of a line."""
    words = found.words[number]
    end = cursor[number] + len(label)
    cursor[number] = end
    if words[end : end + 1] == [":"]:
        del words[end]
    elif label and words[end - 1 : end] == [label[-1] + ":"]:
        words[end - 1] = label[-1]
    else:
        return
    found.dropped[rule] += 1


def _own(manual: Manual, found: Account, span: Span, owner: str) -> None:
    for number in _numbers(span):
        if found.owners[number]:
            found.problems.append(_problem(manual, number, "stands in two blocks"))
        found.owners[number] = owner


def _datum(found: Account, first: int, last: int, words: list[str]) -> None:
    shown = tuple(" ".join(words).replace(QUOTE, "").split())
    if shown:
        found.data.append(Datum(first, last, shown))


def _numbers(span: Span) -> Iterator[int]:
    return iter(range(span.first, span.last + 1))


def _problem(manual: Manual, number: int, message: str) -> Diagnostic:
    return Diagnostic(manual.source.path, number, 1, "error", "lost-text", f"the line {message}")
