"""`dconv search`: the search of a built site on a terminal.

Node runs the engine that pages load (`search.mjs`).  Without node, names and their
beginnings are looked up in the table of names.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.sources.resources import resource_folder
from dconv.writers.pages.filenames import RELEASES
from dconv.writers.search import names
from dconv.writers.search.files import LINES, NAMES
from dconv.writers.search.names import DataError, Names, fold
from dconv.writers.search.places import SECTION
from dconv.writers.search.removed_names import RemovedName

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


@dataclass(frozen=True, slots=True)
class Result:
    """One result; `path` is below the folder of the release.

    `others` are places of the same name: kind, path, anchor.
    """

    release: BuiltRelease
    name: str
    kind: str
    document: str
    section: str
    path: str
    anchor: str
    line: str
    deprecated: bool
    others: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query finds; `removed` are names of older releases.

    `reason` says why only names were searched, if so.
    """

    results: tuple[Result, ...]
    removed: tuple[tuple[BuiltRelease, RemovedName], ...]
    reason: str = ""


class NodeError(Exception):
    """Node cannot run the engine; the message says why."""


def run(chosen: Arguments, console: Console) -> int:
    """Answer the query; the exit status says whether something was found.

    Raises `UsageError` if there is no site to search, or its search is damaged.
    """
    query = " ".join(chosen.query)
    releases = releases_of(chosen.folder, chosen.product, chosen.release)
    try:
        answer = ask_engine(releases, query, chosen.limit)
    except NodeError as error:
        answer = look_up(releases, query, chosen.limit, str(error))
    if chosen.json:
        console.output(_json(query, answer))
    else:
        console.output("".join([
            *(_removed_text(release, name, chosen) for release, name in answer.removed),
            *(_text(result, chosen) for result in answer.results),
        ]))
    found = bool(answer.results or answer.removed)
    if answer.reason:
        console.problem(f"{answer.reason}; {NAMES_ONLY}")
    if not found and not chosen.json:
        console.problem(f"nothing is found for '{query}'")
    return FOUND if found else NOTHING


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


def ask_engine(releases: Sequence[BuiltRelease], query: str, limit: int) -> Answer:
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
        reply = json.loads(process.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise NodeError(f"{node} could not run the search") from error
    if "missing" in reply:
        raise _missing(Path(reply["missing"]))
    if "damaged" in reply:
        raise _damaged(Path(reply["damaged"]))
    return Answer(
        tuple([_result(releases[hit["release"]], hit) for hit in reply["results"]]),
        tuple([
            (releases[name["release"]], RemovedName(
                str(name["name"]), str(name["kind"]), str(name["version"]), str(name["address"])
            ))
            for name in reply["removed"]
        ]),
    )


def _result(release: BuiltRelease, hit: Mapping[str, object]) -> Result:
    """The result in a reply of the engine."""
    def text(key: str) -> str:
        return str(hit[key])

    others = hit["others"]
    assert isinstance(others, list)
    return Result(
        release, text("name"), text("kind"), text("document"), text("section"), text("path"),
        text("anchor"), text("sentence") or text("line"), bool(hit["deprecated"]),
        tuple([(str(other["kind"]), str(other["path"]), str(other["anchor"]))
               for other in others]),
    )


# --- names ----------------------------------------------------------------------------


def look_up(
    releases: Sequence[BuiltRelease], query: str, limit: int, reason: str = ""
) -> Answer:
    """Return names that `query` equals, then names that it begins.

    Raises `UsageError` if the data is damaged.
    """
    tables = [_loaded(release, NAMES, names.read) for release in releases]
    lines = [_loaded(release, LINES, _lines) for release in releases]
    results: list[Result] = []
    for find in (Names.lookup, Names.starting):
        for release, table, (texts, _) in zip(releases, tables, lines, strict=True):
            results += _grouped(release, table, texts, find(table, query))
    removed = [
        (release, name)
        for release, table, (_, removed_names) in zip(releases, tables, lines, strict=True)
        for name in removed_names
        if fold(query) in table.forms(name.name)
    ]
    return Answer(tuple(results[:limit]), tuple(removed), reason)


def _grouped(
    release: BuiltRelease, table: Names, lines: Sequence[str], rows: Sequence[int]
) -> Iterator[Result]:
    """Yield a result for each name in `rows`; one stands for all kinds of its name."""
    groups: dict[str, list[int]] = {}
    for number in rows:
        row = table.rows[number]
        same = f"{row.path}#{row.anchor}" if row.kind == SECTION else f" {fold(row.name)}"
        groups.setdefault(same, []).append(number)
    for first, *others in groups.values():
        row = table.rows[first]
        yield Result(
            release, row.name, row.kind, row.document, row.section, row.path, row.anchor,
            lines[first] or lines[row.owner], row.deprecated,
            tuple([(table.rows[other].kind, table.rows[other].path, table.rows[other].anchor)
                   for other in others]),
        )


def _lines(data: names.Data) -> tuple[list[str], list[RemovedName]]:
    """The lines of all rows and the removed names, of the content of search-lines.js."""
    entries = data["gone"]
    if not isinstance(entries, list):
        raise DataError("the list of removed names is missing")
    return str(data["lines"]).split("\n"), [
        RemovedName(str(name), str(kind), str(version), str(address))
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


def _removed_text(release: BuiltRelease, removed: RemovedName, chosen: Arguments) -> str:
    address = chosen.folder / release.product / removed.version / removed.address
    line = f"{removed.name}: {removed.kind}, not in {release.path}, last in {removed.version}"
    return f"{line}\n    {address}\n"


def _url(release: BuiltRelease, path: str, anchor: str) -> str:
    return f"{release.path}/{path}{'#' if anchor else ''}{anchor}"


def _text(result: Result, chosen: Arguments) -> str:
    kinds = ", ".join(dict.fromkeys([result.kind, *(kind for kind, _, _ in result.others)]))
    place = f"{result.document} {result.section}".rstrip()
    mark = " (deprecated)" if result.deprecated else ""
    lines = [f"{result.name}{mark}: {kinds}, {result.release.path} {place}"]
    if result.line:
        lines.append(f"    {result.line}")
    lines.append(f"    {chosen.folder / _url(result.release, result.path, result.anchor)}")
    return "\n".join(lines) + "\n"


def _json(query: str, answer: Answer) -> str:
    results = [
        {
            "url": _url(result.release, result.path, result.anchor), "name": result.name,
            "kind": result.kind, "product": result.release.product,
            "version": result.release.version, "document": result.document,
            "section": result.section, "line": result.line, "deprecated": result.deprecated,
            "others": [
                {"url": _url(result.release, path, anchor), "kind": kind}
                for kind, path, anchor in result.others
            ],
        }
        for result in answer.results
    ]
    removed = [
        {
            "url": f"{release.product}/{name.version}/{name.address}", "name": name.name,
            "kind": name.kind, "product": release.product, "version": name.version,
        }
        for release, name in answer.removed
    ]
    printed = {"query": query, "results": results, "gone": removed}
    return json.dumps(printed, ensure_ascii=False, indent=1) + "\n"
