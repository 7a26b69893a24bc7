"""The text of a page: its main part without navigation, scripts and other elements without text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bs4 import Tag

from dconv.model.file_names import file_name
from dconv.model.values import dataclass
from dconv.readers.html.inlines import image_text
from dconv.readers.html.soup import attribute, classes, elements, text_of

# elements without text of the manual, each with what it is
NON_TEXT_ELEMENTS: Mapping[str, str] = {
    "script": "scripts", "style": "styles", "template": "templates", "noscript": "scripts",
    "head": "heads", "title": "heads", "iframe": "frames", "frame": "frames",
    "noframes": "frames", "object": "objects", "embed": "objects", "applet": "objects",
    "audio": "objects", "video": "objects", "canvas": "objects", "svg": "drawings",
    "select": "form controls", "button": "form controls", "textarea": "form controls",
    "input": "form controls", "datalist": "form controls",
}
# whole texts of links from a place to itself, or back to where a note is mentioned
PERMALINKS = frozenset(("¶", "§", "#", "🔗", "↩", "↩︎", "⏎"))
# characters without a meaning of their own, which a font shows as a chain
PICTOGRAM = re.compile("[\ue000-\uf8ff]+")
# ids, classes and roles of the part that is the document, the most reliable first
MAIN = ("main", "document", "documentwrapper", "content", "main-content", "maincontent",
        "page-content", "bodycontent", "doc-content", "markdown-body", "rst-content")  # fmt: skip
# words of ids and classes of what leads elsewhere
NAVIGATION = re.compile(
    r"(?:^|[-_ ])(?:nav\w*|side-?bar\w*|sphinxsidebar\w*|bread-?crumbs?|menu|menubar"
    r"|related|topbar|toplang|bottomlang|quickview|pager|header|footer|page-?header|page-?footer"
    r"|search\w*|skip\w*|up|top)(?:$|[-_ ])",
    re.IGNORECASE,
)
# words of ids and classes of a table of contents
CONTENTS = re.compile(
    r"(?:^|[-_ ])(?:toc\d?|toc-?list|table-of-contents|contents-?list|short-?contents"
    r"|contents|child_?links|minitoc)(?:$|[-_ ])",
    re.IGNORECASE,
)
NAVIGATION_ROLES = frozenset(("navigation", "banner", "contentinfo", "search"))
# elements that may be navigation by their id or class
CONTAINERS = frozenset((
    "div", "ul", "ol", "table", "td", "header", "footer", "aside", "section", "dl",
))  # fmt: skip
MIN_LINK_SHARE = 0.5  # the part of the words of navigation that are links
MIN_MAIN_SHARE = 0.4  # the part of the words of a page that are in its main part
WORD = re.compile(r"\S*\w\S*")
HIDDEN_STYLE = re.compile(r"display\s*:\s*none", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ElementPosition:
    """The element that is the `number`th of its `name` in a page, counted from 1."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page: the elements in `root`.

    `main` is the place of `root` in the page, None for all of it.  `removed_elements` are what was
    taken out of it, each with its kind ("navigation").  `li_numbers` has the numbers of the `li` of
    the page, by `id()`, to note which of them define names.
    """

    root: Tag
    main: ElementPosition | None
    removed_elements: Mapping[ElementPosition, str]
    li_numbers: dict[int, int]


def whole_page(soup: Tag) -> PageText:
    """All of `soup` as a page, without elements that hold no text."""
    positions = _element_positions(soup)
    _remove_non_text(soup)
    return PageText(soup, None, {}, _li_numbers(positions))


def main_page(soup: Tag, file: str) -> PageText:
    """The main part of `soup`, a page from `file`; what is not text is removed from it."""
    positions = _element_positions(soup)
    _remove_non_text(soup)
    main_part = _main_part(soup)
    main = positions[id(main_part)] if main_part is not None else None
    root = main_part if main_part is not None else soup
    name = file_name(file)
    removed_elements: dict[ElementPosition, str] = {}
    inside_removed: set[int] = set()  # by `id()`
    for element in [*elements(root)]:
        if id(element) not in inside_removed and (kind := _non_text_kind(element, name)):
            removed_elements[positions[id(element)]] = kind
            element.extract()
            inside_removed.update(id(inner) for inner in elements(element))
    return PageText(root, main, removed_elements, _li_numbers(positions))


def _element_positions(soup: Tag) -> dict[int, ElementPosition]:
    counts: dict[str, int] = {}
    positions: dict[int, ElementPosition] = {}
    for element in elements(soup):
        counts[element.name] = counts.get(element.name, 0) + 1
        positions[id(element)] = ElementPosition(element.name, counts[element.name])
    return positions


def _li_numbers(positions: Mapping[int, ElementPosition]) -> dict[int, int]:
    return {
        tag_id: position.number for tag_id, position in positions.items() if position.name == "li"
    }


def _remove_non_text(soup: Tag) -> None:
    for element in [*elements(soup)]:
        if element.name in NON_TEXT_ELEMENTS or (
            element.name == "a" and is_permalink(text_of(element))
        ):
            element.extract()


def is_permalink(text: str) -> bool:
    """Whether a link with `text` leads to its own place, or back to where a note is mentioned."""
    return text.strip() in PERMALINKS or PICTOGRAM.fullmatch(text.strip()) is not None


def _main_part(soup: Tag) -> Tag | None:
    """The main part of a page, or None if it has no parts."""
    words = _word_count(soup)
    candidates: list[tuple[int, Tag]] = []
    for element in elements(soup):
        if element.name == "main" or attribute(element, "role") == "main":
            candidates.append((0, element))
        elif element.name in ("div", "article", "td", "section"):
            names = {attribute(element, "id").casefold(), *classes(element)}
            ranks = [rank for rank, name in enumerate(MAIN, 1) if name in names]
            if ranks:
                candidates.append((ranks[0], element))
    for _, element in sorted(candidates, key=lambda pair: pair[0]):
        if _word_count(element) >= MIN_MAIN_SHARE * words:
            return element
    return None


def _non_text_kind(tag: Tag, file: str) -> str:
    """What `tag` of the page `file` is ("navigation") if it is not text, else empty."""
    if tag.has_attr("hidden") or HIDDEN_STYLE.search(attribute(tag, "style")):
        return "hidden text"
    role = attribute(tag, "role")
    if tag.name == "nav" or role in NAVIGATION_ROLES:
        return "navigation"
    if "linenos" in classes(tag) or "linenodiv" in classes(tag):
        return "line numbers"
    if tag.name not in CONTAINERS:
        return ""
    name = f"{attribute(tag, 'id')} {attribute(tag, 'class')} {tag.name}"
    is_menu = tag.name == "table" and "menu" in classes(tag)  # Texinfo's, of parts of the text
    if NAVIGATION.search(name) and not is_menu and _is_link_list(tag):
        return "navigation"
    if (is_menu or CONTENTS.search(name)) and _is_link_list(tag):
        links = [attribute(element, "href") for element in elements(tag) if element.name == "a"]
        if all(link.startswith(("#", f"{file}#")) or not link for link in links):
            return "contents"
    return ""


def _is_link_list(tag: Tag) -> bool:
    """Whether most words in `tag` are links."""
    words = _word_count(tag)
    linked = sum(
        _word_count(element) for element in elements(tag)
        if element.name == "a" and element.has_attr("href")
    )
    return words > 0 and linked >= MIN_LINK_SHARE * words


def _word_count(tag: Tag) -> int:
    """How many words are in `tag` and its images, not counting punctuation alone."""
    images = [image_text(element) for element in elements(tag) if element.name == "img"]
    return len(WORD.findall(" ".join([text_of(tag), *images])))
