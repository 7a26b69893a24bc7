"""Text kept as it is: code without a label, drawings, sessions, output.

A block that is deeper than the prose around it, and nothing else, is code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from dconv.model.source import Line
from dconv.model.tree import Flow, Paragraph, Preformatted, Span
from dconv.readers.text import inline
from dconv.readers.text.region import Region, dedented, trimmed_range
from dconv.readers.text.rules import languages, paragraph, prose
from dconv.readers.text.rules.lists import MARKER
from dconv.readers.text.rules.paragraph import CODE_FOLLOWS, INTERRUPTION

CONJUNCTION = re.compile(
    r"(?:[-*] )?(?:or|and|then|and then|or even|and also|[Ff]or example(?=:))(?: [-*]|[:,])?$"
)
# words between two blocks of code: "sorts a list of numbers, and", 'yields "42".'
CONNECTION = re.compile(r"[a-z]+ (?:[a-z]+ |\"[^\"]+\"[.,:])")
CONNECTION_END = re.compile(r"[.:,]$| (?:and|or|set)$")
CAPTION = re.compile(r"(?:Figure|Fig\.|Table) \d[\d.-]*[:.] +[A-Z]")
# "prints a warning like:", above what is printed
MESSAGE_FOLLOWS = re.compile(r"\b(?:[Ww]arning|[Ee]rror|message)s?\b[^.]*:$")
PROGRAM = re.compile(r"[a-z][\w./-]*: \S")  # "lampd: no oil"
MAX_CAPTION_LINES = 3
INTRODUCTION = re.compile(r"[A-Z][a-z]+,?(?: [\w'\",()/.-]+)+ ?:$")
STATEMENT = re.compile(r"[a-z]\w*(?: +\S+){2,}(?:(?<![.:,;!?])| ?\.\.\.)$")
MAX_STATEMENTS = 3  # above one comment
MIN_EXTRA_INDENT = 2  # columns that code is deeper than the prose around it


def marked_code(region: Region, index: int) -> tuple[Flow, int] | None:
    """Lines that a filter marked as code."""
    code = region.context.code
    end = index
    while end < region.end and region.lines[end].number in code:
        end += 1
    if end == index:
        return None
    return preformatted(region.lines[index:end], languages.detect(region, index, end)), end


def announced_code(region: Region, index: int) -> tuple[Flow, int] | None:
    """Code below a line that ends with " >", as in the help of Vim."""
    if index == region.first or not region.context.dialect.guesses_blocks:
        return None
    above = region.lines[index - 1]
    if not above.text.endswith(CODE_FOLLOWS) or region.lines[index].indent <= above.indent:
        return None
    end = region.deeper_end(index, above.indent)
    return preformatted(region.lines[index:end], languages.detect(region, index, end)), end


def commented_code(region: Region, index: int) -> tuple[Flow, int] | None:
    """Statements with deeper comments below them: "lamp <name>", "  # lights it"."""
    if not region.context.dialect.guesses_blocks:
        return None
    lines, end = region.lines, index
    while end < min(region.end, index + MAX_STATEMENTS) and STATEMENT.match(lines[end].text):
        end += 1
    comment = end
    while end < region.end and lines[end].indent > lines[index].indent and (
        lines[end].text[:1] == "#"
    ):
        end += 1
    words = (word for line in lines[index:comment] for word in line.text.split())
    if not index < comment < end or len([*filter(prose.FUNCTION_WORD.fullmatch, words)]) > 1:
        return None
    return preformatted(lines[index:end], languages.detect(region, index, end)), end


def rule(region: Region, index: int) -> tuple[Flow, int] | None:
    """Code, or None if the block at `index` is prose or not deeper."""
    line = region.lines[index]
    if line.indent < region.indent + MIN_EXTRA_INDENT:
        return None
    is_message = region.context.dialect.guesses_blocks and PROGRAM.match(line.text) and (
        MESSAGE_FOLLOWS.search(region.lines[region.index_above(index)].text)
    )
    if not is_message and prose.is_prose_at(region, index):
        return None
    if prose.has_first_line_indent(region, index):
        return paragraph.rule(region, index, index + 1)
    if region.context.dialect.guesses_blocks and (
        _is_remark(region, index)
        or (index > region.first and paragraph.is_another_value(region.lines[index - 1], line))
    ):
        return paragraph.rule(region, index)
    if index > region.first and region.lines[index - 1].text and _is_sentence(region, index):
        return None
    end = languages.session_start(region, index, _end(region, index))
    _, end = trimmed_range(region.lines, index, end)
    return preformatted(region.lines[index:end], languages.detect(region, index, end)), end


def _is_remark(region: Region, index: int) -> bool:
    """Whether words at line `index` are about the code or the prose around them."""
    return (
        _is_between_codes(region, index) or _introduces(region, index)
        or _follows_prose(region, index) or _connects_codes(region, index)
    )


def _follows_prose(region: Region, index: int) -> bool:
    """Whether a sentence, or a line that announces something, is below prose at its column."""
    line = region.lines[index]
    above = _line_above_at_column(region, index)
    if above is None or above.text[-1] not in ".:" or not prose.SENTENCE_START.match(line.text):
        return False
    is_marked = prose.CODE_MARK.search(above.text) is not None
    if prose.count_function_words([above]) < (prose.MIN_FUNCTION_WORDS if is_marked else 1):
        return False
    block = prose.block_start(region, index)
    if len(block) == 1 and INTRODUCTION.match(line.text):
        return True
    return block[-1].text[-1] == "." and all(row.indent == line.indent for row in block) and (
        prose.count_function_words(block) >= len(block)
    )


def _line_above_at_column(region: Region, index: int) -> Line | None:
    """The last line above a blank one above line `index`, if it is at its column."""
    above = region.index_above(index)
    line = region.lines[above]
    is_at_column = above < index - 1 and line.text and line.indent == region.lines[index].indent
    return line if is_at_column else None


def _connects_codes(region: Region, index: int) -> bool:
    """Whether the block at `index`, below code at its column, goes on with a sentence."""
    if _line_above_at_column(region, index) is None:
        return False
    block = prose.block_start(region, index)
    if not CONNECTION.match(block[0].text) or not CONNECTION_END.search(block[-1].text):
        return False
    return all(
        line.indent == block[0].indent and not prose.CODE_MARK.search(line.text) for line in block
    )


def _is_between_codes(region: Region, index: int) -> bool:
    """Whether words at line `index` are between blocks of code: "or", or a caption below one."""
    text = region.lines[index].text
    if index > region.first and region.lines[index - 1].text:
        return False
    length = region.block_end(index) - index
    return (length == 1 and CONJUNCTION.match(text) is not None) or (
        length <= MAX_CAPTION_LINES and CAPTION.match(text) is not None
    )


def _introduces(region: Region, index: int) -> bool:
    """Whether line `index` is alone and announces what is less deep below it: "Then say this:"."""
    if not INTRODUCTION.match(region.lines[index].text) or region.block_end(index) > index + 1:
        return False
    next_index = region.next_text(index + 1)
    return next_index < region.end and region.lines[next_index].indent < region.lines[index].indent


def _is_sentence(region: Region, index: int) -> bool:
    """Whether the block at `index`, directly below a line of prose, is a short sentence."""
    examined = region.lines[index : min(region.end, index + prose.MAX_EXAMINED_LINES)]
    text = " ".join([line.text for line in takewhile(lambda line: line.text, examined)])
    return text[0].isupper() and prose.is_sentence(text, min_words=2)


def preformatted(lines: Sequence[Line], language: str) -> Preformatted:
    """`lines` without the indentation they share."""
    return Preformatted(dedented(lines), language, Span(lines[0].number, lines[-1].number))


def _end(region: Region, index: int) -> int:
    """The index after the code, which may have several blocks."""
    end = _block_end(region, index)
    while True:
        following = region.next_text(end)
        if following >= region.end:
            return end
        line = region.lines[following]
        if line.indent < region.indent + MIN_EXTRA_INDENT or MARKER.match(line.text):
            return end
        if INTERRUPTION.match(line.text) or prose.is_prose_at(region, following):
            return end
        if prose.has_first_line_indent(region, following):
            return end
        if region.context.dialect.guesses_blocks and _is_remark(region, following):
            return end
        end = _block_end(region, following)


def _block_end(region: Region, index: int) -> int:
    """The index after the block: it ends at a blank line or where prose's column returns."""
    end = index
    while end < region.end and region.lines[end].text and region.lines[end].indent > region.indent:
        end += 1
    return max(end, index + 1)


