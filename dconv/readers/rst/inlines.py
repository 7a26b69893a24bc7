"""docutils' inline nodes to those of the tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from docutils import nodes

from dconv.model.file_names import file_name
from dconv.model.man_pages import PAGE_MENTION
from dconv.model.tree import Code, Emphasis, Hyperlink, Image, Inline, Reference, Strong, Text
from dconv.readers.rst.addnodes import omitted_words, option_label, role_reference, term_label
from dconv.readers.rst.roles import SECTION_LABEL

WEB = ("https://", "http://", "ftp://")
# "other.rst#part", "../other.html": another document
FILE = re.compile(r"[\w./+-]+(?:#[\w.-]*)?")

# pages that Sphinx writes itself
GENERATED = frozenset({"genindex", "modindex", "py-modindex", "search"})

# a label -> the name of a link to it; None if the document has no such label
Labels = Callable[[str], str | None]


def inlines(children: Iterable[nodes.Node], labels: Labels) -> tuple[Inline, ...]:
    """The nodes of the tree for `children`; `labels` finds targets in the document."""
    return tuple([part for child in children for part in _inline(child, labels)])


def _inline(node: nodes.Node, labels: Labels) -> Iterator[Inline]:
    match node:
        case nodes.Text():
            yield from _text(node.astext())
        case nodes.literal() | nodes.math():
            yield Code(node.astext())
        case nodes.strong():
            yield Strong(inlines(node.children, labels))
        case nodes.emphasis() | nodes.title_reference():
            yield Emphasis(inlines(node.children, labels))
        case role_reference():
            yield _role_reference(node, labels)
        case nodes.image():
            yield image(node)
        case nodes.footnote_reference() | nodes.citation_reference():
            text = f"[{node.astext()}]"
            target = node.get("refid")
            yield _link(text, f"#{target}") if target else Text(text)
        case nodes.reference():
            yield from _reference(node, labels)
        case (
            nodes.comment()
            | nodes.system_message()
            | nodes.substitution_definition()
            | omitted_words()
        ):
            return
        case nodes.Element():
            yield from inlines(node.children, labels)
        case _:
            yield Text(node.astext())


def image(node: nodes.image) -> Image:
    """A picture, with its file where no text stands for it."""
    return Image(str(node["uri"]), node.get("alt") or str(node["uri"]))


def _text(text: str) -> Iterator[Inline]:
    """`text` with the manual pages in it as references."""
    end = 0
    for match in PAGE_MENTION.finditer(text):
        yield Text(text[end : match.start()])
        yield Reference(match[0], match[0], 0, 0, kind="page")
        end = match.end()
    yield Text(text[end:])


def _link(text: str, name: str) -> Reference:
    return Reference(text, name, 0, 0, kind="link")


def _reference(node: nodes.reference, labels: Labels) -> Iterator[Inline]:
    """A link: to the web, into the document, to a file."""
    text = node.astext()
    pictures = list(node.findall(nodes.image))
    url = str(node.get("refuri", ""))
    if pictures:
        yield from inlines(node.children, labels)
    elif url.startswith(WEB):
        yield Hyperlink(text, url)
    elif url and FILE.fullmatch(url):
        yield _link(text, url)
    elif name := node.get("refid"):
        yield _link(text, labels(name) or f"#{name}")
    else:
        yield Text(text)


def _role_reference(node: role_reference, labels: Labels) -> Inline:
    """A name with a role."""
    text, target = node.astext(), str(node["target"])
    match node["kind"]:
        case "manual page":
            return Reference(text, target, 0, 0, kind="page")
        case "term":
            label = term_label(target)
            link = labels(label)
            return Emphasis((
                _link(text, link) if link else Reference(text, label, 0, 0, kind="label"),
            ))
        case "option":
            label = option_label(node["program"], target)
            if labels(label) and text == target and " " not in text:
                return Code(text)
            return Reference(text, label, 0, 0, kind="option")
        case "document" if "/" not in target:
            return Reference(text, target, 0, 0, kind="document")
        case "document" | "listed document":  # folders may have documents of the same name
            return _link(text, file_name(target))
        case "label" if target in GENERATED:
            return Text(text)
        case "label":
            link = labels(target)
            if link is None and SECTION_LABEL.fullmatch(target):
                document, title = target.split(":", 1)
                return _link(text, f"{document}#{nodes.make_id(title)}")
            if link is None:
                return Reference(text, nodes.make_id(target), 0, 0, kind="label")
            return _link(text, link)
        case _:
            return Code(text)


