"""Convert elements in a line of prose to inline nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from pathlib import PurePosixPath
from urllib.parse import unquote

from bs4 import Tag

from dconv.model import tree
from dconv.model.man_pages import PAGE_MENTION
from dconv.readers.extracted_text import reference_places
from dconv.readers.html import soup
from dconv.readers.names import WEB_ADDRESS

CODE = frozenset(("code", "kbd", "samp", "tt", "xmp", "listing"))
# classes of code that generators write without such an element
CODE_CLASSES = frozenset((
    "code", "literal", "command", "option", "filename", "envar", "constant", "varname", "parameter",
    "sig-name", "descname", "docbook_option", "docbook_command", "docbook_file",
))  # fmt: skip
STRONG = frozenset(("b", "strong"))
EMPHASIS = frozenset(("i", "em", "var", "cite", "dfn", "u"))
DELETED = frozenset(("s", "strike", "del"))
ENDS_LINK = tree.Image | tree.LineBreak  # what cannot be among the words of a link
MAX_DEPTH = 30  # elements inside each other; what is deeper is text
# endings of files that may be documents of the same release
DOCUMENT_ENDINGS = frozenset((
    "", ".html", ".htm", ".xhtml", ".shtml", ".md", ".markdown", ".mkd", ".rst", ".txt", ".text",
))  # fmt: skip
# "mailto:", "javascript:", "C:"
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# what browsers leave out of an address: line ends, tabs and controls
CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f]+")


def inlines(
    children: Iterable[Tag | str], depth: int = 0, is_code: bool = False
) -> tuple[tree.Inline, ...]:
    """The nodes of `children`; `is_code` says that they are set as code.

    Elements that are blocks end lines.
    """
    nodes: list[tree.Inline] = []
    for child in children:
        if isinstance(child, str):
            nodes += [tree.Code(child)] if is_code else _text(child)
        elif child.name == "ol":
            for group, number in soup.numbered_items(child, soup.list_items(child)):
                item = inlines(soup.item_content(group), depth + 1, is_code)
                nodes += [tree.LineBreak(), tree.Text(f"{number} "), *item, tree.LineBreak()]
        elif child.name in soup.BLOCKS:
            content = inlines(soup.children(child), depth + 1, is_code)
            nodes += [tree.LineBreak(), *content, tree.LineBreak()]
        else:
            nodes += _element(child, depth, is_code)
    return tuple(_merge_neighbours(nodes))


def _element(tag: Tag, depth: int, is_code: bool) -> tuple[tree.Inline, ...]:
    if depth > MAX_DEPTH:
        return (tree.Text(soup.text_of(tag)),)
    name = tag.name
    if name == "br":
        return (tree.LineBreak(),)
    if name == "img":
        text = image_text(tag)
        return (tree.Image(soup.attribute(tag, "src").strip(), text),) if text.strip() else ()
    is_code = is_code or name in CODE or (name == "span" and bool(CODE_CLASSES & soup.classes(tag)))
    content = inlines(soup.children(tag), depth + 1, is_code)
    if name == "a" and tag.has_attr("href"):
        return linked(content, soup.attribute(tag, "href"))
    if not tree.plain_text(content).strip():
        return content
    if name in STRONG:
        return (tree.Strong(content),)
    if name in DELETED:
        return (tree.Deleted(content),)
    if name in EMPHASIS:
        return (tree.Emphasis(content),)
    return content


def image_text(tag: Tag) -> str:
    """The text in place of the image `tag`, or the name of its file if it has none."""
    for name in ("alt", "title"):
        if tag.has_attr(name):
            return soup.attribute(tag, name)
    return PurePosixPath(soup.attribute(tag, "src").partition("?")[0]).name


def _merge_neighbours(nodes: Iterable[tree.Inline]) -> Iterator[tree.Inline]:
    """`nodes` with neighbouring texts, and neighbouring code, as one."""
    last: tree.Inline | None = None
    for node in nodes:
        if isinstance(last, tree.Code) and isinstance(node, tree.Code):
            last = tree.Code(last.text + node.text)
        elif isinstance(last, tree.Text) and isinstance(node, tree.Text):
            last = tree.Text(last.text + node.text)
        else:
            if last is not None:
                yield last
            last = node
    if last is not None:
        yield last


def _text(text: str) -> Iterator[tree.Inline]:
    """`text` with its web addresses and manual pages as links."""
    index = 0
    matches = [*WEB_ADDRESS.finditer(text)] if "://" in text else []
    if ")" in text:
        matches += PAGE_MENTION.finditer(text)
    for match in sorted(matches, key=lambda match: match.start()):
        if match.start() < index:
            continue
        if match.start() > index:
            yield tree.Text(text[index : match.start()])
        if match.re is WEB_ADDRESS:
            yield tree.Hyperlink(match[0], match[0])
        else:
            yield tree.Reference(match[0], match[0], kind="page")
        index = match.end()
    if index < len(text):
        yield tree.Text(text[index:])


def linked(content: tuple[tree.Inline, ...], address: str) -> tuple[tree.Inline, ...]:
    """`content` as links to `address`: images, and the words between them and line breaks."""
    address = CONTROL.sub("", address)
    nodes: list[tree.Inline] = []
    words: list[tree.Inline] = []
    for node in (*content, tree.LineBreak()):
        if not any(isinstance(inner, ENDS_LINK) for inner in tree.walk_inlines((node,))):
            words.append(node)
            continue
        if tree.plain_text(tuple(words)).strip():
            nodes += _link(tuple(words), address)
        else:
            nodes += words
        words = []
        match node:
            case tree.Image():
                nodes += _link((node,), address, node)
            case tree.Strong() | tree.Emphasis() | tree.Deleted():
                nodes.append(type(node)(linked(node.content, address)))
            case _:
                nodes.append(node)
    return tuple(nodes[:-1])


def _link(
    words: tuple[tree.Inline, ...], address: str, image: tree.Image | None = None
) -> tuple[tree.Inline, ...]:
    text = tree.plain_text(words)
    if address.startswith("//"):
        address = f"https:{address}"
    if address.casefold().startswith(("http://", "https://")):
        return (tree.Hyperlink(text, address, image=image),)
    if SCHEME.match(address) or address in ("", "#"):
        return words
    name = _link_name(address)
    file = name.partition("#")[0]
    if file and PurePosixPath(file).suffix.casefold() not in DOCUMENT_ENDINGS:
        return (tree.Hyperlink(text, address, image=image),)
    if not name or file.endswith(("/", "..")):
        return words
    return (tree.Reference(text, name, kind="link", image=image),)


def _link_name(address: str) -> str:
    """The name of the reference that a link to `address` is."""
    file, _, anchor = address.partition("#")
    file, anchor = unquote(file.partition("?")[0]), soup.anchor_of(unquote(anchor))
    return f"{file}#{anchor}" if anchor else file


def link_places(text: str, pattern: re.Pattern[str]) -> tuple[tuple[str, int, int, str], ...]:
    """The places of links and images that `pattern` finds, as `Source.reference_places`."""
    places = reference_places(text, pattern)
    return places + tuple([
        (_link_name(target), line, column, target)
        for target, line, column, _ in places if _link_name(target) != target
    ])


def trimmed(content: Sequence[tree.Inline]) -> list[tree.Inline]:
    """`content` without the line breaks and blanks around it, which blocks leave."""
    inner = [*dropwhile(_is_blank, content)]
    while inner and _is_blank(inner[-1]):
        inner.pop()
    return inner


def _is_blank(node: tree.Inline) -> bool:
    return isinstance(node, tree.Text | tree.LineBreak) and not node.text.strip()
