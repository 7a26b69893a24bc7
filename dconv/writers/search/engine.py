"""The search: names first, then texts; `search-engine.js` finds the same.

What equals the query leads, and nothing that is found later moves it.  Then come
tasks that the query says, names that it begins, and the rest by what names and texts
score together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dconv.writers.search import index, matching, reading, tasks
from dconv.writers.search.data import Data
from dconv.writers.search.index import Names
from dconv.writers.search.reading import Texts, Word
from dconv.writers.search.tasks import Tasks

# what a name adds to the score of its text, by its band; where a word of the query is
# unknown to all texts, names that are spelt nearly so are likelier
GAINS: Mapping[int, int] = {6: 700, 7: 500, 8: 150, 9: 150, 10: 90, 11: 40}
GAINS_UNKNOWN: Mapping[int, int] = {9: 1500, 10: 1000, 11: 700}
PHRASE_GAIN, PHRASE_START = 2, 500  # twice the agreement less so much


@dataclass(frozen=True, slots=True)
class Engine:
    """What a release has to be searched in; `texts`, `tasks`
    and `lines` may come later."""

    names: Names
    texts: Texts | None = None
    tasks: Tasks | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Other:
    """Another place with the name of a result."""

    kind: str
    path: str
    anchor: str
    section: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One result; `path` is below the folder of the release.

    `marks` are the words to mark, `weights` what each tells.  The sentences of its text
    are under `text` in the part `part` of the sentences, which is -1 where that is unknown.
    """

    name: str
    kind: str
    document: str
    document_title: str
    section: str
    section_title: str
    path: str
    anchor: str
    line: str
    deprecated: bool
    band: int
    why: str
    others: tuple[Other, ...]
    marks: tuple[str, ...]
    weights: tuple[int, ...]
    text: int
    part: int


def engine(names: Data, text: Data | None = None, lines: Data | None = None) -> Engine:
    """The engine of the data of a release, as the files hold them."""
    known = index.read(names)
    texts = reading.read(text) if text is not None else None
    return Engine(
        known, texts,
        tasks.read(text, texts.phrases, known) if text is not None and texts is not None else None,
        tuple(str(lines["lines"]).split("\n")) if lines is not None else (),
    )


def search(
    engine: Engine, text: str, limit: int = 20, documents: Sequence[str] = ()
) -> list[Hit]:
    """What `text` finds, the best first; only in `documents`, where some are named."""
    names = engine.names
    query = matching.read(names, text)
    if not query.text:
        return []
    among = frozenset(
        at for at, (name, _) in enumerate(names.documents) if not documents or name in documents
    )
    found = _Found(engine, query, among, limit, [], set())
    _rank(found)
    return [_hit(found, rows, band) for rows, band in found.groups]


@dataclass(slots=True)
class _Found:
    """Results while they are gathered: groups of rows with one name, and their bands."""

    engine: Engine
    query: matching.Query
    among: frozenset[int]
    limit: int
    groups: list[tuple[list[int], int]]
    seen: set[int]
    marks: Mapping[str, int] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        """Whether there are as many results as wanted."""
        return len(self.groups) >= self.limit

    def within(self, rows: dict[int, int]) -> dict[int, int]:
        """`rows` of the documents that are searched."""
        names = self.engine.names
        if len(self.among) == len(names.documents):
            return rows
        return {row: rank for row, rank in rows.items() if names.document(row) in self.among}

    def add(self, rows: Iterable[int], bands: dict[int, int], otherwise: int) -> None:
        """Put groups for `rows` below what is there, as far as there is room."""
        names = self.engine.names
        for row in rows:
            if self.full:
                return
            if row in self.seen:
                continue
            group = [row]
            if names.kind_of[row] != names.section:
                group += [
                    other for other in matching.every(names, names.names[row])
                    if other != row and other not in self.seen
                    and names.kind_of[other] != names.section
                    and names.document(other) in self.among
                ]
            self.seen.update(group)
            self.groups.append((group, bands.get(row, otherwise)))


