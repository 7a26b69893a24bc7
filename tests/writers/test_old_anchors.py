"""The anchors of haproxy-dconv on the single page: each leads where it led.

What that program writes, a model of it says (tests/haproxy_dconv.py), which reads the
raw text and shares nothing with dconv.  Where a link arrives, the written page says:
at the first element with that id, else at the first `<a>` with that name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import haproxy_dconv
import html5lib
import pytest
from markupsafe import Markup
from release_pages import release_pages

from dconv.build.read import read_release
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.html.marks import with_marks
from dconv.writers.legacy.old_anchors import keyword
from dconv.writers.pages.page import Page, Release, SiteInfo

RELEASES = ("1.5", "1.8", "2.0", "2.4", "2.6", "2.8", "3.0", "3.2", "3.4")
SITE_INFO = SiteInfo("Manuals", "dconv test")
LAMPS = """\
                              -------------
                                  Lamps
                           Configuration Manual
                              -------------
                               version 1.0


Summary
-------

1.    All of them
1.1.      Global lamps
1.2.      Lamps (in rooms)
2.    Options & more


1. All of them
--------------

This is said of lamps
where

  a lamp hangs.

1.1. Global lamps
-----------------

dim <level>
  Dims all lamps.

  Example :
      dim 3

night-switch
no night-switch
  Switches them on at night. See "dim".

1.2. Lamps in rooms
-------------------

dim <level>
  Dims one.

option quiet [ <room> ]
no option quiet [ <room> ]
  May be used in sections :   hall | attic
                              yes  |  no
  Dims none.

  See also : "night-switch"

base32+src
  A name with a sign.

lamp.hdr([<name>]) : string
  A name with arguments.

summary <x>
top
  Words that the page has itself.

2. Options & more
-----------------

lamp        colour
-----------+-----------
shade       [ red ]
bulb        [ white ]
-----------+-----------

Capitals
  This is no name of old.

five words are too many
  Nor is this.

section 1.1
  Nor this, which is a link.

paint wall blue <x>
  This is one.
"""


@pytest.fixture(scope="module")
def haproxy() -> Product:
    return load_product(resource_folder("manuals") / "haproxy")


def release(product: Product, version: str, texts: dict[str, bytes]) -> Release:
    source_texts = tuple(
        SourceText(
            texts[document.name], document.file, product, document, Origin("a text")
        )
        for document in product.documents if document.name in texts
    )
    wanted = ReleaseTexts("haproxy", "HAProxy", version, "", source_texts)
    return read_release(wanted, lambda step: None)


def single_pages(release: Release) -> dict[str, Page]:
    """The single pages, by the name of their document."""
    return {
        Path(page.path).stem: replace(page, body=Markup(with_marks(page.body.encode())))
        for page in release_pages(release, SITE_INFO) if page.kind == "single-page"
    }


# --- where links arrive ---------------------------------------------------------------

# the marks of the proof, entries, lines of syntax, places
MARK = re.compile(
    r"<!--text (?P<first>\d+)-(?P<last>\d+)-->|(?P<end></section>|<!--/text-->)"
    r"|<(?P<tag>\w+)(?P<attributes>(?: [\w-]+(?:=\"[^\"]*\")?)*)>"
)
ATTRIBUTE = re.compile(r" ([\w-]+)=\"([^\"]*)\"")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an element is: the lines of the text around it, and the entry, from 1."""

    first: int = 0
    last: int = 0
    entry: int = 0


@dataclass(slots=True)
class Arrivals:
    """Where ids and names lead, and the entry of each line of syntax."""

    ids: dict[str, Place] = field(default_factory=dict)
    names: dict[str, Place] = field(default_factory=dict)
    entries: dict[int, int] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)

    def at(self, anchor: str) -> Place | None:
        """Where a browser goes for `anchor`."""
        return self.ids.get(anchor) or self.names.get(anchor)


def arrivals(body: str) -> Arrivals:
    parser = Arrivals()
    place = Place()
    count = start = 0
    for match in MARK.finditer(body):
        if match["first"]:
            place = Place(int(match["first"]), int(match["last"]))
        elif match["end"]:
            inside = match["end"] == "</section>"
            place = Place(place.first, place.last) if inside else Place()
        else:
            attributes = {name: plain(value) for name, value in ATTRIBUTE.findall(match[0])}
            if match["tag"] == "section":
                count += 1
                place = Place(place.first, place.last, count)
            if attributes.get("class") == "signature":
                line = start + int(attributes["data-lines"].partition("-")[0])
                parser.entries[line] = place.entry
            start = int(attributes.get("data-from", start))
            for key, table in (("id", parser.ids), ("name", parser.names)):
                if key in attributes:
                    if parser.at(attributes[key]):
                        parser.twice.append(attributes[key])
                    table.setdefault(attributes[key], place)
    return parser


def plain(value: str) -> str:
    for name, character in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("amp", "&")):
        value = value.replace(f"&{name};", character)
    return value


def check(content: bytes, page: Page) -> int:
    """Every anchor of the old page of `content` points to the same on `page`; how many."""
    anchors = arrivals(str(page.body))
    assert not anchors.twice
    links = {plain(link) for link in re.findall(r'<a [^>]*?href="#([^"]*)"', str(page.body))}
    assert links <= anchors.ids.keys()
    old: dict[str, int] = {}
    for anchor in haproxy_dconv.anchors(content):
        old.setdefault(anchor.name, anchor.line)
    wrong: list[str] = []
    for name, line in old.items():
        place = anchors.at(name)
        if name == "top":
            assert place is None  # so that it is the page's
        elif place is None:
            wrong.append(f"{name}: nowhere")
        elif name not in ("bottom", "summary", "chapter-summary"):
            if not place.first <= line <= place.last:
                wrong.append(f"{name}: line {line} is not in {place}")
            elif place.entry != anchors.entries.get(line, place.entry):
                wrong.append(f"{name}: another entry than that of line {line}")
    assert not wrong
    return len(old)


