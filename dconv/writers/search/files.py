"""The files of a release's search, made of its linked documents."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence

from dconv.model.diagnostics import Diagnostic
from dconv.model.search_terms import Vocabulary
from dconv.model.tree import TITLE_GAP
from dconv.model.values import dataclass
from dconv.writers.pages.page import Release
from dconv.writers.pages.versions import ProductVersions
from dconv.writers.search import fulltext, index_data, records, tokenizer
from dconv.writers.search.fulltext import Fields, TextKey
from dconv.writers.search.index_data import ReleaseTable
from dconv.writers.search.records import SectionPage
from dconv.writers.search.removed_names import removed_names
from dconv.writers.site_files import Json, SectionFiles, SiteFile

NAMES_FILE, LINES_FILE, TEXT_FILE = "search-names.js", "search-lines.js", "search-text.js"
PART = "search-part-{}.js"  # of the sentences, from 0 on
PART_SIZE = 40_000  # characters of sentences in a part, 10 to 12 KB of them packed
LUNR = "lunr.json"
LEADING_PERCENT = re.compile(r"^%")  # in front of a name: "%ci" is also called "ci"


@dataclass(frozen=True, slots=True)
class SearchData:
    """What the files hold, made of `table`; `lunr` is empty if the site does not ask for it.

    `word_weights` are those of `fulltext.word_weights`; `parts` have the sentences of each text, by
    the number of its row.
    """

    table: ReleaseTable
    names: Mapping[str, Json]
    lines: Json
    text: Json
    word_weights: Mapping[str, Mapping[int, int]]
    parts: tuple[Json, ...]
    lunr: bytes = b""


@dataclass(frozen=True, slots=True)
class SearchFiles:
    """The files of a release's search, and findings."""

    files: tuple[SiteFile, ...]
    diagnostics: tuple[Diagnostic, ...]


def search_files(
    release: Release, section_files: SectionFiles, lunr: bool,
    versions: ProductVersions | None,
) -> SearchFiles:
    """Return the files of the search of `release`.

    With `versions`, names that older releases have and `release` lacks are in the data, too.
    """
    pages = records.section_pages(release.documents, section_files)
    data = search_data(release, pages, PART_SIZE, lunr, versions)
    return SearchFiles(tuple(_files(release, data)), tuple(check_names(data.table)))


def release_search(release: Release, pages: Sequence[SectionPage]) -> Iterator[SiteFile]:
    """Yield the files of the search of `release` for sections that are on `pages`."""
    yield from _files(release, search_data(release, pages, sys.maxsize))


def _files(release: Release, data: SearchData) -> Iterator[SiteFile]:
    folder = release.folder
    files = [
        (NAMES_FILE, index_data.script(folder, "names", data.names)),
        (LINES_FILE, index_data.script(folder, "lines", data.lines)),
        (TEXT_FILE, index_data.script(folder, "text", data.text)),
    ]
    files += [
        (PART.format(index), index_data.script(folder, f"part-{index}", part))
        for index, part in enumerate(data.parts)
    ]
    if data.lunr:
        files.append((LUNR, data.lunr))
    for name, content in files:
        yield f"{folder}/{name}", content


def search_data(
    release: Release, pages: Sequence[SectionPage], part_size: int, lunr: bool = False,
    versions: ProductVersions | None = None, *, with_document_texts: bool = False,
) -> SearchData:
    """Return the content of the files of a search for sections that are on `pages`.

    `part_size` is how many characters of sentences a part has, about; 0 leaves them out.  With
    `with_document_texts`, the title and description of each document are a text, too.
    """
    vocabulary = release.vocabulary
    all_records = records.search_records(release.documents, pages, vocabulary)
    table = index_data.release_table(release.documents, pages, all_records, vocabulary)
    owners = {
        (index, record.anchor or record.owner): (index, record.owner)
        for record in all_records if record.owner for index in [record.document_index]
    }
    text_pages = [page for page in pages if page.is_text]
    fields = fulltext.fields(release.documents, text_pages, owners)
    if with_document_texts:
        for index, document in enumerate(release.documents):
            text = fields.setdefault((index, ""), {})
            text |= fulltext.document_fields(document.title, document.description)
    phrases = rows_of_phrases(table, vocabulary)
    _add_phrases(fields, phrases, table)
    keys = [key for key in fields if key in table.owners]
    documents = [fields[key] for key in keys]
    rows = [table.owners[key] for key in keys]
    parts = list(fulltext.parts({
        table.owners[key]: lines
        for key, lines in fulltext.sentences(release.documents, text_pages).items()
        if key in table.owners
    }, part_size)) if part_size else []
    removed = removed_names(versions, release.version, _all_names(table)) if versions else []
    lunr_json = b""
    if lunr:
        from dconv.writers.search import lunr_index  # it imports lunr, which few sites need

        lunr_json = lunr_index.lunr_json(lunr_index.build(documents))
    titles = [[document.manual.name, document.title] for document in release.documents]
    word_weights = fulltext.word_weights(documents)
    return SearchData(
        table, index_data.names_data(table, titles, pages, vocabulary),
        index_data.lines_data(table, removed),
        index_data.text_data(
            word_weights, rows, phrases, synonyms(vocabulary), vocabulary.stopwords,
            [min(part) for part in parts],
        ),
        word_weights,
        tuple([{str(row): lines for row, lines in part.items()} for part in parts]),
        lunr_json,
    )


