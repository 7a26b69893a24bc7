"""The check of the written pages: no dead links, no duplicate ids, no links to other releases.

Files are read one after the other; the target of a link may be read later.  Links of files that
another process read can be added.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from posixpath import join, normpath
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from dconv.model.diagnostics import Diagnostic
from dconv.model.values import dataclass
from dconv.proof.html_links import Lines, page_contents

EXTERNAL_LINKS = "external-links.txt"  # at the site's root: addresses of other hosts, not checked
DEAD_LINK = "dead-link"
MISSING_PAGE = "404.html"  # shown at any depth, so its addresses begin at the root of the host

# what may not be a file of the site: "https://…", "mailto:…", "//host/", "/x.html"
ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|/")
# what is on another host: "https://…", "mailto:…", "//host/"
OTHER_HOST = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
# what works on a single host or machine: "/from-the-root", "file:///C:/x.html", "javascript:x()"
NOT_PORTABLE = (
    (re.compile(r"/(?!/)"), "starts at the root of a host; write it relative to the page"),
    (re.compile(r"(?i)file:"), "points to the disk of one machine"),
    (re.compile(r"(?i)javascript:"), "is a script, not an address"),
)
WHOLE_FILE = frozenset(("", "top"))  # fragments that every file has

_Link: TypeAlias = tuple[str, int, str]  # its page, its line there, and its address as written


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of some files of a site.

    `external` are addresses of other hosts: the address, how often, and a page with it. `targets`
    are the files with their anchors, `pending` the links to files that are not among them: target,
    fragment, then the page, its line and the link as written.
    """

    page_count: int
    internal_count: int
    external: tuple[tuple[str, int, str], ...]
    findings: tuple[Diagnostic, ...]
    targets: tuple[tuple[str, tuple[str, ...]], ...]
    pending: tuple[tuple[str, str, str, int, str], ...]


