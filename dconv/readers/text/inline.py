"""Parse prose into inline nodes, with one pattern on the joined lines.

Quotes around a name are kept, so that copied text equals the manual's. Back quotes are dropped:
the code that they mark is a node.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from dconv.model.source import Line
from dconv.model.tree import Argument, Code, Hyperlink, Inline, Reference, Text
from dconv.model.values import dataclass
from dconv.model.wrapping import HYPHEN_BREAK
from dconv.readers.text.dropped import DroppedMarks

MAX_CACHED_TEXTS = 1 << 14  # neighbouring releases share nine of ten paragraphs

# "set way', (a typo) | "timeout client", but not key="value" | “oil_price” | 'on' | `maxconn 5`,
# ``a ` b`` | <timeout> | https://www.example.org/a
# each starts with a literal character outside of any group, with lookbehinds after it: that makes
# the search three times as fast
MARK_PARTS = r"""
      " (?<! [\w\\"=] " )
        (?P<misquoted> [a-z] [\w.-]{0,39} (?: [ ] [\w.-]{1,39} ){0,3} ) ' (?= [.,;)] )
    | " (?<! [\w\\"=] " ) (?P<quoted> (?!https?://) [A-Za-z0-9@%_<+*.-] [^"]{0,79} ) "
    | “ (?P<typographic> [A-Za-z] (?: (?= \w*_\w ) \w++ | \w*+ [ ]? \( [^()”]* \) ) ) ”
    | ' (?<! [\w'] ' ) (?P<single> (?!https?://) [^'\s] [^'\s]{0,39} ) ' (?![\w'])
    | ` (?<! `` ) (?P<run> `*+ )
        (?! [^`'\n]{1,60} ' [^\w`] [^`]{0,120} (?<= [\s(] ) ` )  # `wick' and `oil'
        (?P<code> [\s\S]{1,120}? ) (?<! ` ) ` (?P=run) (?! ` )
    | < (?P<argument> (?!https?://) [!]? [A-Za-z] [\w !,.*/:+-]{0,39} > )
    | h (?<! \w h ) (?P<url> ttps?:// [\w\[] [^\s<>"'`]* )
"""
# section 4.2 and 4.3 | described in 2.7 | RFC 9110 section 6.5.1 | RFC 7230, 7231 and 7232
# CVE-2021-44228 | doc/SPOE.txt
MENTION_PARTS = r"""
    | \b (?: [Ss]ections? | [Cc]hapters? | [Pp]aragraphs? ) \s+ "?
                     (?P<section> \d{1,2} (?: \.\d{1,2} ){0,3} ) (?! [\w-] | \.\d )
    | (?<= \d ) (?: ,?\s+ (?: and | or ) | , | \s+ (?: to | through ) ) \s+
                     (?P<further> \d{1,2} (?: \.\d{1,2} ){0,3} ) (?! [\w-] | \.\d )
    | (?: \b (?: described | found | documented | explained | [Ee]xamples? | [Tt]ables? ) \s+ in \s+
        | (?<= " ) \s+ in \s+ (?= \d+ \.\d+ \.\d )
        | \b [Ss]ee \s+ "? (?= \d+ \.[\d.]* \s+ [A-Z] )
        | \( (?= \d+ \.\d[\d.]* \s+ (?: and | or ) \s+ \d+ \.\d[\d.]* \s+ for \b ) )
                     (?P<number> \d{1,2} (?: \.\d{1,2} ){1,3} ) (?! [\w-] | \.\d )
    | (?P<rfc>       \b (?: RFC | rfc ) [\s-]? \d{3,5} (?! \w )
                     (?: \# (?: section- )? \d+ (?: \.\d+ )*
                       | (?: \s* \[\d+\] )? ,? \s+ [Ss]ections? \s+ \d+ (?: \.\d+ )*
                       | \s+ \d{1,2} (?: \.\d{1,2} ){1,3} (?! \w | \.\d )
                       | ,? \s+ [Aa]ppendix \s+ [A-Z] (?: \.\d+ )* \b )? )
    | (?<= \d ) (?: ,? \s+ (?: and | or | to ) | , (?= \s+ \d+ (?: , | \s+ (?: and | or ) ) ) ) \s+
                     (?P<more> \d{4,5} ) (?! \w | \.\d )
    | (?P<cve>       \b CVE-\d{4}-\d{4,7} \b )
    | (?P<document>  (?<! [\w/.-] ) (?: doc/ )? [A-Za-z][\w.-]{1,40} \.txt \b )
"""
# crypt(3) | haproxy -vv, (-dD), the %Tc field
SHELL_PARTS = r"""
    | (?P<page>      (?<! [^\s(] ) [A-Za-z_] [\w-]* [A-Za-z0-9] \( [1-8] \) (?! \w ) )
    | (?<= [\s(] )   (?P<marked> -{1,2} [A-Za-z] [\w-]{0,30} | % [A-Za-z]{1,4} )
                     (?= [\s,.;:)] | $ )
"""
# a bare name in a list of names: "grace, hard-stop-after and max-rate"; in a sentence with
# "See also", a word that cannot be prose: "src_gpc_rate", "the utime converter"
NAME_PARTS = r"""
    | (?<! [\w"'`<./@%\\-] ) (?: \w+ / )* (?P<name_like>
        [a-z0-9]+ (?: [_.-] [a-z0-9]+ )* _ [a-z0-9]+ (?: [_.-] [a-z0-9]+ )*
      | [a-z0-9]+ (?: \. [a-z0-9]+ (?: - [a-z0-9]+ )* )+
      | (?! (?: a | an | and | or | the ) \b ) [a-z][a-z0-9_.-]*
        (?= \s+ (?: converter | action | (?: pattern \s+ | sample \s+ )? fetch ) \b )
      ) (?! [\w"'>(/@-] | \.\w )
"""
LIST_PARTS = NAME_PARTS + r"""
    | (?: ^ | , \s* | \b and \s+ | \b or \s+ ) (?P<listed> [a-z0-9] (?: [\w.+-]{0,60} [\w+-] )? )
      (?= \s*+ (?: [,.;] \s*+ )? $ | \s* , | \s+ (?: and | or ) \b )
"""
MARK_PATTERN = re.compile(MARK_PARTS, re.VERBOSE)
MENTION_PATTERN = re.compile(MARK_PARTS + MENTION_PARTS, re.VERBOSE)
SHELL_PATTERN = re.compile(MARK_PARTS + SHELL_PARTS, re.VERBOSE)
MENTION_AND_SHELL_PATTERN = re.compile(MARK_PARTS + MENTION_PARTS + SHELL_PARTS, re.VERBOSE)
SEE_ALSO_PATTERN = re.compile(MARK_PARTS + MENTION_PARTS + SHELL_PARTS + NAME_PARTS, re.VERBOSE)
LIST_PATTERN = re.compile(MARK_PARTS + MENTION_PARTS + SHELL_PARTS + LIST_PARTS, re.VERBOSE)
# a "See also" inside a paragraph: "See also sc_inc_gpc. …"
SEE_ALSO = re.compile(r"\b[Ss]ee\s+also\b(?:[^.;()]|\.(?!\s|$))*")
# every text that `MENTION_PARTS` matches has one of them; a quick test before the pattern
MENTION_WORDS = (
    "section", "Section", "hapter", "RFC", "rfc", "CVE-", ".txt",
    "escribed", "found", "ocumented", "xplained", "aragraph", "xample", "able in", "ables in",
)
# numbers without the word: '" in 9.4.1', "See 3.7. Programs", "(8.2.2 and 8.2.3 for more)"
NUMBER_MENTION = re.compile(r"\"\s+in\s+\d|ee(?<=[Ss]ee)\s+\"?\d|\(\d+\.\d")
# a quick test for manual pages and names with a mark: "crypt(3)", " -v", "(%ci"
SHELL_MENTION = re.compile(r"\([1-8]\)|-(?<=[\s(]-)-?[A-Za-z]|%(?<=[\s(]%)[A-Za-z]")
SPACES = re.compile(r"\s+")
NUMBERS = frozenset(("section", "further", "number"))
RFCS = frozenset(("rfc", "more"))
# after a section's number: " of RFC 7518", " and 4 of the RFC7540", ' "Keys" of RFC 7518'
AFTER_NUMBER = (
    r"\"?(?:(?:,?\s+(?:and|or)|,|\s+to|\s+through)\s+\d[\d.]*){0,5}(?:\s+\(?\"[^\"]{1,60}\"\)?)?"
    r"\s+(?:of|from|in)\s+(?:the\s+)?"
)
OF_RFC = re.compile(AFTER_NUMBER + r"(?:RFC|rfc)[\s-]?(?P<rfc>\d{3,5})")
# likewise: " of https://"
OF_ADDRESS = re.compile(AFTER_NUMBER + r"https?://")
# an RFC before a number: "RFC 7540 (section 3"; "RFC 7540 section 3" is one link
RFC_BEFORE = re.compile(
    r"(?:RFC|rfc)[\s-]?(?P<rfc>\d{3,5})(?:\'s\s+|,?\s+in\s+|,?\s*\()(?:the\s+)?[Ss]ections?\s+\"?$"
)
RFC_DISTANCE = 50  # characters before a number in which an RFC is looked for
OTHER_TEXT = "-"  # a text that is neither here nor an RFC
# the first of several numbers: "sections 3"
PLURAL = re.compile(r"(?:[Ss]ections|[Cc]hapters|[Pp]aragraphs)\s")
# the number of a document and of its part: "RFC 9110 section 6.5.1", "RFC3986#3.5", "7232"
RFC = re.compile(
    r"\D*(?P<rfc>\d+)(?:\s*\[\d+\])?"
    r"(?:\W+[Aa]ppendix\W+(?P<appendix>[A-Z\d.]+)|(?P<word>\D+)(?P<section>[\d.]+))?"
)
# an option of a command line, in single quotes: '-dV'
OPTION = re.compile(r"--?[A-Za-z][\w-]*")
RFC_EDITOR = "https://www.rfc-editor.org/rfc/rfc"
CVE_RECORD = "https://www.cve.org/CVERecord?id="


@dataclass(frozen=True, slots=True)
class _Token:
    """What becomes a node once its line is known: `text`, `start` to `end` of the joined lines.

    `rfc` is that of a section's number, `quotes` are the back quotes around code.
    """

    kind: str
    text: str
    start: int
    end: int
    rfc: str = ""
    quotes: str = ""


def parse(lines: Sequence[Line], dropped: DroppedMarks | None = None) -> tuple[Inline, ...]:
    """Return the inline nodes of a paragraph's `lines`, joined by single spaces.

    `dropped` takes the back quotes around code.
    """
    text = lines[0].text if len(lines) == 1 else "\n".join([line.text for line in lines])
    return _nodes_with_positions(_prose_tokens(text), lines, dropped)


def parse_list(lines: Sequence[Line], dropped: DroppedMarks) -> tuple[Inline, ...]:
    """Return the inline nodes of a list of references, where names need no quotes."""
    text = "\n".join([line.text for line in lines])
    return _nodes_with_positions(_tokens(text, LIST_PATTERN.finditer(text)), lines, dropped)


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def _prose_tokens(text: str) -> tuple[Text | _Token, ...]:
    pattern = _pattern(text)
    return _tokens(
        text, _with_bare_names(text, pattern) if "also" in text else pattern.finditer(text)
    )


def _with_bare_names(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The matches of `pattern` in `text`, and in each "See also" those of bare names, too."""
    end = 0
    for see_also in SEE_ALSO.finditer(text):
        for part_pattern, part_end in (
            (pattern, see_also.start()), (SEE_ALSO_PATTERN, see_also.end())
        ):
            for match in part_pattern.finditer(text, end):
                if match.start() >= part_end:
                    break
                yield match
                end = match.end()
            end = max(end, part_end)
    yield from pattern.finditer(text, end)


def _tokens(text: str, matches: Iterable[re.Match[str]]) -> tuple[Text | _Token, ...]:
    """The `matches` in `text` that count, and the texts around them."""
    tokens: list[Text | _Token] = []
    end_before = 0
    numbers = _Numbers()
    for match in matches:
        kind = match.lastgroup
        assert kind is not None
        start, end = match.span(kind)
        if not numbers.accepts(kind, match):
            continue
        if kind in ("argument", "url"):
            start = match.start()
        if kind == "url":
            end = start + len(_without_punctuation(text[start:end]))
        outer_start, outer_end = match.span() if kind == "code" else (start, end)
        if end_before < outer_start:
            tokens.append(Text(_folded(text[end_before:outer_start])))
        words = _folded(text[start:end])
        rfc = numbers.rfc_of_section(kind, match) if kind in NUMBERS else ""
        quotes = f"`{match['run']}" if kind == "code" else ""
        tokens.append(_Token(kind, words, start, end, rfc, quotes))
        if kind in RFCS:
            numbers.remember_rfc(words, end)
        end_before = outer_end
    if end_before < len(text):
        tokens.append(Text(_folded(text[end_before:])))
    return tuple(tokens)


def _nodes_with_positions(
    tokens: Iterable[Text | _Token], lines: Sequence[Line], dropped: DroppedMarks | None
) -> tuple[Inline, ...]:
    """The nodes of `tokens`, which are those of the joined `lines`."""
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line.text) + 1)

    def locate(offset: int) -> tuple[int, int]:
        row = bisect_right(starts, offset) - 1
        return lines[row].number, lines[row].column + offset - starts[row]

    nodes: list[Inline] = []
    for token in tokens:
        if isinstance(token, Text):
            nodes.append(token)
            continue
        place = locate(token.start)
        if token.kind in NUMBERS:
            nodes.append(_number(token.text, token.rfc, *place))
        else:
            nodes.append(_node(token.kind, token.text, *place))
        if token.quotes and dropped is not None:
            for offset in (token.start - len(token.quotes), token.end):
                number, column = locate(offset)
                dropped.add("back quotes around code", Line(number, column - 1, token.quotes))
    return tuple(nodes)


@dataclass(slots=True)
class _Numbers:
    """The end of the last section or RFC number, so that further numbers can follow it.

    `plural` is true for one of several sections; `of_rfc` is the RFC that it belongs to, or empty.
    """

    end: int = -1
    rfc_end: int = -1
    plural: bool = False
    of_rfc: str = ""

    def accepts(self, kind: str, match: re.Match[str]) -> bool:
        """Whether `match` is a reference; a further number needs one directly before it."""
        if kind == "further":
            return match.start() == self.end and (self.plural or "." in match["further"])
        return kind != "more" or match.start() == self.rfc_end

    def rfc_of_section(self, kind: str, match: re.Match[str]) -> str:
        """The RFC of the section's number in `match`, or `OTHER_TEXT`, or nothing."""
        first, self.end = match.span(kind)
        if kind != "further":
            before = RFC_BEFORE.search(match.string, max(0, first - RFC_DISTANCE), first)
            self.of_rfc = before["rfc"] if before else ""
            self.plural = PLURAL.match(match[0]) is not None
        if self.of_rfc:
            return self.of_rfc
        if text_after := OF_RFC.match(match.string, self.end):
            return text_after["rfc"]
        return OTHER_TEXT if OF_ADDRESS.match(match.string, self.end) else ""

    def remember_rfc(self, text: str, end: int) -> None:
        """Remember the RFC, with a section or without, that is `text` and ends at `end`."""
        match = RFC.match(text)
        assert match is not None
        self.rfc_end = end
        self.end = end if match["section"] else -1
        self.of_rfc = match["rfc"]
        self.plural = "ections" in (match["word"] or "")


def _pattern(text: str) -> re.Pattern[str]:
    """Return the smallest pattern that finds everything in `text`."""
    if any(part in text for part in MENTION_WORDS) or NUMBER_MENTION.search(text):
        return MENTION_AND_SHELL_PATTERN if SHELL_MENTION.search(text) else MENTION_PATTERN
    return SHELL_PATTERN if SHELL_MENTION.search(text) else MARK_PATTERN


def _number(number: str, rfc: str, line: int, column: int) -> Inline:
    """A section's number: of this manual, of the `rfc`, or of another text (`OTHER_TEXT`)."""
    if rfc == OTHER_TEXT:
        return Text(number)
    if not rfc:
        return Reference(number, number, line, column, kind="section")
    return Hyperlink(number, f"{RFC_EDITOR}{rfc}#section-{number}", line, column)


def _folded(text: str) -> str:
    """`text` with each run of white space as one space; a word broken at its hyphen is whole."""
    if "-\n" in text:
        text = HYPHEN_BREAK.sub("", text)
    if "  " in text:
        return SPACES.sub(" ", text)
    return text.replace("\n", " ")


def _node(kind: str, text: str, line: int, column: int) -> Inline:
    match kind:
        case "quoted" | "misquoted" | "typographic":
            return Reference(text, text, line, column)
        case "listed" | "name_like":
            return Reference(text, text, line, column, kind="listed")
        case "argument":
            return Argument(text)
        case "url":
            return Hyperlink(text, text, line, column)
        case "rfc" | "more":
            return Hyperlink(text, _rfc_url(text), line, column)
        case "cve":
            return Hyperlink(text, CVE_RECORD + text, line, column)
        case "document":
            return Reference(text, text.rpartition("/")[2], line, column, kind="document")
        case "page":
            return Reference(text, text, line, column, kind="page")
        case "marked":
            return Reference(text, text, line, column, kind="marked")
        case "single" if OPTION.fullmatch(text):
            return Reference(text, text, line, column)
        case _:
            return Code(text)


def _rfc_url(text: str) -> str:
    """The address of an RFC, and of its section or appendix where `text` names one."""
    match = RFC.match(text)
    assert match is not None
    fragment = f"#section-{match['section'].rstrip('.')}" if match["section"] else ""
    if match["appendix"]:
        fragment = f"#appendix-{match['appendix'].rstrip('.')}"
    return f"{RFC_EDITOR}{match['rfc']}{fragment}"


def _without_punctuation(url: str) -> str:
    """`url` without the punctuation of the sentence after it."""
    closing = url.count(")") - url.count("(")
    end = len(url)
    while end and (url[end - 1] in ".,;:!?" or (url[end - 1] == ")" and closing > 0)):
        closing -= url[end - 1] == ")"
        end -= 1
    return url[:end]
