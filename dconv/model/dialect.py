"""What differs between manuals, as data: the dialect part of `manual.toml`.

Sections are matched by title, never by number: numbers move between releases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

NOTHING = re.compile(r"(?!)")  # matches never
PLAIN_KIND = "keyword"  # of entries in sections that no reference names
MAN_PAGES = "https://manpages.debian.org/{name}.{section}"  # "crypt.3" leads to the newest

NameRule = Literal["words", "first", "matrix"]


@dataclass(frozen=True, slots=True)
class Reference:
    """Sections whose titles match `title` hold entries of one kind.

    `names` tells how a name is read from a signature: "words" are all leading
    literal words, "first" the first word only, "matrix" the row of the matrix of
    keywords that the signature starts with, else all words.  `signature`, where
    given, must match the first signature too: it serves sections whose titles
    cannot be foreseen.
    """

    kind: str
    title: re.Pattern[str]
    names: NameRule = "words"
    signature: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class ItemRule:
    """Terms, list items or table rows that are definitions of a kind of their own.

    An item counts where the section's title, the label above it and the name of
    the entry it stands in match (an empty pattern matches all; the label of a
    table's row is "table") and `term` matches its text; the group `name` of
    `term` is the name.  `mentions` are the forms in which quotes hold it, none
    where they never do.  `part` finds in the text above a list what its items are
    told apart by (group 1): "D" of the first and of the second character.
    """

    kind: str
    term: re.Pattern[str]
    title: re.Pattern[str]
    label: re.Pattern[str]
    entry: re.Pattern[str]
    mentions: tuple[str, ...] = ("{name}",)
    part: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """Words around a quoted name that tell its kind.

    `before` is searched in what stands before the name, its opening quote
    included; `after` must match what follows, the closing quote first.
    """

    kinds: tuple[str, ...]
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class LineScope:
    """Lines that start with `words`: from the word `after` on, words are names of `kind`."""

    words: tuple[str, ...]
    after: int
    kind: str


@dataclass(frozen=True, slots=True)
class Scopes:
    """What the words of an example mean by where they stand.

    `sections` maps the word that opens a section to the kinds of the first words
    of its lines, `lines` tells the kinds of the words behind, `words` maps a role
    ("action", "fetch", "converter", "alias", "predicate") to its kinds.
    """

    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: tuple[LineScope, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The conventions of one family of manuals.

    `references` are tried in order; `items` likewise; `prose` are titles of sections
    that never hold entries; `arguments` find literal words that are no part of a name
    (group 1 starts them); `priority` orders kinds for a name that several have, and of
    the kinds `alike` none comes before the others; `values` are names that prose quotes
    as values more often than as names, and that only a hint makes a reference;
    `technical` are names of letters alone that are no words of the language, so that
    quotes alone make them references; `plain` are the kinds whose names other documents
    mention as a plain word ("daemon") or with a mark ("-D"); `hints` tell the kind of a
    name where it is mentioned; `rule_sets` maps a place of a usage to the words in
    front of an action ("HTTP Req" to "http-request"); `manuals` maps a document to the
    words behind a section's number that mean it; `files` maps the names of files that
    are no documents of the site to their addresses ("security.txt"); `scopes` tell what
    the words of an example mean; `code` is the language of unmarked examples,
    `code_line` matches what its lines start with; `omitted` are the words at the start
    of a name that prose may leave out; `man_pages` is the address of a manual page with
    {name} and {section}, or empty.
    """

    name: str = "plain"
    references: tuple[Reference, ...] = ()
    items: tuple[ItemRule, ...] = ()
    prose: tuple[re.Pattern[str], ...] = ()
    arguments: tuple[re.Pattern[str], ...] = ()
    priority: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    technical: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    rule_sets: Mapping[str, str] = field(default_factory=dict)
    manuals: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    scopes: Scopes = field(default_factory=Scopes)
    code: str = ""
    code_line: re.Pattern[str] = NOTHING
    omitted: tuple[str, ...] = ()
    man_pages: str = MAN_PAGES

    def reference(self, title: str, signature: str) -> Reference | None:
        """What entries a section titled `title` holds, where one starts with `signature`."""
        for reference in self.references:
            if reference.title.search(title) and (
                reference.signature is None or reference.signature.match(signature)
            ):
                return reference
        return None

    def is_prose(self, title: str) -> bool:
        """True where a section titled `title` never holds entries."""
        return any(pattern.search(title) for pattern in self.prose)
