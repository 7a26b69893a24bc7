"""The texts of a release: the words of each by field, what each word weighs, the sentences.

The weights are BM25's in every field, with the boosts of the fields, as lunr computes
them (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from dconv.model import tree
from dconv.writers.html.escape import one_line
from dconv.writers.pages.page import ReleaseDocument
from dconv.writers.search import tokenizer
from dconv.writers.search.records import BETWEEN_SENTENCES, SectionPage

# what a word weighs by where it is; a "phrase" is of `phrases.toml`, and added by callers
FIELD_WEIGHTS: Mapping[str, float] = {
    "phrase": 9, "name": 6, "term": 6, "signature": 2, "summary": 2, "title": 1.5, "body": 1,
    "comment": 1, "mention": 0.8, "code": 0.35, "also": 0.25,
}  # fmt: skip
MENTION_CONTEXT = 8  # words on each side of a mention
SATURATION = 4.0  # BM25's k1
LENGTH_FACTOR = 0.4  # BM25's b
WEIGHT_UNITS = 1000  # lunr rounds a weight to thousandths
MAX_CACHED_TEXTS = 1 << 15

# of a text: (index of the document, anchor, which is empty before the first section)
TextKey: TypeAlias = "tuple[int, str]"
Fields: TypeAlias = "dict[str, list[str]]"
SearchedNode: TypeAlias = (
    tree.Section | tree.Entry | tree.Signature | tree.Paragraph | tree.Example | tree.Heading
    | tree.SeeAlso | tree.Preformatted | tree.Row | tree.Definition
)


def searched_nodes(
    documents: Iterable[ReleaseDocument], pages: Iterable[SectionPage]
) -> Iterator[tuple[TextKey, str, SearchedNode]]:
    """Yield the nodes with words, each with the key of its text and the field of its prose.

    What is before the first section is the text of the document.  Items and rows that define a
    name are texts of their own.  A section and an entry come before their text, signatures and
    definitions without what is below them.
    """
    for index, document in enumerate(documents):
        for block in document.manual.preface:
            yield from _searched_nodes(block, (index, ""), "body")
    for page in pages:
        section_key = (page.document_index, page.section.anchor)
        yield section_key, "name", page.section
        for block in page.section.body:
            if isinstance(block, tree.Entry):
                key = (page.document_index, block.anchor)
                yield key, "name", block
                for index, below in enumerate(block.body):
                    yield from _searched_nodes(below, key, "body" if index else "summary")
                for signature in block.signatures:
                    yield key, "signature", signature
            else:
                yield from _searched_nodes(block, section_key, "body")


def _searched_nodes(
    block: tree.Block | tree.Item | tree.Definition, key: TextKey, field_name: str
) -> Iterator[tuple[TextKey, str, SearchedNode]]:
    children: Sequence[tree.Block | tree.Item | tree.Definition] = ()
    match block:
        case tree.Table():
            # tables of other roles list all names
            for row in block.rows if block.role == "data" else ():
                is_listed = row.anchor and row.kind
                yield (key[0], row.anchor) if is_listed else key, "body", row
        case tree.List() | tree.Definitions():
            children = block.items
        case tree.Item() | tree.Labelled() | tree.BlockQuote() | tree.Footnote():
            children = block.body
        case tree.Definition():
            children = block.body
            names = own_terms(block)
            key = (key[0], names[0].anchor) if names else key
            yield key, "term", block
        case tree.Example():
            children = block.body
            yield key, "body", block
        case tree.Paragraph() | tree.Heading() | tree.SeeAlso() | tree.Preformatted():
            yield key, field_name, block
        case tree.Entry():
            pass
    for child in children:
        yield from _searched_nodes(child, key, "body")


def own_terms(definition: tree.Definition) -> list[tree.Term]:
    """The terms of `definition` that are names with a place of their own."""
    return [term for term in definition.terms if term.kind and term.anchor]


def fields(
    documents: Sequence[ReleaseDocument], pages: Sequence[SectionPage],
    owners: Mapping[TextKey, TextKey],
) -> dict[TextKey, Fields]:
    """Return the stems of all texts of `documents` by field.

    `pages` are their sections; `owners` maps each anchor of a name to the text that it is in.
    """
    numbers = {document.manual.name: index for index, document in enumerate(documents)}
    fields_of: dict[TextKey, Fields] = {}

    def add(key: TextKey, field_name: str, stems: Iterable[str]) -> None:
        fields_of.setdefault(key, {}).setdefault(field_name, []).extend(stems)

    title: Sequence[str] = ()
    for key, field_name, node in searched_nodes(documents, pages):
        match node:
            case tree.Section():
                title = stems_of(node.title)
                add(key, field_name, title)
            case tree.Entry():
                for name in dict.fromkeys(
                    signature.title or signature.name for signature in node.signatures
                ):
                    add(key, "name", stems_of(name))
                    if " " not in name:
                        add(key, "name", [tokenizer.lower(name)])
                add(key, "title", title)
            case tree.Signature():
                add(key, field_name, stems_of(node.text))
            case tree.Paragraph(content=prose) | tree.Example(caption=prose):
                stems, mentions = _prose(prose)
                add(key, field_name, stems)
                for target, around in mentions:
                    owner = owners.get((numbers.get(target.document, -1), target.anchor))
                    if owner is not None and owner != key:
                        add(owner, "mention", around)
            case tree.Heading():
                add(key, "term", stems_of(tree.plain_text(node.content)))
            case tree.SeeAlso():
                add(key, "also", stems_of(tree.plain_text(node.content)))
            case tree.Preformatted():
                for line in node.lines:
                    code, _, comment = line.partition("#")
                    add(key, "code", stems_of(code))
                    add(key, "comment", stems_of(comment))
            case tree.Row():
                if node.anchor and node.kind:
                    add(key, "name", stems_of(node.name))
                for cell in node.cells:
                    add(key, "body", stems_of(tree.plain_text(cell.content)))
            case tree.Definition():
                names = own_terms(node)
                for term in names or node.terms:
                    add(key, "name" if names else "term", stems_of(tree.plain_text(term.content)))
    return fields_of


def document_fields(title: str, description: str) -> Fields:
    """The fields of a document itself."""
    return {"name": [*stems_of(title)], "summary": [*stems_of(description)]}


@lru_cache(maxsize=MAX_CACHED_TEXTS)  # releases of a product have most texts in common
def stems_of(text: str) -> tuple[str, ...]:
    """The stems of the words of `text`."""
    return tuple([tokenizer.stem(word) for word in tokenizer.tokens(text)])


def _prose(
    content: tuple[tree.Inline, ...]
) -> tuple[list[str], list[tuple[tree.Target, list[str]]]]:
    """The stems of prose, and the targets of its references, each with the stems around."""
    stems: list[str] = []
    references: list[tuple[int, int, tree.Reference]] = []
    for node in content:
        start = len(stems)
        stems += stems_of(node.text)
        if isinstance(node, tree.Reference):
            references.append((start, len(stems), node))
    mentions: list[tuple[tree.Target, list[str]]] = []
    for start, end, reference in references:
        before = stems[max(0, start - MENTION_CONTEXT) : start]
        around = [*before, *stems[end : end + MENTION_CONTEXT]]
        mentions += [(target, around) for target in reference.targets]
    return stems, mentions


def sentences(
    documents: Sequence[ReleaseDocument], pages: Sequence[SectionPage]
) -> dict[TextKey, list[str]]:
    """Return the sentences of each text, in their order, by the keys of `fields`.

    They are too many to be loaded with the words: a page that shows a result of the text loads the
    part with its sentences, and `search-marks.js` chooses one.  Each line of code and each row of a
    table counts as a sentence; a term is put in front of the sentence that explains it.
    """
    gathered: dict[TextKey, list[str]] = {}
    terms = ""  # of a definition whose first paragraph comes next
    for key, _, node in searched_nodes(documents, pages):
        lines: Sequence[str] = ()
        match node:
            case tree.Paragraph(content=prose) | tree.Example(caption=prose):
                first, *others = _sentences(tree.plain_text(prose))
                separator = "" if not terms else " " if first[:1].islower() else ": "
                lines = (f"{terms}{separator}{first}", *others)
                terms = ""
            case tree.Heading():
                lines = (tree.plain_text(node.content),)
            case tree.Preformatted():
                lines = node.lines
            case tree.Row():
                lines = (_cells(node),)
            case tree.Definition():
                terms = ", ".join(tree.plain_text(term.content).strip() for term in node.terms)
                if not isinstance(next(iter(node.body), None), tree.Paragraph):
                    lines, terms = (terms,), ""
            case tree.Signature():
                lines = (node.text,)
            case tree.SeeAlso() | tree.Section() | tree.Entry():
                pass
        for line in lines:
            if text := one_line(line):
                gathered.setdefault(key, []).append(text)
    return gathered


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def _sentences(prose: str) -> list[str]:
    return BETWEEN_SENTENCES.split(one_line(prose))


def _cells(row: tree.Row) -> str:
    """Return the cells of `row` as one line, in which the first is a heading."""
    texts = [one_line(tree.plain_text(cell.content)) for cell in row.cells]
    cells = [text for text in texts if text]
    return ": ".join([*cells[:1], ", ".join(cells[1:])]) if len(cells) > 1 else "".join(cells)


def parts(
    sentences_by_row: Mapping[int, Sequence[str]], max_size: int
) -> Iterator[dict[int, Sequence[str]]]:
    """Yield the sentences of texts, by the rows of the texts in `ReleaseTable.rows`, in parts.

    A part has about `max_size` characters.
    """
    part: dict[int, Sequence[str]] = {}
    size = 0
    for row, lines in sorted(sentences_by_row.items()):
        row_size = sum(map(len, lines))
        if part and size + row_size > max_size:
            yield part
            part, size = {}, 0
        part[row] = lines
        size += row_size
    if part:
        yield part


def word_weights(texts: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, dict[int, int]]:
    """Return what each word weighs in each of `texts`, words by field: the sum over its fields.

    It is in thousandths, since to round to digits takes Python a third of the time of all this.
    """
    counted = [
        {field_name: Counter(stems) for field_name, stems in text.items()} for text in texts
    ]
    field_counts = Counter(
        chain.from_iterable([words for counts in counted for words in counts.values()])
    )
    idf = {  # inverse document frequencies
        word: math.log(1 + abs((len(texts) - count + 0.5) / (count + 0.5)))
        for word, count in field_counts.items()
    }
    lengths = {
        field_name: sum(len(text.get(field_name, ())) for text in texts) / len(texts)
        for field_name in FIELD_WEIGHTS if texts
    }
    weights: dict[str, dict[int, int]] = {word: {} for word in field_counts}
    for index, text in enumerate(texts):
        for field_name, weight in FIELD_WEIGHTS.items():
            if stems := text.get(field_name):
                length = len(stems) / lengths[field_name]
                base = SATURATION * (1 - LENGTH_FACTOR + LENGTH_FACTOR * length)
                scale = (SATURATION + 1) * weight * WEIGHT_UNITS
                for word, count in counted[index][field_name].items():
                    score = int(idf[word] * count / (base + count) * scale + 0.5)
                    in_texts = weights[word]
                    in_texts[index] = in_texts.get(index, 0) + score
    return weights
