"""The names in a tag of a manual page: two in "-A, --assemble", none in "file".

A tag is what precedes a description; its forms are separated by commas, bars or "or".  Bold words
and mdoc's literals are words to type; italics are placeholders.  The title of the section and the
section of the page give the kind of a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile

from dconv.model.man_pages import PAGE_MENTION
from dconv.model.values import dataclass
from dconv.readers.man.runs import Run, drop_start, plain, split_lines
from dconv.readers.names import MAX_NAME_LENGTH, SIGNAL, KindAndNames, name_order

LITERAL = frozenset(("bold", "code"))
MAX_TAG_LENGTH = 160  # characters of a tag with words in roman
MAX_LITERAL_TAG_LENGTH = 2000  # of one without
MIN_TITLES = 3  # tags of a list; fewer may be names of several words
# a word of such a title: "Amazon", "TCP/IP"
TITLE_NAME = re.compile(r"[A-Za-z][\w.]*(?:/[A-Za-z]\w*)?")
MIN_LIST_LENGTH = 3  # tags; in a shorter list, words in roman are no names

# sections whose tags are no names of entries
PROSE_SECTIONS = re.compile(
    r"NAME|SYNOPSIS|AUTHORS?|SEE ALSO|HISTORY|COPYRIGHT|(?:KNOWN )?BUGS|REPORTING BUGS|STANDARDS"
    r"|CONFORMING TO|LICEN[CS]E|(?:USAGE )?EXAMPLES?|NOTES|CREDITS|RESOURCES|THANKS|CONTRIBUTORS"
    r"|REQUIREMENTS",
    re.IGNORECASE,
)
# words of titles, each with the kind of what is below them
COMMANDS = re.compile(r"^COMMAND$|\b(?:SUB)?COMMANDS\b|\bVERBS\b|\bACTIONS\b", re.IGNORECASE)
KINDS_BY_TITLE: tuple[tuple[re.Pattern[str], str], ...] = (
    (COMMANDS, "command"),
    (re.compile(r"CONFIG|SETTINGS|DIRECTIVES|PARAMETERS|KEYWORDS", re.IGNORECASE), "setting"),
    (re.compile(r"ENVIRON", re.IGNORECASE), "variable"),
    (re.compile(r"\bFILES\b", re.IGNORECASE), "file"),
    (
        re.compile(
            r"\bEXIT (?:STATUS|CODE|VALUE)|^EXIT$|RETURN (?:VALUE|CODE)|\bERRORS?\b|DIAGNOSTIC",
            re.IGNORECASE,
        ),
        "status",
    ),
    (re.compile(r"\bSIGNALS?\b", re.IGNORECASE), "signal"),
    (re.compile(r"\bVARIABLES\b", re.IGNORECASE), "variable"),
)
# a placeholder of a synopsis: "FILE", "REPOSITORY_OR_ARCHIVE"
PLACEHOLDER = re.compile(r"(?<![\w$-])[A-Z][A-Z0-9_-]+\b(?!=)")
# "-a", "--grow", "+x", "-?", "-$"; and "--" before "[no-]all"
OPTION = re.compile(
    r"(?P<dashes>--?|\+)(?P<optional>\[[\w-]+\])?(?P<word>\?{2,}|[\w?#@%^!*:.$][\w.:+@*-]*)?"
)
# "--git-[no-]fetch", "--colo[u]r"
OPTIONAL_PART = re.compile(r"(?P<start>--[\w-]+)\[(?P<part>[a-z]{1,3}-?)\](?P<end>\w[\w-]*)")
# "After=", "$TMPDIR", "/etc/passwd", "~/.ssh/config"
SETTING_NAME = re.compile(r"[A-Za-z][\w.-]*=[\w-]*")
VARIABLE_NAME = re.compile(r"\$\{?[A-Za-z_]\w*\}?")
FILE_NAME = re.compile(r"(?:~|\$\w+|\.{1,2})?/\S+|~/\S+")
# a file without a placeholder in brackets: "/proc/pid/stat", "$HOME/.toolrc"
PLAIN_FILE = re.compile(r"(?:~|\$\w+|\.{1,2})?/[^\s<>()\[\]{}*|,=:…]+")
# a name even in roman, since it is not a word: "core.fileMode", "max_size"
COMPOUND = re.compile(r"[A-Za-z][\w-]*(?:\.[\w<>*-]+)+|[A-Za-z]\w*_\w+")
# words that are names in a section about their kind: "LANG", "127"
WORDS_OF_KIND = {
    "variable": re.compile(r"[A-Z][A-Z0-9_]+"),
    "status": re.compile(r"\d{1,3}(?:-\d{1,3})?|E[A-Z]{2,}"),
    "file": re.compile(r"\S*[./]\S+"),
}
# a name in quotes, and the constant for it: '"digest" (OSSL_KDF_PARAM_DIGEST)'
QUOTED = re.compile(r'"(?P<name>[\w.-]+)"(?: [(<].*)?')
# a lone word, with its value: "sync", "if=FILE"
WORD = re.compile(r"[a-z][a-z0-9_-]+(?:=\S*)?")
# a setting with its default: "syslog_name (see 'postconf -d' output)"
DEFAULT_VALUE = re.compile(r"[a-z]\w*_\w+ \(")
# tags that are titles, not names: "Spy threshold crossed", "The members of X", "Approach #2",
# "Example 3. A proxy"
TITLE_PHRASE = re.compile(
    r"[A-Z][a-z]+(?: [a-z-]+){2,}|(?:The|An?|If|When|How|To|For|This) .*"
    r"|[A-Z][a-z]+ (?:#\d|\d+\.).*|[A-Z]{2,}(?: [A-Z]{2,})+(?: [^a-z ].*)?"
)
# the first word of a title in bold: "Service" of "Service name", "Built-in" of "Built-in drivers"
TITLE_WORD = re.compile(r"[A-Z][a-z]+(?:-[A-Za-z][a-z]+)*")
# the definition of a placeholder: "FILTER := [ state STATE ]"
PRODUCTION = re.compile(r"\S+ ::?= ")
# the signature of a function in C: "void *bpf_map_lookup_elem(struct bpf_map *map"; a parameter
DECLARATION = re.compile(r"\w+(?:\s+\**\w+)*\s+\**\w+\(|(?:\w+ )+\*+\w+$")
# a product and its vendor: "S3 storage (Amazon)"
PRODUCT_AND_VENDOR = re.compile(r"\w+(?: [\w-]+)+ \((?:[A-Z]\w{2,} ?)+\)")
# a word of a name: "hosts", "Name/IP", "pre-xfer"
NAME_WORD = re.compile(r"[^\W\d](?:[\w./-]*\w)?|\d+")
MAX_NAME_WORDS = 4  # words of a name
# words of sentences, not of names
SENTENCE_WORDS = frozenset((
    "a", "an", "and", "are", "as", "by", "for", "if", "in", "is", "not", "of", "on", "or", "that",
    "the", "to", "with", "you",
))  # fmt: skip
# words that stand for an argument: "netmask addr"
ARGUMENTS = frozenset((
    "addr", "address", "arg", "args", "class", "filename", "id", "length", "n", "name", "num",
    "number", "path", "string", "type", "value",
))  # fmt: skip
# words that are an argument if they are the whole tag
LONE_ARGUMENTS = frozenset(("arg", "args", "directory", "file", "filename", "files", "path"))
VALUES = frozenset(("all", "any", "false", "no", "none", "off", "on", "true", "yes"))
# a setting whose value follows it: "LogLevel"
CAMEL_CASE = re.compile(r"[A-Z]+[a-z]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*")
# placeholders, optional parts and choices: "<JAIL>", "[--all]", "{yes|no}"
BRACKETED = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}")
PARENTHESIZED = re.compile(r"\([^()]*\)")
# a name and its arguments without what is in brackets: "agentuser <>", "leave_pidfile yes", "MAX N"
SIGNATURE = re.compile(
    r"\"?(?P<name>[A-Za-z][\w.-]+)"
    r"(?P<arguments>(?: ?(?:<>|\.\.\.)"
    r"| (?:=|[A-Z][A-Z\d_:.-]*|[^\s|]*\|\S+|-?\d+|yes|no|on|off))*)\"?"
)
# "max_size", "tls-cert", "AllowSHA1Only"
TECHNICAL_NAME = re.compile(r".*(?:[_\d.]|\w-\w|[a-z][A-Z]).*")
MIN_SIGNATURES = 0.8  # of the tags of a list
# "(libaio,io_uring)" of fio's settings
ENGINES = re.compile(r"\([\w*, ]+\)(?=\w)")
CLOSING = {"[": "]", "{": "}", "(": ")", "<": ">"}
# a bullet, or a number: "•", "(1)", "2.", "[3]"
BULLET = re.compile(r"[•○*o·+–—-]")
NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]|\[\d+\]")
# tags that are titles of what is below them
TITLE_TAGS = frozenset((
    "options", "arguments", "argument", "parameters", "description", "example", "examples",
    "usage", "note", "notes", "warning", "return", "returns", "return value", "return type",
    "raises", "yields", "see", "default",
    "defaults", "example usage", "synopsis", "see also", "format", "caution", "important",
    "tip", "where", "value", "values", "type", "files", "commands", "error", "errors", "result",
    "profiles", "caveats", "caveat", "output", "input", "summary", "syntax", "purpose",
))  # fmt: skip
# a name with a placeholder inside it: "branch.<name>.merge"
DOTTED = re.compile(r"[A-Za-z]\w*(?:\.(?:<\w[\w-]*>|\w[\w-]*))+(?<!>)")
# the common start of several names: "DEB_BUILD_*"
WILDCARD = re.compile(r"^\w*[^\W_][_-](?:\*|[ =]|$)")
# every name starts with a letter, or has two in a row, or is like "%h"
NAME_LETTERS = re.compile(r"^\W*[^\W\d]|[^\W\d]{2}|^%.$")
NUMERAL = re.compile(r"\d{1,3}(?:-\d{1,3})?")  # the name of a status
OR_BEFORE_FORM = re.compile(r"\s*(?:or\s+)?")
PLAIN_WORD = re.compile(r"\s+[a-z]{2,}")
# a name and values: "after:job_id[:job_id...]"
WITH_VALUES = re.compile(r"(?P<name>[A-Za-z][\w-]*):\w+\[+[:+,]")
# what ends a name: "size=", "acl <n>", "name:"
NAME_END = re.compile(r"[\s=\[\](){}<>,;|\"“”‘’…]|:(?!:|\w)|\.\.\.|'$")


@dataclass(frozen=True, slots=True)
class TagContext:
    """Where a tag is: the titles of the sections around it, outermost first, and the page."""

    titles: tuple[str, ...]
    page: str  # "mdadm"
    section: str  # "8"
    is_inner: bool = False  # in the description of another tag
    among_words: bool = False  # tags that are lone words
    among_signatures: bool = False  # settings in roman: "agentuser {USER|#UID}"
    among_literals: bool = False  # names to be typed: "Type" between "Host" and "Time"
    among_titles: bool = False  # titles: "Azure" between "Amazon Drive" and "Cloud box"
    among_capitalized: bool = False  # tags most of which start with a capital
    shared_in_list: frozenset[str] = frozenset()  # first words of several tags of the list
    shared_in_entry: frozenset[str] = frozenset()  # those of several tags with one description
    signed_words: frozenset[str] = frozenset()  # of the list: "n", if "+n" and "-n" are in it too
    placeholders: frozenset[str] = frozenset()  # of the synopsis

    @property
    def is_prose(self) -> bool:
        """Whether tags here name nothing."""
        return any(PROSE_SECTIONS.fullmatch(title.strip()) for title in self.titles)


def is_bullet(tag: Sequence[Run]) -> bool:
    """Whether `tag` is the bullet of a list."""
    return BULLET.fullmatch(plain(tag)) is not None


def is_number(tag: Sequence[Run]) -> bool:
    """Whether `tag` is the number of a list's item."""
    return NUMBER.fullmatch(plain(tag)) is not None


