"""An entry does not describe an argument of its signature.

It is reported if the entry has a list of 'Arguments' without it and does not mention it elsewhere,
and where the list says 'none'. Placeholders that four or more entries leave out, such as a
condition at the end, are not reported.

Bad:
    id <value>
      Arguments : none

Good:
    id <value>
      Arguments :
        <value>   is a positive number
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from dconv.lint.arguments import Arguments, read_arguments
from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report_words

HABIT = 4  # entries that say nothing of a placeholder: it needs no words


def _find(context: Context) -> Iterator[Finding]:
    every = [arguments for _, entry in context.entries if (arguments := read_arguments(entry))]
    lacking: list[tuple[Arguments, str]] = []
    for arguments in every:
        if arguments.none:
            if arguments.placeholders and not arguments.described:
                name = arguments.entry.name
                message = f"'{name}' has the argument '<{arguments.placeholders[0]}>'; describe it"
                yield report_words(context, arguments.none, "none", message)
        elif arguments.described:
            lacking += [(arguments, name) for name in _undescribed(context, arguments)]
    habits = Counter(name for _, name in lacking)
    for arguments, name in lacking:
        if habits[name] < HABIT:
            form = next(form for form in arguments.entry.signatures if name in form.text)
            message = f"'{arguments.entry.name}' does not describe its argument '{name}'"
            yield Finding(form.span.first, 1, message, len(arguments.entry.name))


def _undescribed(context: Context, arguments: Arguments) -> Iterator[str]:
    """The placeholders that the text of an entry never has, nor the word that they belong to."""
    entry = arguments.entry
    lines = context.body_lines(entry)
    text = "\n".join([line.text for line in lines])
    described = {argument.name for argument in arguments.described}
    for name in arguments.placeholders:
        if f"<{name}..." in entry.signatures[0].text:
            continue  # whatever others take
        if name not in described and not re.search(rf"\b{re.escape(name)}s?\b", text, re.I):
            before = _word_before(arguments, name)
            if before not in described and (not before or before not in text):
                yield f"<{name}>"


def _word_before(arguments: Arguments, name: str) -> str:
    """The word that a placeholder belongs to, in the signature: "weight" of "weight <w>"."""
    for form in arguments.entry.signatures:
        match = re.search(rf"(?<![\w.-])(?P<word>[\w.-]++)\s+<{re.escape(name)}\b", form.text)
        if match is not None and match.start() >= len(form.name):
            return match["word"]
    return ""


RULE = Rule("argument-undescribed", "warning", __doc__, _find)
