"""Where references lead in a docutils document: from anchors of the tree to its ids.

docutils allows fewer characters in an id than anchors have (`req.hdr`), and its
names ignore case, so `%B` and `%b` need different ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from docutils import nodes

from dconv.model import tree
from dconv.model.file_names import unique_name
from dconv.model.values import dataclass

# "4.2": docutils' ids start with a letter
NUMBER = re.compile(r"\d+(?:\.\d+)*")
CONTENTS = "contents"  # the id of the table of contents; LaTeX's writer wants one


@dataclass(frozen=True, slots=True)
class OtherDocument:
    """Another document of the release: its address and the ids of its anchors."""

    uri: str
    ids: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LinkTargets:
    """The places that one document's references may point to.

    `ids` maps its own anchors, `labels` says in words what is there; `other_documents`
    has the other documents that can be linked to, by name.
    """

    document: str
    ids: Mapping[str, str]
    labels: Mapping[str, str]
    other_documents: Mapping[str, OtherDocument] = field(default_factory=dict)

    def attributes(self, target: tree.Target) -> dict[str, str]:
        """`refid` or `refuri` of a link to `target`; empty if none can be made."""
        if target.document == self.document:
            identifier = self.ids.get(target.anchor)
            return {"refid": identifier} if identifier else {}
        other = self.other_documents.get(target.document)
        if other is None:
            return {}
        fragment = other.ids.get(target.anchor, "")
        return {"refuri": f"{other.uri}#{fragment}" if fragment else other.uri}

    def label(self, target: tree.Target) -> str:
        """Return what is at `target`, in words for readers."""
        if target.document != self.document:
            return f"{target.document} {target.anchor}".strip()
        return self.labels.get(target.anchor) or target.anchor


def identifiers(manual: tree.Manual) -> dict[str, str]:
    """The docutils id of each anchor of `manual`: `section-4-2` for the section 4.2."""
    used = {CONTENTS}
    ids: dict[str, str] = {}
    for anchor, label in labels(manual):
        if anchor in ids:
            continue
        prefix = "section-" if NUMBER.fullmatch(anchor) else "name-" if anchor[:1].isdigit() else ""
        base = nodes.make_id(prefix + anchor) or nodes.make_id(f"x-{label}") or "x"
        ids[anchor] = unique_name(base, used)
    return ids


def labels(manual: tree.Manual) -> Iterator[tuple[str, str]]:
    """Each anchor of `manual` with what is there, in source order."""
    yield from _body_labels(manual.preface)
    for section in tree.sections(manual):
        yield section.anchor, f"section {section.number or section.title}"
        yield from _body_labels(section.body)


def _body_labels(blocks: tuple[tree.Block, ...]) -> Iterator[tuple[str, str]]:
    for node in tree.walk(blocks):
        match node:
            case tree.Entry():
                yield node.anchor, node.kind
                for signature in node.signatures:
                    yield signature.anchor, node.kind
            case tree.Definition():
                for term in node.terms:
                    if term.anchor:
                        yield term.anchor, term.kind or term.anchor
            case tree.Table():
                for row in node.rows:
                    if row.anchor:
                        yield row.anchor, row.kind
            case tree.Heading() | tree.Footnote() if node.anchor:
                yield node.anchor, ""
            case tree.Paragraph():
                yield from ((anchor, "") for anchor in tree.anchors_of((node,)))
            case _:
                pass
