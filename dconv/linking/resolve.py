"""What a reference means: places of its name, chosen by the words around it and the scope."""

from __future__ import annotations

import re
from dataclasses import replace
from posixpath import dirname, join, normpath
from typing import assert_never

from dconv.linking.common_words import FOLLOWED_BY_SECTION, SEE, disambiguate
from dconv.linking.scope import Scope
from dconv.linking.section_numbers import is_of_unknown_text, named_document, resolve_number
from dconv.linking.symbols import NameRank, Symbol, Symbols, paths_of_link
from dconv.model.dialect import Dialect
from dconv.model.man_pages import PAGE_FILE, PAGE_MENTION
from dconv.model.references import OBJECT_LABEL_PREFIXES
from dconv.model.tree import Entry, Hyperlink, Image, Reference, Target, Text

# words that send a reader from an entry to another one of its name: 'exactly the same as the "'
SAME_AS = re.compile(r'\b(?:same as|equivalent to|consult) the "$')
# before an option that is not the argument of that name: 'as set from "', 'scaled like "'
SET_ELSEWHERE = re.compile(
    r'\b(?:(?:set|given|configured|defined) (?:from|by|with|in|using)|like) (?:the )?"$'
)
# the section of a name after it: '" keyword in section 4.2', '" and "b" keywords in section 4'
IN_NUMBERED_SECTION = re.compile(
    r'"(?:,? (?:and|or) "[^"]*")? (?:\w+ )?(?:in|from) (?:the )?[Ss]ections? '
    r'"?(?P<number>\d+(?:\.\d+)*)'
)
# the section by its name: '" parameter specified in the "peers" section'
IN_NAMED_SECTION = re.compile(
    r'" (?:[\w-]+ ){0,3}?(?:in|from|of|within) (?:(?:the|an?|this|that|each|every|your) )?'
    r'"?(?P<section>[\w-]+)"? sections?\b'
)
# the section in front: 'the "global" section\'s keyword "', '"global" sections via "a" and "'
OF_NAMED_SECTION = re.compile(
    r"(?<![\w-])(?P<section>[\w-]+)\"? sections?(?:'s?| via)"
    r' (?:(?:keyword|option|setting|directive|parameter|statement)s? )?'
    r'(?:"[^"]*"(?:,| and| or) )*"$'
)
# after a quoted word that is not an argument: '" directive'
FOLLOWED_BY_DIRECTIVE = re.compile(r'" (?:directive|statement)s?\b')
# after a quoted word that is not the entry's own: a section, another directive
FOLLOWED_BY_OTHER_NOUN = re.compile(
    f"{FOLLOWED_BY_SECTION.pattern}|{FOLLOWED_BY_DIRECTIVE.pattern}"
)
# between the words of a signature: "show events [<sink>] [-w]"
SEPARATOR = re.compile(r"[\s\[\]{}|]+")
# "man 1 ciphers": the command that shows a page
MAN_COMMAND = re.compile(r"man (?P<section>[1-9][a-z]{0,9}) (?P<name>[A-Za-z_][\w.+-]*)")
# a first word that may be a name with its value after it: "tune.bufsize 16384"
NAME_WITH_SEPARATOR = re.compile(r"[^\W_]*+[-_.](?=[\w.-])[\w.-]*+(?<=\w)|\w+\(.*")
# '" timeout applies': the first word after a name
FIRST_WORD = re.compile(r'" (?P<word>[a-z]+)\b')
# what follows a name as its value: "maxconn 100", "mode http" does not
VALUE = re.compile(r"(?:\d|<|on$|off$)")
# an option with its value attached: "-dMfail"
ATTACHED_VALUE = re.compile(r"-[A-Za-z][\w-]{2,}")
# "1.1. The models", "1.1 The models"
NUMBER_AND_TITLE = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(?P<title>[A-Z][^\n]{2,})"
)
TEXT_FILE = re.compile(r"[^#]*\.(?:x?html?|md|markdown|rst|txt)(?:#|$)", re.IGNORECASE)
# letters after a name, but no plural: "entication", ".lock"
CONTINUED_WORD = re.compile(r"(?!s\b)[^\W_]|\.\w")
PROGRAM_NAME = r"\w[\w+-]*(?:\.[\w+-]+)*"
AFTER_OPTION = r"[\"')”’]*(?: (?:and|or) \S+)?"  # a quote, and a second option
OPTION_NOUN = r"(?: command[- ]line)? (?:option|flag|switch|argument)e?s?"
# the page that a name is of: " option of dumpe2fs(8)", " in ssh_config(5)"
OF_PAGE = re.compile(
    rf"{AFTER_OPTION}(?:{OPTION_NOUN})? (?:of|to|in|from|for) (?:the )?"
    rf"(?P<name>{PROGRAM_NAME})\((?P<section>\d\w*)\)"
)
# the program that an option is of: " option of GNU date", "flag to the enable command"
OF_PROGRAM = re.compile(
    rf"{AFTER_OPTION}{OPTION_NOUN} (?:"
    r"of (?:GNU )?(?!(?:an?|the|this|that|these|those|each|every|any|all|its|another)\b)"
    rf"|(?:of|to) the (?={PROGRAM_NAME}(?: (?:and|or) {PROGRAM_NAME})?"
    rf" (?:built-?in|command|program|utility)))(?P<name>{PROGRAM_NAME})(?P<section>)"
)
# "infocmp's ", "mkfs.xfs(8) "
PROGRAM_BEFORE = re.compile(
    rf"(?P<name>{PROGRAM_NAME})(?:\((?P<section>\d\w*)\)(?:['’]s)?|['’]s) ?[\"'`“‘]?$"
)
MAX_NAMESAKES = 3  # entries of one name; of more, a text means the one in its section
MIN_OPTION_LENGTH = 3  # characters of an option that may have a value attached


