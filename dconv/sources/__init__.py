"""Where the texts of a manual come from: this disk, the web, git, a Debian package.

Everything that is read of the world is read here and in `settings`:

    files      a file, a folder or a pipe, gzipped or not
    web        http and https
    git        a tag or branch of a repository, here or elsewhere
    debian     a package of this system's sources of packages
    cache      what was fetched before
    obtain     one source, or all of a release in order
    results    what earlier builds found out, and when the same would be found again

What fails, fails with a `SourceError`: one sentence that says which and why.
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
