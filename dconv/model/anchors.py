"""Anchors made of names, not positions, so that links survive new releases."""

from __future__ import annotations

import re

# Characters that must be escaped in a fragment, and the brackets of arguments.
UNSAFE = re.compile(r"[<>\"'`{}|\\^\[\]#%&]+")
SPACES = re.compile(r"\s+")
# a name's arguments: "word(<index>,<delimiters>)"
ARGUMENTS = re.compile(r"\(.*$", re.DOTALL)
# names of devices, which no file may have on Windows: "con", "com1.html"
DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
MAX_NAME_LENGTH = 80  # characters of a file's name


def slug(name: str) -> str:
    """`name` as a fragment: blanks become hyphens, characters that do not fit are left out."""
    return SPACES.sub("-", UNSAFE.sub("", name).strip()) or SPACES.sub("-", "".join(
        character if character.isalnum() else f"x{ord(character):x}" for character in name.strip()
    ))


def bare(name: str) -> str:
    """`name` without its arguments in parentheses."""
    return ARGUMENTS.sub("", name).strip() or name


def qualified(kind: str, name: str) -> str:
    """The anchor of `name` as a thing of `kind`: `server-option.maxconn`."""
    return f"{slug(kind.casefold())}.{slug(name)}"
