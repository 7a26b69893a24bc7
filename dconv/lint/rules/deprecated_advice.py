"""An entry is deprecated, and its text does not say what to use instead.

A name of another entry, 'See also', words such as 'instead' and 'replaced by', or that it no
longer has an effect, count as advice.

Bad:
    backlog <number> (deprecated)
      Sets the length of a queue.

Good:
    backlog <number> (deprecated)
      Sets the length of a queue; maxqueue replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report
from dconv.model import references
from dconv.model.tree import Entry, Reference

# "use x instead", "is an alias of", "is ignored", "has no effect", "very little benefit"
ADVICE = re.compile(
    r"\b(?:instead|replac\w+|favou?r|equivalent|alias|synonym|same as|prefer\w*|rename\w*|"
    r"supersed\w+|alternative|(?:please|should|must|to|can|may) use|use the|see|move\w* to|"
    r"ignored|no (?:more )?(?:\w+ )?effect|no longer|does nothing|useless|not be used|avoid\w*|"
    r"discouraged|(?:little|no) benefit|was removed|not supported|no replacement)\b",
    re.IGNORECASE,
)


def _find(context: Context) -> Iterator[Finding]:
    for _, entry in context.entries:
        if not entry.deprecated or _has_advice(context, entry):
            continue
        signature = entry.signatures[0]
        yield report(signature, f"'{signature.name}' is deprecated; say what replaces it")


def _has_advice(context: Context, entry: Entry) -> bool:
    anchors = {signature.anchor for signature in entry.signatures} | {entry.anchor}
    for node in references.inlines(entry.body):
        if not isinstance(node, Reference) or node.kind not in ("name", "listed", "section"):
            continue
        if any(target.anchor not in anchors for target in node.targets):
            return True
    lines = context.body_lines(entry)
    return ADVICE.search(" ".join([line.text for line in lines])) is not None


RULE = Rule("deprecated-advice", "warning", __doc__, _find, style=True)
