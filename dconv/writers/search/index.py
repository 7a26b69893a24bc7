"""The names of a release, read back from their data and made ready for queries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dconv.writers.search import stream, words
from dconv.writers.search.data import Data, integers, mapping, rows_of, text_of, texts

SECTION, DOCUMENT, ARGUMENT = "section", "document", "argument"
DECIMAL = re.compile(r"[0-9]{1,9}")
# how a form comes from a name: it is the name; longer; without its head; without its owner
OWN, LONGER, HEADLESS, TERM = range(4)
# what a place loses by its kind's place, gains by a mention, loses by a character
KIND_COST, MENTION_GAIN, LENGTH_COST, LONGEST = 40, 60, 4, 60
DEPRECATED_COST = 6000


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write the name of a row: its words, all of them joined, and joined in full."""

    row: int
    way: int
    words: tuple[str, ...]
    squashed: str
    full: str
    letters: int


@dataclass(frozen=True, slots=True)
class Names:
    """The columns of the first tier, and ways to look names up.

    `section` and `argument` are kinds, -1 where a release has none.  `owners` are rows
    whose text a row shares; `priors` order rows of one band, the lowest first.  `exact`,
    `small` and `squashed` lead from names as written, in small letters and without
    separators to rows and forms.
    """

    documents: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...]
    names: tuple[str, ...]
    kind_of: tuple[int, ...]
    spots: tuple[int, ...]
    anchors: tuple[str, ...]
    owners: tuple[int, ...]
    priors: tuple[int, ...]
    deprecated: frozenset[int]
    section_documents: tuple[int, ...]
    section_numbers: tuple[str, ...]
    section_files: tuple[str, ...]
    section: int
    argument: int
    first_section: int
    first_document: int
    heads: tuple[str, ...]
    abbreviations: Mapping[str, str]
    scopes: Mapping[str, frozenset[int]]
    forms: tuple[Form, ...]
    exact: Mapping[str, list[int]] = field(repr=False)
    small: Mapping[str, list[int]] = field(repr=False)
    squashed: Mapping[str, list[Form]] = field(repr=False)

    def document(self, row: int) -> int:
        """The document of `row`, counted."""
        spot = self.spots[row]
        return self.section_documents[spot] if spot >= 0 else row - self.first_document

    def path(self, row: int) -> str:
        """The page of `row`, below the folder of its release."""
        name = self.documents[self.document(row)][0]
        spot = self.spots[row]
        return f"{name}/{self.section_files[spot] if spot >= 0 else 'index.html'}"


def full(found: Sequence[str], abbreviations: Mapping[str, str]) -> str:
    """The words `found` joined, short forms as what they stand for."""
    return "".join([abbreviations.get(word, word) for word in found])


def letters(word: str) -> int:
    """A bit for each of 26 letters and 6 digits that `word` has; others have none."""
    mask = 0
    for character in word:
        code = ord(character)
        if 97 <= code <= 122:
            mask |= 1 << (code - 97)
        elif 50 <= code <= 55:
            mask |= 1 << (code - 24)
    return mask


def read(data: Data) -> Names:
    """The names in `data`, the content of search-names.js."""
    sections = mapping(data, "sections")
    documents = tuple([(text_of(one, 0), text_of(one, 1)) for one in rows_of(data, "documents")])
    kinds, counts = texts(data, "kinds"), integers(data, "counts")
    kind_of = tuple([kind for kind, count in enumerate(counts) for _ in range(count)])
    first = {kind: sum(counts[:at]) for at, kind in enumerate(kinds)}
    section_documents = tuple([
        at for at, count in enumerate(integers(sections, "documents")) for _ in range(count)
    ])
    numbers = _numbers(str(sections["numbers"])) if section_documents else []
    own_files = mapping(sections, "files")
    argument = kinds.index(ARGUMENT) if ARGUMENT in kinds else -1
    owners = _owners(str(data["owners"]), kind_of, argument)
    names = _names(str(data["names"]), owners)
    first_document = first.get(DOCUMENT, len(names))
    spots = _spots(str(data["spots"]), owners, kind_of, argument, first_document, len(documents))
    deprecated = frozenset(stream.sums(stream.decode(str(data["deprecated"]))))
    section = kinds.index(SECTION) if SECTION in kinds else -1
    priors = tuple([
        KIND_COST * kind_of[row] - MENTION_GAIN * int(digit)
        + LENGTH_COST * min(LONGEST, 0 if kind_of[row] == section else len(names[row]))
        + DEPRECATED_COST * (row in deprecated)
        for row, digit in enumerate(str(data["mentions"]))
    ])
    abbreviations = _abbreviations(data)
    forms = tuple(_forms(data, names, kind_of, owners, numbers, first, abbreviations))
    return Names(
        documents, kinds, tuple(names), kind_of, tuple(spots),
        tuple(_anchors(data, names, owners, kind_of, kinds)), tuple(owners), priors, deprecated,
        section_documents, tuple(numbers),
        tuple([str(own_files.get(str(at), f"{one}.html")) for at, one in enumerate(numbers)]),
        section, argument, first.get(SECTION, len(names)), first_document,
        texts(data, "heads"), abbreviations,
        _scopes(mapping(data, "scopes")), forms, _table(names),
        _table([words.lower(name) for name in names]), _squashed(forms),
    )


def _abbreviations(data: Data) -> dict[str, str]:
    return {
        str(short): text_of(group, 0)
        for group in rows_of(data, "abbreviations") for short in group[1:]
    }


