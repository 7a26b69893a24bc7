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
from dconv.lint.listings import Listing, names_of, section_label
from dconv.lint.rule import Finding, Rule, report
from dconv.model.tree import Section


def _find(context: Context) -> Iterator[Finding]:
    homes: dict[str, Section] = {}
    for section, entry in context.entries:
        for signature in entry.signatures:
            homes.setdefault(signature.name, section)
    for listing in context.listings:
        seen: set[str] = set()
        for row in listing.names:
            if row.name in seen:
                yield report(row, f"'{row.name}' is already in this {listing.kind}")
            seen.add(row.name)
        if listing.kind == "index":
            yield from _undocumented(listing, homes)


def _undocumented(listing: Listing, homes: Mapping[str, Section]) -> Iterator[Finding]:
    about = listing.about
    own = [name for name, _ in names_of(about)]
    for row in listing.names:
        if row.name in own or row.deprecated or any(
            name.startswith(f"{row.name} ") for name in own
        ):
            continue
        home = homes.get(row.name)
        where = f"is documented in {section_label(home)}" if home else "has no entry in this manual"
        yield report(row, f"'{row.name}' is listed for {section_label(about)}, but {where}")


RULE = Rule("listed-name", "warning", __doc__, _find)
