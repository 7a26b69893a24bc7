"""Names, references and words of prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from dconv.lint.context import TextBlock
from dconv.lint.rules.deprecated_recommended import RECOMMENDS
from dconv.model.tree import Paragraph, Preformatted, Reference, SeeAlso, plain_text, walk
from defects.defect import Defect, IntactText, changed_line, with_typo

COMPOUND_NAME = re.compile(r"[a-z][\w]*(?:[-_. ][\w]+)+$")
WORD = re.compile(r"(?<=\s)[a-z]{2,}(?=\s[a-z])")
COUNT = re.compile(r"\b(?:two|three|four|five)\b(?= [\w-]+(?: [\w-]+)?s\b[^.]{0,40}:$)")
QUOTED = re.compile(r"(?<=\s)\"[a-z][\w .-]{2,30}\"(?=[\s.,;])")
NEXT = {"two": "three", "three": "four", "four": "five", "five": "six"}
CODE_NAME = "var"


def _mentions(text: IntactText, see_also: bool) -> Iterator[tuple[TextBlock, Reference]]:
    """The names of one line that point to entries."""
    for text_block in text.context.text_blocks:
        if isinstance(text_block.node, SeeAlso) == see_also:
            for part in text_block.content:
                if (
                    isinstance(part, Reference) and part.targets and part.kind == "name"
                    and text.line(part.line).find(part.text, part.column - 1) == part.column - 1
                ):
                    yield text_block, part


def _renamed(text: IntactText, part: Reference, name: str) -> Iterator[Defect]:
    if name == part.text or name in text.context.symbols.names:
        return
    yield from text.replaced(part.line, part.text, name, part.column, name=name)


def mention_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A quoted name of several parts with a typo."""
    for _, part in _mentions(text, see_also=False):
        if COMPOUND_NAME.match(part.text):
            yield from _renamed(text, part, with_typo(part.text, random))


def mention_short_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A quoted name of one word with a typo."""
    for _, part in _mentions(text, see_also=False):
        if part.text.isalpha() and len(part.text) > 4:
            yield from _renamed(text, part, with_typo(part.text, random))


def mention_permuted(text: IntactText, random: Random) -> Iterator[Defect]:
    """A quoted name whose words are in another order."""
    for _, part in _mentions(text, see_also=False):
        words = re.split(r"([-_. ])", part.text)
        if COMPOUND_NAME.match(part.text) and len(words) > 2:
            index = random.randrange(0, len(words) - 2, 2)
            words[index], words[index + 2] = words[index + 2], words[index]
            yield from _renamed(text, part, "".join(words))


def mention_marks(text: IntactText, random: Random) -> Iterator[Defect]:
    """A quoted name with another separator between two of its words."""
    for _, part in _mentions(text, see_also=False):
        separators = [index for index, character in enumerate(part.text) if character in "-_. "]
        if COMPOUND_NAME.match(part.text) and separators:
            index = random.choice(separators)
            new = random.choice([character for character in "-_ " if character != part.text[index]])
            yield from _renamed(text, part, f"{part.text[:index]}{new}{part.text[index + 1 :]}")


def mention_shortened(text: IntactText, random: Random) -> Iterator[Defect]:
    """A quoted name without one of its words."""
    for _, part in _mentions(text, see_also=False):
        words = re.split(r"([-_. ])", part.text)
        if len(words) > 4:
            index = random.randrange(0, len(words), 2)
            del words[index : index + 2]
            yield from _renamed(text, part, "".join(words).strip("-_. "))


def mention_old(text: IntactText, random: Random) -> Iterator[Defect]:
    """A quoted name that another release has."""
    names = [name for name in text.names_elsewhere if COMPOUND_NAME.match(name)]
    for see_also in (True, False):
        for _, part in _mentions(text, see_also) if names else ():
            if COMPOUND_NAME.match(part.text):
                yield from _renamed(text, part, random.choice(names))


def see_also_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A name of a "See also" with a typo, other words, or another word order."""
    for _, part in _mentions(text, see_also=True):
        if len(part.text) > 4:
            words = re.split(r"([-_. ])", part.text)
            changed = [with_typo(part.text, random)]
            if len(words) > 2:
                changed += ["".join([*words[2:], words[1], words[0]]), "".join(words[:-2])]
            yield from _renamed(text, part, random.choice(changed))


def see_also_itself(text: IntactText, random: Random) -> Iterator[Defect]:
    """A "See also" that names its own entry."""
    for text_block, part in _mentions(text, see_also=True):
        if text_block.entry and part.text != text_block.entry.name:
            yield from text.replaced(
                part.line, part.text, text_block.entry.name, part.column, name=text_block.entry.name
            )


def heading_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A heading whose name has a typo; a table or a mention has the right name."""
    listed = {row.name for listing in text.context.listings for row in listing.names}
    known = {part.name for see in (True, False) for _, part in _mentions(text, see)}
    for _, entry in text.context.entries:
        name = entry.name
        if name in listed | known and len(entry.signatures) == 1 and len(name) > 3:
            wrong = with_typo(name, random)
            edit = text.replace(entry.span.first, name, wrong)
            if edit and wrong not in text.context.symbols.names and wrong[0].isalpha():
                yield Defect((edit,), wrong)


def row_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A name of a matrix, summary or index with a typo."""
    for listing in text.context.listings:
        entry_names = {
            entry.name for section, entry in text.context.entries
            if section is listing.listed_section
        }
        for row in listing.names:
            wrong = with_typo(row.name, random)
            if row.name in entry_names and wrong not in text.context.symbols.names:
                edit = text.replace(row.line, row.name, wrong, row.column)
                if edit and len(row.name) > 3:
                    yield Defect((edit,), wrong)


