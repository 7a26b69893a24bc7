"""A release cut into pages, and pages rendered: names, links, ids, proof, themes."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import html5lib
import jsonschema
import pytest
from bs4 import BeautifulSoup, Tag
from programs import need
from release_pages import release_pages

from dconv.model.dialect import Dialect, EntryRule
from dconv.model.origin import Origin
from dconv.model.source import read_source
from dconv.model.tree import (
    BlockQuote,
    ContentsLine,
    Entry,
    Header,
    Heading,
    Manual,
    Paragraph,
    Reference,
    Section,
    Signature,
    Span,
    Target,
    Text,
)
from dconv.proof.coverage import check_single_page, verify
from dconv.readers.text.filters.filtered import FilteredText
from dconv.readers.text.tree_builder import build_tree
from dconv.settings.manual import load_product
from dconv.sources.resources import resource_folder
from dconv.writers.html import marks
from dconv.writers.pages.filenames import PROOF
from dconv.writers.pages.overview import release_card, site_home
from dconv.writers.pages.page import Page, Release, ReleaseDocument, SiteInfo
from dconv.writers.pages.single_page import MIN_PAUSE_INTERVAL, PAUSE
from dconv.writers.theme.theme import Theme, load
from dconv.writers.theme.theme_folder import ThemeError

ROOT = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("DCONV_CORPUS", ROOT.parent / "shared" / "corpus"))
SITE_INFO = SiteInfo("Manuals", "dconv test", "https://docs.example.org/base/")
ORIGIN = Origin("tool-1.0.tar.gz", "https://www.example.org/tool-1.0.tar.gz", "2026-01-31", "ab12")
SPAN = Span(1, 1)

TOOL = """\
                               --------------
                                    Tool
                              Reference Manual
                               --------------
                                 version 1.0
                                 2026/01/31

This manual says what the tool does. It is short on purpose.

Summary
-------

1.    First Steps.
1.1.      How to begin
2.    The other things
3.    Gone


1. First steps
--------------

Read "section 1.1" before all. <file> is a file & nothing else.

1.1. How to start
-----------------

  - one
  - two

     $ tool --version
     1.0

2. The other things
-------------------

Example :

    tool "<script>alert(1)</script>"