def resolve(
    reference: Reference, before: str, after: str, scope: Scope
) -> Reference | Hyperlink | Image | Text:
    """`reference` with its targets; a manual page becomes an address of the web.

    `before` and `after` are the text around it.  The number of a section of a known file that is
    not here becomes a link to the file, that of an unknown text plain text.  A link to a text that
    is not here becomes a reference to a document, without a target.
    """
    if link := _man_page(reference, scope):
        return link
    if reference.kind == "link" and not _linked_document(reference.name, scope):
        is_file = TEXT_FILE.match(reference.name) is not None
        plain = reference.image or Text(reference.text)
        return replace(reference, kind="document") if is_file else plain
    document = ""
    if reference.kind == "section":
        document = named_document(before, after, scope.symbols, scope.dialect)
        if not document and is_of_unknown_text(after, scope.document, scope.dialect):
            return Text(reference.text)
    if document and document not in (*scope.symbols.headings, scope.document):
        file = f"{document}.txt"
        if url := scope.dialect.external_files.get(file.casefold()):
            return Hyperlink(reference.text, url, reference.line, reference.column)
        return replace(reference, kind="document", name=file)
    targets = _targets(reference, before, after, scope)
    target_labels = _target_labels(reference.name, targets, scope.symbols)
    if reference.kind in ("label", "option") and target_labels:
        target_labels = tuple([(target.document, "") for target in targets])
    return replace(reference, targets=targets, target_labels=target_labels)


def page_name(reference: Reference) -> str:
    """The manual page that `reference` names, as its file is named ("crypt.3"), or nothing."""
    match = _page_match(reference)
    return f"{match['name']}.{match['section']}" if match else ""


def _page_match(reference: Reference) -> re.Match[str] | None:
    if reference.name.startswith("man "):
        return MAN_COMMAND.fullmatch(reference.name)
    return PAGE_MENTION.fullmatch(reference.name) if reference.name.endswith(")") else None


def _man_page(reference: Reference, scope: Scope) -> Reference | Hyperlink | None:
    """`reference` as a link to the manual page that it names, here or on the web, or None."""
    match = _page_match(reference)
    if match is None:
        return None
    name, section = match["name"], match["section"]
    page, symbols = f"{name}.{section}", scope.symbols
    if document := symbols.manual_pages.get(page) or symbols.documents.get(page.casefold()):
        return replace(reference, targets=(Target(document, ""),))
    if not scope.dialect.man_pages or not section[0].isdigit():
        return None
    if match.re is not MAN_COMMAND and (reference.kind != "page" or name in symbols.names):
        return None
    url = scope.dialect.man_pages.replace("{name}", name).replace("{section}", section)
    return Hyperlink(reference.text, url, reference.line, reference.column)


