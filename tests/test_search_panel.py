"""The search as readers have it: in a real browser, from the disk and from a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import HEIGHT, WIDTH, Browser
from programs import served, wait_for
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from dconv import pipeline
from dconv.pages import Edition, Origin
from dconv.resources import resource_folder
from dconv.settings import Product, load_product
from dconv.theme import load

EDITION = Edition("All manuals <here>", "dconv test", "https://docs.example.org/manuals/")
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
PHONE = (390, 844)


def texts(product: str, version: str, documents: dict[str, str]) -> pipeline.ReleaseTexts:
    found: Product = load_product(resource_folder("manuals") / product)
    read = tuple(
        pipeline.SourceText(documents[one.name].encode(), one.file, found, one, Origin("a text"))
        for one in found.documents if one.name in documents
    )
    return pipeline.ReleaseTexts(product, found.title, version, "", read)


def build(folder: Path, edition: Edition, releases: list[pipeline.ReleaseTexts]) -> Path:
    files = pipeline.whole_site(
        releases, edition, load("default"), lambda step: None, lambda done: None
    )
    for path, content in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two products, one of them with two documents."""
    return build(tmp_path_factory.mktemp("site"), EDITION, [
        texts("haproxy", "1.0", {"configuration": LAMPS, "management": GUIDE}),
        texts("dconv", "0.1", {"manual": TOOLS}),
    ])


@pytest.fixture(scope="module", params=["file", "http"])
def root(request: pytest.FixtureRequest, site: Path) -> Iterator[str]:
    """The address of the site, from the disk and from a server."""
    if request.param == "file":
        yield site.as_uri()
    else:
        with served(site) as address:
            yield address


@pytest.fixture
def disk(site: Path) -> str:
    """The address of the site on the disk, for what is the same from a server."""
    return site.as_uri()


@pytest.fixture(autouse=True)
def as_before(browser: Browser) -> Iterator[None]:
    """Put back what tests change of the browser."""
    yield
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# --- reading the page -----------------------------------------------------------------


def press(browser: Browser, *keys: str) -> None:
    """Strike `keys` wherever the focus is."""
    ActionChains(browser.driver).send_keys(*keys).perform()


