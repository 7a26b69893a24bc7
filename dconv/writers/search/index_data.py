"""The content of a release's data files, which `search-engine.js` and `search-fulltext.js` read.

    dconvSearch.add("haproxy/3.4","names",{…});     search-names.js: all names
    dconvSearch.add("haproxy/3.4","lines",{…});     search-lines.js: a line below each
    dconvSearch.add("haproxy/3.4","text",{…});      search-text.js: all other words
    dconvSearch.add("haproxy/3.4","part-7",{…});    search-part-7.js: sentences of some texts

Each is one call of a function, so that a browser can load it from a disk; other programs
read what is between the call's brackets as JSON.  docs/search.md says how they are packed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Protocol

from dconv.model.search_terms import Vocabulary
from dconv.model.values import dataclass
from dconv.writers.pages.page import ReleaseDocument
from dconv.writers.search import encoding, tokenizer
from dconv.writers.search.fulltext import TextKey
from dconv.writers.search.records import ARGUMENT, DOCUMENT, SECTION, SearchRecord, SectionPage
from dconv.writers.search.removed_names import RemovedName
from dconv.writers.site_files import Json, json_script

FORMAT = 5
MAX_MENTIONS = 9  # one digit, the bit length of the count of mentions
# How an anchor follows from the name, as `_anchor_code` tries it: no anchor; the name; kind and
# name ("action.deny"); the owner's anchor and the name; not at all; kind and name without
# `MARK`; the anchor of the owner, which the name is another name of
NO_ANCHOR, SLUG, QUALIFIED, BELOW, OTHER, BARE, SAME = "0123456"
MARK = "%"  # before a name, but not in its anchor
LEVELS = 12  # steps of weights, each a letter in the data
MAX_WEIGHT = 1000  # weight of the heaviest word
MIN_WEIGHT = 6  # words in a text with a lower weight are left out
# the weights of the levels: each by the same factor above the one before
STEP = (MAX_WEIGHT / MIN_WEIGHT) ** (1 / (LEVELS - 1))
LEVEL_WEIGHTS = [round(MIN_WEIGHT * STEP**level) for level in range(LEVELS)]
DIGIT = re.compile(r"[0-9]")
DECIMAL = re.compile(r"[0-9]{1,9}")
# a common word is written without its texts: more than one text in `COMMON_SHARE` has it, and more
# than `MAX_RARE` texts do
COMMON_SHARE = 3
MAX_RARE = 20


class PageAddress(Protocol):
    """A page that has records: the index of its document, the number of its section, its file."""

    @property
    def document_index(self) -> int: ...
    @property
    def number(self) -> str: ...
    @property
    def file(self) -> str: ...


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Records in the order of the data; the index of a record is its row.

    `owners` maps each section and entry, whose texts are searched, to the index of its row.
    """

    kinds: tuple[str, ...]
    rows: tuple[SearchRecord, ...]
    owners: Mapping[TextKey, int]


@dataclass(frozen=True, slots=True)
class ReleaseTable(RecordTable):
    """All records of a release."""

    documents: tuple[ReleaseDocument, ...]
    pages: tuple[SectionPage, ...]


def release_table(
    documents: Sequence[ReleaseDocument], pages: Sequence[SectionPage],
    records: Iterable[SearchRecord], vocabulary: Vocabulary,
) -> ReleaseTable:
    """Return `records`, those of `pages`, as a table."""
    table = sort_records(records, vocabulary)
    return ReleaseTable(table.kinds, table.rows, table.owners, tuple(documents), tuple(pages))


