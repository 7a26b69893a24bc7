"""A release as a docset, for Dash and Zeal: https://kapeli.com/docsets.

    haproxy.docset/icon.png, icon@2x.png
    haproxy.docset/meta.json                             what Zeal reads of it
    haproxy.docset/Contents/Info.plist                   what Dash reads of it
    haproxy.docset/Contents/Resources/docSet.dsidx       the names, for their search
    haproxy.docset/Contents/Resources/Documents/         pages: index.html, configuration/4.2.html

Each entry has an anchor in front, from which Dash and Zeal build the contents of a page.
"""

from __future__ import annotations

import json
import plistlib
import sqlite3
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote
from xml.sax.saxutils import escape

from dconv.model.tree import Block, Entry, Target, sections
from dconv.writers import bare_html
from dconv.writers.archive import tgz
from dconv.writers.bare_html import FileAddresses, HtmlFile
from dconv.writers.html.escape import attribute, text
from dconv.writers.pages.addresses import image_files
from dconv.writers.pages.page import Release, ReleaseDocument, SiteInfo

SUFFIX = ".docset"
INDEX, STYLE = "index.html", "style.css"
# what Dash calls things, by the last word of what we call them: "proxy keyword", "sample fetch"
TYPES: Mapping[str, str] = MappingProxyType({
    "keyword": "Directive", "directive": "Directive", "setting": "Setting", "option": "Option",
    "command": "Command", "action": "Instruction", "fetch": "Function", "function": "Function",
    "converter": "Modifier", "filter": "Filter", "alias": "Variable", "variable": "Variable",
    "signal": "Event", "field": "Field", "flag": "Value", "value": "Value", "type": "Type",
    "acl": "Test", "derivative": "Test", "predicate": "Test", "prefix": "Protocol",
    "parameter": "Parameter", "argument": "Parameter", "error": "Error", "macro": "Macro",
    "file": "File",
})
ENVIRONMENT = "environment variable"
OTHER_TYPE = "Entry"
# a database holds the version of the SQLite that wrote it: the same one is written everywhere
SQLITE_VERSION, SQLITE_VERSION_BYTES = 3_040_000, slice(96, 100)
ICONS = ("icon.png", "icon@2x.png")  # of 16 and 32 pixels


def docset(release: Release, site: SiteInfo, name: str) -> bytes:
    """The documents of `release` as the archive of `name`.docset."""
    public_address = bare_html.public_address(release, site)
    addresses = FileAddresses(public_address)
    html_files: dict[str, tuple[HtmlFile, ...]] = {}
    for manual in [document.manual for document in release.documents]:
        html_files[manual.name] = bare_html.split_by_section(manual, f"{manual.name}/", ".html")
        addresses.add(manual, f"{manual.name}/{INDEX}", html_files[manual.name], {})
    documents: dict[str, bytes] = {STYLE: Path(__file__).with_name("book.css").read_bytes()}
    heading = f"<h1>{text(f'{_title(release)} {release.version}')}</h1>"
    items = bare_html.document_items(release, f"/{INDEX}")
    home = "\n".join([heading, "<ul>", *items, "</ul>\n"])
    documents[INDEX] = _page(_title(release), home, "", "", site).encode()
    for document in release.documents:
        own_files = html_files[document.manual.name]
        for file, page in _pages(document, own_files, addresses, public_address, site):
            documents[file] = page.encode()
        documents |= image_files((document,))
    contents = f"{name}{SUFFIX}/Contents"
    files = {
        f"{name}{SUFFIX}/{file}": Path(__file__).with_name(f"docset-{file}").read_bytes()
        for file in ICONS
    }
    meta = {"name": name, "title": _title(release), "version": release.version}
    files[f"{name}{SUFFIX}/meta.json"] = f"{json.dumps(meta, ensure_ascii=False)}\n".encode()
    files[f"{contents}/Info.plist"] = _info(release, site, name)
    rows = list(_rows(release, addresses))
    files[f"{contents}/Resources/docSet.dsidx"] = _database(rows)
    files |= {f"{contents}/Resources/Documents/{file}": documents[file] for file in documents}
    return tgz(files.items())


def feed(release: Release, site: SiteInfo, file: str) -> bytes:
    """The feed by which Dash and Zeal find a newer `file`, an archive in the folder of `release`.

    It needs the public address of `site`.
    """
    address = f"{site.url.rstrip('/')}/{quote(release.folder)}/{quote(file)}"
    version = f"{release.version}/{bare_html.date_of(release, release.documents, site)}"
    return (
        f"<entry>\n<version>{escape(version)}</version>\n<url>{escape(address)}</url>\n</entry>\n"
    ).encode()


