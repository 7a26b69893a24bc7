"""What a change brought in: the texts of a release as they were at a git revision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dconv.cli.arguments import Arguments, UsageError
from dconv.model.origin import Origin
from dconv.settings.types import unlisted_document
from dconv.sources import is_stream
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.sources.worktree import Revision, read_revision


def past(texts: ReleaseTexts, chosen: Arguments) -> ReleaseTexts | None:
    """`texts` as they were at the revision `--since`; nothing where there were none.

    Of folders that are named, texts that are gone now are among them, so that links lead
    where they led.  Raises `UsageError` and `SourceError`.
    """
    for file in chosen.files:
        if is_stream(file):
            raise UsageError(f"--since needs a file of a git work tree, not {file}")
    revisions: dict[Path, Revision] = {}
    found: list[SourceText] = []
    for text in texts.texts:
        then = _then(text, chosen, revisions)
        if then is not None:
            found.append(then)
    if not found:
        return None
    named = [folder for folder in revisions if folder in chosen.files]
    gone = [one for folder in named for one in _gone(revisions[folder], folder, texts, found)]
    beside = [_then(text, chosen, revisions) for text in texts.beside]
    return replace(texts, texts=(*found, *gone), beside=tuple(filter(None, beside)))


def _then(
    text: SourceText, chosen: Arguments, revisions: dict[Path, Revision]
) -> SourceText | None:
    """`text` as it was; `revisions` of its folder are read once."""
    folder = Path(text.path).parent
    if folder not in revisions:
        revisions[folder] = read_revision(folder, chosen.since)
    content = revisions[folder].text(Path(text.path), text.content)
    return None if content is None else replace(text, content=content)


def _gone(
    revision: Revision, folder: Path, texts: ReleaseTexts, found: list[SourceText]
) -> Iterator[SourceText]:
    """The texts of `folder` that are gone, and were not renamed: those are `found`."""
    product = texts.texts[0].product
    files = {document.file: document for document in product.documents}
    renamed = {text.content for text in found}
    names = {text.setting.name for text in texts.texts}
    for name, content in revision.gone(folder).items():
        setting = files.get(name, unlisted_document(name))
        if content not in renamed and setting.name not in names:
            yield SourceText(content, str(folder / name), product, setting, Origin(name))