def sort_records(records: Iterable[SearchRecord], vocabulary: Vocabulary) -> RecordTable:
    """Return `records` sorted by kind and name; sections as they come, arguments by owner."""
    rows = list(records)
    present_kinds = {record.kind for record in rows}
    last_kinds = (SECTION, DOCUMENT, ARGUMENT)
    prioritized = [kind for kind in vocabulary.priority if kind in present_kinds]
    others = sorted(present_kinds - {*prioritized, *last_kinds})
    kinds = [
        *prioritized, *others,
        *(kind for kind in last_kinds if kind in present_kinds - {*prioritized}),
    ]
    order = {kind: index for index, kind in enumerate(kinds)}
    rows.sort(key=lambda record: (order[record.kind], _sort_key(record)))
    owners = _owners(rows)

    def owner(record: SearchRecord) -> int:
        key = (record.document_index, record.owner)
        return owners.get(key, -1) if record.kind == ARGUMENT else 0

    rows.sort(key=lambda record: (order[record.kind], owner(record)))
    return RecordTable(tuple(kinds), tuple(rows), _owners(rows))


def _owners(rows: Sequence[SearchRecord]) -> dict[TextKey, int]:
    """The index of the row of each section or entry: of an entry, a row with its own anchor first.
    """
    sections = [index for index, record in enumerate(rows) if record.kind == SECTION]
    entries = [
        index for index, record in enumerate(rows)
        if record.anchor == record.owner and not record.is_other_name
    ]
    others = [
        index for index, record in enumerate(rows) if record.kind != ARGUMENT and record.anchor
    ]
    owners: dict[TextKey, int] = {}
    for index in (*sections, *entries, *others):
        owners.setdefault((rows[index].document_index, rows[index].owner), index)
    return owners


def _sort_key(record: SearchRecord) -> tuple[str, str, int, int, bool, str]:
    """A key that leaves sections in order, and sorts names by letters, entries before values.

    Anchors of entries begin with the kind ("setting.readwrite"), those of values in them may not.
    """
    if record.kind in (SECTION, DOCUMENT):
        return ("", "", record.document_index, record.section_index, False, "")
    is_value = not record.anchor.startswith(f"{kind_slug(record.kind)}.")
    return (
        tokenizer.lower(record.name), record.name, record.document_index, record.section_index,
        is_value, record.anchor,
    )


# --- names ----------------------------------------------------------------------------


def names_data(
    table: RecordTable, documents: Sequence[Sequence[str]], pages: Sequence[PageAddress],
    vocabulary: Vocabulary,
) -> dict[str, Json]:
    """The file of names: every name, where it is, and the product's vocabulary.

    Places are on `pages` of `documents`, each of which is a name and a title.
    """
    rows = table.rows
    kind_counts = Counter(record.kind for record in rows)
    counts = [kind_counts[kind] for kind in table.kinds]
    owners = [
        table.owners.get((record.document_index, record.owner), index)
        for index, record in enumerate(rows)
    ]
    anchor_codes = [
        _anchor_code(record, rows[owner]) for record, owner in zip(rows, owners, strict=True)
    ]
    rule_sets = list(dict.fromkeys(name for record in rows for name in record.rule_sets))
    # names of which the text only says on which manual page they are
    pointers = [index for index, record in enumerate(rows) if record.is_pointer]
    return {
        "format": FORMAT,
        "documents": documents,
        "kinds": table.kinds,
        "counts": counts,
        "sections": _sections(pages, len(documents)),
        "names": encoding.encode_front_coded(
            _short_name(record, rows[owner]) for record, owner in zip(rows, owners, strict=True)
        ),
        "sectionOffsets": encoding.encode_signed(_section_offsets(rows, owners)),
        "anchors": "".join(code for code, _ in anchor_codes),
        "other": "\n".join(anchor for code, anchor in anchor_codes if code == OTHER),
        "owners": encoding.encode_signed(_owner_offsets(rows, owners)),
        "mentions": "".join(
            str(min(MAX_MENTIONS, record.mentions.bit_length())) for record in rows
        ),
        "deprecated": encoding.encode_rising(
            [index for index, record in enumerate(rows) if record.deprecated]
        ),
        "prefixes": rule_sets,
        "actions": encoding.encode_rising(
            [index for index, record in enumerate(rows) if record.rule_sets]
        ),
        "ruleSets": encoding.encode(
            sum(1 << rule_sets.index(name) for name in dict.fromkeys(record.rule_sets))
            for record in rows if record.rule_sets
        ),
        **_vocabulary(table, vocabulary),
        **({"pointers": encoding.encode_rising(pointers)} if pointers else {}),
    }


