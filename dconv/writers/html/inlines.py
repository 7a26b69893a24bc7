"""Inline nodes to HTML: text, names, links, placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from dconv.model import tree
from dconv.writers.html.context import PageContext
from dconv.writers.html.escape import attribute, text
from dconv.writers.html.marks import DATA_ADDED

# what prose does not have: "http-request", "%ci", "50%", "req.hdr"
TECHNICAL_CHARACTER = re.compile(r"[-_./<>()=%:@$*+\d]")
QUOTES = "\"'`"


def inlines(content: Iterable[tree.Inline], context: PageContext) -> str:
    """Prose; the links of an ambiguous name follow its closing quote."""
    out: list[str] = []
    target_links = ""
    for node in content:
        if target_links:
            quote = node.text[:1] if isinstance(node, tree.Text) and node.text[:1] in QUOTES else ""
            out.append(text(quote) + target_links)
            target_links = ""
            if quote:
                node = tree.Text(node.text[1:])
        match node:
            case tree.Text():
                out.append(text(node.text))
            case tree.Reference():
                out.append(_reference(node, context))
                target_links = _target_links(node, context)
            case tree.Argument():
                out.append(_argument(node, context))
            case tree.Code():
                out.append(f"<code>{text(node.text)}</code>")
            case tree.Hyperlink():
                out.append(_hyperlink(node, context))
            case tree.Strong():
                out.append(f"<strong>{inlines(node.content, context)}</strong>")
            case tree.Emphasis():
                out.append(f"<em>{inlines(node.content, context)}</em>")
            case tree.Deleted():
                out.append(f"<del>{inlines(node.content, context)}</del>")
            case tree.LineBreak():
                out.append('<br class="line">\n')
            case tree.Image():
                out.append(_image(node, context))
            case _:
                assert_never(node)
    return "".join([*out, target_links])


def _argument(node: tree.Argument, context: PageContext) -> str:
    html = text(node.text)
    if node.target:
        link = context.link_start(node.target)
        return f'<a class="var"{link.removeprefix("<a")}>{html}</a>'
    return f"<var>{html}</var>"


def _reference(node: tree.Reference, context: PageContext) -> str:
    html = _image(node.image, context) if node.image else text(node.text)
    if node.kind in ("literal", "option"):  # one word, however it is written: "--grow"
        if len(node.targets) == 1:
            return f'{context.link_start(node.targets[0])} class="literal">{html}</a>'
        return f'<code class="literal">{html}</code>'
    if len(node.targets) == 1:
        return f"{context.link_start(node.targets[0])}>{html}</a>"
    is_name = node.kind == "name" or bool(node.targets)
    return f"<code>{html}</code>" if is_name and is_technical(node.text) else html


def _target_links(node: tree.Reference, context: PageContext) -> str:
    """Links to the places of an ambiguous name by their kinds, with sections as tooltips."""
    if len(node.targets) < 2:
        return ""
    labels = node.target_labels or (("", ""),) * len(node.targets)
    links: list[str] = []
    for target, (kind, section) in zip(node.targets, labels, strict=True):
        title = f' title="{attribute(section)}"' if section else ""
        links.append(f"{context.link_start(target)}{title}>{text(kind or target.anchor)}</a>")
    return f'<span{DATA_ADDED} class="targets"> ({", ".join(links)})</span>'


def is_technical(words: str) -> bool:
    """True for words that one types, such as names of files or options."""
    if words.count(" ") > 1:
        return False
    return TECHNICAL_CHARACTER.search(words) is not None or (words.isalpha() and words.islower())


def _image(node: tree.Image, context: PageContext) -> str:
    """The image, or its text where the site does not have it."""
    href = context.image(node.file)
    id_attribute = f' id="{context.anchor(node.anchor)}"' if node.anchor else ""
    if href:
        return f'<img src="{attribute(href)}" alt="{attribute(node.text)}"{id_attribute}>'
    return f"<span{id_attribute}>{text(node.text)}</span>" if node.anchor else text(node.text)


def _hyperlink(node: tree.Hyperlink, context: PageContext) -> str:
    html = _image(node.image, context) if node.image else text(node.text)
    if not node.url.casefold().startswith(("http://", "https://")):
        return html
    return f'<a href="{attribute(node.url)}" rel="external">{html}</a>'
