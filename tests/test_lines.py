"""From bytes to lines: nothing fails, nothing is lost, and what is odd is told."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dconv.lines import Line, read

ANY = st.binary(max_size=400) | st.text(max_size=200).map(str.encode)
CONTROLS = frozenset({"Cc", "Zl", "Zp"})


def texts(content: bytes) -> list[str]:
    """The texts of the lines of `content`."""
    return [line.text for line in read(content, "x.txt").lines]


def findings(content: bytes) -> list[str]:
    """The findings about `content`, in their one-line form."""
    return [str(finding) for finding in read(content, "x.txt").diagnostics]


def test_lines_have_numbers_columns_and_texts() -> None:
    source = read(b"one\n\n   two  three \n", "x.txt")
    assert source.lines == (Line(1, 0, "one"), Line(2, 0, ""), Line(3, 3, "two  three"))
    assert source.raw == (b"one\n", b"\n", b"   two  three \n")
    assert (source.path, source.encoding, source.diagnostics) == ("x.txt", "utf-8", ())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"one", ["one"]),
        (b"one\ntwo", ["one", "two"]),
        (b"one\r\ntwo\rthree\n", ["one", "two", "three"]),
        (b"one\r\r\n", ["one", ""]),
        (b"one\x0btwo\x1cthree\n", ["one\u240btwo\u241cthree"]),
    ],
)
def test_only_real_line_ends_end_lines(content: bytes, expected: list[str]) -> None:
    assert texts(content) == expected


@pytest.mark.parametrize(
    ("content", "indent", "text"),
    [
        (b"\tx", 8, "x"),
        (b"   \tx", 8, "x"),
        (b"\t\t\tx", 24, "x"),
        (b"ab\tx", 0, "ab      x"),
        (b"12345678\tx", 0, "12345678        x"),
        ("\u00e9\tx".encode(), 0, "\u00e9       x"),
    ],
)
def test_a_tab_reaches_to_the_next_multiple_of_eight(
    content: bytes, indent: int, text: str
) -> None:
    assert read(content, "x.txt").lines == (Line(1, indent, text),)


def test_text_that_is_not_utf_8_is_latin_1() -> None:
    content = "fine\nna\u00efve caf\u00e9\n".encode("latin-1")
    assert texts(content) == ["fine", "na\u00efve caf\u00e9"]
    assert read(content, "x.txt").encoding == "latin-1"
    message = "not UTF-8 here; the file is read as Latin-1"
    assert findings(content) == [f"x.txt:2:3: note: [encoding] {message}"]


def test_controls_are_shown_as_pictures() -> None:
    assert texts(b"a\x00b\x1bc\x7fd\x0ce") == ["a\u2400b\u241bc\u2421d e"]
    assert findings(b"fine\nab\x00\x01") == [
        "x.txt:2:3: note: [control-character] character U+0000 cannot stand in a page; "
        "a picture of it is shown"
    ]


@pytest.mark.parametrize("code", [0x80, 0x9F, 0x61C, 0x202E, 0x2028, 0x2066, 0xFFFE, 0x10FFFF])
def test_characters_that_could_make_a_page_lie_are_replaced(code: int) -> None:
    assert texts(f"a{chr(code)}b".encode()) == ["a\ufffdb"]


def test_other_characters_stay() -> None:
    words = "na\u00efve \u201cquotes\u201d \u2026 \u65e5\u672c\u8a9e \U0001f600 a\u0301 \u00a0x"
    assert texts(words.encode()) == [words]
    assert findings(words.encode()) == []


@given(ANY)
def test_no_byte_is_lost(content: bytes) -> None:
    source = read(content, "x.txt")
    assert b"".join(source.raw) == content
    assert [line.number for line in source.lines] == list(range(1, len(source.raw) + 1))


@given(ANY)
def test_texts_can_stand_in_a_page(content: bytes) -> None:
    for line in read(content, "x.txt").lines:
        assert line.text == line.text.strip()
        assert bool(line.text) or line.indent == 0
        assert not CONTROLS & {unicodedata.category(character) for character in line.text}
