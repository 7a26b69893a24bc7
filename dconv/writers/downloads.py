"""Downloads: the documents of a release in other formats, beside its pages.

    haproxy/3.4/configuration.md       a document in one of the formats `site.exports`
    haproxy/3.4/configuration/4.2.md   if Markdown is one, each section, beside its page
    haproxy/3.4/llms-full.txt          and all documents as one text

Links in the Markdown of a section lead to the Markdown of other ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import starmap
from types import MappingProxyType
from urllib.parse import quote

from docutils import nodes

from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import sections
from dconv.model.values import dataclass
from dconv.writers.devdocs import devdocs
from dconv.writers.docset import docset, feed
from dconv.writers.docutils.doctree import make_doctree
from dconv.writers.docutils.export import ExportedFile, export
from dconv.writers.docutils.info import SUFFIX, info, info_file
from dconv.writers.docutils.link_targets import OtherDocument, identifiers
from dconv.writers.docutils.man import installed_file_stem
from dconv.writers.docutils.markdown import heading_anchors, section_markdown
from dconv.writers.docutils.proof import lost_words
from dconv.writers.docutils.vim import help_files, vim_help
from dconv.writers.epub import epub
from dconv.writers.llms import LLMS_FULL, MARKDOWN
from dconv.writers.offline import offline_files
from dconv.writers.pages.page import Download, Release, SiteInfo
from dconv.writers.pdf import pdf_files
from dconv.writers.site_files import SectionFiles, SiteFile
from dconv.writers.theme.theme import Theme

WHOLE_RELEASE_FORMATS = ("docset", "devdocs")  # with one file for all documents of a release
# before the name of a document in links that `_section_texts` has not resolved yet
DOCUMENT_PREFIX = "document:"
TITLES: Mapping[str, str] = MappingProxyType({
    "rst": "reStructuredText", "xml": "XML", "man": "Manual page", "odt": "OpenDocument",
    "latex": "LaTeX", "markdown": "Markdown", "html5": "Plain HTML",
    "offline": "One file for offline use", "epub": "EPUB for e-readers",
    "docset": "Docset for Dash and Zeal", "devdocs": "For DevDocs", "vim": "Help for Vim",
    "info": "Info", "pdf": "PDF",
})


@dataclass(frozen=True, slots=True)
class Downloads:
    """The `files` of a release in other formats, with `links` from its home."""

    files: tuple[SiteFile, ...] = ()
    links: tuple[Download, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def export_release(
    release: Release, format_name: str, site: SiteInfo, theme: Theme, product: str
) -> Iterator[ExportedFile]:
    """The documents of `release` in the format `format_name`, a key of `TITLES`.

    Those of `WHOLE_RELEASE_FORMATS` have one file for all documents.  `product` is the product's
    name in addresses, or empty if it is not known.  Raises `ThemeError`, and
    `UserError` if a format needs a program that is missing.
    """
    has_product_name = product or len(release.documents) > 1
    name = release.product_name if has_product_name else release.documents[0].manual.name
    match format_name:
        case "offline":
            yield from starmap(ExportedFile, offline_files(release, site, theme))
        case "pdf":
            yield from starmap(ExportedFile, pdf_files(release, site, theme))
        case "epub":
            for document in release.documents:
                content = epub(release, document, site, product)
                yield ExportedFile(f"{document.manual.name}.epub", content)
        case "docset":
            yield ExportedFile(f"{name}.docset.tgz", docset(release, site, name))
        case "devdocs":
            yield ExportedFile(f"{name}.devdocs.tar.gz", devdocs(release, site, name))
        case "vim":
            yield from _vim_files(release, product)
        case "info":
            yield from _info_files(release, product)
        case _:
            manuals = [(document.manual, document.title) for document in release.documents]
            yield from export(manuals, format_name, product, site.date)


def _vim_files(release: Release, product: str) -> Iterator[ExportedFile]:
    """The documents of `release` as help files for Vim."""
    documents = release.documents
    files = help_files([(document.manual, document.names) for document in documents], product)
    by_name = {document.manual.name: file for document, file in zip(documents, files, strict=True)}
    for document, file in zip(documents, files, strict=True):
        doctree, content = vim_help(document.manual, document.title, file, by_name)
        yield ExportedFile(file.file, content, tuple(lost_words(document.manual, doctree)))


def _info_files(release: Release, product: str) -> Iterator[ExportedFile]:
    """The documents of `release` as Info files."""
    files = {
        document.manual.name: info_file(
            document.manual, document.title, installed_file_stem(document.manual, product)
        )
        for document in release.documents
    }
    for document in release.documents:
        file = files[document.manual.name]
        doctree, content = info(document.manual, document.title, document.names, file, files)
        yield ExportedFile(
            f"{file.stem}.{SUFFIX}", content, tuple(lost_words(document.manual, doctree))
        )


def release_downloads(
    release: Release, section_files: SectionFiles, site: SiteInfo, theme: Theme
) -> Downloads:
    """The documents of `release` in the formats that `site` names; raises `ThemeError`."""
    files: list[SiteFile] = []
    links: list[Download] = []
    diagnostics: list[Diagnostic] = []
    for name in site.exports:
        exported_files = list(export_release(release, name, site, theme, release.product_name))
        titles = [document.title for document in release.documents]
        if name in WHOLE_RELEASE_FORMATS and len(titles) > 1:
            titles = ["All documents"]
        for file, title in zip(exported_files, titles, strict=True):
            files.append((f"{release.folder}/{file.file}", file.content))
            links.append(Download(title, TITLES[name], quote(file.file), len(file.content)))
            diagnostics += file.diagnostics
            if name == "docset" and site.url:
                path = f"{release.folder}/{file.file.removesuffix('.tgz')}.xml"
                files.append((path, feed(release, site, file.file)))
        if name == MARKDOWN:
            files += _section_texts(release, section_files)
            whole = b"\n".join([file.content for file in exported_files])
            files.append((f"{release.folder}/{LLMS_FULL}", whole))
    return Downloads(tuple(files), tuple(links), tuple(dict.fromkeys(diagnostics)))


def _section_texts(release: Release, section_files: SectionFiles) -> Iterator[SiteFile]:
    """The Markdown of each section of `release`, beside its page."""
    manuals = [document.manual for document in release.documents]
    other_documents = {
        manual.name: OtherDocument(f"{DOCUMENT_PREFIX}{manual.name}", identifiers(manual))
        for manual in manuals
    }
    pages: dict[str, list[tuple[str, nodes.section]]] = {}
    targets: dict[tuple[str, str], str] = {}  # of documents and ids: file and fragment
    for manual in manuals:
        section_nodes = {
            node["ids"][0]: node
            for node in make_doctree(manual, "", other_documents).findall(nodes.section)
        }
        ids = [other_documents[manual.name].ids[section.anchor] for section in sections(manual)]
        pages[manual.name] = []
        for identifier, file in zip(ids, section_files[manual.name], strict=True):
            path = f"{file.removesuffix('.html')}.md"
            page = _without_subpages(section_nodes[identifier], set(ids) - {identifier})
            pages[manual.name].append((path, page))
            for heading_id, anchor in heading_anchors([page]).items():
                targets[manual.name, heading_id] = f"{path}#{anchor}"
            targets[manual.name, identifier] = path
    for name, own_pages in pages.items():

        def href(link: nodes.reference, name: str = name) -> str:
            refuri = link.get("refuri", f"{DOCUMENT_PREFIX}{name}#{link.get('refid')}")
            if not refuri.startswith(DOCUMENT_PREFIX):
                return str(refuri)
            document_name, _, identifier = refuri.removeprefix(DOCUMENT_PREFIX).partition("#")
            target = targets.get((document_name, identifier))
            if target is None:
                return f"../{quote(document_name)}.md"
            return target if document_name == name else f"../{quote(document_name)}/{target}"

        for path, page in own_pages:
            content = section_markdown(page.children, href)
            yield f"{release.folder}/{name}/{path}", content.encode()


def _without_subpages(section: nodes.section, page_ids: set[str]) -> nodes.section:
    """`section` with links in place of its subsections that have pages, with the ids `page_ids`."""
    part = nodes.section(ids=section["ids"])
    below = [
        node for node in section.children
        if isinstance(node, nodes.section) and node["ids"][0] in page_ids
    ]
    part.children = [node for node in section.children if node not in below]
    if below:
        items = [
            nodes.list_item("", nodes.paragraph("", "", nodes.reference(
                "", node[0].astext(), refid=node["ids"][0]
            )))
            for node in below
        ]
        part.children.append(nodes.bullet_list("", *items, bullet="-"))
    return part
