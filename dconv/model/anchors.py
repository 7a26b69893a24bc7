"""Anchors made of names, not positions, so that links survive new releases."""

from __future__ import annotations

import re
from functools import lru_cache

# characters that must be escaped in a fragment, and the brackets of arguments
NOT_IN_ANCHOR = re.compile(r"[<>\"'`{}|\\^\[\]#%&]+")
SPACES = re.compile(r"\s+")
# a name's arguments: "word(<index>,<delimiters>)"
ARGUMENTS = re.compile(r"\(.*$", re.DOTALL)
# names of devices, which no file may have on Windows: "con", "com1.html"
DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
# what GitHub leaves out of the anchor of a heading
NOT_IN_GITHUB_SLUG = re.compile(r"[^\w\- ]")
# characters that a fragment may hold besides letters and digits: RFC 3986, section 3.5
FRAGMENT_CHARACTERS = "/?:@!$&'()*+,;=-._~"
MAX_NAME_LENGTH = 80  # characters of a file's name


@lru_cache(maxsize=1 << 14)
def slug(name: str) -> str:
    """`name` as a fragment: blanks become hyphens, characters that do not fit are left out."""
    return SPACES.sub("-", NOT_IN_ANCHOR.sub("", name).strip()) or SPACES.sub("-", "".join(
        character if character.isalnum() else f"x{ord(character):x}" for character in name.strip()
    ))


def without_arguments(name: str) -> str:
    """`name` without its arguments in parentheses."""
    return ARGUMENTS.sub("", name).strip() or name


def qualified_anchor(kind: str, name: str) -> str:
    """The anchor of `name` as a thing of `kind`: `server-option.maxconn`."""
    return f"{slug(kind.casefold())}.{slug(name)}"


def github_slug(title: str) -> str:
    """The anchor that GitHub gives to a heading: "install-foo-bar"."""
    return NOT_IN_GITHUB_SLUG.sub("", title.strip().casefold()).replace(" ", "-")


class Anchors:
    """The anchors of one document, each used once.

    None starts with a hyphen: those are the ids of the theme's own parts.
    """

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def __contains__(self, candidate: object) -> bool:
        """Whether the anchor `candidate` is in use."""
        return candidate in self._taken

    def unique(self, candidate: str) -> str:
        """`candidate`, or `candidate-2`, `candidate-3`… where it is taken already."""
        anchor = f"x{candidate}" if not candidate or candidate[0] == "-" else candidate
        while anchor in self._taken:
            self._taken[anchor] += 1
            anchor = f"{anchor}-{self._taken[anchor]}"
        self._taken[anchor] = 1
        return anchor
