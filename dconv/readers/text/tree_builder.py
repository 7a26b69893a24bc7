"""Build the tree of a text: sections from the outline, entries from their signatures.

A first pass finds and names the signatures of the whole document, since an anchor depends on other
entries of that name.  A second pass reads the bodies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import pairwise

from dconv.model.anchors import Anchors, slug
from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Line, Source, block_end
from dconv.model.summary import summary
from dconv.model.tree import (
    Block,
    Definitions,
    Entry,
    Flow,
    Manual,
    Paragraph,
    Section,
    Span,
    Usage,
    plain_text,
)
from dconv.model.values import dataclass
from dconv.model.wrapping import DEFAULT_VALUE, wrap_width
from dconv.readers.text import guessed_entries, names
from dconv.readers.text.dropped import DroppedMarks
from dconv.readers.text.entries import NO_RULE, EntryLines, entries_of_filter, find_entries
from dconv.readers.text.filters.filtered import FilteredText
from dconv.readers.text.outline import CHAPTER, Outline, Title, drop_marks, find_outline
from dconv.readers.text.region import Context, Region, trimmed_range
from dconv.readers.text.rules import parse, prose, usage
from dconv.readers.text.signatures import CONTINUATION_MARK

MAX_LEVEL = 32  # of sections; deeper ones all have this one
# what says nothing about an entry: "Default:", "Usage: lamp <name>"
NO_DESCRIPTION = re.compile(r"\w+:$|[Uu]sage:")


@dataclass(frozen=True, slots=True)
class _SectionDraft:
    """A section before its text is read: its spans of lines, each with its entries."""

    title: Title
    level: int
    anchor: str
    body: tuple[tuple[Span, tuple[EntryLines, ...]], ...]

    @property
    def entries(self) -> Iterator[EntryLines]:
        """All its entries."""
        return (entry for _, entries in self.body for entry in entries)


def build_tree(text: FilteredText, name: str) -> Manual:
    """The manual `name` that the lines of `text` make; if `text` has entries, these are all."""
    source, dialect = text.source, text.dialect
    outline = find_outline(source.lines, text.titles, dialect.describes_signatures)
    anchors = Anchors()
    drafts = list(_drafts(outline, text, anchors))
    groups = [entry.group for draft in drafts for entry in draft.entries]
    rows = names.matrix_rows(source.lines) if groups else frozenset[str]()
    group_names = names.names_of_groups(groups, rows, dialect)
    group_anchors, group_titles, aliases = names.anchors_and_titles(
        groups, group_names, dialect, anchors
    )
    reader = _BodyReader(text, anchors, zip(group_names, group_anchors, group_titles, strict=True))
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
            *[replace(finding, line=source.file_line_number(finding.line))
              for finding in _findings(drafts, source)],
        ),
        dropped=reader.dropped.sorted(),
        aliases=aliases,
    )


def _levels(titles: Sequence[Title]) -> list[int]:
    """The level of each of `titles`, from 1 to `MAX_LEVEL`.

    It is the length of its number; if none has a number, the place of its underline among those of
    the text, in the order in which they first appear.  A title without a number inside a numbered
    chapter is one level below the number above it.
    """
    has_chapters = any(
        not title.number[0].isdigit() if title.number else CHAPTER.match(title.title)
        for title in titles
    )
    has_numbers = any(title.number for title in titles)
    underlines = [] if has_numbers else list(dict.fromkeys(title.underline for title in titles))
    levels: list[int] = []
    for title in titles:
        level = 1
        if title.underline in underlines:
            level += underlines.index(title.underline)
        elif title.number[:1].isdigit():  # "2.0" is the chapter of "2.1"
            level += has_chapters + title.number.removesuffix(".0").count(".")
        levels.append(min(level, MAX_LEVEL))
    numbered = [index for index, title in enumerate(titles) if title.number[:1].isdigit()]
    for above, below in pairwise(numbered):
        chapter, _, part = titles[below].number.partition(".")
        if part and titles[above].number.partition(".")[0] == chapter:
            levels[above + 1 : below] = [
                min(levels[above] + 1, MAX_LEVEL)
            ] * (below - above - 1)
    return levels


def _drafts(outline: Outline, text: FilteredText, anchors: Anchors) -> Iterator[_SectionDraft]:
    """Each section with its entries, in order."""
    lines = text.source.lines
    levels = _levels([title for title, _ in outline.sections])
    for (title, spans), level in zip(outline.sections, levels, strict=True):
        body: list[tuple[Span, tuple[EntryLines, ...]]] = []
        for span in spans:
            first, end = span.first - 1, span.last
            if text.entries:
                entries = entries_of_filter(lines, first, end, title.title, text.entries)
            else:
                entries = find_entries(lines, first, end, title.title, text.dialect)
            body.append((span, tuple(entries)))
        number = title.number
        if chapter := CHAPTER.match(title.underline):
            number = f"{chapter[1]}.{number}"
        anchor = anchors.unique(number or slug(title.title))
        yield _SectionDraft(title, level, anchor, tuple(body))


@dataclass(slots=True)
class _BodyReader:
    """Reads the bodies of `text`; `names_anchors_titles` has those of each group in order."""

    text: FilteredText
    anchors: Anchors
    names_anchors_titles: Iterator[tuple[list[str], list[str], list[str]]]
    dropped: DroppedMarks = field(default_factory=DroppedMarks)
    wrap_width: int = field(init=False)

    def __post_init__(self) -> None:
        is_guessed = self.text.dialect.guesses_blocks
        self.wrap_width = wrap_width(self.text.source.lines) if is_guessed else 0

    def preface(self, spans: Iterable[Span]) -> tuple[Block, ...]:
        """The blocks before the first section, on the lines `spans`."""
        context = self.context("", "", "")
        return tuple(
            node for span in spans
            for node in self.flow(span.first - 1, span.last, self.text.body_indent, context)
        )

    def section(self, draft: _SectionDraft) -> Section:
        """The section of `draft`, without its sub-sections."""
        title = draft.title
        context = self.context(title.title, slug(title.title), "")
        column = max(title.indent, self.text.body_indent)
        body: list[Block] = []
        for span, entries in draft.body:
            start = span.first - 1
            for entry in entries:
                body += self.flow(start, entry.first, column, context)
                body.append(self._entry(entry, title.title))
                start = entry.end
            body += self.flow(start, span.last, column, context)
        return Section(
            title.number, title.title, draft.anchor, draft.level, tuple(body), (),
            title.span, title.span,
        )

    def flow(self, first: int, end: int, column: int, context: Context) -> tuple[Flow, ...]:
        """The flow of `lines[first:end]`."""
        lines = self.text.source.lines
        start, stop = trimmed_range(lines, first, end)
        if start == stop:
            return ()
        region = Region(lines, start, end, column, context, parse)
        indent = lines[start].indent
        if indent > column:
            block_end = region.block_end(start)
            if prose.is_prose(prose.above_items(lines[start:block_end])) and not any(
                prose.has_first_line_indent(region, index) for index in range(block_end, stop)
                if lines[index].indent == indent
            ):
                region = replace(region, indent=indent)
            elif self.text.dialect.guesses_blocks and (
                prose.count_function_words(lines[start:block_end])
            ):
                region = replace(region, indent=_prose_column(lines, start, stop, column))
        return parse(region)

    def context(self, title: str, anchor_prefix: str, entry: str) -> Context:
        """The context of rules in the section `title`, and in `entry`, a name or empty."""
        item_rules = tuple(
            rule for rule in self.text.dialect.item_rules
            if rule.title.search(title) and rule.entry.search(entry)
        )
        return Context(
            self.text.dialect, self.anchors, title, anchor_prefix, entry, item_rules,
            self.text.code, self.wrap_width, self.dropped,
        )

    def _entry(self, entry: EntryLines, title: str) -> Entry:
        lines = self.text.source.lines
        own_names, own_anchors, own_titles = next(self.names_anchors_titles)
        signatures = tuple(
            replace(raw.signature, name=name, anchor=anchor, title=title)
            for raw, name, anchor, title in zip(
                entry.group.signatures, own_names, own_anchors, own_titles, strict=True
            )
        )
        for signature in signatures:
            for line in lines[signature.span.first - 1 : signature.span.last - 1]:
                if line.text.endswith(CONTINUATION_MARK):
                    kind = "backslash at the end of a line"
                    self.dropped.add(kind, line, len(line.text) - 1)
        context = self.context(title, own_anchors[0], own_names[0])
        usages, body = self._body(entry, context)
        _, body_end = trimmed_range(lines, entry.body_start, entry.end)
        end = max(lines[body_end - 1].number, signatures[-1].span.last)
        return Entry(
            kind=entry.group.entry_rule.kind, name=own_names[0], signatures=signatures,
            usages=usages, summary=summary(self._prose(body)),
            deprecated=all(signature.deprecated for signature in signatures),
            experimental=all(signature.experimental for signature in signatures), body=body,
            anchor=own_anchors[0], span=Span(signatures[0].span.first, end),
        )

    def _prose(self, body: Sequence[Flow]) -> Sequence[Flow]:
        """What the summary of an entry is taken from: of a guessed one, its leftmost blocks.

        If its only paragraph states a default, that is the text of the first value that it defines.
        """
        lines = self.text.source.lines
        if self.text.dialect.guesses_blocks:
            body = [
                node for node in body if not (
                    isinstance(node, Paragraph) and NO_DESCRIPTION.match(plain_text(node.content))
                )
            ]
        if self.text.dialect.describes_signatures:
            return body
        starts = [lines[node.span.first - 1] for node in body if isinstance(node, Paragraph)]
        if len(starts) == 1 and isinstance(body[0], Definitions) and (
            DEFAULT_VALUE.match(starts[0].text)
        ):
            return body[0].items[0].body
        column = min((line.indent for line in starts), default=-1)
        nodes = [node for node in body if lines[node.span.first - 1].indent == column]
        # "Obsolete", alone above the text
        is_status = len(nodes) > 1 and " " not in lines[nodes[0].span.first - 1].text
        return nodes[is_status:]

    def _body(
        self, entry: EntryLines, context: Context
    ) -> tuple[tuple[Usage, ...], tuple[Flow, ...]]:
        """An entry's usages, and the flow of the lines between them."""
        lines = self.text.source.lines
        for kind, mark in entry.dropped:
            self.dropped.add(kind, mark)
        if entry.text_beside is not None:
            text = (entry.text_beside, *lines[entry.body_start : entry.end])
            column = entry.text_beside.indent
            return (), parse(Region(text, 0, len(text), column, context, parse))
        first, stop = trimmed_range(lines, entry.body_start, entry.end)
        if first == stop:
            return (), ()
        region = Region(lines, first, entry.end, lines[first].indent, context, parse)
        usages: list[Usage] = []
        flow: list[Flow] = []
        start = index = first
        while index < entry.end:
            usage_and_end = usage.find(lines, index, entry.end, self.dropped)
            if usage_and_end is None:
                index += 1
                continue
            flow += parse(replace(region, first=start, end=index))
            usages.append(usage_and_end[0])
            start = index = usage_and_end[1]
        flow += parse(replace(region, first=start))
        return tuple(usages), tuple(flow)


