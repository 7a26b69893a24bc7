"""`dconv diff`: what it reports of two states of a text, and in which formats."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path
from typing import Any

import html5lib
import pytest
from bs4 import BeautifulSoup
from jsonschema import Draft202012Validator

from dconv.cli import main
from dconv.diff.types import Element, ElementDiff, Location

pytestmark = pytest.mark.usefixtures("work_folder")
ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "dconv/diff/diff.schema.json").read_text())
HEAD = """\
                        ------------------------
                          HAProxy
                          Configuration Manual
                        ------------------------
                             version 9.1

"""
OLD = HEAD + """\
1. Lamps
--------

Lamps are described in section 2. A lamp that is "dimmable" has more of it.


2. Process management and security
----------------------------------

dimmable <level>
  Lets a lamp be dimmed. The default value is 10, which is low.

  Arguments :
    <level>   is how bright it may be.

flicker
  Makes the lamp flicker, which nobody wants.

lantern
  This is the old word; use "dimmable" instead.


3. Alphabetically sorted keywords reference
-------------------------------------------

glow { on | off }
  May be used in sections :   defaults | frontend | listen | backend
                                 yes   |    yes   |   yes  |   no

  Glows in the dark. See section 4 for moths, and "lantern" for the past.

http-request blink [ { if | unless } <condition> ]
  Blinks for each request that matches.

http-response blink [ { if | unless } <condition> ]
  See above.


4. Moths
--------

Moths come to lamps.
"""
# an action of its own, another default, a section in between
NEW = HEAD.replace("9.1", "9.2") + """\
1. Lamps
--------

Lamps are described in section 2. A lamp that is "dimmable" has more of it.


2. Process management and security
----------------------------------

beacon <name>
  Shines over the sea.

dimmable <level> [slowly]
  Lets a lamp be dimmed. The default value is 20, which is low.

  Arguments :
    <level>   is how bright it may be.
    <pace>    is how long it takes.

flicker (deprecated)
  Makes the lamp flicker, which nobody wants. Use "dimmable" instead.


3. Alphabetically sorted keywords reference
-------------------------------------------

glow { on | off }
  May be used in sections :   defaults | frontend | listen | backend
                                 yes   |    yes   |   yes  |   yes

  Glows in the dark. See section 5 for moths, and "lantern" for the past.


4. Alphabetically sorted actions reference
------------------------------------------

blink
  Usable in:  QUIC Ini|    TCP RqCon| RqSes| RqCnt| RsCnt|    HTTP Req| Res| Aft
                    - |          -  |   -  |   -  |   -  |          X |  X |  -

  Blinks for each request that matches.


5. Moths
--------

Moths come to lamps.
"""


def report(old: str, new: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status and the text for two states of a text."""
    Path("old.txt").write_text(old)
    Path("new.txt").write_text(new)
    status = main(["diff", "old.txt", "new.txt"])
    out, err = capsys.readouterr()
    assert err == ""
    assert all(len(line) <= 78 for line in out.splitlines())
    return status, out


def chapters(text: str) -> dict[str, str]:
    """The bodies of a text by their titles."""
    result: dict[str, str] = {}
    parts = text.split("\n\n\n")[1:]
    for part in parts:
        title, _, body = part.partition("\n")
        result[title] = body.partition("\n")[2].rstrip("\n")
    return result


def data(old: str, new: str, capsys: pytest.CaptureFixture[str]) -> Any:
    """The JSON for two states of a text, which keeps to its schema."""
    Path("old.txt").write_text(old)
    Path("new.txt").write_text(new)
    main(["diff", "old.txt", "new.txt", "--format", "json"])
    result = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(result)
    return result


# --- what is reported -----------------------------------------------------------------


