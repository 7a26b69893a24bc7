"""Drawings and columns that no table rule was certain of: kept as they stand.

    client            server
       | ---- SYN ----> |

Re-flowing them would destroy them, at whatever column they stand.
"""

from __future__ import annotations

import re

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


def rule(region: Region, at: int) -> tuple[Preformatted, int] | None:
    """The block at `at`, where most of its lines are drawn rather than written."""
    lines = region.lines
    end = at + 1
    while end < region.last and lines[end].text:
        line = lines[end]
        if line.indent < lines[at].indent and line.indent < region.indent:
            break
        if INTERRUPTION.match(line.text):
            break
        end += 1
    block = lines[at:end]
    whole = "\n".join([line.text for line in block])
    if not any(mark in whole for mark in MARKS):
        return None
    drawn = sum(1 for line in block if STROKE.search(line.text))
    barred = sum(1 for line in block if BAR.search(line.text))
    ended = sum(1 for line in block if ENDED.search(line.text))
    if 2 * max(drawn, barred, ended) < len(block) or (len(block) == 1 and not drawn):
        return None
    return preformatted(block, languages.of(region, at, end)), end
