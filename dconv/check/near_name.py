"""A quoted name has no entry, and is nearly one that has.

Such a name leads readers nowhere: it is misspelt, has other marks between its words, or its
words in another order. Only names with hyphens, underscores, dots or several words are
looked at; all other words may be quoted for many reasons. Names that are quoted as old ones
('used to be called') are left alone. What stands in a 'See also' is told by
see-also-item.

Bad:
    It is checked like title_number.

Good:
    It is checked like "title-number".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.check.rule import Finding, Rule
from dconv.check.strange import strange
from dconv.check.subject import Subject
from dconv.tree import SeeAlso

SHAPED = re.compile(r"[a-z0-9]\w*(?:[-_. ]+\w+)+$")


def _find(subject: Subject) -> Iterator[Finding]:
    """A finding at each quoted name that is nearly another, with that."""
    for one in strange(subject):
        part = one.part
        if isinstance(one.passage.node, SeeAlso) or not SHAPED.match(part.name):
            continue
        if part.name in subject.known.words:
            continue
        wanted = subject.known.near(part.name)
        if wanted:
            message = f"nothing is called '{part.name}': '{wanted}' is nearest"
            yield Finding(part.line, part.column, message, len(part.text))


RULE = Rule("near-name", "warning", __doc__, _find)
