"""Links between the versions of a product: three of a small manual, in which things move."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import jsonschema
import pytest
from bs4 import BeautifulSoup, Tag

from dconv.build.read import check_stated_version, newest_date, read_text
from dconv.build.render import ReleaseFiles
from dconv.build.schedule import build_site
from dconv.linking.counterparts import ReleasePair, matching_entry
from dconv.linking.outline import EntryPlace
from dconv.model.dialect import Dialect, EntryRule
from dconv.model.lifecycle import ReleaseRecord, ReleaseStatus
from dconv.model.origin import Origin
from dconv.model.tree import Manual
from dconv.proof.linkcheck import LinkCheck
from dconv.settings.types import DocumentSetting, Product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers import history
from dconv.writers.pages.page import SiteInfo
from dconv.writers.pages.versions import MAX_LISTED
from dconv.writers.theme.theme import load

HEAD = """\
                              ------------------
                                   Samovar
                              Reference Manual
                              ------------------
                                 version {version}
                                 {date}

"""

# 2.0: "brew" is a keyword of its own, "serve" has one entry for all its rules
OLD = HEAD.format(version="2.0", date="2020/05/01") + """\
1. Keywords of the kettle
-------------------------

boil <time>
  Heats the water for <time> seconds.

brew <leaf>
  Puts tea into the pot.

serve { cup | glass } <number>
  Pours for so many guests.

whistle
  Sounds when the water boils.


2. Cleaning
-----------

Clean it once a month.

"""

# 2.2: the section moved and has another number, "serve cup" is alone
MIDDLE = HEAD.format(version="2.2", date="2022/05/01") + """\
1. Safety
---------

It is hot.


2. Keywords of the kettle
-------------------------

boil <time>
  Heats the water for <time> seconds.

brew <leaf>
  Puts tea into the pot.

serve cup <number>
  Pours for so many guests.


3. Cleaning
-----------

Clean it once a month.

3.1. Descaling
--------------

Use vinegar.

"""

# 3.0: "brew" became an action, "whistle" came back, "Cleaning" was reworded
NEW = HEAD.format(version="3.0", date="2024/05/01") + """\
1. Safety
---------

It is hot.


2. Keywords of the kettle
-------------------------

boil <time>
  Heats the water for <time> seconds.

whistle
  Sounds when the water boils.


3. Cleaning it
--------------

Clean it once a month.


4. Actions
----------

brew <leaf>
  Puts tea into the pot.

  Usable in:  TEA Mrn| Non
                   X |  -

cup <number>
  Pours for so many guests.


5. Polishing
------------

With a soft cloth.

