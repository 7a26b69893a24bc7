"""The tags of a written page: what it leads to, and what in it can be led to.

A page is read in two steps.  One pattern picks the tags that matter
(those with an address or an identity, and those that enclose links to other
releases); Beautiful Soup then reads these tags, so that quoting and escapes are
its business.  Reading whole pages with it takes far longer (docs/checks.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import Tag

# comments, and what is no HTML inside: '<!-- <a href="x"> -->', '<script>…</script>'
OPAQUE = re.compile(r"<!--.*?-->|<(script|style)\b([^>]*)>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
# a start tag with an address or an identity, an element that encloses links to other
# releases, or its end: '<a href="4.2.html">', '<details class="versions">', '</details>'
PICKED = re.compile(
    r"""<(?:
        (?P<end>/(?:nav|details|aside)\s*)
      | (?P<frame>(?:nav|details|aside)\b(?:[^>"']|"[^"]*"|'[^']*')*)
      | (?P<tag>[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*?
          [\s"'](?:id|name|href|src|srcset|action|formaction|poster|style|http-equiv)\s*=(?:[^>"']|"[^"]*"|'[^']*')*)
    )>""",
    re.VERBOSE | re.IGNORECASE,
)
ADDRESSES = ("href", "src", "action", "formaction", "poster")  # attributes that hold one
# one of a srcset's addresses, with its size behind it: "small.png 1x, big.png 2x"
CANDIDATE = re.compile(r"\s*([^\s,]\S*[^\s,]|[^\s,])[^,]*(?:,|$)")
# 'url("a.png")' of a style attribute
STYLE_URL = re.compile(r"""(?i)\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)""")
# "0; url=../3.4/index.html"
REFRESH = re.compile(r"(?i)^\s*\d+\s*;\s*url=(.*)$", re.DOTALL)
VERSIONS = "versions"  # the class of what encloses links to other releases on purpose
PURPOSE = frozenset(("canonical", "alternate"))  # relations of links that may lead there


@dataclass(frozen=True, slots=True)
class Address:
    """A link as it stands: `line` of the page, `deliberate` where it may leave the release."""

    written: str
    line: int
    deliberate: bool


@dataclass(frozen=True, slots=True)
class Contents:
    """What a page has of addresses and identities, in order."""

    addresses: tuple[Address, ...]
    identities: tuple[tuple[str, int], ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Facts:
    """What one tag says; `versions` where it encloses, or is, a link to other releases."""

    addresses: tuple[str, ...] = ()
    identity: str = ""
    name: str = ""
    versions: bool = False


@dataclass(slots=True)
class TagReader:
    """Reads tags with Beautiful Soup, each once: frames and menus are alike on all pages."""

    _known: dict[str, _Facts] = field(default_factory=dict)

    def contents(self, page: str) -> Contents:
        """The links and identities of `page`, the text of an HTML file."""
        page = OPAQUE.sub(_blank, page)
        found = list(PICKED.finditer(page))
        self._learn(found)
        addresses: list[Address] = []
        identities: list[tuple[str, int]] = []
        names: list[str] = []
        around: list[bool] = []
        line, at = 1, 0
        for match in found:
            line, at = line + page.count("\n", at, match.start()), match.start()
            if match["end"] is not None:
                del around[-1:]
                continue
            facts = self._known[match[0]]
            deliberate = facts.versions or any(around)
            addresses += [Address(written, line, deliberate) for written in facts.addresses]
            if facts.identity:
                identities.append((facts.identity, line))
            if facts.name:
                names.append(facts.name)
            if match["frame"] is not None:
                around.append(facts.versions)
        return Contents(tuple(addresses), tuple(identities), tuple(names))

    def forget(self) -> None:
        """Forget all tags: others are alike from here on."""
        self._known.clear()

    def _learn(self, found: Iterable[re.Match[str]]) -> None:
        """Read those tags of `found` that are not known yet, all at once."""
        from bs4 import BeautifulSoup  # 0.1 s, which commands that write no pages do without

        new = list(dict.fromkeys(
            match[0] for match in found if match["end"] is None and match[0] not in self._known
        ))
        # each tag is made an empty element with a line of its own, which tells it again
        lines = (f"{tag[:-1].rstrip('/ ')} \n/>".replace("\n", " ", tag.count("\n")) for tag in new)
        soup = BeautifulSoup("".join(lines), "html.parser", multi_valued_attributes=None)
        for element in soup.find_all(True):
            self._known.setdefault(new[(element.sourceline or 1) - 1], _facts(element))
        soup.decompose()  # a tree of cycles; nobody may collect them while a site is built
        for tag in new:
            self._known.setdefault(tag, _Facts())


def _blank(match: re.Match[str]) -> str:
    """What stands for a comment, or for an element without its text: as many lines."""
    shell = f"<{match[1]}{match[2]}>" if match[1] else ""
    return shell + "\n" * (match[0].count("\n") - shell.count("\n"))


def _facts(tag: Tag) -> _Facts:
    relation, classes = str(tag.get("rel") or "").split(), str(tag.get("class") or "").split()
    return _Facts(
        tuple(_written(tag)),
        str(tag.get("id") or ""),
        str(tag.get("name") or "") if tag.name == "a" else "",
        VERSIONS in classes or not PURPOSE.isdisjoint(relation),
    )


def _written(tag: Tag) -> Iterator[str]:
    for key in ADDRESSES:
        value = tag.get(key)
        if isinstance(value, str):
            yield value
    yield from CANDIDATE.findall(str(tag.get("srcset") or ""))
    for quoted, single, bare in STYLE_URL.findall(str(tag.get("style") or "")):
        yield quoted or single or bare
    if str(tag.get("http-equiv", "")).casefold() == "refresh":
        match = REFRESH.match(str(tag.get("content", "")))
        if match:
            yield match[1].strip(" '\"")
