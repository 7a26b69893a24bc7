"""An entry is missing from the matrix, summary or index of its section.

Readers who look for a directive in the table of all directives do not find it. A table or an index
lists the section that most of its names are in; the rule ignores a list with less than half of that
section's names. A row covers all longer names ('stats' covers 'stats socket'). Deprecated
entries may be left out, unless most are listed; so may dangerous ones, if the text says that some
are left out on purpose.

Bad:
    Keywords are:
      - backlog
      - log
      - mode

Good:
    Keywords are:
      - backlog
      - log
      - maxconn
      - mode
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from dconv.linking.similarity import leading_words
from dconv.lint.context import Context
from dconv.lint.edits import insertion
from dconv.lint.listings import (
    ListedName,
    Listing,
    defined_names,
    deprecated_names,
    section_label,
)
from dconv.lint.rule import Finding, Rule, report_misplaced
from dconv.lint.sort_order import in_order, sort_key
from dconv.model.diagnostics import Fix, NameChange
from dconv.model.source import decoded_line
from dconv.model.tree import Paragraph, plain_text, walk

ON_PURPOSE = re.compile(r"\bon purpose\b|\bintention+al+y\b|\bdeliberately\b", re.IGNORECASE)
DANGEROUS = re.compile(
    r"\bunsafe\b|\bdangerous\b|\bnot recommended\b|\bdiscouraged\b|\bnever be (?:used|enabled)\b",
    re.IGNORECASE,
)
DEPRECATED_MARK = "(deprecated)"
BULLETS = frozenset({"-", "*", "+", "•", "o"})
MIN_LISTED_SHARE = 0.75  # of the deprecated entries; if so many are listed, all must be


def _find(context: Context) -> Iterator[Finding]:
    for listing in context.listings:
        same_section = [other for other in context.listings if other.section is listing.section]
        listed = frozenset(row.name for other in same_section for row in other.names)
        listed_beginnings = frozenset(part for name in listed for part in leading_words(name))
        misspelt = {
            name for name, misspelling in context.misspelt_headings.items()
            if misspelling.is_certain
        }
        deprecated = deprecated_names(listing.listed_section)
        if len(deprecated & listed) >= MIN_LISTED_SHARE * len(deprecated):
            deprecated = frozenset()
        exempt = deprecated | _dangerous(listing) | misspelt
        names = dict.fromkeys(
            name for name, entry in defined_names(listing.listed_section)
            if not entry.span.first <= listing.names[0].line <= entry.span.last  # its own list
        )
        missing = [
            name for name in names
            if "<" not in name and name not in exempt and name not in listed_beginnings
            and listed.isdisjoint(leading_words(name))
        ]
        yield from _findings(context, missing, listing)


def _findings(context: Context, missing: Sequence[str], listing: Listing) -> Iterator[Finding]:
    """A finding for each name that is `missing`, at the row of `listing` where to add it."""
    rows = listing.names
    state = f"missing from this {listing.kind} of {section_label(listing.listed_section)}"
    following = {
        name: next((row for row in rows if not in_order(row.name, name)), None) for name in missing
    }
    fix = _added_rows(context, following, listing) if listing.kind == "index" else None
    for name, row in following.items():
        where = f"before '{row.name}'" if row else f"after '{rows[-1].name}'"
        group = str(rows[0].line)  # the list: one edit adds all that it lacks
        yield report_misplaced(row or rows[-1], NameChange(group, name, state, where, "add"), fix)


def _added_rows(
    context: Context, following: Mapping[str, ListedName | None], listing: Listing
) -> Fix | None:
    """Add each name to the index before the row that is to follow it, or at the end.

    A name is written as that of the next row, with the mark of deprecated ones if these are
    marked.  None if rows have no form that can be repeated.
    """
    has_marks = any(row.deprecated for row in listing.names)
    deprecated = deprecated_names(listing.listed_section) if has_marks else frozenset[str]()
    added: dict[int, list[str]] = {}  # by the line that they are added before
    for name in sorted(following, key=sort_key):
        row = following[name]
        row_to_imitate = row or listing.names[-1]
        text = decoded_line(context.manual.source.raw[row_to_imitate.line - 1])
        text_before, name_in_text, rest = text.partition(row_to_imitate.name)
        if (
            not name_in_text
            or rest.strip() not in ("", DEPRECATED_MARK)
            or text_before.strip() not in BULLETS
        ):
            return None
        mark = f" {DEPRECATED_MARK}" if name in deprecated else ""
        line_below = row_to_imitate.line + (row is None)
        added.setdefault(line_below, []).append(f"{text_before}{name}{mark}")
    edits = tuple(insertion(line, rows) for line, rows in added.items())
    names = ", ".join(f"'{name}'" for name in following)
    return Fix(f"add {names}", edits) if edits else None


def _dangerous(listing: Listing) -> frozenset[str]:
    """Names whose entries warn of them, if the manual says that some are left out."""
    if not any(
        isinstance(block, Paragraph) and ON_PURPOSE.search(plain_text(block.content))
        for block in walk(listing.section.body)
    ):
        return frozenset()
    return frozenset(
        name for name, entry in defined_names(listing.listed_section)
        if DANGEROUS.search(name) or DANGEROUS.search(entry.summary)
    )


RULE = Rule("unlisted-entry", "warning", __doc__, _find)
