"""Links by the dialect of HAProxy: a small manual where one name has several kinds."""

from __future__ import annotations

import pytest

from dconv.build.read import read_manual
from dconv.linking.link import link
from dconv.linking.symbols import collect_symbols
from dconv.model.references import mentions
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder

TEXT = """\
1. Process management and security
----------------------------------

pace <number>
  Limits the process.


2. Bind options
---------------

pace <number>
  Limits the listener.

user <name>
  Sets the user.


3. Server options
-----------------

{above}

pace <number>
  Limits the server.

fall <count>
  Gives up.

fastinter <delay>
  Asks more often.

rise <count>
  Asks more than once.

  {rise}


4. Peers
--------

pace <number>
  Limits a peer.


5. Alphabetically sorted keywords reference
-------------------------------------------

lane <way>
  Sets the lane.

  Arguments :
    pace     follows the pace of others
    strict   follows nothing

  {lane}

pace <number>
  Limits the frontend.

  {pace}


6. Alphabetically sorted actions reference
------------------------------------------

halt
  Stops.

turn-left
  Turns.


7. Unix Socket commands
-----------------------

rest
  Rests.

show laps
  Shows laps.
"""


@pytest.fixture(scope="module")
def product() -> Product:
    return load_product(resource_folder("manuals") / "haproxy")


def anchors(product: Product, **prose: str) -> list[str]:
    """Where the references of `prose` lead, which is in the entries of its names.

    `above` is above the options of servers.
    """
    text = TEXT
    for name in ("lane", "pace", "rise", "above"):
        text = text.replace(f"{{{name}}}", prose.get(name, "Text."))
    manual = read_manual(text.encode(), "configuration.txt", product, "configuration")
    symbols = collect_symbols([(manual, "configuration.txt")], product.dialect)
    linked = link(manual, symbols, product.dialect)
    return [target.anchor for mention in mentions(linked) for target in mention.targets]


GLOBAL, SERVER = ["global-keyword.pace"], ["server-option.pace"]
BIND, USER, HALT = ["bind-option.pace"], ["bind-option.user"], "action.halt"


@pytest.mark.parametrize(("prose", "wanted"), [
    ('See also "pace" in global section.', GLOBAL),
    ('It is as the global section\'s keyword "pace".', GLOBAL),
    ('It is as the "global" section\'s "pace" keyword.', GLOBAL),
    ('It can be set from "global" sections via "pace" there.', GLOBAL),
    ('See also : "lane", server\n             "pace" and more.', ["lane", *SERVER]),
    ('Up to the "pace" parameter value given in the "peers" section.', ["peers-keyword.pace"]),
])  # fmt: skip
def test_words_beside_a_name_tell_its_kind(
    prose: str, wanted: list[str], product: Product
) -> None:
    assert anchors(product, pace=prose) == wanted


@pytest.mark.parametrize(("prose", "wanted"), [
    ('It is used with "pace" then.', ["lane.pace"]),
    ('It is used with the "pace" directive.', ["pace"]),
    ('It is used with the "strict" directive.', ["lane.strict"]),
    ('Servers that have "pace" set are left.', SERVER),
    ('Skip servers that do not set both "lane" and "pace".', SERVER),
    ('See also : "pace"', ["pace"]),
    ('See also : "strict", "pace"', ["lane.strict", "pace"]),
])  # fmt: skip
def test_an_argument_does_not_stand_for_what_others_are_called(
    prose: str, wanted: list[str], product: Product
) -> None:
    assert anchors(product, lane=prose) == wanted


def test_several_places_of_a_name_tell_kind_and_section(product: Product) -> None:
    text = TEXT.replace("pace <number>\n  Limits the process.", "step\n  Steps.\n")
    text = text.replace("{lane}", 'See "rank".')
    text = text.replace("  Limits the listener.", "  A.\n\nrank\n  B.")
    text = text.replace("  Limits the server.", "  A.\n\nrank\n  B.")
    manual = read_manual(text.encode(), "configuration.txt", product, "configuration")
    linked = link(manual, collect_symbols([(manual, "m.txt")], product.dialect), product.dialect)
    assert (
        "target_labels=(('bind option', '2. Bind options'), ('server option', '3. Server options'))"
        in repr(linked)
    )


def test_an_entry_links_to_its_name_of_another_kind(product: Product) -> None:
    assert anchors(product, pace='The "pace" is low.') == []
    assert anchors(product, pace='See also : global section\'s "pace"') == GLOBAL
    assert anchors(product, pace='See also : "pace"') == GLOBAL


def test_quotes_alone_mean_names_that_are_no_words(product: Product) -> None:
    assert anchors(product, lane='Uses "fastinter" for that.') == ["server-option.fastinter"]
    assert anchors(product, lane='A "rise" of some.') == []


@pytest.mark.parametrize(("prose", "wanted"), [
    ('There is the per-proxy "pace" for it.', ["pace"]),
    ('It counts only when "pace" is set to 3.', ["pace"]),
    ('See "pace" option for proxies.', ["pace"]),
    ('Give the server IDs using their "pace" setting.', SERVER),
    ('The bind line was named with the "pace" keyword.', BIND),
    ('The "bind" parameters found in 2 among which "pace" or "user" count.', BIND + USER),
    ('See "pace" keyword in section 2.', [*BIND, "2"]),
    ('See the "pace" and "fastinter" keywords in section 3.',
     [*SERVER, "server-option.fastinter", "3"]),
    ('It ends the rule set (like a "halt").', [HALT]),
    ('It waits until either a "halt", or a "turn-left" rule matches.',
     [HALT, "action.turn-left"]),
    ('Rare commands ("show laps", "rest") go on.',
     ["cli-command.show-laps", "cli-command.rest"]),
])  # fmt: skip
def test_hints_of_the_dialect_tell_the_kind(
    prose: str, wanted: list[str], product: Product
) -> None:
    assert anchors(product, lane=prose) == wanted


@pytest.mark.parametrize(("prose", "wanted"), [
    ('It is as with "turn-left", "halt" there.', ["action.turn-left", HALT]),
    ('It is as with "halt" or "turn-left".', [HALT, "action.turn-left"]),
    ('It is as with "halt" or "rest".', []),
    ('It is "halt". It is "turn-left".', ["action.turn-left"]),
])  # fmt: skip
def test_members_of_a_list_are_of_one_kind(
    prose: str, wanted: list[str], product: Product
) -> None:
    assert anchors(product, lane=prose) == wanted


@pytest.mark.parametrize(("prose", "wanted"), [
    ('A "user" can be set.', []),
    ('It is equivalent to the "user" setting.', USER),
    ('There is no "user" nor "pace" directive.', [*USER, "pace"]),
    ('It is the "user" and more.', []),
])  # fmt: skip
def test_values_are_names_where_they_are_called_keywords(
    prose: str, wanted: list[str], product: Product
) -> None:
    assert anchors(product, lane=prose) == wanted


def test_text_above_entries_speaks_of_them(product: Product) -> None:
    rise = ["server-option.rise"]
    assert anchors(product, above='Servers take a "rise" or two.') == rise
    assert anchors(product, above='See the "rise" section.') == []
    assert anchors(product, above='A "halt" or two.') == []
    assert anchors(product, rise='"fall" : is a value\n\n  "halt" : is another') == []


def test_an_entry_sends_to_another_one_of_its_name(product: Product) -> None:
    assert anchors(product, pace='It is exactly the same as the "pace" statement.') == GLOBAL
    assert anchors(product, pace='Please consult the "pace" keyword.') == GLOBAL
    assert anchors(product, rise='Please consult the "rise" keyword.') == []
