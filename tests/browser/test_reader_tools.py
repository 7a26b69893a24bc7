"""What scripts add for readers of a page: theme, copies, keys, the list that follows."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest
from axe_playwright_python.sync_playwright import Axe
from chromium import DESKTOP, PHONE, Tab, Tabs
from programs import need, served, wait_for, write_tree

from dconv.build.schedule import build_site
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.pages.versions import presence_words
from dconv.writers.theme.theme import load

SITE_INFO = SiteInfo("Lamps", "dconv test", "https://docs.example.org/manuals/", latest=True)
NAMES = [f"lamp-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
LONG = "lamp of the corridor, which burns when somebody comes home late and finds no key"
SHINE = f"""\
shine <colour>
  Lets a lamp shine in a "colour" -- dashes and 'quotes' stay.

  Arguments :
    warm   like a candle

    cold   like the moon

  Example :
        # one line is whole, the other is broken twice
        shine "red -- and 'green'"
        shine blue,\\
          green      \\
          if {{ night }}

  The same by hand, with what it answers:

      $ shine --now | \\
        cat
      lamp is on
      # of 3
      $ echo "two
      lines"

  A socket, drawn:

      +---+
      |o o|--\\
      +---+  |

  Example: a long one
        shine {LONG}
"""
HOUSE = """\
1. Global section
-----------------

A house has lamps.

2. Proxies
----------

2.1. Alphabetically sorted keywords reference
---------------------------------------------

"""
MORE = "\n".join(f"  Lamps of the kind {{0}} glow, line {number}.\n" for number in range(12))
ACTIONS = """
{}. Alphabetically sorted actions reference
-------------------------------------------

lift-lamp
  Lifts a lamp.
"""
MATRIX = """
{}. Proxy keywords matrix
-------------------------

Where lamps may be used:

 keyword                              defaults   frontend   listen    backend
------------------------------------+----------+----------+---------+---------
"""
ROWS = [
    f"{name:<40}X          {'-' if number % 4 else 'X'}         X         "
    f"{'X' if number % 8 == 0 else '-'}\n" for number, name in enumerate(NAMES)
]
NEW = """\
glow <time>
  Lets it glow.

2.2. The cellar
---------------

Dark.

cellar-lamp
  Lights the stairs.

  See also : "lamp-c", "lamp-d".
""" + MATRIX.format("2.3") + "".join(ROWS) + ACTIONS.format("2.4")
OLD = """\
cellar-lamp
  Lights the steep stairs.

  See also : "lamp-c", "lamp-d".
""" + MATRIX.format("2.2") + "".join(ROWS[:5]) + ACTIONS.format("2.3")
ALPHABET = "\n".join(f"{name} <number>\n{MORE.format(name)}" for name in NAMES)
ORIGIN = Origin("a text", line_url="https://code.example/{file}#L{first}-L{last}")
PAGE = "haproxy/2.0/configuration/2.1.html"
SESSION = "#shine pre.language-console"
SHIFT = """
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.moved += one.value;
  }).observe({type: "layout-shift", buffered: true});
"""
COPIES = """
  window.copied = [];
  Object.defineProperty(navigator, "clipboard", {value: undefined});
  const execute = document.execCommand.bind(document);
  document.execCommand = function (name) {
    window.copied.push(document.activeElement.value);
    return execute(name);
  };
"""


def release(version: str, text: str) -> ReleaseTexts:
    product = load_product(resource_folder("manuals") / "haproxy")
    document = next(
        candidate for candidate in product.documents if candidate.name == "configuration"
    )
    source = SourceText(text.encode(), document.file, product, document, ORIGIN)
    return ReleaseTexts("haproxy", product.title, version, "", (source,))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two releases: `glow` is new in the second, `cellar-lamp` has moved and changed."""
    folder = tmp_path_factory.mktemp("lamps")
    head = HOUSE + ALPHABET + "\n"
    head += SHINE + "\n"
    releases = [release("2.0", head + NEW), release("1.0", head + OLD)]
    write_tree(build_site(releases, SITE_INFO, load("default")), folder)
    return folder


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[str]:
    with served(site) as address:
        yield address


def wait_for_status(tab: Tab, words: str) -> None:
    """Wait until the status says `words`."""
    tab.page.locator("[role=status].notice", has_text=words).wait_for()


def is_at(tab: Tab, name: str) -> bool:
    """Whether `name` is what the list of the page marks."""
    return tab.page.locator(".toc [aria-current=location]").all_text_contents() == [name]


def clipboard(tab: Tab) -> str:
    return str(tab.page.evaluate("navigator.clipboard.readText()"))


def allow_copies(tab: Tab) -> None:
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])


def ground(tab: Tab) -> str:
    return str(tab.page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


# --- theme -----------------------------------------------------------------------------

LIGHT, DARK = "rgb(255, 255, 255)", "rgb(18, 22, 27)"


def test_the_theme_is_chosen_and_remembered(open_tab: Tabs, site: Path) -> None:
    root = site.as_uri()
    tab = open_tab()
    tab.open(f"{root}/{PAGE}")
    button = tab.page.locator("button.theme")
    assert button.get_attribute("aria-label") == "Theme: auto"
    assert ground(tab) == LIGHT
    tab.page.emulate_media(color_scheme="dark")
    assert ground(tab) == DARK
    button.click()
    wait_for_status(tab, "Theme: light")
    assert ground(tab) == LIGHT
    tab.page.keyboard.press("d")
    wait_for_status(tab, "Theme: dark")
    tab.page.emulate_media(color_scheme="light")
    assert ground(tab) == DARK
    tab.page.goto(f"{root}/index.html")
    assert ground(tab) == DARK
    assert button.get_attribute("aria-label") == "Theme: dark"
    button.click()
    wait_for_status(tab, "Theme: auto")
    assert ground(tab) == LIGHT
    tab.page.go_back()
    wait_for(lambda: ground(tab) == LIGHT, "the page before in its theme")


def test_a_theme_can_be_chosen_where_nothing_is_kept(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('none'); }})"
    )
    tab.open(f"{server}/{PAGE}")
    tab.page.keyboard.press("d")
    wait_for_status(tab, "Theme: light")
    tab.page.keyboard.press("d")
    assert ground(tab) == DARK
    tab.page.reload()
    assert ground(tab) == LIGHT


