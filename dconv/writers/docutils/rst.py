"""Docutils documents to reStructuredText from which docutils reads an equal document.

It handles only the nodes that `make_doctree` makes.  The explicit targets carry the
names; docutils makes a further, implicit one from each title by itself.

Syntax: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docutils import nodes
from docutils.utils import column_width, urischemes

from dconv.writers.docutils.prose import DELETED, elements, enumerator, without_blank_end

WIDTH = 79  # columns of a line where words allow
MIN_WIDTH = 24  # columns of even the most deeply nested text
LISTS = (nodes.bullet_list, nodes.enumerated_list, nodes.definition_list)
# underlines by level of sections; the title of the document has a line above, too
UNDERLINES = "=-~^\"'`+#:.*_"
# what could be a title's underline stays on the line before: "--", "::"
WORD = re.compile(r"[^\W_]")


def rst(document: nodes.document) -> str:
    """`document`, a doctree of `make_doctree`, as reStructuredText."""
    has_deleted = any(DELETED in node["classes"] for node in document.findall(nodes.inline))
    lines = [f".. role:: {DELETED}", ""] if has_deleted else []
    rest: list[nodes.Node] = []
    for node in document.children:
        match node:
            case nodes.title():
                lines += _overlined(node, "=")
            case nodes.subtitle():
                lines += _overlined(node, "-")
            case nodes.docinfo():
                lines += [
                    f":{field.tagname.capitalize()}: {_line(field.children)}"
                    for field in node.findall(nodes.TextElement)
                ]
                lines.append("")
            case _:
                rest.append(node)
    lines += _blocks(rest, WIDTH, 0)
    return "\n".join(lines).strip("\n").replace(SEPARATOR, "\\ ") + "\n"


def _overlined(node: nodes.Element, character: str) -> list[str]:
    text = _line(node.children)
    adornment = character * _text_width(text)
    return [adornment, text, adornment, ""]


def _blocks(children: Iterable[nodes.Node], width: int, level: int) -> list[str]:
    """The lines of `children`, each followed by a blank one."""
    lines: list[str] = []
    before: nodes.Node | None = None
    for node in children:
        if isinstance(node, LISTS) and isinstance(before, LISTS):
            lines += ["..", ""]  # or two lists would be one
        assert isinstance(node, nodes.Element)
        lines += _targets(node)
        lines += [*_block(node, max(width, MIN_WIDTH), level), ""]
        before = node
    return lines


def _targets(node: nodes.Element) -> list[str]:
    names = [f".. _{name}:" for name in node["names"]]
    return [*names, ""] if names else []


def _block(node: nodes.Element, width: int, level: int) -> Iterator[str] | list[str]:
    match node:
        case nodes.paragraph():
            return wrapped(_line(node.children), width)
        case nodes.line_block():
            return [
                row for line in elements(node)
                for row in _hanging(wrapped(_line(line.children), width - 2), "|")
            ]
        case nodes.literal_block():
            return _literal(node)
        case nodes.bullet_list() | nodes.enumerated_list():
            return _list(node, width)
        case nodes.definition_list():
            return _definitions(node, width)
        case nodes.table():
            return _table(node)
        case nodes.admonition() | nodes.topic():
            return _titled(node, width)
        case nodes.section():
            return _section(node, level)
        case nodes.block_quote():  # an empty comment, or it would belong to what is above
            body = without_blank_end(_blocks(node.children, width - 3, 0))
            return ["..", "", *_indented(body, "   ")]
        case nodes.transition():
            return ["-" * 4]
        case nodes.comment():
            return [".."]
        case _:
            raise TypeError(f"{node.tagname} cannot appear in a document")


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` columns, as far as its words allow."""
    rows: list[str] = []
    row = ""
    for word in text.split(" "):
        if row and len(row) + 1 + len(word) > width and WORD.search(word):
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}" if row else word
    return [*rows, row]


def _literal(node: nodes.Element) -> Iterator[str]:
    if node["classes"]:
        yield f".. class:: {' '.join(node['classes'])}"
        yield ""
    yield "::"
    yield ""
    yield from _indented(node.astext().split("\n"), "   ")


def _indented(rows: Iterable[str], indent: str) -> Iterator[str]:
    for row in rows:
        yield f"{indent}{row}" if row else ""


