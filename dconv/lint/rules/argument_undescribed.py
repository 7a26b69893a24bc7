"""An entry does not describe an argument of its signature.

The rule reports an argument if the entry has a list of 'Arguments' without it and does not mention
it elsewhere, and if the list says 'none'. It ignores placeholders that four or more entries leave
out, such as a condition at the end.

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

MIN_COMMON = 4  # a placeholder that so many entries do not describe needs no description


def _find(context: Context) -> Iterator[Finding]:
    all_arguments = [
        arguments for _, entry in context.entries if (arguments := read_arguments(entry))
    ]
    undescribed: list[tuple[Arguments, str]] = []
    for arguments in all_arguments:
        if arguments.no_arguments_line:
            if arguments.placeholders and not arguments.described:
                name = arguments.entry.name
                message = f"'{name}' has the argument '<{arguments.placeholders[0]}>'; describe it"
                yield report_words(context, arguments.no_arguments_line, "none", message)
        elif arguments.described:
            undescribed += [(arguments, name) for name in _undescribed(context, arguments)]
    counts = Counter(name for _, name in undescribed)
    for arguments, name in undescribed:
        if counts[name] < MIN_COMMON:
            signature = next(other for other in arguments.entry.signatures if name in other.text)
            message = f"'{arguments.entry.name}' does not describe its argument '{name}'"
            yield Finding(signature.span.first, 1, message, len(arguments.entry.name))


def _undescribed(context: Context, arguments: Arguments) -> Iterator[str]:
    """The placeholders that the text of an entry mentions neither by name nor by their word."""
    entry = arguments.entry
    lines = context.body_lines(entry)
    text = "\n".join([line.text for line in lines])
    described = {argument.name for argument in arguments.described}
    for name in arguments.placeholders:
        if f"<{name}..." in entry.signatures[0].text:
            continue  # these are the arguments of another keyword
        if name not in described and not re.search(rf"\b{re.escape(name)}s?\b", text, re.I):
            before = _word_before(arguments, name)
            if before not in described and (not before or before not in text):
                yield f"<{name}>"


def _word_before(arguments: Arguments, name: str) -> str:
    """The word that a placeholder belongs to, in the signature: "weight" of "weight <w>"."""
    for signature in arguments.entry.signatures:
        match = re.search(rf"(?<![\w.-])(?P<word>[\w.-]++)\s+<{re.escape(name)}\b", signature.text)
        if match is not None and match.start() >= len(signature.name):
            return match["word"]
    return ""


RULE = Rule("argument-undescribed", "warning", __doc__, _find, needs_entry_rules=True)
