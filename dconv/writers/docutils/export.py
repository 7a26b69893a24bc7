"""Manuals in other formats, by docutils' own writers: the files of one release.

    rst     reStructuredText          docutils reads it back to the same
    xml     docutils' own XML         https://docutils.sourceforge.io/docs/ref/docutils.dtd
    man     a page for man: of a manual page in its section, of other texts in section 7
    odt     OpenDocument Text         for word processors
    latex   LaTeX                     `xelatex` makes a PDF of it
    html5   one page of plain HTML, styles inside
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from docutils import nodes, writers
from docutils.core import publish_from_doctree
from docutils.transforms.parts import Contents
from docutils.writers import docutils_xml, html5_polyglot, manpage, odf_odt, xetex

from dconv.model import man_pages
from dconv.model.diagnostics import Diagnostic
from dconv.model.file_names import file_name
from dconv.model.tree import Header, Manual
from dconv.writers.docutils.document import document
from dconv.writers.docutils.places import OtherDocument, identifiers
from dconv.writers.docutils.proof import losses
from dconv.writers.docutils.rst import rst

WRITER_RULE = "export"  # of findings that docutils' writers have
MAN_SECTION = "7"  # overviews and conventions
# the writer's own: it asks for it from the folder where it was imported
ODT_STYLES = Path(odf_odt.__file__).resolve().with_name("styles.odt")
EARLIEST_DATE = (1980, 1, 1, 0, 0, 0)  # the first date that a ZIP archive can hold
# who and when in the meta data of ODT, which are the machine's
PERSONAL_DATA = re.compile(
    rb"(?:(?<!\s)\s+)?<(meta:initial-creator|meta:creation-date|dc:creator|dc:date)"
    rb"(?: ?/>|>[^<]*</\1>)"
)
# the same output on all machines: no settings of the user, no dates
SETTINGS: Mapping[str, object] = MappingProxyType(
    {
        "_disable_config": True,
        "datestamp": None,
        "generator": None,
        "generate_oowriter_toc": False,  # its words are only there once an office updates it
        "halt_level": 5,
        "legacy_column_widths": False,  # this and the next as docutils 1.0 will have them
        "use_latex_citations": True,
        "output_encoding": "utf-8",
        "report_level": 2,
        "source_link": None,
        "source_url": None,
    }
)


@dataclass(frozen=True, slots=True)
class Exported:
    """One document in another format: its file's name, its bytes, what is odd about them."""

    file: str
    content: bytes
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Format:
    """A format: the ending of its files, how to write one, whether files can be linked.

    `is_page` is true of manual pages: those of all products come into one folder.
    """

    ending: str
    write: Callable[[nodes.document, io.StringIO], bytes]
    linked: bool = False
    is_page: bool = False


def export(
    manuals: Sequence[tuple[Manual, str]], format_name: str, product: str = ""
) -> Iterator[Exported]:
    """The linked `manuals` of one release, each given with its title, in the format `format_name`.

    `format_name` is a key of `FORMATS`; `product` is the product's name in addresses, or empty.
    Manual pages are named after both, `haproxy-management.7`, or as they were: `mdadm.8`.
    """
    output_format = FORMATS[format_name]
    other_documents = {
        manual.name: OtherDocument(f"{manual.name}.{output_format.ending}", identifiers(manual))
        for manual, _ in manuals if output_format.linked
    }
    for manual, title in manuals:
        doctree = document(manual, title, other_documents)
        findings = list(losses(manual, doctree))
        name, ending = manual.name, output_format.ending
        if output_format.is_page:
            name, ending = _page(manual, product)
            _make_page(doctree, name, ending, manual.header)
        warnings = io.StringIO()
        content = output_format.write(doctree, warnings)
        findings += [
            Diagnostic(manual.source.path, 1, 1, "warning", WRITER_RULE, line)
            for line in warnings.getvalue().splitlines() if line
        ]
        yield Exported(f"{name}.{ending}", content, tuple(findings))


def _writer(
    writer: Callable[[], writers.Writer[Any]], **settings: str
) -> Callable[[nodes.document, io.StringIO], bytes]:
    """Return a function that writes a document with `writer` of docutils, with more `settings`."""

    def write(doctree: nodes.document, warnings: io.StringIO) -> bytes:
        all_settings = {**SETTINGS, "warning_stream": warnings, **settings}
        content = publish_from_doctree(doctree, writer=writer(), settings_overrides=all_settings)
        assert isinstance(content, bytes)
        return content

    return write