def test_a_release(capsys: pytest.CaptureFixture[str]) -> None:
    status, text = report(OLD, NEW, capsys)
    assert status == 1
    assert text.startswith("old.txt -> new.txt\n\n      1  entry added\n")
    assert chapters(text) == {
        "Entries added (1)": (
            "  global keyword, configuration §2\n    beacon - Shines over the sea."
        ),
        "Entries removed (1)": (
            "  global keyword, configuration §2\n"
            '    lantern - This is the old word; use "dimmable" instead.'
        ),
        "Entries deprecated (1)": (
            "  global keyword flicker (configuration §2, line 26)\n"
            '      Use "dimmable" instead.'
        ),
        "Entries moved to another section (1)": (
            "  configuration §3 -> configuration §4\n    http-request blink -> blink"
        ),
        "Entries merged into others (2)": (
            "  http-request blink, http-response blink -> blink (configuration §4)"
        ),
        "Signatures changed (1)": (
            "  global keyword dimmable (configuration §2, line 19)\n"
            "      dimmable <level> {+[slowly]+}"
        ),
        "Defaults changed (1)": (
            "  global keyword dimmable (configuration §2, line 19)\n"
            "      The default value is [-10,-] {+20,+} which is low."
        ),
        "Arguments added or removed (1)": (
            "  global keyword dimmable (configuration §2, line 19)\n      {+<pace>+}"
        ),
        "Places of use changed (1)": (
            "  proxy keyword glow (configuration §3, line 33)\n      sections: {+backend+}"
        ),
        "Entries with rule sets stated now (1)": "  blink",
        "Sections added, removed, renamed or renumbered (2)": (
            "  + configuration §4 Alphabetically sorted actions reference\n"
            "  ~ configuration §4 Moths -> configuration §5 Moths"
        ),
        "References broken (1)": '  "lantern" in glow (configuration §3, line 33)',
        "Texts of entries changed (2)": (
            "\n  global keyword dimmable (configuration §2, line 19)\n"
            "      ... be dimmed. The default value is [-10,-] {+20,+} which is low.\n"
            "      {+<pace>+}\n      {+is how long it takes.+}\n\n"
            "  global keyword flicker (configuration §2, line 26)\n"
            "      Makes the lamp flicker, which nobody wants. "
            '{+Use "dimmable" instead.+}'
        ),
    }


def test_the_way_back(capsys: pytest.CaptureFixture[str]) -> None:
    result = chapters(report(NEW, OLD, capsys)[1])
    assert "Entries no longer deprecated (1)" in result
    assert result["Entries split into several (1)"] == (
        "  blink (configuration §4) -> http-request blink, http-response blink"
    )
    assert result["References mended (1)"] == '  "lantern" in glow (configuration §3, line 32)'
    assert result["Entries removed (1)"].endswith("    beacon")


def test_an_entry_that_is_merged_and_split(capsys: pytest.CaptureFixture[str]) -> None:
    two_signatures = (
        "http-request blink [ { if | unless } <condition> ]\n"
        "http-request blink-twice [ { if | unless } <condition> ]\n"
    )
    old = OLD.replace("http-request blink [ { if | unless } <condition> ]\n", two_signatures)
    # its text is longer, so that it is the pair of "blink"
    old = old.replace("See above.", "Blinks for each response.\n" + 3 * "  It blinks for long.\n")
    new = NEW.replace(
        "\n\n5. Moths", "\nblink-twice\n"
        "  Usable in:  QUIC Ini|    TCP RqCon| RqSes| RqCnt| RsCnt|    HTTP Req| Res| Aft\n"
        "                    - |          -  |   -  |   -  |   -  |          X |  -  |  -\n\n"
        "  Blinks two times for each request.\n\n\n5. Moths",
    )
    result = chapters(report(old, new, capsys)[1])
    assert result["Entries split into several (1)"] == (
        "  http-request blink (configuration §3) -> blink, blink-twice"
    )


def test_layout_is_no_difference(capsys: pytest.CaptureFixture[str]) -> None:
    other = OLD.replace("Makes the lamp flicker, which", "Makes the lamp\n  flicker, which")
    other = other.replace("glow { on | off }", "glow {on|off}").replace("\n\n\n3.", "\n\n\n\n3.")
    assert other != OLD
    assert report(OLD, other, capsys) == (0, "old.txt -> new.txt: no difference in meaning\n")
    assert data(OLD, other, capsys)["different"] is False


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests/golden").glob("*.txt")), ids=lambda path: str(path.stem)
)
def test_a_text_is_as_it_is(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(path), str(path)]) == 0
    assert capsys.readouterr().out == f"{path} -> {path}: no difference in meaning\n"


