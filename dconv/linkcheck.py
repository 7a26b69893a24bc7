"""The links of the written pages: none dead, no identity twice, none to another release.

Files are given as they are written, one after the other; what a link leads to may
come later.  A page is read in two steps.  One pattern picks the tags that matter
(those with an address or an identity, and those that enclose links to other
releases); Beautiful Soup then reads these tags, so that quoting and escapes are
its business.  Reading whole pages with it takes far longer (docs/checks.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from posixpath import join, normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from dconv.diagnostics import Diagnostic

if TYPE_CHECKING:
    from bs4 import Tag

EXTERNAL = "external-links.txt"  # at the site's root: the addresses that nobody checked
DEAD = "dead-link"
MISSING = "404.html"  # shown at any depth, so its addresses begin at the root of the host

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
# what is no file of the site: "https://…", "mailto:…", "//host/"
ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
# what no reader elsewhere can follow: "/from-the-root", "file:///C:/x.html", "javascript:x()"
NOWHERE = (
    (re.compile(r"/(?!/)"), "is an address from the root of a host, which no folder has"),
    (re.compile(r"(?i)file:"), "leads to the disk of one machine"),
    (re.compile(r"(?i)javascript:"), "is a program, no place"),
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


@dataclass(slots=True)
class LinkCheck:
    """Reads files as they come, and tells at the end what is wrong.

    `url` is the public address of the site, or empty; links to it are internal.
    `pages`, `internal` and `external` count what was read.
    """

    url: str = ""
    pages: int = 0
    internal: int = 0
    external: dict[str, tuple[int, str]] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)
    _targets: dict[str, frozenset[str]] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict)
    _waiting: dict[str, dict[str, tuple[str, int, str]]] = field(default_factory=dict)
    _folders: set[str] = field(default_factory=set)
    _ways: dict[tuple[str, str], str] = field(default_factory=dict)
    _reader: TagReader = field(default_factory=TagReader)

    def release(self, folder: str) -> None:
        """Take note that `folder` ("haproxy/3.4") holds a release."""
        self._folders.add(f"{folder}/")
        self._reader.forget()
        self._ways.clear()

    def read(self, path: str, content: bytes) -> None:
        """Read the file `path` of the site."""
        if not path.endswith(".html"):
            self._arrived(path, frozenset())
            return
        self.pages += 1
        found = self._reader.contents(content.decode("utf-8", "replace"))
        self._twice(path, found)
        names = (*(identity for identity, _ in found.identities), *found.names)
        self._arrived(path, frozenset(self._known.setdefault(name, name) for name in names))
        for address in found.addresses:
            self._follow(path, address)

    def finish(self) -> tuple[Diagnostic, ...]:
        """All findings, once every file was read."""
        for path, fragments in self._waiting.items():
            for source, line, written in fragments.values():
                self._dead(source, line, f"'{written}' leads to no page: {path}")
        self._waiting.clear()
        return tuple(sorted(self.findings, key=lambda one: (one.path, one.line, one.message)))

    def told(self) -> str:
        """`12,345 links in 300 pages: 0 dead; 120 addresses of other hosts`."""
        dead = sum(finding.rule == DEAD for finding in self.findings)
        return (
            f"{self.internal:,} links in {self.pages:,} pages: {dead:,} dead; "
            f"{len(self.external):,} addresses of other hosts"
        )

    def listed(self) -> bytes:
        """The addresses of other hosts, one a line: the address, how often, a page with it."""
        found = sorted(self.external.items())
        return "".join(f"{url}\t{count}\t{page}\n" for url, (count, page) in found).encode()

    def _twice(self, path: str, found: Contents) -> None:
        seen: set[str] = set()
        for identity, line in found.identities:
            if identity in seen:
                message = f"the id '{identity}' stands here a second time"
                self.findings.append(Diagnostic(path, line, 1, "error", "duplicate-id", message))
            seen.add(identity)

    def _arrived(self, path: str, targets: frozenset[str]) -> None:
        """Note what `path` can be asked for, and answer who asked before."""
        self._targets[path] = targets
        for fragment, (source, line, written) in self._waiting.pop(path, {}).items():
            self._check(path, fragment, targets, source, Address(written, line, True))

    def _follow(self, path: str, address: Address) -> None:
        written = address.written.strip()
        if self.url and written.startswith(self.url):
            written = f"{'../' * path.count('/')}{written.removeprefix(self.url).lstrip('/')}"
        root = f"{urlsplit(self.url).path.rstrip('/')}/"
        if path == MISSING and written.startswith(root) and written[:2] != "//":
            written = written.removeprefix(root) or "index.html"
        for pattern, reason in NOWHERE:
            if pattern.match(written):
                self._dead(path, address.line, f"'{address.written}' {reason}")
                return
        if ELSEWHERE.match(written):
            if written.casefold().startswith("mailto:"):
                written = written.partition("?")[0]
            if not written.casefold().startswith("data:"):
                count, page = self.external.get(written, (0, path))
                self.external[written] = (count + 1, page)
            return
        self.internal += 1
        way, _, fragment = written.partition("#")
        target = self._target(path, way)
        if not address.deliberate and (other := self._across(path, target)):
            message = f"'{address.written}' leads to another version by accident: {other}"
            self.findings.append(
                Diagnostic(path, address.line, 1, "error", "other-version", message)
            )
        fragment = unquote(fragment)
        known = self._targets.get(target)
        if known is None:
            asked = self._waiting.setdefault(target, {})
            asked.setdefault(fragment, (path, address.line, address.written))
        else:
            self._check(target, fragment, known, path, address)

    def _target(self, path: str, way: str) -> str:
        """The file that the relative `way` leads to from the file `path`."""
        if not way:
            return path
        key = (path.rpartition("/")[0], way)
        if key not in self._ways:
            way = unquote(way.partition("?")[0])
            if way.endswith(("/", "..")):
                way = join(way, "index.html")
            self._ways[key] = normpath(join(key[0], way))
        return self._ways[key]

    def _check(
        self, target: str, fragment: str, known: frozenset[str], source: str, address: Address
    ) -> None:
        if fragment not in ("", "top") and fragment not in known:
            message = f"'{address.written}' leads to no place: {target} has no '{fragment}'"
            self._dead(source, address.line, message)

    def _across(self, path: str, target: str) -> str:
        """The folder of the release that `target` is in, where `path` is in another."""
        own, other = self._folder(path), self._folder(target)
        return other.rstrip("/") if own and other and own != other else ""

    def _folder(self, path: str) -> str:
        folder = "/".join([*path.split("/", 2)[:2], ""])
        return folder if folder in self._folders else ""

    def _dead(self, path: str, line: int, message: str) -> None:
        self.findings.append(Diagnostic(path, line, 1, "error", "dead-link", message))


def checked(
    files: Iterable[tuple[str, bytes]], check: LinkCheck
) -> Iterator[tuple[str, bytes]]:
    """`files` as they are; `check` reads each in passing."""
    for path, content in files:
        check.read(path, content)
        yield path, content
