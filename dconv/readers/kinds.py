"""What kind of entries a section holds, by its title."""

from __future__ import annotations

import re

# the first that matches wins: "Configuration files" are files; what is below "Options" and has
# no dash is a setting
KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("status", re.compile(
        r"\bexit (?:status|codes?|values?)\b|\breturn codes?\b", re.IGNORECASE
    )),
    ("command", re.compile(r"\b(?:sub-?)?commands?\b|\bverbs\b", re.IGNORECASE)),
    ("variable", re.compile(r"\benviron", re.IGNORECASE)),
    ("signal", re.compile(r"\bsignals?\b", re.IGNORECASE)),
    ("file", re.compile(r"\bfiles\b", re.IGNORECASE)),
    ("setting", re.compile(
        r"\b(?:settings?|parameters?|directives?|keywords?|attributes?|propert(?:y|ies)"
        r"|options?|flags?|arguments?|switches|sysctls?|tun(?:able|ing)s?|knobs?)\b|\bconfig",
        re.IGNORECASE,
    )),
    ("variable", re.compile(r"\bvariables?\b", re.IGNORECASE)),
)  # fmt: skip


def kind_of_title(title: str) -> str:
    """The kind of the entries below the `title` of a section, empty if it says none.

    Manual pages have conventions of their own (`man/names.py`): an option there starts with a dash,
    whatever the title.
    """
    return next((kind for kind, words in KINDS if words.search(title)), "")
