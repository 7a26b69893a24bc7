"""Nodes that docutils lacks, as Sphinx has them in `sphinx.addnodes`: descriptions, roles."""

from __future__ import annotations

from docutils import nodes

from dconv.model.references import TERM_LABEL


class object_description(nodes.General, nodes.Element):
    """A description ("`.. option::`"): signatures, then a body; `kind` is that of the entry."""


class signature(nodes.Part, nodes.TextElement):
    """A signature of a description; `names` are those that it defines, the best first."""


class role_reference(nodes.Inline, nodes.TextElement):
    """A role that names a place: `kind` is "code", "term", "label", "document", "manual page",
    or "listed document" for one that a table of contents lists.

    `target` is the place; `has_own_text` says that the text is not the title of the place.
    """


def term_label(term: str) -> str:
    """The label of the entry of a glossary that defines `term`, in whichever case."""
    return TERM_LABEL + "-".join(term.casefold().split())


class omitted_words(nodes.Invisible, nodes.FixedTextElement):
    """Words that are no text of the manual; `kind` names what they are."""
