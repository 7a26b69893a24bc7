"""A finding about a manual, and its one-line form.

Parsing never fails: what is odd in the input is returned with the result, as a
`Diagnostic`.  The one-line form is that of compilers (GNU coding standards,
section 4.4, "Formatting Error Messages"), so that editors can jump to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal

from dconv.model.values import dataclass

Level = Literal["error", "warning", "note"]

# what `Diagnostic.rule` may be; the user's manual explains each
RULE_NAMES = (
    "control-character", "dead-link", "duplicate-id", "encoding", "entry-kind", "link-target",
    "lost-text", "low-contrast", "man-syntax", "matrix-contradiction", "matrix-row",
    "missing-document", "missing-image", "no-entries", "not-documented", "not-included",
    "other-version", "release-version", "rst-syntax", "search-name", "section-number",
    "section-reference", "unknown-markup", "unknown-to-program", "verbatim",
)  # fmt: skip

# the rules of findings that fail every build: text is lost, or a name is not found
FATAL_RULES = frozenset({"lost-text", "search-name"})

LEVELS: tuple[Level, ...] = ("note", "warning", "error")


@dataclass(frozen=True, slots=True)
class NameChange:
    """What to change at a `name`: it is `state` ("out of order"), so `verb` it `place`.

    That is "move", "before 'mode'".  Changes of one `group` are one edit, and one finding.
    """

    group: str
    name: str
    state: str
    place: str
    verb: str


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the characters between two places of a file by `text`, whose lines end with "\\n".

    Lines and columns count from 1, a tab is one column; the second place is not included.  Column
    1 of the line after the last one is the end of the file.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    text: str

    @property
    def start(self) -> tuple[int, int]:
        """The first place."""
        return self.line, self.column

    @property
    def end(self) -> tuple[int, int]:
        """The second place."""
        return self.end_line, self.end_column


@dataclass(frozen=True, slots=True, order=True)
class Fix:
    """Edits of one file that fix a finding, if all are made: `description` is an imperative."""

    description: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding.

    `path` is the manual as the user named it; `line` and `column` count from 1
    (columns are characters after tabs were expanded); `rule` is a stable id; `length` is
    the number of characters to mark.  `change` says what to do with a name; `fix` repairs it, if
    that is mechanical.
    """

    path: str
    line: int
    column: int
    level: Level
    rule: str
    message: str
    length: int = field(default=1, compare=False)
    change: NameChange | None = field(default=None, compare=False)
    fix: Fix | None = field(default=None, compare=False)

    @property
    def place(self) -> str:
        """`path:line:column`."""
        return f"{printable(self.path)}:{self.line}:{self.column}"

    def __str__(self) -> str:
        """`path:line:column: level: [rule] message`, without a line end."""
        return f"{self.place}: {self.level}: [{self.rule}] {self.message}"


class UserError(Exception):
    """The program cannot do what was asked; the message says what and why in one sentence."""


def printable(text: str) -> str:
    """`text` with control characters escaped, so on one line: names of files may hold any."""
    if text.isprintable():
        return text
    return "".join([
        character if character.isprintable() else repr(character)[1:-1] for character in text
    ])


def has_fatal(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of `diagnostics` says that text is lost, or that a name is not found."""
    return any(finding.rule in FATAL_RULES for finding in diagnostics)


def reason(error: OSError) -> str:
    """What the system says of `error`, as a part of a sentence: `no space left on device`."""
    return (error.strerror or str(error)).lower()
