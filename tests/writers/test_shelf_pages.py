"""The pages of a shelf: documents of one page, long ones, packages, names, the first page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from dconv.build.read import link_texts, read_manual, release_document
from dconv.model.origin import Origin
from dconv.model.tree import Manual, entries
from dconv.proof.coverage import verify
from dconv.proof.linkcheck import LinkCheck
from dconv.settings.manual import default_product
from dconv.settings.types import DocumentSetting
from dconv.sources.texts import SourceText
from dconv.writers.html import marks
from dconv.writers.pages.listings import Link, ReleaseCard
from dconv.writers.pages.packages import (
    document_groups,
    package_card,
    package_home,
    shelf_home,
)
from dconv.writers.pages.page import Page, Release, SiteInfo
from dconv.writers.pages.shelf import (
    PackageRelease,
    ShelfBatch,
    ShelfDocument,
    ShelfName,
    anchor_files,
    batch_pages,
    is_single,
    redirect_page,
)
from dconv.writers.pages.shelf_names import name_pages
from dconv.writers.theme.theme import load

LAMP = r"""
.TH LAMP 8 2026-02-03 "lamp 2" "Lamps"
.SH NAME
lamp \- lights a room
.SH OPTIONS
.TP
.BR \-g ", " \-\-glow
Glows until it is put out, as
.BR lamp.conf (5)
says.
.TP
.B \-\-dim
Like
.BR \-\-glow ,
but less.
.SH SEE ALSO
.BR lamp.conf (5)
"""
CONF = r"""
.TH LAMP.CONF 5 2026-02-01 "lamp 2" "Lamps"
.SH NAME
lamp.conf \- settings of lamps
.SH SETTINGS
.TP
.B Wick
How long the wick is.
.TP
.B Oil
How much oil there is; see
.BR lamp (8).
"""
GUIDE = """\
The guide to lamps
==================

What comes first.

.. _wicks:

Wicks
-----

All of wicks.

Oils
----

