"""What `dconv diff` compares: a file, a folder, a revision of git, a release of the site."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dconv.build import collect, collect_site
from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.model.file_names import file_name
from dconv.settings.site import load_site
from dconv.settings.types import GitSource, ProductSummary, Site, unlisted_document
from dconv.sources.cache import cache_folder
from dconv.sources.fetch import fetch_texts
from dconv.sources.files import is_stream
from dconv.sources.texts import SourceText
from dconv.sources.types import FetchedTexts, SourceError

# "HEAD~1:doc/configuration.txt"
REVISION = re.compile(r"(?P<revision>[^:]+):(?P<path>.*)")
# "haproxy/3.4", "3.4"
RELEASE = re.compile(r"(?:(?P<product>[^/]+)/)?(?P<version>[^/]+)")


def read(
    argument: str, options: Arguments, products: tuple[ProductSummary, ...], console: Console
) -> tuple[SourceText, ...]:
    """The texts that `argument` names, each with another document name.

    A path on this disk comes first, then a revision of git, then a release of the site.
    Raises `UsageError`, `SourceError` and `SettingsError`.
    """
    path = Path(argument)
    console.progress(f"reading {argument}")
    if is_stream(path) or path.exists():
        texts = collect.read_files(
            [path], products, options.dialect, console.problem, may_be_empty=True
        )
        return _with_distinct_names(texts)
    if match := REVISION.fullmatch(argument):
        fetched = _revision_texts(match["revision"], match["path"])
        for note in fetched.notes:
            console.problem(note)
        is_single = len(fetched.documents) == 1
        return _with_distinct_names([
            collect.source_text(
                document, argument if is_single else f"{argument.rstrip('/')}/{document.file}",
                products, options.dialect,
            )
            for document in fetched.documents
        ])
    return _release_texts(_release_site(argument, options, products), options, console)


def check_argument(argument: str, options: Arguments, products: tuple[ProductSummary, ...]) -> None:
    """Raise `UsageError` if `argument` names neither a file nor anything to fetch."""
    path = Path(argument)
    if not (is_stream(path) or path.exists() or REVISION.fullmatch(argument)):
        _release_site(argument, options, products)


def _with_distinct_names(texts: Sequence[SourceText]) -> tuple[SourceText, ...]:
    """`texts` as those of one release, so that each has another document name."""
    releases = collect.group_by_release(texts, "all", "all")
    return tuple([text for release in releases for text in release.texts])


def _revision_texts(revision: str, path: str) -> FetchedTexts:
    """The texts at `path` (a folder or a file) of the work tree's repository at `revision`.

    As in git, a path is relative to the root of the repository, or with "./" to the working
    directory.  Raises `SourceError` if there is none.
    """
    root = _repository()
    if path.startswith(("./", "../")) or path == ".":
        path = (Path.cwd().relative_to(root) / path).as_posix()
    path = posixpath.normpath(path or ".")
    try:
        return fetch_texts(GitSource(str(root), revision, path), "", (), Path())
    except SourceError:
        folder, name = posixpath.split(path)
        source = GitSource(str(root), revision, folder or ".")
        fetched = fetch_texts(source, "", (unlisted_document(name),), Path())
    documents = tuple([
        document for document in fetched.documents if document.file == file_name(name)
    ])
    if not documents:
        raise SourceError(f"git {revision} of {root} has no file or folder '{path}'")
    return replace(fetched, documents=documents, notes=())


def _repository() -> Path:
    """The root of the git work tree with the working directory."""
    working_directory = Path.cwd()
    for folder in (working_directory, *working_directory.parents):
        if (folder / ".git").exists():
            return folder
    raise UsageError(
        f"{working_directory} is not in a git work tree, so it has no revisions to compare; "
        "name two files or folders"
    )


def _product_of(version: str, site: Site) -> str:
    """The product that alone has the release `version`, or empty; raises `UsageError`."""
    names = [
        site_product.product.name for site_product in site.products
        if any(release.version == version for release in site_product.releases)
    ]
    if len(names) > 1:
        raise UsageError(
            f"{version}: {' and '.join(names)} have such a release; write {names[0]}/{version}"
        )
    return names[0] if names else ""


def _release_site(argument: str, options: Arguments, products: tuple[ProductSummary, ...]) -> Site:
    """The site with only the release that `argument` names; raises `UsageError` without one."""
    if (match := RELEASE.fullmatch(argument)) and options.site.is_file():
        site = load_site(options.site, products)
        product = match["product"] or _product_of(match["version"], site)
        site_products = tuple([
            replace(site_product, releases=releases)
            for site_product in site.products if site_product.product.name == product
            if (releases := tuple([
                release for release in site_product.releases
                if release.version == match["version"]
            ]))
        ])
        if site_products:
            return replace(site, products=site_products, shelves=())
    raise UsageError(
        f"{argument}: no such file or folder, no REVISION:PATH of git, and no PRODUCT/RELEASE of "
        f"{options.site}"
    )


def _release_texts(site: Site, options: Arguments, console: Console) -> tuple[SourceText, ...]:
    """The texts of the only release of `site`; raises `SourceError`, with the reason, without."""
    fetched = collect_site.fetch_releases(
        site, cache_folder(os.environ), offline=options.offline, refresh=options.refresh,
        on_progress=lambda name: console.progress(f"fetching {name}"),
    )
    for release in fetched:
        if release.is_missing and options.offline:
            raise SourceError(f"{release.name} is not in the cache; omit --offline to fetch it")
        if release.is_missing and release.problems:
            raise SourceError(" ".join(release.problems))
        for problem in release.problems:
            console.problem(problem)
        if release.missing_files:
            files = ", ".join(release.missing_files)
            console.problem(f"{release.name}: there is no {files} in {release.origin}")
        if release.is_missing:
            raise SourceError(f"the texts of {release.name} could not be fetched")
    return tuple([text for release in fetched if release.texts for text in release.texts.texts])
