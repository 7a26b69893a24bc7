"""What the number of a section means, by the words behind it."""

from __future__ import annotations

import re

from dconv.linking.symbols import Heading, Symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import Target

# a section's title behind its number: ' "Bind options"', '. "Bind options"'
TITLE = re.compile(r"\.?\s*\"\s*(?P<title>[^\"]{3,60})\"")
# the same where the quotes are around both: '. Bind options"'
REST = re.compile(r"\.?\s+(?P<title>[^\"]{3,60})\"")
# a name that is said to stand in a section: '"table" in section ', 'table in the section '
NAMED = re.compile(
    r'(?:"(?P<quoted>[^"]+)"|(?<![^\s"])(?P<plain>[^\s"]+)) in (?:the )?[Ss]ections? "?$'
)

# further numbers behind one: " and 4.3", ", 5 and 6"
FURTHER = re.compile(r"\"?(?:(?:,?\s+(?:and|or)|,|\s+to|\s+through)\s+\d[\d.]*)+(?=\s)")
# words that name another text behind a number: " of the HTTP/2 specification"
OF_TEXT = re.compile(
    r"[.\s]*(?:\(?\"[^\"]{1,60}\"\)?\s+)?(?:of|from|in)\s+(?:(?:the|an?|its|their)\s+)?"
    r"(?P<title>(?!(?:this|the|an?|that|our)\b)[\w./+-]+(?:\s+(?!(?:and|or|to|for|with|that|which|is|are)\b)"
    r"[\w./+-]+){0,3}?)\s+"
    r"(?:specifications?|specs?|standards?|guides?|drafts?|manuals?|documentation|RFC)\b"
)
# such words that mean the text at hand: "of the present specification"
PRESENT = frozenset(("present", "current", "same", "whole", "following", "reference"))


def numbered(
    number: str, before: str, after: str, document: str, symbols: Symbols, dialect: Dialect
) -> Target | None:
    """The section `number`: of the manual named behind it, of `document`, of one with its title.

    `before` and `after` are the words around it.  At last it is that of the one
    manual that has it and defines the name in front.
    """
    title = (REST if before.endswith('"') else TITLE).match(after)
    words = " ".join((title["title"] if title else "").casefold().split())
    other = manual_named(before, after, symbols, dialect)
    if other in symbols.headings:
        heading = symbols.headings[other].get(number)
        return heading.target if heading else None
    own = symbols.headings.get(document, {})
    if number in own and (not words or own[number].title == words):
        return own[number].target
    titled = [heading for heading in own.values() if words and heading.title == words]
    if len(titled) == 1:
        return titled[0].target
    if number in own:
        return own[number].target
    found = [
        headings[number] for headings in symbols.headings.values()
        if words and number in headings and headings[number].title == words
    ]
    found = found or _having(number, before, symbols)
    return found[0].target if len(found) == 1 else None


def manual_named(before: str, after: str, symbols: Symbols, dialect: Dialect) -> str:
    """The document that the words after a number name: "of the management guide".

    It may not be here, if no other is named; it is empty where none is.
    """
    title = (REST if before.endswith('"') else TITLE).match(after)
    words = _behind(after[title.end() :] if title else after)
    named = [name for name, form in dialect.document_names.items() if form.match(words)]
    return next((name for name in named if name in symbols.headings), (*named, "")[0])


def _having(number: str, before: str, symbols: Symbols) -> list[Heading]:
    """The sections `number` of the manuals that define the name in front of it."""
    match = NAMED.search(before)
    named = symbols.names.get(match["quoted"] or match["plain"], ()) if match else ()
    manuals = dict.fromkeys(symbol.target.document for symbol in named)
    return [
        symbols.headings[manual][number] for manual in manuals
        if number in symbols.headings.get(manual, {})
    ]


def of_another(after: str, document: str, dialect: Dialect) -> bool:
    """True where the words after a number name a text that is neither here nor known."""
    match = OF_TEXT.match(_behind(after))
    if match is None:
        return False
    title = match["title"].casefold()
    return title not in PRESENT and title not in (document.casefold(), dialect.name)


def _behind(words: str) -> str:
    """`words` without further numbers: "4.2 and 4.3 of the guide" are both of it."""
    match = FURTHER.match(words)
    return words[match.end() :] if match else words
