"""Documents as EPUB: EPUBCheck accepts them, and a reader finds a name from the index."""

from __future__ import annotations

import base64
import io
import subprocess
import zipfile
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from programs import need

from dconv.cli import main

ROOT = Path(__file__).resolve().parents[2]
XHTML = "{http://www.w3.org/1999/xhtml}"
TYPE = "{http://www.idpf.org/2007/ops}type"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LAMPS = """\
# Lamps

## 4% & more

### %dim

Makes the lamp darker; see [the guide](guide.md#use) and [above](#4--more).

![A lamp](lamp.png) ![A film](lamp.webp)

1. First<br>line
"""
LONG = """\
                        ----------------------
                         HAProxy
                         Configuration Manual
                        ----------------------
                             version 1.2
                             2026/05/17

4.2. Alphabetically sorted keywords reference
---------------------------------------------

""" + "".join([
    f"rope-{number} <length>\n  Sets rope {number}. See \"rope-{number // 2}\".\n\n"
    f"  May be used in sections :   defaults | frontend | listen | backend\n"
    f"                                 yes   |    yes   |   yes  |   no\n\n"
    for number in range(900)
])


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The EPUB files of texts of several formats, by name."""
    texts = tmp_path_factory.mktemp("epub")
    (texts / "lamps.md").write_text(LAMPS)
    (texts / "guide.md").write_text("# Guide\n\n## Use\n\nSwitch it on.\n")
    (texts / "lamp.png").write_bytes(PIXEL)
    (texts / "lamp.webp").write_bytes(b"no image")
    (texts / "bare.txt").write_text("Nothing but a sentence.\n")
    out = texts / "out"
    goldens = [str(ROOT / "tests" / "golden" / name) for name in ("everything.txt", "hostile.txt")]
    assert main(["export", "-q", "--format", "epub", str(texts), "-o", str(out)]) == 0
    for golden in goldens:
        assert main(["export", "-q", "--format", "epub", golden, "-o", str(out)]) == 0
    long = texts / "configuration.txt"
    long.write_text(LONG)
    assert main(["export", "-q", "--format", "epub", str(long), "-o", str(out)]) == 0
    return {path.stem: path.read_bytes() for path in out.glob("*.epub")}


@pytest.mark.slow
def test_epubcheck_accepts_each(books: dict[str, bytes], tmp_path: Path) -> None:
    checker = [need("java"), "-XX:TieredStopAtLevel=1", "-jar", need("epubcheck")]
    assert len(books) == 6
    for name, content in books.items():
        (tmp_path / f"{name}.epub").write_bytes(content)
    command = [*checker, "--failonwarnings", "--quiet"]
    for name in books:
        checked = subprocess.run(
            [*command, str(tmp_path / f"{name}.epub")], capture_output=True, check=False, text=True
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr


def pages(book: bytes) -> dict[str, ElementTree.Element]:
    """The pages of a book, by name."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return {
            name.removeprefix("EPUB/"): ElementTree.fromstring(archive.read(name))
            for name in archive.namelist() if name.endswith(".xhtml")
        }


def links(page: ElementTree.Element) -> dict[str, str]:
    """The words of the links of a page, with their addresses."""
    return {
        "".join(link.itertext()): link.get("href", "") for link in page.iter(f"{XHTML}a")
    }


def test_a_reader_finds_an_entry_from_the_index(books: dict[str, bytes]) -> None:
    book = pages(books["configuration"])
    assert len(book) > 4  # a long section is in several files
    file, _, identity = links(book["names.xhtml"])["rope-777"].partition("#")
    found = [node for node in book[file].iter() if node.get("id") == identity]
    assert ["Sets rope 777." in "".join(node.itertext()) for node in found] == [True]
    other = links(found[0])["rope-388"]
    target = pages(books["configuration"])[urlsplit(other).path or file]
    assert [node for node in target.iter() if node.get("id") == unquote(urlsplit(other).fragment)]
    assert list(links(book["nav.xhtml"])).count(
        "4.2 Alphabetically sorted keywords reference"
    ) == 1
    kinds = [nav.get(TYPE) for nav in book["nav.xhtml"].iter(f"{XHTML}nav")]
    assert kinds == ["toc", "landmarks"]


def test_images_are_inside_and_links_outside_are_words(books: dict[str, bytes]) -> None:
    book = pages(books["lamps"])
    text = book["chapter-1.xhtml"]
    assert [image.get("src") for image in text.iter(f"{XHTML}img")] == ["images/lamp.png"]
    assert "A film" in "".join(text.itertext())
    assert links(text)["the guide"] == ""
    with zipfile.ZipFile(io.BytesIO(books["lamps"])) as archive:
        assert archive.read("EPUB/images/lamp.png") == PIXEL
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)


def test_the_metadata_say_what_it_is(books: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(books["configuration"])) as archive:
        package = archive.read("EPUB/package.opf").decode()
    assert "<dc:title>HAProxy 1.2: Configuration Manual</dc:title>" in package
    assert '<meta property="dcterms:modified">2026-05-17T00:00:00Z</meta>' in package
    assert '<meta property="schema:accessMode">textual</meta>' in package
