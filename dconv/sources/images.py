"""The images that a text of a folder names: files of the folders that were given."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from dconv.model.images import image_name, image_path
from dconv.sources.regular_file import read_regular_file

MAX_SIZE = 16 * 1024 * 1024  # bytes of an image
WORD = re.compile(rb"[\w.@+~%/-]+")  # "img/rise.png" of '![rise](img/rise.png "Rise")'
# what an image begins with, by the ending of its name
MAGIC_NUMBERS = {
    b".png": b"\x89PNG\r\n\x1a\n", b".jpg": b"\xff\xd8\xff", b".jpeg": b"\xff\xd8\xff",
    b".gif": b"GIF8", b".webp": b"RIFF", b".svg": b"<",
}
ENDING = re.compile(b"|".join(map(re.escape, MAGIC_NUMBERS)), re.IGNORECASE)
BLANKS = b"\xef\xbb\xbf \t\r\n"
# what an SVG may not hold: scripts, and what loads something else: "<script>", "onload="
ACTIVE = re.compile(
    rb"<(?:\w+:)?(?:script|foreignobject|iframe|embed|object|handler)\b|\son[a-z]+\s*="
    rb"|javascript:|<!entity|&#|url\(\s*[\"']?\s*(?:https?:|//)"
    rb"|(?:href|src)\s*=\s*[\"']?\s*(?:https?:|//|data:text)|@import",
    re.IGNORECASE,
)


def images(content: bytes, folder: Path, *roots: Path) -> tuple[tuple[str, bytes], ...]:
    """The images that the text `content` in `folder` names, each with its name and its bytes.

    They are in one of the `roots` or, without any, in `folder`; a name that starts with a slash is
    below the first.  Others than PNG, JPEG, GIF, WebP and SVG without scripts are left out, as are
    large ones and what cannot be read.
    """
    # looking at each word of a text takes long, and few lines have such names
    words = {
        word
        for line in _lines_with_ending(content) for word in WORD.findall(line) if _ending(word)
    }
    images: dict[str, bytes] = {}
    roots = roots or (folder,)
    real_roots = [root.resolve() for root in roots]
    for word in sorted(words):
        file, name = image_path(os.fsdecode(word)), image_name(os.fsdecode(word))
        if not name or name in images:
            continue
        try:
            path = (roots[0] / file.lstrip("/") if file[0] == "/" else folder / file).resolve()
            if not any(path.is_relative_to(root) for root in real_roots):
                continue
            image = read_regular_file(path, MAX_SIZE)
        except (OSError, RuntimeError, ValueError):  # RuntimeError: links in a circle
            continue
        if _is_image(image, _ending(word)):
            images[name] = image
    return tuple(images.items())


def _lines_with_ending(content: bytes) -> Iterator[bytes]:
    """The lines of `content` that hold the ending of an image's name."""
    end = 0
    while match := ENDING.search(content, end):
        end = content.find(b"\n", match.end())
        if end < 0:
            end = len(content)
        yield content[content.rfind(b"\n", 0, match.start()) + 1 : end]


def _ending(word: bytes) -> bytes:
    """The ending of `word` if it is that of an image, else nothing."""
    lowered = word.lower()
    return next((ending for ending in MAGIC_NUMBERS if lowered.endswith(ending)), b"")


def _is_image(content: bytes, ending: bytes) -> bool:
    start = content.lstrip(BLANKS) if ending == b".svg" else content
    return start.startswith(MAGIC_NUMBERS[ending]) and (
        ending != b".svg" or (b"<svg" in content and not ACTIVE.search(content))
    )
