"""Help for Vim: Vim itself makes the tags and finds the names."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from docutils.utils import column_width
from programs import need

from dconv.cli import main

SHOWCASE = Path(__file__).resolve().parents[1] / "showcase" / "texts"
ODD = r"""
Odd things
==========

Neither \*this\* nor \|that\| is markup, and a line may end with >
or with ~ as it does here.  Stay \*between two\* stars.

- one | two

::

    *code* |stays| as it is, however long the line may be: it is not for us to break lines of code >

After it.
"""


@pytest.fixture(scope="module")
def doc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of help files of a release and of an odd text."""
    folder = tmp_path_factory.mktemp("vim")
    (folder / "texts").mkdir()
    for name in ("configuration.txt", "management.txt"):
        text = (SHOWCASE / name).read_text("utf-8").replace("@VERSION@", "3.4")
        (folder / "texts" / name).write_text(text, "utf-8")
    (folder / "odd.rst").write_text(ODD)
    for texts in (folder / "texts", folder / "odd.rst"):
        command = ["export", "-q", "--format", "vim", str(texts), "-o", str(folder / "doc")]
        assert main(command) == 0
    return folder / "doc"


def vim(doc: Path, *commands: str) -> str:
    """What Vim writes into the file `out` beside `doc` when it runs `commands`."""
    words = [need("vim"), "-es", "-N", "-u", "NONE", "-i", "NONE"]
    for command in (f"set rtp+={doc.parent}", "set nomore", *commands):
        words += ["-c", command]
    out = doc.parent / "out"
    out.write_text("")
    completed = subprocess.run(
        [*words, "-c", "qa!"], capture_output=True, check=False, text=True, cwd=doc.parent,
        timeout=60, stdin=subprocess.DEVNULL,
    )
    assert completed.returncode == 0, completed.stderr + completed.stdout
    return out.read_text()


def test_vim_finds_names_and_sections(doc: Path) -> None:
    vim(doc, f"helptags {doc}")
    lines = (doc / "tags").read_text("utf-8").splitlines()
    tags = [line.split("\t")[0] for line in lines if line[0] != "!"]
    assert len(tags) > 70
    for words, file, line in (
        ("haproxy", "haproxy-configuration.txt", "*haproxy*"),
        ("haproxy-timeout-letter", "haproxy-configuration.txt", "timeout letter  "),
        ("timeout-letter", "haproxy-configuration.txt", "timeout letter  "),
        ("show-lamps", "haproxy-management.txt", "show lamps"),
        ("haproxy-configuration-3.2", "haproxy-configuration.txt", "3.2 "),
    ):
        shown = vim(
            doc, f"help {words}", "call writefile([expand('%:t'), getline('.')], 'out')"
        )
        assert shown.split("\n")[0] == file
        assert line in shown.split("\n")[1]


def test_a_link_leads_to_its_tag(doc: Path) -> None:
    vim(doc, f"helptags {doc}")
    texts = [path.read_text("utf-8") for path in doc.glob("*.txt")]
    tags = {line.split("\t")[0] for line in (doc / "tags").read_text("utf-8").splitlines()}
    links = {
        link for text in texts
        for link in re.findall(r"(?<![`\w])\|([^|\s]+)\|", re.sub(r"(?ms)^>$.*?^<$", "", text))
    }
    assert len(links) > 40
    assert links <= tags
    shown = vim(
        doc, "help haproxy-configuration.txt", "call search('|haproxy-configuration-3.2|')",
        r'exe "normal! \<C-]>"', "call writefile([getline('.')], 'out')",
    )
    assert shown.startswith("3.2 ")


def test_lines_have_at_most_78_columns(doc: Path) -> None:
    for path in doc.glob("*.txt"):
        text = re.sub(r"(?ms)^>$.*?^<$", "", path.read_text("utf-8"))
        assert [line for line in text.split("\n") if column_width(line) > 78] == []
        assert text.isascii() or path.read_text("utf-8").partition("\n")[0].isascii()


def test_what_looks_like_markup_is_none(doc: Path) -> None:
    vim(doc, f"helptags {doc}")
    tags = (doc / "tags").read_text("utf-8")
    assert "\nthis\t" not in tags
    assert "\ncode\t" not in tags
    text = (doc / "odd.txt").read_text("utf-8")
    assert "`*this*` nor `|that|` is markup" in " ".join(text.split())
    assert " >\n" not in re.sub(r"(?ms)^>$.*?^<$", "", text)
    assert "`>`" in text and "`~`" in text
    assert "    *code* |stays| as it is" in text
    assert text.endswith("After it.\n\n vim:tw=78:ts=8:noet:ft=help:norl:\n")
