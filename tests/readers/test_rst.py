"""reStructuredText: texts beside their trees, and what docutils' process-wide tables keep.

`tests/readers/rst/<case>.rst` is a text, `.tree` its tree and its findings.
`pytest --update-goldens` rewrites them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from docutils.core import publish_doctree

from dconv.cli import main
from dconv.linking import link, symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import Entry, Manual, Section, entries, sections
from dconv.proof.coverage import prove_tree
from dconv.readers import READERS, reader_of, rst
from dconv.settings.manual import default_product
from dconv.writers.dump.data import json_text
from dconv.writers.dump.text import tree_text

HERE = Path(__file__).parent / "rst"
CASES = sorted(HERE.glob("*.rst"))


def read(text: str) -> Manual:
    """The manual that `text` makes, which loses nothing."""
    manual = rst.read(text.encode(), "page.rst", Dialect(), "page")
    assert [str(loss) for loss in prove_tree(manual).losses] == []
    return manual


def words(text: str) -> str:
    """The words of the text extracted from `text`, with single blanks."""
    return " ".join(
        word for line in read(text).source.lines for word in line.text.split()
    )


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_text_has_its_tree_and_loses_nothing(
    path: Path, request: pytest.FixtureRequest
) -> None:
    manual = rst.read(path.read_bytes(), path.name, Dialect(), path.stem)
    assert [str(loss) for loss in prove_tree(manual).losses] == []
    shown = "\n".join([tree_text(manual).rstrip("\n"), *map(str, manual.diagnostics), ""])
    golden = path.with_suffix(".tree")
    if request.config.getoption("--update-goldens", default=False):
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "*open", "``open", ":role:`open", "`open <x", "|open", "[open]_", "_`open",
        ".. note::", ".. open::", ".. |open|", ".. _open", ".. [#", "+---+\n| open\n",
        "== ==\nopen\n", ".. image::", ".. table:: open", ".. figure::", "open\n===\n\n---",
        "=====\nopen\n", "* open\n  open\n open", ":open", "1. open\n3. again", "-o  open\nnot",
        ".. class:: open", ".. role:: x(open)\n\n:x:`y`", ".. default-role:: open\n\n`y`",
        ".. glossary::\n\n   open", ".. glossary::\n\n     open", ".. _x:\n   open\n\n::\n   open",
        ".. |x| unicode:: 0x20\n\n|x|\n===\n\nopen",
        ".. flat-table::\n   :header-rows: x\n\n   * - open",
        ".. option::\n\n   open", ".. toctree::\n   :glob:\n\n   o*",
        ".. |a| replace:: |b| |b|\n.. |b| replace:: |a| |a|\n\n|a| open",
        ".. replace:: open", ".. |open| image:: x\n\n|open|", ".. unicode:: 0xZZ", "", "\n", "..",
    ],
)
def test_what_is_broken_does_not_fail(text: str) -> None:
    shown = words(f"{text}\n\nThe end.\n")
    assert "The end." in shown
    assert "open" in shown or "open" not in text or "::" in text or text.startswith(".. ")


def test_deep_nesting_does_not_fail() -> None:
    text = "".join(f"{'  ' * depth}* level\n\n" for depth in range(300))
    assert words(text).count("level") == 300


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (".. option:: -f <file>, --file=<file>", ("--file", "-f")),
        (".. option:: rate_min=int[,int][,int]", ("rate_min",)),
        (".. option:: (aio,uring)hipri", ("hipri",)),
        (".. option:: stonewall, wait_for_previous", ("stonewall", "wait_for_previous")),
        (".. option:: depth=int, io_depth=int", ("depth", "io_depth")),
        (".. confval:: Wants=", ("Wants",)),
        (".. clicmd:: show ip route [vrf NAME]", ("show ip route",)),
        (".. clicmd:: neighbor PEER remote-as (1-99)", ("neighbor remote-as",)),
        ("--[no-]color\n    Colours.", ("--color", "--no-color")),
        (".. c:function:: int tool_read(struct tool *t, size_t n)", ("tool_read",)),
        (".. describe:: a thing", ("a thing",)),
        ("-o FILE, --output=FILE  Writes there.", ("--output", "-o")),
    ],
)
def test_names_of_an_entry_have_no_values(source: str, names: tuple[str, ...]) -> None:
    manual = read(f"Options\n=======\n\n{source}\n\nText\n====\n\nx\n")
    assert [entry.names for _, entry in entries(manual)] == [names]


def test_type_and_default_of_a_setting_are_shown() -> None:
    text = words(".. confval:: depth\n   :type: ``int``\n   :default: 4\n\n   How deep it goes.\n")
    assert text == "depth Type int Default 4 How deep it goes."


def test_a_literal_above_fields_is_a_setting() -> None:
    manual = read(
        "Oil\n===\n\nText.\n\nLevels\n------\n\n``wick length``\n\n"
        ":Description: How long it is. And more.\n:Type: Integer\n\n"
        "Words\n\n:Type: None\n"
    )
    [(_, setting)] = entries(manual)
    assert (setting.kind, setting.names, setting.summary) == (
        "setting", ("wick length",), "How long it is."
    )


def test_metadata_for_sphinx_is_no_text() -> None:
    manual = read(":orphan:\n:tocdepth: 2\n\nLamp\n====\n\nText.\n")
    assert manual.header.title == "Lamp"
    assert [line.text for line in manual.source.lines if line.text] == ["Text."]


@pytest.mark.parametrize(
    "title", ["Introduction", "How it works"],
)
def test_terms_of_prose_are_no_entries(title: str) -> None:
    manual = read(f"{title}\n{'=' * 20}\n\nkernel\n    A program.\n\nuser space\n    The rest.\n")
    assert list(entries(manual)) == []


STOCK = ".. option:: x\n\n.. note:: y\n\n:note:`a` :ref:`b` `c`\n"


def test_docutils_keeps_its_own_roles_and_directives() -> None:
    settings = {"report_level": 5, "_disable_config": True}
    before = publish_doctree(STOCK, settings_overrides=settings).pformat()
    read(".. role:: note\n\n.. default-role:: code\n\n.. option:: -x\n\n:ref:`y` `z`\n")
    assert publish_doctree(STOCK, settings_overrides=settings).pformat() == before
    assert "Unknown directive type" in before


@pytest.mark.parametrize(
    ("content", "path", "form"),
    [
        (b"x\n", "a.rst", "rst"),
        (b"x\n", "a.rst.gz", "rst"),
        (b"x\n", "_sources/a.rst.txt", "rst"),
        (b"Title\n=====\n\n.. note:: x\n", "README", "rst"),
        (b"Title\n=====\n\n.. _label:\n\nx\n", "a.txt", "rst"),
        ("Überblick\n=========\n\n.. note:: x\n".encode(), "a.txt", "rst"),
        (b"Title\n=====\n\nText, as it is.\n", "a.txt", "text"),
        (b"2.1. Title\n----------\n\nfoo <x>\n  .. note that\n", "a.txt", "text"),
        (b"Title\n=====\n\n```\n.. note:: x\n```\n", "README", "text"),
    ],
)
def test_the_format_is_seen(content: bytes, path: str, form: str) -> None:
    assert reader_of(content, path) is READERS[form]


# ".. name::" with its line, ".. _label:", ".. comment", ":role:", ":option: value"
MARKUP = re.compile(r"^ *\.\. (?:\|.*|_.*:$|[\w:-]+::|\S+: .*)|:[\w-]+:(?: +\S*$)?", re.MULTILINE)
WORD = re.compile(r"[^\W_]{2,}")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_word_of_the_source_is_there(path: Path) -> None:
    """What docutils cannot read, it leaves out; its tree alone proves nothing about that."""
    source = path.read_text(encoding="utf-8")
    manual = rst.read(source.encode(), path.name, Dialect(), path.stem)
    header = manual.header
    shown = {
        *WORD.findall(" ".join(line.text for line in manual.source.lines)),
        *WORD.findall(f"{header.title} {header.subtitle} {header.author} {header.date}"),
    }
    absent = set(WORD.findall(MARKUP.sub(" ", source))) - shown
    named = {  # addresses, names of files, languages and substitutions
        "tool": {"https", "example", "org", "png", "console", "product"},
        "broken": {"other", "inc", "code", "html"},
    }
    assert absent <= named[path.stem]


FIRST = """
First
=====