def _vocabulary(table: RecordTable, vocabulary: Vocabulary) -> dict[str, Json]:
    """The parts of `vocabulary` that the search uses, with kinds by their index in `table`.

    `states` are kinds of letters that form one word ("sD--"), with qualifiers of its positions.
    """
    states: Json = [
        [table.kinds.index(kind), *positions]
        for kind, positions in vocabulary.states.items() if kind in table.kinds
    ]
    return {
        "optionalPrefixes": vocabulary.optional_prefixes,
        "abbreviations": [
            [tokenizer.lower(form) for form in (word, *abbreviations)]
            for word, abbreviations in vocabulary.abbreviations.items()
        ],
        "scopes": {
            " ".join(tokenizer.tokens(word)): [
                table.kinds.index(kind) for kind in kinds if kind in table.kinds
            ]
            for word, kinds in vocabulary.scopes.items()
        },
        **({"states": states} if states else {}),
    }


def _sections(pages: Sequence[PageAddress], document_count: int) -> Json:
    numbers = [page.number for page in pages]
    files = {
        str(index): page.file for index, page in enumerate(pages)
        if page.file and page.file != f"{page.number}.html"
    }
    page_counts = Counter(page.document_index for page in pages)
    return {
        "documents": [page_counts[index] for index in range(document_count)],
        "numbers": "\n".join(shorten_numbers(numbers)), "files": files,
    }


def shorten_numbers(numbers: Sequence[str]) -> Iterator[str]:
    """How many parts each number has, where it is the next of so many parts; else itself.

    After 1.2, the number 2 is "1", 1.3 is "2", and 1.2.1 is "3"; 4.5 is "=4.5".
    """
    before: list[str] = []
    for number in numbers:
        parts = number.split(".")
        depth = len(parts)
        yield str(depth) if parts == next_number(before, depth) else f"={number}"
        before = parts


def next_number(before: Sequence[str], depth: int) -> list[str]:
    """The parts of the number of `depth` parts after the number of the parts `before`.

    Empty if the number cannot be counted up: "A".
    """
    last_part = before[depth - 1] if depth <= len(before) else "0"
    return [*before[: depth - 1], str(int(last_part) + 1)] if DECIMAL.fullmatch(last_part) else []


def _section_offsets(rows: Sequence[SearchRecord], owners: Sequence[int]) -> Iterator[int]:
    """How far each record is from the one before, in sections; an argument from its owner."""
    before = 0
    for index, record in enumerate(rows):
        if record.kind == ARGUMENT:
            owner = owners[index]
            yield record.section_index - (rows[owner].section_index if owner != index else 0)
        elif record.kind != DOCUMENT:
            yield record.section_index - before
            before = record.section_index


def _owner_offsets(rows: Sequence[SearchRecord], owners: Sequence[int]) -> Iterator[int]:
    """How far each owner is from its row; that of an argument from that of the one before."""
    before = 0
    for index, record in enumerate(rows):
        if record.kind == ARGUMENT:
            yield owners[index] - before
            before = owners[index]
        else:
            yield owners[index] - index


def _short_name(record: SearchRecord, owner: SearchRecord) -> str:
    """The name, without that of its owner in front where it is an argument."""
    if record.kind == ARGUMENT and record.name.startswith(f"{owner.name} "):
        return record.name[len(owner.name) :]
    return display_name(record)


def display_name(record: SearchRecord) -> str:
    """The name of `record` as results show it: on one line."""
    return " ".join(record.name.split())


