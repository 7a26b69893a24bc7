"""Nodes that docutils lacks, as Sphinx has them in `sphinx.addnodes`: descriptions, roles."""

from __future__ import annotations

import re

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


def term_label(term: str) -> str:
    """The label of the glossary's entry for `term`; case does not count."""
    return TERM_LABEL_PREFIX + "-".join(term.casefold().split())


def option_label(program: str, option: str) -> str:
    """The label of the entry of `option`, which is one of `program` or of nothing named.

    The program may also be in front of the option: "git commit --amend".  A value does not count.
    """
    *words, name = option.split() or [""]
    name = VALUE.sub("", name) or name
    return "-".join(["option", *(words or program.split()), name])


class omitted_words(nodes.Invisible, nodes.FixedTextElement):
    """Words that are not text of the manual; `kind` says what they are."""