.. _begin:

Start
-----

See :ref:`the end <finish>`, :doc:`second`, :doc:`the second </folder/second>`, :doc:`first`,
:doc:`third`, `Start`_,
`by file <second.rst>`_, tool(8), :option:`--go` and mode-a(1).

.. option:: --go

   Goes on.
"""
SECOND = """
Second
======

.. _finish:

End
---

Back to :ref:`begin` and :ref:`nothing`.

.. _--go:

.. option:: --go

   Here, too.
"""


def test_links_lead_to_other_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "first.rst").write_text(FIRST)
    (tmp_path / "second.rst").write_text(SECOND)
    files = [str(tmp_path / name) for name in ("first.rst", "second.rst")]
    assert main(["convert", *files, "-o", str(tmp_path / "site"), "--verbose"]) == 0
    shown = capsys.readouterr().err
    assert "error" not in shown
    assert [line for line in shown.splitlines() if "link-target" in line and "nothing" in line]
    missing = [line for line in shown.splitlines() if "missing-document" in line]
    assert [line.removeprefix(files[0]) for line in missing] == [
        ":11:1: note: [missing-document] third is no link, for it is not a document of this release"
    ]
    pages = tmp_path / "site" / "manuals"
    first, second = [(pages / f"{name}.html").read_text() for name in ("first", "second")]
    assert '<a href="second.html#End">the end</a>' in first
    assert first.count('<a href="second.html">') >= 3
    assert '<a href="#option.--go" class="literal">--go</a>' in first
    assert '<a href="first.html#Start">Start</a>' in second


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Oil for ``lamps.", ["3:9 [rst-syntax] inline literal start-string"]),
        ("Oil\nfor *lamps and `wicks.", [
            "4:5 [rst-syntax] inline emphasis", "4:16 [rst-syntax] inline interpreted",
        ]),
        ("Oil for ``lamps and ``wicks`` here.", ["3:9 [rst-syntax] inline literal has no end"]),
        ("Give ``a``, ``b c`` and ``.. d``.", []),
        ("See `ladles`_.", ["3:6 [rst-syntax] unknown target name"]),
        ("Oil and\nlamps [OIL]_.", ["4:8 [rst-syntax] unknown target name"]),
        ("17 oils 7 [7]_.", ["3:12 [rst-syntax] unknown target name"]),
        ("See :ref:`ladles`, or\n:ref:`the wicks <wicks>`.", [
            "3:5 [link-target] there is no 'ladles'", "4:1 [link-target] there is no 'wicks'",
        ]),
        (":term:`wax\nlight`, :term:`it <Wax Light>`, :term:`Moth`, :term:`the bug <Fly>`.", [
            "4:33 [link-target] there is no 'Moth'", "4:47 [link-target] there is no 'the bug'",
        ]),
        ("See :ref:`Old Ladles`,\n`New Ladles`_, |Any Oil|.", [
            "3:5 [link-target] there is no 'Old Ladles'",
            '4:2 [rst-syntax] unknown target name: "New Ladles"',
            '4:17 [rst-syntax] undefined substitution referenced: "Any Oil"',
        ]),
        ("See :ref:`long\nwicks`.", ["3:5 [link-target] there is no 'long wicks' to link to"]),
        ("- See :ref:`oil`\n\n- and :ref:`oil`.", ["3:7 [link-target]", "5:7 [link-target]"]),
    ],
)
def test_markup_without_end_or_target_has_its_place(
    text: str, places: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "lamps.rst", tmp_path / "other.rst"
    file.write_text(f"Lamps\n=====\n{text}\n")
    other.write_text("Other\n=====\n\n.. glossary::\n\n   Wax Light : candles\n      Burns.\n")
    main(["check", str(file), str(other)])
    shown = re.sub(r": \w+: ", " ", capsys.readouterr().out).splitlines()
    found = [line.removeprefix(f"{file}:") for line in shown if line.startswith(str(file))]
    assert len(found) == len(places)
    assert all(map(str.startswith, found, places)), found


@pytest.mark.parametrize("form", ["rst", "xml", "html5", "man"])
def test_a_text_is_exported(form: str, tmp_path: Path) -> None:
    files = [str(path) for path in CASES]
    assert main(["export", "--format", form, "-o", str(tmp_path), *files]) == 0
    if form == "rst":
        shown = words((tmp_path / "tool.rst").read_text())
        assert "A quote. — Somebody" in shown


def test_a_bar_beside_the_border_of_a_table_has_its_place() -> None:
    rule = "  +------+-------+\n"
    rows = ("| Name | Oil   |", "| blue| fish   |", "| wide   or x  |", "| wide | |x|   |")
    table = rule + "".join(f"  {row}\n{rule}" for row in rows)
    manual = rst.read(f"Lamps\n=====\n\n- Oils:\n\n{table}".encode(), "a.rst", Dialect(), "a")
    places = [(finding.line, finding.column) for finding in manual.diagnostics
              if "beside the border" in finding.message]
    assert places == [(9, 9)]


def test_a_reference_without_a_text_shows_the_title_of_its_section() -> None:
    text = "Tool\n====\n\nSee :ref:`end`, :ref:`it <end>`.\n\n.. _end:\n\nThe end\n-------\n\nNo.\n"
    manual = rst.read(text.encode(), "tool.rst", Dialect(), "tool")
    assert manual.source.lines[0].text == "See The end, it."
    assert prove_tree(manual).losses == ()


PARAMETERS = """
Pump
====

