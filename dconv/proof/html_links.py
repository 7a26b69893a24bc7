"""The tags of a written page: what it leads to, and what in it can be led to.

A page is read in two steps.  One pattern picks the tags that matter
(those with an address or an identity, and those that enclose links to other
releases).  What is written as templates write it is read by another, all else by
Beautiful Soup, so that quoting and escapes are its business.  Reading whole pages with
it takes far longer (docs/checks.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape

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
# a tag as templates write them: '<a href="4.2.html#a&amp;b" class="str">'
PLAIN = re.compile(
    r"""<([a-z][a-z0-9]*)((?:[ ][a-z][a-z-]*(?:
        ="(?:[^"&<>\0\r\n]|&(?:amp|lt|gt|quot|\#34|\#39);)*"
      | ='[^'&<>\0\r\n]*'
    )?)*)>""",
    re.VERBOSE,
)
ATTRIBUTE = re.compile(r""" ([a-z][a-z-]*)(?:="([^"]*)"|='([^']*)')?""")
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
    """Reads tags, each once: frames and menus are alike on all pages."""

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
        """Read those tags of `found` that are not known yet."""
        others: list[str] = []
        for match in found:
            tag = match[0]
            if match["end"] is not None or tag in self._known:
                continue
            if plain := PLAIN.fullmatch(tag):
                self._known[tag] = _facts(plain[1], {
                    key: unescape(value or single)
                    for key, value, single in ATTRIBUTE.findall(plain[2])
                })
            else:
                others.append(tag)
        if others:
            self._learn_odd(list(dict.fromkeys(others)))

    def _learn_odd(self, tags: Sequence[str]) -> None:
        """Read `tags` with Beautiful Soup, all at once."""
        from bs4 import BeautifulSoup  # 0.1 s, which most sites do without

        # each tag is made an empty element with a line of its own, which tells it again
        shut = (f"{tag[:-1].rstrip('/ ')} \n/>" for tag in tags)
        lines = (tag.replace("\n", " ", tag.count("\n") - 1) for tag in shut)
        soup = BeautifulSoup("".join(lines), "html.parser", multi_valued_attributes=None)
        for element in soup.find_all(True):
            values = {key: str(value) for key, value in element.attrs.items()}
            facts = _facts(element.name, values)
            self._known.setdefault(tags[(element.sourceline or 1) - 1], facts)
        soup.decompose()  # a tree of cycles; nobody may collect them while a site is built
        for tag in tags:
            self._known.setdefault(tag, _Facts())


def _blank(match: re.Match[str]) -> str:
    """What stands for a comment, or for an element without its text: as many lines."""
    shell = f"<{match[1]}{match[2]}>" if match[1] else ""
    return shell + "\n" * (match[0].count("\n") - shell.count("\n"))


def _facts(tag: str, values: Mapping[str, str]) -> _Facts:
    """What a `tag` with the attributes `values` says."""
    relation, classes = values.get("rel", "").split(), values.get("class", "").split()
    return _Facts(
        tuple(_written(values)),
        values.get("id", ""),
        values.get("name", "") if tag == "a" else "",
        VERSIONS in classes or not PURPOSE.isdisjoint(relation),
    )


def _written(values: Mapping[str, str]) -> Iterator[str]:
    """The addresses in the attributes `values`."""
    for key in ADDRESSES:
        if key in values:
            yield values[key]
    if "srcset" in values:
        yield from CANDIDATE.findall(values["srcset"])
    if "style" in values:
        for quoted, single, bare in STYLE_URL.findall(values["style"]):
            yield quoted or single or bare
    if values.get("http-equiv", "").casefold() == "refresh":
        match = REFRESH.match(values.get("content", ""))
        if match:
            yield match[1].strip(" '\"")
