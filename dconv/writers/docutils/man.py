"""Manual pages by docutils' writer, as `man`, `whatis` and `mandoc -T lint` expect them.

A manual page keeps its name and its section.  Any other text becomes a page of section 7 that is
named after the product and the text; its NAME says what the text is about, since `whatis` and
`apropos` know a page by that alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docutils import nodes
from docutils.writers import manpage

from dconv.model import man_pages
from dconv.model.file_names import file_name
from dconv.model.lifecycle import date_in
from dconv.model.summary import summary
from dconv.model.tree import Entry, Manual, sections
from dconv.writers.html.escape import one_line

SECTION = "7"  # overviews and conventions
MAX_LINE_LENGTH = 80  # mandoc warns about longer lines
DASH = re.compile(r" [–—] ")  # between name and description, where `whatis` knows "-"
# a blank where a line may break: not after a backslash, not after what may end a sentence ("e.g."),
# since roff widens the blank there, and not before a dot or quote, which would start a request
BREAK = re.compile(r"(?<![\\\\.!?:)\"'\s]) (?=[^\s.'])")

# dates that mandoc does not read: "March 1997", "3 March 1997", and DocBook's "09/16/2023"
WORDED_DATE = re.compile(r"(?:(\d{1,2}) )?([A-Z][a-z]{2})[a-z]*\.? (?:(\d{1,2}), )?(\d{4})")
MONTH_FIRST = re.compile(r"(\d\d)/(\d\d)/(\d{4})")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def name_and_section(manual: Manual, product: str) -> tuple[str, str]:
    """The name and the section of the page that `manual` of `product` becomes."""
    match = man_pages.PAGE_FILE.fullmatch(file_name(manual.source.path))
    name = manual.name
    if match is not None:
        return name.removesuffix(f".{match['section']}"), match["section"]
    return name if name.startswith(product) else f"{product}-{name}", SECTION


def installed_file_stem(manual: Manual, product: str) -> str:
    """The name of the file of `manual` in a folder with those of all programs, without suffix."""
    name, section = name_and_section(manual, product)
    return name if section == SECTION else f"{name}.{section}"


def make_manual_page(
    doctree: nodes.document, name: str, section: str, manual: Manual, date: str
) -> None:
    """Make a page of `doctree`, the document of `manual`, with the title `name`.

    `date` (`2026-06-03`, or empty) is that of a text without one.

    The former title of the document becomes the subtitle.  The section is a bibliographic field.
    The text of a manual page starts with its own NAME, without a list of its sections; date and
    version are only in its head.
    """
    title_nodes = [
        part for part in doctree.children if isinstance(part, nodes.title | nodes.subtitle)
    ]
    text = " ".join(part.astext() for part in title_nodes)
    for part in title_nodes:
        doctree.remove(part)
    doctree.insert(0, nodes.title("", name))
    doctree.insert(1, nodes.subtitle("", _description(manual) if text == manual.name else text))
    if name_section := _name_section(doctree):
        for topic in [part for part in doctree.children if isinstance(part, nodes.topic)]:
            doctree.remove(topic)
        for text in list(name_section.findall(nodes.Text)):
            text.parent.replace(text, nodes.Text(DASH.sub(" - ", text.astext())))
    docinfo = next(doctree.findall(nodes.docinfo), None)
    if docinfo is None:
        docinfo = nodes.docinfo()
        index = doctree.first_child_not_matching_class((nodes.title, nodes.subtitle))
        doctree.insert(len(doctree) if index is None else index, docinfo)
    for stated_date in list(docinfo.findall(nodes.date)):
        docinfo.remove(stated_date)
    fields = ((nodes.date, _date(manual) or date), (nodes.version, manual.header.version))
    for kind, text in fields:
        if text and not any(isinstance(field, kind) for field in docinfo):
            docinfo += kind("", one_line(text))
    docinfo += nodes.field(
        "", nodes.field_name("", "Manual section"),
        nodes.field_body("", nodes.paragraph("", section)),
    )


def _description(manual: Manual) -> str:
    """What a text without a title is about: its description, its first summary, or its name."""
    header = manual.header
    bodies = (manual.preface, *(section.body for section in sections(manual)))
    summaries = (
        summary([block for block in body if not isinstance(block, Entry)]) for body in bodies
    )
    first_summary = next(filter(None, summaries), "").rstrip(".")
    return one_line(header.description) or first_summary or manual.name


def _date(manual: Manual) -> str:
    """The date of `manual` as mandoc reads it: `1997-03-01` of "March 1997"."""
    stated = one_line(manual.header.date)
    if match := WORDED_DATE.fullmatch(stated):
        day, month, other_day, year = match.groups()
        number = MONTHS.index(month) + 1 if month in MONTHS else 0
        stated = f"{year}-{number:02}-{int(day or other_day or 1):02}" if number else stated
    elif match := MONTH_FIRST.fullmatch(stated):
        stated = f"{match[3]}-{match[1]}-{match[2]}"
    return date_in(stated) or one_line(manual.header.date)


def _name_section(doctree: nodes.document) -> nodes.section | None:
    """The section NAME that `doctree` starts with if it is that of a manual page."""
    section = next(doctree.findall(nodes.section), None)
    return section if section is not None and section[0].astext().upper() == "NAME" else None


class _Translator(manpage.Translator):
    """docutils' translator, which writes a section NAME only where the text has none."""

    def header(self) -> str:
        fields = {key: _escaped(str(value)) for key, value in vars(self)["_docinfo"].items()}
        head = (
            f'.TH "{fields["title"].upper()}" "{fields["manual_section"]}" "{fields["date"]}"'
            f' "{fields["version"]}"'
        )
        if _name_section(self.document):
            return f"{head}\n"
        return f"{head}\n.SH NAME\n{fields['title']} \\- {fields['subtitle']}\n"

    def visit_title(self, node: nodes.title) -> None:
        if not isinstance(node.parent, nodes.section):
            super().visit_title(node)
            return
        macro = ".SH" if self.section_level == 1 else ".SS"
        self.body.append(f"{macro} {_escaped(node.astext())}\n")
        raise nodes.SkipNode


