"""The page that HTML is written for: where its links lead, and what the page has or lacks.

The writer renders one tree in two ways, and a `PageContext` says which:

    a section's page    links point to other sections' pages
    the single page     links stay on it; it has old anchors, and leaves out what clutters a text
                        that is searched in the browser, or printed
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from dconv.model.tree import Target
from dconv.model.values import dataclass
from dconv.writers.html.escape import attribute

MAX_HEADING_LEVEL = 6  # of headings in HTML


@dataclass(frozen=True, slots=True)
class Availability:
    """The releases that have an entry: `in 2.2 and later`, and where it is in the others.

    `link_lines` are lines of links, each a label, which may be empty, and links as pairs of a
    release and an address; none if the menu of releases points to the same places.
    """

    summary: str
    link_lines: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class PageContext:
    """The page that HTML is written for.

    `resolve` returns the address of a target as seen from the page, or nothing if no page has it;
    `image` does so for an image, by the name that the text gives it.
    `single_page` is true for the whole document on one page.  `level` is that of entries' names
    and small headings.  `aliases` are further anchors of the place with an anchor, `renamed` the
    new names of anchors that are also an alias of another place.  `availability` returns the
    releases that have the entry with an anchor.
    """

    resolve: Callable[[Target], str]
    single_page: bool = False
    level: int = 2
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    availability: Callable[[str], Availability | None] = lambda anchor: None
    image: Callable[[str], str] = lambda file: ""

    def anchor(self, anchor: str) -> str:
        """`anchor` as it is called on this page, escaped."""
        return attribute(self.renamed.get(anchor, anchor))

    def link_start(self, target: Target) -> str:
        """The start of a tag that links to `target`, without an address where it has no page."""
        href = self.resolve(target)
        return f'<a href="{attribute(href)}"' if href else "<a"


def heading_name(level: int) -> str:
    """The element of a heading of `level`; all deeper ones are h6."""
    return f"h{min(MAX_HEADING_LEVEL, level)}"


def anchor_attributes(names: Iterable[str]) -> list[str]:
    """`names` as attributes of as few elements as possible, each of which carries two.

    `id` holds a name without spaces, `name` any other: browsers find both.
    """
    ids: list[str] = []
    names_with_spaces: list[str] = []
    for name in names:
        (names_with_spaces if " " in name else ids).append(attribute(name))
    elements: list[str] = []
    while ids or names_with_spaces:
        id_attribute = f' id="{ids.pop(0)}"' if ids else ""
        remaining = names_with_spaces or ids
        name = f' name="{remaining.pop(0)}"' if remaining else ""
        elements.append(f"{id_attribute}{name}")
    return elements


def empty_anchors(attributes: Iterable[str]) -> str:
    """Empty elements that carry `attributes`, as `anchor_attributes` returns them."""
    return "".join([f"<a{pair}></a>" for pair in attributes])
