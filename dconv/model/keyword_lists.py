"""How a program's own list of its keywords is read, as data: `program.toml`."""

from __future__ import annotations

import re

from dconv.model.values import dataclass

NAME_PLACEHOLDER = "{name}"


@dataclass(frozen=True, slots=True)
class KeywordList:
    """One list of a program's output, and the entries of the manual that document it.

    title              the heading above the list
    section            the line in it below which the names are, or empty
    line               a line of the list: its group `name` is what is listed; where its group
                       `open` is not empty, any word may follow without a space
    documented_as      what the manual calls a name ("option {name}")
    kinds              the kinds of the entries that document the list
    mention_is_enough  whether a name counts as documented where any text has it
    complete           whether names that the list lacks are reported
    unlisted           documented names that the list is known to leave out
    undocumented       listed names that the manual leaves out on purpose
    """

    title: str
    section: str
    line: re.Pattern[str]
    documented_as: str
    kinds: tuple[str, ...]
    mention_is_enough: bool = False
    complete: bool = False
    unlisted: tuple[re.Pattern[str], ...] = ()
    undocumented: tuple[re.Pattern[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A program that can list its keywords: the command; its output's headings and comments."""

    command: str
    heading: re.Pattern[str]
    comment: re.Pattern[str]
    lists: tuple[KeywordList, ...]
