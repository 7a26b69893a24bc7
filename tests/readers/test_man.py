"""Manual pages in roff: what is one, and what is read of it.

`tests/readers/man/<page>` is a page, and beside it what mandoc makes of it (`.html`, `.utf8`), so
that the tests pass where mandoc is missing, and the tree that the reader builds from both.
`pytest --update-goldens` runs mandoc again and rewrites them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from programs import need

from dconv.model.dialect import Dialect
from dconv.model.tree import Manual, Reference, Section, walk, walk_inlines
from dconv.proof.expected_words import expected_word_losses
from dconv.readers import FormatError, reader_of
from dconv.readers.detect import is_man_page
from dconv.readers.man import read
from dconv.readers.mandoc import HTML, MandocError, MandocLimitError, is_installed, run_mandoc
from dconv.writers.dump.data import json_text
from dconv.writers.dump.text import tree_text

PAGES = Path(__file__).parent / "man"
CASES = (
    "relay.8", "relay.conf.5", "relayd.conf.5", "relay-queue.8", "relayctl.8",
    "relaymap.conf.5", "relay-mark.8", "odd.7",
)
PAGE = b'.\\" a comment\n.TH TOOL 8\n.SH NAME\ntool \\- works\n'


@pytest.mark.parametrize(
    "content",
    [
        PAGE,
        b"'\\\" t\n.TH X 1\n",
        b".Dd January 1, 2024\n.Dt X 1\n",
        b".so man8/other.8\n",
        b'.\\" of pod2man\n.ie n \\{\\\n.ds C` ""\n\'br\\}\n.TH X 1\n',
        b".de Vb\n.ft CW\n..\n.if n .nh\n.TH X 1\n",
        b".if !'po4a'hide' .TH X 8\n.SH NAME\n",
        b'\\." tbl\n.TH X 5\n',
    ],
)
def test_pages_in_roff_are_recognized(content: bytes) -> None:
    assert is_man_page(content)


@pytest.mark.parametrize(
    "content",
    [b"", b"text\n", b".hidden files\n.TH is no request here\n", b"'quoted' words\n.TH X 1\n",
     b".if this were a page, it would have a title\n"],
)
def test_other_texts_are_not(content: bytes) -> None:
    assert not is_man_page(content)


def test_a_page_needs_mandoc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(
        FormatError, match=r"^tool\.8: manual pages need mandoc: install the package mandoc$"
    ):
        reader_of(PAGE, "tool.8")


def stored(case: str) -> Manual:
    """The page `case`, read with what mandoc made of it."""

    def run(options: tuple[str, ...], page: bytes) -> str:
        return (PAGES / f"{case}{'.html' if options == HTML else '.utf8'}").read_text("utf-8")

    return read((PAGES / case).read_bytes(), case, Dialect(), case, run)


@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, request: pytest.FixtureRequest) -> None:
    update = request.config.getoption("--update-goldens", default=False)
    path = PAGES / f"{case}.tree"
    if update and is_installed():

        def run(options: tuple[str, ...], page: bytes) -> str:
            text = run_mandoc(options, page)
            file = PAGES / f"{case}{'.html' if options == HTML else '.utf8'}"
            file.write_text(text, encoding="utf-8")
            return text

        read((PAGES / case).read_bytes(), case, Dialect(), case, run)
    manual = stored(case)
    if update:
        path.write_text(tree_text(manual), encoding="utf-8")
    assert tree_text(manual) == path.read_text(encoding="utf-8"), "read it, then --update-goldens"
    assert not [*expected_word_losses(manual)]


def test_the_header_says_what_the_page_is() -> None:
    header = stored("relay.8").header
    assert (header.title, header.description) == ("relay(8)", "pass mail on")
    assert (header.version, header.date) == ("relay 2.1", "2024-03-01")


def test_the_name_of_the_file_is_that_of_the_page() -> None:
    header = stored("relay-queue.8").header
    assert (header.title, header.description) == ("relay-queue(8)", "empty the queues")


def test_pages_that_the_text_names_are_references() -> None:
    section = next(part for part in stored("relay.8").sections if part.title == "DESCRIPTION")
    assert [name for name in _references(section) if name.endswith(")")] == [
        "relay.conf(5)", "queue(7)"
    ]


def _references(section: Section) -> list[str]:
    return [
        part.name for block in walk(section.body) if hasattr(block, "content")
        for part in walk_inlines(block.content) if isinstance(part, Reference)
    ]


def test_settings_of_a_listing_are_entries_for_programs() -> None:
    entries = json.loads(json_text([stored("relayd.conf.5")]))["entries"]
    assert [(entry["names"], entry["summary"]) for entry in entries] == [
        (["route"], "Where the messages of a route go."),
        (["target"], "The place that takes them."),
        (["port"], "Both speak of the same port."),
        (["tls_port"], ""),
    ]
    assert entries[1]["signatures"][0]["text"] == "target <ADDRESS>"


def test_what_the_terminal_shows_and_the_html_hides_is_lost_text() -> None:
    def run(options: tuple[str, ...], page: bytes) -> str:
        text = (PAGES / f"relay.8{'.html' if options == HTML else '.utf8'}").read_text("utf-8")
        return text.replace("Nothing to do.", "") if options == HTML else text

    manual = read(b".TH RELAY 8\n", "relay.8", Dialect(), "relay.8", run)
    assert [loss.finding.message for loss in expected_word_losses(manual)] == [
        "original 'Nothing to do.', tree ''"
    ]


@pytest.mark.parametrize(("equation", "line"), [
    ("c sup 2", "c^2"),
    ("k sub roman C", "k_C"),
    ("q sub i sup 2", "q_i^2"),
    ("s sup {-1}", "s^(-1)"),
    ("f(x) = {a + b} over 2", "f (x) = (a + b)/2"),
    ("sqrt {a + b}", "√(a + b)"),
    ("sum from {i = 1} to n q", "∑_(i = 1)^n q"),
    ("left ( a over {b + c} right )", "(a/(b + c))"),
])  # fmt: skip
def test_equations_are_lines_as_on_a_terminal(equation: str, line: str) -> None:
    need("mandoc")
    page = read(f""".TH ODD 7
