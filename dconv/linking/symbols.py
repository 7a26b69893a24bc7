"""The symbol table of the documents of one release: all names and the places that define them.

Entries have the names of each of their signatures, with and without the words that prose omits;
actions also with the words of the rules that they may be used in (`http-request deny` of the action
`deny`; see `rule_sets` of `Dialect`).  Items are log-format aliases or options of the command line.
The terms of an entry have its name in front (`balance leastconn`).  A section has the name that is
its title where nothing else in its document does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import IntEnum
from posixpath import basename, dirname, join, normpath
from typing import TypeAlias

from dconv.model import tree
from dconv.model.dialect import Dialect
from dconv.model.file_names import file_stem
from dconv.model.values import dataclass

# a title that is a name: "oil_price", "oil_price (string)", "light(lamp [, mode])"
NAMED_TITLE = re.compile(
    r"(?P<name>[A-Za-z]\w*(?:[_.]\w+)+|[a-z]\w+(?=\(| \([a-z]+\)$))(?: ?\(.*\))?"
)
MAX_SAME_FIRST_WORD = 12  # names that begin with one word, where that word can mean them all
_Key: TypeAlias = tuple[object, ...]  # what distinguishes symbols of one name


class NameRank(IntEnum):
    """How a place has a name, the nearest first."""

    OWN = 0  # as its own name
    VARIANT = 1  # as a shorter or a longer form of it
    TERM = 2  # as a term after the name of its entry


@dataclass(frozen=True, slots=True)
class Symbol:
    """A place that defines a name.

    `kind` is the entry's or the item's kind, empty for a term; `entry` is the anchor of the entry
    that the place is or lies in, or empty; `section` the anchor of its section, empty for a term.
    Of an entry, `name` is its own name and `section_title` the number and title of its section;
    `has_title` says that others have its name too, and its signature a `title` to tell it apart.
    """

    kind: str
    target: tree.Target
    entry: str
    name_rank: NameRank
    section: str = ""
    is_item: bool = False
    name: str = ""
    section_title: str = ""
    has_title: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A numbered section: where it is, and its title in lower case."""

    target: tree.Target
    title: str


@dataclass(frozen=True, slots=True)
class Symbols:
    """The table: names to places, and by document, section numbers to headings.

    Of several entries of one kind and name in a document (`show sess`, `show sess <id>`) it has
    the one with the shortest anchor and without a title, else the first.  `documents` maps the
    names of documents and their files, in lower case, to the documents.  `anchors` maps a document
    to what links may name in it, its anchors and their aliases, each with the anchor.  `terms` maps
    a document, the anchor of an entry and a term ("<timeout>", "leastconn") to its place.
    `manual_pages` maps pages that texts of a shelf name ("mdadm.8") to the documents of targets.
    `by_first_word` maps a document and a first word that several names of the dialect's first kind
    share to their places, in order.  `folders` maps a document to the folder of its file.
    `namesakes` maps a document and a name that several entries of a kind have as their own to these
    entries, by the anchor of their section, and all under "".
    """

    names: Mapping[str, tuple[Symbol, ...]]
    headings: Mapping[str, Mapping[str, Heading]]
    documents: Mapping[str, str]
    terms: Mapping[tuple[str, str, str], tree.Target]
    anchors: Mapping[str, Mapping[str, str]]
    manual_pages: Mapping[str, str] = field(default_factory=dict)
    by_first_word: Mapping[tuple[str, str], tuple[Symbol, ...]] = field(default_factory=dict)
    folders: Mapping[str, str] = field(default_factory=dict)
    namesakes: Mapping[tuple[str, str], Mapping[str, Sequence[Symbol]]] = field(
        default_factory=dict
    )


def file_paths(file: str) -> tuple[str, ...]:
    """How links may name a document in `file`, whose path is from the root, in lower case.

    The last may also name documents of other folders.
    """
    path = file.casefold()
    return (path, path.removesuffix(".rst").removesuffix(".md"), basename(path))


def paths_of_link(file: str, folder: str) -> Iterator[str]:
    """What a link to `file` may mean in a document of `folder`, as `file_paths` writes it.

    A path that leads nowhere may have been right in another folder: its last part counts.
    "x.html" may be the page that another program makes of "x.rst".
    """
    if folder or "/" in file:
        for path in (join(folder, file), file):
            yield normpath(path.lstrip("/")).casefold()
    yield basename(file).casefold()
    if file.endswith(".html"):
        yield from paths_of_link(file.removesuffix(".html"), folder)