def _target_labels(
    name: str, targets: tuple[Target, ...], symbols: Symbols
) -> tuple[tuple[str, str], ...]:
    """The kind and the section of each of several `targets` of `name`."""
    if len(targets) < 2:
        return ()
    target_labels = {
        symbol.target: (symbol.kind, symbol.section_title) for symbol in lookup(name, symbols)
    }
    return tuple(target_labels.get(target, ("", "")) for target in targets)


def _targets(reference: Reference, before: str, after: str, scope: Scope) -> tuple[Target, ...]:
    """The places that a reference means: none, one, or several."""
    match reference.kind:
        case "name" | "listed":
            return _name_targets(reference, before, after, scope)
        case "section":
            target = resolve_number(
                reference.name, before, after, scope.document, scope.symbols, scope.dialect
            )
            return (target,) if target else ()
        case "marked":
            symbols = lookup(reference.name, scope.symbols)
            hinted = _by_hints(symbols, before, after, scope.dialect) or ()
            return tuple(dict.fromkeys(symbol.target for symbol in hinted))
        case "literal":
            if _is_part_of_word(reference.name, before, after) or _is_of_other_program(
                reference.name, before, after, scope
            ):
                return ()
            return _literal_targets(reference.name, scope)
        case "link":
            return _link_targets(reference.name, scope)
        case "label" | "option":
            targets = _label_targets(reference.name, scope)
            if not targets and reference.name.startswith(OBJECT_LABEL_PREFIXES):
                return _literal_targets(reference.text, scope)  # an entry of a list
            return targets
        case "page":
            return ()
        case "document":
            name = _document(reference.name, scope) or scope.document
            return () if name == scope.document else (Target(name, ""),)
        case _:
            assert_never(reference.kind)


def _is_part_of_word(name: str, before: str, after: str) -> bool:
    """Whether a literal `name` is a part of a word: "auth" of "authentication", "/proc/" of "pid".

    An option may have its value behind it ("-ofile"), and a name the "s" of a plural.  A letter may
    also be a part of a usage: "{c|t|x}".
    """
    around = before[-1:] + after[:1]
    if len(name) == 1:
        return any(character.isalnum() or character == "|" for character in around)
    return name[0] not in "+-" and (
        before[-1:].isalnum() or CONTINUED_WORD.match(after) is not None
        or (name.endswith("/") and after[:1].isalnum())
    )


def _is_of_other_program(name: str, before: str, after: str, scope: Scope) -> bool:
    """Whether the text says that a literal `name` is of another program or manual page."""
    match = OF_PAGE.match(after)
    if match is None and name[0] in "+-":
        match = OF_PROGRAM.match(after) or PROGRAM_BEFORE.search(before)
    if match is None:
        return False
    program, documents = match["name"].casefold(), scope.symbols.documents
    page = PAGE_FILE.fullmatch(scope.document.casefold())
    own = page["name"] if page else scope.document.casefold()
    return not f"-{own}".endswith(f"-{program}") and scope.document not in (
        documents.get(program), documents.get(f"{program}.{match['section']}")
    )


def _literal_targets(name: str, scope: Scope) -> tuple[Target, ...]:
    """The entry or item `name` of the own document, unless it is the one that mentions it."""
    entry = scope.entry.anchor if scope.entry else None
    namesakes = scope.symbols.namesakes.get((scope.document, name), {})
    candidates = namesakes.get(scope.section, ())
    if len(candidates) != 1:
        if len(namesakes.get("", ())) > MAX_NAMESAKES:
            return ()
        candidates = lookup(name, scope.symbols)
    symbols = {
        symbol.target: symbol for symbol in candidates
        if symbol.name_rank is NameRank.OWN and symbol.target.document == scope.document
    }
    if len(symbols) > 1:  # the same option of several commands: the nearest
        in_entry = {target: symbol for target, symbol in symbols.items() if symbol.entry == entry}
        symbols = in_entry or {
            target: symbol for target, symbol in symbols.items()
            if symbol.is_item and symbol.section == scope.section
        }
    is_other = all(target.anchor != entry for target in symbols)
    return tuple(symbols) if len(symbols) == 1 and is_other else ()


