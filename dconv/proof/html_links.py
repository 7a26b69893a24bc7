"""The links of a written page, and the anchors that links can point to.

Pages are parsed as browsers do (selectolax), so that a theme may write its HTML as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import TypeAlias

from selectolax.lexbor import LexborHTMLParser

from dconv.model.values import dataclass

# attributes whose value is an address, and those whose value may hold some
ADDRESS_ATTRIBUTES = frozenset(("href", "src", "action", "formaction", "poster"))
INDIRECT_ATTRIBUTES = frozenset(("srcset", "style", "http-equiv"))
# elements with an address or an anchor; `:is` selects each once, in the page's order
SELECTOR = (
    ":is([href],[src],[srcset],[action],[formaction],[poster],[style],[http-equiv],[id],[name])"
)
# of these, what may point to another release: it says so, or is in a list of links to others
BETWEEN_RELEASES = (
    "nav.versions [href],details.versions [href],aside.versions [href],.versions,"
    "[rel~=canonical],[rel~=alternate]"
)
ESCAPED = re.compile(r"[&<>\"]")  # what an attribute escapes
# one of a srcset's addresses, with its size after it: "small.png 1x, big.png 2x"
CANDIDATE = re.compile(r"\s*([^\s,]\S*[^\s,]|[^\s,])[^,]*(?:,|$)")
# 'url("a.png")' of a style attribute
STYLE_URL = re.compile(r"""(?i)\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)""")
# "0; url=../3.4/index.html"
REFRESH = re.compile(r"(?i)^\s*\d+\s*;\s*url=(.*)$", re.DOTALL)


# as it is written, and whether its element may point to another release
Address: TypeAlias = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class PageContents:
    """The addresses in a page, its ids, and the names of its `<a>`, each in order."""

    addresses: tuple[Address, ...]
    ids: tuple[str, ...]
    names: tuple[str, ...]


def page_contents(page: str) -> PageContents:
    """The links and anchors of `page`, the text of an HTML file."""
    tree = LexborHTMLParser(page)
    between_releases = {node.mem_id for node in tree.css(BETWEEN_RELEASES)}
    addresses: list[Address] = []
    ids: list[str] = []
    names: list[str] = []
    for node in tree.css(SELECTOR):
        values = node.attributes
        for key, value in values.items():
            if key in ADDRESS_ATTRIBUTES:
                addresses.append((value or "", node.mem_id in between_releases))
            elif not value:
                continue
            elif key == "id":
                ids.append(value)
            elif key == "name" and node.tag == "a":
                names.append(value)
            elif key in INDIRECT_ATTRIBUTES:
                addresses += [(address, False) for address in _addresses(key, value, values)]
    return PageContents(tuple(addresses), tuple(ids), tuple(names))


def _addresses(key: str, value: str, values: Mapping[str, str | None]) -> Iterator[str]:
    """The addresses in the attribute `key` with this `value`; `values` are all of its element."""
    if key == "srcset":
        yield from CANDIDATE.findall(value)
    elif key == "style":
        for quoted, single, unquoted in STYLE_URL.findall(value):
            yield quoted or single or unquoted
    elif value.casefold() == "refresh" and (match := REFRESH.match(values.get("content") or "")):
        yield match[1].strip(" '\"")


@dataclass(slots=True)
class Lines:
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
                self._position = index + 1
                break
        return self._line
