"""Old links in a real browser: where they arrive, with and without scripts."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from chromium import DESKTOP, Tab, Tabs
from programs import served, write_tree
from sample_site import dconv
from test_old_anchors import LAMPS, RELEASES, release

from dconv.build.render import release_files, site_files
from dconv.model.tree import sections
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder
from dconv.writers.legacy.forwarding import forwarding
from dconv.writers.legacy.old_anchors import anchor_table
from dconv.writers.pages.page import SiteInfo
from dconv.writers.pages.split import release_section_files
from dconv.writers.theme.theme import load

SITE_INFO = SiteInfo("Manuals", "dconv test")
PAGE = "haproxy/1.0/configuration.html"
IS_BOTTOM_SHOWN = "document.querySelector('#bottom').getBoundingClientRect().top < innerHeight"

# fragment, page and anchor that it is forwarded to, heading that it means
LINKS = (
    ("1.2", "1.2.html", "1.2 Lamps in rooms"),
    ("chapter-1.2", "1.2.html", "1.2 Lamps in rooms"),
    ("dim", "1.1.html#keyword.dim", "dim"),
    ("night-switch", "1.1.html#keyword.night-switch", "night-switch"),
    ("1-no night-switch", "1.1.html#keyword.night-switch", "night-switch"),
    ("1-no%20night-switch", "1.1.html#keyword.night-switch", "night-switch"),
    ("option%20quiet", "1.2.html#keyword.option-quiet", "option quiet"),
    ("1.2-option quiet", "1.2.html#keyword.option-quiet", "option quiet"),
    ("1.2-option", "1.2.html#keyword.option-quiet", "option quiet"),
    ("no%20option quiet (Lamps (in rooms))", "1.2.html#keyword.option-quiet", "option quiet"),
    ("no%20option%20quiet%20%28All%20of%20them%29", "1.2.html#keyword.option-quiet",
     "option quiet"),
    ("base32+src", "1.2.html#keyword.base32+src", "base32+src"),
    ("1.2-base32%2Bsrc", "1.2.html#keyword.base32+src", "base32+src"),
    ("lamp.hdr", "1.2.html#keyword.lamp.hdr", "lamp.hdr"),
    ("2-paint%20wall%20blue", "2.html", "2 Options & more"),
    ("paint (Options & more)", "2.html", "2 Options & more"),
)


@pytest.fixture(scope="module")
def haproxy() -> Product:
    return load_product(resource_folder("manuals") / "haproxy")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, haproxy: Product) -> Path:
    """A site of one manual whose entries are far apart."""
    folder = tmp_path_factory.mktemp("site")
    theme = load("default")
    text = LAMPS.replace("  Dims", "  Light.\n\n" * 60 + "  Dims")
    files = release_files(
        release(haproxy, "1.0", {"configuration": text.encode()}), SITE_INFO, theme
    )
    assert not [proof for proof in files.proofs if proof.losses]
    shared = site_files(SITE_INFO, theme, [], [files.release_card], [], [])
    write_tree((*files.files, *shared), folder)
    return folder


@pytest.fixture
def root(site: Path) -> str:
    """The address of the site on the disk."""
    return site.as_uri()


def heading_is_shown(tab: Tab, heading: str) -> None:
    """The heading is in the upper part of the window."""
    tops = tab.tops(
        "(heading) => [...document.querySelectorAll('h1, h2, h3, h4, h5')].filter((one) =>"
        " one.textContent.trim() === heading)", heading
    )
    assert [top for top in tops if 0 <= top < DESKTOP[1] / 2], (tab.address, tops)


@pytest.mark.parametrize("place", ["disk", "server"])
def test_old_links_go_to_the_page_of_their_section(
    open_tab: Tabs, root: str, site: Path, place: str
) -> None:
    tab = open_tab()
    with served(site) as server:
        root = root if place == "disk" else server
        for fragment, path, heading in LINKS if place == "disk" else LINKS[:2]:
            tab.open(f"{root}/{PAGE}#{fragment}")
            file, _, anchor = path.partition("#")
            wanted = f"{file}#{quote(anchor, safe='')}" if anchor else file
            tab.arrives(f"{root}/haproxy/1.0/configuration/{wanted}")
            heading_is_shown(tab, heading)


@pytest.mark.slow
def test_old_links_work_without_scripts(open_tab: Tabs, site: Path) -> None:
    tab = open_tab(scripts=False)
    for fragment, _, heading in LINKS:
        tab.open(f"{site.as_uri()}/{PAGE}#{fragment}")
        assert tab.address.startswith(f"{site.as_uri()}/{PAGE}#")
        heading_is_shown(tab, heading)


def test_links_within_the_single_page_stay_on_it(open_tab: Tabs, root: str) -> None:
    tab = open_tab()
    for address in (f"{PAGE}?one#1.2-dim", f"{PAGE}", f"{PAGE}#-main", f"{PAGE}#100%"):
        tab.open(f"{root}/{address}")
        assert tab.address == f"{root}/{address}"
    tab.open(f"{root}/{PAGE}")
    tab.page.locator("nav.side a[href='#2']").click()
    tab.arrives(f"{root}/{PAGE}#2")
    tab.page.reload()
    assert tab.address == f"{root}/{PAGE}#2"


def test_a_link_of_the_single_page_in_a_new_tab_stays_on_it(open_tab: Tabs, site: Path) -> None:
    tab = open_tab()
    with served(site) as root:
        tab.open(f"{root}/{PAGE}")
        tab.page.evaluate("location.assign('?again#1.2-dim')")
        tab.arrives(f"{root}/{PAGE}?again#1.2-dim")
        tab.page.wait_for_load_state()
        assert tab.address == f"{root}/{PAGE}?again#1.2-dim"


def test_top_bottom_and_summary_stay_on_the_single_page(open_tab: Tabs, root: str) -> None:
    tab = open_tab()
    tab.open(f"{root}/{PAGE}#bottom")
    tab.page.wait_for_function(IS_BOTTOM_SHOWN)
    assert tab.top("#bottom") < DESKTOP[1]
    tab.open(f"{root}/{PAGE}#summary")
    assert 0 <= tab.top("nav.contents") < DESKTOP[1] / 3
    tab.page.evaluate("location.hash = 'top'")
    assert tab.top("header.top") == 0
    assert tab.top("h1") > 0


def test_an_anchor_on_a_heading_that_sticks_leads_to_the_start_of_its_entry(
    open_tab: Tabs, root: str
) -> None:
    tab = open_tab()
    tab.open(f"{root}/{PAGE}?one")
    in_entry = ".entry:has(#dim)"
    tab.page.evaluate(f"document.querySelector('{in_entry} > p:nth-of-type(40)').scrollIntoView()")
    assert tab.top(in_entry) < -DESKTOP[1]
    tab.page.evaluate("location.hash = 'dim'")
    assert 0 <= tab.top(in_entry) < DESKTOP[1] / 3


@pytest.mark.slow
@pytest.mark.parametrize("version", RELEASES)
def test_the_script_finds_every_old_anchor(
    open_tab: Tabs, site: Path, corpus: Path, haproxy: Product, version: str
) -> None:
    folder = corpus / "haproxy" / version
    if not folder.is_dir():
        pytest.skip(f"release {version} is not in the corpus")
    texts = {
        document.name: (folder / document.file).read_bytes()
        for document in haproxy.documents
        if document.name in haproxy.old_links.documents and (folder / document.file).exists()
    }
    linked_release = release(haproxy, version, texts)
    files_of = release_section_files(linked_release)
    data = dict(forwarding(linked_release, files_of, b"", None))
    tab = open_tab()
    tab.open(f"{site.as_uri()}/{PAGE}")
    for document in linked_release.documents:
        manual = document.manual
        content = data[f"haproxy/{version}/{manual.name}/old-anchors.js"].decode()
        data_text = content.removeprefix(f'\noldAnchors("{manual.name}/", ').rstrip("\n;)")
        rows, _ = json.loads(f"[{data_text}]")
        files = files_of[manual.name]
        file_of_section = {
            section.anchor: file for section, file in zip(sections(manual), files, strict=True)
        }
        table = anchor_table(manual)
        script = "([anchors, rows]) => anchors.map((anchor) => resolveOldAnchor(anchor, rows))"
        places = tab.page.evaluate(script, [list(table), rows])
        for (old, anchor), place in zip(table.items(), places, strict=True):
            assert place is not None, old
            if anchor in file_of_section:
                assert place == {"file": file_of_section[anchor], "anchor": ""}, old
            else:
                assert place["anchor"] == anchor, old
                assert place["file"] in files, old


# --- what moved, and what was removed ---------------------------------------------------------


OLDER = LAMPS.replace("version 1.0", "version 0.9").replace("""\
option quiet [ <room> ]
""", """\
glow red <level>
  Glows.

