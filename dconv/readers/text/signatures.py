"""Signature lines: which lines are one, what they say, what they are called.

    timeout client <timeout>
    no option httplog              (deprecated)
    req.hdr([<name>[,<occ>]]) : string
    cookie <name> [ rewrite | insert ]
                  [ indirect ]             <- continues while brackets are open

The parser is total: what is not understood stays text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.source import Line
from dconv.model.tree import Signature, Span
from dconv.model.values import dataclass

# "balance", "no option", "@<[!]pid>", "map_<match>(", "req.hdr([<name>])", "add-acl(<file>)"
START = re.compile(r"(?:no |\[no\] )?[a-z0-9@][A-Za-z0-9_.+@<>!/-]*(?:[(\[{:\s]|$)")
# "a. alpha", "1. one": marks of items, no names
ITEM = re.compile(r"(?:[a-z]|\d+)\.(?:\s|$)")
# seven plain words in a row are a sentence
SENTENCE = re.compile(r"(?:[a-z'-]+,? ){6}[a-z]")
FLAG = re.compile(
    r"(?<!\s)\s*(?:\((deprecated)\)|\[\s*(EXPERIMENTAL|DEPRECATED)\s*\])$", re.IGNORECASE
)
MAX_FLAGS = 4  # after one signature; more are text
# what a sample returns: "hdr([<name>]) : string", "bs.aborted: boolean", "req.ciphers binary"
TYPES = (
    r"(?:(?:signed )?integer|string|boolean|bool|binary|bin|ipv4|ipv6|ip|any|method|undefined"
    r"|sint|same)"
)
TYPED = re.compile(rf"(?P<name>\S+?)(?:\s*+:\s*+|\s++)(?P<type>{TYPES}(?:\s*+[+,/|]\s*+{TYPES})*)$")
COLON_TYPE = re.compile(r"(?P<name>[^\s:]+(?:\([^)]{0,200}\))?)\s*:\s*(?P<type>\S.{0,30})$")
# a literal word: "timeout", "http-request", "51d.single", "tune.h2.be"
WORD = re.compile(r"[A-Za-z0-9@][A-Za-z0-9_.+@-]*")
# the first word may hold placeholders and slashes: "map_<match_type>", "@<[!]pid>", "lamp/oil"
FIRST_WORD = re.compile(r"@{1,2}<\[!\]\w+>|[A-Za-z0-9@](?:[A-Za-z0-9_.+@-]|<\w+>|/(?=[\w<]))*")
OPEN, CLOSE = "[{(", "]})"
CONTINUATION_STARTS = ("[", "{", "<", "|")
# the start of "size <size> [expire <delay>]": a further word of a signature and its argument
CLAUSE = re.compile(r"[a-z][\w-]*\s+[<\[{]")
ARGUMENT = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}")
CONTINUATION_MARK = "\\"  # at the end of a line whose signature continues
MAX_LENGTH = 400  # characters of a signature whose type is looked for
MIN_CONTINUATION_INDENT = 3  # columns; bodies are at 2, continuations deeper


@dataclass(frozen=True, slots=True)
class RawSignature:
    """A signature without its name and its anchor, and the words that name it.

    `words` are its leading literal words, `later_words` the literal words after its first argument.
    """

    signature: Signature
    words: tuple[str, ...]
    later_words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole signature, as in the tree."""
        return self.signature.text


def read_group(
    lines: Sequence[Line], index: int, stop: int
) -> tuple[tuple[RawSignature, ...], int] | None:
    """The signatures that are one below the other from `index` on, and the index after them.

    None if the run of lines at column 0 is prose.
    """
    signatures: list[RawSignature] = []
    while index < stop and lines[index].text and lines[index].indent == 0:
        if not is_signature(lines[index].text):
            return None
        end = _continuation_end(lines, index, stop)
        signatures.append(read([line.text for line in lines[index:end]], lines[index].number))
        index = end
    return (tuple(signatures), index) if signatures else None


def is_signature(text: str) -> bool:
    """Whether `text`, at column 0, can be a signature rather than prose."""
    if not START.match(text) or SENTENCE.match(text) or ITEM.match(text):
        return False
    return text[-1] not in ".:,;?" or text.endswith(("...", "> :"))


def _continuation_end(lines: Sequence[Line], index: int, stop: int) -> int:
    """The index after the continuation lines of the signature on line `index`."""
    depth = _depth(lines[index].text)
    end = index + 1
    while end < stop:
        line = lines[end]
        if not line.text or line.indent < MIN_CONTINUATION_INDENT or line.text[0].isupper():
            break
        before = lines[end - 1].text
        is_open = depth > 0 or before[-1] in "\\|"
        if not (is_open or line.text.startswith(CONTINUATION_STARTS) or _is_clause(line.text)):
            break
        depth += _depth(line.text)
        end += 1
    return end


def _is_clause(text: str) -> bool:
    """Whether `text` is words with their arguments; prose has more words than arguments."""
    if not CLAUSE.match(text):
        return False
    rest, arguments = ARGUMENT.subn(" ", text)
    return len(re.findall(r"\w+", rest)) <= arguments


def _depth(text: str) -> int:
    return sum(text.count(mark) for mark in OPEN) - sum(text.count(mark) for mark in CLOSE)


def read(rows: Sequence[str], number: int) -> RawSignature:
    """The signature on `rows` (its line and its continuation lines), from line `number`."""
    text = joined(rows)
    bare, deprecated, experimental = _flags(text)
    negated = bare.startswith("no ")
    if negated:
        bare = bare[3:]
    elif bare.startswith("[no] "):
        bare = bare[5:]
    words, rest = _words(bare)
    span = Span(number, number + len(rows) - 1)
    match = TYPED.match(bare) or COLON_TYPE.match(bare) if len(bare) <= MAX_LENGTH else None
    sample_type = match["type"] if match else ""
    signature = Signature(text, span, "", sample_type, negated, deprecated, experimental)
    return RawSignature(signature, words, literal_words(rest))


def joined(rows: Sequence[str]) -> str:
    """The rows of a signature on one line, without the backslashes that continue it."""
    heads = [row.removesuffix(CONTINUATION_MARK) for row in rows[:-1]]
    return " ".join(" ".join([*heads, *rows[-1:]]).split())


def _flags(text: str) -> tuple[str, bool, bool]:
    """`text` without its flags; whether it is deprecated; whether it is experimental."""
    flags: set[str] = set()
    for _ in range(MAX_FLAGS):
        match = FLAG.search(text)
        if match is None:
            break
        flags.add((match[1] or match[2]).casefold())
        text = text[: match.start()]
    return text, "deprecated" in flags, "experimental" in flags


def _words(text: str) -> tuple[tuple[str, ...], str]:
    """The leading literal words of `text`, and what follows them; numbers are arguments."""
    words: list[str] = []
    index = 0
    pattern = FIRST_WORD
    while match := pattern.match(text, index):
        following = text[match.end() : match.end() + 1]
        if words and (following not in ("", " ", "(") or match[0].isdecimal()):
            break
        words.append(match[0])
        index = match.end()
        if following != " ":
            break
        index += 1
        pattern = WORD
    return tuple(words), text[index:]


def literal_words(rest: str) -> tuple[str, ...]:
    """The literal words outside brackets in `rest`, a part of a signature."""
    words: list[str] = []
    depth = 0
    for word in rest.split():
        if depth == 0 and WORD.fullmatch(word):
            words.append(word)
        depth += _depth(word)
    return tuple(words)