def list_context(tags: Sequence[Sequence[Run]], context: TagContext) -> TagContext:
    """`context` for each of the `tags` of a list, which says what they are among."""
    texts = [plain(tag) for tag in tags]
    title_count = sum(text.casefold().strip(":. ") in TITLE_TAGS for text in texts)
    capital_count = sum(text[:1].isupper() for text in texts)
    # in roman, only settings are names, and commands outside of tags
    may_hold_signatures = not context.is_inner and (
        context.section.startswith("5") or _kind_of_titles(context) in ("command", "setting")
    )
    return replace(
        context, among_words=len(tags) >= MIN_LIST_LENGTH and all(map(WORD.fullmatch, texts)),
        among_literals=2 * title_count < len(tags) and all(map(_is_literal, tags)),
        among_titles=sum(map(_is_title, tags)) >= MIN_TITLES,
        among_capitalized=2 * capital_count > len(tags),
        among_signatures=may_hold_signatures and _are_signatures(tags),
        shared_in_list=shared_first_words(tags),
        signed_words=frozenset([text for text in texts if {f"+{text}", f"-{text}"} <= {*texts}]),
    )


def _is_title(tag: Sequence[Run]) -> bool:
    """Whether `tag` is several words in bold, in the case of a title: "Amazon Drive", "MX box"."""
    words = plain(tag).split()
    return len(words) > 1 and _is_literal(tag) and words[0][0].isupper() and (
        all(TITLE_NAME.fullmatch(word) for word in words)
        and any(word[1:].islower() for word in words[1:])
    )


