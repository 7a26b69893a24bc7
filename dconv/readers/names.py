"""What readers share about names: the longest one, web addresses, which of several is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.values import dataclass

MAX_NAME_LENGTH = 60  # characters
# "https://example.org/a" in a text, without the punctuation after it
WEB_ADDRESS = re.compile(r"\bhttps?://[\w\[][^\s<>\"'`⟨⟩“”‘’]*[\w/=&#~%+-]")
# "SIGHUP"
SIGNAL = re.compile(r"SIG[A-Z0-9]{2,8}")


@dataclass(frozen=True, slots=True)
class KindAndNames:
    """What a term or a heading names: a thing of `kind` with its names, the best first."""

    kind: str
    names: tuple[str, ...]


def name_order(name: str) -> int:
    """A sort key of the names of a signature: long options first, short ones last."""
    if not name.startswith(("-", "+")):
        return 0
    return 0 if name.startswith("--") else 1 if len(name) > 2 else 2


# --- titles ---------------------------------------------------------------------------


# the first that matches wins: "Configuration files" are files; what is below "Options" and has
# no dash is a setting
KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("status", re.compile(r"\bexit (?:status|codes?|values?)\b|\breturn codes?\b", re.IGNORECASE)),
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
MIN_NAMES = 3  # titles that are names: "closeTimeout", "port"; fewer may be chance
MIN_SHARE = 0.6  # of the titles in one section
MIN_TECHNICAL_SHARE = 0.25  # of the names, where other words may be names too
# a word that is no English one: "vm.max_map_count", "closeTimeout", "--all"
TECHNICAL_WORD = re.compile(r"(?=.*\w[_\d./-]\w|.*[a-z][A-Z]|--?\w|.*\w_)[\w$/.-][\w./:*-]*")
WORD = re.compile(r"[a-z][a-z\d]+")
CAPITALIZED = re.compile(r"[A-Z][A-Za-z\d]+")
# titles that say something about all of the others
GENERAL_TITLES = frozenset((
    "background", "caveats", "compatibility", "configuration", "contents", "description",
    "example", "examples", "history", "installation", "introduction", "notes", "options",
    "overview", "parameters", "purpose", "references", "summary", "synopsis", "usage",
))  # fmt: skip


def kind_of_title(title: str) -> str:
    """The kind of the entries below the `title` of a section, empty if it says none.

    Manual pages have conventions of their own (`man/names.py`): an option there starts with a dash,
    whatever the title.
    """
    return next((kind for kind, words in KINDS if words.search(title)), "")


def names_of_titles(titles: Sequence[str], title: str) -> list[str]:
    """Those of `titles`, which are below `title`, that are names; the others are empty.

    All are empty if too few look like names.
    """
    patterns = [TECHNICAL_WORD, WORD]
    has_kind = kind_of_title(title) != ""
    if has_kind:
        patterns.append(CAPITALIZED)
    names = [
        text if text.casefold() not in GENERAL_TITLES
        and any(pattern.fullmatch(text) for pattern in patterns) else ""
        for text in titles
    ]
    count = sum(map(bool, names))
    technical_count = sum(TECHNICAL_WORD.fullmatch(name) is not None for name in names)
    if count < max(MIN_NAMES, MIN_SHARE * len(titles)) or (
        technical_count < count * (MIN_TECHNICAL_SHARE if has_kind else 1 / 2)
    ):
        return [""] * len(titles)
    return names
