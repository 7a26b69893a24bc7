"""Doctrees to help for Vim: a file for the folder `doc`, with tags and links.

    section      a rule, the title, and its tag at the right: `*haproxy-configuration-4.2*`
    entry        its title with a tag for each of its names: `*haproxy-timeout-client*`
    references   links: `|haproxy-timeout-client|`, after the reference's words if these differ
    examples     between `>` and `<`, as they are
    all else     at most 78 columns

A reader puts the files into `~/.vim/doc` and calls `:helptags ~/.vim/doc`.  Tags are unique among
the documents of a release, for Vim refuses a folder with one twice.  A word that Vim would take for
markup is code.

Format: https://vimhelp.org/helphelp.txt.html#help-writing
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from docutils import nodes
from docutils.utils import column_width

from dconv.model.file_names import unique_name
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.writers.docutils.doctree import make_doctree
from dconv.writers.docutils.link_targets import OtherDocument, identifiers
from dconv.writers.docutils.man import DASH, installed_file_stem, name_and_section
from dconv.writers.docutils.plain_text import (
    BAR,
    BLANK,
    QUOTE,
    WIDTH,
    PlainText,
    is_signature,
    without_repetition,
)
from dconv.writers.docutils.prose import strip_lines, title_and_body
from dconv.writers.html.escape import one_line
from dconv.writers.pages.names import DefinedName

SUFFIX = "txt"
TAG_PREFIX = "tag:"  # in front of the tag that a link to another document leads to
MODELINE = " vim:tw=78:ts=8:noet:ft=help:norl:"
LAST_LINES = "\n".join(["", MODELINE, ""])
NOT_IN_TAGS = re.compile(r'[\s|*"…]+')
MAX_CODE = 40  # characters of code on one line
# words that are markup: a tag, a link, the start of an example, the end of a heading
MARKUP = re.compile(r"\*[^*|\s]+\*|.*\|[^\s|]+\|.*|>[a-z0-9]*|.*~")


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
    stems = [installed_file_stem(manual, product) for manual, _ in documents]
    used_tags = {product, *stems, *(f"{stem}.{SUFFIX}" for stem in stems)}
    result: list[HelpFile] = []
    for stem, (manual, names) in zip(stems, documents, strict=True):
        program = name_and_section(manual, product)[0]
        prefix = product if program.startswith(f"{product}-") else program
        tags: dict[str, list[str]] = {}
        for defined in names:
            words = (defined.name, defined.display_name, *defined.other_names)
            for word in dict.fromkeys(words if defined.entry else words[1:]):
                candidates = [_tag(prefix, word), _tag(stem, word)]
                unused_tags = [tag for tag in candidates if tag not in used_tags]
                if defined.anchor and unused_tags:
                    used_tags.add(unused_tags[0])
                    tags.setdefault(defined.anchor, []).append(unused_tags[0])
        for anchor in identifiers(manual):
            if anchor not in tags:
                tags[anchor] = [unique_name(_tag(stem, anchor), used_tags)]
        title_tags = (stem,) if result or product in ("", stem) else (product, stem)
        anchor_tags = {anchor: tuple(words) for anchor, words in tags.items()}
        result.append(HelpFile(f"{stem}.{SUFFIX}", title_tags, anchor_tags))
    return tuple(result)


def _tag(prefix: str, words: str) -> str:
    name = NOT_IN_TAGS.sub("-", words.strip())
    return f"{prefix}{name}" if name.startswith("-") else f"{prefix}-{name}"


def vim_help(
    manual: Manual, title: str, help_file: HelpFile, others: Mapping[str, HelpFile]
) -> tuple[nodes.document, bytes]:
    """The document of `manual`, and what `help_file` holds of it.

    `others` are the files of the documents of its release, by name.
    """
    other_documents = {
        name: OtherDocument(
            TAG_PREFIX, {"": other.file} | {anchor: tags[0] for anchor, tags in other.tags.items()}
        )
        for name, other in others.items() if name != manual.name
    }
    doctree = make_doctree(manual, title, other_documents)
    tags: dict[str, tuple[str, ...]] = {}
    for anchor, identifier in identifiers(manual).items():
        tags[identifier] = (*tags.get(identifier, ()), *help_file.tags[anchor])
    return doctree, _HelpWriter(tags).text(doctree, help_file).encode()


class _HelpWriter(PlainText):
    """Writes a document; `tags` are those of its ids."""

    def __init__(self, tags: Mapping[str, tuple[str, ...]]) -> None:
        self.tags = tags

    def text(self, doctree: nodes.document, help_file: HelpFile) -> str:
        """The whole help file."""
        words, body = title_and_body(doctree)
        ascii_words = one_line(words.encode("ascii", "ignore").decode())
        # Vim tells the encoding by the first line, which must be the same in all files of a folder
        lines = [f"*{help_file.file}*\t{DASH.sub(' - ', ascii_words)}".rstrip()]
        lines += [*_right_aligned(help_file.title_tags), ""]
        lines += [line.strip().center(WIDTH).rstrip() for line in self.indented(words, "")]
        lines += ["", *self.blocks(body, "")]
        return "\n".join(strip_lines(lines)) + "\n" + LAST_LINES

    def section(self, node: nodes.section, depth: int) -> list[str]:
        title, *body = node.children
        is_entry = bool(body) and is_signature(body[0])
        rule = [] if is_entry else [("=" if depth == 0 else "-") * WIDTH]
        heading = self.with_ids(self.indented(title.astext(), "") or ["…"], [node])
        below = self.blocks(without_repetition(title, body), "", depth + 1)
        gap = [""] if below[:1] != [">"] else []
        return strip_lines([*rule, *heading, *gap, *below])

    def contents(self, node: nodes.topic) -> list[str]:
        """Each title with dots to its link."""
        lines = [self.heading(line) for line in self.indented(node[0].astext(), "")]
        for item in node.findall(nodes.list_item):
            level = 0
            above = item.parent.parent
            while isinstance(above, nodes.list_item):
                level, above = level + 1, above.parent.parent
            link = next(item.findall(nodes.reference), None)
            tag = self._tag(link) if link is not None else ""
            lines += self._dotted(one_line(item[0].astext()), "  " * level, tag and f"|{tag}|")
        return lines

    def _dotted(self, words: str, indent: str, link: str) -> list[str]:
        """A line of the contents: `words`, dots, `link`; on two lines if they are too long."""
        *before, last = self.indented(words, indent) or [""]
        room = WIDTH - column_width(last) - len(link) - 2
        if not link:
            return [*before, last]
        if room < 0:
            return [*before, last, f"{link:>{WIDTH}}"]
        return [*before, f"{last} {'.' * room} {link}"]

    def code_block(self, lines: Iterable[str], before: list[str]) -> list[str]:
        if before and not before[-1]:  # Vim shows the marks as blank lines
            before.pop()
        return [">", *lines, "<"]

    def heading(self, line: str) -> str:
        return f"{line} ~"

    def code(self, text: str) -> str:
        if "`" in text or len(text) > MAX_CODE:
            return text
        return f"{QUOTE}{BLANK.join(text.split())}{QUOTE}"

    def link(self, node: nodes.reference, text: str) -> str:
        tag = self._tag(node)
        if not tag:
            address = str(node.get("refuri", ""))
            if not address or address.startswith(TAG_PREFIX) or address == text:
                return text
            return f"{text} ({address})"
        link = f"{BAR}{tag}{BAR}"
        if tag.casefold().endswith(NOT_IN_TAGS.sub("-", text.strip()).casefold()):
            return link
        return f"{text} ({link})"

    def word(self, word: str) -> str:
        if not MARKUP.fullmatch(word):
            return word
        return f"{QUOTE}{word}{QUOTE}" if "`" not in word else f"\\{word}"

    def with_ids(self, lines: Sequence[str], elements: Sequence[nodes.Element]) -> list[str]:
        """`lines` with tags at the right of a single one, or above them."""
        tags = list(dict.fromkeys(
            tag for element in elements for identifier in element["ids"]
            for tag in self.tags.get(identifier, ())
        ))
        marks = " ".join(f"*{tag}*" for tag in tags)
        if marks and len(lines) == 1 and column_width(lines[0]) + len(marks) + 2 <= WIDTH:
            return [f"{lines[0]}{marks:>{WIDTH - column_width(lines[0])}}"]
        return [*_right_aligned(tags), *lines]

    def _tag(self, node: nodes.reference) -> str:
        """The tag that `node` leads to, or an empty string."""
        if "refid" in node:
            return next(iter(self.tags.get(node["refid"], ())), "")
        address = str(node.get("refuri", ""))
        return address.partition("#")[2] if address.startswith(TAG_PREFIX) else ""


def _right_aligned(tags: Iterable[str]) -> list[str]:
    """`tags` in lines of their own, at the right."""
    marks = " ".join(f"*{tag}*" for tag in tags)
    lines = wrap(marks, WIDTH, break_long_words=False, break_on_hyphens=False)
    return [f"{line:>{WIDTH}}" for line in lines]
