"""All rules, in the order of the manual.  A new rule is a new module, and its `RULE` here."""

from __future__ import annotations

from dconv.check import (
    argument_undescribed,
    argument_unknown,
    doubled_word,
    entry_name,
    entry_order,
    listed_name,
    near_name,
    repeated_entry,
    row_mark,
    row_order,
    section_title,
    see_also_item,
    signature,
    summary_titles,
    table_layout,
    title_number,
    title_underline,
    unbalanced_quotes,
    unlisted_entry,
    usage_table,
)
from dconv.check.rule import Rule

RULES: tuple[Rule, ...] = (
    entry_order.RULE,
    row_order.RULE,
    unlisted_entry.RULE,
    listed_name.RULE,
    row_mark.RULE,
    summary_titles.RULE,
    title_number.RULE,
    title_underline.RULE,
    usage_table.RULE,
    repeated_entry.RULE,
    entry_name.RULE,
    table_layout.RULE,
    signature.RULE,
    argument_unknown.RULE,
    argument_undescribed.RULE,
    near_name.RULE,
    see_also_item.RULE,
    section_title.RULE,
    doubled_word.RULE,
    unbalanced_quotes.RULE,
)  # fmt: skip
