"""The manuals on one side of a comparison, with their sections and entries by key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dconv.diff.types import Element, Location
from dconv.linking.entry_metadata import advice, older_names
from dconv.linking.matching import EntryKey, EntryTexts, SectionKey
from dconv.linking.outline import Outlines
from dconv.linking.passages import passage_texts
from dconv.model import tree
from dconv.model.references import inlines
from dconv.model.values import dataclass

PLACEHOLDER = re.compile(r"<[\w-]+>")


@dataclass(frozen=True, slots=True)
class ManualSet:
    """Linked manuals to compare: the name that readers see, the manuals, their outlines."""

    name: str
    manuals: tuple[tree.Manual, ...]
    outlines: Outlines


@dataclass(frozen=True, slots=True)
class ManualSetIndex:
    """The sections of the manuals by document, in source order, and their entries by keys.

    `texts` are the entries as `linking.matching` compares them.
    """

    texts: EntryTexts
    manuals: Mapping[str, tree.Manual]
    sections: Mapping[str, tuple[tree.Section, ...]]
    entries: Mapping[EntryKey, tuple[tree.Section, tree.Entry]]

    def entry(self, key: EntryKey) -> tree.Entry:
        """The entry at `key`."""
        return self.entries[key][1]

    def section(self, key: SectionKey) -> tree.Section:
        """The section at `key`."""
        return self.sections[key[0]][key[1]]

    def entry_element(self, key: EntryKey) -> Element:
        """The entry at `key`, as an element."""
        section, entry = self.entries[key]
        location = self._location(key[0], section, entry.span.first, entry.anchor)
        sentences = advice(entry.body) or (self._see_also(entry) if entry.deprecated else "")
        return Element(
            entry.kind, entry.title, location, entry.summary, entry.deprecated, sentences,
            tuple(dict.fromkeys(entry.signature_names)),
        )

    def _see_also(self, entry: tree.Entry) -> str:
        """The current names that a deprecated `entry` refers to at its end, as a sentence."""
        names = dict.fromkeys(
            part.name for block in entry.body if isinstance(block, tree.SeeAlso)
            for part in block.content
            if isinstance(part, tree.Reference) and part.kind == "name"
            and part.targets and not any(
                self.entries[target_key][1].deprecated for target in part.targets
                if (target_key := (target.document, target.anchor)) in self.entries
            )
        )
        return f"See also: {', '.join(names)}." if names else ""

    def section_element(self, key: SectionKey) -> Element:
        """The section at `key`, as an element."""
        section = self.section(key)
        location = self._location(key[0], section, section.title_span.first, section.anchor)
        return Element("", section.title, location)

    def _location(self, document: str, section: tree.Section, line: int, anchor: str) -> Location:
        """The place of `line` of the manual's source, with the number of the line in its file."""
        file_line = self.manuals[document].source.file_line_number(line)
        return Location(document, section.number, section.title, file_line, anchor)

    def terms_of_sections(self, entry: tree.Entry) -> frozenset[str]:
        """The terms and placeholders of the sections to which `entry` refers by number."""
        targets = {
            target for part in inlines(entry.body)
            if isinstance(part, tree.Reference) and part.kind == "section"
            for target in part.targets
        }
        terms: set[str] = set()
        for target in targets:
            for section in self.sections.get(target.document, ()):
                if section.anchor == target.anchor:
                    terms.update(_terms(section))
        return frozenset(terms)

    def signatures(self) -> frozenset[tuple[str, str, str]]:
        """The document, the title of the section and the name of each signature."""
        return frozenset(
            (document, section.title, signature.name)
            for (document, _), (section, entry) in self.entries.items()
            for signature in entry.signatures
        )

    def older_names(self) -> Mapping[str, str]:
        """Names that no entry has, each with the sentence that says what replaces it."""
        names = {name for _, entry in self.entries.values() for name in entry.names}
        sentences: dict[str, str] = {}
        for document_sections in self.sections.values():
            for section in document_sections:
                for block in section.body:
                    body = block.body if isinstance(block, tree.Entry) else (block,)
                    for name, sentence in older_names(body):
                        if name not in names:
                            sentences.setdefault(name, sentence)
        return sentences

    def items(self) -> Iterator[Element]:
        """Terms and rows of tables that are definitions of a kind of their own."""
        for document, document_sections in self.sections.items():
            for section in document_sections:
                for item in tree.defined_items(section.body):
                    location = self._location(document, section, item.line, item.anchor)
                    yield Element(item.kind, item.name, location)


def index_manual_set(manual_set: ManualSet) -> ManualSetIndex:
    """The sections and entries of `manual_set`."""
    section_lists = {manual.name: tuple(tree.sections(manual)) for manual in manual_set.manuals}
    entries = {
        (document, entry.anchor): (section, entry)
        for document, document_sections in section_lists.items()
        for section in document_sections for entry in section.entries
    }
    manuals = {manual.name: manual for manual in manual_set.manuals}

    def text(key: EntryKey) -> str:
        return " ".join(passage_texts(entries[key][1].body))

    return ManualSetIndex(EntryTexts(manual_set.outlines, text), manuals, section_lists, entries)


def _terms(section: tree.Section) -> Iterator[str]:
    """The terms and placeholders of `section` and its entries."""
    for block in section.body:
        signatures, body = (
            (block.signatures, block.body) if isinstance(block, tree.Entry) else ((), (block,))
        )
        texts = [signature.text for signature in signatures]
        for text in (*texts, *passage_texts(body)):
            yield from PLACEHOLDER.findall(text)
    for node in tree.walk(section.body):
        if isinstance(node, tree.Definition):
            yield from [term.name for term in node.terms]