def _linked_document(name: str, scope: Scope) -> str:
    """The document of a link `file#anchor`, `#anchor` or `file`; empty if it is not here."""
    file = name.partition("#")[0]
    if not file:
        return scope.document
    return _document(file, scope)


def _document(file: str, scope: Scope) -> str:
    """The document that a link to `file` in the own one leads to, or empty.

    A file of its name in another folder is not itself: "wick/README.md".
    """
    folder = scope.symbols.folders.get(scope.document, "")
    is_elsewhere = dirname(normpath(join(folder, file.lstrip("/")))) != folder
    for path in paths_of_link(file, folder):
        document = scope.symbols.documents.get(path, "")
        if document and not (is_elsewhere and "/" not in path and document == scope.document):
            return document
    return ""


def _link_targets(name: str, scope: Scope) -> tuple[Target, ...]:
    """The place that a link `file#anchor`, `#anchor` or `file` of the text means."""
    document, anchor = _linked_document(name, scope), name.partition("#")[2]
    if not anchor:
        return (Target(document, ""),)
    target_anchor = scope.symbols.anchors.get(document, {}).get(anchor)
    return (Target(document, target_anchor),) if target_anchor is not None else ()


def _label_targets(name: str, scope: Scope) -> tuple[Target, ...]:
    """The places of the label `name`: several if it is a term of several glossaries."""
    targets = [
        Target(document, anchors[name]) for document, anchors in scope.symbols.anchors.items()
        if name in anchors
    ]
    own = [target for target in targets if target.document == scope.document]
    return tuple(own or targets)


def _name_targets(
    reference: Reference, before: str, after: str, scope: Scope
) -> tuple[Target, ...]:
    """The places that a quoted name means; the words around a bare one count as around quotes."""
    if reference.kind == "listed":
        before, after = f'{before}"', f'"{after}'
    if heading := _titled_section(reference.name, after, scope):
        return (heading,)
    entry = scope.entry
    candidates = lookup(reference.name, scope.symbols) or _short_form(reference.name, scope)
    if entry is not None:
        if scope.in_see_also:
            candidates = _outside_entry(candidates, entry, scope.document)
        elif _is_signature_word(reference.name, entry, before, after):
            return _signature_word_targets(reference.name, entry, before, after, scope)
        term = _own_term(reference.name, entry, after, scope)
        if term is not None and (option := _option_set_elsewhere(candidates, entry, before, scope)):
            return option
        points_elsewhere = scope.in_see_also or FOLLOWED_BY_DIRECTIVE.match(after) or (
            term is not None and _by_hints(candidates, before, after, scope.dialect)
        )
        if term is not None and not (candidates and points_elsewhere):
            return (term,)
    longer = name_after(reference.name, after, scope.symbols)
    if longer and _by_hints(candidates, before, after, scope.dialect) is None:
        candidates = longer
    if not candidates:
        return ()
    candidates = _in_named_section(candidates, before, after, scope)
    chosen = _choose(reference.name, candidates, before, after, scope)
    if entry is not None and any(_is_itself(symbol, entry, scope) for symbol in chosen):
        return ()
    return tuple(dict.fromkeys(symbol.target for symbol in chosen))


def _titled_section(name: str, after: str, scope: Scope) -> Target | None:
    """The section of the document whose number and title are `name`: "1.1. The models"."""
    match = NUMBER_AND_TITLE.fullmatch(name)
    words = after.removeprefix('"')
    if match is None or named_document("", words, scope.symbols, scope.dialect):
        return None
    headings = scope.symbols.headings.get(scope.document, {})
    title = " ".join(match["title"].casefold().split())
    heading = headings.get(match["number"])
    if heading and heading.title == title:
        return heading.target
    titled = [heading.target for heading in headings.values() if heading.title == title]
    return titled[0] if len(titled) == 1 else None


# --- looking up -----------------------------------------------------------------------


