"""Nodes of docutils' kind for what reStructuredText says beyond docutils: entries, mentions."""

from __future__ import annotations

from docutils import nodes


class described(nodes.General, nodes.Element):
    """A described thing ("`.. option::`"): signatures, then a body; `kind` is the entry's."""


class signature(nodes.Part, nodes.TextElement):
    """A signature of a `described`; `names` are those that it defines, the most useful first."""


class mention(nodes.Inline, nodes.TextElement):
    """A role that names a place: `kind` is "code", "term", "label", "document" or "page".

    `target` is the place; `titled` says that the text is not the title of the place, but its own.
    """


class omitted(nodes.Invisible, nodes.FixedTextElement):
    """Words that are no text of the manual; `what` says of what kind."""