def test_nothing_flashes_or_moves_before_the_scripts_are_there(open_tab: Tabs, server: str) -> None:
    tab = open_tab(scheme="light")
    tab.open(f"{server}/{PAGE}")
    tab.page.evaluate("localStorage['dconv-theme'] = 'dark'")
    held_requests = []
    tab.page.route("**/static/*.js", lambda route: held_requests.append(route) if (
        "/theme." not in route.request.url
    ) else route.continue_())
    tab.page.add_init_script(SHIFT)
    tab.page.goto(f"{server}/{PAGE}", wait_until="commit")
    tab.page.locator("#lamp-a").wait_for()
    wait_for(lambda: len(held_requests) >= 1, "the deferred scripts are asked for")
    wait_for(lambda: tab.page.evaluate("performance.getEntriesByType('paint').length") > 0, "paint")
    assert ground(tab) == DARK
    before = tab.box("button.theme")
    assert tab.page.evaluate("document.querySelector('[role=status]')") is None
    for route in held_requests:
        route.continue_()
    tab.page.locator("button.theme[aria-label='Theme: dark']").wait_for()
    assert tab.box("button.theme") == before
    assert tab.page.evaluate("window.moved") == 0


class HeldPages(SimpleHTTPRequestHandler):
    """Sends of each page what is before `HELD`, and the rest once `rest_is_sent` is set."""

    rest_is_sent: Event

    def do_GET(self) -> None:
        content = Path(self.translate_path(self.path)).read_bytes()
        at = content.find(HELD) if HELD in content else len(content)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(self.path.partition("?")[0]))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:at])
        if at < len(content):
            self.wfile.flush()
            self.rest_is_sent.wait(MAX_HELD)
            self.wfile.write(content[at:])

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


HELD = b'<section id="lamp-w"'
MAX_HELD = 60  # seconds
SINGLE_PAGE = "haproxy/2.0/configuration.html?one"


def is_below_the_head(tab: Tab, name: str) -> bool:
    """Whether the place `name` is on the page, at the line that links scroll to."""
    target = f"document.getElementById('{name}')?.getBoundingClientRect().top"
    return 0 <= (tab.page.evaluate(target) or -1) < 100


@pytest.mark.parametrize("path", [PAGE, SINGLE_PAGE])
def test_the_target_is_shown_before_the_rest_of_the_page_is_read(
    open_tab: Tabs, site: Path, path: str
) -> None:
    rest_is_sent = Event()
    handler = type("Pages", (HeldPages,), {"rest_is_sent": rest_is_sent})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(site))) as held:
        Thread(target=held.serve_forever, kwargs={"poll_interval": 0.02}).start()
        tab = open_tab()
        address = f"http://127.0.0.1:{held.server_port}/{path}#lamp-p"
        tab.page.goto(address, wait_until="commit")
        wait_for(lambda: is_below_the_head(tab, "lamp-p"), "the target")
        hint = tab.page.locator("head > [rel=expect]")  # what is above is hidden while it is there
        wait_for(lambda: hint.count() == 0, "what is above the target")
        assert tab.page.evaluate("document.readyState") == "loading"
        rest_is_sent.set()
        tab.page.wait_for_load_state("load")
        wait_for(lambda: is_below_the_head(tab, "lamp-p"), "the target")
        held.shutdown()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_buttons_move_nothing(open_tab: Tabs, server: str, size: tuple[int, int]) -> None:
    tab = open_tab(size, touch=size == PHONE)
    tab.page.add_init_script(SHIFT)
    tab.open(f"{server}/{PAGE}#lamp-k")
    top = tab.top("#lamp-k")
    assert tab.page.locator(".tools").count() == 0
    height = tab.page.evaluate("document.documentElement.scrollHeight")
    tab.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    tab.page.locator("#shine .tools").nth(3).wait_for(state="attached")
    assert tab.page.evaluate("document.documentElement.scrollHeight") == height
    tab.page.evaluate("location.replace('#lamp-k')")
    wait_for(lambda: tab.top("#lamp-k") == top, "the same place")
    assert tab.page.evaluate("window.moved") < 0.001
    assert tab.overflow() == 0


def test_without_scripts_buttons_are_hidden_and_code_is_reached(
    open_tab: Tabs, server: str
) -> None:
    tab = open_tab(PHONE, scripts=False)
    tab.open(f"{server}/{PAGE}")
    for selector in ("button.theme", "button.keyboard", ".toc input"):
        assert tab.page.locator(selector).count() == 1
        assert not tab.page.locator(selector).is_visible()
    assert tab.page.locator("pre").count() == tab.page.locator("pre[tabindex='0']").count() > 3


# --- copies ----------------------------------------------------------------------------

CODE = """\
# one line is whole, the other is broken twice
shine "red -- and 'green'"
shine blue,green if { night }"""
COMMANDS = 'shine --now | cat\necho "two\nlines"'