def _hanging(rows: Sequence[str], marker: str) -> Iterator[str]:
    """`rows` after `marker`, the further ones below the first."""
    body = without_blank_end(rows)
    yield f"{marker} {body[0]}" if body else marker
    yield from _indented(body[1:], " " * (len(marker) + 1))


def _list(node: nodes.Element, width: int) -> Iterator[str]:
    number = node.get("start", 1)
    for index, item in enumerate(elements(node)):
        marker = node.get("bullet") or enumerator(node, number + index)
        yield from _hanging(_blocks(item.children, width - len(marker) - 1, 0), marker)
        yield ""


def _definitions(node: nodes.Element, width: int) -> Iterator[str]:
    for item in elements(node):
        term, definition = elements(item)
        yield _line(term.children, is_term=True)
        body = [*_targets(term), *_blocks(definition.children, width - 3, 0)]
        yield from _indented(without_blank_end(body), "   ")
        yield ""


def _titled(node: nodes.Element, width: int) -> Iterator[str]:
    """An admonition or a topic: a directive with a title."""
    title, *body = elements(node)
    yield f".. {node.tagname}:: {_line(title.children)}"
    yield f"   :class: {' '.join(node['classes'])}"
    yield ""
    yield from _indented(without_blank_end(_blocks(body, width - 3, 0)), "   ")


def _section(node: nodes.Element, level: int) -> Iterator[str]:
    title, *body = elements(node)
    text = _line(title.children)
    yield text
    yield UNDERLINES[level] * _text_width(text)
    yield ""
    yield from without_blank_end(_blocks(body, WIDTH, level + 1))


# --- tables ---------------------------------------------------------------------------


def _table(node: nodes.Element) -> Iterator[str]:
    """A grid, whose columns are as wide as its words need, and the widths as given."""
    specs = list(node.findall(nodes.colspec))
    head_count = sum(len(head.children) for head in node.findall(nodes.thead))
    cells = [
        [_cell(entry, spec["colwidth"]) for entry, spec in zip(row, specs, strict=True)]
        for row in node.findall(nodes.row)
    ]
    widths = [
        max(spec["colwidth"], *(_text_width(text) for row in cells for text in row[column]))
        for column, spec in enumerate(specs)
    ]
    yield ".. table::"
    yield f"   :widths: {' '.join(str(spec['colwidth']) for spec in specs)}"
    yield ""
    yield from _indented(_grid(cells, widths, head_count), "   ")


def _cell(entry: nodes.Node, width: int) -> list[str]:
    assert isinstance(entry, nodes.Element)
    rows = without_blank_end(_blocks(entry.children, width, 0))
    return [row.replace(SEPARATOR, "\\ ") for row in rows] or [""]


def _grid(
    cells: Sequence[Sequence[Sequence[str]]], widths: Sequence[int], head_count: int
) -> Iterator[str]:
    yield _border_line(widths, "-")
    for number, row in enumerate(cells, 1):
        for index in range(max(map(len, row))):
            texts = [cell[index] if index < len(cell) else "" for cell in row]
            padded = [
                text + " " * (width - _text_width(text))
                for text, width in zip(texts, widths, strict=True)
            ]
            yield f"| {' | '.join(padded)} |"
        yield _border_line(widths, "=" if number == head_count else "-")


def _border_line(widths: Sequence[int], character: str) -> str:
    return f"+{'+'.join(character * (width + 2) for width in widths)}+"


def _text_width(text: str) -> int:
    """Return the columns of `text` as docutils counts: two for a wide character of East Asia."""
    return column_width(text.replace(SEPARATOR, "\\ "))


# --- a line: inline nodes, so that docutils reads the same nodes back -----------------
# https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#inline-markup

# stands for "\ ", which separates markup from letters and shows nothing; no line breaks there
SEPARATOR = "\0"

# characters that may start markup or a substitution wherever they are
ALWAYS_ESCAPED = re.compile(r"[\\*`|]")
# "_" at the end of a word makes a reference of it
TRAILING_UNDERSCORE = re.compile(r"_(?![^\W_])")
# "http:" in "http://x", with all words in front that a scheme could start after; what has
# no colon after it is matched too, so that not each of its letters is tried
SCHEME = re.compile(r"([A-Za-z0-9][A-Za-z0-9.+-]*+)(:(?=\S))?")
AT_SIGN = re.compile(r"(?<=\S)@(?=\S)")
# "1." and "b)" at the start of a paragraph: it would be a list
ENUMERATOR = re.compile(r"(\w+|#)(?=[.)](?: |$))")
# " : " in a term: what follows would be a classifier
CLASSIFIER = re.compile(r"(?<!\S):(?!\S)")

