"""Names as JSON, the inventory for Sphinx, the sitemap.

The inventory is read by a reader of our own, with the pattern that Sphinx reads it with.
"""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import jsonschema

import dconv.writers.inventory
from dconv.build.read import read_manual
from dconv.build.render import release_files, site_files
from dconv.model.source import read_source
from dconv.model.tree import Entry, Header, Manual, Section, Signature, Span, Usage
from dconv.settings.manual import default_product
from dconv.writers import inventory
from dconv.writers.pages.page import Release, ReleaseDocument, SiteInfo
from dconv.writers.theme.theme import load

SPAN = Span(1, 1)
SITE_INFO = SiteInfo("Manuals", "dconv test", "https://docs.example.org/base/")
SCHEMA = Path(dconv.writers.inventory.__file__).with_name("keywords.schema.json")
# "timeout client std:term 1 configuration/4.2.html#timeout-client -", as Sphinx matches it
INVENTORY_LINE = re.compile(r"(.+?)\s+(\S+)\s+(-?\d+)\s+?(\S*)\s+(.*)")
XML = f"{{{inventory.SITEMAP_NAMESPACE}}}"


def entry(name: str, kind: str, anchor: str, *, negated: bool = False) -> Entry:
    signatures = [Signature(f"{name} <level>", SPAN, name, anchor=anchor)]
    if negated:
        signatures.append(Signature(f"no {name}", SPAN, name, negated=True, anchor=anchor))
    usages = (
        Usage("sections", (("hall", "yes"), ("attic", "no"), ("cellar", "yes(!)")), SPAN),
        Usage("rule sets", (("TCP RqCon", "X"), ("HTTP Req", "-")), SPAN),
    )
    return Entry(
        kind, name, tuple(signatures), usages, "Says <what> it does.", False, False, (), anchor,
        SPAN,
    )


def manual(name: str, *entries: Entry) -> Manual:
    section = Section("2", "All  keywords", "2", 1, entries, (), SPAN, SPAN)
    empty = Section("", "Notes", "Notes", 1, (), (), SPAN, SPAN)
    header = Header()
    return Manual(
        name, read_source(b"x\n", "x"), header, (), (), None, (section, empty), None, ()
    )


def files() -> dict[str, bytes]:
    """The files of a release with two documents, by path below it."""
    lamps = manual(
        "Lamps", entry("dim", "switch", "switch.dim"),
        entry("dim", "lamp keyword", "dim", negated=True), entry("a b", "lamp keyword", "ä-b"),
    )
    notes = manual("notes")
    release = Release(
        "tools", "Tools", "1.0",
        (ReleaseDocument(lamps, "The lamps"), ReleaseDocument(notes, "Notes")),
    )
    release_output = release_files(release, SITE_INFO, load("default"))
    return {path.removeprefix("tools/1.0/"): content for path, content in release_output.files}


def objects() -> dict[tuple[str, str], tuple[str, str]]:
    """The inventory: role and name to address and title."""
    content = files()["objects.inv"]
    head = content.split(b"\n", 4)
    assert [line.decode() for line in head[:4]] == [
        "# Sphinx inventory version 2", "# Project: Tools", "# Version: 1.0",
        "# The remainder of this file is compressed using zlib.",
    ]
    locations: dict[tuple[str, str], tuple[str, str]] = {}
    for line in zlib.decompress(head[4]).decode().splitlines():
        match = INVENTORY_LINE.fullmatch(line)
        assert match is not None, line
        name, role, _, uri, title = match.groups()
        assert (role, name) not in locations
        locations[role, name] = uri, name if title == "-" else title
    return locations


# --- names as JSON --------------------------------------------------------------------


def test_the_names_keep_to_the_schema() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(files()["Lamps/keywords.json"]), schema)


def test_a_name_tells_all_about_itself() -> None:
    dumped = json.loads(files()["Lamps/keywords.json"])
    assert [(keyword["name"], keyword["kind"]) for keyword in dumped["keywords"]] == [
        ("a b", "lamp keyword"), ("dim", "lamp keyword"), ("dim", "switch")
    ]
    assert dumped["keywords"][1] == {
        "name": "dim", "kind": "lamp keyword", "document": "Lamps", "section": "2",
        "anchor": "dim", "url": "2.html#dim", "summary": "Says <what> it does.",
        "deprecated": False, "signatures": ["dim <level>", "no dim"],
        "contexts": ["hall", "cellar", "TCP RqCon"], "named_only": ["cellar"],
    }
    assert dumped["keywords"][0]["url"] == "2.html#%C3%A4-b"


def test_a_document_without_names_has_no_file() -> None:
    assert "notes/keywords.json" not in files()


# --- the inventory --------------------------------------------------------------------