"""

DIALECT = Dialect(
    entry_rules=(
        EntryRule("keyword", re.compile("^Keywords"), "words"),
        EntryRule("action", re.compile("^Actions"), "words"),
    ),
    rule_sets={},
)
RECORDS = (
    ReleaseRecord("3.0", "long-term", "2024-05-01", "2029"),
    ReleaseRecord("2.2", "stable", "2022-05-01", "2025-Q1"),
    ReleaseRecord("2.0", "long-term", "2020-05-01", "2024-03"),
)
PRODUCT = Product("samovar", "Samovar", Path(), (), (), (), DIALECT, releases=RECORDS)
GUIDE = DocumentSetting("guide", "guide.txt", "Guide", "About the samovar")


def texts(version: str, text: str, *others: tuple[str, str]) -> ReleaseTexts:
    documents = [SourceText(text.encode(), "guide.txt", PRODUCT, GUIDE, Origin("guide.txt"))]
    for name, content in others:
        setting = DocumentSetting(name, f"{name}.txt", name.title(), "")
        documents.append(
            SourceText(content.encode(), f"{name}.txt", PRODUCT, setting, Origin(f"{name}.txt"))
        )
    return ReleaseTexts("samovar", "Samovar", version, "", tuple(documents))


THREE = (
    texts("2.0", OLD),
    texts("2.2", MIDDLE),
    texts("3.0", NEW, ("lid", "Notes on the lid\n\n1. Lids\n-------\n\nText.\n")),
)


def build(
    *releases: ReleaseTexts, url: str = "", date: str = "", latest: bool = False,
    changes: bool = False,
) -> dict[str, str]:
    """The files of a site, all links of which are right."""
    check = LinkCheck(url)
    site = SiteInfo("Tea", "dconv test", url, date=date, latest=latest, changes=changes)
    losses: list[object] = []

    def after(done: ReleaseFiles) -> None:
        losses.extend(loss for proof in done.proofs for loss in proof.losses)

    files = {
        path: content.decode("utf-8", "replace")
        for path, content in build_site(
            releases, site, load("default"), on_release=after, check=check
        )
    }
    assert losses == []
    assert [str(finding) for finding in check.finish()] == []
    return files


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    return build(*THREE, url="https://tea.example.org/docs/", date="2026-01-31")


def test_a_product_has_a_list_of_the_names_of_all_releases(site: dict[str, str]) -> None:
    schema = Path(history.__file__).with_name("history.schema.json")
    listed = json.loads(site["samovar/keywords.json"])
    jsonschema.validate(listed, json.loads(schema.read_text("utf-8")))
    assert (listed["latest"], listed["releases"]) == ("3.0", ["3.0", "2.2", "2.0"])
    lives = sorted(
        (record["name"], record["since"], record.get("removed_in", ""))
        for record in listed["keywords"]
    )
    assert ("boil", "2.0", "") in lives
    assert [life for life in lives if life[0] == "whistle"] == [
        ("whistle", "2.0", "2.2"), ("whistle", "3.0", ""),
    ]
    for record in listed["keywords"]:
        file, _, anchor = record["url"].partition("#")
        assert f'id="{anchor}"' in site[f"samovar/{file}"]


def test_a_feed_announces_the_releases(site: dict[str, str]) -> None:
    feed = ElementTree.fromstring(site["samovar/feed.atom"])
    atom = "{http://www.w3.org/2005/Atom}"
    required = [f"{atom}{name}" for name in ("id", "title", "updated")]
    entries = feed.findall(f"{atom}entry")
    assert feed.findtext(f"{atom}author/{atom}name") == "Tea"
    for element_with_facts in (feed, *entries):
        for name in required:  # RFC 4287, sections 4.1.1 and 4.1.2: exactly one of each
            assert len(element_with_facts.findall(name)) == 1
    assert [entry.findtext(f"{atom}updated") for entry in entries] == [
        "2024-05-01T00:00:00Z", "2022-05-01T00:00:00Z", "2020-05-01T00:00:00Z",
    ]
    assert feed.findtext(f"{atom}updated") == "2024-05-01T00:00:00Z"
    assert element(site["samovar/index.html"], "link[type='application/atom+xml']")["href"] == (
        "feed.atom"
    )
    changes = soup(entries[0].findtext(f"{atom}content") or "")
    assert [item.get_text() for item in changes.select("li")] == [
        "New: whistle, cup", "Removed: serve cup",
    ]
    assert entries[-1].find(f"{atom}content") is None
    for changed in changes.select("li a"):
        path, _, anchor = str(changed["href"]).partition("#")
        assert f'id="{anchor}"' in site[path.removeprefix("https://tea.example.org/docs/")]
    for entry in entries:
        link = entry.find(f"{atom}link")
        assert link is not None
        address = link.attrib["href"].removeprefix("https://tea.example.org/docs/")
        assert address in site
    assert not [path for path in build(*THREE) if path.endswith(".atom")]


def soup(page: str) -> BeautifulSoup:
    return BeautifulSoup(page, "html.parser")


def element(page: str, selector: str) -> Tag:
    match = soup(page).select_one(selector)
    assert match is not None, selector
    return match


def switch(page: str) -> dict[str, tuple[str, str]]:
    """The switch of a page: for each version, its address and its note."""
    return {
        item.a.text: (str(item.a["href"]), item.small.text if item.small else "")
        for item in soup(page).select("header details.versions li") if item.a
    }


def row(page: str, entry: str) -> list[str]:
    """The lines of an entry's row of versions: the summary, then each with its links."""
    cell = element(page, f'[id="{entry}"] > .card > dd:last-child')
    lines = [cell.summary.text if cell.summary else cell.text]
    for line in cell.find_all("p"):
        for link in line.find_all("a"):
            link.replace_with(f"{link.text}>{link['href']}")
        lines.append(line.text)
    return lines


# --- pages ----------------------------------------------------------------------------


def test_a_section_that_moved_keeps_its_counterparts(site: dict[str, str]) -> None:
    assert switch(site["samovar/3.0/guide/2.html"]) == {
        "3.0": ("../../3.0/guide/2.html", "long-term"),
        "2.2": ("../../2.2/guide/2.html", "end of life"),
        "2.0": ("../../2.0/guide/1.html", "end of life"),
    }


def test_a_reworded_title_with_the_same_number_is_the_same_section(site: dict[str, str]) -> None:
    assert switch(site["samovar/3.0/guide/3.html"])["2.2"][0] == "../../2.2/guide/3.html"


def test_a_section_that_is_nowhere_else_leads_to_what_is_nearest(site: dict[str, str]) -> None:
    links = switch(site["samovar/2.2/guide/3.1.html"])
    assert links["3.0"] == ("../../3.0/guide/3.html", "not in 3.0, nearest: 3 Cleaning it")
    assert links["2.0"] == ("../../2.0/guide/2.html", "not in 2.0, nearest: 2 Cleaning")
    links = switch(site["samovar/3.0/guide/5.html"])
    assert links["2.0"] == ("../../2.0/guide/index.html", "not in 2.0, nearest: contents")


