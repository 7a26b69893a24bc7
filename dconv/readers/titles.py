"""Titles of sections that are the names of what the sections document: "closeTimeout", "port".

They are names if enough of the titles beside each other look like some.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.readers.kinds import kind_of_title

MIN_NAMES = 3  # fewer may be chance
MIN_SHARE = 0.6  # of the titles beside each other
MIN_TECHNICAL_SHARE = 0.25  # of the names, where other words may be names too
# a word that is no English one: "vm.max_map_count", "closeTimeout", "--all"
TECHNICAL_WORD = re.compile(r"(?=.*\w[_\d./-]\w|.*[a-z][A-Z]|--?\w|.*\w_)[\w$/.-][\w./:*-]*")
WORD = re.compile(r"[a-z][a-z\d]+")
CAPITALISED = re.compile(r"[A-Z][A-Za-z\d]+")
# titles that say something about all of the others
GENERAL_TITLES = frozenset((
    "background", "caveats", "compatibility", "configuration", "contents", "description",
    "example", "examples", "history", "installation", "introduction", "notes", "options",
    "overview", "parameters", "purpose", "references", "summary", "synopsis", "usage",
))  # fmt: skip


def names_of_titles(titles: Sequence[str], title: str) -> list[str]:
    """The name that each of `titles`, which are below `title`, is; empty for those that are none.

    All are empty if too few look like names.
    """
    patterns = [TECHNICAL_WORD, WORD]
    has_kind = kind_of_title(title) != ""
    if has_kind:
        patterns.append(CAPITALISED)
    names = [
        text if text.casefold() not in GENERAL_TITLES
        and any(pattern.fullmatch(text) for pattern in patterns) else ""
        for text in titles
    ]
    count = sum(map(bool, names))
    technical = sum(TECHNICAL_WORD.fullmatch(name) is not None for name in names)
    if count < max(MIN_NAMES, MIN_SHARE * len(titles)) or (
        technical < count * (MIN_TECHNICAL_SHARE if has_kind else 1 / 2)
    ):
        return [""] * len(titles)
    return names
