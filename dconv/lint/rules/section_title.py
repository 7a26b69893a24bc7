"""A reference gives a section's number with the title of another section.

After sections are renumbered such a reference points to the wrong place. The title follows the
number, in quotes, in parentheses or bare. The rule reports the reference if another section has
exactly that title, if no section has the number but one has the title, and if a title in quotes or
parentheses is similar to that of the section; and a number in parentheses behind the title of
another section. It reports a topic ('section N about programs') if the title of another section has
a word of it and that of the section does not.

Bad:
    relay { on | off }
      Where section 2.1 is "Time format", see section 2.2 "Time format"

Good:
    relay { on | off }
      Where section 2.1 is "Time format", see section 2.1 "Time format"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report
from dconv.lint.spelling import edit_distance
from dconv.model.tree import Reference, Section, sections

# ' "Conditional blocks"', '" (ACLs)', ". Bind options)", ", 'Cache'", '. Programs"'
TITLE_AFTER = re.compile(
    r"\.?\"?[\s,:]{1,3}(?:\(\"?|\"|')(?P<quoted>[A-Z0-9][^\"')]{2,70})[\"')]"
    r"|\.? (?P<inside>[A-Z][^\"'.,;]{2,70})\"(?!\w)"
    r"|\.? (?!(?:An?|If|In|It|The|This|These) )(?P<bare>[A-Z][\w-]*(?: [\w/&-]+){1,9})"
)
# " about userlists", " which covers maps": a topic
TOPIC = re.compile(
    r" (?:about|on|regarding|(?:which |that )?covers?(?:ing)?|which describes|describing) (?:the )?"
    r"\"?(?P<topic>[A-Za-z][\w-]{3,}(?: [A-Za-z][\w-]{3,})?)"
)
# "part of the error log format (see section ": a title before the number
TITLE_BEFORE = re.compile(r"(?P<words>[^().,;:]{8,})\"?,? \((?:see |in )?(?:the )?section ?$")
WORD = re.compile(r"[a-z0-9]+")
ENDING = re.compile(r"(?:ies|es|s|ing)$")
MAX_TYPOS = 2
MIN_WORD_LENGTH = 4  # letters of a word that distinguishes titles
MIN_TITLE_LENGTH = 8  # to a shorter title no other is similar


def _find(context: Context) -> Iterator[Finding]:
    titles_by_document = {
        manual.name: {
            section.number: section.title for section in sections(manual) if section.number
        }
        for manual in context.release_manuals
    }
    sections_by_target = {
        (manual.name, section.anchor): section
        for manual in context.release_manuals for section in sections(manual)
    }
    for text_block in context.text_blocks:
        for index, reference in text_block.references():
            if reference.kind != "section" or not reference.targets:
                continue
            text_after = text_block.after(index)
            titles = titles_by_document.get(reference.targets[0].document, {})
            message = ""
            if reference.name not in titles:
                message = _unknown_number(reference, sections_by_target)
            elif match := TITLE_AFTER.match(text_after):
                quoted = match["quoted"] or match["inside"]
                message = _wrong_title(reference.name, quoted, match["bare"], titles)
            elif match := TOPIC.match(text_after):
                message = _wrong_topic(reference.name, match["topic"], titles)
            elif match := TITLE_BEFORE.search(text_block.before(index)):
                message = _other_title_before(reference.name, match["words"], titles)
            if message:
                yield report(reference, message)


def _unknown_number(
    reference: Reference, sections_by_target: Mapping[tuple[str, str], Section]
) -> str:
    """The message about a number that no section has, if the text names the title of one."""
    target = reference.targets[0]
    section = sections_by_target.get((target.document, target.anchor))
    if section is None or not section.number or not reference.name[:1].isdigit():
        return ""
    return f"there is no section {reference.name}; '{section.title}' is section {section.number}"


def _wrong_title(
    number: str, quoted: str | None, unquoted: str | None, titles: Mapping[str, str]
) -> str:
    """The message about a wrong title of the section `number` of `titles`, or empty."""
    title = titles[number].casefold()
    stated = (quoted or unquoted or "").casefold().strip()
    stated = stated.removeprefix(number).lstrip(". ")
    if not stated or stated.startswith(title) or title.startswith(stated):
        return ""
    for other, other_heading in titles.items():
        other_title = other_heading.casefold()
        if other_title == title or other.startswith(f"{number}."):
            continue
        if stated == other_title or (
            unquoted and " " in other_title and f"{stated} ".startswith(f"{other_title} ")
        ):
            return f"section {number} is '{titles[number]}'; '{other_heading}' is section {other}"
    title_words = [word for word in WORD.findall(title) if len(word) >= MIN_WORD_LENGTH]
    common_count = sum(word in WORD.findall(stated) for word in title_words)
    if quoted and len(title) >= MIN_TITLE_LENGTH and (
        edit_distance(stated, title, MAX_TYPOS) <= MAX_TYPOS
        or (common_count and common_count * 2 >= len(title_words))
    ):
        return f"the title of section {number} is '{titles[number]}', not '{quoted}'"
    return ""


def _other_title_before(number: str, words: str, titles: Mapping[str, str]) -> str:
    """The message about the title of another section at the end of `words`, or empty."""
    words = " " + words.strip(' "').casefold()
    longest = max(
        (other for other, title in titles.items() if words.endswith(f" {title.casefold()}")),
        key=lambda other: len(titles[other]), default=number,
    )
    title = titles[number].casefold()
    if " " not in titles[longest] or title == titles[longest].casefold() or title in words:
        return ""
    return f"section {number} is '{titles[number]}'; '{titles[longest]}' is section {longest}"


def _wrong_topic(number: str, topic: str, titles: Mapping[str, str]) -> str:
    """The message about a `topic` that the title of another section has, or empty.

    Sections that contain `number`, or that it contains, are no other sections.
    """
    topic_stems = _stems(topic.split()[0])
    numbers: list[str] = []
    for other, title in titles.items():
        if not topic_stems.isdisjoint(_stems(title)):
            if f"{number}.".startswith(f"{other}.") or other.startswith(f"{number}."):
                return ""
            numbers.append(other)
    if not numbers:
        return ""
    title = titles[numbers[0]]
    return f"section {number} is '{titles[number]}'; did you mean section {numbers[0]} '{title}'?"


def _stems(words: str) -> frozenset[str]:
    """The words of a title or topic without their endings."""
    return frozenset(ENDING.sub("", word) for word in WORD.findall(words.casefold()))


RULE = Rule("section-title", "warning", __doc__, _find)
