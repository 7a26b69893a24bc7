"""The upgrade step from one release to the next, for the explanation of configurations.

The data of two releases (dconv/writers/explain/release_data.py) show changed signatures, defaults
and deprecations, but not what was renamed or removed: an entry that became an action still has its
directive.  That is in the upgrade step.
"""

from __future__ import annotations

from collections.abc import Iterator

from dconv.diff.types import Comparison
from dconv.model.summary import shortened
from dconv.writers.explain.release_data import ADD_FUNCTION, MAX_ADVICE_LENGTH, STEPS_FILE
from dconv.writers.pages.page import Release
from dconv.writers.site_files import Json, SiteFile, json_script


def upgrade_step_file(
    comparison: Comparison, release: Release, previous: Release
) -> Iterator[SiteFile]:
    """The file of the upgrade from `previous` to `release`, which `comparison` compares.

    There is none if its dialect has no syntax.
    """
    if not release.dialect.syntax.sections:
        return
    data: dict[str, Json] = {
        "version": release.version, "from": previous.version,
        "renamed": [*_renamed(comparison)],
        "removed": [
            [entry.kind, name, shortened(entry.advice, MAX_ADVICE_LENGTH)]
            for entry in comparison.entries_removed for name in entry.names or (entry.name,)
        ],
    }
    yield f"{release.folder}/{STEPS_FILE}", json_script(ADD_FUNCTION, release.folder, "steps", data)


def _renamed(comparison: Comparison) -> Iterator[list[Json]]:
    """The old kind and name and the new kind and names of each renamed entry."""
    for entry in comparison.entries_changed:
        old, new = entry.old, entry.new
        if entry.renamed:
            yield [old.kind, old.name, new.kind, *entry.renamed]
        elif (old.kind, old.name) != (new.kind, new.name) and old.name not in new.names:
            yield [old.kind, old.name, new.kind, *new.names]
