"""Signatures and what is said of their arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from dconv.lint.arguments import read_arguments
from dconv.model.tree import Entry, Signature
from defects.defect import Defect, Edit, Text, slip

TYPED = re.compile(r"\s+:\s+[a-z]+$")
HOLDER = re.compile(r"<[a-z][\w-]{2,}>")


def _forms(text: Text) -> Iterator[tuple[Entry, Signature, str]]:
    """Signatures of one line, with that line."""
    for _, entry in text.context.entries:
        for signature in entry.signatures:
            if signature.span.first == signature.span.last:
                yield entry, signature, text.line(signature.span.first).rstrip()


def _changed(signature: Signature, line: str) -> Defect:
    return Defect((Edit(signature.span.first, signature.span.first, (line,)),), signature.name)


def bracket_dropped(text: Text, random: Random) -> Iterator[Defect]:
    """A signature that one bracket is missing of."""
    for _, signature, line in _forms(text):
        places = [index for index, sign in enumerate(line) if sign in "[](){}<>"]
        if places:
            index = random.choice(places)
            yield _changed(signature, line[:index] + line[index + 1 :])


def bracket_other(text: Text, random: Random) -> Iterator[Defect]:
    """A signature with a bracket of another kind."""
    for _, signature, line in _forms(text):
        places = [index for index, sign in enumerate(line) if sign in "])}>"]
        if places:
            index = random.choice(places)
            sign = random.choice([sign for sign in "])}>" if sign != line[index]])
            yield _changed(signature, f"{line[:index]}{sign}{line[index + 1 :]}")


def comma_moved(text: Text, random: Random) -> Iterator[Defect]:
    """A comma in front of an optional argument, or one that is missing or too many."""
    for _, signature, line in _forms(text):
        if "[," in line:
            yield _changed(signature, line.replace("[,", random.choice((",[", "[", ",[,")), 1))
        elif re.search(r"\w\(<[^()]*,<", line):
            yield _changed(signature, line.replace(",<", random.choice(("<", ",,<")), 1))


def type_dropped(text: Text, random: Random) -> Iterator[Defect]:
    """A sample without its type."""
    for _, signature, line in _forms(text):
        if TYPED.search(line):
            yield _changed(signature, TYPED.sub(random.choice(("", " :")), line))


def type_misspelt(text: Text, random: Random) -> Iterator[Defect]:
    """A sample whose type has a typo."""
    for _, signature, line in _forms(text):
        match = TYPED.search(line)
        if match:
            before, _, word = line.rpartition(" ")
            yield _changed(signature, f"{before} {slip(word, random)}")


def colon_blanks(text: Text, random: Random) -> Iterator[Defect]:
    """A sample whose colon has other blanks around it, or is another sign."""
    for _, signature, line in _forms(text):
        if TYPED.search(line):
            changed = line.replace(" : ", random.choice((": ", " :", "  : ", " ")), 1)
            yield _changed(signature, changed)


def blanks_doubled(text: Text, random: Random) -> Iterator[Defect]:
    """Two blanks within a signature."""
    for entry, signature, line in _forms(text):
        places = [match.start() for match in re.finditer(r"(?<=\S) (?=\S)", line)]
        if places and len(entry.signatures) == 1:
            index = random.choice(places)
            yield _changed(signature, f"{line[:index]} {line[index:]}")


def blank_dropped(text: Text, random: Random) -> Iterator[Defect]:
    """No blank between a word of a signature and the argument after it."""
    for _, signature, line in _forms(text):
        places = [match.start() for match in re.finditer(r"(?<=\w) (?=[<{])", line)]
        if places:
            index = random.choice(places)
            yield _changed(signature, line[:index] + line[index + 1 :])


def described_renamed(text: Text, random: Random) -> Iterator[Defect]:
    """An argument that its description calls something else."""
    for _, entry in text.context.entries:
        found = read_arguments(entry)
        for argument in found.described if found else ():
            if not argument.is_placeholder or len(argument.name) <= 3:
                continue
            if found and argument.name in found.placeholders:
                new = random.choice((slip(argument.name, random), "item"))
                edit = text.exchange(argument.line, f"<{argument.name}", f"<{new}")
                if edit:
                    yield Defect((edit,), entry.name)


def signature_renamed(text: Text, random: Random) -> Iterator[Defect]:
    """An argument that the signature calls something else than its description."""
    for _, entry in text.context.entries:
        found = read_arguments(entry)
        if not found or len(entry.signatures) > 1:
            continue
        held = {argument.name for argument in found.described if argument.is_placeholder}
        for name in found.placeholders:
            if name in held:
                new = random.choice((slip(name, random), "item"))
                edit = text.exchange(entry.span.first, f"<{name}", f"<{new}")
                if edit:
                    yield Defect((edit,), entry.name)


def argument_dropped(text: Text, random: Random) -> Iterator[Defect]:
    """An argument that is described, and that the signature lacks."""
    for _, entry in text.context.entries:
        found = read_arguments(entry)
        if not found or len(entry.signatures) > 1:
            continue
        held = {argument.name for argument in found.described if argument.is_placeholder}
        for name in found.placeholders:
            if name in held:
                for old in (f" [ <{name}> ]", f" [<{name}>]", f"[,<{name}>]", f" <{name}>"):
                    edit = text.exchange(entry.span.first, old, "")
                    if edit:
                        yield Defect((edit,), entry.name)
                        break


def description_dropped(text: Text, random: Random) -> Iterator[Defect]:
    """An argument of the signature that nothing describes."""
    for _, entry in text.context.entries:
        found = read_arguments(entry)
        described = found.described if found else ()
        held = found.placeholders if found else ()
        for argument, below in pairwise(described):
            if argument.is_placeholder and below.line > argument.line and argument.name in held:
                yield Defect((text.cut(argument.line, below.line - 1),), entry.name)


def none_claimed(text: Text, random: Random) -> Iterator[Defect]:
    """A list of arguments that says that there are none."""
    for _, entry in text.context.entries:
        found = read_arguments(entry)
        if not found or not found.described or not found.placeholders:
            continue
        for block in entry.body:
            if getattr(block, "kind", "") == "arguments":
                span = block.span
                label = re.match(r"\s*\w+\s*:", text.line(span.first))
                if label:
                    edit = Edit(span.first, span.last, (f"{label[0]} none", ""))
                    yield Defect((edit,), entry.name)
                break


def placeholder_misspelt(text: Text, random: Random) -> Iterator[Defect]:
    """A placeholder of the text that is not quite that of the signature."""
    for _, entry in text.context.entries:
        held = set(HOLDER.findall(" ".join(signature.text for signature in entry.signatures)))
        found = read_arguments(entry)
        terms = {argument.line for argument in found.described} if found else set()
        for number in range(entry.signatures[-1].span.last + 1, entry.span.last + 1):
            for match in HOLDER.finditer(text.line(number)):
                if match[0] in held and number not in terms:
                    name = match[0][1:-1]
                    wrong = random.choice((slip(name, random), f"{name}s", name[:4]))
                    edit = text.exchange(number, match[0], f"<{wrong}>", match.start() + 1)
                    if edit and wrong != name:
                        yield Defect((edit,), entry.name)
