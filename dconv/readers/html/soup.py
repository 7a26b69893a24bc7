"""HTML as a tree of elements, with the end tags that its authors left out.

Beautiful Soup on Python's own parser keeps the line of each element, but knows no implied ends:
in "<li>a<li>b" the second item would be inside the first.  `parse` ends elements as browsers do.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence

from bs4 import BeautifulSoup, NavigableString, ParserRejectedMarkup, Tag
from bs4.builder._htmlparser import HTMLParserTreeBuilder
from bs4.element import PageElement, PreformattedString

from dconv.model.tree import Span
from dconv.readers.extracted_text import NO_SPAN

# elements that end a line of prose
BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup",
    "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "html",
    "legend", "li", "listing", "main", "menu", "nav", "noframes", "ol", "p", "plaintext", "pre",
    "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    "xmp",
))  # fmt: skip
VERBATIM = frozenset(("pre", "listing", "xmp", "plaintext"))
NUMBER = re.compile(r"-?\d{1,9}")  # an attribute that counts
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
CELLS = frozenset(("td", "th", "caption"))
TABLE_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr", *CELLS))
LISTS = frozenset(("ul", "ol", "menu", "dir"))
ROW_GROUPS = frozenset(("thead", "tbody", "tfoot"))
ENDS_PARAGRAPH = BLOCKS - TABLE_PARTS - {"li", "dt", "dd", "body", "html", "legend", "col"} | {
    "table", "li", "dt", "dd",
}
# start tags, the open elements that they end, and elements that keep those inside them open
IMPLIED_ENDS: tuple[tuple[frozenset[str], frozenset[str], frozenset[str]], ...] = (
    (ENDS_PARAGRAPH, frozenset(("p",)), CELLS | {"table", "button", "object"}),
    (frozenset(("li",)), frozenset(("li",)), LISTS | CELLS | {"table", "blockquote"}),
    (
        frozenset(("dt", "dd")), frozenset(("dt", "dd")),
        CELLS | LISTS | {"dl", "table", "blockquote"},
    ),
    (CELLS | {"tr"} | ROW_GROUPS, CELLS, frozenset(("table",))),
    (ROW_GROUPS | {"tr"}, frozenset(("tr",)), frozenset(("table",))),
    (ROW_GROUPS, ROW_GROUPS, frozenset(("table",))),
    (HEADINGS, HEADINGS, BLOCKS - HEADINGS - {"p"}),
    (frozenset(("a",)), frozenset(("a",)), BLOCKS),
    (BLOCKS, frozenset(("svg",)), frozenset(("foreignobject",))),
    (frozenset(("option",)), frozenset(("option",)), BLOCKS | {"select"}),
)
# elements whose end tags also end the elements that are still open in them
NESTED = frozenset((
    "applet", "audio", "button", "canvas", "iframe", "noscript", "object", "select", "svg",
    "template", "textarea", "video",
))  # fmt: skip
# what a page may have in its head; anything else ends the head
HEAD_ELEMENTS = frozenset((
    "base", "basefont", "bgsound", "head", "html", "link", "meta", "noframes", "noscript", "script",
    "style", "template", "title",
))  # fmt: skip
NEVER_ENDED = frozenset(("body", "html"))  # what follows their end tags still belongs to them
MAX_EXAMINED_ELEMENTS = 200  # open elements that are looked at for one to end
# "&amp;", "&#8212;", "&nbsp" without its end
ENTITY = re.compile(r"&#?\w{1,32};?")
TAG_START = re.compile(r"</?[A-Za-z]")
# what a declaration starts with that Python's parser refuses: "<![if gte mso 9]>"
DECLARATION = re.compile(r"<!(?!--|doctype\b)", re.IGNORECASE)


class _Soup(BeautifulSoup):
    """Builds the tree, with implied ends, and rows around cells that are in none."""

    def handle_starttag(
        self, name: str, namespace: str | None, nsprefix: str | None, attrs: Mapping[str, str],
        sourceline: int | None = None, sourcepos: int | None = None,
        namespaces: dict[str, str] | None = None,
    ) -> Tag | None:
        if self.currentTag.name == "head" and name not in HEAD_ELEMENTS:
            super().handle_endtag("head")
        for starts, ended, limits in IMPLIED_ENDS:
            if name in starts:
                open_name = self._innermost_open(ended, limits)
                if open_name:
                    super().handle_endtag(open_name)
        if name in ("td", "th") and self.currentTag.name in (*ROW_GROUPS, "table"):
            super().handle_starttag("tr", None, None, {}, sourceline, sourcepos)
        started: Tag | None = super().handle_starttag(
            name, namespace, nsprefix, attrs, sourceline, sourcepos, namespaces
        )
        return started

    def object_was_parsed(
        self, o: PageElement, parent: Tag | None = None,
        most_recent_element: PageElement | None = None,
    ) -> None:
        text = element_or_text(o)
        if self.currentTag.name == "head" and isinstance(text, str) and text.strip():
            super().handle_endtag("head")
        super().object_was_parsed(o, parent, most_recent_element)

    def handle_endtag(self, name: str, nsprefix: str | None = None) -> None:
        if name in NEVER_ENDED:
            return
        if (name == "br" and self.currentTag.name != "br") or (
            name == "p" and not self._innermost_open(frozenset(("p",)), CELLS | {"table"})
        ):
            self.handle_starttag(name, None, None, {})
        limits = CELLS | {"table"} if name not in TABLE_PARTS else {"table"} - {name}
        if name not in BLOCKS and name not in NESTED:
            limits = limits | BLOCKS
        if self._innermost_open(frozenset((name,)), frozenset(limits)):
            super().handle_endtag(name, nsprefix)

    def _innermost_open(self, names: frozenset[str], limits: frozenset[str]) -> str:
        """The innermost open element of `names` that is inside none of `limits`, or empty."""
        if not any(self.open_tag_counter.get(name) for name in names):
            return ""
        for tag in self.tagStack[: -MAX_EXAMINED_ELEMENTS - 1 : -1]:
            if tag.name in names:
                return str(tag.name)
            if tag.name in limits:
                return ""
        return ""


def parse(text: str) -> Tag:
    """The tree of `text`; never raises."""
    text = _without_open_end(text)
    text = ENTITY.sub(lambda entity: html.escape(html.unescape(entity[0])), text)
    try:
        return _Soup(text, builder=HTMLParserTreeBuilder())
    except ParserRejectedMarkup:
        return _Soup(DECLARATION.sub("&lt;!", text), builder=HTMLParserTreeBuilder())


def _without_open_end(text: str) -> str:
    """`text` without a tag or comment at its end that never ends, which no browser shows."""
    comment_start = text.find("<!--")
    while comment_start >= 0:
        tag_start = text.rfind("<", 0, comment_start)
        is_tag = tag_start >= 0 and text[tag_start + 1 : tag_start + 2].isalpha()
        in_tag = is_tag and ">" not in text[tag_start:comment_start]
        end = comment_start + 1 if in_tag else text.find("-->", comment_start + 2)
        if end < 0:
            text = text[:comment_start]
            break
        comment_start = text.find("<!--", end)
    unended = TAG_START.search(text, text.rfind(">") + 1)
    if unended:
        text = text[: unended.start()]
    return text


def children(tag: Tag) -> Iterator[Tag | str]:
    """The elements and texts in `tag`; comments and declarations are neither."""
    for child in tag.contents:
        node = element_or_text(child)
        if node is not None:
            yield node


def element_or_text(node: PageElement) -> Tag | str | None:
    """`node` if it is an element or a text, None if it is a comment or the like."""
    if isinstance(node, Tag):
        return node
    if isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
        return str(node)
    return None


def elements(tag: Tag) -> Iterator[Tag]:
    """All elements below `tag`, in the order of their start tags."""
    return (node for node in tag.descendants if isinstance(node, Tag))


def child_elements(tag: Tag) -> Iterator[Tag]:
    return (child for child in tag.contents if isinstance(child, Tag))


def text_of(tag: Tag) -> str:
    """All characters in `tag`."""
    nodes = [element_or_text(node) for node in tag.descendants]
    return "".join([node for node in nodes if isinstance(node, str)])


def attribute(tag: Tag, name: str) -> str:
    """The attribute `name` of `tag` as one text, empty if it has none."""
    value = tag.attrs.get(name)
    return " ".join(value) if isinstance(value, list) else str(value or "")


def anchor_of(name: str) -> str:
    """The id `name` as an anchor: without blanks, and none of the theme's, which start with "-"."""
    name = "".join(name.split())
    return f"x{name}" if name.startswith("-") else name


