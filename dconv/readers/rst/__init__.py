"""The reader of reStructuredText, by docutils: https://docutils.sourceforge.io/rst.html."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType

from docutils import nodes

from dconv.model.diagnostics import Diagnostic
from dconv.model.dialect import Dialect
from dconv.model.file_names import file_name
from dconv.model.source import Source, read_source
from dconv.model.tree import Entry, ExpectedWords, Manual, Span
from dconv.readers.extracted_text import (
    ParsedDocument,
    build_manual,
    reference_places,
    section,
    verbatim_manual,
)
from dconv.readers.rst.addnodes import object_label, role_reference
from dconv.readers.rst.convert import Converter
from dconv.readers.rst.expected_words import expected_words
from dconv.readers.rst.parse import findings, parse, place_of

# ".. image:: lamp.png", ".. |lamp| image:: lamp.png"
IMAGE = re.compile(r"\.\. (?:\|[^|]*\| )?(?:image|figure):: +(?P<target>\S+)")


def read(
    content: bytes, path: str, dialect: Dialect, name: str,
    titles: Mapping[tuple[str, str], str] = MappingProxyType({}),
    sphinx_settings: Mapping[str, str] = MappingProxyType({}),
) -> Manual:
    """Return the manual `name` that the reStructuredText `content` makes.

    `path` names the text in findings; `titles` are those of places in other texts, by the kind
    ("label", "document") and the target of references without a text of their own;
    `sphinx_settings` are those of `parse`.  Never raises: what docutils reports is among the
    manual's diagnostics.
    """
    source = read_source(content, path)
    try:
        return _read(source, name, titles, sphinx_settings)
    except RecursionError:  # docutils recurses; 70 nested lists are too deep
        return _verbatim(source, name, "the text is nested too deep to be read")
    except (ValueError, LookupError, AttributeError, AssertionError):  # a circle of substitutions
        return _verbatim(source, name, "docutils fails to read the text")


def _read(
    source: Source, name: str, titles: Mapping[tuple[str, str], str],
    sphinx_settings: Mapping[str, str],
) -> Manual:
    """Read `source`; raises `RecursionError` if it is nested too deep."""
    tree, messages = parse("\n".join(_lines(source)), source.path, titles, sphinx_settings)
    converter = Converter(tree)
    header, preface = converter.header(), converter.preface()
    ids = (*tree["ids"], *converter.ids)
    sections = converter.sections(tree)
    words = expected_words(tree)
    if header.title and any(isinstance(block, Entry) for block in preface):
        # entries must be in a section: one gets the title of the document
        title = header.title.split()
        anchor = " ".join(ids)
        sections = (section(header.title, anchor, preface, sections),)
        preface, ids = (), ()
        counts = {**dict(words.dropped), "title": dict(words.dropped)["title"] - len(title)}
        dropped = tuple([(what, count) for what, count in counts.items() if count])
        words = ExpectedWords((*title, *words.words), dropped)
    diagnostics = (*source.diagnostics, *findings(messages, source))
    make_label: dict[str, Callable[[str], str]] = {
        "label": nodes.make_id, "document": file_name, "listed document": str,
    }
    places: list[tuple[str, int, int, str]] = []
    before: Counter[tuple[str, int]] = Counter()  # of the same words in the same block
    for node in tree.findall(role_reference):
        kind, target = node["kind"], str(node["target"])
        if not node.line or node.line > len(source.lines):
            continue
        role = (node.rawsource, node.line)
        if kind in make_label or kind in ("term", "option", "envvar", "confval"):
            label = make_label[kind](target) if kind in make_label else (
                object_label(kind, target, node["program"])
            )
            places.append((label, *place_of(*role, source, before[role]), target))
        before[role] += 1
    document = ParsedDocument(
        source.path, header, preface, sections, diagnostics, words, ids,
        (*places, *reference_places("\n".join(_lines(source)), IMAGE)),
    )
    return build_manual(document, name)


def _verbatim(source: Source, name: str, reason: str) -> Manual:
    """All of `source` as it stands, with a finding that says why."""
    message = f"{reason}; it is shown as it stands"
    finding = Diagnostic(source.path, 1, 1, "warning", "verbatim", message)
    lines, diagnostics = _lines(source), (*source.diagnostics, finding)
    return verbatim_manual(name, source.path, lines, diagnostics, span=Span(1, len(lines)))


def _lines(source: Source) -> list[str]:
    return [f"{' ' * line.indent}{line.text}" for line in source.lines]
