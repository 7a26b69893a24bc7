"""The roles of docutils and Sphinx: what each says of its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from docutils import nodes

from dconv.readers.rst.addnodes import omitted_words, role_reference

# (the role as the file writes it, its text) -> its node
Role: TypeAlias = Callable[[str, str], nodes.Node]

# "the title <target>"
TITLED = re.compile(r"(?P<title>[^<]*[^<\s])\s*<(?P<target>[^<>]*)>", re.DOTALL)
# a title of another document, labelled by sphinx.ext.autosectionlabel: "topics/boot:Network"; if no
# folder is named, the title must have several `words`: "boot:Set up"
SECTION_LABEL = re.compile(r"(?P<document>[^:]*/[^:]*):(?P<title>.+)|[^:]+:(?P<words>.+ .+)")
# "~package.module.name" shows the last part; "!name" does not link
LAST_PART = re.compile(r"~(?:[\w:]+\.)*(?P<last>.+)", re.DOTALL)
# "&" before a key that chooses a label; "&&" is an "&" that is shown
ACCELERATOR = re.compile(r"&(?:(&)|(?!\s))")
RFC = "https://www.rfc-editor.org/rfc/rfc{}"
PEP = "https://peps.python.org/pep-{:0>4}/"

CODE = (
    "code", "literal", "math", "file", "samp", "command", "program",
    "kbd", "makevar", "mailheader", "mimetype", "newsgroup", "regexp", "keyword", "token",
    "download", "rst:dir", "rst:role", "clicmd", "any",
    "type", "struct", "union", "enum", "enumerator", "macro", "member", "var", "expr",
    "cpp:any", "cpp:class", "cpp:func", "cpp:member", "cpp:type", "cpp:var", "cpp:enum",
    "cpp:enumerator", "cpp:expr", "cpp:texpr", "func", "class", "meth", "attr", "data", "exc",
    "mod", "obj", "const", "deco",
    "c:data", "c:enum", "c:enumerator", "c:expr", "c:func", "c:macro", "c:member", "c:struct",
    "c:texpr", "c:type", "c:union", "c:var", "c:identifier",
    "py:attr", "py:class", "py:const", "py:data", "py:exc", "py:func", "py:meth", "py:mod",
    "py:obj", "py:deco", "js:attr", "js:class", "js:data", "js:func", "js:meth", "js:mod",
)  # fmt: skip
PLAIN = ("abbreviation", "ab", "acronym", "ac", "abbr", "inline", "index", "i18n", "cve", "cwe")


def _titled(text: str) -> tuple[str, str]:
    """The title that `text` gives to its target, or an empty string, and the target."""
    if match := TITLED.fullmatch(text.strip()):
        return match["title"], match["target"]
    return "", text.strip()


def _cross_reference(kind: str) -> Role:
    """A role that refers to a target of `kind`, which may be given a title: "title <target>"."""

    def role(source: str, text: str) -> nodes.Node:
        title, target = _titled(text)
        target = target.removeprefix("!")
        link_text = title or (GENERATED.get(target, target) if kind == "label" else target)
        if kind == "code" and (match := LAST_PART.fullmatch(link_text)):
            link_text = match["last"]
        if kind == "label" and not title and (match := SECTION_LABEL.fullmatch(target)):
            link_text = match["title"] or match["words"]
        target = " ".join(target.split())  # roles may be broken over lines
        return role_reference(source, link_text, kind=kind, target=target, has_own_text=bool(title))

    return role


def _numbered_document(name: str, pattern: str) -> Role:
    """A role that links to a document by its number: "RFC 2131"; `pattern` is its address."""

    def role(source: str, text: str) -> nodes.Node:
        title, target = _titled(text)
        number, mark, fragment = target.partition("#")
        url = pattern.format(number) + mark + fragment
        return nodes.reference(source, title or f"{name} {number}", refuri=url)

    return role


def _span(kind: str) -> Role:
    """A role of a cell of `flat-table`: how many columns or rows it covers, which is no text."""
    return lambda source, text: omitted_words(source, text, kind=kind)


def other_project(source: str, text: str) -> nodes.Node:
    """The node of a role that refers to another project (":external+python:ref:")."""
    title, target = _titled(text)
    return nodes.inline(source, title or target)


# pages that Sphinx writes itself, with their titles
GENERATED = {
    "genindex": "Index", "modindex": "Module Index", "py-modindex": "Python Module Index",
    "search": "Search Page",
}

ROLES: Mapping[str, Role] = {
    **dict.fromkeys(CODE, _cross_reference("code")),
    **dict.fromkeys(PLAIN, nodes.inline),
    **dict.fromkeys(("ref", "numref", "eq"), _cross_reference("label")),
    **dict.fromkeys(("doc", "docref"), _cross_reference("document")),
    **dict.fromkeys(("manpage", "manref"), _cross_reference("manual page")),
    **{name: _cross_reference(name) for name in ("option", "term", "envvar", "confval")},
    **dict.fromkeys(("dfn", "emphasis"), nodes.emphasis),
    "strong": nodes.strong,
    **dict.fromkeys(
        ("guilabel", "menuselection"),
        lambda source, text: nodes.literal(source, ACCELERATOR.sub(r"\1", text)),
    ),
    **dict.fromkeys(("subscript", "sub"), nodes.subscript),
    **dict.fromkeys(("superscript", "sup"), nodes.superscript),
    **dict.fromkeys(("title-reference", "title", "t"), nodes.title_reference),
    **dict.fromkeys(("rfc", "rfc-reference"), _numbered_document("RFC", RFC)),
    **dict.fromkeys(("pep", "pep-reference"), _numbered_document("PEP", PEP)),
    "raw": nodes.literal,
    "cspan": _span("cspan"),
    "rspan": _span("rspan"),
}
