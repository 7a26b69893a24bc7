"""What a term or a heading names: "-A, --assemble" two names of an option, "Overview" nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.tree import Argument, Code, Emphasis, Inline, LineBreak, Strong, Text, plain_text
from dconv.readers.names import MAX_NAME_LENGTH, SIGNAL, KindAndNames, kind_of_title, name_order

MAX_SIGNATURE_LENGTH = 240  # characters
MAX_COMMAND_WORDS = 4

# "-a", "--grow", "-Wall"; "--" with "[no-]all" after it
OPTION = re.compile(r"--?(?:\[[\w-]+\])?[A-Za-z0-9?@#][\w.+:@-]*")
# the part of an option that may be left out: "--[no-]all"
OPTIONAL = re.compile(r"(?<!\S)(--?)\[([\w-]+-)\]([\w-]+)")
# one word that may be typed: "maxconn", "net.ipv4.tcp_rmem", "SIGHUP", "/etc/fstab", "foo()"
WORD = re.compile(r"[\w./~$%@*+:\\-]*\w[\w./~$%@*+:\\-]*(?:\(\))?")
# a word that no prose has: "max_connections", "log.level", "TMPDIR_X", "/etc/fstab", "$HOME"
TECHNICAL = re.compile(
    r"[A-Za-z]\w*_\w+|[A-Za-z][\w-]*(?:[.:][A-Za-z][\w-]*)*[.:][A-Za-z]\w*_\w*|\$\w+|~?/[\w./*-]+"
    rf"|{SIGNAL.pattern}"
)
# a word in bold that is a name: "maxconn", "log.level", "TMPDIR", not "Note"
BOLD_WORD = re.compile(
    r"[a-z0-9$~/@%_+-][a-z0-9._/:+-]*[A-Za-z0-9_]|[A-Z][A-Z0-9_]+|[a-z]+[A-Z]\w*"
)
# what a name takes: "<n>", "[on|off]", "{a,b}", "(default: 1)", each without others inside
GROUP = re.compile(r"<[^<>\[\]{}()]*>|\[[^<>\[\]{}()]*\]|\{[^<>\[\]{}()]*\}|\([^<>\[\]{}()]*\)")
MAX_NESTING = 5  # groups inside each other
# a note at the end of a signature: "(default: $a, or <b)"
NOTE = re.compile(r"(?<=\S) \([^()]*(?:\([^()]*\)[^()]*)*\)$")
# "SIZE", "...", "|", "=": what stands for a value, or between values
PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9_:/.,-]*|\.{2,3}|…|[|=,/]|\W+")
SPACES = re.compile(r"\s+")
BREAK = "\x00"  # where a line ends
# a heading that says what it names: "AcceptFilter Directive"
NAME_AND_KIND = re.compile(
    r"(?P<name>\S+) (?P<kind>directive|option|setting|parameter|variable|command|keyword)",
    re.IGNORECASE,
)
# what follows a name in a heading: " - what it does", ": what it is"
SUMMARY = re.compile(r"(?:\s+[-–—]|:)\s.*", re.DOTALL)
# "GET /lamps/{name}"
ENDPOINT = re.compile(r"(?:DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT) /\S*")
# what a function in a signature returns: ": Promise", " -> int"
RESULT = re.compile(r"(?<=\))(?::| ?[-=]>) .*")
# between two forms of a signature: ", ", " or "; of options also " | ", " / "
SEPARATOR = re.compile(r"\s*,\s+|\s+or\s+|\n")
OPTION_SEPARATOR = re.compile(r"\s*,\s+|\s+or\s+|\s*\|\s*(?=-)|\s*/\s*(?=-)|\n|\s+(?=--\w)")
# what ends the name in a form: "size=", "name:"
NAME_END = re.compile(r"[=,;\"'`\[\]{}<>()]|:$")
# a number alone
NUMBER = re.compile(r"[\d.]+")
# the name of a file: "~/.lamprc", "/etc/lamps", "$HOME/lamps"
FILE = re.compile(r"~?/\w|\$\w+/")


def read_names(
    content: Sequence[Inline], title: str, is_literal: bool = False
) -> KindAndNames | None:
    """What `content`, a term below `title`, names, or None.

    `is_literal` says that the file marks it as a name, whatever nodes it has.
    """
    content = [*content]
    while content and not content[0].text.strip():
        del content[0]
    text = SPACES.sub(" ", _signature_text(content)).replace(BREAK, "\n").strip()
    if not text or len(text) > MAX_SIGNATURE_LENGTH:
        return None
    if is_literal or isinstance(content[0], Code):
        style = "code"
    elif isinstance(content[0], Strong | Emphasis):
        inner = content[0].content
        style = "code" if inner and isinstance(inner[0], Code) else "strong"
    else:
        style = "text"
    kind = kind_of_title(title)
    if len(text) <= MAX_NAME_LENGTH and ENDPOINT.fullmatch(text):
        return KindAndNames(kind or "keyword", (text,))
    if style == "code":
        text = RESULT.sub("", text.removeprefix("new "))
    names: list[str] = []
    separator = OPTION_SEPARATOR if text.startswith("-") else SEPARATOR
    for form in separator.split(_without_values(text).strip()):
        form_names = _names(form.strip(), style, kind)
        if not form_names:
            return None
        names += form_names
    names = sorted(dict.fromkeys(names), key=name_order)
    return KindAndNames(_kind(text, names[0], kind), tuple(names)) if names else None


def _signature_text(content: Sequence[Inline]) -> str:
    """The characters of `content`, placeholders in italics as "<n>"."""
    if len(content) == 1 and isinstance(content[0], Emphasis):
        return content[0].text
    parts: list[str] = []
    for node in content:
        match node:
            case Emphasis() | Argument():
                parts.append(f"<{node.text.strip('<>')}>")
            case Strong():
                parts.append(_signature_text(node.content))
            case LineBreak():
                parts.append(BREAK)
            case _:
                parts.append(node.text)
    return "".join(parts)


def _without_values(text: str) -> str:
    """`text` without what its names take, and with both forms of "--[no-]all"."""
    text = OPTIONAL.sub(r"\1\3, \1\2\3", NOTE.sub("", text))
    for _ in range(MAX_NESTING):
        text, count = GROUP.subn("", text)
        if not count:
            break
    return text


def _names(form: str, style: str, kind: str) -> list[str]:
    """The names in `form`, a form of a signature; none if it is no form in its `style` of text."""
    words = form.split()
    if not words:
        return []
    first = NAME_END.split(words[0], maxsplit=1)[0]
    rest = words[1:]
    if first != words[0].rstrip(":"):
        rest = [words[0][len(first) :], *rest]
    if form.startswith("-"):
        return [first] if OPTION.fullmatch(first) and len(first) <= MAX_NAME_LENGTH else []
    name_words = [first]
    if kind == "command" and style != "text":
        while rest and len(name_words) < MAX_COMMAND_WORDS and BOLD_WORD.fullmatch(rest[0]):
            name_words.append(rest.pop(0))
    has_value = "=" in words[0]
    if not has_value and not all(PLACEHOLDER.fullmatch(word) for word in rest):
        return []
    name = " ".join(name_words)
    shape = {"code": WORD, "strong": BOLD_WORD, "text": TECHNICAL}[style]
    if not shape.fullmatch(first) and not TECHNICAL.fullmatch(first):
        return []
    if len(name) > MAX_NAME_LENGTH or (NUMBER.fullmatch(name) and kind != "status"):
        return []
    return [name.removesuffix("()").removeprefix("$") if "/" not in name else name]


def _kind(signature: str, name: str, section_kind: str) -> str:
    if name.startswith(("-", "+")):
        return "option"
    if SIGNAL.fullmatch(name):
        return "signal"
    if FILE.match(name):
        return "file"
    if signature.startswith("$"):
        return "variable"
    if section_kind == "file" and "." not in name:
        return "keyword"
    return section_kind or "keyword"


def read_heading_names(content: Sequence[Inline], title: str) -> KindAndNames | None:
    """What `content`, a heading below the heading `title`, names, or None."""
    match = NAME_AND_KIND.fullmatch(" ".join(plain_text(tuple(content)).split()))
    if match and WORD.fullmatch(match["name"]) and match["name"].casefold() != "the":
        return KindAndNames(kind_of_title(match["kind"]) or "keyword", (match["name"],))
    literal: list[Inline] = []
    for node in content:
        if isinstance(node, Text) and any(isinstance(before, Code) for before in literal):
            if SUMMARY.fullmatch(node.text):
                break
            node = Text(", ") if node.text.strip() == "and" else node
        literal.append(node)
    return read_names(literal, title)
