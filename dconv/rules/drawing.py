"""Drawings and columns that no table rule was certain of: kept as they stand.

    client            server
       | ---- SYN ----> |

Re-flowing them would destroy them, at whatever column they stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.lines import Line
from dconv.region import Region
from dconv.rules import languages
from dconv.rules.paragraph import INTERRUPTION
from dconv.rules.preformatted import preformatted
from dconv.tree import Preformatted

# "+----+", "|    |", "====>", columns with a gap of three blanks or more
STROKE = re.compile(r"\S {3,}\S|[+|]--|--[+|>]|[+|][=#x]{3}|[=#x]{3}[+|]|^\|.*\|$|____")
MARKS = ("   ", "--", "==", "##", "xxx", "__", "|", "\\")  # one of them is in every drawing
# a line that says where it ends: "HELO\n", "value \"
ENDED = re.compile(r"\\n?$")
# columns held apart by bars: "label | text"
BAR = re.compile(r" \| ")
JUDGED = 100  # lines of a block; looking at all of a long one again and again takes for ever


def rule(region: Region, at: int) -> tuple[Preformatted, int] | None:
    """The block at `at`, where most of its lines are drawn rather than written."""
    lines = region.lines
    end = _end(region, at, at + 1, at + JUDGED)
    if not _is_drawn(lines[at:end]):
        return None
    end = _end(region, at, end, region.last)
    return preformatted(lines[at:end], languages.of(region, at, end)), end


def _end(region: Region, at: int, start: int, last: int) -> int:
    """The index after the block at `at`, looking from `start` on, at most `last`."""
    lines = region.lines
    for end in range(start, min(last, region.last)):
        line = lines[end]
        if not line.text or INTERRUPTION.match(line.text):
            return end
        if line.indent < lines[at].indent and line.indent < region.indent:
            return end
    return min(last, region.last)


def _is_drawn(block: Sequence[Line]) -> bool:
    whole = "\n".join([line.text for line in block])
    if not any(mark in whole for mark in MARKS):
        return False
    drawn = sum(1 for line in block if STROKE.search(line.text))
    barred = sum(1 for line in block if BAR.search(line.text))
    ended = sum(1 for line in block if ENDED.search(line.text))
    return 2 * max(drawn, barred, ended) >= len(block) and (len(block) > 1 or drawn > 0)
