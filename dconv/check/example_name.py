"""An example has the name of a sample or a converter that nothing defines, and one is near.

Readers copy examples, and the program refuses them. Only names with dots, hyphens or
underscores are looked at, where the dialect tells that a sample or a converter stands.

Bad:
    http-request deny if { req.hdr_ipp(x) 10.0.0.1 }

Good:
    http-request deny if { req.hdr_ip(x) 10.0.0.1 }
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.check.rule import Finding, Rule
from dconv.check.subject import Subject
from dconv.tree import Preformatted, walk

SHAPED = re.compile(r"[a-z]\w*(?:[-_.]\w+)+$")
PARTS = "._("  # behind these stands a part of a name, or a variable
NAME_STYLE = "var"  # of the pieces that are samples and converters


def _find(subject: Subject) -> Iterator[Finding]:
    """A finding at each name of an example that is nearly a sample's or a converter's."""
    scopes = subject.dialect.scopes.words
    kinds = frozenset((*scopes.get("fetch", ()), *scopes.get("converter", ())))
    for section in subject.sections if kinds else ():
        for node in walk(section.body):
            if isinstance(node, Preformatted) and node.pieces:
                yield from _of_example(subject, node, kinds)


def _of_example(
    subject: Subject, node: Preformatted, kinds: frozenset[str]
) -> Iterator[Finding]:
    above, last = 0, " "
    for piece in node.pieces:
        name = piece.text.rstrip()
        alone = last not in PARTS and not last.isalnum()
        if alone and piece.style == NAME_STYLE and not piece.target and SHAPED.match(name):
            wanted = _wanted(subject, name, kinds)
            if wanted:
                number = node.span.first + above
                message = f"nothing is called '{name}': '{wanted}' is nearest"
                yield Finding(number, subject.column(number, name), message, len(name))
        above += piece.text.count("\n")
        last = piece.text[-1:] or last


def _wanted(subject: Subject, name: str, kinds: frozenset[str]) -> str:
    """The sample or converter that is nearest to `name`, which is none, or nothing."""
    known = subject.known
    if name in known.names or name in known.families:
        return ""
    wanted = known.near(name)
    found = subject.symbols.names.get(wanted, ())
    return wanted if any(one.kind in kinds for one in found) else ""


RULE = Rule("example-name", "warning", __doc__, _find)
