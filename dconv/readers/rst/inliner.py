"""The parser of inline markup, with roles that belong to one document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from docutils import nodes
from docutils.parsers.rst import states

from dconv.readers.rst.addnodes import role_reference
from dconv.readers.rst.roles import ROLES, other_project

OTHER_PROJECT = re.compile(r"external(?=[:+]|$)")  # ":external:ref:", ":external+python:ref:"
# "``start of one and ``", "``--a, ``": a literal that ended where another one was to start
NO_END = re.compile(r"\w.*\s``", re.DOTALL)


class Inliner(states.Inliner):
    """docutils' parser; it looks roles up in `roles`, to which a document may add."""

    # docutils looks these parts of its patterns up in the class itself
    non_unescaped_whitespace_escape_before = states.Inliner.non_unescaped_whitespace_escape_before
    non_whitespace_after = states.Inliner.non_whitespace_after
    non_whitespace_escape_before = states.Inliner.non_whitespace_escape_before
    simplename = states.Inliner.simplename
    uri_end = states.Inliner.uri_end
    uric = states.Inliner.uric
    emailc = states.Inliner.emailc

    def __init__(self, titles: Mapping[tuple[str, str], str]) -> None:
        super().__init__()
        self.titles = titles  # what the text shows of others, by kind and target
        self.roles = {"": ROLES["title-reference"], **ROLES}
        self.program = ""  # whose options the text is about
        interpreted: Any = Inliner.interpreted_with_words
        self.dispatch = {**self.dispatch, "`": interpreted}

    def inline_obj(self, match: re.Match[str], lineno: int, *rest: Any, **options: Any) -> Any:
        """As in docutils, a node with what is around it; messages get the `words` they are about.

        A literal that took the start of the next one for text is reported.
        """
        result = super().inline_obj(match, lineno, *rest, **options)
        messages = list(result[3])
        if any(isinstance(node, nodes.literal) and NO_END.search(node.astext())
               for node in result[1]):
            messages.append(self.reporter.warning(
                "Inline literal has no end before the next one starts.", line=lineno
            ))
        _note_words(messages, match, "start")
        return result

    def interpreted_with_words(self, match: re.Match[str], lineno: int) -> Any:
        """The same for interpreted text or a phrase reference."""
        result = self.interpreted_or_phrase_ref(match, lineno)
        _note_words(result[3], match, "backquote")
        return result

    def interpreted(
        self, rawsource: str, text: str, role: str, lineno: int
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The node of a role; one that is not known is text."""
        make_node = self.roles.get(role.casefold())
        if OTHER_PROJECT.match(role):
            make_node = other_project
        words = nodes.unescape(text, respect_whitespace=True)
        if make_node is None:
            self.reporter.info(
                f"the role '{role}' is not known; its text is shown", line=lineno,
                rule="unknown-markup", words=f":{role}:",
            )
            return [nodes.inline(rawsource, words)], []
        node = make_node(rawsource, words)
        node.line = lineno
        if isinstance(node, role_reference):
            node["program"] = self.program
        return [node], []


def _note_words(messages: Iterable[nodes.system_message], match: re.Match[str], group: str) -> None:
    """Say in `messages` which words they are about: from the `group` to the end of its line."""
    for message in messages:
        words = nodes.unescape(match.string[match.start(group) :], restore_backslashes=True)
        message.setdefault("words", words.partition("\n")[0])
