"""What `dconv diff` compares: a file, a folder, a revision of git, a release of the site."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dconv.build import collect
from dconv.cli import inputs
from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.model.origin import Origin
from dconv.settings import GitSource, Product, Site, load_site
from dconv.settings.types import unlisted_document
from dconv.sources import Fetched, SourceError, cache_folder, is_stream, obtain
from dconv.sources.texts import SourceText

# "HEAD~1:doc/configuration.txt"
REVISION = re.compile(r"(?P<revision>[^:]+):(?P<path>.*)")
# "haproxy/3.4"
RELEASE = re.compile(r"(?P<product>[^/]+)/(?P<version>[^/]+)")


def read(
    word: str, chosen: Arguments, products: tuple[Product, ...], console: Console
) -> tuple[SourceText, ...]:
    """The texts that `word` names, each with a name of its own.

    What is on this disk goes before a revision, a revision before a release.  Raises
    `UsageError`, `SourceError` and `SettingsError`.
    """
    def tell(sentence: str) -> None:
        console.problem(f"{sentence}")

    path = Path(word)
    console.progress(f"reading {word}")
    if is_stream(path) or path.exists():
        return _distinct(collect.read_files([path], products, chosen.dialect, tell))
    if found := REVISION.fullmatch(word):
        fetched = _revision(found["revision"], found["path"])
        for note in fetched.notes:
            tell(note)
        return _distinct(_recognised(fetched, word, products, chosen.dialect))
    if (found := RELEASE.fullmatch(word)) and chosen.site.is_file():
        site = load_site(chosen.site, products)
        if texts := _release(found["product"], found["version"], site, chosen, console):
            return texts
    raise UsageError(
        f"{word}: there is no such file or folder, nor is it REVISION:PATH of git, nor a "
        f"PRODUCT/RELEASE of {chosen.site}"
    )


def check(old: str, new: str) -> None:
    """Raise `UsageError` where both sides are the standard input."""
    inputs.check_files([Path(word) for word in (old, new) if word == "-"], folders=True)


def _distinct(texts: Sequence[SourceText]) -> tuple[SourceText, ...]:
    """`texts` as one release's, so that no two of them share a name."""
    wish = collect.Wish("all", "all")
    return tuple([text for release in collect.from_files(texts, wish) for text in release.texts])


def _recognised(
    fetched: Fetched, word: str, products: tuple[Product, ...], manual: str
) -> tuple[SourceText, ...]:
    single = len(fetched.documents) == 1
    texts: list[SourceText] = []
    for document in fetched.documents:
        product, setting = collect.recognised(document, products, manual)
        path = word if single else f"{word.rstrip('/')}/{document.file}"
        texts.append(SourceText(document.content, path, product, setting, Origin(document.file)))
    return tuple(texts)


# --- git ------------------------------------------------------------------------------


def _revision(revision: str, path: str) -> Fetched:
    """The texts at `path` (a folder or a file) of the work tree's repository at `revision`.

    A path counts from the root of the repository, with "./" from here, as git has it.
    """
    root = _repository()
    if path.startswith(("./", "../")) or path == ".":
        path = (Path.cwd().relative_to(root) / path).as_posix()
    path = posixpath.normpath(path or ".")
    try:
        return obtain(GitSource(str(root), revision, path), "", (), Path())
    except SourceError:
        folder, name = posixpath.split(path)
        wanted = unlisted_document(name)
        source = GitSource(str(root), revision, folder or ".")
        fetched = obtain(source, "", (wanted,), Path())
    found = tuple([one for one in fetched.documents if one.file == name.removesuffix(".gz")])
    if not found:
        raise SourceError(f"git {revision} of {root} has no file or folder '{path}'")
    return replace(fetched, documents=found, notes=())


def _repository() -> Path:
    """The root of the work tree that the user stands in."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            return folder
    raise UsageError(f"{here} is in no work tree of git, so that no revision can be compared")


# --- releases -------------------------------------------------------------------------


def _release(
    product: str, version: str, site: Site, chosen: Arguments, console: Console
) -> tuple[SourceText, ...]:
    """The texts of the release `version` of `product`, empty where the `site` has none."""
    shown = tuple([
        replace(one, releases=tuple([each for each in one.releases if each.version == version]))
        for one in site.products if one.product.name == product
    ])
    asked = collect.from_site(
        replace(site, products=shown), cache_folder(os.environ), offline=chosen.offline,
        refresh=chosen.refresh, before=lambda name: console.progress(f"fetching {name}"),
    )
    for answer in asked:
        for problem in answer.problems:
            console.problem(f"{problem}")
        if answer.missing:
            raise SourceError(f"the texts of {answer.name} cannot be had")
    return tuple([text for answer in asked if answer.texts for text in answer.texts.texts])
