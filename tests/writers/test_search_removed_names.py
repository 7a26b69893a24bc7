"""Names that a release has lost: which of them a query asks for, however it is spelt."""

from __future__ import annotations

from functools import cache

from shipped_search import ask, data, release, search_files_of

from dconv.build.schedule import build_site
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.search import index_data
from dconv.writers.search.removed_names import RemovedName
from dconv.writers.theme.theme import load

# beside names of the example: "hold", "limit rate", "option" is a prefix, "letters" a word of it
NAMES = (
    "relay-rewrite", "relay-remove", "option forceful", "log.gauge", "limit wait", "holds",
    "letter", "hatch", "Ünterlage", "x", "post-office-hours",
)  # fmt: skip
REMOVED = [
    RemovedName(name, "directive", "1.0", f"manual/2.html#{at}") for at, name in enumerate(NAMES)
]


@cache
def files() -> dict[str, bytes]:
    """The search of the example, which has lost `REMOVED`."""
    search_files = dict(search_files_of(release()))
    path = next(path for path in search_files if path.endswith("search-lines.js"))
    search_files[path] = index_data.script("relay/2.1", "lines", {
        "lines": str(data(search_files, "lines")["lines"]),
        "removed": [[name.name, name.kind, name.version, name.address] for name in REMOVED],
    })
    return search_files


def removed(*queries: str) -> dict[str, list[str]]:
    """The names that are shown for each query."""
    answers = zip(queries, ask(files(), queries), strict=True)
    return {query: [name.name for _, name in answer.removed] for query, answer in answers}


def test_a_name_and_its_beginning() -> None:
    names = {
        "relay-rewrite": ["relay-rewrite"],
        "Relay_Rewrite": ["relay-rewrite"],
        "relay-re": ["relay-rewrite", "relay-remove"],  # the beginning of both
        "forceful": ["option forceful"],
        "gauge": ["log.gauge"],
        "forc": ["option forceful"],
        "for": [],  # too few letters for a beginning
        "x": ["x"],
        "": [],
        "-": [],
    }
    assert removed(*names) == names


def test_a_misspelt_name() -> None:
    names = {
        "relay-rewriet": ["relay-rewrite"],
        "relayrewrit": ["relay-rewrite"],  # a beginning
        "relay-rmove": ["relay-remove"],
        "forcefull": ["option forceful"],
        "option forecful": ["option forceful"],
        "gaueg": ["log.gauge"],
        "hacth": ["hatch"],
        "xy": [],  # too short
        "relay-rwrtie": ["relay-rewrite"],
        "relay-rwrtei-of-old": [],  # too far
    }
    assert removed(*names) == names


def test_a_present_name_is_likelier_than_a_removed_one() -> None:
    names = {
        "letters": [],  # a word of the text, of which "letter" is but one letter away
        "limit rait": [],  # "limit rate" is as near as "limit wait"
        "limit wiat": ["limit wait"],
        "hodl": [],  # "holds" is farther away
    }
    assert removed(*names) == names
    assert "hold" in ask(files(), ["hodl"])[0].names


def test_ranks() -> None:
    same, misspelt = ask(files(), ["relay-rewrite", "relay-rewriet"])
    assert same.removed == ((0, REMOVED[0]),)
    assert misspelt.removed == ((3, REMOVED[0]),)


# --- actions, which were keywords of rule sets ------------------------------------------

OLDER = """\
4.2. Alphabetically sorted keywords reference
---------------------------------------------

http-request set-lamp <number>
  Sets a lamp.

http-request drop-lamp <number>
http-request idrop-lamp <number>
  Drops a lamp.

tcp-request content add-lamp <number>
  Lights it.
"""
SQUASHED = 2  # the band of names without separators
NEWER = """\
4.3. Actions keywords matrix
----------------------------

 keyword                QUIC: Ini   TCP: RqCon RqSes RqCnt RsCnt   HTTP: Req Res Aft
----------------------+-----------+-----------+-----+-----+------+----------+---+----
add-lamp                       -           -     -     -     -            X   X   -
set-lamp (deprecated)          -           X     -     -     -            X   -   -

4.4. Alphabetically sorted actions reference
--------------------------------------------

add-lamp <number>
  Usable in:  QUIC Ini|    TCP RqCon| RqSes| RqCnt| RsCnt|    HTTP Req| Res| Aft
                    - |          -  |   -  |   -  |   -  |          X |  X |  -

  Lights one lamp more.

set-lamp <number> (deprecated)
  This is an alias for "add-lamp".
"""


def test_an_action_that_only_the_matrix_puts_into_a_rule_set_is_not_gone() -> None:
    product = load_product(resource_folder("manuals") / "haproxy")
    releases = [
        ReleaseTexts("haproxy", "HAProxy", version, "", (
            SourceText(
                text.encode(), "configuration.txt", product, product.documents[0], Origin("here")
            ),
        ))
        for version, text in (("1.0", OLDER), ("2.0", NEWER))
    ]
    site_files = dict(build_site(
        releases, SiteInfo("Tests", "dconv"), load("default")
    ))
    newer = {
        path: content for path, content in site_files.items()
        if path.startswith("haproxy/2.0/search-")
    }
    entries = data(newer, "lines")["removed"]
    assert isinstance(entries, list)
    assert [name for name, *_ in entries] == ["http-request drop-lamp", "http-request idrop-lamp"]
    first = ask(newer, ["http-request set-lamp"])[0].results[0]
    assert (first.name, first.band) == ("set-lamp", SQUASHED)
