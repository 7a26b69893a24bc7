"""Get the texts of a manual: from this disk, the web, git or a Debian package.

    files      a file, a folder or a pipe, gzipped or not
    web        http and https
    git        a tag or branch of a repository, local or remote
    worktree   a git work tree at an earlier revision
    debian     a package that apt offers
    network    which hosts are down
    cache      the texts that were fetched before
    obtain     one source, or the first of a release that has its texts

A source that fails raises `SourceError`: one sentence that says which source and why.
"""

from dconv.sources.cache import cache_folder
from dconv.sources.files import STANDARD_INPUT, is_stream, read_stream
from dconv.sources.obtain import network_of, obtain, obtain_release
from dconv.sources.types import Fetched, FetchedDocument, SourceError, UnreachableError

__all__ = [
    "STANDARD_INPUT",
    "Fetched",
    "FetchedDocument",
    "SourceError",
    "UnreachableError",
    "cache_folder",
    "is_stream",
    "network_of",
    "obtain",
    "obtain_release",
    "read_stream",
]
