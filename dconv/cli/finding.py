"""`dconv search`: the search of a built site on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.writers.search import built
from dconv.writers.search.built import Built
from dconv.writers.search.engine import Hit, search
from dconv.writers.search.gone import Gone
from dconv.writers.search.matching import ABBREVIATED

FOUND, NOTHING = 0, 1
RIVALS = 16  # results that a name that is gone is compared with, as in pages


def run(chosen: Arguments, console: Console) -> int:
    """Answer the query; the exit status tells whether there is an answer.

    Raises `UsageError` where there is nothing to search in.
    """
    query = " ".join(chosen.query)
    try:
        releases = built.releases(chosen.folder, chosen.product, chosen.release)
        engines = [(release, built.load(release)) for release in releases]
        found = [
            (hit.band > ABBREVIATED, place, release, hit)
            for release, engine in engines
            for place, hit in enumerate(search(engine, query, max(chosen.limit, RIVALS)))
        ]
        rivals = [hit.name for *_, hit in found]
        gone = [
            (release, one)
            for release, engine in engines
            for one in built.gone(release, engine, query, rivals)
        ]
    except built.SearchError as error:
        raise UsageError(str(error)) from error
    # of several products, what equals the query first, then the best of each in turn
    found.sort(key=lambda one: one[:2])
    try:
        hits = [
            (release, replace(hit, line=built.line(release, hit)))
            for _, _, release, hit in found[: chosen.limit]
        ]
    except built.SearchError as error:
        raise UsageError(str(error)) from error
    if chosen.json:
        console.output(_json(query, hits, gone))
    else:
        told = [_gone_text(release, one, chosen) for release, one in gone]
        told += [_text(release, hit, chosen) for release, hit in hits]
        console.output("".join(told))
        if not told:
            console.problem(f"nothing is found for '{query}'")
    return FOUND if hits or gone else NOTHING


def _gone_text(release: Built, one: Gone, chosen: Arguments) -> str:
    address = chosen.folder / release.product / one.version / one.address
    told = f"{one.name}: {one.kind}, not in {release.path}, last in {one.version}"
    return f"{told}\n    {address}\n"


def _url(release: Built, path: str, anchor: str) -> str:
    return f"{release.path}/{path}{'#' if anchor else ''}{anchor}"


def _text(release: Built, hit: Hit, chosen: Arguments) -> str:
    kinds = ", ".join(dict.fromkeys([hit.kind, *(other.kind for other in hit.others)]))
    place = f"{hit.document} {hit.section}".rstrip()
    mark = " (deprecated)" if hit.deprecated else ""
    lines = [f"{hit.name}{mark}: {kinds}, {release.path} {place}"]
    if hit.line:
        lines.append(f"    {hit.line}")
    lines.append(f"    {chosen.folder / _url(release, hit.path, hit.anchor)}")
    return "\n".join(lines) + "\n"


def _json(
    query: str, found: Sequence[tuple[Built, Hit]], gone: Sequence[tuple[Built, Gone]]
) -> str:
    results = [
        {
            "url": _url(release, hit.path, hit.anchor), "name": hit.name, "kind": hit.kind,
            "product": release.product, "version": release.version, "document": hit.document,
            "section": hit.section, "line": hit.line, "deprecated": hit.deprecated,
            "others": [
                {"url": _url(release, other.path, other.anchor), "kind": other.kind}
                for other in hit.others
            ],
        }
        for release, hit in found
    ]
    former = [
        {
            "url": f"{release.product}/{one.version}/{one.address}", "name": one.name,
            "kind": one.kind, "product": release.product, "version": one.version,
        }
        for release, one in gone
    ]
    told = {"query": query, "results": results, "gone": former}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"