def held(browser: Browser, modifier: str, key: str) -> None:
    ActionChains(browser.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()


def options(browser: Browser) -> list[WebElement]:
    return browser.driver.find_elements(By.CSS_SELECTOR, f"{DIALOG} [role=option]")


def names(browser: Browser) -> list[str]:
    """The names of the results; empty while there are none."""
    found = browser.driver.execute_script(
        "return [...document.querySelectorAll('dialog .name')].map((one) => one.textContent)"
    )
    return [str(one) for one in found]


def said(browser: Browser, selector: str) -> str:
    return str(browser.driver.execute_script(
        "const found = document.querySelector(arguments[0]);"
        "return found && found.checkVisibility() ? found.textContent : ''", selector
    ))


def box(browser: Browser) -> WebElement:
    wanted = f"{DIALOG} input[role=combobox]"
    wait_for(lambda: bool(browser.driver.find_elements(By.CSS_SELECTOR, wanted)), "the field")
    return browser.driver.find_element(By.CSS_SELECTOR, wanted)


def is_open(browser: Browser) -> bool:
    return bool(browser.driver.find_elements(By.CSS_SELECTOR, f"{DIALOG}[open]"))


def search_for(browser: Browser, words: str, first: str) -> None:
    """Open the search by its key, type `words`, wait until `first` leads the results."""
    press(browser, "/", words)
    wait_for(lambda: names(browser)[:1] == [first], f"{first} for {words}")


def leading(browser: Browser, part: str = "") -> str:
    """The text of the first result, or of a `part` of it, read at once: it may be replaced."""
    one = f"{DIALOG} [role=option]{part}"
    return str(browser.driver.execute_script(
        "const one = document.querySelector(arguments[0]); return one ? one.innerText : ''", one
    ))


def selected(browser: Browser) -> str:
    """The first words of the result that is active, as a screen reader is told."""
    return str(browser.driver.execute_script(
        "const id = document.activeElement.getAttribute('aria-activedescendant');"
        "const one = id && document.getElementById(id);"
        "return one && one.getAttribute('aria-selected') === 'true' ? one.innerText : ''"
    )).split("\n")[0].strip()


# --- opening and closing --------------------------------------------------------------


@pytest.mark.parametrize("page", [
    PAGE, "index.html", "haproxy/index.html", "haproxy/1.0/index.html",
    "haproxy/1.0/configuration/keywords.html", "haproxy/1.0/configuration.html",
    "haproxy/1.0/management/index.html",
])
def test_names_are_found_from_every_page(browser: Browser, root: str, page: str) -> None:
    browser.open(f"{root}/{page}")
    search_for(browser, "timeout l", "timeout lamp")
    press(browser, Keys.ENTER)
    wanted = f"{root}/{PAGE}#timeout-lamp"
    wait_for(lambda: browser.address == wanted and not is_open(browser), wanted)
    assert 0 <= browser.top("[id='timeout-lamp']") < HEIGHT / 2
    assert browser.messages() == []


@pytest.mark.parametrize("way", ["/", "s", "control", "space", "Ctrl+K"])
def test_it_opens_and_gives_the_focus_back(browser: Browser, disk: str, way: str) -> None:
    browser.open(f"{disk}/{PAGE}")
    control = browser.driver.find_element(By.CSS_SELECTOR, "a.search")
    link = browser.driver.find_element(By.CSS_SELECTOR, "main a.self")
    browser.driver.execute_script("arguments[0].focus()", control if way == "space" else link)
    before = control if way in ("control", "space") else link
    if way == "control":
        control.click()
    elif way == "Ctrl+K":
        held(browser, Keys.CONTROL, "k")
    else:
        press(browser, " " if way == "space" else way)
    wait_for(lambda: is_open(browser), "the dialog")
    assert browser.driver.switch_to.active_element == box(browser)
    press(browser, "dim")
    wait_for(lambda: selected(browser).startswith("dim"), "a result")
    assert browser.driver.switch_to.active_element == box(browser)
    assert box(browser).get_attribute("value") == "dim"
    press(browser, Keys.ESCAPE)
    wait_for(lambda: not is_open(browser), "the page")
    wait_for(lambda: browser.address == f"{disk}/{PAGE}", "the address of before")
    assert browser.driver.switch_to.active_element == before


def test_keys_in_fields_are_left_alone(browser: Browser, disk: str) -> None:
    browser.open(f"{disk}/{PAGE}")
    browser.driver.execute_script(
        "const one = document.createElement('input');"
        "document.querySelector('main').append(one); one.focus()"
    )
    press(browser, "s/")
    assert not is_open(browser)
    assert browser.driver.switch_to.active_element.get_attribute("value") == "s/"


def test_single_keys_can_be_switched_off(browser: Browser, root: str) -> None:
    browser.open(f"{root}/{PAGE}")
    search_for(browser, "dim", "dim")
    check = browser.driver.find_element(By.CSS_SELECTOR, f"{DIALOG} [type=checkbox]")
    assert check.is_selected()
    check.click()
    browser.open(f"{root}/{PAGE}")
    press(browser, "/", "s")
    assert not is_open(browser)
    held(browser, Keys.CONTROL, "k")
    wait_for(lambda: bool(said(browser, f"{DIALOG} .single")), "the checkbox")
    check = browser.driver.find_element(By.CSS_SELECTOR, f"{DIALOG} [type=checkbox]")
    assert not check.is_selected()
    check.click()
    browser.open(f"{root}/{PAGE}")
    press(browser, "/")
    assert is_open(browser)


def test_nothing_is_loaded_before_it_is_wanted(browser: Browser, disk: str) -> None:
    script = "return [...document.scripts].map((one) => one.src).join(' ')"
    browser.open(f"{disk}/{PAGE}")
    assert "search." in browser.driver.execute_script(script)
    assert "search-" not in browser.driver.execute_script(script)
    control = browser.driver.find_element(By.CSS_SELECTOR, "a.search")
    browser.driver.execute_script("arguments[0].focus()", control)
    wait_for(lambda: "search-names.js" in browser.driver.execute_script(script), "the names")
    assert "search-text" not in browser.driver.execute_script(script)


# --- moving among results -------------------------------------------------------------


def test_arrows_move_and_other_keys_edit(browser: Browser, disk: str) -> None:
    browser.open(f"{disk}/{PAGE}")
    search_for(browser, "timeout", "timeout lamp")
    assert selected(browser).startswith("timeout lamp")
    press(browser, Keys.ARROW_DOWN)
    assert selected(browser).startswith("timeout night")
    press(browser, Keys.ARROW_UP, Keys.ARROW_UP)  # around the end
    last = selected(browser)
    assert last and options(browser)[-1].text.startswith(last)
    press(browser, Keys.HOME, "x", Keys.DELETE, Keys.END, "z", Keys.ARROW_LEFT, "y")
    assert box(browser).get_attribute("value") == "ximeoutyz"


def test_enter_opens_a_tab_with_ctrl(browser: Browser, root: str) -> None:
    browser.open(f"{root}/index.html")
    search_for(browser, "dim", "dim")
    own = browser.driver.current_window_handle
    held(browser, Keys.CONTROL, Keys.ENTER)
    wait_for(lambda: len(browser.driver.window_handles) > 1, "a tab")
    assert is_open(browser)
    (other,) = {*browser.driver.window_handles} - {own}
    browser.driver.switch_to.window(other)
    try:
        wait_for(lambda: browser.address == f"{root}/{PAGE}#dim", "the place")
    finally:
        browser.driver.close()
        browser.driver.switch_to.window(own)


def test_enter_before_the_data_are_there_is_not_lost(browser: Browser, root: str) -> None:
    browser.open(f"{root}/index.html")
    browser.driver.execute_script(
        "const key = (target, name) => target.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: name, bubbles: true, cancelable: true}));"
        "key(document.body, '/'); const box = document.querySelector('dialog input');"
        "box.value = 'timeout night'; key(box, 'Enter')"
    )
    wanted = f"{root}/{PAGE}#timeout-night"
    wait_for(lambda: browser.address == wanted, wanted)


def test_a_name_of_several_kinds_is_one_result_with_all_its_places(
    browser: Browser, disk: str
) -> None:
    browser.open(f"{disk}/{PAGE}")
    search_for(browser, "maxlamps", "maxlamps")
    assert names(browser).count("maxlamps") == 1
    first, second = options(browser)[:2]
    assert "also" not in first.text
    assert "proxy keyword" in first.text + second.text
    assert "global keyword" in first.text + second.text
    press(browser, Keys.ARROW_DOWN)
    assert selected(browser).startswith("maxlamps:")
    wanted = str(second.get_attribute("href"))
    press(browser, Keys.ENTER)
    wait_for(lambda: browser.address == wanted and not is_open(browser), wanted)


def test_a_result_says_what_it_is(browser: Browser, disk: str) -> None:
    browser.open(f"{disk}/haproxy/1.0/index.html")
    search_for(browser, "old-lamp", "old-lamp")
    wait_for(lambda: "keyword is deprecated" in leading(browser), "the line")
    shown = " ".join(leading(browser).split())
    assert shown.startswith("old-lamp deprecated proxy keyword configuration 2.1")
    assert leading(browser, " .name mark") == "old-lamp"
    assert said(browser, f"{DIALOG} [role=group] .title") == "Keywords"
    wait_for(lambda: "result" in said(browser, f"{DIALOG} [role=status]"), "the count")


# --- the address ----------------------------------------------------------------------


def test_the_words_stand_in_the_address(browser: Browser, root: str) -> None:
    browser.open(f"{root}/{PAGE}#dim")
    search_for(browser, "timeout l", "timeout lamp")
    wait_for(lambda: browser.address == f"{root}/{PAGE}?q=timeout+l#dim", "the query")
    address = browser.address
    browser.open(address)
    wait_for(lambda: names(browser)[:1] == ["timeout lamp"], "the same results")
    assert box(browser).get_attribute("value") == "timeout l"
    press(browser, Keys.ESCAPE)
    wait_for(lambda: browser.address == f"{root}/{PAGE}#dim", "the address of before")


def test_who_comes_back_finds_the_results_again(browser: Browser, root: str) -> None:
    browser.open(f"{root}/index.html")
    search_for(browser, "night", "timeout night")
    press(browser, Keys.ENTER)
    wait_for(lambda: "timeout-night" in browser.address, "the place")
    browser.driver.back()
    wait_for(lambda: names(browser)[:1] == ["timeout night"], "the results")
    assert browser.address == f"{root}/index.html?q=night"


# --- scopes ---------------------------------------------------------------------------


def choose(browser: Browser, title: str) -> None:
    script = (
        "const list = document.querySelector('dialog select');"
        "list.value = [...list.options].find((one) => one.text === arguments[0]).value;"
        "list.dispatchEvent(new Event('change'))"
    )
    browser.driver.execute_script(script, title)


def scopes(browser: Browser) -> list[str]:
    found = browser.driver.find_elements(By.CSS_SELECTOR, f"{DIALOG} select option")
    return [one.text for one in found]


def test_a_document_is_searched_alone_where_that_is_wanted(browser: Browser, disk: str) -> None:
    browser.open(f"{disk}/{PAGE}")
    search_for(browser, "ladders", "Ladders")
    assert scopes(browser) == ["All of HAProxy 1.0", "Configuration Manual"]
    choose(browser, "Configuration Manual")
    wait_for(lambda: "Ladders" not in names(browser), "other results")
    choose(browser, "All of HAProxy 1.0")
    assert names(browser)[:1] == ["Ladders"]


def test_the_home_searches_every_product(browser: Browser, root: str) -> None:
    browser.open(f"{root}/index.html?q=tools")
    wait_for(lambda: names(browser)[:1] == ["Tools"], "the other product")
    assert scopes(browser)[0] == "Everything"
    assert {"HAProxy 1.0", "dconv 0.1"} == {*scopes(browser)[1:]}
    choose(browser, "HAProxy 1.0")
    wait_for(lambda: "Tools" not in names(browser), "one product")
    browser.open(f"{root}/haproxy/1.0/index.html?q=")
    wait_for(lambda: said(browser, f"{DIALOG} .only") == "HAProxy 1.0", "the one scope")


# --- nothing found --------------------------------------------------------------------


def test_where_nothing_is_found_names_are_offered(browser: Browser, disk: str) -> None:
    browser.open(f"{disk}/{PAGE}")
    press(browser, "/", "dimqqqqqqqqqqq")
    wait_for(lambda: "Nothing found" in said(browser, f"{DIALOG} .hint"), "the news")
    assert names(browser)[:1] == ["dim"]
    assert said(browser, f"{DIALOG} .title") == "Nearest names"
    browser.driver.find_element(By.LINK_TEXT, "All names from A to Z").click()
    wait_for(lambda: browser.address.endswith("/configuration/keywords.html"), "the index")


def test_texts_are_no_nearest_names(browser: Browser, disk: str) -> None:
    browser.open(f"{disk}/{PAGE}")
    press(browser, "/", "curtqqqqqqqqqqoldla")
    wait_for(lambda: said(browser, f"{DIALOG} .title") == "Nearest names", "the names")
    wait_for(lambda: names(browser)[:1] == ["old-lamp"], "what its end is like")
    assert "dim" not in names(browser)  # whose text has curtains


def test_where_the_data_are_missing_the_names_from_a_to_z_are_offered(
    browser: Browser, tmp_path: Path
) -> None:
    folder = build(tmp_path, EDITION, [texts("haproxy", "1.0", {"configuration": LAMPS})])
    (folder / "haproxy/1.0/search-names.js").unlink()
    browser.open(f"{folder.as_uri()}/{PAGE}?q=dim")
    wait_for(lambda: "could not be loaded" in said(browser, f"{DIALOG} .hint"), "the news")
    assert browser.driver.find_element(By.LINK_TEXT, "All names from A to Z").is_displayed()
    browser.messages()  # tells of the missing file


# --- marked words ---------------------------------------------------------------------


def marks(browser: Browser) -> list[str]:
    found = browser.driver.execute_script(
        "return [...document.querySelectorAll('main mark')].map((one) => one.textContent)"
    )
    return [str(one) for one in found]


def test_the_words_of_a_text_are_marked_where_it_is_opened(browser: Browser, root: str) -> None:
    browser.open(f"{root}/index.html")
    press(browser, "/", "velvet curtains")
    wait_for(lambda: "dim" in names(browser), "the text")
    address = next(
        str(one.get_attribute("href")) for one in options(browser) if "#dim" in
        str(one.get_attribute("href"))
    )
    assert "?mark=" in address
    text = "return document.querySelector('main').textContent"
    browser.open(f"{root}/{PAGE}")
    before = browser.driver.execute_script(text)
    browser.open(address)
    wait_for(lambda: marks(browser) == ["velvet", "curtains", "velvet"], "the marks")
    assert browser.driver.execute_script(text) == before
    assert 0 <= browser.top("#dim") < HEIGHT / 2
    assert said(browser, ".marks [role=status]") == "3 words marked"
    browser.driver.find_element(By.CSS_SELECTOR, ".marks button").click()
    assert said(browser, ".marks [role=status]") == "1 of 3"
    press(browser, Keys.ESCAPE)
    wait_for(lambda: marks(browser) == [], "no marks")
    wait_for(lambda: browser.address == f"{root}/{PAGE}#dim", "the address of before")
    assert browser.driver.find_elements(By.CSS_SELECTOR, ".marks") == []
    assert browser.messages() == []


def line_of(browser: Browser, anchor: str) -> tuple[str, list[str], float, float]:
    """The line of the result that leads to `anchor`, its marks, where the result is, how high."""
    found = browser.driver.execute_script(
        "const one = document.querySelector(`dialog [role=option][href$='#${arguments[0]}']`);"
        "const line = one && one.querySelector('.line'), box = one && one.getBoundingClientRect();"
        "return line ? [line.textContent, [...line.querySelectorAll('mark')].map((mark) =>"
        " mark.textContent), box.top, box.height] : ['', [], 0, 0]", anchor
    )
    return found[0], found[1], found[2], found[3]


@pytest.mark.parametrize("size", [(WIDTH, HEIGHT), PHONE])
def test_a_text_shows_the_sentence_and_nothing_moves(
    browser: Browser, root: str, size: tuple[int, int]
) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE,
    })
    browser.open(f"{root}/index.html")
    browser.driver.execute_script(  # keeps what is found from being told, until it is wanted
        "window.held = []; const add = document.head.append.bind(document.head);"
        "document.head.append = (one) => /search-part-/.test(one.src) ? held.push(one) : add(one);"
        "window.release = () => held.splice(0).forEach(add)"
    )
    browser.driver.find_element(By.CSS_SELECTOR, "a.search").click()
    press(browser, "velvet curtain")
    wait_for(lambda: line_of(browser, "dim")[0] == "Makes the lamp darker.", "the summary")
    wait_for(lambda: bool(browser.driver.execute_script("return held.length")), "the wish")
    before = line_of(browser, "dim")
    browser.driver.execute_script("release()")
    sentence = "It never burns the velvet curtains, and velvet chairs are spared as well."
    wait_for(lambda: line_of(browser, "dim")[0] == sentence, "the sentence")
    after = line_of(browser, "dim")
    assert after[1] == ["velvet", "curtains", "velvet"]
    assert after[2:] == before[2:]
    assert browser.messages() == []


