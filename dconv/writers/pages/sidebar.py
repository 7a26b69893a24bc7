"""What is beside the text of a section: the tree of sections, lists of its entries.

    tree           the chapters, and the sections of the current chapter: the left column
    on_page        the entries of the section, or its small headings: the right column
    letter_index   letters above many sorted entries

The theme draws the first two: the blocks `side` and `aside` of `templates/base.html.jinja2`
show `page.tree` and `page.on_page`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise

from dconv.model.tree import Entry, Heading, Paragraph, Section, plain_text
from dconv.writers.html.escape import attribute, one_line, text
from dconv.writers.html.marks import DATA_ADDED
from dconv.writers.pages.indexes import DIGITS, SYMBOLS
from dconv.writers.pages.listings import Link

MAX_TREE_LENGTH = 100  # lines; the manual's home has all of them
MIN_LISTED = 3  # entries or headings from which on a page lists them
MAX_DESCRIPTION_LENGTH = 160  # characters, as much as lists of results show
MIN_SORTED = 40  # entries from which on a section has an index of letters
MIN_LETTERS = 3
ENTRIES_PER_UNSORTED = 20  # at most one in so many entries may be out of order


def tree(links: tuple[Link, ...], current: int | None) -> tuple[Link, ...]:
    """Of `links` to all sections the chapters, and those in the chapter of the `current` one."""
    chapter_index = current
    while chapter_index is not None and links[chapter_index].depth:
        chapter_index -= 1
    tree_links: list[Link] = []
    chapter = -1
    for index, link in enumerate(links):
        if not link.depth:
            chapter = index
        if not link.depth or chapter == chapter_index:
            tree_links.append(replace(link, current=True) if index == current else link)
    return _around_current(tree_links)


def _around_current(links: list[Link]) -> tuple[Link, ...]:
    """`links`, or where that is too long the part around the page itself."""
    if len(links) <= MAX_TREE_LENGTH:
        return tuple(links)
    current_index = next((index for index, link in enumerate(links) if link.current), 0)
    first = min(max(0, current_index - MAX_TREE_LENGTH // 2), len(links) - MAX_TREE_LENGTH)
    return tuple(links[first : first + MAX_TREE_LENGTH])


def on_page(section: Section) -> tuple[Link, ...]:
    """Links to the entries of `section`, or else to its small headings; none if they are few."""
    links = [
        Link(_names(block), f"#{block.anchor}")
        for block in section.body if isinstance(block, Entry)
    ] or [
        Link(plain_text(block.content), f"#{block.anchor}")
        for block in section.body if isinstance(block, Heading) and block.anchor
    ]
    return tuple(links) if len(links) >= MIN_LISTED else ()


def _names(entry: Entry) -> str:
    """The name of `entry`, or all its names where its signatures say them."""
    has_names = any(signature.names for signature in entry.signatures)
    return ", ".join(entry.names) if has_names else entry.title


def letter_index(section: Section) -> str:
    """Links from letters to the entries of `section`, as HTML; empty if these are few.

    Where the entries of a letter are in several places, it points to the most of them.
    """
    entries = [block for block in section.body if isinstance(block, Entry)]
    runs = [(letter, list(members)) for letter, members in groupby(entries, _letter)]
    letters = [letter for letter, _ in runs]
    unsorted_count = sum(before > after for before, after in pairwise(letters))
    if (
        len(entries) < MIN_SORTED
        or len(set(letters)) < MIN_LETTERS
        or unsorted_count * ENTRIES_PER_UNSORTED > len(entries)
    ):
        return ""
    longest_runs: dict[str, list[Entry]] = {}
    for letter, members in runs:
        if len(members) > len(longest_runs.get(letter, ())):
            longest_runs[letter] = members
    items = "".join(
        f'<li><a href="#{attribute(longest_runs[letter][0].anchor)}">{text(letter)}</a></li>\n'
        for letter in sorted(longest_runs)
    )
    return f'<nav class="letters" aria-label="Letters"{DATA_ADDED}>\n<ul>\n{items}</ul>\n</nav>\n'


def _letter(entry: Entry) -> str:
    """The letter that `entry` is listed below: its first, without symbols in front."""
    first = next((character for character in entry.name if character.isalnum()), SYMBOLS)
    return DIGITS if first.isdigit() else first.upper()


def description(section: Section) -> str:
    """The beginning of the first paragraph of `section`, for lists of results."""
    for block in section.body:
        if isinstance(block, Paragraph):
            words = one_line(plain_text(block.content))
            if len(words) > MAX_DESCRIPTION_LENGTH:
                words = words[:MAX_DESCRIPTION_LENGTH].rsplit(" ", 1)[0] + "…"
            return words
    return ""
