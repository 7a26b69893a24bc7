"""From files, or from `site.toml`, to the texts of releases: what there is to convert.

The texts are read here (through `sources`), none is parsed but its header, which
may tell the release.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dconv.model.origin import Origin
from dconv.model.source import read_source
from dconv.readers.text.outline import header
from dconv.settings import (
    Acceptance,
    DocumentSetting,
    FolderSource,
    Product,
    Site,
    SiteRelease,
    plain_product,
    recognise,
)
from dconv.settings.types import unlisted_document
from dconv.sources import (
    Fetched,
    FetchedDocument,
    SourceError,
    UnreachableError,
    is_stream,
    network_of,
    obtain,
    obtain_release,
    read_stream,
)
from dconv.sources.network import Network
from dconv.sources.texts import ReleaseTexts, SourceText, names_product

HEAD = 4096  # bytes that are enough for 40 lines of a header, and for what recognises a text
UNVERSIONED = "current"  # where neither the user nor the text names a release
UNCLAIMED = "manuals"  # the product, in addresses, of texts that nobody claims

# "3.4", "2.6.12-rc1": a version that may be a part of an address
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,99}")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user says of files, empty where nothing is said.

    `product` is the name in addresses, `version` the release.
    """

    product: str = ""
    version: str = ""


# --- from files -----------------------------------------------------------------------


def read_files(
    paths: Iterable[Path],
    products: tuple[Product, ...],
    manual: str,
    tell: Callable[[str], None],
) -> tuple[SourceText, ...]:
    """The texts of the files (gzipped or not), folders and pipes `paths`.

    `manual` names the product whose dialect they are in; where it is empty, each
    text is recognised by its content and name.  `tell` is given what is odd about
    a file.  Raises `SourceError`.
    """
    texts: list[SourceText] = []
    for path in paths:
        streamed = is_stream(path)
        fetched = read_stream(path) if streamed else obtain(FolderSource(str(path)), "", (), Path())
        for note in fetched.notes:
            tell(note)
        for document in fetched.documents:
            shown = str(path / document.file) if path.is_dir() else fetched.origin
            product, setting = recognised(document, products, manual)
            origin = Origin(document.file or "a pipe", sha256=document.sha256)
            texts.append(SourceText(document.content, shown, product, setting, origin))
    return tuple(texts)


def told_version(texts: Sequence[SourceText]) -> str:
    """The release that the texts' headers name: the first, in the product's order.

    A document counts only where its title, or else what is below, has the product's
    name: the protocols beside a manual have versions of their own.
    """
    product = texts[0].product
    order = [document.name for document in product.documents]
    listed = [text for name in order for text in texts if text.setting.name == name]
    others = [text for text in texts if text.setting.name not in order]
    blocks = [
        header.find(read_source(text.content[:HEAD], text.path).lines)
        for text in (*listed, *others)
    ]
    heads = [block.header for block in blocks if block]
    names = (product.title, product.name) if product.title else ("",)
    for title, version in (
        *((head.title, head.version) for head in heads),
        *((head.subtitle, head.version) for head in heads),
    ):
        if VERSION.fullmatch(version) and names_product(title, names):
            return version
    return ""


def from_files(
    texts: Iterable[SourceText], wish: Wish
) -> tuple[ReleaseTexts, ...]:
    """`texts` put together to releases: those of one folder and product are one."""
    groups: dict[tuple[str, Path], list[SourceText]] = {}
    for text in texts:
        groups.setdefault((text.product.name, Path(text.path).parent), []).append(text)
    releases: dict[tuple[str, str], ReleaseTexts] = {}
    for group in groups.values():
        product = group[0].product
        name = wish.product or (product.name if product.title else UNCLAIMED)
        title = product.title if name == product.name else wish.product or "Manuals"
        version = wish.version or told_version(group) or UNVERSIONED
        known = releases.get((name, version))
        members = [*(known.texts if known else ()), *group]
        releases[name, version] = ReleaseTexts(name, title, version, "", _distinct(members))
    return tuple(releases.values())


def recognised(
    document: FetchedDocument, products: tuple[Product, ...], manual: str
) -> tuple[Product, DocumentSetting]:
    """Whose text `document` is, and which: `manual` names the product, or is empty."""
    head = document.content[:HEAD].decode("latin-1")
    chosen = tuple(product for product in products if product.name == manual)
    found = recognise(chosen or products, head.replace("\r\n", "\n"), document.file)
    if found is not None:
        return found
    product = chosen[0] if chosen else plain_product()
    return product, unlisted_document(document.file)


