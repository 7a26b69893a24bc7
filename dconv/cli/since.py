"""The texts of a release at an older git revision, for `dconv check --since`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dconv.cli.arguments import Arguments, UsageError
from dconv.model.origin import Origin
from dconv.settings.types import unlisted_document
from dconv.sources.files import is_stream
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.sources.worktree import Revision, read_revision


def texts_at_revision(texts: ReleaseTexts, options: Arguments) -> ReleaseTexts | None:
    """`texts` at the revision `--since`, or None if none existed.

    Texts of named folders that were removed since are among them, so that links resolve as
    they did.  Raises `UsageError` and `SourceError`.
    """
    for file in options.files:
        if is_stream(file):
            raise UsageError(f"--since needs a file of a git work tree, not {file}")
    revisions: dict[Path, Revision] = {}
    past_texts: list[SourceText] = []
    for text in texts.texts:
        past_text = _text_at_revision(text, options, revisions)
        if past_text is not None:
            past_texts.append(past_text)
    if not past_texts:
        return None
    named_folders = [folder for folder in revisions if folder in options.files]
    removed = [
        text for folder in named_folders
        for text in _removed_texts(revisions[folder], folder, texts, past_texts)
    ]
    referenced = [_text_at_revision(text, options, revisions) for text in texts.referenced]
    return replace(
        texts, texts=(*past_texts, *removed), referenced=tuple(filter(None, referenced))
    )


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
    files = {document.file: document for document in product.documents}
    past_contents = {text.content for text in past_texts}
    names = {text.setting.name for text in texts.texts}
    for name, content in revision.removed(folder).items():
        setting = files.get(name, unlisted_document(name))
        if content not in past_contents and setting.name not in names:
            yield SourceText(content, str(folder / name), product, setting, Origin(name))
