"""What texts show of others: titles of sections and documents, and which they list in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from posixpath import dirname, join, normpath, splitext

from dconv.model.source import decoded_text
from dconv.readers import RST
from dconv.sources.sphinx_settings import matches
from dconv.sources.texts import SourceText

# a text without these has none of the `references` below, whose module is slow to import
REFERENCE = re.compile(rb":(?:num)?ref:`|:doc(?:ref)?:`|:eq:`|toctree::|include::")
MARKDOWN_TITLE = re.compile(rb"^#[ \t]+(\S+(?:[ \t]+(?!#+[ \t\r]*$)\S+)*)", re.MULTILINE)
# in a line of a table of contents with documents by patterns: "guide/*"
PATTERN = re.compile(r"[*?[]")


def in_order_of_toctrees(texts: Sequence[SourceText]) -> tuple[SourceText, ...]:
    """`texts` in the order in which they list each other, or none if they list none.

    "index" is the first, those that no text lists are the last.
    """
    if not any(b"toctree::" in text.content for text in texts):
        return ()
    from dconv.linking.symbols import file_paths, paths_of_link
    from dconv.readers.rst.titles import listed_target, tables_of_contents

    numbers: dict[str, int] = {}
    for number, text in enumerate(texts):
        for path in file_paths(text.document.file):
            numbers.setdefault(path, number)
    listed: list[list[int]] = [[] for _ in texts]
    for number, text in enumerate(texts):
        folder = dirname(text.document.file)
        rst = decoded_text(text.content, "")[0].expandtabs() if text.format == RST else ""
        for lines, has_patterns in tables_of_contents(rst):
            for line in chain(*_expanded(lines, text, texts)) if has_patterns else lines:
                paths = paths_of_link(listed_target(line), folder)
                listed[number] += [numbers[path] for path in paths if path in numbers][:1]
    all_listed = set(chain(*listed))
    if not all_listed:
        return ()
    order: dict[int, None] = {}
    stack = sorted(range(len(texts)), reverse=True, key=lambda number: (
        splitext(texts[number].document.file)[0] != "index",
        number in all_listed or not listed[number], number,
    ))
    while stack:
        number = stack.pop()
        if number not in order:
            order[number] = None
            stack += reversed(listed[number])
    return tuple([texts[number] for number in order])


def _expanded(
    lines: Sequence[str], text: SourceText, texts: Sequence[SourceText]
) -> Iterator[list[str]]:
    """What each of the `lines` of a table of contents in `text` lists: itself, or some `texts`."""
    from dconv.readers.rst.titles import listed_target

    folder = f"/{dirname(text.document.file)}"
    documents = {f"/{splitext(other.document.file)[0]}" for other in texts if other is not text}
    for line in lines:
        target = listed_target(line)
        path = normpath(join(folder, target))
        if target == line and PATTERN.search(line):
            listed = sorted(name for name in documents if matches(name, path))
            documents.difference_update(listed)
            yield listed
        else:
            documents.discard(path.removesuffix(".rst"))
            yield [line]


def with_titles(texts: Sequence[SourceText]) -> tuple[SourceText, ...]:
    """`texts` of a release, those in reStructuredText with the titles that they show."""
    rst_texts = [text for text in texts if text.format == RST]
    if not any(REFERENCE.search(text.content) for text in rst_texts):
        return tuple(texts)
    from dconv.linking.symbols import file_paths, paths_of_link
    from dconv.readers.rst.titles import label_key, references, shown_title, titles

    titles_of_files: dict[str, str] = {}
    titles_of_labels: dict[str, str] = {}
    for text in texts:
        if text.format == RST:
            title, by_label = titles(text.content)
        elif match := MARKDOWN_TITLE.search(text.content):
            title, by_label = decoded_text(match[1], "")[0], {}
        else:
            continue
        for path in file_paths(text.document.file):
            titles_of_files.setdefault(path, title or text.document.name)
        for label, section_title in by_label.items():
            titles_of_labels.setdefault(label, section_title)

    def shown_titles(text: SourceText) -> Iterator[tuple[str, str, str]]:
        folder = dirname(text.document.file)
        places = dict.fromkeys(references(text.content))
        for kind, target in [*places]:
            if kind == "listed documents":
                lines = [*_expanded(target.split("\n"), text, texts)]
                places |= dict.fromkeys([("document", line) for line in chain(*lines)])
                yield kind, target, "\n".join(map("\t".join, lines))
        for kind, target in places:
            title = titles_of_labels.get(label_key(target)) if kind == "label" else next(
                filter(None, map(titles_of_files.get, paths_of_link(target, folder))), ""
            )
            if title and not kind.startswith("titled "):
                shown = shown_title(title, text.sphinx_settings)
                yield kind.removeprefix("included "), target, shown

    return tuple([
        replace(text, titles=tuple(shown_titles(text))) if text.format == RST else text
        for text in texts
    ])
