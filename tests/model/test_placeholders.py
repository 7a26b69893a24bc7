"""Where the placeholders of an entry lead, in its signatures and in its prose."""

from __future__ import annotations

from pathlib import Path

import pytest
from proof_html import blocks

from dconv.build.read import read_manual
from dconv.linking.link import link
from dconv.linking.symbols import collect_symbols
from dconv.model.placeholders import PLACEHOLDER, placeholder_anchors
from dconv.model.tree import Argument, Entry, Manual, Paragraph, entries, walk
from dconv.settings.manual import load_product

HEAD = "1. Directives\n-------------\n\n"


def read(text: str) -> Manual:
    product = load_product(Path(__file__).parents[1] / "spec")
    manual = read_manual((HEAD + text).encode(), "m.txt", product, "m")
    return link(manual, collect_symbols([(manual, "m.txt")], product.dialect), product.dialect)


def entry_of(text: str) -> Entry:
    return next(entry for _, entry in entries(read(text)))


@pytest.mark.parametrize(("signature", "terms", "wanted"), [
    ("ride <lap>", ["<lap>    the lap"], {"<lap>": "ride.lap"}),
    ("ride <lap>*", ["<lap>*   the laps"], {"<lap>": "ride.lap*"}),
    ("ride <lap...>", ["<lap>    the laps"], {"<lap...>": "ride.lap"}),
    ("ride <lap>", ["<lap> (optional)   the lap"], {"<lap>": "ride.lap"}),
    ("ride <a> <b>", ["<a>,<b>   a range"], {"<a>": "ride.a,b", "<b>": "ride.a,b"}),
    ("ride <a> <b>", ["<a> or <b>   both", "<b>    one"], {"<a>": "ride.a-or-b", "<b>": "ride.b"}),
    ("ride [port <n>]", ["port <n>   the port"], {"<n>": "ride.port"}),
    ("ride [ port { <n> | <m> } ]", ["port <n>   the port"], {"<n>": "ride.port", "<m>": ""}),
    ("ride [ port <n> ]", ["port   the port"], {"<n>": "ride.port"}),
    ("ride [ end <n> ]", ["end <delay>   the end"], {"<n>": "ride.end"}),
    ("ride [ least <n> ]", ["<least>   the least"], {"<n>": "ride.least"}),
    ("ride [step(<n>) <m>]", ["step(<n>) <m>   a step"], {"<n>": "ride.step", "<m>": "ride.step"}),
    ("ride [ hop <n> <m> ]", ["hop <n> <m>   a hop"], {"<n>": "ride.hop", "<m>": "ride.hop"}),
    ("ride { in | out } <n>", ["{ in | out } <n>   a way"], {"<n>": "ride.in-out-n"}),
])  # fmt: skip
def test_a_placeholder_leads_to_its_definition(
    signature: str, terms: list[str], wanted: dict[str, str]
) -> None:
    listed = "\n".join(f"    {term}" for term in terms)
    entry = entry_of(f"{signature}\n  Rides.\n\n  Arguments :\n{listed}\n")
    names = PLACEHOLDER.findall(entry.signatures[0].text)
    assert dict(zip(names, placeholder_anchors(entry).signatures[0], strict=True)) == wanted


@pytest.mark.parametrize(("signature", "term"), [
    ("ride <n>", "min <n>   the least"),  # of another option
    ("ride <n> [ fast ]", "fast   rides fast"),
    ("ride fast [ { if | unless } <n> ]", "fast   rides fast"),
    ("ride <n>", "ride   the entry's own word"),
    ("ride <n>", "<m>   another placeholder"),
])  # fmt: skip
def test_what_another_option_holds_is_another_thing(signature: str, term: str) -> None:
    entry = entry_of(f"{signature}\n  Rides.\n\n  Arguments :\n    {term}\n")
    assert placeholder_anchors(entry).signatures == (("",),)


STATES = """\
ride [ won <st> ] [ lost <st> ] [ lap <n> ]
  Rides. There <st> is one of two, and <n> is a lap, and <x> is unknown.

  Arguments :
    won <st>    the state <st> then

    lost <st>   the state <st> then

    lap <n>     counts laps
"""


def test_several_definitions_are_distinguished_by_the_word_in_front() -> None:
    entry = entry_of(STATES)
    assert placeholder_anchors(entry).signatures == (("ride.won", "ride.lost", "ride.lap"),)
    shown = blocks([entry])
    for anchor, name in (("won", "st"), ("lost", "st"), ("lap", "n")):
        assert f'{anchor} <a href="#ride.{anchor}">&lt;{name}&gt;</a>' in shown


def test_prose_and_signatures_ask_one_table() -> None:
    links = [
        (part.text, part.target.anchor if part.target else "")
        for node in walk(entry_of(STATES).body) if isinstance(node, Paragraph)
        for part in node.content if isinstance(part, Argument)
    ]
    assert links == [
        ("<st>", ""), ("<n>", "ride.lap"), ("<x>", ""),  # two meanings, one, none
        ("<st>", "ride.won"), ("<st>", "ride.lost"),  # within a definition its own
    ]


def test_signatures_of_a_group_share_their_definitions() -> None:
    entry = entry_of("ride <n>\nwalk <n> [ to <m> ]\n  Goes.\n\n  Arguments :\n"
                     "    <n>      the way\n    to <m>   the end\n")
    assert placeholder_anchors(entry).signatures == (("ride.n",), ("ride.n", "ride.to"))