def _prose_column(lines: Sequence[Line], first: int, stop: int, column: int) -> int:
    """The column of the leftmost lines from `first` to `stop` if prose is there, else `column`."""
    leftmost = min(line.indent for line in lines[first:stop] if line.text)
    index = first
    while index < stop:
        end = block_end(lines, index, stop)
        if end > index and lines[index].indent == leftmost and (
            prose.is_prose(prose.above_items(lines[index:end]))
        ):
            return max(leftmost, column)
        index = end + 1
    return column


def _tree(sections: Sequence[Section], last: int) -> tuple[Section, ...]:
    """The flat list of `sections` nested by level; each reaches to the next of its level."""
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


# --- findings -------------------------------------------------------------------------

# "no mode <name> [ from <low> ] (deprecated)": words and at least one argument, nothing else
SIGNATURE = re.compile(
    r"[a-z][\w.-]{0,60}(?: [a-z][\w.-]{0,60}){0,3}"
    r"(?: (?:<[^<>]+>|\[[^\[\]]+\]|\{[^{}|]*+\|[^{}]*+\}))+(?: +\([a-z]+\))?$"
)
USAGE = re.compile(r"May be used in\b[^.:|]{0,40}:")
MIN_PLACES = 3  # lines that look like entries; fewer may be chance


