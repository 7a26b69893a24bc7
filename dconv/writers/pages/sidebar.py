"""What stands beside the text of a section: the tree of sections, the list of its entries."""

from __future__ import annotations

from dataclasses import replace

from dconv.model.tree import Entry, Heading, Paragraph, Section, plain
from dconv.writers.pages.listings import Link

MOST = 100  # lines of the tree of sections; the manual's home has them all
FEW = 3  # things on a page from which on it gets a list of them
LONGEST_DESCRIPTION = 160  # characters, as much as lists of results show


def tree(links: tuple[Link, ...], at: int | None) -> tuple[Link, ...]:
    """Of all sections the chapters, and what is in that which holds the section `at`."""
    own = at
    while own is not None and links[own].depth:
        own -= 1
    shown: list[Link] = []
    chapter = -1
    for index, link in enumerate(links):
        if not link.depth:
            chapter = index
        if not link.depth or chapter == own:
            shown.append(replace(link, current=True) if index == at else link)
    return _near(shown)


def _near(shown: list[Link]) -> tuple[Link, ...]:
    """`shown`, or where that is endless its part around the page itself."""
    if len(shown) <= MOST:
        return tuple(shown)
    place = next((index for index, link in enumerate(shown) if link.current), 0)
    first = min(max(0, place - MOST // 2), len(shown) - MOST)
    return tuple(shown[first : first + MOST])


def on_page(section: Section) -> tuple[Link, ...]:
    """The entries of `section`, or else its small headings, where they are worth a list."""
    found = [
        Link(block.name, f"#{block.anchor}") for block in section.body if isinstance(block, Entry)
    ] or [
        Link(plain(block.content), f"#{block.anchor}")
        for block in section.body if isinstance(block, Heading) and block.anchor
    ]
    return tuple(found) if len(found) >= FEW else ()


def description(section: Section) -> str:
    for block in section.body:
        if isinstance(block, Paragraph):
            words = " ".join(plain(block.content).split())
            if len(words) > LONGEST_DESCRIPTION:
                words = words[:LONGEST_DESCRIPTION].rsplit(" ", 1)[0] + "…"
            return words
    return ""
