"""Manuals that mean harm: their text is data, wherever it is shown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from fuzz.targets import BETWEEN, STEERING, TARGETS

from dconv.cli import main

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
            assert not STEERING.search(shown), (words, shown)
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


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("target", ["site", "checking", "comparing", "exporting"])
def test_what_is_nested_deep_stays_whole(target: str, name: str) -> None:
    text = DEEP[name].encode()
    if target == "site":
        text = text[:80_000]  # of pages, a hundred are enough to be parsed strictly
    TARGETS[target](text + BETWEEN + text[:-9] if target == "comparing" else text)


def test_files_whose_names_cannot_be_shown_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts").mkdir()
    for name in (b"a\xff.txt", b"a\xfe.txt", b"a\x01.txt", b"a?.txt"):
        with open(os.path.join(os.fsencode(tmp_path / "texts"), name), "wb") as file:
            file.write(b"1. Kettles " + name.hex().encode() + b"\n----------\n\nText.\n")
    assert main(["convert", str(tmp_path / "texts"), "-o", str(tmp_path / "public")]) == 0
    pages = [*(tmp_path / "public/manuals/current").glob("*/1.html")]
    assert len({page.read_text().partition("<h1")[2] for page in pages}) == 4