def test_the_inventory_leads_to_documents_sections_and_names() -> None:
    locations = objects()
    assert locations["std:doc", "Lamps"] == ("Lamps/index.html", "The lamps")
    assert locations["std:label", "lamps"] == ("Lamps/index.html", "The lamps")
    assert locations["std:label", "lamps/2"] == ("Lamps/2.html", "2 All keywords")
    assert locations["std:label", "notes/notes"] == ("notes/Notes.html", "Notes")
    assert locations["std:label", "lamps/switch.dim"] == ("Lamps/2.html#switch.dim", "dim")
    assert locations["std:term", "a b"] == ("Lamps/2.html#%C3%A4-b", "a b")
    assert locations["tools:switch", "dim"] == ("Lamps/2.html#switch.dim", "dim")
    assert locations["tools:lamp-keyword", "dim"] == ("Lamps/2.html#dim", "dim")


def test_a_name_of_two_places_leads_to_its_plain_anchor() -> None:
    assert objects()["std:term", "dim"] == ("Lamps/2.html#dim", "dim")


def test_every_address_is_a_file_of_the_release() -> None:
    contents = files()
    for uri, _ in objects().values():
        path, _, fragment = uri.partition("#")
        assert path in contents
        assert not fragment or "%" in fragment or f'id="{fragment}"' in contents[path].decode()


# --- the sitemap ----------------------------------------------------------------------


def site(site: SiteInfo) -> dict[str, bytes]:
    read = read_manual(b"1. A & B\n--------\n\nText.\n", "a.txt", default_product(), "a")
    release = Release("tools", "Tools", "1.0", (ReleaseDocument(read, "A"),))
    release_output = release_files(release, site, load("default"))
    release_cards, entries = [release_output.release_card], release_output.sitemap_entries
    return dict(site_files(site, load("default"), [], release_cards, entries, []))


def locations(content: bytes) -> list[str]:
    root = ElementTree.fromstring(content)
    return [str(place.text) for place in root.iter(f"{XML}loc")]


def test_the_sitemap_lists_each_address_once() -> None:
    base = "https://docs.example.org/base"
    assert locations(site(SITE_INFO)["sitemap.xml"]) == [
        f"{base}/index.html", f"{base}/tools/1.0/a.html", f"{base}/tools/1.0/a/1.html",
        f"{base}/tools/1.0/a/index.html", f"{base}/tools/1.0/index.html",
        f"{base}/tools/index.html",
    ]


def test_a_site_without_an_address_has_no_sitemap() -> None:
    assert "sitemap.xml" not in site(SiteInfo("Manuals", "dconv test"))


def test_a_huge_site_has_several_sitemaps() -> None:
    addresses = [(f"https://docs.example.org/{number}?a&b", "") for number in range(50_001)]
    sitemaps = dict(inventory.sitemaps(addresses, "https://docs.example.org/"))
    assert locations(sitemaps["sitemap.xml"]) == [
        "https://docs.example.org/sitemap-1.xml", "https://docs.example.org/sitemap-2.xml"
    ]
    parts = [locations(sitemaps[f"sitemap-{number}.xml"]) for number in (1, 2)]
    assert sorted(parts[0] + parts[1]) == sorted(address for address, _ in addresses)


def test_the_sitemap_has_the_dates_of_texts() -> None:
    pages = [("https://a.org/b", "2026-06-03"), ("https://a.org/b", "2025-01-01"),
             ("https://a.org/a", "")]
    ((_, content),) = inventory.sitemaps(pages, "https://a.org/")
    places = [
        [(part.tag.removeprefix(XML), part.text) for part in place]
        for place in ElementTree.fromstring(content)
    ]
    assert places == [
        [("loc", "https://a.org/a")], [("loc", "https://a.org/b"), ("lastmod", "2026-06-03")],
    ]


def test_browsers_are_told_how_to_search_a_public_site() -> None:
    assert list(inventory.opensearch("Lamps", "All of them", "")) == []
    title = "Manuals of <lamps> & more"
    ((path, content),) = inventory.opensearch(title, "x" * 2000, "https://a.org/b&c/")
    root = ElementTree.fromstring(content.decode())
    names = {"os": "http://a9.com/-/spec/opensearch/1.1/"}
    assert path == "opensearch.xml"
    assert root.findtext("os:ShortName", None, names) == "Manuals of <lamp"
    assert len(root.findtext("os:Description", "", names)) == 1024
    templates = {url.get("type"): url.get("template") for url in root.findall("os:Url", names)}
    assert templates == {
        "text/html": "https://a.org/b&c/index.html?q={searchTerms}",
        "application/opensearchdescription+xml": "https://a.org/b&c/opensearch.xml",
    }
