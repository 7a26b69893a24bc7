"""Collect the texts of releases from files.

Of a text, only the header is parsed, which may name its release.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from dconv.build.titles import in_order_of_toctrees, with_titles
from dconv.model.dialect import Dialect
from dconv.model.file_names import unique_name
from dconv.model.origin import Origin
from dconv.readers import PLAIN_TEXT, FormatError, MissingProgramError, reader_of
from dconv.readers.mandoc import MANDOC
from dconv.settings.manual import default_product, full_product, load_product
from dconv.settings.recognize import recognize
from dconv.settings.types import (
    FolderSource,
    Product,
    ProductSummary,
    unlisted_document,
)
from dconv.sources.fetch import fetch_texts
from dconv.sources.files import is_stream, read_stream, resolve_page
from dconv.sources.texts import ReleaseTexts, SourceText, mentions_product
from dconv.sources.types import FetchedDocument, SourceError

if TYPE_CHECKING:
    from dconv.model.tree import Header

HEAD_SIZE = 4096  # bytes: 40 lines of a header, and enough to recognize a text
UNVERSIONED = "current"  # the release if neither the user nor the text names one
UNKNOWN_PRODUCT = "manuals"  # the product, in addresses, of texts that no product recognizes

# "3.4", "2.6.12-rc1": a version that may be part of an address
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,99}")


def read_files(
    paths: Sequence[Path], products: tuple[ProductSummary, ...], dialect: str,
    on_note: Callable[[str], None], on_unreadable: Callable[[str], None] | None = None, *,
    may_be_empty: bool = False, with_vocabulary: bool = True,
) -> tuple[SourceText, ...]:
    """The texts of files (gzipped or not), folders and pipes.

    Files that stand for the same page, by links and `.so`, are one text with further names.

    `dialect` is the name of their product; if it is empty, each text is recognized by its content
    and file name.  `on_note` is called with remarks about files.  A file that cannot be read, is
    not text, or has no words unless it `may_be_empty`, is left out, and `on_unreadable` is called
    with a sentence that says why; without it, and if no text is left, `SourceError` or
    `FormatError` is raised.  Manual pages are left out if the program that reads them is missing:
    one sentence says so for all of them.  Only a search needs a product's synonyms, read
    `with_vocabulary`.
    Raises `SettingsError` if the settings of a recognized product cannot be used.
    """
    load = cache(partial(load_product, with_vocabulary=with_vocabulary))
    texts: dict[str, SourceText] = {}
    problems: list[SourceError | FormatError] = []
    for path in paths:
        try:
            if is_stream(path):
                fetched = read_stream(path)
            else:
                fetched = fetch_texts(FolderSource(str(path), others=tuple(paths)), "", (), Path())
        except SourceError as error:
            problems.append(error)
            continue
        for note in fetched.notes:
            on_note(note)
        problems += map(SourceError, fetched.unreadable)
        for document in fetched.documents:
            text_path = str(path / document.file) if path.is_dir() else fetched.origin
            if may_be_empty or document.content.strip():
                _add_once(texts, path, source_text(document, text_path, products, dialect, load))
            else:
                problems.append(SourceError(f"{text_path} is empty: there is no text in it"))
    readable, refused, missing_program_errors = readable_texts(texts.values())
    problems += [error for _, error in refused]
    if missing_program_errors:
        problems.append(FormatError(missing_program_message(len(missing_program_errors))))
    if problems and not readable:
        raise (*missing_program_errors, *problems)[0]
    for problem in problems:
        if on_unreadable is None:
            raise problem
        on_unreadable(str(problem))
    return tuple(readable)


def source_text(
    document: FetchedDocument, path: str, products: tuple[ProductSummary, ...], dialect: str,
    load: Callable[[Path], Product] = load_product,
) -> SourceText:
    """The text of the `document` that was read from `path`, with its product and setting.

    `dialect` is the product's name, or empty if the text is recognized.  `load` reads the settings
    of a product from its folder; raises `SettingsError`.
    """
    head = document.content[:HEAD_SIZE].decode("latin-1")
    candidates = tuple(product for product in products if product.name == dialect)
    match = recognize(candidates or products, head.replace("\r\n", "\n"), document.file)
    product, setting = match or (
        candidates[0] if candidates else default_product(), unlisted_document(document.file)
    )
    return SourceText(
        document.content, path, full_product(product, load), setting,
        Origin(document.file or "a pipe", sha256=document.sha256), document.other_names,
        document.images, sphinx_settings=document.sphinx_settings,
    )


def _add_once(texts: dict[str, SourceText], path: Path, text: SourceText) -> None:
    """Add `text`, read from `path`, to `texts`, or only its names to the same file there."""
    if not path.is_file():  # all texts of a folder or a pipe are different ones
        texts[f"{len(texts)} of {path}"] = text
        return
    page = os.path.realpath(resolve_page(path))
    same = texts.setdefault(page, text)
    if same is not text:
        names = tuple(dict.fromkeys((*same.other_names, *text.other_names)))
        texts[page] = replace(same, other_names=names)


def readable_texts(texts: Iterable[SourceText]) -> tuple[
    list[SourceText], list[tuple[SourceText, FormatError]], list[MissingProgramError]
]:
    """The readable ones of `texts`, the others with their errors, and the errors of manual pages.

    The last are about manual pages whose program is missing.
    """
    readable: list[SourceText] = []
    refused: list[tuple[SourceText, FormatError]] = []
    missing_program_errors: list[MissingProgramError] = []
    for text in texts:
        try:
            reader_of(text.content, text.path, text.format)
        except MissingProgramError as error:
            missing_program_errors.append(error)
        except FormatError as error:
            refused.append((text, error))
        else:
            readable.append(text)
    return readable, refused, missing_program_errors


def missing_program_message(pages: int) -> str:
    """What to say where `pages` manual pages cannot be read."""
    pages_text = "1 manual page needs" if pages == 1 else f"{pages:,} manual pages need"
    return f"{pages_text} {MANDOC}: install the package {MANDOC}"


def stated_version(texts: Sequence[SourceText]) -> str:
    """The release that the headers of `texts` state: the first in the product's order.

    A header counts only if its title or the line below has the product's name, since documents
    about protocols have versions of their own.  Texts of no known product may have nothing to
    do with each other: all that state a version must state the same one, else there is none; if
    none does, it is that of their project of Sphinx.
    """
    product = texts[0].product
    order = [document.name for document in product.documents]
    listed = [text for name in order for text in texts if text.document.name == name]
    others = [text for text in texts if text.document.name not in order]
    # headers in other formats state no version
    plain_texts = [text for text in (*listed, *others) if text.format == PLAIN_TEXT]
    headers = [_header(text) for text in plain_texts]
    if not product.title:
        versions = {header.version for header in headers if VERSION.fullmatch(header.version)}
        conf = dict(texts[0].sphinx_settings)
        version = conf.get("release") or conf.get("version") or ""
        if not versions and VERSION.fullmatch(version):
            return version
        return versions.pop() if len(versions) == 1 else ""
    names = (product.title, product.name)
    for title, version in (
        *((header.title, header.version) for header in headers),
        *((header.subtitle, header.version) for header in headers),
    ):
        if VERSION.fullmatch(version) and mentions_product(title, names):
            return version
    return ""


def stated_title(texts: Sequence[SourceText]) -> str:
    """The title in the header of a single text of no known product, else empty."""
    if len(texts) > 1 or texts[0].product.title:
        return ""
    header = _header(texts[0])
    return f"{header.title} {header.subtitle}".rstrip(" :")


def _header(text: SourceText) -> Header:
    """The header of `text`, of plain text read from its first bytes; raises `FormatError`."""
    content = text.content[:HEAD_SIZE] if text.format == PLAIN_TEXT else text.content
    return reader_of(content, text.path, text.format)(
        content, text.path, Dialect(), text.document.name
    ).header


def group_by_release(
    texts: Iterable[SourceText], product_name: str, release: str
) -> tuple[ReleaseTexts, ...]:
    """`texts` grouped into releases: those of one folder and product are one release.

    `product_name` and `release` are used in addresses instead of what the texts say.
    """
    groups: dict[tuple[str, Path], list[SourceText]] = {}
    for text in texts:
        groups.setdefault((text.product.name, Path(text.path).parent), []).append(text)
    releases: dict[tuple[str, str], list[SourceText]] = {}
    for group in groups.values():
        product = group[0].product
        name = product_name or (product.name if product.title else UNKNOWN_PRODUCT)
        version = release or stated_version(group) or UNVERSIONED
        releases.setdefault((name, version), []).extend(group)
    release_texts: list[ReleaseTexts] = []
    for (name, version), members in releases.items():
        product = members[-1].product
        project = dict(members[0].sphinx_settings).get("project") or "Manuals"
        title = product.title if name == product.name else product_name or project
        named = _with_folders(with_unique_names(members))
        ordered = in_order_of_toctrees(named)
        release_texts.append(ReleaseTexts(
            name, title, version, "", with_titles(ordered or named),
            is_shelf=not product.documents, is_ordered=bool(ordered),
        ))
    return tuple(release_texts)


def _with_folders(texts: tuple[SourceText, ...]) -> tuple[SourceText, ...]:
    """`texts` with the folders of their files if two files have one name, as links tell them."""
    if len({text.document.file for text in texts}) == len(texts):
        return texts
    folders = [os.path.abspath(os.path.dirname(text.path)) for text in texts]
    root = os.path.commonpath(folders)
    return tuple([
        replace(text, document=replace(text.document, file=os.path.normpath(
            os.path.join(os.path.relpath(folder, root), os.path.basename(text.document.file))
        )))
        for text, folder in zip(texts, folders, strict=True)
    ])


def with_unique_names(texts: Iterable[SourceText]) -> tuple[SourceText, ...]:
    """`texts` in the product's order, renamed so that no two have the same name."""
    used_names: set[str] = set()
    renamed: list[SourceText] = []
    for text in texts:
        name = unique_name(text.document.name, used_names, ignore_case=True)
        renamed.append(replace(text, document=replace(text.document, name=name)))
    return tuple(sorted(renamed, key=_rank))


def _rank(text: SourceText) -> int:
    order = [document.file for document in text.product.documents]
    return order.index(text.document.file) if text.document.file in order else len(order)
