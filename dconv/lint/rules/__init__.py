"""All rules, in the order of the manual.  A new rule is a new module, and its `RULE` here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dconv.lint.context import Context
from dconv.lint.rule import Rule
from dconv.lint.rules import (
    argument_undescribed,
    argument_unknown,
    deprecated_advice,
    deprecated_recommended,
    doubled_word,
    entry_name,
    entry_order,
    example_name,
    indentation,
    lines,
    list_count,
    listed_name,
    near_name,
    punctuation,
    rendering,
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
from dconv.model.diagnostics import Diagnostic

RULES: tuple[Rule, ...] = (
    entry_order.RULE, row_order.RULE, unlisted_entry.RULE, listed_name.RULE, row_mark.RULE,
    summary_titles.RULE, title_number.RULE, title_underline.RULE, usage_table.RULE,
    repeated_entry.RULE, entry_name.RULE, table_layout.RULE, signature.RULE, argument_unknown.RULE,
    argument_undescribed.RULE, near_name.RULE, see_also_item.RULE, section_title.RULE,
    example_name.RULE, deprecated_advice.RULE, deprecated_recommended.RULE, list_count.RULE,
    doubled_word.RULE, punctuation.RULE, unbalanced_quotes.RULE, rendering.RULE, indentation.RULE,
    lines.TAB, lines.TRAILING_BLANKS, lines.TYPOGRAPHIC_SIGN, lines.LONG_LINE,
)  # fmt: skip


def run_rules(context: Context, rules: Iterable[Rule]) -> Iterator[Diagnostic]:
    """What `rules` find in the manual of `context`, rule by rule.

    A place in lines that a filter made becomes one in the file, unless the rule counts lines of the
    file itself (`in_file`).  Such a text has no fixes: these change lines of the file.
    """
    source = context.manual.source
    for rule in rules:
        for finding in rule.find(context):
            place = finding.line, finding.column
            yield Diagnostic(
                source.path, *(place if rule.in_file else source.place(*place)), rule.level,
                rule.name, finding.message, finding.length, finding.change,
                None if source.file_line_numbers else finding.fix,
            )