def test_a_document_that_is_nowhere_else_leads_to_the_release(site: dict[str, str]) -> None:
    links = switch(site["samovar/3.0/lid/1.html"])
    assert links["2.0"] == ("../../2.0/index.html", "not in 2.0, nearest: all documents")


@pytest.mark.parametrize(
    "path", ["index.html", "guide/index.html", "guide.html", "guide/keywords.html"]
)
def test_every_other_page_is_its_own_counterpart(site: dict[str, str], path: str) -> None:
    up = "../" * (path.count("/") + 1)
    links = {version: href for version, (href, _) in switch(site[f"samovar/2.2/{path}"]).items()}
    assert links == {version: f"{up}{version}/{path}" for version in ("3.0", "2.2", "2.0")}


# --- entries --------------------------------------------------------------------------


def test_an_entry_finds_itself_in_a_section_that_moved(site: dict[str, str]) -> None:
    page = site["samovar/3.0/guide/2.html"]
    assert row(page, "boil") == ["in all 3 versions"]
    assert switch(page)["2.0"][0] == "../../2.0/guide/1.html"
    assert element(site["samovar/2.0/guide/1.html"], "#boil")


def test_an_entry_that_vanished_leads_to_the_nearest_section(site: dict[str, str]) -> None:
    page = site["samovar/2.0/guide/1.html"]
    assert row(page, "whistle") == ["in all versions but 2.2"]
    assert switch(page)["2.2"][0] == "../../2.2/guide/2.html"


def test_an_entry_that_changed_its_kind_says_so(site: dict[str, str]) -> None:
    assert row(site["samovar/2.2/guide/2.html"], "brew") == [
        "in all 3 versions", "2.0>../../2.0/guide/1.html#brew",
        "as action: 3.0>../../3.0/guide/4.html#action.brew",
    ]


def test_an_entry_that_was_a_part_of_another_says_so(site: dict[str, str]) -> None:
    assert row(site["samovar/2.2/guide/2.html"], "serve-cup") == [
        "in 2.2 only", "not by itself, but under serve: 2.0>../../2.0/guide/1.html#serve",
        "not in 3.0>../../3.0/guide/2.html",
    ]


def test_a_name_of_two_things_leads_to_neither() -> None:
    both = NEW.replace("whistle\n", "brew <leaf>\n  Another thing.\n\nwhistle\n")
    site = build(texts("2.2", MIDDLE), texts("3.0", both))
    page = site["samovar/3.0/guide/4.html"]
    assert row(page, r"action\.brew") == ["in 3.0 only"]
    assert switch(page)["2.2"][0] == "../../2.2/guide/index.html"


def with_rules(*releases: ReleaseTexts) -> list[ReleaseTexts]:
    """`releases` in a dialect in which actions are used in rules that begin with "serve"."""
    dialect = Dialect(entry_rules=DIALECT.entry_rules, rule_sets={"TEA Mrn": "serve"})
    product = Product("samovar", "Samovar", Path(), (), (), (), dialect)
    return [
        replace(release, texts=tuple([replace(text, product=product) for text in release.texts]))
        for release in releases
    ]


def test_rules_of_a_dialect_join_actions_with_what_they_were() -> None:
    middle = MIDDLE.replace("serve cup", "serve brew").replace("brew <leaf>\n  Puts", "x\n  Puts")
    site = build(*with_rules(texts("2.2", middle), texts("3.0", NEW)))
    assert row(site["samovar/2.2/guide/2.html"], "serve-brew")[1:] == [
        "as action: 3.0>../../3.0/guide/4.html#action.brew"
    ]
    assert row(site["samovar/3.0/guide/4.html"], "action.brew")[1:] == [
        "as keyword: 2.2>../../2.2/guide/2.html#serve-brew"
    ]


def test_the_action_of_its_own_name_is_nearer_to_a_rule() -> None:
    rules = "serve brew <leaf>\nserve steep <leaf>\n"
    middle = MIDDLE.replace("serve cup <number>\n", rules).replace("brew <leaf>\n  P", "x\n  P")
    new = NEW.replace("cup <number>", "steep <leaf>\n  Waits.\n\n  Usable in:  TEA Mrn| Non\n"
                      "                   X |  -\n\ncup <number>")
    site = build(*with_rules(texts("2.2", middle), texts("3.0", new)))
    assert row(site["samovar/2.2/guide/2.html"], "serve-brew")[1:] == [
        "as action: 3.0>../../3.0/guide/4.html#action.brew"
    ]


