"""The underline of a title is shorter or longer than it, or uses another character.

Often only the title was changed. Documents in which most underlines differ by the same length are
allowed. Where all underlines of a level but one have the same character, the other is reported.

Bad:
    1. Terms and names
    --------
    2. Settings
    ===========
    3. Limits
    ---------
    4. Files
    --------

Good:
    1. Terms and names
    ------------------
    2. Settings
    -----------
    3. Limits
    ---------
    4. Files
    --------
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.edits import words_edit
from dconv.lint.rule import Finding, Rule, report
from dconv.model.diagnostics import Fix

MIN_TITLES = 3  # of one level with a character, which show that it is usual


def _find(context: Context) -> Iterator[Finding]:
    underlined = [
        (section, context.line(section.title_span.first), context.line(section.title_span.last))
        for section in context.sections if section.title_span.first < section.title_span.last
    ]
    differences = Counter(
        len(underline.text) - len(title.text) for _, title, underline in underlined
    )
    usual, count = differences.most_common(1)[0] if differences else (0, 0)
    usual = usual if count * 2 > len(underlined) else 0
    characters: dict[int, Counter[str]] = {}
    for section, _, underline in underlined:
        characters.setdefault(section.level, Counter())[underline.text[0]] += 1
    for section, title, underline in underlined:
        difference = len(underline.text) - len(title.text)
        counts = characters[section.level]
        usual_character, count = counts.most_common(1)[0]
        is_exception = count >= MIN_TITLES and count == counts.total() - 1
        character = usual_character if is_exception else underline.text[0]
        length = len(title.text) + (difference if difference in (0, usual) else usual)
        edit = words_edit(
            context.manual.source, underline, 0, len(underline.text), character * length
        )
        fix = Fix("underline the title like the others", (edit,)) if edit else None
        if difference not in (0, usual):
            yield report(underline, "this underline is not as long as its title", fix=fix)
        if underline.text[0] != character:
            message = f"this underline uses '{underline.text[0]}', the others '{character}'"
            yield report(underline, message, fix=fix)


RULE = Rule("title-underline", "note", __doc__, _find)
