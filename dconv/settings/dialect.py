"""`dialect.toml`, or `[dialect]` of `manual.toml`: how the texts of a product are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from dconv.model.dialect import (
    DEFAULT_KIND,
    NEVER_MATCHES,
    Dialect,
    EntryLayout,
    EntryRule,
    Explanation,
    Hint,
    ItemRule,
    LineSyntax,
    LogFormat,
    NameRule,
    Syntax,
)
from dconv.settings.shared_keys import HTTP_URL, read_address
from dconv.settings.toml import Table, load, suggestion

NAME_RULES: tuple[NameRule, ...] = get_args(NameRule)
ENTRY_LAYOUTS: tuple[EntryLayout, ...] = get_args(EntryLayout)


def read_dialect(file: Table, folder: Path, name: str) -> Dialect:
    """The dialect of the product `name`: that of `folder`/dialect.toml, or of its manual.toml.

    `file` is the manual.toml.  Raises `SettingsError`.
    """
    table = _dialect_table(file, folder)
    table.expect_keys(
        "entry", "item", "hint", "prose", "arguments", "priority", "equal_priority",
        "value_words", "always_names", "bare_kinds", "rule_sets", "document_names",
        "external_files", "syntax", "code_language", "code_line", "optional_prefixes",
        "man_pages", "explain",
    )
    entry_rules = tuple([_entry_rule(item) for item in table.tables("entry")])
    item_rules = tuple([_item_rule(item) for item in table.tables("item")])
    kinds = {rule.kind for rule in entry_rules} | {rule.kind for rule in item_rules}
    _check_kinds(table, kinds | {DEFAULT_KIND})
    rule_sets, documents = table.table("rule_sets"), table.table("document_names")
    files = table.table("external_files")
    return Dialect(
        name=name,
        entry_rules=entry_rules,
        item_rules=item_rules,
        prose_titles=table.patterns("prose"),
        argument_patterns=_argument_patterns(table),
        priority=table.strings("priority"),
        equal_priority=table.strings("equal_priority"),
        value_words=table.strings("value_words"),
        always_names=table.strings("always_names"),
        bare_kinds=table.strings("bare_kinds"),
        hints=tuple([_hint(item) for item in table.tables("hint")]),
        rule_sets={column: rule_sets.string(column) for column in rule_sets.values},
        document_names={name: documents.pattern(name) for name in documents.values},
        external_files={
            name.casefold(): read_address(files, name, HTTP_URL, default=None)
            for name in files.values
        },
        syntax=_syntax(table.table("syntax")),
        explanation=_explanation(table.table("explain")),
        code_language=table.string("code_language", ""),
        code_line=table.pattern("code_line") if table.has("code_line") else NEVER_MATCHES,
        optional_prefixes=table.strings("optional_prefixes"),
        man_pages=_man_pages(table),
    )


def _check_kinds(table: Table, kinds: set[str]) -> None:
    """Raise `SettingsError` where a kind is named that no entry and no item gives."""
    for part, key, kind in _used_kinds(table):
        if kind not in kinds:
            remedy = suggestion(kind, tuple(sorted(kinds)))
            raise part.error(f"has an unknown kind '{kind}' in '{key}'; {remedy}")


def _used_kinds(table: Table) -> Iterator[tuple[Table, str, str]]:
    """Yield each kind that is named elsewhere, after the table and the key that name it."""
    syntax, explain = table.table("syntax"), table.table("explain")
    lists = [(table, key) for key in ("priority", "equal_priority", "bare_kinds")]
    lists += [(hint, "kinds") for hint in table.tables("hint")]
    strings = [(explain.table("state"), "kind"), (explain, "column_kind")]
    for parent in (syntax, explain):
        for part in (parent.table("sections"), parent.table("roles")):
            lists += [(part, key) for key in part.values]
    for part in (syntax.table("lines"), explain.table("lines"), explain.table("list_kinds")):
        strings += [(part, key) for key in part.values]
    for part, key in lists:
        yield from ((part, key, kind) for kind in part.strings(key))
    for part, key in strings:
        if part.has(key):
            yield part, key, part.string(key)


def _entry_rule(table: Table) -> EntryRule:
    table.expect_keys("kind", "title", "names", "signature", "layout")
    signature = table.pattern("signature") if table.has("signature") else None
    title = table.pattern("title", None if signature is None else "")
    return EntryRule(
        table.string("kind"), title, table.choice("names", NAME_RULES) or "words", signature,
        table.choice("layout", ENTRY_LAYOUTS) or "signature",
    )


def _argument_patterns(table: Table) -> tuple[re.Pattern[str], ...]:
    patterns = table.patterns("arguments")
    for number, pattern in enumerate(patterns, 1):
        if not pattern.groups:
            raise table.error(
                f"has no group in item {number} of 'arguments'; put parentheses around the words"
            )
    return patterns


def _hint(table: Table) -> Hint:
    table.expect_keys("kinds", "before", "after")
    before, after = (table.pattern(key) if table.has(key) else None for key in ("before", "after"))
    if before is None and after is None:
        raise table.error("has neither 'before' nor 'after'; add the words around the name")
    kinds = table.strings("kinds")
    if not kinds:
        raise table.error("has no 'kinds'; name those that the words mean")
    return Hint(kinds, before, after)


def _item_rule(table: Table) -> ItemRule:
    table.expect_keys("kind", "term", "title", "label", "entry", "quoted_as", "qualifier")
    term = table.pattern("term", group="name")
    title, label, entry = (table.pattern(key, "") for key in ("title", "label", "entry"))
    qualifier = table.pattern("qualifier") if table.has("qualifier") else None
    if qualifier is not None and not qualifier.groups:
        raise table.error("has a 'qualifier' without a group; put parentheses around the words")
    return ItemRule(table.string("kind"), term, title, label, entry, _quoted_as(table), qualifier)


def _quoted_as(table: Table) -> tuple[str, ...]:
    """The forms in which prose quotes an item: one, several in a list, or none."""
    if not table.has("quoted_as"):
        return ("{name}",)
    if isinstance(table.values["quoted_as"], list):
        forms = table.strings("quoted_as")
    else:
        form = table.string("quoted_as", "")
        forms = (form,) if form else ()
    for form in forms:
        if "{name}" not in form:
            raise table.error(f"has a 'quoted_as' without {{name}}: '{form}'; put it there")
    return forms


def _man_pages(table: Table) -> str:
    """The address of manual pages on the web; if it is empty, only those of the site are links."""
    address = table.string("man_pages", "")
    if address and not ("{name}" in address and HTTP_URL.fullmatch(address)):
        raise table.error(
            f"has 'man_pages' without https:// or without {{name}}: '{address}'; "
            "write an address with {name} and {section}, or nothing"
        )
    return address


def _syntax(table: Table) -> Syntax:
    """The kinds of names that examples have at each place of a line."""
    table.expect_keys("sections", "lines", "roles")
    roles = table.table("roles")
    roles.expect_keys("action", "fetch", "converter", "alias", "predicate")
    return Syntax(
        table.table("sections").lists(), _line_syntax(table.table("lines")), roles.lists()
    )


def _explanation(table: Table) -> Explanation:
    """What explaining configurations and log lines needs besides the syntax."""
    table.expect_keys(
        "sections", "lines", "roles", "list_kinds", "directive_prefixes", "condition_words",
        "log_format", "optional_fields", "field_patterns", "timer_fields", "state", "column_kind",
    )
    roles, list_kinds, optional_fields, field_patterns, state = (
        table.table(key)
        for key in ("roles", "list_kinds", "optional_fields", "field_patterns", "state")
    )
    roles.expect_keys("acl", "flag", "prefix")
    state.expect_keys("kind", "fields", "places")
    log_formats = [
        item.expect_keys("name", "text", "variable") for item in table.tables("log_format")
    ]
    return Explanation(
        sections=table.table("sections").lists(),
        lines=_line_syntax(table.table("lines")),
        roles=roles.lists(),
        list_kinds={word: list_kinds.string(word) for word in list_kinds.values},
        directive_prefixes=table.strings("directive_prefixes"),
        condition_words=table.strings("condition_words"),
        log_formats=tuple([
            LogFormat(item.string("name"), item.string("text"), item.string("variable", ""))
            for item in log_formats
        ]),
        optional_fields={
            name: optional_fields.pattern(name).pattern for name in optional_fields.values
        },
        field_patterns={
            name: field_patterns.pattern(name).pattern for name in field_patterns.values
        },
        timer_fields=table.strings("timer_fields"),
        state_fields=state.strings("fields"),
        state_kind=state.string("kind", ""),
        state_places=state.strings("places"),
        column_kind=table.string("column_kind", ""),
    )


def _line_syntax(table: Table) -> tuple[LineSyntax, ...]:
    """The syntax of `table`: "server <name> <address>" = the kind of the words behind it."""
    return tuple([
        LineSyntax(
            tuple([word for word in line.split() if word[0] != "<"]), len(line.split()),
            table.string(line),
        )
        for line in table.values
    ])


def _dialect_table(file: Table, folder: Path) -> Table:
    dialect_file = folder / "dialect.toml"
    if not dialect_file.is_file():
        return file.table("dialect")
    if file.has("dialect"):
        raise file.error("has a [dialect] and a dialect.toml beside it; keep one of them")
    return load(dialect_file)
