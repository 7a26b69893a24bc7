"""Links by the dialect of HAProxy: a small manual where one name has several kinds."""

from __future__ import annotations

import pytest

from dconv import pipeline
from dconv.link import link
from dconv.references import mentions
from dconv.resources import resource_folder
from dconv.settings import Product, load_product
from dconv.symbols import collect

TEXT = """\
1. Process management and security
----------------------------------

pace <number>
  Limits the process.


2. Bind options
---------------

pace <number>
  Limits the listener.


3. Server options
-----------------

pace <number>
  Limits the server.

fastinter <delay>
  Asks more often.

rise <count>
  Asks more than once.


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
"""


@pytest.fixture(scope="module")
def product() -> Product:
    return load_product(resource_folder("manuals") / "haproxy")


def anchors(product: Product, lane: str = "Text.", pace: str = "Text.") -> list[str]:
    """Where the references of the prose in the entries `lane` and `pace` lead."""
    text = TEXT.replace("{lane}", lane).replace("{pace}", pace)
    manual = pipeline.read_manual(text.encode(), "configuration.txt", product, "configuration")
    symbols = collect([(manual, "configuration.txt")], product.dialect)
    linked = link(manual, symbols, product.dialect)
    return [target.anchor for mention in mentions(linked) for target in mention.targets]


GLOBAL, SERVER = ["global-keyword.pace"], ["server-option.pace"]


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
    text = text.replace("{lane}", 'See "rank".').replace("{pace}", "Text.")
    text = text.replace("  Limits the listener.", "  A.\n\nrank\n  B.")
    text = text.replace("  Limits the server.", "  A.\n\nrank\n  B.")
    manual = pipeline.read_manual(text.encode(), "configuration.txt", product, "configuration")
    linked = link(manual, collect([(manual, "m.txt")], product.dialect), product.dialect)
    assert (
        "senses=(('bind option', '2. Bind options'), ('server option', '3. Server options'))"
        in repr(linked)
    )


def test_an_entry_links_to_its_name_of_another_kind(product: Product) -> None:
    assert anchors(product, pace='The "pace" is low.') == []
    assert anchors(product, pace='See also : global section\'s "pace"') == GLOBAL
    assert anchors(product, pace='See also : "pace"') == GLOBAL


def test_quotes_alone_mean_names_that_are_no_words(product: Product) -> None:
    assert anchors(product, 'Uses "fastinter" for that.') == ["server-option.fastinter"]
    assert anchors(product, 'A "rise" of some.') == []