def test_an_entry_on_the_page_of_the_switch_needs_no_links() -> None:
    other = OLD.replace("whistle\n", "hiss\n")
    site = build(texts("2.0", OLD), texts("2.2", OLD), texts("3.0", other))
    assert row(site["samovar/2.2/guide/1.html"], "boil") == ["in all 3 versions"]
    assert row(site["samovar/2.2/guide/1.html"], "whistle") == ["in 2.2 and earlier"]


def test_the_whole_document_has_no_rows(site: dict[str, str]) -> None:
    assert soup(site["samovar/2.0/guide.html"]).select(".card .versions, [data-versions]") == []


def test_a_single_release_has_no_switch() -> None:
    site = build(texts("2.0", OLD))
    page = site["samovar/2.0/guide/1.html"]
    assert "versions" not in page
    assert not [path for path in site if "/latest/" in path]


# --- other documents, other titles ----------------------------------------------------

# 2.0: all in one document; 3.0: what the cook does is in the document "cook"
ONE_BOOK = HEAD.format(version="2.0", date="2020/05/01") + """\
1. Keywords of the kettle
-------------------------

boil <time>
  Heats the water for <time> seconds.

1.1. Keywords of milk
---------------------

froth <time>
  Makes foam.

pour <number>
  Pours for so many guests.


2. Feeding the cook
-------------------

Once a day.

"""
TWO_BOOKS = HEAD.format(version="3.0", date="2024/05/01") + """\
1. Keywords of the kettle
-------------------------

boil <time>
  Heats the water for <time> seconds.

"""
COOK = HEAD.format(version="3.0", date="2024/05/01") + """\
1. Feeding the cook
-------------------

Twice a day.


2. Keywords of white things
---------------------------

froth <time>
  Makes foam.

pour <number>
  Pours for so many guests.

chill <time>
  Makes ice.

"""


@pytest.fixture(scope="module")
def books() -> dict[str, str]:
    return build(
        texts("2.0", ONE_BOOK), texts("3.0", TWO_BOOKS, ("cook", COOK)),
        url="https://tea.example.org/",
    )


def test_an_entry_that_moved_to_another_document_is_not_gone(books: dict[str, str]) -> None:
    old, new = "samovar/2.0/guide/1.1.html", "samovar/3.0/cook/2.html"
    assert row(books[old], "froth") == row(books[new], "froth") == ["in both versions"]
    assert row(books[new], "chill") == ["in 3.0 only"]


def test_several_entries_of_one_name_are_matched_in_another_document() -> None:
    pot = "pour <pot>\n  Fills a pot.\n\npour <number>"
    site = build(
        texts("2.0", ONE_BOOK.replace("pour <number>", pot)),
        texts("3.0", TWO_BOOKS, ("cook", COOK.replace("pour <number>", pot))),
    )
    page = site["samovar/2.0/guide/1.1.html"]
    entries = [str(entry["id"]) for entry in soup(page).select(".entry")]
    assert entries == ["froth", "pour", "pour.number"]
    assert [row(page, entry) for entry in entries] == [["in both versions"]] * 3


def test_a_section_is_identified_by_its_entries(books: dict[str, str]) -> None:
    old, new = "samovar/2.0/guide/1.1.html", "samovar/3.0/cook/2.html"
    assert switch(books[old])["3.0"] == ("../../3.0/cook/2.html", "long-term")
    assert switch(books[new])["2.0"] == ("../../2.0/guide/1.1.html", "end of life")
    canonical = element(books[old], "link[rel=canonical]")
    assert canonical["href"] == f"https://tea.example.org/{new}"
    assert "url=../../3.0/cook/2.html" in books["samovar/latest/guide/1.1.html"]


def test_a_title_that_one_other_document_has_is_the_section(books: dict[str, str]) -> None:
    there = switch(books["samovar/2.0/guide/2.html"])["3.0"]
    assert there == ("../../3.0/cook/1.html", "long-term")
    back = switch(books["samovar/3.0/cook/1.html"])["2.0"]
    assert back == ("../../2.0/guide/2.html", "end of life")


def test_a_name_in_two_documents_of_a_release_is_two_things() -> None:
    site = build(
        texts("2.0", ONE_BOOK),
        texts("3.0", ONE_BOOK.replace("2.0", "3.0"), ("cook", COOK)),
    )
    assert row(site["samovar/3.0/cook/2.html"], "froth")[0] == "in 3.0 only"
    assert switch(site["samovar/3.0/cook/1.html"])["2.0"] == (
        "../../2.0/index.html", "not in 2.0, nearest: all documents"
    )
    assert switch(site["samovar/2.0/guide/1.1.html"])["3.0"][0] == "../../3.0/guide/1.1.html"