Pumps oil.

Parameters
----------

Speed
^^^^^

How fast.

maxHeight
^^^^^^^^^

How high.

on_leak
^^^^^^^

What to do then.

Remarks on leaks
^^^^^^^^^^^^^^^^

There are many.
"""


def test_sections_of_names_are_entries() -> None:
    manual = read(PARAMETERS)
    assert [(section.title, names_in(section)) for section in sections(manual)] == [
        ("Parameters", ["Speed", "maxHeight", "on_leak"])
    ]


def test_a_document_of_names_is_a_section_of_them() -> None:
    titles = ("max_oil", "max_wick", "min_oil")
    text = "".join([f"{title}\n--------\n\nThe {title} of it.\n\n" for title in titles])
    [section] = sections(read(f"Pump\n====\n\nPumps oil.\n\n{text}"))
    assert (section.title, names_in(section)) == ("Pump", list(titles))


def test_options_below_the_title_of_the_document_are_entries_for_programs() -> None:
    manual = read("Pump\n====\n\nPumps.\n\n.. option:: --oil <n>, -o\n\n   How much.\n")
    assert [entry["names"] for entry in json.loads(json_text([manual]))["entries"]] == [
        ["--oil", "-o"]
    ]


def test_titles_of_prose_are_no_entries() -> None:
    manual = read(PARAMETERS.replace("maxHeight", "Height").replace("on_leak", "Leaks"))
    assert [section.title for section in sections(manual)] == [
        "Parameters", "Speed", "Height", "Leaks", "Remarks on leaks"
    ]


def names_in(section: Section) -> list[str]:
    return [block.name for block in section.body if isinstance(block, Entry)]


def test_labels_above_the_title_of_a_text_are_those_of_the_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    oil, lamp = tmp_path / "oil.rst", tmp_path / "lamp.rst"
    oil.write_text(".. _all_oil:\n\nOil\n===\n\n.. _burns:\n\nIt burns.\n\nWick\n----\n\nNo.\n")
    lamp.write_text("Lamp\n====\n\nSee :ref:`all_oil`, :ref:`fire <burns>`.\n")
    assert main(["check", str(oil), str(lamp)]) == 0
    assert main(["convert", "-q", str(oil), str(lamp), "-o", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "manuals" / "lamp.html").read_text()
    assert '<a href="oil.html">Oil</a>, <a href="oil.html">fire</a>' in page


def test_who_wrote_a_text_and_when_is_on_its_page() -> None:
    shown = words("Tool\n====\n\n:Author: Jo Doe\n:Version: 2.4\n:Date: 2026-01-02\n\nText.\n")
    assert shown == "Author Jo Doe Version 2.4 Date 2026-01-02 Text."


def test_the_argument_of_an_unknown_directive_is_no_markup() -> None:
    manual = read("Tool\n====\n\n.. odd:: *args of `x\n\n   Text.\n")
    assert [finding.rule for finding in manual.diagnostics] == ["unknown-markup"]
    assert words("Tool\n====\n\n.. odd:: *args\n\n   Text.\n") == "*args Text."


def test_each_of_several_roles_has_its_own_place() -> None:
    manual = read("Tool\n====\n\nSee :ref:`gone` and\n:ref:`gone`, :ref:`gone`.\n")
    assert manual.source.reference_places == (
        ("gone", 4, 5, "gone"), ("gone", 5, 1, "gone"), ("gone", 5, 14, "gone"),
    )


def test_links_to_documents_by_path_are_reported_if_there_is_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "other.rst").write_text("Other\n=====\n\n:doc:`../index` :doc:`/gone/x`\n")
    (tmp_path / "index.rst").write_text(
        "Tool\n====\n\n:doc:`sub/other`, :doc:`/sub/other`, :doc:`It <sub/gone>`.\n\n"
        "``:doc:`sub/code``` :doc:`python:library/re`\n"
    )
    main(["check", "--quiet", str(tmp_path / "index.rst"), str(tmp_path / "sub" / "other.rst")])
    finding = r"(\w+\.rst:\d+:\d+): note: \[missing-document\] (\S+)"
    found = re.findall(finding, capsys.readouterr().out)
    assert found == [("index.rst:4:38", "sub/gone"), ("other.rst:4:17", "/gone/x")]


def test_a_term_of_two_glossaries_is_not_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        text = f"{name}\n===\n\n.. glossary::\n\n   apple\n      A fruit.\n"
        (tmp_path / f"{name}.rst").write_text(text)
    (tmp_path / "three.rst").write_text("Three\n=====\n\n:term:`apple` :ref:`genindex`\n")
    files = [str(tmp_path / f"{name}.rst") for name in ("one", "two", "three")]
    assert main(["check", *files]) == 0
    assert "link-target" not in capsys.readouterr().out


def test_a_label_of_two_texts_leads_to_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        text = f"{name}\n===\n\nText.\n\n.. _wick:\n\nPart {name}\n--------\n\nCut it.\n"
        (tmp_path / f"{name}.rst").write_text(text)
    (tmp_path / "three.rst").write_text("Three\n=====\n\nSee :ref:`the wick <wick>`.\n")
    files = [str(tmp_path / f"{name}.rst") for name in ("one", "two", "three")]
    assert main(["check", *files]) == 0
    assert "link-target" not in capsys.readouterr().out
    assert main(["convert", "-q", *files, "-o", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "manuals" / "three.html").read_text()
    sentence = re.search(r"<p>See the wick.*</p>", page)
    assert sentence is not None
    links = re.findall(r'href="([^"]*)">([^<]*)<', sentence[0])
    assert links == [("one.html#Part-one", "one"), ("two.html#Part-two", "two")]


OPTIONS = """\
Lamp
====

