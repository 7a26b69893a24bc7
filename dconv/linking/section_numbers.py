"""Which section a number means, by the words around it."""

from __future__ import annotations

import re

from dconv.linking.symbols import Heading, Symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import Target

# a section's title after its number: ' "Bind options"', '. "Bind options"'
TITLE = re.compile(r"[.,]?\s*\"\s*(?=[^\"]{3,60}\")(?P<title>[^\"]+)\"")
# the title, if the quotes are around number and title: '. Bind options"'
TITLE_IN_QUOTES = re.compile(r"\.?\s+(?P<title>[^\"]{3,60})\"")
# a name before its section: '"table" in section ', 'table in the section '
NAME_IN_FRONT = re.compile(
    r'(?:"(?P<quoted>[^"]+)"|(?<![^\s"])(?P<plain>[^\s"]+)) in (?:the )?[Ss]ections? "?$'
)

# further numbers after one: " and 4.3", ", 5 and 6"
FURTHER_NUMBERS = re.compile(r"\"?(?:(?:,?\s+(?:and|or)|,|\s+to|\s+through)\s+\d[\d.]*)+(?=\s)")
# words that name another text after a number: " of the HTTP/2 specification"
TEXT_AFTER_NUMBER = re.compile(
    r"[.\s]*(?:\(?\"[^\"]{1,60}\"\)?\s+)?(?:of|from|in)\s+(?:(?:the|an?|its|their)\s+)?"
    r"(?P<title>(?!(?:this|the|an?|that|our)\b)[\w./+-]+(?:\s+(?!(?:and|or|to|for|with|that|which|is|are)\b)"
    r"[\w./+-]+){0,3}?)\s+"
    r"(?:specifications?|specs?|standards?|guides?|drafts?|manuals?|documentation|RFC)\b"
)
# such words that mean the current text: "of the present specification"
THIS_TEXT = frozenset(("present", "current", "same", "whole", "following", "reference"))


def resolve_number(
    number: str, before: str, after: str, document: str, symbols: Symbols, dialect: Dialect
) -> Target | None:
    """The section `number` of the document that the text names, else of `document`.

    `before` and `after` are the text around it.  If `document` has no such section, it is
    the one of that number and title, or that of the one document that defines the name in
    front.  Returns None if there is none, or several.
    """
    title = _title(before, after)
    words = " ".join((title["title"] if title else "").casefold().split())
    other_document = named_document(before, after, symbols, dialect)
    if other_document in symbols.headings:
        heading = symbols.headings[other_document].get(number)
        return heading.target if heading else None
    own_headings = symbols.headings.get(document, {})
    if number in own_headings and (not words or own_headings[number].title == words):
        return own_headings[number].target
    titled = [heading for heading in own_headings.values() if words and heading.title == words]
    if len(titled) == 1:
        return titled[0].target
    if number in own_headings:
        return own_headings[number].target
    matches = [
        headings[number] for headings in symbols.headings.values()
        if words and number in headings and headings[number].title == words
    ]
    matches = matches or _in_defining_documents(number, before, symbols)
    return matches[0].target if len(matches) == 1 else None


def named_document(before: str, after: str, symbols: Symbols, dialect: Dialect) -> str:
    """The document that the words after a number name: "of the management guide".

    Documents of the release come first; the name is empty if the text names none.
    """
    title = _title(before, after)
    words = _without_further_numbers(after[title.end() :] if title else after)
    named = [name for name, pattern in dialect.document_names.items() if pattern.match(words)]
    return next((name for name in named if name in symbols.headings), (*named, "")[0])


def _title(before: str, after: str) -> re.Match[str] | None:
    """The title after a number, in quotes of its own or in those around both."""
    return (TITLE_IN_QUOTES if before.endswith('"') else TITLE).match(after)


def _in_defining_documents(number: str, before: str, symbols: Symbols) -> list[Heading]:
    """The sections `number` of the documents that define the name in front of it."""
    match = NAME_IN_FRONT.search(before)
    defining_symbols = symbols.names.get(match["quoted"] or match["plain"], ()) if match else ()
    documents = dict.fromkeys(symbol.target.document for symbol in defining_symbols)
    return [
        symbols.headings[document][number] for document in documents
        if number in symbols.headings.get(document, {})
    ]


def is_of_unknown_text(after: str, document: str, dialect: Dialect) -> bool:
    """Whether the words after a number name a text that is neither here nor known."""
    match = TEXT_AFTER_NUMBER.match(_without_further_numbers(after))
    if match is None:
        return False
    title = match["title"].casefold()
    return title not in THIS_TEXT and title not in (document.casefold(), dialect.name)


def _without_further_numbers(words: str) -> str:
    """`words` without further numbers: "of the guide" applies to both of "4.2 and 4.3"."""
    match = FURTHER_NUMBERS.match(words)
    return words[match.end() :] if match else words
