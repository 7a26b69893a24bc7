"""The texts of the files that a command line names, as releases."""

from __future__ import annotations

from dconv.cli import collect, inputs
from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.lifetime import LATEST
from dconv.texts import ReleaseTexts, SourceText


def releases(chosen: Arguments, console: Console) -> tuple[ReleaseTexts, ...]:
    """The releases that the files are of which the user names."""
    inputs.check_files(chosen.files, folders=True)
    for name, value in (("--product", chosen.product), ("--version", chosen.version)):
        if value and not collect.VERSION.fullmatch(value):
            raise UsageError(f"{name} '{value}' cannot be a part of an address")
    if chosen.version.casefold() == LATEST:
        raise UsageError("--version 'latest' is the address of the newest release; name which")
    wish = collect.Wish(chosen.product, chosen.version)
    return collect.from_files(texts(chosen, console), wish)


def texts(chosen: Arguments, console: Console) -> tuple[SourceText, ...]:
    """The texts of the files that the user names; tells what is odd about a file."""
    def tell(sentence: str) -> None:
        console.tell(f"dconv: {sentence}")

    return collect.read_files(chosen.files, inputs.products(chosen), chosen.manual, tell)
