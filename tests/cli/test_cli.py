"""The command line: what it makes, what it says, and how it leaves."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dconv import __version__
from dconv.build import preview as serve
from dconv.build import render, schedule
from dconv.cli import arguments, main
from dconv.cli.console import Console
from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import Manual
from dconv.proof.coverage import Proof, verify
from dconv.sources import network, web

pytestmark = pytest.mark.usefixtures("work_folder")
ROOT = Path(__file__).resolve().parents[2]
KETTLE = """\
                        ------------------------
                          Kettle
                          Reference Manual
                        ------------------------
                             version 1.2

1. Heating
----------

heat <degrees>
  Brings the water to <degrees>. See section 2.


2. Pouring
----------

Nothing to say.
"""
# like a manual of HAProxy, in words of our own
HAPROXY = KETTLE.replace("Kettle", "HAProxy").replace("Reference", "Configuration")


@pytest.fixture
def kettle() -> Path:
    path = Path("kettle.txt")
    path.write_text(KETTLE)
    return path


def _files(folder: str) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in Path(folder).rglob("*.html")
    )


# --- check ----------------------------------------------------------------------------


def test_check_tells_places_and_leaves_with_one(
    kettle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(kettle)]) == 0
    assert capsys.readouterr().out == "no findings in 17 lines of kettle.txt\n"
    kettle.write_text(KETTLE.replace("See section 2", "See section 7.1"))
    assert main(["check", str(kettle)]) == 1
    out, err = capsys.readouterr()
    assert out == (
        "kettle.txt:11:46: warning: [section-reference] "
        "there is no section 7.1 in this document\n"
        "   11 |   Brings the water to <degrees>. See section 7.1.\n"
        "      |                                              ^\n"
        "1 finding: 1 warning\n"
    )
    assert err == ""
    assert sorted(path.name for path in Path().iterdir()) == ["kettle.txt"]


def test_notes_count_where_strict(kettle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kettle.write_text(KETTLE.replace("Nothing to say.", "See doc/else.txt."))
    assert main(["check", str(kettle)]) == 0
    assert "[missing-document]" in capsys.readouterr().out
    assert main(["check", str(kettle), "--strict"]) == 1


# --- convert --------------------------------------------------------------------------


def test_convert_a_bare_text(kettle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(kettle), "-o", "public"]) == 0
    assert _files("public") == [
        "404.html",
        "index.html",
        "manuals/index.html",
        "manuals/kettle.html",
        "names/index.html",
    ]
    out, err = capsys.readouterr()
    assert re.fullmatch(
        r"Manuals 1\.2: 1 document, all 17 lines kept, 1 link\n"
        r"Built public \(\d+ files\) in [\d.]+ s: "
        rf"{re.escape(Path('public/index.html').absolute().as_uri())}\n",
        out,
    )
    assert err == ""
    assert main(["convert", str(kettle), "-o", "public", "-v"]) == 0
    out = capsys.readouterr().out
    assert "kettle 1.2: 17 lines in, 17 accounted for\n" in out
    assert "kettle 1.2: 1 reference: 1 resolved, 0 ambiguous, 0 external, 0 unresolved\n" in out
    assert " files, 0 changed) in " in out


def test_convert_recognizes_product_and_release(capsys: pytest.CaptureFixture[str]) -> None:
    Path("anything.txt").write_text(HAPROXY)
    assert main(["convert", "anything.txt", "-o", "public"]) == 0
    assert "haproxy/1.2/configuration/1.html" in _files("public")
    assert "HAProxy 1.2: 1 document, all 17 lines kept" in capsys.readouterr().out


def test_convert_says_what_is_wanted(kettle: Path) -> None:
    words = ["--product", "kettle", "--release", "9", "--dialect", "haproxy"]
    assert main(["convert", str(kettle), "-o", "public", *words]) == 0
    assert "kettle/9/kettle/1.html" in _files("public")


def test_a_single_text_gives_the_site_its_title(kettle: Path) -> None:
    assert main(["convert", str(kettle), "-o", "public"]) == 0
    assert "<title>Kettle" in Path("public/index.html").read_text()
    assert main(["convert", str(kettle), "-o", "public", "--title", "Tea"]) == 0
    assert "<title>Tea" in Path("public/index.html").read_text()


def test_convert_gzip_and_folder() -> None:
    Path("doc").mkdir()
    Path("doc/configuration.txt.gz").write_bytes(gzip.compress(HAPROXY.encode()))
    Path("doc/management.txt").write_text(HAPROXY.replace("Configuration Manual", ""))
    Path("doc/notes.md").write_text("not a text")
    assert main(["convert", "doc", "-o", "public"]) == 0
    assert "haproxy/1.2/configuration/1.html" in _files("public")
    assert "haproxy/1.2/management/1.html" in _files("public")


def _given(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `content` be the standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _given(KETTLE.replace("section 2", "section 7").encode(), monkeypatch)
    assert main(["convert", "-", "-o", "public"]) == 0
    page = Path("public/manuals/manual.html").read_text()
    assert "Source: a pipe, SHA-256" in page
    out, err = capsys.readouterr()
    assert "Manuals 1.2: 1 document, all 17 lines kept" in out
    assert "1 warning (details: --verbose)\n" in out
    assert err == ""
    _given(gzip.compress(HAPROXY.encode()), monkeypatch)
    assert main(["dump", "-"]) == 0
    assert capsys.readouterr().out.startswith("manual configuration 17 lines\n")


def test_pipes() -> None:
    read, write = os.pipe()
    os.write(write, KETTLE.encode())
    os.close(write)
    os.mkfifo("fifo")
    with subprocess.Popen(["sh", "-c", f"echo '{HAPROXY}' | gzip > fifo"]):
        assert main(["convert", f"/dev/fd/{read}", "fifo", "-o", "public"]) == 0
    os.close(read)
    assert {"manuals/manual.html", "haproxy/1.2/configuration/1.html"} <= set(
        _files("public")
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["dump", "-", "-"], "-: the standard input can be read only once"),
        (["serve", "-"], "-: it can be read only once; a preview needs a file"),
        (["dump", "/dev/zero"], "/dev/zero is larger than 256 MB: too large"),
        (["dump", "socket"], "socket: cannot be read (no such device or address)"),
    ],
)
def test_streams_that_cannot_be_read(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket")
    assert main(words) == 2
    assert capsys.readouterr() == ("", f"dconv: {sentence}\n")


def test_a_closed_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["dump", "-"]) == 2
    assert capsys.readouterr().err == "dconv: <stdin>: cannot be read (it is closed)\n"


def test_texts_of_several_versions_have_none_in_common(
    capsys: pytest.CaptureFixture[str]
) -> None:
    """Texts of no known product: the release has the version that all of them agree on."""
    Path("kettle.txt").write_text(KETTLE)
    Path("tea.txt").write_text("1. Tea\n------\n\nDrink it.\n")
    for version, release in (("1.2", "1.2"), ("3.4", "current")):
        Path("lamp.txt").write_text(KETTLE.replace("1.2", version).replace("Kettle", "Lamp"))
        assert main(["convert", "kettle.txt", "lamp.txt", "tea.txt", "-o", "public"]) == 0
        assert f"Manuals {release}: 3 documents, " in capsys.readouterr().out
        assert f"<span>Version</span> <span>{version}</span>" in Path(
            "public/manuals/lamp.html"
        ).read_text()
        assert "<span>1.2</span>" in Path("public/manuals/kettle.html").read_text()
        has_version = "<title>Manuals 1.2</title>" in Path("public/manuals/index.html").read_text()
        assert has_version == (version == "1.2")


def test_a_site_of_one_package_says_its_name_once() -> None:
    Path("texts").mkdir()
    for name in ("Lamps", "Stoves"):
        Path("texts", f"{name}.rst").write_text(
            f"{name}:\n=======\n\nOptions:\n--------\n\n--oil  Pour oil.\n"
        )
    assert main(["convert", "texts", "-o", "public"]) == 0
    head, _, text = Path("public", "manuals", "Lamps.html").read_text().partition("<h1")
    assert text.startswith(">Lamps</h1>")
    assert "<title>Lamps - Manuals" in head
    assert head.count(">Manuals<") == 2, "in the bar and above the text"


def test_convert_a_text_has_no_colon_behind_its_title() -> None:
    Path("lamps.rst").write_text("Lamps:\n======\n\nNone.\n")
    assert main(["convert", "lamps.rst", "-o", "public"]) == 0
    assert "<title>Lamps</title>" in Path("public", "index.html").read_text()


def test_convert_two_texts_of_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "same.txt").write_text(KETTLE)
    assert main(["convert", "a/same.txt", "b/same.txt", "-o", "public"]) == 0
    assert {"manuals/same.html", "manuals/same-2.html"} <= set(_files("public"))
    Path("b/same.txt").write_text(KETTLE.replace("1.2", "1.3"))
    assert main(["convert", "a/same.txt", "b/same.txt", "-o", "public"]) == 0
    assert "\nManuals: 2 documents, " in capsys.readouterr().out


def test_links_between_texts_of_one_name_lead_to_the_other_folder(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder, text in {
        "lamp": "# Lamp\n\nSee [the wick](parts/wick/README.md), [how to trim it]"
        "(parts/wick/README.md#trim) and [the oil](parts/oil/README.md).\n\n## Oil\n\nx\n",
        "lamp/parts/wick": "# Wick\n\nPart of [the lamp](../../README.md).\n\n## Trim\n\nx\n",
    }.items():
        Path(folder).mkdir(parents=True)
        Path(folder, "README.md").write_text(text)
    assert main(["convert", "lamp", "lamp/parts/wick", "-o", "out", "--verbose"]) == 0
    lamp, wick = (Path("out/manuals", f"README{end}.html").read_text() for end in ("", "-2"))
    assert '<a href="README-2.html">the wick</a>' in lamp
    assert '<a href="README-2.html#Trim">how to trim it</a> and the oil.' in lamp
    assert '<a href="README.html">the lamp</a>' in wick
    assert "parts/oil/README.md is no link" in capsys.readouterr().err


def test_accepted_findings_of_a_shelf(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["build", "--strict", "--site", "site.toml"]
    Path("lamps").mkdir()
    Path("lamps/oil.md").write_text("# Oil\n\nSee [the can](can.md) and [the  wick](#wick).\n")
    Path("lamps/wick.md").write_text("# Wick\n\nIt burns.\n")
    site = '[site]\ntitle = "Lamps"\n[[shelf]]\nfolder = "lamps"\n'
    accept = '[[shelf.accept]]\ndocument = "{}"\nrule = "link-target"\ntext = "the can"\n'
    Path("site.toml").write_text(site)
    assert main(words) == 1
    assert "oil.md:3:" in capsys.readouterr().err
    Path("site.toml").write_text(site + accept.format("oil"))
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert ("1 accepted finding" in out, err) == (True, "")
    Path("site.toml").write_text(site + accept.format("oil") + accept.format("oill"))
    assert main(words) == 0
    assert capsys.readouterr().err == (
        "dconv: site.toml: accepts a finding of 'oill', which no release has; "
        "did you mean 'oil'?\n"
    )


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("index.txt", "index-text"), ("INDEX.txt", "INDEX-text"), ("con.txt", "con-text"),
        ("aux.txt.gz", "aux-text"), ("objects.inv.txt", "objects.inv-text"),
        ("com1.x.txt", "com1-x-text"), ("a.html.txt", "a.html-text"), ("x" * 250, "x" * 80),
        ("site.txt", "site"),
        ("index.html.txt", "index.html-text"),
    ],
)
def test_convert_a_text_of_any_name(file: str, name: str) -> None:
    content = KETTLE.encode()
    Path(file).write_bytes(gzip.compress(content) if file.endswith(".gz") else content)
    Path("index-text.txt").write_text(KETTLE)
    assert main(["convert", file, "-o", "public"]) == 0
    assert f"manuals/{name}.html" in _files("public")
    home = Path("public/manuals/index.html").read_text()
    assert f'href="{name}.html"' in home
    assert main(["convert", file, "index-text.txt", "-o", "public"]) == 0


@pytest.mark.parametrize(
    "content",
    [b"\1\xff\xfe" * 50, b"<script>alert(1)</script>\n", "a\u2028b\rc\r\n".encode()],
)
def test_convert_anything(content: bytes) -> None:
    Path("odd.bin").write_bytes(content)
    assert main(["convert", "odd.bin", "-o", "public"]) == 0
    assert "manuals/odd.html" in _files("public")
    assert b"<script>alert" not in b"".join(
        path.read_bytes() for path in Path("public").rglob("*.html")
    )


@pytest.mark.parametrize(
    "words",
    [["check"], ["dump"], ["convert", "-o", "public"], ["export", "--format", "rst", "-o", "out"]],
)
@pytest.mark.parametrize("content", ["", " \n"])
def test_an_empty_file_is_refused(
    content: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("blank.txt").write_text(content)
    assert main([*words, "blank.txt"]) == 2
    assert capsys.readouterr().err == "dconv: blank.txt is empty: there is no text in it\n"
    assert not Path("public").exists()


def test_an_empty_file_of_a_folder_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    Path("doc").mkdir()
    Path("doc/kettle.txt").write_text(KETTLE)
    Path("doc/blank.md").write_text("")
    assert main(["check", "-q", "doc"]) == 1
    assert "dconv: doc/blank.md is empty: there is no text in it; it is left out" in (
        capsys.readouterr().err
    )


def test_texts_of_folders_below_are_not_read_silently(capsys: pytest.CaptureFixture[str]) -> None:
    Path("doc/more").mkdir(parents=True)
    Path("doc/kettle.txt").write_text(KETTLE)
    Path("doc/more/lid.md").write_text("# Lid\n\nIt shuts.\n")
    assert main(["check", "doc"]) == 0
    note = "dconv: doc: texts of folders below, such as doc/more/lid.md, are read only if"
    assert note in capsys.readouterr().err
    assert main(["check", "doc", "doc/more"]) == 0
    assert "are read only if" not in capsys.readouterr().err


def test_a_file_of_a_folder_that_is_no_text_is_left_out(
    capsys: pytest.CaptureFixture[str]
) -> None:
    Path("doc").mkdir()
    Path("doc/kettle.txt").write_text(KETTLE)
    Path("doc/odd.txt").write_bytes(b"\0\1")
    Path("doc/torn.txt.gz").write_bytes(gzip.compress(KETTLE.encode())[:40])
    assert main(["convert", "doc", "-o", "public"]) == 1
    assert sorted(capsys.readouterr().err.splitlines()) == [
        "dconv: doc/odd.txt: not a text: it contains NUL bytes; it is left out",
        "dconv: doc: torn.txt.gz is not a complete gzip file: it is truncated; it is left out",
    ]
    assert "manuals/kettle.html" in _files("public")
    assert main(["convert", "doc", "-o", "public", "--strict"]) == 2
    assert main(["convert", "doc/odd.txt", "-o", "public"]) == 2


@pytest.mark.parametrize("words", [["check"], ["dump"], ["convert", "-o", "public"]])
def test_a_named_file_that_is_no_text_is_left_out(
    words: list[str], kettle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.txt").write_bytes(b"\0\1")
    Path("torn.txt.gz").write_bytes(gzip.compress(KETTLE.encode())[:40])
    assert main([*words, "odd.txt", "kettle.txt", "torn.txt.gz"]) == 1
    out, err = capsys.readouterr()
    assert out
    assert sorted(line for line in err.splitlines() if line.startswith("dconv: ")) == [
        "dconv: odd.txt: not a text: it contains NUL bytes; it is left out",
        "dconv: torn.txt.gz is not a complete gzip file: it is truncated; it is left out",
    ]
    assert main([*words, "odd.txt", "torn.txt.gz"]) == 2


def test_a_text_may_name_a_file_that_is_no_text() -> None:
    Path("guide.txt").write_text("1. One\n------\n\nThe data are in odd.txt.\n")
    Path("odd.txt").write_bytes(b"\0\1")
    assert main(["check", "guide.txt"]) == 0


def test_a_binary_document_of_a_site_is_a_missing_release(
    capsys: pytest.CaptureFixture[str]
) -> None:
    words = _two_releases()
    Path("manuals/kettle/0.9/kettle.txt").write_bytes(b"\0\1")
    assert main(["build", *words]) == 1
    err = capsys.readouterr().err
    assert "dconv: no source gives Kettle 0.9: " in err and "it contains NUL bytes" in err
    assert Path("public/kettle/1.2/index.html").is_file()


def test_quiet(kettle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["-q", "convert"], ["convert", "--quiet"]):
        assert main([*words, str(kettle), "-o", "public"]) == 0
        assert capsys.readouterr() == ("", "")


# --- findings -------------------------------------------------------------------------


def test_strict_fails_on_warnings_only(capsys: pytest.CaptureFixture[str]) -> None:
    Path("twice.txt").write_text(KETTLE.replace("2. Pouring", "1. Pouring"))
    Path("latin.txt").write_bytes(KETTLE.replace("Nothing", "Br\u00fbl\u00e9").encode("latin-1"))
    assert main(["convert", "twice.txt", "-o", "public"]) == 0
    assert main(["convert", "twice.txt", "-o", "public", "--strict"]) == 1
    finding = r"(?m)^twice\.txt:14:1: warning: \[section-number\] .+$"
    err = capsys.readouterr().err
    assert len(re.findall(finding, err)) == 1
    assert err.count("--strict") == 1
    assert err.endswith("dconv: --strict: 2 warnings\n")
    assert main(["convert", "latin.txt", "-o", "public", "--strict"]) == 1
    assert re.search(r"(?m)^latin\.txt:17:\d+: warning: \[encoding\] ", capsys.readouterr().err)


def test_strict_publishes_nothing_that_is_odd(capsys: pytest.CaptureFixture[str]) -> None:
    Path("kettle.txt").write_text(KETTLE)
    assert main(["convert", "kettle.txt", "-o", "public", "--strict"]) == 0
    before = {path: path.read_bytes() for path in Path("public").rglob("*.html")}
    Path("kettle.txt").write_text(KETTLE.replace("2. Pouring", "1. Pouring"))
    assert main(["convert", "kettle.txt", "-o", "public", "--strict"]) == 1
    output = capsys.readouterr().out
    assert "Not published: public is unchanged" in output
    assert output.count("Built public ") == 1, "of the build before"
    assert {path: path.read_bytes() for path in Path("public").rglob("*.html")} == before
    assert [path.name for path in Path().iterdir() if path.name.startswith("public.")] in (
        [], ["public.dconv-lock"],
    )


def test_many_odd_characters_are_one_finding(capsys: pytest.CaptureFixture[str]) -> None:
    Path("noise.txt").write_bytes(b"\x01\n" * 500)
    assert main(["convert", "noise.txt", "-o", "public", "--verbose"]) == 0
    err = capsys.readouterr().err
    assert err.startswith("noise.txt:1:1: warning: [control-character] character U+0001 ")
    assert err.endswith(" (the first of 500)\n")
    assert err.count("\n") == 1


def test_many_notes_are_summed_up() -> None:
    out, err = io.StringIO(), io.StringIO()
    note = Diagnostic("noise.txt", 1, 1, "note", "odd", "this is odd")
    console = Console(out, err, lambda: 0.0, verbose=True)
    console.findings([note] * 500)
    messages = err.getvalue().splitlines()
    assert messages == [*[str(note)] * 10, "noise.txt: note: [odd] 490 more of these"]


def test_lost_text_fails_and_is_told_on_the_pages(
    kettle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def forgetful(manual: Manual, version: str, pages: list[str]) -> Proof:
        [page] = pages
        return verify(manual, version, [page.rpartition("<!--text ")[0]])

    monkeypatch.setattr(render, "verify", forgetful)
    assert main(["convert", str(kettle), "-o", "public"]) == 1
    out, err = capsys.readouterr()
    assert "Manuals 1.2: 1 document, 3 of 17 lines lost" in out
    assert "kettle.txt:14:1: error: [lost-text] " in err
    assert err.endswith(
        "dconv: site written despite [lost-text]; --strict would have kept the old one\n"
    )
    page = Path("public/manuals/kettle.html").read_text()
    assert "17 lines in, 14 accounted for" in page


def test_warnings_are_counted_and_shown_with_verbose(
    kettle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kettle.write_text(KETTLE.replace("section 2", "section 7"))
    assert main(["convert", str(kettle), "-o", "public"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1] == "1 warning (details: --verbose)"
    assert err == ""
    assert main(["convert", str(kettle), "-o", "public", "--verbose"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("kettle.txt:11:46: warning: [section-reference] ")
    assert "details" not in out
    assert main(["convert", str(kettle), "-o", "public", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["convert", str(kettle), "-o", "public", "--quiet", "--strict"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("kettle.txt:11:46: warning: [section-reference] ")


def test_colour_is_for_terminals_and_who_asks_for_it(
    kettle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kettle.write_text(KETTLE.replace("section 2", "section 7"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert main(["check", str(kettle)]) == 1
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["check", str(kettle)]) == 1
    colored = capsys.readouterr().out
    assert "\x1b[1;35mwarning:\x1b[0m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["check", str(kettle)]) == 1
    assert capsys.readouterr().out == plain


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_for_terminals() -> None:
    seconds = iter([0.0, 3.0, 15.0])
    terminal, log = _Terminal(), io.StringIO()
    console = Console(io.StringIO(), terminal, lambda: next(seconds))
    console.progress("reading", 2, 9)
    assert terminal.getvalue() == "\r\x1b[K[2/9] reading"
    console.progress("reading", 2, 9)
    assert terminal.getvalue().endswith("\r\x1b[K[2/9] reading  12 s"), "of this step"
    console.end_progress()
    assert terminal.getvalue().endswith("\r\x1b[K")
    Console(io.StringIO(), log, lambda: 0.0).progress("reading", 2, 9)
    Console(io.StringIO(), _Terminal(), lambda: 0.0, dumb=True).progress("reading", 2, 9)
    assert log.getvalue() == ""


# --- dump -----------------------------------------------------------------------------


def test_dump(kettle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", str(kettle)]) == 0
    assert capsys.readouterr().out.startswith("manual kettle 17 lines\n")
    assert main(["dump", str(kettle), str(kettle), "--format", "json"]) == 0
    dumped = json.loads(capsys.readouterr().out)
    assert dumped["document"]["name"] == "kettle", "one, although it is named twice"


# --- build and fetch ------------------------------------------------------------------


def _site(releases: str = '["1.2"]') -> Path:
    """A site of one product whose texts lie beside it."""
    Path("manuals/kettle").mkdir(parents=True)
    Path("manuals/kettle/kettle.txt").write_text(KETTLE)
    Path("manuals/kettle/manual.toml").write_text(
        '[product]\nname = "kettle"\ntitle = "Kettle"\n[[document]]\nfile = "kettle.txt"\n'
        'title = "Manual of the kettle"\n[[source]]\npath = "."\n'
        '[[source]]\npath = "gone/{version}"\n'
    )
    path = Path("site.toml")
    path.write_text(
        f'[site]\ntitle = "Kitchen"\n[[product]]\nname = "kettle"\nreleases = {releases}\n'
    )
    return path


def test_build(capsys: pytest.CaptureFixture[str]) -> None:
    site = _site()
    words = ["--site", str(site), "--manuals", "manuals"]
    assert main(["build", *words]) == 0
    assert "kettle/1.2/kettle/1.html" in _files("public")
    out, err = capsys.readouterr()
    assert "Kettle 1.2: 1 document, all 17 lines kept" in out
    assert err == ""
    assert "Manual of the kettle" in Path("public/index.html").read_text()
    assert main(["fetch", *words]) == 0
    assert capsys.readouterr().out.startswith("Kettle 1.2: kettle, from ")


def _two_releases() -> list[str]:
    """What to say for a site of two releases, each with a folder of its own."""
    site = _site('["1.2", "0.9"]')
    manual = Path("manuals/kettle/manual.toml")
    manual.write_text(manual.read_text().replace('path = "."', 'path = "{version}"'))
    Path("manuals/kettle/kettle.txt").unlink()
    for version in ("1.2", "0.9"):
        Path("manuals/kettle", version).mkdir()
        text = KETTLE.replace("version 1.2", f"version {version}")
        Path("manuals/kettle", version, "kettle.txt").write_text(text)
    return ["--site", str(site), "--manuals", "manuals"]


def test_offline_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    site = _site('["1.2", "0.9", "0.8"]')
    manual = Path("manuals/kettle/manual.toml")
    source = '[[source]]\nurl = "https://www.example.org/{version}/{file}"\n'
    manual.write_text(manual.read_text().partition("[[source]]")[0] + source)
    more = site.read_text() + '[[product]]\nname = "dconv"\nreleases = ["0.1"]\n'
    site.write_text(more)
    words = ["--site", str(site), "--manuals", "manuals", "--offline", "--partial"]
    assert main(["build", *words]) == 0
    assert capsys.readouterr().err == (
        "dconv: offline: Kettle 1.2, 0.9, 0.8 not available (not in the cache)\n"
    )


def test_build_without_one_release(capsys: pytest.CaptureFixture[str]) -> None:
    words = _two_releases()
    Path("manuals/kettle/0.9/kettle.txt").unlink()
    assert main(["build", *words]) == 1
    assert "kettle/1.2/kettle/1.html" in _files("public")
    err = capsys.readouterr().err
    assert "dconv: no source gives Kettle 0.9: " in err
    assert "there is no text" in err
    assert "Traceback" not in err
    assert err.endswith(
        "dconv: site written without Kettle 0.9, which could not be fetched\n"
    )
    assert main(["build", *words]) == 1  # also if nothing is rebuilt
    assert main(["build", "--partial", *words]) == 0
    assert "site written" not in capsys.readouterr().err.splitlines()[-1]
    assert main(["build", "--strict", *words]) == 1
    assert capsys.readouterr().err.endswith("dconv: --strict: 1 missing release\n")
    assert main(["build", "--strict", "--partial", *words]) == 0
    text = Path("manuals/kettle/1.2/kettle.txt")
    text.write_text(KETTLE.replace("section 2", "section 7") + "See section 8.\n")
    capsys.readouterr()
    assert main(["build", "--strict", *words]) == 1
    assert capsys.readouterr().err.endswith(
        "dconv: --strict: 2 warnings, 1 missing release\n"
    )
    assert main(["fetch", *words]) == 1


@pytest.mark.parametrize("option", ["--quiet", "--strict", "--partial"])
def test_a_release_of_the_site_is_not_dropped(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = _two_releases()
    assert main(["build", *words]) == 0
    before = {path: Path("public", path).read_bytes() for path in _files("public")}
    Path("manuals/kettle/0.9").rename("away")
    assert main(["build", option, *words]) == 2
    assert {path: Path("public", path).read_bytes() for path in _files("public")} == before
    assert capsys.readouterr().err.endswith(
        "dconv: public shows Kettle 0.9 and is unchanged: build again when this release is"
        " available, or take it out of site.toml\n"
    )
    Path("site.toml").write_text(Path("site.toml").read_text().replace(', "0.9"', ""))
    assert main(["build", *words]) == 0
    assert "kettle/0.9/index.html" not in _files("public")


def test_a_preview_says_why_a_release_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    words = _two_releases()
    messages: list[str] = []

    def run(
        preview: serve.Preview, watched: object, build: Callable[[], str], *_: object
    ) -> None:
        messages.append(build())
        Path("manuals/kettle/0.9/kettle.txt").write_text(" \n")
        messages.append(build())
        preview.server_close()

    monkeypatch.setattr(serve, "run", run)
    assert main(["serve", *words, "--port", "0"]) == 0
    found_message, missing_message = messages
    assert found_message == ""
    assert missing_message.startswith("no source gives Kettle 0.9: ")
    assert "kettle.txt is an empty text; " in missing_message
    assert "; public shows Kettle 0.9 and is unchanged: build again when" in missing_message


def test_a_release_without_a_number_is_not_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody knows which release it was, all that would go away may be it."""
    words = _two_releases()
    site = Path("site.toml")
    stable = 'version = "stable"\nsource = { path = "manuals/kettle/stable" }\n'
    releases = site.read_text().replace(', "0.9"', "")
    site.write_text(f"{releases}[[product.release]]\n{stable}")
    Path("manuals/kettle/0.9").rename("manuals/kettle/stable")
    assert main(["build", *words]) == 0
    assert "kettle/0.9/index.html" in _files("public")
    Path("manuals/kettle/stable").rename("away")
    assert main(["build", *words]) == 2
    message = "dconv: public shows Kettle 0.9, which may be Kettle stable, and is unchanged"
    assert message in capsys.readouterr().err
    assert "kettle/0.9/index.html" in _files("public")
    site.write_text(f"{site.read_text()}[[product.release]]\nversion = '0.9'\n")
    Path("manuals/kettle/stable").mkdir()
    text = KETTLE.replace("version 1.2", "version 0.9")
    Path("manuals/kettle/stable/kettle.txt").write_text(text)
    assert main(["build", *words]) == 1  # 0.9 is missing, and comes from another source
    assert "kettle/0.9/index.html" in _files("public")
    Path("manuals/kettle/stable/kettle.txt").unlink()
    Path("public/kettle/releases.json").write_text("[]")  # nobody knows what it shows
    assert main(["build", *words]) == 1
    assert "kettle/0.9/index.html" not in _files("public")