"""


def read(text: str, name: str = "tool", dialect: Dialect | None = None) -> Manual:
    source = read_source(text.encode(), f"{name}.txt")
    return build_tree(FilteredText(source, dialect or Dialect()), name)


def release(*manuals: Manual, status: str = "") -> Release:
    documents = tuple(
        ReleaseDocument(
            manual, f"The {manual.name}", "About it", ORIGIN, "9 lines in, 9 accounted for"
        )
        for manual in manuals
    )
    return Release("tools", "Tools", "1.0", documents, status)


def section(
    title: str, anchor: str, *blocks: Entry | Paragraph | Heading | BlockQuote, number: str = "",
    level: int = 1, below: tuple[Section, ...] = (),
) -> Section:
    return Section(number, title, anchor, level, blocks, below, SPAN, Span(1, 2))


def manual(*parts: Section, name: str = "tool", preface: tuple[Paragraph, ...] = ()) -> Manual:
    return Manual(
        name, read_source(b"x\ny\n", "x"), Header(), preface, (), None,
        parts, None, (),
    )


def entry(name: str, *body: Paragraph, anchor: str = "") -> Entry:
    anchor = anchor or name
    signatures = (Signature(name, SPAN, name, anchor=anchor),)
    return Entry("keyword", name, signatures, (), "", False, False, body, anchor, SPAN)


def to(document: str, anchor: str) -> Paragraph:
    reference = Reference("x", "x", 1, 1, (Target(document, anchor),))
    return Paragraph((Text("to "), reference), SPAN)


def paths(release: Release) -> list[str]:
    return [page.path for page in release_pages(release, SITE_INFO)]


def page(release: Release, path: str) -> Page:
    return next(page for page in release_pages(release, SITE_INFO) if page.path.endswith(path))


@pytest.fixture(scope="module")
def theme() -> Theme:
    return load("default")


# --- the whole of a site --------------------------------------------------------------


DATA_TYPES = ("application/ld+json", "text/plain")  # of script elements that browsers do not run


def check_site(files: dict[str, str]) -> None:
    """Valid HTML, unique ids, living links inside, nothing inline, no other host."""
    tags = {path: list(_tags(path, text)) for path, text in files.items()}
    ids = {path: _ids(path, page_tags) for path, page_tags in tags.items()}
    for path, page_tags in tags.items():
        for name, attributes in page_tags:
            assert name != "style"
            assert name != "script" or "src" in attributes or attributes["type"] in DATA_TYPES
            assert not [key for key in attributes if key.startswith("on") or key == "style"]
            _check_addresses(path, attributes, ids)


def _tags(path: str, text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The elements of a page with their attributes, as a strict parser reads them."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    root: Element = parser.parse(text)
    assert parser.errors == [], path
    for tag in root.iter():
        if isinstance(tag.tag, str):
            yield tag.tag, dict(tag.attrib)


def _ids(path: str, tags: list[tuple[str, dict[str, str]]]) -> set[str]:
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids)), (path, [x for x, n in Counter(ids).items() if n > 1])
    assert not [identity for identity in ids if re.search(r"\s", identity)]
    return set(ids)


def _check_addresses(path: str, attributes: dict[str, str], ids: dict[str, set[str]]) -> None:
    for name in ("href", "src"):
        if name not in attributes:
            continue
        address = attributes[name]
        if attributes.get("rel") in ("external", "canonical"):
            assert address.startswith(("http://", "https://"))
            continue
        if attributes.get("rel") == "icon":
            assert address.startswith("data:image/svg+xml,")
            continue
        assert not re.match(r"[a-z]+:|/", address), (path, address)
        file, _, fragment = address.partition("#")
        target = normpath(join(dirname(path), file)) if file else path
        if target.startswith("static/") or target.endswith((f"/{PROOF}", "opensearch.xml")):
            continue  # the theme and the pipeline write them, see tests/build
        assert target in ids, (path, address)
        assert not fragment or unquote(fragment) in ids[target], (path, address)


def render(release: Release, theme: Theme) -> dict[str, str]:
    files = {
        page.path: marks.without_marks(theme.render(page)).decode()
        for page in release_pages(release, SITE_INFO)
    }
    home = site_home(SITE_INFO, [release_card(release)])
    files[home.path] = theme.render(home).decode()
    return files


def marked(release: Release, theme: Theme) -> dict[str, str]:
    """The pages that the proof reads."""
    return {
        page.path: marks.with_marks(theme.render(page))
        for page in release_pages(release, SITE_INFO)
        if page.kind in ("manual", "section", "single-page")
    }


def test_a_site_is_whole(theme: Theme) -> None:
    files = render(release(read(TOOL), status="stable"), theme)
    assert sorted(files) == [
        "index.html", "tools/1.0/index.html", "tools/1.0/tool.html", "tools/1.0/tool/1.1.html",
        "tools/1.0/tool/1.html", "tools/1.0/tool/2.html", "tools/1.0/tool/index.html",
    ]
    check_site(files)
    assert "<script>alert" not in "".join(files.values())


def test_every_page_says_what_it_is(theme: Theme) -> None:
    shown = render(release(read(TOOL)), theme)["tools/1.0/tool/1.1.html"]
    soup = BeautifulSoup(shown, "html.parser")
    assert soup.title is not None
    assert soup.title.string == "1.1 How to start - The tool - Tools 1.0"
    assert shown.startswith('<!doctype html>\n<html lang="en">')
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in shown
    assert '<meta name="viewport"' in shown
    graph = {tag["property"]: tag["content"] for tag in soup.select("meta[property]")}
    assert graph["og:title"] == soup.title.string
    assert graph["og:type"] == "article"
    assert graph["og:url"] == "https://docs.example.org/base/tools/1.0/tool/1.1.html"
    assert f'name="description" content="{graph["og:description"]}"' in shown
    assert 'rel="canonical" href="https://docs.example.org/base/tools/1.0/tool/1.1.html"' in shown
    assert [link.get_text(" ", strip=True) for link in soup.select(".crumbs a")] == [
        "Manuals", "Tools 1.0", "The tool", "1 First steps",
    ]
    assert "Source: tool.txt. " in soup.select("footer p")[0].text
    assert "dconv test" in shown
    assert [str(link["href"]) for link in soup.select(".pager a")] == ["1.html", "2.html"]


ADDRESS = {"type": "string", "pattern": "^https://docs\\.example\\.org/base/.+\\.html$"}
NAME = {"type": "string", "minLength": 1}
# what schema.org and those who read it ask of an article and of the pages above it
STRUCTURED_DATA = {
    "type": "object", "required": ["@context", "@graph"], "additionalProperties": False,
    "properties": {
        "@context": {"const": "https://schema.org"},
        "@graph": {"type": "array", "prefixItems": [
            {
                "required": ["@type", "headline", "description", "url"],
                "properties": {
                    "@type": {"enum": ["TechArticle", "WebPage"]}, "headline": NAME, "url": ADDRESS,
                    "description": NAME,
                    "dateModified": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
                    "about": {"properties": {"@type": {"const": "SoftwareApplication"}}},
                },
            },
            {
                "required": ["@type", "itemListElement"],
                "properties": {
                    "@type": {"const": "BreadcrumbList"},
                    "itemListElement": {"type": "array", "minItems": 1, "items": {
                        "required": ["@type", "position", "name", "item"],
                        "properties": {"position": {"minimum": 1}, "name": NAME, "item": ADDRESS},
                    }},
                },
            },
        ], "items": False},
    },
}


def test_search_engines_are_told_what_a_page_is(theme: Theme) -> None:
    files = render(release(read(TOOL)), theme)
    for shown in files.values():
        data = BeautifulSoup(shown, "html.parser").select("script[type='application/ld+json']")
        assert len(data) == 1
        jsonschema.validate(json.loads(data[0].text), STRUCTURED_DATA)
    data = BeautifulSoup(files["tools/1.0/tool/1.1.html"], "html.parser").select(
        "script[type='application/ld+json']"
    )
    article, trail = json.loads(data[0].text)["@graph"]
    assert (article["@type"], article["headline"]) == ("TechArticle", "1.1 How to start")
    assert article["dateModified"] == "2026-01-31"
    assert article["about"] == {
        "@type": "SoftwareApplication", "name": "Tools", "softwareVersion": "1.0"
    }
    base = "https://docs.example.org/base"
    assert [(place["name"], place["item"]) for place in trail["itemListElement"]] == [
        ("Manuals", f"{base}/index.html"), ("Tools 1.0", f"{base}/tools/1.0/index.html"),
        ("The tool", f"{base}/tools/1.0/tool/index.html"),
        ("1 First steps", f"{base}/tools/1.0/tool/1.html"),
    ]
    home = site_home(replace(SITE_INFO, title="</script><!-- & naïve"), [])
    shown = theme.render(home).decode()
    assert "</script><!--" not in shown
    data = BeautifulSoup(shown, "html.parser").select("script[type='application/ld+json']")
    assert json.loads(data[0].text)["@graph"][0]["headline"] == "</script><!-- & naïve"
    assert "ld+json" not in theme.render(site_home(replace(SITE_INFO, url=""), [])).decode()


def test_a_page_with_few_other_characters_is_ascii(theme: Theme) -> None:
    for title, is_ascii in (("Naïve", True), ("東" * 1000, False)):
        shown = theme.render(site_home(replace(SITE_INFO, title=title), []))
        assert shown.isascii() is is_ascii
        assert title in BeautifulSoup(shown, "html.parser").get_text()


def test_sections_load_the_sheet_of_rare_parts_where_they_have_some(theme: Theme) -> None:
    quotation = BlockQuote((to("tool", "below"),), SPAN)
    parts = (
        section("Above", "above", below=(section("Below", "below", to("tool", "above"), level=2),)),
        section("Quoted", "quoted", quotation),
    )
    pages = {page.heading: theme.render(page) for page in release_pages(
        release(manual(*parts)), SITE_INFO) if page.kind == "section"}
    loading = {title for title, content in pages.items() if b"static/rare-parts." in content}
    assert pages.keys() - loading == {"Below"}
    assert not any(b"static/lists." in content for content in pages.values())


def test_the_footer_names_the_source_lines_and_links_to_reports(theme: Theme) -> None:
    line_url = "https://www.example.org/{file}?at={first}-{last}"
    sample = release(read(TOOL))
    document = replace(
        sample.documents[0], origin=replace(ORIGIN, line_url=line_url),
        report_url="mailto:a@example.org?subject={place}&body={address}%0A{section},{line},{file}",
    )
    files = render(replace(sample, documents=(document,)), theme)

    def foot(path: str) -> list[str]:
        soup = BeautifulSoup(files[f"tools/1.0/{path}"], "html.parser")
        return [str(link["href"]) for link in soup.select("footer a")]

    assert foot("tool/1.html") == [
        "https://www.example.org/tool.txt?at=19-22",
        "index.html#-origin",
        "mailto:a@example.org?subject=Tools%201.0%2C%20tool.txt%2C%20section%201"
        "&body=https%3A%2F%2Fdocs.example.org%2Fbase%2Ftools%2F1.0%2Ftool%2F1.html"
        "%0A1,19,tool.txt",
    ]
    assert foot("tool.html") == [
        ORIGIN.url,
        "mailto:a@example.org?subject=Tools%201.0%2C%20tool.txt"
        "&body=https%3A%2F%2Fdocs.example.org%2Fbase%2Ftools%2F1.0%2Ftool.html%0A,1,tool.txt",
        "tool/proof.json",
    ]
    plain = BeautifulSoup(render(sample, theme)["tools/1.0/tool/1.html"], "html.parser")
    assert plain.select("footer p")[0].text == "Source: tool.txt. Origin and proof."
    assert "Report" not in plain.text


def test_the_home_of_a_manual_shows_header_and_contents(theme: Theme) -> None:
    home = page(release(read(TOOL)), "tool/index.html")
    html = marks.with_marks((home.title_block + home.body).encode())
    soup = BeautifulSoup(html, "html.parser")
    assert soup.h1 is not None
    assert soup.h1.get_text() == "Tool Reference Manual"
    shown = soup.get_text(" ", strip=True)
    for words in ("Version 1.0", "2026/01/31", "It is short on purpose", "Summary"):
        assert words in shown
    other = soup.find(attrs={"data-lines": "14"})
    assert isinstance(other, Tag)
    assert other.get_text() == "1.1 How to begin"
    alike = soup.find(attrs={"data-lines": "13"})
    assert isinstance(alike, Tag)
    assert alike.get_text() == "1 First Steps."
    assert [item.get_text() for item in soup.select(".contents details li")] == ["1.1 How to begin"]
    gone = soup.find(attrs={"data-lines": "16"})
    assert isinstance(gone, Tag)
    assert gone.get_text() == "3 Gone"
    assert [title.get_text() for title in soup.find_all("h2")] == ["Summary", "Preface"]
    assert shown.index("2 The other things") < shown.index("It is short on purpose")


def test_nothing_is_lost(theme: Theme) -> None:
    tool = read(TOOL)
    files = marked(release(tool), theme)
    section_pages = [files[f"tools/1.0/tool/{name}.html"] for name in ("index", "1", "1.1", "2")]
    single_page = files["tools/1.0/tool.html"]
    proof = verify(tool, "1.0", section_pages)
    assert proof.losses == ()
    assert verify(tool, "1.0", [single_page]).losses == ()
    assert check_single_page(proof, tool.source, single_page, section_pages) is proof


def test_a_text_without_sections_stands_on_its_home(theme: Theme) -> None:
    plain = read("Just a line.\n\nAnd another.\n", "plain")
    files = render(release(plain), theme)
    assert "And another." in files["tools/1.0/plain/index.html"]
    home, *_ = marked(release(plain), theme).values()
    assert verify(plain, "", [home]).losses == ()
    check_site(files)


def test_an_empty_text_has_pages(theme: Theme) -> None:
    files = render(release(read("", "empty")), theme)
    assert "<h1>The empty</h1>" in files["tools/1.0/empty/index.html"]
    check_site(files)


def test_a_release_without_documents_has_a_page(theme: Theme) -> None:
    check_site(render(release(), theme))
    assert "Manuals" in theme.render(site_home(SITE_INFO, [])).decode()


# --- cutting --------------------------------------------------------------------------


def test_file_names_are_safe_everywhere() -> None:
    odd_manual = manual(
        section("A", "2.4", number="2.4"), section("B", "2.4-2", number="2.4"),
        section("C", "con"), section("D", "Index"), section("E", "a/b c"), section("F", "A-B-C"),
        section("G", "é"), section("H", "x" * 300), section("I", "ü"),
    )
    names = [path.rpartition("/")[2] for path in paths(release(odd_manual))][2:-1]
    assert names == [
        "2.4.html", "2.4-2.html", "section-con.html", "Index-2.html", "a-b-c.html",
        "A-B-C-2.html", "section.html", f"{'x' * 80}.html", "section-2.html",
    ]


def test_links_lead_to_the_file_of_their_anchor() -> None:
    first_manual = manual(
        section("A", "1", entry("wait"), to("tool", "2"), to("tool", "go"), number="1"),
        section("B", "2", entry("go", to("other", "3"), to("other", "stop")), number="2"),
        preface=(to("tool", "wait"), to("other", "")),
    )
    two = manual(
        section("C", "3", entry("stop", to("tool", "wait"), to("tool", "none")), number="3"),
        name="other",
    )
    both = release(first_manual, two)

    def links(path: str) -> list[str | None]:
        soup = BeautifulSoup(page(both, path).body, "html.parser")
        return [
            str(tag["href"]) if "href" in tag.attrs else None
            for tag in soup.select("a:not(h1 > a, h2 > a)")
        ]

    assert links("tool/1.html") == ["2.html", "2.html#go"]
    assert links("tool/2.html") == ["../other/3.html", "../other/3.html#stop"]
    assert links("other/3.html") == ["../tool/1.html#wait", None]
    assert links("tool/index.html")[-2:] == ["1.html#wait", "../other/index.html"]
    assert links("tool.html")[:2] == ["#wait", "other/index.html"]
    assert links("tool.html")[-2:] == ["other/3.html", "other/3.html#stop"]
    assert links("other.html")[-2:] == ["tool/1.html#wait", None]


def test_headings_go_down_with_their_section_on_one_page() -> None:
    deep = section("C", "1.1.1", entry("wait"), number="1.1.1", level=3)
    middle = section("B", "1.1", number="1.1", level=2, below=(deep,))
    sample = manual(section("A", "1", entry("go"), number="1", below=(middle,)))
    soup = BeautifulSoup(page(release(sample), "tool.html").body, "html.parser")
    heads = soup.find_all(re.compile("^h[2-6]$"))
    names = [(tag.get_text().split()[-1], tag.name) for tag in heads]
    wanted = [("A", "h2"), ("go", "h3"), ("B", "h3"), ("C", "h4"), ("wait", "h5")]
    assert [name for name in names if name in wanted] == wanted


def test_a_long_page_has_pauses_in_which_browsers_paint() -> None:
    paragraph = "lamp " * 10 + "\n\n"
    sample = read(f"1. One\n------\n\n{paragraph * 2_000}")
    _, *others, _ = page(release(sample), "tool.html").body.split(PAUSE)
    assert len(others) > 1
    assert all(len(part) == pytest.approx(MIN_PAUSE_INTERVAL, rel=0.01) for part in others)
    assert PAUSE not in page(release(sample), "tool/1.html").body


def test_the_tree_opens_the_chapter_of_the_page() -> None:
    below = section("B", "1.1", number="1.1", level=2)
    other = section("D", "2.1", number="2.1", level=2)
    sample = release(manual(
        section("A", "1", number="1", below=(below,)), section("C", "2", number="2", below=(other,))
    ))
    assert [link.number for link in page(sample, "tool/1.1.html").tree] == ["1", "1.1", "2"]
    assert [link.current for link in page(sample, "tool/1.1.html").tree] == [False, True, False]
    assert [link.number for link in page(sample, "tool/2.html").tree] == ["1", "2", "2.1"]
    assert [link.number for link in page(sample, "tool/index.html").tree] == ["1", "2"]
    assert [link.title for link in page(sample, "tool/2.html").children] == ["D"]
    assert page(sample, "tool/1.html").previous == page(sample, "tool/1.1.html").home
    assert page(sample, "tool/2.1.html").next is None


def test_an_endless_tree_shows_what_is_near() -> None:
    sample = release(manual(*(section(f"S{n}", f"s{n}") for n in range(300))))
    near = page(sample, "tool/s150.html").tree
    assert len(near) == 100
    assert near[50].current
    assert page(sample, "tool/s299.html").tree[-1].current
    assert page(sample, "tool/index.html").tree[0].title == "S0"


def test_titles_that_nest_endlessly_are_no_trouble(theme: Theme) -> None:
    inner = section("deep", "s1999")
    for number in range(1998, 0, -1):
        inner = section("deep", f"s{number}", below=(inner,))
    shown = page(release(manual(inner)), "tool/index.html").body
    assert shown.count("<ol>") == shown.count("</ol>") == 1999


def letters(*names: str) -> dict[str, str]:
    """The strip of letters of a section with entries of these names: where each leads."""
    sample = release(manual(section("A", "1", *map(entry, names), number="1")))
    soup = BeautifulSoup(page(sample, "tool/1.html").body, "html.parser")
    return {link.text: str(link["href"]) for link in soup.select("nav.letters a")}


def test_many_sorted_entries_have_a_strip_of_letters() -> None:
    sorted_names = [f"{letter}{number}" for letter in "abcd" for number in range(10)]
    assert letters(*sorted_names) == {
        "A": "#a0", "B": "#b0", "C": "#c0", "D": "#d0",
    }
    stray = ["-a10", "3d", *sorted_names[:25], "a9x", *sorted_names[25:]]
    assert letters(*stray) == {
        "0–9": "#3d", "A": "#a0", "B": "#b0", "C": "#c0", "D": "#d0",
    }
    assert letters(*sorted_names[:-1]) == {}
    assert letters(*sorted_names[::-1]) == {}
    assert letters(*[f"a{number}" for number in range(60)]) == {}
    assert letters(*[f"{letter}{number}" for number in range(10) for letter in "abcd"]) == {}


FORMS = """\
1. Commands
-----------

