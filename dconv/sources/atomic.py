"""A folder replaced as a whole: by one build at a time, old or new at every instant.

    public                  the folder
    public.dconv-lock       locked by the build that writes (flock(2)), gone afterwards
    public.dconv-new-4711   what the process 4711 builds
    public.dconv-old        for an instant, where folders cannot be exchanged in one step

What a build that was killed leaves behind, the next one takes away: folders of exactly
these names, and nothing else beside the folder.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import itertools
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK, NEW, OLD = ".dconv-lock", ".dconv-new", ".dconv-old"  # what is added to the folder's name
# of renameat2(2): paths are absolute; the two files change places
AT_FDCWD, RENAME_EXCHANGE = -100, 2
# what systems, and what file systems, say that have no such call, and no locks
NO_EXCHANGE = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)
NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP)


def _any(_folder: Path) -> None:
    """Let any folder go."""


@contextmanager
def replacing(target: Path, last: Callable[[Path], None] = _any) -> Iterator[Path]:
    """A new folder to fill, which takes the place of `target` where the block ends well.

    `last` is given the old folder, when it is not at `target` any more, and raises where it
    may not be removed.  Raises `BlockingIOError` where another build does so now, and
    `OSError`; in each case, as where the block raises, `target` is as it was.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    old = target.with_name(f"{target.name}{OLD}")
    with locked(target.with_name(f"{target.name}{LOCK}"), apart=True) as alone:
        if alone:
            _clear(target, old)
        new = _made(target)
        try:
            _check_movable(target, new)
            yield new
            _put(new, target, old, last)
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _made(target: Path) -> Path:
    """A new folder beside `target`; in containers all builds may be process 1."""
    for number in itertools.count(os.getpid()):
        new = target.with_name(f"{target.name}{NEW}-{number}")
        with contextlib.suppress(FileExistsError):
            new.mkdir()
            return new
    raise AssertionError("numbers have no end")


def _check_movable(target: Path, new: Path) -> None:
    """Raise `OSError` where `target` lies in a lower layer (overlayfs), as folders of images do.

    Such a folder cannot be renamed, and one would know it only when all is built.  The
    system says so before it says that a folder with something in it is not replaced:
    rename(2) onto `new` always fails here.
    """
    if not target.exists():
        return
    (new / "something").mkdir()
    try:
        target.rename(new)
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise
    finally:
        (new / "something").rmdir()


def sync(folder: Path) -> None:
    """Wait until all of `folder` is on the disk; raises `OSError` where it does not get there.

    Linux writes one file system (syncfs(2), which tells what went wrong), others all.
    """
    linux = sys.platform.startswith("linux")
    call = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None) if linux else None
    if call is None:
        if hasattr(os, "sync"):
            os.sync()
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        if call(handle):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(folder))
    finally:
        os.close(handle)


@contextmanager
def locked(path: Path, apart: bool = False) -> Iterator[bool]:
    """Hold the lock file `path`; false where there are no locks to be had.

    Processes that are forked meanwhile let it go where they go on by themselves (`apart`).

    The file is gone afterwards, or may be renamed.  Raises `BlockingIOError` where
    another holds it, and `OSError`.
    """
    handle = _open(path)
    held = [handle]

    def let_go() -> None:
        for one in held:
            os.close(one)

    if apart and hasattr(os, "register_at_fork"):  # else a worker that outlives us holds the lock
        os.register_at_fork(after_in_child=let_go)
    try:
        yield _lock(handle)
    finally:
        with contextlib.suppress(OSError):
            if _is_at(handle, path):  # and not, after it was renamed, another one's
                path.unlink()
        held.clear()
        os.close(handle)


def _open(path: Path) -> int:
    """The lock file, locked: not one that its last holder has just removed."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        try:
            _lock(handle)
            if _is_at(handle, path):
                return handle
        except OSError:
            os.close(handle)
            raise
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _lock(handle: int) -> bool:
    """Lock an open file, once or again; false where that cannot be done here."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        return False
    return True


def _clear(target: Path, old: Path) -> None:
    """Put right what builds left that were killed."""
    if old.is_dir() and not target.exists():
        old.rename(target)
    left = re.compile(re.escape(f"{target.name}{NEW}-") + "[0-9]+")
    for rest in target.parent.iterdir():
        if (rest == old or left.fullmatch(rest.name)) and not rest.is_symlink():
            shutil.rmtree(rest, ignore_errors=True)  # what stays is in nobody's way


def _put(new: Path, target: Path, old: Path, last: Callable[[Path], None]) -> None:
    """`new` in the place of `target`, whose folder is then at `new`, or gone."""
    if not target.exists():
        new.rename(target)
    elif _exchanged(new, target):
        try:
            last(new)
        except BaseException:
            _exchanged(new, target)
            raise
    else:
        target.rename(old)
        try:
            last(old)
            new.rename(target)
        except BaseException:
            old.rename(target)
            raise
        shutil.rmtree(old, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; false where the system has no such step."""
    if not sys.platform.startswith("linux"):
        return False
    exchange = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)  # glibc 2.28
    if exchange is None:
        return False
    paths = [ctypes.c_char_p(os.fsencode(path)) for path in (one, other)]
    if not exchange(AT_FDCWD, paths[0], AT_FDCWD, paths[1], ctypes.c_uint(RENAME_EXCHANGE)):
        return True
    number = ctypes.get_errno()
    if number not in NO_EXCHANGE:
        raise OSError(number, os.strerror(number), str(other))
    return False
