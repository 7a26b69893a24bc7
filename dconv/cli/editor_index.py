"""What an editor shows of a checked text: where names are defined and documented, completions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dconv.linking.symbols import NameRank
from dconv.lint.context import Context
from dconv.model import tree
from dconv.model.references import all_inlines
from dconv.model.tree import Definition, Manual, Reference, Target, plain_text
from dconv.model.values import dataclass

# "see section 3.2": the start of a section's number in front of the cursor
SECTION_NUMBER = re.compile(r"\bsections? (?P<start>[\d.]*)$")
# the start of a name in front of the cursor: after a quote, else a word
QUOTED = re.compile(r"[\"`'](?P<start>[^\"`']*)$")
WORD = re.compile(r"(?P<start>[\w.-]*)$")
QUOTED_NAME = re.compile(r"[\"`'](?P<name>[^\"`']+)[\"`']")


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """Where a section, an entry or a term is defined: its file and line (from 1).

    `title` is the section's number and title, the signatures of the entry, or the term; `text` is
    the summary of an entry.
    """

    path: str
    line: int
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class EditorIndex:
    """The references of a text, and what they lead to in its release.

    `references` are those of each line of the file, `locations` has where their targets are;
    `names` has the locations of the names of entries, `sections` those of the numbers of sections.
    """

    references: Mapping[int, tuple[Reference, ...]]
    locations: Mapping[Target, SourceLocation]
    names: Mapping[str, tuple[SourceLocation, ...]]
    sections: Mapping[str, SourceLocation]

    def locations_at(self, number: int, text: str, column: int) -> tuple[SourceLocation, ...]:
        """Where the name on line `number` of the file, from 1, leads; the line is `text` now.

        `column` counts characters from 0.
        """
        for reference in self.references.get(number, ()):
            for match in re.finditer(re.escape(reference.text), text):
                if reference.targets and match.start() <= column <= match.end():
                    locations = [self.locations.get(target) for target in reference.targets]
                    return tuple([location for location in locations if location is not None])
        for match in QUOTED_NAME.finditer(text):  # typed since the check, or no reference
            if match.start("name") <= column <= match.end("name"):
                return self.names.get(match["name"], ())
        return ()

    def completions(self, before: str) -> tuple[str, dict[str, SourceLocation]]:
        """The names or numbers that fit the text `before` the cursor, and the part they replace."""
        match = SECTION_NUMBER.search(before)
        choices = self.sections
        if match is None:
            choices = {name: locations[0] for name, locations in self.names.items()}
            match = QUOTED.search(before) or WORD.search(before)
        start = match["start"] if match else ""
        return start, {
            name: location for name, location in sorted(choices.items()) if name.startswith(start)
        }


def editor_index(context: Context) -> EditorIndex:
    """The index of the text of `context`."""
    locations: dict[Target, SourceLocation] = {}
    for manual in context.release_manuals:
        for anchor, location in _locations(manual):
            locations.setdefault(Target(manual.name, anchor), location)
    names: dict[str, tuple[SourceLocation, ...]] = {}
    for name, symbols in context.symbols.names.items():
        targets = [symbol.target for symbol in symbols if symbol.name_rank != NameRank.TERM]
        if existing := tuple([locations[target] for target in targets if target in locations]):
            names[name] = existing
    headings = context.symbols.headings.get(context.manual.name, {})
    sections = {
        number: locations[heading.target] for number, heading in headings.items()
        if heading.target in locations
    }
    return EditorIndex(_references(context.manual), locations, names, sections)


def _references(manual: Manual) -> dict[int, tuple[Reference, ...]]:
    """The references of `manual` by their line of the file."""
    by_line: dict[int, list[Reference]] = {}
    for part in all_inlines(manual):
        if isinstance(part, Reference):
            by_line.setdefault(manual.source.file_line_number(part.line), []).append(part)
    return {line: tuple(parts) for line, parts in by_line.items()}


def _locations(manual: Manual) -> Iterator[tuple[str, SourceLocation]]:
    """Each anchor of `manual` with its location; the first counts where anchors are equal."""
    for section in tree.sections(manual):
        title = f"{section.number}. {section.title}" if section.number else section.title
        yield section.anchor, _location(manual, section.title_span.first, title)
    for _, entry in tree.entries(manual):
        title = "\n".join(signature.text for signature in entry.signatures)
        for signature in entry.signatures:
            location = _location(manual, signature.span.first, title, entry.summary)
            yield signature.anchor, location
            yield entry.anchor, location
    for section in tree.sections(manual):
        for node in tree.walk(section.body):
            for term in node.terms if isinstance(node, Definition) else ():
                yield term.anchor, _location(manual, term.line, plain_text(term.content))
        for item in tree.defined_items(section.body):
            yield item.anchor, _location(manual, item.line, item.name)


def _location(manual: Manual, line: int, title: str, text: str = "") -> SourceLocation:
    return SourceLocation(manual.source.path, manual.source.file_line_number(line), title, text)
