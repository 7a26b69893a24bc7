"""The output of the program itself, for `dconv check --against`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dconv.cli.arguments import UsageError
from dconv.lint.against import against
from dconv.lint.subject import Subject
from dconv.model.diagnostics import Diagnostic
from dconv.settings import FolderSource, Product
from dconv.sources import is_stream, obtain, read_stream


def read(file: Path) -> str:
    """What the program printed to `file`; raises `UsageError` and `SourceError`."""
    if file.is_dir():
        raise UsageError(f"--against: {file} is a folder, and a file is needed")
    streamed = is_stream(file)
    found = read_stream(file) if streamed else obtain(FolderSource(str(file)), "", (), Path())
    return found.documents[0].content.decode("utf-8", "replace")


def differences(
    subjects: Sequence[Subject], product: Product, output: str, file: Path
) -> list[Diagnostic]:
    """What the documents of a release and the `output` in `file` differ in.

    Raises `UsageError` where the product has no program, or the output is not its.
    """
    program = product.program
    if program is None:
        name = product.title or "this text"
        raise UsageError(f"--against: nothing is known of a program of {name}")
    if not any(program.heading.search(line) for line in output.splitlines()):
        raise UsageError(f"--against: {file} is no output of '{program.command}'")
    return against(subjects, output, program)