def classes(tag: Tag) -> frozenset[str]:
    return frozenset(attribute(tag, "class").casefold().split())


def is_block(tag: Tag) -> bool:
    """Whether `tag` ends a line of prose, or has an element that does."""
    if tag.name in BLOCKS:
        return True
    return any(inner.name in BLOCKS for inner in elements(tag))


def span_of(tag: Tag) -> Span:
    """The line of the original that `tag` starts on."""
    line = tag.sourceline
    return Span(line, line) if line else NO_SPAN


def ids_in(tag: Tag) -> Iterator[str]:
    """The ids of `tag` and of what is in it."""
    for element in (tag, *elements(tag)):
        yield from own_ids(element)


def own_ids(tag: Tag) -> Iterator[str]:
    """The ids of `tag` itself."""
    for name in ("id", "name") if tag.name == "a" else ("id",):
        if value := anchor_of(attribute(tag, name)):
            yield value


def split_heading(tag: Tag) -> tuple[list[Tag | str], list[Tag | str]]:
    """What is in the heading `tag`: the parts of its line, and those from its first block on."""
    nodes = [*children(tag)]
    while len(nodes) == 1 and isinstance(nodes[0], Tag) and is_block(nodes[0]):
        nodes = [*children(nodes[0])]
    for index, node in enumerate(nodes):
        if isinstance(node, Tag) and is_block(node):
            words = "".join([
                before if isinstance(before, str) else text_of(before) for before in nodes[:index]
            ])
            if words.strip():
                return nodes[:index], nodes[index:]
    return nodes, []


