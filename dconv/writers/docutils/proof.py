"""The proof for docutils documents: every word of every line of the source is in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from docutils import nodes

from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import List, Manual, sections, walk
from dconv.proof.expected import BREAK, CELL, QUOTE, account, listed_numbers

# borders of words: white space, the marks that join terms and end labels, and hyphens,
# where a line's end may break a word
BORDER = re.compile(r"[\s,:]+|(?<=-)")


MARKS = (BREAK, CELL)  # the limits of blocks and cells are no words


def losses(manual: Manual, document: nodes.document) -> Iterator[Diagnostic]:
    """A finding for each line of `manual` that has a word which `document` lacks.

    Words are counted, for definitions and usages stand in another order: one that
    the source has twice must be there twice.
    """
    expected = account(manual)
    yield from expected.problems
    left = Counter(_words(document.astext()))
    numbers = _numbers(manual)
    for number, words in enumerate(expected.words):
        missing: list[str] = []
        shown = [word for word in (*words, *expected.apart[number]) if word[:1] not in MARKS]
        for word in numbers.get(number, ()):
            shown.remove(word)
        for word in _words(" ".join(shown)):
            if left[word]:
                left[word] -= 1
            else:
                missing.append(word)
        if missing:
            message = f"not in the document: {' '.join(missing)!r}"
            yield Diagnostic(manual.source.path, number, 1, "error", "lost-text", message)


def _numbers(manual: Manual) -> dict[int, list[str]]:
    """The numbers of list items by line: in a document they are no text but structure."""
    found: dict[int, list[str]] = {}
    for body in (manual.preface, *(section.body for section in sections(manual))):
        for node in walk(body):
            if isinstance(node, List) and node.ordered:
                for item, number in zip(node.items, listed_numbers(node), strict=True):
                    found.setdefault(item.span.first, []).append(number)
    return found


def _words(text: str) -> list[str]:
    return [word for word in BORDER.split(text.replace(QUOTE, "")) if word]
