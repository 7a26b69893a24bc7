"""Names that a release has lost: names of older releases, and where each was last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    for catalogue in release.catalogues.values():
        present |= {tokenizer.lower(name) for name in catalogue.by_name}
    rule_words = [
        f"{rule} " for catalogue in release.catalogues.values() for rule in catalogue.rule_words
    ]
    removed: dict[str, RemovedName] = {}
    for older in versions.older(release):
        for pages in older.documents.values():
            for name, kind, address in _entries(pages):
                key = tokenizer.lower(name)
                action = next(
                    (key.removeprefix(rule) for rule in rule_words if key.startswith(rule)), key
                )
                if present.isdisjoint((key, action)):
                    removed.setdefault(key, RemovedName(name, kind, older.version, address))
    return [removed[name] for name in sorted(removed)]


def _entries(pages: DocumentPages) -> Iterator[tuple[str, str, str]]:
    """Yield each name of each entry, with the kind and the address."""
    document = pages.catalogue.document
    for entry in pages.catalogue.entries.values():
        for name, anchor in entry.names.items():
            yield name, entry.kind, f"{document}/{pages.address(entry, anchor)}"