def test_many_releases_are_compared_only_by_names_they_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[str] = []

    def note(document: str, anchor: str, pair: ReleasePair) -> EntryPlace | None:
        compared.append(anchor)
        return matching_entry(document, anchor, pair)

    monkeypatch.setattr("dconv.writers.pages.versions.matching_entry", note)
    count = MAX_LISTED + 10
    pages = build(*[
        texts(f"1.{number}", f"1. Keywords\n-----------\n\nbrew{number} <leaf>\n  Brews it.\n")
        for number in range(count)
    ])
    # links to those that are listed; what is new since the one before, and what is removed
    assert len(compared) <= count * (MAX_LISTED + 2)
    assert "in 1.7 only" in pages["samovar/1.7/guide/1.html"]


# --- banners, canonical, latest -------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("2.2/guide/3.1.html", "No longer maintained. The life of Samovar 2.2 ended in 2025-Q1."
         " The latest release is 3.0, which has no such page; nearest there: 3 Cleaning it."),
        ("2.2/guide/2.html", "No longer maintained. The life of Samovar 2.2 ended in 2025-Q1."
         " The latest release is 3.0."),
    ],
)
def test_banner_of_an_ended_release(site: dict[str, str], path: str, words: str) -> None:
    banner = element(site[f"samovar/{path}"], "p.banner.unmaintained")
    assert " ".join(banner.text.split()) == words


def test_the_control_of_versions_says_that_a_life_is_over(site: dict[str, str]) -> None:
    for path, words in (
        ("2.2/guide/2.html", "Version 2.2 · end of life, choose another"),
        ("2.2/guide.html", "Version 2.2 · end of life, choose another"),
        ("3.0/guide/2.html", "Version 3.0, choose another"),
    ):
        assert element(site[f"samovar/{path}"], "summary.version").text == words


def test_dates_have_one_form_for_people_and_machines() -> None:
    records = (RECORDS[0], replace(RECORDS[1], end="2025-03-31"), RECORDS[2])
    product = replace(PRODUCT, releases=records)
    files = build(*(
        replace(
            release, texts=tuple([replace(text, product=product) for text in release.texts])
        )
        for release in THREE
    ), date="2026-01-31")

    def dates(path: str, place: str) -> list[tuple[str, str]]:
        times = soup(files[path]).select(f"{place} time")
        return [(str(time["datetime"]), time.text) for time in times]

    assert dates("index.html", ".cards") == [("2024-05-01", "2024-05-01")]
    assert dates("samovar/index.html", "table.releases") == [
        (date, date) for date in (
            "2024-05-01", "2029", "2022-05-01", "2025-03-31", "2020-05-01", "2024-03"
        )
    ]
    assert dates("samovar/3.0/guide/index.html", ".edition") == [("2024-05-01", "2024/05/01")]
    assert " ended on 2025-03-31. " in element(files["samovar/2.2/guide/2.html"], ".banner").text
    assert " ended in 2024-03. " in element(files["samovar/2.0/guide/2.html"], ".banner").text


def test_banners_depend_on_the_day_alone() -> None:
    early = build(*THREE, date="2023-01-31")
    assert element(early["samovar/2.2/guide/2.html"], "p.banner.older").text == (
        "There is a newer version: 3.0."
    )
    link = element(early["samovar/2.2/guide/2.html"], "p.banner a")
    assert link["href"] == "../../3.0/guide/2.html"
    # without a day it is that of the newest text: 2024/05/01
    assert build(*THREE) == build(*THREE, date="2024-05-01")
    assert build(*THREE) != early
    assert not soup(early["samovar/3.0/guide/2.html"]).select("p.banner")


def test_a_development_version_is_never_the_latest() -> None:
    site = build(*THREE, texts("3.1-dev2", NEW.replace("3.0", "3.1-dev2")))
    page = site["samovar/3.1-dev2/guide/2.html"]
    assert " ".join(element(page, "p.banner.development").text.split()) == (
        "Development version. Samovar 3.1-dev2 is not released yet. The latest release is 3.0."
    )
    assert list(switch(page)) == ["3.1-dev2", "3.0", "2.2", "2.0"]
    assert "url=../../3.0/guide/2.html" in site["samovar/latest/guide/2.html"]


def test_canonical_is_the_latest_counterpart(site: dict[str, str]) -> None:
    def canonical(path: str) -> str:
        return str(element(site[f"samovar/{path}"], "link[rel=canonical]")["href"])

    base = "https://tea.example.org/docs/samovar"
    assert canonical("2.0/guide/1.html") == f"{base}/3.0/guide/2.html"
    assert canonical("2.0/guide.html") == f"{base}/3.0/guide.html"
    assert canonical("3.0/guide/2.html") == f"{base}/3.0/guide/2.html"
    # a page that the latest release does not have
    assert canonical("2.2/guide/3.1.html") == f"{base}/2.2/guide/3.1.html"
    bare = build(*THREE)
    link = element(bare["samovar/2.0/guide/1.html"], "link[rel=canonical]")
    assert link["href"] == "../../3.0/guide/2.html"
    assert not soup(bare["samovar/3.0/guide/2.html"]).select("link[rel=canonical]")


