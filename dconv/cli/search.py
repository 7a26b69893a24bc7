"""`dconv search`: the search of a built site on a terminal.

Node runs the engine that pages load (`search.mjs`).  Without node, names and titles
are looked up in the lists of names that each release has for other programs.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict
from urllib.parse import unquote

from dconv.cli.arguments import FAILURE, SUCCESS, Arguments, UsageError
from dconv.cli.console import Console
from dconv.model.values import dataclass
from dconv.sources.resources import resource_folder
from dconv.writers.inventory import KEYWORDS, OBJECTS
from dconv.writers.pages.filenames import RELEASES
from dconv.writers.search.files import LINES_FILE, NAMES_FILE
from dconv.writers.search.records import DOCUMENT, SECTION
from dconv.writers.search.tokenizer import fold, tokens

NODE_SCRIPT = Path(__file__).with_name("search.mjs")
NAMES_ONLY = "only names and titles were searched"
TIMEOUT = 60  # seconds for node; a query takes a part of one
NUMBER = re.compile(r"\d+")
# a section or a document in objects.inv: its label, its page and its title
LABEL_LINE = re.compile(r"^(\S+) std:label 1 ([^#\s]+) (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class BuiltRelease:
    """A release of a built site and its folder.

    It may be the shelf, the packages of manuals without releases: `product` and `version` are then
    empty, and `folder` is the site's.
    """

    product: str
    version: str
    folder: Path

    @property
    def path(self) -> str:
        """`haproxy/3.4`, as in addresses."""
        return f"{self.product}/{self.version}"

    @property
    def is_shelf(self) -> bool:
        """Whether it is the shelf."""
        return not self.product

    def address(self, path: str) -> str:
        """The address of the page `path` below the site's root."""
        return path if self.is_shelf else f"{self.path}/{path}"


class ResultLocation(TypedDict):
    """Where a name is documented; `path` is below the folder of the release."""

    kind: str
    path: str
    anchor: str


class Result(ResultLocation):
    """One result; `others` are more locations of the same name.

    `release` is the index of its release among those that are searched.  `line` says what the name
    is; `sentence` is the one of the text that has the words of the query, or empty.
    `qualifier` distinguishes items of one kind and name ("first"), else it is empty.
    `package` is that of a document of the shelf, else empty.
    """

    release: int
    name: str
    qualifier: str
    document: str
    package: str
    section: str
    line: str
    sentence: str
    deprecated: bool
    others: list[ResultLocation]


class RemovedResult(TypedDict):
    """A name that `release` (an index) lacks, and its `address` in the last `version` with it."""

    release: int
    name: str
    kind: str
    version: str
    address: str


class Reply(TypedDict):
    """What `search.mjs` prints: an answer, or the file or folder that is missing or damaged."""

    results: list[Result]
    removed: list[RemovedResult]
    missing: NotRequired[str]
    damaged: NotRequired[str]


class Keyword(TypedDict):
    """A name in keywords.json."""

    name: str
    kind: str
    document: str
    package: NotRequired[str]
    section: str
    anchor: str
    url: str
    summary: str
    deprecated: NotRequired[bool]


class NodeError(Exception):
    """Node cannot run the engine; the message says why."""


def run(options: Arguments, console: Console) -> int:
    """Answer the query; the exit status says whether something was found.

    Raises `UsageError` if there is no site to search, or its search is damaged.
    """
    query = " ".join(options.query)
    releases = find_releases(options.folder, options.product, options.release)
    reason = ""
    try:
        reply = ask_engine(releases, query, options.limit, options.product)
    except NodeError as error:
        reason = str(error)
        reply = look_up(releases, query, options.limit, options.product)
    if options.json:
        console.output(_json(query, reply, releases))
    else:
        console.output("".join([
            *(_removed_text(name, releases, options.folder) for name in reply["removed"]),
            *(_text(result, releases, options.folder) for result in reply["results"]),
        ]))
    if reason:
        console.problem(f"{reason}; {NAMES_ONLY}")
    if reply["results"] or reply["removed"]:
        return SUCCESS
    if not options.json:
        console.problem(f"nothing found for '{query}'")
    return FAILURE


# --- the site -------------------------------------------------------------------------


