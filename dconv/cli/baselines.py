"""Known findings of a check: what is not told again, what is gone, and how it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from dconv.build import output as site
from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.cli.outcome import DONE
from dconv.lint.baseline import Key, new, told
from dconv.lint.baseline import stale as gone
from dconv.lint.baseline_path import load_baseline
from dconv.lint.formats.report import Result
from dconv.settings import SettingsError
from dconv.sources.texts import ReleaseTexts

MANY = 10  # stale findings that are named


def known(chosen: Arguments) -> Counter[Key]:
    """What `--baseline` knows, nothing without it; raises `UsageError`, `SettingsError`."""
    if chosen.write_baseline is not None and chosen.since:
        raise UsageError("--write-baseline writes all findings; leave --since out")
    if chosen.baseline is None:
        return Counter()
    if chosen.write_baseline is not None:
        raise UsageError("--write-baseline writes all findings; leave --baseline out")
    if not chosen.baseline.exists():
        raise UsageError(
            f"--baseline: there is no file {chosen.baseline}; --write-baseline "
            f"{chosen.baseline} writes it"
        )
    return load_baseline(chosen.baseline)


def left(found: Sequence[Result], known: Mapping[Key, int]) -> list[Result]:
    """Those of `found` that are not `known`."""
    news = new([one.key for one in found], known)
    return [one for one, is_new in zip(found, news, strict=True) if is_new]


def stale(
    found: Iterable[Result], known: Mapping[Key, int], releases: Iterable[ReleaseTexts],
    wanted: Collection[str],
) -> list[str]:
    """A sentence for each of the `known` that is not `found` any more, and was looked for.

    Of many only the first are named.
    """
    documents = {text.setting.name for texts in releases for text in texts.texts}
    lost = [
        one for one in gone([one.key for one in found], known)
        if one.document in documents and one.rule in wanted
    ]
    notes = [f"{one.document}: this is not found any more: {one}" for one in lost[:MANY]]
    if len(lost) > MANY:
        notes.append(f"{len(lost) - MANY:,} more are not found any more; write the file anew")
    return notes


def write(found: Sequence[Result], file: Path, console: Console) -> int:
    """Write `found` to `file` as known; the exit status.

    Raises `UsageError` and `SiteError`.
    """
    if file.exists() and not file.is_file():
        raise UsageError(f"--write-baseline: {file} is no file that can be replaced")
    if file.exists() and not _ours(file):
        raise UsageError(
            f"--write-baseline: {file} holds something else than known findings; name another file"
        )
    place = file.resolve()  # a link stays one
    content = told(one.key for one in found).encode("utf-8", "backslashreplace")
    site.put([(place.name, content)], place.parent)
    findings = "1 finding is" if len(found) == 1 else f"{len(found):,} findings are"
    console.info(f"{findings} known in {file}")
    return DONE


def _ours(file: Path) -> bool:
    """Whether `file` is one of known findings, or empty."""
    try:
        load_baseline(file)
    except SettingsError:
        return False
    return True
