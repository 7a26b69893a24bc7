"""From the outline to the tree: sections by their numbers, entries by their signatures.

There are two passes.  The first finds the signatures of the whole document and names
them, since an anchor depends on other entries of that name.  The second reads the bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dconv.model.anchors import Anchors, slug
from dconv.model.diagnostics import Diagnostic
from dconv.model.dialect import Dialect
from dconv.model.source import Source
from dconv.model.summary import summary
from dconv.model.tree import (
    Block,
    Entry,
    Flow,
    Manual,
    Section,
    Span,
    Usage,
)
from dconv.model.values import dataclass
from dconv.readers.text import findings, names
from dconv.readers.text.dropped import DroppedMarks
from dconv.readers.text.entries import NO_RULE, SectionPart, cut_at_filtered, cut_at_signatures
from dconv.readers.text.filters.filtered import FilteredEntry
from dconv.readers.text.outline import NO_TITLES, Outline, Title, drop_marks, find_outline
from dconv.readers.text.region import Context, Region, trimmed
from dconv.readers.text.rules import parse, prose, usage
from dconv.readers.text.signatures import drop_continuations

MAX_LEVEL = 32  # levels of sections; deeper ones are beside each other


@dataclass(frozen=True, slots=True)
class _Draft:
    """A section before its bodies are read."""

    title: Title
    level: int
    anchor: str
    parts: tuple[SectionPart, ...]


def nest(
    source: Source, dialect: Dialect, name: str, titles: Mapping[int, int] = NO_TITLES,
    code: frozenset[int] = frozenset(), column: int = 0, entries: Sequence[FilteredEntry] = (),
) -> Manual:
    """Return the manual `name` that `source` makes in `dialect`.

    `titles` are lines that are known to be titles, each with its level, `code` those that are
    known to be code; `column` is where the text is known to be, but for titles; `entries` are
    those that are known, and then all.
    """
    outline = find_outline(source.lines, titles, dialect.describes_signatures)
    anchors = Anchors()
    drafts = list(_drafts(outline, source, dialect, anchors, entries))
    groups = [part.group for draft in drafts for part in draft.parts if part.group]
    rows = names.matrix_rows(source.lines) if groups else frozenset[str]()
    group_names = names.name_groups(groups, rows, dialect)
    assigned = names.anchors_and_titles(groups, group_names, dialect, anchors)
    names_anchors_titles = list(zip(group_names, assigned.anchors, assigned.titles, strict=True))
    reader = _Reader(source, dialect, anchors, iter(names_anchors_titles), code, column)
    drop_marks(outline, source.lines, reader.dropped)
    preface = reader.preface(outline.preface)
    sections = [reader.section(draft) for draft in drafts]
    footer = outline.footer
    return Manual(
        name=name,
        source=source,
        header=outline.header,
        preface=preface,
        contents=outline.contents,
        contents_span=outline.contents_span,
        sections=_tree(sections, footer.first - 1 if footer else len(source.lines)),
        footer=footer,
        diagnostics=(
            *source.diagnostics,
            *[replace(finding, line=source.origin(finding.line))
              for finding in _findings(drafts, source)],
        ),
        dropped=reader.dropped.sorted(),
        aliases=assigned.aliases,
    )


class _Levels:
    """The level of a title: the length of its number, or the rank of its underline."""

    def __init__(self, titles: Sequence[Title]) -> None:
        numbered = any(title.number for title in titles)
        roman = any(title.number and not title.number[0].isdigit() for title in titles)
        self._base = 1 if roman else 0
        underlines = [] if numbered else [title.underline for title in titles]
        ranks = enumerate(dict.fromkeys(underlines), 1)
        self._rank = {underline: rank for rank, underline in ranks}

    def of(self, title: Title) -> int:
        """The level of `title`, from 1 to `MAX_LEVEL`."""
        if not title.number:
            return min(self._rank.get(title.underline, 1), MAX_LEVEL)
        if not title.number[0].isdigit():
            return 1
        # "2.0" is the chapter of "2.1"
        return min(self._base + title.number.removesuffix(".0").count(".") + 1, MAX_LEVEL)


def _drafts(
    outline: Outline, source: Source, dialect: Dialect, anchors: Anchors,
    entries: Sequence[FilteredEntry],
) -> Iterator[_Draft]:
    """Each section with its parts, in order."""
    levels = _Levels([title for title, _ in outline.sections])
    for title, body in outline.sections:
        parts: list[SectionPart] = []
        for span in body:
            first, last = span.first - 1, span.last
            if entries:
                parts += cut_at_filtered(source.lines, first, last, title.title, entries)
            else:
                parts += cut_at_signatures(source.lines, first, last, title.title, dialect)
        anchor = anchors.unique(title.number or slug(title.title))
        yield _Draft(title, levels.of(title), anchor, tuple(parts))


class _Reader:
    """Reads the bodies of one document; `names_anchors_titles` has those of each group in order."""

    def __init__(
        self, source: Source, dialect: Dialect, anchors: Anchors,
        names_anchors_titles: Iterator[tuple[list[str], list[str], list[str]]],
        code: frozenset[int], column: int,
    ) -> None:
        self._source = source
        self._dialect = dialect
        self._anchors = anchors
        self._names_anchors_titles = names_anchors_titles
        self._code = code
        self._column = column
        self.dropped = DroppedMarks()

    def preface(self, spans: Iterable[Span]) -> tuple[Block, ...]:
        """The blocks before the first section, on the lines `spans`."""
        context = self.context("", "", "")
        return tuple(
            node for span in spans
            for node in self.flow(span.first - 1, span.last, self._column, context)
        )

    def section(self, draft: _Draft) -> Section:
        """The section of `draft`, without its sub-sections."""
        title = draft.title
        prefix = slug(title.title)
        body: list[Block] = []
        for part in draft.parts:
            if part.group is None:
                context = self.context(title.title, prefix, "")
                column = max(title.indent, self._column)
                body += self.flow(part.first, part.last, column, context)
            else:
                body.append(self._entry(part, part.group, title.title))
        return Section(
            title.number, title.title, draft.anchor, draft.level, tuple(body), (),
            title.span, title.span,
        )

    def flow(self, first: int, last: int, column: int, context: Context) -> tuple[Flow, ...]:
        """The flow of lines `first` to `last` (indexes, the last excluded)."""
        lines = self._source.lines
        start, stop = trimmed(lines, first, last)
        if start == stop:
            return ()
        indent = column
        if lines[start].indent > column:
            end = start
            while end < last and lines[end].text:
                end += 1
            outer = Region(lines, start, last, indent, context, parse)
            if prose.is_prose(lines[start:end]) and not any(
                prose.has_first_line_indent(outer, at) for at in range(end, stop)
                if lines[at].indent == lines[start].indent
            ):
                indent = lines[start].indent
        return parse(Region(lines, start, last, indent, context, parse))

    def context(self, title: str, prefix: str, entry: str) -> Context:
        """Return the context of rules in a section, in an entry (or ""), under `prefix`."""
        item_rules = tuple(
            rule for rule in self._dialect.item_rules
            if rule.title.search(title) and rule.entry.search(entry)
        )
        return Context(
            self._dialect, self._anchors, title, prefix, entry, item_rules, self._code, self.dropped
        )

    def _entry(self, part: SectionPart, group: names.SignatureGroup, title: str) -> Entry:
        own_names, own_anchors, own_titles = next(self._names_anchors_titles)
        signatures = tuple(
            replace(raw.signature, name=name, anchor=anchor, title=title)
            for raw, name, anchor, title in zip(
                group.signatures, own_names, own_anchors, own_titles, strict=True
            )
        )
        for signature in signatures:
            continued = self._source.lines[signature.span.first - 1 : signature.span.last - 1]
            drop_continuations(continued, self.dropped)
        context = self.context(title, own_anchors[0], own_names[0])
        usages, body = self._body(part, context)
        _, last = trimmed(self._source.lines, part.first, part.last)
        end = max(self._source.lines[last - 1].number, signatures[-1].span.last)
        return Entry(
            kind=group.entry_rule.kind,
            name=own_names[0],
            signatures=signatures,
            usages=usages,
            summary=summary(body),
            deprecated=all(signature.deprecated for signature in signatures),
            experimental=all(signature.experimental for signature in signatures),
            body=body,
            anchor=own_anchors[0],
            span=Span(signatures[0].span.first, end),
        )

    def _body(
        self, part: SectionPart, context: Context
    ) -> tuple[tuple[Usage, ...], tuple[Flow, ...]]:
        """An entry's usages, and the flow of the lines between them."""
        lines = self._source.lines
        for kind, mark in part.dropped:
            self.dropped.add(kind, mark)
        if part.rest is not None:
            beside_name = (part.rest, *lines[part.first : part.last])
            column = part.rest.indent
            return (), parse(Region(beside_name, 0, len(beside_name), column, context, parse))
        first, stop = trimmed(lines, part.first, part.last)
        if first == stop:
            return (), ()
        column = lines[first].indent
        usages: list[Usage] = []
        flow: list[Flow] = []
        start = at = first
        while at < part.last:
            match = usage.find(lines, at, part.last, self.dropped)
            if match is None:
                at += 1
                continue
            flow += self._flow(start, at, column, context)
            usages.append(match[0])
            start = at = match[1]
        flow += self._flow(start, part.last, column, context)
        return tuple(usages), tuple(flow)

    def _flow(self, first: int, last: int, column: int, context: Context) -> tuple[Flow, ...]:
        return parse(Region(self._source.lines, first, last, column, context, parse))