def _are_signatures(tags: Sequence[Sequence[Run]]) -> bool:
    """Whether most `tags` of a list are a name with its type or arguments: "size (integer)".

    One in four at least cannot be a word of prose, or has such a type or arguments.
    """
    signature_count = sum(SIGNATURE.fullmatch(_without_brackets(tag)) is not None for tag in tags)
    return len(tags) >= MIN_LIST_LENGTH and signature_count >= MIN_SIGNATURES * len(tags) and (
        4 * sum(map(_is_technical_signature, tags)) >= len(tags)
    )


def _is_technical_signature(tag: Sequence[Run]) -> bool:
    """Whether `tag` is a name with a type or arguments, or one that cannot be a word of prose."""
    signature = SIGNATURE.fullmatch(_without_brackets(tag))
    return signature is not None and (
        signature["arguments"] != "" or TECHNICAL_NAME.fullmatch(signature["name"]) is not None
    )


def _without_brackets(tag: Sequence[Run]) -> str:
    """The text of `tag` with "<>" for what is in brackets, or in italics after another font."""
    text = plain(tag)
    if not tag or tag[0].style != "italic":
        text = plain([Run("<>") if run.style == "italic" else run for run in tag])
    return BRACKETED.sub("<>", PARENTHESIZED.sub("<>", BRACKETED.sub("<>", text)))


