"""The sentences of all texts, in parts that are loaded one by one.

They are too many to be loaded with the words: a page that shows a result of the text
loads the part that it is in, and `search-marks.js` chooses the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dconv.model import tree
from dconv.writers.html.escape import one_line
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
            case tree.Paragraph(content=prose) | tree.Example(caption=prose):
                first, *others = SENTENCE.split(one_line(tree.plain_text(prose)))
                separator = "" if not terms else " " if first[:1].islower() else ": "
                lines = (f"{terms}{separator}{first}", *others)
                terms = ""
            case tree.Heading():
                lines = (tree.plain_text(passage.content),)
            case tree.Preformatted():
                lines = passage.lines
            case tree.Row():
                lines = (_cells(passage),)
            case tree.Definition():
                terms = ", ".join(tree.plain_text(term.content).strip() for term in passage.terms)
                if not isinstance(next(iter(passage.body), None), tree.Paragraph):
                    lines, terms = (terms,), ""
            case tree.Signature():
                lines = (passage.text,)
            case tree.SeeAlso() | tree.Section() | tree.Entry():
                pass
        for line in lines:
            if text := one_line(line):
                gathered.setdefault(key, []).append(text)
    return gathered


def _cells(row: tree.Row) -> str:
    """Return the cells of `row` as one line, in which the first is a heading."""
    texts = [one_line(tree.plain_text(cell.content)) for cell in row.cells]
    cells = [text for text in texts if text]
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
