"""A signature is malformed, or a row of a table that gives one.

Reported are unclosed and unmatched brackets; a comma before an optional argument instead of
in it, and one too many; words and arguments without a space or comma between them; double
spaces that line nothing up; and, where nine of ten signatures of a kind end with a colon and
a type, those without, with other spaces around the colon, or with a type that is nearly
another. In tables of samples and converters, brackets and commas are checked.

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

from dconv.lint.context import Context
from dconv.lint.habits import MIN_CASES, is_exception
from dconv.lint.listings import ListedName
from dconv.lint.rule import Finding, Rule
from dconv.lint.spelling import distance
from dconv.model.tree import Entry, Signature, Span

PAIRS: Mapping[str, str] = {")": "(", "]": "[", "}": "{", ">": "<"}
# brackets that are none: "->", "<=", "'{'", "\\["; "[\]" holds a backslash
OTHER = re.compile(r"[-=]>|<[-=]|>=|'[^'\s]'|\"[^\"\s]\"|\\[<>({})\[]|<\s+\d|<<|>>")
# "name(<a>,[<b>])", "name(<a>, <b>)", "name(,"
CALL = re.compile(r"[\w.]+\(")
COMMA = re.compile(r",\s*\[\s*(?P<optional>[^\[\],]*)|\(,|,,|,\s*\)")
# "name(<a><b>)", "name(<a>[<b>])": what no comma parts
NO_COMMA = re.compile(r"\((?=[^()]*+\))[^()]*?(?P<place>>\[?<)[^()]*\)")
# "weight<number>", "[ on ]<mark>": no blank in front
NO_BLANK = re.compile(r"(?<=[A-Za-z0-9])<(?=[A-Za-z])")
BLANKS = re.compile(r"(?<=\S)  +(?=[^\s([]|\[[^A-Z]*$|\[[^A-Z]*\s\[)")
TYPED = re.compile(r"(?P<colon>(?<!\s)\s*:\s*)[A-Za-z][\w +,/|]*$")
CELL = re.compile(r"\s{2,}")  # parts the cells of a row
FLAGS = re.compile(r"(?:(?<!\s)\s*(?:\(\w+\)|\[\s*[A-Z]+\s*\])){1,9}$")
COMMON = 4  # signatures that have a type: it is not a typo
MIN_TYPE_LENGTH = 4  # a shorter type is compared with no other


def _find(context: Context) -> Iterator[Finding]:
    kinds: dict[str, list[Signature]] = {}
    for _, entry in context.entries:
        kinds.setdefault(entry.kind, []).extend(entry.signatures)
        for form in entry.signatures:
            yield from _brackets(context, form)
            yield from _comma(context, form)
            if match := NO_BLANK.search(form.text):
                yield _finding(context, form, match.start(), "add a space before '<'")
        yield from _blanks(context, entry)
    for listing in context.listings:
        for row in listing.names if listing.kind == "summary" else ():
            form = _row(context, row)
            yield from _brackets(context, form)
            yield from _comma(context, form)
    for forms in kinds.values():
        yield from _types(context, forms)


def _row(context: Context, row: ListedName) -> Signature:
    """What the first cell of `row` gives as a signature."""
    text = CELL.split(context.line(row.line).text)[0]
    return Signature(
        text, row.name, "", row.negated, row.deprecated, False, "", Span(row.line, row.line)
    )


def _brackets(context: Context, form: Signature) -> Iterator[Finding]:
    """The first bracket of a signature that has no other."""
    text = OTHER.sub(lambda match: "_" * len(match[0]), form.text)
    opened: list[tuple[str, int]] = []
    for at, sign in enumerate(text):
        if sign in "([{<":
            if sign == "<" and opened and opened[-1][0] == "<":
                break
            opened.append((sign, at))
        elif sign in PAIRS:
            if not opened or opened[-1][0] != PAIRS[sign]:
                if all(bracket != PAIRS[sign] for bracket, _ in opened):
                    yield _finding(context, form, at, f"unmatched '{sign}'")
                    return
                break
            opened.pop()
    if opened:
        sign, at = opened[-1]
        yield _finding(context, form, at, f"unclosed '{sign}'")


def _comma(context: Context, form: Signature) -> Iterator[Finding]:
    """The first odd comma between the arguments of a function."""
    if not CALL.match(form.text):
        return
    if match := COMMA.search(form.text):
        remedy = f"write `[,{match['optional']}]`" if match["optional"] else "remove this comma"
        yield _finding(context, form, match.start(), remedy)
    elif match := NO_COMMA.search(form.text):
        at = match.start("place")
        yield _finding(context, form, at, f"add a comma in '{match['place']}'")


def _blanks(context: Context, entry: Entry) -> Iterator[Finding]:
    """Double spaces within a signature that put nothing below what is above."""
    rows = [context.line(form.span.first) for form in entry.signatures]
    for row in rows:
        match = BLANKS.search(row.text)
        if match is None:
            continue
        column = match.end()
        lined_up = any(
            other is not row and other.text[column - 1 : column].isspace()
            and not other.text[column : column + 1].isspace()
            for other in rows
        )
        if not lined_up:
            message = "write one space here"
            yield Finding(row.number, match.start() + 1, message, len(match[0]))


def _types(context: Context, forms: Sequence[Signature]) -> Iterator[Finding]:
    """Signatures without a colon and a type, and with other blanks around the colon."""
    bare = [FLAGS.sub("", form.text) for form in forms]
    typed = [TYPED.search(text) for text in bare]
    lacking = typed.count(None)
    if len(forms) < MIN_CASES or not is_exception(lacking, len(forms)):
        return
    types = Counter(form.type for form in forms)
    usual = [
        name for name, count in types.items()
        if count >= COMMON and len(name) >= MIN_TYPE_LENGTH
    ]
    for form, text, match in zip(forms, bare, typed, strict=True):
        if types[form.type] == 1 and len(form.type) >= MIN_TYPE_LENGTH:
            for other in usual:
                if distance(form.type, other, 1) == 1:
                    message = f"unknown type '{form.type}'; did you mean '{other}'?"
                    yield _finding(context, form, max(0, form.text.rfind(form.type)), message)
        if match is None:
            at = len(text) - 1
            yield _finding(context, form, at, f"add ' : ' and the type after '{form.name}'")
        elif match["colon"] != " : ":
            yield _finding(context, form, match.start(), "write ' : ', with one space on each side")


def _finding(context: Context, form: Signature, at: int, message: str) -> Finding:
    """At the sign number `at` of the signature, where its lines are not folded."""
    line = context.line(form.span.first)
    alike = line.text[: at + 1] == form.text[: at + 1]
    return Finding(form.span.first, line.column + at if alike else line.column, message)


RULE = Rule("signature", "warning", __doc__, _find)
