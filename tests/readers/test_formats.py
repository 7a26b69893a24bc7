"""Which reader reads what, and what no reader reads."""

from __future__ import annotations

import pytest

from dconv.cli import main
from dconv.readers import READERS, REFUSALS, SIGNS, FormatError, reader_of


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


def test_every_sign_has_a_reader_or_a_refusal() -> None:
    assert {name for name, _ in SIGNS} <= {*READERS, *REFUSALS}
