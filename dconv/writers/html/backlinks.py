"""The entries and sections that mention an entry or use it in an example, at its end.

    Also mentioned in: 2.4 Time format; 4.2 mode, option http-use-htx; management 9.3 show info
    ▸ Used in examples (12)

Short lists are one line, longer ones are folded.  None is an HTML list: on a page of two hundred
entries most links are these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from dconv.model import references, tree
from dconv.writers.html.context import PageContext
from dconv.writers.html.escape import text
from dconv.writers.html.marks import DATA_ADDED

MAX_UNFOLDED = 4  # links of a list that is not folded


def backlinks(entry: tree.Entry, context: PageContext) -> str:
    """The lists of what refers to `entry`; empty if nothing does.

    A place that the text of `entry` links to is not listed again as a mention.
    """
    if not entry.backlinks:
        return ""
    linked = {*_targets(entry)}
    mentions = [
        link for link in entry.backlinks if not link.in_example and link.source not in linked
    ]
    uses = [link for link in entry.backlinks if link.in_example]
    return (
        _list("Also mentioned in", mentions, context) + _list("Used in examples", uses, context)
    )


def _targets(entry: tree.Entry) -> Iterator[tree.Target]:
    """The targets of the links in the text and the examples of `entry`."""
    for part in references.inlines(entry.body):
        if isinstance(part, tree.Reference):
            yield from part.targets
        elif isinstance(part, tree.Argument) and part.target:
            yield part.target
    for node in tree.walk(entry.body):
        if isinstance(node, tree.Preformatted):
            yield from (part.target for part in node.styled_code if part.target)


def _list(label: str, links: Sequence[tree.Backlink], context: PageContext) -> str:
    """The list of `links`: each section by its number, with the names of its entries."""
    if not links:
        return ""
    sections: list[str] = []
    for section, group in groupby(links, key=lambda link: link.section):
        names = [f"{context.link_start(link.source)}>{text(link.name)}</a>" for link in group]
        sections.append(f"{text(section)} {', '.join(names)}")
    html = "; ".join(sections)
    if len(links) <= MAX_UNFOLDED:
        return f'<p class="backlinks"{DATA_ADDED}>{label}: {html}</p>\n'
    summary = f"<summary>{label} ({len(links)})</summary>"
    return f'<details class="backlinks"{DATA_ADDED}>{summary}{html}</details>\n'
