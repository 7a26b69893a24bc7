"""A release for DevDocs: its three files, as its scraper writes them."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote

import jsonschema
import pytest
from selectolax.lexbor import LexborHTMLParser

from dconv.cli import main

SHOWCASE = Path(__file__).resolve().parents[1] / "showcase" / "texts"
TEXT = {"type": "string", "minLength": 1}
# what Docs::EntryIndex, Docs::PageDb and Docs::Doc of DevDocs write
SCHEMAS: dict[str, dict[str, object]] = {
    "index.json": {
        "type": "object", "required": ["entries", "types"], "additionalProperties": False,
        "properties": {
            "entries": {"type": "array", "minItems": 1, "items": {
                "type": "object", "required": ["name", "path", "type"],
                "additionalProperties": False,
                "properties": {"name": TEXT, "path": TEXT, "type": TEXT},
            }},
            "types": {"type": "array", "minItems": 1, "items": {
                "type": "object", "required": ["name", "count", "slug"],
                "additionalProperties": False,
                "properties": {
                    "name": TEXT, "count": {"type": "integer", "minimum": 1},
                    "slug": {"type": "string", "pattern": "^[a-z0-9_-]+$"},
                },
            }},
        },
    },
    "db.json": {"type": "object", "required": ["index"], "additionalProperties": TEXT},
    "meta.json": {
        "type": "object", "required": ["name", "slug", "type", "mtime", "db_size"],
        "additionalProperties": False,
        "properties": {
            "name": TEXT, "slug": {"type": "string", "pattern": "^[a-z0-9_]+(~[a-z0-9_.]+)?$"},
            "type": {"const": "simple"}, "version": TEXT, "release": TEXT,
            "links": {"type": "object", "additionalProperties": TEXT},
            "mtime": {"type": "integer"}, "db_size": {"type": "integer", "minimum": 1},
        },
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a release, by name."""
    folder = tmp_path_factory.mktemp("devdocs")
    (folder / "texts").mkdir()
    for name in ("configuration.txt", "management.txt"):
        text = (SHOWCASE / name).read_text("utf-8").replace("@VERSION@", "3.4")
        (folder / "texts" / name).write_text(text, "utf-8")
    command = ["export", "-q", "--format", "devdocs", str(folder / "texts"), "-o", str(folder)]
    assert main(command) == 0
    found: dict[str, bytes] = {}
    with tarfile.open(folder / "haproxy.devdocs.tar.gz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            found[member.name] = file.read()
    return found


def test_the_files_have_the_form_of_the_scraper(parts: dict[str, bytes]) -> None:
    assert {*parts} == {*SCHEMAS}
    for name, content in parts.items():
        jsonschema.validate(json.loads(content), SCHEMAS[name])
    meta = json.loads(parts["meta.json"])
    assert (meta["slug"], meta["db_size"]) == ("haproxy~3.4", len(parts["db.json"]))


def test_each_entry_and_link_has_its_place(parts: dict[str, bytes]) -> None:
    pages = json.loads(parts["db.json"])
    index = json.loads(parts["index.json"])
    trees = {path: LexborHTMLParser(html) for path, html in pages.items()}
    identities = {
        path: {node.attributes["id"] for node in tree.css("[id]")} for path, tree in trees.items()
    }
    places = [entry["path"] for entry in index["entries"]]
    for path, tree in trees.items():
        for link in tree.css("a[href]"):
            href = link.attributes["href"] or ""
            if ":" not in href:
                file, _, anchor = href.partition("#")
                file = normpath(f"{dirname(path)}/{file}").lstrip("/") if file else path
                places.append(f"{file}#{anchor}" if anchor else file)
    assert len(places) > 150
    for place in places:
        path, _, anchor = place.partition("#")
        assert path in identities, place
        assert not anchor or unquote(anchor) in identities[path], place


def test_names_are_sorted_and_counted(parts: dict[str, bytes]) -> None:
    index = json.loads(parts["index.json"])
    names = [entry["name"].lower() for entry in index["entries"]]
    assert names == sorted(names)
    kinds = [entry["type"] for entry in index["entries"]]
    for kind in index["types"]:
        assert kinds.count(kind["name"]) == kind["count"]
    assert {"name": "timeout letter", "path": "configuration/3.2#timeout-letter",
            "type": "Proxy keyword"} in index["entries"]
