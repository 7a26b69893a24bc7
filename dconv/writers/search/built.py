"""The search of a site that is built: its releases and their engines, read from its files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dconv.writers.pages.filenames import RELEASES
from dconv.writers.search import data, excerpt
from dconv.writers.search.data import Data
from dconv.writers.search.engine import Engine, Hit, engine
from dconv.writers.search.files import LINES, NAMES, PART, TEXT
from dconv.writers.search.gone import Gone
from dconv.writers.search.removed_names import former

NUMBER = re.compile(r"\d+")
MOST_FORMER = 3  # names told for one query that are gone


class SearchError(Exception):
    """A site cannot be searched; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Built:
    """A release of a built site: `path` is its folder below the site's."""

    product: str
    version: str
    folder: Path

    @property
    def path(self) -> str:
        """`haproxy/3.4`, as in addresses."""
        return f"{self.product}/{self.version}"


def releases(folder: Path, product: str = "", version: str = "") -> list[Built]:
    """The latest release of each product of the site in `folder`.

    With `product` or `version`, those alone.  Raises `SearchError` where there is none.
    """
    if not folder.is_dir():
        raise SearchError(f"{folder}: there is no such folder; build a site, or name one by --site")
    found = [
        Built(file.parent.parent.name, file.parent.name, file.parent)
        for file in folder.glob(f"*/*/{NAMES}")
    ]
    if not found:
        raise SearchError(f"{folder}: this is no site with a search; name one by --site")
    products: dict[str, list[Built]] = {}
    for built in sorted(found, key=lambda one: (one.product, _order(one.version), one.version)):
        if product in ("", built.product) and version in ("", built.version):
            products.setdefault(built.product, []).append(built)
    if not products:
        known = ", ".join(sorted(built.path for built in found))
        raise SearchError(f"{folder}: there is no such release; there are {known}")
    return [_latest(folder / name / RELEASES, known) for name, known in products.items()]


def _latest(file: Path, found: Sequence[Built]) -> Built:
    """The one of `found` that the list in `file` says is the latest, else the last.

    The latest is no development release; the list is written with the site.
    """
    try:
        listed = data.content(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (data.DataError, ValueError):
        listed = {}  # as good as none: the numbers tell
    return next((one for one in found if one.version == listed.get("latest")), found[-1])


def _order(version: str) -> tuple[int, ...]:
    """The numbers of a version, to sort by: 3.10 is newer than 3.4."""
    return tuple([int(number) for number in NUMBER.findall(version)])


def load(built: Built) -> Engine:
    """The engine of `built`; raises `SearchError` where its files are damaged."""
    try:
        return engine(_read(built, NAMES), _read(built, TEXT), _read(built, LINES))
    except (data.DataError, KeyError, IndexError, ValueError) as error:
        raise _damaged(built) from error


def gone(built: Built, engine: Engine, query: str, rivals: Sequence[str]) -> list[Gone]:
    """The names that `query` asks for and `built` has no more; raises `SearchError`.

    `engine` is that of `built`; `rivals` are the names that are found instead.
    """
    try:
        rows = data.rows_of(_read(built, LINES), "gone")
        known = [Gone(*(data.text_of(row, at) for at in range(4))) for row in rows]
        return [one for _, one in former(engine, known, query, rivals)][:MOST_FORMER]
    except (data.DataError, KeyError, IndexError, ValueError) as error:
        raise _damaged(built) from error


def line(built: Built, hit: Hit) -> str:
    """The line below `hit`: of a text the sentence that says most of the query.

    Raises `SearchError` where the files of `built` are damaged.
    """
    if hit.why != "text" or hit.part < 0:
        return hit.line
    part = _read(built, PART.format(hit.part))
    known = data.texts(part, str(hit.text)) if str(hit.text) in part else ()
    return excerpt.sentence(known, excerpt.wanted(hit.marks, hit.weights)) or hit.line


def _read(built: Built, name: str) -> Data:
    file = built.folder / name
    if not file.is_file():
        raise SearchError(f"{file}: there is no such file; build the site again")
    try:
        return data.content(file.read_text(encoding="utf-8"))
    except (data.DataError, ValueError) as error:
        raise _damaged(built) from error


def _damaged(built: Built) -> SearchError:
    return SearchError(f"{built.folder}: the search is damaged; build the site again")