def test_sections_of_one_title(capsys: pytest.CaptureFixture[str]) -> None:
    old = "".join([
        f"{number}. {title}\n--------\n\nThe lamp says {number}.\n\n\n"
        for number, title in enumerate(("Light", "Notes", "Notes", "Night"), 1)
    ])
    assert report(old, old, capsys)[0] == 0
    result = data(old, old.replace("says 3", "tells 3"), capsys)["sections"]
    assert [section["new"]["section"]["number"] for section in result["changed"]] == ["3"]


def test_a_number_that_only_follows_is_no_difference(capsys: pytest.CaptureFixture[str]) -> None:
    """References to section 4, which is section 5 now, say the same."""
    other = OLD.replace("section 4 for", "section 5 for").replace("4. Moths", "5. Moths")
    other = other.replace("5. Moths", "4. Night\n--------\n\nDark.\n\n\n5. Moths")
    result = chapters(report(OLD, other, capsys)[1])
    assert list(result) == ["Sections added, removed, renamed or renumbered (2)"]
    wrong = other.replace("section 5 for", "section 4 for")
    assert "Texts of entries changed (1)" in chapters(report(OLD, wrong, capsys)[1])


def test_sections_that_nobody_has(capsys: pytest.CaptureFixture[str]) -> None:
    broken = OLD.replace("section 4 for", "section 7 for")
    result = data(OLD, broken, capsys)["references"]
    assert [(ref["text"], ref["in"]["name"]) for ref in result["broken"]] == [("7", "glow")]
    result = data(broken, OLD, capsys)["references"]
    assert [(ref["text"], ref["in"]["name"]) for ref in result["mended"]] == [("7", "glow")]


def test_a_section_with_another_title(capsys: pytest.CaptureFixture[str]) -> None:
    below = "4. Moths\n--------\n\n4.1. Wings\n----------\n\nFour.\n"
    old = OLD.replace("4. Moths\n--------\n", below)
    new = old.replace("4. Moths\n--------", "4. What flies\n-------------")
    result = data(old, new, capsys)["sections"]
    assert (result["added"], result["removed"]) == ([], [])
    assert result["changed"][0]["changes"] == [
        {"aspect": "title", "old": "Moths", "new": "What flies"}
    ]


def test_a_new_action_is_no_part_of_what_speaks_of_rules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """ "http-request" describes actions, but not one that it never named."""
    rules = "http-request <action>\n  Runs an action: \"fade\" or another.\n\n\n4. Moths"
    old = OLD.replace("4. Moths", rules)
    for name, added in (("fade", []), ("spin", ["http-request spin"])):
        entry = f"http-request {name}\n  Does it.\n\nhttp-request <action>"
        result = data(old, old.replace("http-request <action>", entry), capsys)["entries"]
        assert [entry["name"] for entry in result["added"]] == added


def test_an_entry_with_another_name(capsys: pytest.CaptureFixture[str]) -> None:
    """It has the text of one that is gone."""
    entry = (
        "flicker-rate <rate>\n  Says how often the lamp flickers in a second, at most, where\n"
        "  somebody wants it to flicker.\n\nlantern\n"
    )
    old = OLD.replace("lantern\n", entry)
    result = data(old, old.replace("flicker-rate", "lamp-rate"), capsys)["entries"]
    assert (result["added"], result["removed"]) == ([], [])
    assert result["changed"][0]["changes"] == [
        {"aspect": "name", "old": "flicker-rate", "new": "lamp-rate"},
        {"aspect": "signature", "old": "flicker-rate <rate>", "new": "lamp-rate <rate>"},
    ]


def test_documents_of_two_folders(capsys: pytest.CaptureFixture[str]) -> None:
    for folder, text in (("one", OLD), ("two", NEW)):
        Path(folder).mkdir()
        Path(folder, "configuration.txt").write_text(text)
    Path("two", "intro.txt").write_text(NEW.replace("Configuration Manual", "Starter Guide"))
    assert main(["diff", "one", "two"]) == 1
    assert chapters(capsys.readouterr().out)["Documents added (1)"] == "  intro"


