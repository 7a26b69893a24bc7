"""The parser of lines, with roles that belong to one document."""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import states

from dconv.readers.rst.roles import ROLES


class Inliner(states.Inliner):
    """docutils' parser of lines; it looks roles up in `roles`, to which a document may add."""

    # docutils looks these parts of its patterns up in the class itself
    non_unescaped_whitespace_escape_before = states.Inliner.non_unescaped_whitespace_escape_before
    non_whitespace_after = states.Inliner.non_whitespace_after
    non_whitespace_escape_before = states.Inliner.non_whitespace_escape_before
    simplename = states.Inliner.simplename
    uri_end = states.Inliner.uri_end
    uric = states.Inliner.uric
    emailc = states.Inliner.emailc

    def __init__(self) -> None:
        super().__init__()
        self.roles = {"": ROLES["title-reference"], **ROLES}

    def interpreted(
        self, rawsource: str, text: str, role: str, lineno: int
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The node of a role; one that is not known is text."""
        make_node = self.roles.get(role.casefold())
        words = nodes.unescape(text, respect_whitespace=True)
        if make_node is None:
            self.reporter.info(
                f"the role '{role}' is not known; its text is shown", line=lineno,
                rule="unknown-markup", words=f":{role}:",
            )
            return [nodes.inline(rawsource, words)], []
        return [make_node(rawsource, words)], []
