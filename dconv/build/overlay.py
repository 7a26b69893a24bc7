"""Pages that a preview shows before they are written, and what readers were given meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256

INDEX = "index.html"
REMEMBERED = 1000  # answers; who asks for more gets pages loaded anew to be sure


@dataclass(slots=True)
class Overlay:
    """`files` (path below the site's folder, content) stand before those of the folder.

    While there are any, `given` has what was answered to each request, as a digest.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    given: dict[str, bytes] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.files)

    def show(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Let `files` stand before the folder, beside those that do already."""
        self.files.update(files)

    def drop(self) -> None:
        """Let the folder alone be shown."""
        self.files = {}

    def file(self, path: str) -> tuple[str, bytes] | None:
        """Name and content of what a request for `path` means here, or None."""
        name = path.lstrip("/") + INDEX * path.endswith("/")
        content = self.files.get(name)
        return None if content is None else (name, content)

    def is_folder(self, path: str) -> bool:
        """Whether `path` is a folder here, asked for without its slash."""
        return f"{path.strip('/')}/{INDEX}" in self.files and not path.endswith("/")

    def note(self, path: str, body: bytes) -> None:
        """Remember that a request for `path` was answered with `body`."""
        if self.files and len(self.given) <= REMEMBERED:
            self.given[path] = sha256(body).digest()

    def differs(self, now: Callable[[str], bytes]) -> bool:
        """Whether anything that was given is not what is given `now`."""
        return len(self.given) > REMEMBERED or any(
            sha256(now(path)).digest() != digest for path, digest in self.given.items()
        )

    def forget(self) -> None:
        """Begin to remember anew: who was given something before asks again."""
        self.given = {}
