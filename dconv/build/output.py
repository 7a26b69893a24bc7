"""Files to disk: the only writer.

A site is built beside its folder and put in its place as a whole (`exchange`), so
that the folder holds the old site or the new one, whatever happens to the build.
Single files, which are no site, are put beside what is there (`put`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from dconv.build.ownership import MARKER as MARKER
from dconv.build.ownership import listed, objection
from dconv.model.diagnostics import Refusal
from dconv.sources.atomic import NEW, locked, replacing, sync

LONGEST_PART = 200  # bytes of a name; file systems take 255
LONGEST_PATH = 400  # bytes of a path below the folder
# what no name may hold: controls, and what Windows refuses in names: 'a:b'
REFUSED = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')


# its path, mode, size, and times of modification and of the last change of any kind
FileState: TypeAlias = "tuple[str, int, int, int, int]"


class SiteError(Refusal):
    """A site cannot be written; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a build did: numbers of files in all, of changed ones, and of bytes.

    `state` is that of a whole site, as it was put in place.
    """

    files: int
    changed: int
    size: int
    state: tuple[FileState, ...] = field(default=(), repr=False, compare=False)


def write(files: Iterable[tuple[str, bytes]], output: Path, durable: bool = True) -> Written:
    """Make `output` hold exactly `files` (path with `/`, content) and nothing else.

    A file with the content that it had before keeps its time of modification.  Where
    `durable`, all is on the disk first.  Raises `SiteError`, also where another build
    writes there; the folder is then as it was.
    """
    target = Path(os.path.realpath(output))
    if not target.name:
        raise SiteError(f"{output} is the root of the file system: choose a folder below it.")
    try:
        with replacing(target, lambda folder: _check_ours(folder, output)) as new:
            _check_ours(target, output)
            written = _build(files, new, target)
            if durable:
                sync(new)
            written = replace(written, state=tuple(state(new)))
            _check_ours(target, output)  # somebody may have put a file there meanwhile
    except BrokenPipeError:  # of who reads what is told of the files while they are made
        raise
    except OSError as error:
        raise SiteError(_sentence(error, target, output)) from error
    return written


def state(output: Path) -> list[FileState]:
    """What tells whether somebody has changed the site in `output`.

    For each file its path, mode, size and times (ns) of modification and of its last
    change of any kind; of folders and links there are but path and mode.  Nothing where
    there is no site.
    """
    target = os.path.realpath(output)
    found: list[FileState] = []
    for folder, folders, names in os.walk(target):
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                told = os.lstat(path)
                times = (told.st_size, told.st_mtime_ns, told.st_ctime_ns)
                where = os.path.relpath(path, target)
                regular = stat.S_ISREG(told.st_mode)
                found.append((where, told.st_mode, *(times if regular else (0, 0, 0))))
    return sorted(found)


def content(output: Path, path: str) -> bytes | None:
    """What the file `path` of the site in `output` holds, or None where it is not there."""
    try:
        return (output / check(path)).read_bytes()
    except (OSError, SiteError):
        return None


def put(files: Iterable[tuple[str, bytes]], folder: Path) -> Written:
    """Write `files` (path with `/`, content) into `folder`, beside what is there.

    Each file is put in place by renaming, so that it is the old or the new one; one
    with the content that it had before stays untouched.  Raises `SiteError`, also
    where a link in `folder` leads out of it.
    """
    count = changed = size = 0
    try:
        for path, content in files:
            place = folder / check(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.parent.resolve().is_relative_to(folder.resolve()):
                raise SiteError(f"{place.parent} leads out of {folder}: remove that link.")
            count, size = count + 1, size + len(content)
            changed += _put(place, content)
    except OSError as error:
        raise SiteError(_sentence(error, folder, folder)) from error
    return Written(count, changed, size)


def _put(place: Path, content: bytes) -> bool:
    """Make `place` a file with `content`; whether it was not before."""
    new = place.with_name(f"{place.name}{NEW}")
    same = place.is_file() and not place.is_symlink() and place.read_bytes() == content
    if same and not new.is_file():
        return False
    if place.is_file() and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
    with locked(new):  # what a killed process left there is written anew
        if not same:
            new.write_bytes(content)
            _keep_mode(place, new)
            with new.open("rb") as written:
                os.fsync(written.fileno())
            new.replace(place)
    return not same


def check(path: str) -> str:
    """`path` itself, where file systems and web servers take it; else `SiteError`.

    Names of Windows' devices ("con") pass: only there, and only old ones, are they odd.
    """
    parts = path.split("/")
    if not path or path.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise SiteError(f"{path!r} is not a path below the site's folder.")
    if len(path.encode("utf-8", "replace")) > LONGEST_PATH:
        raise SiteError(f"{path!r} is longer than {LONGEST_PATH} bytes.")
    for part in parts:
        if REFUSED.search(part) or part[-1] in ". " or part[0] == " ":
            raise SiteError(f"{path!r} holds a name that some file systems refuse: {part!r}.")
        if len(part.encode("utf-8", "replace")) > LONGEST_PART:
            raise SiteError(f"{path!r} holds a name of more than {LONGEST_PART} bytes.")
    return path


def _check_ours(folder: Path, output: Path) -> None:
    """Raise `SiteError` where `folder`, which the user calls `output`, is not ours to remove."""
    if told := objection(folder, output):
        raise SiteError(told)


def _build(files: Iterable[tuple[str, bytes]], new: Path, target: Path) -> Written:
    """Write `files` into the folder `new`; times of unchanged ones are those in `target`."""
    _keep_mode(target, new, stat.S_IRWXU)  # files of a shared folder get its group
    names = _Names()
    folders = {""}
    count = changed = size = 0
    for path, content in files:
        names.add(check(path))
        parent = path.rpartition("/")[0]
        if parent not in folders:
            (new / parent).mkdir(parents=True, exist_ok=True)
            folders.add(parent)
        (new / path).write_bytes(content)
        count, size = count + 1, size + len(content)
        changed += not _keep_time(target / path, new / path, content)
    marker = listed(names.paths())
    (new / MARKER).write_bytes(marker)
    _keep_time(target / MARKER, new / MARKER, marker)
    _keep_mode(target, new)
    return Written(count, changed, size)


class _Names:
    """The names taken so far, as a file system sees them that ignores case."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {MARKER: MARKER}
        self._folders: dict[str, str] = {}

    def paths(self) -> list[str]:
        """The files taken, without the marker."""
        return [path for path in self._files.values() if path != MARKER]

    def add(self, path: str) -> None:
        """Take `path`; raises `SiteError` where another file is in its way."""
        folder = ""
        for part in path.split("/")[:-1]:
            folder = f"{folder}/{part}".lstrip("/")
            known = self._folders.setdefault(folder.casefold(), folder)
            if known != folder:
                raise SiteError(f"two folders differ only in case: {known!r} and {folder!r}.")
            if folder.casefold() in self._files:
                raise SiteError(f"{folder!r} is a file and also a folder for {path!r}.")
        key = path.casefold()
        if key in self._folders:
            raise SiteError(f"{path!r} is a file and also a folder.")
        known = self._files.setdefault(key, "")
        if known == path:
            raise SiteError(f"two pages want the same file: {path!r}.")
        if known:
            raise SiteError(f"two files differ only in case: {known!r} and {path!r}.")
        self._files[key] = path


