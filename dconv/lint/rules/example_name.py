"""An example uses an unknown name that is close to a known one.

Readers copy examples, and the program refuses them. The rule checks names of four characters or
more, where the dialect expects a sample, a converter or, at the start of a line, a directive.

Bad:
    http-request deny if { req.hdr_ipp(x) 10.0.0.1 }

Good:
    http-request deny if { req.hdr_ip(x) 10.0.0.1 }
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report_words
from dconv.model.tree import Preformatted

NAME_LIKE = re.compile(r"(?=[a-z]\w*?(?:[-. ]|_\w))\w++(?:[-. ]\w++)*+$|[a-z][a-z0-9]{3,}$")
# "    timeout client 5s": the first two words of a line
LINE_START = re.compile(r"\s*(?:no )?(?P<name>(?P<first>[a-z][\w.-]*)(?: [a-z][\w.-]*)?)(?=\s|$)")
MAX_NAME_WORDS = 3  # words of a directive's name
BEFORE_PARTS = "._("  # after these is a part of a name, or a variable
NAME_STYLE = "var"  # of the pieces that are samples and converters


def _find(context: Context) -> Iterator[Finding]:
    scopes = context.dialect.scopes.words
    kinds = frozenset((*scopes.get("fetch", ()), *scopes.get("converter", ())))
    sections = context.dialect.scopes.sections.values()
    directive_kinds = frozenset(kind for section in sections for kind in section)
    nearest_sample = cache(partial(_nearest_name, context, kinds))
    nearest_directive = cache(partial(_nearest_name, context, directive_kinds))
    for node in context.nodes() if kinds else ():
        if isinstance(node, Preformatted) and node.pieces:
            yield from _samples(context, node, nearest_sample)
            yield from _directives(context, node, nearest_directive)


def _samples(
    context: Context, node: Preformatted, nearest: Callable[[str], str]
) -> Iterator[Finding]:
    """The samples and converters that are nearly others."""
    above, character_before = 0, " "
    for piece in node.pieces:
        name = piece.text.rstrip()
        is_whole_name = character_before not in BEFORE_PARTS and not character_before.isalnum()
        is_name = is_whole_name and piece.style == NAME_STYLE and not piece.target
        if is_name and NAME_LIKE.match(name) and (suggestion := nearest(name)):
            message = f"unknown '{name}'; did you mean '{suggestion}'?"
            yield report_words(context, node.span.first + above, name, message)
        above += piece.text.count("\n")
        character_before = piece.text[-1:] or character_before


def _directives(
    context: Context, node: Preformatted, nearest: Callable[[str], str]
) -> Iterator[Finding]:
    """The words at the head of a line that are nearly a directive's name."""
    before = ""
    for above, line in enumerate(node.lines):
        match = LINE_START.match(line) if not before.endswith("\\") else None
        before = line
        if match is None or _is_known(context, line[match.start("name") :].split()):
            continue
        for name in (match["name"], match["first"]):
            if NAME_LIKE.match(name) and (suggestion := nearest(name)):
                message = f"unknown '{name}'; did you mean '{suggestion}'?"
                yield report_words(context, node.span.first + above, name, message)
                break


def _is_known(context: Context, words: Sequence[str]) -> bool:
    """Whether a line that begins with `words` has a directive's name, or begins like one."""
    starts = [" ".join(words[:count]) for count in range(1, MAX_NAME_WORDS + 1)]
    index = context.name_index
    return words[0] in index.names or any(
        start in index.names or start in index.titles_and_prefixes for start in starts[1:]
    )


def _nearest_name(context: Context, kinds: frozenset[str], name: str) -> str:
    """The name of one of the `kinds` that is nearest to the unknown `name`, or empty."""
    index = context.name_index
    if name in index.names or name in index.titles_and_prefixes:
        return ""
    suggestion = index.nearest(name)
    symbols = context.symbols.names.get(suggestion, ())
    return suggestion if any(symbol.kind in kinds for symbol in symbols) else ""


RULE = Rule("example-name", "warning", __doc__, _find)