def test_build_with_nothing_keeps_the_old_site(capsys: pytest.CaptureFixture[str]) -> None:
    site = _site()
    words = ["--site", str(site), "--manuals", "manuals"]
    assert main(["build", *words]) == 0
    Path("manuals/kettle/kettle.txt").unlink()
    assert main(["build", *words]) == 2
    assert "kettle/1.2/kettle/1.html" in _files("public")
    assert capsys.readouterr().err.endswith(
        "dconv: no text is available, so no site was written\n"
    )


def test_accepted_findings(capsys: pytest.CaptureFixture[str]) -> None:
    site = _site()
    text = Path("manuals/kettle/kettle.txt")
    broken = KETTLE.replace("See section 2.", "For cups see  section 8.")
    text.write_text(f"{broken}See section 9.\n")
    words = ["build", "--strict", "--site", str(site), "--manuals", "manuals"]
    assert main(words) == 1
    assert capsys.readouterr().err.count("[section-reference]") == 2
    accept = '[[product.accept]]\ndocument = "kettle"\nrule = "section-reference"\ntext = "{}"\n'
    with site.open("a") as file:
        file.write(accept.format("cups see section 8") + accept.format("section 7"))
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert "Kettle 1.2: 1 document, all 18 lines kept, 0 links, 1 accepted finding\n" in out
    assert re.fullmatch(
        r".+kettle\.txt:18:\d+: warning: \[section-reference\] there is no section 9 .+\n"
        r"dconv: site\.toml: accepts a finding that no longer exists: "
        r"kettle: \[section-reference\] 'section 7'\n"
        r"dconv: --strict: 1 warning\n",
        err,
    )
    settings = site.read_text()
    site.write_text(settings.replace('"kettle"\nrule', '"ketle"\nrule'))
    assert main(words) == 1
    assert capsys.readouterr().err.count(
        "dconv: site.toml: accepts a finding of 'ketle', which no release has; "
        "did you mean 'kettle'?\n"
    ) == 2
    site.write_text(settings.replace("section 7", "section 9"))
    assert main(words) == 0
    assert capsys.readouterr().err == ""
    text.write_text(f"\n\n{text.read_text()}")  # lines move
    assert main(words) == 0
    text.write_text(f"{text.read_text()}\nSee section 6.\n")  # a new one
    assert main(words) == 1
    assert "there is no section 6 " in capsys.readouterr().err


