"""What is in a line of prose: elements to inline nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from pathlib import PurePosixPath
from urllib.parse import unquote

from bs4 import Tag

from dconv.model.man_pages import PAGE_MENTION
from dconv.model.tree import (
    Code,
    Deleted,
    Emphasis,
    Hyperlink,
    Image,
    Inline,
    LineBreak,
    Reference,
    Strong,
    Text,
    plain_text,
)
from dconv.readers.html.soup import (
    BLOCKS,
    anchor_of,
    attribute,
    children,
    classes,
    items_in,
    numbered,
    parts_of,
    text_of,
)
from dconv.readers.names import WEB_ADDRESS

CODE = frozenset(("code", "kbd", "samp", "tt", "xmp", "listing"))
# classes of what generators set as code without such an element
CODE_CLASSES = frozenset((
    "code", "literal", "command", "option", "filename", "envar", "constant", "varname", "parameter",
    "sig-name", "descname", "docbook_option", "docbook_command", "docbook_file",
))  # fmt: skip
STRONG = frozenset(("b", "strong"))
EMPHASIS = frozenset(("i", "em", "var", "cite", "dfn", "u"))
DELETED = frozenset(("s", "strike", "del"))
MAX_DEPTH = 30  # elements inside each other; what is deeper is text
# endings of files that may be documents of the same release
DOCUMENT_ENDINGS = frozenset((
    "", ".html", ".htm", ".xhtml", ".shtml", ".md", ".markdown", ".mkd", ".rst", ".txt", ".text",
))  # fmt: skip
# "mailto:", "javascript:", "C:"
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# what browsers leave out of an address: line ends, tabs and controls
CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]+")


def inlines(parts: Iterable[Tag | str], depth: int = 0, code: bool = False) -> tuple[Inline, ...]:
    """The nodes of `parts`; `code` says that they are set as code.

    Elements that are blocks end lines.
    """
    nodes: list[Inline] = []
    for part in parts:
        if isinstance(part, str):
            nodes += [Code(part)] if code else _text(part)
        elif part.name == "ol":
            for group, number in numbered(part, items_in(part)):
                item = inlines(parts_of(group), depth + 1, code)
                nodes += [LineBreak(), Text(f"{number} "), *item, LineBreak()]
        elif part.name in BLOCKS:
            nodes += [LineBreak(), *inlines(children(part), depth + 1, code), LineBreak()]
        else:
            nodes += _element(part, depth, code)
    return tuple(_merge_neighbours(nodes))


def _element(tag: Tag, depth: int, code: bool) -> tuple[Inline, ...]:
    if depth > MAX_DEPTH:
        return (Text(text_of(tag)),)
    name = tag.name
    if name == "br":
        return (LineBreak(),)
    if name == "img":
        text = image_text(tag)
        return (Image(attribute(tag, "src").strip(), text),) if text.strip() else ()
    code = code or name in CODE or (name == "span" and bool(CODE_CLASSES & classes(tag)))
    content = inlines(children(tag), depth + 1, code)
    if name == "a" and tag.has_attr("href"):
        return linked(content, attribute(tag, "href"))
    if not plain_text(content).strip():
        return content
    if name in STRONG:
        return (Strong(content),)
    if name in DELETED:
        return (Deleted(content),)
    if name in EMPHASIS:
        return (Emphasis(content),)
    return content


def image_text(tag: Tag) -> str:
    """What stands for the picture `tag`: its text, or the name of its file if it has none."""
    for name in ("alt", "title"):
        if tag.has_attr(name):
            return attribute(tag, name)
    return PurePosixPath(attribute(tag, "src").partition("?")[0]).name


def _merge_neighbours(nodes: Iterable[Inline]) -> Iterator[Inline]:
    """`nodes` with texts and code beside each other as one."""
    last: Inline | None = None
    for node in nodes:
        if isinstance(last, Code) and isinstance(node, Code):
            last = Code(last.text + node.text)
        elif isinstance(last, Text) and isinstance(node, Text):
            last = Text(last.text + node.text)
        else:
            if last is not None:
                yield last
            last = node
    if last is not None:
        yield last


def _text(text: str) -> Iterator[Inline]:
    """`text` with its web addresses and manual pages as links."""
    at = 0
    for match in _links(text):
        if match.start() < at:
            continue
        if match.start() > at:
            yield Text(text[at : match.start()])
        if match.re is WEB_ADDRESS:
            yield Hyperlink(match[0], match[0])
        else:
            yield Reference(match[0], match[0], 0, 0, kind="page")
        at = match.end()
    if at < len(text):
        yield Text(text[at:])


def _links(text: str) -> list[re.Match[str]]:
    matches = [*WEB_ADDRESS.finditer(text)] if "://" in text else []
    if ")" in text:
        matches += PAGE_MENTION.finditer(text)
    return sorted(matches, key=lambda match: match.start())


def linked(content: tuple[Inline, ...], address: str) -> tuple[Inline, ...]:
    """`content` as a link to `address`; pictures and line breaks in it stay as they are."""
    address = CONTROL.sub("", address)
    nodes: list[Inline] = []
    words: list[Inline] = []
    for node in (*content, LineBreak()):
        if not _ends_link(node):
            words.append(node)
            continue
        if plain_text(tuple(words)).strip():
            nodes += _link(tuple(words), address)
        else:
            nodes += words
        words = []
        nodes.append(node)
    return tuple(nodes[:-1])


def _ends_link(node: Inline) -> bool:
    """Whether `node` is no part of the text of a link."""
    if isinstance(node, Strong | Emphasis | Deleted):
        return any(_ends_link(inner) for inner in node.content)
    return isinstance(node, Image | LineBreak)


def _link(words: tuple[Inline, ...], address: str) -> tuple[Inline, ...]:
    text = plain_text(words)
    if address.startswith("//"):
        address = f"https:{address}"
    if address.casefold().startswith(("http://", "https://")):
        return (Hyperlink(text, address),)
    if SCHEME.match(address) or address in ("", "#"):
        return words
    file, _, anchor = address.partition("#")
    file, anchor = unquote(file.partition("?")[0]), anchor_of(unquote(anchor))
    if file and PurePosixPath(file).suffix.casefold() not in DOCUMENT_ENDINGS:
        return (Hyperlink(text, address),)
    if file.endswith(("/", "..")) or (not file and not anchor):
        return words
    return (Reference(text, f"{file}#{anchor}" if anchor else file, 0, 0, kind="link"),)


def trimmed(content: Sequence[Inline]) -> list[Inline]:
    """`content` without the line breaks and blanks around it, which blocks leave."""
    inner = [*dropwhile(_is_blank, content)]
    while inner and _is_blank(inner[-1]):
        inner.pop()
    return inner


def _is_blank(node: Inline) -> bool:
    return isinstance(node, LineBreak) or (isinstance(node, Text) and not node.text.strip())
