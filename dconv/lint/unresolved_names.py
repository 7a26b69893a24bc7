"""Names in prose that nothing in the release defines or explains."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dconv.lint.context import Context, Passage
from dconv.model.tree import Reference

# quoted on purpose: 'older versions used to call this "', "formerly", "was renamed"
OLD = re.compile(
    r"\b(?:old(?:er)?|used to|formerly|deprecated|obsolete|removed|renamed|"
    r"replaced|historic(?:al(?:ly)?)?|legacy|no longer|misspelled|typo|instead of|called)\b",
    re.IGNORECASE,
)
# after a name of another text: '" in the section 5.1 of the configuration manual'
ELSEWHERE = re.compile(
    r"\"?[^.\"]{0,40}\b(?:(?:of|in|from) (?:the )?[\w-]+ (?:manual|guide|documentation|document)|"
    r"section \d[\d.]* of)\b",
    re.IGNORECASE,
)
# 'XXX' stands for anything
ANY = re.compile(r"XX|\*|\bN\b|<")
# a name that an item defines: '- "status_code" is the'
DEFINED = re.compile(r"\" (?:is|are|means?|tells|:|-)")
CONTEXT_LENGTH = 48  # characters before and after a name that are looked at


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A name that nothing defines: `part` of `passage`, and the text before and after it."""

    passage: Passage
    part: Reference
    before: str
    after: str


def unresolved_names(context: Context) -> Iterator[Unresolved]:
    """The quoted and listed names of the manual that nothing defines; none without entries.

    Where no section is known to hold entries, any name may be that of one.
    """
    if not context.entries:
        return
    names, families = context.name_index.names, context.name_index.families
    defined: set[str] = set()
    unresolved: list[Unresolved] = []
    for passage in context.passages:
        for at, part in passage.references():
            if part.targets or part.name in names or ANY.search(part.name):
                continue
            if part.kind not in ("name", "listed"):
                continue
            before, after = passage.before(at)[-CONTEXT_LENGTH:], passage.after(at)[:CONTEXT_LENGTH]
            if before == '"' and DEFINED.match(after):
                defined.add(part.name)
            elif not (part.name in families or part.name.casefold() in families):
                unresolved.append(Unresolved(passage, part, before, after))
    for name in unresolved:
        if context.corrects_heading(name.part.name):
            continue  # entry-name reports the heading
        is_old = OLD.search(name.before) or OLD.match(name.after.strip('"), '))
        if name.part.name not in defined and not is_old and not ELSEWHERE.match(name.after):
            yield name
