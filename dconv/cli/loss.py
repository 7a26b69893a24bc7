"""Releases that a site would lose, since nobody gives their texts: such a site is not made.

Links to a release are kept by others, and a host that is down is no reason to break them.
Who takes the release out of `site.toml` has said that it may go.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from dconv.build import output as site
from dconv.build.collect import Asked
from dconv.sources import SourceError


def names(asked: Sequence[Asked]) -> tuple[str, ...]:
    """The names of those that are missing: `HAProxy 3.4`."""
    return tuple([one.name for one in asked if one.missing])


def refuse(output: Path, asked: Sequence[Asked], settings: Path) -> None:
    """Raise `SourceError` where the site in `output` shows one that is missing now.

    `settings` is the file that asks for them.  Why they are missing are the error's notes.
    """
    lost = [(one, shown) for one in asked if one.missing if (shown := _going(output, one, asked))]
    if not lost:
        return
    these, them = ("this release", "it") if len(lost) == 1 else ("these releases", "them")
    shows = ", ".join(_told(one, shown) for one, shown in lost)
    error = SourceError(
        f"{output} shows {shows} and stays as it was: build again when {these} can be"
        f" had, or take {them} out of {settings}"
    )
    for one, _ in lost:
        for problem in one.problems:
            error.add_note(problem)
    raise error


def _told(missing: Asked, shown: set[str]) -> str:
    """What of the site would go with `missing`: `Kettle 0.9`."""
    if missing.version in shown:
        return missing.name
    title = missing.name.removesuffix(missing.version)
    shows = ", ".join(f"{title}{version}" for version in sorted(shown))
    return f"{shows}, which may be {missing.name},"


def _going(output: Path, missing: Asked, asked: Sequence[Asked]) -> set[str]:
    """What the site in `output` would lose, being or perhaps being the release `missing`."""
    texts = [one.texts for one in asked if one.texts and one.product == missing.product]
    going = _shown(output, missing.product) - {one.version for one in texts}
    if any(character.isdigit() for character in missing.version):
        return going & {missing.version}
    return going  # of "debian" nobody knows which it was; it may be any of them


def _shown(output: Path, product: str) -> set[str]:
    """The releases of the `product` that the site in `output` has."""
    from dconv.writers.pages.filenames import RELEASES  # which is more than most builds need

    try:
        listed = json.loads(site.content(output, f"{product}/{RELEASES}") or b"{}")
        return {str(release["version"]) for release in listed["releases"]}
    except (ValueError, TypeError, KeyError):  # there is none, or it is not ours
        return set()
