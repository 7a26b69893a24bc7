"""Which reader reads what, and what no reader reads."""

from __future__ import annotations

import bz2
import lzma
import re
from pathlib import Path

import pytest

from dconv.cli import main
from dconv.readers import DETECTORS, READERS, REFUSALS, FormatError, reader_of


@pytest.mark.parametrize("content", [b"", b"text\n", b"\xff\x01", "text\n".encode("utf-16")])
def test_text_is_read(content: bytes) -> None:
    assert reader_of(content, "x.txt") is READERS["text"]


def test_bytes_that_are_no_text_are_refused(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path_factory.mktemp("in") / "program"
    file.write_bytes(b"\x7fELF\0\0")
    with pytest.raises(FormatError, match="x: not a text: it contains NUL bytes"):
        reader_of(file.read_bytes(), "x")
    for command in (["convert", str(file), "-o", f"{file}.site"], ["dump", str(file)]):
        assert main(command) == 2
        assert capsys.readouterr().err == f"dconv: {file}: not a text: it contains NUL bytes\n"


@pytest.mark.parametrize(("content", "sentence"), [
    (lzma.compress(b"text\n"), "it is compressed; unpack it first (only gzip is read)"),
    (bz2.compress(b"text\n"), "it is compressed; unpack it first (only gzip is read)"),
    (b"%PDF-1.7\n", "it is a PDF; convert what it was made from"),
])  # fmt: skip
def test_a_refusal_names_the_format(content: bytes, sentence: str) -> None:
    with pytest.raises(FormatError, match=re.escape(f"x: not a text: {sentence}")):
        reader_of(content, "x")


def test_every_sign_has_a_reader_or_a_refusal() -> None:
    assert {name for name, _ in DETECTORS} <= {*READERS, *REFUSALS}


def test_without_mandoc_pages_are_left_out_and_the_rest_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "kettle.8").write_text(".TH KETTLE 8\n.SH NAME\nkettle \\- boil water\n")
    assert main(["dump", str(folder / "kettle.8")]) == 2
    sentence = "manual pages need mandoc: install the package mandoc"
    assert capsys.readouterr().err == f"dconv: {folder}/kettle.8: {sentence}\n"
    (folder / "guide.txt").write_text("Guide\n=====\n\nFill the kettle.\n")
    assert main(["convert", str(folder), "-o", str(tmp_path / "out")]) == 1
    assert "1 manual page needs mandoc: install the package mandoc" in capsys.readouterr().err
    assert (tmp_path / "out/manuals/guide.html").is_file()
