"""What results of a text show of it: the sentence around the words, cut, and where it is kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from shipped_search import (
    ROOT,
    VOCABULARY,
    ask,
    data,
    evaluate,
    release,
    release_of,
    search_files_of,
)

from dconv.settings.manual import default_product, load_product
from dconv.writers.search import fulltext

LONGEST, ROOM = 160, 40  # characters that are shown, and free ones after the last mark
KNOWN = (
    "A hammer drives nails.", "Nails hold boards and shelves.", "Two boards need four nails.",
    "Shelving hammers is no good habit.",
)
TEXT = b"""\
1. Workshop
-----------

The shop opens early. Whoever comes first lights the stove <b>& sweeps</b>.

  - saws cut planks

    plank --oak | saw --slow

2. Yard
-------

Nothing but grass.

3. Cellar
---------

Wine.

4. Roof
-------

Tiles.

"""


# sentences, words to mark, their weights
Case = tuple[Sequence[str], Sequence[str], Sequence[int]]


def shown(*cases: Case) -> list[str]:
    """The sentence that pages show for each of `cases`."""
    expression = "search.sentence(value[0], search.matcher(value[1], value[2]))"
    return [str(sentence) for sentence in evaluate(expression, cases)]


def test_the_sentence_that_has_most_of_the_words() -> None:
    cases: list[tuple[str, Sequence[int], str]] = [
        ("nails", (), KNOWN[0]),  # the first of several
        ("nails boards", (), KNOWN[1]),
        ("boards four", (), KNOWN[2]),
        ("shelf habits", (), KNOWN[3]),
        ("hammer boards", (1, 5), KNOWN[1]),  # the heavier word
        ("hammer boards", (5, 1), KNOWN[0]),
        ("hamm", (), KNOWN[0]),  # the beginning of a word
        ("ham", (), ""),
        ("zebra", (), ""),
        ("", (), ""),
    ]
    assert shown(*((KNOWN, marks.split(), weights) for marks, weights, _ in cases)) == [
        " ".join(KNOWN[KNOWN.index(text) :]) if text else "" for _, _, text in cases
    ]


def test_a_short_sentence_goes_on_with_the_prose_behind_it() -> None:
    def needle(*behind: str) -> Case:
        return ["A needle.", *behind], ["needle"], ()

    assert shown(
        needle("It sews.", "Well."), needle("needle --sew", "It sews."),
        needle("It sews:", "It sews well."), needle("It sews " + "on and " * 30),
        needle("X" * 152, "It sews."), needle("X" * 150, "It sews."),
    ) == [
        "A needle. It sews. Well.", "A needle.", "A needle. It sews:",
        "A needle. It sews " + "on and " * 20 + "on…", "A needle.", "A needle. " + "X" * 150,
    ]


def test_a_long_sentence_is_cut_around_the_words() -> None:
    filler = "and so on " * 40
    start, middle, end, far, long, none = shown(
        (["needle " + filler], ["needle"], ()),
        ([f"{filler}the needle lies there {filler}"], ["needle"], ()),
        ([f"{filler}needle"], ["needle"], ()),
        ([f"thread {filler}needle and thread {filler}"], ["needle", "thread"], ()),
        (["x" * 300 + " needle"], ["needle"], ()),
        (["needle" + "s" * 300], ["needle"], ()),
    )
    assert start.startswith("needle and so on") and start.endswith(" and…")
    assert middle.startswith("…") and middle.endswith("…")
    assert len(middle.partition("needle")[2]) > ROOM - len("on…")
    assert end.endswith("on needle")
    assert "needle and thread" in far
    assert long == "…needle"
    assert none == ""


def test_what_is_shown_stands_in_the_text() -> None:
    chance = random.Random(1)
    words = ["needle", "a", "thread", "and", "some more words", "\U0001f600é"]
    cases = [
        (" ".join(chance.choices(words, k=chance.randint(1, 120))), marks)
        for marks in (["needle"], ["needle", "thread"], ["words"]) for _ in range(100)
    ]
    sentences_shown = shown(*(([text], marks, ()) for text, marks in cases))
    for (text, marks), sentence in zip(cases, sentences_shown, strict=True):
        assert sentence.strip("…") in text
        assert len(sentence) <= LONGEST + 2
        assert bool(sentence) == any(mark in text.split() for mark in marks)


def test_parts_hold_every_text_once() -> None:
    rows = {5: ["a" * 30], 2: ["b" * 50, "c"], 9: ["d" * 200], 7: [""]}
    parts = list(fulltext.parts(rows, 100))
    assert [[*part] for part in parts] == [[2, 5, 7], [9]]
    assert {row: lines for part in parts for row, lines in part.items()} == rows
    assert list(fulltext.parts({}, 100)) == []


def test_every_sentence_is_kept() -> None:
    product = replace(default_product(), documents=load_product(ROOT / "tests/spec").documents)
    search_files = search_files_of(release_of(TEXT, product, VOCABULARY))
    written_sentences = [list_of(lines) for lines in data(search_files, "part-0").values()]
    assert written_sentences == [
        ["The shop opens early.", "Whoever comes first lights the stove <b>& sweeps</b>.",
         "saws cut planks", "plank --oak | saw --slow"],
        ["Nothing but grass."], ["Wine."], ["Tiles."],
    ]
    first = ask(search_files, ["who lights the stove"])[0].results[0]
    assert first.why == "text"
    assert first.sentence == "Whoever comes first lights the stove <b>& sweeps</b>."


def test_what_is_before_the_first_section_is_searched() -> None:
    product = replace(default_product(), documents=load_product(ROOT / "tests/spec").documents)
    text = b"Workshop\n\nBoots are left at the door. Then come in.\n\n" + TEXT
    search_files = search_files_of(release_of(text, product, VOCABULARY))
    first = ask(search_files, ["boots"])[0].results[0]
    assert (first.kind, first.path, first.anchor) == ("document", "manual/index.html", "")
    assert first.sentence == "Boots are left at the door. Then come in."


def test_terms_rows_and_signatures_are_sentences() -> None:
    search_files = search_files_of(release())
    lines = [line for part in data(search_files, "part-0").values() for line in list_of(part)]
    assert lines[:5] == [
        "Keeps letters back for a while.", "After that, they are passed on.",
        "<timeout> is the time to keep a letter, in seconds; it may be a number, or a word:",
        "never: The letter stays.", "now: The letter goes.",
    ]
    assert "%s: size, in bytes, numeric" in lines  # a row of a table
    assert "hold <timeout> [ <count> ] [ or return ]" in lines
    assert "hold 600 if slow" in lines  # an example


def list_of(value: object) -> list[str]:
    assert isinstance(value, list)
    return value
