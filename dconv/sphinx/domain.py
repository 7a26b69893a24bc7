"""A product's names as objects of a Sphinx domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from docutils import nodes
from sphinx import addnodes
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode

from dconv.model import anchors as naming
from dconv.settings import Product

VERSION = 1  # of what is kept from one build to the next
ANY = "name"  # the role for names of any kind
PLACE = "-place"  # the type of references within a manual, which name a document and an id
Stored: TypeAlias = "tuple[str, str, str, str]"


@dataclass(frozen=True, slots=True)
class Named:
    """A name of a document: as looked up, as shown, its kind as a role, the id of its place."""

    name: str
    shown: str
    kind: str
    identifier: str


class ManualDomain(Domain):
    """The names of one product's manuals; `domain_class` makes the class for a product."""

    initial_data: ClassVar[dict[str, dict[str, list[Stored]]]] = {"documents": {}}
    data_version = VERSION
    order: ClassVar[tuple[str, ...]] = ()  # kinds, the likeliest first

    def note(self, docname: str, names: Iterable[Named]) -> None:
        """The document `docname` has `names`."""
        stored = [(one.name, one.shown, one.kind, one.identifier) for one in names]
        self.data["documents"][docname] = stored

    def clear_doc(self, docname: str) -> None:
        """Forget the names of `docname`."""
        self.data["documents"].pop(docname, None)

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, object]) -> None:
        """Take the names of `docnames` from what another process has read."""
        documents = otherdata["documents"]
        assert isinstance(documents, dict)
        for docname in docnames:
            if docname in documents:
                self.data["documents"][docname] = documents[docname]

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """What goes into the project's own objects.inv and search."""
        for docname, named in self._named():
            yield named.name, named.shown, named.kind, docname, named.identifier, 1

    def resolve_xref(
        self, env: BuildEnvironment, fromdocname: str, builder: Builder, typ: str, target: str,
        node: addnodes.pending_xref, contnode: nodes.Element,
    ) -> nodes.reference | None:
        """The reference of a role, or of a manual to another one."""
        if typ == PLACE:
            docname, identifier = target.split("#")
            return make_refnode(builder, fromdocname, docname, identifier, contnode)
        kind = "" if typ == ANY else typ
        return self._linked(fromdocname, builder, self._best(target, kind), contnode)

    def resolve_any_xref(
        self, env: BuildEnvironment, fromdocname: str, builder: Builder, target: str,
        node: addnodes.pending_xref, contnode: nodes.Element,
    ) -> list[tuple[str, nodes.reference]]:
        """What `any` finds: the likeliest place of a name, none where it is no name."""
        best = self._best(target, "")
        made = self._linked(fromdocname, builder, best, contnode)
        return [(f"{self.name}:{best[1].kind}", made)] if best and made else []

    def _named(self) -> Iterator[tuple[str, Named]]:
        for docname, stored in sorted(self.data["documents"].items()):
            for one in stored:
                yield docname, Named(*one)

    def _best(self, target: str, kind: str) -> tuple[str, Named] | None:
        """The place of the name `target`, the first in the order of kinds and documents."""
        name = " ".join(target.split())
        found = [
            (docname, named) for docname, named in self._named()
            if named.name == name and kind in ("", named.kind)
        ]
        return min(found, key=lambda one: self._rank(one[1].kind), default=None)

    def _rank(self, kind: str) -> int:
        return self.order.index(kind) if kind in self.order else len(self.order)

    def _linked(
        self, fromdocname: str, builder: Builder, found: tuple[str, Named] | None,
        contnode: nodes.Element,
    ) -> nodes.reference | None:
        if found is None:
            return None
        docname, named = found
        return make_refnode(
            builder, fromdocname, docname, named.identifier, contnode, named.shown
        )


def kinds(product: Product) -> tuple[str, ...]:
    """The kinds of names that manuals of `product` have, as roles, the likeliest first."""
    dialect = product.dialect
    listed: Sequence[str] = [
        *dialect.priority, *(one.kind for one in dialect.references),
        *(one.kind for one in dialect.items),
    ]
    return tuple(dict.fromkeys(role(kind) for kind in listed))


def role(kind: str) -> str:
    """The role of a kind of names, as in the inventories of sites: `proxy-keyword`."""
    return naming.slug(kind.casefold()).replace(":", "-")


def domain_class(product: Product) -> type[ManualDomain]:
    """The domain of `product`, of its name, with a role for each kind of its names."""
    roles = kinds(product)
    label = product.title or product.name
    values = {
        "name": product.name,
        "label": label,
        "order": roles,
        "object_types": {kind: ObjType(kind.replace("-", " "), kind, ANY) for kind in roles},
        "roles": {kind: XRefRole(warn_dangling=True) for kind in (*roles, ANY)},
        "dangling_warnings": {
            kind: f"{label} has no {kind.replace('-', ' ')} '%(target)s'"
            for kind in (*roles, ANY)
        },
    }
    return type("ProductDomain", (ManualDomain,), values)
