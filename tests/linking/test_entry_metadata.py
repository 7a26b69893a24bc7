"""What the text of an entry says of its defaults, and of what to use instead of it."""

from __future__ import annotations

import re

import pytest

from dconv.linking.entry_metadata import (
    advice,
    default_value,
    defaults,
    experimental_sentence,
)
from dconv.model.dialect import Dialect, EntryRule
from dconv.model.tree import Entry, entries
from dconv.readers.text import read

DIALECT = Dialect(
    "lamps", entry_rules=(EntryRule("keyword", re.compile("^Words$")),)
)


def entry(body: str) -> Entry:
    """The entry `glow <level>` with the text `body`."""
    lines = "".join(f"  {line}\n" if line else "\n" for line in body.splitlines())
    manual = read(f"1. Words\n--------\n\nglow <level>\n{lines}".encode(), "t", DIALECT, "t")
    return next(item for _, item in entries(manual))


@pytest.mark.parametrize(("sentence", "value"), [
    ("The default value is 10s.", "10s"),
    ("The default value since 3.3 is \"auto\", which tries both.", "auto"),
    ("It defaults to 16384.", "16384"),
    ("The default value equals 16384 (the size of a lamp), which is enough.", "16384"),
    ("The default value equals tune.lampsize (16384) and is enough.", "16384"),
    ("Defaults to 'on'.", "on"),
    ("The default is zero, so that nothing is kept.", "zero"),
    ("It is enabled by default.", "enabled"),
    ("By default it is disabled.", "disabled"),
    ("By default this value is set to 50.", "50"),
    ("These are known, with \"dim\" being the default one:", "dim"),
    ("It is still new, and is disabled by default.", "disabled"),
    ("The light is set to \"dim\" when no other light has been set.", "dim"),
    ("The light is set to what is lit when no other light has been set.", ""),
    ("The light is set to \"dim\" when another lamp fails, or when no other lamp burns.", ""),
    # the unit of a number, another setting, a warning, what others do
    ("It is specified in seconds by default, or with a suffix.", ""),
    ("It is numbered as the setting \"id\", which defaults to 3.", ""),
    ("A buffer has tune.bufsize (16kB by default) bytes.", ""),
    ("This should never be enabled by default.", ""),
    ("By default, lamps glow when it is dark.", ""),
])
def test_the_default_of_a_sentence(sentence: str, value: str) -> None:
    assert default_value(sentence) == value


def test_defaults_belong_to_the_entry_or_to_an_argument() -> None:
    found = defaults(entry(
        "Sets the light.  It defaults to 5.\n\nArguments :\n"
        "  <level>   is how much. The default is 7.\n\n"
        "  - dim     : a little.\n  - bright  : more. This is the default.\n"
    ))
    assert [(item.subject, item.value) for item in found][:2] == [("", "5"), ("<level>", "7")]
    assert found[-1].value == "bright"


def test_a_term_may_be_the_default_and_more() -> None:
    found = defaults(entry(
        "Sets the light.\n\n"
        "  - \"dim\"    : a little.\n"
        "  - \"bright\" : this is the default and the warmest light. It is warm.\n"
    ))
    assert [item.value for item in found] == ["bright"]


def test_a_term_of_the_entry_is_a_value_without_quotation_marks() -> None:
    found = defaults(entry(
        "The light is set to dim when no other light has been set.\n\nArguments :\n"
        "  dim      a little\n  bright   more\n"
    ))
    assert [(item.subject, item.value) for item in found] == [("", "dim")]


def test_values_are_compared_by_what_they_mean() -> None:
    keys = [
        defaults(entry(f"The default value is {value}."))[0].key
        for value in ("16kB", "16384", "30s", "30000ms", "disabled", "off")
    ]
    assert keys[0] == keys[1] and keys[2] == keys[3] and keys[4] == keys[5]


def test_advice_has_the_sentence_that_names_the_replacement() -> None:
    assert advice(entry(
        "Makes light. This is deprecated since 3.3. It was simple. The newer option is named "
        "\"shine\". See the lamp."
    ).body) == "This is deprecated since 3.3. The newer option is named \"shine\"."


def test_what_can_be_done_using_something_else_is_advice_where_it_is_deprecated() -> None:
    sentence = 'Lamps can still be dimmed using the "shade" option.'
    assert advice(entry(f"Deprecated. {sentence}").body) == f"Deprecated. {sentence}"
    assert advice(entry(f"Makes light. {sentence}").body) == ""


def test_a_use_of_something_else_is_no_advice() -> None:
    assert advice(entry('Makes light. Use the "gauge" to measure it.').body) == ""


def test_nothing_is_said() -> None:
    plain = entry("Makes light.")
    assert (defaults(plain), advice(plain.body), experimental_sentence(plain)) == ((), "", "")


def test_a_sentence_calls_it_experimental() -> None:
    text = "This is considered experimental in lamps for now."
    assert experimental_sentence(entry(f"Makes light. {text}")) == text
    assert experimental_sentence(entry("Stands before lamps tagged as experimental.")) == ""