def code_and_prose(region: Region, first: int, stop: int) -> tuple[Flow, ...]:
    """Return an example's lines: code, and paragraphs for prose at the column of the code.

    After a line such as "will generate:" the rest is output, not configuration; a session below a
    configuration is read apart from it.
    """
    lines = region.lines
    session_start = languages.session_start(region, first, stop)
    if session_start < stop:
        return (
            *code_and_prose(region, first, session_start),
            *code_and_prose(region, session_start, stop),
        )
    language = languages.detect(region, first, stop)
    code_indent = min(line.indent for line in lines[first:stop] if line.text)
    nodes: list[Flow] = []
    start = index = first
    while index < stop:
        if not lines[index].text:
            index += 1
            continue
        end = min(region.block_end(index), stop)
        block = lines[index:end]
        announces_output = len(block) == 1 and languages.ANNOUNCES_OUTPUT.match(block[0].text)
        if announces_output or (block[0].indent == code_indent and (
            prose.is_prose(block) or _connects_codes(region, index)
        )):
            _code(nodes, region, start, index, language)
            content = inline.parse(block, region.context.dropped)
            nodes.append(Paragraph(content, Span(block[0].number, block[-1].number)))
            start = end
            language = "" if announces_output else language
        index = end
    _code(nodes, region, start, stop, language)
    return tuple(nodes)


def _code(nodes: list[Flow], region: Region, first: int, end: int, language: str) -> None:
    """Add the lines `first` to `end` as code.

    The language of the dialect applies to all parts, another one only where it is recognized.
    """
    first, end = trimmed_range(region.lines, first, end)
    if first < end:
        if language not in ("", region.context.dialect.code_language):
            language = languages.detect(region, first, end)
        nodes.append(preformatted(region.lines[first:end], language))