def test_the_foot_says_where_a_text_is_from(monkeypatch: pytest.MonkeyPatch) -> None:
    site = _site('["1.2", "1.1"]')
    manual = Path("manuals/kettle/manual.toml")
    manual.write_text(manual.read_text().replace('path = "."', 'path = "kettle.txt"', 1))
    with site.open("a") as file:
        file.write(
            '[[product.release]]\nversion = "1.1"\n'
            'source = { url = "https://www.example.org/old/{file}" }\n'
        )
    requested: list[str] = []

    def download(url: str) -> tuple[bytes, str]:
        requested.append(url)
        return KETTLE.encode(), "2024-02-29"

    monkeypatch.setattr(web, "download", download)
    monkeypatch.setattr(network, "unreachable", lambda addresses, timeout: frozenset())
    assert main(["build", "--site", str(site), "--manuals", "manuals"]) == 0
    assert requested == ["https://www.example.org/old/kettle.txt"]
    page = Path("public/kettle/1.1/kettle/index.html").read_text()
    link = f'<a href="{requested[0]}" rel="external">https://www.example.org/old/</a>'
    assert f"Source: {link}" in page
    assert "2024-02-29" in page
    page = Path("public/kettle/1.2/kettle/index.html").read_text()
    assert "Source: kettle.txt, SHA-256" in page
    page = Path("public/kettle/1.2/kettle/1.html").read_text()
    assert 'Source: kettle.txt. <a href="index.html#-origin">Origin and proof</a>.' in page


