"""A word stands twice in a row, on one line or over the end of a line; or a comma does.

Words that may come twice ('that that', 'had had') are left alone, and so are names, quoted
words, and what stands in examples and tables.

Bad:
    timeout <time>
      The value is sent to the
      the server.

Good:
    timeout <time>
      The value is sent to the
      server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import eq

from dconv.check.passages import Passage
from dconv.check.rule import Finding, Rule
from dconv.check.subject import Subject
from dconv.tree import Definition

# "the the", "The the"; not "the the-x", "'no' no", "<name> name", "in in/out"
DOUBLED = re.compile(
    r"(?<![\w\"'<>.,/$%@#=(-])(?P<word>[A-Za-z]{2,}|a) (?P=word)"
    r"(?! (?P=word)\b)(?![\w\"'<>=(/-]|\.\w)",
    re.IGNORECASE,
)
COMMAS = re.compile(r"(?<=[\w\"]),\s?,(?= (?:[a-z]|\"\w)|$)")
TWICE = frozenset({
    "that", "had", "very", "much", "so", "long", "many", "no", "bla", "million", "billion",
})  # fmt: skip


def _find(subject: Subject) -> Iterator[Finding]:
    """A finding at the second of two like words."""
    for passage in subject.passages:
        if isinstance(passage.node, Definition):
            continue
        text = passage.text
        if ",," in text or ", ," in text:
            yield from _commas(subject, passage)
        words = text.lower().replace(".", "").replace(",", "").split(" ")
        if not any(map(eq, words, words[1:])):
            continue  # asked first because it is quick
        for match in DOUBLED.finditer(text):
            word = match["word"]
            if word.casefold() not in TWICE:
                yield from _at(subject, passage, word)


def _commas(subject: Subject, passage: Passage) -> Iterator[Finding]:
    """Commas behind commas between words; those within quotes and brackets are meant."""
    for line in subject.lines[passage.span.first - 1 : passage.span.last]:
        for match in COMMAS.finditer(line.text):
            column = line.column + match.end() - 1
            yield Finding(line.number, column, "',' stands twice in a row")


def _at(subject: Subject, passage: Passage, word: str) -> Iterator[Finding]:
    """The place of the second; nothing where columns part them."""
    lines = subject.lines[passage.span.first - 1 : passage.span.last]
    text = "\n".join([line.text for line in lines])
    match = re.search(rf"\b{word}\s(?P<second>{word})\b", text, re.IGNORECASE)
    if match is not None:
        start = match.start("second")
        line = lines[text.count("\n", 0, start)]
        column = line.column + start - (text.rfind("\n", 0, start) + 1)
        yield Finding(line.number, column, f"'{word}' stands twice in a row", len(word))


RULE = Rule("doubled-word", "warning", __doc__, _find)