All of oils, after `wicks`_.
"""
SITE = SiteInfo(
    "Our manuals", "dconv test", "https://docs.example.org",
    shelf_search=((".", "Our manuals"), ("haproxy/3.4", "HAProxy 3.4")),
)
FILES = (("lamp.8", LAMP), ("lamp.conf.5", CONF), ("guide.rst", GUIDE))
PATHS = {
    "lamp.8": "man/lamp.8.html", "lamp.conf.5": "man/lamp.conf.5.html",
    "guide": "lamp/guide/index.html",
}
OLD_PATHS = {"lamp.8": "lamp/1/lamp.8.html", "guide": "lamp/1/guide.html"}


def release(version: str, paths: dict[str, str]) -> tuple[Release, PackageRelease]:
    """The package lamp in a release, with the documents that have `paths`."""
    product = default_product()
    texts = [
        SourceText(
            content.strip("\n").encode() + b"\n", file, product,
            DocumentSetting(file.removesuffix(".rst"), file, "", ""), Origin("lamps.tar.gz"),
            ("candle.8",) if file == "lamp.8" else (),
        )
        for file, content in FILES if file.removesuffix(".rst") in paths
    ]
    manuals = [read_manual(text.content, text.path, product, text.document.name) for text in texts]
    linked = [
        release_document(text, manual)
        for text, manual in zip(texts, link_texts(texts, manuals), strict=True)
    ]
    documents = tuple(
        ShelfDocument(
            "lamp", version, document.manual.name, document.title, document.description, path,
            text.other_names, is_single=not path.endswith("index.html"),
            files=anchor_files(document) if path.endswith("index.html") else {},
            entry_count=len(list(entries(document.manual))), date=document.manual.header.date,
        )
        for text, document in zip(texts, linked, strict=True)
        for path in [paths[document.manual.name]]
    )
    is_latest = version == "2"
    package = PackageRelease(
        "lamp", "lamp", version, "lamp" if is_latest else f"lamp/{version}", documents,
        len(documents), "Light", is_latest, "lights rooms",
    )
    return Release("lamp", "lamp", version, tuple(linked)), package


@cache
def parts() -> tuple[ShelfBatch, ...]:
    """The package in two releases, the latest first."""
    built = [release("2", PATHS), release("1", OLD_PATHS)]
    packages = tuple(package for _, package in built)
    return tuple(
        ShelfBatch(
            part, package, packages,
            {document.name: document for document in package.documents},
            {"lamp.8": package.documents[1:2]},
        )
        for part, package in built
    )


@cache
def rendered() -> dict[str, tuple[Page, bytes]]:
    """All pages of the site by their paths, with the marks of the proof."""
    theme = load("default")
    return {page.path: (page, theme.render(page)) for page in all_pages()}


def all_pages() -> Iterator[Page]:
    packages = [part.package for part in parts()]
    for part in parts():
        yield from batch_pages(part, SITE)
        yield package_home(part.package, packages, SITE)
    [lamp, *_] = packages[0].documents
    yield redirect_page("man/candle.8.html", lamp, SITE)
    yield from name_pages(names(), SITE)
    yield shelf_home(SITE, packages, [], {})


def names() -> Iterator[ShelfName]:
    latest = parts()[0]
    for document, placed in zip(latest.release.documents, latest.package.documents, strict=True):
        for name in document.names:
            yield ShelfName(
                name.display_name, name.kind, placed, name.anchor, name.summary, name.deprecated,
                name.other_names,
            )


def page(path: str) -> Page:
    return rendered()[path][0]


def shown(path: str) -> str:
    """The page at `path` as readers get it."""
    return marks.without_marks(rendered()[path][1]).decode()


def test_pages_have_their_places_and_no_link_is_dead() -> None:
    check = LinkCheck(SITE.url)
    check.add_release("lamp/1")
    theme = load("default")
    for path in rendered():
        check.read(path, shown(path).encode())
    for path, content in theme.files():
        check.read(path, content)
    for path in ("opensearch.xml", "proof.json", "lamp/guide/old-anchors.js"):
        check.read(path, b"")
    assert [str(finding) for finding in check.finish()] == []
    assert set(rendered()) >= {
        "index.html", "names/index.html", "lamp/index.html", "lamp/1/index.html",
        "man/lamp.8.html", "man/lamp.conf.5.html", "man/candle.8.html",
        "lamp/guide/index.html", "lamp/guide/Wicks.html", "lamp/guide.html",
        "lamp/1/lamp.8.html", "lamp/1/guide.html",
    }


def test_pages_link_to_no_markdown_which_is_written_for_products_alone() -> None:
    pages = batch_pages(parts()[0], replace(SITE, exports=("markdown",)))
    assert not [page.path for page in pages if page.markdown]


def test_nothing_is_lost_on_one_page() -> None:
    for part in parts():
        for document, placed in zip(part.release.documents, part.package.documents, strict=True):
            if placed.is_single:
                html = marks.with_marks(rendered()[placed.path][1])
                assert not verify(document.manual, "", [html]).losses
                assert verify(document.manual, "", [html.replace("glow", "glw")]).losses or (
                    "glow" not in html
                )


def test_a_document_lists_its_sections_and_below_them_its_entries() -> None:
    tree = page("man/lamp.8.html").tree
    assert [(link.title, link.depth, link.is_entry) for link in tree] == [
        ("NAME", 0, False), ("OPTIONS", 0, False), ("--glow, -g", 1, True),
        ("--dim", 1, True), ("SEE ALSO", 0, False),
    ]
    assert tree[2].href == "#option.--glow"


def test_entries_have_their_names_as_anchors() -> None:
    html = shown("man/lamp.8.html")
    for anchor in ("--glow", "-g", "--dim", "option.--glow"):
        assert len(re.findall(rf'\s(?:id|name)="{re.escape(anchor)}"', html)) == 1, anchor


def test_links_lead_to_other_documents_and_to_their_pages() -> None:
    assert '<a href="lamp.conf.5.html">lamp.conf(5)</a>' in shown("man/lamp.8.html")
    assert 'href="Wicks.html"' in shown("lamp/guide/Oils.html")
    assert 'href="#Wicks"' in shown("lamp/1/guide.html")


def test_what_is_around_a_document() -> None:
    document = page("man/lamp.8.html")
    assert document.other_names == ("candle(8)",)
    assert [link.href for link in document.siblings] == [
        "lamp.8.html", "lamp.conf.5.html", "../lamp/guide/index.html",
    ]
    assert [link.title for link in document.siblings if link.current] == ["lamp(8)"]
    assert document.mentions == (Link("lamp.conf(5)", "lamp.conf.5.html"),)
    assert document.package == Link("lamp", "../lamp/index.html")
    assert document.search and document.search.releases == SITE.shelf_search
    assert document.search.href == "../names/index.html"
    assert "also candle(8)" in shown("man/lamp.8.html")


def test_of_many_documents_only_those_of_the_same_name_are_listed() -> None:
    part = parts()[0]
    [lamp, *others] = part.package.documents
    many = tuple(replace(lamp, name=f"x{at}.8", title=f"x{at}(8)") for at in range(20))
    package = replace(part.package, documents=(lamp, *others, *many), document_count=23)
    [document, *_] = batch_pages(replace(part, package=package), SITE)
    assert [link.title for link in document.siblings] == ["lamp(8)"]
    assert document.more_siblings == Link("All 23 documents", "../lamp/index.html")


def test_releases_point_to_each_other() -> None:
    new, old = page("man/lamp.8.html"), page("lamp/1/lamp.8.html")
    assert [(link.version, link.href, link.current) for link in new.versions] == [
        ("2", "lamp.8.html", True), ("1", "../lamp/1/lamp.8.html", False),
    ]
    assert new.banner is None
    assert old.banner and old.banner.latest.href == "../../man/lamp.8.html"
    assert old.canonical == "https://docs.example.org/man/lamp.8.html"
    only_new = page("man/lamp.conf.5.html").versions[1]
    assert (only_new.href, only_new.exact, only_new.nearest) == (
        "../lamp/1/index.html", False, "all documents",
    )
    section = page("lamp/guide/Wicks.html").versions[1]  # the older guide is one page
    assert (section.href, section.exact) == ("../1/guide.html", False)


def test_another_name_leads_to_the_document() -> None:
    assert page("man/candle.8.html").next == Link("lamp(8)", "lamp.8.html")
    html = shown("man/candle.8.html")
    assert '<meta http-equiv="refresh" content="0; url=lamp.8.html">' in html
    assert '<p>candle(8) is on this page: <a href="lamp.8.html">lamp(8)</a></p>' in html


def test_documents_are_grouped_by_section_and_many_by_letter() -> None:
    groups = page("lamp/index.html").document_groups
    assert [group.title for group in groups] == [
        "Administration", "Files and formats", "Guides and notes",
    ]
    package = parts()[0].package
    lamp = package.documents[0]
    many = [
        replace(lamp, title=f"{letter}{at}(1)", path=f"man/{letter}{at}.1.html")
        for letter in "ba" for at in range(40)
    ]
    [group] = document_groups(replace(package, documents=tuple(many)), "lamp")
    assert [(letter.title, len(letter.rows)) for letter in group.letters] == [("A", 40), ("B", 40)]
    assert group.letters[0].anchor == "section-1-a"
    assert group.letters[0].rows[0].link.href == "../man/a0.1.html"
    quoted = [replace(lamp, title=f'"b{at}" explained', path="b.html") for at in range(40)]
    [_, group] = document_groups(replace(package, documents=(*many, *quoted, *quoted)), "lamp")
    assert [letter.title for letter in group.letters] == ["B"]


def test_names_of_all_documents_stand_once_with_their_places() -> None:
    [single] = name_pages(names(), SITE)
    assert single.names
    rows = {row.name: row for letter in single.names.letters for row in letter.rows}
    assert [letter.title for letter in single.names.letters] == ["D", "G", "O", "W"]
    [place] = rows["--glow"].places
    assert place.link == Link("lamp(8)", "../man/lamp.8.html#option.--glow")
    assert (place.kind, place.package, place.other_names) == ("option", "lamp", ("-g",))


def test_names_without_letters_have_ids_of_their_own() -> None:
    lamp = parts()[0].package.documents[0]
    signs = [ShelfName(name, "option", lamp, "", "Sets it.") for name in ("--name", "-", "--")]
    [single] = name_pages(signs, SITE)
    assert single.names
    ids = [row.anchor for letter in single.names.letters for row in letter.rows]
    assert ids == ["name", "name-2", "name-3"]


def test_many_names_are_a_page_a_letter() -> None:
    lamp = parts()[0].package.documents[0]
    many = [
        ShelfName(f"{letter}{at}", "option", lamp, "", "Sets it.")
        for letter in ("--s", "t", "9") for at in range(600)
    ]
    pages = list(name_pages([*many, *many[:10]], SITE))
    assert [page.path for page in pages] == [
        "names/index.html", "names/digits.html", "names/s.html", "names/t.html",
    ]
    assert pages[0].names and not pages[0].names.letters
    assert [link.count for link in pages[0].names.links] == [600, 600, 600]
    assert pages[2].names
    assert [link.current for link in pages[2].names.links] == [False, True, False]


def test_the_first_page_has_groups_or_the_documents_of_the_only_package() -> None:
    alone = page("index.html")
    assert alone.document_groups[0].title == "Administration"
    assert 'href="man/lamp.8.html"' in shown("index.html")
    lamp = parts()[0].package
    other = replace(lamp, name="oven", title="oven", folder="oven", group="")
    home = shelf_home(SITE, [lamp, other], [], {})
    assert [(group.title, [card.link.title for card in group.packages])
            for group in home.package_groups] == [("Light", ["lamp"]), ("", ["oven"])]
    pot = ReleaseCard("pot", "The pot", "1", "", Link("The pot 1", "pot/1/index.html"), ())
    for group, titles in (
        ("", ["", "Light"]), ("Light", ["Light", ""]), ("Kitchen", ["Light", "Kitchen", ""]),
    ):
        groups = shelf_home(SITE, [lamp, other], [pot], {"pot": group}).package_groups
        assert [group.title for group in groups] == titles
        assert [item.title for item in groups if item.products] == [group]
    assert shelf_home(SITE, [lamp], [pot], {}).description == "Manuals of The pot, lamp"
    [card] = home.package_groups[0].packages
    assert [link.title for link in card.first][:2] == ["lamp(8)", "lamp.conf(5)"]
    assert (card.date, card.count, card.description) == ("2026-02-03", 3, "lights rooms")


def test_a_package_without_a_description_has_that_of_the_document_of_its_name() -> None:
    package = replace(parts()[0].package, description="")
    assert package_home(package, [package], SITE).description == "lights a room"
    package = replace(package, name="wax", title="wax")
    assert package_home(package, [package], SITE).description == "wax 2: 3 documents"


def test_cards_list_commands_with_most_entries_first() -> None:
    package = parts()[0].package
    documents = tuple(
        replace(package.documents[0], name=title, title=title, description=title, entry_count=count)
        for title, count in (("wicks(5)", 90), ("snuff(8)", 2), ("lit(1)", 7), ("wax(5)", 5))
    )
    card = package_card(replace(package, name="wax-tools", documents=documents, description=""))
    assert [link.title for link in card.first] == ["wax(5)", "lit(1)", "snuff(8)", "wicks(5)"]
    assert card.description == "wax(5)"


def test_what_is_one_page() -> None:
    manual = parts()[0].release.documents[2].manual
    assert is_single(manual, "The guide to lamps")
    assert not is_single(_longer(manual), "The guide to lamps")
    assert is_single(_longer(manual), "lamp(7)")


def _longer(manual: Manual) -> Manual:
    lines = tuple(replace(line, text=line.text * 9000) for line in manual.source.lines)
    return replace(manual, source=replace(manual.source, lines=lines))