def collect_symbols(manuals: Iterable[tuple[tree.Manual, str]], dialect: Dialect) -> Symbols:
    """The table of `manuals`, each with the name of its file."""
    names: dict[str, dict[_Key, Symbol]] = {}
    quoted_as = {rule.kind: rule.quoted_as for rule in dialect.item_rules}
    headings: dict[str, dict[str, Heading]] = {}
    documents: dict[str, str] = {}
    folders: dict[str, str] = {}
    terms: dict[tuple[str, str, str], tree.Target] = {}
    link_anchors: dict[str, dict[str, str]] = {}
    namesakes: dict[tuple[str, str], dict[str, list[Symbol]]] = {}
    for manual, file in manuals:
        folders[manual.name] = dirname(file)
        for path in file_paths(file):
            documents.setdefault(path, manual.name)
        stem = file_stem(file)
        renamed = [stem] if manual.name.startswith(f"{stem}-") else []  # "index" of "index-text"
        for name in (manual.name, *manual.other_names, *renamed):
            documents.setdefault(name.casefold(), manual.name)
        link_anchors[manual.name] = {anchor: anchor for anchor in tree.anchors(manual)}
        link_anchors[manual.name].update(manual.aliases)
        numbers = headings.setdefault(manual.name, {})
        for section in tree.sections(manual):
            if section.number:
                target = tree.Target(manual.name, section.anchor)
                # where chapters repeat a number, the title tells which section is meant
                is_repeated = section.number in numbers
                number = f"#{section.anchor}" if is_repeated else section.number
                numbers[number] = Heading(target, section.title.casefold())
            for name, symbol in _items(manual, section):
                for form in quoted_as.get(symbol.kind, ()):
                    names.setdefault(form.replace("{name}", name), {})[symbol.target,] = symbol
        for section, entry in tree.entries(manual):
            for name, symbol in _entry(manual, entry, section, dialect):
                by_key = names.setdefault(name, {})
                key = (manual.name, entry.kind, symbol.name_rank, symbol.name)
                other = by_key.setdefault(key, symbol)
                if other is not symbol and symbol.name_rank is NameRank.OWN:
                    by_section = namesakes.setdefault(
                        (manual.name, name), {"": [other], other.section: [other]}
                    )
                    for anchor in ("", symbol.section):
                        by_section.setdefault(anchor, []).append(symbol)
                if _preference(symbol) < _preference(other):
                    by_key[key] = symbol
            for term, target in _terms(manual, entry):
                terms.setdefault((manual.name, entry.anchor, term), target)
        for name, symbol in _named_sections(manual):
            others = names.setdefault(name, {})
            if all(other.target.document != manual.name for other in others.values()):
                others[symbol.target,] = symbol
    table = {name: tuple(by_key.values()) for name, by_key in names.items()}
    return Symbols(
        table, headings, documents, terms, link_anchors, folders=folders,
        by_first_word=_by_first_word(table, dialect), namesakes=namesakes,
    )


def _by_first_word(
    table: Mapping[str, tuple[Symbol, ...]], dialect: Dialect
) -> dict[tuple[str, str], tuple[Symbol, ...]]:
    """The entries of the dialect's first kind, by document and a first word that several share."""
    groups: dict[tuple[str, str], list[Symbol]] = {}
    for name, symbols in table.items():
        first, _, rest = name.partition(" ")
        for symbol in symbols:
            if rest and symbol.name_rank is NameRank.OWN and symbol.kind in dialect.priority[:1]:
                groups.setdefault((symbol.target.document, first), []).append(symbol)
    return {
        key: tuple(symbols) for key, symbols in groups.items()
        if 1 < len(symbols) <= MAX_SAME_FIRST_WORD and key[1] not in dialect.optional_prefixes
    }


def _preference(symbol: Symbol) -> tuple[bool, int]:
    """A sort key: of several entries of one kind and name, the first is the most likely meant."""
    return symbol.has_title, 0 if symbol.has_title else len(symbol.target.anchor)


def _entry(
    manual: tree.Manual, entry: tree.Entry, section: tree.Section, dialect: Dialect
) -> Iterator[tuple[str, Symbol]]:
    """The names of `entry`, which is in `section`, each with its symbol."""
    section_title = f"{section.number}. {section.title}" if section.number else section.title
    for signature in entry.signatures:
        target = tree.Target(manual.name, signature.anchor)
        name = signature.name
        symbol = Symbol(
            entry.kind, target, entry.anchor, NameRank.OWN, section.anchor, name=name,
            section_title=section_title, has_title=bool(signature.title),
        )
        for own_name in signature.names or (name,):
            yield own_name, symbol
        other_form = replace(symbol, name_rank=NameRank.VARIANT)
        if signature.negated:
            yield f"no {name}", other_form
        if tree.TITLE_GAP in signature.title:
            yield signature.title.replace(tree.TITLE_GAP, " "), other_form
        first, _, rest = name.partition(" ")
        if rest and first in dialect.optional_prefixes:
            yield rest, other_form
        for words in tree.rule_words(entry, dialect.rule_sets):
            yield f"{words} {name}", other_form
    for name, target in _terms(manual, entry):
        if not name.startswith("<"):
            term_symbol = Symbol("", target, entry.anchor, NameRank.TERM, name=entry.name)
            yield f"{entry.name} {name}", term_symbol


def _terms(manual: tree.Manual, entry: tree.Entry) -> Iterator[tuple[str, tree.Target]]:
    """The names of the terms that `entry` defines ("<timeout>", "leastconn") and their places."""
    for node in tree.walk(entry.body):
        if isinstance(node, tree.Definition):
            for term in node.terms:
                if term.anchor and term.name:
                    yield term.name, tree.Target(manual.name, term.anchor)


def _named_sections(manual: tree.Manual) -> Iterator[tuple[str, Symbol]]:
    """The names that are titles of sections, as in manuals with a section for each setting."""
    for section in tree.sections(manual):
        if match := NAMED_TITLE.fullmatch(section.title):
            target = tree.Target(manual.name, section.anchor)
            yield match["name"], Symbol(
                "section", target, "", NameRank.OWN, section.anchor, name=match["name"]
            )


def _items(manual: tree.Manual, section: tree.Section) -> Iterator[tuple[str, Symbol]]:
    """The items of a section that have a kind of their own."""
    for block in section.body:
        owner = block.anchor if isinstance(block, tree.Entry) else ""
        for item in tree.defined_items((block,)):
            target = tree.Target(manual.name, item.anchor)
            for name in item.names or (item.name,):
                yield name, Symbol(item.kind, target, owner, NameRank.OWN, section.anchor, True)
