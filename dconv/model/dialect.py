"""What differs between manuals, as data: the dialect part of `manual.toml`.

Sections are matched by title, never by number: numbers move between releases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from dconv.model.values import dataclass

NEVER_MATCHES = re.compile(r"(?!)")
DEFAULT_KIND = "keyword"  # of entries in sections that no `EntryRule` names

NameRule = Literal["words", "first", "matrix"]
EntryLayout = Literal["signature", "name"]


@dataclass(frozen=True, slots=True)
class EntryRule:
    """Sections whose titles match `title` hold entries of one kind: `[[dialect.entry]]`.

    `names` says which words of a signature are the name: "words" are all leading literal
    words, "first" only the first word, "matrix" the row of the matrix of keywords that the
    signature starts with, else all words.  `signature`, if set, must match the first
    signature too: it serves sections of any title.  `layout` says how entries look: "signature" is
    a line at column 0 above its text, "name" is as in texts without a dialect.  `is_guessed` is
    true of a rule that is made from a text which marks its entries, and that no setting has.
    """

    kind: str
    title: re.Pattern[str]
    names: NameRule = "words"
    signature: re.Pattern[str] | None = None
    layout: EntryLayout = "signature"
    is_guessed: bool = False


@dataclass(frozen=True, slots=True)
class ItemRule:
    """Terms, list items or table rows that define things of one kind.

    An item counts if the section's title, the label above it and the name of the enclosing entry
    match (an empty pattern matches all; the label of a table's row is "table") and `term` matches
    its text; the group `name` of `term` is the name.  `quoted_as` are the forms in which prose
    quotes it, none if it never does.  Group 1 of `qualifier`, searched in the text above a list,
    distinguishes items of one name: "D" of the first and of the second character.
    """

    kind: str
    term: re.Pattern[str]
    title: re.Pattern[str]
    label: re.Pattern[str]
    entry: re.Pattern[str]
    quoted_as: tuple[str, ...] = ("{name}",)
    qualifier: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """Words around a quoted name that say its kind.

    `before` is searched in what is before the name, its opening quote included; `after` must match
    what follows, the closing quote first.
    """

    kinds: tuple[str, ...]
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class LineSyntax:
    """Lines that start with `words`: from the word `after` on, words are names of `kind`."""

    words: tuple[str, ...]
    after: int
    kind: str


@dataclass(frozen=True, slots=True)
class Syntax:
    """The kinds of the words of an example by their position.

    `sections` maps the word that opens a section to the kinds of the first words of its lines,
    `lines` has the kinds of the words after, `roles` maps a role ("action", "fetch", "converter",
    "alias", "predicate": a test in ".if") to its kinds.
    """

    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: tuple[LineSyntax, ...] = ()
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A format of log lines: the directive that chooses it, and its text with aliases (`%ci`).

    `<word>` in the text is a field that no alias names.  `variable` is the environment variable
    that configurations may write for the text, or empty.
    """

    name: str
    text: str
    variable: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the page that explains configurations and log lines needs, besides the syntax.

    sections            as those of `Syntax`: kinds of further directives
    lines               as those of `Syntax`: further lines
    roles               as those of `Syntax`: "acl" of a declared or predefined condition, "flag"
                        of a test, "prefix" of an address
    list_kinds          words of directives ("store"), and the kind of the names that are listed
                        after
    directive_prefixes  words in front of a directive ("no")
    condition_words     words that start the condition of a rule ("if")
    log_formats         the formats of log lines
    optional_fields     aliases that lines may lack, and how they look (a regular expression)
    field_patterns      aliases whose text may have blanks, and how it looks (a regular expression)
    timer_fields        aliases that are times, in milliseconds
    state_fields        aliases that are letters, each explained by an item of `state_kind`
    state_places        for each letter, the qualifier of its items ("first", "second")
    column_kind         the kind of the columns of tables that the program prints, or empty
    """

    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: tuple[LineSyntax, ...] = ()
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    list_kinds: Mapping[str, str] = field(default_factory=dict)
    directive_prefixes: tuple[str, ...] = ()
    condition_words: tuple[str, ...] = ()
    log_formats: tuple[LogFormat, ...] = ()
    optional_fields: Mapping[str, str] = field(default_factory=dict)
    field_patterns: Mapping[str, str] = field(default_factory=dict)
    timer_fields: tuple[str, ...] = ()
    state_fields: tuple[str, ...] = ()
    state_kind: str = ""
    state_places: tuple[str, ...] = ()
    column_kind: str = ""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The conventions of one family of manuals.

    entry_rules        which sections hold entries, tried in order
    item_rules         definitions without an entry of their own, tried in order
    prose_titles       titles of sections that never hold entries
    argument_patterns  literal words that are not part of a name; group 1 starts them
    priority           kinds, the first of which a name of several kinds means
    equal_priority     kinds of which none comes before the others
    value_words        names that prose mostly quotes as values: only a hint links them
    always_names       names of letters alone that are not English words: quotes link them
    bare_kinds         kinds whose names other documents mention as a plain word ("daemon")
                       or with a mark ("-D")
    hints              words around a name that say its kind
    rule_sets          a column of a usage table and the words in front of an action
                       ("HTTP Req": "http-request")
    document_names     a document and the words after a section's number that mean it
    external_files     files that are not documents of the site, and their addresses
    syntax             what the words of an example mean
    explanation        what else the page that explains configurations needs
    code_language      the language of examples that do not name theirs
    code_line          what lines in that language start with
    optional_prefixes  words at the start of a name that prose may leave out
    man_pages          the address of a manual page, with {name} and {section}, or empty
    guesses_blocks     whether layout shows what blocks are, as no setting says where entries are
    guesses_terms      whether names show where terms are, as no setting says where signatures are
    """

    name: str = "plain"
    entry_rules: tuple[EntryRule, ...] = ()
    item_rules: tuple[ItemRule, ...] = ()
    prose_titles: tuple[re.Pattern[str], ...] = ()
    argument_patterns: tuple[re.Pattern[str], ...] = ()
    priority: tuple[str, ...] = ()
    equal_priority: tuple[str, ...] = ()
    value_words: tuple[str, ...] = ()
    always_names: tuple[str, ...] = ()
    bare_kinds: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    rule_sets: Mapping[str, str] = field(default_factory=dict)
    document_names: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    external_files: Mapping[str, str] = field(default_factory=dict)
    syntax: Syntax = field(default_factory=Syntax)
    explanation: Explanation = field(default_factory=Explanation)
    code_language: str = ""
    code_line: re.Pattern[str] = NEVER_MATCHES
    optional_prefixes: tuple[str, ...] = ()
    man_pages: str = ""
    guesses_blocks: bool = field(init=False, compare=False)
    guesses_terms: bool = field(init=False, compare=False)

    def __post_init__(self) -> None:
        is_unset = all(rule.is_guessed for rule in self.entry_rules)
        object.__setattr__(self, "guesses_blocks", is_unset)
        object.__setattr__(self, "guesses_terms", is_unset or not self.describes_signatures)

    def entry_rule(self, title: str, signature: str) -> EntryRule | None:
        """The rule for a section titled `title` whose first entry has `signature`, or None."""
        return next((
            rule for rule in self.entry_rules if rule.title.search(title)
            and (rule.signature is None or rule.signature.match(signature))
        ), None)

    @property
    def describes_signatures(self) -> bool:
        """Whether the dialect says where signatures are; else names show where entries are."""
        return any(rule.layout == "signature" for rule in self.entry_rules)

    def name_layout_rule(self, title: str) -> EntryRule | None:
        """The rule of the layout "name" for a section titled `title`, or None."""
        return next((
            rule for rule in self.entry_rules
            if rule.layout == "name" and rule.title.search(title)
        ), None)

    def is_prose(self, title: str) -> bool:
        """Whether a section titled `title` never holds entries."""
        return any(pattern.search(title) for pattern in self.prose_titles)
