"""Which findings of `dconv check` are new: since a git revision, or beyond a baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dconv.build.output import write_files
from dconv.cli.arguments import SUCCESS, Arguments, UsageError
from dconv.cli.console import Console, pluralize
from dconv.lint.baseline import Key, baseline_text, fixed_findings, load_baseline, which_are_new
from dconv.lint.formats.result import Result
from dconv.model.origin import Origin
from dconv.settings.toml import SettingsError
from dconv.settings.types import unlisted_document
from dconv.sources.files import is_stream
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.sources.worktree import Revision, read_revision

MAX_FIXED_NOTES = 10  # fixed findings that are listed


def read_baseline(options: Arguments) -> Counter[Key]:
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
    documents = {text.document.name for texts in releases for text in texts.texts}
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


def write_baseline(results: Sequence[Result], file: Path, console: Console) -> int:
    """Write `results` to the baseline `file`; the exit status.

    Raises `UsageError` and `SiteError`.
    """
    if file.exists() and not file.is_file():
        raise UsageError(f"--write-baseline: {file} is not a file that can be replaced")
    if file.exists():
        try:
            load_baseline(file)
        except SettingsError as error:
            raise UsageError(
                f"--write-baseline: {file} is not a baseline; name another file"
            ) from error
    target = file.resolve()  # a link stays one
    content = baseline_text(result.key for result in results)
    write_files([(target.name, content.encode("utf-8", "backslashreplace"))], target.parent)
    console.info(f"Wrote {pluralize(len(results), 'finding')} to {file}")
    return SUCCESS


def texts_at_revision(texts: ReleaseTexts, options: Arguments) -> ReleaseTexts | None:
    """`texts` at the revision `--since`, or None if none existed.

    Texts of folders in `options.files` that were removed since are among them, so that links
    resolve as they did.  Raises `UsageError` and `SourceError`.
    """
    for file in options.files:
        if is_stream(file):
            raise UsageError(f"--since needs a file of a git work tree, not {file}")
    revisions: dict[Path, Revision] = {}
    past_texts: list[SourceText] = []
    for text in texts.texts:
        if past_text := _text_at_revision(text, options, revisions):
            past_texts.append(past_text)
    if not past_texts:
        return None
    named_folders = [folder for folder in revisions if folder in options.files]
    removed = [
        text for folder in named_folders
        for text in _removed_texts(revisions[folder], folder, texts, past_texts)
    ]
    referenced = [_text_at_revision(text, options, revisions) for text in texts.referenced_texts]
    found = tuple(filter(None, referenced))
    return replace(texts, texts=(*past_texts, *removed), referenced_texts=found)


def _text_at_revision(
    text: SourceText, options: Arguments, revisions: dict[Path, Revision]
) -> SourceText | None:
    """`text` at the revision, None if it did not exist; `revisions` caches those of folders."""
    folder = Path(text.path).parent
    if folder not in revisions:
        revisions[folder] = read_revision(folder, options.since)
    content = revisions[folder].text(Path(text.path), text.content)
    return None if content is None else replace(text, content=content)


def _removed_texts(
    revision: Revision, folder: Path, texts: ReleaseTexts, past_texts: list[SourceText]
) -> Iterator[SourceText]:
    """The texts of `folder` that were removed and not renamed to one of `past_texts`."""
    product = texts.texts[0].product
    settings = {document.file: document for document in product.documents}
    past_contents = {text.content for text in past_texts}
    names = {text.document.name for text in texts.texts}
    for file, content in revision.removed(folder).items():
        setting = settings.get(file, unlisted_document(file))
        if content not in past_contents and setting.name not in names:
            yield SourceText(content, str(folder / file), product, setting, Origin(file))