def test_latest_redirects_from_every_page_of_any_release(site: dict[str, str]) -> None:
    def target(path: str) -> str:
        page = site[f"samovar/latest/{path}"]
        script = element(page, "script[data-to]")
        href = str(script["data-to"])
        assert str(element(page, "a")["href"]) == href
        assert str(element(page, "meta[http-equiv=refresh]")["content"]) == f"0; url={href}"
        return href

    assert target("index.html") == "../3.0/index.html"
    assert target("guide.html") == "../3.0/guide.html"
    assert target("guide/keywords.html") == "../../3.0/guide/keywords.html"
    assert target("guide/4.html") == "../../3.0/guide/4.html"
    assert target("guide/3.1.html") == "../../3.0/guide/3.html"  # only 2.2 has it
    names = {path.removeprefix("samovar/latest/") for path in site if "/latest/" in path}
    newest = {
        path.removeprefix("samovar/3.0/")
        for path in site if path.startswith("samovar/3.0/") and path.endswith(".html")
    }
    assert names > newest
    assert element(site["samovar/latest/guide/4.html"], "link[rel=canonical]")["href"] == (
        "https://tea.example.org/docs/samovar/3.0/guide/4.html"
    )


def test_latest_of_a_single_release_if_the_site_asks_for_it() -> None:
    site = build(texts("2.0", OLD), latest=True)
    assert "url=../../2.0/guide/1.html" in site["samovar/latest/guide/1.html"]


def test_a_release_called_latest_keeps_its_pages() -> None:
    site = build(texts("latest", NEW), texts("2.0", OLD))
    assert "refresh" not in site["samovar/latest/guide/1.html"]


def test_the_home_of_a_product_lists_its_releases(site: dict[str, str]) -> None:
    for path in ("samovar/index.html", "index.html"):
        rows = soup(site[path]).select("table.releases tbody tr")
        cells = [[cell.text for cell in row.find_all(["th", "td"])][:4] for row in rows]
        assert cells == [
            ["3.0 latest", "long-term", "2024-05-01", "2029"],
            ["2.2", "end of life", "2022-05-01", "2025-Q1"],
            ["2.0", "end of life", "2020-05-01", "2024-03"],
        ]
    assert element(site["samovar/index.html"], "th a")["href"] == "3.0/index.html"
    assert element(site["samovar/2.0/guide/1.html"], "header p a")["href"] == "../../index.html"


def test_the_list_of_releases_has_no_empty_columns() -> None:
    unlisted = replace(PRODUCT, releases=())

    def heads(*statuses: ReleaseStatus | Literal[""]) -> list[str]:
        releases = [
            ReleaseTexts(
                "samovar", "Samovar", f"{number}.0", status,
                (SourceText(NEW.encode(), "guide.txt", unlisted, GUIDE, Origin("guide.txt")),),
            )
            for number, status in enumerate(statuses, 2)
        ]
        page = soup(build(*releases)["samovar/index.html"])
        return [head.text for head in page.select("table.releases thead th")]

    assert heads("", "") == ["Version", "Guide"]
    assert heads("", "stable") == ["Version", "Status", "Guide"]


def test_versions_that_are_over_are_folded(site: dict[str, str]) -> None:
    page = soup(site["samovar/index.html"])
    tables = page.select("table.releases")
    assert [[head.text for head in table.select("tbody th a")] for table in tables] == [
        ["3.0"], ["2.2", "2.0"],
    ]
    folded = page.select_one("details.unmaintained")
    assert folded is not None
    assert folded.summary is not None
    assert folded.summary.text == "2 versions no longer maintained: 2.2, 2.0"
    assert tables[0].find_parent("details") is None
    assert tables[1].find_parent("details") is folded


def test_the_table_of_releases_has_a_column_for_each_document() -> None:
    page = soup(build(*THREE[::2], date="2021-01-01")["samovar/index.html"])
    rows = page.select("table.releases tbody tr")
    cells = [[cell.text for cell in row.select("td.document")] for row in rows]
    assert cells == [["Guide 3.0", "Lid 3.0"], ["Guide 2.0", "none"]]


def news(page: str) -> dict[str, list[str]]:
    """What is new on the home of a document: the figures, and the links of names."""
    terms = soup(page).select(".news dt")
    entries = soup(page).select(".news dd")
    return {
        term.text: [str(link["href"]) for link in entry.find_all("a")]
        for term, entry in zip(terms, entries, strict=True)
    }


