"""Write a site: whole, into a folder of its own, replaced in one step.

    public              the site; its marker `.dconv` lists its files
    public.dconv-lock   exists and is locked while a build writes
    public.dconv-new    the new site while it is written, then the old one until it is removed
    public.dconv-old    the old site for a moment, on systems that cannot exchange two folders

A reader sees the old site or the new one.  The next build removes what a killed build left.
A folder that holds other files than those of the marker is never replaced.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import BinaryIO, TypeAlias

from dconv.build.signals import signals_blocked
from dconv.model.diagnostics import UserError, reason
from dconv.model.values import dataclass
from dconv.writers.archive import gzipped
from dconv.writers.site_files import SiteFile

MARKER = ".dconv"
MARKER_START = "Written by dconv:"  # later releases may change the rest of the line
MARKER_LINE = f"{MARKER_START} the next build replaces these files, and refuses others."
LOCK, NEW, OLD = ".dconv-lock", ".dconv-new", ".dconv-old"  # suffixes of the folder's name
# not allowed in names: control characters, and what Windows refuses: 'a:b'
FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
AT_FDCWD, RENAME_EXCHANGE = -100, 2  # of renameat2(2)
# the kernel or the file system has no such call
UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK)
# files that browsers and programs request as text; images and objects.inv are compressed already
COMPRESSIBLE = (".html", ".css", ".js", ".json", ".svg", ".txt", ".xml")

# path, mode, size, and time of the last modification (nanoseconds)
FileState: TypeAlias = "tuple[str, int, int, int]"


class SiteError(UserError):
    """A site cannot be written; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The numbers of files and of changed files, and their size; `state` is that of a site."""

    file_count: int
    changed_count: int
    size: int  # bytes
    state: tuple[FileState, ...] = field(default=(), repr=False, compare=False)


def write_site(files: Iterable[SiteFile], output: Path) -> WriteResult:
    """Replace the folder `output` by one that holds `files` and nothing else.

    An unchanged file keeps its modification time.  Raises `SiteError` for a folder that must not
    or cannot be replaced, and while another build writes there; the folder then stays as it was.
    """
    target = Path(os.path.realpath(output))
    if not target.name:
        raise SiteError(f"{output} is the root of the file system: choose a folder below it")
    new = target.with_name(f"{target.name}{NEW}")
    try:
        with _locked(target, output), _removing(new):
            _remove_leftovers(target, new)
            check_replaceable(target, output)
            new.mkdir()
            written = _write_new_site(new, files, target)
            check_replaceable(target, output)  # files may have appeared during the build
            _exchange(new, target)
    except BrokenPipeError:  # the standard output is closed
        raise
    except OSError as error:
        raise SiteError(_error_message(error, target, output)) from error
    return written


def write_files(files: Iterable[SiteFile], folder: Path) -> WriteResult:
    """Write `files` into `folder`, beside the files that are there.

    Each file is replaced by renaming, so that it is the old or the new one; an unchanged file
    is not touched.  A pipe or a device is written to.  Raises `SiteError`.
    """
    count = changed = size = 0
    try:
        for path, content in files:
            file_path = folder / check_path(path)
            file_path.parent.mkdir(parents=True, exist_ok=True)
            count, size = count + 1, size + len(content)
            changed += _write_file(file_path, content)
    except OSError as error:
        raise SiteError(_error_message(error, folder, folder)) from error
    return WriteResult(count, changed, size)


def folder_state(output: Path) -> list[FileState]:
    """What changes when somebody changes the site in `output`; empty if there is no site.

    Of folders and links only path and mode count.
    """
    target = os.path.realpath(output)
    states: list[FileState] = []
    folders = [""]
    while folders:
        folder = folders.pop()
        with contextlib.suppress(OSError), os.scandir(os.path.join(target, folder)) as scan:
            for entry in scan:
                status = entry.stat(follow_symlinks=False)
                path = f"{folder}{entry.name}"
                is_regular = stat.S_ISREG(status.st_mode)
                content = (status.st_size, status.st_mtime_ns) if is_regular else (0, 0)
                states.append((path, status.st_mode, *content))
                if stat.S_ISDIR(status.st_mode):
                    folders.append(f"{path}/")
    return sorted(states)


def read_file(output: Path, path: str) -> bytes | None:
    """The content of the file `path` of the site in `output`, or None if there is no such file."""
    try:
        return (output / check_path(path)).read_bytes()
    except (OSError, SiteError):
        return None


def with_gzip(files: Iterable[SiteFile]) -> Generator[SiteFile, None, None]:
    """`files`, each text followed by its gzipped copy (`.gz`) if that is smaller."""
    for path, content in files:
        yield path, content
        if path.endswith(COMPRESSIBLE):
            copy = gzipped(content)
            if len(copy) < len(content):
                yield f"{path}.gz", copy


# --- names ----------------------------------------------------------------------------


def check_path(path: str) -> str:
    """`path` itself if all file systems and web servers accept it; else raises `SiteError`."""
    parts = path.split("/")
    if not path or path.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise SiteError(f"{path!r} is not a path below the site's folder")
    for part in parts:
        if FORBIDDEN.search(part) or part[-1] in ". ":
            raise SiteError(f"{path!r} holds a name that some file systems refuse: {part!r}")
    return path


def _reserve_name(path: str, names: dict[str, str]) -> None:
    """Add the file `path` and its folders to `names`, by their names without case.

    Raises `SiteError` if another name is in the way, also where a file system ignores case.
    """
    parts = path.split("/")
    for end in range(1, len(parts)):
        folder = "/".join(parts[:end])
        other = names.setdefault(folder.casefold(), f"{folder}/")
        if other != f"{folder}/":
            raise SiteError(f"{path!r} and {other!r} need the same name: rename one of them")
    other = names.setdefault(path.casefold(), "")
    if other:
        raise SiteError(f"{path!r} and {other!r} need the same name: rename one of them")
    names[path.casefold()] = path


# --- what may be replaced ---------------------------------------------------------------


def check_replaceable(target: Path, output: Path) -> None:
    """Raise `SiteError` if `target`, the real path of `output`, must not be replaced.

    Raises `OSError`, with the folder that it is about, if the system would not allow it.
    """
    with contextlib.suppress(FileNotFoundError):  # the working folder was removed
        if Path.cwd().is_relative_to(target):
            raise SiteError(
                f"you are in {target}, which a build replaces as a whole: go to another "
                "folder first, or choose one inside it"
            )
    if not target.exists():
        return
    if not target.is_dir():
        raise SiteError(f"{output} is a file, not a folder")
    if os.path.ismount(target):
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(target))
    if foreign := next(_unlisted_files(target), ""):
        raise SiteError(
            f"{output} holds files that dconv did not write, such as {foreign}: "
            "choose an empty or a new folder"
        )


def _unlisted_files(target: Path) -> Iterator[str]:
    """Everything in `target` that the marker does not list, sorted; folders end in "/".

    Raises `OSError` for a folder that must not be written, since its files could not be removed.
    """
    files = _read_marker(target)
    folders = {""}
    for path in files:
        while (path := path.rpartition("/")[0]) not in folders:
            folders.add(path)
    queue = [""]
    while queue:
        folder = queue.pop()
        if not os.access(target / folder, os.R_OK | os.W_OK | os.X_OK):
            raise _no_permission(target / folder)
        with os.scandir(target / folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if path in folders and entry.is_dir(follow_symlinks=False):
                queue.append(path)
            elif path not in files or not entry.is_file(follow_symlinks=False):
                yield f"{path}/" if entry.is_dir(follow_symlinks=False) else path


def _read_marker(target: Path) -> frozenset[str]:
    """The marker of `target` and the files that it lists; empty without a marker."""
    try:
        first, *paths = (target / MARKER).read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return frozenset()
    return frozenset((MARKER, *paths)) if first.startswith(MARKER_START) else frozenset()


def _no_permission(path: Path) -> PermissionError:
    return PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


# --- writing --------------------------------------------------------------------------


def _write_new_site(new: Path, files: Iterable[SiteFile], target: Path) -> WriteResult:
    """Write `files` into `new`; unchanged ones are links into `target`, or get its times."""
    _copy_mode(target, new)  # now, so that the files get the folder's group
    (new / MARKER).touch()
    access = _access(os.lstat(new / MARKER))
    names = {MARKER: MARKER}
    count = changed = size = 0
    for path, content in files:
        _reserve_name(check_path(path), names)
        file_path = new / path
        file_path.parent.mkdir(parents=True, exist_ok=True)
        count, size = count + 1, size + len(content)
        changed += _write_or_link(file_path, content, target / path, access)
    paths = sorted(path for path in names.values() if path != MARKER and path[-1] != "/")
    marker = "".join(f"{line}\n" for line in (MARKER_LINE, *paths)).encode()
    (new / MARKER).write_bytes(marker)
    if status := _status_if_same(target / MARKER, marker):
        _copy_time(status, new / MARKER)
    return WriteResult(count, changed, size, tuple(folder_state(new)))


def _write_or_link(new: Path, content: bytes, old: Path, access: tuple[int, int, int]) -> bool:
    """Make the file `new` with `content`; returns whether `old` has another content.

    An `old` file with the same content, mode and owner (`access`) is linked, which is much faster
    than to write it, and safe, since no site is changed in place.
    """
    status = _status_if_same(old, content)
    if status and _access(status) == access:
        with contextlib.suppress(OSError):  # not all file systems have links
            os.link(old, new)
            return False
    new.write_bytes(content)
    if status:
        _copy_time(status, new)
    return status is None


def _status_if_same(path: Path, content: bytes) -> os.stat_result | None:
    """The status of the regular file at `path` if it has the `content`, else None."""
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        if (
            stat.S_ISREG(status.st_mode) and status.st_size == len(content)
            and path.read_bytes() == content
        ):
            return status
    return None


def _access(status: os.stat_result) -> tuple[int, int, int]:
    """Mode, owner and group."""
    return status.st_mode, status.st_uid, status.st_gid


def _copy_time(status: os.stat_result, new: Path) -> None:
    """Give `new` the times of `status`."""
    os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))


def _write_file(path: Path, content: bytes) -> bool:
    """Write the single file `path`; returns whether its content changed."""
    if path.exists() and not path.is_file() and not path.is_dir():  # a pipe, a device
        path.write_bytes(content)
        return True
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return False
    if path.is_file() and not os.access(path, os.W_OK):
        raise _no_permission(path)
    new = path.with_name(f"{path.name}{NEW}")
    with _removing(new):
        new.unlink(missing_ok=True)
        with new.open("xb") as file:
            _copy_mode(path, new)
            file.write(content)
        new.replace(path)
    return True


def _copy_mode(old: Path, new: Path) -> None:
    """Give `new` the group, mode and access list of `old`, as far as the system allows it."""
    with contextlib.suppress(OSError):
        shutil.chown(new, group=old.stat().st_gid)
    with contextlib.suppress(OSError):
        shutil.copystat(old, new)


# --- replacing ------------------------------------------------------------------------


@contextmanager
def _removing(path: Path) -> Iterator[None]:
    """Remove `path`, a file or a folder, at the end, even if a signal interrupts the removal."""
    def remove() -> None:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()

    try:
        yield
    finally:
        try:
            remove()
        except BaseException:
            remove()
            raise


@contextmanager
def _locked(target: Path, output: Path) -> Iterator[None]:
    """Hold the lock of `target`; raises `SiteError` while another process holds it.

    The lock belongs to this process alone, so it ends with it, even if its children go on.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    path = target.with_name(f"{target.name}{LOCK}")
    lock = None
    try:
        with signals_blocked():  # else one could leave the file before `lock` is set
            lock = _open_locked(path, output)
        yield
    finally:
        if lock is not None:
            with contextlib.suppress(OSError):
                path.unlink()
            lock.close()


