"""Releases whose texts no source gives: messages about them, and when to refuse a build.

Other sites link to a release or a package, so a build does not remove one because a host is down.
Removing it from `site.toml` removes it from the site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from dconv.build.collect_site import FetchedRelease
from dconv.build.output import read_file
from dconv.sources.addresses import is_numbered
from dconv.sources.types import SourceError

NO_ANSWER_FROM = re.compile(r"no answer from (\S+)")  # the reason of a host that is down
NO_ANSWER = "no answer"  # stands for all these reasons


def names(releases: Sequence[FetchedRelease]) -> tuple[str, ...]:
    """The names of the missing releases: `HAProxy 3.4`."""
    return tuple([release.name for release in releases if release.is_missing])


def sentences(releases: Sequence[FetchedRelease]) -> Iterator[str]:
    """A sentence for each reason why releases and packages are not from their sources.

    `no answer from deb.example: mdadm 4.2, fio 3.33 taken from this machine; lvm2 not available`,
    `offline: HAProxy 3.4, 3.2 not available (no answer from www.example.org)`.  All hosts that do
    not answer are one reason.
    """
    unreachable_hosts = {
        host for release in releases for host in release.unreachable if not release.source_problem
    }
    unreachable_releases = [
        release for release in releases if release.is_unreachable and not release.source_problem
    ]
    hosts_in_reasons: set[str] = set()
    # of each reason the names of releases, by what was taken instead, empty for nothing
    reasons: dict[str, dict[str, list[str]]] = {}
    for release in releases:
        if problem := release.source_problem:
            if match := NO_ANSWER_FROM.fullmatch(problem):
                hosts_in_reasons.add(match[1])
            names_by_substitute = reasons.setdefault(NO_ANSWER if match else problem, {})
            names_by_substitute.setdefault(release.substitute, []).append(release.name)
    if hosts_in_reasons and unreachable_hosts:
        hosts_in_reasons |= unreachable_hosts
        reasons[NO_ANSWER].setdefault("", []).extend(_grouped_names(unreachable_releases))
    for reason, names_by_substitute in reasons.items():
        hosts = f" from {', '.join(sorted(hosts_in_reasons))}" if reason == NO_ANSWER else ""
        yield f"{reason}{hosts}: " + "; ".join([
            f"{', '.join(names)} {f'taken from {substitute}' if substitute else 'not available'}"
            for substitute, names in names_by_substitute.items() if names
        ])
    if (unreachable_hosts or unreachable_releases) and not hosts_in_reasons:
        hosts = ", ".join(sorted(unreachable_hosts))
        origin = f"no answer from {hosts}" if hosts else "not in the cache"
        missing = ", ".join(_grouped_names(unreachable_releases))
        yield f"offline: {missing} not available ({origin})" if missing else f"offline: {origin}"


def _grouped_names(releases: Iterable[FetchedRelease]) -> Iterator[str]:
    """`HAProxy 3.4, 3.2`: each product of `releases` with its versions."""
    versions_by_title: dict[str, list[str]] = {}
    for release in releases:
        title = release.name.removesuffix(release.version).rstrip()
        versions_by_title.setdefault(title, []).append(release.version)
    for title, versions in versions_by_title.items():
        yield f"{title} {', '.join(versions)}"


def check_no_removal(output: Path, releases: Sequence[FetchedRelease], settings: Path) -> None:
    """Raise `SourceError` if the site in `output` has a release or a package that is missing now.

    `settings` is the file that lists the releases.  The notes of the error say why each one is
    missing.
    """
    removed = [
        (release, versions) for release in releases if release.is_missing
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
        if release.texts and release.product_name == missing.product_name
    ]
    versions = _published(output, missing.product_name) - {release.version for release in texts}
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
