"""What is odd about the sections of a document, told as diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dconv.model.diagnostics import Diagnostic
from dconv.readers.text.blocks import TitleBlock


def repeated(sections: Iterable[tuple[TitleBlock, str]], path: str) -> Iterator[Diagnostic]:
    """A diagnostic for each section whose number was used before, with its anchor.

    Below another underline it is no repetition: the numbers of the parts of a chapter may begin
    anew.
    """
    seen: dict[str, str] = {}
    for title, anchor in sections:
        if title.number and seen.get(title.number) == title.mark:
            message = f"section number {title.number} is used twice; its anchor is {anchor}"
            line, column = title.span.first, title.indent + 1
            yield Diagnostic(path, line, column, "warning", "section-number", message)
        seen.setdefault(title.number, title.mark)


def unknown(titles: Iterable[TitleBlock], path: str) -> Iterator[Diagnostic]:
    """A diagnostic for each of `titles`, whose entries no kind of the dialect fits."""
    for title in titles:
        name = f'{title.number} "{title.title}"'.lstrip()
        message = f"section {name} holds entries of no known kind; they are called keywords"
        line, column = title.span.first, title.indent + 1
        yield Diagnostic(path, line, column, "warning", "entry-kind", message)
