"""The search of a shelf: all names of all packages, and the texts of each package.

    search-names.js     all documents, and all names unless they are too many
    search-names-s.js   if they are: those that have a word with this letter in front
    search-lines.js     what documents are about
    search-text.js      the words of titles and descriptions, and phrases
    search-words-s.js   which texts have the words that begin with this letter, if pages do not
                        load all texts
    mdadm/search.js     the names, lines and words of a batch of a package
    mdadm/search-2.js   those of the next batch

A job makes the files of a batch with `batch_search_files`, and returns its records, small values.
`site_search_files` makes the files of the site from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from dconv.model.diagnostics import Diagnostic
from dconv.model.search_terms import STOPWORDS, SYNONYMS, Vocabulary
from dconv.model.tree import sections
from dconv.model.values import dataclass
from dconv.writers.pages.shelf import ShelfBatch, ShelfDocument
from dconv.writers.search import encoding, files, fulltext, index_data, tokenizer
from dconv.writers.search.index_data import RecordTable
from dconv.writers.search.records import (
    ARGUMENT,
    DOCUMENT,
    SECTION,
    SearchRecord,
    SectionPage,
)
from dconv.writers.site_files import Json, SiteFile

SITE_KEY = "."  # the key of the site's own data
MAX_NAMES = 30_000  # names that a page loads at once; more are split by letters
NAMES_OF_LETTER = "search-names-{}.js"
MAX_PARTS = 4  # files of texts that pages load for a query
WORDS_OF_LETTER = "search-words-{}.js"
OTHER_LETTER = "0"  # stands for all letters but a to z
# sections of manual pages that do not describe their topic, or repeat what lists have (NAME)
UNSEARCHED = frozenset({
    "NAME", "SEE ALSO", "AUTHOR", "AUTHORS", "COPYRIGHT", "COLOPHON", "REPORTING BUGS", "HISTORY",
    "AVAILABILITY", "LICENSE",
})
# kinds, the most important first
KINDS = ("command", "option", "setting", "keyword", "variable", "file", "signal", "status")
VOCABULARY = Vocabulary(priority=KINDS)


@dataclass(frozen=True, slots=True)
class ShelfPage:
    """A page of a document: the number of the document, that of its section, its file."""

    document_index: int
    number: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class BatchRecords:
    """What the search of the site needs of a batch: a small value that can be pickled.

    `folder` is that of the package, `number` that of the batch, from 1.  `records` count the
    `documents` and `pages` of the batch; `phrases` are wordings as stems with their targets, each
    with its rank; `synonyms` are groups of stems; `words` are those of its texts, each with its
    highest level of weight.
    """

    package: str
    folder: str
    number: int
    documents: tuple[ShelfDocument, ...]
    pages: tuple[ShelfPage, ...]
    records: tuple[SearchRecord, ...]
    phrases: tuple[tuple[str, tuple[tuple[int, SearchRecord], ...]], ...] = ()
    synonyms: tuple[str, ...] = ()
    words: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BatchSearch:
    """The search of a batch: its file, records and findings."""

    file: SiteFile
    records: BatchRecords
    diagnostics: tuple[Diagnostic, ...]


# --- a batch ---------------------------------------------------------------------------


def search_key(folder: str, number: int) -> str:
    """The key of the data of a batch, which is the path of its file without the suffix."""
    return f"{folder}/search" if number == 1 else f"{folder}/search-{number}"


def batch_search_files(batch: ShelfBatch, number: int = 1) -> BatchSearch:
    """Return the search of `batch`, which is that of this `number` of its package, from 1 on."""
    by_name = {document.name: document for document in batch.package.documents}
    documents = [by_name[document.manual.name] for document in batch.release.documents]
    pages = _section_pages(batch, documents)
    vocabulary = replace(
        batch.release.vocabulary, priority=batch.release.vocabulary.priority or KINDS,
        synonyms=batch.release.vocabulary.synonyms or SYNONYMS,
    )
    release = replace(batch.release, vocabulary=vocabulary)
    data = files.search_data(release, pages, part_size=0, with_document_texts=True)
    key = search_key(batch.package.folder, number)
    names = {
        **data.names,
        "shelf": _shelf_columns(
            documents, [(batch.package.name, batch.package.folder)],
            [0] * len(documents), [number] * len(documents),
        ),
        "unnamed": encoding.encode_rising([
            index for index, record in enumerate(data.table.rows)
            # titles that all manual pages have, such as OPTIONS: nobody looks for them
            if record.kind == SECTION and record.name.upper() == record.name
            and documents[record.document_index].title.endswith(")")
        ]),
        "prefaced": encoding.encode_rising([
            index for index, document in enumerate(release.documents) if document.manual.preface
        ]),
    }
    script = b"".join([
        index_data.script(key, "names", names), index_data.script(key, "lines", data.lines),
        index_data.script(key, "text", data.text),
    ])
    return BatchSearch(
        (f"{key}.js", script),
        _batch_records(batch, number, documents, pages, data, vocabulary),
        tuple(files.check_names(data.table)),
    )


def _section_pages(batch: ShelfBatch, documents: Sequence[ShelfDocument]) -> list[SectionPage]:
    """The sections of the documents; those of documents of one page have no file of their own."""
    pages: list[SectionPage] = []
    for index, (document, shelf_document) in enumerate(
        zip(batch.release.documents, documents, strict=True)
    ):
        if shelf_document.is_single:
            pages += [
                SectionPage(
                    index, section, file="", has_own_page=False,
                    is_text=section.title not in UNSEARCHED,
                )
                for section in sections(document.manual)
            ]
        else:
            pages += [
                SectionPage(index, section, shelf_document.files[section.anchor])
                for section in sections(document.manual)
            ]
    return pages


def _batch_records(
    batch: ShelfBatch, number: int, documents: Sequence[ShelfDocument],
    pages: Sequence[SectionPage], data: files.SearchData, vocabulary: Vocabulary,
) -> BatchRecords:
    """The records of a batch for the site: names without lines, sections of long documents."""
    table = data.table
    page_indexes: list[int] = []
    own_pages: list[ShelfPage] = []
    for page in pages:
        if page.has_own_page:
            own_pages.append(ShelfPage(page.document_index, page.number, page.file))
        elif not own_pages or own_pages[-1].document_index != page.document_index:
            own_pages.append(ShelfPage(page.document_index))
        page_indexes.append(len(own_pages) - 1)

    def on_page(record: SearchRecord) -> SearchRecord:
        index = page_indexes[record.section_index] if record.section_index >= 0 else -1
        return replace(record, section_index=index, line="")

    return BatchRecords(
        batch.package.name, batch.package.folder, number,
        tuple([replace(document, files={}) for document in documents]), tuple(own_pages),
        tuple([
            on_page(record) for record in table.rows
            if record.kind not in (ARGUMENT, DOCUMENT)
            and (record.kind != SECTION or pages[record.section_index].has_own_page)
        ]),
        tuple([
            (stems, tuple([(rank, on_page(table.rows[row])) for rank, row in enumerate(rows)]))
            for stems, rows in files.rows_of_phrases(table, vocabulary)
        ]),
        tuple(files.synonyms(vocabulary)),
        index_data.highest_levels(data.word_weights),
    )


def _shelf_columns(
    documents: Sequence[ShelfDocument], packages: Sequence[tuple[str, str]],
    package_indexes: Sequence[int], batch_numbers: Sequence[int],
) -> Json:
    """What only documents of a shelf have: packages (name and folder), batches, paths, names."""
    return {
        "packages": packages,
        "of": encoding.encode(package_indexes),
        "parts": encoding.encode(batch_numbers),
        "paths": encoding.encode_front_coded(
            "" if document.path == f"man/{document.name}.html" else document.path
            for document in documents
        ),
        "long": encoding.encode_rising([
            index for index, document in enumerate(documents) if not document.is_single
        ]),
        "others": {
            str(index): document.other_names for index, document in enumerate(documents)
            if document.other_names
        },
    }


# --- the site -------------------------------------------------------------------------


def site_search_files(batches: Iterable[BatchRecords]) -> Iterator[SiteFile]:
    """Yield the files of the search of all `batches`, those of the latest releases."""
    shelf, phrases, synonyms, words = _merged(batches)
    is_split = len(shelf.records) > MAX_NAMES
    targets = [record for _, records in phrases for record in records]
    own_records = [*targets, *(() if is_split else shelf.records)]
    table = index_data.sort_records(
        dict.fromkeys([*_document_records(shelf.documents), *own_records]), VOCABULARY
    )
    letters = _by_letters(shelf) if is_split else {}
    words_of_letters = _words_by_letter(words) if len(words) > MAX_PARTS else {}
    names = {
        **_names(shelf, table), "letters": "".join(letters),
        "maxParts": MAX_PARTS, "wordLetters": "".join(words_of_letters),
    }
    yield files.NAMES_FILE, index_data.script(SITE_KEY, "names", names)
    yield files.LINES_FILE, index_data.script(SITE_KEY, "lines", index_data.lines_data(table))
    yield files.TEXT_FILE, index_data.script(SITE_KEY, "text", _text(table, phrases, synonyms))
    for letter, subset in letters.items():
        subset_records = [*_document_records(subset.documents), *subset.records]
        table = index_data.sort_records(subset_records, VOCABULARY)
        names = _names(subset, table)
        yield NAMES_OF_LETTER.format(letter), index_data.script(SITE_KEY + letter, "names", names)
    for letter, data in words_of_letters.items():
        yield WORDS_OF_LETTER.format(letter), index_data.script(SITE_KEY + letter, "words", data)


@dataclass(frozen=True, slots=True)
class _ShelfRecords:
    """Documents, each with its package, and their pages and records.

    `packages` are names and folders; `package_indexes` and `batch_numbers` are those of documents.
    """

    packages: Sequence[tuple[str, str]]
    documents: Sequence[ShelfDocument]
    package_indexes: Sequence[int]
    batch_numbers: Sequence[int]
    pages: Sequence[ShelfPage]
    records: Sequence[SearchRecord]


# stems of a wording, and its records
_Wording: TypeAlias = "tuple[str, tuple[SearchRecord, ...]]"


def _merged(
    batches: Iterable[BatchRecords]
) -> tuple[_ShelfRecords, list[_Wording], list[str], list[Mapping[str, int]]]:
    """All `batches` as one shelf, their wordings and synonyms, and the words of each."""
    packages: dict[tuple[str, str], int] = {}
    documents: list[ShelfDocument] = []
    package_indexes: list[int] = []
    batch_numbers: list[int] = []
    pages: list[ShelfPage] = []
    records: list[SearchRecord] = []
    wordings: dict[str, list[tuple[int, SearchRecord]]] = {}
    synonyms: dict[str, None] = {}
    words: list[Mapping[str, int]] = []
    for batch in batches:
        number = packages.setdefault((batch.package, batch.folder), len(packages))
        first_document, first_page = len(documents), len(pages)

        def renumbered(
            record: SearchRecord, first_document: int = first_document, first_page: int = first_page
        ) -> SearchRecord:
            section = record.section_index + first_page if record.section_index >= 0 else -1
            return _renumbered(record, record.document_index + first_document, section)

        documents += batch.documents
        package_indexes += [number] * len(batch.documents)
        batch_numbers += [batch.number] * len(batch.documents)
        pages += (
            replace(page, document_index=page.document_index + first_document)
            for page in batch.pages
        )
        records += map(renumbered, batch.records)
        for stems, targets in batch.phrases:
            wordings.setdefault(stems, []).extend(
                (rank, renumbered(record)) for rank, record in targets
            )
        synonyms.update(dict.fromkeys(batch.synonyms))
        words.append(batch.words)
    shelf = _ShelfRecords(list(packages), documents, package_indexes, batch_numbers, pages, records)
    document_records = list(_document_records(documents))  # which phrases may lead to, too
    phrases = [
        (stems, tuple([
            document_records[record.document_index] if record.kind == DOCUMENT else record
            for _, record in sorted(targets, key=lambda target: target[0])
        ]))
        for stems, targets in wordings.items()
    ]
    return shelf, phrases, list(synonyms), words


def _renumbered(record: SearchRecord, document_index: int, section_index: int) -> SearchRecord:
    """`record` with other numbers; twice as fast as `replace`, and there are a hundred thousand."""
    return SearchRecord(
        record.name, record.kind, document_index, section_index, record.anchor, record.owner,
        record.line, record.deprecated, record.mentions, record.rule_sets, record.is_other_name,
        record.is_pointer,
    )


def _document_records(documents: Sequence[ShelfDocument]) -> Iterator[SearchRecord]:
    for index, document in enumerate(documents):
        yield SearchRecord(document.title, DOCUMENT, index, -1, "", "", document.description)


def _names(shelf: _ShelfRecords, table: RecordTable) -> dict[str, Json]:
    """The data of names of the records of `table`, which are some of `shelf`."""
    documents = [
        [document.name] if document.title == _page_title(document.name)
        else [document.name, document.title]
        for document in shelf.documents
    ]
    return {
        **index_data.names_data(table, documents, shelf.pages, VOCABULARY),
        "shelf": _shelf_columns(
            shelf.documents, shelf.packages, shelf.package_indexes, shelf.batch_numbers
        ),
    }


def _text(table: RecordTable, phrases: Sequence[_Wording], synonyms: Sequence[str]) -> Json:
    """The words of titles and descriptions, and the phrases."""
    row_of = {record: index for index, record in enumerate(table.rows)}
    fields: dict[int, fulltext.Fields] = {
        index: fulltext.document_fields(record.name, record.line)
        for index, record in enumerate(table.rows) if record.kind == DOCUMENT
    }
    row_phrases: list[tuple[str, list[int]]] = []
    for stems, records in phrases:
        rows = [row_of[record] for record in records]
        row_phrases.append((stems, rows))
        for row in rows:
            fields.setdefault(row, {}).setdefault("phrase", []).extend(stems.split(" "))
    return index_data.text_data(
        fulltext.word_weights(list(fields.values())), list(fields), row_phrases, synonyms,
        STOPWORDS, [],
    )


def _page_title(name: str) -> str:
    """`mdadm(8)` for the name `mdadm.8`, else nothing."""
    page, dot, section = name.rpartition(".")
    return f"{page}({section})" if dot else ""


# --- letters --------------------------------------------------------------------------


def _by_letters(shelf: _ShelfRecords) -> dict[str, _ShelfRecords]:
    """`shelf` by the first letters of the words of names, each with the documents it needs."""
    records: dict[str, list[SearchRecord]] = {}
    named_documents: dict[str, set[int]] = {}
    for record in shelf.records:
        for letter in _letters(record.name):
            records.setdefault(letter, []).append(record)
    for index, document in enumerate(shelf.documents):
        package = shelf.packages[shelf.package_indexes[index]][0]
        for letter in _letters(" ".join([document.name, *document.other_names, package])):
            named_documents.setdefault(letter, set()).add(index)
    return {
        letter: _subset(shelf, records.get(letter, ()), named_documents.get(letter, set()))
        for letter in sorted({*records, *named_documents})
    }


def _words_by_letter(batch_words: Sequence[Mapping[str, int]]) -> dict[str, Json]:
    """For each letter the words that begin with it, and for each word its batches and levels."""
    postings: dict[str, list[tuple[int, str]]] = {}
    for index, levels in enumerate(batch_words):
        for word, level in levels.items():
            postings.setdefault(word, []).append((index, encoding.ALPHABET[level]))
    letters: dict[str, dict[str, encoding.Posting]] = {}
    for word, posting in sorted(postings.items()):
        [letter] = _letters(word)
        letters.setdefault(letter, {})[word] = posting
    return {
        letter: {
            "terms": encoding.encode_front_coded(words),
            "frequencies": encoding.encode(map(len, words.values())),
            "places": encoding.encode(
                gap for posting in words.values()
                for gap in encoding.gaps([index for index, _ in posting])
            ),
            "levels": "".join([level for posting in words.values() for _, level in posting]),
        }
        for letter, words in letters.items()
    }


def _letters(text: str) -> set[str]:
    """The first letters of the words of `text`; `0` stands for all that are not a to z."""
    first = {word[0] for word in tokenizer.tokens(text)} or {OTHER_LETTER}
    return {letter if "a" <= letter <= "z" else OTHER_LETTER for letter in first}


def _subset(
    shelf: _ShelfRecords, records: Sequence[SearchRecord], named_documents: Iterable[int]
) -> _ShelfRecords:
    """The part of `shelf` that has `records`, their documents, and `named_documents` (indexes)."""
    document_indexes = sorted({*named_documents, *(record.document_index for record in records)})
    new_index_of = {document: number for number, document in enumerate(document_indexes)}
    new_package_index_of = {
        package: number for number, package in
        enumerate(dict.fromkeys(shelf.package_indexes[document] for document in document_indexes))
    }
    new_page_index_of: dict[int, int] = {}
    pages: list[ShelfPage] = []
    for index, page in enumerate(shelf.pages):
        if page.document_index in new_index_of:
            new_page_index_of[index] = len(pages)
            pages.append(replace(page, document_index=new_index_of[page.document_index]))
    return _ShelfRecords(
        [shelf.packages[package] for package in new_package_index_of],
        [shelf.documents[document] for document in document_indexes],
        [new_package_index_of[shelf.package_indexes[document]] for document in document_indexes],
        [shelf.batch_numbers[document] for document in document_indexes],
        pages,
        [
            _renumbered(
                record, new_index_of[record.document_index],
                new_page_index_of[record.section_index],
            )
            for record in records
        ],
    )
