"""A release for DevDocs, as its scraper writes one: https://github.com/freeCodeCamp/devdocs.

    index.json   the names and the sections, each with its type and its path
    db.json      the pages: bare HTML by path
    meta.json    the name, the version, when it was made

They are one archive, as DevDocs downloads them: unpack it in `public/docs/haproxy~3.4`.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from urllib.parse import quote

from dconv.model.anchors import slug
from dconv.model.images import image_name
from dconv.model.tree import Target, sections
from dconv.writers import bare_html
from dconv.writers.archive import tgz
from dconv.writers.bare_html import FileAddresses
from dconv.writers.html.escape import attribute, one_line, text
from dconv.writers.offline import MEDIA_TYPES
from dconv.writers.pages.page import Release, SiteInfo
from dconv.writers.site_files import compact_json

HOME = "index"  # the path of the first page
STYLE_TYPE = "simple"  # its style sheet for pages without one of their own
NOT_IN_VERSIONS = re.compile(r"[^a-z0-9_.]")  # what a version in a path may not hold
OTHER_TYPE = "Names"  # of names whose kind is not known


def devdocs(release: Release, site: SiteInfo, name: str) -> bytes:
    """The documents of `release` as the archive of the documentation `name`."""
    addresses = FileAddresses(bare_html.public_address(release, site))
    for document in release.documents:
        html_files = bare_html.split_by_section(document.manual, f"{document.manual.name}/", "")
        addresses.add(document.manual, document.manual.name, html_files, {})
    pages = dict(_pages(release, addresses, site))
    database = compact_json(pages).encode()
    date = bare_html.date_of(release, release.documents, site)
    day = datetime.fromisoformat(date).replace(tzinfo=UTC)
    version_slug = NOT_IN_VERSIONS.sub("_", release.version.lower().replace("+", "p"))
    meta: dict[str, object] = {
        "name": release.product_title or name,
        "slug": f"{name}~{version_slug}" if version_slug else name,  # its folder: haproxy~3.4
        "type": STYLE_TYPE,
    }
    if site.url:
        meta["links"] = {"home": f"{site.url.rstrip('/')}/{quote(release.folder)}/index.html"}
    meta |= {
        "version": release.version, "release": release.version, "mtime": int(day.timestamp()),
        "db_size": len(database),
    }
    index = _index(sorted(_entries(release, addresses), key=lambda entry: entry[0].lower()))
    files = {"index.json": index, "db.json": database, "meta.json": compact_json(meta).encode()}
    return tgz(files.items())


def _entries(release: Release, addresses: FileAddresses) -> Iterator[tuple[str, str, str]]:
    """The name, the path and the type of each name, section and document."""
    for document in release.documents:
        manual = document.manual
        for name in document.names:
            path = addresses.address_of_name(manual.name, name)
            kind = f"{name.kind[:1].upper()}{name.kind[1:]}" or OTHER_TYPE
            for display_name in dict.fromkeys((name.display_name, *name.other_names)):
                yield one_line(display_name), path, kind
        yield document.title, manual.name, document.title
        for section in sections(manual):
            path = addresses.address(Target(manual.name, section.anchor)).partition("#")[0]
            yield bare_html.section_title(section), path, document.title


def _index(entries: Sequence[tuple[str, str, str]]) -> bytes:
    """The index of `entries`, with what types they have and how many are of each."""
    counts = Counter(kind for _, _, kind in entries)
    return compact_json({
        "entries": [{"name": name, "path": path, "type": kind} for name, path, kind in entries],
        "types": [
            {"name": kind, "count": counts[kind], "slug": slug(kind.lower())}
            for kind in sorted(counts, key=str.lower)
        ],
    }).encode()


def _pages(release: Release, addresses: FileAddresses, site: SiteInfo) -> Iterator[tuple[str, str]]:
    """The path and the HTML of each page, the home of all documents first."""
    documents = "".join(bare_html.document_items(release, ""))
    title = f"{release.product_title} {release.version}".strip()
    yield HOME, f"<h1>{text(title)}</h1>\n<ul>{documents}</ul>\n"
    online = bare_html.public_address(release, site)
    for document in release.documents:
        manual, images = document.manual, dict(document.images)

        def image(file: str, images: dict[str, bytes] = images) -> str:
            """An image as an address that holds it: pages have no other files."""
            name = image_name(file)
            media_type = MEDIA_TYPES.get(PurePosixPath(name).suffix.lower())
            if name not in images or media_type is None:
                return ""
            return f"data:{media_type};base64,{base64.b64encode(images[name]).decode()}"

        path = manual.name
        context = addresses.context(document, path, image)
        html = bare_html.front_html(document, context, with_contents=True)
        yield path, html + _attribution(online(Target(manual.name, "")))
        for html_file in bare_html.split_by_section(manual, f"{manual.name}/", ""):
            section = html_file.parts[0].section
            path = html_file.path
            html = bare_html.body_html(html_file, addresses.context(document, path, image))
            items = bare_html.subsection_items(section, manual.name, addresses, path)
            html += f"<ul>{''.join(items)}</ul>\n" if items else ""
            yield path, html + _attribution(online(Target(manual.name, section.anchor)))


def _attribution(address: str) -> str:
    """Where the page comes from, as DevDocs has it below each page."""
    if not address:
        return ""
    link = f'<a href="{attribute(address)}" class="_attribution-link">{text(address)}</a>'
    return f'<div class="_attribution"><p class="_attribution-p">{link}</p></div>\n'