def test_lines_are_those_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    text = "# Lamp\n\n## Options\n\n- `--oil`\n\n### `--wick`\n\nBurns.\n"
    Path("old.md").write_text(text)
    text = text.replace("\n\n", "\n\n\nText.\n\n", 1).replace("Burns.", "Burns well.")
    Path("new.md").write_text(f"{text}\n## Lids\n\nNo.\n")
    assert main(["diff", "old.md", "new.md"]) == 1
    sections = chapters(capsys.readouterr().out)
    assert sections["Texts of entries changed (1)"].split("\n")[1] == (
        "  option --wick (old Options, line 10)"
    )
    assert sections["Sections added, removed, renamed or renumbered (1)"] == "  + old Lids"


def test_long_and_monotonous_texts_take_no_longer(capsys: pytest.CaptureFixture[str]) -> None:
    """A paragraph of 60,000 words with three of them in turn, and as many short lines."""
    words = "\n".join(["  moth lamp moth light"] * 15_000)
    lines = "\n\n".join(["  - one lamp"] * 5_000)
    old = OLD.replace("Moths come to lamps.", f"{words}\n\n{lines}")
    new = old.replace("  - one lamp", "  - two lamps", 1).replace("moth", "bat", 1)
    result = data(old, new, capsys)
    assert result["different"]
    assert [section["new"]["name"] for section in result["sections"]["changed"]] == ["Moths"]


# --- as a page ------------------------------------------------------------------------


def _page(old: str, new: str) -> BeautifulSoup:
    Path("old.txt").write_text(old)
    Path("new.txt").write_text(new)
    main(["diff", "old.txt", "new.txt", "--format", "html", "-o", "report/it.html"])
    content = Path("report/it.html").read_bytes()
    html5lib.HTMLParser(strict=True).parse(content)
    return BeautifulSoup(content, "html.parser")


def test_a_page() -> None:
    page = _page(OLD, NEW)
    assert [item.get_text(" ", strip=True) for item in page.select(".figures li")] == [
        "1 added", "2 deprecated or removed", "4 changed",
    ]
    rows = {
        str(section.select_one("h2")["id"]): [  # type: ignore[index]
            item.get_text(" ", strip=True) for item in section.select("li")
        ]
        for section in page.select(".change-kind")
    }
    assert rows["-added"] == ["beacon global keyword §2 Shines over the sea."]
    assert rows["-deprecated"] == ['flicker global keyword §2 Use "dimmable" instead.']
    assert rows["-removed"] == [
        'lantern global keyword §2 This is the old word; use "dimmable" instead.'
    ]
    assert rows["-signatures"] == ["dimmable global keyword §2 old.txt dimmable <level> "
                                   "new.txt dimmable <level> [slowly]"]
    assert rows["-folded"] == ["blink action §4 from http-request blink, http-response blink"]
    assert rows["-stated-places"] == [
        "blink action §4 1 change of blink rule sets: HTTP Req, HTTP Res"
    ]
    marked = page.select_one("section[aria-labelledby=-defaults] p")
    assert marked is not None
    assert "value is <del>10,</del> <ins>20,</ins> which" in str(marked)
    assert len(page.select("section[aria-labelledby=-texts] details")) == 2
    assert page.select("summary a") == []


def test_the_new_text_says_what_replaces_what_was_removed(
    capsys: pytest.CaptureFixture[str]
) -> None:
    old = OLD.replace("This is the old word; use \"dimmable\" instead.", "Lights the hall.")
    sentence = "It does in the hall what 'blink' did to emulate the older \"lantern\"."
    new = NEW.replace("Shines over the sea.", f"Shines over the sea. {sentence}")
    removed = data(old, new, capsys)["entries"]["removed"]
    assert [(entry["name"], entry["advice"]) for entry in removed] == [("lantern", sentence)]


