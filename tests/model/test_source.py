"""From bytes to lines: nothing fails, nothing is lost, and what is odd is reported."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dconv.model.source import Line, read_source

ANY = st.binary(max_size=400) | st.text(max_size=200).map(str.encode)
CONTROLS = frozenset({"Cc", "Zl", "Zp"})


def texts(content: bytes) -> list[str]:
    """The texts of the lines of `content`."""
    return [line.text for line in read_source(content, "x.txt").lines]


def findings(content: bytes) -> list[str]:
    """The findings about `content`, in their one-line form."""
    return [str(finding) for finding in read_source(content, "x.txt").diagnostics]


def test_lines_have_numbers_columns_and_texts() -> None:
    source = read_source(b"one\n\n   two  three \n", "x.txt")
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
    assert read_source(content, "x.txt").lines == (Line(1, indent, text),)


def test_bytes_that_are_not_utf_8_are_windows_1252() -> None:
    content = "fine\n\tna\u00efve \u201ccaf\u00e9\u201d \u2013 5 \u20ac\n".encode("cp1252")
    assert texts(content) == ["fine", "na\u00efve \u201ccaf\u00e9\u201d \u2013 5 \u20ac"]
    assert read_source(content, "x.txt").encoding == "windows-1252"
    assert findings(content) == [
        "x.txt:2:11: warning: [encoding] byte 0xEF is not UTF-8 and is read as Windows-1252 "
        "(the first of 6)"
    ]


def test_one_wrong_byte_leaves_the_others_as_they_are() -> None:
    assert texts("caf\u00e9 \u65e5".encode() + b" caf\xe9") == ["caf\u00e9 \u65e5 caf\u00e9"]
    assert findings(b"a\xe9") == [
        "x.txt:1:2: warning: [encoding] byte 0xE9 is not UTF-8 and is read as Windows-1252"
    ]


def test_the_five_bytes_without_a_character_are_shown_by_number() -> None:
    shown = "".join(f"\u2039U+00{code}\u203a" for code in ("81", "8D", "8F", "90", "9D"))
    assert texts(b"\x81\x8d\x8f\x90\x9d\x80") == [shown + "\u20ac"]
    assert [finding.partition(": ")[2][:30] for finding in findings(b"\x81\x8d")] == [
        "warning: [encoding] byte 0x81 ", "warning: [control-character] c"
    ]


def test_controls_are_shown_as_pictures() -> None:
    assert texts(b"a\x00b\x1bc\x7fd\x0ce") == ["a\u2400b\u241bc\u2421d e"]
    assert findings(b"fine\nab\x00\x01\n\x02") == [
        "x.txt:2:3: warning: [control-character] character U+0000 cannot appear in a page "
        "and is shown as a symbol (the first of 3)"
    ]


def test_form_feeds_are_blanks_and_no_news() -> None:
    assert texts(b"one\n\x0c\n\x0c  two\n") == ["one", "", "two"]
    assert findings(b"one\n\x0c\n\x0c  two\n") == []


@pytest.mark.parametrize("code", [0x80, 0x9F, 0x61C, 0x202E, 0x2028, 0x2066, 0xFFFE, 0x10FFFF])
def test_characters_that_could_make_a_page_lie_are_shown_by_number(code: int) -> None:
    assert texts(f"a{chr(code)}b".encode()) == [f"a\u2039U+{code:04X}\u203ab"]


def test_other_characters_stay() -> None:
    words = "na\u00efve \u201cquotes\u201d \u2026 \u65e5\u672c\u8a9e \U0001f600 a\u0301 \u00a0x"
    assert texts(words.encode()) == [words]
    assert findings(words.encode()) == []


@given(ANY)
def test_no_byte_is_lost(content: bytes) -> None:
    source = read_source(content, "x.txt")
    assert b"".join(source.raw) == content
    assert [line.number for line in source.lines] == list(range(1, len(source.raw) + 1))


@given(ANY)
def test_texts_can_stand_in_a_page(content: bytes) -> None:
    for line in read_source(content, "x.txt").lines:
        assert line.text == line.text.strip()
        assert bool(line.text) or line.indent == 0
        assert not CONTROLS & {unicodedata.category(character) for character in line.text}


@pytest.mark.parametrize("form", ["utf-16-le", "utf-16-be"])
def test_a_mark_of_utf16_tells_the_encoding(form: str) -> None:
    source = read_source("\ufeffone\r\n  tv\xe5 \U0001f600\n\u0a0d\n".encode(form), "x.txt")
    assert source.lines == (
        Line(1, 0, "one"), Line(2, 2, "tv\xe5 \U0001f600"), Line(3, 0, "\u0a0d")
    )
    assert (source.encoding, source.diagnostics, len(source.raw)) == ("utf-16", (), 3)


def test_half_a_character_of_utf16_is_reported() -> None:
    content = "\ufeffone\ntwo".encode("utf-16-le") + b"x"
    assert texts(content) == ["one", "two\ufffd"]
    assert findings(content) == [
        "x.txt:2:4: warning: [encoding] bytes that are not UTF-16 are shown as \ufffd (lines: 1)"
    ]
