"""Names that a release has lost: names of older releases, and where each was last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.linking.outline import EntryRecord
from dconv.model.values import dataclass
from dconv.writers.pages.documents import DocumentPages
from dconv.writers.pages.versions import ProductVersions
from dconv.writers.search import tokenizer


@dataclass(frozen=True, slots=True)
class RemovedName:
    """A name that a release has lost.

    `version` is the newest release that has it, `address` the place of its entry below
    the folder of that release.
    """

    name: str
    kind: str
    version: str
    address: str


def removed_names(
    versions: ProductVersions, version: str, names: Sequence[str]
) -> list[RemovedName]:
    """Return the names of older releases that `version` lacks, sorted.

    `names` are all names of `version`; case does not matter.  What was an entry of a rule set
    (`http-request deny`) is still there as an action (`deny`).
    """
    release = versions.release(version)
    present = {tokenizer.lower(name) for name in names}
    for outline in release.outlines.values():
        present |= {tokenizer.lower(name) for name in outline.by_name}
    rules = {
        f"{rule} " for outline in release.outlines.values() for rule in outline.rule_words
    }
    removed: dict[str, RemovedName] = {}
    for older in versions.older(release):
        for pages in older.documents.values():
            for name, anchor, entry in _names(pages):
                key = tokenizer.lower(name)
                if key in present or key in removed:
                    continue
                if not any(key.startswith(rule) and key[len(rule) :] in present for rule in rules):
                    address = f"{pages.outline.document}/{pages.address(entry, anchor)}"
                    removed[key] = RemovedName(name, entry.kind, older.version, address)
    return [removed[name] for name in sorted(removed)]


def _names(pages: DocumentPages) -> Iterator[tuple[str, str, EntryRecord]]:
    """Yield each name of each entry, with its anchor."""
    for entry in pages.outline.entries.values():
        for name, anchor in entry.names.items():
            yield name, anchor, entry
