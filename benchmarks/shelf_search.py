"""Ask the search of our own site what administrators ask, and count the right first results.

`python benchmarks/shelf_search.py [SITE_DIR]` reads `shelf_queries.toml`, asks the site that
`make site` has built, and prints each query whose first result is wrong.  It exits with 1 if less
than 95 % are right.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
MIN_SHARE = 0.95  # of the queries have the right place first


def main(site: str) -> int:
    """Print what is wrong first; return the exit status."""
    groups = tomllib.loads((HERE / "shelf_queries.toml").read_text(encoding="utf-8"))
    wanted = {query: places for group in groups.values() for query, places in group.items()}
    known = sorted(wanted.keys() & _phrases())
    if known:
        print(f"these queries are phrases of the site: {', '.join(known)}", file=sys.stderr)
        return 2
    firsts = _first_results(site, list(wanted))
    wrong = {
        query: firsts[query] for query, places in wanted.items()
        if not any(_is_below(firsts[query], place) for place in places)
    }
    for query, first in wrong.items():
        print(f"{query}: {first or 'nothing'}, not {' or '.join(wanted[query])}")
    print(f"{len(wanted) - len(wrong)} of {len(wanted)} queries have the right place first")
    return 0 if len(wrong) <= (1 - MIN_SHARE) * len(wanted) else 1


def _phrases() -> set[str]:
    """All queries of `manuals/*/phrases.toml`."""
    tables = [
        tomllib.loads(path.read_text(encoding="utf-8"))
        for path in (ROOT / "manuals").glob("*/phrases.toml")
    ]
    return {query for table in tables for phrase in table["phrase"] for query in phrase["queries"]}


def _first_results(site: str, queries: list[str]) -> dict[str, str]:
    """The address of the first result of each query, empty without one."""
    command = ["node", str(HERE / "search.mjs"), site]
    done = subprocess.run(
        command, input="\n".join(queries), stdout=subprocess.PIPE, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return {
        answer["query"]: next((result["url"] for result in answer["results"]), "")
        for answer in answers
    }


def _is_below(url: str, place: str) -> bool:
    """Whether `url` is `place`, in which "*" is any release, or below it if that is a page."""
    return fnmatchcase(url if "#" in place else url.partition("#")[0], place)


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or [str(ROOT / "site/public")])))