def _rank(found: _Found) -> None:
    names, query = found.engine.names, found.query
    equal = found.within(matching.exact(names, query))
    _add(found, equal)
    if found.full:
        return
    near = found.within(matching.near(names, query))
    weak = min(near.values(), default=matching.WITHIN * matching.BAND) // matching.BAND
    spelt: dict[int, int] = {}
    if not equal and weak > matching.IN_ORDER:
        spelt = found.within(matching.misspelt(names, query))
    said: list[Word] = []
    agreed: dict[int, int] = {}
    texts = found.engine.texts
    if texts is not None and query.words:
        said = reading.wanted(names, texts, query)
        found.marks = _marks(texts, said, query)
        if found.engine.tasks is not None:
            telling = reading.telling(texts, query)
            agreed = found.within(tasks.agreements(found.engine.tasks, telling))
    whole = [row for row in agreed if agreed[row] == tasks.WHOLE]
    found.add(sorted(whole, key=lambda row: (names.priors[row], row)), {}, matching.BEGINNING)
    unknown = texts is None or not all(word.known for word in said)
    close = {row: rank for row, rank in spelt.items() if _is_close(rank, unknown)}
    _add(found, close)
    alone = len(query.words) == 1
    strict = {
        row: rank for row, rank in near.items()
        if alone or rank < (matching.BEGINNING + 1) * matching.BAND
    }
    _add(found, strict)
    if not found.full:
        _scored(found, {**spelt, **near}, agreed, said, unknown)
    if not found.groups:
        _add(found, found.within(matching.misspelt(names, query, matching.MORE)))


def _is_close(rank: int, unknown: bool) -> bool:
    """True for a name that the query is but for one letter, or more where it is no word."""
    band, rest = divmod(rank, matching.BAND)
    return band == matching.DISTANT and (unknown or rest < 2 * matching.DISTANCE)


def _add(found: _Found, ranks: dict[int, int]) -> None:
    bands = {row: rank // matching.BAND for row, rank in ranks.items()}
    found.add(matching.ranked(found.engine.names, ranks), bands, 0)


def _scored(
    found: _Found, ranks: dict[int, int], agreed: dict[int, int], said: Sequence[Word],
    unknown: bool,
) -> None:
    """Add what names and texts score together."""
    names, texts = found.engine.names, found.engine.texts
    scores = found.within(reading.scores(texts, said)) if texts is not None else {}
    shown = {names.owners[row] for row in found.seen if names.kind_of[row] != names.argument}
    total: dict[int, int] = {}
    for row, rank in ranks.items():
        if row not in found.seen:
            band = rank // matching.BAND
            gain = GAINS_UNKNOWN.get(band, GAINS[band]) if unknown else GAINS[band]
            total[row] = gain - rank % matching.BAND // 4 + scores.get(names.owners[row], 0)
    named = {names.owners[row] for row in total if names.kind_of[row] != names.argument}
    for row, score in scores.items():
        if row not in total and row not in named and row not in shown:
            total[row] = score
    for row, agreement in agreed.items():
        gain = PHRASE_GAIN * agreement - PHRASE_START
        total[row] = total.get(row, scores.get(row, 0)) + gain
    bands = {row: rank // matching.BAND for row, rank in ranks.items()}
    order = sorted(total, key=lambda row: (-total[row], names.priors[row], row))
    found.add(order, bands, matching.DISTANT_BEGINNING + 1)


def _marks(texts: Texts, said: Sequence[Word], query: matching.Query) -> dict[str, int]:
    """The words to mark in a text, with their weights: those said, and what they stand for."""
    found = dict.fromkeys(reading.telling(texts, query), 1)
    for word in said:
        found[word.word] = word.weight
    for word in said:
        for numbers, eighths in word.candidates:
            for number in numbers if eighths > reading.STARTS else ():
                if texts.terms[number] != word.stem:
                    found.setdefault(texts.terms[number], word.weight)
    return found


def _hit(found: _Found, rows: Sequence[int], band: int) -> Hit:
    names, row = found.engine.names, rows[0]
    spot = names.spots[row]
    name, title = names.documents[names.document(row)]
    marks = found.marks or dict.fromkeys(found.query.words, 1)
    return Hit(
        name=names.names[row],
        kind=names.kinds[names.kind_of[row]],
        document=name,
        document_title=title,
        section=names.section_numbers[spot] if spot >= 0 else "",
        section_title=names.names[names.first_section + spot] if spot >= 0 else "",
        path=names.path(row),
        anchor=names.anchors[row],
        line=_line(found.engine, row),
        deprecated=row in names.deprecated,
        band=band,
        why="text" if band > matching.DISTANT_BEGINNING else "name",
        others=tuple([_other(names, other) for other in rows[1:]]),
        marks=tuple(marks),
        weights=tuple(marks.values()),
        text=names.owners[row],
        part=reading.part(found.engine.texts, names.owners[row]),
    )


def _line(engine: Engine, row: int) -> str:
    if not engine.lines:
        return ""
    return engine.lines[row] or engine.lines[engine.names.owners[row]]


def _other(names: Names, row: int) -> Other:
    spot = names.spots[row]
    return Other(
        names.kinds[names.kind_of[row]], names.path(row), names.anchors[row],
        names.section_numbers[spot] if spot >= 0 else "",
    )