def list_items(tag: Tag) -> list[list[Tag]]:
    """The items of the list `tag`: each is a `li` and what is after it.

    Text and elements that are no blocks, in no `li`, are together in a `div`.
    """
    groups: list[list[Tag]] = []
    line: Tag | None = None
    for child in [*children(tag)]:
        if isinstance(child, str) or not (child.name == "li" or is_block(child)):
            if line is not None:
                line.append(child)
                continue
            if isinstance(child, str) and not child.strip():
                continue
            line = Tag(name="div")
            line.append(child)
            child = line
        else:
            line = None
        if child.name == "li" or not groups:
            groups.append([child])
        else:
            groups[-1].append(child)
    return groups


def item_content(group: Sequence[Tag]) -> Iterator[Tag | str]:
    """What is in one of the `list_items`."""
    first = group[0]
    yield from children(first) if first.name == "li" else (first,)
    yield from group[1:]


def numbered_items(
    tag: Tag, groups: Sequence[Sequence[Tag]]
) -> Iterator[tuple[Sequence[Tag], str]]:
    """The `list_items` of the list `tag`, each with its number as browsers count."""
    start = attribute(tag, "start").strip()
    is_reversed = tag.has_attr("reversed")
    default = sum(group[0].name == "li" for group in groups) if is_reversed else 1
    number = int(start) if NUMBER.fullmatch(start) else default
    for group in groups:
        value = attribute(group[0], "value").strip() if group[0].name == "li" else ""
        if NUMBER.fullmatch(value):
            number = int(value)
        has_letters = attribute(tag, "type") in ("a", "A") and 1 <= number <= 26
        first_letter = ord("a") if attribute(tag, "type") == "a" else ord("A")
        yield group, chr(first_letter + number - 1) if has_letters else str(number)
        if group[0].name == "li":
            number += -1 if is_reversed else 1