def test_without_the_sentences_the_summary_stays(browser: Browser, tmp_path: Path) -> None:
    folder = build(tmp_path, EDITION, [texts("haproxy", "1.0", {"configuration": LAMPS})])
    (folder / "haproxy/1.0/search-part-0.js").unlink()
    browser.open(f"{folder.as_uri()}/{PAGE}?q=velvet+curtains")
    asked = "return [...document.scripts].some((one) => one.src.includes('search-part-0'))"
    wait_for(lambda: bool(browser.driver.execute_script(asked)), "the wish")
    wait_for(lambda: bool(browser.messages()), "the message of the missing file")
    assert line_of(browser, "dim")[0] == "Makes the lamp darker."


def test_other_forms_of_a_word_are_marked(browser: Browser, disk: str) -> None:
    browser.open(f"{disk}/{PAGE}?mark=burning+chair#dim")
    wait_for(lambda: marks(browser) == ["burns", "chairs"], "the marks")


@pytest.mark.parametrize("address", ["?mark=.*(&)", "?mark=zzz#dim", "?mark=&q", "?mark=a#%"])
def test_odd_words_to_mark_do_no_harm(browser: Browser, disk: str, address: str) -> None:
    browser.open(f"{disk}/{PAGE}{address}")
    assert marks(browser) == []
    assert browser.messages() == []