dim lamp <lamp> for <time>
  Dim it.

dim lamp <lamp> to <level>
  Set it.
"""


def test_forms_of_a_command_have_titles_and_the_plain_anchor_leads_to_them(theme: Theme) -> None:
    dialect = Dialect(entry_rules=(EntryRule("command", re.compile("^Commands")),))
    files = render(release(read(FORMS, dialect=dialect)), theme)
    for path in ("tools/1.0/tool/1.html", "tools/1.0/tool.html"):
        text = BeautifulSoup(files[path], "html.parser")
        titles = [name.get_text() for name in text.select("section.entry .name")]
        assert titles == ["dim lamp … for", "dim lamp … to"]
        for anchor in ("dim-lamp", "dim-lamp.for", "dim-lamp.to"):
            assert text.find(id=anchor), (path, anchor)


def test_a_strip_of_letters_is_no_text_of_the_source(theme: Theme) -> None:
    names = [f"{letter}{number}" for letter in "abcd" for number in range(10)]
    text = "Tool\n\n1. Words\n--------\n\n" + "".join(f"{name}\n  Is.\n\n" for name in names)
    dialect = Dialect(entry_rules=(EntryRule("word", re.compile("Words"), "words"),))
    tool = read(text, dialect=dialect)
    files = marked(release(tool), theme)
    section_pages = [files[f"tools/1.0/tool/{name}.html"] for name in ("index", "1")]
    assert 'class="letters"' in section_pages[1]
    proof = verify(tool, "1.0", section_pages)
    assert proof.losses == ()
    single_page = files["tools/1.0/tool.html"]
    assert check_single_page(proof, tool.source, single_page, section_pages) is proof


def test_a_list_of_sections_counts_what_is_below_them() -> None:
    deep = section("C", "1.1.1", entry("wait"), entry("go"), number="1.1.1", level=3)
    middle = section("B", "1.1", entry("stop"), below=(deep,), number="1.1", level=2)
    sample = release(manual(section("A", "1", below=(middle,), number="1")))
    assert [(link.title, link.count) for link in page(sample, "tool/1.html").children] == [("B", 3)]
    assert [link.count for link in page(sample, "tool/1.1.html").children] == [2]


def test_three_entries_or_titles_make_a_list() -> None:
    few = section("A", "1", entry("a"), entry("b"), number="1")
    many = section("B", "2", *(entry(name) for name in ("a2", "b2", "c2")), number="2")
    small = section("C", "3", *(Heading((Text(t),), t, SPAN) for t in ("x", "y", "z")), number="3")
    sample = release(manual(few, many, small))
    assert page(sample, "tool/1.html").on_page == ()
    assert [link.href for link in page(sample, "tool/2.html").on_page] == ["#a2", "#b2", "#c2"]
    assert [link.title for link in page(sample, "tool/3.html").on_page] == ["x", "y", "z"]


def test_a_long_description_is_cut_at_a_word() -> None:
    words = Paragraph((Text("word " * 60),), SPAN)
    described = page(release(manual(section("A", "1", words, number="1"))), "tool/1.html")
    assert described.description.endswith("word…")
    assert len(described.description) <= 161


def test_summary_lines_find_their_sections_by_title_too() -> None:
    sample = replace(
        manual(section("First", "first"), section("Twice", "twice")),
        contents=(ContentsLine("", "First", 1), ContentsLine("", "Lost", 2)), contents_span=SPAN,
    )
    body = marks.with_marks(page(release(sample), "tool/index.html").body.encode())
    assert '<a href="first.html" data-lines="1">First</a>' in body
    assert '<span data-lines="2">Lost</span>' in body


# --- themes ---------------------------------------------------------------------------


def write(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return str(folder)


def test_an_own_theme_overrides_single_things(tmp_path: Path) -> None:
    base = '{% extends "default/base.html.jinja2" %}{% block foot %}MINE{{ super() }}{% endblock %}'
    write(tmp_path / "own", {
        "theme.toml": 'styles = ["style.css", "mine.css"]',
        "static/mine.css": "a{}",
        "templates/base.html.jinja2": base,
    })
    own_theme = load("own", tmp_path)
    shown = own_theme.render(site_home(SITE_INFO, [])).decode()
    assert "MINE" in shown
    [sheet] = re.findall(r'href="(static/styles\.[0-9a-f]{8}\.css)"', shown)
    assert dict(own_theme.files())[sheet] == own_theme.content("style.css") + b"\na{}"
    assert {Path(path).suffix for path, _ in own_theme.files()} == {".css", ".js", ".svg"}


def test_comments_of_the_default_theme_stay_here(tmp_path: Path) -> None:
    script = '// mine\n/* mine */\na = "/* no // comment */"; // mine\n'
    files = dict(load(write(tmp_path, {"static/own.js": script})).files())
    by_name = {re.sub(r"\.[0-9a-f]{8}", "", path): content for path, content in files.items()}
    assert by_name["static/own.js"] == script.encode()
    for name, content in by_name.items():
        if name.endswith((".css", ".js")) and name != "static/own.js":
            assert not re.search(rb"^\s*(//|/\*)", content, re.MULTILINE), name
            assert not re.search(rb"^[ \t]|[;,{}] //", content, re.MULTILINE), name
    assert b"@media" in by_name["static/style.css"]


def test_scripts_are_the_same_without_their_comments(tmp_path: Path) -> None:
    """Indentation is none of a text's: none goes on over lines; and all are still scripts."""
    for file in load("default").static:
        if file.name.endswith(".js"):
            (tmp_path / file.name).write_bytes(file.content)
            subprocess.run([need("node"), "--check", str(tmp_path / file.name)], check=True)
        if file.name.endswith(".js") and file.name != "scripts.js":  # which is made of others
            written = (resource_folder("themes") / "default/static" / file.name).read_text()
            assert not [line for line in written.split("\n") if line.count("`") % 2], file.name


