"""The footer: settings that an editor reads at the end of the file.

    /*
     * Local variables:
     *  fill-column: 79
     * End:
     */
"""

from __future__ import annotations

import re

from dconv.model.source import Line
from dconv.model.tree import Span
from dconv.readers.text.blocks import FooterBlock

LONGEST = 12  # lines
# as Emacs reads them ("Local Variables in Files" of its manual): each line may have a
# prefix, and nothing but settings stands between the first line and the last
START = re.compile(r"\W*local variables:\W*", re.IGNORECASE)
SETTING = re.compile(r"\W*+\w[\w-]*+:(?:\s.*)?")
END = re.compile(r"\W*end:\W*", re.IGNORECASE)
CLOSER = re.compile(r"\W*")


def find(lines: tuple[Line, ...]) -> FooterBlock | None:
    """The editor's settings at the end of `lines`, or None."""
    last = len(lines)
    while last and not lines[last - 1].text:
        last -= 1
    for at in range(last - 1, max(-1, last - LONGEST), -1):
        if START.fullmatch(lines[at].text) and _is_settings(lines[at + 1 : last]):
            first = at - 1 if at and lines[at - 1].text in ("/*", "#|") else at
            return FooterBlock(Span(lines[first].number, lines[last - 1].number))
    return None


def _is_settings(lines: tuple[Line, ...]) -> bool:
    """True for settings up to a line "End:", with only the end of a comment behind it."""
    end = next((at for at, line in enumerate(lines) if END.fullmatch(line.text)), None)
    if end is None:
        return False
    return all(SETTING.fullmatch(line.text) for line in lines[:end]) and all(
        CLOSER.fullmatch(line.text) for line in lines[end + 1 :]
    )
