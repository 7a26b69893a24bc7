"""`dconv check --fix`: fix what is mechanical, as long as nothing gets worse."""

from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dconv.build.output import write_files
from dconv.cli.arguments import FAILURE, SUCCESS, Arguments, UsageError
from dconv.cli.console import Console, pluralize
from dconv.lint.fixes import apply_fixes, file_lines, without_conflicts
from dconv.lint.formats.result import Result
from dconv.model import tree
from dconv.model.diagnostics import Fix
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.settings.types import AcceptedFinding
from dconv.sources.files import is_stream
from dconv.sources.texts import ReleaseTexts, SourceText

WRITE_BITS = 0o222  # write permission of the owner, the group and others


@dataclass(frozen=True, slots=True)
class CheckedRelease:
    """The findings in a release before they are grouped, without those that its product accepts.

    `outline` counts its titles and signatures; `accepted` has what accepts a finding.
    """

    results: Sequence[Result]
    outline: Counter[str]
    accepted: frozenset[AcceptedFinding]


def outline_names(manual: Manual) -> Iterator[str]:
    """The titles of sections in `manual`, and the signatures of its entries."""
    for section in tree.sections(manual):
        yield f"{manual.name} {section.number} {section.title}"
    for _, entry in tree.entries(manual):
        yield from (f"{manual.name} {signature.text}" for signature in entry.signatures)


def check_options(options: Arguments) -> None:
    """Raise `UsageError` where --fix or --diff cannot be what the user wants."""
    if options.diff and not options.fix:
        raise UsageError("--diff shows what --fix would change; add --fix")
    if not options.fix:
        return
    if options.write_baseline is not None:
        raise UsageError("--write-baseline records findings and --fix removes them; omit one")
    if options.diff and options.check_format != "text":
        raise UsageError(f"--diff prints a diff; omit --format {options.check_format}")
    for file in options.files:
        if is_stream(file):
            raise UsageError(f"--fix: {file} can be read only; name a file")
        if file.suffix == ".gz":
            raise UsageError(f"--fix: {file} is compressed; unpack it first")


def fix_release(
    texts: ReleaseTexts, check: Callable[[ReleaseTexts], CheckedRelease]
) -> tuple[ReleaseTexts, int]:
    """`texts` with the fixes of what `check` reports, and how many findings these fix.

    Fixes are made if fewer findings are left, no rule has more of them, and sections and entries
    stay; where several together fail this, each half is tried.  It ends when no fix helps.
    """
    checked = check(texts)
    count = len(checked.results)
    while True:
        fixes = list(dict.fromkeys(
            (result.finding.path, result.finding.fix) for result in checked.results
            if result.finding.fix is not None
        ))
        improved = _improved(texts, checked, fixes, check)
        if improved is None:
            return texts, count - len(checked.results)
        texts, checked = improved


def _improved(
    texts: ReleaseTexts, checked: CheckedRelease, fixes: Sequence[tuple[str, Fix]],
    check: Callable[[ReleaseTexts], CheckedRelease],
) -> tuple[ReleaseTexts, CheckedRelease] | None:
    """`texts` with as many of `fixes` as help; None if none does."""
    if not fixes:
        return None
    fixed = replace(texts, texts=tuple([
        replace(text, content=apply_fixes(
            text.content, without_conflicts(fix for path, fix in fixes if path == text.path)
        ))
        for text in texts.texts
    ]))
    checked_again = check(fixed)
    if _is_better(checked_again, checked):
        return fixed, checked_again
    middle = len(fixes) // 2
    for half in (fixes[:middle], fixes[middle:]) if middle else ():
        improved = _improved(texts, checked, half, check)
        if improved is not None:
            return improved
    return None


def _is_better(after: CheckedRelease, before: CheckedRelease) -> bool:
    """Whether fewer findings are left, none is new, and sections and entries are the same."""
    counts, counts_before = (
        Counter((result.finding.path, result.finding.rule) for result in checked.results)
        for checked in (after, before)
    )
    return counts < counts_before and after.outline == before.outline


def print_diffs(
    releases: Sequence[ReleaseTexts], fixed: Sequence[ReleaseTexts], console: Console
) -> int:
    """Print what the fixes change as a unified diff; the exit status."""
    changes = list(_changes(releases, fixed))
    for text, content in changes:
        console.output("".join(_diff(text, content)))
    return FAILURE if changes else SUCCESS


def write(releases: Sequence[ReleaseTexts], fixed: Sequence[ReleaseTexts]) -> list[str]:
    """Write what the fixes change; the paths of the files.

    Raises `UsageError`, before it writes any, where a file is read-only, and `SiteError`.
    """
    changes = list(_changes(releases, fixed))
    for text, _ in changes:
        # root may write what nobody may write
        if not os.access(text.path, os.W_OK) or not Path(text.path).stat().st_mode & WRITE_BITS:
            raise UsageError(f"--fix: {text.path} is read-only; nothing was written")
    for text, content in changes:
        path = Path(text.path).resolve()  # a link stays one
        write_files([(path.name, content)], path.parent)
    return [text.path for text, _ in changes]


def summary(count: int, written: Sequence[str]) -> str:
    """`fixed 12 findings in manual.txt`, `fixed 12 findings in 3 files`, `fixed nothing`."""
    if not written:
        return "fixed nothing"
    files = written[0] if len(written) == 1 else pluralize(len(written), "file")
    return f"fixed {pluralize(count, 'finding')} in {files}"


def _changes(
    releases: Sequence[ReleaseTexts], fixed: Sequence[ReleaseTexts]
) -> Iterator[tuple[SourceText, bytes]]:
    """The texts that the fixes change, with their new content.

    Raises `UsageError` for one that was not read as it is in its file.
    """
    for release, fixed_release in zip(releases, fixed, strict=True):
        for text, fixed_text in zip(release.texts, fixed_release.texts, strict=True):
            if fixed_text.content == text.content:
                continue
            if Path(text.path).read_bytes() != text.content:
                raise UsageError(
                    f"--fix: {text.path} is compressed, or has changed since it was read; "
                    "unpack it, or run the command again"
                )
            yield text, fixed_text.content


def _diff(text: SourceText, content: bytes) -> Iterator[str]:
    """The changes of `text` as a unified diff (diff(1), GNU diffutils)."""
    before, after = file_lines(text.content), file_lines(content)
    for line in difflib.unified_diff(before, after, text.path, text.path):
        yield line
        if not line.endswith(("\n", "\r")):
            yield "\n\\ No newline at end of file\n"