def _escaped(text: str) -> str:
    """`text` for the line of a macro."""
    return text.replace("\\", "\\e").replace('"', "\\(dq").replace("\u00a0", "\\ ")


class Writer(manpage.Writer):
    """docutils' writer of manual pages."""

    def __init__(self) -> None:
        super().__init__()
        self.translator_class = _Translator


def tidy_lines(lines: Iterable[str]) -> Iterator[str]:
    """`lines` of a page without blank ones that `man` leaves out, and its text in short lines."""
    is_filled, before = True, ""
    for line in lines:
        if line.startswith((".nf", ".EX")):
            is_filled = False
        elif line.startswith((".fi", ".EE")):
            is_filled = True
        if line.startswith((".", "'")) or not is_filled or before.startswith(".TP"):
            if line != ".sp" or not before.startswith((".SH", ".SS")):
                yield line.rstrip() if line.startswith('.\\"') else line
        else:
            yield from _short_lines(line)
        before = line


def _mandoc_length(line: str) -> int:
    """The length of `line` as mandoc counts it, with `\\[u2014]` for a character beyond ASCII."""
    return len(line) + sum(len("\\[u2014]") - 1 for character in line if not character.isascii())


def _short_lines(line: str) -> Iterator[str]:
    """`line` in parts of at most `MAX_LINE_LENGTH`, where its blanks allow."""
    start = end = 0
    for gap in (*(match.start() for match in BREAK.finditer(line)), len(line)):
        if end > start and _mandoc_length(line[start:gap]) > MAX_LINE_LENGTH:
            yield line[start:end]
            start = end + 1
        end = gap
    yield line[start:]
