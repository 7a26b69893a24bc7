"""Names in prose that nothing in the release defines or explains."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.lint.context import Context, TextBlock
from dconv.model.tree import Reference
from dconv.model.values import dataclass

# quoted on purpose: 'older versions used to call this "', "formerly", "was renamed"
OLD_NAME = re.compile(
    r"\b(?:old(?:er)?|used to|formerly|deprecated|obsolete|removed|renamed|"
    r"replaced|historic(?:al(?:ly)?)?|legacy|no longer|misspelled|typo|instead of|called)\b",
    re.IGNORECASE,
)
# after a name of another text: '" in the section 5.1 of the configuration manual'
OTHER_DOCUMENT = re.compile(
    r"\"?[^.\"]{0,40}\b(?:(?:of|in|from) (?:the )?[\w-]+ (?:manual|guide|documentation|document)|"
    r"section \d[\d.]* of)\b",
    re.IGNORECASE,
)
# a placeholder: 'XXX'
PLACEHOLDER = re.compile(r"XX|\*|\bN\b|<")
# a name that an item defines: '- "status_code" is the'
DEFINED = re.compile(r"\" (?:is|are|means?|tells|:|-)")
# the value that a row of a table explains: '"data-timeout"   Timeout while reading'
EXPLAINED = re.compile(r"\"[^\"]+\" {2,}\S")
CONTEXT_LENGTH = 48  # characters before and after a name that are examined


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A `reference` of `text_block` to what nothing defines, and the text before and after it."""

    text_block: TextBlock
    reference: Reference
    before: str
    after: str


def unresolved_names(context: Context) -> Iterator[Unresolved]:
    """The quoted and listed names of the manual that nothing defines; none without entries.

    Where no section is known to hold entries, any name may be that of one.
    """
    if not context.entries:
        return
    names, titles_and_prefixes = context.name_index.names, context.name_index.titles_and_prefixes
    unhyphened = {name.replace("-", " ") for name in names if "-" in name}  # links find these too
    defined: set[str] = set()
    unresolved: list[Unresolved] = []
    for text_block in context.text_blocks:
        for index, reference in text_block.references():
            is_misspelt = " " in reference.name and reference.name.replace("-", " ") in unhyphened
            if reference.name in names or PLACEHOLDER.search(reference.name):
                continue
            if reference.targets and not is_misspelt:
                continue
            if reference.kind not in ("name", "listed"):
                continue
            before = text_block.before(index)[-CONTEXT_LENGTH:]
            after = text_block.after(index)[:CONTEXT_LENGTH]
            is_explained = EXPLAINED.match(context.line(reference.line).text) is not None
            if is_explained or (before == '"' and DEFINED.match(after)):
                defined.add(reference.name)
            elif titles_and_prefixes.isdisjoint((reference.name, reference.name.casefold())):
                unresolved.append(Unresolved(text_block, reference, before, after))
    for unresolved_name in unresolved:
        name, after = unresolved_name.reference.name, unresolved_name.after
        if context.corrects_heading(name):
            continue  # entry-name reports the heading
        is_old = OLD_NAME.search(unresolved_name.before) or OLD_NAME.match(after.strip('"), '))
        if name not in defined and not is_old and not OTHER_DOCUMENT.match(after):
            yield unresolved_name
