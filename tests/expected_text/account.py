"""What the pages must show, line by line: the source's side of the proof.

All words are taken from the source's lines.  Of the tree only the structure is
asked: which lines a node stands on, and how many words of a line are its label
or term.  Every non-blank line is owned by exactly one block, and every word of
it is expected in the running text, expected apart from it as data (a signature,
a usage, a line of the summary), or dropped as decoration by a rule with a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.source import Line
from dconv.model.tree import (
    Block,
    Definition,
    Entry,
    Example,
    Heading,
    Item,
    Labelled,
    List,
    Manual,
    Paragraph,
    Preformatted,
    SeeAlso,
    Signature,
    Span,
    Table,
    Usage,
    sections,
    walk,
)
from dconv.proof.leaves import BREAK
from expected_text import cells, frame
from expected_text.expectation import Account
from expected_text.marks import mark, numbers_of
from expected_text.pieces import QUOTE

# "Usable in :", "May be used in sections :"; the name that a state is of is no label
USAGE = re.compile(r"(?:Usable in|May be used in [a-z ]++|Supported in default-server)\s*:")
WORD = re.compile(r"\S+")



def account(manual: Manual) -> Account:
    """What the pages of `manual` must show."""
    lines = manual.source.lines
    words = [line.text.replace(QUOTE, "").split() for line in lines]
    size = len(lines) + 1
    found = Account(manual.source, [[], *words], [[] for _ in range(size)], [""] * size)
    frame.frame(manual, found)
    _blocks(manual.preface, found)
    for section in sections(manual):
        frame.title(section, found)
        _blocks(section.body, found)
    for line in lines:
        if QUOTE in line.text and found.owners[line.number] != "Preformatted":
            found.drop("back quotes around code", line.number)
        if line.text and not found.owners[line.number]:
            found.problem(line.number, "stands in no block")
    return found


def _blocks(blocks: tuple[Block, ...], found: Account) -> None:
    """The lines of `blocks`: what shows text owns its lines, what contains it the rest."""
    marked: list[Item | Definition | Labelled | Example] = []
    numbers: dict[int, list[str]] = {}
    for node in walk(blocks):
        match node:
            case Paragraph():
                found.own(node.span, "Paragraph")
                found.open(node.span.first)
            case Preformatted():
                _preformatted(node, found)
            case Entry():
                _entry(node, found)
            case Item() | Definition() | Labelled() | Example():
                marked.append(node)
                mark(node, found, numbers)
            case List():
                numbers_of(node, numbers)
            case Table():
                _table(node, found)
            case SeeAlso():
                found.own(node.span, "SeeAlso")
                mark(node, found, numbers)
            case Heading():
                found.own(node.span, "Heading")
                found.open(node.span.first)
                frame.underline(node.span, found)
            case _:
                pass
    for node in marked:
        last = node.body[0].span.first if node.body else node.span.last
        for number in range(node.span.first, last + 1):
            if not found.owners[number]:
                found.owners[number] = type(node).__name__


def _preformatted(node: Preformatted, found: Account) -> None:
    """Code: each line is one word, with its blanks but those that all lines share."""
    found.own(node.span, "Preformatted")
    first = node.span.first
    lines = _own_lines(node.span, node.lines, found)
    shared = min((line.indent for line in lines if line.text), default=0)
    head = found.head(first)
    for line in lines:
        found.words[line.number] = [" " * (line.indent - shared) + line.text if line.text else ""]
    found.words[first] = [*head, *found.words[first]]


def _own_lines(span: Span, shown: Sequence[str], found: Account) -> Sequence[Line]:
    """The lines of a block, the first without what nodes around it have there.

    Such a line is read as if it stood further left; how far tells its blanks in `shown`.
    """
    lines = found.source.lines[span.first - 1 : span.last]
    used = found.used.get(span.first, 0)
    if not used:
        return lines
    text = _behind(lines[0].text, used, shown[0].strip() if shown else "")
    below = next((at for at in range(1, len(lines)) if lines[at].text), 0)
    if not below or below >= len(shown):
        return [Line(span.first, 0, text), *lines[1:]]
    indent = lines[below].indent - _blanks(shown[below]) + _blanks(shown[0])
    return [Line(span.first, indent, text), *lines[1:]]


def _behind(text: str, used: int, shown: str) -> str:
    """What of `text` follows its first `used` words, back quotes alone not counted.

    Such quotes between them and the next word belong to the code where it shows them.
    """
    words = [*WORD.finditer(text)]
    counted = [at for at, word in enumerate(words) if word[0].strip(QUOTE)]
    first = counted[used - 1] + 1 if used <= len(counted) else len(words)
    last = counted[used] if used < len(counted) else len(words)
    rests = [text[word.start() :] for word in words[first : last + 1]] or [""]
    return shown if shown in rests else rests[-1] if last < len(words) else ""


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip())


def _table(node: Table, found: Account) -> None:
    """The words of each row stand at its first line, in the order of its cells."""
    found.own(node.span, "Table")
    lines = _own_lines(node.span, node.lines, found)
    first = node.span.first
    head = found.head(first)
    for number in range(node.span.first, node.span.last + 1):
        found.words[number] = []
        found.places.pop(number, None)
    found.words[first] = head
    found.places[first] = [first] * len(head)
    limit: list[str] = []
    for row in cells.read(node, lines):
        if row.message:
            found.problem(row.number, row.message)
        for rule, number in row.dropped:
            found.drop(rule, number)
        if row.words:
            found.words[row.number] += [*limit, *row.words]
            found.places.setdefault(row.number, []).extend(
                [*[row.number] * len(limit), *row.places]
            )
            limit = [BREAK]


def _entry(entry: Entry, found: Account) -> None:
    """Signatures and usages: data."""
    for signature in entry.signatures:
        _signature(signature, found)
    for usage in entry.usages:
        _usage(usage, found)


def _signature(signature: Signature, found: Account) -> None:
    found.own(signature.span, "Signature")
    for number in range(signature.span.first, signature.span.last + 1):
        found.move(number, found.words[number])


def _usage(usage: Usage, found: Account) -> None:
    """The places of a usage with their states, by position."""
    found.own(usage.span, "Usage")
    first, last = usage.span.first, usage.span.last
    for number in range(usage.span.first, usage.span.last + 1):
        found.words[number] = []
        found.drop("label and borders of a usage", number)
    rows = [found.source.lines[number - 1].text.replace(QUOTE, "") for number in (first, last)]
    if USAGE.match(rows[0]) is None:
        found.problem(first, "has no label of a usage")
    values = cells.pairs(usage.kind, rows[0], rows[1] if last > first else "")
    words: list[str] = []
    places: list[int] = []
    for name, state in values:
        words += [BREAK, *name, *state]
        places += [first] * (1 + len(name)) + [last] * len(state)
    found.apart[first] = words
    found.places[first] = places
