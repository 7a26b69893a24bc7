"""The name of an entry is misspelt in its heading: elsewhere the manual has it right.

No row and no mention points to such an entry. The rule reports it if the list of its section has a
similar name without an entry; if the text never has the name of the heading but quotes a similar
one, of several words or with hyphens, underscores or dots, that nothing defines; if the name is
similar to that of the entry's other form, with or without `no`; and if its first word, which the
text has nowhere else, is similar to that of five or more entries. Other rules then report nothing
about the name.

Bad:
    agent-sned <string>
      Sets what is sent; see "agent-send".

Good:
    agent-send <string>
      Sets what is sent; see "agent-send".
"""

from __future__ import annotations

from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report_words


def _find(context: Context) -> Iterator[Finding]:
    for name, heading in context.misspelt_headings.items():
        message = f"'{name}' may be misspelt: {heading.hint}"
        yield report_words(context, heading.signature.span.first, name, message)


RULE = Rule("entry-name", "warning", __doc__, _find, needs_entry_rules=True)