def _title(release: Release) -> str:
    if len(release.documents) == 1 and not release.product_title:
        return release.documents[0].title
    return release.product_title or release.product_name


def dash_type(kind: str) -> str:
    """What Dash calls a `kind` of ours."""
    if kind == ENVIRONMENT:
        return "Environment"
    return TYPES.get(kind.casefold().rpartition(" ")[2], OTHER_TYPE)


def _page(title: str, body: str, root: str, address: str, site: SiteInfo) -> str:
    """A page of HTML; `root` is the way to the style sheet, `address` its public one."""
    comment = f"<!-- Online page at {attribute(address)} -->\n" if address else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{attribute(site.language)}">{comment}\n<head>\n'
        f'<meta charset="utf-8">\n<title>{text(title)}</title>\n'
        '<meta name="viewport" content="width=device-width">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<link rel="stylesheet" href="{root}{STYLE}">\n</head>\n<body>\n{body}</body>\n</html>\n'
    )


def _pages(
    document: ReleaseDocument, html_files: tuple[HtmlFile, ...], addresses: FileAddresses,
    public_address: Callable[[Target], str], site: SiteInfo,
) -> Iterator[tuple[str, str]]:
    """The pages of `document`, each with its path."""
    name = document.manual.name
    file = f"{name}/{INDEX}"
    html = bare_html.front_html(document, addresses.context(document, file), with_contents=True)
    yield file, _page(document.title, html, "../", public_address(Target(name, "")), site)
    for html_file in html_files:
        context = addresses.context(document, html_file.path)
        section = html_file.parts[0].section
        html = _contents_anchor("Section", bare_html.section_title(section))
        html += bare_html.body_html(html_file, context, _entry_anchors)
        items = bare_html.subsection_items(section, name, addresses, html_file.path)
        html += "\n".join(["<ul>", *items, "</ul>\n"]) if items else ""
        address = public_address(Target(name, section.anchor))
        title = f"{bare_html.section_title(section)} - {document.title}"
        yield html_file.path, _page(title, html, "../", address, site)


def _entry_anchors(block: Block) -> str:
    """The anchors in front of `block`: those of the names of an entry."""
    if not isinstance(block, Entry):
        return ""
    names = dict.fromkeys(signature.name for signature in block.signatures if signature.name)
    return "".join([_contents_anchor(dash_type(block.kind), name) for name in names])


def _contents_anchor(dash_kind: str, name: str) -> str:
    return f'<a name="//apple_ref/cpp/{dash_kind}/{quote(name, safe="")}" class="dashAnchor"></a>\n'


def _rows(release: Release, addresses: FileAddresses) -> Iterator[tuple[str, str, str]]:
    """Each name with its type and its place; those of entries are found before sections."""
    for document in release.documents:
        for name in document.names:
            path = addresses.address_of_name(document.manual.name, name)
            for display_name in (name.display_name, *name.other_names):
                yield display_name, dash_type(name.kind), path
    for document in release.documents:
        yield document.title, "Guide", f"{document.manual.name}/{INDEX}"
        for section in sections(document.manual):
            path = addresses.address(Target(document.manual.name, section.anchor))
            yield bare_html.section_title(section), "Section", path


def _database(rows: list[tuple[str, str, str]]) -> bytes:
    """The names as the SQLite database that Dash and Zeal search."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(
            "CREATE TABLE searchIndex(id INTEGER PRIMARY KEY, name TEXT, type TEXT, path TEXT)"
        )
        database.execute("CREATE UNIQUE INDEX anchor ON searchIndex (name, type, path)")
        database.executemany(
            "INSERT OR IGNORE INTO searchIndex(name, type, path) VALUES (?, ?, ?)", rows
        )
        database.commit()
        content = bytearray(database.serialize())
    content[SQLITE_VERSION_BYTES] = struct.pack(">I", SQLITE_VERSION)
    return bytes(content)


def _info(release: Release, site: SiteInfo, name: str) -> bytes:
    """What Dash reads of a docset."""
    properties: dict[str, str | bool] = {
        "CFBundleIdentifier": name, "CFBundleName": _title(release),
        "DocSetPlatformFamily": name.casefold(), "DashDocSetFamily": "dashtoc",
        "dashIndexFilePath": INDEX, "isDashDocset": True, "isJavaScriptEnabled": False,
        "DashDocSetDefaultFTSEnabled": True,
    }
    if site.url:
        properties["DashDocSetFallbackURL"] = f"{site.url.rstrip('/')}/{quote(release.folder)}/"
    return plistlib.dumps(properties)
