"""Markdown: what it becomes, and that nothing of it is lost or does harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from dconv.linking import link, symbols
from dconv.model.references import (
    all_inlines,
    inlines,
    missing_images,
    reference_findings,
)
from dconv.model.tree import (
    Definitions,
    Footnote,
    Image,
    Manual,
    Paragraph,
    Preformatted,
    Reference,
    Section,
    Table,
    Target,
    anchors,
    entries,
    plain_text,
    sections,
    walk,
    walk_inlines,
)
from dconv.proof.expected_words import expected_word_losses
from dconv.readers import READERS, format_of
from dconv.settings.manual import default_product
from dconv.writers.dump.text import tree_text

EXAMPLES = Path(__file__).parent / "markdown"


def read(text: str, name: str = "manual.md") -> Manual:
    """The manual that `text` is, of which no word is lost."""
    manual = READERS["markdown"](text.encode(), name, default_product().dialect, "manual")
    assert [str(loss) for loss in expected_word_losses(manual)] == []
    return manual


def section(manual: Manual, title: str) -> Section:
    return next(candidate for candidate in sections(manual) if candidate.title == title)


def test_tasks_have_boxes() -> None:
    manual = read("- [ ] Oil\n- [x] `wick`\n- [] glass\n\n1. [X] **lit**\n\n[ ] none\n")
    assert [line.text for line in manual.source.lines if line.text] == [
        "☐ Oil", "☑ wick", "[] glass", "1", "☑ lit", "[ ] none",
    ]


def test_footnotes_of_all_shapes_are_kept() -> None:
    manual = read(
        "# Relay\n\nPass[^a] it[^b] on[^a].\n\n[^a]: Once.\n[^b]: *Slowly*,\n\n    and whole.\n\n"
        "[^a]: Twice.\n[^c]: Nobody asks.\n[^d]: [^e]: In another.\n\nNo note[^none].\n"
    )
    body = section(manual, "Relay").body
    links = [part.name for part in inlines(body) if isinstance(part, Reference)]
    assert links == ["#fn1", "#fn2", "#fn1"]
    notes = [node for node in walk(body) if isinstance(node, Footnote)]
    assert [(note.label, note.anchor) for note in notes[:2]] == [("1", "note-1"), ("2", "note-2")]
    text = "\n".join(line.text for line in manual.source.lines)
    for words in ("Once.", "and whole.", "Twice.", "Nobody asks.", "In another.", "note[^none]"):
        assert text.count(words) == 1


def test_whole(request: pytest.FixtureRequest) -> None:
    path = EXAMPLES / "relay.tree"
    manual = read((EXAMPLES / "relay.md").read_text())
    dumped = tree_text(manual)
    if request.config.getoption("--update-goldens", default=False):
        path.write_text(dumped, encoding="utf-8")
    assert dumped == path.read_text(encoding="utf-8"), "read it, then pytest --update-goldens"


def test_what_is_read() -> None:
    for name in ("a.md", "A.MD", "a.md.gz", "a.markdown", "a.mkd"):
        assert format_of(b"# Title\n", name) == "markdown"
    assert format_of(b"# Title\n\n- [a](b)\n", "a.txt") == "text"


def test_a_title_in_front_matter_may_be_on_several_lines() -> None:
    header = read("---\ntitle: >-\n  Care of\n  lamps\ndate: 2024-03-01\n---\nText.\n").header
    assert (header.title, header.date) == ("Care of lamps", "2024-03-01")


def test_title_date_and_front_matter() -> None:
    manual = read("---\ntitle: 'A b'\ndate: 2026-01-02\n---\n\nText.\n\n## One\n\n## Two\n")
    assert (manual.header.title, manual.header.date) == ("A b", "2026-01-02")
    words = manual.expected_words
    assert words is not None and dict(words.dropped) == {"front matter": 7}
    assert manual.source.file_line_number(1) == 6
    assert read("---\n\nText\n\n---\n").header.title == "manual"
    toml = read('+++\ntitle = "A b"\ndate = 2026-01-02\n+++\n\nText.\n').header
    assert (toml.title, toml.date) == ("A b", "2026-01-02")


def test_anchors_of_github() -> None:
    manual = read("# T\n\n## Install `foo` & Bar!\n\n## -x\n\n## Same\n\n## Same\n\n## É_b {#eb}\n")
    places = {*anchors(manual), *(name for name, _ in manual.aliases)}
    assert {"install-foo--bar", "x-x", "same", "same-1", "é_b", "eb"} <= places


def test_links_to_the_title_lead_to_the_document() -> None:
    dialect = default_product().dialect
    manual = read(
        "# The title <a name=t></a>\n\n<a id=x></a>Text.\n\n## A\n\n"
        "[1](#the-title) [2](#x) [3](#a)\n"
    )
    text = b"# B\n\n[1](manual.md#the-title) [2](manual.md#t) [3](manual.md#top)\n"
    other = READERS["markdown"](text, "b.md", dialect, "b")
    symbols_ = symbols.collect_symbols([(manual, "manual.md"), (other, "b.md")], dialect)
    links = [
        [part.targets for part in all_inlines(link.link(linked, symbols_, dialect))
         if isinstance(part, Reference)]
        for linked in (manual, other)
    ]
    start = (Target("manual", ""),)
    assert links == [[start, start, (Target("manual", "A"),)], [start, start, start]]


def test_lists_name_settings_only_where_their_section_says_so() -> None:
    items = "- `a`: one\n- `b`: two\n- text\n"
    options = read(f"# T\n\n## Settings\n\n{items}\n## Other\n\n{items}")
    assert [(entry.kind, entry.name) for _, entry in entries(options)] == [
        ("setting", "a"), ("setting", "b")
    ]


def test_notes_between_a_name_and_its_text() -> None:
    manual = read(
        "# T\n\n## Settings\n\n- `oil` (`int`, default: `2`): How much.\n"
        "- **`wick`** (*optional*) - The wick.\n- `a`, `b` (since `2`): Both.\n"
        "- `lid` (the `lid`\n"
    )
    found = [entry for _, entry in entries(manual)]
    assert [entry.names for entry in found] == [("oil",), ("wick",), ("a", "b")]
    assert found[0].signatures[0].text == "oil (int, default: 2)"


def test_a_list_of_bare_names_is_a_list() -> None:
    assert not [*entries(read("# T\n\n## Options\n\n- `--a`\n- `--b`\n"))]


def test_several_names_of_an_option() -> None:
    manual = read("# T\n\n## Options\n\n### `-g`, `--[no-]grow=<n>`\n\nText.\n\n### `-x`\n")
    first, second = [entry for _, entry in entries(manual)]
    assert first.names == ("--grow", "--no-grow", "-g")
    assert first.signatures[0].text == "-g, --[no-]grow=<n>"
    assert second.names == ("-x",)


def test_definitions() -> None:
    manual = read(
        "# T\n\n## A\n\n**-g**, **--grow**=*n*\n:   Grow\nmore.\n\nMule\n: One.\n: Two.\n"
    )
    grow = [entry for _, entry in entries(manual)]
    assert [entry.names for entry in grow] == [("--grow", "-g")]
    mule = section(manual, "A").body[1]
    assert isinstance(mule, Definitions) and len(mule.items[0].body) == 2


def test_rows_that_name_things() -> None:
    manual = read("# T\n\n## A\n\n| Option | Text |\n|--|--|\n| `--a`, `-b` | x |\n| words | y |\n")
    rows = next(node.rows for node in walk(section(manual, "A").body) if isinstance(node, Table))
    assert [(row.kind, row.name, row.anchor) for row in rows] == [
        ("option", "--a", "option.--a"), ("", "", "")
    ]


def test_what_stands_for_a_value_is_no_element() -> None:
    manual = read("# T\n\n## A\n\nGive --size <n> or <host>.\n\n<file>\n")
    texts = [
        plain_text(node.content) for node in walk(section(manual, "A").body)
        if isinstance(node, Paragraph)
    ]
    assert texts == [
        "Give --size <n> or <host>.", "<file>"
    ]


@pytest.mark.parametrize("depth", [10, 90, 300])
def test_deep_texts_are_whole(depth: int) -> None:
    read(f"# T\n\n## A\n\n{'> ' * depth}deep *end*\n")
    read("# T\n\n## A\n\n" + "".join(f"{'  ' * at}- item\n" for at in range(depth)))
    read(f"# T\n\n{'<div>' * depth}a <b>word</b>{'</div>' * depth} *end*\n")
    read(f"# T\n\n{'<b>' * depth}a word{'</b>' * depth} end\n")


def test_what_must_not_pass() -> None:
    manual = read(
        "# T\n\n## A\n\n<script>bad()</script> [a](javascript:bad)\n"
        "<a href='JaVa\tscript:bad'>b</a>\n"
        "<img src=x onerror=bad()> <iframe src=//bad.example></iframe>\n\n"
        "<form action=//bad.example><input value=bad>text</form>\n\n[c](data:text/html,bad)\n"
    )
    parts = [*inlines(manual.preface), *inlines(section(manual, "A").body)]
    assert not any(isinstance(part, Reference) for part in parts)
    assert [part.file for part in parts if isinstance(part, Image)] == ["x"]
    shown = " ".join(part.text for part in walk_inlines(tuple(parts)))
    assert "bad()" not in shown and "text" in shown
    assert manual.expected_words is not None and dict(manual.expected_words.dropped)["scripts"] == 1


def test_code_keeps_its_language_and_place() -> None:
    manual = read("# T\n\n## A\n\n```C++ x\n  int a;\n\tb;\n```\n\n```{note}\ntext\n```\n")
    first, second = [
        node for node in walk(section(manual, "A").body) if isinstance(node, Preformatted)
    ]
    assert (first.language, first.lines) == ("c++", ("int a;", "      b;"))
    assert manual.source.file_line_number(first.span.first) == 6
    assert second.language == ""


def test_options_of_a_list_are_entries_whatever_its_title() -> None:
    options = "- `--oil N`: how much\n- `-w`, `--wick`: which\n"
    text = f"# Pump\n\nPumps.\n\n## On deck\n\n{options}\n## Version 1.2\n\n{options}"
    manual = read(text)
    assert [entry.names for _, entry in entries(manual)] == [("--oil",), ("--wick", "-w")]


def test_links_and_images_without_target_are_reported_at_their_place() -> None:
    text = "See [it\nall](#wick), [oil](#--oil), [o](#--oil),\n![lid](<lid.png>)."
    manual = read(f"# Lamp\n\n{text}\n\n## Wick\n")
    dialect = default_product().dialect
    linked = link.link(manual, symbols.collect_symbols([(manual, "manual.md")], dialect), dialect)
    found = (*reference_findings(linked), *missing_images(linked, ()))
    assert [(item.line, item.column, item.rule) for item in found] == [
        (4, 20, "link-target"), (4, 33, "link-target"), (5, 9, "missing-image"),
    ]
    assert found[0].message == "there is no '#--oil' to link to"


def test_links_on_images_stay() -> None:
    badge = "[![CI](ci.svg)](https://ci.example.org/) [![](wick.png)](#lamp) ![](a/b.png)"
    manual = read(f"# Lamp\n\n{badge}\n\n[**![up](up.png) and up**](#lamp)\n\n## Wick\n")
    shown = [(type(node).__name__, node.text) for node in all_inlines(manual) if node.text.strip()]
    assert shown == [
        ("Hyperlink", "CI"), ("Image", "CI"), ("Reference", "wick.png"), ("Image", "wick.png"),
        ("Image", "b.png"), ("Strong", "up and up"), ("Reference", "up"), ("Image", "up"),
        ("Reference", " and up"),
    ]
