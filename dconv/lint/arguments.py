"""The arguments of entries: placeholders and words of signatures, and their descriptions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.model.tree import Definitions, Entry, Labelled, Paragraph, plain_text
from dconv.model.values import dataclass

PLACEHOLDER = re.compile(r"<(?P<name>[A-Za-z][\w-]*(?:\.\w+)*)[*+]?(?:\.\.\.)?>")
# "{ tcp|http|log }", "[ on | off ]": literal words to choose from
CHOICE = re.compile(r"[{\[(<]\s*(?P<words>[\w.-]+(?:\s*\|\s*[\w.-]+)+)\s*[}\])>]")
WORD = re.compile(r"[A-Za-z][\w.-]*")
LABELS = ("argument", "parameter")
NO_ARGUMENTS = re.compile(r"(?:none|nothing|no arguments?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DescribedArgument:
    """An argument that an entry describes at `line`.

    `text` is its placeholder ("<name>") or its only word, empty if it has more words.
    """

    text: str
    name: str
    line: int
    is_placeholder: bool


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of `entry`: `placeholders`, `choices` and the words of its signatures.

    `described` are those on the first level below "Arguments"; `no_arguments_line` is the
    number of the line "Arguments : none", or 0.
    """

    entry: Entry
    placeholders: tuple[str, ...]
    choices: frozenset[str]
    signature_words: frozenset[str]
    described: tuple[DescribedArgument, ...]
    no_arguments_line: int


def read_arguments(entry: Entry) -> Arguments | None:
    """The arguments of `entry`; None if it has no list "Arguments"."""
    labels = [
        block for block in entry.body
        if isinstance(block, Labelled) and block.kind == "arguments"
        and block.label.casefold().startswith(LABELS)
    ]
    if not labels:
        return None
    text = " ".join(signature.text for signature in entry.signatures)
    placeholders = dict.fromkeys(match["name"] for match in PLACEHOLDER.finditer(text))
    choices = {word for match in CHOICE.finditer(text) for word in WORD.findall(match["words"])}
    described = tuple(
        argument for label in labels for block in label.body if isinstance(block, Definitions)
        for argument in described_arguments(block)
    )
    first_blocks = [block for label in labels for block in label.body[:1]]
    no_arguments_line = next((
        block.span.first for block in first_blocks
        if isinstance(block, Paragraph) and NO_ARGUMENTS.match(plain_text(block.content))
    ), 0)
    return Arguments(
        entry, tuple(placeholders), frozenset(choices), frozenset(WORD.findall(text)),
        described, no_arguments_line,
    )


def described_arguments(definitions: Definitions) -> Iterator[DescribedArgument]:
    """The arguments that `definitions` describe."""
    for term in [term for item in definitions.items for term in item.terms]:
        text = " ".join(plain_text(term.content).split())
        if match := PLACEHOLDER.match(text):
            yield DescribedArgument(match[0], match["name"], term.line, True)
        elif word := WORD.match(text.strip('"')):
            is_only_word = word[0] == text.strip('"')
            yield DescribedArgument(text if is_only_word else "", word[0], term.line, False)

