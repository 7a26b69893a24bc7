"""Load the texts that a command line names."""

from __future__ import annotations

from dconv.build import collect
from dconv.cli import inputs
from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.model.lifecycle import LATEST
from dconv.sources.texts import ReleaseTexts, SourceText


def releases(chosen: Arguments, console: Console) -> tuple[ReleaseTexts, ...]:
    """The named texts, grouped into releases.

    Raises `UsageError`, `SourceError` and `SettingsError`.
    """
    inputs.check_files(chosen.files, folders=True)
    for name, value in (("--product", chosen.product), ("--release", chosen.release)):
        if value and not collect.VERSION.fullmatch(value):
            raise UsageError(f"{name} '{value}' cannot be part of an address")
    if chosen.release.casefold() == LATEST:
        raise UsageError("--release 'latest' is the address of the latest release; give its number")
    return collect.group_by_release(texts(chosen, console), chosen.product, chosen.release)


def texts(chosen: Arguments, console: Console) -> tuple[SourceText, ...]:
    """The named texts; reports what is odd about a file."""
    products = inputs.products(chosen)
    return collect.read_files(chosen.files, products, chosen.dialect, console.problem)