def _keep_mode(before: Path, now: Path, also: int = 0) -> None:
    """Give `now` what `before` has of mode, group and access, as far as one may.

    `also` are bits of the mode beside those.
    """
    if not before.exists():
        return
    state = before.stat()
    with contextlib.suppress(OSError):
        shutil.chown(now, group=state.st_gid)
    if sys.platform == "linux":  # access lists, and the label that a web server may ask for
        with contextlib.suppress(OSError):
            for name in os.listxattr(before):
                os.setxattr(now, name, os.getxattr(before, name))
    with contextlib.suppress(OSError):
        now.chmod(stat.S_IMODE(state.st_mode) | also)


def _keep_time(before: Path, now: Path, content: bytes) -> bool:
    """Give `now` the time of `before` where their content is the same; tell whether."""
    try:
        state = before.stat()
        if state.st_size != len(content) or before.read_bytes() != content:
            return False
    except OSError:
        return False
    os.utime(now, ns=(state.st_atime_ns, state.st_mtime_ns))
    return True


def _sentence(error: OSError, target: Path, output: Path) -> str:
    """What to tell of `error`, and what to do; the user calls `target` the `output`."""
    place = _place(error, target, output)
    match error.errno:
        case errno.EWOULDBLOCK:
            return f"another build writes {output}: wait for its end, or choose another folder."
        case errno.ENOSPC | errno.EDQUOT:
            rest = "; the old site is as it was" if (target / MARKER).is_file() else ""
            return f"the disk is full, cannot write {place}: make room{rest}."
        case errno.EACCES | errno.EPERM if place == output and os.access(target, os.W_OK | os.X_OK):
            return (
                f"no permission to write in {target.parent}, where the next {target.name} is "
                f"put together: make it writable, or choose a folder inside {output}."
            )
        case errno.EACCES | errno.EPERM if place == output:
            return f"no permission to write {place}: choose a folder of yours."
        case errno.EACCES | errno.EPERM:
            return f"no permission to write {place}: make it writable, or choose another folder."
        case errno.EROFS:
            return f"cannot write {place}, the file system is read-only: choose another folder."
        case errno.ENAMETOOLONG:
            return f"the name of {output} is too long for its file system: choose a shorter one."
        case errno.EEXIST | errno.ENOTDIR:
            return f"cannot write {place}, a file is where a folder must be: choose another folder."
        case errno.EBUSY:
            return f"cannot replace {output}, a mount point: choose a folder inside it."
        case errno.EXDEV:
            return (
                f"cannot replace {output}, which is a mount point or a folder of an image "
                "below a container: choose a folder inside it, or a new one."
            )
        case _:
            return f"cannot write {place}: {error.strerror or error}."


def _place(error: OSError, target: Path, output: Path) -> Path:
    """What of `output`, which is `target`, the `error` is about.

    The files beside it are no concern of users.
    """
    if isinstance(error.filename, str) and Path(error.filename).is_relative_to(target):
        return output / Path(error.filename.removesuffix(NEW)).relative_to(target)
    return output
