"""Whether a folder is ours to replace: a site lists its files in a marker, and nothing else counts.

Links, folders without a file of ours and all that is neither file nor folder are
somebody's: a site has none of them.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

MARKER = ".dconv"
MARKER_TEXT = "Written by dconv: the next build replaces these files, and refuses others."
BEGIN = "Written by dconv:"  # whatever a later release says behind it
READ_ONLY = getattr(os, "ST_RDONLY", 1)  # of statvfs(2)


def listed(paths: list[str]) -> bytes:
    """The content of the marker of a site that holds `paths` beside it."""
    lines = "\n".join([MARKER_TEXT, *sorted(paths)])
    return f"{lines}\n".encode()


def objection(target: Path, output: Path) -> str:
    """Why `target`, a real path, may not be replaced, as a sentence; empty where it may.

    The user calls it `output`.
    Raises `OSError` where the system would not let us, with the file that it is about.
    """
    if target == Path(os.path.realpath(os.path.expanduser("~"))):
        return f"{target} is your home: choose a folder below it."
    if _stands_in(target):
        return (
            f"you are in {target}, which a build replaces as a whole: go to another "
            "folder first, or choose one inside it."
        )
    if target.is_symlink():  # all others are resolved by now
        return f"{target} is a link that leads to itself: remove it."
    if not target.exists():
        return ""
    if not target.is_dir():
        return f"{output} is a file, not a folder."
    if foreign := next(_foreign(target), ""):
        return (
            f"{output} holds files that dconv did not write, such as {foreign}: "
            "choose an empty or a new folder."
        )
    if os.path.ismount(target):
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(target))
    return ""


def _stands_in(target: Path) -> bool:
    """Whether the process, and so the user's shell, stands in `target` or below."""
    try:
        return Path.cwd().is_relative_to(target)
    except OSError:  # it stands in a folder that is gone
        return False


def _foreign(target: Path) -> Iterator[str]:
    """What is in `target` and not ours, in the order of names; folders end in "/".

    Raises `OSError` where something of ours is not to be written.
    """
    files = _ours(target)
    parents = {""}
    for path in files:
        while (path := path.rpartition("/")[0]) not in parents:
            parents.add(path)
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        _writable(f"{target}/{folder}", os.R_OK | os.W_OK | os.X_OK)
        with os.scandir(target / folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if path in files and entry.is_file(follow_symlinks=False):
                _writable(entry.path, os.W_OK)
            elif path in parents and entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            else:
                yield f"{path}/" if entry.is_dir(follow_symlinks=False) else path


def _ours(target: Path) -> frozenset[str]:
    """The files that the marker of `target` lists, and itself; nothing without one."""
    marker = target / MARKER
    try:
        if not stat.S_ISREG(marker.lstat().st_mode):
            return frozenset()
        first, *paths = marker.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return frozenset()
    return frozenset((MARKER, *paths)) if first.startswith(BEGIN) else frozenset()


def _writable(path: str, wanted: int) -> None:
    """Raise what the system would say to who writes `path`, a file or a folder."""
    if not os.access(path, wanted):
        read_only = hasattr(os, "statvfs") and os.statvfs(path).f_flag & READ_ONLY
        number = errno.EROFS if read_only else errno.EACCES
        raise OSError(number, os.strerror(number), path)