def _short_form(name: str, scope: Scope) -> tuple[Symbol, ...]:
    """The places of a name that prose writes in another way, or nothing.

    "server maxconn" is the option of a line that begins so; "stick store response" has a blank
    for a hyphen.  In "See also", "show-desc" is the one of the same first word (`stats`), and
    "tcp-request" all names that begin with it.
    """
    names, words = scope.symbols.names, name.split()
    for line in scope.dialect.syntax.lines:
        if line.words == tuple(words[:-1]):
            options = tuple(
                symbol for symbol in names.get(words[-1], ()) if symbol.kind == line.kind
            )
            if options:
                return options
    for index in range(1, len(words) - 1):
        hyphenated = " ".join((*words[:index], "-".join(words[index:])))
        if hyphenated in names:
            return names[hyphenated]
    if scope.entry is None or not scope.in_see_also or len(words) != 1:
        return ()
    first_word, _, rest = scope.entry.name.partition(" ")
    if rest and f"{first_word} {name}" in names:
        return names[f"{first_word} {name}"]
    return scope.symbols.by_first_word.get((scope.document, name), ())


def lookup(name: str, symbols: Symbols) -> tuple[Symbol, ...]:
    """The symbols of `name`, or of the longest name that it begins with."""
    if matches := symbols.names.get(name) or symbols.names.get(name.partition("(")[0].strip()):
        return matches
    if ATTACHED_VALUE.fullmatch(name):
        return _without_value(name, symbols)
    words = name.split()
    for length in range(len(words) - 1, 0, -1):
        start = " ".join(words[:length])
        matches = symbols.names.get(start)
        if matches and (
            length > 1 or NAME_WITH_SEPARATOR.fullmatch(start) or VALUE.match(words[1])
        ):
            return tuple(
                symbol for symbol in matches
                if symbol.name_rank < NameRank.TERM
                and (symbol.entry or start.rpartition(" ")[2][0] == "-")
            )
    return ()


def _without_value(name: str, symbols: Symbols) -> tuple[Symbol, ...]:
    """The symbols of the longest option that `name` is with a value attached."""
    for length in range(len(name) - 1, MIN_OPTION_LENGTH - 1, -1):
        if matches := symbols.names.get(name[:length]):
            return matches
    return ()


def name_after(name: str, after: str, symbols: Symbols) -> tuple[Symbol, ...]:
    """The symbols of a name whose first word follows it: 'the "client" timeout'."""
    match = FIRST_WORD.match(after)
    return symbols.names.get(f"{match['word']} {name}", ()) if match else ()


# --- the words around -----------------------------------------------------------------


def _by_hints(
    candidates: tuple[Symbol, ...], before: str, after: str, dialect: Dialect
) -> tuple[Symbol, ...] | None:
    """Those of `candidates` whose kind the words around state; None if they state none."""
    kinds = frozenset([symbol.kind for symbol in candidates])
    for hint in dialect.hints:
        if kinds.isdisjoint(hint.kinds):
            continue
        if (hint.before is not None and hint.before.search(before)) or (
            hint.after is not None and hint.after.match(after)
        ):
            return tuple(symbol for symbol in candidates if symbol.kind in hint.kinds)
    match = OF_NAMED_SECTION.search(before) if "section" in before else None
    match = match or IN_NAMED_SECTION.match(after)
    section_kinds = dialect.syntax.sections.get(match["section"], ()) if match else ()
    return tuple(
        symbol for symbol in candidates
        if symbol.kind in section_kinds and symbol.name_rank is NameRank.OWN
    ) or None


def _in_named_section(
    candidates: tuple[Symbol, ...], before: str, after: str, scope: Scope
) -> tuple[Symbol, ...]:
    """Those of `candidates` in the section that the text names, or that it sends readers to."""
    if match := IN_NUMBERED_SECTION.match(after):
        number = f"{match['number']}."
        in_section = tuple(
            symbol for symbol in candidates if symbol.section_title.startswith(number)
        )
        if in_section:
            return in_section
    if scope.entry is not None and (SEE.search(before) or SAME_AS.search(before)):
        return _outside_entry(candidates, scope.entry, scope.document) or candidates
    return candidates


