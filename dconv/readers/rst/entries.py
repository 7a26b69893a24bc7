"""Which terms of a list define options, settings and the like, by their form and their section."""

from __future__ import annotations

import re

from dconv.readers.rst.names import option_names, split_at_commas

# a name with its value: "subvol=<path>", "-f FILE", "rate[=int]", "errors (read/write)"
NAME_AND_VALUE = re.compile(
    r"(?:\([\w, -]+\))?[/.\w$-][\w./:*+@-]*"
    r"(?:\s?[=\[<({].*|\s+(?:[A-Z][A-Z_\d.|]*|\.\.\.))?"
)
# "ip_forward - BOOLEAN"
NAME_AND_TYPE = re.compile(r"(?P<name>[a-z][\w./*-]*)\s+-\s+[A-Z].*", re.DOTALL)
OPTION = re.compile(r"--?[A-Za-z?]")
# a word that is no English one: it has a digit or another character in it
TECHNICAL_WORD = re.compile(r"\w*[_/.\d=-][\w./=-]*")
WORD = re.compile(r"[a-z][\w.-]*")
MAX_WORDS = 6  # of a term that starts with a literal name


def kind_and_names_of(text: str, is_literal: bool, kind: str) -> tuple[str, tuple[str, ...]] | None:
    """The kind and the names of what the term `text` defines; None if it is no entry.

    `is_literal` says that the term starts with literal or strong words, `kind` is that of the
    section or empty.
    """
    if match := NAME_AND_TYPE.fullmatch(text):
        return "setting", (match["name"],)
    parts = split_at_commas(text)
    are_names = bool(parts) and all(NAME_AND_VALUE.fullmatch(part) for part in parts)
    if not are_names and not (is_literal and kind and len(text.split()) <= MAX_WORDS):
        return None
    if OPTION.match(text):
        return "option", option_names(text)
    if not kind:
        return None
    names = option_names(text)
    if is_literal or all(TECHNICAL_WORD.fullmatch(name) or WORD.fullmatch(name) for name in names):
        return kind, names
    return (kind, names) if kind in ("variable", "signal", "status", "file") else None


def is_name(text: str) -> bool:
    """Whether `text` is one name in small letters: "arp_interval"."""
    return WORD.fullmatch(text) is not None
