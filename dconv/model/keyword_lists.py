"""How a program's own list of what it knows is read, as data: `program.toml`."""

from __future__ import annotations

import re
from dataclasses import dataclass

NAME = "{name}"


@dataclass(frozen=True, slots=True)
class KeywordList:
    """One list of a program's output, and the entries of the manual that document it.

    The list stands below the heading `title`, and in it below the line `section`, unless
    that is empty; `line` matches its lines, and its group `name` is what is listed; a group
    `open` that is not empty says that any word may follow without a blank.  `form` is how
    the manual calls a name ("option {name}"), `kinds` those of its entries.  Where
    `mentioned`, it is enough that the text has the name.  Only of a `complete` list, names
    that it lacks are told.  `unlisted` are documented names that it is known to leave out,
    `undocumented` those that the manual leaves out.
    """

    title: str
    section: str
    line: re.Pattern[str]
    form: str
    kinds: tuple[str, ...]
    mentioned: bool = False
    complete: bool = False
    unlisted: tuple[re.Pattern[str], ...] = ()
    undocumented: tuple[re.Pattern[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A program that can list what it knows: how headings and remarks of that look."""

    command: str
    heading: re.Pattern[str]
    remark: re.Pattern[str]
    lists: tuple[KeywordList, ...]