def shared_first_words(tags: Sequence[Sequence[Run]]) -> frozenset[str]:
    """The first words that several `tags` of more than one word share: "set"."""
    texts = [plain(tag).partition(" ") for tag in tags]
    counts = Counter([first for first, _, rest in texts if rest])
    return frozenset([word for word, count in counts.items() if count > 1])


def starts_literal(tag: Sequence[Run]) -> bool:
    """Whether `tag` begins with literal characters."""
    first = next((run for run in tag if run.text.strip()), None)
    if first is None:
        return False
    text = plain(tag)
    if first.style in LITERAL:
        return True
    if OPTION.match(text) and len(text) > 1 and not text[1].isspace():
        return True
    return first.style == "italic" and _looks_like_name(text)


def placeholders(synopsis: str, section: str) -> frozenset[str]:
    """The words of `synopsis` in capitals; none on pages about C, where they are constants."""
    return frozenset(PLACEHOLDER.findall(synopsis) if section[:1] in ("1", "6", "8") else ())


def is_tag(tag: Sequence[Run]) -> bool:
    """Whether `tag`, a paragraph before an indented body, is a tag."""
    text = plain(tag)
    if not starts_literal(tag) and not _looks_like_name(text) and not _is_technical_signature(tag):
        return False
    roman = "".join([run.text for run in tag if run.style == "roman"])
    words = re.findall(r"\w{2,}", roman)
    if len(words) > 3 and not text.startswith("-"):
        return False
    limit = MAX_TAG_LENGTH if words else MAX_LITERAL_TAG_LENGTH
    if text.endswith(".") and not text.endswith(".."):
        return False
    return len(text) <= limit and not (text.endswith(":") and " " in text)


