"""Manuals that mean harm: their text is data, wherever it is shown."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import hostile_site
import pytest
from chromium import Tab, Tabs
from fuzz.targets import BETWEEN, CONTROL_CHARACTERS, TARGETS, well_formed
from programs import served, wait_for

from dconv.cli import main
from dconv.model.anchors import DEVICE

pytestmark = pytest.mark.slow

# names of files that steer a terminal, end a line, or turn what follows
NAMES = (
    "a\x1b[31mb.txt", "c\n::error::pwned.txt", "d\u202etxt.e.txt", "f\x9b31mg.txt", "h\ri.txt",
    os.fsdecode(b"j\xffk.txt"), "l%0A::error::m.txt", "n,o:p;q.txt",
)
TEXT = (
    "1. The the \x1b[31mred\x1b]0;title\x07 \x9b31m\u202eback\n------\n\n"
    "::error::pwned\r\n%0A::error::pwned, see section 9.9 and the\x08 the \u2028 end.\n"
)
COMMANDS = (
    ("check",), ("check", "--quiet"), ("check", "--format", "github"),
    ("check", "--format", "json"), ("check", "--format", "sarif"), ("dump",),
    ("dump", "--format", "json"),
)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_nothing_that_is_printed_steers_a_terminal_or_a_job(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / name, tmp_path / "other.txt"
    file.write_text(TEXT)
    other.write_text("1. The\n------\n\nOther words.\n")
    commands = [
        *((*words, str(file)) for words in COMMANDS), ("check", str(tmp_path / f"none{name}")),
        ("diff", str(file), str(other)), ("diff", "--format", "json", str(other), str(file)),
        ("convert", str(file), "-o", str(tmp_path / "public")),
    ]
    for words in commands:
        main(words)
        for shown in capsys.readouterr():
            assert not CONTROL_CHARACTERS.search(shown), (words, shown)
            if "json" in words or "sarif" in words:
                assert not shown or json.loads(shown)
            elif words[0] == "check":
                assert not [row for row in shown.splitlines() if row.startswith("::error::")]


def stairs(line: str, step: int) -> str:
    """Lines each of which is deeper than the one above."""
    return "1. A\n----\n\n" + "".join(f"{' ' * (step * at)}{line}\n" for at in range(400))


DEEP = {
    "numbers of sections": "".join(
        f"{'.'.join(['1'] * depth)}. A\n---\n\nText.\n\n" for depth in range(1, 600)
    ),
    "a number of a section": f"1. A\n---\n\n{'1.' * 5000} Deep\n----\n\nText.\n",
    "underlines": "".join(f"Title\n{mark * 5}\n\n" for mark in map(chr, range(33, 126))) * 2,
    "bullets": stairs("- item", 2),
    "lists with numbers": stairs("1. item", 3),
    "indentation": stairs("word", 1),
    "definitions": stairs("<a>  b", 2),
    "labels": stairs("Note:", 2),
    "examples": stairs("Example :", 2),
    "brackets": f"1. Directives\n---\n\nspeed {'[ ' * 5000}{'] ' * 5000}\n  Text.\n",
    "quotes": f"1. A\n---\n\n{chr(34) * 5000} {'`' * 5000} {'<' * 5000}{'>' * 5000}\n",
}


@pytest.mark.parametrize("target", ["site", "checking", "comparing", "exporting"])
def test_what_is_nested_deep_stays_whole(target: str) -> None:
    for content in map(str.encode, DEEP.values()):
        text = content
        if target == "site":
            text = text[:12_000]  # of pages, a hundred are enough to be parsed strictly
        TARGETS[target](text + BETWEEN + text[:-9] if target == "comparing" else text)


NINES = "9" * 5000  # Python makes no number of so many digits
LONG_NUMBERS = {
    "titles": f"{NINES}. A\n---\n\nText.\n\n1.1 B\n\nText.\n\n1.{NINES}. C\n---\n\nSee {NINES}.\n",
    "a summary": f"Summary\n-------\n\n1. A\n{NINES}. B\n\n1. A\n---\n\n{NINES}. B\n---\n",
    "rows": f"1. A\n---\n\nCode  When\n  {NINES}   text\n  {NINES}   more\n",
    "items": f"1. A\n---\n\n{NINES}. a\n{NINES}. b\n\nThese are {NINES} items:\n\n- a\n",
    "a release": f"{' ' * 20}----\n{' ' * 20}Relay\n{' ' * 20}----\n{' ' * 20}version {NINES}\n\n"
    "1. A\n---\n\nText.\n",
}


@pytest.mark.parametrize("words", [("check",), ("dump", "--format", "json"), ("convert", "-o")])
def test_numbers_may_have_any_length(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, (name, text) in enumerate(LONG_NUMBERS.items()):
        file = tmp_path / f"{number}.txt"
        file.write_text(text)
        more = [str(tmp_path / f"public-{number}")] if words[0] == "convert" else []
        assert main([*words, *more, str(file)]) in (0, 1), (name, capsys.readouterr().err)


def test_files_whose_names_cannot_be_shown_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts").mkdir()
    for name in (b"a\xff.txt", b"a\xfe.txt", b"a\x01.txt", b"a?.txt"):
        with open(os.path.join(os.fsencode(tmp_path / "texts"), name), "wb") as file:
            file.write(b"1. Kettles " + name.hex().encode() + b"\n----------\n\nText.\n")
    assert main(["convert", str(tmp_path / "texts"), "-o", str(tmp_path / "public")]) == 0
    pages = [*(tmp_path / "public/manuals").glob("a*.html")]
    assert len({page.read_text().partition("<h1")[2] for page in pages}) == 4


# --- a whole site ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the site in `manuals/`, where its address says that it is."""
    folder = tmp_path_factory.mktemp("hostile")
    hostile_site.build(folder / "manuals")
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of the site."""
    with served(site) as found:
        yield f"{found}/manuals"


# pages of which there are some others that are alike
REPEATED_PAGES = (
    "manuals/relay/2.0/manual/", "manuals/plain/1.0/manual/Twin", "manuals/relay/2.1/manual.",
)
# an object of an inventory, as Sphinx reads it: name, type, priority, address, words
OBJECT = re.compile(r"(.+?)\s+(\S+)\s+(-?\d+)\s+?(\S*)\s+(.*)")


def test_every_page_is_well_formed_and_every_name_is_fit_for_all_disks(site: Path) -> None:
    names: set[str] = set()
    for path in (site / "manuals").rglob("*"):
        name = path.relative_to(site).as_posix()
        assert len(path.name) <= 120 and name.casefold() not in names, name
        assert re.fullmatch(r"[A-Za-z0-9._+~-]*[A-Za-z0-9_+~-]", path.name), name
        assert not DEVICE.match(path.name), name
        names.add(name.casefold())
        if path.is_file() and not name.startswith(REPEATED_PAGES):
            well_formed(name, path.read_bytes())
        if path.suffix == ".xml" or path.suffix == ".svg":
            ElementTree.fromstring(path.read_bytes())
    assert len(names) > 400
    inventory = (site / "manuals/relay/2.1/objects.inv").read_bytes().split(b"\n", 4)[4]
    objects = zlib.decompress(inventory).decode().rstrip("\n").split("\n")
    assert len(objects) > 100
    assert all(OBJECT.fullmatch(row) and not CONTROL_CHARACTERS.search(row) for row in objects)


# what is wrong with a page: code that ran, addresses that are programs, elements of texts
PROBLEMS_SCRIPT = """() => [
    ...(window.__pwned ? ["a script ran"] : []),
    ...[...document.querySelectorAll("[href], [src], [action]")]
        .map((one) => one.href || one.src || one.action)
        .filter((one) => !/^(?:https?:|mailto:|data:image)/.test(one)),
    ...[...document.querySelectorAll("iframe, object, embed, base, main form, main style")]
        .map((one) => one.outerHTML),
    ...[...document.querySelectorAll("main *, dialog *")]
        .filter((one) => [...one.attributes].some((it) => it.name.startsWith("on")))
        .map((one) => one.outerHTML),
]"""


def is_harmless(tab: Tab) -> bool:
    """Whether nothing is wrong with the page; the test fails where something is."""
    assert tab.page.evaluate(PROBLEMS_SCRIPT) == [], tab.page.url
    return True


def test_no_script_of_a_manual_runs(address: str, site: Path, open_tab: Tabs) -> None:
    tab = open_tab()
    tab.page.on("dialog", lambda dialog: pytest.fail(f"a dialog opens: {dialog.message}"))
    kinds = ["", "404.html", "relay/", "relay/2.0/", "relay/latest/manual/1.html"]
    folder = site / "manuals"
    pages = [*(folder / "relay/2.1").rglob("*.html"), *(folder / "plain").rglob("*.html")]
    chosen = [page for page in pages if not page.name.startswith("Twin-")][:80]
    kinds += [page.relative_to(folder).as_posix() for page in chosen]
    for kind in kinds:
        tab.page.goto(f"{address}/{kind}")
        assert is_harmless(tab)
    assert len(kinds) > 60


def test_no_script_runs_of_what_is_searched(address: str, open_tab: Tabs) -> None:
    tab = open_tab()
    tab.page.on("dialog", lambda dialog: pytest.fail(f"a dialog opens: {dialog.message}"))
    tab.page.goto(f"{address}/relay/2.1/manual/1.1.html#<script>window.__pwned=1</script>")
    tab.page.keyboard.press("/")
    box = tab.page.locator("dialog input[role=combobox]")
    box.wait_for()
    box.fill("speed")
    wait_for(lambda: tab.page.locator("dialog .name").count() > 0, "results")
    for query in (*hostile_site.PAYLOADS, "speed", "x" * 5000, "' OR 1=1", "(", "[", "\\", "*"):
        box.fill(query.encode("utf-8", "replace").decode())
        tab.page.wait_for_timeout(30)
        assert is_harmless(tab)
    for query in ("<script>window.__pwned=1</script>", '"><img src=x onerror=window.__pwned=1>'):
        for key in ("q", "mark"):
            tab.page.goto(f"{address}/relay/2.1/manual/1.1.html?{key}={quote(query)}")
            tab.page.wait_for_timeout(100)
            assert is_harmless(tab)


def test_no_script_of_what_changed_runs(tmp_path: Path, open_tab: Tabs) -> None:
    old, new = tmp_path / "<script>window.__pwned=1<", tmp_path / "{{ 7 * 7 }}'\".txt"
    old.write_bytes(hostile_site.numbered(hostile_site.PAYLOADS[:20]))
    new.write_bytes(hostile_site.numbered(hostile_site.PAYLOADS[10:]))
    page = tmp_path / "public" / "changes.html"
    words = ["--manuals", str(hostile_site.TESTS / "spec"), "--dialect", "relay"]
    assert main(["diff", *words, "--format", "html", "-o", str(page), str(old), str(new)]) == 1
    well_formed("changes.html", page.read_bytes())
    with served(page.parent) as found:
        tab = open_tab()
        tab.page.goto(f"{found}/changes.html")
        assert is_harmless(tab)
