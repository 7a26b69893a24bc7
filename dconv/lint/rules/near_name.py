"""A quoted name has no entry, but is close to one that has.

It is misspelt, has other marks between its words or its words in another order; or it begins
like twenty other names and is none of them, as renamed names do. Only names of several words
or with hyphens, underscores or dots are checked. Names that are quoted as old ('used to be
called') are allowed. Items of 'See also' are checked by see-also-item.

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

SHAPED = re.compile(r"(?=[a-z0-9]\w*?(?:[-. ]|_\w))\w++(?:[-. ]++\w++)*+$")

# "tune.bufsize": the word and the dot that many names begin with
FAMILY = re.compile(r"(?P<first>[a-z][\w-]*\.)")
MIN_FAMILY = 20  # names that begin alike


def _find(context: Context) -> Iterator[Finding]:
    families = _families(context)
    for name in unresolved_names(context):
        part = name.part
        if isinstance(name.passage.node, SeeAlso) or not SHAPED.match(part.name):
            continue
        if part.name in context.name_index.words:
            continue
        wanted = context.name_index.nearest(part.name)
        match = FAMILY.match(part.name)
        if wanted:
            message = f"unknown '{part.name}'; did you mean '{wanted}'?"
            yield report(part, message)
        elif match is not None and families[match["first"]] >= MIN_FAMILY:
            if any(name.startswith(part.name) for name in context.symbols.names):
                continue
            message = f"unknown '{part.name}', though many names begin with '{match['first']}'"
            yield report(part, message)


def _families(context: Context) -> Counter[str]:
    """How many names of entries begin with a word and a dot."""
    return Counter(
        match["first"] for name, symbols in context.symbols.names.items()
        if (match := FAMILY.match(name))
        and any(symbol.entry and not symbol.rank for symbol in symbols)
    )


RULE = Rule("near-name", "warning", __doc__, _find)
