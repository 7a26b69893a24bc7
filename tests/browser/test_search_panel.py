"""The search as readers have it: in a real browser, from the disk and from a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import DESKTOP, PHONE, Tab, Tabs
from playwright.sync_api import Locator, expect
from programs import served, wait_for, write_tree

from dconv.build.schedule import build_site
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load

SITE_INFO = SiteInfo("All manuals <here>", "dconv test", "https://docs.example.org/manuals/")
LAMPS = """\
1. Global section
-----------------

1.1. Process management and security
------------------------------------

maxlamps <number>
  Limits the lamps of the whole house.

2. Proxies
----------

2.1. Alphabetically sorted keywords reference
---------------------------------------------

dim <level>
  Makes the lamp darker.

  It never burns the velvet curtains, and velvet chairs are spared as well.

maxlamps <number>
  Limits the lamps of one room. See also "dim".

old-lamp   (deprecated)
  This keyword is deprecated. Lit a lamp of a former kind.

timeout lamp <time>
  Switches a lamp off when nobody moves.

timeout night <time>
  The same while all sleep.

3. The velvet & other cloths
----------------------------

Cloths are soft.
"""
TOOLS = """\
1. Tools
--------

Hammers drive nails.
"""
GUIDE = """\
1. Ladders
----------

A ladder reaches the ceiling.
"""
PAGE = "haproxy/1.0/configuration/2.1.html"
DIALOG = "dialog.finder"


def texts(product: str, version: str, documents: dict[str, str]) -> ReleaseTexts:
    settings: Product = load_product(resource_folder("manuals") / product)
    read = tuple(
        SourceText(
            documents[document.name].encode(), document.file, settings, document, Origin("a text")
        )
        for document in settings.documents if document.name in documents
    )
    return ReleaseTexts(product, settings.title, version, "", read)


def build(folder: Path, site: SiteInfo, releases: list[ReleaseTexts]) -> Path:
    write_tree(build_site(releases, site, load("default")), folder)
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two products, one of them with two documents."""
    return build(tmp_path_factory.mktemp("site"), SITE_INFO, [
        texts("haproxy", "1.0", {"configuration": LAMPS, "management": GUIDE}),
        texts("dconv", "0.1", {"manual": TOOLS}),
    ])


