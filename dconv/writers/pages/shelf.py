"""The pages of a shelf: packages whose short documents are one page each.

    index.html                     the shelf: all packages in their groups
    man/mdadm.8.html               a manual page of the latest release of a package
    mdadm/index.html               the package: its documents, its releases
    mdadm/README.html              another short document of it
    bonding/bonding/index.html     the home of a long document; its sections stand beside
    mdadm/4.1/mdadm.8.html         an older release, below its package and version
    names/m.html                   the names of all packages that begin with a letter

Of two manual pages of one name the second is in its package's folder: `busybox/ip.8.html`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dconv.writers.pages.page import Release


@dataclass(frozen=True, slots=True)
class ShelfDocument:
    """A document of a shelf as other pages know it.

    `name` is its name in addresses ("mdadm.8"), `title` what readers see ("mdadm(8)"), `path` that
    of its page, or of its home, below the site's root. `other_names` are those of links and stubs.
    `is_single` is true if it is one page.
    """

    package: str
    version: str
    name: str
    title: str
    description: str
    path: str
    other_names: tuple[str, ...] = ()
    is_single: bool = True


@dataclass(frozen=True, slots=True)
class ShelfPackage:
    """A release of a package; its home is `folder`/index.html below the site's root.

    `group` is the title of the packages that it stands with on the shelf ("Storage"), or empty.
    """

    name: str
    title: str
    version: str
    folder: str
    documents: tuple[ShelfDocument, ...]
    group: str = ""
    is_latest: bool = True


@dataclass(frozen=True, slots=True)
class ShelfName:
    """A name that `document` defines, for the names from A to Z; `others` mean the same."""

    name: str
    kind: str
    document: ShelfDocument
    anchor: str
    summary: str
    deprecated: bool = False
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShelfPart:
    """Some documents of a package, linked, and what their pages must know of the rest of the site.

    `releases` are all of the package, newest first. `targets` maps `Target.document` to the
    document that is meant, of this package or another. `backlinks` maps the name of a document of
    this part to those whose text names its page.
    """

    release: Release
    package: ShelfPackage
    releases: tuple[ShelfPackage, ...]
    targets: Mapping[str, ShelfDocument]
    backlinks: Mapping[str, tuple[ShelfDocument, ...]]
