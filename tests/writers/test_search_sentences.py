"""What results of a text show of it: the sentence around the words, cut, and where it is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import ROOT, VOCABULARY, data, loaded, release, released, sentence, written

from dconv.settings import load_product, plain_product
from dconv.writers.search import excerpt, sentences
from dconv.writers.search.engine import Hit, search

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


def chosen(marks: str, *weights: int) -> str:
    return excerpt.sentence(KNOWN, excerpt.wanted(marks.split(), weights))


@pytest.mark.parametrize(("marks", "weights", "text"), [
    ("nails", (), KNOWN[0]),  # the first of several
    ("nails boards", (), KNOWN[1]),
    ("boards four", (), KNOWN[2]),
    ("shelf habits", (), KNOWN[3]),
    ("hammer boards", (1, 5), KNOWN[1]),  # the word that tells more
    ("hammer boards", (5, 1), KNOWN[0]),
    ("hamm", (), KNOWN[0]),  # the beginning of a word
    ("ham", (), ""),
    ("zebra", (), ""),
    ("", (), ""),
])
def test_the_sentence_that_has_most_of_the_words(
    marks: str, weights: tuple[int, ...], text: str
) -> None:
    assert chosen(marks, *weights) == (" ".join(KNOWN[KNOWN.index(text) :]) if text else "")


def test_a_short_sentence_goes_on_with_the_prose_behind_it() -> None:
    def shown(*behind: str) -> str:
        return excerpt.sentence(["A needle.", *behind], excerpt.wanted(["needle"], ()))

    assert shown("It sews.", "Well.") == "A needle. It sews. Well."
    assert shown("needle --sew", "It sews.") == "A needle."
    assert shown("It sews:", "It sews well.") == "A needle. It sews:"
    assert shown("It sews " + "on and " * 30) == "A needle. It sews " + "on and " * 20 + "on…"
    assert shown("X" * 152, "It sews.") == "A needle."
    assert shown("X" * 150, "It sews.") == "A needle. " + "X" * 150


def cut(text: str, *marks: str) -> str:
    return excerpt.sentence([text], excerpt.wanted(marks, ()))


def test_a_long_sentence_is_cut_around_the_words() -> None:
    filler = "and so on " * 40
    assert cut("needle " + filler, "needle").startswith("needle and so on")
    assert cut("needle " + filler, "needle").endswith(" and…")
    middle = cut(f"{filler}the needle lies there {filler}", "needle")
    assert middle.startswith("…") and middle.endswith("…")
    assert len(middle.partition("needle")[2]) > excerpt.ROOM - len("on…")
    assert cut(f"{filler}needle", "needle").endswith("on needle")
    far = f"thread {filler}needle and thread {filler}"
    assert "needle and thread" in cut(far, "needle", "thread")
    assert cut("x" * 300 + " needle", "needle") == "…needle"
    assert cut("needle" + "s" * 300, "needle") == ""


@given(
    st.lists(st.sampled_from(["needle", "a", "thread", "and", "some more words", "\U0001f600é"]),
             min_size=1, max_size=120),
    st.sampled_from([("needle",), ("needle", "thread"), ("words",)]),
)
def test_what_is_shown_stands_in_the_text(words: list[str], marks: tuple[str, ...]) -> None:
    text = " ".join(words)
    shown = cut(text, *marks)
    assert shown.strip("…") in text
    assert len(shown) <= excerpt.LONGEST + 2
    assert bool(shown) == any(mark in text.split() for mark in marks)


def test_parts_hold_every_text_once() -> None:
    rows = {5: ["a" * 30], 2: ["b" * 50, "c"], 9: ["d" * 200], 7: [""]}
    parts = list(sentences.parts(rows, 100))
    assert [[*part] for part in parts] == [[2, 5, 7], [9]]
    assert {row: found for part in parts for row, found in part.items()} == rows
    assert list(sentences.parts({}, 100)) == []


def test_every_sentence_is_kept() -> None:
    product = replace(plain_product(), documents=load_product(ROOT / "tests/spec").documents)
    made = written(released(TEXT, product, VOCABULARY))
    kept = [list_of(found) for found in data(made, "part-0").values()]
    assert kept == [
        ["The shop opens early.", "Whoever comes first lights the stove <b>& sweeps</b>.",
         "saws cut planks", "plank --oak | saw --slow"],
        ["Nothing but grass."], ["Wine."], ["Tiles."],
    ]
    first = hit(made, "who lights the stove")
    assert sentence(made, first) == "Whoever comes first lights the stove <b>& sweeps</b>."


def test_terms_rows_and_signatures_are_sentences() -> None:
    made = written(release())
    kept = [one for found in data(made, "part-0").values() for one in list_of(found)]
    assert kept[:5] == [
        "Keeps letters back for a while.", "After that, they are passed on.",
        "<timeout> is the time to keep a letter, in seconds; it may be a number, or a word:",
        "never: The letter stays.", "now: The letter goes.",
    ]
    assert "%s: size, in bytes, numeric" in kept  # a row of a table
    assert "hold <timeout> [ <count> ] [ or return ]" in kept
    assert "hold 600 if slow" in kept  # an example


def list_of(found: object) -> list[str]:
    assert isinstance(found, list)
    return found


def hit(made: dict[str, bytes], query: str) -> Hit:
    """The first result of `query`, which is a text."""
    first = search(loaded(made), query)[0]
    assert first.why == "text"
    return first