def _scopes(data: Data) -> dict[str, frozenset[int]]:
    return {word: frozenset(integers(data, word)) for word in data}


def following(before: Sequence[str], depth: int) -> list[str]:
    """The parts of the number of `depth` parts after that of the parts `before`, or none."""
    own = before[depth - 1] if depth <= len(before) else "0"
    return [*before[: depth - 1], str(int(own) + 1)] if DECIMAL.fullmatch(own) else []


def _numbers(written: str) -> list[str]:
    numbers: list[str] = []
    before: list[str] = []
    for coded in written.split("\n"):
        own = coded.startswith("=")
        before = coded[1:].split(".") if own else following(before, int(coded))
        numbers.append(".".join(before))
    return numbers


def _owners(written: str, kind_of: Sequence[int], argument: int) -> list[int]:
    """The owners: arguments come by theirs, others are near to their own."""
    owners: list[int] = []
    before = 0
    for row, number in enumerate(map(stream.unfolded, stream.decode(written))):
        if kind_of[row] == argument:
            before += number
        owners.append(before if kind_of[row] == argument else row + number)
    return owners


def _spots(
    written: str, owners: Sequence[int], kind_of: Sequence[int], argument: int,
    first_document: int, documents: int,
) -> list[int]:
    """The sections of rows, -1 for documents; arguments are where their owners are."""
    moves = [stream.unfolded(number) for number in stream.decode(written)]
    moves[first_document:first_document] = [0] * documents
    spots = [-1] * len(moves)
    before = 0
    for row, move in enumerate(moves):
        if kind_of[row] != argument and not 0 <= row - first_document < documents:
            before += move
            spots[row] = before
    for row, move in enumerate(moves):
        if kind_of[row] == argument:
            spots[row] = move + (spots[owners[row]] if owners[row] != row else 0)
    return spots


def _names(written: str, owners: Sequence[int]) -> list[str]:
    """The names; one that starts with a blank goes on after its owner's."""
    names = stream.restored(written)
    return [
        names[owner] + name if name.startswith(" ") else name
        for name, owner in zip(names, owners, strict=True)
    ]


def _anchors(
    data: Data, names: Sequence[str], owners: Sequence[int], kind_of: Sequence[int],
    kinds: Sequence[str],
) -> list[str]:
    others = iter(str(data["other"]).split("\n"))
    anchors: list[str] = []
    for row, way in enumerate(str(data["anchors"])):
        name = names[row].replace(" ", "-")
        match way:
            case "0":
                anchors.append("")
            case "1":
                anchors.append(name)
            case "2":
                anchors.append(f"{slug(kinds[kind_of[row]])}.{name}")
            case "3":
                anchors.append("")  # below: the owner's may not be known yet
            case "5":
                anchors.append(f"{slug(kinds[kind_of[row]])}.{name[1:]}")
            case _:
                anchors.append(next(others))
    for row, way in enumerate(str(data["anchors"])):
        if way == "3":
            owner = owners[row]
            rest = names[row].removeprefix(f"{names[owner]} ").replace(" ", "-")
            anchors[row] = f"{anchors[owner]}.{rest}"
    return anchors


def slug(kind: str) -> str:
    """The name of a kind in anchors: `server-option`."""
    return words.lower(kind).replace(" ", "-")


def _forms(
    data: Data, names: Sequence[str], kind_of: Sequence[int], owners: Sequence[int],
    numbers: Sequence[str], first: Mapping[str, int], abbreviations: Mapping[str, str],
) -> list[Form]:
    forms: list[Form] = []

    def add(row: int, way: int, name: str) -> None:
        found = words.tokens(name)
        if found:
            squashed = "".join(found)
            known = letters(squashed)
            forms.append(
                Form(row, way, tuple(found), squashed, full(found, abbreviations), known)
            )

    for row, name in enumerate(names):
        add(row, OWN, name)
        rest = headless(name, texts(data, "heads"))
        if rest != name:
            add(row, HEADLESS, rest)
        owner = names[owners[row]]
        if name.startswith(f"{owner} ") and owners[row] != row:
            add(row, TERM, name[len(owner) + 1 :])
    prefixes, sets = texts(data, "prefixes"), stream.decode(str(data["sets"]))
    for row, mask in zip(stream.sums(stream.decode(str(data["actions"]))), sets, strict=True):
        for at, prefix in enumerate(prefixes):
            if mask >> at & 1:
                add(row, LONGER, f"{prefix} {names[row]}")
    for at, number in enumerate(numbers):
        add(first.get(SECTION, 0) + at, LONGER, number)
    for at, document in enumerate(rows_of(data, "documents")):
        add(first.get(DOCUMENT, 0) + at, LONGER, text_of(document, 0))
    return forms


def headless(name: str, heads: Sequence[str]) -> str:
    """`name` without the first of `heads` that it has and that leaves something."""
    small = words.lower(name)
    for head in heads:
        start = head if not words.tokens(head[-1]) else f"{head} "
        if small.startswith(start) and len(name) > len(start):
            return name[len(start) :]
    return name


def _table(keys: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row, key in enumerate(keys):
        found.setdefault(key, []).append(row)
    return found


def _squashed(forms: Sequence[Form]) -> dict[str, list[Form]]:
    found: dict[str, list[Form]] = {}
    for form in forms:
        found.setdefault(form.squashed, []).append(form)
        if form.full != form.squashed:
            found.setdefault(form.full, []).append(form)
    return found
