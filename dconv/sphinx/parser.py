"""Manuals as documents of a Sphinx project: read together, one doctree each."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import ClassVar
from urllib.parse import quote, unquote

from docutils import nodes
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.parsers import Parser
from sphinx.util import logging

from dconv.build.collect import HEAD_SIZE
from dconv.build.read import link_texts, read_text
from dconv.model.diagnostics import Diagnostic
from dconv.model.origin import Origin
from dconv.model.references import reference_findings
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.settings.manual import default_product
from dconv.settings.recognize import recognize
from dconv.settings.types import FolderSource, Product, unlisted_document
from dconv.sources.fetch import fetch_texts
from dconv.sources.texts import SourceText
from dconv.sources.types import SourceError
from dconv.sphinx.domain import DOCUMENT_REFERENCE, ManualDomain, ManualObject, role
from dconv.writers.docutils.doctree import make_doctree
from dconv.writers.docutils.link_targets import OtherDocument, identifiers
from dconv.writers.docutils.proof import lost_words
from dconv.writers.pages.names import defined_names

FILETYPE = "dconv"  # the name of these texts in `source_suffix`
SCHEME = "dconv:"  # of links to other documents, until their addresses are known
OWN_LANGUAGE = "haproxy"  # the language whose lexer the extension registers

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _LinkedText:
    """A text of the project, its linked manual, and the places in manuals that it links to."""

    text: SourceText
    manual: Manual
    other_documents: dict[str, OtherDocument]


@dataclass(slots=True)
class Project:
    """The manuals among a project's documents, read and linked before Sphinx asks for them."""

    products: tuple[Product, ...] = ()
    documents: dict[str, _LinkedText] = field(default_factory=dict)

    def outdated(
        self, app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str],
        removed: set[str],
    ) -> list[str]:
        """All manuals if one of them changed: each may link to each."""
        docnames = _docnames(env)
        return docnames if {*docnames, *removed} & (added | changed | removed) else []

    def read(self, app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
        """Read and link all manuals of the project if one of them is among `docnames`."""
        manual_docnames = _docnames(env)
        if not set(manual_docnames) & set(docnames):
            return
        texts = {docname: self._text(env.doc2path(docname)) for docname in manual_docnames}
        folders: dict[PurePosixPath, list[str]] = {}
        for docname in manual_docnames:
            folders.setdefault(PurePosixPath(docname).parent, []).append(docname)
        for members in folders.values():
            texts_of_folder = [texts[docname] for docname in members]
            manuals = link_texts(texts_of_folder, [read_text(text) for text in texts_of_folder])
            other_documents = {
                manual.name: OtherDocument(f"{SCHEME}{quote(docname)}", identifiers(manual))
                for docname, manual in zip(members, manuals, strict=True)
            }
            for docname, manual in zip(members, manuals, strict=True):
                self.documents[docname] = _LinkedText(texts[docname], manual, other_documents)

    def _text(self, path: Path) -> SourceText:
        """The text at `path`, recognized by its content and name."""
        try:
            document = fetch_texts(FolderSource(str(path)), "", (), Path()).documents[0]
        except SourceError as error:
            raise ExtensionError(str(error), modname=__name__) from error
        head = document.content[:HEAD_SIZE].decode("latin-1").replace("\r\n", "\n")
        match = recognize(self.products, head, document.file)
        product, setting = match or (default_product(), unlisted_document(document.file))
        return SourceText(document.content, str(path), product, setting, Origin(document.file))


def _docnames(env: BuildEnvironment) -> list[str]:
    """The documents of the project that are manuals."""
    suffixes = tuple(end for end, kind in env.config.source_suffix.items() if kind == FILETYPE)
    return sorted(name for name in env.found_docs if str(env.doc2path(name)).endswith(suffixes))


class ManualParser(Parser):
    """Gives Sphinx the doctree of a manual that `project` has read."""

    supported = (FILETYPE,)
    project: ClassVar[Project]

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Fill `document`; `project` has read its text, so `inputstring` is not used."""
        self.setup_parse(inputstring, document)
        document.settings.smart_quotes = False  # readers type the quotes of a manual
        env = document.settings.env
        linked = self.project.documents[env.docname]
        tree = make_doctree(linked.manual, linked.text.document.title, linked.other_documents)
        for finding in (
            *lost_words(linked.manual, tree), *linked.manual.diagnostics,
            *reference_findings(linked.manual),
        ):
            _report(finding, env.docname, env.config.dconv_strict)
        top = _top_section(tree)
        _set_names(top, document, env.docname, linked.manual)
        _set_languages(top)
        _make_links_pending(top, env.docname, linked.text.product)
        document += top
        domain = env.get_domain(linked.text.product.name)
        assert isinstance(domain, ManualDomain)
        domain.set_objects(env.docname, _objects(linked.manual))
        self.finish_parse()


def _report(finding: Diagnostic, docname: str, strict: bool) -> None:
    """Report `finding` to Sphinx: errors are warnings of Sphinx, warnings only if `strict`.

    Else they are information, since a project cannot correct texts that others wrote.
    `suppress_warnings` takes the name of the rule (`dconv.encoding`).
    """
    if finding.level == "note" or (finding.level == "warning" and not strict):
        logger.info("%s", finding)
    else:
        location = (docname, finding.line)
        logger.warning("%s", finding.message, type="dconv", subtype=finding.rule, location=location)


def _top_section(tree: nodes.document) -> nodes.section:
    """All of `tree` in one section, as Sphinx needs it; its docinfo as a list of fields."""
    rest = list(tree.children)
    title = rest.pop(0).astext()
    if rest and isinstance(rest[0], nodes.subtitle):
        title = f"{title} {rest.pop(0).astext()}"
    top = nodes.section("", nodes.title("", title), ids=[nodes.make_id(title) or "manual"])
    if rest and isinstance(rest[0], nodes.docinfo):
        fields = nodes.field_list()
        for item in rest.pop(0).children:
            assert isinstance(item, nodes.Element)
            body = nodes.field_body("", nodes.paragraph("", "", *item.children))
            fields += nodes.field("", nodes.field_name("", item.tagname.capitalize()), body)
        top += fields
    top += rest
    return top


def _set_names(top: nodes.section, document: nodes.document, docname: str, manual: Manual) -> None:
    """Name sections and entries for `ref` as `configuration/4.2`; other nodes lose their names."""
    anchors = {identifier: anchor for anchor, identifier in identifiers(manual).items()}
    top["names"] = [docname.lower()]
    for node in top.findall(nodes.Element):
        if isinstance(node, nodes.section):
            if node is not top:
                names = [f"{docname}/{anchors[node_id]}".lower() for node_id in node["ids"]]
                node["names"] = [name for name in names if name not in document.nametypes]
            document.note_explicit_target(node)
        else:
            node["names"] = []


def _set_languages(top: nodes.section) -> None:
    """Set the language of each literal block; "none" if Pygments has no lexer for it."""
    for block in top.findall(nodes.literal_block):
        language = block["classes"][-1] if "code" in block["classes"] else "none"
        try:
            if language != OWN_LANGUAGE:
                get_lexer_by_name(language)
        except ClassNotFound:
            language = "none"
        block["language"], block["force"] = language, True


def _make_links_pending(top: nodes.section, docname: str, product: Product) -> None:
    """Make links to other documents pending, so that Sphinx resolves their addresses."""
    for node in list(top.findall(nodes.reference)):
        uri = node.get("refuri", "")
        if uri.startswith(SCHEME):
            target, _, identifier = unquote(uri.removeprefix(SCHEME)).partition("#")
            node.replace_self(
                addnodes.pending_xref(
                    "", nodes.inline("", node.astext()), refdomain=product.name,
                    reftype=DOCUMENT_REFERENCE,
                    reftarget=f"{target}#{identifier}", refdoc=docname, refexplicit=True,
                )
            )


def _objects(manual: Manual) -> list[ManualObject]:
    """The names of `manual`, each once for a kind."""
    ids = identifiers(manual)
    objects: dict[tuple[str, str], ManualObject] = {}
    for defined in defined_names(manual):
        name, kind = " ".join(defined.name.split()), role(defined.kind)
        identifier = ids[defined.anchor or defined.section.anchor]
        item = ManualObject(name, " ".join(defined.display_name.split()), kind, identifier)
        objects.setdefault((name, kind), item)
    return list(objects.values())
