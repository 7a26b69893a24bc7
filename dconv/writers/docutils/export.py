"""Manuals in other formats, by docutils' own writers: the files of one release.

    rst       reStructuredText          docutils reads it back to the same
    xml       docutils' own XML         https://docutils.sourceforge.io/docs/ref/docutils.dtd
    man       a page for man: of a manual page in its section, of other texts in section 7
    odt       OpenDocument Text         for word processors
    latex     LaTeX                     `xelatex` makes a PDF of it
    markdown  CommonMark with GitHub's tables, as people write it
    html5     one page of plain HTML, styles inside
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from docutils import nodes, writers
from docutils.core import publish_from_doctree
from docutils.transforms.parts import Contents
from docutils.writers import docutils_xml, html5_polyglot, odf_odt, xetex

from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.writers.archive import EARLIEST_ZIP_DATE
from dconv.writers.docutils import man
from dconv.writers.docutils.doctree import make_doctree
from dconv.writers.docutils.link_targets import OtherDocument, identifiers
from dconv.writers.docutils.markdown import heading_anchors, markdown
from dconv.writers.docutils.proof import lost_words
from dconv.writers.docutils.rst import rst

WRITER_RULE = "export"  # of findings that docutils' writers have
# the ODT writer's own, by its full path: the default is relative to the working folder
ODT_STYLES = Path(odf_odt.__file__).resolve().with_name("styles.odt")
# who and when in the meta data of ODT, which are the machine's
PERSONAL_DATA = re.compile(
    rb"(?:(?<!\s)\s+)?<(meta:initial-creator|meta:creation-date|dc:creator|dc:date)"
    rb"(?: ?/>|>[^<]*</\1>)"
)
LATIN_1 = 0xFF  # the last character that all fonts of TeX have
LATEX_PREAMBLE = r"""\usepackage[margin=2.5cm]{geometry}
\PassOptionsToPackage{bookmarksdepth=6}{hyperref}
% no ligatures: "--" stays two hyphens, and "office" is found and copied by its letters
\defaultfontfeatures[\rmfamily,\sffamily]{Ligatures=NoCommon}
\defaultfontfeatures{Extension=.otf,UprightFont=*-regular,BoldFont=*-bold}
\setmainfont[ItalicFont=*-italic,BoldItalicFont=*-bolditalic]{lmroman10}
\setsansfont[ItalicFont=*-oblique,BoldItalicFont=*-boldoblique]{lmsans10}
\setmonofont[HyphenChar=None,ItalicFont=*-italic,BoldFont=lmmonolt10-bold]{lmmono10}
\newfontfamily\otherfont{lmroman10}
\defaultfontfeatures{}
\IfFontExistsTF{DejaVu Sans}{\renewfontfamily\otherfont{DejaVu Sans}}{}
\IfFontExistsTF{DejaVu Sans Mono}{%
  \setmonofont[HyphenChar=None,Scale=MatchLowercase]{DejaVu Sans Mono}}{}
