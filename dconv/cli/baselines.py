"""Baselines of `dconv check`: read one, leave out what it has, write a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from dconv.build.output import write_files
from dconv.cli.arguments import DONE, Arguments, UsageError
from dconv.cli.console import Console, pluralize
from dconv.lint.baseline import Key, baseline_text, fixed_findings, load_baseline, which_are_new
from dconv.lint.formats.result import Result
from dconv.settings.toml import SettingsError
from dconv.sources.texts import ReleaseTexts

MAX_FIXED_NOTES = 10  # fixed findings that are listed


def read(options: Arguments) -> Counter[Key]:
    """The findings of the file `--baseline`, none without it.

    Raises `UsageError` and `SettingsError`.
    """
    if options.write_baseline is not None and options.since:
        raise UsageError("--write-baseline writes all findings; omit --since")
    if options.baseline is None:
        return Counter()
    if options.write_baseline is not None:
        raise UsageError("--write-baseline writes all findings; omit --baseline")
    if not options.baseline.exists():
        raise UsageError(
            f"--baseline: there is no file {options.baseline}; --write-baseline "
            f"{options.baseline} creates it"
        )
    return load_baseline(options.baseline)


def new_results(results: Sequence[Result], baseline: Mapping[Key, int]) -> list[Result]:
    """Those of `results` that the `baseline` does not have."""
    flags = which_are_new([result.key for result in results], baseline)
    return [result for result, is_new in zip(results, flags, strict=True) if is_new]


def fixed_notes(
    results: Iterable[Result], baseline: Mapping[Key, int], releases: Iterable[ReleaseTexts],
    rules: Collection[str],
) -> list[str]:
    """A sentence for each finding of `rules` that the `baseline` has and `results` do not.

    Of many only the first are named.
    """
    documents = {text.setting.name for texts in releases for text in texts.texts}
    fixed = [
        key for key in fixed_findings([result.key for result in results], baseline)
        if key.document in documents and key.rule in rules
    ]
    notes = [
        f"{key.document}: fixed, but still in the baseline: {key}"
        for key in fixed[:MAX_FIXED_NOTES]
    ]
    if len(fixed) > MAX_FIXED_NOTES:
        more = len(fixed) - MAX_FIXED_NOTES
        notes.append(f"{more:,} more are fixed; update the file with --write-baseline")
    return notes


def write(results: Sequence[Result], file: Path, console: Console) -> int:
    """Write `results` to the baseline `file`; the exit status.

    Raises `UsageError` and `SiteError`.
    """
    if file.exists() and not file.is_file():
        raise UsageError(f"--write-baseline: {file} is not a file that can be replaced")
    if file.exists() and not _is_baseline(file):
        raise UsageError(f"--write-baseline: {file} is not a baseline; name another file")
    place = file.resolve()  # a link stays one
    content = baseline_text(result.key for result in results)
    write_files([(place.name, content.encode("utf-8", "backslashreplace"))], place.parent)
    console.info(f"Wrote {pluralize(len(results), 'finding')} to {file}")
    return DONE


def _is_baseline(file: Path) -> bool:
    """Whether `file` is a baseline, or empty."""
    try:
        load_baseline(file)
    except SettingsError:
        return False
    return True
