"""A 'See also' names something that does not exist, or its own entry.

Its items are names of entries, sections, documents and addresses. One that nothing defines
is misspelt, lacks a word, or was renamed or removed. The rule ignores an item that is close to no
name if the text refers to a document that is not read: it may be defined there.

Bad:
    backlog { low | high }
      See also : "title_number"

Good:
    backlog { low | high }
      See also : "title-number"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report
from dconv.lint.unresolved_names import unresolved_names
from dconv.model.tree import SeeAlso

# "www.example.org", "(8.2.4)"
NO_NAME = re.compile(r"www\.|[\d.]+$")
MIN_SAME_WORD = 20  # names that begin with one word, such as "option"


def _find(context: Context) -> Iterator[Finding]:
    yield from _self_references(context)
    first_words = Counter(
        name.partition(" ")[0] for name in context.name_index.names if " " in name
    )
    for unresolved in unresolved_names(context):
        reference = unresolved.reference
        name = reference.name
        index, entry = context.name_index, unresolved.text_block.entry
        if (
            not isinstance(unresolved.text_block.node, SeeAlso) or not name.isascii()
            or NO_NAME.match(name) or f"${name}" in index.names
            or name != name.lower() or (name.isalnum() and name in index.words)
        ):
            continue
        suggestion = index.nearest(name, entry=entry) or index.ending_with(name)
        if (
            not suggestion and all(word in index.words for word in name.split())
            and first_words[name.partition(" ")[0]] < MIN_SAME_WORD
        ):
            continue  # words of signatures ("server maxconn"); "option x" begins as many names do
        if not suggestion and (
            not context.dialect.entry_rules  # which names there are is only guessed
            or _mentions_other_document(context)
        ):
            continue
        hint = f"; did you mean '{suggestion}'?" if suggestion else ""
        yield report(reference, f"unknown '{name}'{hint}")


def _mentions_other_document(context: Context) -> bool:
    """Whether the text names a document that was not read."""
    return any(
        reference.kind == "document" and not reference.targets
        for text_block in context.text_blocks for _, reference in text_block.references()
    )


def _self_references(context: Context) -> Iterator[Finding]:
    """The items that point to their own entry."""
    for text_block in context.text_blocks:
        entry = text_block.entry
        if not isinstance(text_block.node, SeeAlso) or entry is None or len(entry.signatures) > 1:
            continue
        for _, reference in text_block.references():
            if reference.name == entry.name and not reference.targets:
                yield report(reference, f"'{reference.text}' refers to its own entry")


RULE = Rule("see-also-item", "warning", __doc__, _find)
