"""An entry is documented twice: the same name with the same arguments.

Often the text was moved and one copy left behind; the two then drift apart. Forms of a name with
other arguments and a text of their own count as different entries. In another section a name may
be documented again, unless both sections are long lists of such entries.

Bad:
    log <address>
      Sends what happens to the address.
    mode <name>
      Sets what is spoken.
    log <address>
      Sends logs.

Good:
    log <address>
      Sends what happens to the address.
    mode <name>
      Sets what is spoken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.listings import section_label
from dconv.lint.rule import Finding, Rule, report
from dconv.model.tree import Entry, Section, Signature

PLACEHOLDER = re.compile(r"<[^<>]*>")
FLAGS = re.compile(r"[(\[] ?(?:deprecated|experimental) ?[)\]]", re.IGNORECASE)
MIN_LIST_LENGTH = 10  # entries of a section that lists all of a kind


def _find(context: Context) -> Iterator[Finding]:
    sizes = Counter(section.anchor for section, _ in context.entries)
    seen: dict[tuple[str, str], tuple[Section, Entry, Signature]] = {}
    for section, entry in context.entries:
        for signature in entry.signatures:
            # flags, blanks and what placeholders are called do not count
            text = PLACEHOLDER.sub("<>", FLAGS.sub("", signature.text))
            key = (entry.kind, "".join(text.split()))
            first_section, first_entry, first_signature = seen.setdefault(
                key, (section, entry, signature)
            )
            if first_signature is signature or (
                first_entry is entry and first_signature.text != signature.text
            ):
                continue
            size = min(sizes[first_section.anchor], sizes[section.anchor])
            if first_section is not section and size < MIN_LIST_LENGTH:
                continue
            message = f"'{signature.name}' is already documented in {section_label(first_section)}"
            yield report(signature, message)


RULE = Rule("repeated-entry", "warning", __doc__, _find, needs_entry_rules=True)
