"""The texts of the files that a command line names, as releases."""

from __future__ import annotations

from dconv.build import collect
from dconv.cli import inputs
from dconv.cli.addresses import Addresses
from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.model.lifecycle import LATEST
from dconv.sources.texts import ReleaseTexts, SourceText


def releases(
    chosen: Arguments, console: Console, addresses: Addresses | None = None
) -> tuple[ReleaseTexts, ...]:
    """The releases that the files are of which the user names; `addresses` stay as they are."""
    inputs.check_files(chosen.files, folders=True)
    for name, value in (("--product", chosen.product), ("--version", chosen.version)):
        if value and not collect.VERSION.fullmatch(value):
            raise UsageError(f"{name} '{value}' cannot be a part of an address")
    if chosen.version.casefold() == LATEST:
        raise UsageError("--version 'latest' is the address of the newest release; name which")
    wish = collect.Wish(chosen.product, chosen.version)
    found = texts(chosen, console)
    if addresses is None:
        return collect.from_files(found, wish)
    return collect.from_files(addresses.texts(found), wish, addresses.version)


def texts(chosen: Arguments, console: Console) -> tuple[SourceText, ...]:
    """The texts of the files that the user names; tells what is odd about a file."""
    def tell(sentence: str) -> None:
        console.tell(f"dconv: {sentence}")

    return collect.read_files(chosen.files, inputs.products(chosen), chosen.manual, tell)