def test_static_files_are_named_for_their_content(tmp_path: Path) -> None:
    first = load(write(tmp_path, {"static/a/style.css": "a{}"}))
    second = load(write(tmp_path, {"static/a/style.css": "b{}"}))
    assert dict(first.files()).keys() != dict(second.files()).keys()
    assert "static/icon" in " ".join(dict(first.files()))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no such folder"),
        ({"readme": ""}, "has no templates"),
        ({"theme.toml": "styles = 3"}, "must be a list of quoted strings"),
        ({"theme.toml": "styles ="}, "not valid TOML"),
        ({"theme.toml": 'styles = ["no.css"]'}, "no file static/no.css"),
        ({"templates/site.html.jinja2": "{{ page.nothing }}"},
         "own/templates/site.html.jinja2:1: theme OWN: 'dconv.writers.pages.page.Page object'"),
        ({"templates/site.html.jinja2": "\n{{ page.home.title }}"},
         "own/templates/site.html.jinja2:2: theme OWN: 'None' has no attribute 'title'"),
        ({"templates/site.html.jinja2": "\n\n{{ page.title() }}"},
         "own/templates/site.html.jinja2:3: theme OWN: TypeError: 'str' object is not callable"),
        ({"templates/site.html.jinja2": "{{ 1 // 0 }}"}, ":1: theme OWN: ZeroDivisionError: "),
        ({"templates/site.html.jinja2": '{% include "foot.html" %}',
          "templates/foot.html": "one\n{{ two }}"}, "own/templates/foot.html:2: theme OWN: 'two'"),
        ({"templates/site.html.jinja2": '{% include "site.html.jinja2" %}'}, "RecursionError: "),
        ({"templates/site.html.jinja2": "{% if %}"}, "own/templates/site.html.jinja2:1: theme"),
        ({"templates/site.html.jinja2": '{% extends "bse.html.jinja2" %}'},
         ":1: theme OWN: there is no template 'bse.html.jinja2'; did you mean 'base.html.jinja2'?"),
        ({"templates/site.html.jinja2": '{% extends "default/sites.html.jinja2" %}'},
         ":1: theme OWN: there is no template 'default/sites.html.jinja2'; did you mean 'site"),
        ({"templates/site.html.jinja2": '{% include "foot" %}'},
         ":1: theme OWN: there is no template 'foot'; known are 'base.html.jinja2', 'cards.html"),
        ({"templates/site.html.jinja2": '{% include ["foot", "x"] %}'}, "there is no template 'x'"),
        ({"templates/site.html.jinja2": "{{ pag.title }}"},
         "'pag' is undefined; README lists the variables of templates"),
        ({"templates/site.html.jinja2": "{{ asset('no.js') }}"}, "no file static/no.js"),
        ({"templates/site.html.jinja2": '{% include "../theme.toml" %}'}, "theme.toml"),
    ],
)
def test_a_wrong_theme_is_refused_in_one_sentence(
    files: dict[str, str], message: str, tmp_path: Path
) -> None:
    folder = write(tmp_path / "own", files)
    with pytest.raises(ThemeError) as caught:
        load(folder).render(site_home(SITE_INFO, []))
    readme = str(resource_folder("themes") / "default" / "README.md")
    assert message.replace("OWN", folder).replace("README", readme) in str(caught.value)
    assert "\n" not in str(caught.value)


