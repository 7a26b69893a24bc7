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
from dconv.settings import plain_product
from dconv.writers import inventory
from dconv.writers.pages.page import Release, ReleaseDocument, SiteInfo
from dconv.writers.theme.theme import load

ONE = Span(1, 1)
EDITION = SiteInfo("Manuals", "dconv test", "https://docs.example.org/base/")
SCHEMA = Path(dconv.writers.inventory.__file__).with_name("keywords.schema.json")
# "timeout client std:term 1 configuration/4.2.html#timeout-client -", as Sphinx matches it
LINE = re.compile(r"(.+?)\s+(\S+)\s+(-?\d+)\s+?(\S*)\s+(.*)")
XML = f"{{{inventory.SITEMAP_FORMAT}}}"


def entry(name: str, kind: str, anchor: str, *, negated: bool = False) -> Entry:
    signatures = [Signature(f"{name} <level>", name, "", False, False, False, anchor, ONE)]
    if negated:
        signatures.append(Signature(f"no {name}", name, "", True, False, False, anchor, ONE))
    usages = (
        Usage("sections", (("hall", "yes"), ("attic", "no"), ("cellar", "yes(!)")), ONE),
        Usage("rule sets", (("TCP RqCon", "X"), ("HTTP Req", "-")), ONE),
    )
    return Entry(
        kind, name, tuple(signatures), usages, "Says <what> it does.", False, False, (), anchor,
        ONE,
    )


def manual(name: str, *found: Entry) -> Manual:
    section = Section("2", "All  keywords", "2", 1, found, (), ONE, ONE)
    empty = Section("", "Notes", "Notes", 1, (), (), ONE, ONE)
    header = Header("", "", "", "", "", None)
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
    done = release_files(release, EDITION, load("default"))
    return {path.removeprefix("tools/1.0/"): content for path, content in done.files}


def objects() -> dict[tuple[str, str], tuple[str, str]]:
    """The inventory: role and name to address and title."""
    content = files()["objects.inv"]
    head = content.split(b"\n", 4)
    assert [line.decode() for line in head[:4]] == [
        "# Sphinx inventory version 2", "# Project: Tools", "# Version: 1.0",
        "# The remainder of this file is compressed using zlib.",
    ]
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for line in zlib.decompress(head[4]).decode().splitlines():
        match = LINE.fullmatch(line)
        assert match is not None, line
        name, role, _, uri, title = match.groups()
        assert (role, name) not in found
        found[role, name] = uri, name if title == "-" else title
    return found


# --- names as JSON --------------------------------------------------------------------


def test_the_names_keep_to_the_schema() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(files()["Lamps/keywords.json"]), schema)


def test_a_name_tells_all_about_itself() -> None:
    told = json.loads(files()["Lamps/keywords.json"])
    assert [(one["name"], one["kind"]) for one in told["keywords"]] == [
        ("a b", "lamp keyword"), ("dim", "lamp keyword"), ("dim", "switch")
    ]
    assert told["keywords"][1] == {
        "name": "dim", "kind": "lamp keyword", "document": "Lamps", "section": "2",
        "anchor": "dim", "url": "2.html#dim", "summary": "Says <what> it does.",
        "deprecated": False, "signatures": ["dim <level>", "no dim"],
        "contexts": ["hall", "cellar", "TCP RqCon"],
    }
    assert told["keywords"][0]["url"] == "2.html#%C3%A4-b"


def test_a_document_without_names_has_no_file() -> None:
    assert "notes/keywords.json" not in files()


# --- the inventory --------------------------------------------------------------------


def test_the_inventory_leads_to_documents_sections_and_names() -> None:
    found = objects()
    assert found["std:doc", "Lamps"] == ("Lamps/index.html", "The lamps")
    assert found["std:label", "lamps"] == ("Lamps/index.html", "The lamps")
    assert found["std:label", "lamps/2"] == ("Lamps/2.html", "2 All keywords")
    assert found["std:label", "notes/notes"] == ("notes/Notes.html", "Notes")
    assert found["std:label", "lamps/switch.dim"] == ("Lamps/2.html#switch.dim", "dim")
    assert found["std:term", "a b"] == ("Lamps/2.html#%C3%A4-b", "a b")
    assert found["tools:switch", "dim"] == ("Lamps/2.html#switch.dim", "dim")
    assert found["tools:lamp-keyword", "dim"] == ("Lamps/2.html#dim", "dim")


def test_a_name_of_two_places_leads_to_its_plain_anchor() -> None:
    assert objects()["std:term", "dim"] == ("Lamps/2.html#dim", "dim")


def test_every_address_is_a_file_of_the_release() -> None:
    made = files()
    for uri, _ in objects().values():
        path, _, fragment = uri.partition("#")
        assert path in made
        assert not fragment or "%" in fragment or f'id="{fragment}"' in made[path].decode()


# --- the sitemap ----------------------------------------------------------------------


def site(site: SiteInfo) -> dict[str, bytes]:
    read = read_manual(b"1. A & B\n--------\n\nText.\n", "a.txt", plain_product(), "a")
    release = Release("tools", "Tools", "1.0", (ReleaseDocument(read, "A"),))
    done = release_files(release, site, load("default"))
    release_cards = [done.release_card]
    return dict(site_files(site, load("default"), [], release_cards, done.addresses, []))


def locations(content: bytes) -> list[str]:
    root = ElementTree.fromstring(content)
    return [str(place.text) for place in root.iter(f"{XML}loc")]


def test_the_sitemap_lists_each_address_once() -> None:
    base = "https://docs.example.org/base"
    assert locations(site(EDITION)["sitemap.xml"]) == [
        f"{base}/index.html", f"{base}/tools/1.0/a.html", f"{base}/tools/1.0/a/1.html",
        f"{base}/tools/1.0/a/index.html", f"{base}/tools/1.0/index.html",
        f"{base}/tools/index.html",
    ]


def test_a_site_without_an_address_has_no_sitemap() -> None:
    assert "sitemap.xml" not in site(SiteInfo("Manuals", "dconv test"))


def test_a_huge_site_has_several_sitemaps() -> None:
    addresses = [f"https://docs.example.org/{number}?a&b" for number in range(50_001)]
    found = dict(inventory.sitemaps(addresses, "https://docs.example.org/"))
    assert locations(found["sitemap.xml"]) == [
        "https://docs.example.org/sitemap-1.xml", "https://docs.example.org/sitemap-2.xml"
    ]
    parts = [locations(found[f"sitemap-{number}.xml"]) for number in (1, 2)]
    assert sorted(parts[0] + parts[1]) == sorted(addresses)


def test_browsers_are_told_how_to_search_a_public_site() -> None:
    assert list(inventory.opensearch("Lamps", "All of them", "")) == []
    title = "Manuals of <lamps> & more"
    ((path, content),) = inventory.opensearch(title, "x" * 2000, "https://a.org/b&c/")
    found = ElementTree.fromstring(content.decode())
    names = {"os": "http://a9.com/-/spec/opensearch/1.1/"}
    assert path == "opensearch.xml"
    assert found.findtext("os:ShortName", None, names) == "Manuals of <lamp"
    assert len(found.findtext("os:Description", "", names)) == 1024
    templates = {one.get("type"): one.get("template") for one in found.findall("os:Url", names)}
    assert templates == {
        "text/html": "https://a.org/b&c/index.html?q={searchTerms}",
        "application/opensearchdescription+xml": "https://a.org/b&c/opensearch.xml",
    }
