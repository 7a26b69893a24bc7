"""Bullets, numbers, labels and terms: what shares its first line with its content."""

from __future__ import annotations

import re
from typing import TypeAlias

from dconv.model.tree import (
    Definition,
    Example,
    Item,
    Labelled,
    List,
    SeeAlso,
    listed_numbers,
    plain_text,
)
from expected_text.expectation import ExpectedText
from expected_text.pieces import QUOTE

# "-", "*", "=>", "o": before an item
BULLET = re.compile(r"(?:[^\w\s]{1,2}|o)$")

Marked: TypeAlias = Example | Item | Definition | Labelled | SeeAlso


def mark(node: Marked, expected: ExpectedText, numbers: dict[int, list[str]]) -> None:
    """The marks at the head of `node`; `numbers` has those of the items that start on a line."""
    first = node.span.first
    match node:
        case Item():
            expected.open(first)
            if values := numbers.get(first):
                _number(node.marker, values.pop(), expected, first)
            else:
                _bullet(node.marker, expected, first)
        case Definition():
            _definition(node, expected)
        case _:
            expected.open(first)
            _colon(expected, first, node.label.split(), "colon after a label")
            if isinstance(node, SeeAlso) or (isinstance(node, Example) and node.caption):
                expected.open(first)


def _definition(node: Definition, expected: ExpectedText) -> None:
    first = node.span.first
    for place, term in enumerate(node.terms):
        expected.open(term.line)
        if place == 0 and node.marker[:1].isalnum():
            expected.take(first, 1)
        elif place == 0 and node.marker:
            _bullet(node.marker, expected, first)
        words = plain_text(term.content).replace(QUOTE, "").split()
        if node.separator == ":":
            _colon(expected, term.line, words, "colon after a term")
        else:
            separator = node.separator.split() if term is node.terms[-1] else []
            expected.take(term.line, len(words) + len(separator))


def numbers_of(node: List, numbers: dict[int, list[str]]) -> None:
    """Note the numbers of the items of `node` by the lines where they start."""
    if node.ordered:
        for item, number in zip(node.items, listed_numbers(node), strict=True):
            numbers.setdefault(item.span.first, []).append(number)


def _number(marker: str, value: str, expected: ExpectedText, number: int) -> None:
    """Expect `value` in the place of `marker`."""
    at = expected.cursor[number]
    if expected.words[number][at : at + 1] == [marker]:
        expected.words[number][at] = value
    if value != marker:
        expected.drop("dot after a number", number)
    expected.take(number, 1)


def _bullet(marker: str, expected: ExpectedText, number: int) -> None:
    """Drop the bullet at the head of a line."""
    at = expected.cursor[number]
    if expected.words[number][at : at + 1] == [marker] and BULLET.match(marker):
        del expected.words[number][at]
        expected.used[number] = expected.used.get(number, 0) + 1
        expected.drop("bullet", number)


def _colon(expected: ExpectedText, number: int, label: list[str], rule: str) -> None:
    """Count the words `label`, the next ones of a line, and drop the colon after them."""
    words = expected.words[number]
    expected.take(number, len(label))
    end = expected.cursor[number]
    if label and words[end - 1 : end] == [label[-1] + ":"]:
        words[end - 1] = label[-1]
    elif words[end : end + 1] == [":"]:
        del words[end]
        expected.used[number] += 1
    else:
        return
    expected.drop(rule, number)