def _anchor_code(record: SearchRecord, owner: SearchRecord) -> tuple[str, str]:
    """How the anchor follows from the name, else the anchor itself."""
    anchor = record.anchor
    name = record.name.replace(" ", "-")
    rest = record.name.removeprefix(f"{owner.name} ").replace(" ", "-")
    kind = kind_slug(record.kind)
    for code, derived in (
        (NO_ANCHOR, ""), (SLUG, name), (QUALIFIED, f"{kind}.{name}"),
        (BELOW, f"{owner.anchor}.{rest}"), (BARE, f"{kind}.{name.removeprefix(MARK)}"),
        (SAME, owner.anchor if record.is_other_name and not owner.is_other_name else ""),
    ):  # fmt: skip
        if anchor == derived:
            return code, anchor
    return OTHER, anchor


def kind_slug(kind: str) -> str:
    """The name of a kind in anchors: `server-option`."""
    return tokenizer.lower(kind).replace(" ", "-")


# --- lines ----------------------------------------------------------------------------


def lines_data(table: RecordTable, removed: Sequence[RemovedName] = ()) -> Json:
    """The file of lines: the line of each record, empty if it is that of its owner.

    `removed` are names of older releases, each with its kind, release and address.
    """
    lines: list[str] = []
    for index, record in enumerate(table.rows):
        owner = table.owners.get((record.document_index, record.owner), index)
        is_shared = owner != index and table.rows[owner].line == record.line
        lines.append("" if is_shared else record.line)
    return {
        "lines": "\n".join(lines),
        "removed": [[name.name, name.kind, name.version, name.address] for name in removed],
    }


# --- text -----------------------------------------------------------------------------


def text_data(
    word_weights: Mapping[str, Mapping[int, int]], rows: Sequence[int],
    phrases: encoding.Phrases, synonyms: Sequence[str], stopwords: Sequence[str],
    parts: Sequence[int],
) -> Json:
    """The file of texts: the `word_weights` of words, by word and by the index of a text in `rows`.

    `rows` has the row of each text.  `phrases` are stems with the rows that they find, `synonyms`
    stems of one meaning, separated by blanks, and `stopwords` words that queries ignore.  `parts`
    has for each file of sentences ("part-7") the row of its first text.
    Words in very many texts have no texts in the data: queries ignore them.  Left out are whole
    names with separators, since queries are split into words, and numbers of examples that have no
    text left.
    """
    level_weights = _level_weights(word_weights)
    stems = {stem for wording, _ in phrases for stem in wording.split(" ")}
    terms: list[str] = []
    postings: list[encoding.Posting] = []
    for term in sorted({*filter(tokenizer.WORD.fullmatch, word_weights), *stems}):
        weights = word_weights.get(term, {})
        is_common = len(weights) > max(MAX_RARE, len(rows) / COMMON_SHARE)
        posting = [] if is_common else [
            (rows[index], encoding.ALPHABET[level - 1]) for index, weight in weights.items()
            if (level := bisect_right(level_weights, weight))
        ]
        if posting or is_common or term in stems or not DIGIT.search(term):
            terms.append(term)
            postings.append(sorted(posting))
    return {
        "terms": encoding.encode_front_coded(terms), **encoding.encode_postings(postings),
        "values": LEVEL_WEIGHTS, **encoding.encode_phrases(phrases, terms), "synonyms": synonyms,
        "stopwords": stopwords, "texts": len(rows), "parts": parts,
    }


def highest_levels(word_weights: Mapping[str, Mapping[int, int]]) -> dict[str, int]:
    """The highest level that each word has in a text."""
    level_weights = _level_weights(word_weights)
    return {
        word: bisect_right(level_weights, max(weights.values()))
        for word, weights in word_weights.items() if weights and tokenizer.WORD.fullmatch(word)
    }


def _level_weights(word_weights: Mapping[str, Mapping[int, int]]) -> list[int]:
    """The least weight of each level from 1; a lower one does not count."""
    heaviest = max(
        (max(weights.values()) for weights in word_weights.values() if weights), default=1
    )
    return [ceil(weight * heaviest / MAX_WEIGHT) for weight in LEVEL_WEIGHTS]


def script(release: str, name: str, data: Json) -> bytes:
    """The script with the data `name` ("names", "part-7") of `release`."""
    return json_script("dconvSearch.add", release, name, data)
