"""The text of a current entry or section recommends a deprecated name, or its example uses one.

Readers who follow it write what will be removed. Deprecated entries may recommend others,
and a text may describe the past or warn of a name. Of an example the rule checks samples,
converters and the directives that lines begin with. It also reports a quoted name that is a
deprecated spelling of a current one: the words are the same, but not the '-', '_' or '.' between.

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
from collections.abc import Iterator, Mapping

from dconv.lint.arguments import WORD
from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report, report_words
from dconv.model import tree
from dconv.model.tree import Block, Preformatted, SeeAlso, walk

# 'please use "', 'it is recommended to use a rule of "', 'consider using the "'
RECOMMENDS = re.compile(
    r"\b(?:(?:please|should|must|better|best|recommended|advised|need|prefer\w*|want)"
    r"(?: \w+){0,3}? (?:use|using)|consider(?: using)?|replaced (?:by|with))(?: [\w-]+){0,5} \"$",
    re.IGNORECASE,
)
WARNS = re.compile(r"\b(?:not|never|instead of|rather than|avoid|still|than|old|formerly)\b")
DISCOURAGED = re.compile(r"[^.;]{0,60}\b(?:discouraged|deprecated|removed|not recommended)\b")
SEPARATORS = re.compile(r"[-_.]")
CONTEXT_LENGTH = 90  # characters before a name that are examined


def _find(context: Context) -> Iterator[Finding]:
    deprecated = _deprecated(context)
    current_names = _current_names(context, deprecated)
    for block in context.text_blocks:
        own_names = block.entry.signature_names if block.entry else ()
        for _, reference in block.references():
            if reference.name in own_names or f'"{reference.name}"' not in block.text:
                continue
            if reference.name in current_names:
                current = current_names[reference.name]
                message = f"'{reference.name}' is deprecated: its name is '{current}'"
                yield report(reference, message)
        if isinstance(block.node, SeeAlso) or (
            block.entry and any(signature.deprecated for signature in block.entry.signatures)
        ):
            continue
        for index, reference in block.references():
            before = block.before(index)[-CONTEXT_LENGTH:] if reference.name in deprecated else ""
            match = RECOMMENDS.search(before)
            if match and not WARNS.search(match[0]) and not DISCOURAGED.match(block.after(index)):
                yield report(reference, f"'{reference.name}' is deprecated, but recommended here")
    yield from _in_examples(context, deprecated)


def _in_examples(context: Context, all_deprecated: frozenset[str]) -> Iterator[Finding]:
    """The deprecated names in examples of current entries; each once in an example.

    A name that is also a word of a current signature does not count, since the example may use that
    word: "source <addr> usesrc hdr_ip(...)".
    """
    deprecated = all_deprecated - {
        word for _, entry in context.entries for signature in entry.signatures
        if not signature.deprecated for word in WORD.findall(signature.text)[1:]
    }
    for entry in _entries_and_sections(context):
        seen: set[tuple[int, str]] = set()
        for node in walk(entry):
            if not isinstance(node, Preformatted) or not node.styled_code:
                continue
            lines_above = 0
            for code in node.styled_code:
                name = code.text.strip()
                line = node.span.first + lines_above
                if name in deprecated and code.target and (node.span.first, name) not in seen:
                    seen.add((node.span.first, name))
                    message = f"'{name}' is deprecated, but this example uses it"
                    yield report_words(context, line, name, message)
                lines_above += code.text.count("\n")


def _entries_and_sections(context: Context) -> Iterator[tuple[Block, ...]]:
    """The bodies of current entries, and of sections without their entries."""
    for section in context.sections:
        yield section.prose
        for entry in section.entries:
            if not all(signature.deprecated for signature in entry.signatures):
                yield entry.body


def _current_names(context: Context, deprecated: frozenset[str]) -> Mapping[str, str]:
    """The current name of each of the `deprecated` that differs from it in separators only."""
    names: dict[str, str] = {}
    for _, entry in context.entries:
        by_words = {
            SEPARATORS.sub(" ", signature.name): signature.name
            for signature in entry.signatures if not signature.deprecated
        }
        for signature in entry.signatures:
            current = by_words.get(SEPARATORS.sub(" ", signature.name))
            if current and signature.name in deprecated:
                names[signature.name] = current
    return names


def _deprecated(context: Context) -> frozenset[str]:
    """The names that are deprecated wherever they are."""
    deprecated: set[str] = set()
    current: set[str] = set()
    for manual in context.release_manuals:
        for _, entry in tree.entries(manual):
            for signature in entry.signatures:
                (deprecated if signature.deprecated else current).add(signature.name)
    return frozenset(deprecated - current)


RULE = Rule("deprecated-recommended", "warning", __doc__, _find)