def _choose(
    name: str, candidates: tuple[Symbol, ...], before: str, after: str, scope: Scope
) -> tuple[Symbol, ...]:
    """Choose among `candidates` for `name` by the words around, the scope and the kinds.

    Each step narrows the choice if it can: the words before and after the name, the current
    document, the name itself before its variants, the kind of the current entry, the most common
    kind.
    """
    hinted = _by_hints(candidates, before, after, scope.dialect)
    if hinted is None:
        hinted = disambiguate(name, candidates, before, after, scope)
    remaining = tuple(
        symbol for symbol in hinted if symbol.target.document == scope.document
    ) or hinted
    if len({symbol.target for symbol in remaining}) < 2:
        return remaining
    nearest = min(symbol.name_rank for symbol in remaining)
    remaining = tuple(symbol for symbol in remaining if symbol.name_rank is nearest)
    if scope.entry is not None:
        kind = scope.entry.kind
        remaining = tuple(symbol for symbol in remaining if symbol.kind == kind) or remaining
    equal = scope.dialect.equal_priority
    for kind in scope.dialect.priority:
        kinds = equal if kind in equal else (kind,)
        if common := tuple(symbol for symbol in remaining if symbol.kind in kinds):
            return common
    return remaining


# --- the current entry ----------------------------------------------------------------


def _is_itself(symbol: Symbol, entry: Entry, scope: Scope) -> bool:
    """Whether `symbol` is of `entry`, or of another form of it: one kind and name."""
    if symbol.target.document != scope.document:
        return False
    return symbol.entry == entry.anchor or (
        not scope.in_see_also
        and symbol.kind == entry.kind
        and symbol.name in entry.signature_names
    )


def _outside_entry(
    candidates: tuple[Symbol, ...], entry: Entry, document: str
) -> tuple[Symbol, ...]:
    """Those of `candidates` that are not inside `entry`."""
    return tuple(
        symbol for symbol in candidates
        if symbol.entry != entry.anchor or symbol.target.document != document
    )


def _own_term(name: str, entry: Entry, after: str, scope: Scope) -> Target | None:
    """The term `name` of `entry`, unless it is the entry's own name or that of a section."""
    if name in entry.signature_names:
        return None
    if FOLLOWED_BY_SECTION.match(after) or IN_NUMBERED_SECTION.match(after):
        return None
    terms, place = scope.symbols.terms, (scope.document, entry.anchor)
    return terms.get((*place, name)) or terms.get((*place, name.removesuffix("()")))


def _option_set_elsewhere(
    candidates: tuple[Symbol, ...], entry: Entry, before: str, scope: Scope
) -> tuple[Target, ...]:
    """The option of the kind of `entry` that a value is said to come from, or nothing.

    An argument may have the name of another option, whose value it takes.
    """
    if entry.kind not in scope.dialect.equal_priority or not SET_ELSEWHERE.search(before):
        return ()
    return tuple(dict.fromkeys(
        symbol.target for symbol in candidates
        if symbol.kind == entry.kind and symbol.name_rank is NameRank.OWN
        and symbol.entry != entry.anchor
    ))


def _is_signature_word(name: str, entry: Entry, before: str, after: str) -> bool:
    """Whether `name` is a word after a name in the signatures of `entry`: "[ table <t> ]".

    It is not if the text sends readers elsewhere for it.
    """
    return (
        (name[0] == "-" or name.isalnum())
        and any(
            name in SEPARATOR.split(signature.text.partition(signature.name)[2])
            for signature in entry.signatures
        )
        and not SEE.search(before)
        and not FOLLOWED_BY_OTHER_NOUN.match(after)
    )


def _signature_word_targets(
    name: str, entry: Entry, before: str, after: str, scope: Scope
) -> tuple[Target, ...]:
    """What a word of the signature means: what is hinted, else a term of the entry, or nothing."""
    hinted = _by_hints(lookup(name, scope.symbols), before, after, scope.dialect) or ()
    targets = tuple(dict.fromkeys(
        symbol.target for symbol in hinted if symbol.entry != entry.anchor
    ))
    term = scope.symbols.terms.get((scope.document, entry.anchor, name))
    return targets or ((term,) if term is not None else ())