# --- misuse ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["biuld"], "unknown command 'biuld'; did you mean 'build'?"),
        (["water"], "unknown command 'water'; try 'dconv --help'"),
        (["build", "--strct"], "unrecognized arguments: --strct; did you mean '--strict'?"),
        (["search", "-f"], "required: QUERY; write '--' before a query that starts with a hyphen"),
        (["search", "x", "-f"], "write '--' before a query that starts with a hyphen"),
        (["search", "x", "--site", "s"], "did you mean '--folder'?"),
        (["convert", "full", "--outpt", "p"],
            "unrecognized arguments: --outpt; did you mean '--output'?"),
        (["--manuals", "full", "check", "full"], "--manuals follows the command"),
        (["convert", "full", "-o", "-"], "--output -: several files need a folder; name one"),
        (["convert", ""], "the argument after 'convert' is empty"),
        (["convert", "full", "-o", "p", "--title="], "the argument after '--title' is empty"),
        (["convert", "full", "-o"], "-o/--output needs an argument; try 'dconv convert --help'"),
        (["build", "--sight", "x"],
            "unrecognized arguments: --sight x; did you mean '--site'?"),
        (["build", "my/site.toml"],
            "unrecognized arguments: my/site.toml; did you mean '--site my/site.toml'?"),
        (["-q", "dump", "full", "--site", "x.toml"], "--site x.toml; try 'dconv dump --help'"),
        (["build"], "site/site.toml: "),
        (["build", "--manuals", "."], ".: there is no manual.toml, nor in a folder below"),
        (["build", "--site", "full"], "full: this is a folder; name the file in it"),
        (["build", "--manuals", "none"], "none: no such folder"),
        (["build", "--manuals", "full/kettle.txt"],
            "full/kettle.txt: this is a file; name its folder, full"),
        (["convert", "none.txt", "-o", "public"], "none.txt: no such file"),
        (["convert", "https://lamp.example/a.txt", "-o", "public"], "an address is no file"),
        (["convert", "kettle.txt"], "the following arguments are required: -o/--output"),
        (["convert", ".", "-o", "public"], ".: its texts are in folders below, such as full"),
        (["convert", "full/kettle.txt", "-o", "full"], "holds files that dconv did not write"),
        (["convert", "full/kettle.txt", "-o", "full/kettle.txt"], "is a file, not a folder"),
        (["convert", "full/kettle.txt", "-o", "/"], "/ is the root of the file system"),
        (["convert", "full/kettle.txt", "-o", "p", "--theme", "none"], "theme none: no such"),
        (["convert", "full/kettle.txt", "-o", "p", "--release", "../x"], "--release '../x'"),
        (["convert", "full/kettle.txt", "-o", "p", "--release", "latest"], "'latest' is the addr"),
        (["convert", "full/kettle.txt", "-o", "p", "--product", "a b"], "--product 'a b'"),
        (["convert", "full/broken.txt.gz", "-o", "p"], "is not a complete gzip file"),
        (["dump", "full"], "full: this is a folder; name a file"),
        (["dump", "full/kettle.txt", "--format", "xml"],
            "unknown --format 'xml'; choose from tree, json"),
        (["dump", "full/kettle.txt", "--dialect", "teapot"], "unknown dialect 'teapot'"),
        (["serve", "--port", "eighty"], "'eighty' is not a port"),
    ],
)
def test_misuse_is_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("full").mkdir()
    Path("full/kettle.txt").write_text(KETTLE)
    Path("full/broken.txt.gz").write_bytes(gzip.compress(KETTLE.encode())[:40])
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.startswith("dconv: ")
    assert err.count("\n") == 1
    assert not Path("p").exists()


