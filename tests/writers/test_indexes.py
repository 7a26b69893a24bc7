"""The indexes of a manual: rows, letters, anchors, pages of kinds, links to them."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup, Tag
from release_pages import release_pages

from dconv.build.read import read_manual
from dconv.build.render import release_files
from dconv.model.dialect import Dialect
from dconv.model.source import read_source
from dconv.model.tree import (
    Cell,
    Definition,
    Definitions,
    Entry,
    Flow,
    Header,
    Manual,
    Paragraph,
    Row,
    Section,
    Signature,
    Span,
    Table,
    Term,
    Text,
)
from dconv.readers.text.filters.filtered import FilteredText
from dconv.readers.text.tree_builder import build_tree
from dconv.settings.manual import load_product
from dconv.sources.resources import resource_folder
from dconv.writers.pages.names import defined_names
from dconv.writers.pages.page import Page, Release, ReleaseDocument, SiteInfo
from dconv.writers.theme.theme import load

SPAN = Span(1, 1)
SITE_INFO = SiteInfo("Manuals", "dconv test", "https://docs.example.org")


def entry(
    name: str, kind: str = "lamp keyword", anchor: str = "", *, more: tuple[str, ...] = (),
    deprecated: bool = False, body: tuple[Flow, ...] = (), summary: str = "Says what it does.",
) -> Entry:
    """An entry with the signature `name` and those of the names in `more`."""
    signatures = tuple(
        Signature(f"{form} <level>", SPAN, form, deprecated=deprecated, anchor=place)
        for form, place in [(name, anchor or name), *((form, form) for form in more)]
    )
    return Entry(
        kind, name, signatures, (), summary, deprecated, False, body, anchor or name, SPAN
    )


def cells(*texts: str) -> tuple[Cell, ...]:
    return tuple(Cell((Text(text),)) for text in texts)


def table(*rows: Row, kind: str = "grid") -> Table:
    return Table("ruled", (), rows, 2, (), (), SPAN, "matrix" if kind == "matrix" else "data")


def section(number: str, title: str, *body: Entry | Flow) -> Section:
    return Section(number, title, number or title, 1, body, (), SPAN, SPAN)


def manual(*parts: Section) -> Manual:
    header = Header()
    return Manual("lamps", read_source(b"x\n", "x"), header, (), (), None, parts, None, ())


def pages(manual: Manual) -> dict[str, Page]:
    release = Release("tools", "Tools", "1.0", (ReleaseDocument(manual, "Lamps"),))
    folder = "tools/1.0/"
    return {page.path.removeprefix(folder): page for page in release_pages(release, SITE_INFO)}


def names(page: Page) -> list[str]:
    return [row.name for letter in page.letters for row in letter.rows]


def anchors_of(page: Page) -> list[str]:
    return [row.anchor for letter in page.letters for row in letter.rows]


SAMPLE = manual(
    section("1", "Matrix", table(kind="matrix")),
    section(
        "2", "Keywords", entry("dim", more=("dim slowly",)), entry("bright"),
        entry("option night", anchor="option-night", deprecated=True),
    ),
    section("3", "Switches", entry("dim", "switch", "switch.dim"), entry("2way", "switch")),
    section(
        "", "Flags", table(Row(cells("", "%o", "on or off", "Z"), SPAN, "o", "flag", "flag.o"))
    ),
)


def test_a_manual_without_names_has_no_indexes() -> None:
    index_pages = pages(manual(section("1", "Nothing")))
    assert not [path for path in index_pages if "keywords" in path or "index-" in path]
    assert index_pages["lamps/index.html"].index is None
    assert "entry-points" not in index_pages["lamps/index.html"].body


def test_all_names_stand_from_a_to_z() -> None:
    page = pages(SAMPLE)["lamps/keywords.html"]
    assert page.kind == "index"
    assert [letter.title for letter in page.letters] == ["0–9", "B", "D", "N", "O"]
    assert names(page) == [
        "2way", "bright", "dim", "dim", "dim slowly", "night", "%o", "option night"
    ]


def test_a_name_has_a_row_for_each_place_and_the_first_has_its_anchor() -> None:
    page = pages(SAMPLE)["lamps/keywords.html"]
    rows = [row for letter in page.letters for row in letter.rows if row.name == "dim"]
    assert [(row.anchor, row.href, row.kind, row.section) for row in rows] == [
        ("dim", "2.html#dim", "lamp keyword", "2"),
        ("switch.dim", "3.html#switch.dim", "switch", "3"),
    ]


def test_a_short_name_tells_its_whole_form() -> None:
    page = pages(SAMPLE)["lamps/keywords.html"]
    (row,) = (row for letter in page.letters for row in letter.rows if row.name == "night")
    assert (row.full_name, row.href) == ("option night", "2.html#option-night")
    assert row.deprecated


def test_items_are_listed_with_their_mark() -> None:
    page = pages(SAMPLE)["lamps/keywords.html"]
    (row,) = (row for letter in page.letters for row in letter.rows if row.kind == "flag")
    assert (row.name, row.section, row.summary) == ("%o", "Flags", "on or off")
    assert row.href == "Flags.html#flag.o"


def test_each_kind_has_a_page() -> None:
    index_pages = pages(SAMPLE)
    assert names(index_pages["lamps/index-switch.html"]) == ["2way", "dim"]
    assert names(index_pages["lamps/index-flag.html"]) == ["%o"]
    assert "night" not in names(index_pages["lamps/index-lamp-keyword.html"])
    links = index_pages["lamps/index-switch.html"].indexes
    assert [(link.title, link.href, link.count, link.current) for link in links] == [
        ("A–Z", "keywords.html", 7, False),
        ("Flag", "index-flag.html", 1, False),
        ("Lamp keyword", "index-lamp-keyword.html", 4, False),
        ("Switch", "index-switch.html", 2, True),
    ]


def test_every_page_of_the_manual_leads_to_the_names() -> None:
    index_pages = pages(SAMPLE)
    for path, page in index_pages.items():
        if page.kind != "release":
            assert page.index is not None
            assert page.index.href == ("lamps/" if path == "lamps.html" else "") + "keywords.html"


def test_the_home_has_entry_points() -> None:
    home = BeautifulSoup(pages(SAMPLE)["lamps/index.html"].title_block, "html.parser")
    entry_points = home.find("nav", class_="entry-points")
    assert isinstance(entry_points, Tag)
    assert [str(link["href"]) for link in entry_points.find_all("a")] == [
        "keywords.html", "1.html", "../lamps.html", "index-flag.html", "index-lamp-keyword.html",
        "index-switch.html",
    ]


def test_anchors_are_unique_and_never_a_themes() -> None:
    odd = [
        entry("-main", anchor="cli.-main"), entry("-main", "b", "-main"), entry("-", anchor="-"),
        entry("a b", anchor="a-b"), entry("a-b", anchor="a-b-2"), entry("%", anchor="x25"),
        entry("é", anchor="é"), entry("letter-a"),
    ]
    page = pages(manual(section("1", "Odd", *odd)))["lamps/keywords.html"]
    all_anchors = [*anchors_of(page), *(letter.anchor for letter in page.letters)]
    assert len(all_anchors) == len(set(all_anchors)) == len(odd) + len(page.letters)
    assert not [anchor for anchor in anchors_of(page) if anchor.startswith("-")]


def test_a_section_called_like_an_index_gives_way() -> None:
    files = pages(manual(section("", "keywords", entry("dim")), section("", "index-lamp-keyword")))
    assert files["lamps/keywords.html"].kind == "index"
    assert files["lamps/keywords-2.html"].kind == "section"
    assert files["lamps/index-lamp-keyword-2.html"].kind == "section"


def test_kinds_that_a_file_cannot_be_called_after() -> None:
    odd = [entry("a", "x/y"), entry("b", "x y"), entry("c", "x-y"), entry("d", "é"), entry("e", "")]
    index_pages = pages(manual(section("1", "Odd", *odd)))
    assert {path for path in index_pages if "index-" in path} == {
        "lamps/index-x-y.html", "lamps/index-x-y-2.html", "lamps/index-x-y-3.html",
        "lamps/index-other.html",
    }
    assert len(names(index_pages["lamps/keywords.html"])) == 5


def test_terms_are_listed_with_the_first_sentence() -> None:
    def flag(*body: Flow, anchor: str = "flag.f") -> Definitions:
        term = Term((Text("-f"),), "-f", "flag", anchor, 1)
        return Definitions((Definition("", (term,), ":", body, SPAN),), SPAN)

    terms = defined_names(manual(section(
        "1", "Flags", flag(Paragraph((Text("Goes on. And on."),), SPAN)), flag(table()),
        flag(anchor=""), flag(Paragraph((Text("word " * 100),), SPAN)),
    )))
    assert [name.summary[:9] for name in terms] == ["Goes on.", "", "", "word word"]
    assert terms[3].summary.endswith("word…")
    assert len(terms[3].summary) <= 240
    page = pages(manual(section("1", "Flags", flag(anchor=""))))["lamps/keywords.html"]
    assert page.letters[0].rows[0].href == "1.html"


def test_the_page_reads_without_scripts() -> None:
    html = load("default").render(pages(SAMPLE)["lamps/keywords.html"]).decode()
    soup = BeautifulSoup(html, "html.parser")
    row = soup.find(id="dim")
    assert isinstance(row, Tag)
    assert row.get_text(" ", strip=True) == "dim lamp keyword 2 Says what it does."
    strip = soup.find("nav", class_="letters")
    assert isinstance(strip, Tag)
    for link in strip.find_all("a"):
        assert soup.find(id=str(link["href"])[1:]) is not None


def test_names_are_escaped() -> None:
    listed = entry("<b>&\"x", anchor="x", summary="<script>1</script>")
    html = load("default").render(pages(manual(section("1", "A", listed)))["lamps/keywords.html"])
    assert b"&lt;script&gt;1" in html
    assert b"<b>&" not in html


def test_the_indexes_leave_the_proof_alone() -> None:
    product = load_product(resource_folder("manuals") / "haproxy")
    text = b"4.2. Alphabetically sorted keywords reference\n----\n\ndim <n>\n  Makes it darker.\n"
    read = read_manual(text, "x.txt", product, "configuration")
    release = Release("tools", "Tools", "1.0", (ReleaseDocument(read, "X", proof="told"),))
    files = release_files(release, SITE_INFO, load("default"))
    assert [proof.losses for proof in files.proofs] == [()]


@pytest.mark.parametrize("text", ["", "x", "1. A\n----\n"])
def test_any_text_has_pages(text: str) -> None:
    source = read_source(text.encode(), "x")
    assert pages(build_tree(FilteredText(source, Dialect()), "lamps"))