.SH HEAT
.EQ
delim $$
.EN
The lamp gives $ {equation} $, or ($ {equation} $) with a wick.
""".encode(), "odd.7", Dialect(), "odd.7")
    assert f"The lamp gives {line}, or ({line}) with a wick." in tree_text(page)
    assert not [*expected_word_losses(page)]


def test_tables_that_mandoc_never_ends_are_shown_as_on_a_terminal() -> None:
    def run(options: tuple[str, ...], page: bytes) -> str:
        if options == HTML and b".TS" in page:
            raise MandocError("it needs too much time, memory or output")
        if options == HTML:
            assert b".nf\n\\&" in page
        return (PAGES / f"odd.7{'.html' if options == HTML else '.utf8'}").read_text("utf-8")

    manual = read((PAGES / "odd.7").read_bytes(), "odd.7", Dialect(), "odd.7", run)
    assert [finding.rule for finding in manual.diagnostics] == ["verbatim"]
    assert [section.title for section in manual.sections] == ["NAME", "ONE", "FUNCTIONS", "LAMPS"]


def test_a_page_that_mandoc_never_ends_is_shown_as_it_is() -> None:
    def run(options: tuple[str, ...], page: bytes) -> str:
        raise MandocError("it does not end")

    manual = read(PAGE, "tool.8", Dialect(), "tool.8", run)
    assert [finding.rule for finding in manual.diagnostics] == ["verbatim"]
    assert "tool \\- works" in [line.text for line in manual.source.lines]
    assert not [*expected_word_losses(manual)]


def test_a_page_that_needs_too_much_of_mandoc_is_tried_once() -> None:
    runs: list[tuple[str, ...]] = []

    def run(options: tuple[str, ...], page: bytes) -> str:
        runs.append(options)
        raise MandocLimitError("it needs too much time, memory or output")

    manual = read(PAGE, "tool.8", Dialect(), "tool.8", run)
    assert len(runs) == 1
    assert "tool \\- works" in [line.text for line in manual.source.lines]


@pytest.mark.slow
def test_a_page_that_runs_for_ever_is_stopped() -> None:
    need("mandoc")
    with pytest.raises(MandocError):
        run_mandoc(HTML, b".TH X 8\n.SH Y\n.while 1 \\{\\\n.br\n.\\}\n")
