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
    plain,
)
from expected_text.expectation import Account
from expected_text.pieces import QUOTE

# "-", "*", "=>", "o": before an item
BULLET = re.compile(r"(?:[^\w\s]{1,2}|o)$")

Marked: TypeAlias = Example | Item | Definition | Labelled | SeeAlso


def mark(node: Marked, found: Account, numbers: dict[int, list[str]]) -> None:
    """The marks at the head of `node`; `numbers` has those of the items that start on a line."""
    first = node.span.first
    match node:
        case Item():
            found.open(first)
            if values := numbers.get(first):
                _number(node.marker, values.pop(), found, first)
            else:
                _bullet(node.marker, found, first)
        case Definition():
            _definition(node, found)
        case _:
            found.open(first)
            _colon(found, first, node.label.split(), "colon behind a label")
            if isinstance(node, SeeAlso) or (isinstance(node, Example) and node.caption):
                found.open(first)


def _definition(node: Definition, found: Account) -> None:
    first = node.span.first
    for place, term in enumerate(node.terms):
        found.open(term.line)
        if place == 0 and node.marker[:1].isalnum():
            found.take(first, 1)
        elif place == 0 and node.marker:
            _bullet(node.marker, found, first)
        words = plain(term.content).replace(QUOTE, "").split()
        if node.separator == ":":
            _colon(found, term.line, words, "colon behind a term")
        else:
            separator = node.separator.split() if term is node.terms[-1] else []
            found.take(term.line, len(words) + len(separator))


def numbers_of(node: List, numbers: dict[int, list[str]]) -> None:
    """Note the numbers of the items of `node` by the lines where they start."""
    if node.ordered:
        for item, number in zip(node.items, listed_numbers(node), strict=True):
            numbers.setdefault(item.span.first, []).append(number)


def _number(marker: str, value: str, found: Account, number: int) -> None:
    """Expect `value` in the place of `marker`."""
    at = found.cursor[number]
    if found.words[number][at : at + 1] == [marker]:
        found.words[number][at] = value
    if value != marker:
        found.drop("dot behind a number", number)
    found.take(number, 1)


def _bullet(marker: str, found: Account, number: int) -> None:
    """Drop the bullet at the head of a line."""
    at = found.cursor[number]
    if found.words[number][at : at + 1] == [marker] and BULLET.match(marker):
        del found.words[number][at]
        found.used[number] = found.used.get(number, 0) + 1
        found.drop("bullet", number)


def _colon(found: Account, number: int, label: list[str], rule: str) -> None:
    """Count the words `label`, the next ones of a line, and drop the colon behind them."""
    words = found.words[number]
    found.take(number, len(label))
    end = found.cursor[number]
    if label and words[end - 1 : end] == [label[-1] + ":"]:
        words[end - 1] = label[-1]
    elif words[end : end + 1] == [":"]:
        del words[end]
        found.used[number] += 1
    else:
        return
    found.drop(rule, number)