@pytest.mark.parametrize(("name", "is_renamed"), [
    ("tune.fe.max-idle", True), ("tune.fe.idle-max", False),
])
def test_a_name_with_the_same_end_may_have_more_of_its_text_changed(
    name: str, is_renamed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    head = f"{HEAD}2. Process management and security\n----------------------------------\n\n"
    old = f"{head}tune.max-idle <time>\n  Sets the time after which a lamp goes out that nobody"
    new = f"{head}{name} <time>\n  Sets the time after which a lamp goes out on either side, that"
    old_end = " has touched, from two to nine hours.\n"
    new_end = (
        " nobody has seen, with a unit.\n\n"
        "tune.max-idle <time> (deprecated)\n  It is to be removed.\n"
    )
    changed = data(old + old_end, new + new_end, capsys)["entries"]["changed"]
    changes = [change for entry in changed for change in entry["changes"]]
    assert ("name" in [change["aspect"] for change in changes]) == is_renamed


@pytest.mark.parametrize("is_kept", [False, True])
@pytest.mark.parametrize(("text", "is_renamed"), [
    ("Lamps may be put out in the night by it, on both sides of the hall.", True),
    ("Counts moths that come.", False),
])
def test_other_texts_replace_a_name_by_the_new_one(
    is_kept: bool, text: str, is_renamed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    head = f"{HEAD}2. Process management and security\n----------------------------------\n\n"
    glow = "glow\n  Shines until it is put out by \"{}\" or until the morning comes.\n\n"
    old = f"{head}{glow.format('no-lamp')}no-lamp\n  Lamps may be put out in the night.\n"
    new = f"{head}{glow.format('lamp.night')}lamp.night\n  {text}\n"
    if is_kept:
        new += "\nno-lamp (deprecated)\n  It is to be removed.\n"
    entries = data(old, new, capsys)["entries"]
    changes = [change for entry in entries["changed"] for change in entry["changes"]]
    names = [change["new"] for change in changes if change["aspect"] == "name"]
    assert names == ["lamp.night"] * is_renamed
    assert len(entries["removed"]) == (not is_renamed and not is_kept)


def test_a_name_of_two_words_is_replaced_by_what_its_own_text_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    head = f"{HEAD}2. Process management and security\n----------------------------------\n\n"
    text = "Takes {} as the lamps send them, which is against the standard of all lamps."
    glow = "glow\n  Shines. See \"{}\" and \"{}\".\n\n"
    old = f"{head}{glow.format('take requests', 'take answers')}" + "\n".join(
        f"take {kind}\n  {text.format(kind)}\n" for kind in ("requests", "answers")
    )
    # the first text names both new ones, in another order
    new = f"{head}{glow.format('take unsafe answers', 'take unsafe requests')}" + "\n".join(
        f"take {kind} (deprecated)\n  Use \"take unsafe {kind}\" instead.\n\n"
        f"take unsafe {kind}\n  Relaxes tests. {text.format(kind)} It must not be used often.\n"
        for kind in ("requests", "answers")
    )
    changed = data(old, new, capsys)["entries"]["changed"]
    assert {
        change["old"]: change["new"] for entry in changed for change in entry["changes"]
        if change["aspect"] == "name"
    } == {"take requests": "take unsafe requests", "take answers": "take unsafe answers"}


@pytest.mark.parametrize(("new_text", "is_changed"), [
    ("Hides the lamp. This is better for public halls, and is the default.", True),
    ("Hides the lamp. This is better for public halls, and is the default value of others.", False),
    ("Hides the lamp. By default, a lamp is seen by all. It is the default.", False),
])
def test_a_flag_that_is_the_default_now(
    new_text: str, is_changed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    head = f"{HEAD}2. Process management and security\n----------------------------------\n\n"
    sentence = "By default, a lamp is seen by all."
    old = f"{head}hide-lamp\n  Hides the lamp. {sentence}\n"
    changed = data(old, f"{head}hide-lamp\n  {new_text}\n", capsys)["entries"]["changed"]
    changes = [change for entry in changed for change in entry["changes"]]
    assert [change["old"] for change in changes if change["aspect"] == "default"] == (
        [sentence] * is_changed
    )


@pytest.mark.parametrize(("reference", "removed"), [
    ("See section 3 for them.", ["dim"]), ("See there.", ["<age>", "bright", "dim"]),
])
def test_arguments_that_moved_to_a_section(
    reference: str, removed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    head = f"{HEAD}2. Process management and security\n----------------------------------\n\n"
    old = (
        f"{head}lamp <kind>\n  Lights a lamp.\n\n  Arguments :\n    <age>     is its age\n\n"
        "    bright    makes it bright\n\n    dim       makes it dim\n"
    )
    new = (
        f"{head}lamp <kind>\n  Lights a lamp. {reference}\n\n"
        "3. Lamps\n--------\n\nA lamp may have its <age> first.\n\n"
        "  bright    makes it bright\n\n  dark      makes it dark\n"
    )
    changed = data(old, new, capsys)["entries"]["changed"]
    assert sorted(
        change["old"] for entry in changed for change in entry["changes"]
        if change["aspect"] == "argument"
    ) == removed


@pytest.mark.parametrize(("advice", "shown"), [
    ("It is gone soon.", "It is gone soon. Replaced by lamp.be, lamp.fe."),
    ("It is gone soon, use \"lamp.fe\".", "It is gone soon, use \"lamp.fe\"."),
    ("", "Replaced by lamp.be, lamp.fe."),
])
def test_what_is_deprecated_says_what_replaces_it(advice: str, shown: str) -> None:
    element = Element("keyword", "lamp", Location("t", "2", "Words", 1, "lamp"), advice=advice)
    assert ElementDiff(element, element, renamed=("lamp.be", "lamp.fe")).advice == shown


def test_a_page_needs_nothing_but_what_is_beside_it() -> None:
    page = _page(OLD, NEW)
    identities = {str(element["id"]) for element in page.select("[id]")}
    for element in page.select("[href], [src]"):
        address = str(element.get("href") or element.get("src"))
        if address.startswith("#"):
            assert address[1:] in identities
        else:
            assert address.startswith("data:image/") or Path("report", address).is_file(), address
    sheets = [sheet.name.partition(".")[0] for sheet in Path("report/static").glob("*.css")]
    assert sorted(sheets) == ["lists", "rare-parts", "reader-tools", "style", "what-changed"]


def test_a_page_without_a_difference() -> None:
    page = _page(OLD, OLD)
    assert page.select(".change-kind") == []
    assert "Nothing differs in meaning." in page.get_text()


# --- where texts come from, and how it leaves -----------------------------------------


def test_json_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    result = data(OLD, NEW, capsys)
    assert result["schema"] == "dconv/compare/1"
    assert main(["diff", "old.txt", "new.txt", "--format", "json", "-o", "out/it.json"]) == 1
    assert json.loads(Path("out/it.json").read_text()) == result
    assert capsys.readouterr().out == "Wrote out/it.json\n"


def test_revisions_of_git(capsys: pytest.CaptureFixture[str]) -> None:
    Path("doc").mkdir()
    text = Path("doc/configuration.txt")
    text.write_text(OLD)
    Path("doc/other.txt").write_text("Some words.\n")

    def git(*words: str) -> None:
        identity = ("-c", "user.name=A. Writer", "-c", "user.email=writer@example.org")
        subprocess.run(["git", *identity, *words], check=True, capture_output=True)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "Start")
    text.write_text(NEW)
    assert main(["diff", "HEAD:doc/configuration.txt", "doc/configuration.txt"]) == 1
    assert "HEAD:doc/configuration.txt -> doc/configuration.txt\n" in capsys.readouterr().out
    git("commit", "--quiet", "-a", "-m", "Change")
    assert main(["diff", "HEAD:doc", "doc"]) == 0
    assert main(["diff", "HEAD~1:doc", "HEAD:doc"]) == 1
    assert main(["diff", "HEAD~1:doc/none.txt", "HEAD:doc"]) == 2
    assert "has no file or folder 'doc/none.txt'" in capsys.readouterr().err
    assert main(["diff", "nothing:doc", "doc"]) == 2
    assert "there is no tag or branch 'nothing'" in capsys.readouterr().err


def test_releases_of_a_site(capsys: pytest.CaptureFixture[str]) -> None:
    for version, text in (("9.1", OLD), ("9.2", NEW)):
        Path("texts", version).mkdir(parents=True)
        Path("texts", version, "configuration.txt").write_text(text)
    releases = "".join(
        f'[[product.release]]\nversion = "{version}"\nsource = {{ path = "texts/{{version}}" }}\n'
        for version in ("9.2", "9.1")
    )
    site = '[site]\ntitle = "Lamps"\n[[product]]\nname = "haproxy"\n'
    Path("site.toml").write_text(site + releases)
    assert main(["diff", "haproxy/9.1", "haproxy/9.2", "--site", "site.toml"]) == 1
    assert "haproxy/9.1 -> haproxy/9.2\n" in capsys.readouterr().out
    assert main(["diff", "haproxy/9.1", "haproxy/8.0", "--site", "site.toml"]) == 2
    assert "no PRODUCT/RELEASE of site.toml" in capsys.readouterr().err
    address = 'source = { url = "https://docs.example.org/{version}/" }\n'
    Path("site.toml").write_text(f'{site}[[product.release]]\nversion = "9.3"\n{address}{releases}')
    for versions, problem in (
        (("9.3", "8.0"), "8.0: no such file or folder"),  # before anything is fetched
        (("9.3", "9.1"), "haproxy 9.3 is not in the cache; omit --offline to fetch it"),
    ):
        assert main(["diff", *versions, "--site", "site.toml", "--offline"]) == 2
        err = capsys.readouterr().err
        assert problem.lower() in err.lower() and err.count("\n") == 1


@pytest.mark.parametrize(("words", "problem"), [
    (["none.txt", "none.txt"], "none.txt: no such file or folder"),
    (["-", "-"], "the standard input can be read only once"),
    (["HEAD:none.txt", "-"], "is not in a git work tree"),
    (["a", "b", "--format", "html"], "name it with --output"),
    (["old.txt"], "the following arguments are required: NEW"),
])
def test_misuse(words: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert problem in err


def test_a_link_stays_and_a_pipe_is_written_through(capsys: pytest.CaptureFixture[str]) -> None:
    Path("old.txt").write_text("1. One\n------\n\nWords.\n")
    Path("new.txt").write_text("1. One\n------\n\nOther.\n")
    assert main(["diff", "old.txt", "new.txt"]) == 1
    report = capsys.readouterr().out
    assert main(["diff", "old.txt", "new.txt", "-o", "-"]) == 1
    assert capsys.readouterr().out == report
    Path("link.txt").symlink_to("report.txt")
    assert main(["diff", "old.txt", "new.txt", "-o", "link.txt"]) == 1
    assert Path("link.txt").is_symlink() and Path("report.txt").read_text() == report
    os.mkfifo("pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()))
    reader.start()
    assert main(["diff", "old.txt", "new.txt", "-o", "pipe"]) == 1
    reader.join(10)
    assert read == [report] and Path("pipe").is_fifo()


def test_a_deprecated_entry_without_advice_names_what_it_refers_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By its "See also", without names that are deprecated too."""
    Path("old.txt").write_text(
        HEAD + "2. Process management and security\n----------------------------------\n\n"
        "bright (deprecated)\n  Makes it bright.\n\n"
        "  See also : \"flicker\", \"glow\" and section 2\n\n"
        "flicker (deprecated)\n  Makes it flicker, instead of a glow.\n\n"
        "glow\n  Makes it glow.\n"
    )
    text = Path("old.txt").read_text()
    Path("new.txt").write_text(text[: text.index("bright (")] + text[text.index("flicker (") :])
    assert main(["diff", "old.txt", "new.txt"]) == 1
    assert "    bright - See also: glow.\n" in capsys.readouterr().out


def test_a_command_may_move_to_another_document_and_get_a_longer_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "  Immediately terminate all the sessions that are attached to it.\n"
        "  This is to be used after all of the connections were drained.\n"
    )
    head = "                 HAProxy\n          {}\n\n\n"
    socket = (
        "9. Statistics\n-------------\n\n9.{}. Unix Socket commands\n-------------------------\n\n"
    )
    for side, file, title, number, name in (
        ("old", "configuration", "Configuration Manual", 2, "shutdown sessions"),
        ("new", "management", "Management Guide", 3, "shutdown sessions server"),
    ):
        folder = tmp_path / side
        folder.mkdir()
        entry = f"{name} <backend>/<server>\n{text}"
        (folder / "configuration.txt").write_text(head.format("Configuration Manual"))
        (folder / f"{file}.txt").write_text(f"{head.format(title)}{socket.format(number)}{entry}")
    assert main([
        "diff", "--dialect", "haproxy", "--format", "json",
        str(tmp_path / "old"), str(tmp_path / "new"),
    ]) == 1
    entries = json.loads(capsys.readouterr().out)["entries"]
    assert entries["removed"] == [] and entries["added"] == []
    (renamed,) = entries["changed"]
    assert "name" in [change["aspect"] for change in renamed["changes"]]
