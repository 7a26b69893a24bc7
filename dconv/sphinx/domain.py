"""A product's names as objects of a Sphinx domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import astuple
from typing import ClassVar, TypeAlias

from docutils import nodes
from sphinx import addnodes
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode

from dconv.model.anchors import slug
from dconv.model.values import dataclass
from dconv.settings.types import Product

DATA_VERSION = 1  # of the data that Sphinx stores between builds
ANY_KIND = "name"  # the role that finds names of any kind
DOCUMENT_REFERENCE = "-place"  # the `reftype` of links between manuals; the target is `document#id`
ObjectFields: TypeAlias = "tuple[str, str, str, str]"  # the fields of a `ManualObject`


@dataclass(frozen=True, slots=True)
class ManualObject:
    """A name of a document: `name` to look up, `display_name` to print, its role, its id."""

    name: str
    display_name: str
    kind: str
    identifier: str


class ManualDomain(Domain):
    """The names of one product's manuals; `domain_class` makes the class of a product."""

    initial_data: ClassVar[dict[str, dict[str, list[ObjectFields]]]] = {"documents": {}}
    data_version = DATA_VERSION
    order: ClassVar[tuple[str, ...]] = ()  # kinds, the most likely first

    def set_objects(self, docname: str, objects: Iterable[ManualObject]) -> None:
        """Store the `objects` of the document `docname`."""
        self.data["documents"][docname] = [astuple(item) for item in objects]

    def clear_doc(self, docname: str) -> None:
        """Remove the names of `docname`."""
        self.data["documents"].pop(docname, None)

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, object]) -> None:
        """Take over the names of `docnames`, which another process has read."""
        documents = otherdata["documents"]
        assert isinstance(documents, dict)
        for docname in docnames:
            if docname in documents:
                self.data["documents"][docname] = documents[docname]

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """The names for the project's own objects.inv and search."""
        for docname, item in self._objects():
            yield item.name, item.display_name, item.kind, docname, item.identifier, 1

    def resolve_xref(
        self, env: BuildEnvironment, fromdocname: str, builder: Builder, typ: str, target: str,
        node: addnodes.pending_xref, contnode: nodes.Element,
    ) -> nodes.reference | None:
        """The link for a role, or for a link from manual to manual."""
        if typ == DOCUMENT_REFERENCE:
            docname, identifier = target.split("#")
            return make_refnode(builder, fromdocname, docname, identifier, contnode)
        kind = "" if typ == ANY_KIND else typ
        return self._reference(fromdocname, builder, self._likeliest_object(target, kind), contnode)

    def resolve_any_xref(
        self, env: BuildEnvironment, fromdocname: str, builder: Builder, target: str,
        node: addnodes.pending_xref, contnode: nodes.Element,
    ) -> list[tuple[str, nodes.reference]]:
        """The targets of the role `any`: the most likely object of the name, or none."""
        likeliest = self._likeliest_object(target, "")
        reference = self._reference(fromdocname, builder, likeliest, contnode)
        return [(f"{self.name}:{likeliest[1].kind}", reference)] if likeliest and reference else []

    def _objects(self) -> Iterator[tuple[str, ManualObject]]:
        for docname, stored in sorted(self.data["documents"].items()):
            for fields in stored:
                yield docname, ManualObject(*fields)

    def _likeliest_object(self, target: str, kind: str) -> tuple[str, ManualObject] | None:
        """The document and the object of the name `target`: the first by kind and document."""
        name = " ".join(target.split())
        matches = [
            (docname, item) for docname, item in self._objects()
            if item.name == name and kind in ("", item.kind)
        ]
        return min(matches, key=lambda match: self._rank(match[1].kind), default=None)

    def _rank(self, kind: str) -> int:
        return self.order.index(kind) if kind in self.order else len(self.order)

    def _reference(
        self, fromdocname: str, builder: Builder, match: tuple[str, ManualObject] | None,
        contnode: nodes.Element,
    ) -> nodes.reference | None:
        if match is None:
            return None
        docname, item = match
        return make_refnode(
            builder, fromdocname, docname, item.identifier, contnode, item.display_name
        )


def role(kind: str) -> str:
    """The role of a kind of names, as in the inventories of sites: `proxy-keyword`."""
    return slug(kind.casefold()).replace(":", "-")


def domain_class(product: Product) -> type[ManualDomain]:
    """The domain of `product`, with its name and a role for each kind of its names."""
    dialect = product.dialect
    kinds = [  # the most likely first
        *dialect.priority, *(rule.kind for rule in dialect.entry_rules),
        *(item.kind for item in dialect.item_rules),
    ]
    roles = tuple(dict.fromkeys(map(role, kinds)))
    label = product.title or product.name
    values = {
        "name": product.name,
        "label": label,
        "order": roles,
        "object_types": {kind: ObjType(kind.replace("-", " "), kind, ANY_KIND) for kind in roles},
        "roles": {kind: XRefRole(warn_dangling=True) for kind in (*roles, ANY_KIND)},
        "dangling_warnings": {
            kind: f"{label} has no {kind.replace('-', ' ')} '%(target)s'"
            for kind in (*roles, ANY_KIND)
        },
    }
    return type("ProductDomain", (ManualDomain,), values)
