"""The footer: settings that an editor reads at the end of the file.

    /*
     * Local variables:
     *  fill-column: 79
     * End:
     */
"""

from __future__ import annotations

from dconv.blocks import FooterBlock
from dconv.lines import Line
from dconv.tree import Span

LONGEST = 12  # lines


def find(lines: tuple[Line, ...]) -> FooterBlock | None:
    """The editor's settings at the end of `lines`, or None."""
    last = len(lines)
    while last and not lines[last - 1].text:
        last -= 1
    for at in range(last - 1, max(-1, last - LONGEST), -1):
        if "local variables:" in lines[at].text.casefold():
            first = at - 1 if at and lines[at - 1].text in ("/*", "#|") else at
            return FooterBlock(Span(lines[first].number, lines[last - 1].number))
    return None
