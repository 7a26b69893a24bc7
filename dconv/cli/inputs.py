"""The texts and products that a command line names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dconv.build import collect
from dconv.cli.arguments import Arguments, UsageError, did_you_mean
from dconv.cli.console import Console
from dconv.model.lifecycle import LATEST
from dconv.settings.manual import load_products, load_summaries, merge_products
from dconv.settings.shelf import PACKAGE
from dconv.settings.site import load_site, logo_and_theme
from dconv.settings.toml import SettingsError
from dconv.settings.types import FolderSource, ProductSummary
from dconv.sources.files import STANDARD_INPUT, is_stream
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.theme.theme_folder import DEFAULT_THEME

WITHOUT_SEARCH = ("check", "lsp")  # commands that have to start fast, and make no search


def releases(options: Arguments, console: Console) -> tuple[ReleaseTexts, ...]:
    """The named texts, grouped into releases.

    Raises `UsageError`, `SourceError` and `SettingsError`.
    """
    check_files(options.files, allow_folders=True)
    for name, value in (("--product", options.product), ("--release", options.release)):
        if value and not collect.VERSION.fullmatch(value):
            raise UsageError(
                f"{name} '{value}' cannot be part of an address; write letters, digits and ._+~-"
            )
    if options.release.casefold() == LATEST:
        raise UsageError("--release 'latest' is the address of the latest release; give its number")
    return collect.group_by_release(texts(options, console), options.product, options.release)


def texts(options: Arguments, console: Console) -> tuple[SourceText, ...]:
    """The named texts, each once, without files of folders that are not texts; reports what is odd.

    With `--strict` such a file raises `FormatError` or `SourceError`.
    """
    files: dict[tuple[str, str], Path] = {}
    for file in options.files:  # a link with another name is another name of a page
        files.setdefault((os.path.realpath(file), file.name), file)
    return tuple(collect.read_files(
        list(files.values()), products(options), options.dialect, console.problem,
        None if options.strict else console.input_error,
        with_vocabulary=_needs_vocabulary(options),
    ))


def check_files(files: Sequence[Path], *, allow_folders: bool, allow_streams: bool = True) -> None:
    """Raise `UsageError` for a file that cannot be read; streams can be read only once."""
    if files.count(STANDARD_INPUT) > 1:
        raise UsageError("-: the standard input can be read only once")
    for file in files:
        if is_stream(file):
            if not allow_streams:
                raise UsageError(f"{file}: it can be read only once; a preview needs a file")
            continue
        if not file.exists():
            if str(file).startswith(("http:/", "https:/")):
                raise UsageError(
                    f"{file}: an address is no file; download the text first, or give the address "
                    "in a manual.toml"
                )
            raise UsageError(f"{file}: no such file")
        if file.is_dir() and not allow_folders:
            raise UsageError(f"{file}: this is a folder; name a file")


def check_packages(options: Arguments) -> None:
    """Raise `UsageError` for a wrong name of a package, or for options that only texts can have."""
    for package in options.packages:
        if not PACKAGE.fullmatch(package):
            raise UsageError(
                f"--package '{package}' is not the name of a Debian package;"
                " write it as lvm2 or lvm2=2.03.16-2"
            )
    if not options.packages:
        return
    if options.files:
        raise UsageError(f"--package takes the place of {options.files[0]}; name one of them")
    for name in ("product", "release", "dialect"):
        if getattr(options, name):
            raise UsageError(f"--{name} is for texts; a package has its own")


def check_output(folder: Path) -> None:
    """Raise `UsageError` if the `folder` to write is `-`, elsewhere the standard output."""
    if folder == Path("-"):
        raise UsageError("--output -: several files need a folder; name one")


def refuse_overwrite(file: Path, texts: Iterable[str | Path]) -> None:
    """Raise `UsageError` if writing `file` would overwrite one of the `texts`."""
    if file.exists() and any(Path(text).exists() and file.samefile(text) for text in texts):
        raise UsageError(f"{file}: this is an input, and would be overwritten; name another file")


def products(options: Arguments) -> tuple[ProductSummary, ...]:
    """The products of dconv and those of `--manuals`, whose settings are read and checked whole.

    Raises `SettingsError`, and `UsageError` for an unknown `--dialect`.
    """
    own_products = load_products(
        [options.manuals] if options.manuals else [], with_vocabulary=_needs_vocabulary(options)
    )
    products = merge_products([*load_summaries([resource_folder("manuals")]), *own_products])
    names = [product.name for product in products]
    if options.dialect and options.dialect not in names:
        remedy = did_you_mean(options.dialect, names) or f"the dialects are {', '.join(names)}"
        raise UsageError(f"unknown dialect '{options.dialect}'; {remedy}")
    return products


def _needs_vocabulary(options: Arguments) -> bool:
    """Whether the command makes a search."""
    return options.command not in WITHOUT_SEARCH


def watched_paths(options: Arguments) -> Iterator[Path]:
    """The files and folders that a preview depends on."""
    yield from options.files
    yield resource_folder("themes")
    yield resource_folder("manuals")
    if options.manuals:
        yield options.manuals
    if options.files or options.packages:
        yield Path(options.theme or DEFAULT_THEME)
        return
    yield options.site
    if is_stream(options.site):  # reading it would block
        return
    yield from logo_and_theme(options.site)
    try:
        settings = load_site(options.site, products(options))
    except (SettingsError, UsageError):
        return
    for product in settings.products:
        for release in product.releases:
            for source in (*release.sources, *product.product.sources):
                if isinstance(source, FolderSource):
                    yield Path(source.path.replace("{version}", release.version))
    for shelf in settings.shelves:
        for item in shelf.items:
            if isinstance(item.source, FolderSource):
                yield Path(item.source.path)
