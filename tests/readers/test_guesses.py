"""Entries of texts without a dialect, or that a dialect describes by their names alone."""

from __future__ import annotations

import re
import textwrap
import time
from itertools import cycle

import pytest

from dconv.model.dialect import Dialect, EntryRule
from dconv.model.tree import LineBreak, Manual, Paragraph, entries
from dconv.proof.coverage import prove_tree
from dconv.readers import text

TEXT = b"""\
Lamps
=====

max_lamps=<n>   How many lamps there are.

Wicks
=====

wick_size - number
    The size of a wick.

wick_age - number
    The age of a wick.

Oils
====

oil_age - number
    The age of the oil.
"""


def found(manual: Manual) -> list[tuple[str, tuple[str, ...], str]]:
    assert prove_tree(manual).losses == ()
    return [(entry.kind, entry.names, entry.summary) for _, entry in entries(manual)]


def rules(manual: Manual) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in manual.diagnostics]


def test_a_dialect_names_sections_where_a_single_name_is_an_entry() -> None:
    lamps = EntryRule("setting", re.compile("^Lamps$"), layout="name")
    age = EntryRule("age", re.compile("^Wicks$"), signature=re.compile(".*_age"), layout="name")
    manual = text.read(TEXT, "lamps.txt", Dialect("lamps", (lamps, age)), "lamps")
    assert found(manual) == [
        ("setting", ("max_lamps",), "How many lamps there are."),
        ("age", ("wick_age",), "The age of a wick."),
    ]


def test_names_that_are_too_few_for_entries_are_reported_once() -> None:
    manual = text.read(TEXT, "lamps.txt", Dialect(), "lamps")
    assert found(manual) == []
    assert rules(manual) == [("no-entries", 9)]
    assert "3 places look like entries" in str(manual.diagnostics[0])
    fewer = text.read(TEXT[: TEXT.index(b"Oils")], "lamps.txt", Dialect(), "lamps")
    assert rules(fewer) == []


def test_choices_are_arguments_and_not_names() -> None:
    lines = ["level { debug | info | warn | error }", "mode on | off", "show lamp [ all | one ]"]
    content = "Settings\n========\n\n" + "".join(f"{line}\n  What it does.\n\n" for line in lines)
    manual = text.read(content.encode(), "lamps.txt", Dialect(), "lamps")
    assert [names for _, names, _ in found(manual)] == [("level",), ("mode",), ("show lamp",)]


def test_the_meaning_of_a_first_value_is_a_summary_and_a_default_is_none() -> None:
    value = "wick_{} - BOOLEAN\n    1 : light the {} wick.\n    0 : leave it.\n    Default: 1\n\n"
    lamps = f"Wicks\n=====\n\n{''.join(value.format(age, age) for age in ('old', 'new', 'odd'))}"
    manual = text.read(lamps.encode(), "lamps.txt", Dialect(), "lamps")
    summaries = [summary for _, _, summary in found(manual)]
    assert summaries == ["light the old wick.", "light the new wick.", "light the odd wick."]


def test_a_single_word_above_the_text_is_no_summary() -> None:
    names = "".join(f"${name}\n\n    The {name}.\n\n" for name in ("oil", "sea", "tower"))
    lamps = f"Variables\n=========\n\n{names}$wick\n\n    Tainted\n\n    The wick.\n"
    manual = text.read(lamps.encode(), "lamps.txt", Dialect(), "lamps")
    summaries = [summary for _, _, summary in found(manual)]
    assert summaries == ["The oil.", "The sea.", "The tower.", "The wick."]


def line_breaks(*widths: int) -> list[tuple[str, ...]]:
    """The parts of the paragraphs with line breaks, in a text wrapped to `widths` in turns."""
    sentences = [
        f"In {year} the keeper saw the lamp of the tower burn, and so did everybody in the harbour,"
        " on the sea, on the ships of the town and in the houses behind the tower."
        for year in range(1801, 1841)
    ]
    source = "\n\n".join([
        *map(textwrap.fill, sentences, cycle(widths)),
        "The keeper of the lamp asks:\nwhere is the oil, and who has a match?",
        "The lamp of the house burns longer than\nthat of the tower, because it is smaller and"
        " there is more\noil in the house.",
    ])
    manual = text.read(source.encode(), "lamps.txt", Dialect(), "lamps")
    assert prove_tree(manual).losses == ()
    return [
        tuple(node.text for node in block.content) for block in manual.preface
        if isinstance(block, Paragraph) and LineBreak() in block.content
    ]


def test_a_line_that_is_much_shorter_than_all_others_was_ended_by_its_author() -> None:
    """Unless its paragraph has further lines that are not full."""
    ended = ("The keeper of the lamp asks:", "\n", "where is the oil, and who has a match?")
    assert line_breaks(72) == [ended]


def test_lines_of_a_text_that_is_not_wrapped_evenly_are_joined() -> None:
    assert line_breaks(62, 72, 90) == []


def test_the_only_title_on_the_first_line_is_that_of_the_document() -> None:
    content = b"Lamps\n=====\n\nThe lamps of the harbour burn whale oil.\n"
    manual = text.read(content, "README", Dialect(), "README")
    assert (manual.header.title, manual.sections[0].title) == ("Lamps", "Lamps")
    assert not text.read(b"Intro.\n\n" + content, "a", Dialect(), "a").header.title


@pytest.mark.parametrize("content", [
    "The lamp is lit.\n\nlamp(" + '"' * 50_000,
    "Chapter 1. Lamps\n\n1. Oil\n\n2. Wick\n\n" * 10_000,
])
def test_long_lines_and_many_chapters_are_read_in_time(content: str) -> None:
    start = time.process_time()
    text.read(content.encode(), "lamps.txt", Dialect(), "lamps")
    assert time.process_time() - start < 4
