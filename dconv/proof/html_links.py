"""The links of a written page, and the anchors that links can point to.

Pages are parsed as browsers do (selectolax), so that a theme may write its HTML as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from selectolax.lexbor import LexborHTMLParser

from dconv.model.values import dataclass

ADDRESS_ATTRIBUTES = ("href", "src", "action", "formaction", "poster")  # attributes that hold one
# elements with an address or an anchor; `:is` selects each once, in the page's order
SELECTOR = (
    ":is([href],[src],[srcset],[action],[formaction],[poster],[style],[http-equiv],[id],[name])"
)
# of these, what is in a list of links to other releases
VERSION_LINKS = "nav.versions [href],details.versions [href],aside.versions [href]"
ESCAPED = re.compile(r"[&<>\"]")  # what an attribute escapes
VERSIONS_CLASS = "versions"  # the class of these lists
VERSION_RELATIONS = frozenset(("canonical", "alternate"))  # relations of links to other releases
# one of a srcset's addresses, with its size after it: "small.png 1x, big.png 2x"
CANDIDATE = re.compile(r"\s*([^\s,]\S*[^\s,]|[^\s,])[^,]*(?:,|$)")
# 'url("a.png")' of a style attribute
STYLE_URL = re.compile(r"""(?i)\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)""")
# "0; url=../3.4/index.html"
REFRESH = re.compile(r"(?i)^\s*\d+\s*;\s*url=(.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Address:
    """An address as it is `written` in an attribute, and its `line` in the page.

    `between_releases` says that its element marks it as a link that may point to another release.
    """

    written: str
    line: int
    between_releases: bool


@dataclass(frozen=True, slots=True)
class PageContents:
    """The links of a page, its ids with their lines, and the names of its `<a>`, in order."""

    addresses: tuple[Address, ...]
    ids: tuple[tuple[str, int], ...]
    names: tuple[str, ...]


def page_contents(page: str) -> PageContents:
    """The links and anchors of `page`, the text of an HTML file."""
    tree = LexborHTMLParser(page)
    in_versions = {node.mem_id for node in tree.css(VERSION_LINKS)}
    lines = _Lines(page)
    addresses: list[Address] = []
    ids: list[tuple[str, int]] = []
    names: list[str] = []
    for node in tree.css(SELECTOR):
        values = node.attributes
        for written in _addresses(values):
            between_releases = node.mem_id in in_versions or _is_between_releases(values)
            addresses.append(Address(written, lines.find(written), between_releases))
        if element_id := values.get("id"):
            ids.append((element_id, lines.find(element_id)))
        if "name" in values and node.tag == "a":
            names.append(values["name"] or "")
    return PageContents(tuple(addresses), tuple(ids), tuple(names))


@dataclass(slots=True)
class _Lines:
    """Finds the lines of attributes' values, which are asked for in the order of `page`."""

    page: str
    _position: int = 0
    _line: int = 1

    def find(self, value: str) -> int:
        """The line of the next attribute with `value`, or else of the last one found."""
        written = escape(value).replace("&#x27;", "'") if ESCAPED.search(value) else value
        for pattern in (f'="{written}"', value):
            index = self.page.find(pattern, self._position)
            if index >= 0:
                self._line += self.page.count("\n", self._position, index)
                self._position = index
                break
        return self._line


def _is_between_releases(values: Mapping[str, str | None]) -> bool:
    """Whether a link with the attributes `values` may point to another release."""
    if VERSIONS_CLASS in (values.get("class") or "").split():
        return True
    return not VERSION_RELATIONS.isdisjoint((values.get("rel") or "").split())


def _addresses(values: Mapping[str, str | None]) -> Iterator[str]:
    """The addresses in the attributes `values`; one without a value is empty."""
    for key in ADDRESS_ATTRIBUTES:
        if key in values:
            yield values[key] or ""
    if srcset := values.get("srcset"):
        yield from CANDIDATE.findall(srcset)
    if style := values.get("style"):
        for quoted, single, unquoted in STYLE_URL.findall(style):
            yield quoted or single or unquoted
    is_refresh = (values.get("http-equiv") or "").casefold() == "refresh"
    if is_refresh and (match := REFRESH.match(values.get("content") or "")):
        yield match[1].strip(" '\"")
