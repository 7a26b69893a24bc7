"""A list of names has a name twice, or one that has no entry in its section.

Readers follow the list to an entry that is elsewhere, or nowhere. For tables the rule
'matrix-row' reports rows without an entry; this one checks the bullets of an index, each
below the title of its section, and repeated rows and bullets. A deprecated name may be
listed although only the new name has an entry.

Bad:
    * Limits
      - maxconn
      - maxpipes
      - maxconn

Good:
    * Limits
      - maxconn
      - maxpipes
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dconv.lint.context import Context
from dconv.lint.listings import Listing, defined_names, section_label
from dconv.lint.rule import Finding, Rule, report
from dconv.model.tree import Section


def _find(context: Context) -> Iterator[Finding]:
    sections_by_name: dict[str, Section] = {}
    for section, entry in context.entries:
        for signature in entry.signatures:
            sections_by_name.setdefault(signature.name, section)
    for listing in context.listings:
        seen: set[str] = set()
        for row in listing.names:
            if row.name in seen:
                yield report(row, f"'{row.name}' is already in this {listing.kind}")
            seen.add(row.name)
        if listing.kind == "index":
            yield from _undocumented(listing, sections_by_name)


def _undocumented(listing: Listing, sections_by_name: Mapping[str, Section]) -> Iterator[Finding]:
    listed_section = listing.listed_section
    defined = [name for name, _ in defined_names(listed_section)]
    for row in listing.names:
        if row.name in defined or row.deprecated or any(
            name.startswith(f"{row.name} ") for name in defined
        ):
            continue
        other_section = sections_by_name.get(row.name)
        location = "has no entry in this manual"
        if other_section:
            location = f"is documented in {section_label(other_section)}"
        message = f"'{row.name}' is listed for {section_label(listed_section)}, but {location}"
        yield report(row, message)


RULE = Rule("listed-name", "warning", __doc__, _find)
