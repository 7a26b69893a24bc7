"""A document as one file: `configuration.offline.html`, for a disk, a mail, an offline host.

It is the single page of the document with its style sheets, scripts and images embedded, and with a
search of its own.  It loads no other file.  Links to other documents of the release lead to their
files of this kind; links to other pages lead to the public address of the site, and are plain text
if it has none.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urljoin

from dconv.model.tree import sections
from dconv.writers.html import marks
from dconv.writers.html.escape import attribute
from dconv.writers.pages.filenames import IMAGES, OFFLINE
from dconv.writers.pages.page import Page, Release, ReleaseDocument, SiteInfo
from dconv.writers.pages.split import offline_pages
from dconv.writers.search.files import release_search
from dconv.writers.search.records import SectionPage
from dconv.writers.theme.theme import Theme

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline' data:; "
    "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
)
MEDIA_TYPES = {
    ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
    ".gif": "image/gif", ".webp": "image/webp", ".ico": "image/x-icon", ".css": "text/css",
    ".js": "text/javascript", ".woff2": "font/woff2", ".woff": "font/woff",
}
# elements that load or link to something, as the theme's templates and our HTML write them
ELEMENT = re.compile(r'<(meta|link|script|a|img)\b((?:[^<>"]|"[^"]*")*)>(</script>)?')
ATTRIBUTE = re.compile(r'\s([\w-]+)="([^"]*)"')
NOT_RELATIVE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#")  # "https://…", "#here"
STYLE_ADDRESS = re.compile(r"url\(\s*([\"']?)(?!data:|#)([^\"')]+)\1\s*\)")
FILE_ATTRIBUTES = ("data-tools", "data-sheet")  # addresses of files that scripts load later
# what ends a script, wherever it is
END_OF_SCRIPT = re.compile(r"</(?=script)|<!--", re.IGNORECASE)


def offline_files(release: Release, site: SiteInfo, theme: Theme) -> Iterator[tuple[str, bytes]]:
    """The name and the content of the file of each document of `release`; raises `ThemeError`."""
    for document, page in offline_pages(release, site):
        writer = _OfflineWriter(document, page, theme, _search_files(release, document))
        yield PurePosixPath(page.path).name, writer.html().encode()


def _search_files(release: Release, document: ReleaseDocument) -> dict[str, str]:
    """The files of a search of `document` alone, all of whose places are on one page."""
    manual_sections = sections(document.manual)
    pages = [SectionPage(0, section, "", has_own_page=False) for section in manual_sections]
    search_data = release_search(replace(release, documents=(document,)), pages)
    return {path: content.decode() for path, content in search_data}


class _OfflineWriter:
    """Writes the file of one document."""

    def __init__(
        self, document: ReleaseDocument, page: Page, theme: Theme, search: Mapping[str, str]
    ) -> None:
        self.page = page
        self.rendered = marks.without_marks(theme.render(page)).decode()
        self.static = dict(theme.files())
        self.images = {
            f"{document.manual.name}/{IMAGES}/{name}": content
            for name, content in document.images
        }
        self.embedded = dict(search)  # the scripts that the search loads, by path
        self.deferred: list[str] = []  # scripts that run after the page is parsed

    def html(self) -> str:
        """The page with all that it needs."""
        html = ELEMENT.sub(self._element, self.rendered)
        scripts = [
            f'<script type="text/plain" id="-{attribute(path)}">{_script(content)}</script>\n'
            for path, content in self.embedded.items()
        ]
        scripts += [f"<script>{_script(content)}</script>\n" for content in self.deferred]
        body, end, rest = html.rpartition("</body>")
        return f"{body}{''.join(scripts)}{end}{rest}"

    def _element(self, match: re.Match[str]) -> str:
        name, attributes = match[1], dict(ATTRIBUTE.findall(match[2]))
        match name:
            case "meta":
                if attributes.get("http-equiv") != "Content-Security-Policy":
                    return match[0]
                return f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            case "link":
                return self._link(match[0], attributes)
            case "script":
                return self._script_element(match, attributes)
            case "img":
                address = self._data_url(attributes.get("src", ""))
                return match[0].replace(f' src="{attributes.get("src")}"', f' src="{address}"')
            case _:
                return self._anchor(match[0], attributes)

    def _link(self, element: str, attributes: Mapping[str, str]) -> str:
        """A style sheet as a style, and an icon; other links to files of the site are left out."""
        content = self._static_file(attributes.get("href", ""))
        if "stylesheet" in attributes.get("rel", "").split() and content is not None:
            return f"<style>{self._style_sheet(content)}</style>"
        if "icon" in attributes.get("rel", "").split():
            address = self._data_url(attributes["href"])
            return element.replace(f'"{attributes["href"]}"', f'"{address}"')
        return element if re.match("https?:", attributes.get("href", "")) else ""

    def _script_element(self, match: re.Match[str], attributes: Mapping[str, str]) -> str:
        if "src" not in attributes:
            return match[0]  # data
        content = self._static_file(attributes["src"])
        if content is None:
            return ""
        if " defer" in match[2]:
            self.deferred.append(content.decode())
            return ""
        other_attributes = "".join(
            f' {key}="{self._data_url(value) if key in FILE_ATTRIBUTES else value}"'
            for key, value in attributes.items() if key != "src"
        )
        return f"<script{other_attributes}>{_script(content.decode())}</script>"

    def _anchor(self, element: str, attributes: Mapping[str, str]) -> str:
        href = attributes.get("href", "")
        if "data-engine" in attributes:
            return self._search_control(element, attributes)
        if not href or NOT_RELATIVE.match(href) or OFFLINE in href:
            return element
        address = ""
        if self.page.site.url:
            base = f"{self.page.site.url.rstrip('/')}/{self.page.path}"
            address = f' href="{attribute(urljoin(base, href))}"'
        return element.replace(f' href="{href}"', address)

    def _search_control(self, element: str, attributes: Mapping[str, str]) -> str:
        """What opens the search, with its scripts in the file."""
        for key in ("data-engine", "data-panel", "data-marks", "data-fulltext"):
            content = self.static.get(unquote(attributes.get(key, "")))
            if content is not None:
                self.embedded[attributes[key]] = content.decode()
        sheet = attributes.get("data-sheet", "")
        element = element.replace(f'"{sheet}"', f'"{self._data_url(self.page.root + sheet)}"')
        root = attributes.get("data-root", "")
        return element.replace(f' data-root="{root}"', ' data-root="" data-offline=""')

    def _static_file(self, address: str) -> bytes | None:
        """The content of the static file at `address`, relative to the page."""
        if not address.startswith(self.page.root):
            return None
        return self.static.get(unquote(address.removeprefix(self.page.root)))

    def _data_url(self, address: str) -> str:
        """The data URL of the file at `address`; `address` itself if there is no such file."""
        content = self._static_file(address)
        if content is None:
            content = self.images.get(unquote(address))
        kind = MEDIA_TYPES.get(PurePosixPath(unquote(address)).suffix.lower())
        if content is None or kind is None:
            return address
        if kind.startswith("text/"):
            return f"data:{kind},{quote(content, safe=' =:/')}"
        return f"data:{kind};base64,{base64.b64encode(content).decode()}"

    def _style_sheet(self, content: bytes) -> str:
        """A style sheet with the fonts and images that it names."""

        def embedded(match: re.Match[str]) -> str:
            return f'url("{self._data_url(f"{self.page.root}static/{match[2]}")}")'

        return STYLE_ADDRESS.sub(embedded, content.decode()).replace("</", "<\\/")


def _script(content: str) -> str:
    """`content` so that it is within a script element."""
    return END_OF_SCRIPT.sub(lambda match: match[0].replace("<", "\\x3c"), content)