def _open_locked(path: Path, output: Path) -> BinaryIO:
    """The open and locked file `path`; raises `SiteError` while another process holds it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(open(handle, "wb"))
            _lock(handle, output)
            if _is_current(path, handle):  # else the last holder has just removed it
                stack.pop_all()
                return file


def _is_current(path: Path, handle: int) -> bool:
    """Whether `handle` is the file that is at `path` now."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _lock(handle: int, output: Path) -> None:
    """Lock an open file if the system has locks; raises `SiteError` if it is locked."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise SiteError(
                f"another build is writing {output}: wait until it ends, or choose another folder"
            ) from error


def _remove_leftovers(target: Path, new: Path) -> None:
    """Put back or remove what a killed build left."""
    old = target.with_name(f"{target.name}{OLD}")
    if old.is_dir() and not target.exists():
        old.rename(target)
    for folder in (old, new):
        if folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder)


def _exchange(new: Path, target: Path) -> None:
    """Put `new` in the place of `target`; the old folder is then at `new`, or gone."""
    if not target.exists():
        new.rename(target)
        return
    import ctypes  # takes long to import

    libc = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None
    if call := getattr(libc, "renameat2", None):  # since glibc 2.28
        paths = [ctypes.c_char_p(os.fsencode(path)) for path in (new, target)]
        if not call(AT_FDCWD, paths[0], AT_FDCWD, paths[1], ctypes.c_uint(RENAME_EXCHANGE)):
            return
        error_number = ctypes.get_errno()
        if error_number not in UNSUPPORTED:
            raise OSError(error_number, os.strerror(error_number), str(target))
    old = target.with_name(f"{target.name}{OLD}")
    target.rename(old)
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


# --- errors ---------------------------------------------------------------------------


def _error_message(error: OSError, target: Path, output: Path) -> str:
    """A sentence about `error` with a remedy; the user calls `target` the `output`."""
    file = output
    if isinstance(error.filename, str):  # users need not know of the new folder
        path = Path(error.filename.replace(NEW, ""))
        if path.is_relative_to(target):
            file = output / path.relative_to(target)
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            rest = "; the old site is unchanged" if (target / MARKER).is_file() else ""
            return f"the disk is full, cannot write {file}: make room{rest}"
        case errno.EACCES | errno.EPERM if file == output and os.access(target, os.W_OK | os.X_OK):
            return (
                f"no permission to write in {target.parent}, where dconv writes the next "
                f"{target.name}: make it writable, or choose a folder inside {output}"
            )
        case errno.EACCES | errno.EPERM:
            return f"no permission to write {file}: make it writable, or choose another folder"
        case errno.EROFS:
            return f"cannot write {file}, the file system is read-only: choose another folder"
        case errno.ENAMETOOLONG:
            return f"the name of {file} is too long for its file system: choose a shorter one"
        case errno.EEXIST | errno.ENOTDIR:
            return f"cannot write {file}, a file is where a folder must be: choose another folder"
        case errno.EBUSY:
            return f"cannot replace {output}, a mount point: choose a folder inside it"
        case errno.EXDEV:
            return (
                f"cannot replace {output}, which is a mount point or a folder of an image "
                "below a container: choose a folder inside it, or a new one"
            )
        case _:
            return f"cannot write {file}: {reason(error)}"
