"""Nodes that docutils lacks, as Sphinx has them in `sphinx.addnodes`: descriptions, roles."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docutils import nodes

from dconv.model.references import TERM_LABEL_PREFIX

VALUE = re.compile(r"(?<=[\w-])[=\[].*")  # "--color[=WHEN]"


class object_description(nodes.General, nodes.Element):
    """A description ("`.. option::`"): signatures, then a body; `kind` is that of the entry."""


class signature(nodes.Part, nodes.TextElement):
    """A signature of a description; `names` are those that it defines, the best first."""


class role_reference(nodes.Inline, nodes.TextElement):
    """A role that names a place: `kind` is "code", "term", "option", "envvar", "confval",
    "label", "document", "manual page", or "listed document" for one that a table of contents lists;
    an "included document" is one of those if the release has it, else code.

    `target` is the place; `has_own_text` says that the text is not the title of the place, and
    `program` whose options the text is about.
    """


def object_label(kind: str, name: str, program: str = "") -> str:
    """The label of the entry `name`, to which a role of `kind` refers.

    Case does not count in a term.  An option is one of `program`, or of that in front of it: "git
    commit --amend"; a value does not count.
    """
    if kind == "term":
        return TERM_LABEL_PREFIX + "-".join(name.casefold().split())
    if kind != "option":
        return f"{kind}-{name}"
    *words, option = name.split() or [""]
    return "-".join(["option", *(words or program.split()), VALUE.sub("", option) or option])


def add_labels(node: nodes.Element, document: nodes.document, labels: Iterable[str]) -> None:
    """Give `node` those of `labels` that no other node of `document` has."""
    node["ids"] += [label for label in labels if document.ids.setdefault(label, node) is node]


class omitted_words(nodes.Invisible, nodes.FixedTextElement):
    """Words that are not text of the manual; `kind` says what they are."""
