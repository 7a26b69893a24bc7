"""What an editor asks about a checked text: where names lead, what they are, which there are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dconv.linking.symbols import NameForm
from dconv.lint.context import Context
from dconv.model import tree
from dconv.model.references import inlines
from dconv.model.tree import Definition, Manual, Reference, Section, Target, plain_text
from dconv.model.values import dataclass

# "see section 3.2": the start of a section's number in front of the cursor
SECTION_NUMBER = re.compile(r"\bsections? (?P<start>[\d.]*)$")
# the start of a name in front of the cursor: after a quote, else a word
QUOTED = re.compile(r"[\"`'](?P<start>[^\"`']*)$")
WORD = re.compile(r"(?P<start>[\w.-]*)$")
QUOTED_NAME = re.compile(r"[\"`'](?P<name>[^\"`']+)[\"`']")


@dataclass(frozen=True, slots=True)
class Place:
    """A section, an entry or a term: its file and line (from 1), what it is called, what it says.

    `title` is the section's number and title, the signatures of an entry, or a term.
    """

    path: str
    line: int
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class EditorIndex:
    """The references of a text and the places of its release.

    `references` are those of each line of the file, `names` and `sections` where names of
    entries and numbers of sections lead.
    """

    references: Mapping[int, tuple[Reference, ...]]
    places: Mapping[Target, Place]
    names: Mapping[str, tuple[Place, ...]]
    sections: Mapping[str, Place]

    def places_at(self, number: int, text: str, column: int) -> tuple[Place, ...]:
        """Where the name at a place of the file leads: line `number`, from 1, which now is `text`.

        `column` counts characters from 0.
        """
        for reference in self.references.get(number, ()):
            for match in re.finditer(re.escape(reference.text), text):
                if reference.targets and match.start() <= column <= match.end():
                    places = [self.places.get(target) for target in reference.targets]
                    return tuple([place for place in places if place is not None])
        for match in QUOTED_NAME.finditer(text):  # not yet checked, or of no known form
            if match.start("name") <= column <= match.end("name"):
                return self.names.get(match["name"], ())
        return ()

    def completions(self, before: str) -> tuple[str, dict[str, Place]]:
        """The names or numbers that fit the text `before` the cursor, and the part they replace."""
        match = SECTION_NUMBER.search(before)
        choices = self.sections
        if match is None:
            choices = {name: places[0] for name, places in self.names.items()}
            match = QUOTED.search(before) or WORD.search(before)
        start = match["start"] if match else ""
        return start, {
            name: place for name, place in sorted(choices.items()) if name.startswith(start)
        }


def editor_index(context: Context) -> EditorIndex:
    """The index of the text of `context`."""
    places: dict[Target, Place] = {}
    for manual in context.release:
        for anchor, place in _places(manual):
            places.setdefault(Target(manual.name, anchor), place)
    names: dict[str, tuple[Place, ...]] = {}
    for name, symbols in context.symbols.names.items():
        targets = [symbol.target for symbol in symbols if symbol.name_form < NameForm.TERM]
        if name_places := tuple([places[target] for target in targets if target in places]):
            names[name] = name_places
    headings = context.symbols.headings.get(context.manual.name, {})
    sections = {
        number: places[heading.target] for number, heading in headings.items()
        if heading.target in places
    }
    return EditorIndex(_references(context.manual), places, names, sections)


def _references(manual: Manual) -> dict[int, tuple[Reference, ...]]:
    """The references of `manual` by their line of the file."""
    by_line: dict[int, list[Reference]] = {}
    for blocks in (manual.preface, *(section.body for section in tree.sections(manual))):
        for part in inlines(blocks):
            if isinstance(part, Reference):
                by_line.setdefault(manual.source.origin(part.line), []).append(part)
    return {line: tuple(parts) for line, parts in by_line.items()}


def _places(manual: Manual) -> Iterator[tuple[str, Place]]:
    """Each anchor of `manual` with its place; of equal ones the first counts."""
    for section in tree.sections(manual):
        title = f"{section.number}. {section.title}" if section.number else section.title
        yield section.anchor, _place(manual, section.title_span.first, title)
    for _, entry in tree.entries(manual):
        title = "\n".join(signature.text for signature in entry.signatures)
        for signature in entry.signatures:
            place = _place(manual, signature.span.first, title, entry.summary)
            yield signature.anchor, place
            yield entry.anchor, place
    for section in tree.sections(manual):
        yield from _terms(manual, section)


def _terms(manual: Manual, section: Section) -> Iterator[tuple[str, Place]]:
    for node in tree.walk(section.body):
        if isinstance(node, Definition):
            for term in node.terms:
                yield term.anchor, _place(manual, term.line, plain_text(term.content))
    for item in tree.items(section.body):
        yield item.anchor, _place(manual, item.line, item.name)


def _place(manual: Manual, line: int, title: str, text: str = "") -> Place:
    return Place(manual.source.path, manual.source.origin(line), title, text)
