"""Names that are gone: which of them a query asks for, however it is spelt."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from searching import data, in_node, loaded, mutated, release, written

from dconv.build.schedule import build_site
from dconv.settings import load_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages import Edition, Origin
from dconv.writers.search import pack
from dconv.writers.search.data import rows_of
from dconv.writers.search.engine import Engine, search
from dconv.writers.search.gone import Gone
from dconv.writers.search.matching import SQUASHED
from dconv.writers.search.removed_names import former
from dconv.writers.theme.theme import load

# beside names of the example: "hold", "limit rate", "option" is a head, "letters" a word of it
NAMES = (
    "relay-rewrite", "relay-remove", "option forceful", "log.gauge", "limit wait", "holds",
    "letter", "hatch", "Ünterlage", "x", "post-office-hours",
)  # fmt: skip
GONE = [Gone(name, "directive", "1.0", f"manual/2.html#{at}") for at, name in enumerate(NAMES)]


@cache
def files() -> dict[str, bytes]:
    """The search of the example, which has lost `GONE`."""
    made = dict(written(release()))
    path = next(path for path in made if path.endswith("search-lines.js"))
    entries = [[one.name, one.kind, one.version, one.address] for one in GONE]
    made[path] = pack.script("relay/2.1", "lines", {
        "lines": str(data(made, "lines")["lines"]), "gone": entries,
    })
    return made


@cache
def engine() -> Engine:
    return loaded(files())


def told(query: str) -> list[str]:
    """The names that are told for `query`."""
    rivals = [hit.name for hit in search(engine(), query)]
    return [one.name for _, one in former(engine(), GONE, query, rivals)]


@pytest.mark.parametrize(("query", "names"), [
    ("relay-rewrite", ["relay-rewrite"]),
    ("Relay_Rewrite", ["relay-rewrite"]),
    ("relay-re", ["relay-rewrite", "relay-remove"]),  # the beginning of both
    ("forceful", ["option forceful"]),
    ("gauge", ["log.gauge"]),
    ("forc", ["option forceful"]),
    ("for", []),  # too few letters for a beginning
    ("x", ["x"]),
    ("", []),
    ("-", []),
])
def test_a_name_and_its_beginning(query: str, names: list[str]) -> None:
    assert told(query) == names


@pytest.mark.parametrize(("query", "names"), [
    ("relay-rewriet", ["relay-rewrite"]),
    ("relayrewrit", ["relay-rewrite"]),  # a beginning
    ("relay-rmove", ["relay-remove"]),
    ("forcefull", ["option forceful"]),
    ("option forecful", ["option forceful"]),
    ("gaueg", ["log.gauge"]),
    ("hacth", ["hatch"]),
    ("xy", []),  # too short
    ("relay-rwrtie", ["relay-rewrite"]),
    ("relay-rwrtei-of-old", []),  # too far
])
def test_a_misspelt_name(query: str, names: list[str]) -> None:
    assert told(query) == names


def test_what_is_there_is_likelier_than_what_is_gone() -> None:
    assert told("letters") == []  # a word of the text, of which "letter" is but one letter away
    assert told("limit rait") == []  # "limit rate" is as near as "limit wait"
    assert told("limit wiat") == ["limit wait"]
    assert "hold" in [hit.name for hit in search(engine(), "hodl")]
    assert told("hodl") == []  # "holds" is farther away


def test_without_texts_nobody_can_tell_what_is_misspelt() -> None:
    bare = Engine(engine().names)
    assert former(bare, GONE, "relay-rewriet", []) == []
    assert former(bare, GONE, "relay-rewrite", []) == [(0, GONE[0])]


def test_pages_tell_the_same(tmp_path: Path) -> None:
    queries = [*mutated(NAMES, 1500, 3), "", "-", "é", "x" * 300, "\u2028"]
    some = 0
    answers = in_node(tmp_path, files(), queries, "former")
    for query, found in zip(queries, answers, strict=True):
        rivals = [hit.name for hit in search(engine(), query)]
        own = former(engine(), GONE, query, rivals)
        some += any(rank >= 2 for rank, _ in own)
        assert found == [
            [rank, [one.name, one.kind, one.version, one.address]] for rank, one in own
        ], query
    assert some > 100


# --- actions, which were keywords of rule sets ------------------------------------------

OLDER = """\
4.2. Alphabetically sorted keywords reference
---------------------------------------------

http-request set-lamp <number>
  Sets a lamp.

http-request drop-lamp <number>
  Drops a lamp.
"""
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
    made = dict(build_site(
        releases, Edition("Tests", "dconv"), load("default"), lambda _: None, lambda _: None
    ))
    newer = {
        path: content for path, content in made.items()
        if path.startswith("haproxy/2.0/search-")
    }
    assert [row[0] for row in rows_of(data(newer, "lines"), "gone")] == ["http-request drop-lamp"]
    found = search(loaded(newer), "http-request set-lamp")
    assert (found[0].name, found[0].band) == ("set-lamp", SQUASHED)