% a character of another font, or its number where no font has it
\DeclareRobustCommand\other[1]{%
  \iffontchar\font"#1 \char"#1\relax\else
  {\otherfont\iffontchar\font"#1 \char"#1\relax\else\texttt{[U+#1]}\fi}\fi}
\newcommand\DeclareOther[1]{\catcode"#1=13
  \begingroup\lccode`\~="#1 \lowercase{\endgroup\def~}{\other{#1}}}
\AddToHook{package/hyperref/after}{\pdfstringdefDisableCommands{\def\other#1{\unichar{"#1}}}}
% literal lines that are wider than the page go on in the next line
\makeatletter
\def\@xobeysp{\leavevmode\penalty100\ }
\AtBeginDocument{\ifdefined\alltt
  \let\cut@alltt\alltt \def\alltt{\cut@alltt\rightskip\z@ plus 1fil\relax}\fi}
\makeatother
"""
LITERAL_BLOCK = re.compile(r"\\begin\{alltt\}.*?\\end\{alltt\}", re.DOTALL)
# where a word without blanks may be broken: XeTeX crashes on one of 1,800 characters
LONG_WORD = re.compile(r"[^\s\\{}\[\]]{60}")
# the same output on all machines: no settings of the user, no dates
SETTINGS: Mapping[str, object] = MappingProxyType({
    "_disable_config": True, "datestamp": None, "generator": None, "halt_level": 5,
    "generate_oowriter_toc": False,  # its words are only there once an office updates it
    "legacy_column_widths": False, "use_latex_citations": True,  # as docutils 1.0 will have them
    "output_encoding": "utf-8", "report_level": 2, "source_link": None, "source_url": None,
})


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """One document in another format: its file's name, its bytes, findings about them."""

    file: str
    content: bytes
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class _Format:
    """A format: the suffix of its files, how to write one, whether files link to each other.

    `anchors_of` returns for each anchor of a document that in its file, for links from others.
    Manual pages are named by product, since those of all products are installed in one folder.
    """

    suffix: str
    write: Callable[[nodes.document, io.StringIO], bytes]
    has_links: bool = False
    anchors_of: Callable[[Manual], Mapping[str, str]] = identifiers
    is_manual_page: bool = False


def export(
    manuals: Sequence[tuple[Manual, str]], format_name: str, product: str, date: str
) -> Iterator[ExportedFile]:
    """The linked `manuals` of one release, each given with its title, in the format `format_name`.

    `format_name` is a key of `FORMATS`; `product` is the product's name in addresses, or empty.
    Manual pages are named after both, `haproxy-management.7`, or as they were: `mdadm.8`.  `date`
    (`2026-06-03`, or empty) is that of pages whose texts state none.
    """
    output_format = FORMATS[format_name]
    other_documents = {
        manual.name: OtherDocument(
            f"{manual.name}.{output_format.suffix}", output_format.anchors_of(manual)
        )
        for manual, _ in manuals if output_format.has_links and len(manuals) > 1
    }
    for manual, title in manuals:
        doctree = make_doctree(manual, title, other_documents)
        findings = list(lost_words(manual, doctree))
        name, suffix = manual.name, output_format.suffix
        if output_format.is_manual_page:
            name, suffix = man.name_and_section(manual, product)
            man.make_manual_page(doctree, name, suffix, manual, date)
        warnings = io.StringIO()
        content = output_format.write(doctree, warnings)
        findings += [
            Diagnostic(manual.source.path, 1, 1, "warning", WRITER_RULE, line)
            for line in warnings.getvalue().splitlines() if line
        ]
        yield ExportedFile(f"{name}.{suffix}", content, tuple(findings))


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


def _headings(manual: Manual) -> dict[str, str]:
    """For each anchor of `manual` that of the heading above it in Markdown."""
    anchors_of = heading_anchors(make_doctree(manual).children)
    return {anchor: anchors_of[identifier] for anchor, identifier in identifiers(manual).items()}


def _man(doctree: nodes.document, warnings: io.StringIO) -> bytes:
    page = _writer(man.Writer)(doctree, warnings).decode()
    return "\n".join(man.tidy_lines(page.split("\n"))).encode()


def _latex(doctree: nodes.document, warnings: io.StringIO) -> bytes:
    """LaTeX, which makes the table of contents itself, with the numbers of pages.

    It needs no font but those of TeX.  A character that they lack is taken from another font, or is
    shown by its number; TeX would leave it out.
    """
    for topic in doctree.findall(nodes.topic):
        topic.children[1:] = [nodes.pending(Contents)]  # as docutils' own leaves it for LaTeX
        topic["names"] = []  # the document does not know the name
    characters = sorted({character for character in doctree.astext() if ord(character) > LATIN_1})
    preamble = LATEX_PREAMBLE + "".join([
        f"\\DeclareOther{{{ord(character):04X}}}\n" for character in characters
    ])
    text = _writer(xetex.Writer, latex_preamble=preamble)(doctree, warnings).decode()
    return LITERAL_BLOCK.sub(
        lambda block: LONG_WORD.sub(r"\g<0>\\hspace{0pt}", block[0]), text
    ).encode()


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
            entry = zipfile.ZipInfo(info.filename, EARLIEST_ZIP_DATE)
            entry.compress_type, entry.external_attr = info.compress_type, info.external_attr
            new.writestr(entry, member)
    return archive.getvalue()


FORMATS: Mapping[str, _Format] = MappingProxyType({
    "rst": _Format("rst", lambda doctree, _: rst(doctree).encode()),
    "xml": _Format("xml", _writer(docutils_xml.Writer)),
    "man": _Format(man.SECTION, _man, is_manual_page=True),
    "odt": _Format("odt", _odt),
    "latex": _Format("tex", _latex),
    "markdown": _Format(
        "md", lambda doctree, _: markdown(doctree).encode(), has_links=True, anchors_of=_headings
    ),
    "html5": _Format("html", _writer(html5_polyglot.Writer), has_links=True),
})