# --- phones, and readers without scripts ----------------------------------------------


def test_a_phone_shows_it_whole(browser: Browser, root: str) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True,
    })
    browser.open(f"{root}/{PAGE}")
    width = "return document.scrollingElement.scrollWidth"
    assert browser.driver.execute_script(width) == PHONE[0]
    browser.driver.find_element(By.CSS_SELECTOR, "a.search").click()
    press(browser, "lamp")
    wait_for(lambda: bool(options(browser)), "results")
    wait_for(lambda: browser.driver.find_element(By.CSS_SELECTOR, DIALOG).size["width"] == PHONE[0],
             "the sheet")
    assert browser.driver.execute_script(width) == PHONE[0]
    for one in options(browser):
        assert one.size["width"] <= PHONE[0]
        assert one.size["height"] >= 36
    options(browser)[0].click()
    wait_for(lambda: not is_open(browser), "the place")


@pytest.mark.parametrize(("page", "index"), [
    (PAGE, "haproxy/1.0/configuration/keywords.html"),
    ("haproxy/1.0/configuration.html", "haproxy/1.0/configuration/keywords.html"),
    ("haproxy/1.0/index.html", "haproxy/1.0/configuration/keywords.html"),
    ("index.html", "haproxy/1.0/configuration/keywords.html"),
    ("haproxy/1.0/management/1.html", "haproxy/1.0/management/index.html"),
    ("dconv/index.html", "dconv/0.1/manual/index.html"),
])
def test_without_scripts_the_control_leads_to_names(
    browser_without_scripts: Browser, root: str, page: str, index: str
) -> None:
    browser = browser_without_scripts
    browser.open(f"{root}/{page}?q=dim")
    assert not browser.driver.find_element(By.CSS_SELECTOR, "a.search kbd").is_displayed()
    browser.driver.find_element(By.CSS_SELECTOR, "a.search").click()
    wait_for(lambda: browser.address == f"{root}/{index}", index)


