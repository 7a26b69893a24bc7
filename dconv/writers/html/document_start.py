"""The start of a document: its title block, preface and table of contents.

The table of contents lists the sections with the titles of the source's own table of contents.
Titles there that differ in more than case, dots and blanks are in a folded list below, so that no
word is lost.
"""

from __future__ import annotations

from collections.abc import Iterable

from dconv.model import tree
from dconv.model.lifecycle import DATE, date_in
from dconv.writers.html.context import PageContext
from dconv.writers.html.escape import one_line, text
from dconv.writers.html.flow import blocks
from dconv.writers.html.marks import DATA_ADDED, lines_attribute, mark_source


def title_block(manual: tree.Manual, title: str) -> str:
    """The header of `manual`, line by line, or else `title`."""
    span = manual.header.span
    if span is None:
        words = manual.header.description
        edition = f'<p class="edition"{DATA_ADDED}>{text(words)}</p>\n' if words else ""
        return f"<h1{DATA_ADDED}>{text(title)}</h1>\n{edition}"
    title_rows, field_rows = manual.header.titles_and_fields()
    titles = [_marked_words(row) for row in title_rows]
    fields: list[str] = []
    for row in field_rows:
        words = one_line(row.text)
        label = f"<span{DATA_ADDED}>Version</span> " if words == manual.header.version else ""
        field = _marked_words(row)
        if DATE.fullmatch(words):
            field = f'<time datetime="{date_in(words)}">{field}</time>'
        fields.append(f'<span class="fact">{label}{field}</span>')
    heading = f"<h1{DATA_ADDED}>{text(title)}</h1>\n"
    if titles:
        heading = f"<h1>{' '.join(titles)}</h1>\n"
    return heading + (f'<p class="edition">{" ".join(fields)}</p>\n' if fields else "")


def preface(manual: tree.Manual, context: PageContext) -> str:
    """The text before the first section, each part marked with its lines."""
    borders = [span.first for span in (manual.header.span, manual.contents_span) if span]
    groups: dict[int, list[tree.Block]] = {}
    for block in manual.preface:
        group_number = sum(border < block.span.first for border in borders)
        groups.setdefault(group_number, []).append(block)
    return "".join([
        mark_source(tree.Span(group[0].span.first, group[-1].span.last), blocks(group, context))
        for group in groups.values()
    ])


def contents(manual: tree.Manual, context: PageContext) -> str:
    """The table of contents of `manual` with links; empty if it has no sections."""
    if not manual.sections and not manual.contents:
        return ""
    source_contents = _SourceContents(manual.contents)
    heading = f"<h2{DATA_ADDED}>Contents</h2>\n"
    if span := manual.contents_span:
        line_text = manual.source.lines[span.first - 1].text if span.first else ""
        mark = lines_attribute(str(span.first))
        heading = f"<h2{mark}>{text(line_text.rstrip(' :'))}</h2>\n"
    listed = _section_list(manual, source_contents, context)
    out = ['<nav class="contents" aria-label="Contents">\n', heading, listed]
    if source_contents.reworded:
        out.append(f"<details><summary{DATA_ADDED}>Other words in the source's summary</summary>\n")
        out.append("<ul>\n")
        for section, line in source_contents.reworded:
            link = context.link_start(tree.Target(manual.name, section.anchor))
            out.append(f"<li>{link}{lines_attribute(str(line.line))}>{_line_text(line)}</a></li>\n")
        out.append("</ul>\n</details>\n")
    if remaining := source_contents.remaining():
        out.append(f"<p{DATA_ADDED}>Only in the summary of the source:</p>\n<ul>\n")
        out += [
            f"<li><span{lines_attribute(str(line.line))}>{_line_text(line)}</span></li>\n"
            for line in remaining
        ]
        out.append("</ul>\n")
    out.append("</nav>\n")
    return "".join(out)


def _marked_words(row: tree.HeaderRow) -> str:
    """The words of `row`, marked with its line."""
    return f"<span{lines_attribute(str(row.line))}>{text(one_line(row.text))}</span>"


class _SourceContents:
    """The lines of the source's own table of contents; each is used once.

    `reworded` are those of sections that have another title.
    """

    def __init__(self, lines: Iterable[tree.ContentsLine]) -> None:
        self.reworded: list[tuple[tree.Section, tree.ContentsLine]] = []
        self._lines: dict[str, list[tree.ContentsLine]] = {}
        for line in lines:
            self._lines.setdefault(line.number or one_line(line.title), []).append(line)

    def pop(self, section: tree.Section) -> tree.ContentsLine | None:
        """The line of `section`, by its number or else its title; None if that has other words."""
        lines = self._lines.get(section.number or one_line(section.title))
        if not lines:
            return None
        line = lines.pop(0)
        if _folded(line.title) == _folded(section.title):
            return line
        self.reworded.append((section, line))
        return None

    def remaining(self) -> list[tree.ContentsLine]:
        """The lines that match no section, in order."""
        return sorted(
            (line for lines in self._lines.values() for line in lines), key=lambda line: line.line
        )


def _section_list(
    manual: tree.Manual, source_contents: _SourceContents, context: PageContext
) -> str:
    """All sections as nested lists; without recursion, since sections may nest deeply."""
    if not manual.sections:
        return ""
    out = ["<ol>\n"]
    stack = [iter(manual.sections)]
    while stack:
        section = next(stack[-1], None)
        if section is None:
            stack.pop()
            out.append("</ol>\n</li>\n" if stack else "</ol>\n")
            continue
        line = source_contents.pop(section)
        out.append(f"<li>{_section_row(section, manual.name, line, context)}")
        if section.sections:
            out.append("\n<ol>\n")
            stack.append(iter(section.sections))
        else:
            out.append("</li>\n")
    return "".join(out)


def _section_row(
    section: tree.Section, document: str, line: tree.ContentsLine | None, context: PageContext
) -> str:
    """A link to `section`, with the title of `line` if there is one, and its count of entries.

    The count is never alone on a line.
    """
    attribute_of_link = lines_attribute(str(line.line)) if line else DATA_ADDED
    title = line.title if line else section.title
    link = context.link_start(tree.Target(document, section.anchor))
    number = f'<span class="number">{text(section.number)}</span> ' if section.number else ""
    row = f"{link}{attribute_of_link}>{number}{text(title)}</a>"
    if count := len(section.entries):
        entries = f"{count}\N{NO-BREAK SPACE}{'entry' if count == 1 else 'entries'}"
        row += f'<small{DATA_ADDED} class="count">\N{NO-BREAK SPACE}{entries}</small>'
    return row


def _line_text(line: tree.ContentsLine) -> str:
    return text(f"{line.number} {line.title}".lstrip())


def _folded(title: str) -> str:
    """`title` without differences that do not matter to readers: case, dots, blanks."""
    return "".join(title.casefold().replace(".", "").split())