.. program:: lamp light

.. option:: -w WICK, --wick WICK

   Which wick.

.. program:: lamp oil

.. option:: --wick

   Oil the wick.

.. option:: --fill[=LEVEL]

   Fill it: see :option:`lamp light --wick`, :option:`--wick`.
"""


def test_options_lead_to_those_of_their_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lamp.rst").write_text(OPTIONS)
    (tmp_path / "guide.rst").write_text(
        "Guide\n=====\n\nUse :option:`-w <lamp light -w>`, :option:`lamp oil --fill=2`,\n"
        ":option:`lamp oil -w` or :option:`--wick`.\n\n"
        ".. program:: lamp oil\n\n:option:`--wick`\n"
    )
    files = [str(tmp_path / name) for name in ("lamp.rst", "guide.rst")]
    assert main(["check", "--quiet", *files]) == 1
    found = re.findall(r"guide\.rst:(\d+:\d+): .*'(.*)'", capsys.readouterr().out)
    assert found == [("5:1", "lamp oil -w"), ("5:26", "--wick")]
    assert main(["convert", "-q", *files, "-o", str(tmp_path / "site")]) == 0
    pages = tmp_path / "site" / "manuals"
    lamp, guide = [(pages / f"{name}.html").read_text() for name in ("lamp", "guide")]
    assert re.findall(r'href="(lamp[^"]*)" class="literal">([^<]*)<', guide) == [
        ("lamp.html#option.--wick", "-w"), ("lamp.html#option.--fill", "lamp oil --fill=2"),
        ("lamp.html#option.--wick.lamp", "--wick"),
    ]
    assert '<a href="#option.--wick" class="literal">lamp light --wick</a>' in lamp


def test_options_of_an_option_list_can_be_linked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lamp.rst").write_text(
        "Lamp\n====\n\n-w, --wick LENGTH  Trim the wick.\n--oil LEVEL        Fill the lamp.\n"
    )
    (tmp_path / "guide.rst").write_text("Guide\n=====\n\n:option:`-w`, :option:`--glass`.\n")
    files = [str(tmp_path / name) for name in ("lamp.rst", "guide.rst")]
    assert main(["check", "--quiet", *files]) == 1
    assert re.findall(r"link-target.*'(.*)'", capsys.readouterr().out) == ["--glass"]
    assert main(["convert", "-q", *files, "-o", str(tmp_path / "site")]) == 0
    guide = (tmp_path / "site" / "manuals" / "guide.html").read_text()
    assert '<a href="lamp.html#option.--wick" class="literal">-w</a>' in guide


def test_variables_and_settings_lead_to_the_text_that_describes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lamp.rst").write_text(
        "Lamp\n====\n\n.. envvar:: LAMP_OIL\n\n   Its oil.\n\n"
        ".. confval:: wick\n\n   See :envvar:`LAMP_OIL`.\n"
    )
    (tmp_path / "guide.rst").write_text(
        "Guide\n=====\n\n:envvar:`LAMP_OIL`, :confval:`its wick <wick>`, :envvar:`PATH`, ``wick``"
        " and\n:confval:`glass`.\n"
    )
    files = [str(tmp_path / name) for name in ("lamp.rst", "guide.rst")]
    assert main(["check", "--quiet", *files]) == 1
    assert re.findall(r"rst:(.*) to link to", capsys.readouterr().out) == [
        "5:1: warning: [link-target] there is no 'glass'"
    ]
    assert main(["convert", "-q", *files, "-o", str(tmp_path / "site")]) == 0
    pages = tmp_path / "site" / "manuals"
    guide = (pages / "guide.html").read_text()
    assert (
        '<a href="lamp.html#variable.LAMP_OIL" class="literal">LAMP_OIL</a>, '
        '<a href="lamp.html#setting.wick" class="literal">its wick</a>, '
        '<code class="literal">PATH</code>, <code>wick</code> and'
    ) in guide
    lamp = (pages / "lamp.html").read_text()
    assert '<a href="#variable.LAMP_OIL" class="literal">LAMP_OIL</a>' in lamp
    assert 'id="envvar-LAMP_OIL"' in lamp


def test_a_setting_of_a_list_is_an_entry_and_can_be_linked(tmp_path: Path) -> None:
    text = (
        "Lamp\n====\n\nx\n\n:confval:`wick`\n   Burns.\n\n"
        ":confval:`oil`\n   See :confval:`wick`.\n"
    )
    assert [entry.name for _, entry in entries(read(text))] == ["wick", "oil"]
    (tmp_path / "lamp.rst").write_text(text)
    assert main(["convert", "-q", str(tmp_path / "lamp.rst"), "-o", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "manuals" / "lamp.html").read_text()
    assert 'See <a href="#keyword.wick" class="literal">wick</a>.' in page


TARGETS = """\
Lamp
====

