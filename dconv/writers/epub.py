"""A document as EPUB 3, for e-readers: https://www.w3.org/TR/epub-33/.

    mimetype, META-INF/container.xml   what every EPUB begins with
    EPUB/package.opf                   metadata, files, their order
    EPUB/nav.xhtml                     contents
    EPUB/front.xhtml                   title and preface
    EPUB/chapter-01.xhtml              chapters; long ones in several files, as e-readers are slow
    EPUB/names.xhtml                   the index of names
    EPUB/images/                       images

Links to other documents lead to the public address of the site, and are plain text if it has none.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from dconv.model.images import image_name
from dconv.model.tree import Manual, Target, anchors
from dconv.writers import bare_html
from dconv.writers.archive import EARLIEST_ZIP_DATE
from dconv.writers.bare_html import FileAddresses
from dconv.writers.html.escape import attribute, text
from dconv.writers.pages.addresses import image_address
from dconv.writers.pages.filenames import ALL_NAMES_TITLE, IMAGES
from dconv.writers.pages.indexes import letter_of, sort_key
from dconv.writers.pages.names import DefinedName
from dconv.writers.pages.page import Release, ReleaseDocument, SiteInfo

MIN_LINES = 100  # of the source in one file: chapters of a few lines have no pages of their own
MAX_LINES = 1_200  # likewise: about 200 KB, what slow e-readers open at once
FRONT, NAV, NAMES, STYLE = "front.xhtml", "nav.xhtml", "names.xhtml", "style.css"
FILE_MODE = 0o644 << 16  # the mode of a file in an archive
# images that every e-reader shows: https://www.w3.org/TR/epub-33/#sec-core-media-types
CORE_MEDIA_TYPES: Mapping[str, str] = MappingProxyType({
    ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
    ".gif": "image/gif",
})
# elements without an end tag, as our HTML has them: '<br class="line">', '<img src="a.png">'
VOID = re.compile(r'<((?:br|img)\b(?:[^<>"]|"[^"]*")*)>')
FOCUSABLE = re.compile(r'(<(?:pre|div)\b(?:[^<>"]|"[^"]*")*) tabindex="0"')  # boxes to scroll
# what XML cannot hold
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NOT_IN_IDS = re.compile(r"[^A-Za-z0-9_.-]")  # characters to avoid in identifiers of XML
CONTAINER = """\
<?xml version="1.0" encoding="UTF-8"?>
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
"""


def epub(release: Release, document: ReleaseDocument, site: SiteInfo, product: str) -> bytes:
    """The `document` of `release` as an EPUB file; `product` is empty if it is not known."""
    manual = document.manual
    html_files = bare_html.split_by_length(manual, ".xhtml", MIN_LINES, MAX_LINES)
    addresses = FileAddresses(bare_html.public_address(release, site))
    addresses.add(manual, FRONT, html_files, _ids(manual))
    images = {
        name: content for name, content in document.shown_images.items()
        if PurePosixPath(name).suffix.lower() in CORE_MEDIA_TYPES
    }
    image = image_address(document, "")

    def shown_image(file: str) -> str:
        return image(file) if image_name(file) in images else ""

    title = document.title
    context = addresses.context(document, FRONT, shown_image)
    pages = {
        FRONT: _page(title, bare_html.front_html(document, context, with_contents=False), site),
        NAV: _page(title, _navigation(document, addresses), site),
    }
    for html_file in html_files:
        context = addresses.context(document, html_file.path, shown_image)
        title = bare_html.section_title(html_file.parts[0].section)
        pages[html_file.path] = _page(title, bare_html.body_html(html_file, context), site)
    if document.names:
        pages[NAMES] = _page(ALL_NAMES_TITLE, _index(document, addresses), site)
    metadata = "".join(_metadata(release, document, site, product, bool(images)))
    package = _package(metadata, site, [*pages], images)
    files = {"META-INF/container.xml": CONTAINER.encode(), "EPUB/package.opf": package.encode()}
    files |= {f"EPUB/{file}": page.encode() for file, page in pages.items()}
    files[f"EPUB/{STYLE}"] = Path(__file__).with_name("book.css").read_bytes()
    files |= {f"EPUB/{IMAGES}/{name}": content for name, content in images.items()}
    return _archive(files)


def _ids(manual: Manual) -> dict[str, str]:
    """Other names for the anchors of `manual` that cannot be identifiers in XML."""
    all_anchors = [*anchors(manual)]
    used_ids = {anchor for anchor in all_anchors if anchor and _identifier(anchor) == anchor}
    names: dict[str, str] = {}
    for anchor in all_anchors:
        if anchor and anchor not in used_ids and anchor not in names:
            name = _identifier(anchor)
            while name in used_ids:
                name += "_"
            used_ids.add(name)
            names[anchor] = name
    return names


def _identifier(anchor: str) -> str:
    name = NOT_IN_IDS.sub(lambda match: f"_{ord(match[0]):x}_", anchor)
    return name if name[0].isalpha() or name[0] == "_" else f"id-{name}"


def _page(title: str, body: str, site: SiteInfo) -> str:
    """A page of XHTML with `body`, which is HTML as our writer has it."""
    body = VOID.sub(r"<\1/>", FOCUSABLE.sub(r"\1", body))
    language = attribute(site.language)
    return NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
        f' lang="{language}" xml:lang="{language}">\n<head>\n<title>{text(title)}</title>\n'
        f'<link rel="stylesheet" type="text/css" href="{STYLE}"/>\n</head>\n'
        f"<body>\n{body}</body>\n</html>\n"
    ))


def _navigation(document: ReleaseDocument, addresses: FileAddresses) -> str:
    """The contents, which e-readers show on a key, and the parts of the book."""
    name = document.manual.name
    out = [
        '<nav epub:type="toc" id="toc" role="doc-toc">\n<h1>Contents</h1>\n<ol>\n',
        f'<li><a href="{FRONT}">{text(document.title)}</a></li>\n',
    ]
    stack = [iter(document.manual.sections)]
    while stack:
        section = next(stack[-1], None)
        if section is None:
            stack.pop()
            out.append("</ol>\n</li>\n" if stack else "")
            continue
        href = attribute(addresses.address(Target(name, section.anchor)))
        title = bare_html.section_title(section) or section.anchor
        out.append(f'<li><a href="{href}">{text(title)}</a>')
        out.append("\n<ol>\n" if section.sections else "</li>\n")
        if section.sections:
            stack.append(iter(section.sections))
    if document.names:
        out.append(f'<li><a href="{NAMES}">{ALL_NAMES_TITLE}</a></li>\n')
    out.append("</ol>\n</nav>\n")
    start = FRONT
    if document.manual.sections:
        start = attribute(addresses.address(Target(name, document.manual.sections[0].anchor)))
    landmarks = [("toc", f"{NAV}#toc", "Contents"), ("bodymatter", start, "Text")]
    if document.names:
        landmarks.append(("index", NAMES, ALL_NAMES_TITLE))
    links = "".join([
        f'<li><a epub:type="{kind}" href="{href}">{title}</a></li>\n'
        for kind, href, title in landmarks
    ])
    out.append(f'<nav epub:type="landmarks" hidden="hidden">\n<ol>\n{links}</ol>\n</nav>\n')
    return "".join(out)


def _index(document: ReleaseDocument, addresses: FileAddresses) -> str:
    """The names of `document` from A to Z, below links to the letters."""
    names = sorted(
        document.names, key=lambda name: (sort_key(name.display_name), name.display_name, name.kind)
    )
    groups: dict[str, list[DefinedName]] = {}
    for name in names:
        groups.setdefault(letter_of(name.display_name), []).append(name)
    letters = list(enumerate(groups, 1))
    links = " ".join([f'<a href="#letter-{index}">{text(letter)}</a>' for index, letter in letters])
    out = [
        '<section epub:type="index" role="doc-index">\n'
        f'<h1>{ALL_NAMES_TITLE}</h1>\n<p class="letters">{links}</p>\n'
    ]
    for index, letter in letters:
        out.append(f'<h2 id="letter-{index}">{text(letter)}</h2>\n<ul class="names">\n')
        for name in groups[letter]:
            href = attribute(addresses.address_of_name(document.manual.name, name))
            about = ", ".join(filter(None, [name.kind, name.section.number]))
            link = f'<a href="{href}">{text(name.display_name)}</a>'
            out.append(f"<li>{link} <small>{text(about)}</small></li>\n")
        out.append("</ul>\n")
    out.append("</section>\n")
    return "".join(out)


def _package(metadata: str, site: SiteInfo, pages: Sequence[str], images: Iterable[str]) -> str:
    """The package document: `metadata`, the files, and the order of `pages`."""
    manifest = [
        _item(page, "application/xhtml+xml", ' properties="nav"' if page == NAV else "")
        for page in pages
    ]
    manifest.append(_item(STYLE, "text/css"))
    manifest += [
        _item(f"{IMAGES}/{name}", CORE_MEDIA_TYPES[PurePosixPath(name).suffix.lower()])
        for name in images
    ]
    spine = [f'<itemref idref="{_item_id(page)}"/>\n' for page in pages]
    return NOT_IN_XML.sub("", (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"'
        f' xml:lang="{attribute(site.language)}">\n'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n{metadata}</metadata>\n'
        f"<manifest>\n{''.join(manifest)}</manifest>\n<spine>\n{''.join(spine)}</spine>\n</package>\n"
    ))


def _metadata(
    release: Release, document: ReleaseDocument, site: SiteInfo, product: str, has_images: bool
) -> Iterator[str]:
    name = f"{product}/{release.version}/{document.manual.name}"
    identifier = uuid5(NAMESPACE_URL, f"dconv:{name}").urn
    yield f'<dc:identifier id="id">{identifier}</dc:identifier>\n'
    edition = f"{release.product_title} {release.version}: " if product else ""
    yield f"<dc:title>{text(edition + document.title)}</dc:title>\n"
    yield f"<dc:language>{text(site.language)}</dc:language>\n"
    if author := document.manual.header.author:
        yield f"<dc:creator>{text(author)}</dc:creator>\n"
    if document.description:
        yield f"<dc:description>{text(document.description)}</dc:description>\n"
    date = bare_html.date_of(release, [document], site)
    yield f'<meta property="dcterms:modified">{date}T00:00:00Z</meta>\n'
    modes = ["textual", "visual"] if has_images else ["textual"]
    features = [
        "tableOfContents", "readingOrder", "structuralNavigation", "displayTransformability",
    ]
    features += ["index"] if document.names else []
    features += ["alternativeText"] if has_images else []
    accessibility = [
        *(("accessMode", mode) for mode in modes), ("accessModeSufficient", ",".join(modes)),
        *(("accessibilityFeature", feature) for feature in features),
        ("accessibilityHazard", "none"),
        ("accessibilitySummary", "Headings, lists and tables are marked up; names are linked."),
    ]
    for key, value in accessibility:
        yield f'<meta property="schema:{key}">{value}</meta>\n'


def _item(file: str, media_type: str, properties: str = "") -> str:
    href = attribute(quote(file))
    return f'<item id="{_item_id(file)}" href="{href}" media-type="{media_type}"{properties}/>\n'


def _item_id(file: str) -> str:
    return _identifier(file.removesuffix(".xhtml"))


def _archive(files: Mapping[str, bytes]) -> bytes:
    """`files` as an EPUB's archive: its media type is first, and not compressed."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        members: Iterable[tuple[str, bytes]] = (
            ("mimetype", b"application/epub+zip"), *files.items()
        )
        for name, content in members:
            info = zipfile.ZipInfo(name, EARLIEST_ZIP_DATE)
            info.create_system, info.external_attr = 3, FILE_MODE  # Unix, whatever the machine is
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            zipped.writestr(info, content)
    return archive.getvalue()
