"""Documents of `document` to help for Vim: a file for the folder `doc`, with tags and links.

    section      a rule, the title, and its tag at the right: `*haproxy-configuration-4.2*`
    entry        its title with a tag for each of its names: `*haproxy-timeout-client*`
    references   links: `|haproxy-timeout-client|`, after their words if these are other ones
    examples     between `>` and `<`, as they are
    all else     at most 78 columns

A reader puts the files into `~/.vim/doc` and calls `:helptags ~/.vim/doc`.  Tags are unique among
the documents of a release, for Vim refuses a folder with one twice.  A word that Vim would take for
markup is code.

Format: https://vimhelp.org/helphelp.txt.html#help-writing
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from docutils import nodes
from docutils.utils import column_width

from dconv.model.tree import Manual
from dconv.writers.docutils.document import document
from dconv.writers.docutils.man import DASH, SECTION, page
from dconv.writers.docutils.places import OtherDocument, identifiers
from dconv.writers.docutils.prose import one_line
from dconv.writers.pages.names import DefinedName

ENDING = "txt"
WIDTH = 78  # columns, as in Vim's own help
MIN_WIDTH = 30  # of text that stands far to the right
INDENT = "    "
OTHER = "tag:"  # in front of the tag that a link to another document leads to
MODELINE = " vim:tw=78:ts=8:noet:ft=help:norl:"
LAST_WORDS = "\n".join(["", MODELINE, ""])
NOT_IN_TAGS = re.compile(r'[\s|*"…]+')
# our own "|" and "`" until a line is finished, to tell them from those of the text
BAR, QUOTE = "\ue000", "\ue001"
BLANK = "\ue002"  # within code, where a line does not break
MAX_CODE = 40  # characters of code on one line
CONCEALED = re.compile(f"[{BAR}{QUOTE}]")
# words that are markup: a tag, a link, the start of an example, the end of a heading
MARKUP = re.compile(r"\*[^*|\s]+\*|.*\|[^\s|]+\|.*|>[a-z0-9]*|.*~")
MIN_COLUMN, GAP = 4, 2  # columns that a cell has at least, and those between two cells


@dataclass(frozen=True, slots=True)
class HelpFile:
    """A help file: the name of the file, its own tags, and the `tags` of each anchor.

    The best is the first.
    """

    file: str
    title_tags: tuple[str, ...]
    tags: Mapping[str, tuple[str, ...]]


def help_files(
    documents: Sequence[tuple[Manual, Sequence[DefinedName]]], product: str
) -> tuple[HelpFile, ...]:
    """The files and tags of the `documents` of one release of `product`, each with its names."""
    stems = [_stem(manual, product) for manual, _ in documents]
    taken = {product, *stems, *(f"{stem}.{ENDING}" for stem in stems)}
    found: list[HelpFile] = []
    for stem, (manual, names) in zip(stems, documents, strict=True):
        program = page(manual, product)[0]
        prefix = product if program.startswith(f"{product}-") else program
        tags: dict[str, list[str]] = {}
        for defined in names:
            words = (defined.name, defined.shown, *defined.others)
            for word in dict.fromkeys(words if defined.entry else words[1:]):
                candidates = [_tag(prefix, word), _tag(stem, word)]
                free = [tag for tag in candidates if tag not in taken]
                if defined.anchor and free:
                    taken.add(free[0])
                    tags.setdefault(defined.anchor, []).append(free[0])
        for anchor in identifiers(manual):
            if anchor not in tags:
                tag, number = _tag(stem, anchor), 2
                while tag in taken:
                    tag, number = f"{_tag(stem, anchor)}-{number}", number + 1
                taken.add(tag)
                tags[anchor] = [tag]
        title_tags = (stem,) if found or product in ("", stem) else (product, stem)
        anchor_tags = {anchor: tuple(own) for anchor, own in tags.items()}
        found.append(HelpFile(f"{stem}.{ENDING}", title_tags, anchor_tags))
    return tuple(found)


def _stem(manual: Manual, product: str) -> str:
    """What the file of `manual` is called: those of all programs come into one folder."""
    name, section = page(manual, product)
    return name if section == SECTION else f"{name}.{section}"


def _tag(prefix: str, words: str) -> str:
    name = NOT_IN_TAGS.sub("-", words.strip())
    return f"{prefix}{name}" if name.startswith("-") else f"{prefix}-{name}"


def vim_help(
    manual: Manual, title: str, help_file: HelpFile, others: Mapping[str, HelpFile]
) -> tuple[nodes.document, bytes]:
    """The document of `manual`, and what `help_file` holds of it.

    `others` are the files of the documents of its release, by name.
    """
    linked = {
        name: OtherDocument(
            OTHER, {"": other.file} | {anchor: tags[0] for anchor, tags in other.tags.items()}
        )
        for name, other in others.items() if name != manual.name
    }
    doctree = document(manual, title, linked)
    tags: dict[str, tuple[str, ...]] = {}
    for anchor, identifier in identifiers(manual).items():
        tags[identifier] = (*tags.get(identifier, ()), *help_file.tags[anchor])
    writing = _Writing(MappingProxyType(tags))
    return doctree, writing.text(doctree, help_file).encode()


@dataclass(frozen=True, slots=True)
class _Writing:
    """Writes the parts of a document; `tags` are those of its ids."""

    tags: Mapping[str, tuple[str, ...]]

    def text(self, doctree: nodes.document, help_file: HelpFile) -> str:
        titles = [
            node for node in doctree.children if isinstance(node, nodes.title | nodes.subtitle)
        ]
        words = one_line(" ".join(node.astext() for node in titles))
        ascii_words = one_line(words.encode("ascii", "ignore").decode())
        # Vim tells the encoding by the first line, which must be the same in all files of a folder
        lines = [f"*{help_file.file}*\t{DASH.sub(' - ', ascii_words)}".rstrip()]
        lines += [*_right(help_file.title_tags), ""]
        lines += [line.center(WIDTH).rstrip() for line in _wrapped(words, WIDTH)]
        rest = [node for node in doctree.children if node not in titles]
        lines += ["", *self.blocks(rest, "")]
        while lines and not lines[-1]:
            lines.pop()
        return "\n".join(lines) + "\n" + LAST_WORDS

    # --- blocks ---------------------------------------------------------------------------

    def blocks(self, children: Iterable[nodes.Node], indent: str, depth: int = 0) -> list[str]:
        """The lines of `children`, each block followed by a blank line."""
        lines: list[str] = []
        for node in children:
            assert isinstance(node, nodes.Element)
            if isinstance(node, nodes.literal_block):
                lines[-1:] = [">"] if lines and not lines[-1] else [*lines[-1:], ">"]
                lines += [f"{indent}{INDENT}{line}".rstrip() for line in node.astext().split("\n")]
                lines += ["<"]
                continue
            shown = self._block(node, indent, depth)
            lines += [*shown, ""] if shown else []
        return lines

    def _block(self, node: nodes.Element, indent: str, depth: int) -> list[str]:
        match node:
            case nodes.section():
                return self._section(node, depth)
            case nodes.topic():
                return self._contents(node)
            case nodes.paragraph():
                return [*self._tag_lines(node), *self._paragraph(node, indent)]
            case nodes.bullet_list() | nodes.enumerated_list():
                return self._list(node, indent)
            case nodes.definition_list():
                return self._definitions(node, indent)
            case nodes.table():
                return self._table(node, indent)
            case nodes.admonition():
                title, *body = node.children
                return _filled([f"{indent}{title.astext()}:", *self.blocks(body, indent + INDENT)])
            case nodes.block_quote():
                return _filled(self.blocks(node.children, indent + INDENT))
            case nodes.docinfo():
                return [
                    line for fact in node.findall(nodes.TextElement)
                    for line in _wrapped(
                        f"{fact.tagname.capitalize()}: {self.line(fact.children)}", WIDTH
                    )
                ]
            case nodes.transition():
                return [f"{indent}{'-' * 20}"]
            case nodes.comment():
                return []
            case _:
                raise TypeError(f"{node.tagname} cannot appear in a document")

    def _section(self, node: nodes.section, depth: int) -> list[str]:
        title, *body = node.children
        rule = [("=" if depth == 0 else "-") * WIDTH]
        if body and isinstance(body[0], nodes.literal_block) and "signature" in body[0]["classes"]:
            rule = []  # an entry
            if body[0].astext() == title.astext():
                del body[0]
        heading = _tagged(_indented(title.astext(), "") or ["…"], self._tags(node))
        below = self.blocks(body, "", depth + 1)
        gap = [""] if below[:1] != [">"] else []
        return _filled([*rule, *heading, *gap, *below])

    def _contents(self, node: nodes.topic) -> list[str]:
        """The table of contents: each title with dots to its link."""
        title, *lists = node.children
        lines = [f"{one_line(title.astext())} ~"]
        for item in node.findall(nodes.list_item):
            level = 0
            above = item.parent.parent
            while isinstance(above, nodes.list_item):
                level, above = level + 1, above.parent.parent
            link = next(item.findall(nodes.reference), None)
            words = one_line(item[0].astext())
            first = self._link_tag(link) if link is not None else ""
            lines += _dotted("  " * level + words, f"|{first}|" if first else "")
        assert all(isinstance(part, nodes.bullet_list) for part in lists)
        return lines

    def _paragraph(self, node: nodes.paragraph, indent: str) -> list[str]:
        if len(node) == 1 and isinstance(node[0], nodes.strong):  # a label: a heading
            lines = _wrapped(self.line(node.children), WIDTH - len(indent) - 2)
            return [f"{indent}{line} ~" for line in lines]
        return _indented(self.line(node.children), indent)

    def _list(self, node: nodes.Element, indent: str) -> list[str]:
        """A list; blank lines are between its items where one of them has several blocks."""
        items: list[list[str]] = []
        for number, item in enumerate(node.children, node.get("start", 1)):
            assert isinstance(item, nodes.Element)
            marker = _marker(node, number)
            below = " " * (len(indent) + len(marker) + 1)
            lines = _filled(self.blocks(item.children, below))
            if lines and lines[0].startswith(below):
                lines[0] = f"{indent}{marker} {lines[0][len(below):]}"
            else:
                lines.insert(0, f"{indent}{marker}")
            items.append(lines)
        return _spaced(items)

    def _definitions(self, node: nodes.Element, indent: str) -> list[str]:
        items: list[list[str]] = []
        for item in node.children:
            term, definition = item.children
            assert isinstance(term, nodes.Element)
            assert isinstance(definition, nodes.Element)
            terms = _tagged(_indented(self.line(term.children), indent), self._tags(term))
            items.append([*terms, *_filled(self.blocks(definition.children, indent + INDENT))])
        return _spaced(items)

    # --- tables ---------------------------------------------------------------------------

    def _table(self, node: nodes.Element, indent: str) -> list[str]:
        """Columns as wide as their cells, or narrower until they fit; the head is a heading.

        Cells have no links where these are too long.
        """
        rows = list(node.findall(nodes.row))
        cells = [[self._cell(cell) for cell in row.children] for row in rows]
        widths = _column_widths(cells, WIDTH - len(indent) - 2)
        if not widths:
            plain = [[one_line(cell.astext()) for cell in row.children] for row in rows]
            widths = _column_widths(plain, WIDTH - len(indent) - 2)
            if not widths:
                return self._rows(rows, cells, indent)
            cells = plain
        lines: list[str] = []
        for row, texts in zip(rows, cells, strict=True):
            columns = [
                _wrapped(text, width) for text, width in zip(texts, widths, strict=True)
            ]
            height = max(map(len, columns), default=0)
            shown = [
                indent + "".join(
                    _padded(column[at] if at < len(column) else "", width + GAP)
                    for column, width in zip(columns, widths, strict=True)
                ).rstrip()
                for at in range(height)
            ]
            if isinstance(row.parent, nodes.thead):
                shown = [f"{line} ~" for line in shown]
            tags = [tag for part in row.findall(nodes.paragraph) for tag in self._tags(part)]
            lines += _tagged([_finished(line) for line in shown], tags)
        return lines

    def _cell(self, cell: nodes.Node) -> str:
        return " ".join(self.line(part.children) for part in cell.children)

    def _rows(
        self, rows: Sequence[nodes.row], cells: Sequence[Sequence[str]], indent: str
    ) -> list[str]:
        """The rows of a table that is too wide: their cells one behind the other."""
        lines: list[str] = []
        for row, texts in zip(rows, cells, strict=True):
            tags = [tag for part in row.findall(nodes.paragraph) for tag in self._tags(part)]
            words = f" {BLANK * (GAP - 1)}".join(filter(None, texts))
            first, *others = _wrapped(words, WIDTH - len(indent + INDENT)) or [""]
            lines += _tagged([f"{indent}{_finished(first)}"], tags)
            lines += [f"{indent}{INDENT}{_finished(line)}" for line in others]
        return lines

    # --- tags -----------------------------------------------------------------------------

    def _tags(self, node: nodes.Element) -> list[str]:
        return list(dict.fromkeys(
            tag for identifier in node["ids"] for tag in self.tags.get(identifier, ())
        ))

    def _tag_lines(self, node: nodes.Element) -> list[str]:
        return _right(self._tags(node))

    # --- inlines --------------------------------------------------------------------------

    def line(self, children: Iterable[nodes.Node]) -> str:
        """`children` of a paragraph on one line, with our own marks."""
        shown = ""
        for node in children:
            text = node.astext()
            if isinstance(node, nodes.literal) and "`" not in text and len(text) <= MAX_CODE:
                text = f"{QUOTE}{BLANK.join(text.split())}{QUOTE}"
            elif isinstance(node, nodes.reference):
                text = self._link(node, text)
            shown += text
        return one_line(shown)

    def _link(self, node: nodes.reference, text: str) -> str:
        tag = self._link_tag(node)
        if not tag:
            address = str(node.get("refuri", ""))
            if not address or address.startswith(OTHER) or address == text:
                return text
            return f"{text} ({address})"
        link = f"{BAR}{tag}{BAR}"
        if tag.casefold().endswith(NOT_IN_TAGS.sub("-", text.strip()).casefold()):
            return link
        return f"{text} ({link})"

    def _link_tag(self, node: nodes.reference) -> str:
        """The tag that `node` leads to, or an empty text."""
        if "refid" in node:
            return next(iter(self.tags.get(node["refid"], ())), "")
        address = str(node.get("refuri", ""))
        return address.partition("#")[2] if address.startswith(OTHER) else ""


# --- lines ----------------------------------------------------------------------------


def _wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` columns; longer words stay whole."""
    lines: list[str] = []
    for word in text.split():
        if not CONCEALED.search(word) and MARKUP.fullmatch(word):
            word = f"{QUOTE}{word}{QUOTE}" if "`" not in word else f"\\{word}"
        if lines and column_width(lines[-1]) + 1 + column_width(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _indented(text: str, indent: str) -> list[str]:
    width = max(WIDTH - len(indent), MIN_WIDTH)
    return [f"{indent}{_finished(line)}" for line in _wrapped(text, width)]


def _finished(line: str) -> str:
    return line.replace(BAR, "|").replace(QUOTE, "`").replace(BLANK, " ")


def _tagged(lines: Sequence[str], tags: Sequence[str]) -> list[str]:
    """`lines` with `tags` at the right of a single one, or above them."""
    marks = " ".join(f"*{tag}*" for tag in tags)
    if marks and len(lines) == 1 and column_width(lines[0]) + len(marks) + 2 <= WIDTH:
        return [f"{lines[0]}{marks:>{WIDTH - column_width(lines[0])}}"]
    return [*_right(tags), *lines]


def _padded(text: str, width: int) -> str:
    """`text` with blanks to `width` columns, as Vim shows it."""
    return text + " " * (width - column_width(CONCEALED.sub("", text)))


def _right(tags: Iterable[str]) -> list[str]:
    """`tags` in lines of their own, at the right."""
    return [f"{line:>{WIDTH}}" for line in _plain_lines(f"*{tag}*" for tag in tags)]


def _plain_lines(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    if line:
        yield line


def _dotted(words: str, link: str) -> list[str]:
    """A line of the contents: `words`, dots, `link`; on two lines if they are too long."""
    indent = words[: len(words) - len(words.lstrip())]
    *before, last = _indented(words, indent) or [""]
    room = WIDTH - column_width(last) - len(link) - 2
    if not link:
        return [*before, last]
    if room < 0:
        return [*before, last, f"{link:>{WIDTH}}"]
    return [*before, f"{last} {'.' * room} {link}"]


def _filled(lines: Sequence[str]) -> list[str]:
    """`lines` without blank ones at their ends."""
    kept = list(lines)
    while kept and not kept[-1]:
        kept.pop()
    while kept and not kept[0]:
        del kept[0]
    return kept


def _spaced(items: Sequence[Sequence[str]]) -> list[str]:
    """The lines of `items`, with blank lines between them if one has some inside."""
    gap = [""] if any("" in item or "<" in item for item in items) else []
    lines = [line for item in items for line in (*item, *gap)]
    return lines[:-1] if gap and lines else lines


def _marker(node: nodes.Element, number: int) -> str:
    if isinstance(node, nodes.bullet_list):
        return "-"
    kind = node["enumtype"]
    first = {"loweralpha": "a", "upperalpha": "A"}.get(kind, "")
    label = chr(ord(first) + number - 1) if first else str(number)
    return f"{node['prefix']}{label}{node['suffix']}"


def _column_widths(cells: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of the columns of `cells`, at most `room` columns with the gaps between them.

    It is empty if even the longest words need more.
    """
    texts = [[CONCEALED.sub("", text) for text in column] for column in zip(*cells, strict=True)]
    widths = [max(column_width(text) for text in column) for column in texts]
    shortest = [
        max((column_width(word) for text in column for word in text.split()), default=0)
        for column in texts
    ]
    while sum(widths) + GAP * (len(widths) - 1) > room:
        excess = [
            (width - max(least, MIN_COLUMN), at)
            for at, (width, least) in enumerate(zip(widths, shortest, strict=True))
        ]
        most, at = max(excess)
        if most <= 0:
            return []
        widths[at] -= 1
    return widths
