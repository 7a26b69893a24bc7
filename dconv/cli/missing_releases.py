"""Releases whose texts no source gives: messages about them, and when to refuse a build.

Other sites link to a release or a package, so a build does not remove one because a host is down.
Removing it from `site.toml` removes it from the site.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from dconv.build.collect_site import FetchedRelease
from dconv.build.output import read_file
from dconv.sources.addresses import is_numbered
from dconv.sources.types import SourceError


def names(releases: Sequence[FetchedRelease]) -> tuple[str, ...]:
    """The names of the missing releases: `HAProxy 3.4`."""
    return tuple([release.name for release in releases if release.missing])


def offline_sentence(releases: Sequence[FetchedRelease]) -> str:
    """One sentence about releases that only the network has, and hosts that are down; or empty.

    `offline: HAProxy 3.4, 3.2 not available (no answer from www.example.org)`.
    """
    releases = [release for release in releases if not release.reason]
    hosts = sorted({host for release in releases for host in release.unreachable})
    versions: dict[str, list[str]] = {}
    for release in releases:
        if release.offline:
            title = release.name.removesuffix(release.version).rstrip()
            versions.setdefault(title, []).append(release.version)
    reason = f"no answer from {', '.join(hosts)}" if hosts else "not in the cache"
    if not versions:
        return f"offline: {reason}" if hosts else ""
    names = ", ".join([f"{title} {', '.join(numbers)}" for title, numbers in versions.items()])
    return f"offline: {names} not available ({reason})"


def package_sentences(releases: Iterable[FetchedRelease]) -> Iterator[str]:
    """A sentence for each reason why packages of shelves are not from their sources.

    `no answer from deb.example: mdadm 4.2, fio 3.33 taken from this machine; lvm2 not available`.
    """
    reasons: dict[str, dict[str, list[str]]] = {}
    for release in releases:
        if release.reason:
            places = reasons.setdefault(release.reason, {})
            places.setdefault(release.substitute, []).append(release.name)
    for reason, places in reasons.items():
        yield f"{reason}: " + "; ".join([
            f"{', '.join(names)} {f'taken from {place}' if place else 'not available'}"
            for place, names in places.items()
        ])


def refuse_removal(output: Path, releases: Sequence[FetchedRelease], settings: Path) -> None:
    """Raise `SourceError` if the site in `output` has a release or a package that is missing now.

    `settings` is the file that lists the releases.  The notes of the error say why each one is
    missing.
    """
    removed = [
        (release, versions) for release in releases if release.missing
        if (versions := _removed_versions(output, release, releases))
    ]
    if not removed:
        return
    is_one = len(removed) == 1
    subject, pronoun = ("this release is", "it") if is_one else ("these releases are", "them")
    removed_names = ", ".join(_removed_names(release, versions) for release, versions in removed)
    error = SourceError(
        f"{output} shows {removed_names} and is unchanged: build again when {subject} "
        f"available, or take {pronoun} out of {settings}"
    )
    for release, _ in removed:
        for problem in release.problems:
            error.add_note(problem)
    raise error


def _removed_names(missing: FetchedRelease, versions: set[str]) -> str:
    """What the site would lose with `missing`: `Kettle 0.9`."""
    if missing.version in versions:
        return missing.name
    title = missing.name.removesuffix(missing.version).rstrip()
    shows = ", ".join(f"{title} {version}" for version in sorted(versions))
    return f"{shows}, which may be {missing.name}," if missing.version else shows


def _removed_versions(
    output: Path, missing: FetchedRelease, releases: Sequence[FetchedRelease]
) -> set[str]:
    """The versions in `output` that are `missing`, or may be."""
    texts = [
        release.texts for release in releases
        if release.texts and release.product == missing.product
    ]
    versions = _published(output, missing.product) - {release.version for release in texts}
    if is_numbered(missing.version):
        return versions & {missing.version}
    return versions  # "debian" may have been any of them


def _published(output: Path, product: str) -> set[str]:
    """The versions of `product`, or of the package of this name, on the site in `output`."""
    from dconv.writers.pages.filenames import PROOF, RELEASES  # more than most builds import

    versions: set[str] = set()
    # the file is missing, or another program wrote it
    with suppress(ValueError, TypeError, KeyError):
        listed = json.loads(read_file(output, f"{product}/{RELEASES}") or b"{}")
        versions |= {str(release["version"]) for release in listed["releases"]}
    with suppress(ValueError, TypeError, KeyError):
        proofs = json.loads(read_file(output, PROOF) or b"{}")["documents"]
        versions |= {str(proof["version"]) for proof in proofs if proof["package"] == product}
    return versions
