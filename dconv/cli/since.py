"""What a change brought in: the texts of a release as they were at a git revision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dconv.cli.arguments import Arguments, UsageError
from dconv.origin import Origin
from dconv.settings.types import unlisted_document
from dconv.sources import is_stream
from dconv.sources.worktree import Revision, read_revision
from dconv.texts import ReleaseTexts, SourceText


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
        folder = Path(text.path).parent
        if folder not in revisions:
            revisions[folder] = read_revision(folder, chosen.since)
        content = revisions[folder].text(Path(text.path), text.content)
        if content is not None:
            found.append(replace(text, content=content))
    if not found:
        return None
    named = [folder for folder in revisions if folder in chosen.files]
    gone = [one for folder in named for one in _gone(revisions[folder], folder, texts, found)]
    return replace(texts, texts=(*found, *gone))


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
