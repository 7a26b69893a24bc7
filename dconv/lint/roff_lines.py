"""The lines of a manual page's source as a reader sees them, each character with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dconv.model.source import Line
from dconv.model.values import dataclass

# groff(7), "Escape sequences": "\-", "\(hy", "\fB", "\f[CW]", "\s-1", "\h'1m'"; and mdoc's flag
TOKEN = re.compile(
    r"""(?P<hyphen>\\(?:-|\(hy|\[hy\])|‐)
    |(?P<blank>\\[ ~0])
    |\\["\#].*
    |\\[fF*mMgknVY](?:\[[^\]]*\]|\(..|[^\[(])
    |\\s[+-]?(?:\[[^\]]*\]|\([+-]?..|[1-3]\d|\d)
    |\\[bDhHlLNoSvwXZ]'[^']*'
    |(?P<character>\\(?:\(..|\[[^\]]*\]))
    |\\.?
    |(?P<flag>(?<![^\s."'])Fl[ \t]+(?=\S))
    |(?P<plain>.)""",
    re.VERBOSE,
)
SHOWN_AS = {"hyphen": "-", "flag": "-", "blank": " ", "character": " "}
MACRO = re.compile(r"[.'][ \t]*(?P<name>[^\s\\]*)")
TAG_MACROS = frozenset({"IP", "It", "SH", "Sh", "SS", "Ss", "TP", "TQ", "HP"})
NEXT_IS_TAG = frozenset({"TP", "TQ", "HP"})
NOT_SHOWN = frozenset({"", "IX", "PD"})  # "" is that of comments
INDENTED_BODY = frozenset({"RS"})  # below a tag that DocBook's stylesheets write as a paragraph
# their arguments, in alternating fonts, are one word: ".BR \-\- [ no\- ] wait"
JOINING = frozenset({"BI", "BR", "IB", "IR", "RB", "RI"})
FLAG = "Fl"
HEADINGS = frozenset({"SH", "Sh"})


@dataclass(frozen=True, slots=True)
class RoffLine:
    """A line as it is shown, without its macro.

    Each character of `text` is at one of `columns` of the line `number`, both from 1.  `is_tag`
    says whether the line is, or is part of, the tag of a list or a title, `section` is the title
    of the section that it is in.
    """

    number: int
    text: str
    columns: tuple[int, ...]
    is_tag: bool
    section: str


def roff_lines(lines: Sequence[Line], *, is_mdoc: bool) -> Iterator[RoffLine]:
    """The `lines` of a page's source that show something, in man(7) or mdoc(7)."""
    section = ""
    tag_follows = in_long_tag = False  # a long one is between mdoc's "Xo" and "Xc"
    names = [_macro(line) for line in lines]
    for line, name, next_name in zip(lines, names, [*names[1:], None], strict=True):
        if name in NOT_SHOWN:
            continue
        start = 0
        if name is not None and (match := MACRO.match(line.text)):
            start = match.start("name") if is_mdoc and name == FLAG else match.end()
        text, columns = _shown(
            line, start, has_flags=is_mdoc and name is not None, is_joined=name in JOINING
        )
        if name in HEADINGS:
            section = text.strip(' "')
        is_tag = tag_follows or in_long_tag or name in TAG_MACROS or next_name in INDENTED_BODY
        if text.strip():
            yield RoffLine(line.number, text, columns, is_tag, section)
        tag_follows = name in NEXT_IS_TAG
        words = line.text.split() if is_mdoc else ()
        in_long_tag = "Xc" not in words and (in_long_tag or (name == "It" and "Xo" in words))


def _macro(line: Line) -> str | None:
    """The name of the macro of `line`, empty for a comment; `None` for text."""
    match = MACRO.match(line.text) if not line.indent else None
    return match["name"] if match else None


def _shown(
    line: Line, start: int, *, has_flags: bool, is_joined: bool
) -> tuple[str, tuple[int, ...]]:
    """What `line` shows from the index `start` on, and the column of each character."""
    is_quoted = False
    text: list[str] = []
    columns: list[int] = []
    index = start
    while match := TOKEN.match(line.text, index):
        kind, index = match.lastgroup or "", match.end()
        if kind == "flag" and not has_flags:
            kind, index = "plain", match.start() + 1
        shown = line.text[match.start()] if kind == "plain" else SHOWN_AS.get(kind, "")
        if is_joined and match[0] == '"':
            is_quoted = not is_quoted
            continue
        if is_joined and match[0] in " \t" and not is_quoted:
            continue
        if shown:
            text.append(shown)
            columns.append(line.column + match.start())
    return "".join(text), tuple(columns)
