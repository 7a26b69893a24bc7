"""Signatures and what is said of their arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from dconv.lint.arguments import read_arguments
from dconv.model.tree import Entry, Signature
from defects.defect import Defect, Edit, IntactText, changed_line, with_typo

TYPED = re.compile(r"\s+:\s+[a-z]+$")
PLACEHOLDER = re.compile(r"<[a-z][\w-]{2,}>")


def _one_line_signatures(text: IntactText) -> Iterator[tuple[Entry, Signature, str]]:
    """Each signature that is one line, with its entry and that line."""
    for _, entry in text.context.entries:
        for signature in entry.signatures:
            if signature.span.first == signature.span.last:
                yield entry, signature, text.line(signature.span.first).rstrip()


def _changed(signature: Signature, line: str) -> Defect:
    return changed_line(signature.span.first, line, signature.name)


def bracket_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """A signature without one of its brackets."""
    for _, signature, line in _one_line_signatures(text):
        indexes = [index for index, character in enumerate(line) if character in "[](){}<>"]
        if indexes:
            index = random.choice(indexes)
            yield _changed(signature, line[:index] + line[index + 1 :])


def bracket_other(text: IntactText, random: Random) -> Iterator[Defect]:
    """A signature with a bracket of another kind."""
    for _, signature, line in _one_line_signatures(text):
        indexes = [index for index, character in enumerate(line) if character in "])}>"]
        if indexes:
            index = random.choice(indexes)
            other = random.choice([bracket for bracket in "])}>" if bracket != line[index]])
            yield _changed(signature, f"{line[:index]}{other}{line[index + 1 :]}")


def comma_moved(text: IntactText, random: Random) -> Iterator[Defect]:
    """A comma in front of an optional argument, or one that is missing or too many."""
    for _, signature, line in _one_line_signatures(text):
        if "[," in line:
            yield _changed(signature, line.replace("[,", random.choice((",[", "[", ",[,")), 1))
        elif re.search(r"\w\(<[^()]*,<", line):
            yield _changed(signature, line.replace(",<", random.choice(("<", ",,<")), 1))


def type_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """A sample without its type."""
    for _, signature, line in _one_line_signatures(text):
        if TYPED.search(line):
            yield _changed(signature, TYPED.sub(random.choice(("", " :")), line))


def type_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A sample whose type has a typo."""
    for _, signature, line in _one_line_signatures(text):
        match = TYPED.search(line)
        if match:
            before, _, word = line.rpartition(" ")
            yield _changed(signature, f"{before} {with_typo(word, random)}")


def colon_blanks(text: IntactText, random: Random) -> Iterator[Defect]:
    """A sample whose colon has other blanks around it, or is another character."""
    for _, signature, line in _one_line_signatures(text):
        if TYPED.search(line):
            changed = line.replace(" : ", random.choice((": ", " :", "  : ", " ")), 1)
            yield _changed(signature, changed)


def blanks_doubled(text: IntactText, random: Random) -> Iterator[Defect]:
    """Two blanks within a signature."""
    for entry, signature, line in _one_line_signatures(text):
        indexes = [match.start() for match in re.finditer(r"(?<=\S) (?=\S)", line)]
        if indexes and len(entry.signatures) == 1:
            index = random.choice(indexes)
            yield _changed(signature, f"{line[:index]} {line[index:]}")


def blank_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """No blank between a word of a signature and the argument after it."""
    for _, signature, line in _one_line_signatures(text):
        indexes = [match.start() for match in re.finditer(r"(?<=\w) (?=[<{])", line)]
        if indexes:
            index = random.choice(indexes)
            yield _changed(signature, line[:index] + line[index + 1 :])


def described_renamed(text: IntactText, random: Random) -> Iterator[Defect]:
    """An argument that its description calls something else."""
    for _, entry in text.context.entries:
        arguments = read_arguments(entry)
        for argument in arguments.described if arguments else ():
            if not argument.is_placeholder or len(argument.name) <= 3:
                continue
            if arguments and argument.name in arguments.placeholders:
                new = random.choice((with_typo(argument.name, random), "item"))
                yield from text.replaced(
                    argument.line, f"<{argument.name}", f"<{new}", name=entry.name
                )


def signature_renamed(text: IntactText, random: Random) -> Iterator[Defect]:
    """An argument that the signature calls something else than its description."""
    for _, entry in text.context.entries:
        arguments = read_arguments(entry)
        if not arguments or len(entry.signatures) > 1:
            continue
        described = {argument.name for argument in arguments.described if argument.is_placeholder}
        for name in arguments.placeholders:
            if name in described:
                new = random.choice((with_typo(name, random), "item"))
                yield from text.replaced(entry.span.first, f"<{name}", f"<{new}", name=entry.name)


def argument_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """An argument that is described, and that the signature lacks."""
    for _, entry in text.context.entries:
        arguments = read_arguments(entry)
        if not arguments or len(entry.signatures) > 1:
            continue
        described = {argument.name for argument in arguments.described if argument.is_placeholder}
        for name in arguments.placeholders:
            if name in described:
                for old in (f" [ <{name}> ]", f" [<{name}>]", f"[,<{name}>]", f" <{name}>"):
                    edit = text.replace(entry.span.first, old, "")
                    if edit:
                        yield Defect((edit,), entry.name)
                        break


def description_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """An argument of the signature that nothing describes."""
    for _, entry in text.context.entries:
        arguments = read_arguments(entry)
        described = arguments.described if arguments else ()
        placeholders = arguments.placeholders if arguments else ()
        for argument, below in pairwise(described):
            is_in_signature = argument.is_placeholder and argument.name in placeholders
            if is_in_signature and below.line > argument.line:
                yield Defect((text.delete_lines(argument.line, below.line - 1),), entry.name)


def none_claimed(text: IntactText, random: Random) -> Iterator[Defect]:
    """A list of arguments that says that there are none."""
    for _, entry in text.context.entries:
        arguments = read_arguments(entry)
        if not arguments or not arguments.described or not arguments.placeholders:
            continue
        for block in entry.body:
            if getattr(block, "kind", "") == "arguments":
                span = block.span
                label = re.match(r"\s*\w+\s*:", text.line(span.first))
                if label:
                    edit = Edit(span.first, span.last, (f"{label[0]} none", ""))
                    yield Defect((edit,), entry.name)
                break


def placeholder_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A placeholder in the text that is spelt slightly differently from the signature."""
    for _, entry in text.context.entries:
        signature_text = " ".join(signature.text for signature in entry.signatures)
        placeholders = set(PLACEHOLDER.findall(signature_text))
        arguments = read_arguments(entry)
        term_lines = {argument.line for argument in arguments.described} if arguments else set()
        for number in range(entry.signatures[-1].span.last + 1, entry.span.last + 1):
            for match in PLACEHOLDER.finditer(text.line(number)):
                if match[0] in placeholders and number not in term_lines:
                    name = match[0][1:-1]
                    wrong = random.choice((with_typo(name, random), f"{name}s", name[:4]))
                    edit = text.replace(number, match[0], f"<{wrong}>", match.start() + 1)
                    if edit and wrong != name:
                        yield Defect((edit,), entry.name)
