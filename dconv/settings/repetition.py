"""Regular expressions of users that surely take for ever: a repetition of nothing but a repetition.

`(a+)+` cuts thirty letters into parts in half a billion ways, and where what follows does not
match, each of them is tried.  Told is only what is surely so: a group that repeats without
end, one of whose alternatives may be nothing but one thing that repeats without end, too.
Whatever else makes a pattern slow is not seen.  At the end of a pattern such a group is fast:
patterns of users are searched for, and what is found there need not be cut in another way.

The syntax is that of Python's `re` (https://docs.python.org/3/library/re.html).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""
    (?P<comment> \(\?\# (?: \\. | [^)\\] )* \) )
    | (?P<apart> \\[AbBZ0-9] | \(\?P=\w+\) | [\^$] )  # takes no text, or what is unknown
    | (?P<open> \( (?: \? (?: P<\w+> | \(\w+\) | <?[=!] | [aiLmsux-]*[:)] | > ) )? )
    | (?P<close> \) )
    | (?P<or> \| )
    | (?P<times> (?: [*+?] | \{\d+(?:,\d*)?\} | \{,\d*\} ) [+?]? )
    | (?P<one> \\. | \[\^?\]? (?: \\. | [^\]\\] )* \] | . )
    """,
    re.VERBOSE | re.DOTALL,
)
FLAGS = re.compile(r"\(\?[aiLmsux-]+\)")  # which open no group
# ")+", ")*", "){2,}": without one of these there is nothing to find
REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{\d*,\})")
SPACE = re.compile(r"\s+|#.*")  # what does not count in patterns with the flag "x"
LAST = re.compile(r"(?:\)\??)*")  # what may stand behind the last part: ")", ")?"
SPACED = re.compile(r"\(\?[a-zL]{0,9}(?:(?P<on>x)|-[a-z]{0,9}x)[a-z-]{0,9}:")  # "(?ix:", "(?-x:"


@dataclass(slots=True)
class _Part:
    """A part of a pattern that begins at `start`.

    `empty` tells whether it may match nothing, `endless` whether it may be one thing that
    repeats without end.  One that is `apart` is not judged, and nothing that holds it: it
    looks around, or is not tried again in another way, so that there may be but one.
    """

    start: int
    empty: bool = False
    endless: bool = False
    apart: bool = False


@dataclass(slots=True)
class _Group:
    """An open group: where it begins, how, whether blanks count, its alternatives so far."""

    start: int
    sign: str
    spaced: bool
    branches: list[list[_Part]] = field(default_factory=lambda: [[]])

    def part(self) -> _Part:
        """The group as a part of the one around it."""
        ways = [_branch(branch) for branch in self.branches]
        apart = self.sign.endswith(("=", "!", "(?>")) or self.sign.startswith("(?(")
        apart |= any(part.apart for branch in self.branches for part in branch)
        return _Part(
            self.start, any(empty for empty, _ in ways),
            any(endless for _, endless in ways) and not apart, apart,
        )


def _branch(parts: list[_Part]) -> tuple[bool, bool]:
    """Whether all `parts` may match nothing, and whether all but one that is endless may."""
    needed = [part for part in parts if not part.empty]
    candidates = needed or parts
    return not needed, len(needed) < 2 and any(part.endless for part in candidates)


def endless(pattern: re.Pattern[str]) -> str:
    """The part of `pattern` that repeats without end what repeats without end, or nothing."""
    text, at = pattern.pattern, 0
    groups = [_Group(0, "", bool(pattern.flags & re.VERBOSE))]
    if not groups[0].spaced and not REPEATED_GROUP.search(text):
        return ""
    while at < len(text):
        space = SPACE.match(text, at) if groups[-1].spaced else None
        token = space or TOKEN.match(text, at)
        assert token is not None  # "one" matches any character
        parts = groups[-1].branches[-1]
        match token.lastgroup:
            case "open" if not FLAGS.fullmatch(token[0]):
                inner = SPACED.match(token[0])
                within = bool(inner["on"]) if inner else groups[-1].spaced
                groups.append(_Group(at, token[0], within))
            case "close":
                part = groups.pop().part()
                groups[-1].branches[-1].append(part)
            case "or":
                groups[-1].branches.append([])
            case "times":
                behind = text[token.end() :]
                if groups[-1].spaced:
                    behind = SPACE.sub("", behind)
                if _repeated(parts[-1], token[0]) and not LAST.fullmatch(behind):
                    return text[parts[-1].start : token.end()]
            case "one" | "apart" as kind:
                parts.append(_Part(at, apart=kind == "apart"))
        at = token.end()
    return ""


def _repeated(part: _Part, times: str) -> bool:
    """Note how often `part` comes; whether that is a repetition without end of one."""
    bare = times[:-1] if len(times) > 1 and times[-1] in "+?" else times
    unending = bare in ("*", "+") or bare.endswith(",}")
    part.apart |= times != bare and times[-1] == "+"  # possessive
    found = unending and part.endless and not part.apart
    part.empty |= bare in ("*", "?") or bare.startswith(("{0", "{,"))
    part.endless = (part.endless or unending) and not part.apart
    return found
