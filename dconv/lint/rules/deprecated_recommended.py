"""The text of a current entry or section recommends a deprecated name.

Readers who follow it write what will be removed. Deprecated entries may recommend others,
and a text may describe the past or warn of a name.

Bad:
    option quick (deprecated)
      Use "option fast" instead.
    ...
    option slow
      It is recommended to use "option quick" with it.

Good:
    option quick (deprecated)
      Use "option fast" instead.
    ...
    option slow
      It is recommended to use "option fast" with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report
from dconv.model import tree
from dconv.model.tree import SeeAlso

# 'please use "', 'it is recommended to use a rule of "', 'consider using the "'
RECOMMENDS = re.compile(
    r"\b(?:(?:please|should|must|better|best|recommended|advised|need|prefer\w*|want)"
    r"(?: \w+){0,3}? (?:use|using)|consider(?: using)?|replaced (?:by|with))(?: [\w-]+){0,5} \"$",
    re.IGNORECASE,
)
WARNS = re.compile(r"\b(?:not|never|instead of|rather than|avoid|still|than|old|formerly)\b")
DISCOURAGED = re.compile(r"[^.;]{0,60}\b(?:discouraged|deprecated|removed|not recommended)\b")
CONTEXT_LENGTH = 90


def _find(context: Context) -> Iterator[Finding]:
    deprecated = _deprecated(context)
    for block in context.text_blocks:
        if isinstance(block.node, SeeAlso) or (
            block.entry and any(signature.deprecated for signature in block.entry.signatures)
        ):
            continue
        for index, part in block.references():
            before = block.before(index)[-CONTEXT_LENGTH:] if part.name in deprecated else ""
            match = RECOMMENDS.search(before)
            if match and not WARNS.search(match[0]) and not DISCOURAGED.match(block.after(index)):
                message = f"'{part.name}' is deprecated, but recommended here"
                yield report(part, message)


def _deprecated(context: Context) -> frozenset[str]:
    """The names that are deprecated wherever they are."""
    deprecated: set[str] = set()
    current: set[str] = set()
    for manual in context.release:
        for _, entry in tree.entries(manual):
            for signature in entry.signatures:
                (deprecated if signature.deprecated else current).add(signature.name)
    return frozenset(deprecated - current)


RULE = Rule("deprecated-recommended", "warning", __doc__, _find)
