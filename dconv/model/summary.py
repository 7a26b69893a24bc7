"""The first sentence of an entry, which lists of names show next to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.tree import Definitions, Flow, Paragraph, plain_text

# the end of a first sentence, not of an abbreviation: "…the load. This…"
SENTENCE_END = re.compile(
    r"[.!?](?:(?=\s|$)|[\"'](?=\s+[A-Z]))"
    r"(?<!\be\.g.)(?<!\bi\.e.)(?<!\betc.)(?<!\bvs.)(?<!\bex.)"
)
MAX_SUMMARY_LENGTH = 240  # characters


def summary(body: Sequence[Flow]) -> str:
    """The first sentence of the first paragraph of `body`, on one line; empty if there is none.

    In a list of definitions it is that of "Description", the first term.
    """
    for node in body:
        if isinstance(node, Definitions) and node.items[0].terms[0].name == "Description":
            return summary(node.items[0].body)
        if isinstance(node, Paragraph):
            return first_sentence(plain_text(node.content))
    return ""


def first_sentence(text: str) -> str:
    """The first sentence of `text`, cut at a word if it is too long.

    A word in capitals says what the rest is about: "OPTIONAL. Name the lamp."
    """
    match = SENTENCE_END.search(text)
    if match and text[: match.start()].isupper() and " " not in text[: match.start()]:
        match = SENTENCE_END.search(text, match.end()) or match
    text = text[: match.end()] if match else text
    if len(text) > MAX_SUMMARY_LENGTH:
        text = text[:MAX_SUMMARY_LENGTH].rsplit(" ", 1)[0] + "…"
    return text


def shortened(text: str, max_length: int = MAX_SUMMARY_LENGTH) -> str:
    """`text`, cut at a word if it has more than `max_length` characters."""
    if len(text) <= max_length:
        return text
    return text[: max_length - 1].rsplit(" ", 1)[0] + "…"
