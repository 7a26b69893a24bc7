"""The words of a page as browsers parse it, for the proof that the tree has all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dconv.model.tree import ExpectedWords
from dconv.model.values import dataclass
from dconv.readers.extracted_text import code_line, folded_text
from dconv.readers.html.page import NON_TEXT_ELEMENTS, ElementPosition, PageText, is_permalink
from dconv.readers.html.soup import BLOCKS, NUMBER, VERBATIM

SEPARATOR = re.compile(r":|[-–—]{1,3}")  # between a name and its text


def expected_words(
    html: str, page: PageText, li_name_lengths: Mapping[int, int], dropped: Counter[str]
) -> ExpectedWords:
    """The words of `html` in the main part of `page`.

    `li_name_lengths` has the `li` that define a name ("<li>-v: print more"): their numbers in the
    page, from 1, each with how many words the name has.  The separator after it is not in the tree.
    `dropped` counts words that were left out before, by what they are; the result adds to them.
    """
    collector = _WordCollector(page, li_name_lengths, Counter(dropped))
    root = LexborHTMLParser(html).root
    if root is not None:
        collector.add(root)
    collector.remove_separators()
    return ExpectedWords(tuple(collector.words), tuple(sorted((+collector.dropped).items())))


@dataclass(slots=True)
class _WordCollector:
    """Collects the words of a page; `mem_id` identifies a node."""

    page: PageText
    li_name_lengths: Mapping[int, int]
    dropped: Counter[str]
    words: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)  # of the block that is open
    counts: Counter[str] = field(default_factory=Counter)  # how many elements of each tag began
    numbers: dict[int, int] = field(default_factory=dict)  # the next number of each list
    # of each item that defines a name: the index of the first of its `words`, and how many it has
    names: list[tuple[int, int]] = field(default_factory=list)
    main_id: int = 0  # the `mem_id` of the main part while in it, else 0
    # the elements around that are removed, each with what it is ("navigation")
    open_removed: list[tuple[int, str]] = field(default_factory=list)
    outer_texts: list[list[str]] = field(default_factory=list)  # the `text` before each of them
    verbatim: int = 0  # how many elements of preformatted text are around

    def add(self, root: LexborNode) -> None:
        node: LexborNode | None = root
        while node is not None:
            self.start(node)
            if node.child is not None:
                node = node.child
                continue
            while node is not None:
                self.end(node)
                if node.mem_id == root.mem_id:
                    return
                if node.next is not None:
                    node = node.next
                    break
                node = node.parent

    def start(self, node: LexborNode) -> None:
        """Handle the start of `node`."""
        tag = node.tag or ""
        if node.is_text_node:
            self.text.append(node.text_content or "")
            return
        if node.is_comment_node:
            if not self.open_removed:
                self.dropped["comments"] += len((node.comment_content or "").split())
            return
        self.counts[tag] += 1
        position = ElementPosition(tag, self.counts[tag])
        kind = NON_TEXT_ELEMENTS.get(tag) or self.page.removed_elements.get(position, "")
        if not kind and tag == "a" and is_permalink(node.text()):
            kind = "marks of links"
        is_main = self.page.main == position
        if not kind and (tag in BLOCKS or tag == "br" or is_main):
            self.flush()
        if is_main:
            self.main_id = node.mem_id
        if kind:  # it does not end the word around it
            self.open_removed.append((node.mem_id, kind))
            self.outer_texts.append(self.text)
            self.text = []
        if tag in VERBATIM:
            self.verbatim += 1
        if tag == "img":
            self.text.append(_image_text(node))
        if tag == "li":
            self.start_item(node)

    def end(self, node: LexborNode) -> None:
        if node.is_text_node or node.is_comment_node:
            return
        tag = node.tag or ""
        ends_removed = bool(self.open_removed) and self.open_removed[-1][0] == node.mem_id
        ends_main = self.main_id == node.mem_id
        if tag in BLOCKS or ends_removed or ends_main:
            self.flush()
        if tag in VERBATIM:
            self.verbatim -= 1
        if ends_removed:
            self.open_removed.pop()
            self.text = self.outer_texts.pop()
        if ends_main:
            self.main_id = 0

    def flush(self) -> None:
        """Split the text of the block that ends into words."""
        text = "".join(self.text)
        self.text = []
        words = (
            [word for line in text.split("\n") for word in code_line(line).split()]
            if self.verbatim else folded_text(text).split()
        )
        if self.open_removed:
            self.dropped[self.open_removed[-1][1]] += len(words)
        elif self.page.main is not None and not self.main_id:
            self.dropped["text outside of the main part"] += len(words)
        else:
            self.words += words

    def start_item(self, node: LexborNode) -> None:
        """Add the number of the `li` that starts, and note where its name is."""
        parent = node.parent
        if self.open_removed or (self.page.main is not None and not self.main_id):
            return
        if parent is not None and parent.tag == "ol":
            number = self.number(node, parent)
            first_letter = parent.attributes.get("type") or ""
            has_letters = first_letter in ("a", "A") and 1 <= number <= 26
            self.words.append(chr(ord(first_letter) + number - 1) if has_letters else str(number))
        if length := self.li_name_lengths.get(self.counts["li"]):
            self.names.append((len(self.words), length))

    def number(self, node: LexborNode, parent: LexborNode) -> int:
        """The number of the `li` in the `ol`, as browsers count."""
        is_reversed = "reversed" in parent.attributes
        if parent.mem_id not in self.numbers:
            start = (parent.attributes.get("start") or "").strip()
            item_count = sum(child.tag == "li" for child in parent.iter())
            self.numbers[parent.mem_id] = (
                int(start) if NUMBER.fullmatch(start) else item_count if is_reversed else 1
            )
        value = (node.attributes.get("value") or "").strip()
        number = int(value) if NUMBER.fullmatch(value) else self.numbers[parent.mem_id]
        self.numbers[parent.mem_id] = number + (-1 if is_reversed else 1)
        return number

    def remove_separators(self) -> None:
        for start, length in reversed(self.names):
            index = start + length
            if index < len(self.words) and SEPARATOR.fullmatch(self.words[index]):
                del self.words[index]
            elif index <= len(self.words) and self.words[index - 1].endswith(":"):
                self.words[index - 1] = self.words[index - 1].removesuffix(":")
            else:
                continue
            self.dropped["separators between names and texts"] += 1


def _image_text(node: LexborNode) -> str:
    """The words that stand for an image, as `inlines.image_text` has them."""
    attributes = node.attributes
    for name in ("alt", "title"):
        if name in attributes:
            return attributes[name] or ""
    source = (attributes.get("src") or "").partition("?")[0].rstrip("/")
    return source.rpartition("/")[2]