@lru_cache(maxsize=1)
def lamps() -> tuple[Release, Page]:
    product = load_product(resource_folder("manuals") / "haproxy")
    lamp_release = release(product, "1.0", {"configuration": LAMPS.encode()})
    return lamp_release, single_pages(lamp_release)["configuration"]


# --- forms ----------------------------------------------------------------------------


def test_every_form_leads_to_its_place() -> None:
    _, page = lamps()
    assert check(LAMPS.encode(), page) > 80


@pytest.mark.parametrize(
    ("anchor", "same"),
    [
        ("chapter-1.2", "1.2"),
        ("1-dim", "dim"),
        ("1.1-dim", "dim"),
        ("dim (All of them)", "dim"),
        ("dim (Global lamps)", "dim"),
        ("dim (Lamps (in rooms))", "1.2-dim"),
        ("option", "1.2-option quiet"),
        ("1-no option", "1.2-no option quiet"),
        ("no", "no night-switch"),
        ("lamp.hdr", "1.2-lamp.hdr"),
        ("1.2-base32+src", "base32+src"),
        ("where", "1"),
        ("paint wall (Options & more)", "2-paint"),
    ],
)
def test_a_form(anchor: str, same: str) -> None:
    anchors = arrivals(str(lamps()[1].body))
    assert anchors.at(anchor) is not None
    assert anchors.at(anchor) == anchors.at(same)


def test_links_of_headings_to_themselves_carry_old_anchors() -> None:
    body = str(lamps()[1].body)
    assert '<a href="#keyword.summary" id=' in body
    links: list[tuple[str, str]] = re.findall(r'<h[2-6][^>]*><a href="#([^"]*)"([^>]*)>', body)
    carrying = [more for _, more in links if more]
    assert len(carrying) > 5
    assert all(re.fullmatch(r'( id="[^"]+")?( name="[^"]+")?', more) for more in carrying)


def test_the_name_in_the_first_signature_carries_an_old_anchor() -> None:
    body = str(lamps()[1].body)
    carrying = re.findall(r'<code class="signature"[^>]*><a( [^>]*)>([^<]+)</a>', body)
    assert len(carrying) > 2
    assert all(re.fullmatch(r'( id="[^"]+")?( name="[^"]+")?', more) for more, _ in carrying)
    assert any(" " in more[1:] for more, _ in carrying)
    anchors = arrivals(body)
    for more, word in carrying:
        assert all(anchors.at(plain(name)) for name in re.findall('"([^"]+)"', more)), word


def test_what_was_no_anchor_is_none() -> None:
    anchors = arrivals(str(lamps()[1].body))
    capital, long = "Capitals (Options & more)", "2-five words are too"
    for name in (capital, "five words", long, "2-section", "shade"):
        assert anchors.at(name) is None, name


def test_names_of_the_page_itself_stay_its_own() -> None:
    body = str(lamps()[1].body)
    anchors = arrivals(body)
    assert anchors.at("1.2-summary") and anchors.at("1.2-summary") != anchors.at("summary")
    assert anchors.at("top") is None
    assert body.endswith('<a id="bottom"></a>')


def test_links_keep_to_the_anchors_of_now() -> None:
    body = str(lamps()[1].body)
    summary = arrivals(body).at("1.2-summary")
    assert summary is not None and summary.entry
    assert 'href="#keyword.summary"' in body and 'href="#summary"' not in body


def test_the_page_is_valid() -> None:
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    parser.parseFragment(str(lamps()[1].body))


def test_only_documents_that_were_published_have_old_anchors(haproxy: Product) -> None:
    page = single_pages(release(haproxy, "1.0", {"peers": LAMPS.encode()}))["peers"]
    assert "<a name=" not in page.body and not page.old_anchors


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("option httplog", "option httplog"), ("dim <level>", "dim"), ("dim [x]", "dim"),
        ("dim /<level>", "dim"), ("dim level <x>", "dim level"), ("dim(<x>) : integer", "dim"),
        ("dim: x", ""), ("dim Level", ""), ("Dim", ""), ("dim (deprecated)", "dim"),
        ("dim <x> (deprecated)", "dim"), ("a b c d", "a b c d"), ("a b c d e", ""), ("-----", ""),
        ("see section 2", ""), ("section 2", ""), ("dim <x> section 2", "dim"), ("%o", ""),
    ],
)  # fmt: skip
def test_what_a_line_defined(line: str, name: str) -> None:
    assert keyword(line) == name


# --- real manuals ---------------------------------------------------------------------


@pytest.mark.parametrize("version", [
    "3.4", *(pytest.param(version, marks=pytest.mark.slow) for version in RELEASES[:-1])
])
def test_every_old_anchor_of_a_release_resolves(
    corpus: Path, haproxy: Product, version: str
) -> None:
    folder = corpus / "haproxy" / version
    if not folder.is_dir():
        pytest.skip(f"release {version} is not in the corpus")
    names = haproxy.old_links.documents
    texts = {
        document.name: (folder / document.file).read_bytes()
        for document in haproxy.documents
        if document.name in names and (folder / document.file).exists()
    }
    pages = single_pages(release(haproxy, version, texts))
    total = sum(check(texts[name], pages[name]) for name in texts)
    assert total > 3000
