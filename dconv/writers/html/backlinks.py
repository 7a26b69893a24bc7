"""What mentions an entry, and which examples use it: two lists, folded, at its end.

    ▸ Also mentioned in (4)
        2.4 Time format · 4.2 mode, option http-use-htx · management 9.3 show info

All words are ours: the lists carry `data-added` for the proof.  They are running text,
since a page of two hundred entries has more of these links than of all others together.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import groupby

from dconv.model.tree import Backlink, Entry
from dconv.writers.html.escape import text
from dconv.writers.html.inlines import address


def backlinks(entry: Entry, own: Container[str]) -> str:
    """The lists of what refers to `entry`; nothing where nothing does.

    What its own text leads to, by the addresses `own`, is not told again as a mention.
    """
    mentions = [
        link for link in entry.backlinks
        if not link.in_example and address(link.source) not in own
    ]
    uses = [link for link in entry.backlinks if link.in_example]
    return _folded("Also mentioned in", mentions) + _folded("Used in examples", uses)


def _folded(label: str, links: Sequence[Backlink]) -> str:
    if not links:
        return ""
    return (
        f'<details class="backlinks" data-added><summary>{label} ({len(links)})</summary>'
        f"{' · '.join(_sections(links))}</details>\n"
    )


def _sections(links: Sequence[Backlink]) -> Iterator[str]:
    """Each section, by its number, with what of it refers to the entry."""
    for place, group in groupby(links, _place):
        names = [f'<a href="{address(link.source)}">{text(link.name)}</a>' for link in group]
        yield f"{text(place)} {', '.join(names)}"


def _place(link: Backlink) -> str:
    return link.place
