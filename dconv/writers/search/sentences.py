"""The sentences of all texts, in parts that are loaded one by one.

They are too many to be loaded with the words: a page that shows a result of the text
loads the part that it is in, and `search-marks.js` chooses the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dconv.model.tree import (
    Definition,
    Entry,
    Example,
    Heading,
    Paragraph,
    Preformatted,
    Row,
    Section,
    SeeAlso,
    Signature,
    plain_text,
)
from dconv.writers.search.places import SENTENCE, SectionPage
from dconv.writers.search.texts import TextKey, passages


def sentences(pages: Sequence[SectionPage]) -> dict[TextKey, list[str]]:
    """Return the sentences of each text of `pages`, in their order.

    Keys are those of `texts.fields`.  Lines of code stand for themselves, rows of tables too;
    a term leads the sentence that explains it.
    """
    gathered: dict[TextKey, list[str]] = {}
    terms = ""  # of a definition whose first paragraph comes next
    for key, _, passage in passages(pages):
        lines: Sequence[str] = ()
        match passage:
            case Paragraph(content=prose) | Example(caption=prose):
                first, *others = SENTENCE.split(" ".join(plain_text(prose).split()))
                separator = "" if not terms else " " if first[:1].islower() else ": "
                lines = (f"{terms}{separator}{first}", *others)
                terms = ""
            case Heading():
                lines = (plain_text(passage.content),)
            case Preformatted():
                lines = passage.lines
            case Row():
                lines = (_cells(passage),)
            case Definition():
                terms = ", ".join(plain_text(term.content).strip() for term in passage.terms)
                if not isinstance(next(iter(passage.body), None), Paragraph):
                    lines, terms = (terms,), ""
            case Signature():
                lines = (passage.text,)
            case SeeAlso() | Section() | Entry():
                pass
        for line in lines:
            if text := " ".join(line.split()):
                gathered.setdefault(key, []).append(text)
    return gathered


def _cells(row: Row) -> str:
    """Return the cells of `row` as one line, in which the first is a heading."""
    cells = [text for cell in row.cells if (text := " ".join(plain_text(cell.content).split()))]
    return ": ".join([*cells[:1], ", ".join(cells[1:])]) if len(cells) > 1 else "".join(cells)


def parts(rows: Mapping[int, Sequence[str]], max_size: int) -> Iterator[dict[int, Sequence[str]]]:
    """Yield `rows` with their sentences in parts of about `max_size` characters."""
    part: dict[int, Sequence[str]] = {}
    size = 0
    for row in sorted(rows):
        row_size = sum(map(len, rows[row]))
        if part and size + row_size > max_size:
            yield part
            part, size = {}, 0
        part[row] = rows[row]
        size += row_size
    if part:
        yield part
