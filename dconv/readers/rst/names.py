"""The names that signatures and terms define, without values and placeholders."""

from __future__ import annotations

import re

from dconv.readers.names import KindAndNames, name_order

# "(io_uring,xnvme)hipri": the I/O engines that have the option, in front of its name
ENGINES = re.compile(r"\([\w, *-]+\)\s*(?=[\w-])")
# what each bracket adds to the depth
BRACKETS = {"(": 1, "[": 1, "<": 1, "{": 1, ")": -1, "]": -1, ">": -1, "}": -1}
# what ends a name: a value, a placeholder, an argument
NAME = re.compile(r"[^\s=\[<({,:]+(?::{1,2}[^\s=\[<({,:]+)*|[^\s,]+")
# "--[no-]color", "+[no]tcp": a name and its opposite
NEGATED = re.compile(r"(-{0,2}|\+)\[(no-?)\]([\w-]+)")
# the name of a function: "int read(int fd)"; of a class: "class a.B(c)"
CALL = re.compile(r"(?P<name>[\w.:$~-]+)\s*\(")
LAST_WORD = re.compile(r"(?P<name>[\w.:$~-]+)\W*$")


def split_at_commas(text: str) -> list[str]:
    """The parts of `text` between commas with white space after them, outside of brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth = max(depth + BRACKETS.get(character, 0), 0)
        if character == "," and not depth and text[index + 1 : index + 2] in (" ", "\n", ""):
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def option_names(text: str) -> tuple[str, ...]:
    """The names of "-f, --file=<name>": `--file` and `-f`."""
    options: list[str] = []
    for part in split_at_commas(text):
        if match := NEGATED.match(part):
            mark, no, name = match.groups()
            options += [f"{mark}{name}", f"{mark}{no}{name}"]
            continue
        if match := NAME.match(ENGINES.sub("", part, count=1)):
            options.append(match[0].rstrip(".") or match[0])
    names = dict.fromkeys(options)
    if not all(name.startswith("-") for name in names):
        return tuple(names)
    return tuple(sorted(names, key=name_order))


def call_name(text: str) -> tuple[str, ...]:
    """The name of the function, type or variable that `text` declares."""
    match = CALL.search(text) or LAST_WORD.search(text)
    return (match["name"],) if match else (text,)


def whole_text(text: str) -> tuple[str, ...]:
    """All of `text`, white space folded, as a name."""
    return (" ".join(text.split()),)


# arguments of a command: "PEER", "A.B.C.D", "(1-65535)", "WORD..."; options in brackets
BRACKETED = re.compile(r"\[[^\[\]]*\]|<[^<>]*>|\([^()]*\)|\{[^{}]*\}")
ARGUMENT = re.compile(r"[^a-z]*[A-Z][^a-z]*|[^\w-]+")


def command_name(text: str) -> tuple[str, ...]:
    """The literal words of a command: "neighbor remote-as" of "neighbor PEER remote-as ASN"."""
    unbracketed = text
    while (shorter := BRACKETED.sub(" ", unbracketed)) != unbracketed:
        unbracketed = shorter
    words = [word for word in unbracketed.split() if not ARGUMENT.fullmatch(word)]
    return (" ".join(words) or text,)


# --- which terms are entries ----------------------------------------------------------


# a name with its value: "subvol=<path>", "-f FILE", "rate[=int]", "errors (read/write)"
NAME_AND_VALUE = re.compile(
    r"(?:\([\w, -]+\))?[/.\w$-][\w./:*+@-]*"
    r"(?:\s?[=\[<({].*|\s+(?:[A-Z][A-Z_\d.|]*|\.\.\.))?"
)
# "ip_forward - BOOLEAN"
NAME_AND_TYPE = re.compile(r"(?P<name>[a-z][\w./*-]*)\s+-\s+[A-Z].*", re.DOTALL)
OPTION = re.compile(r"--?[A-Za-z?]")
# a word that is no English one: it has a digit or another character in it
TECHNICAL_WORD = re.compile(r"\w*[_/.\d=-][\w./=-]*")
WORD = re.compile(r"[a-z][\w.-]*")  # a name in small letters: "arp_interval"
# words of a label, as a window shows it: "My reply address"
LABEL = re.compile(r"[A-Z][a-z]*(?: [A-Za-z][a-z]*)+")
MAX_WORDS = 6  # of a term that starts with a literal name


def read_names(text: str, is_literal: bool, kind: str) -> KindAndNames | None:
    """What the term `text` names, or None.

    `is_literal` says that the term starts with literal or strong words, `kind` is that of the
    section or empty.
    """
    if match := NAME_AND_TYPE.fullmatch(text):
        return KindAndNames("setting", (match["name"],))
    parts = split_at_commas(text)
    are_names = bool(parts) and all(NAME_AND_VALUE.fullmatch(part) for part in parts)
    if not are_names and not (is_literal and kind and len(text.split()) <= MAX_WORDS):
        return None
    if OPTION.match(text):
        return KindAndNames("option", option_names(text))
    if not kind:
        return None
    # "Reply address" is one name
    names = whole_text(text) if LABEL.fullmatch(text) else option_names(text)
    if is_literal or kind in ("variable", "signal", "status", "file") or all(
        TECHNICAL_WORD.fullmatch(name) or WORD.fullmatch(name) for name in names
    ):
        return KindAndNames(kind, names)
    return None