def _distinct(texts: Iterable[SourceText]) -> tuple[SourceText, ...]:
    """`texts` in the product's order, with names that no two of them share."""
    taken: set[str] = set()
    named: list[SourceText] = []
    for text in texts:
        name, number = text.setting.name, 2
        while name.casefold() in taken:
            name, number = f"{text.setting.name}-{number}", number + 1
        taken.add(name.casefold())
        named.append(replace(text, setting=replace(text.setting, name=name)))
    return tuple(sorted(named, key=_rank))


def _rank(text: SourceText) -> int:
    order = [document.file for document in text.product.documents]
    return order.index(text.setting.file) if text.setting.file in order else len(order)


# --- from site.toml -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of the release `version`, as the site calls it, of a product.

    `texts` is None where no source gave them (`missing`), or where an earlier
    release is the same.  `problems` are sentences about what could not be had
    and why.  `unreachable` are the hosts that accepted no connection; if they alone are the
    reason why the release is missing, it is `offline`.
    """

    product: str
    version: str
    name: str
    texts: ReleaseTexts | None
    origin: str
    problems: tuple[str, ...]
    missing: bool = False
    unreachable: tuple[str, ...] = ()
    offline: bool = False


def from_site(
    site: Site,
    cache: Path,
    *,
    offline: bool,
    refresh: bool,
    before: Callable[[str], None],
) -> tuple[Asked, ...]:
    """The texts of every release of `site`; `before` is told each release's name first.

    `cache` is the folder of what was fetched before; `offline` asks nobody,
    `refresh` asks again for what the cache has.
    """
    asked: list[Asked] = []
    seen: dict[tuple[str, str], str] = {}
    network = network_of(
        (shown.product, release) for shown in site.products for release in shown.releases
    )
    for shown in site.products:
        for release in shown.releases:
            name = f"{shown.product.title} {release.version}"
            before(name)
            answer = _asked(shown.product, release, name, cache, offline, refresh, network)
            asked.append(_once(answer, seen, shown.accepted))
    return tuple(asked)


def _asked(
    product: Product, release: SiteRelease, name: str, cache: Path, offline: bool, refresh: bool,
    network: Network,
) -> Asked:
    asked = Asked(product.name, release.version, name, None, "", ())
    try:
        fetched = obtain_release(product, release, cache, offline, refresh=refresh, network=network)
    except UnreachableError as error:
        return replace(
            asked, problems=(str(error),), missing=True, unreachable=error.hosts, offline=True
        )
    except SourceError as error:
        return replace(asked, problems=(str(error),), missing=True)
    texts = _distinct(_fetched_texts(fetched, product, release))
    version = _site_version(fetched, release, texts)
    found = ReleaseTexts(product.name, product.title, version, release.status or "", texts)
    return replace(
        asked, texts=found, origin=fetched.origin, problems=fetched.notes,
        unreachable=fetched.unreachable,
    )


def _fetched_texts(
    fetched: Fetched, product: Product, release: SiteRelease
) -> Iterable[SourceText]:
    settings = {document.file: document for document in product.documents}
    folder = Path(fetched.origin)
    local = folder.exists()
    if folder.is_file():
        folder = folder.parent
    for document in fetched.documents:
        setting = settings.get(document.file, unlisted_document(document.file))
        named = replace(setting, name=document.name)
        place = folder if local else Path(product.name, release.version)
        origin = Origin(
            document.file if local else fetched.origin, document.url, fetched.date,
            document.sha256, fetched.lines,
        )
        path = str(place / document.file)
        yield SourceText(document.content, path, product, named, origin)


def _site_version(
    fetched: Fetched, release: SiteRelease, texts: Sequence[SourceText]
) -> str:
    if any(character.isdigit() for character in release.version):
        return release.version
    return fetched.version or told_version(texts) or release.version


def _once(
    answer: Asked, seen: dict[tuple[str, str], str], accepted: tuple[Acceptance, ...]
) -> Asked:
    """`answer` with what is `accepted`; without texts if an earlier one (`seen`) is the same."""
    if answer.texts is None:
        return answer
    key = (answer.texts.product_name, answer.texts.version)
    first = seen.setdefault(key, answer.name)
    if first == answer.name:
        return replace(answer, texts=replace(answer.texts, accepted=accepted))
    told = f"{answer.name} is {answer.texts.version}, which is shown already"
    return replace(answer, texts=None, problems=(*answer.problems, told))
