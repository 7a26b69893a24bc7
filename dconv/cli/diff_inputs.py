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
    """The texts that `word` names, each with another document name.

    A path on this disk comes first, then a revision of git, then a release of the site.
    Raises `UsageError`, `SourceError` and `SettingsError`.
    """
    path = Path(word)
    console.progress(f"reading {word}")
    if is_stream(path) or path.exists():
        return _distinct(collect.read_files([path], products, chosen.dialect, console.problem))
    if match := REVISION.fullmatch(word):
        fetched = _revision(match["revision"], match["path"])
        for note in fetched.notes:
            console.problem(note)
        return _distinct(_recognised(fetched, word, products, chosen.dialect))
    if (match := RELEASE.fullmatch(word)) and chosen.site.is_file():
        site = load_site(chosen.site, products)
        if texts := _release(match["product"], match["version"], site, chosen, console):
            return texts
    raise UsageError(
        f"{word}: no such file or folder, no REVISION:PATH of git, and no PRODUCT/RELEASE of "
        f"{chosen.site}"
    )


def check(old: str, new: str) -> None:
    """Raise `UsageError` if both sides are the standard input."""
    inputs.check_files([Path(word) for word in (old, new) if word == "-"], folders=True)


def _distinct(texts: Sequence[SourceText]) -> tuple[SourceText, ...]:
    """`texts` as those of one release, so that each has another document name."""
    releases = collect.group_by_release(texts, "all", "all")
    return tuple([text for release in releases for text in release.texts])


def _recognised(
    fetched: Fetched, word: str, products: tuple[Product, ...], manual: str
) -> tuple[SourceText, ...]:
    single = len(fetched.documents) == 1
    texts: list[SourceText] = []
    for document in fetched.documents:
        product, setting = collect.recognise_document(document, products, manual)
        path = word if single else f"{word.rstrip('/')}/{document.file}"
        texts.append(SourceText(document.content, path, product, setting, Origin(document.file)))
    return tuple(texts)


# --- git ------------------------------------------------------------------------------


def _revision(revision: str, path: str) -> Fetched:
    """The texts at `path` (a folder or a file) of the work tree's repository at `revision`.

    As in git, a path is relative to the root of the repository, or with "./" to the working
    directory.  Raises `SourceError` if there is none.
    """
    root = _repository()
    if path.startswith(("./", "../")) or path == ".":
        path = (Path.cwd().relative_to(root) / path).as_posix()
    path = posixpath.normpath(path or ".")
    try:
        return obtain(GitSource(str(root), revision, path), "", (), Path())
    except SourceError:
        folder, name = posixpath.split(path)
        source = GitSource(str(root), revision, folder or ".")
        fetched = obtain(source, "", (unlisted_document(name),), Path())
    documents = tuple([
        document for document in fetched.documents if document.file == name.removesuffix(".gz")
    ])
    if not documents:
        raise SourceError(f"git {revision} of {root} has no file or folder '{path}'")
    return replace(fetched, documents=documents, notes=())


def _repository() -> Path:
    """The root of the git work tree with the working directory."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            return folder
    raise UsageError(f"{here} is not in a git work tree: revisions cannot be compared")


# --- releases -------------------------------------------------------------------------


def _release(
    product: str, version: str, site: Site, chosen: Arguments, console: Console
) -> tuple[SourceText, ...]:
    """The texts of the release `version` of `product`, empty if the `site` has none."""
    products = tuple([
        replace(settings, releases=tuple([
            release for release in settings.releases if release.version == version
        ]))
        for settings in site.products if settings.product.name == product
    ])
    fetched = collect.fetch_releases(
        replace(site, products=products), cache_folder(os.environ), offline=chosen.offline,
        refresh=chosen.refresh, on_progress=lambda name: console.progress(f"fetching {name}"),
    )
    for release in fetched:
        for problem in release.problems:
            console.problem(problem)
        if release.missing:
            raise SourceError(f"the texts of {release.name} could not be fetched")
    return tuple([text for release in fetched if release.texts for text in release.texts.texts])