# characters that may appear directly in front of markup, and after it
BEFORE, AFTER = " -/:", " -/:.,;!?'\")]}>"
# opening quotes, and at the same places the closing ones
OPENING, CLOSING = "'\"([{<", "'\")]}>"


def _escaped(text: str) -> str:
    """`text` with a backslash before each character that would be markup."""
    escaped = ALWAYS_ESCAPED.sub(r"\\\g<0>", text)
    escaped = TRAILING_UNDERSCORE.sub(r"\\_", escaped)
    if ":" in escaped:
        escaped = SCHEME.sub(_escaped_scheme, escaped)
    return AT_SIGN.sub(r"\\@", escaped)


def _escaped_scheme(match: re.Match[str]) -> str:
    if not match[2]:
        return match[0]
    words = re.split(r"[.+-]", match[1])
    starts = {match[1].casefold(), *(word.casefold() for word in words)}
    return rf"{match[1]}\:" if starts & urischemes.schemes.keys() else match[0]


def _line(children: Sequence[nodes.Node], *, is_term: bool = False) -> str:
    """`children` of a paragraph, or a title, or a `is_term`, with `SEPARATOR` where needed.

    No start of it is taken for a list, no end for the start of a literal block.
    """
    parts: list[tuple[str, bool]] = []
    for node in children:
        match node:
            case nodes.Text():
                text = _escaped(node.astext())
                parts.append((CLASSIFIER.sub(r"\\:", text) if is_term else text, False))
            case nodes.TextElement():
                parts.append((_markup(node), True))
            case _:
                raise TypeError(f"{node!r} cannot appear in a line")
    line = "".join(_joined_markup(parts))
    if parts and not parts[0][1]:
        line = _escaped_start(line)
    if line.endswith("::"):
        line = rf"{line[:-1]}\:"
    return line


def _escaped_start(line: str) -> str:
    """`line` so that it starts no list, table, directive or title."""
    match = ENUMERATOR.match(line)
    if match:
        return rf"{match[0]}\{line[match.end():]}"
    if not line.partition(" ")[0].strip("\\"):
        return f"{SEPARATOR}{line}"  # backslashes alone look like the line above a title
    return line if line[0].isalnum() or line[0] == "\\" else rf"\{line}"


def _markup(node: nodes.TextElement) -> str:
    text = node.astext()
    match node:
        case nodes.strong():
            return f"**{_escaped(text)}**"
        case nodes.emphasis():
            return f"*{_escaped(text)}*"
        case nodes.literal():
            # back quotes and a backslash at the end need the role, which has escapes
            needs_role = "`" in text or text[-1] == "\\"
            return f":literal:`{_role_text(text)}`" if needs_role else f"``{text}``"
        case nodes.inline():
            return f":{DELETED}:`{_role_text(text)}`"
        case nodes.reference():
            target = f"{node['refid']}_" if "refid" in node else _uri(node["refuri"])
            return f"`{_escaped(text)} <{target}>`__"
        case _:
            raise TypeError(f"{node.tagname} cannot appear in a line")


def _role_text(text: str) -> str:
    return re.sub(r"[\\`]", r"\\\g<0>", text)


def _uri(uri: str) -> str:
    """`uri` inside angle brackets: "_" at its end would make it a name."""
    escaped = re.sub(r"[\\`*<>]", r"\\\g<0>", uri)
    return rf"{escaped[:-1]}\_" if escaped.endswith("_") else escaped


def _joined_markup(parts: Sequence[tuple[str, bool]]) -> list[str]:
    """The texts of `parts`, each with whether it is markup, with `SEPARATOR` where needed."""
    pieces: list[str] = []
    for index, (text, marked) in enumerate(parts):
        before = parts[index - 1][0][-1:] if index else ""
        after = parts[index + 1][0][:1] if index + 1 < len(parts) else ""
        if marked and index:
            first = text.lstrip("*`")[:1]
            opening_index = OPENING.find(before)
            is_quoted = opening_index >= 0 and first != CLOSING[opening_index]
            if parts[index - 1][1] or not (before in BEFORE or is_quoted):
                pieces.append(SEPARATOR)
        pieces.append(text)
        if marked and after and not parts[index + 1][1] and after not in AFTER:
            pieces.append(SEPARATOR)
    return pieces
