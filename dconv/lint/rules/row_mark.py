"""A mark in a matrix or index, for deprecated or negated forms, is missing or wrong.

Where the rows of a table mark what is deprecated, '(deprecated)' must appear in those of all
deprecated entries and in no others. In a matrix the same is true of '(*)', the mark of names with
a form with 'no'.

Bad:
    option fast      (*)    X    X
    option slow             X    X
    ...
    option slow
    no option slow

Good:
    option fast             X    X
    option slow      (*)    X    X
    ...
    option slow
    no option slow
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dconv.lint.context import Context
from dconv.lint.listings import ListedName, Listing
from dconv.lint.rule import Finding, Rule, report
from dconv.model.tree import Signature

NEGATED = "(*)"  # "option contstats  (*)": "no option contstats" is valid too


def _find(context: Context) -> Iterator[Finding]:
    for listing in context.listings:
        signatures: dict[str, list[Signature]] = {}
        for entry in listing.listed_section.entries:
            for signature in entry.signatures:
                signatures.setdefault(signature.name, []).append(signature)
        rows = [row for row in listing.names if row.name in signatures]
        yield from _deprecated(rows, signatures)
        yield from _negated(context, listing, rows, signatures)


def _deprecated(
    rows: list[ListedName], signatures: Mapping[str, list[Signature]]
) -> Iterator[Finding]:
    if not any(row.deprecated for row in rows):
        return
    for row in rows:
        marks = [signature.deprecated for signature in signatures[row.name]]
        if row.deprecated and not any(marks):
            yield report(row, f"'{row.name}' is marked as deprecated, but its entry is not")
        elif all(marks) and not row.deprecated:
            yield report(row, f"'{row.name}' is deprecated; mark it like the others")


def _negated(
    context: Context, listing: Listing, rows: list[ListedName],
    signatures: Mapping[str, list[Signature]],
) -> Iterator[Finding]:
    marked = {row.name for row in rows if NEGATED in context.line(row.line).text}
    if not marked or listing.kind != "matrix":
        return
    for row in rows:
        is_negated = any(signature.negated for signature in signatures[row.name])
        if row.name in marked and not is_negated:
            yield report(row, f"'{row.name}' has the mark '{NEGATED}', but no form with 'no'")
        elif is_negated and row.name not in marked:
            yield report(row, f"'{row.name}' has a form with 'no'; mark it with '{NEGATED}'")


RULE = Rule("row-mark", "warning", __doc__, _find)
