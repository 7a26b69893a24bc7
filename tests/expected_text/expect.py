"""What a tree should say, line by line.

All words are taken from the lines of the source.  The tree gives only the structure:
the lines of a node, and how many words of a line are its label or term.  Every line with
text belongs to one block, and every word of it is expected in the running text, expected
apart from it as data (a signature, a usage, a line of the summary), or dropped by a rule.
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
from expected_text.expectation import ExpectedText
from expected_text.marks import mark, numbers_of
from expected_text.pieces import QUOTE

# "Usable in :", "May be used in sections :"; the name that a state is of is not a label
USAGE = re.compile(r"(?:Usable in|May be used in [a-z ]++|Supported in default-server)\s*:")
WORD = re.compile(r"\S+")
STARS = re.compile(r"[*=~]{2,}$")


def expect(manual: Manual) -> ExpectedText:
    """Return what `manual` should say."""
    lines = manual.source.lines
    words = [line.text.replace(QUOTE, "").split() for line in lines]
    size = len(lines) + 1
    expected = ExpectedText(manual.source, [[], *words], [[] for _ in range(size)], [""] * size)
    frame.frame(manual, expected)
    _blocks(manual.preface, expected)
    for section in sections(manual):
        frame.title(section, expected)
        _blocks(section.body, expected)
    for line in lines:
        if QUOTE in line.text and expected.owners[line.number] != "Preformatted":
            expected.drop("back quotes around code", line.number)
        if line.text and not expected.owners[line.number]:
            expected.problem(line.number, "stands in no block")
    return expected


def _blocks(blocks: tuple[Block, ...], expected: ExpectedText) -> None:
    """The lines of `blocks`: what shows text owns its lines, what contains it the rest."""
    marked: list[Item | Definition | Labelled | Example] = []
    numbers: dict[int, list[str]] = {}
    for node in walk(blocks):
        match node:
            case Paragraph():
                expected.own(node.span, "Paragraph")
                expected.open(node.span.first)
            case Preformatted():
                _preformatted(node, expected)
            case Entry():
                _entry(node, expected)
            case Item() | Definition() | Labelled() | Example():
                marked.append(node)
                mark(node, expected, numbers)
            case List():
                numbers_of(node, numbers)
            case Table():
                _table(node, expected)
            case SeeAlso():
                expected.own(node.span, "SeeAlso")
                mark(node, expected, numbers)
            case Heading():
                expected.own(node.span, "Heading")
                _stars(node, expected)
                expected.open(node.span.first)
                frame.underline(node.span, expected)
            case _:
                pass
    for node in marked:
        last = node.body[0].span.first if node.body else node.span.last
        for number in range(node.span.first, last + 1):
            if not expected.owners[number]:
                expected.owners[number] = type(node).__name__


def _stars(node: Heading, expected: ExpectedText) -> None:
    """A title between stars is without them."""
    words = expected.words[node.span.first]
    if len(words) > 2 and words[0] == words[-1] and STARS.match(words[0]):
        expected.words[node.span.first] = words[1:-1]
        expected.drop("stars around a title", node.span.first)


def _preformatted(node: Preformatted, expected: ExpectedText) -> None:
    """Code: each line is one word, with its blanks but those that all lines share."""
    expected.own(node.span, "Preformatted")
    first = node.span.first
    lines = _own_lines(node.span, node.lines, expected)
    shared = min((line.indent for line in lines if line.text), default=0)
    head = expected.head(first)
    for line in lines:
        blanks = " " * (line.indent - shared)
        expected.words[line.number] = [blanks + line.text if line.text else ""]
    expected.words[first] = [*head, *expected.words[first]]


def _own_lines(span: Span, shown: Sequence[str], expected: ExpectedText) -> Sequence[Line]:
    """The lines of a block, the first without what nodes around it have there.

    Such a line is read as if it were further left; how far tells its blanks in `shown`.
    """
    lines = expected.source.lines[span.first - 1 : span.last]
    used = expected.used.get(span.first, 0)
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


def _table(node: Table, expected: ExpectedText) -> None:
    """The words of each row are at its first line, in the order of its cells."""
    expected.own(node.span, "Table")
    lines = _own_lines(node.span, node.lines, expected)
    first = node.span.first
    head = expected.head(first)
    for number in range(node.span.first, node.span.last + 1):
        expected.words[number] = []
        expected.places.pop(number, None)
    expected.words[first] = head
    expected.places[first] = [first] * len(head)
    limit: list[str] = []
    for row in cells.read(node, lines):
        if row.message:
            expected.problem(row.number, row.message)
        for rule, number in row.dropped:
            expected.drop(rule, number)
        if row.words:
            expected.words[row.number] += [*limit, *row.words]
            expected.places.setdefault(row.number, []).extend(
                [*[row.number] * len(limit), *row.places]
            )
            limit = [BREAK]


def _entry(entry: Entry, expected: ExpectedText) -> None:
    """Signatures and usages: data."""
    for signature in entry.signatures:
        _signature(signature, expected)
    for usage in entry.usages:
        _usage(usage, expected)


def _signature(signature: Signature, expected: ExpectedText) -> None:
    first = signature.span.first
    words = expected.words[first]
    signature_words = signature.text.replace(QUOTE, "").split()
    if signature.span.last == first and len(words) > len(signature_words):  # its text is beside it
        behind = words[len(signature_words) :]
        expected.used[first] = len(signature_words)
        if behind[0] in ("-", "--", ":"):
            del behind[0]
            expected.used[first] += 1
            expected.drop("mark after a name", first)
        expected.move(first, words[: len(signature_words)])
        expected.words[first] = behind
        return
    expected.own(signature.span, "Signature")
    if words[:1] and words[0].startswith("+-"):  # in a box
        rows = [
            expected.source.lines[number - 1].text.strip("|").split("|")
            for number in range(first + 1, signature.span.last)
        ]
        separator = " | " if len(rows) > 1 else "|"
        for number in range(first, signature.span.last + 1):
            expected.words[number] = []
        expected.words[first + 1] = separator.join(
            " ".join(" ".join(cell).split()) for cell in zip(*rows, strict=True)
        ).split()
    for number in range(signature.span.first, signature.span.last + 1):
        shown = expected.words[number]
        if number < signature.span.last and shown[-1:] and shown[-1].endswith("\\"):
            rest = shown[-1].removesuffix("\\")
            expected.words[number] = [*shown[:-1], rest] if rest else shown[:-1]
            expected.drop("backslash at the end of a line", number)
        expected.move(number, expected.words[number])


def _usage(usage: Usage, expected: ExpectedText) -> None:
    """The places of a usage with their states, by position."""
    expected.own(usage.span, "Usage")
    first, last = usage.span.first, usage.span.last
    for number in range(usage.span.first, usage.span.last + 1):
        expected.words[number] = []
        expected.drop("label and borders of a usage", number)
    rows = [expected.source.lines[number - 1].text.replace(QUOTE, "") for number in (first, last)]
    if USAGE.match(rows[0]) is None:
        expected.problem(first, "has no label of a usage")
    values = cells.pairs(usage.kind, rows[0], rows[1] if last > first else "")
    words: list[str] = []
    places: list[int] = []
    for name, state in values:
        words += [BREAK, *name, *state]
        places += [first] * (1 + len(name)) + [last] * len(state)
    expected.apart[first] = words
    expected.places[first] = places