def _tree(sections: Sequence[Section], last: int) -> tuple[Section, ...]:
    """The flat list of `sections` nested by level; each reaches to the next of its rank."""
    open_sections: list[tuple[Section, list[Section]]] = []
    top: list[Section] = []

    def close(level: int, end: int) -> None:
        while open_sections and open_sections[-1][0].level >= level:
            section, children = open_sections.pop()
            span = Span(section.title_span.first, end)
            section = replace(section, sections=tuple(children), span=span)
            (open_sections[-1][1] if open_sections else top).append(section)

    for section in sections:
        close(section.level, section.title_span.first - 1)
        open_sections.append((section, []))
    close(0, last)
    return tuple(top)


def _findings(drafts: Sequence[_Draft], source: Source) -> Iterator[Diagnostic]:
    """Yield what is odd about the sections, and about a text without entries."""
    titles = ((draft.title, draft.anchor) for draft in drafts)
    yield from findings.repeated_numbers(titles, source.path)
    unknown = (draft.title for draft in drafts if any(map(_is_unknown, draft.parts)))
    yield from findings.unknown_kinds(unknown, source.path)
    if not any(part.group for draft in drafts for part in draft.parts):
        yield from findings.missing_entries(source.lines, source.path)


def _is_unknown(part: SectionPart) -> bool:
    return part.group is not None and part.group.entry_rule is NO_RULE