def test_paths_are_shown_as_they_were_given(
    kettle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `./` and doubled slashes; `..` stays, since folders may be links."""
    kettle.write_text(KETTLE.replace("section 2", "section 7"))
    for folder in ("sub", "mine/out", "mine/templates"):
        Path(folder).mkdir(parents=True)
    Path("mine/out/index.html").write_text("mine")
    Path("mine/templates/document.html.jinja2").write_text("{{ nothing }}")
    words = ["convert", "--verbose", f"./sub/..//{kettle}", "-o"]
    assert main([*words, "./mine//out"]) == 2
    assert main([*words, "mine/../public", "--theme", ".//mine/"]) == 2
    assert main([*words, ".//public"]) == 0
    foreign, template, warning = capsys.readouterr().err.splitlines()
    assert warning.startswith("sub/../kettle.txt:11:46: warning: ")
    assert foreign.startswith("dconv: mine/out holds files that dconv did not write, such as ")
    place = "mine/templates/document.html.jinja2:1"
    assert template.startswith(f"dconv: {place}: theme mine: ")


def test_a_wrong_template_is_one_sentence(
    kettle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-q", "convert", str(kettle), "-o", "public"]) == 0
    before = _files("public")
    template = Path("mine/templates/document.html.jinja2")
    template.parent.mkdir(parents=True)
    template.write_text('{% extends "base.html.jinja2" %}\n{% block body %}{{ page.titel }}')
    assert main(["convert", str(kettle), "-o", "public", "--theme", "mine"]) == 2
    template.write_text(f"{template.read_text()}{{% endblock %}}{{{{ page.titel }}}}")
    Path("mine/templates/base.html.jinja2").write_text("{% block body %}{% endblock %}")
    assert main(["convert", str(kettle), "-o", "public", "--theme", "mine"]) == 2
    unclosed, unknown = capsys.readouterr().err.splitlines()
    place = f"dconv: {template}:2: theme mine: "
    assert unclosed.startswith(f"{place}Unexpected end of template")
    assert unknown.startswith(f"{place}'dconv.writers.pages.page.Page object'")
    assert "has no attribute 'titel'" in unknown
    assert _files("public") == before


def test_a_steering_file_name_is_shown_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", "a\x1b[2J\nb.txt"]) == 2
    assert capsys.readouterr().err == "dconv: a\\x1b[2J\\nb.txt: no such file\n"


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: dconv ")
    assert "examples:" in err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"dconv {__version__}\n"
    for command in ("build", "convert", "dump", "fetch", "serve"):
        assert main([command, "--help"]) == 0
        help_text = capsys.readouterr().out
        assert main(["help", command]) == 0
        assert capsys.readouterr().out == help_text
        example = re.search(rf"example:\n  dconv ({command}.*)$", help_text, re.MULTILINE)
        assert example is not None
        words = example[1].partition(" > ")[0].split()
        assert arguments.parse(words).command == command


# --- leaving --------------------------------------------------------------------------


def _process(*words: str, stdout: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "dconv", *words], env=environment, stdout=stdout,
        stderr=subprocess.PIPE,
    )  # fmt: skip


def test_a_reader_that_goes_away_is_no_error(kettle: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    process = _process("dump", str(kettle), stdout=write)
    os.close(write)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")


@pytest.mark.slow
def test_a_reader_that_goes_away_while_a_site_is_written(kettle: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, "-m", "dconv", "convert", str(kettle), "-o", "public"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with os.fdopen(write, "wb") as pipe:
        completed = subprocess.run(
            words, stdout=pipe, stderr=subprocess.PIPE, env=environment, check=False
        )
    assert (completed.returncode, completed.stderr) == (141, b"")
    assert not Path("public").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [["dump"], ["convert", "-o", "public"], ["--version"]])
def test_a_full_standard_output_is_one_sentence(words: list[str], kettle: Path) -> None:
    with open("/dev/full", "wb") as full:
        process = _process(*words, str(kettle), stdout=full.fileno())
        _, err = process.communicate(timeout=60)
    reason = b"cannot write to the standard output (no space left on device)"
    assert (process.returncode, err) == (2, b"dconv: %s\n" % reason)


@pytest.mark.parametrize(("closed", "status", "out", "err"), [
    (">&-", 2, "", "dconv: cannot write to the standard output (bad file descriptor)\n"),
    ("2>&-", 0, f"dconv {__version__}\n", ""),
])  # fmt: skip
def test_closed_streams(closed: str, status: int, out: str, err: str) -> None:
    completed = subprocess.run(
        ["sh", "-c", f'exec "$0" -m dconv --version {closed}', sys.executable], check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )
    assert (completed.returncode, completed.stdout, completed.stderr) == (status, out, err)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_a_command_quietly_and_leave_nothing(
    number: signal.Signals, kettle: Path
) -> None:
    start = time.monotonic()
    _process("convert", "-o", "public", str(kettle), stdout=subprocess.DEVNULL).communicate()
    duration = time.monotonic() - start
    for part in range(3, 20):
        kettle.write_text(f"{KETTLE}Part {part}.\n")
        process = _process("convert", "-o", "public", str(kettle), stdout=subprocess.DEVNULL)
        time.sleep(part / 20 * duration)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        # Before the first line of ours SIGINT ends Python itself, with a traceback: for 15 to 50 ms
        # of 700, and up to 160 ms on a busy machine.
        if err.endswith(b"KeyboardInterrupt\n") and b"__main__.py" not in err:
            continue
        assert process.returncode in (0, -number, 128 + number)
        assert err in (b"", b"dconv: interrupted\n")
        assert sorted(path.name for path in Path().iterdir()) == [kettle.name, "public"]


def test_interrupt(
    kettle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(schedule, "render_batch", interrupted)
    assert main(["convert", str(kettle), "-o", "public"]) == 130
    assert capsys.readouterr().err == "dconv: interrupted\n"
    assert list(Path().iterdir()) == [kettle]


def test_a_signal_while_a_class_with_fields_is_defined(
    kettle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Field:
        def __set_name__(self, *_: object) -> None:
            raise SystemExit(143)  # as after a signal; Python 3.11 makes a RuntimeError of it

    def interrupted(*_: object, **__: object) -> None:
        type("Card", (), {"title": Field()})

    monkeypatch.setattr(schedule, "render_batch", interrupted)
    assert main(["convert", str(kettle), "-o", "public"]) == 143
    assert list(Path().iterdir()) == [kettle]


@pytest.mark.slow
def test_real_manuals(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newest = sorted((corpus / "haproxy").iterdir())[-1]
    assert main(["convert", str(newest), "-o", "public"]) == 0
    version = newest.name
    out = capsys.readouterr().out
    assert re.search(rf"HAProxy {version}: \d+ documents?, all [\d,]+ lines kept", out)
    assert f"haproxy/{version}/configuration/4.2.html" in _files("public")
    assert f"haproxy/{version}/configuration.html" in _files("public")
