"""A signature is malformed, or a row of a table that gives one.

The rule reports unclosed and unmatched brackets; a comma before an optional argument instead of
in it, and one too many; a space within the parentheses of a call, or before them; two arguments
of the entry in one '<>'; words and arguments without a space or comma between them; double spaces
that align nothing; and, where nine of ten signatures of a kind end with a colon and
a type, those without, with other spaces around the colon, or with a type that is similar to
another. In tables of samples and converters it checks brackets and commas.

Bad:
    fold(<width>,[<mark>])
    relay <name> [ weight <number>

Good:
    fold(<width>[,<mark>])
    relay <name> [ weight <number> ]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dconv.lint.arguments import read_arguments
from dconv.lint.context import Context
from dconv.lint.frequency import MIN_CASES, is_rare
from dconv.lint.rule import Finding, Rule
from dconv.lint.spelling import edit_distance
from dconv.model.tree import Entry, Signature, Span

PAIRS: Mapping[str, str] = {")": "(", "]": "[", "}": "{", ">": "<"}
# characters that look like brackets: "->", "<=", "'{'", "\\["; "[\]" holds a backslash
NOT_BRACKETS = re.compile(r"[-=]>|<[-=]|>=|'[^'\s]'|\"[^\"\s]\"|\\[<>({})\[]|<\s+\d|<<|>>")
# "name(<a>,[<b>])", "name(<a>, <b>)", "name(,"
FUNCTION_CALL = re.compile(r"[\w.-]+\(")
COMMA = re.compile(r",\s*\[\s*(?P<optional>[^\[\]]*)|\(,|,,|,\s*\)")
# "name(<a><b>)", "name(<a>[<b>])": what no comma separates
MISSING_COMMA = re.compile(r"\((?=[^()]*+\))[^()]*?(?P<place>>\[?<)[^()]*\)")
# "name (<a>)", "name( <a>)", "name(<a>, <b>)", "name(<a> )", "name(<a b>)", "name(<a> ...)"
CALL_SPACE = re.compile(
    r"^[a-z][\w.]*(?P<before> +)\((?=[<\[])|^[a-z][\w.-]*\((?:[^()]*?[^\s()|{}])?"
    r"(?P<inside> +(?=[,)]|\.\.\.|[\w-]+>)|(?<=[(,]) +(?=[<\[]))"
)
TWO_ARGUMENTS = re.compile(r"<(?P<one>[\w-]+)[ ,] ?(?P<other>[\w-]+)>")
# "weight<number>", "relay{ if": no blank in front
MISSING_SPACE = re.compile(r"(?<=[A-Za-z0-9])(?:<(?=[A-Za-z])|\{(?= ))")
DOUBLE_SPACE = re.compile(r"(?<=\S)  +(?=[^\s([]|\[[^A-Z]*$|\[[^A-Z]*\s\[)")
TYPED = re.compile(r"(?P<colon>(?<!\s)\s*:\s*)[A-Za-z][\w +,/|]*$")
CELL = re.compile(r"\s{2,}")  # between the cells of a row
# "    scook([<name>]) : exact string match": a signature within the text of another
LISTED = re.compile(r"[a-z][\w.]*\(\S* : [a-z][a-z ]*$")
FLAGS = re.compile(r"(?:(?<!\s)\s*(?:\(\w+\)|\[\s*[A-Z]+\s*\])){1,9}$")
MIN_COMMON_TYPE = 4  # signatures that have a type: it is not a typo
MIN_TYPE_LENGTH = 4  # a shorter type is compared with no other


def _find(context: Context) -> Iterator[Finding]:
    kinds: dict[str, list[Signature]] = {}
    for _, entry in context.entries:
        kinds.setdefault(entry.kind, []).extend(entry.signatures)
        for signature in entry.signatures:
            yield from _punctuation(context, signature)
            yield from _two_arguments(context, signature, entry)
            if match := MISSING_SPACE.search(signature.text):
                message = f"add a space before '{match[0]}'"
                yield _finding(context, signature, match.start(), message)
        yield from _double_spaces(context, entry)
    for listing in context.listings:
        for row in listing.names if listing.kind == "summary" else ():
            text = CELL.split(context.line(row.line).text)[0]
            signature = Signature(text, Span(row.line, row.line), row.name)
            yield from _punctuation(context, signature)
    for line in context.lines:
        if line.indent and LISTED.match(line.text):
            yield from _brackets(context, Signature(line.text, Span(line.number, line.number)))
    for signatures in kinds.values():
        yield from _types(context, signatures)


def _punctuation(context: Context, signature: Signature) -> Iterator[Finding]:
    yield from _brackets(context, signature)
    yield from _comma(context, signature)
    yield from _call_space(context, signature)


def _brackets(context: Context, signature: Signature) -> Iterator[Finding]:
    """The first bracket of a signature that has no other."""
    text = NOT_BRACKETS.sub(lambda match: "_" * len(match[0]), signature.text)
    opened: list[tuple[str, int]] = []
    for index, character in enumerate(text):
        if character in "([{<":
            if character == "<" and opened and opened[-1][0] == "<":
                break
            opened.append((character, index))
        elif character in PAIRS:
            if not opened or opened[-1][0] != PAIRS[character]:
                if all(bracket != PAIRS[character] for bracket, _ in opened):
                    yield _finding(context, signature, index, f"unmatched '{character}'")
                    return
                break
            opened.pop()
    if opened:
        character, index = opened[-1]
        yield _finding(context, signature, index, f"unclosed '{character}'")


def _comma(context: Context, signature: Signature) -> Iterator[Finding]:
    """The first odd comma between the arguments of a function."""
    if not FUNCTION_CALL.match(signature.text):
        return
    if match := COMMA.search(signature.text):
        remedy = f"write `[,{match['optional']}]`" if match["optional"] else "remove this comma"
        yield _finding(context, signature, match.start(), remedy)
    elif match := MISSING_COMMA.search(signature.text):
        index = match.start("place")
        yield _finding(context, signature, index, f"add a comma in '{match['place']}'")


def _call_space(context: Context, signature: Signature) -> Iterator[Finding]:
    """The first space that does not belong in the call of a function, unless `_comma` sees it."""
    match = CALL_SPACE.search(signature.text)
    if match and (match["before"] or not COMMA.search(signature.text)):
        yield _finding(context, signature, match.start(match.lastgroup or 0), "remove this space")


def _two_arguments(context: Context, signature: Signature, entry: Entry) -> Iterator[Finding]:
    """Two arguments that the entry describes, in one pair of brackets."""
    for match in TWO_ARGUMENTS.finditer(signature.text):
        arguments = read_arguments(entry)
        described = {argument.name for argument in arguments.described} if arguments else set()
        if described.issuperset(match.groups()):
            remedy = f"write '<{match['one']}>' and '<{match['other']}>'"
            yield _finding(context, signature, match.start(), remedy)


def _double_spaces(context: Context, entry: Entry) -> Iterator[Finding]:
    """Double spaces within a signature that put nothing below what is above."""
    rows = [context.line(signature.span.first) for signature in entry.signatures]
    for row in rows:
        match = DOUBLE_SPACE.search(row.text)
        if match is None:
            continue
        column = match.end()
        is_aligned = any(
            other is not row and other.text[column - 1 : column].isspace()
            and not other.text[column : column + 1].isspace()
            for other in rows
        )
        if not is_aligned:
            yield Finding(row.number, match.start() + 1, "write one space here", len(match[0]))


def _types(context: Context, signatures: Sequence[Signature]) -> Iterator[Finding]:
    """Signatures without a colon and a type, and with other blanks around the colon."""
    texts = [FLAGS.sub("", signature.text) for signature in signatures]
    type_matches = [TYPED.search(text) for text in texts]
    untyped = type_matches.count(None)
    if len(signatures) < MIN_CASES or not is_rare(untyped, len(signatures)):
        return
    types = Counter(signature.type for signature in signatures)
    common_types = [
        name for name, count in types.items()
        if count >= MIN_COMMON_TYPE and len(name) >= MIN_TYPE_LENGTH
    ]
    for signature, text, match in zip(signatures, texts, type_matches, strict=True):
        if types[signature.type] == 1 and len(signature.type) >= MIN_TYPE_LENGTH:
            for other in common_types:
                if edit_distance(signature.type, other, 1) == 1:
                    message = f"unknown type '{signature.type}'; did you mean '{other}'?"
                    index = max(0, signature.text.rfind(signature.type))
                    yield _finding(context, signature, index, message)
        if match is None:
            index = len(text) - 1
            message = f"add ' : ' and the type after '{signature.name}'"
            yield _finding(context, signature, index, message)
        elif match["colon"] != " : ":
            message = "write ' : ', with one space on each side"
            yield _finding(context, signature, match.start(), message)


def _finding(context: Context, signature: Signature, index: int, message: str) -> Finding:
    """At the character number `index` of the signature, where its lines are not folded."""
    line = context.line(signature.span.first)
    is_unfolded = line.text[: index + 1] == signature.text[: index + 1]
    column = line.column + index if is_unfolded else line.column
    return Finding(signature.span.first, column, message)


RULE = Rule("signature", "warning", __doc__, _find, needs_entry_rules=True)