def test_the_home_of_a_manual_lists_what_is_new(site: dict[str, str]) -> None:
    assert news(site["samovar/3.0/guide/index.html"]) == {
        "2 added": ["2.html#whistle", "4.html#action.cup"],
        "1 removed": ["../../2.2/guide/2.html#serve-cup"],
    }
    assert news(site["samovar/2.2/guide/index.html"]) == {
        "1 removed": ["../../2.0/guide/1.html#whistle"],  # "serve cup" is a part of "serve" there
    }
    assert news(site["samovar/2.0/guide/index.html"]) == {}
    assert news(site["samovar/3.0/lid/index.html"]) == {}
    assert element(site["samovar/3.0/guide/index.html"], ".news h2").text == "New in 3.0 since 2.2"


def test_what_is_deprecated_now_is_news_once() -> None:
    deprecated = MIDDLE.replace("boil <time>", "boil <time> (deprecated)")
    files = build(texts("2.4", deprecated), texts("2.3", deprecated), texts("2.2", MIDDLE))
    assert news(files["samovar/2.4/guide/index.html"]) == {}
    assert news(files["samovar/2.3/guide/index.html"]) == {"1 deprecated": ["2.html#boil"]}


def test_few_of_many_news_are_named() -> None:
    more = "".join(f"steep{letter}\n  Waits.\n\n" for letter in "abcdefg")
    text = MIDDLE.replace("serve cup", f"{more}serve cup")
    page = build(texts("2.4", text), texts("2.2", MIDDLE))["samovar/2.4/guide/index.html"]
    assert news(page) == {"7 added": [f"2.html#steep{letter}" for letter in "abcde"]}
    assert element(page, ".news dd").text.endswith(", …")


# --- what a release changed ----------------------------------------------------------


@pytest.fixture(scope="module")
def changed() -> dict[str, str]:
    return build(*THREE, date="2026-01-31", changes=True)


def rows(page: str, group: str) -> dict[str, str]:
    """The names of a group of changes with their links."""
    links = soup(page).select(f'[aria-labelledby="-{group}"] li > a')
    return {link.text: str(link["href"]) for link in links}


def test_a_release_lists_what_it_changed(changed: dict[str, str]) -> None:
    page = changed["samovar/3.0/changes.html"]
    assert element(page, "h1").text == "Changes from 2.2 to 3.0"
    assert rows(page, "added") == {
        "whistle": "guide/2.html#whistle", "cup": "guide/4.html#action.cup",
    }
    assert rows(page, "sections") == {
        "Lids": "lid/1.html#1", "Actions": "guide/4.html#4", "Polishing": "guide/5.html#5",
        "Cleaning it": "guide/3.html#3", "Descaling": "../2.2/guide/3.1.html#3.1",
    }


def test_homes_link_to_the_changes(changed: dict[str, str]) -> None:
    release, manual = changed["samovar/3.0/index.html"], changed["samovar/3.0/guide/index.html"]
    assert element(release, 'main > p a[href="changes.html"]').text == "What changed since 2.2"
    assert element(manual, '.news a[href="../changes.html"]').text == "All changes"


def test_each_page_of_a_release_leads_to_its_changes_without_scripts(
    changed: dict[str, str]
) -> None:
    page = changed["samovar/3.0/guide/2.html"]
    assert element(page, '.versions a[href="../changes.html"]').text == "What changed since 2.2"


def test_the_oldest_release_changed_nothing(changed: dict[str, str]) -> None:
    assert "samovar/2.0/changes.html" not in changed
    assert "changes.html" not in changed["samovar/2.0/index.html"]
    assert switch(changed["samovar/3.0/changes.html"]) == {
        "3.0": ("../3.0/changes.html", "long-term"),
        "2.2": ("../2.2/changes.html", "end of life"),
        "2.0": ("../2.0/index.html", "not in 2.0, nearest: all documents"),
    }


def test_latest_redirects_to_the_changes_of_the_latest_release(changed: dict[str, str]) -> None:
    assert element(changed["samovar/latest/changes.html"], "a")["href"] == "../3.0/changes.html"


def test_a_document_called_changes_keeps_its_page() -> None:
    new = texts("3.0", NEW, ("changes", "Notes\n\n1. Lids\n-------\n\nText.\n"))
    site = build(texts("2.0", OLD), new, changes=True)
    assert element(site["samovar/3.0/changes.html"], "body")["class"] == ["single-page"]
    assert "What changed" not in site["samovar/3.0/index.html"]


