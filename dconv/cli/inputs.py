"""What a command line names: files, products, and all that a preview depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dconv.cli.arguments import Arguments, UsageError
from dconv.settings import (
    FolderSource,
    Product,
    SettingsError,
    load_products,
    load_site,
    named_files,
)
from dconv.sources import STANDARD_INPUT, is_stream
from dconv.sources.resources import resource_folder
from dconv.writers.theme.theme_folder import DEFAULT


def check_files(files: Sequence[Path], *, folders: bool, again: bool = False) -> None:
    """Raise `UsageError` for what cannot be read, or not `again` and again."""
    if files.count(STANDARD_INPUT) > 1:
        raise UsageError("-: the standard input can be read but once")
    for file in files:
        if is_stream(file):
            if again:
                raise UsageError(f"{file}: it can be read but once, and a preview reads it often")
            continue
        if not file.exists():
            raise UsageError(f"{file}: there is no such file")
        if file.is_dir() and not folders:
            raise UsageError(f"{file}: this is a folder, and a file is needed")


def spare(file: Path, texts: Iterable[str | Path]) -> None:
    """Raise `UsageError` where writing `file` would overwrite one of the `texts` that were read."""
    if file.exists() and any(Path(text).exists() and file.samefile(text) for text in texts):
        raise UsageError(f"{file}: this text was read, and would be overwritten; name another file")


def products(chosen: Arguments) -> tuple[Product, ...]:
    """The products that come with the program and those of `--manuals`."""
    own = [chosen.manuals] if chosen.manuals else []
    found = load_products([resource_folder("manuals"), *own])
    names = [product.name for product in found]
    if chosen.dialect and chosen.dialect not in names:
        known = ", ".join(names)
        raise UsageError(f"unknown dialect '{chosen.dialect}'; the dialects are {known}")
    return found


def watched(chosen: Arguments) -> Iterator[Path]:
    """What a preview depends on."""
    yield from chosen.files
    yield resource_folder("themes")
    yield resource_folder("manuals")
    if chosen.manuals:
        yield chosen.manuals
    if chosen.files:
        yield Path(chosen.theme or DEFAULT)
        return
    yield chosen.site
    if is_stream(chosen.site):  # one would wait for it
        return
    yield from named_files(chosen.site)
    try:
        settings = load_site(chosen.site, products(chosen))
    except (SettingsError, UsageError):
        return
    for shown in settings.products:
        for release in shown.releases:
            for source in (*release.sources, *shown.product.sources):
                if isinstance(source, FolderSource):
                    yield Path(source.path.replace("{version}", release.version))