option quiet [ <room> ]
""", 1)


@pytest.fixture(scope="module")
def two_releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two releases; the newer one lacks a keyword."""
    folder = tmp_path_factory.mktemp("two")
    for version, text in (("1.0", LAMPS), ("0.9", OLDER)):
        (folder / version).mkdir()
        (folder / version / "configuration.txt").write_text(text, "utf-8")
    (folder / "site.toml").write_text("""\
[site]
title = "Manuals"
[[product]]
name = "haproxy"
releases = ["1.0", "0.9"]
[[product.release]]
version = "1.0"
source = { path = "1.0" }
[[product.release]]
version = "0.9"
source = { path = "0.9" }
""", "utf-8")
    completed = dconv(["build", "--site", folder / "site.toml"])
    assert not completed.returncode, completed.stderr
    return folder / "public"


@pytest.mark.parametrize("page", [
    "configuration.html#1.2-glow%20red", "configuration.html#glow%20red",
    "configuration/1.2.html#keyword.glow-red",
])
def test_a_link_to_what_was_removed_says_where_it_was_last(
    open_tab: Tabs, two_releases: Path, page: str
) -> None:
    tab = open_tab()
    tab.open(f"{two_releases.as_uri()}/haproxy/1.0/{page}")
    banner = tab.page.locator("main .banner[role=status]")
    banner.wait_for()
    assert banner.text_content() == "glow red was removed. It was last in 0.9."
    banner.locator("a").click()
    tab.arrives(f"{two_releases.as_uri()}/haproxy/0.9/configuration/1.2.html#keyword.glow-red")
    heading_is_shown(tab, "glow red")


def test_a_link_to_what_moved_leads_to_its_section(open_tab: Tabs, two_releases: Path) -> None:
    tab = open_tab()
    tab.open(f"{two_releases.as_uri()}/haproxy/1.0/configuration/1.2.html#night-switch")
    tab.arrives(f"{two_releases.as_uri()}/haproxy/1.0/configuration/1.1.html#keyword.night-switch")
    heading_is_shown(tab, "night-switch")