_`Wick`: part
-------------

The _`oil`.

- One

  .. _two:

- Two

.. _quoted:

  Quote.

.. _kept:

.. container:: x

   Kept.

See wick_, oil_, two_, quoted_ and kept_.
"""


def test_labels_of_windows_have_no_marks_of_keys() -> None:
    text = ":menuselection:`&File --> Sa&ve`, :guilabel:`Oil && wick`, :guilabel:`R & D`"
    assert words(text) == "File --> Save, Oil & wick, R & D"


FIGURES = """\
Lamp
====

.. _first:

.. figure:: lamp.png
   :target: https://lamp.example.org/

   A lamp

See :ref:`first`, :numref:`second`, :numref:`third` and :numref:`oils`.

Parts
-----

.. image:: wick.png
   :target: Parts_
   :name: second

.. image:: gone.png
   :target: nowhere_
   :alt: Gone

* .. figure:: lid.png
     :name: third

.. _oils:

.. table:: Oils

   ===== =====
   Whale  dear
   ===== =====
"""


def test_images_keep_links_and_figures_and_tables_are_places() -> None:
    manual = read(FIGURES)
    dialect = default_product().dialect
    linked = link.link(manual, symbols.collect_symbols([(manual, "page.rst")], dialect), dialect)
    shown = tree_text(linked)
    assert "[![lamp.png](lamp.png)#first](https://lamp.example.org/)" in shown
    assert "*![wick.png](wick.png)#second*(page#Parts)" in shown
    assert "See *A lamp*(page#first), *second*(page#second), *third*(page#third)" in shown
    assert "*Oils*(page#Parts.Oils)." in shown
    assert [(item.line, item.message) for item in manual.diagnostics] == [
        (21, 'unknown target name: "nowhere"')
    ]


def test_every_target_has_a_place() -> None:
    assert {"wick", "oil", "two", "quoted", "kept"} <= {*dict(read(TARGETS).aliases)}


IN_PROJECT = """\
Lamp |release|
==============