@dataclass(slots=True)
class LinkCheck:
    """Reads files in any order, and returns at the end what is wrong.

    `url` is the public address of the site, or empty; links to it are internal.
    `page_count` and `internal_count` count what was read, `external` each address of a host.
    """

    url: str = ""
    page_count: int = 0
    internal_count: int = 0
    external: dict[str, tuple[int, str]] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)
    _targets: dict[str, frozenset[str]] = field(default_factory=dict)
    _anchor_texts: dict[str, str] = field(default_factory=dict)  # each anchor once, to save memory
    # by target and fragment, the first link to a file that was not read yet
    _pending: dict[str, dict[str, _Link]] = field(default_factory=dict)
    _folders: set[str] = field(default_factory=set)
    _resolved: dict[tuple[str, str], str] = field(default_factory=dict)

    def add_release(self, folder: str) -> None:
        """Note that `folder` ("haproxy/3.4") holds a release."""
        self._folders.add(f"{folder}/")

    def without_files(self) -> LinkCheck:
        """A check of the same site that has read no file."""
        return LinkCheck(self.url, _folders=self._folders)

    def read(self, path: str, content: bytes) -> None:
        """Read the file `path` of the site."""
        if not path.endswith(".html"):
            self._add_file(path, WHOLE_FILE)
            return
        self.page_count += 1
        text = content.decode("utf-8", "replace")
        page = page_contents(text)
        anchors = self._anchors((*page.ids, *page.names))
        self._check_ids(path, page.ids, text)
        self._add_file(path, anchors)
        lines = Lines(text)
        for (written, between_releases), count in Counter(page.addresses).items():
            self._check_address(path, written, between_releases, count, lines)

    def links(self) -> PageLinks:
        """The links of the files that were read, for the check of the whole site."""
        return PageLinks(
            self.page_count, self.internal_count,
            tuple([(url, count, page) for url, (count, page) in self.external.items()]),
            tuple(self.findings),
            tuple([(path, tuple(sorted(names))) for path, names in self._targets.items()]),
            tuple([
                (target, fragment, *link)
                for target, fragments in self._pending.items()
                for fragment, link in fragments.items()
            ]),
        )

    def add(self, links: PageLinks) -> None:
        """Add the `links` of other files as if these were read here."""
        self.page_count += links.page_count
        self.internal_count += links.internal_count
        self.findings += links.findings
        for url, count, page in links.external:
            before, first = self.external.get(url, (0, page))
            self.external[url] = (before + count, first)
        for path, names in links.targets:
            self._add_file(path, self._anchors(names))
        for target, fragment, page, line, written in links.pending:
            self._check_when_read(target, fragment, (page, line, written))

    def finish(self) -> tuple[Diagnostic, ...]:
        """All findings, once every file was read."""
        for path, fragments in self._pending.items():
            for source, line, written in fragments.values():
                self._report_dead(source, line, f"'{written}' points to a missing page: {path}")
        self._pending.clear()
        return tuple(sorted(
            self.findings, key=lambda finding: (finding.path, finding.line, finding.message)
        ))

    def summary(self) -> str:
        """`12,345 links in 300 pages: 0 dead; 120 addresses of other hosts`."""
        dead = sum(finding.rule == DEAD_LINK for finding in self.findings)
        hosts = "1 address" if len(self.external) == 1 else f"{len(self.external):,} addresses"
        return (
            f"{self.internal_count:,} link{'s' * (self.internal_count != 1)} in "
            f"{self.page_count:,} page{'s' * (self.page_count != 1)}: {dead:,} dead;"
            f" {hosts} of other hosts"
        )

    def external_links(self) -> bytes:
        """The addresses of other hosts, one a line: the address, how often, a page with it."""
        addresses = sorted(self.external.items())
        return "".join(f"{url}\t{count}\t{page}\n" for url, (count, page) in addresses).encode()

    def _anchors(self, names: Sequence[str]) -> frozenset[str]:
        return WHOLE_FILE.union(map(self._anchor_texts.setdefault, names, names))

    def _check_ids(self, path: str, ids: Sequence[str], page: str) -> None:
        if len(set(ids)) == len(ids):
            return
        lines = Lines(page)
        seen: set[str] = set()
        for element_id in ids:
            line = lines.find(element_id)
            if element_id in seen:
                message = f"the id '{element_id}' is used here a second time"
                self.findings.append(Diagnostic(path, line, 1, "error", "duplicate-id", message))
            seen.add(element_id)

    def _add_file(self, path: str, targets: frozenset[str]) -> None:
        """Note the anchors `targets` of `path`, and check the links to it that were read before."""
        self._targets[path] = targets
        for fragment, link in self._pending.pop(path, {}).items():
            self._check_fragment(path, fragment, targets, link)

    def _check_address(
        self, path: str, address: str, between_releases: bool, count: int, lines: Lines
    ) -> None:
        """Check the `address`, which the page `path` has `count` times."""
        written = address.strip()
        if self.url and written.startswith(self.url):
            written = f"{'../' * path.count('/')}{written.removeprefix(self.url).lstrip('/')}"
        if path == MISSING_PAGE and written[:2] != "//":
            root = f"{urlsplit(self.url).path.rstrip('/')}/"
            if written.startswith(root):
                written = written.removeprefix(root) or "index.html"
        if ABSOLUTE.match(written):
            for pattern, reason in NOT_PORTABLE:
                if pattern.match(written):
                    self._report_dead(path, lines.find(address), f"'{address}' {reason}")
                    return
            if OTHER_HOST.match(written):
                self._count_external(path, written, count)
                return
        self.internal_count += count
        relative_path, _, fragment = written.partition("#")
        target = self._target(path, relative_path)
        if ".." in relative_path and not between_releases and (
            other := self._other_release(path, target)
        ):
            message = (
                f"'{address}' points to another release: {other};"
                " if it should, put it in a nav of the class 'versions'"
            )
            self.findings.append(
                Diagnostic(path, lines.find(address), 1, "error", "other-version", message)
            )
        fragment = unquote(fragment)
        if fragment not in self._targets.get(target, self._pending.get(target, ())):
            self._check_when_read(target, fragment, (path, lines.find(address), address))

    def _count_external(self, path: str, address: str, count: int) -> None:
        """Count the `address` of another host, which the page `path` has `count` times."""
        if address.casefold().startswith("mailto:"):
            address = address.partition("?")[0]
        if not address.casefold().startswith("data:"):
            before, page = self.external.get(address, (0, path))
            self.external[address] = (before + count, page)

    def _check_when_read(self, target: str, fragment: str, link: _Link) -> None:
        """Check whether `target` has the `fragment`, now or when it is read."""
        anchors = self._targets.get(target)
        if anchors is None:
            self._pending.setdefault(target, {}).setdefault(fragment, link)
        else:
            self._check_fragment(target, fragment, anchors, link)

    def _target(self, path: str, relative_path: str) -> str:
        """The file that the relative `relative_path` points to from the file `path`."""
        if not relative_path:
            return path
        key = (path.rpartition("/")[0], relative_path)
        if key not in self._resolved:
            relative_path = unquote(relative_path.partition("?")[0])
            if relative_path.endswith(("/", "..")):
                relative_path = join(relative_path, "index.html")
            self._resolved[key] = normpath(join(key[0], relative_path))
        return self._resolved[key]

    def _check_fragment(
        self, target: str, fragment: str, anchors: frozenset[str], link: _Link
    ) -> None:
        """Report the `link` to `target` if this has `anchors`, but no `fragment`."""
        if fragment not in anchors:
            page, line, written = link
            message = f"'{written}' points to no anchor: {target} has no '{fragment}'"
            self._report_dead(page, line, message)

    def _other_release(self, path: str, target: str) -> str:
        """The folder of the release that `target` is in, where `path` is in another."""
        folder, target_folder = self._folder(path), self._folder(target)
        is_other = folder and target_folder and folder != target_folder
        return target_folder.rstrip("/") if is_other else ""

    def _folder(self, path: str) -> str:
        folder = "/".join([*path.split("/", 2)[:2], ""])
        return folder if folder in self._folders else ""

    def _report_dead(self, path: str, line: int, message: str) -> None:
        self.findings.append(Diagnostic(path, line, 1, "error", DEAD_LINK, message))