@pytest.fixture(scope="module")
def two_releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases; the newer one has "old-lamp" and "timeout night" no more."""
    newer = LAMPS.replace("old-lamp ", "velvet-lamp ").replace("timeout night", "timeout day")
    return build(tmp_path_factory.mktemp("releases"), SITE_INFO, [
        texts("haproxy", "1.0", {"configuration": LAMPS}),
        texts("haproxy", "2.0", {"configuration": newer}),
    ])


@pytest.fixture
def root(site: Path) -> str:
    """The address of the site on the disk, where browsers allow least."""
    return site.as_uri()


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[str]:
    """The address of the site on a server."""
    with served(site) as address:
        yield address


@pytest.fixture
def tab(open_tab: Tabs) -> Tab:
    """A tab of its own for each test, since what readers choose is stored."""
    return open_tab()


# --- reading the page -----------------------------------------------------------------


def press(tab: Tab, *keys: str) -> None:
    """Strike the keys that Playwright has names for, or write what is not such a name."""
    for key in keys:
        if key in ("/", "Enter", "Escape", "Home", "End", "Delete", "Space") or "Arrow" in key:
            tab.page.keyboard.press(key)
        else:
            tab.page.keyboard.type(key)


def options(tab: Tab) -> list[Locator]:
    return tab.page.locator(f"{DIALOG} [role=option]").all()


def names(tab: Tab) -> list[str]:
    """The names of the results; empty while there are none."""
    return tab.page.locator("dialog .name").all_text_contents()


def visible_text(tab: Tab, selector: str) -> str:
    return str(tab.page.evaluate(
        "(selector) => { const element = document.querySelector(selector);"
        " return element && element.checkVisibility() ? element.textContent : ''; }", selector
    ))


def box(tab: Tab) -> Locator:
    return tab.page.locator(f"{DIALOG} input[role=combobox]")


def is_open(tab: Tab) -> bool:
    return tab.page.locator(f"{DIALOG}[open]").count() > 0


def has_focus(element: Locator) -> bool:
    return bool(element.evaluate("(element) => element === document.activeElement"))


def search_for(tab: Tab, words: str, first: str) -> None:
    """Open the search by its key, type `words`, wait until `first` leads the results."""
    press(tab, "/", words)
    wait_for(lambda: names(tab)[:1] == [first], f"{first} for {words}")


def leading(tab: Tab, part: str = "") -> str:
    """The text of the first result, or of a `part` of it, read at once: it may be replaced."""
    return str(tab.page.evaluate(
        "(selector) => { const element = document.querySelector(selector);"
        " return element ? element.innerText : ''; }", f"{DIALOG} [role=option]{part}"
    ))


def selected(tab: Tab) -> str:
    """The first words of the result that is active, as a screen reader is told."""
    text = str(tab.page.evaluate(
        "() => { const id = document.activeElement.getAttribute('aria-activedescendant');"
        " const element = id && document.getElementById(id);"
        " return element && element.getAttribute('aria-selected') === 'true'"
        " ? element.innerText : ''; }"
    ))
    return text.split("\n")[0].strip()


# --- opening and closing --------------------------------------------------------------


@pytest.mark.parametrize("place", ["server", "disk"])
def test_names_are_found_from_every_page(tab: Tab, root: str, server: str, place: str) -> None:
    address = server if place == "server" else root
    for page in (
        PAGE, "index.html", "haproxy/index.html", "haproxy/1.0/index.html",
        "haproxy/1.0/configuration.html", "haproxy/1.0/management/index.html",
    ):
        tab.open(f"{address}/{page}")
        search_for(tab, "timeout l", "timeout lamp")
        press(tab, "Enter")
        wanted = f"{address}/{PAGE}#timeout-lamp"
        wait_for(lambda wanted=wanted: tab.address == wanted, wanted)  # type: ignore[misc]
        wait_for(lambda: not is_open(tab), "the page")
    assert 0 <= tab.top("[id='timeout-lamp']") < DESKTOP[1] / 2


def test_it_opens_and_gives_the_focus_back(tab: Tab, root: str) -> None:
    tab.open(f"{root}/{PAGE}")
    control, link = tab.page.locator("a.search"), tab.page.locator("main h1 > a").first
    for way in ("/", "s", "control", "Space", "Ctrl+K"):
        before = control if way in ("control", "Space") else link
        before.focus()
        if way == "control":
            control.click()
        elif way == "Ctrl+K":
            tab.page.keyboard.press("Control+k")
        else:
            press(tab, way)
        wait_for(lambda: is_open(tab), f"the dialog by {way}")
        assert has_focus(box(tab))
        box(tab).fill("")
        press(tab, "dim")
        wait_for(lambda: selected(tab).startswith("dim"), "a result")
        assert has_focus(box(tab))
        press(tab, "Escape")
        wait_for(lambda: not is_open(tab), "the page")
        wait_for(lambda: tab.address == f"{root}/{PAGE}", "the address of before")
        assert has_focus(before), way


def test_keys_in_fields_are_left_alone(tab: Tab, root: str) -> None:
    tab.open(f"{root}/{PAGE}")
    tab.page.evaluate(
        "() => { const element = document.createElement('input');"
        " document.querySelector('main').append(element); element.focus(); }"
    )
    press(tab, "s/")
    assert not is_open(tab)
    assert tab.page.locator("main input").input_value() == "s/"


def test_nothing_is_loaded_before_it_is_wanted(tab: Tab, root: str) -> None:
    script = "[...document.scripts].map((element) => element.src).join(' ')"
    tab.open(f"{root}/{PAGE}")
    assert "scripts." in tab.page.evaluate(script)  # search.js and others
    assert "search-" not in tab.page.evaluate(script)
    tab.page.locator("a.search").focus()
    wait_for(lambda: "search-names.js" in tab.page.evaluate(script), "the names")
    assert "search-text" not in tab.page.evaluate(script)


# --- moving among results -------------------------------------------------------------


def test_arrows_move_and_other_keys_edit(tab: Tab, root: str) -> None:
    tab.open(f"{root}/{PAGE}")
    search_for(tab, "timeout", "timeout lamp")
    assert selected(tab).startswith("timeout lamp")
    press(tab, "ArrowDown")
    assert selected(tab).startswith("timeout night")
    press(tab, "ArrowUp", "ArrowUp")  # around the end
    last = selected(tab)
    assert last and options(tab)[-1].inner_text().startswith(last)
    press(tab, "Home", "x", "Delete", "End", "z", "ArrowLeft", "y")
    assert box(tab).input_value() == "ximeoutyz"


def test_enter_opens_a_tab_with_ctrl(tab: Tab, root: str) -> None:
    tab.open(f"{root}/index.html")
    search_for(tab, "dim", "dim")
    with tab.page.context.expect_page() as opened:
        tab.page.keyboard.press("Control+Enter")
    opened.value.wait_for_url(lambda address: address == f"{root}/{PAGE}#dim")
    assert is_open(tab)


def test_enter_before_the_data_are_there_is_not_lost(tab: Tab, root: str) -> None:
    tab.open(f"{root}/index.html")
    tab.page.evaluate(
        "() => { const key = (target, name) => target.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: name, bubbles: true, cancelable: true}));"
        "key(document.body, '/'); const box = document.querySelector('dialog input');"
        "box.value = 'timeout night'; key(box, 'Enter'); }"
    )
    wanted = f"{root}/{PAGE}#timeout-night"
    wait_for(lambda: tab.address == wanted, wanted)


def test_a_name_of_several_kinds_is_one_result_with_all_its_places(
    tab: Tab, root: str
) -> None:
    tab.open(f"{root}/{PAGE}")
    search_for(tab, "maxlamps", "maxlamps")
    assert names(tab).count("maxlamps") == 1
    first, second = options(tab)[:2]
    both = first.inner_text() + second.inner_text()
    assert "also" not in first.inner_text()
    assert "proxy keyword" in both
    assert "global keyword" in both
    press(tab, "ArrowDown")
    assert selected(tab).startswith("maxlamps:")
    wanted = str(second.evaluate("(element) => element.href"))
    press(tab, "Enter")
    wait_for(lambda: tab.address == wanted and not is_open(tab), wanted)


def test_a_result_says_what_it_is(tab: Tab, root: str) -> None:
    tab.open(f"{root}/haproxy/1.0/index.html")
    search_for(tab, "old-lamp", "old-lamp")
    wait_for(lambda: "keyword is deprecated" in leading(tab), "the line")
    shown = " ".join(leading(tab).split())
    assert shown.startswith("old-lamp deprecated proxy keyword configuration 2.1")
    assert leading(tab, " .name mark") == "old-lamp"
    assert visible_text(tab, f"{DIALOG} [role=group] .title") == "Keywords"
    wait_for(lambda: "result" in visible_text(tab, f"{DIALOG} [role=status]"), "the count")


# --- the address ----------------------------------------------------------------------


def test_the_words_stand_in_the_address(tab: Tab, root: str) -> None:
    tab.open(f"{root}/{PAGE}#dim")
    search_for(tab, "timeout l", "timeout lamp")
    wait_for(lambda: tab.address == f"{root}/{PAGE}?q=timeout+l#dim", "the query")
    address = tab.address
    tab.open(address)
    wait_for(lambda: names(tab)[:1] == ["timeout lamp"], "the same results")
    assert box(tab).input_value() == "timeout l"
    press(tab, "Escape")
    wait_for(lambda: tab.address == f"{root}/{PAGE}#dim", "the address of before")


def test_the_results_are_shown_again_on_the_way_back(tab: Tab, root: str) -> None:
    tab.open(f"{root}/index.html")
    search_for(tab, "night", "timeout night")
    press(tab, "Enter")
    wait_for(lambda: "timeout-night" in tab.address, "the place")
    tab.page.wait_for_load_state()
    tab.page.go_back()
    expect(tab.page.locator("dialog .name").first).to_have_text("timeout night")
    assert tab.address == f"{root}/index.html?q=night"


# --- scopes ---------------------------------------------------------------------------


def choose(tab: Tab, title: str) -> None:
    tab.page.locator(f"{DIALOG} select").select_option(label=title)


def scopes(tab: Tab) -> list[str]:
    return tab.page.locator(f"{DIALOG} select option").all_text_contents()


def test_a_document_is_searched_alone_where_that_is_wanted(tab: Tab, root: str) -> None:
    tab.open(f"{root}/{PAGE}")
    search_for(tab, "ladders", "Ladders")
    assert scopes(tab) == ["All of HAProxy 1.0", "Configuration Manual"]
    choose(tab, "Configuration Manual")
    wait_for(lambda: "Ladders" not in names(tab), "other results")
    choose(tab, "All of HAProxy 1.0")
    assert names(tab)[:1] == ["Ladders"]


def test_the_home_searches_every_product(tab: Tab, root: str) -> None:
    tab.open(f"{root}/index.html?q=tools")
    wait_for(lambda: names(tab)[:1] == ["Tools"], "the other product")
    assert scopes(tab)[0] == "Everything"
    assert {"HAProxy 1.0", "dconv 0.1"} == {*scopes(tab)[1:]}
    choose(tab, "HAProxy 1.0")
    wait_for(lambda: "Tools" not in names(tab), "one product")
    tab.open(f"{root}/haproxy/1.0/index.html?q=")
    wait_for(lambda: visible_text(tab, f"{DIALOG} .only") == "HAProxy 1.0", "the one scope")


# --- nothing found --------------------------------------------------------------------


def test_where_nothing_is_found_names_are_offered(tab: Tab, root: str) -> None:
    tab.open(f"{root}/{PAGE}")
    press(tab, "/", "dimqqqqqqqqqqq")
    wait_for(lambda: "Nothing found" in visible_text(tab, f"{DIALOG} .hint"), "the news")
    assert names(tab)[:1] == ["dim"]
    assert visible_text(tab, f"{DIALOG} .title") == "Nearest names"
    tab.page.get_by_role("link", name="All names from A to Z").click()
    wait_for(lambda: tab.address.endswith("/configuration/keywords.html"), "the index")


def test_texts_are_no_nearest_names(tab: Tab, root: str) -> None:
    tab.open(f"{root}/{PAGE}")
    press(tab, "/", "curtqqqqqqqqqqoldla")
    wait_for(lambda: visible_text(tab, f"{DIALOG} .title") == "Nearest names", "the names")
    wait_for(lambda: names(tab)[:1] == ["old-lamp"], "what its end is like")
    assert "dim" not in names(tab)  # whose text has curtains


def test_where_the_data_are_missing_the_names_from_a_to_z_are_offered(
    tab: Tab, tmp_path: Path
) -> None:
    folder = build(tmp_path, SITE_INFO, [texts("haproxy", "1.0", {"configuration": LAMPS})])
    (folder / "haproxy/1.0/search-names.js").unlink()
    tab.open(f"{folder.as_uri()}/{PAGE}?q=dim")
    wait_for(lambda: "could not be loaded" in visible_text(tab, f"{DIALOG} .hint"), "the news")
    assert tab.page.get_by_role("link", name="All names from A to Z").is_visible()
    tab.complaints.clear()  # of the missing file


# --- marked words ---------------------------------------------------------------------


def marks(tab: Tab) -> list[str]:
    return tab.page.locator("main mark").all_text_contents()


def test_the_words_of_a_text_are_marked_where_it_is_opened(tab: Tab, root: str) -> None:
    tab.open(f"{root}/index.html")
    press(tab, "/", "velvet curtains")
    wait_for(lambda: "dim" in names(tab), "the text")
    address = str(tab.page.locator("dialog [role=option][href*='#dim']").first.evaluate(
        "(element) => element.href"
    ))
    assert "?mark=" in address
    text = (
        "((main) => { main.querySelectorAll('button').forEach((element) => element.remove());"
        " return main.textContent; })(document.querySelector('main').cloneNode(true))"
    )
    tab.open(f"{root}/{PAGE}")
    before = tab.page.evaluate(text)
    tab.open(address)
    wait_for(lambda: marks(tab) == ["velvet", "curtains", "velvet"], "the marks")
    assert tab.page.evaluate(text) == before
    assert 0 <= tab.top("#dim") < DESKTOP[1] / 2
    assert visible_text(tab, ".marks [role=status]") == "3 words marked"
    tab.page.locator(".marks button").first.click()
    assert visible_text(tab, ".marks [role=status]") == "1 of 3"
    press(tab, "Escape")
    wait_for(lambda: marks(tab) == [], "no marks")
    wait_for(lambda: tab.address == f"{root}/{PAGE}#dim", "the address of before")
    assert tab.page.locator(".marks").count() == 0


def line_of(tab: Tab, anchor: str) -> tuple[str, list[str], float, float]:
    """The line of the result that points to `anchor`, its marks, where the result is, how high."""
    numbers = tab.page.evaluate(
        "(anchor) => {"
        " const element = document.querySelector(`dialog [role=option][href$='#${anchor}']`);"
        " const line = element && element.querySelector('.line');"
        " const box = element && element.getBoundingClientRect();"
        " return line ? [line.textContent, [...line.querySelectorAll('mark')].map((mark) =>"
        " mark.textContent), box.top, box.height] : ['', [], 0, 0]; }", anchor
    )
    return numbers[0], numbers[1], numbers[2], numbers[3]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_text_shows_the_sentence_and_nothing_moves(
    open_tab: Tabs, root: str, size: tuple[int, int]
) -> None:
    tab = open_tab(size, touch=size == PHONE)
    tab.open(f"{root}/index.html")
    tab.page.evaluate(  # holds the sentences back until `release` is called
        "() => { window.held = []; const add = document.head.append.bind(document.head);"
        "document.head.append = (script) =>"
        " /search-part-/.test(script.src) ? held.push(script) : add(script);"
        "window.release = () => held.splice(0).forEach(add); }"
    )
    tab.page.locator("a.search").click()
    press(tab, "velvet curtain")
    wait_for(lambda: line_of(tab, "dim")[0] == "Makes the lamp darker.", "the summary")
    wait_for(lambda: bool(tab.page.evaluate("held.length")), "the wish")
    before = line_of(tab, "dim")
    tab.page.evaluate("release()")
    sentence = "It never burns the velvet curtains, and velvet chairs are spared as well."
    wait_for(lambda: line_of(tab, "dim")[0] == sentence, "the sentence")
    after = line_of(tab, "dim")
    assert after[1] == ["velvet", "curtains", "velvet"]
    assert after[2:] == before[2:]
    assert tab.page.evaluate(  # a theme's other parts have classes, too
        "() => { const line = document.querySelector('dialog .sentence').getBoundingClientRect();"
        "const element = document.querySelector(\"dialog [role=option][href$='#dim']\");"
        "const hit = element.getBoundingClientRect(), name = element.querySelector('.name');"
        "return line.height > 0 && line.top >= name.getBoundingClientRect().bottom"
        " && line.bottom <= hit.bottom && line.left >= hit.left && line.right <= hit.right; }"
    )


def test_without_the_sentences_the_summary_stays(tab: Tab, tmp_path: Path) -> None:
    folder = build(tmp_path, SITE_INFO, [texts("haproxy", "1.0", {"configuration": LAMPS})])
    (folder / "haproxy/1.0/search-part-0.js").unlink()
    with tab.page.expect_event("console"):  # the message of the missing file
        tab.open(f"{folder.as_uri()}/{PAGE}?q=velvet+curtains")
    tab.complaints.clear()
    assert line_of(tab, "dim")[0] == "Makes the lamp darker."


def test_other_forms_of_a_word_are_marked(tab: Tab, root: str) -> None:
    tab.open(f"{root}/{PAGE}?mark=burning+chair#dim")
    wait_for(lambda: marks(tab) == ["burns", "chairs"], "the marks")


def test_odd_words_to_mark_do_no_harm(tab: Tab, root: str) -> None:
    for address in ("?mark=.*(&)", "?mark=zzz#dim", "?mark=&q", "?mark=a#%"):
        tab.open(f"{root}/{PAGE}{address}")
        assert marks(tab) == []


# --- names that are gone --------------------------------------------------------------


def groups(tab: Tab) -> dict[str, list[str]]:
    """The titles of the groups of results, each with the names in it."""
    groups = tab.page.locator(f"{DIALOG} [role=group]").all()
    return {
        group.locator(".title").inner_text(): group.locator(".name").all_inner_texts()
        for group in groups
    }


def test_a_name_that_is_gone_leads_to_the_last_release_that_has_it(
    tab: Tab, two_releases: Path
) -> None:
    root = two_releases.as_uri()
    tab.open(f"{root}/haproxy/2.0/configuration/2.1.html?q=Old_Lamp")
    wait_for(lambda: "No longer there" in groups(tab), "the name")
    assert next(iter(groups(tab).items())) == ("No longer there", ["old-lamp"])
    where = options(tab)[0].locator(".where").inner_text()
    assert where.split("\n") == ["proxy keyword", "not in HAProxy 2.0, last in 1.0"]
    press(tab, "Enter")
    address = f"{root}/haproxy/1.0/configuration/2.1.html#old-lamp"
    wait_for(lambda: tab.address == address, address)


def test_the_beginning_of_a_name_that_is_gone_stands_last(tab: Tab, two_releases: Path) -> None:
    tab.open(f"{two_releases.as_uri()}/haproxy/2.0/configuration/2.1.html?q=timeout")
    wait_for(lambda: "No longer there" in groups(tab), "the name")
    assert list(groups(tab).items())[-1] == ("No longer there", ["timeout night"])
    assert names(tab)[0] in ("timeout day", "timeout lamp")


def test_a_misspelt_name_that_is_gone_leads(tab: Tab, two_releases: Path) -> None:
    tab.open(f"{two_releases.as_uri()}/haproxy/2.0/configuration/2.1.html?q=timeout-nihgt")
    wait_for(lambda: "No longer there" in groups(tab), "the name")
    assert next(iter(groups(tab).items())) == ("No longer there", ["timeout night"])


def test_what_came_later_is_not_gone(tab: Tab, two_releases: Path) -> None:
    tab.open(f"{two_releases.as_uri()}/haproxy/1.0/configuration/2.1.html?q=velvet-lamp")
    wait_for(lambda: bool(options(tab)), "results")
    assert "No longer there" not in groups(tab)


# --- phones, and readers without scripts ----------------------------------------------


def test_an_empty_search_shows_what_was_viewed_last(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    for place in (f"{PAGE}#dim", "haproxy/1.0/configuration/3.html", PAGE):
        tab.open(f"{server}/{place}")
        wait_for(lambda: bool(tab.page.evaluate("localStorage['dconv-recent']")), "the page")
    tab.page.keyboard.press("/")
    rows = tab.page.locator(f"{DIALOG} [role=option] .name")
    rows.first.wait_for()
    assert rows.all_inner_texts() == ["3 The velvet & other cloths", "dim"]
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**#dim")


def test_a_search_without_storage_or_with_that_of_others_is_empty(
    open_tab: Tabs, server: str
) -> None:
    for script in (
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('none'); }})",
        "try { localStorage['dconv-recent'] = 'of another'; } catch {}",
        "try { localStorage['dconv-recent'] = '[1, null]'; } catch {}",
    ):
        tab = open_tab()
        tab.page.add_init_script(script)
        tab.open(f"{server}/{PAGE}")
        tab.page.keyboard.press("/")
        tab.page.locator(f"{DIALOG} .hint", has_text="Names come first").wait_for()
        assert tab.page.locator(f"{DIALOG} [role=option]").count() == 0


def test_a_phone_shows_it_whole(open_tab: Tabs, root: str) -> None:
    tab = open_tab(PHONE, touch=True)
    tab.open(f"{root}/{PAGE}")
    assert tab.overflow() == 0
    tab.page.locator("a.search").tap()
    press(tab, "lamp")
    wait_for(lambda: bool(options(tab)), "results")
    wait_for(lambda: tab.box(DIALOG)["width"] == PHONE[0], "the sheet")
    assert tab.overflow() == 0
    for element in tab.page.locator(f"{DIALOG} [role=option]").evaluate_all(
        "(all) => all.map((element) => element.getBoundingClientRect().toJSON())"
    ):
        assert element["width"] <= PHONE[0]
        assert element["height"] >= 36
    options(tab)[0].tap()
    wait_for(lambda: not is_open(tab), "the place")


def test_without_scripts_the_control_leads_to_names(open_tab: Tabs, root: str) -> None:
    tab = open_tab(scripts=False)
    names = "haproxy/1.0/configuration/keywords.html"
    for page, index in (
        (PAGE, names), ("haproxy/1.0/configuration.html", names), ("index.html", names),
        ("haproxy/1.0/management/1.html", "haproxy/1.0/management/index.html"),
        ("dconv/index.html", "dconv/0.1/manual/index.html"),
    ):
        tab.open(f"{root}/{page}?q=dim")
        assert not tab.page.locator("a.search kbd").is_visible()
        tab.page.locator("a.search").click()
        tab.arrives(f"{root}/{index}")


# --- what other programs read ---------------------------------------------------------


def test_the_search_holds_no_box_in_a_box(tab: Tab, root: str) -> None:
    """Options hold no links, every option has a place to go, and labels point to something."""
    tab.open(f"{root}/{PAGE}?q=maxlamps")
    wait_for(lambda: bool(options(tab)), "results")
    check: Callable[[str], object] = tab.page.evaluate
    assert check("document.querySelectorAll('[role=option] :is(a, button)').length") == 0
    assert check(
        "[...document.querySelectorAll('dialog [aria-labelledby], dialog [aria-controls],"
        " dialog [aria-activedescendant]')].flatMap((element) =>"
        " ['aria-labelledby', 'aria-controls', 'aria-activedescendant']"
        ".map((name) => element.getAttribute(name)).filter(Boolean))"
        ".filter((id) => !document.getElementById(id))"
    ) == []
    assert check("[...document.querySelectorAll('[role=option]')].filter((element) =>"
                 " !element.closest('[role=group]').closest('[role=listbox]')).length") == 0
