"""A sentence has a mark too many, lacks a blank after its full stop, or leaves '%[' open.

The rule reports two full stops at an end, a full stop and a comma, doubled quotes beside a word,
'>' twice after a placeholder, and a full stop right before the next sentence. In examples it
reports a '%[' whose bracket is never closed.

Bad:
    timeout <time>
      The value is in seconds..The default is "5s"".

Good:
    timeout <time>
      The value is in seconds. The default is "5s".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report_match
from dconv.model.tree import Preformatted

# by what to do; no names ("vv.The", "a..b"), no abbreviations ("R., etc.,"), no ranges ("1,3,..63")
MARKS: Mapping[str, re.Pattern[str]] = {
    "write one full stop": re.compile(r"(?<=[a-z0-9)\"])(?<!\d)\.\.(?=\s|$)(?!\s+\d)"),
    "write one mark": re.compile(r"(?:(?<![\w.])[a-z]{4}[a-z]+|\bsection \d[\d.]*)\.,(?=\s|$)"),
    "write one quote": re.compile(r"(?<=[\w>])\"\"(?=[\s.,;)]|$)|(?<=[\s(])\"\"(?=[a-z])"),
    "write one '>'": re.compile(r"(?<![<\w])<[a-z][\w-]*>>(?!>)"),
    "add a space after the full stop": re.compile(
        r"(?<=[a-z]{2})\.(?=(?:The|This|These|There|It|If|In|An?|As|At|When|Note|For|However|By|But"
        r"|Then|Each|Only|All|To|Doing|Using|See|You|Please) [a-z]+ [a-z])"
    ),
}
SUSPECT = re.compile(r"\.[.,A-Z]|\"\"|>>")  # what each of them has, asked first because it is quick
OPENING = "%["


def _find(context: Context) -> Iterator[Finding]:
    for line in context.prose_lines():
        for remedy, mark in MARKS.items() if SUSPECT.search(line.text) else ():
            if match := mark.search(line.text):
                yield report_match(line, match, remedy)
    for node in context.nodes if context.dialect.syntax.roles else ():
        if isinstance(node, Preformatted):
            for line in context.lines_of(node.span):
                start = _unclosed(line.text)
                if start >= 0:
                    message = f"unclosed '{OPENING}'"
                    yield Finding(line.number, line.column + start, message, len(OPENING))


def _unclosed(text: str) -> int:
    """Where the last `%[` of `text` begins if nothing closes it on this line; else -1."""
    start = text.rfind(OPENING)
    if start < 0 or text.endswith("\\") or text[start:].count("[") <= text[start:].count("]"):
        return -1
    return start


RULE = Rule("punctuation", "warning", __doc__, _find)
