"""What the search finds: every name of a release with its place.

Names are those of entries and items as indexes list them, the terms that entries
define ("balance leastconn"), the titles of sections and the documents themselves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from dconv.model import tree
from dconv.model.search_terms import Vocabulary
from dconv.model.summary import shortened
from dconv.model.values import dataclass
from dconv.writers.html.escape import one_line
from dconv.writers.pages.names import DefinedName
from dconv.writers.pages.page import ReleaseDocument
from dconv.writers.site_files import SectionFiles

ARGUMENT, SECTION, DOCUMENT = "argument", "section", "document"  # kinds beside those of names
# a literal term of an entry: "leastconn", "source", "idle_cur", "bit 2"
LITERAL = re.compile(r"[A-Za-z][\w.+-]+(?: [\w.-]+){0,2}")
# "crypt(3), ciphers(1)"
MANUAL_PAGES = re.compile(r"[\w.:@+-]+\(\d\w*\)(?:, [\w.:@+-]+\(\d\w*\))*")
BETWEEN_SENTENCES = re.compile(r" (?<=[^.]\. )")
MAX_LINE_LENGTH = 100  # characters of the line below a name
MIN_SHARED = 5  # entries that begin with the same sentence, which then describes none of them


@dataclass(frozen=True, slots=True)
class SectionPage:
    """A section with the index of its document, and the file of its page.

    `has_own_page` is false if it is on the page of its document; it then has an anchor.
    `is_text` is false if no text of the section is searched.
    """

    document_index: int
    section: tree.Section
    file: str
    has_own_page: bool = True
    is_text: bool = True

    @property
    def number(self) -> str:
        """That of the section."""
        return self.section.number

    def anchor(self, anchor: str) -> str:
        """`anchor` on this page: none for the section that is the page."""
        return "" if self.has_own_page and anchor == self.section.anchor else anchor


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """A record of the search: one name that can be found, and its place.

    `is_other_name` is true for a further name of a place ("-G" of "--grow"), `is_pointer` for one
    that only says on which manual page it is.  `owner` is the anchor of the entry it belongs to,
    or its own; places of one owner share text.  `section_index` is that among all sections of the
    release, -1 for a document.  `line` is shown below the name, `mentions` counts the places that
    mention the entry.  `rule_sets` are the words that may appear in front of an action's name.
    """

    name: str
    kind: str
    document_index: int
    section_index: int
    anchor: str
    owner: str
    line: str
    deprecated: bool = False
    mentions: int = 0
    rule_sets: tuple[str, ...] = ()
    is_other_name: bool = False
    is_pointer: bool = False


def section_pages(
    documents: Sequence[ReleaseDocument], section_files: SectionFiles
) -> list[SectionPage]:
    """Return the sections of all `documents` with their files."""
    return [
        SectionPage(index, section, file)
        for index, document in enumerate(documents)
        for section, file in zip(
            tree.sections(document.manual), section_files.get(document.manual.name, ()), strict=True
        )
    ]


def search_records(
    documents: Sequence[ReleaseDocument], pages: Sequence[SectionPage], vocabulary: Vocabulary
) -> list[SearchRecord]:
    """Return the records of `documents`, whose sections are `pages`, each once."""
    all_records: list[SearchRecord] = []
    shared = _shared_sentences(documents)
    pages_of: dict[int, list[SectionPage]] = {}
    for page in pages:
        pages_of.setdefault(page.document_index, []).append(page)
    first_section = 0
    for index, document in enumerate(documents):
        own_pages = pages_of.get(index, [])
        for defined_name in document.names:
            section_index = first_section + defined_name.section_index
            page = own_pages[defined_name.section_index]
            record = _name_record(defined_name, index, section_index, page, vocabulary, shared)
            all_records.append(record)
            all_records += [
                replace(record, name=name, is_other_name=True) for name in defined_name.other_names
            ]
        for section_index, page in enumerate(own_pages, first_section):
            all_records += _arguments(page, section_index)
            section = page.section
            line = _first_sentence(section.body)
            anchor = page.anchor(section.anchor)
            all_records.append(SearchRecord(
                section.title, SECTION, index, section_index, anchor, section.anchor, line
            ))
        first_section += len(own_pages)
        line = document.description
        all_records.append(SearchRecord(document.title, DOCUMENT, index, -1, "", "", line))
    return list(dict.fromkeys(all_records))


def _shared_sentences(documents: Sequence[ReleaseDocument]) -> frozenset[str]:
    """Return sentences that many entries begin with, and sentences that often follow these."""
    entries = {
        (index, defined_name.entry.anchor): defined_name.entry
        for index, document in enumerate(documents) for defined_name in document.names
        if defined_name.entry
    }
    counts = Counter(entry.summary for entry in entries.values())
    first = {text for text, count in counts.items() if text and count >= MIN_SHARED}
    following = Counter(
        sentence for entry in entries.values() if entry.summary in first
        for sentence in dict.fromkeys(_sentences_after_first(entry))
    )
    return frozenset(first | {text for text, count in following.items() if count >= MIN_SHARED})


def _sentences_after_first(entry: tree.Entry) -> list[str]:
    """Return the sentences of the paragraphs of `entry` but the first."""
    prose = " ".join(
        tree.plain_text(block.content) for block in entry.body if isinstance(block, tree.Paragraph)
    )
    return BETWEEN_SENTENCES.split(one_line(prose))[1:]


def _name_record(
    defined_name: DefinedName, document_index: int, section_index: int, page: SectionPage,
    vocabulary: Vocabulary, shared: frozenset[str],
) -> SearchRecord:
    entry = defined_name.entry
    anchor = page.anchor(defined_name.anchor)
    line = shortened(one_line(_description(defined_name, shared)), MAX_LINE_LENGTH)
    record = SearchRecord(
        defined_name.display_name, defined_name.kind, document_index, section_index, anchor,
        anchor or defined_name.section.anchor, line, defined_name.deprecated,
        # its text is nothing but manual pages, as in lists of all names
        is_pointer=MANUAL_PAGES.fullmatch(defined_name.summary) is not None
        and (entry is None or len(entry.body) == 1),
    )
    if entry is None:
        return record
    return replace(
        record, owner=entry.anchor, mentions=len(entry.backlinks),
        rule_sets=tuple(_rule_sets(entry, vocabulary)),
    )


def _description(defined_name: DefinedName, shared: frozenset[str]) -> str:
    """Return the summary of a name, or the first sentence of its entry that is not `shared`."""
    entry = defined_name.entry
    if entry is None or defined_name.summary not in shared:
        return defined_name.summary
    sentences = (text for text in _sentences_after_first(entry) if text not in shared)
    return next(sentences, defined_name.summary)


def _rule_sets(entry: tree.Entry, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the words that may appear in front of an action: `http-request`.

    They come from its own table, and from the tables of all names.
    """
    tables = [usage.values for usage in entry.usages if usage.kind == "rule sets"]
    tables += [table.values for table in entry.from_tables if table.name == "rule sets"]
    for column, state in chain.from_iterable(tables):
        if state != "-" and column in vocabulary.rule_sets:
            yield vocabulary.rule_sets[column]


def _arguments(page: SectionPage, section_index: int) -> Iterator[SearchRecord]:
    """Yield the literal terms of the entries of the section of `page`."""
    for block in page.section.body:
        if not isinstance(block, tree.Entry):
            continue
        for node in tree.walk(block.body):
            if isinstance(node, tree.Definition):
                for term in node.terms:
                    name = one_line(term.name)
                    if term.anchor and not term.kind and LITERAL.fullmatch(name):
                        yield SearchRecord(
                            f"{block.title} {name}", ARGUMENT, page.document_index,
                            section_index, term.anchor, block.anchor,
                            _first_sentence(node.body), block.deprecated,
                        )


def _first_sentence(blocks: Sequence[tree.Block]) -> str:
    """Return the first sentence of `blocks` if they start with prose, else nothing."""
    first = blocks[0] if blocks else None
    if not isinstance(first, tree.Paragraph):
        return ""
    sentences = BETWEEN_SENTENCES.split(one_line(tree.plain_text(first.content)), maxsplit=1)
    return shortened(sentences[0], MAX_LINE_LENGTH)
