"""The name of an entry is misspelt in its heading: elsewhere the manual has it right.

Nothing leads to such an entry, neither the matrix nor a mention. It is told where a row of
the table that lists its section has nearly the same name and no entry; where quotes hold
nearly the same name, with hyphens, underscores, dots or several words, that nothing defines,
and the text has the name of the heading nowhere else; where it is nearly that of the
same entry's form with or without `no`, which the text has elsewhere; and where its first word,
which the text has nowhere else, is nearly that of many entries. What other rules would tell of
such a name, as that the table of all names lacks it, is not told.

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
from dconv.lint.rule import Finding, Rule


def _find(context: Context) -> Iterator[Finding]:
    """A finding at each heading whose name is nearly another that has no entry."""
    for name, heading in context.misspelt.items():
        message = f"'{name}' may be misspelt: {heading.hint}"
        column = context.column(heading.form.span.first, name)
        yield Finding(heading.form.span.first, column, message, len(name))


RULE = Rule("entry-name", "warning", __doc__, _find)
