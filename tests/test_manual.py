"""Our own manual: well formed, complete, and as the program is.

What the manual documents is compared with the program itself (its parser of
arguments, its settings loaders, its schema), so that the manual cannot go stale.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from dconv.build.read import link_texts, read_manual, read_text, release_document
from dconv.build.render import release_files
from dconv.cli import arguments, main
from dconv.model import references
from dconv.model.diagnostics import RULE_NAMES
from dconv.model.origin import Origin
from dconv.model.tree import (
    Argument,
    Definition,
    Entry,
    Example,
    Heading,
    Hyperlink,
    Inline,
    Manual,
    Paragraph,
    Preformatted,
    Reference,
    SeeAlso,
    Span,
    Table,
    entries,
    plain_text,
    sections,
    walk,
)
from dconv.settings.manual import load_product, load_products
from dconv.settings.site import load_site
from dconv.settings.toml import SettingsError
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import SourceText
from dconv.writers.dump.data import json_text
from dconv.writers.pages.page import Release, SiteInfo
from dconv.writers.theme import theme

ROOT = Path(__file__).parent.parent
WIDTH = 80  # columns
# "known are 'name', 'title'" at the end of an error about an unknown key
KNOWN_KEYS = re.compile(r"known are ((?:'[^']+'(?:, )?)+)$")
Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | None"
# keys that are tables of their own, whose keys are documented
TABLES = frozenset({
    "product.release", "product.accept", "shelf.accept", "dialect.entry", "dialect.item",
    "dialect.hint",
})  # fmt: skip

ORIGIN = Origin("our own text")
SITE = '[site]\ntitle = "t"\n'


@pytest.fixture(scope="module")
def product() -> Product:
    return load_product(resource_folder("manuals") / "dconv")


@pytest.fixture(scope="module")
def text(product: Product) -> SourceText:
    path = product.folder / product.documents[0].file
    return SourceText(path.read_bytes(), path.name, product, product.documents[0], ORIGIN)


@pytest.fixture(scope="module")
def manual(text: SourceText) -> Manual:
    return link_texts([text], [read_text(text)])[0]


# --- form -----------------------------------------------------------------------------


def test_no_diagnostic_and_nothing_lost(text: SourceText, manual: Manual) -> None:
    document = release_document(text, manual)
    release = Release("dconv", "dconv", "0.1", (document,))
    files = release_files(release, SiteInfo("Manuals", "dconv"), theme.load("default"))
    assert [str(finding) for finding in files.diagnostics] == []
    assert [(proof.line_count, proof.losses) for proof in files.proofs] == [
        (len(manual.source.lines), ())
    ]


def test_summary_equals_titles(manual: Manual) -> None:
    titles = [(section.number, section.title) for section in sections(manual)]
    assert [(line.number, line.title) for line in manual.contents] == titles


def test_lines_fit_80_columns_outside_examples_and_tables(manual: Manual) -> None:
    verbatim = {
        number
        for node in _nodes(manual)
        if isinstance(node, Example | Preformatted | Table)
        for number in _numbers(node.span)
    }
    long = [
        line.number
        for line in manual.source.lines
        if line.indent + len(line.text) > WIDTH and line.number not in verbatim
    ]
    assert long == []


def test_no_tabs_no_trailing_blanks_no_odd_indentation(manual: Manual) -> None:
    raw = manual.source.raw
    assert not [number for number, line in enumerate(raw, 1) if b"\t" in line or b"\r" in line]
    assert not [number for number, line in enumerate(raw, 1) if line.rstrip() + b"\n" != line]
    assert b"".join(raw).isascii()


def test_every_construct_is_used(manual: Manual) -> None:
    nodes = list(_nodes(manual))
    assert {type(node).__name__ for node in nodes} >= {
        "Definition", "Definitions", "Entry", "Example", "Heading", "Item", "Labelled", "List",
        "Paragraph", "Preformatted", "SeeAlso", "Table",
    }  # fmt: skip
    tables = {node.kind for node in nodes if isinstance(node, Table)}
    assert tables >= {"matrix", "ruled", "grid", "pipes", "columns"}
    entries = [node for node in nodes if isinstance(node, Entry)]
    assert {usage.kind for entry in entries for usage in entry.usages} == {
        "sections", "contexts", "rule sets", "default-server",
    }  # fmt: skip
    signatures = [signature for entry in entries for signature in entry.signatures]
    for flag in ("negated", "deprecated", "experimental", "type"):
        assert any(getattr(signature, flag) for signature in signatures), flag
    assert any(len(entry.signatures) > 1 for entry in entries)
    assert {section.level for section in sections(manual)} == {1, 2, 3}
    assert any(node.language == "console" for node in nodes if isinstance(node, Preformatted))
    assert manual.preface


def test_names_in_quotes_are_links(manual: Manual) -> None:
    """Quotes hold nothing but names that lead somewhere; captions may show any."""
    captions = {
        id(part) for node in _nodes(manual) if isinstance(node, Example) for part in node.caption
    }
    unlinked = [
        (part.line, part.name)
        for node in _nodes(manual)
        for part in _inlines(node)
        if isinstance(part, Reference) and part.kind in {"name", "listed"}
        if not part.targets and id(part) not in captions
    ]
    assert unlinked == []


def test_references_lead_to_one_place_each(manual: Manual) -> None:
    mentions = list(references.mentions(manual))
    assert {mention.outcome for mention in mentions} == {"resolved", "external"}
    assert [mention.url for mention in mentions if mention.url.endswith("//")] == []
    count_text = f"{len(mentions)} references: "
    assert str(references.count_references(manual)).startswith(count_text)


def test_sections_that_are_named_exist(manual: Manual) -> None:
    numbers = {section.number for section in sections(manual)}
    prose = " ".join(line.text for line in manual.source.lines)
    named = set(re.findall(r"\bsections? (\d+(?:\.\d+)*)", prose))
    # Those that examples name are of other manuals, and of RFCs.
    assert named - numbers <= {"2.1", "2.4", "2.3.2"} - numbers


def test_the_specimen_has_links_of_all_kinds(manual: Manual) -> None:
    flame = next(entry for _, entry in entries(manual) if entry.name == "flame")
    parts = [part for node in walk(flame.body) for part in _inlines(node)]
    linked = {part.name: part.targets for part in parts if isinstance(part, Reference)}
    assert {name: [target.anchor for target in places] for name, places in linked.items()} == {
        "oil.level(h)": ["specimen.oil.level"],
        "oil.level": ["specimen.oil.level"],
        "wick-length": ["specimen.wick-length"],
        "wick-length 6": ["specimen.wick-length"],
        "7.5": ["7.5"],
    }
    assert {part.url for part in parts if isinstance(part, Hyperlink)} == {
        "https://www.rfc-editor.org/rfc/rfc2324#section-2.3.2"
    }
    arguments = [part for part in parts if isinstance(part, Argument) and part.text == "<time>"]
    assert [part.target.anchor for part in arguments if part.target] == ["specimen.flame.time"]


def test_a_hint_separates_two_directives_of_one_name(manual: Manual) -> None:
    hints = [
        target.anchor
        for _, entry in entries(manual)
        if (entry.kind, entry.name) == ("manual directive", "product.name")
        for node in walk(entry.body)
        for part in _inlines(node)
        if isinstance(part, Reference)
        for target in part.targets
    ]
    assert hints == ["site-directive.product.name"]


# --- content --------------------------------------------------------------------------


def test_documented_commands_and_options_are_those_of_the_program(manual: Manual) -> None:
    documented = {
        entry.name: _options(entry) for _, entry in entries(manual) if entry.kind == "command"
    }
    commands = _commands()
    common = set.intersection(*commands.values())
    expected = {name: options - common for name, options in commands.items()}
    assert documented == {**expected, "dconv": common | _option_strings(_program())}


def test_matrix_of_options_is_right(manual: Manual) -> None:
    section = next(
        candidate for candidate in sections(manual) if candidate.title.startswith("Which option")
    )
    table = next(block for block in section.body if isinstance(block, Table))
    names = [f"dconv {plain_text(cell.content)}" for cell in table.head[0].cells[1:]]
    shown = {
        (name, plain_text(row.cells[0].content))
        for row in table.rows
        for name, cell in zip(names, row.cells[1:], strict=True)
        if plain_text(cell.content) == "X"
    }
    assert names == sorted(_commands())
    assert shown == {
        (name, option)
        for name, options in _commands().items()
        for option in options - {"--help"}
        if option.startswith("--")
    }


def test_site_directives_are_the_keys_of_the_loader(
    manual: Manual, product: Product, tmp_path: Path
) -> None:
    head = f'{SITE}[[product]]\nname = "dconv"\n'
    contents = {
        "site": '[site]\nunknown = ""\n',
        "search": f'{SITE}[search]\nunknown = ""\n',
        "shelf": f'{SITE}[[shelf]]\nunknown = ""\n',
        "product": f'{head}unknown = ""\n',
        "product.accept": f'{head}[[product.accept]]\nunknown = ""\n',
        "shelf.accept": f'{SITE}[[shelf]]\nfolder = "."\n[[shelf.accept]]\nunknown = ""\n',
        "product.release": f'{head}[[product.release]]\nunknown = ""\n',
    }
    keys = {
        table: _site_keys(content, product, tmp_path) for table, content in contents.items()
    }
    assert _names(manual, "site directive") == _directives(keys)


def test_manual_directives_are_the_keys_of_the_loader(manual: Manual, tmp_path: Path) -> None:
    head = '[product]\nname = "x"\ntitle = "t"\n'
    keys = {
        "product": _manual_keys('[product]\nunknown = ""\n', tmp_path),
        "document": _manual_keys(f'{head}[[document]]\nunknown = ""\n', tmp_path),
        "source": _manual_keys(f'{head}[[source]]\nunknown = ""\n', tmp_path),
        "old_links": _manual_keys(f'{head}[old_links]\nunknown = ""\n', tmp_path),
        "release": _manual_keys(f'{head}[[release]]\nunknown = ""\n', tmp_path),
        "check": _manual_keys(f'{head}[check]\nunknown = ""\n', tmp_path),
    }
    assert _names(manual, "manual directive") == _directives(keys)
    keys = {
        table: _manual_keys(f'{head}{opening}\nunknown = ""\n', tmp_path)
        for table, opening in (
            ("dialect", "[dialect]"),
            ("dialect.entry", "[[dialect.entry]]"),
            ("dialect.item", "[[dialect.item]]"),
            ("dialect.hint", "[[dialect.hint]]"),
        )
    }
    assert _names(manual, "dialect directive") == _directives(keys)


def test_search_directives_are_the_keys_of_the_loader(manual: Manual, tmp_path: Path) -> None:
    _manual_keys('[product]\nunknown = ""\n', tmp_path)
    (tmp_path / "manual.toml").write_text('[product]\nname = "x"\ntitle = "t"\n')
    keys = {}
    for table, file, content in (
        ("search", "search.toml", 'unknown = ""\n'),
        ("phrase", "phrases.toml", '[[phrase]]\nunknown = ""\n'),
    ):
        (tmp_path / file).write_text(content)
        with pytest.raises(SettingsError) as error:
            load_product(tmp_path)
        keys[table] = _known_keys(str(error.value))
        (tmp_path / file).unlink()
    assert _names(manual, "search directive") == _directives(keys)


def test_program_directives_are_the_keys_of_the_loader(
    manual: Manual, tmp_path: Path
) -> None:
    (tmp_path / "manual.toml").write_text('[product]\nname = "x"\ntitle = "t"\n')
    head = "command = 'x'\nheading = '(?P<title>.)'\ncomment = 'x'\n"
    keys = {}
    for table, content in (
        ("program", 'unknown = ""\n'), ("list", f'{head}[[list]]\nunknown = ""\n')
    ):
        (tmp_path / "program.toml").write_text(content)
        with pytest.raises(SettingsError) as error:
            load_product(tmp_path)
        keys[table] = _known_keys(str(error.value)) - {"list"}
    assert _names(manual, "program directive") == _directives(keys)


def test_fields_are_those_of_the_schema(manual: Manual) -> None:
    schema: Json = json.loads((ROOT / "dconv/writers/dump/dump.schema.json").read_text())
    assert _names(manual, "JSON field") == set(_fields(schema, _at(schema, "$defs", "manual"), ""))


def test_rules_are_those_of_the_program(manual: Manual) -> None:
    literal = {rule for path in (ROOT / "dconv").rglob("*.py") for rule in _rules(path)}
    assert literal <= {*RULE_NAMES}
    assert _names(manual, "diagnostic") == {*RULE_NAMES}


def test_environment_variables_are_used(manual: Manual) -> None:
    documented = {
        term.name
        for node in _nodes(manual)
        if isinstance(node, Definition)
        for term in node.terms
        if term.kind == "environment variable"
    }
    variables = set(re.findall(r"environ(?:ment)?(?:\.get\(|\[)[\"'](\w+)", _code("dconv")))
    dconv_variables = set(re.findall(r"\b(DCONV_[A-Z]+)\b[\"']", _code("dconv") + _code("tests")))
    assert documented == (variables - {"HOME", "PATH"}) | dconv_variables


def test_the_examples_of_settings_can_be_loaded(manual: Manual, tmp_path: Path) -> None:
    products = load_products([resource_folder("manuals")])
    shown = [
        "\n".join(node.lines) + "\n" for node in _nodes(manual) if isinstance(node, Preformatted)
    ]
    sites = [example for example in shown if example.startswith("[site]")]
    manuals = [example for example in shown if example.startswith("[product]")]
    assert len(sites) >= 2
    assert len(manuals) >= 2
    for number, example in enumerate(sites):
        path = tmp_path / f"site-{number}.toml"
        path.write_text(example)
        assert load_site(path, products).products
    for example in manuals:
        (tmp_path / "manual.toml").write_text(example)
        assert load_product(tmp_path).dialect.entry_rules


def test_the_tutorial_gives_the_dump_that_is_shown(manual: Manual, tmp_path: Path) -> None:
    shown = [
        "\n".join(node.lines) + "\n" for node in _nodes(manual) if isinstance(node, Preformatted)
    ]
    settings, entry, data = (
        next(example for example in shown if example.startswith(start))
        for start in ("[product]", "wick-length <length>\n", '{\n "kind"')
    )
    (tmp_path / "manual.toml").write_text(settings)
    title = "{0}. {1}\n----------\n\n{2}\n"
    text = title.format(1, "About", "Some words.\n") + title.format(2, "Directives", entry)
    lamp = load_product(tmp_path)
    read = read_manual(text.encode(), "manual.txt", lamp, "manual")
    dumped = json.loads(json_text([read]))
    assert dumped["entries"] == [json.loads(data)]


def test_the_example_of_the_check_is_its_output(
    manual: Manual, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (shown,) = [
        node.lines for node in _nodes(manual)
        if isinstance(node, Preformatted) and node.lines[0] == "$ dconv check configuration.txt"
    ]
    monkeypatch.chdir(tmp_path)
    words = next(line.partition(" | ")[2] for line in shown if "34 | " in line)
    Path("configuration.txt").write_text(f"Lamp\n====\n{chr(10) * 31}{words}\n")
    assert main(["check", "configuration.txt"]) == 1
    assert capsys.readouterr().out.splitlines() == [line.removeprefix(">>> ") for line in shown[1:]]


# --- the manual's side ----------------------------------------------------------------


def _nodes(manual: Manual) -> Iterator[object]:
    yield from walk(manual.preface)
    for section in sections(manual):
        yield from walk(section.body)


def _numbers(span: Span) -> range:
    return range(span.first, span.last + 1)


def _inlines(node: object) -> Iterator[Inline]:
    """What is in the lines of `node`; terms of definitions may be any words."""
    match node:
        case Paragraph() | SeeAlso() | Heading():
            yield from node.content
        case Example():
            yield from node.caption
        case Table():
            for row in (*node.head, *node.rows):
                for cell in row.cells:
                    yield from cell.content
        case _:
            pass


def _names(manual: Manual, kind: str) -> set[str]:
    return {
        signature.name
        for _, entry in entries(manual)
        if entry.kind == kind
        for signature in entry.signatures
    }


def _options(entry: Entry) -> set[str]:
    return {
        term.name
        for node in walk(entry.body)
        if isinstance(node, Definition)
        for term in node.terms
        if term.kind == "option"
    }


# --- the program's side ---------------------------------------------------------------


def _code(folder: str) -> str:
    return "".join(path.read_text() for path in sorted((ROOT / folder).rglob("*.py")))


def _program() -> argparse.ArgumentParser:
    return arguments.parser()


def _commands() -> dict[str, set[str]]:
    """The options of every command: {"dconv build": {"--site", …}, …}."""
    options: dict[str, set[str]] = {}
    for action in _program()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, parser in action.choices.items():
                options[f"dconv {name}"] = _option_strings(parser)
    return options


def _option_strings(parser: argparse.ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings}


def _site_keys(content: str, product: Product, folder: Path) -> set[str]:
    path = folder / "site.toml"
    path.write_text(content)
    with pytest.raises(SettingsError) as error:
        load_site(path, (product,))
    return _known_keys(str(error.value))


def _manual_keys(content: str, folder: Path) -> set[str]:
    (folder / "manual.toml").write_text(content)
    with pytest.raises(SettingsError) as error:
        load_product(folder)
    return _known_keys(str(error.value))


def _known_keys(message: str) -> set[str]:
    match = KNOWN_KEYS.search(message)
    assert match is not None, message
    return set(re.findall(r"'([^']+)'", match[1]))


def _directives(keys: dict[str, set[str]]) -> set[str]:
    return {f"{table}.{key}" for table, table_keys in keys.items() for key in table_keys} - TABLES


def _at(value: Json, *path: str) -> Json:
    for key in path:
        assert isinstance(value, dict)
        value = value[key]
    return value


def _fields(root: Json, schema: Json, name: str) -> Iterator[str]:
    """The dotted names of all fields below `schema` that hold no other fields."""
    assert isinstance(schema, dict)
    if "$ref" in schema:
        path = str(schema["$ref"]).removeprefix("#/").split("/")
        yield from _fields(root, _at(root, *path), name)
    elif "properties" in schema:
        properties = schema["properties"]
        assert isinstance(properties, dict)
        for key, inner in properties.items():
            yield from _fields(root, inner, f"{name}.{key}".lstrip("."))
    elif "items" in schema:
        yield from _fields(root, schema["items"], name)
    elif "oneOf" in schema:
        choices = schema["oneOf"]
        assert isinstance(choices, list)
        for choice in choices:
            yield from _fields(root, choice, name)
    else:
        yield name


def _rules(path: Path) -> Iterator[str]:
    """The rule of every diagnostic that the module `path` makes."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Diagnostic":
            rule = node.args[4]
            if isinstance(rule, ast.Constant):
                yield str(rule.value)
