"""Addresses that outlive a release: `haproxy/latest/…` leads on to the latest one.

They are small pages, since a static server knows nothing else: no link of the file
system, which some hosts and archives do not keep, and no rule of a server.  A page
that only older releases have leads to its counterpart.
"""

from __future__ import annotations

from collections.abc import Iterator

from dconv.model.lifecycle import LATEST
from dconv.writers.pages.filenames import CHANGES
from dconv.writers.pages.overview import canonical_address, root_of
from dconv.writers.pages.page import Edition, Link, Page
from dconv.writers.pages.versions import Versions, counterpart


def latest_pages(versions: Versions, edition: Edition) -> Iterator[Page]:
    """The pages below `latest/` of a product, one for each page of any of its releases.

    None where a release itself is called so.
    """
    if any(volume.version.casefold() == LATEST for volume in versions.volumes):
        return
    newest = versions.latest
    taken: set[str] = set()
    for volume in (newest, *versions.volumes):
        paths = ["index.html"]
        if edition.changes and versions.before(volume):
            paths.append(CHANGES)
        for pages in volume.documents.values():
            paths += pages.paths()
        for path in paths:
            if path.casefold() not in taken:
                taken.add(path.casefold())
                found = counterpart(path, volume, newest, versions)
                yield _page(versions, edition, path, found.href)


def _page(versions: Versions, edition: Edition, path: str, target: str) -> Page:
    """The page that leads from `latest`/`path` to `target`, below the product's folder."""
    own = f"{versions.product}/{LATEST}/{path}"
    address = f"{versions.product}/{target}"
    href = f"../{'../' * path.count('/')}{target}"
    name = f"{versions.title} {versions.latest.version}"
    return Page(
        kind="latest", path=own, root=root_of(own), title=name, heading=name,
        description=f"The latest release is {versions.latest.version}", edition=edition,
        product=versions.title, version=versions.latest.version, next=Link(name, href),
        canonical=canonical_address(edition, address) or href,
    )
