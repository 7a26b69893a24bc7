"""The files that a release's search is made of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dconv.model.diagnostics import Diagnostic
from dconv.model.search_terms import Phrase, Vocabulary
from dconv.writers.pages import Release, Versions
from dconv.writers.search import fields, pack, places, sentences, text, words
from dconv.writers.search.check import check
from dconv.writers.search.fields import Fields, Key
from dconv.writers.search.gone import gone
from dconv.writers.search.pack import Json, Table

NAMES, LINES, TEXT = "search-names.js", "search-lines.js", "search-text.js"
PART = "search-part-{}.js"  # of the sentences, from 0 on
PART_SIZE = 40_000  # characters of sentences in a part, 10 to 12 KB of them packed
LUNR = "lunr.json"
MARK = re.compile(r"^%")  # in front of a name: "%ci" is also called "ci"


@dataclass(frozen=True, slots=True)
class Data:
    """What the files hold, made of `table`; `lunr` is empty where nobody asks for it.

    `parts` have the sentences of each text, by the number of its row.
    """

    table: Table
    names: Json
    lines: Json
    text: Json
    parts: tuple[Json, ...]
    lunr: bytes = b""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a release's search (path below the site's root, bytes), and what is wrong."""

    files: tuple[tuple[str, bytes], ...]
    diagnostics: tuple[Diagnostic, ...]


def search_files(
    release: Release, sections: Mapping[str, Sequence[str]], lunr: bool = False,
    versions: Versions | None = None,
) -> Files:
    """The files of the search of `release`; each document's `sections` are in these files.

    Names that others of `versions` have, and it has not any more, are found, too.
    """
    data = search_data(release, sections, lunr, versions)
    folder = f"{release.product_name}/{release.version}"
    names = pack.script(folder, "names", data.names)
    files = [
        (NAMES, names), (LINES, pack.script(folder, "lines", data.lines)),
        (TEXT, pack.script(folder, "text", data.text)),
    ]
    files += [
        (PART.format(at), pack.script(folder, f"part-{at}", part))
        for at, part in enumerate(data.parts)
    ]
    if data.lunr:
        files.append((LUNR, data.lunr))
    return Files(
        tuple([(f"{folder}/{name}", content) for name, content in files]),
        tuple(check(data.table, names.decode())),
    )


def search_data(
    release: Release, files: Mapping[str, Sequence[str]], lunr: bool = False,
    versions: Versions | None = None,
) -> Data:
    """The data of the search of `release`, whose sections are in `files`."""
    vocabulary = release.vocabulary
    spots = places.spots(release.documents, files)
    found = places.places(release.documents, spots, vocabulary)
    table = pack.arrange(release.documents, spots, found, vocabulary)
    owners = {
        (place.document, place.anchor or place.owner): (place.document, place.owner)
        for place in found if place.owner
    }
    texts = fields.fields(release.documents, spots, owners)
    targets = Targets.of(table, vocabulary)
    phrases = _phrases(vocabulary.phrases, targets, vocabulary.stopwords)
    _say(texts, phrases, table)
    keys = [key for key in texts if key in table.owners]
    documents = [texts[key] for key in keys]
    rows = [table.owners[key] for key in keys]
    said = sentences.sentences(release.documents, spots)
    parts = list(sentences.parts(
        {table.owners[key]: found for key, found in said.items() if key in table.owners}, PART_SIZE
    ))
    lost = gone(versions, release.version, _said(table)) if versions else []
    return Data(
        table, pack.names(table, vocabulary), pack.lines(table, lost),
        pack.text(
            text.impacts(documents), rows, phrases, _synonyms(vocabulary), vocabulary.stopwords,
            [min(part) for part in parts],
        ),
        tuple([{str(row): found for row, found in part.items()} for part in parts]),
        _lunr(documents) if lunr else b"",
    )


def _said(table: Table) -> list[str]:
    """All names that readers may type; actions also with the rule sets they may be used in."""
    return [name for row in table.rows for name in (
        row.name, *(f"{one} {row.name}" for one in row.sets)
    )]


def _lunr(documents: Sequence[Fields]) -> bytes:
    """The index of lunr for `documents`, each its words by field."""
    from dconv.writers.search import lunr_index  # it imports lunr, which most sites do without

    return lunr_index.lunr_json(lunr_index.build(documents))


@dataclass(frozen=True, slots=True)
class Targets:
    """Rows by what phrases call them: `kind/name`, `document#title or anchor or number`.

    Where a release has no action of a name, its entry in a rule set is meant: releases
    of old list "http-request deny" among the keywords.  `names` are rows by name alone,
    `sets` the rule sets.
    """

    rows: Mapping[str, int]
    names: Mapping[str, int]
    sets: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, vocabulary: Vocabulary) -> Targets:
        """Those of all places of `table`."""
        rows: dict[str, int] = {}
        names: dict[str, int] = {}
        for at, place in enumerate(table.rows):
            names.setdefault(words.lower(place.name), at)
            document = table.documents[place.document].manual.name
            for name in (place.name, MARK.sub("", place.name)):
                rows.setdefault(words.lower(f"{place.kind}/{name}"), at)
            rows.setdefault(words.lower(f"{document}#{place.anchor}"), at)
            if place.kind == places.SECTION:
                section = table.spots[place.spot].section
                for name in (section.title, section.number, section.anchor):
                    rows.setdefault(words.lower(f"{document}#{name}"), at)
        return cls(rows, names, tuple(dict.fromkeys(vocabulary.rule_sets.values())))

    def find(self, target: str) -> int | None:
        """The row that `target` names, if this release has it."""
        target = words.lower(target)
        if target in self.rows:
            return self.rows[target]
        name = target.partition("/")[2]
        found = (self.names.get(f"{one} {name}") for one in self.sets if name)
        return next((row for row in found if row is not None), None)


def _phrases(
    phrases: Sequence[Phrase], targets: Targets, noise: Sequence[str]
) -> list[tuple[str, list[int]]]:
    """Each wording as stems with the rows that it leads to here."""
    found: list[tuple[str, list[int]]] = []
    for phrase in phrases:
        rows = [row for row in map(targets.find, phrase.targets) if row is not None]
        for wording in phrase.queries if rows else ():
            said = [word for word in words.tokens(wording) if word not in noise]
            stems = dict.fromkeys(map(words.stem, said or words.tokens(wording)))
            if stems:
                found.append((" ".join(stems), rows))
    return found


def _synonyms(vocabulary: Vocabulary) -> list[str]:
    """The stems of words that mean nearly the same, the manual's own first."""
    return [
        " ".join(dict.fromkeys(words.stem(words.lower(word)) for word in (head, *others)))
        for head, others in vocabulary.synonyms.items()
    ]


def _say(
    texts: dict[Key, Fields], phrases: Sequence[tuple[str, Sequence[int]]], table: Table
) -> None:
    """Put the words of `phrases` into the texts of their places."""
    for stems, rows in phrases:
        for row in rows:
            place = table.rows[row]
            parts = texts.get((place.document, place.owner))
            if parts is not None:
                parts.setdefault("phrase", []).extend(stems.split(" "))