def _numbers(text: IntactText) -> Iterator[tuple[TextBlock, int, Reference]]:
    for text_block in text.context.text_blocks:
        for index, part in enumerate(text_block.content):
            if (
                isinstance(part, Reference) and part.kind == "section" and part.targets
                and part.targets[0].document == text.context.manual.name
            ):
                yield text_block, index, part


def number_missing(text: IntactText, random: Random) -> Iterator[Defect]:
    """A reference to a section that does not exist."""
    known = {section.number for section in text.context.sections}
    for _, _, part in _numbers(text):
        chapter = part.name.split(".")[0]
        free = [f"{chapter}.{minor}" for minor in range(1, 40) if f"{chapter}.{minor}" not in known]
        yield from text.replaced(part.line, part.name, free[0], part.column)


def number_other(text: IntactText, random: Random) -> Iterator[Defect]:
    """A reference with a title and the number of another section."""
    titles = {section.number: section.title for section in text.context.sections}
    for text_block, index, part in _numbers(text):
        after = plain_text(text_block.content[index + 1 : index + 6]).casefold()
        title = titles.get(part.name, "").casefold()
        if title and title in after[: len(title) + 6]:
            other = random.choice([number for number in titles if number and number != part.name])
            yield from text.replaced(part.line, part.name, other, part.column)


def number_of_topic(text: IntactText, random: Random) -> Iterator[Defect]:
    """A reference with a topic and the number of another section."""
    numbers = [section.number for section in text.context.sections if section.number]
    for text_block, index, part in _numbers(text):
        if plain_text(text_block.content[index + 1 : index + 3]).startswith(" about "):
            other = random.choice([number for number in numbers if number != part.name])
            yield from text.replaced(part.line, part.name, other, part.column)


def _paragraphs(text: IntactText) -> Iterator[int]:
    """The lines of paragraphs but the last of each."""
    for text_block in text.context.text_blocks:
        if isinstance(text_block.node, Paragraph):
            yield from range(text_block.span.first, text_block.span.last)


def word_doubled(text: IntactText, random: Random) -> Iterator[Defect]:
    """A word that appears twice on a line."""
    for number in _paragraphs(text):
        words = list(WORD.finditer(text.line(number)))
        if words:
            word = random.choice(words)
            line = text.line(number)
            changed = f"{line[: word.end()]} {word[0]}{line[word.end() :]}"
            yield changed_line(number, changed)


def word_doubled_over(text: IntactText, random: Random) -> Iterator[Defect]:
    """A word that ends a line and begins the next."""
    for number in _paragraphs(text):
        last = text.line(number).split()[-1:]
        line = text.line(number + 1)
        start = len(line) - len(line.lstrip())
        if last and last[0].isalpha() and last[0].islower() and line[start : start + 1].islower():
            changed = f"{line[:start]}{last[0]} {line[start:]}"
            yield changed_line(number + 1, changed)


def quote_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """A quoted name without one of its quotes."""
    for number in _paragraphs(text):
        for match in QUOTED.finditer(text.line(number)):
            line = text.line(number)
            index = random.choice((match.start(), match.end() - 1))
            yield changed_line(number, line[:index] + line[index + 1 :])


def sample_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A sample or converter of an example with a typo."""
    yield from _in_examples(text, random, True)


def directive_misspelt(text: IntactText, random: Random) -> Iterator[Defect]:
    """A directive of an example with a typo."""
    yield from _in_examples(text, random, False)


def _in_examples(text: IntactText, random: Random, samples: bool) -> Iterator[Defect]:
    for section in text.context.sections:
        for node in walk(section.body):
            if not isinstance(node, Preformatted) or node.language != "haproxy":
                continue
            above = 0
            for piece in node.styled_code:
                name = piece.text.rstrip()
                if piece.target and (piece.style == CODE_NAME) == samples and len(name) > 3:
                    wrong = with_typo(name, random)
                    edit = text.replace(node.span.first + above, name, wrong)
                    if edit and wrong not in text.context.symbols.names:
                        yield Defect((edit,), wrong)
                above += piece.text.count("\n")


def deprecated_recommended(text: IntactText, random: Random) -> Iterator[Defect]:
    """A recommendation of a name that is deprecated."""
    old = [
        signature.name for _, entry in text.context.entries for signature in entry.signatures
        if signature.deprecated
    ]
    for text_block, part in _mentions(text, see_also=False):
        index = next(index for index, other in enumerate(text_block.content) if other is part)
        if old and RECOMMENDS.search(plain_text(text_block.content[max(0, index - 9) : index])):
            yield from text.replaced(part.line, part.text, random.choice(old), part.column)


def count_wrong(text: IntactText, random: Random) -> Iterator[Defect]:
    """A count in words that is not the number of items of the list below."""
    for text_block in text.context.text_blocks:
        line = text.line(text_block.span.last).rstrip()
        match = COUNT.search(line)
        if isinstance(text_block.node, Paragraph) and match:
            changed = f"{line[: match.start()]}{NEXT[match[0]]}{line[match.end() :]}"
            yield changed_line(text_block.span.last, changed)