def _rst(doctree: nodes.document, warnings: io.StringIO) -> bytes:
    return rst(doctree).encode()


def _page(manual: Manual, product: str) -> tuple[str, str]:
    """The name and the section of the page for man that `manual` becomes."""
    page = man_pages.FILE.fullmatch(file_name(manual.source.path))
    name = manual.name
    if page is not None:
        return name.removesuffix(f".{page['section']}"), page["section"]
    return name if name.startswith(product) else f"{product}-{name}", MAN_SECTION


def _make_page(doctree: nodes.document, name: str, section: str, header: Header) -> None:
    """Make a page for man of `doctree`, with the title `name` and what it was called below.

    The section is one more bibliographic field.  The text of a manual page starts with its own
    NAME, without a list of its sections, and date and version stand in its head alone.
    """
    title_nodes = [
        part for part in doctree.children if isinstance(part, nodes.title | nodes.subtitle)
    ]
    words = " ".join(part.astext() for part in title_nodes)
    for part in title_nodes:
        doctree.remove(part)
    doctree.insert(0, nodes.title("", name))
    if words not in ("", name):
        doctree.insert(1, nodes.subtitle("", words))
    if _has_name(doctree):
        for topic in [part for part in doctree.children if isinstance(part, nodes.topic)]:
            doctree.remove(topic)
    docinfo = next(doctree.findall(nodes.docinfo), None)
    if docinfo is None:
        docinfo = nodes.docinfo()
        place = doctree.first_child_not_matching_class((nodes.title, nodes.subtitle))
        doctree.insert(len(doctree) if place is None else place, docinfo)
    for kind, words in ((nodes.date, header.date), (nodes.version, header.version)):
        if words and not any(isinstance(fact, kind) for fact in docinfo):
            docinfo += kind("", " ".join(words.split()))
    docinfo += nodes.field(
        "", nodes.field_name("", "Manual section"),
        nodes.field_body("", nodes.paragraph("", section)),
    )


def _has_name(doctree: nodes.document) -> bool:
    """Whether the first section of `doctree` is the NAME of a manual page."""
    section = next(doctree.findall(nodes.section), None)
    return section is not None and section[0].astext().upper() == "NAME"


class _PageTranslator(manpage.Translator):
    """docutils' translator, which writes a section NAME only where the text has none."""

    def header(self) -> str:
        header = str(super().header())
        return header.partition(".SH ")[0] if _has_name(self.document) else header


class _PageWriter(manpage.Writer):
    def __init__(self) -> None:
        super().__init__()
        self.translator_class = _PageTranslator


def _latex(doctree: nodes.document, warnings: io.StringIO) -> bytes:
    """LaTeX, which makes the table of contents itself, with the numbers of pages."""
    for topic in doctree.findall(nodes.topic):
        topic.children[1:] = [nodes.pending(Contents)]  # as docutils' own leaves it for LaTeX
        topic["names"] = []  # the document does not know the name
    return _writer(xetex.Writer)(doctree, warnings)


def _odt(doctree: nodes.document, warnings: io.StringIO) -> bytes:
    """An ODT file without the names and times that its writer takes from the machine."""
    for comment in list(doctree.findall(nodes.comment)):  # notes of the user, in an office
        comment.parent.remove(comment)
    content = _writer(odf_odt.Writer, stylesheet=str(ODT_STYLES))(doctree, warnings)
    archive = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(archive, "w") as new:
        for info in old.infolist():
            member = old.read(info)
            if info.filename == "meta.xml":
                member = PERSONAL_DATA.sub(b"", member)
            entry = zipfile.ZipInfo(info.filename, EARLIEST_DATE)
            entry.compress_type, entry.external_attr = info.compress_type, info.external_attr
            new.writestr(entry, member)
    return archive.getvalue()


FORMATS: Mapping[str, _Format] = MappingProxyType(
    {
        "rst": _Format("rst", _rst),
        "xml": _Format("xml", _writer(docutils_xml.Writer)),
        "man": _Format(MAN_SECTION, _writer(_PageWriter), is_page=True),
        "odt": _Format("odt", _odt),
        "latex": _Format("tex", _latex),
        "html5": _Format("html", _writer(html5_polyglot.Writer), linked=True),
    }
)
