"""A quoted name has no entry, but is close to one that has.

It is misspelt, has other separators between its words or its words in another order; or it begins
like twenty other names and is none of them, as renamed names do. The rule checks names of several
words or with hyphens, underscores or dots. Names that are quoted as old ('used to be called') are
allowed. The rule 'see-also-item' checks items of 'See also'.

Bad:
    It is checked like title_number.

Good:
    It is checked like "title-number".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report
from dconv.lint.unresolved_names import unresolved_names
from dconv.model.tree import SeeAlso

NAME_LIKE = re.compile(r"(?=[a-z0-9]\w*?(?:[-. ]|_\w))\w++(?:[-. ]++\w++)*+$")

# "tune.bufsize": the word and the dot that many names begin with
DOTTED_PREFIX = re.compile(r"(?P<first>[a-z][\w-]*\.)")
MIN_SAME_PREFIX = 20  # names that begin alike


def _find(context: Context) -> Iterator[Finding]:
    counts = _prefix_counts(context)
    for name in unresolved_names(context):
        part = name.part
        if isinstance(name.text_block.node, SeeAlso) or not NAME_LIKE.match(part.name):
            continue
        if part.name in context.name_index.words:
            continue
        suggestion = context.name_index.nearest(part.name)
        match = DOTTED_PREFIX.match(part.name)
        if suggestion:
            message = f"unknown '{part.name}'; did you mean '{suggestion}'?"
            yield report(part, message)
        elif match is not None and counts[match["first"]] >= MIN_SAME_PREFIX:
            if any(name.startswith(part.name) for name in context.symbols.names):
                continue
            message = f"unknown '{part.name}', though many names begin with '{match['first']}'"
            yield report(part, message)


def _prefix_counts(context: Context) -> Counter[str]:
    """How many names of entries begin with a word and a dot."""
    return Counter(
        match["first"] for name, symbols in context.symbols.names.items()
        if (match := DOTTED_PREFIX.match(name))
        and any(symbol.entry and not symbol.rank for symbol in symbols)
    )


RULE = Rule("near-name", "warning", __doc__, _find)
