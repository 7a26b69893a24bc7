"""Which files of a package are manuals, whether it is installed or in an archive."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping

from dconv.settings.types import PackageSource
from dconv.sources.files import documents_of_files
from dconv.sources.types import FetchedTexts, File, MissingError

DOCUMENT_FOLDER = "/usr/share/doc"  # has a folder for each package

# "/usr/share/man/man8/mdadm.8.gz": not a translation, "/usr/share/man/de/man8/mdadm.8.gz"
MAN_PAGE = re.compile(r"/usr/(?:local/)?share/man/man(?P<section>\d)[^/]*/[^/]+")
# what manuals in the folder of a package are called, without .gz
DOCUMENT_FILE = re.compile(
    r"(?!.*\.(?:pdf|ps|dvi|xz|bz2|zip)$)"
    r"(?:(?:README|FAQ|HOWTO|MANUAL|OVERVIEW|GUIDE|TUTORIAL)(?:[._-].+)?"
    r"|.+\.(?:txt|rst|md|markdown|mkd|x?html?))",
    re.IGNORECASE,
)
# files for developers, translators and packagers of the program, by the start of the name
DEVELOPER_FILE = re.compile(
    r"""(?: change(?:s|log)? | news | releas(?:es?|e[_-]?notes) | history | announce(?:ment)?
    | whatsnew | copyright | copying | licen[cs]es? | notice | legal | authors? | contribut\w*
    | maintainers? | credits | thanks | todo | roadmap | bugs | hacking | coding | code_of_conduct
    | develop\w* | (?:unit-)?test(?:s|ing)? | refactoring | porting | install(?:ation|ing)?
    | build(?:ing)? | compil\w* | packag\w* | translat\w* | security(?=\.md) | governance
    | requirements | cmakelists
    | readme[._-](?:source | packag\w* | build\w* | install\w* | devel\w* | contrib | cvs | git)
    )(?![a-z])""",
    re.IGNORECASE | re.VERBOSE,
)
MAX_LINKS = 10  # symbolic links to follow from one name
# "+dfsg", "~deb12u1": what Debian adds to the upstream version
DEBIAN_PART = re.compile(r"[+~.](?:dfsg|ds|repack|deb\d|nmu|b\d)[\w.+~]*$")


def is_manual_file(
    path: str, package: str, sections: Collection[str], files: Collection[str]
) -> bool:
    """Whether the file at the absolute `path` is a manual of `package`.

    Manuals are manual pages of the `sections`, and texts in the documentation folder of the package
    with the name of a manual.  If there are `files`, paths below that folder, only these are.
    """
    if files:
        return path.removeprefix(f"{DOCUMENT_FOLDER}/{package}/").removesuffix(".gz") in files
    page = MAN_PAGE.fullmatch(path)
    if page:
        return page["section"] in sections
    folder, file = posixpath.split(path)
    name = file.removesuffix(".gz")
    return (
        folder == f"{DOCUMENT_FOLDER}/{package}"
        and DOCUMENT_FILE.fullmatch(name) is not None
        and DEVELOPER_FILE.match(name) is None
    )


def upstream_version(version: str) -> str:
    """The upstream version in that of a package: of "1:9.2p1-2+deb12u3" it is "9.2p1"."""
    upstream = version.partition(":")[2] or version
    upstream = upstream.rpartition("-")[0] or upstream
    return DEBIAN_PART.sub("", upstream)


def package_texts(
    contents: Mapping[str, bytes], links: Mapping[str, str], source: PackageSource,
    source_name: str, version: str, date: str,
) -> FetchedTexts:
    """The texts of a package in `version`, from the `contents` of its files by absolute path.

    `links` maps its symbolic links to their targets.  Raises `SourceError` if there is no text, or
    not one that `source` names.
    """
    files = _with_other_names(contents, links, source)
    texts, notes, unreadable = documents_of_files(files, (), source_name)
    texts = tuple([text for text in texts if text.content.strip()])
    upstream = upstream_version(version)
    return FetchedTexts(
        texts, source_name, date, version=upstream, full_version=upstream, notes=notes,
        unreadable=unreadable,
    )


def _with_other_names(
    contents: Mapping[str, bytes], links: Mapping[str, str], source: PackageSource
) -> list[File]:
    """The files of `contents`, each with the names of the `links` that lead to it.

    Links that lead elsewhere are left out.  Files in the folder of the
    package are named by their path in it.  Raises `MissingError` where one that `source` names
    is absent.
    """
    other_names: dict[str, list[str]] = {}
    for link in links:
        page = link
        for _ in range(MAX_LINKS):
            page = links.get(page, page)
        if page in contents:
            other_names.setdefault(page, []).append(posixpath.basename(link))
    folder = f"{DOCUMENT_FOLDER}/{source.name}/"
    files = [
        File(
            path.removeprefix(folder) if path.startswith(folder) else posixpath.basename(path),
            content, tuple(other_names.get(path, ())),
        )
        for path, content in contents.items()
    ]
    file_names = {file.name.removesuffix(".gz") for file in files}
    missing = [name for name in source.files if name not in file_names]
    if missing:
        # `package` is the name with a version: "lvm2=2.03.16-2"
        raise MissingError(f"Debian package {source.package}: there is no {', '.join(missing)}")
    return files
