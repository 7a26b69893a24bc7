"""Names in prose that lead nowhere, and that nothing in the release explains."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dconv.lint.passages import Passage
from dconv.lint.subject import Subject
from dconv.model.tree import Reference, plain

# quoted on purpose: 'older versions used to call this "', "formerly", "was renamed"
OLD = re.compile(
    r"\b(?:old(?:er)?|used to|formerly|deprecated|obsolete|removed|renamed|"
    r"replaced|historic(?:al(?:ly)?)?|legacy|no longer|misspelled|typo|instead of|called)\b",
    re.IGNORECASE,
)
# behind a name of another text: '" in the section 5.1 of the configuration manual'
ELSEWHERE = re.compile(
    r"\"?[^.\"]{0,40}\b(?:(?:of|in|from) (?:the )?[\w-]+ (?:manual|guide|documentation|document)|"
    r"section \d[\d.]* of)\b",
    re.IGNORECASE,
)
# 'XXX' stands for anything
ANY = re.compile(r"XX|\*|\bN\b|<")
# a name that an item defines: '- "status_code" is the'
DEFINED = re.compile(r"\" (?:is|are|means?|tells|:|-)")
NEAR = 48  # characters in front of a name and behind it that tell how it is meant


@dataclass(frozen=True, slots=True)
class Strange:
    """A name without a meaning: `part` of `passage`, with what stands in front and behind."""

    passage: Passage
    part: Reference
    before: str
    after: str


def strange(subject: Subject) -> Iterator[Strange]:
    """The quoted and listed names of the manual that nothing defines; none without entries.

    Where no section is known to hold entries, any name may be that of one.
    """
    if not subject.entries:
        return
    names, families = subject.known.names, subject.known.families
    defined: set[str] = set()
    found: list[Strange] = []
    for passage in subject.passages:
        for at, part in enumerate(passage.content):
            if not isinstance(part, Reference) or part.targets or part.name in names:
                continue
            if part.kind not in ("name", "listed") or ANY.search(part.name):
                continue
            before = plain(passage.content[max(0, at - 9) : at])[-NEAR:]
            after = plain(passage.content[at + 1 : at + 6])[:NEAR]
            if before == '"' and DEFINED.match(after):
                defined.add(part.name)
            elif not (part.name in families or part.name.casefold() in families):
                found.append(Strange(passage, part, before, after))
    for one in found:
        if subject.follows(one.part.name):
            continue  # its entry's heading is told
        quoted = OLD.search(one.before) or OLD.match(one.after.strip('"), '))
        if one.part.name not in defined and not quoted and not ELSEWHERE.match(one.after):
            yield one
