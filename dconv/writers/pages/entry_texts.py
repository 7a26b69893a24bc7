"""The words of the entries of each section, for scripts that compare two releases.

    dconvReader.addTexts({"balance": ["balance <algorithm>", "sections: defaults yes, …", …]})

A page of a section has such a file beside it.  It is loaded when a reader compares an entry of the
page, or of the same page in another release.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from dconv.linking.passages import passages
from dconv.model.tree import Entry, sections, walk
from dconv.writers.pages.page import Release


def entry_text_files(
    release: Release, section_files: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, bytes]]:
    """For each section of `release` with entries: the path below the site's root, and the bytes.

    `section_files` are those of each document, in source order.
    """
    for document in release.documents:
        name = document.manual.name
        files = section_files[name]
        for file, section in zip(files, sections(document.manual), strict=True):
            texts = {
                node.anchor: list(_lines(node)) for node in walk(section.body)
                if isinstance(node, Entry)
            }
            if texts:
                data = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
                path = f"{release.folder}/{name}/{file.removesuffix('.html')}.texts.js"
                yield path, f"dconvReader.addTexts({data});\n".encode()


def _lines(entry: Entry) -> Iterator[str]:
    """The signatures of `entry`, where it may be used, and its passages."""
    for signature in entry.signatures:
        yield signature.text
    for usage in entry.usages:
        yield f"{usage.kind}: {', '.join(' '.join(value).strip() for value in usage.values)}"
    yield from map(str, passages(entry.body, {}))
