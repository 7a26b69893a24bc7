"""`dconv search`: the search of a built site on a terminal.

Node runs the engine that pages load (`search.mjs`).  Without node, names and their
beginnings are looked up in the table of names.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NotRequired, TypedDict, TypeVar

from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.sources.resources import resource_folder
from dconv.writers.pages.filenames import RELEASES
from dconv.writers.search import names
from dconv.writers.search.files import LINES, NAMES
from dconv.writers.search.names import DataError, Names, fold
from dconv.writers.search.places import SECTION

FOUND, NOTHING = 0, 1
RUNNER = Path(__file__).with_name("search.mjs")
NAMES_ONLY = "only names and their beginnings were searched"
TIMEOUT = 60  # seconds for node; a query takes a part of one
NUMBER = re.compile(r"\d+")

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class BuiltRelease:
    """A release of a built site and its folder."""

    product: str
    version: str
    folder: Path

    @property
    def path(self) -> str:
        """`haproxy/3.4`, as in addresses."""
        return f"{self.product}/{self.version}"


class Place(TypedDict):
    """Where a name is documented; `path` is below the folder of the release."""

    kind: str
    path: str
    anchor: str


class Result(Place):
    """One result; `release` is the number of its release, `others` places of the same name."""

    release: int
    name: str
    document: str
    section: str
    line: str
    sentence: str
    deprecated: bool
    others: list[Place]


class Removed(TypedDict):
    """A name that only older releases have."""

    release: int
    name: str
    kind: str
    version: str
    address: str


class Reply(TypedDict):
    """What `search.mjs` prints: an answer, or the file or folder that is missing or damaged."""

    results: list[Result]
    removed: list[Removed]
    missing: NotRequired[str]
    damaged: NotRequired[str]


class NodeError(Exception):
    """Node cannot run the engine; the message says why."""


def run(chosen: Arguments, console: Console) -> int:
    """Answer the query; the exit status says whether something was found.

    Raises `UsageError` if there is no site to search, or its search is damaged.
    """
    query = " ".join(chosen.query)
    releases = releases_of(chosen.folder, chosen.product, chosen.release)
    reason = ""
    try:
        reply = ask_engine(releases, query, chosen.limit)
    except NodeError as error:
        reason = str(error)
        reply = look_up(releases, query, chosen.limit)
    if chosen.json:
        console.output(_json(query, reply, releases))
    else:
        console.output("".join([
            *(_removed_text(name, releases, chosen.folder) for name in reply["removed"]),
            *(_text(result, releases, chosen.folder) for result in reply["results"]),
        ]))
    if reason:
        console.problem(f"{reason}; {NAMES_ONLY}")
    if reply["results"] or reply["removed"]:
        return FOUND
    if not chosen.json:
        console.problem(f"nothing is found for '{query}'")
    return NOTHING


# --- the site -------------------------------------------------------------------------


def releases_of(folder: Path, product: str = "", version: str = "") -> list[BuiltRelease]:
    """Return the latest release of each product of the site in `folder`.

    `product` and `version` restrict them.  Raises `UsageError` if there is none.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; build a site, or name one by --folder")
    built = [
        BuiltRelease(file.parent.parent.name, file.parent.name, file.parent)
        for file in folder.glob(f"*/*/{NAMES}")
    ]
    if not built:
        raise UsageError(f"{folder}: this is no site with a search; name one by --folder")
    products: dict[str, list[BuiltRelease]] = {}
    for release in sorted(built, key=_order):
        if product in ("", release.product) and version in ("", release.version):
            products.setdefault(release.product, []).append(release)
    if not products:
        paths = ", ".join(sorted(release.path for release in built))
        raise UsageError(f"{folder}: there is no such release; there are {paths}")
    return [_latest(folder / name / RELEASES, releases) for name, releases in products.items()]


