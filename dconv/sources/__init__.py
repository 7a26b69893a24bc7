"""Get the texts of a manual: from this disk, the web, git or a Debian package.

    files      a file, a folder or a pipe, gzipped or not
    web        http and https
    git        a tag or branch of a repository, local or remote
    worktree   a git work tree at an earlier revision
    debian     a package that apt offers
    network    which hosts are down
    cache      the texts that were fetched before
    fetch      one source, or the first of a release that has its texts

A source that fails raises `SourceError`: one sentence that says which source and why.
"""

from dconv.sources.cache import cache_folder
from dconv.sources.fetch import fetch_release, fetch_texts, network_for
from dconv.sources.files import STANDARD_INPUT, is_stream, read_stream
from dconv.sources.types import FetchedDocument, FetchedTexts, SourceError, UnreachableError

__all__ = [
    "STANDARD_INPUT",
    "FetchedDocument",
    "FetchedTexts",
    "SourceError",
    "UnreachableError",
    "cache_folder",
    "fetch_release",
    "fetch_texts",
    "is_stream",
    "network_for",
    "read_stream",
]