# --- what other programs read ---------------------------------------------------------


def test_browsers_are_told_how_to_search_a_public_site(site: Path, tmp_path: Path) -> None:
    address = "https://docs.example.org/manuals/index.html?q={searchTerms}"
    assert f'template="{address}"' in (site / "opensearch.xml").read_text()
    assert '<link rel="search" href="../../../opensearch.xml"' in (site / PAGE).read_text()
    quiet = build(tmp_path, Edition("Manuals", "dconv test"), [
        texts("dconv", "0.1", {"manual": TOOLS})
    ])
    assert not (quiet / "opensearch.xml").exists()
    assert 'rel="search"' not in (quiet / "index.html").read_text()


@pytest.mark.parametrize(("width", "height"), [(WIDTH, HEIGHT), PHONE])
def test_the_search_holds_no_box_in_a_box(
    browser: Browser, disk: str, width: int, height: int
) -> None:
    """Options hold no links, every option has a place to go, and labels lead to something."""
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False,
    })
    browser.open(f"{disk}/{PAGE}?q=maxlamps")
    wait_for(lambda: bool(options(browser)), "results")
    check: Callable[[str], object] = browser.driver.execute_script
    assert check("return document.querySelectorAll('[role=option] :is(a, button)').length") == 0
    assert check(
        "return [...document.querySelectorAll('dialog [aria-labelledby], dialog [aria-controls],"
        " dialog [aria-activedescendant]')].flatMap((one) => ['aria-labelledby', 'aria-controls',"
        " 'aria-activedescendant'].map((name) => one.getAttribute(name)).filter(Boolean))"
        ".filter((id) => !document.getElementById(id))"
    ) == []
    assert check("return [...document.querySelectorAll('[role=option]')].filter((one) =>"
                 " !one.closest('[role=group]').closest('[role=listbox]')).length") == 0
