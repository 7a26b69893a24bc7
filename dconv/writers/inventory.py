"""Files for other programs: names as JSON, an inventory for Sphinx, a sitemap.

    haproxy/3.4/configuration/keywords.json   described by dconv/writers/keywords.schema.json
    haproxy/3.4/objects.inv                   for Sphinx's intersphinx
    sitemap.xml                               if the site has a public address
    opensearch.xml                            likewise, for the address bars of browsers
    haproxy/releases.json                     the releases of a product, newest first
    keywords.json, objects.inv                the same of all packages of a shelf together

The inventory is of version 2, as `sphinx.util.inventory` reads and writes it: four
lines of text, then one line an object, compressed with zlib.  It holds

    std:doc         each document: `configuration`
    std:label       each section and name, in lower case as `ref` looks them up:
                    `configuration/4.2`, `configuration/timeout-client`
    std:term        each name: `timeout client`
    PRODUCT:KIND    each name by kind, for tools: `haproxy:proxy-keyword`

so that :external+haproxy:term:`timeout client` works in every Sphinx project.  A name with several
places points to the one that has the plain anchor.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain
from typing import TypeAlias
from urllib.parse import quote

from dconv.linking.entry_metadata import (
    advice,
    defaults,
    experimental_sentence,
    usages_by_kind,
)
from dconv.linking.keyword_tables import NAMED_ONLY
from dconv.model.anchors import FRAGMENT_CHARACTERS, slug
from dconv.model.tree import Manual, Section, allows, entries, sections
from dconv.model.values import dataclass
from dconv.writers.html.escape import one_line
from dconv.writers.pages.filenames import RELEASES
from dconv.writers.pages.listings import ReleaseCard, by_product
from dconv.writers.pages.names import DefinedName
from dconv.writers.pages.page import Release, ReleaseDocument
from dconv.writers.site_files import Json, SectionFiles, SiteFile, compact_json, indented_json

SCHEMA = "dconv/keywords/1"
RELEASES_SCHEMA = "dconv/releases/1"
KEYWORDS = "keywords.json"  # beside a document's home
OBJECTS = "objects.inv"  # beside a release's home
SITEMAP = "sitemap.xml"  # at the root
MAX_ADDRESSES = 50_000  # of one sitemap: https://www.sitemaps.org/protocol.html
SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
OPENSEARCH = "opensearch.xml"  # at the root
OPENSEARCH_NAMESPACE = "http://a9.com/-/spec/opensearch/1.1/"
MAX_SHORT_NAME_LENGTH, MAX_DESCRIPTION_LENGTH = 16, 1024  # characters that the format allows
XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

# the role and the name of an object of the inventory, and its line
_Object: TypeAlias = "tuple[str, str, str]"
# texts of signatures by the anchor of their entry and their name
_SignatureTexts: TypeAlias = "Mapping[tuple[str, str], list[str]]"


def release_inventory(release: Release, section_files: SectionFiles) -> Iterator[SiteFile]:
    """The files that list what `release` has."""
    for document in release.documents:
        name = document.manual.name
        if document.names:
            content = _keywords(release, document, section_files[name])
            yield f"{release.folder}/{name}/{KEYWORDS}", content
    if release.documents:
        objects = chain.from_iterable(
            _objects_on_pages(document, release.product_name, section_files[document.manual.name])
            for document in release.documents
        )
        content = _inventory(release.product_title, release.version, objects)
        yield f"{release.folder}/{OBJECTS}", content


def _address(name: DefinedName, files: Sequence[str]) -> str:
    """Where `name` is, relative to the folder of its document, whose sections are in `files`."""
    file = files[name.section_index]
    if name.anchor in ("", name.section.anchor):
        return file
    return f"{file}#{quote(name.anchor, safe=FRAGMENT_CHARACTERS)}"


# --- a shelf --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NameRecord:
    """A name that a document defines, as lists of the whole shelf show it.

    `anchor` is its own or that of its section, `record` what keywords.json says of it.
    """

    name: str
    display_name: str
    kind: str
    anchor: str
    summary: str
    deprecated: bool
    other_names: tuple[str, ...]
    record: str


@dataclass(frozen=True, slots=True)
class DocumentNames:
    """The names of a document, and its `objects` for the inventory: role, name, line."""

    names: tuple[NameRecord, ...]
    objects: tuple[_Object, ...]


def document_names(
    document: ReleaseDocument, release: Release, path: str, files: Mapping[str, str]
) -> DocumentNames:
    """The names of `document`, whose page on the shelf is at `path`.

    `release` is that of its package.  If it has several pages, `files` maps its anchors to the
    names of those beside its home.
    """
    folder = path.rpartition("/")[0]
    package = {"package": release.product_name, "version": release.version}
    signature_texts = _signature_texts(document.manual)

    def address(anchor: str) -> str:
        page = f"{folder}/{files[anchor]}" if anchor in files else path
        return f"{quote(page)}#{quote(anchor, safe=FRAGMENT_CHARACTERS)}"

    def address_of_name(name: DefinedName) -> str:
        return address(name.anchor or name.section.anchor)

    def record(name: DefinedName) -> NameRecord:
        value = _record(name, document.manual.name, address_of_name(name), signature_texts)
        default_values = {"deprecated": False, "signatures": [name.name], "contexts": []}
        written = {
            key: content for key, content in value.items()
            if key not in default_values or content != default_values[key]
        }
        return NameRecord(
            name.name, name.display_name, name.kind, name.anchor or name.section.anchor,
            name.summary, name.deprecated, name.other_names, compact_json({**written, **package}),
        )

    objects = _document_objects(
        document, release.product_name, quote(path),
        [(section, address(section.anchor)) for section in sections(document.manual)],
        address_of_name,
    )
    return DocumentNames(tuple(map(record, document.names)), tuple(objects))


def shelf_keywords(documents: Iterable[DocumentNames]) -> bytes:
    """The names of all `documents` of a shelf as JSON, one a line.

    No document and no release has them all, so the file names none: each name has its own.
    """
    names = [name for document in documents for name in document.names]
    names.sort(key=lambda name: (name.name.casefold(), name.name, name.kind))
    head = f'{{"schema":{json.dumps(SCHEMA)},"product":"","version":"","document":"","keywords":[\n'
    return "".join([head, ",\n".join([name.record for name in names]), "\n]}\n"]).encode()


def shelf_objects(title: str, documents: Iterable[DocumentNames]) -> bytes:
    """The inventory of all `documents` of the shelf `title`."""
    objects = chain.from_iterable(document.objects for document in documents)
    return _inventory(title, "", objects)


# --- names as JSON --------------------------------------------------------------------


def _keywords(release: Release, document: ReleaseDocument, files: Sequence[str]) -> bytes:
    """The names of `document` as JSON; `files` are those of its sections."""
    signature_texts = _signature_texts(document.manual)
    records = [
        _record(name, document.manual.name, _address(name, files), signature_texts)
        for name in sorted(
            document.names,
            key=lambda name: (name.name.casefold(), name.name, name.kind, name.section_index),
        )
    ]
    return indented_json({
        "schema": SCHEMA, "product": release.product_name, "version": release.version,
        "document": document.manual.name, "keywords": records,
    })


def _record(
    name: DefinedName, document: str, address: str, signature_texts: _SignatureTexts
) -> Mapping[str, Json]:
    """What keywords.json says of `name` of `document`, which is at `address`."""
    entry = name.entry
    return {
        "name": name.name,
        "kind": name.kind,
        "document": document,
        "section": name.section.number or name.section.anchor,
        "anchor": name.anchor,
        "url": address,
        "summary": name.summary,
        "deprecated": name.deprecated,
        "signatures": signature_texts[entry.anchor, name.name] if entry else [name.display_name],
        "contexts": [
            place for usage in entry.usages for place, state in usage.values if allows(state)
        ] if entry else [],
        **({"aliases": name.other_names} if name.other_names else {}),
        **_optional_keys(name),
    }


def _optional_keys(name: DefinedName) -> Mapping[str, Json]:
    """What only some entries have; keys without a value are left out."""
    entry = name.entry
    if entry is None:
        return {}
    values: dict[str, Json] = {
        "experimental": name.experimental or bool(experimental_sentence(entry)),
        "advice": advice(entry.body) if name.deprecated else "",
        "defaults": [
            {"value": default.value, "sentence": default.sentence, "subject": default.subject}
            for default in defaults(entry)
        ],
        "named_only": [  # places with a name of their own: "defaults foo"
            place for _, values in usages_by_kind(entry) for place, state in values
            if allows(state) and NAMED_ONLY in state
        ],
    }
    return {key: value for key, value in values.items() if value}


def _signature_texts(manual: Manual) -> _SignatureTexts:
    """The signatures of each name of an entry, by the anchor and the name."""
    texts: dict[tuple[str, str], list[str]] = {}
    for _, entry in entries(manual):
        for signature in entry.signatures:
            texts.setdefault((entry.anchor, signature.name), []).append(signature.text)
    return texts


# --- an inventory for Sphinx ----------------------------------------------------------


def _object(name: str, role: str, uri: str, title: str) -> _Object:
    """The object `name`; `uri` is relative to the inventory."""
    return role, name, f"{name} {role} 1 {uri} {'-' if title == name else title}\n"


def _inventory(title: str, version: str, objects: Iterable[_Object]) -> bytes:
    """The inventory of `objects`, the first of each role and name."""
    lines: dict[tuple[str, str], str] = {}
    for role, name, line in objects:
        lines.setdefault((role, name), line)
    head = (
        "# Sphinx inventory version 2\n"
        f"# Project: {one_line(title)}\n# Version: {one_line(version)}\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    text = "".join([lines[key] for key in sorted(lines)])
    return head.encode() + zlib.compress(text.encode())


def _objects_on_pages(
    document: ReleaseDocument, product: str, files: Sequence[str]
) -> Iterator[_Object]:
    """The objects of `document` of `product`, whose sections are in `files`."""
    folder = quote(document.manual.name)
    section_pages = zip(sections(document.manual), files, strict=True)
    return _document_objects(
        document, product, f"{folder}/index.html",
        [(section, f"{folder}/{file}") for section, file in section_pages],
        lambda name: f"{folder}/{_address(name, files)}",
    )


def _document_objects(
    document: ReleaseDocument, product: str, home: str,
    addresses: Iterable[tuple[Section, str]], address_of: Callable[[DefinedName], str],
) -> Iterator[_Object]:
    """The objects of `document`, whose home is at `home`: itself, its sections, its names.

    `addresses` are those of its sections, `address_of` returns that of a name.
    """
    name, title = document.manual.name, one_line(document.title) or "-"
    yield _object(name, "std:doc", home, title)
    yield _object(name.lower(), "std:label", home, title)
    for section, uri in addresses:
        title = one_line(f"{section.number} {section.title}") or "-"
        yield _object(_label(name, section.anchor), "std:label", uri, title)
    plain_first = sorted(document.names, key=lambda name: name.anchor != slug(name.name))
    for defined_name in plain_first:
        yield from _name_objects(defined_name, name, product, address_of(defined_name))


def _name_objects(name: DefinedName, document: str, product: str, uri: str) -> Iterator[_Object]:
    """The objects of `name`, which `document` of `product` defines at `uri`."""
    title = one_line(name.display_name)
    yield _object(title, "std:term", uri, title)
    if title.startswith(f"{one_line(name.name)} "):  # "set server … state": both are terms
        yield _object(one_line(name.name), "std:term", uri, title)
    if name.anchor:
        yield _object(_label(document, name.anchor), "std:label", uri, title)
    if name.kind:
        kind = slug(name.kind.casefold()).replace(":", "-")
        for other in (name.name, *name.other_names):
            yield _object(one_line(other), f"{product}:{kind}", uri, title)
    for other in name.other_names:
        yield _object(one_line(other), "std:term", uri, title)


def _label(document: str, anchor: str) -> str:
    return f"{document}/{one_line(anchor)}".lower()


# --- releases, a sitemap --------------------------------------------------------------


def release_lists(release_cards: Iterable[ReleaseCard]) -> Iterator[SiteFile]:
    """The releases of each product as JSON, with the latest; `release_cards` come newest first."""
    for product, releases in by_product(release_cards).items():
        latest = next((release for release in releases if release.latest), releases[0])
        record = {
            "schema": RELEASES_SCHEMA, "product": product, "title": latest.product_title,
            "latest": latest.version,
            "releases": [
                {
                    "version": release.version, "status": release.status, "date": release.date,
                    "end": release.end,
                }
                for release in releases
            ],
        }
        yield f"{product}/{RELEASES}", indented_json(record)


def sitemaps(pages: Iterable[tuple[str, str]], url: str) -> Iterator[SiteFile]:
    """The sitemap of a site whose public address is `url`; nothing if that is empty.

    `pages` are addresses, each with the date of its text (`2026-06-03`) or none.  If they are too
    many for one file, `sitemap.xml` lists several files.
    """
    dates: dict[str, str] = {}
    for address, date in pages:
        if address:
            dates[address] = max(date, dates.get(address, ""))
    listed = sorted(dates.items())
    if not url or not listed:
        return
    if len(listed) <= MAX_ADDRESSES:
        yield SITEMAP, _sitemap("urlset", "url", listed)
        return
    parts: list[tuple[str, str]] = []
    for first in range(0, len(listed), MAX_ADDRESSES):
        name = f"sitemap-{len(parts) + 1}.xml"
        yield name, _sitemap("urlset", "url", listed[first : first + MAX_ADDRESSES])
        parts.append((f"{url.rstrip('/')}/{name}", ""))
    yield SITEMAP, _sitemap("sitemapindex", "sitemap", parts)


def opensearch(title: str, description: str, url: str) -> Iterator[SiteFile]:
    """The description by which browsers search the site at `url`; nothing if that is empty.

    Format: https://github.com/dewitt/opensearch, version 1.1 draft 6.
    """
    if not url:
        return
    address = escape(url.rstrip("/"), quote=False).replace('"', "&quot;")
    yield OPENSEARCH, (
        f'{XML_DECLARATION}<OpenSearchDescription xmlns="{OPENSEARCH_NAMESPACE}">\n'
        f"<ShortName>{escape(title[:MAX_SHORT_NAME_LENGTH].strip(), quote=False)}</ShortName>\n"
        f"<Description>{escape(description[:MAX_DESCRIPTION_LENGTH], quote=False)}</Description>\n"
        "<InputEncoding>UTF-8</InputEncoding>\n"
        f'<Url type="text/html" template="{address}/index.html?q={{searchTerms}}"/>\n'
        f'<Url type="application/opensearchdescription+xml" rel="self"'
        f' template="{address}/{OPENSEARCH}"/>\n'
        "</OpenSearchDescription>\n"
    ).encode()


def _sitemap(root: str, item: str, entries: Iterable[tuple[str, str]]) -> bytes:
    lines = "".join([
        f"<{item}><loc>{escape(address, quote=False)}</loc>"
        f"{f'<lastmod>{date}</lastmod>' if date else ''}</{item}>\n"
        for address, date in entries
    ])
    return f'{XML_DECLARATION}<{root} xmlns="{SITEMAP_NAMESPACE}">\n{lines}</{root}>\n'.encode()