def find_releases(folder: Path, product: str = "", version: str = "") -> list[BuiltRelease]:
    """The latest release of each product of the site in `folder`, and its shelf.

    `product` and `version` restrict them; `product` may be a package of the shelf.  Raises
    `UsageError` if there is none.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; build a site, or name one with --folder")
    built_releases = [
        BuiltRelease(file.parent.parent.name, file.parent.name, file.parent)
        for file in folder.glob(f"*/*/{NAMES_FILE}")
    ]
    packages = shelf_packages(folder)
    if not built_releases and not packages:
        raise UsageError(f"{folder}: this site has no search; name another with --folder")
    products: dict[str, list[BuiltRelease]] = {}
    for release in sorted(built_releases, key=_version_key):
        if product in ("", release.product) and version in ("", release.version):
            products.setdefault(release.product, []).append(release)
    matching_releases = [
        _latest(folder / name / RELEASES, releases) for name, releases in products.items()
    ]
    if not version and packages and (not product or product in packages):
        matching_releases.append(BuiltRelease("", "", folder))
    if not matching_releases:
        paths = ", ".join(sorted({*(release.path for release in built_releases), *packages}))
        wanted = "/".join(filter(None, (product, version)))
        raise UsageError(f"{folder}: there is no '{wanted}'; there are {paths}")
    return matching_releases


def shelf_packages(folder: Path) -> Mapping[str, str]:
    """The folders of the packages of the shelf in `folder`, none if it has no shelf.

    Raises `UsageError` if its data is damaged.
    """
    file = folder / NAMES_FILE
    if not file.is_file():
        return {}
    script = file.read_text(encoding="utf-8")
    try:
        data = json.loads(script[script.find("{") : script.rfind("}") + 1])
        return dict(data["shelf"]["packages"])
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged_error(folder) from error


def _latest(file: Path, releases: Sequence[BuiltRelease]) -> BuiltRelease:
    """The release that the list in `file` calls the latest, else the last one.

    The latest is not a development release; the list is written with the site.
    """
    try:
        listed = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except ValueError:
        listed = {}  # without the list, the highest number is the latest
    latest = (release for release in releases if release.version == listed.get("latest"))
    return next(latest, releases[-1])


def _version_key(release: BuiltRelease) -> tuple[str, tuple[int, ...], str]:
    """The key to sort releases by: 3.10 is newer than 3.4."""
    numbers = tuple([int(number) for number in NUMBER.findall(release.version)])
    return release.product, numbers, release.version


# --- the engine -----------------------------------------------------------------------


def ask_engine(
    releases: Sequence[BuiltRelease], query: str, limit: int, product: str = ""
) -> Reply:
    """What the shipped engine answers; of a shelf only the package `product` if named.

    Raises `NodeError` if node is missing or fails, `UsageError` if the data is damaged.
    """
    node = shutil.which("node")
    if node is None:
        raise NodeError("node was not found")
    scripts = resource_folder("themes") / "default" / "static"
    packages = [
        shelf_packages(release.folder)[product]
        for release in releases if product and release.is_shelf
    ]
    try:
        process = subprocess.run(
            [node, NODE_SCRIPT, scripts, *(release.folder.absolute() for release in releases)],
            input=json.dumps({"query": query, "limit": limit, "packages": packages}) + "\n",
            capture_output=True, encoding="utf-8", check=True, timeout=TIMEOUT,
        )
        reply: Reply = json.loads(process.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise NodeError(f"{node} could not run the search") from error
    if "missing" in reply:
        raise _missing_error(Path(reply["missing"]))
    if "damaged" in reply:
        raise _damaged_error(Path(reply["damaged"]))
    return reply


# --- names ----------------------------------------------------------------------------


def look_up(releases: Sequence[BuiltRelease], query: str, limit: int, product: str = "") -> Reply:
    """The names and titles of which some words start with `query`, those that equal it first.

    Of a shelf they are the names of the package `product` if that is named.  Raises `UsageError`
    if the data is damaged.
    """
    folded_query = fold(query)
    ranked: list[tuple[bool, bool, int, Result]] = []
    removed: list[RemovedResult] = []
    for number, release in enumerate(releases):
        try:
            # of places with the same name, the one with the plain anchor comes first
            results = sorted(_names(number, release), key=lambda name: len(name["anchor"]))
            results += _titles(number, release)
            removed += [
                name for name in _removed(number, release) if fold(name["name"]) == folded_query
            ]
        except (KeyError, TypeError, ValueError, zlib.error) as error:
            raise _damaged_error(release.folder) from error
        groups: dict[str, Result] = {}
        for result in results:
            if release.is_shelf and product and result["package"] != product:
                continue
            name = result["name"]
            parts = tokens(name)
            suffixes = ["".join(parts[index:]) for index in range(len(parts))] or [fold(name)]
            if not any(suffix.startswith(folded_query) for suffix in suffixes):
                continue
            page = result["path"] if release.is_shelf else ""
            first = groups.setdefault(f"{page} {fold(name)}", result)
            if first is result:
                ranked.append((folded_query not in suffixes, name != query, len(name), result))
            else:
                first["others"].append(result)
    ranked.sort(key=lambda rank: rank[:3])
    return {"results": [result for *_, result in ranked[:limit]], "removed": removed}


def _names(number: int, release: BuiltRelease) -> Iterator[Result]:
    for file in sorted(release.folder.glob(KEYWORDS if release.is_shelf else f"*/{KEYWORDS}")):
        keywords: list[Keyword] = json.loads(file.read_text(encoding="utf-8"))["keywords"]
        for keyword in keywords:
            path, _, fragment = keyword["url"].partition("#")
            folder = "" if release.is_shelf else f"{keyword['document']}/"
            yield {
                "release": number, "name": keyword["name"], "kind": keyword["kind"],
                "document": keyword["document"], "section": keyword["section"],
                "package": keyword.get("package", ""), "path": f"{folder}{path}",
                "anchor": keyword["anchor"] if fragment else "", "line": keyword["summary"],
                "sentence": "", "deprecated": keyword.get("deprecated", False), "others": [],
                "qualifier": "",
            }


def _titles(number: int, release: BuiltRelease) -> Iterator[Result]:
    """The documents and the sections, with their numbers, which objects.inv lists as labels."""
    content = _existing_file(release.folder / OBJECTS).read_bytes().split(b"\n", 4)[-1]
    for label, path, title in LABEL_LINE.findall(zlib.decompress(content).decode()):
        document = unquote(path.partition("/")[0])
        yield {
            "release": number, "name": label if title == "-" else title, "package": "",
            "kind": SECTION if "/" in label else DOCUMENT, "section": "",
            "document": label if release.is_shelf else document,
            "path": path, "anchor": "", "line": "", "sentence": "", "deprecated": False,
            "others": [], "qualifier": "",
        }


def _removed(number: int, release: BuiltRelease) -> Iterator[RemovedResult]:
    script = _existing_file(release.folder / LINES_FILE).read_text(encoding="utf-8")
    names: list[tuple[str, str, str, str]] = json.loads(
        script[script.find("{") : script.rfind("}") + 1]
    )["removed"]
    for name, kind, version, address in names:
        yield {
            "release": number, "name": name, "kind": kind, "version": version, "address": address,
        }


def _existing_file(file: Path) -> Path:
    if not file.is_file():
        raise _missing_error(file)
    return file


def _missing_error(file: Path) -> UsageError:
    return UsageError(f"{file}: no such file; build the site again")


def _damaged_error(folder: Path) -> UsageError:
    return UsageError(f"{folder}: the search data is damaged; build the site again")


# --- output ---------------------------------------------------------------------------


def _removed_text(removed: RemovedResult, releases: Sequence[BuiltRelease], folder: Path) -> str:
    name, version = removed["name"], removed["version"]
    release = releases[removed["release"]]
    line = f"{name}: {removed['kind']}, not in {release.path}, last in {version}"
    return f"{line}\n    {folder / release.product / version / removed['address']}\n"


def _url(release: BuiltRelease, location: ResultLocation) -> str:
    anchor = location["anchor"]
    return f"{release.address(location['path'])}{'#' if anchor else ''}{anchor}"


def _text(result: Result, releases: Sequence[BuiltRelease], folder: Path) -> str:
    release = releases[result["release"]]
    locations: list[ResultLocation] = [result, *result["others"]]
    kinds = ", ".join(dict.fromkeys(location["kind"] for location in locations))
    if qualifier := result["qualifier"]:
        kinds = f"{kinds} ({qualifier})"
    section = f"{result['document']} {result['section']}".rstrip()
    mark = " (deprecated)" if result["deprecated"] else ""
    owner = result["package"] if release.is_shelf else release.path
    lines = [f"{result['name']}{mark}: {kinds}, {owner} {section}".rstrip()]
    if line := result["sentence"] or result["line"]:
        lines.append(f"    {line}")
    lines.append(f"    {folder / _url(release, result)}")
    return "\n".join(lines) + "\n"


def _json(query: str, reply: Reply, releases: Sequence[BuiltRelease]) -> str:
    results = [
        {
            "url": _url(release, result), "name": result["name"], "kind": result["kind"],
            "product": release.product or result["package"], "version": release.version,
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
    answer = {"query": query, "results": results, "gone": removed}
    return json.dumps(answer, ensure_ascii=False, indent=1) + "\n"
