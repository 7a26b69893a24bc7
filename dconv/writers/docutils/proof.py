"""The proof for docutils documents: every word of the source is in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from docutils import nodes

from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import Manual
from dconv.proof.source_words import compare_with_source

# borders of words: white space, the marks that join terms and end labels, and hyphens,
# where a line's end may break a word
BORDER = re.compile(r"[\s,:]+|(?<=-)")


def lost_words(manual: Manual, document: nodes.document) -> Iterator[Diagnostic]:
    """Yield a finding for each line of `manual` that has a word which `document` lacks.

    Words are counted, for definitions and usages are in another order: one that the source has
    twice must be there twice.  The numbers of list items do not count: a document has them as
    structure.
    """
    comparison = compare_with_source(manual)
    for loss in comparison.losses:
        yield loss.finding
    unused = Counter(_words(document.astext()))
    missing: dict[int, list[str]] = {}
    for index, leaf in enumerate(comparison.leaves):
        if leaf.is_number:
            continue
        lines = comparison.lines(index)
        for words, line in zip(leaf.words, lines, strict=True):
            for word in _words(words):
                if unused[word]:
                    unused[word] -= 1
                else:
                    missing.setdefault(line, []).append(word)
    for line, words_of_line in sorted(missing.items()):
        message = f"not in the document: {' '.join(words_of_line)!r}"
        yield Diagnostic(manual.source.path, line, 1, "error", "lost-text", message)


def _words(text: str) -> list[str]:
    return [word for word in BORDER.split(text) if word]