def read_names(tag: Sequence[Run], context: TagContext) -> KindAndNames | None:
    """What `tag` names at `context`, or None."""
    text = plain(tag)
    if context.is_prose or not text or _is_label(tag, context):
        return None
    if text.lstrip("+-") in context.signed_words:
        return None
    if text.startswith(("-", "+")):
        names = _options(tag)
        return KindAndNames("option", names) if names else None
    if _is_phrase(tag, context):
        return None
    if quoted := QUOTED.fullmatch(text):
        return KindAndNames(_kind(quoted["name"], text, context), (quoted["name"],))
    if not starts_literal(tag) and not _is_naming_word(tag, context) and (
        not _looks_like_name(text)
        or (text.isupper() and context.section[:1] not in ("4", "5", "7"))
    ):
        return None  # "FILE" is a placeholder
    forms = _forms(tag)
    if forms and (starts_literal(forms[0]) or context.among_signatures) and (
        len(split_lines(tag)) == 1
    ):
        has_more_words = _has_words_after_placeholder(forms[0])  # "state integer lookup, examine"
        forms[1:] = [
            form for form in forms[1:] if _looks_like_name(plain(form)) or (
                starts_literal(form) and not (has_more_words and _is_literal(form))
            )
        ]
    shared = shared_first_words(forms)
    context = replace(
        context, shared_in_list=context.shared_in_list | shared,
        shared_in_entry=context.shared_in_entry | shared,
    )
    names = tuple(dict.fromkeys([name for form in forms if (name := _name(form, context))]))
    if (context.among_titles or text in LONE_ARGUMENTS) and names and (
        _kind(names[0], text, context) == "keyword"
    ):
        return None
    if not names or (
        (context.is_inner or context.section.startswith("5"))
        and all(len(name) == 1 for name in names)
    ):
        return None  # "s | S" of times
    return KindAndNames(_kind(names[0], text, context), names)


def _is_label(tag: Sequence[Run], context: TagContext) -> bool:
    """Whether `tag` only says what is below it: a bullet, a number, "Options:"."""
    text = plain(tag)
    if is_bullet(tag) or is_number(tag):
        return True
    if text.casefold().strip(":. ") in TITLE_TAGS and not (
        context.among_literals and _is_literal(tag)
        and (context.among_capitalized or not text[0].isupper())
    ):
        return True
    return text.endswith(":") and " " in text and not text.startswith("-")


def _is_phrase(tag: Sequence[Run], context: TagContext) -> bool:
    """Whether `tag` is a title, a sentence, a line of usage or code, not a name."""
    text = plain(tag)
    if (page := PAGE_MENTION.fullmatch(text)) and page["section"][0].isdigit():
        return True
    if TITLE_PHRASE.fullmatch(text) or DECLARATION.match(text) or PRODUCTION.match(text):
        return True
    if _is_sentence(tag) or PRODUCT_AND_VENDOR.fullmatch(text):
        return True
    first, _, rest = text.partition(" ")
    if rest and first == context.page:
        return True
    return first.rstrip(".") in context.placeholders and _kind_of_titles(context) != "variable"


def _has_words_after_placeholder(form: Sequence[Run]) -> bool:
    """Whether a word follows one in italics: "integer lookup"."""
    from_placeholder_on = dropwhile(lambda run: run.style != "italic", form)
    return any(run.style != "italic" and PLAIN_WORD.match(run.text) for run in from_placeholder_on)


def _is_naming_word(tag: Sequence[Run], context: TagContext) -> bool:
    """Whether `tag` is a word that names something at `context`, whatever its font.

    A section "VARIABLES" may explain the placeholders of the synopsis, in italics.
    """
    text = plain(tag)
    if context.among_signatures and SIGNATURE.fullmatch(_without_brackets(tag)):
        return True
    pattern = WORDS_OF_KIND.get(_kind_of_titles(context))
    if pattern is not None and pattern.fullmatch(text):
        in_italics = any(run.style == "italic" for run in tag)
        return not (in_italics and context.titles[-1:] == ("VARIABLES",))
    return context.among_words and WORD.fullmatch(text) is not None


def _looks_like_name(text: str) -> bool:
    """Whether `text` has the form of a name, whatever its font."""
    parts = re.split(r",\s*|\s+", text)
    return bool(parts) and len(text) <= MAX_LITERAL_TAG_LENGTH and all(
        SETTING_NAME.fullmatch(part) or VARIABLE_NAME.fullmatch(part) or COMPOUND.fullmatch(part)
        or FILE_NAME.fullmatch(part) or SIGNAL.fullmatch(part)
        for part in parts if part
    )