def _findings(drafts: Sequence[_SectionDraft], source: Source) -> Iterator[Diagnostic]:
    """Yield what is odd about the sections, and about a text without entries.

    Titles with different underlines may repeat a number: the parts of a chapter may start with 1.
    """
    underlines: dict[str, str] = {}  # of the first section with each number
    for draft in drafts:
        title = draft.title
        if title.number and underlines.get(title.number) == title.underline:
            yield title.finding(
                source.path, "section-number",
                f"section number {title.number} is used twice; its anchor is {draft.anchor}",
            )
        underlines.setdefault(title.number, title.underline)
    for draft in drafts:
        if any(entry.group.entry_rule is NO_RULE for entry in draft.entries):
            name = f'{draft.title.number} "{draft.title.title}"'.lstrip()
            yield draft.title.finding(
                source.path, "entry-kind",
                f"the dialect has no kind for the entries of section {name}; 'keyword' is used",
            )
    if not any(entries for draft in drafts for _, entries in draft.body):
        yield from _missing_entries(source.lines, source.path)


def _missing_entries(lines: Sequence[Line], path: str) -> Iterator[Diagnostic]:
    """Yield a note at the first of the `lines` that look like entries, in a text without any."""
    count = start = 0  # of what looks like a signature, and the block that may be an entry
    starts: set[int] = set()
    for index, line in enumerate(lines):
        if not line.indent and (index == 0 or not lines[index - 1].text):
            start = index
        if USAGE.match(line.text) or (
            line.indent == 0 and SIGNATURE.match(line.text) and _has_text_below(lines, index + 1)
        ):
            count += 1
            starts.add(start)
    name_lines = guessed_entries.possible_names(lines)
    if max(count, len(name_lines)) >= MIN_PLACES:
        places = starts or set(name_lines)
        first = lines[min(places)]
        description = "1 place looks like an entry" if len(places) == 1 else (
            f"{len(places):,} places look like entries"
        )
        message = (
            f"{description}, and no section holds any: name the sections of entries in a "
            "manual.toml (section 3.3 of dconv's manual)"
        )
        yield Diagnostic(
            path, first.number, first.column, "note", "no-entries", message, len(first.text)
        )


def _has_text_below(lines: Sequence[Line], index: int) -> bool:
    """Whether deeper text is directly at the index `index`, or below one more signature."""
    below = next((line for line in lines[index : index + 2] if line.indent or not line.text), None)
    return below is not None and bool(below.text)