def test_removed_sections_of_one_title_lead_to_their_own_pages() -> None:
    lids = "Lids\n----\n\nText.\n\n"
    notes = [("notes", f"Notes\n=====\n\n{text}Steam\n-----\n\nText.\n") for text in (lids * 2, "")]
    site = build(texts("3.0", NEW, notes[1]), texts("2.0", OLD, notes[0]), changes=True)
    page = soup(site["samovar/3.0/changes.html"])
    assert [link["href"] for link in page.select('li > a[href^="../2.0/notes/Lids"]')] == [
        "../2.0/notes/Lids.html#Lids", "../2.0/notes/Lids-2.html#Lids-2",
    ]


def test_pages_of_changes_are_off_by_default(site: dict[str, str]) -> None:
    assert not [path for path in site if path.endswith("changes.html")]


def test_the_first_page_begins_with_the_search(site: dict[str, str]) -> None:
    page = soup(site["index.html"])
    controls = page.select("a.search")
    assert len(controls) == 1
    assert controls[0].find_parent("main") is not None
    assert controls[0]["href"] == "samovar/3.0/guide/keywords.html"
    span = controls[0].span
    assert span is not None
    assert span.text == "Search Samovar 3.0"


def test_the_proof_holds_with_rows_of_versions(site: dict[str, str]) -> None:
    proof = json.loads(site["samovar/2.2/guide/proof.json"])
    assert proof["lines"]["total"] == proof["lines"]["accounted"]


# --- texts of another release -----------------------------------------------------------


def test_a_manual_without_a_date_has_no_day() -> None:
    manual: Manual = read_text(
        SourceText(b"1. One\n------\n\nText.\n", "x.txt", PRODUCT, GUIDE, Origin("x"))
    )
    assert newest_date([manual]) == ""


@pytest.mark.parametrize(
    ("header", "version", "warned"),
    [
        ("2.8", "3.4", True), ("2.8", "2.8", False), ("3.4", "3.4.1", False),
        ("3.4", "3.4-dev5", False), ("3.4-dev5", "3.4", False), ("3.4", "3.40", True),
        ("2.8", "debian", False), ("1 & 2", "3.4", False), ("2024", "3.4", False),
    ],
)  # fmt: skip
def test_a_text_of_another_release_is_reported(header: str, version: str, warned: bool) -> None:
    place = "guide.txt:5:42: warning: [release-version] "
    message = f"{place}the text says {header}, the release is {version}"
    assert _other_release("Samovar", header, version) == [message] * warned


@pytest.mark.parametrize(
    ("title", "product", "name"),
    [
        ("Manual", "The samovar", "manual"), ("S A - M o v a r", "SaMovar", "x"),
        ("Samovar2 guide", "Samovar", "x"), ("The brass_samovar", "Samovar of brass", "samovar"),
        ("Guide", "Tea", "reference-manual"),  # which is below it
    ],
)
def test_a_text_has_the_name_of_its_product(title: str, product: str, name: str) -> None:
    assert len(_other_release(title, "2.8", "3.4", product, name)) == 1


@pytest.mark.parametrize(
    ("title", "product", "name"),
    [("Category guide", "Go", "go"), ("Samovars", "Samovar", "samovar"), ("Guide", "", "guide")],
)
def test_a_name_within_a_word_is_none(title: str, product: str, name: str) -> None:
    assert _other_release(title, "2.8", "3.4", product, name) == []


def test_a_protocol_beside_the_manual_has_a_version_of_its_own() -> None:
    assert _other_release("The teatime protocol", "1.0", "3.4") == []


def _other_release(
    title: str, header: str, version: str, product: str = "Samovar", name: str = "samovar"
) -> list[str]:
    head = HEAD.replace("Samovar", title).format(version=header, date="2020/05/01")
    text = SourceText(head.encode(), "guide.txt", PRODUCT, GUIDE, Origin("guide.txt"))
    texts = ReleaseTexts(name, product, version, "", (text,))
    return [str(finding) for finding in check_stated_version(texts, [read_text(text)])]


def test_pages_of_many_releases_link_to_the_newest_and_to_those_around_their_own() -> None:
    without_brew = OLD.replace("brew", "stew")
    many = build(*(
        texts(f"1.{number}", without_brew if number in (20, 40, 58) else OLD)
        for number in range(60)
    ))
    page = many["samovar/1.25/guide/1.html"]
    listed = (*range(59, 44, -1), *range(32, 17, -1))
    assert list(switch(page)) == [f"1.{number}" for number in listed]
    assert element(page, ".top .versions [aria-current]").text == "1.25"
    assert element(page, ".top .versions p a")["href"] == "../../index.html"
    summary, *lines = row(page, "brew")
    assert summary == "in all versions but 1.58, 1.40, 1.20"
    assert "1.20>../../1.20/guide/1.html" in lines[-1]
    assert list(switch(many["samovar/1.0/guide/1.html"]))[-1] == "1.0"
