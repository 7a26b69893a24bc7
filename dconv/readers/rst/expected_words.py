"""The words of docutils' tree, found in another way than `convert.py` does.

Both share the tree, and how numbers of lists are written.  The walk adds what docutils keeps
outside of text (numbers of lists, marks of footnotes, the alternative text of images), and counts
words that are not text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from docutils import nodes

from dconv.model.tree import ExpectedWords
from dconv.readers.rst.addnodes import omitted_words

ROMAN = (
    ("m", 1000), ("cm", 900), ("d", 500), ("cd", 400), ("c", 100), ("xc", 90), ("l", 50),
    ("xl", 40), ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1),
)  # fmt: skip


def expected_words(document: nodes.document) -> ExpectedWords:
    """The words of `document`, with the number of those that are left out."""
    collector = _WordCollector()
    collector.add(document)
    return ExpectedWords(tuple(collector.words), tuple(sorted(collector.dropped.items())))


class _WordCollector:
    """Collects the words of the nodes of a document, in order."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.dropped: Counter[str] = Counter()
        self.number_suffix = ""  # what follows the number of an item: a dot in cells

    def add(self, node: nodes.Element) -> None:
        match node:
            case nodes.comment():
                self.dropped["comments"] += len(node.astext().split())
            case nodes.substitution_definition():
                self.dropped["definitions of substitutions"] += len(node.astext().split())
            case omitted_words():
                self.dropped[node["kind"]] += len(node.astext().split())
            case nodes.title() | nodes.subtitle() if isinstance(node.parent, nodes.document):
                self.dropped["title"] += len(node.astext().split())
            case nodes.system_message():
                text = node.children[0].astext() if node.children else ""
                if "line too short" not in text:  # else all of it is in the tree
                    self.add_all([
                        child for child in node.children if isinstance(child, nodes.literal_block)
                    ])
            case nodes.label() | nodes.option_group():
                self.words += node.astext().split()
            case nodes.classifier():
                self.words += [":", *_text(node).split()]
            case nodes.attribution():
                self.words += ["—", *_text(node).split()]
            case nodes.image():
                self.words += (node.get("alt") or node["uri"]).split()
            case nodes.title() if not _text(node).strip():
                if isinstance(node.parent, nodes.section):
                    self.words.append("…")  # a section without a title has this one
            case nodes.TextElement() if isinstance(node, nodes.Bibliographic):
                self.words += [node.tagname.capitalize(), *_text(node).split()]
            case nodes.TextElement():
                self.words += _text(node).split()
                for inner in node.findall(omitted_words):
                    self.dropped[inner["kind"]] += len(inner.astext().split())
            case nodes.entry():
                outer, self.number_suffix = self.number_suffix, "."
                self.add_all(node.children)
                self.number_suffix = outer
            case nodes.enumerated_list():
                for index, item in enumerate(node.children):
                    self.words.append(f"{number(node, index)}{self.number_suffix}")
                    self.add_all([item])
            case _:
                self.add_all(node.children)

    def add_all(self, children: Iterable[nodes.Node]) -> None:
        for child in children:
            if isinstance(child, nodes.Element):
                self.add(child)


def _text(node: nodes.TextElement) -> str:
    """The text of `node`, with the marks of footnotes and the texts of images."""
    texts: list[str] = []
    stack: list[nodes.Node] = [*reversed(node.children)]
    while stack:
        child = stack.pop()
        match child:
            case nodes.footnote_reference() | nodes.citation_reference():
                texts.append(f"[{child.astext()}]")
            case nodes.image():
                texts.append(child.get("alt") or child["uri"])
            case (
                omitted_words() | nodes.comment() | nodes.system_message()
                | nodes.substitution_definition()
            ):
                pass
            case nodes.Element():
                stack += reversed(child.children)
            case _:
                texts.append(child.astext())
    return "".join(texts)


def number(node: nodes.enumerated_list, index: int) -> str:
    """The number of the item `index` of a list, without the marks around it."""
    ordinal = node.get("start", 1) + index
    style = node["enumtype"]
    if style == "arabic":
        return str(ordinal)
    if style.endswith("alpha"):
        numeral = chr(ord("a") + ordinal - 1)
    else:
        numeral = ""
        for letters, value in ROMAN:
            while ordinal >= value:
                numeral += letters
                ordinal -= value
    return numeral.upper() if style.startswith("upper") else numeral
