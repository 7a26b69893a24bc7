"""The tree as text and as JSON: small manuals, and the schema on the real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import jsonschema
import pytest

from dconv.build.read import read_manual
from dconv.cli import main
from dconv.model.tree import (
    Argument,
    Cell,
    Code,
    ContentsLine,
    Definition,
    Definitions,
    Entry,
    Example,
    Header,
    Heading,
    Hyperlink,
    Item,
    Labelled,
    List,
    Manual,
    Paragraph,
    Preformatted,
    Reference,
    Row,
    Section,
    SeeAlso,
    Signature,
    Span,
    Table,
    Target,
    Term,
    Text,
    Usage,
)
from dconv.settings.manual import default_product, load_products
from dconv.settings.recognize import recognize
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder
from dconv.writers.dump.data import json_text
from dconv.writers.dump.text import tree_text

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | None"

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "dconv/writers/dump/dump.schema.json"

TEXT = b"""\
                        ------------------------
                          Kettle
                          Reference Manual
                        ------------------------
                             version 1.2
                             2026/01/31

This is the preface.

1. Heating
----------

heat [<degrees>]
  Brings the water to <degrees>.

  Example :
        heat 95
"""


def _text(words: str) -> tuple[Text, ...]:
    return (Text(words),)


def _full() -> Manual:
    """A manual with one of each node, its spans invented."""
    usages = (
        Usage("contexts", (("tcp", "yes"), ("http", "yes")), Span(12, 12)),
        Usage("sections", (("defaults", "yes(!)"), ("backend", "no")), Span(13, 14)),
        Usage("rule sets", (("TCP RqCon", "X"), ("HTTP Req", "-")), Span(15, 16)),
        Usage("default-server", (("Supported", "Yes"),), Span(17, 17)),
    )
    signature = Signature("no lid <n>", Span(11, 11), "lid", "integer", True, True, True, "lid")
    term = Term(_text("slow"), "slow", "mode", "lid.slow", 20)
    code = Preformatted(("lid 1", "  lid 2"), "haproxy", Span(23, 24))
    item = Item("2.", (Paragraph(_text("two"), Span(21, 21)),), Span(21, 21))
    body = (
        Paragraph(
            (
                Text("See "), Reference("pot", "pot", 18, 5, (Target("manual", "pot"),)),
                Code("x"), Argument("<n>"),
                Hyperlink("https://example.org/", "https://example.org/", 18, 30),
            ),
            Span(18, 18),
        ),
        Definitions((Definition("-", (term,), ":", (), Span(20, 20)),), Span(20, 20)),
        List(True, (item,), Span(21, 21)),
        Example("Example", _text("a lid"), (code,), Span(22, 24)),
        Labelled("Note", "note", (Paragraph(_text("hot"), Span(25, 25)),), Span(25, 25)),
        Table(
            "grid", (Row((Cell(_text("a"), 2),), Span(26, 26)),),
            (Row((Cell(_text("b")), Cell(_text("c"))), Span(27, 27), "b", "alias", "alias.b"),),
            2, ("a", "b c"), (), Span(26, 27),
        ),
        SeeAlso("See also", _text("pot"), Span(28, 28)),
        Heading(_text("Small"), "small", Span(29, 29)),
    )  # fmt: skip
    entry = Entry(
        "keyword", "lid", (signature,), usages, "See pot.", True, False, body, "lid", Span(11, 29)
    )
    source = read_manual(b"\n" * 30, "kettle.txt", default_product(), "x").source
    inner = Section("", "Inner", "inner", 2, (), (), Span(30, 30), Span(30, 30))
    outer = Section("1", "Outer", "1", 1, (entry,), (inner,), Span(9, 10), Span(9, 30))
    return Manual(
        "kettle", source, Header("Kettle", "", "1.2", "", "", Span(1, 2)),
        (), (ContentsLine("1", "Outer", 5),), Span(4, 6), (outer,), None, (),
    )  # fmt: skip


def test_tree_shows_every_node() -> None:
    assert tree_text(_full()).splitlines() == [
        "manual kettle 30 lines",
        '  header 1-2 "Kettle" "" "1.2" "" ""',
        "  summary 4-6",
        '    5 "1" "Outer"',
        '  section 9-30 "1" "Outer" #1',
        '    entry 11-29 "keyword" "lid" deprecated #lid',
        '      signature 11 "no lid <n>" "lid" negated deprecated experimental type=integer #lid',
        "      usage 12 contexts: tcp=yes, http=yes",
        "      usage 13-14 sections: defaults=yes(!), backend=no",
        "      usage 15-16 rule sets: TCP RqCon=X, HTTP Req=-",
        "      usage 17 default-server: Supported=Yes",
        "      paragraph 18 See *pot*(manual#pot)`x`{<n>}[https://example.org/]",
        "      definitions 20",
        "        definition 20 - :",
        '          term 20 "slow" "mode" #lid.slow slow',
        "      list 21 ordered",
        "        item 21 2.",
        "          paragraph 21 two",
        '      example 22-24 "Example" a lid',
        "        preformatted 23-24 haproxy",
        "          |lid 1",
        "          |  lid 2",
        '      labelled 25 note "Note"',
        "        paragraph 25 hot",
        "      table 26-27 grid 2 columns",
        "        head 26 | (2) a |",
        '        row 27 "alias" "b" #alias.b | b | c |',
        '      see-also 28 "See also" pot',
        "      heading 29 Small #small",
        '    section 30 "" "Inner" #inner',
    ]


def test_json_of_every_node() -> None:
    dumped = _checked(json_text([_full()]))
    assert isinstance(dumped, dict)
    assert dumped["document"] == {"name": "kettle", "title": "Kettle", "version": "1.2", "date": ""}
    assert dumped["entries"] == [
        {
            "kind": "keyword", "name": "lid", "names": ["lid"], "anchor": "lid", "section": "1",
            "first": 11,
            "last": 29, "summary": "See pot.", "deprecated": True, "experimental": False,
            "contexts": ["tcp", "http", "defaults", "TCP RqCon", "default-server"],
            "signatures": [
                {"line": 11, "name": "lid", "text": "no lid <n>", "negated": True,
                 "deprecated": True},
            ],
            "backlinks": [],
        }
    ]  # fmt: skip
    assert dumped["items"] == [
        {"kind": "mode", "name": "slow", "anchor": "lid.slow", "line": 20},
        {"kind": "alias", "name": "b", "anchor": "alias.b", "line": 27},
    ]
    assert dumped["examples"] == [{"first": 22, "last": 24, "language": "haproxy"}]
    assert dumped["tables"] == [{"kind": "grid", "first": 26, "last": 27, "rows": 1, "columns": 2}]
    assert dumped["references"] == [
        {"line": 18, "column": 5, "text": "pot", "outcome": "resolved",
         "targets": [{"document": "manual", "anchor": "pot"}]},
        {"line": 18, "column": 30, "text": "https://example.org/", "outcome": "external",
         "targets": [{"url": "https://example.org/"}]},
    ]  # fmt: skip


def test_a_text_read_and_dumped() -> None:
    manual = read_manual(TEXT, "kettle.txt", default_product(), "kettle")
    text = tree_text(manual)
    assert text == tree_text(read_manual(TEXT, "other.txt", default_product(), "kettle"))
    assert 'section 10-17 "1" "Heating" #1' in text
    assert "        |heat 95\n" in text
    dumped = _checked(json_text([manual]))
    assert isinstance(dumped, dict)
    assert dumped["lines"] == {"total": 17, "accounted": 17}


def test_several_manuals_are_a_list() -> None:
    manual = read_manual(TEXT, "kettle.txt", default_product(), "kettle")
    dumped = _checked(json_text([manual, manual]))
    assert isinstance(dumped, list)
    assert len(dumped) == 2


@pytest.mark.parametrize(
    "content", [b"", b"\xff\x01\n", b"\x1b[31m\n" * 3, "∞ \u202e x\n".encode()]
)
def test_odd_input(content: bytes) -> None:
    manual = read_manual(content, "odd.txt", default_product(), "odd")
    _checked(json_text([manual]))
    assert tree_text(manual).startswith("manual odd ")


def test_depth_needs_no_stack() -> None:
    """A text that nests as deep as it can is dumped all the same."""
    body: tuple[Labelled, ...] = ()
    for _ in range(3000):
        body = (Labelled("Note", "note", body, Span(1, 1)),)
    section = Section("", "Deep", "deep", 1, body, (), Span(1, 1), Span(1, 1))
    source = read_manual(b"x\n", "x", default_product(), "x").source
    header = Header()
    manual = Manual("deep", source, header, (), (), None, (section,), None, ())
    assert tree_text(manual).count("labelled") == 3000


@pytest.mark.slow
def test_the_real_manuals_keep_to_the_schema(corpus: Path) -> None:
    products = load_products([resource_folder("manuals")])
    releases = sorted((corpus / "haproxy").iterdir())
    for folder in {releases[0], releases[-1]}:
        for path in sorted(folder.glob("*.txt")):
            content = path.read_bytes()
            product, name = _whose(content, path, products)
            manual = read_manual(content, str(path), product, name)
            dumped = _checked(json_text([manual]))
            assert isinstance(dumped, dict)
            lines = dumped["lines"]
            assert isinstance(lines, dict)
            assert lines["accounted"] == lines["total"], path
            if name == "configuration":
                entries = dumped["entries"]
                assert isinstance(entries, list)
                assert len(entries) > 400


def _whose(content: bytes, path: Path, products: tuple[Product, ...]) -> tuple[Product, str]:
    recognized = recognize(products, content[:4096].decode("latin-1"), path.name)
    if recognized is None:
        return default_product(), path.stem
    return recognized[0], recognized[1].name


def _checked(text: str) -> Json:
    """The value of `text`, after the schema has found nothing in it."""
    assert text.endswith("\n")
    dumped: Json = json.loads(text)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(dumped)
    return dumped


@pytest.mark.parametrize("order", ["kettle pot steam", "steam pot kettle"])
def test_a_text_is_dumped_once_with_its_stubs_and_links(
    order: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kettle.8").write_text("A kettle boils water for tea.\n")
    (tmp_path / "pot.8").write_text(".so kettle.8\n")
    (tmp_path / "steam.8").symlink_to("kettle.8")
    files = [str(tmp_path / f"{name}.8") for name in order.split()]
    assert main(["dump", "--format", "json", *files]) == 0
    dumped = json.loads(capsys.readouterr().out)
    jsonschema.validate(dumped, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert dumped["document"]["name"] == "kettle.8"
    assert sorted(dumped["document"]["other_names"]) == ["pot.8", "steam.8"]
