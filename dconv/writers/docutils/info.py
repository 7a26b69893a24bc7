"""Doctrees as Info files, for `info` and Emacs.

    section      a node, `4.2 Keywords`, with a menu of what is below it
    entry        a node with its name, `timeout client`; the menu says what it is about
    references   `*note timeout client::`, once in a node for each place
    names        an index, with the line where each is: `i timeout client` finds it

Readers call `info -f ./haproxy-configuration.info`, or `install-info` for the list of all manuals.

Format: https://www.gnu.org/software/texinfo/manual/texinfo/html_node/Info-Format-Specification.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from docutils import nodes
from docutils.utils import column_width

from dconv.model.anchors import slug
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.writers.docutils.doctree import make_doctree
from dconv.writers.docutils.link_targets import OtherDocument, identifiers
from dconv.writers.docutils.plain_text import (
    BLANK,
    WIDTH,
    PlainText,
    finished,
    without_repetition,
)
from dconv.writers.docutils.prose import strip_lines, title_and_body
from dconv.writers.html.escape import one_line
from dconv.writers.pages.names import DefinedName

SUFFIX = "info"
TOP, INDEX = "Top", "Index"
NODE_PREFIX = "node:"  # in front of the node that a link to another document leads to
SEPARATOR = "\x1f"  # in front of a node
QUOTE = "\x7f"  # around a name of a node with a character that ends names
CONTROL = dict.fromkeys([0, 8, 31, 127], " ")  # characters that mean something to Info
NOT_IN_NAMES = re.compile(r"\s*[,:]+\s*|[\x00-\x20\x7f]+")
# where the description is in a menu, and the place in an index
MENU_COLUMN, INDEX_COLUMN = 32, 48
UNDERLINES = "*=-."
INDEX_MARK = "\x00\x08[index\x00\x08]"  # tells programs that the node is an index


@dataclass(frozen=True, slots=True)
class InfoFile:
    """An Info file: its name without suffix, and the names of the nodes by anchors."""

    stem: str
    nodes: Mapping[str, str]


@dataclass(slots=True)
class _Node:
    """A node: its name, that of its parent, its lines, its children, and what it is about."""

    name: str
    parent: str
    lines: list[str] = field(default_factory=list)
    children: list[_Node] = field(default_factory=list)
    title: str = ""


def info_file(manual: Manual, title: str, stem: str) -> InfoFile:
    """The nodes of `manual`, whose file is called `stem`."""
    doctree = make_doctree(manual, title)
    by_id = {
        identifier: name for node, name in _nodes_of_sections(doctree)
        for part in node.findall(nodes.Element) for identifier in part["ids"]
    }
    anchors = identifiers(manual).items()
    return InfoFile(stem, {anchor: by_id.get(identifier, TOP) for anchor, identifier in anchors})


def _nodes_of_sections(doctree: nodes.document) -> list[tuple[nodes.section, str]]:
    """The sections of `doctree`, each above those in it, and the names of their nodes."""
    used_names = {TOP.casefold(), INDEX.casefold()}
    sections: list[tuple[nodes.section, str]] = []
    for section in doctree.findall(nodes.section):
        words = NOT_IN_NAMES.sub(" ", section[0].astext()).strip().lstrip("(") or "…"
        name, number = words, 2
        while name.casefold() in used_names:
            name, number = f"{words} <{number}>", number + 1
        used_names.add(name.casefold())
        sections.append((section, name))
    return sections


def info(
    manual: Manual, title: str, names: Sequence[DefinedName], file: InfoFile,
    others: Mapping[str, InfoFile],
) -> tuple[nodes.document, bytes]:
    """The document of `manual`, and the Info `file` of it with an index of its `names`.

    `others` are the files of the documents of its release, by name.
    """
    other_documents = {
        name: OtherDocument(
            NODE_PREFIX,
            {anchor: f"({other.stem}){node}" for anchor, node in {"": TOP, **other.nodes}.items()},
        )
        for name, other in others.items() if name != manual.name
    }
    doctree = make_doctree(manual, title, other_documents)
    ids = identifiers(manual)
    own_nodes = {ids[anchor]: node for anchor, node in file.nodes.items()}
    writer = _NodeWriter(own_nodes, dict(_nodes_of_sections(doctree)))
    top = writer.top(doctree, {
        file.nodes[name.anchor]: name.summary for name in reversed(names)
        if name.entry and name.anchor in file.nodes
    })
    anchored_names = [
        (one_line(word), ids[name.anchor])
        for name in sorted(names, key=lambda name: name.anchor != slug(name.name))
        if name.anchor in ids for word in (name.display_name, *name.other_names)
    ]
    if anchored_names:
        top.children.append(writer.index(anchored_names))
    text = _file_text(file.stem, one_line(doctree["title"]), top)
    return doctree, text


class _NodeWriter(PlainText):
    """Writes the nodes of a document; `node_of` names that of each id."""

    def __init__(self, node_of: Mapping[str, str], names: Mapping[nodes.section, str]) -> None:
        self.node_of = node_of
        self.names = names
        self.node = _Node(TOP, "(dir)")  # the node that is being written
        self.linked: set[str] = set()  # the nodes that it refers to
        self.lines_of: dict[str, int] = {}  # the line in its node of each id
        self.summaries: Mapping[str, str] = {}

    def top(self, doctree: nodes.document, summaries: Mapping[str, str]) -> _Node:
        """The first node with all others below it; `summaries` say what nodes are about."""
        self.summaries = summaries
        title, body = title_and_body(doctree)
        body = [node for node in body if not isinstance(node, nodes.topic)]
        top = self.node
        self._write(top, _underlined(self.indented(title, ""), 0), body, 0)
        return top

    def _write(
        self, node: _Node, heading: Sequence[str], body: Sequence[nodes.Node], depth: int
    ) -> None:
        """Write `heading` and `body` into `node`, and the sections of `body` into more nodes."""
        self.node, self.linked = node, {node.name}
        own_text = [part for part in body if not isinstance(part, nodes.section)]
        node.lines += [*heading, ""]
        for part in own_text:  # one after the other, so that the line of each is known
            first = len(node.lines)
            for element in part.findall(nodes.Element):
                for identifier in element["ids"]:
                    self.lines_of[identifier] = first
            node.lines += self.blocks([part], "")
        node.lines = strip_lines(node.lines)
        for section in body:
            if not isinstance(section, nodes.section):
                continue
            title, *parts = section.children
            child = _Node(self.names[section], node.name)
            child.title = self.summaries.get(child.name, "")
            if child.name != one_line(title.astext()) and not child.title:
                child.title = one_line(title.astext())
            node.children.append(child)
            for identifier in section["ids"]:
                self.lines_of[identifier] = 0
            lines = _underlined(self.indented(title.astext(), "") or ["…"], depth)
            self._write(child, lines, without_repetition(title, parts), depth + 1)

    def index(self, anchored_names: Iterable[tuple[str, str]]) -> _Node:
        """The node with all names and the ids of their elements; the best of a name first."""
        lines = [*_underlined(["Index"], 0), "", INDEX_MARK, "* Menu:", ""]
        for name, identifier in sorted(
            anchored_names, key=lambda pair: (pair[0].casefold(), pair[0])
        ):
            node, label = self.node_of[identifier], name.replace(": ", " ").rstrip(":")
            number = self.lines_of.get(identifier, 0) + 3  # after the head and a blank line
            front = f"* {label}:"
            quoted = f"{QUOTE}{node}{QUOTE}" if "." in node else node
            target = f"{quoted}.  (line {number:4})"
            lines.append(f"{front:<{INDEX_COLUMN - 1}} {target}")
        return _Node(INDEX, TOP, lines, title="All names.")

    # --- markup -----------------------------------------------------------------------------

    def code_block(self, lines: Iterable[str], before: list[str]) -> list[str]:
        return [*[line.translate(CONTROL) for line in lines], ""]

    def link(self, node: nodes.reference, text: str) -> str:
        address = str(node.get("refuri", ""))
        target = address.partition("#")[2] if address.startswith(NODE_PREFIX) else ""
        if not address:
            target = self.node_of.get(node["refid"], "")
        if not target:
            needs_no_address = not address or address.startswith(NODE_PREFIX) or address == text
            return text if needs_no_address else f"{text} ({address})"
        if target in self.linked:
            return text
        self.linked.add(target)
        reference = f"{BLANK.join(['*note', *target.split()])}::"
        name = target.partition(")")[2] if target.startswith("(") else target
        if f"{name} ".casefold().startswith(f"{one_line(text)} ".casefold()):  # "4.2" of "4.2 Sets"
            return reference
        return f"{text} ({reference})"

    def word(self, word: str) -> str:
        return word.translate(CONTROL)

    def with_ids(self, lines: Sequence[str], elements: Sequence[nodes.Element]) -> list[str]:
        return [*lines]


def _underlined(lines: Sequence[str], depth: int) -> list[str]:
    """The `lines` of a title and the line below them, as in other manuals for Info."""
    width = max((column_width(line) for line in lines), default=1)
    return [*lines, UNDERLINES[min(depth, len(UNDERLINES) - 1)] * width]


def _file_text(stem: str, title: str, top: _Node) -> bytes:
    """The whole file: what it is, all nodes, and where they start."""
    entry = f"* {stem}: ({stem}).".ljust(MENU_COLUMN - 1)
    parts = [
        f"This is {stem}.{SUFFIX}.\n\nINFO-DIR-SECTION System administration\n"
        f"START-INFO-DIR-ENTRY\n{entry} {title}\nEND-INFO-DIR-ENTRY\n\n".encode()
    ]
    offset = len(parts[0])
    table: list[str] = []
    stack = [(top, "", top.children[0].name if top.children else "")]
    while stack:
        node, before, after = stack.pop()
        content = _node_text(stem, node, before, after).encode()
        table.append(f"Node: {node.name}{QUOTE}{offset}\n")
        parts.append(content)
        offset += len(content)
        names = [child.name for child in node.children]
        before_first = TOP if node is top else ""
        stack += reversed([*zip(
            node.children, [before_first, *names], [*names[1:], ""], strict=False
        )])
    offsets = "".join(table)
    parts.append(
        f"{SEPARATOR}\nTag Table:\n{offsets}{SEPARATOR}\nEnd Tag Table\n\n"
        f"{SEPARATOR}\nLocal Variables:\ncoding: utf-8\nEnd:\n".encode()
    )
    return b"".join(parts)


def _node_text(stem: str, node: _Node, before: str, after: str) -> str:
    head = f"File: {stem}.{SUFFIX},  Node: {node.name}"
    for label, name in (("Next", after), ("Prev", before), ("Up", node.parent)):
        head += f",  {label}: {name}" if name else ""
    lines = [SEPARATOR, head, "", *node.lines, ""]
    if node.children:
        entries = [line for child in node.children for line in _menu_entry(child)]
        lines += ["* Menu:", "", *entries, ""]
    return "\n".join(lines) + "\n"


def _menu_entry(node: _Node) -> list[str]:
    """A line of a menu: the node, and what it is about as far as there is room."""
    front = f"* {node.name}::"
    words = one_line(node.title).translate(CONTROL)
    gap = " " * max(MENU_COLUMN - column_width(front), 2)
    room = WIDTH - column_width(front + gap)
    if not words or room < len(words.split()[0]):
        return [finished(front)]
    if column_width(words) > room:
        words = f"{words[: room - 1].rpartition(' ')[0] or words[: room - 1]}…"
    return [f"{front}{gap}{words}"]
