"""Docsets: what Zeal asks of one finds a name first, and each place is there."""

from __future__ import annotations

import io
import plistlib
import re
import sqlite3
import subprocess
import tarfile
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from selectolax.lexbor import LexborHTMLParser

from dconv.cli import main

SHOWCASE = Path(__file__).resolve().parents[1] / "showcase" / "texts"
SITE = """\
[site]
title = "Manuals"
url = "https://www.example.org/docs"
exports = ["docset"]

[[product]]
name = "haproxy"

[[product.release]]
version = "3.4"
source = { path = "texts" }
"""
# as Zeal searches, lists the types of a docset, and lists what else is on a page
SEARCH = (
    "SELECT name, type, path, '', zealScore(?, name) as score FROM searchIndex"
    " WHERE score > 0 ORDER BY score DESC"
)
COUNT = "SELECT type, COUNT(*) FROM searchIndex GROUP BY type"
RELATED = "SELECT name, type, path FROM searchIndex WHERE path LIKE ? AND path <> ?"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release of a built site with a docset."""
    folder = tmp_path_factory.mktemp("docset")
    (folder / "texts").mkdir()
    for name in ("configuration.txt", "management.txt"):
        text = (SHOWCASE / name).read_text("utf-8").replace("@VERSION@", "3.4")
        (folder / "texts" / name).write_text(text, "utf-8")
    (folder / "site.toml").write_text(SITE)
    assert main(["build", "-q", "--site", str(folder / "site.toml"), "--jobs", "1"]) == 0
    return folder / "public" / "haproxy" / "3.4"


@pytest.fixture(scope="module")
def docset(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The docset, unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    # Python extracts without a warning only from 3.11.4 on
    subprocess.run(["tar", "-xzf", release / "haproxy.docset.tgz", "-C", folder], check=True)
    return folder / "haproxy.docset"


def score(needle: str, name: str) -> int:
    """How well a name fits, as Zeal counts where it is all of it or a part."""
    needle, name = needle.casefold(), name.casefold()
    return 200 - len(name) + len(needle) if needle in name else 0


@pytest.fixture(scope="module")
def database(docset: Path) -> sqlite3.Connection:
    """The names, as Zeal opens them."""
    connection = sqlite3.connect(docset / "Contents" / "Resources" / "docSet.dsidx")
    connection.create_function("zealScore", 2, score)
    return connection


def test_a_search_has_the_name_first(database: sqlite3.Connection) -> None:
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    for query in ("timeout letter", "answer-with", "show lamps"):
        name, kind, path, _, _ = database.execute(SEARCH, [query]).fetchone()
        assert name == query
        assert kind in ("Directive", "Command")
        page, _, anchor = path.partition("#")
        assert anchor
        assert database.execute(RELATED, [f"{page}%", page]).fetchall()
    kinds = dict(database.execute(COUNT).fetchall())
    assert {"Directive", "Command", "Section", "Guide", "Modifier"} <= {*kinds}
    assert kinds["Guide"] == 2


def test_each_place_is_there(docset: Path, database: sqlite3.Connection) -> None:
    documents = docset / "Contents" / "Resources" / "Documents"
    identities = {
        path.relative_to(documents).as_posix(): {
            node.attributes["id"] for node in
            LexborHTMLParser(path.read_text("utf-8")).css("[id]")
        }
        for path in documents.rglob("*.html")
    }
    places = [path for (path,) in database.execute("SELECT path FROM searchIndex")]
    for file, html in ((path, path.read_text("utf-8")) for path in documents.rglob("*.html")):
        folder = file.relative_to(documents).parent
        places += [
            (f"{file.relative_to(documents)}{href}" if href[0] == "#" else str(folder / href))
            for href in re.findall(r' href="([^":]+)"', html) if not href.endswith(".css")
        ]
    assert len(places) > 150
    for place in places:
        file_name, _, anchor = place.partition("#")
        normal = re.sub(r"[^/]+/\.\./", "", file_name)
        assert normal in identities, place
        assert not anchor or unquote(anchor.replace("&amp;", "&")) in identities[normal], place


def test_a_page_has_contents(docset: Path, database: sqlite3.Connection) -> None:
    (path,) = database.execute(
        "SELECT path FROM searchIndex WHERE name = 'timeout letter'"
    ).fetchone()
    file = docset / "Contents" / "Resources" / "Documents" / path.partition("#")[0]
    page = LexborHTMLParser(file.read_text("utf-8"))
    names = [node.attributes["name"] for node in page.css("a.dashAnchor")]
    assert "//apple_ref/cpp/Directive/timeout%20letter" in names
    assert (names[0] or "").startswith("//apple_ref/cpp/Section/")


def test_readers_know_what_it_is(docset: Path, release: Path) -> None:
    info = plistlib.loads((docset / "Contents" / "Info.plist").read_bytes())
    assert info["isDashDocset"] is True
    assert (docset / "Contents" / "Resources" / "Documents" / info["dashIndexFilePath"]).is_file()
    for name, size in (("icon.png", 16), ("icon@2x.png", 32)):
        image = (docset / name).read_bytes()
        assert image.startswith(b"\x89PNG")
        assert int.from_bytes(image[16:20]) == size
    feed = ElementTree.fromstring((release / "haproxy.docset.xml").read_text())
    assert feed.tag == "entry"
    assert (feed.findtext("version") or "").startswith("3.4/")
    assert feed.findtext("url") == (
        "https://www.example.org/docs/haproxy/3.4/haproxy.docset.tgz"
    )
    home = LexborHTMLParser((release / "index.html").read_text("utf-8"))
    assert [link.attributes["href"] for link in home.css(".downloads a")] == ["haproxy.docset.tgz"]


def test_a_text_is_a_docset_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "kettle.txt").write_text("1. Heat\n-------\n\nHeats.\n")
    command = ["export", "-q", "--format", "docset", str(tmp_path / "kettle.txt"), "-o"]
    assert main([*command, str(tmp_path)]) == 0
    content = (tmp_path / "kettle.docset.tgz").read_bytes()
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        assert {name.partition("/")[0] for name in archive.getnames()} == {"kettle.docset"}
        assert {member.mtime for member in archive} == {315_532_800}