def test_code_is_copied_whole(open_tab: Tabs, site: Path) -> None:
    tab = open_tab()
    allow_copies(tab)
    tab.open(f"{site.as_uri()}/{PAGE}#shine")
    figure = tab.page.locator("#shine figure").first
    button = figure.locator("figcaption button", has_text="Copy")
    button.wait_for(state="attached")
    bar = figure.locator(".tools")
    assert bar.evaluate("(one) => getComputedStyle(one).opacity") == "0"
    figure.hover()
    assert bar.evaluate("(one) => getComputedStyle(one).opacity") == "1"
    button.click()
    wait_for_status(tab, "Code copied")
    assert clipboard(tab) == CODE


def test_a_session_gives_its_commands_and_a_drawing_stays(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    allow_copies(tab)
    tab.open(f"{server}/{PAGE}#shine")
    tab.page.locator(SESSION).focus()
    button = tab.page.locator(f"{SESSION} button", has_text="Copy")
    button.wait_for()
    button.press("Enter")
    wait_for_status(tab, "Commands copied")
    assert clipboard(tab) == COMMANDS
    drawing = tab.page.locator("#shine pre.drawing")
    drawing.hover()
    drawing.locator("button", has_text="Copy").click()
    wait_for_status(tab, "Code copied")
    assert clipboard(tab) == "+---+\n|o o|--\\\n+---+  |"


def test_copies_where_the_browser_has_no_clipboard(open_tab: Tabs, server: str) -> None:
    tab = open_tab(PHONE, touch=True)
    tab.page.add_init_script(COPIES)
    tab.open(f"{server}/{PAGE}#shine")
    button = tab.page.locator("#shine figure").first.locator("button", has_text="Copy")
    button.wait_for()
    assert tab.box("#shine figcaption button:last-child")["height"] >= 40
    button.tap()
    wait_for_status(tab, "Code copied")
    assert tab.page.evaluate("window.copied") == [CODE]
    assert tab.page.locator("textarea").count() == 0
    tab.page.evaluate("document.execCommand = () => false")
    button.tap()
    wait_for_status(tab, "This browser allows no copies")


@pytest.mark.slow
def test_haproxy_reads_what_is_copied_and_not_what_is_printed(
    open_tab: Tabs, server: str, tmp_path: Path
) -> None:
    """Lines that a manual breaks are one line in a file: see docs/reading.md."""
    haproxy = need("haproxy")
    printed = (
        "defaults\n mode http\n timeout client 1s\n timeout server 1s\n timeout connect 1s\n"
        "frontend lamps\n bind 127.0.0.1:9999\n http-request set-header X-Lamp %[path,\\\n"
        "   lower]   \\\n   if { path /lamp }\n default_backend house\nbackend house\n"
    )
    tab = open_tab()
    tab.open(f"{server}/{PAGE}")
    tab.page.locator("button.theme").focus()
    tab.page.locator("button.keyboard").click()
    tab.page.locator("dialog.help").wait_for()
    copied = tab.page.evaluate(
        "(text) => { const block = document.createElement('pre');"
        " block.className = 'language-haproxy'; block.textContent = text;"
        " return dconvReader.codeText(block); }", printed
    )
    assert "set-header X-Lamp %[path,lower] if { path /lamp }\n" in copied
    for text, status in ((printed, 1), (copied, 0)):
        file = tmp_path / "haproxy.cfg"
        file.write_text(text)
        completed = subprocess.run([haproxy, "-c", "-f", file], check=False, capture_output=True)
        assert completed.returncode == status, completed.stderr


BROKEN = [
    ("language-haproxy", "a \\\n  b", "a b"),
    ("language-haproxy", "a,\\\n  b", "a,b"),
    ("language-haproxy", "a\\\\\n  b", "a\\\\\n  b"),
    ("language-haproxy", "a\\ \\\nb", "a\\ b"),
    ("language-haproxy", "a \\", "a \\"),
    ("language-log", "one \\\n two", "one two"),
    ("language-console", "one\\\n  two\n\nthree", "one\\\n  two\n\nthree"),  # no prompts
    ("language-c", "#define A \\\n  b", "#define A \\\n  b"),
    ("language-text", "--\\\n |", "--\\\n |"),
    ("drawing c60", "--\\\n |", "--\\\n |"),
]


def test_lines_that_are_broken_are_joined_where_that_is_meant(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}")
    tab.page.keyboard.press("?")
    tab.page.locator("dialog.help").wait_for()
    for kind, text, expected in BROKEN:
        code_text = tab.page.evaluate(
            "([kind, text]) => { const block = document.createElement('pre');"
            " block.className = kind; block.textContent = text;"
            " return dconvReader.codeText(block); }",
            [kind, text],
        )
        assert code_text == expected, kind


def test_the_link_to_an_entry_is_that_of_its_release(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    allow_copies(tab)
    tab.open(f"{server}/haproxy/latest/configuration/2.1.html#lamp-c")
    tab.page.wait_for_url("**/2.0/**")
    tab.top("#lamp-c")
    tab.page.keyboard.press("y")
    wait_for_status(tab, "Link to lamp-c copied")
    assert clipboard(tab) == f"{server}/{PAGE}#lamp-c"
    tab.page.locator("#lamp-d > .name").hover()
    tab.page.locator("#lamp-d > button").click()
    wait_for_status(tab, "Link to lamp-d copied")
    assert clipboard(tab) == f"{server}/{PAGE}#lamp-d"
    assert tab.page.locator("#lamp-d > .name button").count() == 0  # the title is no longer
    tab.open(f"{server}/haproxy/2.0/configuration/index.html?mark=lamp")
    tab.page.keyboard.press("y")
    wait_for_status(tab, "Link to this page copied")
    assert clipboard(tab) == f"{server}/haproxy/2.0/configuration/index.html"


def test_on_a_disk_the_link_is_that_of_the_public_site(open_tab: Tabs, site: Path) -> None:
    tab = open_tab()
    tab.page.add_init_script(COPIES)
    tab.open(f"{site.as_uri()}/{PAGE}#lamp-c")
    tab.top("#lamp-c")
    tab.page.keyboard.press("y")
    wait_for_status(tab, "Link to lamp-c copied")
    assert tab.page.evaluate("window.copied") == [f"{SITE_INFO.url}{PAGE}#lamp-c"]


def test_long_lines_wrap_when_wanted(open_tab: Tabs, server: str) -> None:
    tab = open_tab(PHONE, touch=True)
    tab.open(f"{server}/{PAGE}#shine")
    long = "#shine figure:last-of-type"
    short = tab.page.locator("#shine pre.drawing .wrap-toggle")
    button = tab.page.locator(f"{long} .wrap-toggle")
    button.scroll_into_view_if_needed()
    short.wait_for(state="attached")
    assert not short.is_visible()
    assert button.get_attribute("aria-pressed") == "false"
    top = tab.top(f"{long} .wrap-toggle")
    wide = f"((one) => one.scrollWidth > one.clientWidth)(document.querySelector('{long} pre'))"
    assert tab.page.evaluate(wide)
    button.tap()
    wait_for_status(tab, "Long lines are wrapped")
    assert not tab.page.evaluate(wide)
    assert button.get_attribute("aria-pressed") == "true"
    assert abs(tab.top(f"{long} .wrap-toggle") - top) < 1
    tab.open(f"{server}/{PAGE}#shine")
    button.scroll_into_view_if_needed()
    assert not tab.page.evaluate(wide)
    button.tap()
    wait_for_status(tab, "Long lines are scrolled")
    tab.page.reload()
    assert tab.page.evaluate(wide)


# --- keys ------------------------------------------------------------------------------


def test_keys_lead_through_a_page_and_to_the_next(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}")
    for _ in range(3):
        tab.page.keyboard.press("j")
    tab.page.wait_for_url("**#lamp-c")
    tab.page.keyboard.press("k")
    tab.page.wait_for_url("**#lamp-b")
    assert 0 < tab.top("#lamp-b > .name") < 120
    tab.page.keyboard.press("t")
    wait_for(lambda: tab.page.evaluate("scrollY") == 0, "the top")
    assert tab.page.evaluate("document.activeElement.getAttribute('aria-current')") == "page"
    for key, path in (("n", "2.2.html"), ("p", "2.1.html"), ("p", "2.html")):
        tab.page.keyboard.press(key)
        tab.page.wait_for_url(f"**/configuration/{path}")
    assert tab.page.evaluate("history.length") < 7  # steps on a page are none in the history


def test_tabbing_to_the_head_of_a_page_keeps_the_place(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}#lamp-k")
    top = tab.top("#lamp-k")
    for selector in (".brand", "summary", ".search", "button.theme"):
        tab.page.evaluate(f"document.querySelector('.top {selector}, .top{selector}').focus()")
        assert tab.top("#lamp-k") == top


def test_the_last_entries_of_a_page_are_reached_by_keys(open_tab: Tabs, server: str) -> None:
    tab = open_tab((1440, 2400))  # the last ones never come to the top
    tab.open(f"{server}/{PAGE}")
    names = tab.page.locator(".toc li").all_text_contents()
    for name in names:
        tab.page.keyboard.press("j")
        tab.page.wait_for_url(f"**#{name}")
        wait_for(lambda name=name: is_at(tab, name), name)  # type: ignore[misc]
    for name in names[-2::-1]:
        tab.page.keyboard.press("k")
        tab.page.wait_for_url(f"**#{name}")


def test_single_keys_do_nothing_in_a_field_or_a_dialog(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}")
    box = tab.page.locator(".toc input")
    box.press_sequentially("dj?")
    assert box.input_value() == "dj?"
    box.fill("")
    box.blur()
    for keys in ("Control+j", "Alt+j", "Meta+j"):
        tab.page.keyboard.press(keys)
    tab.page.keyboard.press("/")
    tab.page.locator("dialog.finder .close").focus()
    tab.page.keyboard.press("j")
    tab.page.keyboard.press("d")
    assert tab.address == f"{server}/{PAGE}"
    assert tab.page.locator("button.theme").get_attribute("aria-label") == "Theme: auto"


def test_single_keys_can_be_switched_off(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}")
    tab.page.keyboard.press("?")
    dialog = tab.page.locator("dialog.help")
    dialog.wait_for()
    assert dialog.locator("kbd").all_text_contents() == [*"/sjknptyd?"]
    dialog.locator("input").uncheck()
    tab.page.keyboard.press("Escape")
    assert not dialog.is_visible()
    for key in "j?/":
        tab.page.keyboard.press(key)
    assert tab.address == f"{server}/{PAGE}"
    assert tab.page.locator("dialog[open]").count() == 0
    tab.page.keyboard.press("Control+k")
    tab.page.locator("dialog.finder").wait_for()
    tab.page.keyboard.press("Escape")
    tab.page.locator("button.keyboard").click()  # the way for those without keys
    dialog.locator("input").check()
    dialog.locator("button").click()
    assert tab.page.evaluate("document.activeElement.className") == "js-only keyboard"
    tab.page.keyboard.press("t")
    tab.page.keyboard.press("j")
    tab.page.wait_for_url("**#lamp-a")


# --- the list of the page --------------------------------------------------------------


def test_the_list_follows_and_the_page_stays(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}#lamp-x")
    wait_for(lambda: is_at(tab, "lamp-x"), "lamp-x marked")
    top = tab.page.evaluate("scrollY")
    seen = tab.page.locator(".toc [aria-current]").bounding_box()
    assert seen is not None
    assert 56 < seen["y"] < 860
    assert tab.page.locator(".toc [aria-current]").is_visible()  # not left out of the layout
    tab.page.evaluate("document.querySelector('#lamp-f').scrollIntoView(); scrollBy(0, 200)")
    wait_for(lambda: is_at(tab, "lamp-f"), "lamp-f marked")
    assert tab.page.evaluate("scrollY") < top
    tab.page.evaluate("scrollTo(0, 0)")
    wait_for(lambda: tab.page.locator(".toc [aria-current]").count() == 0, "no mark at the top")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("page", [PAGE, "haproxy/2.0/configuration.html?one"])
def test_back_and_reload_show_the_place_where_the_reader_was(
    open_tab: Tabs, server: str, page: str, size: tuple[int, int]
) -> None:
    tab = open_tab(size)
    tab.page.add_init_script(  # heights of what was not shown are guessed, as in long manuals
        "document.addEventListener('DOMContentLoaded', () => document.body.classList.add('long'))"
    )
    tab.open(f"{server}/{page}")
    entry = "[id='lamp-s'], [id$='.lamp-s']"
    tab.page.evaluate(f"document.querySelector(\"{entry}\").scrollIntoView(); scrollBy(0, -57)")
    top = tab.top(entry)
    tab.open(f"{server}/haproxy/2.0/configuration/1.html")
    tab.page.go_back()
    tab.page.go_back()
    assert abs(tab.top(entry) - top) <= 2
    tab.page.reload()
    assert abs(tab.top(entry) - top) <= 2


def test_the_way_back_to_long_lists_of_changes_shows_the_place_where_the_reader_was(
    open_tab: Tabs, tmp_path: Path
) -> None:
    entry = "{} <number>\n  {} it.\n\n".format
    old = "".join(entry(name, "Lights") for name in NAMES)
    new = "".join(entry(name, "Dims") + entry(f"far-{name}", "Hides") for name in NAMES)
    releases = [release("2.0", HOUSE + new), release("1.0", HOUSE + old)]
    write_tree(build_site(releases, replace(SITE_INFO, changes=True), load("default")), tmp_path)
    folder, row = f"{tmp_path.as_uri()}/haproxy/2.0", ".change-kind:has(#-texts) li:nth-child(9)"
    tab = open_tab()
    tab.open(f"{folder}/changes.html")
    tab.page.evaluate(f"document.querySelector('{row}').scrollIntoView()")
    top = tab.top(row)
    tab.page.goto(f"{folder}/configuration/1.html")
    tab.page.go_back()
    assert abs(tab.top(row) - top) <= 2


def test_the_list_of_a_long_page_has_a_filter(open_tab: Tabs, server: str) -> None:
    tab = open_tab((1440, 500))
    tab.open(f"{server}/{PAGE}#lamp-x")
    wait_for(lambda: is_at(tab, "lamp-x"), "lamp-x marked")
    box = tab.page.locator(".toc input")
    assert 50 < tab.box(".toc input")["y"] < 100  # it stays when the list has been scrolled
    box.fill(" LAMP-B")
    rows = tab.page.locator(".toc li:visible")
    wait_for(lambda: rows.all_text_contents() == ["lamp-b"], "one row")
    box.fill("")
    wait_for(lambda: rows.count() == len(NAMES) + 2, "all rows")


# --- code that scrolls -----------------------------------------------------------------


REGIONS_SCRIPT = """() => [...document.querySelectorAll("pre")].map((one) => [
  one.scrollWidth > one.clientWidth, one.getAttribute("tabindex"), one.getAttribute("role"),
  one.getAttribute("aria-label")])"""


def test_code_is_a_region_where_it_scrolls(open_tab: Tabs, server: str) -> None:
    tab = open_tab(PHONE)
    tab.open(f"{server}/{PAGE}#shine")
    tab.top("[id='shine']")
    wait_for(lambda: any(sign[2] for sign in tab.page.evaluate(REGIONS_SCRIPT)), "a region")
    for at, (scrolls, reached, role, name) in enumerate(tab.page.evaluate(REGIONS_SCRIPT), 1):
        wanted = ("0", "region", f"Listing {at}") if scrolls else ("0", None, None)
        assert (reached, role, name) in (wanted, ("0", None, None)), at  # or not come near yet
    block = tab.page.locator("pre[role=region]").first.element_handle()
    tab.page.set_viewport_size({"width": 2000, "height": 900})
    block.scroll_into_view_if_needed()
    wait_for(lambda: block.get_attribute("role") is None, "no region")
    assert block.get_attribute("aria-label") is None


# --- versions --------------------------------------------------------------------------


def menu(tab: Tab) -> dict[str, tuple[str, str]]:
    """The rows of the opened menu: what they say, and where they lead."""
    return {
        row[0]: (row[1], row[2]) for row in tab.page.evaluate(
            "[...document.querySelectorAll('.top .versions li')].map((row) =>"
            " [row.querySelector('a').textContent, (row.querySelector('small') || {}).textContent"
            " || '', row.querySelector('a').getAttribute('href')])"
        )
    }


def test_the_menu_of_versions_speaks_of_the_entry_at_hand(tab: Tab, server: str) -> None:
    summary = tab.page.locator(".top .versions > summary")
    for page, anchor, words, path in (
        ("2.1", "lamp-q", "", "2.1.html#lamp-q"),
        ("2.1", "glow", "glow is not in 1.0, nearest: section 2.1", "2.1.html"),
        ("2.2", "cellar-lamp", "as proxy keyword", "2.1.html#cellar-lamp"),
        ("2.4", "action.lift-lamp", "in section 2.3", "2.3.html#action.lift-lamp"),
        ("1", "1", "", "1.html#1"),
    ):
        tab.open(f"{server}/haproxy/2.0/configuration/{page}.html#{anchor}")
        tab.top(f"[id='{anchor}']")
        summary.focus()
        summary.press("Enter")
        row = (words, f"1.0/configuration/{path}")
        wait_for(
            lambda row=row: menu(tab)["1.0"][0] == row[0]  # type: ignore[misc]
            and menu(tab)["1.0"][1].endswith(row[1]), f"{row}, not {menu(tab)}",
        )
    tab.page.locator(".top .versions a", has_text="1.0").focus()
    tab.page.keyboard.press("Escape")
    assert not tab.page.locator(".top .versions nav").is_visible()
    assert tab.page.evaluate("document.activeElement.tagName") == "SUMMARY"
    summary.press("Enter")
    tab.page.mouse.click(700, 700)
    assert not tab.page.locator(".top .versions nav").is_visible()


# --- as a whole ------------------------------------------------------------------------


@pytest.mark.slow
def test_axe_finds_nothing_in_what_scripts_have_added(open_tab: Tabs, server: str) -> None:
    for size in (DESKTOP, PHONE):
        tab = open_tab(size, scheme="dark" if size == PHONE else "light", touch=size == PHONE)
        tab.open(f"{server}/{PAGE}#shine")
        tab.page.locator("#shine > .name").hover()
        tab.page.locator("#shine figure").first.hover()
        tab.page.locator("#shine .tools").first.wait_for()
        tab.page.keyboard.press("d")
        assert Axe().run(tab.page).response["violations"] == []
        tab.page.keyboard.press("?")
        tab.page.locator("dialog.help").wait_for()
        assert Axe().run(tab.page).response["violations"] == []


def test_a_short_matrix_has_no_filter(tab: Tab, server: str) -> None:
    tab.open(f"{server}/haproxy/1.0/configuration/2.2.html")
    assert tab.page.locator("table.matrix").count() == 1
    assert tab.page.locator(".filter").count() == 0


# --- what goes wrong in use --------------------------------------------------------------

WHOLE = "haproxy/2.0/configuration.html"
def hash_of(tab: Tab) -> str:
    return str(tab.page.evaluate("location.hash"))


def test_the_list_of_sections_closes_where_it_was_opened(open_tab: Tabs, server: str) -> None:
    tab = open_tab(PHONE, touch=True)
    tab.open(f"{server}/{PAGE}#lamp-k")
    top = tab.top("#lamp-k")
    for way in ("Close", "Escape", "Back"):
        tab.page.locator("a.menu").tap()
        tab.page.locator(".side.over").wait_for()
        assert tab.page.evaluate("document.activeElement.className") == "close"
        tab.page.keyboard.press("Shift+Tab")
        assert tab.page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('.side')"
        )
        if way == "Close":
            tab.page.locator(".side .close").tap()
        elif way == "Escape":
            tab.page.keyboard.press("Escape")
        else:
            tab.page.go_back()
        wait_for(lambda: hash_of(tab) == "#lamp-k", "the address before")
        tab.page.locator(".side").wait_for(state="hidden")
        assert abs(tab.top("#lamp-k") - top) < 2
        wait_for(lambda: tab.page.locator("[inert]").count() == 0, "all can be reached again")
        assert tab.page.evaluate("document.activeElement.className") == "menu", way


def test_the_list_of_sections_opens_at_the_section_with_the_list_of_its_page(
    open_tab: Tabs, server: str
) -> None:
    tab = open_tab((390, 300), touch=True)
    tab.open(f"{server}/{PAGE}#lamp-k")
    tab.page.locator("a.menu").tap()
    tab.page.locator(".side.over .toc").wait_for()
    assert 0 <= tab.top(".side [aria-current=page]") < 300
    link = tab.page.locator(".side .toc [href='#lamp-k']")
    assert link.get_attribute("aria-current") == "location"
    tab.page.locator(".side .toc [href='#lamp-j']").tap()
    tab.page.locator(".side").wait_for(state="hidden")
    assert hash_of(tab) == "#lamp-j"
    assert tab.page.locator(".frame > .toc").count() == 1


def test_a_page_that_comes_with_its_list_of_sections_can_close_it(
    open_tab: Tabs, server: str
) -> None:
    tab = open_tab(PHONE, touch=True)
    tab.open(f"{server}/{PAGE}#-nav")
    tab.page.locator(".side.over").wait_for()
    tab.resize((1000, 700))  # turned: no sheet is in the way any more
    wait_for(lambda: tab.page.locator("[inert]").count() == 0, "all can be reached")
    tab.resize(PHONE)
    tab.page.locator(".side.over").wait_for()
    tab.page.locator(".side .close").tap()
    tab.page.locator(".side").wait_for(state="hidden")
    assert tab.address.startswith(f"{server}/{PAGE}")
    wait_for(lambda: tab.page.locator("[inert]").count() == 0, "all can be reached again")


def test_buttons_stay_when_code_is_scrolled(tab: Tab, server: str) -> None:
    tab.open(f"{server}/{PAGE}#shine")
    tab.page.evaluate(f"document.querySelector('{SESSION}').style.width = '9rem'")
    tab.page.locator(SESSION).hover()
    tab.page.locator(f"{SESSION} .tools").wait_for()
    before, block = tab.box(f"{SESSION} .tools"), tab.box(SESSION)
    assert block["x"] < before["x"]
    assert before["x"] + before["width"] <= block["x"] + block["width"]
    assert block["y"] <= before["y"]
    assert before["y"] + before["height"] <= block["y"] + block["height"]
    tab.page.evaluate(f"document.querySelector('{SESSION}').scrollLeft = 15")
    assert tab.page.evaluate(f"document.querySelector('{SESSION}').scrollLeft") > 0
    assert tab.box(f"{SESSION} .tools") == before


def test_the_button_of_a_link_stays_where_it_is_used(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}")
    tab.page.locator("#lamp-a > .name > a").focus()
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.className") == "link"
    tab.page.locator("#lamp-b > .name").hover()
    assert tab.page.evaluate("document.activeElement.parentNode.id") == "lamp-a"
    tab.page.locator("#lamp-c > .name > a").focus()
    tab.page.locator("#lamp-c > button.link").wait_for(state="attached")


def test_the_filter_of_the_list_is_kept_on_the_way_back(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}")
    box, rows = tab.page.locator(".toc input"), tab.page.locator(".toc li:visible")
    box.fill("lamp-b")
    wait_for(lambda: rows.all_text_contents() == ["lamp-b"], "the list is short")
    tab.page.locator(".toc [role=status]", has_text=f"1 of {len(NAMES) + 2}").wait_for(
        state="attached"
    )
    tab.page.goto(f"{server}/haproxy/2.0/configuration/2.2.html")
    tab.page.go_back()
    wait_for(lambda: rows.count() == (1 if box.input_value() else len(NAMES) + 2), "as it says")


def test_the_menu_of_versions_reads_what_a_card_says(open_tab: Tabs, server: str) -> None:
    names = ["3.0", "2.10", "2.8", "2.1", "dev"]
    cards = []
    for there in itertools.product((True, False), repeat=len(names)):
        found = [*zip(names, there, strict=True)]
        if any(there):
            cards.append((presence_words(found), [name for name, has in found if not has]))
    tab = open_tab()
    tab.open(f"{server}/{PAGE}#lamp-k")
    tab.page.locator(".top .versions > summary").click()
    wait_for(lambda: tab.page.evaluate("!!window.dconvReader.lacksVersion"), "the tools")
    read = tab.page.evaluate(
        "([names, cards]) => cards.map(([words]) => [words, names.filter("
        "(name) => dconvReader.lacksVersion(words, name, names))])", [names, cards],
    )
    assert list(map(tuple, read)) == cards


def test_the_menu_of_versions_moves_on_with_the_page(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}#lamp-k")
    tab.page.locator(".top .versions > summary").focus()
    tab.page.keyboard.press("Enter")
    wait_for(lambda: menu(tab)["1.0"][1].endswith("#lamp-k"), "the entry")
    tab.page.keyboard.press("j")
    wait_for(lambda: menu(tab)["1.0"][1].endswith("#lamp-l"), "the next entry")


def test_the_menu_of_versions_takes_no_address_of_the_frame(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/haproxy/2.0/configuration/1.html#-main")
    tab.page.locator(".top .versions > summary").click()
    wait_for(lambda: tab.page.evaluate("!!window.dconvReader.copy"), "the tools")
    wait_for(lambda: menu(tab)["1.0"][1].endswith("1.html"), "no hash")


def test_an_entry_is_compared_word_by_word_with_other_releases(open_tab: Tabs, site: Path) -> None:
    tab = open_tab()
    tab.open(f"{site.as_uri()}/haproxy/2.0/configuration/2.2.html")
    card = tab.page.locator(".entry .card")
    card.hover()
    card.get_by_role("button", name="Compare").click()
    words = card.locator(".comparison p")
    words.wait_for()
    assert words.inner_text() == "Lights the steep stairs."
    assert words.locator("del").all_inner_texts() == ["steep"]
    card.get_by_label("From").select_option("2.0")
    card.get_by_text("The words are the same.").wait_for()
    card.get_by_label("to").select_option("1.0")
    card.locator("ins").wait_for()
    assert words.locator("ins").all_inner_texts() == ["steep"]


def test_an_entry_of_one_release_is_compared_with_none(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}#glow")
    tab.page.locator("#glow .card").hover()
    wait_for(lambda: tab.page.evaluate("!!window.dconvReader.copy"), "the tools")
    assert tab.page.locator("#glow .card").get_by_role("button").count() == 0


def test_an_entry_is_not_compared_with_a_release_where_it_is_a_part_of_another(
    open_tab: Tabs, tmp_path: Path
) -> None:
    alone = HOUSE + "hang lamp <number>\n  Hangs a lamp.\n"
    part = HOUSE + "hang { lamp | coat } <number>\n  Hangs a lamp or a coat.\n"
    releases = [release("3.0", alone), release("2.0", alone), release("1.0", part)]
    write_tree(build_site(releases, SITE_INFO, load("default")), tmp_path)
    tab = open_tab()
    tab.open(f"{tmp_path.as_uri()}/haproxy/3.0/configuration/2.1.html")
    card = tab.page.locator(".entry .card")
    assert "but under hang" in (card.text_content() or "")
    card.hover()
    card.get_by_role("button", name="Compare").click()
    assert card.locator("select").first.locator("option").all_inner_texts() == ["3.0", "2.0"]


def test_the_title_begins_with_the_entry_of_the_address(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}#lamp-c")
    wait_for(lambda: tab.page.title().startswith("lamp-c - 2.1 "), "the title")
    tab.page.evaluate("location.hash = ''")
    wait_for(lambda: tab.page.title().startswith("2.1 "), "the title of the page")


def test_a_place_in_an_entry_is_kept(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    allow_copies(tab)
    tab.open(f"{server}/{PAGE}#shine.warm")
    tab.top("[id='shine.warm']")
    tab.page.keyboard.press("y")
    wait_for_status(tab, "Link to shine copied")
    assert clipboard(tab) == f"{server}/{PAGE}#shine.warm"
    tab.page.locator(".top .versions > summary").click()
    wait_for(lambda: menu(tab)["1.0"][1].endswith("#shine.warm"), "its hash")
    tab.page.locator(".top .versions > summary").click()
    tab.page.evaluate("scrollBy(0, -500)")
    tab.page.keyboard.press("y")
    wait_for_status(tab, "copied")
    wait_for(lambda: "warm" not in clipboard(tab), "what is at hand now")


def test_an_address_that_means_nothing_here_is_reported(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}#lamp-k.dim")
    wait_for_status(tab, "lamp-k.dim is not on this page")
    wait_for(lambda: hash_of(tab) == "#lamp-k", "the entry without its term")
    tab.open(f"{server}/haproxy/1.0/configuration.html?one#glow")
    wait_for_status(tab, "glow is not on this page")
    tab.open(f"{server}/{WHOLE}?one#lamp-q")
    tab.page.locator(".top .versions > summary").click()
    wait_for(lambda: menu(tab)["1.0"][1].endswith("configuration.html?one#lamp-q"), "one page")


def test_a_card_shows_what_a_link_leads_to(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/haproxy/2.0/configuration/2.2.html")
    link, card = tab.page.locator("main p a", has_text="lamp-c"), tab.page.locator(".preview")
    link.hover()
    card.wait_for()
    shown = card.inner_text()
    assert "lamp-c <number>" in shown
    assert "Lamps of the kind lamp-c glow, line 0." in shown
    assert "proxy keyword" in shown
    assert link.get_attribute("aria-describedby") == card.get_attribute("id")
    card.hover()  # the pointer may go there
    tab.page.wait_for_timeout(400)
    assert card.is_visible()
    assert Axe().run(tab.page).response["violations"] == []
    tab.page.keyboard.press("Escape")
    card.wait_for(state="detached")
    assert link.get_attribute("aria-describedby") is None
    tab.page.keyboard.press("Tab")
    tab.page.locator("main p a", has_text="lamp-d").focus()
    card.wait_for()
    assert "lamp-d <number>" in card.inner_text()


def test_a_card_works_from_a_disk(open_tab: Tabs, site: Path) -> None:
    tab = open_tab()
    tab.open((site / "haproxy/2.0/configuration/2.2.html").as_uri())
    tab.page.locator("main p a", has_text="lamp-c").hover()
    tab.page.locator(".preview", has_text="lamp-c <number>").wait_for()


@pytest.mark.parametrize(("page", "name", "end"), [
    ("configuration/2.2.html", "cellar-lamp", "  See also"),
    ("configuration/2.1.html", "lamp-d", "  Lamps of the kind lamp-d glow, line 11"),
    ("configuration.html", "lamp-d", "  Lamps of the kind lamp-d glow, line 11"),
])
def test_an_entry_leads_to_its_lines(
    open_tab: Tabs, server: str, page: str, name: str, end: str
) -> None:
    tab = open_tab()
    tab.open(f"{server}/haproxy/2.0/{page}")
    tab.page.locator(".entry > .name a", has_text=name).first.hover()
    link = tab.page.locator(".entry > .source")
    link.wait_for()
    first, last = re.findall(r"L(\d+)", link.get_attribute("href") or "")
    lines = f"{HOUSE}{ALPHABET}\n{SHINE}\n{NEW}".split("\n")
    assert lines[int(first) - 1].startswith(name)
    assert lines[int(last) - 1].startswith(end)
    box, copy_box = link.bounding_box(), tab.page.locator(".entry > button.link").bounding_box()
    assert box is not None
    assert copy_box is not None
    assert box["x"] + box["width"] <= copy_box["x"]


def test_both_switches_of_single_keys_change_the_same_setting(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.open(f"{server}/{PAGE}")
    tab.page.keyboard.press("/")
    box = tab.page.locator(".finder .single input")
    box.wait_for()
    tab.page.keyboard.press("Escape")
    tab.page.locator(".finder").wait_for(state="hidden")
    wait_for(lambda: tab.page.evaluate("document.activeElement === document.body"), "the page")
    tab.page.keyboard.press("?")
    other = tab.page.locator(".help input")
    other.uncheck()
    tab.page.keyboard.press("Control+k")
    tab.page.locator(".finder[open]").wait_for()
    assert tab.page.locator("dialog[open]").count() == 1
    assert not box.is_checked()
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("?")
    assert tab.page.locator("dialog[open]").count() == 0
    tab.page.keyboard.press("Control+k")
    box.check()
    tab.page.locator(".finder .close").click()
    tab.page.locator(".finder").wait_for(state="hidden")
    wait_for(lambda: tab.page.evaluate("document.activeElement === document.body"), "the page")
    tab.page.keyboard.press("?")
    other.wait_for()
    assert other.is_checked()


def test_what_cannot_be_loaded_is_reported(open_tab: Tabs, server: str) -> None:
    tab = open_tab()
    tab.page.route("**/reader-tools.*", lambda route: route.abort())
    tab.open(f"{server}/{PAGE}")
    tab.page.keyboard.press("?")
    wait_for_status(tab, "This could not be loaded")
    tab.page.unroute("**/reader-tools.*")
    tab.page.keyboard.press("?")
    tab.page.locator("dialog.help").wait_for()
    tab.complaints[:] = [complaint for complaint in tab.complaints if "ERR_FAILED" not in complaint]
