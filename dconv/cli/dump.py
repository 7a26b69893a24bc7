"""`dconv dump`: print the document tree of texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from dconv.build.read import link_texts, read_text
from dconv.build.titles import with_titles
from dconv.cli import inputs
from dconv.cli.arguments import SUCCESS, Arguments
from dconv.cli.console import Console
from dconv.model.tree import Manual
from dconv.sources.texts import SourceText
from dconv.writers.dump.data import json_text
from dconv.writers.dump.text import tree_text


def run(options: Arguments, console: Console) -> int:
    """Print the trees of the named texts; the exit status."""
    inputs.check_files(options.files, allow_folders=False)
    texts = with_titles(inputs.texts(options, console))
    manuals = []
    for text in texts:
        console.progress(f"reading {text.path}")
        manuals.append(read_text(text))
    manuals = _linked(texts, manuals)
    match options.dump_format:
        case "json":
            console.output(json_text(manuals))
        case "tree":
            console.output("".join(map(tree_text, manuals)))
        case _:
            assert_never(options.dump_format)
    return SUCCESS


def _linked(texts: Sequence[SourceText], manuals: Sequence[Manual]) -> list[Manual]:
    """Link the `manuals` of `texts`; those of a folder are a release."""
    folders: dict[Path, list[int]] = {}
    for index, text in enumerate(texts):
        folders.setdefault(Path(text.path).parent, []).append(index)
    linked: dict[int, Manual] = {}
    for indexes in folders.values():
        release = link_texts(
            [texts[index] for index in indexes], [manuals[index] for index in indexes]
        )
        linked.update(zip(indexes, release, strict=True))
    return [linked[index] for index in range(len(texts))]