# --- real manuals ---------------------------------------------------------------------


@pytest.mark.parametrize("folder", [
    "haproxy/1.5", pytest.param("haproxy/3.4", marks=pytest.mark.slow),
    pytest.param("other", marks=pytest.mark.slow),
])
def test_real_manuals_make_whole_sites(folder: str, theme: Theme) -> None:
    if not (CORPUS / folder).is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{CORPUS / folder} is missing")
        pytest.skip(f"{CORPUS / folder} is missing: set DCONV_CORPUS to the folder of real manuals")
    haproxy = load_product(resource_folder("manuals") / "haproxy").dialect
    dialect = haproxy if folder.startswith("haproxy") else Dialect()
    manuals: list[Manual] = []
    for path in sorted((CORPUS / folder).iterdir()):
        if path.suffix != ".tsv":
            source = read_source(path.read_bytes(), path.name)
            text = FilteredText(source, dialect)
            manuals.append(build_tree(text, path.name.removesuffix(".txt")))
    check_site(render(release(*manuals), theme))


def test_an_entry_is_found_by_its_bare_name_on_the_page_of_its_section() -> None:
    first_entry = entry("wait", anchor="server-option.wait")
    twin = entry("wait", anchor="server-option.wait.time")
    other = entry("1", anchor="server-option.1")
    sample = release(manual(section("A", "1", first_entry, twin, other, number="1")))
    soup = BeautifulSoup(page(sample, "tool/1.html").body, "html.parser")
    names = soup.select("h2.name[id]")
    assert [(tag["id"], tag.a and tag.a["href"]) for tag in names] == [
        ("wait", "#server-option.wait")
    ]
    assert 'id="wait"' not in page(sample, "tool.html").body
