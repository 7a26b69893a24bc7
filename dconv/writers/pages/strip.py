"""A strip of letters above the entries of a section, where these are many and sorted."""

from __future__ import annotations

from itertools import groupby, pairwise

from dconv.model.tree import Entry, Section
from dconv.writers.html.escape import attribute, text

MANY = 40  # entries from which on a section has a strip
FEW = 3  # letters below which a strip is of no use
SORTED = 20  # a manual may put one of so many entries out of order
DIGITS, SIGNS = "0–9", "#"


def letter_index(section: Section, added: str) -> str:
    """Links from letters to the entries of `section`, or nothing.

    A letter leads to the first of most of its entries.  `added` is the attribute of elements
    with words that the source does not have.
    """
    entries = [block for block in section.body if isinstance(block, Entry)]
    runs = [(letter, list(members)) for letter, members in groupby(entries, _letter)]
    letters = [letter for letter, _ in runs]
    back = sum(one > two for one, two in pairwise(letters))
    if len(entries) < MANY or len(set(letters)) < FEW or back * SORTED > len(entries):
        return ""
    best: dict[str, list[Entry]] = {}
    for letter, members in runs:
        if len(members) > len(best.get(letter, ())):
            best[letter] = members
    shown = "".join(
        f'<li><a href="#{attribute(best[letter][0].anchor)}">{text(letter)}</a></li>\n'
        for letter in sorted(best)
    )
    return f'<nav class="letters" aria-label="Letters"{added}>\n<ul>\n{shown}</ul>\n</nav>\n'


def _letter(entry: Entry) -> str:
    """What `entry` is sorted by: its first letter, whatever sign stands in front."""
    first = next((one for one in entry.name if one.isalnum()), SIGNS)
    return DIGITS if first.isdigit() else first.upper()