def _all_names(table: ReleaseTable) -> list[str]:
    """All names that readers may type; actions also after the words of their rule sets."""
    return [name for row in table.rows for name in (
        row.name, *(f"{prefix} {row.name}" for prefix in row.rule_sets)
    )]


def check_names(table: ReleaseTable) -> Iterator[Diagnostic]:
    """Report each name that a document defines and that `table` does not point to its place.

    Places whose folded names are equal stand for each other.
    """
    addresses = {
        (
            record.kind, tokenizer.fold(record.name), record.document_index,
            table.pages[record.section_index].file, record.anchor,
        ) for record in table.rows if record.section_index >= 0
    }
    pages_of: dict[int, list[SectionPage]] = {}
    for page in table.pages:
        pages_of.setdefault(page.document_index, []).append(page)
    for index, document in enumerate(table.documents):
        pages = pages_of.get(index, [])
        for listed in document.names:
            page = pages[listed.section_index]
            anchor = page.anchor(listed.anchor)
            for name in (listed.display_name, *listed.other_names):
                if (listed.kind, tokenizer.fold(name), index, page.file, anchor) not in addresses:
                    source = document.manual.source
                    yield Diagnostic(
                        source.path, source.file_line_number(page.section.title_span.first), 1,
                        "error", "search-name",
                        f"the search does not find the {listed.kind} '{name}' by its own name",
                    )


@dataclass(frozen=True, slots=True)
class PhraseTargets:
    """The rows that phrases can name: `kind/name`, `document#title or anchor or number`.

    Where a release has no action of a name, its entry in a rule set is meant: old
    releases list "http-request deny" among the keywords.  `lowercase_rows` are the same in lower
    case, `names` rows by name alone in lower case, `rule_sets` the words of the rule sets.
    """

    rows: Mapping[str, int]
    lowercase_rows: Mapping[str, int]
    names: Mapping[str, int]
    rule_sets: tuple[str, ...]

    @classmethod
    def of(cls, table: ReleaseTable, vocabulary: Vocabulary) -> PhraseTargets:
        """The targets of all records of `table`."""
        rows: dict[str, int] = {}
        names: dict[str, int] = {}
        for index, record in enumerate(table.rows):
            names.setdefault(tokenizer.lower(record.name), index)
            document = table.documents[record.document_index].manual.name
            base_name = record.name.partition(TITLE_GAP)[0]  # of "set server … state"
            for name in (record.name, LEADING_PERCENT.sub("", record.name), base_name):
                rows.setdefault(f"{record.kind}/{name}", index)
            rows.setdefault(f"{document}#{record.anchor}", index)
            if record.kind == records.SECTION:
                section = table.pages[record.section_index].section
                for name in (section.title, section.number, section.anchor):
                    rows.setdefault(f"{document}#{name}", index)
        lowercase_rows: dict[str, int] = {}
        for target, index in rows.items():
            lowercase_rows.setdefault(tokenizer.lower(target), index)
        return cls(rows, lowercase_rows, names, tuple(dict.fromkeys(vocabulary.rule_sets.values())))

    def find(self, target: str) -> int | None:
        """The row that `target` names, if this release has it."""
        lowercase = tokenizer.lower(target)
        if target in self.rows:
            return self.rows[target]
        if lowercase in self.lowercase_rows:
            return self.lowercase_rows[lowercase]
        name = lowercase.partition("/")[2]
        rows = (self.names.get(f"{prefix} {name}") for prefix in self.rule_sets if name)
        return next((row for row in rows if row is not None), None)


def rows_of_phrases(table: ReleaseTable, vocabulary: Vocabulary) -> list[tuple[str, list[int]]]:
    """Return each wording of the phrases as stems, with the rows of `table` that it points to."""
    if not vocabulary.phrases:
        return []
    targets = PhraseTargets.of(table, vocabulary)
    wordings: list[tuple[str, list[int]]] = []
    for phrase in vocabulary.phrases:
        rows = [row for row in map(targets.find, phrase.targets) if row is not None]
        for wording in phrase.queries if rows else ():
            words = tokenizer.tokens(wording)
            content_words = [word for word in words if word not in vocabulary.stopwords]
            stems = dict.fromkeys(map(tokenizer.stem, content_words or words))
            if stems:
                wordings.append((" ".join(stems), rows))
    return wordings


def synonyms(vocabulary: Vocabulary) -> list[str]:
    """The stems of words that mean nearly the same, the manual's own first."""
    return [
        " ".join(dict.fromkeys(tokenizer.stem(tokenizer.lower(word)) for word in (first, *others)))
        for first, others in vocabulary.synonyms.items()
    ]


def _add_phrases(
    fields: dict[TextKey, Fields], phrases: Sequence[tuple[str, Sequence[int]]], table: ReleaseTable
) -> None:
    """Add the words of `phrases` to the texts that they lead to."""
    for stems, rows in phrases:
        for row in rows:
            record = table.rows[row]
            parts = fields.get((record.document_index, record.owner))
            if parts is not None:
                parts.setdefault("phrase", []).extend(stems.split(" "))
