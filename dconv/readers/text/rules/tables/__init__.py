"""Tables: one drawing style in one file.

A style returns None unless it is certain of every column and every row: the
text then stays as it is, which is never wrong.
"""

from __future__ import annotations

from dconv.readers.text.region import Rule
from dconv.readers.text.rules.tables import bare_head, grid, pipes, ruled

TABLES: tuple[Rule, ...] = (grid.rule, pipes.rule, ruled.rule, bare_head.rule)
