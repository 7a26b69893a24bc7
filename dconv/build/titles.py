"""The titles that references show: those of sections and documents in other texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from posixpath import dirname

from dconv.readers import RST
from dconv.sources.texts import SourceText

# a text without these has none of the `references` below, whose module is slow to import
REFERENCE = re.compile(rb":(?:num)?ref:`|:doc(?:ref)?:`|:eq:`|toctree::|include::")


def with_titles(texts: Sequence[SourceText]) -> tuple[SourceText, ...]:
    """`texts` of a release, those in reStructuredText with the titles that they show."""
    rst_texts = [text for text in texts if text.format == RST]
    if not any(REFERENCE.search(text.content) for text in rst_texts):
        return tuple(texts)
    from dconv.linking.symbols import file_paths, paths_of_link
    from dconv.readers.rst.titles import label_key, references, shown_title, titles

    titles_of_files: dict[str, str] = {}
    titles_of_labels: dict[str, str] = {}
    for text in rst_texts:
        title, by_label = titles(text.content)
        for path in file_paths(text.document.file):
            titles_of_files.setdefault(path, title or text.document.name)
        for label, section_title in by_label.items():
            titles_of_labels.setdefault(label, section_title)

    def shown_titles(text: SourceText) -> Iterator[tuple[str, str, str]]:
        folder = dirname(text.document.file)
        for kind, target in dict.fromkeys(references(text.content)):
            title = titles_of_labels.get(label_key(target)) if kind == "label" else next(
                filter(None, map(titles_of_files.get, paths_of_link(target, folder))), ""
            )
            if title and not kind.startswith("titled "):
                yield kind.removeprefix("included "), target, shown_title(title)

    return tuple([
        replace(text, titles=tuple(shown_titles(text))) if text.format == RST else text
        for text in texts
    ])
