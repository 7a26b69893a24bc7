"""The front of a manual in docutils: title, who and when, table of contents."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from dconv.model.tree import Manual, Section, SummaryLine, Target
from dconv.writers.docutils.places import CONTENTS, Places
from dconv.writers.docutils.prose import folded, joined, link

# levels of sections; deeper ones stand beside each other.  ODT has seven, one is for entries
DEEPEST = 6


def cover(manual: Manual, title: str) -> list[nodes.Element]:
    """Title, subtitle and bibliographic fields of `manual`.

    Every word of the header is in one of them; `title` serves where it has none.
    """
    found = manual.header
    titles, facts = _header(manual)
    shown: list[nodes.Element] = []
    first, second = folded(found.title), folded(found.subtitle)
    if titles != f"{first} {second}".split() or not first:
        first, second = " ".join(titles), ""
    shown.append(nodes.title("", first or folded(title) or manual.name))
    if second:
        shown.append(nodes.subtitle("", second))
    if facts:
        shown.append(nodes.docinfo("", *[_fact(fact, manual) for fact in facts]))
    return shown


def _header(manual: Manual) -> tuple[list[str], list[str]]:
    """The words of the titles, and what else the lines of the header say."""
    titles: list[str] = []
    facts: list[str] = []
    wanted = f"{manual.header.title} {manual.header.subtitle}".split()
    for row in manual.header.rows:
        words = row.text.split()
        if wanted[: len(words)] == words:
            titles += words
            del wanted[: len(words)]
        else:
            facts.append(row.text)
    return titles, facts


def _fact(fact: str, manual: Manual) -> nodes.TextElement:
    if fact == folded(manual.header.version):
        return nodes.version("", fact)
    if fact == folded(manual.header.date):
        return nodes.date("", fact)
    return nodes.author("", fact)


# --- the table of contents ------------------------------------------------------------


def contents(manual: Manual, places: Places) -> list[nodes.Element]:
    """The table of contents, made from the sections, and what only the source's own says.

    The latter stands apart, for writers may replace the first by one with pages.
    """
    given: dict[str, list[SummaryLine]] = {}
    for line in manual.summary:
        given.setdefault(line.number or folded(line.title), []).append(line)
    found: list[nodes.Element] = []
    if manual.sections:
        title = nodes.title("", _summary_title(manual) or "Contents")
        listed = _listed(manual, places, given)
        topic = nodes.topic("", title, listed, classes=["contents"])
        topic["ids"], topic["names"] = [CONTENTS], [CONTENTS]
        found.append(topic)
    left = sorted((line for lines in given.values() for line in lines), key=lambda one: one.line)
    if left:
        found.append(nodes.paragraph("", "", nodes.strong("", "In the summary of the text:")))
        words = [nodes.paragraph("", folded(f"{line.number} {line.title}")) for line in left]
        items = [nodes.list_item("", shown) for shown in words]
        found.append(nodes.bullet_list("", *items, bullet="-"))
    return found


def _summary_title(manual: Manual) -> str:
    span = manual.summary_span
    return folded(manual.source.lines[span.first - 1].text).rstrip(" :") if span else ""


def _listed(
    manual: Manual, places: Places, given: dict[str, list[SummaryLine]]
) -> nodes.bullet_list:
    """All sections as nested lists; takes from `given` the lines that say the same."""
    root = nodes.bullet_list(bullet="-")
    lists = [root]
    items: list[nodes.list_item] = []
    for depth, section in outline(manual):
        del lists[depth + 1 :]
        if depth == len(lists):  # the first below its parent
            below = nodes.bullet_list(bullet="-")
            items[-1] += below
            lists.append(below)
        lines = given.get(section.number or folded(section.title), [])
        same = [line for line in lines if folded(line.title) == folded(section.title)]
        if same:
            lines.remove(same[0])
        words = heading(section)
        attributes = places.attributes(Target(manual.name, section.anchor))
        row = joined([link(words, attributes) if attributes else words])
        items.append(nodes.list_item("", nodes.paragraph("", "", *row)))
        lists[depth] += items[-1]
    return root


def outline(manual: Manual) -> Iterator[tuple[int, Section]]:
    """Every section with its depth from 0, in source order; none deeper than `DEEPEST`."""
    stack: list[tuple[int, Section]] = [(0, one) for one in reversed(manual.sections)]
    while stack:
        depth, section = stack.pop()
        yield depth, section
        below = min(depth + 1, DEEPEST - 1)
        stack.extend((below, one) for one in reversed(section.sections))


def heading(section: Section) -> str:
    """The title of `section` with its number: `4.2 Keywords`."""
    return folded(f"{section.number} {section.title}") or "…"

