"""`search.toml` and `phrases.toml`: what a product's readers call things.

`Vocabulary` (`model/search_terms.py`) says what each key holds, section 6.6 of our manual what it
is for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from dconv.model.search_terms import STOPWORDS, Phrase, Vocabulary
from dconv.settings.toml import Table, load

# "proxy keyword/stick-table", "configuration#11", "management#Unix Socket commands"
TARGET = re.compile(r"[^/#]+/.+|[^/#]+#.+")


def read_vocabulary(folder: Path, rule_sets: Mapping[str, str]) -> Vocabulary:
    """The vocabulary in `folder`, with `rule_sets` of the dialect; raises `SettingsError`."""
    file = folder / "search.toml"
    table = load(file) if file.is_file() else Table(str(file), "", "", {})
    table.expect_keys(
        "priority", "optional_prefixes", "stopwords", "abbreviations", "scopes", "states",
        "synonyms",
    )
    phrases_file = folder / "phrases.toml"
    phrases: tuple[Phrase, ...] = ()
    if phrases_file.is_file():
        tables = load(phrases_file).expect_keys("phrase").tables("phrase")
        phrases = tuple([_phrase(item) for item in tables])
    return Vocabulary(
        priority=table.strings("priority"),
        optional_prefixes=table.strings("optional_prefixes"),
        abbreviations=_abbreviations(table.table("abbreviations")),
        scopes=table.table("scopes").lists(),
        states=table.table("states").lists(),
        stopwords=table.strings("stopwords") if table.has("stopwords") else STOPWORDS,
        synonyms=_synonyms(table.table("synonyms")),
        phrases=phrases,
        rule_sets=rule_sets,
    )


def _abbreviations(table: Table) -> dict[str, tuple[str, ...]]:
    abbreviations = table.lists()
    words: dict[str, str] = {}
    for word, forms in abbreviations.items():
        for short in forms:
            if short in words:
                raise table.error(
                    f"has '{short}' for both '{words[short]}' and '{word}'; keep one of them"
                )
            words[short] = word
    return abbreviations


def _synonyms(table: Table) -> dict[str, tuple[str, ...]]:
    synonyms = table.lists()
    for word, others in synonyms.items():
        for other in (word, *others):
            if other.split() != [other]:
                raise table.error(
                    f"has '{other}' for '{word}'; write single words, and phrases in phrases.toml"
                )
    return synonyms


def _phrase(table: Table) -> Phrase:
    table.expect_keys("queries", "targets")
    queries, targets = table.strings("queries"), table.strings("targets")
    if not queries or not targets:
        raise table.error("needs 'queries' for a task, and 'targets', the places that answer them")
    for target in targets:
        if not TARGET.fullmatch(target):
            raise table.error(f"has a target '{target}'; write 'kind/name' or 'document#section'")
    return Phrase(queries, targets)