def _kind(name: str, text: str, context: TagContext) -> str:
    if FILE_NAME.fullmatch(name):
        return "file"
    if SIGNAL.fullmatch(name):
        return "signal"
    if FILE_NAME.fullmatch(text):
        return "file"
    if text.startswith("$"):
        return "variable"
    kind = _kind_of_titles(context)
    if kind == "file" and not WORDS_OF_KIND[kind].fullmatch(name):
        kind = ""
    if kind and not (kind == "command" and context.is_inner):
        return kind
    if context.section.startswith("5") or SETTING_NAME.match(text) or DEFAULT_VALUE.match(text):
        return "setting"
    return "keyword"


def _kind_of_titles(context: TagContext) -> str:
    """The kind of the innermost section title that implies one, or empty."""
    for title in reversed(context.titles):
        for pattern, kind in KINDS_BY_TITLE:
            if pattern.search(title):
                return kind
    return ""


# --- options --------------------------------------------------------------------------


def _options(tag: Sequence[Run]) -> tuple[str, ...]:
    """The options that `tag` names, long ones first."""
    names: list[str] = []
    for form in _forms(tag):
        text = plain(form)
        if optional_part := OPTIONAL_PART.match(text):
            start, part, end = optional_part.groups()
            names += [f"{start}{end}", f"{start}{part}{end}"]
            continue
        match = OPTION.match(text)
        if match is None or not (match["word"] or match["optional"]):
            continue
        literal_length = _literal_length(form)
        dashes, optional, word = match["dashes"], match["optional"] or "", match["word"] or ""
        if literal_length > len(dashes) and not optional:
            word = word[: max(literal_length - len(dashes), 1)]
        word = word.rstrip(".:*") or word
        if optional:
            if word:
                names.append(f"{dashes}{word}")
                names.append(f"{dashes}{optional.strip('[]')}{word}")
        elif word:
            names.append(f"{dashes}{word}")
    names = [name for name in dict.fromkeys(names) if len(name) <= MAX_NAME_LENGTH]
    return tuple(sorted(names, key=name_order))


def _literal_length(form: Sequence[Run]) -> int:
    """The number of characters before the first in italics, 0 if there is none."""
    length = 0
    for run in form:
        if run.style == "italic":
            return length
        length += len(run.text) if length else len(run.text.lstrip())
    return 0


# --- forms of a tag -------------------------------------------------------------------


def _forms(tag: Sequence[Run]) -> list[list[Run]]:
    """The forms of `tag`, split at commas, bars, line breaks and "or"."""
    is_option = plain(tag).startswith(("-", "+"))
    forms: list[list[Run]] = []
    for line in split_lines(tag):
        forms += _split_line(line, is_option)
    return [form for form in forms if plain(form)]


def _split_line(line: Sequence[Run], is_option: bool) -> list[list[Run]]:
    parts: list[list[Run]] = [[]]
    closing = ""  # the brackets that are open, by those that close them
    before = ""  # the characters so far
    for run in line:
        start = 0
        text = run.text
        for index, character in enumerate(text):
            if character in CLOSING:
                closing += CLOSING[character]
            elif closing.endswith(character):
                closing = closing[:-1]
            elif not closing and _separates(
                character, text[index + 1 :], before + text[:index], is_option
            ):
                parts[-1].append(Run(text[start:index], run.style))
                parts.append([])
                start = index + (character != "-")
        parts[-1].append(Run(text[start:], run.style))
        before += text
    return [_stripped(part) for part in parts]


def _separates(character: str, after: str, before: str, is_option: bool) -> bool:
    """Whether another form begins at `character`."""
    if character == ",":  # but not in "limit=soft,hard", "Order allow,deny"
        value = before.rpartition(", ")[2]
        return not after[:1].strip() or "=" in after.partition(",")[0] or not (
            "=" in value or (not is_option and " " in value.strip())
        )
    if not is_option:
        return False
    if character in "|/":
        return True
    # "-f --file", "-f or --file"
    return character == "-" and before[-1:].isspace() and after[:1] not in ("", " ")


def _is_literal(form: Sequence[Run]) -> bool:
    """Whether all of `form` is literal."""
    return all(run.style in LITERAL for run in form if run.text.strip())