def _latest(file: Path, releases: Sequence[BuiltRelease]) -> BuiltRelease:
    """Return the release that the list in `file` calls the latest, else the last one.

    The latest is no development release; the list is written with the site.
    """
    try:
        listed = names.content(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (DataError, ValueError):
        listed = {}  # without the list, the highest number is the latest
    latest = (release for release in releases if release.version == listed.get("latest"))
    return next(latest, releases[-1])


def _order(release: BuiltRelease) -> tuple[str, tuple[int, ...], str]:
    """The key to sort releases by: 3.10 is newer than 3.4."""
    numbers = tuple([int(number) for number in NUMBER.findall(release.version)])
    return release.product, numbers, release.version


# --- the engine -----------------------------------------------------------------------


def ask_engine(releases: Sequence[BuiltRelease], query: str, limit: int) -> Reply:
    """Return what the shipped engine answers.

    Raises `NodeError` if node is missing or fails, `UsageError` if the data is damaged.
    """
    node = shutil.which("node")
    if node is None:
        raise NodeError("node was not found")
    scripts = resource_folder("themes") / "default" / "static"
    try:
        process = subprocess.run(
            [node, RUNNER, scripts, *(release.folder.absolute() for release in releases)],
            input=json.dumps({"query": query, "limit": limit}) + "\n",
            capture_output=True, encoding="utf-8", check=True, timeout=TIMEOUT,
        )
        reply: Reply = json.loads(process.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise NodeError(f"{node} could not run the search") from error
    if "missing" in reply:
        raise _missing(Path(reply["missing"]))
    if "damaged" in reply:
        raise _damaged(Path(reply["damaged"]))
    return reply


# --- names ----------------------------------------------------------------------------


def look_up(releases: Sequence[BuiltRelease], query: str, limit: int) -> Reply:
    """Return names that `query` equals, then names that it begins.

    Raises `UsageError` if the data is damaged.
    """
    tables = [_loaded(release, NAMES, names.read) for release in releases]
    lines = [_loaded(release, LINES, _lines) for release in releases]
    results: list[Result] = []
    for find in (Names.lookup, Names.starting):
        for at, (table, (texts, _)) in enumerate(zip(tables, lines, strict=True)):
            results += _grouped(at, table, texts, find(table, query))
    removed: list[Removed] = [
        {"release": at, "name": name, "kind": kind, "version": version, "address": address}
        for at, (table, (_, names_of_older)) in enumerate(zip(tables, lines, strict=True))
        for name, kind, version, address in names_of_older
        if fold(query) in table.forms(name)
    ]
    return {"results": results[:limit], "removed": removed}


def _grouped(
    release: int, table: Names, lines: Sequence[str], rows: Sequence[int]
) -> Iterator[Result]:
    """Yield a result for each name in `rows`; one stands for all kinds of its name."""
    groups: dict[str, list[int]] = {}
    for number in rows:
        row = table.rows[number]
        same = f"{row.path}#{row.anchor}" if row.kind == SECTION else f" {fold(row.name)}"
        groups.setdefault(same, []).append(number)
    for numbers in groups.values():
        first, *others = [table.rows[number] for number in numbers]
        yield {
            "release": release, "name": first.name, "kind": first.kind,
            "document": first.document, "section": first.section, "path": first.path,
            "anchor": first.anchor, "line": lines[numbers[0]] or lines[first.owner],
            "sentence": "", "deprecated": first.deprecated,
            "others": [
                {"kind": row.kind, "path": row.path, "anchor": row.anchor} for row in others
            ],
        }


def _lines(data: names.Data) -> tuple[list[str], list[list[str]]]:
    """The lines of all rows and the removed names, of the content of search-lines.js."""
    entries = data["gone"]
    if not isinstance(entries, list):
        raise DataError("the list of removed names is missing")
    return str(data["lines"]).split("\n"), [
        [str(name), str(kind), str(version), str(address)]
        for name, kind, version, address in entries
    ]


def _loaded(release: BuiltRelease, name: str, read: Callable[[names.Data], Read]) -> Read:
    """What `read` returns for the data in the file `name` of `release`."""
    file = release.folder / name
    if not file.is_file():
        raise _missing(file)
    try:
        return read(names.content(file.read_text(encoding="utf-8")))
    except (DataError, KeyError, ValueError) as error:
        raise _damaged(release.folder) from error


def _missing(file: Path) -> UsageError:
    return UsageError(f"{file}: there is no such file; build the site again")


def _damaged(folder: Path) -> UsageError:
    return UsageError(f"{folder}: the search is damaged; build the site again")


# --- output ---------------------------------------------------------------------------


def _removed_text(removed: Removed, releases: Sequence[BuiltRelease], folder: Path) -> str:
    name, version = removed["name"], removed["version"]
    release = releases[removed["release"]]
    line = f"{name}: {removed['kind']}, not in {release.path}, last in {version}"
    return f"{line}\n    {folder / release.product / version / removed['address']}\n"


def _url(release: BuiltRelease, place: Place) -> str:
    anchor = place["anchor"]
    return f"{release.path}/{place['path']}{'#' if anchor else ''}{anchor}"


def _text(result: Result, releases: Sequence[BuiltRelease], folder: Path) -> str:
    release = releases[result["release"]]
    places: list[Place] = [result, *result["others"]]
    kinds = ", ".join(dict.fromkeys(place["kind"] for place in places))
    section = f"{result['document']} {result['section']}".rstrip()
    mark = " (deprecated)" if result["deprecated"] else ""
    lines = [f"{result['name']}{mark}: {kinds}, {release.path} {section}"]
    if line := result["sentence"] or result["line"]:
        lines.append(f"    {line}")
    lines.append(f"    {folder / _url(release, result)}")
    return "\n".join(lines) + "\n"


def _json(query: str, reply: Reply, releases: Sequence[BuiltRelease]) -> str:
    results = [
        {
            "url": _url(release, result), "name": result["name"], "kind": result["kind"],
            "product": release.product, "version": release.version,
            "document": result["document"], "section": result["section"],
            "line": result["sentence"] or result["line"], "deprecated": result["deprecated"],
            "others": [
                {"url": _url(release, other), "kind": other["kind"]}
                for other in result["others"]
            ],
        }
        for result in reply["results"] for release in [releases[result["release"]]]
    ]
    removed = [
        {
            "url": f"{release.product}/{name['version']}/{name['address']}",
            "name": name["name"], "kind": name["kind"], "product": release.product,
            "version": name["version"],
        }
        for name in reply["removed"] for release in [releases[name["release"]]]
    ]
    printed = {"query": query, "results": results, "gone": removed}
    return json.dumps(printed, ensure_ascii=False, indent=1) + "\n"
