"""Manuals as documents of a Sphinx project: reading them together, and each one's doctree."""

from __future__ import annotations

from dataclasses import dataclass, field
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

from dconv.build.read import link_texts, read_text
from dconv.model.diagnostics import Diagnostic
from dconv.model.origin import Origin
from dconv.model.references import findings
from dconv.model.tree import Manual
from dconv.settings import FolderSource, Product, plain_product, recognise
from dconv.settings.types import unlisted_document
from dconv.sources import SourceError, obtain
from dconv.sources.texts import SourceText
from dconv.sphinx.domain import PLACE, ManualDomain, Named, role
from dconv.writers.docutils.document import document as doctree
from dconv.writers.docutils.places import Elsewhere, identifiers
from dconv.writers.docutils.proof import losses
from dconv.writers.pages.listing import listing

FILETYPE = "dconv"  # what `source_suffix` calls these texts
SCHEME = "dconv:"  # of links to other documents, until their addresses are known
OWN_LANGUAGE = "haproxy"  # the language whose lexer the extension brings along
HEAD = 4096  # bytes that are enough to recognise a text

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Read:
    """A document of the project: what it is and what it links to."""

    text: SourceText
    manual: Manual
    elsewhere: dict[str, Elsewhere]


@dataclass(slots=True)
class Project:
    """The manuals among a project's documents, read and linked before Sphinx asks for them."""

    products: tuple[Product, ...] = ()
    documents: dict[str, _Read] = field(default_factory=dict)

    def outdated(
        self, app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str],
        removed: set[str],
    ) -> list[str]:
        """All manuals where one of them changed: links go from each to each."""
        known = _docnames(env)
        return known if {*known, *removed} & (added | changed | removed) else []

    def read(self, app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
        """Read all manuals of the project where one of `docnames` is one."""
        known = _docnames(env)
        if not set(known) & set(docnames):
            return
        texts = {docname: self._text(env.doc2path(docname)) for docname in known}
        folders: dict[PurePosixPath, list[str]] = {}
        for docname in known:
            folders.setdefault(PurePosixPath(docname).parent, []).append(docname)
        for members in folders.values():
            release = [texts[docname] for docname in members]
            manuals = link_texts(release, [read_text(one) for one in release])
            elsewhere = {
                manual.name: Elsewhere(f"{SCHEME}{quote(docname)}", identifiers(manual))
                for docname, manual in zip(members, manuals, strict=True)
            }
            for docname, manual in zip(members, manuals, strict=True):
                self.documents[docname] = _Read(texts[docname], manual, elsewhere)

    def _text(self, path: Path) -> SourceText:
        """The text at `path`, recognised by its content and name."""
        try:
            found = obtain(FolderSource(str(path)), "", (), Path()).documents[0]
        except SourceError as error:
            raise ExtensionError(str(error), modname=__name__) from error
        head = found.content[:HEAD].decode("latin-1").replace("\r\n", "\n")
        known = recognise(self.products, head, found.file)
        product, setting = known or (plain_product(), unlisted_document(found.file))
        return SourceText(found.content, str(path), product, setting, Origin(found.file))


def _docnames(env: BuildEnvironment) -> list[str]:
    """The documents of the project that are manuals."""
    suffixes = tuple(end for end, kind in env.config.source_suffix.items() if kind == FILETYPE)
    return sorted(name for name in env.found_docs if str(env.doc2path(name)).endswith(suffixes))


class ManualParser(Parser):
    """Gives Sphinx the doctree of a manual that `project` has read."""

    supported = (FILETYPE,)
    project: ClassVar[Project]

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Fill `document`; its text has been read already, so `inputstring` is not needed."""
        self.setup_parse(inputstring, document)
        document.settings.smart_quotes = False  # quotes of a manual are to be typed
        env = document.settings.env
        read = self.project.documents[env.docname]
        made = doctree(read.manual, read.text.setting.title, read.elsewhere)
        found = (*losses(read.manual, made), *read.manual.diagnostics, *findings(read.manual))
        for finding in found:
            _tell(finding, env.docname, env.config.dconv_strict)
        top = _topped(made)
        _label(top, document, env.docname, read.manual)
        _colour(top)
        _defer(top, env.docname, read.text.product)
        document += top
        domain = env.get_domain(read.text.product.name)
        assert isinstance(domain, ManualDomain)
        domain.note(env.docname, _names(read.manual))
        self.finish_parse()


def _tell(finding: Diagnostic, docname: str, strict: bool) -> None:
    """Give Sphinx the `finding`: an error is a warning of Sphinx, and where `strict`, so
    is a warning.  Sphinx may suppress it by the name of the rule (`dconv.encoding`).

    Texts of others have warnings that the project cannot mend: they are information.
    """
    if finding.level == "note" or (finding.level == "warning" and not strict):
        logger.info("%s", finding)
    else:
        place = (docname, finding.line)
        logger.warning(
            "%s", finding.message, type="dconv", subtype=finding.rule, location=place
        )


def _topped(made: nodes.document) -> nodes.section:
    """All of `made` in one section, which Sphinx wants; its facts as a list of fields."""
    rest = list(made.children)
    title = rest.pop(0).astext()
    if rest and isinstance(rest[0], nodes.subtitle):
        title = f"{title} {rest.pop(0).astext()}"
    top = nodes.section("", nodes.title("", title), ids=[nodes.make_id(title) or "manual"])
    if rest and isinstance(rest[0], nodes.docinfo):
        fields = nodes.field_list()
        for fact in rest.pop(0).children:
            assert isinstance(fact, nodes.Element)
            body = nodes.field_body("", nodes.paragraph("", "", *fact.children))
            fields += nodes.field("", nodes.field_name("", fact.tagname.capitalize()), body)
        top += fields
    top += rest
    return top


def _label(
    top: nodes.section, document: nodes.document, docname: str, manual: Manual
) -> None:
    """Name sections and entries for `ref` as `configuration/4.2`; other nodes lose their names."""
    anchors = {identifier: anchor for anchor, identifier in identifiers(manual).items()}
    top["names"] = [docname.lower()]
    for node in top.findall(nodes.Element):
        if isinstance(node, nodes.section):
            if node is not top:
                names = [f"{docname}/{anchors[one]}".lower() for one in node["ids"]]
                node["names"] = [one for one in names if one not in document.nametypes]
            document.note_explicit_target(node)
        else:
            node["names"] = []


def _colour(top: nodes.section) -> None:
    """Tell each literal block's language, where Pygments knows it."""
    for block in top.findall(nodes.literal_block):
        language = block["classes"][-1] if "code" in block["classes"] else "none"
        try:
            if language != OWN_LANGUAGE:
                get_lexer_by_name(language)
        except ClassNotFound:
            language = "none"
        block["language"], block["force"] = language, True


def _defer(top: nodes.section, docname: str, product: Product) -> None:
    """Let Sphinx find the addresses of links to other documents."""
    for node in list(top.findall(nodes.reference)):
        uri = node.get("refuri", "")
        if uri.startswith(SCHEME):
            to, _, identifier = unquote(uri.removeprefix(SCHEME)).partition("#")
            node.replace_self(
                addnodes.pending_xref(
                    "", nodes.inline("", node.astext()), refdomain=product.name, reftype=PLACE,
                    reftarget=f"{to}#{identifier}", refdoc=docname, refexplicit=True,
                )
            )


def _names(manual: Manual) -> list[Named]:
    """The names of `manual`, each kind's once."""
    ids = identifiers(manual)
    found: dict[tuple[str, str], Named] = {}
    for one in listing(manual):
        name, kind = " ".join(one.name.split()), role(one.kind)
        place = ids[one.anchor or one.section.anchor]
        found.setdefault((name, kind), Named(name, " ".join(one.shown.split()), kind, place))
    return list(found.values())
