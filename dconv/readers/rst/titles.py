"""The titles in a text, for references in other texts, found without parsing all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import dropwhile, takewhile
from operator import not_

from docutils import nodes

from dconv.model.source import decoded_text
from dconv.readers.rst.parse import parse
from dconv.readers.rst.roles import TITLED

# ".. _label:", ".. _`a label`:"
LABEL = re.compile(r"\.\. _(?!_)`?(?P<name>.+?)`?:")
# what may stand between a label and the title: a comment, an empty line, ".. index:: lamp"
NOT_SHOWN = re.compile(r"\.\. (?!.*::)|\.\. index::|\s|$")
# what may have a caption
CAPTIONED = re.compile(
    r"\.\. (?P<kind>figure|(?:list-|csv-)?table|code-block)::\s*(?P<argument>.*)"
)
NAME_OR_CAPTION = re.compile(r":(name|caption):\s+(.*)")
RULE = re.compile(r"([!-/:-@[-`{-~])\1+")  # above or below a title
MIN_RULE = 4  # characters of a rule that is shorter than the title
MARKUP = re.compile(r"[`*|\\]|_(?!\w)")
# ":ref:`label`", ":doc:`title <folder/name>`"
REFERENCE = re.compile(
    r":(?:(?:num)?ref|eq|(?P<document>doc(?:ref)?)):`(?P<title>[^`<>]*<)?(?P<target>[^`<>]+)>?`"
)
INCLUDED = re.compile(r"^ *\.\. (?:literal)?include:: +(?P<target>[^<\s]\S*)", re.MULTILINE)
LISTED = re.compile(
    r"^(?P<indent> *)\.\. toctree::.*\n"
    r"(?P<options>(?:(?P=indent) +:.*\n)*)"
    r"(?P<lines>(?:(?P=indent) +\S.*\n?|[ ]*\n)*)",
    re.MULTILINE,
)


def label_key(label: str) -> str:
    """`label` as references to it are compared."""
    return str(nodes.make_id(label))


def titles(content: bytes) -> tuple[str, dict[str, str]]:
    """The title of the text `content`, and what each label is in front of, by its key.

    That is the title of a section, or the caption of a figure, a table or a listing.
    They are as the text writes them.
    """
    lines = [line.rstrip() for line in decoded_text(content, "")[0].split("\n")]
    document_title = ""
    by_label: dict[str, str] = {}
    labels: list[str] = []
    for index, (line, below) in enumerate(zip(lines, [*lines[1:], ""], strict=True)):
        if match := LABEL.fullmatch(line):
            labels.append(label_key(match["name"].replace("\\", "")))
        elif match := CAPTIONED.fullmatch(line):
            name, caption = _name_and_caption(match, lines[index + 1 :])
            if caption:
                by_label |= dict.fromkeys([*labels, label_key(name)] if name else labels, caption)
            labels = []
        elif NOT_SHOWN.match(line):
            continue
        elif not RULE.fullmatch(line):
            title = line.strip()
            if RULE.fullmatch(below) and len(below) >= min(len(title), MIN_RULE):
                document_title = document_title or title
                by_label |= dict.fromkeys(labels, title)
            labels = []
        elif lines[index + 2 : index + 3] == [line] and below[:1] == " ":  # centred below a rule
            document_title = document_title or below.strip()
            by_label |= dict.fromkeys(labels, below.strip())
            labels = []
    return document_title, by_label


def _name_and_caption(directive: re.Match[str], below: Sequence[str]) -> tuple[str, str]:
    """The name and the caption of a `directive` with the lines `below`; empty if it has none."""
    content = [line.strip() for line in takewhile(lambda line: line[:1] in ("", " "), below)]
    options = list(takewhile(bool, content))
    matches = filter(None, map(NAME_OR_CAPTION.fullmatch, options))
    values = {match[1]: match[2] for match in matches}
    caption = "" if directive["kind"] == "code-block" else directive["argument"]
    if directive["kind"] == "figure":
        caption = " ".join(takewhile(bool, dropwhile(not_, content[len(options) :])))
    return values.get("name", ""), values.get("caption", caption)


def references(content: bytes) -> Iterator[tuple[str, str]]:
    """The kind, as of `role_reference`, and the target of each link to a label or a document.

    A link with a title of its own has the kind "titled …", an included file "included document".
    "listed documents" are the lines of a table of contents with patterns.
    """
    text = decoded_text(content, "")[0].expandtabs()
    for match in REFERENCE.finditer(text):
        kind = "document" if match["document"] else "label"
        yield f"titled {kind}" if match["title"] else kind, " ".join(match["target"].split())
    for match in INCLUDED.finditer(text):
        yield "included document", match["target"]
    for lines, has_patterns in tables_of_contents(text):
        if has_patterns:
            yield "listed documents", "\n".join(lines)
        for line in lines:
            target = listed_target(line)
            yield "document" if target == line else "titled document", target


def tables_of_contents(text: str) -> Iterator[tuple[list[str], bool]]:
    """The lines of each table of contents of documents, and whether patterns may be among them."""
    for match in LISTED.finditer(text):
        lines = [line.strip() for line in match["lines"].split("\n")]
        yield [*filter(None, lines)], ":glob:" in match["options"]


def listed_target(line: str) -> str:
    """The document that a `line` of a table of contents names: "Oil <care/oil>"."""
    match = TITLED.fullmatch(line)
    return match["target"] if match else line


@cache  # many texts show it
def shown_title(title: str, sphinx_settings: tuple[tuple[str, str], ...]) -> str:
    """The words of a `title` without its markup; `sphinx_settings` are those of its text."""
    if not MARKUP.search(title):
        return title
    return parse(title, "", sphinx_settings=dict(sphinx_settings))[0].astext()
