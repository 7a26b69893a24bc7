"""The text describes an argument that the signature does not have.

It is misspelt, or the signature was not updated. The rule reports placeholders on the first level
below 'Arguments'; words there, if two others are among the choices of the signature; and
placeholders in the body that differ from one of the signature by a typo or by their end. It also
reports a placeholder that occurs only once in the text and differs by a typo from one that occurs
often. It reports each name once in an entry.

Bad:
    mode { tcp|http }
      Arguments :
        tcp    is any traffic
        http   is that of web servers
        spop   is that of agents

Good:
    mode { tcp|http|spop }
      Arguments :
        tcp    is any traffic
        http   is that of web servers
        spop   is that of agents
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.lint.arguments import PLACEHOLDER, WORD, Arguments, read_arguments
from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report_match, report_words
from dconv.lint.spelling import edit_distance
from dconv.model.source import Line
from dconv.model.tree import Entry

BEFORE_OTHER_SIGNATURES = ("(", "[", ",")  # these precede an argument of another signature
MIN_DESCRIBED = 2  # choices of the signature that are described
MAX_TYPOS = 2
MIN_NAME_LENGTH = 4  # a shorter placeholder is compared with no other
MIN_COMMON = 5  # occurrences of a placeholder that others may misspell
MIN_COMMON_LENGTH = 6


def _find(context: Context) -> Iterator[Finding]:
    findings = list(_in_entries(context))
    yield from findings
    yield from _near_common(context, {finding.line for finding in findings})


def _near_common(context: Context, reported: set[int]) -> Iterator[Finding]:
    """Placeholders that occur once in the text and differ by a typo from one that occurs often."""
    occurrences: dict[str, list[tuple[Line, re.Match[str]]]] = {}
    for line in context.lines:
        for match in PLACEHOLDER.finditer(line.text) if "<" in line.text else ():
            occurrences.setdefault(match["name"], []).append((line, match))
    common = [
        name for name, matches in occurrences.items()
        if len(matches) >= MIN_COMMON and len(name) >= MIN_COMMON_LENGTH
    ]
    for name, ((line, match), *further) in occurrences.items():
        if further or line.number in reported or len(name) < MIN_COMMON_LENGTH:
            continue
        for other in common:
            if (
                name[0] == other[0] and name.rstrip("s") != other.rstrip("s")
                and not (name[-1].isdigit() or other[-1].isdigit())
                and edit_distance(name, other, 1) == 1
            ):
                message = f"unknown argument '<{name}>'; did you mean '<{other}>'?"
                yield report_match(line, match, message)
                break


def _in_entries(context: Context) -> Iterator[Finding]:
    for _, entry in context.entries:
        if arguments := read_arguments(entry):
            yield from _unknown_placeholders(context, arguments)
            yield from _unknown_words(context, arguments)
        described = arguments.described if arguments else ()
        yield from _misspelt_placeholders(context, entry, {argument.name for argument in described})


def _unknown_placeholders(context: Context, arguments: Arguments) -> Iterator[Finding]:
    """Placeholders that are described and in no signature."""
    for argument in arguments.described:
        if argument.is_placeholder and argument.name not in arguments.signature_words:
            suggestion = next((
                other for other in arguments.placeholders
                if edit_distance(argument.name, other, MAX_TYPOS) <= MAX_TYPOS
                or other.startswith(argument.name)
            ), "")
            hint = f"; did you mean '<{suggestion}>'?" if suggestion else ""
            message = f"no signature of '{arguments.entry.name}' has '{argument.text}'{hint}"
            yield report_words(context, argument.line, argument.text, message)


def _unknown_words(context: Context, arguments: Arguments) -> Iterator[Finding]:
    """Words that are described but not among the choices of the signature."""
    words = [argument for argument in arguments.described if not argument.is_placeholder]
    if sum(argument.name in arguments.choices for argument in words) < MIN_DESCRIBED:
        return
    for argument in words:
        if argument.text and argument.name not in arguments.signature_words:
            message = f"no signature of '{arguments.entry.name}' has '{argument.text}'"
            yield report_words(context, argument.line, argument.text, message)


def _misspelt_placeholders(context: Context, entry: Entry, reported: set[str]) -> Iterator[Finding]:
    """Placeholders in the body that differ slightly from one of the signature.

    After a bracket or a comma, a placeholder belongs to another signature and is skipped.
    """
    text = " ".join(signature.text for signature in entry.signatures)
    if "<" not in text:
        return
    excluded = {*WORD.findall(text), *reported}
    placeholders = [match["name"] for match in PLACEHOLDER.finditer(text)]
    for line in context.body_lines(entry):
        for match in PLACEHOLDER.finditer(line.text) if "<" in line.text else ():
            name = match["name"]
            before = line.text[match.start() - 1 : match.start()]
            if name in excluded or before in BEFORE_OTHER_SIGNATURES or len(name) < MIN_NAME_LENGTH:
                continue
            for other in dict.fromkeys(placeholders):
                if len(other) >= MIN_NAME_LENGTH and _is_similar(name, other):
                    excluded.add(name)
                    message = f"unknown argument '<{name}>'; did you mean '<{other}>'?"
                    yield report_match(line, match, message)
                    break


def _is_similar(name: str, other: str) -> bool:
    """Whether two names differ by a typo, or by what one has after the other."""
    if name[-1].isdigit() or other[-1].isdigit():
        return False
    return name.startswith(other) or other.startswith(name) or edit_distance(name, other, 1) == 1


RULE = Rule("argument-unknown", "warning", __doc__, _find, needs_entry_rules=True)