.. include:: words.inc

|Wick| |Oil| |Glass| burner_ flame_

:ref:`trimmed` :ref:`python:installing` :external+python:ref:`it <re>` :ref:`All the oil`

.. TODO: more

.. note: less

:lamp:wick:`a` :burn:`b` :enphasis:`c` :doc:`the others <index>`

.. class:: Lamp(oil)

   A lamp.

.. autoclass:: lamps.Wick
"""


def test_what_sphinx_and_files_beside_define_is_not_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "conf.py": "extensions = ['lamps']\nrst_epilog = '.. |Oil| replace:: O'\n",
        "words.inc": ".. |Wick| replace:: W\n\n.. _trimmed:\n\n.. _burner: http://a.b\n",
        "index.rst": "Lamps\n=====\n\n.. _all:\n\nAll lamps.\n",
        "lamp.rst": IN_PROJECT,
        "open.rst": IN_PROJECT.replace("words.inc", "gone.inc"),
    }.items():
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("lamp.rst", "index.rst")]
    main(["check", "--quiet", *files])
    shown = capsys.readouterr().out
    found = re.findall(r"lamp\.rst:(\d+):.*\[([\w-]+)\].*?['\"](.*)['\"]", shown)
    assert found == [
        ("4", "not-included", "words.inc"), ("6", "rst-syntax", "Glass"),
        ("6", "rst-syntax", "flame"), ("8", "link-target", "All the oil"),
        ("12", "rst-syntax", ".. note::"), ("14", "unknown-markup", "enphasis"),
        ("20", "not-included", "lamps.Wick"),
    ]
    main(["check", "--quiet", str(tmp_path / "open.rst"), *files[1:]])
    assert not re.findall("no '|Glass|flame|all-the-oil", capsys.readouterr().out)


def test_a_section_that_an_extension_labels_is_linked(tmp_path: Path) -> None:
    (tmp_path / "lamp.rst").write_text("Lamp\n====\n\nOil.\n\nThe wick\n--------\n\nTrim it.\n")
    (tmp_path / "guide.rst").write_text("Guide\n=====\n\nSee :ref:`parts/lamp:The wick`.\n")
    files = [str(tmp_path / name) for name in ("lamp.rst", "guide.rst")]
    assert main(["convert", "-q", *files, "-o", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "manuals" / "guide.html").read_text()
    assert '<a href="lamp.html#The-wick">The wick</a>' in page
