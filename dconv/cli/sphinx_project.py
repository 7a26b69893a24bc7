"""What texts in reStructuredText refer to in files beside them, which are not read otherwise.

Those are documents that are not checked, files that a text includes, and `conf.py` of Sphinx, which
names extensions and other projects whose labels can be used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from glob import escape
from pathlib import Path, PurePosixPath

from dconv.lint.spelling import edit_distance, max_typos
from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Source
from dconv.model.values import dataclass
from dconv.sources.files import project_texts
from dconv.sources.sphinx_settings import is_sphinx_project

NOT_IN_TARGET = frozenset({"/", ".", ".."})
INCLUDED = re.compile(rb"^[ ]*\.\.[ ]+include::[ ]+(?!<)(\S+)", re.MULTILINE)
# ".. _label:", ".. |name| replace::", ":name: label"
DEFINED = re.compile(rb"\.\.[ ]+(?:_`?([^`:\n]+)`?:|\|([^|\n]+)\|)|^[ ]+:name:[ ]+(\S.*)$", re.M)
# ":ref:`python:installing`": in the project "python"
IN_OTHER_PROJECT = re.compile(rb":[\w:]+:`(?:[^`<>]*<)?([\w.+-]+:[^`<>]*)>?`")
HAS_INVENTORIES = re.compile(rb"^intersphinx_mapping\b", re.MULTILINE)
HAS_EXTENSIONS = re.compile(rb"^(?:extensions\b|def setup\()", re.MULTILINE)
UNRESOLVED = re.compile(r"(?:undefined substitution|unknown target name)")
QUOTED = re.compile(r"['\"](.*)['\"]")
ALPHANUMERIC = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class SphinxProject:
    """What may be defined outside of the texts of a release.

    `names` are those of labels and substitutions, as `_key` writes them, unless it
    `allows_any_name`.  `included` are the names for each text that includes files, `None` for any.
    """

    has_conf_py: bool
    allows_any_name: bool
    has_extensions: bool
    names: frozenset[str]
    included: Mapping[str, frozenset[str] | None]

    def explains(self, finding: Diagnostic) -> bool:
        """Whether what `finding` misses may be defined elsewhere, so that it is no mistake."""
        match = QUOTED.search(finding.message)
        if match is None:
            return False
        name = match[1]
        match finding.rule:
            case "link-target":
                if name.startswith("#"):
                    return False
                return (
                    self.allows_any_name or _key(name) in self.names
                    or ("#" in name and self.has_extensions)  # which may make sections
                )
            case "rst-syntax" if UNRESOLVED.match(finding.message):
                names = self.included.get(finding.path, frozenset())
                return names is None or _key(name) in (*names, *self.names)
            case "unknown-markup" if not finding.message.startswith("raw "):
                return (self.has_extensions or ":" in name) and not _is_misspelt(name)
            case _:
                return False


def sphinx_project(texts: Iterable[tuple[str, bytes]]) -> SphinxProject:
    """What files beside `texts`, paths and contents in reStructuredText, define."""
    conf_files: dict[Path, bytes] = {}  # by the folder
    included: dict[str, frozenset[str] | None] = {}
    names: set[str] = set()
    has_conf_py = False
    for path, content in texts:
        file = Path(path)
        root = next(filter(is_sphinx_project, file.absolute().parents), None)
        if root is not None and root not in conf_files:
            has_conf_py = True
            for other in project_texts(root):
                names |= _defined(_content(other) or b"")
        root = root or file.parent
        if root not in conf_files:
            conf_files[root] = _content(root / "conf.py") or b""
        names |= {_key(name.decode(errors="replace")) for name in IN_OTHER_PROJECT.findall(content)}
        if INCLUDED.search(content):
            included[path] = _included_names(file, content, root)
    for content in conf_files.values():
        names |= _defined(content)
    for others in included.values():
        names |= others or frozenset()
    return SphinxProject(
        has_conf_py,
        None in included.values() or any(map(HAS_INVENTORIES.search, conf_files.values())),
        any(map(HAS_EXTENSIONS.search, conf_files.values())), frozenset(names), included,
    )


def _included_names(path: Path, content: bytes, root: Path) -> frozenset[str] | None:
    """What the files define that the text `content` at `path` includes; `None` if one is missing.

    `root` is the folder that absolute paths start from.
    """
    names: set[str] = set()
    read: set[Path] = set()
    unread = [(path, content)]
    while unread:
        path, content = unread.pop()
        for name in INCLUDED.findall(content):
            target = name.decode(errors="replace")
            file = root / target.lstrip("/") if target[0] == "/" else path.parent / target
            if file not in read:
                read.add(file)
                other = _content(file)
                if other is None:
                    return None
                names |= _defined(other)
                unread.append((file, other))
    return frozenset(names)


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _defined(content: bytes) -> set[str]:
    """The labels and substitutions that `content` defines."""
    return {_key(b"".join(names).decode(errors="replace")) for names in DEFINED.findall(content)}


def _key(name: str) -> str:
    """`name` as docutils writes ids, which findings quote."""
    return ALPHANUMERIC.sub("-", name.casefold()).strip("-")


def _is_misspelt(name: str) -> bool:
    """Whether `name` is near the name of a known directive or role."""
    from dconv.readers.rst.directives import DIRECTIVES  # imports docutils
    from dconv.readers.rst.roles import ROLES

    limit = max_typos(name)
    return len(name) > 3 and any(
        edit_distance(name, other, limit) <= limit for other in (*DIRECTIVES, *ROLES)
    )


def missing_documents(
    content: bytes, source: Source, texts: Collection[str]
) -> Iterator[Diagnostic]:
    """A finding for each document that a text names and that neither `texts` nor the folders have.

    `content` is the text that was read as `source`, `texts` are those of the release.  The root of
    the documents is not known, so each folder above the text may be it.  A text that is no file has
    no folders: nothing is found.
    """
    if not Path(source.path).is_file():
        return
    from dconv.readers.rst.roles import GENERATED  # imports docutils
    from dconv.readers.rst.titles import references

    missing = {
        target for kind, target in references(content)
        # a document of another project has a colon: "python:library/re"
        if kind in ("document", "titled document") and ":" not in target and target not in GENERATED
        and not _may_exist(target, source.path, texts)
    }
    for _, line, column, target in source.reference_places:
        if target in missing:
            message = f"{target} is no link, for it is not a document of this release"
            yield Diagnostic(source.path, line, column, "note", "missing-document", message)


def _may_exist(target: str, path: str, texts: Collection[str]) -> bool:
    """Whether a file may be the document `target` of the text at `path`."""
    parts = tuple([part for part in PurePosixPath(target).parts if part not in NOT_IN_TARGET])
    if not parts:
        return True
    *folders, name = parts
    for text in texts:
        other = PurePosixPath(text).parts
        if other[-len(parts) : -1] == parts[:-1] and other[-1].partition(".")[0] == name:
            return True
    for folder in Path(path).absolute().parents:
        place = folder.joinpath(*folders)
        if (place / name).exists() or next(place.glob(f"{escape(name)}.*"), None):
            return True
    return False