def _is_sentence(tag: Sequence[Run]) -> bool:
    """Whether `tag` is a sentence in bold: "Keep it safe."."""
    words = plain(tag).rstrip(".!?").split()
    return _is_literal(tag) and all(NAME_WORD.fullmatch(word) for word in words) and (
        len(words) > MAX_NAME_WORDS or (len(words) > 1 and plain(tag).endswith((".", "!", "?")))
    )


def _leading_words(text: str, context: TagContext) -> list[str]:
    """The words of the literal `text` before its first argument.

    Examples: "hosts allow", and, if another tag also begins with "set", "set bantime" in
    "set <JAIL> bantime <TIME>".
    """
    words: list[str] = []
    for word in BRACKETED.sub("<>", text.partition("(")[0]).split():
        if word == "<>" and words and words[0] in context.shared_in_list:
            continue
        if not NAME_WORD.fullmatch(word) or _is_argument(word, words, context):
            break
        words.append(word)
    return words


def _is_argument(word: str, before: Sequence[str], context: TagContext) -> bool:
    """Whether `word`, after the words `before`, is an argument: "mtu N", "hw class".

    So is what follows a setting that starts with a capital, if it looks like a value or several
    signatures give other values: "LogClean BOOL", "Browsing Yes", "Satisfy all"; but not
    "CREATE TABLE".
    """
    if not before:
        return not word[0].isalpha()
    first = before[0]
    is_value = word.casefold() in VALUES or word.isdecimal()
    if first[0].isupper():
        are_settings = context.section.startswith("5") or _kind_of_titles(context) == "setting"
        return not first.isupper() and are_settings and (
            is_value or PLACEHOLDER.fullmatch(word) is not None
            or first in context.shared_in_entry
            or (first in context.shared_in_list and CAMEL_CASE.fullmatch(first) is not None)
        )
    return word.isupper() or "/" in word or is_value or (
        word in ARGUMENTS and not context.section.startswith("5")  # "listen address" is a setting
    )


def _stripped(form: Sequence[Run]) -> list[Run]:
    """`form` without white space and "or" in front."""
    leading_text = OR_BEFORE_FORM.match("".join([run.text for run in form]))
    return drop_start(form, leading_text.end() if leading_text else 0)


def _name(form: Sequence[Run], context: TagContext) -> str:
    """The name that `form`, one of a tag, begins with, or an empty string."""
    if engines := ENGINES.match(plain(form)):
        form = drop_start(form, engines.end())
    start = ""
    index = 0
    for index, run in enumerate((*form, Run("", "italic"))):
        if index and run.style not in LITERAL and not (run.style == "roman" and not start.strip()):
            break
        start += run.text
    ends_inside_word = (
        len(start) == len(start.rstrip()) and index < len(form) and form[index].text[:1].isalnum()
    )
    start = " ".join(start.split())
    if (ends_inside_word and start[-1:] in ("_", "-", ".")) or WILDCARD.search(plain(form)):
        return ""  # "arch_DIST_OPTIONS"
    if PLAIN_FILE.fullmatch(plain(form)):
        return plain(form)  # "/proc/pid/stat"
    page_words = context.page.casefold().split("-")
    while (first := start.partition(" ")[0]) and first.casefold() in page_words and " " in start:
        start = start.partition(" ")[2]  # "ip vrf show" on the page "ip-vrf"
    if " " in start and _is_literal(form):
        words = _leading_words(start, context)
        if len(words) > 1 and TITLE_WORD.fullmatch(words[0]):
            return ""
        is_sentence = any(word.casefold() in SENTENCE_WORDS for word in words)
        if 1 < len(words) <= MAX_NAME_WORDS and not is_sentence:
            return " ".join(words)
    if with_values := WITH_VALUES.match(start):
        return with_values["name"]
    if dotted := DOTTED.match(start):
        return dotted[0]
    if context.among_signatures:
        start = start.removeprefix('"')
    first = NAME_END.split(start, maxsplit=1)[0]
    first = first.strip().strip("$").rstrip(":.").strip("{}'`*")
    if len(first) <= MAX_NAME_LENGTH and (
        NAME_LETTERS.search(first)
        or (NUMERAL.fullmatch(first) and _kind_of_titles(context) == "status")
    ):
        return first
    return ""
