"""The table `scopes` of a dialect: what the names of examples are by where they stand."""

from __future__ import annotations

from dconv.model.dialect import LineScope, Scopes
from dconv.settings.toml import Table


def read_scopes(table: Table) -> Scopes:
    """What the table `scopes` of a dialect says; raises `SettingsError`."""
    table.known("sections", "lines", "words")
    sections, lines, words = (table.table(key) for key in ("sections", "lines", "words"))
    words.known("action", "fetch", "converter", "alias", "predicate")
    return Scopes(
        sections={name: sections.texts(name) for name in sections.values},
        lines=tuple([_line_scope(key, lines.text(key)) for key in lines.values]),
        words={role: words.texts(role) for role in words.values},
    )


def _line_scope(form: str, kind: str) -> LineScope:
    """`server <name> <address>`: the words that a line starts with, and what is passed over."""
    words = form.split()
    return LineScope(tuple([word for word in words if word[0] != "<"]), len(words), kind)
