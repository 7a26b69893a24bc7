"""The references at the end of an entry.

    See also : "timeout client", section 4.2
"""

from __future__ import annotations

import re

from dconv.model.tree import SeeAlso
from dconv.model.wrapping import starts_block
from dconv.readers.text import inline
from dconv.readers.text.region import Region

# "See also :", "See also:", "See also", "See Also:"; not the "See also" of a longer sentence
LABEL = re.compile(r"(?P<label>See [Aa]lso)(?:\s*:(?=\s|$)\s*|\s+(?=[\"\w<])|$)")


def rule(region: Region, index: int) -> tuple[SeeAlso, int] | None:
    """A "See also" at the start of the line `index`, up to the next blank line."""
    line = region.lines[index]
    match = LABEL.match(line.text)
    if match is None:
        return None
    end = index + 1
    while end < region.end and region.lines[end].text:
        below = region.lines[end]
        above = region.lines[end - 1] if end > index + 1 else line.with_indent(below.indent)
        if below.indent < line.indent or starts_block(above, below):
            break
        end += 1
    rest = line.text[match.end() :]
    rows = list(region.lines[index + 1 : end])
    if rest:
        rows.insert(0, line.after(match.end()))
    dropped = region.context.dropped
    dropped.add_colon("colon after a label", line, match.end("label"))
    content = inline.parse_list(rows, dropped) if rows else ()
    return SeeAlso(match["label"], content, region.span(index, end)), end
