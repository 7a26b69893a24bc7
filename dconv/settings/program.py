"""`program.toml`: how a program lists its keywords, for `dconv check --keywords-from`.

Section 6.7 of our manual explains the keys, `KeywordList` the values.
"""

from __future__ import annotations

from pathlib import Path

from dconv.settings.toml import Table, load
from dconv.settings.types import NAME_PLACEHOLDER, KeywordList, Program


def read_program(folder: Path) -> Program | None:
    """The program of the product in `folder`, if it has one; raises `SettingsError`."""
    file = folder / "program.toml"
    if not file.is_file():
        return None
    table = load(file).expect_keys("command", "heading", "comment", "list")
    return Program(
        table.string("command"), table.pattern("heading", group="title"), table.pattern("comment"),
        tuple([_list(item) for item in table.tables("list")]),
    )


def _list(table: Table) -> KeywordList:
    table.expect_keys(
        "title", "section", "line", "documented_as", "kinds", "mention_is_enough", "complete",
        "unlisted", "undocumented",
    )
    full_name = table.string("documented_as", NAME_PLACEHOLDER)
    if full_name.count(NAME_PLACEHOLDER) != 1:
        raise table.error(
            f"has a 'documented_as' without {NAME_PLACEHOLDER}: '{full_name}'; put it there"
        )
    kinds = table.strings("kinds")
    if not kinds:
        raise table.error("has no 'kinds'; name those of the entries that document the list")
    return KeywordList(
        title=table.string("title"), section=table.string("section", ""),
        line=table.pattern("line", group="name"), documented_as=full_name, kinds=kinds,
        mention_is_enough=table.boolean("mention_is_enough"), complete=table.boolean("complete"),
        unlisted=table.patterns("unlisted"), undocumented=table.patterns("undocumented"),
    )

