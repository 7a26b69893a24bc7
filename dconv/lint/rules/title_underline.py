"""The underline of a title is shorter or longer than it, or uses another character.

Often the title was changed. Documents in which most underlines differ by the same length are
allowed; each level of titles has the character that most of its underlines use.

Bad:
    1. Terms and names
    --------
    2. Settings
    ===========
    3. Limits
    ---------

Good:
    1. Terms and names
    ------------------
    2. Settings
    -----------
    3. Limits
    ---------
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report
from dconv.model.source import Line
from dconv.model.tree import Section

MIN_TITLES = 3  # titles of one rank that show which character is usual


def _find(context: Context) -> Iterator[Finding]:
    drawn = [
        (section, *_lines(context, section)) for section in context.sections
        if section.title_span.first < section.title_span.last
    ]
    usual = _usual([len(rule.text) - len(title.text) for _, title, rule in drawn])
    characters: dict[int, Counter[str]] = {}
    for section, _, rule in drawn:
        characters.setdefault(section.level, Counter())[rule.text[0]] += 1
    for section, title, rule in drawn:
        longer = len(rule.text) - len(title.text)
        if longer not in (0, usual):
            what = "longer" if longer > 0 else "shorter"
            characters_of = f"{abs(longer)} character{'s' if abs(longer) > 1 else ''}"
            yield report(rule, f"this underline is {characters_of} {what} than its title")
        rank = characters[section.level]
        mark, count = rank.most_common(1)[0]
        if rule.text[0] != mark and count >= MIN_TITLES and count == rank.total() - 1:
            message = f"this underline uses '{rule.text[0]}', the others '{mark}'"
            yield report(rule, message)


def _lines(context: Context, section: Section) -> tuple[Line, Line]:
    """The title of `section` and the line below it."""
    span = section.title_span
    return context.line(span.first), context.line(span.last)


def _usual(differences: list[int]) -> int:
    """By how much most lines are longer than their titles; 0 where no number is usual."""
    difference, count = Counter(differences).most_common(1)[0] if differences else (0, 0)
    return difference if count * 2 > len(differences) else 0


RULE = Rule("title-underline", "note", __doc__, _find, style=True)
