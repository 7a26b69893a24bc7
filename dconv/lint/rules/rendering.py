"""Readers and programs misread a text because of its indentation or its label.

Indentation decides how a manual is read. The rule reports a text that is indented deeper than
those of nearly all other entries; an example at the column of its label; an entry without a
blank line above it, where others have one; a label 'Example' with nothing below or without
its colon; a 'See also :' in the middle of a line, or left of its entry's text; a
misspelt label ('Argumants :'); and, where most entries of a section have the label 'Arguments',
a description of arguments without it.

Bad:
    relay <name>
         Names a relay. See also: "near-name".

Good:
    relay <name>
      Names a relay.

      See also: "near-name"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from dconv.lint.arguments import described_arguments, read_arguments
from dconv.lint.context import Context
from dconv.lint.frequency import MIN_CASES, is_rare
from dconv.lint.rule import Finding, Rule, report, report_match
from dconv.lint.spelling import edit_distance
from dconv.model import tree
from dconv.model.source import Line

MAX_EXTRA_INDENT = 8  # columns; deeper text continues the line above
# "parallel to uploads. See also: " within a line, "Example" alone on one
LABEL_IN_LINE = re.compile(r"(?<=[.;:)])\s+(?P<label>See [Aa]lso\s?:)\s")
SEE_ALSO_LABEL = re.compile(r"See [Aa]lso\s?:")
# a label after the last words of an example, before a name
LABEL_IN_CODE = re.compile(r"(?<=\S)\s+(?P<label>See [Aa]lso\s?:)\s+\"")
LABEL_ABOVE_CODE = re.compile(r"(?P<label>Examples?)(?: [^:]*)?:")
LABEL_ONLY = re.compile(r"Examples?\s?:$")
LABEL_WITHOUT_COLON = re.compile(r"Examples?$")
# "Argumants :", "See alos: "
LABEL = re.compile(r"(?P<label>[A-Z][a-z]{5,}|[A-Z][a-z]{2,3} [a-z]{3,4})\s?:(?:\s|$)")
# 'See aslo "x"', with a colon or without
SEE_LABEL = re.compile(r"(?P<label>See (?P<word>[a-z]{3,5}))(?=[\s:])")
BEGIN_PARAGRAPH = "'See also' is no label within a paragraph: begin a new one with it"
NOTHING_FOLLOWS = "nothing follows the label '{}': add its text or remove it"
LABELS = ("Argument", "Arguments", "Example", "Examples", "See also")


def _find(context: Context) -> Iterator[Finding]:
    missing_labels = [
        finding for section in context.sections if context.dialect.entry_rules
        for finding in _missing_labels(context, section)
    ]
    yield from missing_labels
    unlabelled_lines = {finding.line for finding in missing_labels}  # and so too deep
    for finding in _body_indents(context):
        if finding.line not in unlabelled_lines:
            yield finding
    yield from _missing_blank_lines(context)
    yield from _misspelt_labels(context)
    yield from _misplaced_labels(context)
    examples = [node for node in context.nodes if isinstance(node, tree.Example)]
    unindented = [finding for node in examples for finding in _unindented(context, node)]
    if is_rare(len(unindented), len(examples)):
        yield from unindented
    for node in examples:
        yield from _label_findings(context, node)
    last_lines = {entry.span.last for _, entry in context.entries}
    for block in context.nodes:
        if isinstance(block, tree.Preformatted | tree.Paragraph):
            yield from _label_in_example(context, block)
        if isinstance(block, tree.Preformatted) and block.span.last in last_lines:
            for line in context.lines_of(block.span):
                if "See" in line.text and (match := LABEL_IN_CODE.search(line.text)):
                    yield report_match(line, match, BEGIN_PARAGRAPH, "label")


def _body_indents(context: Context) -> Iterator[Finding]:
    """Texts that begin deeper than others, and a "See also" in front of them."""
    first_lines: list[tuple[tree.Entry, Line]] = []
    for _, entry in context.entries:
        spans = [signature.span for signature in entry.signatures]
        spans += [usage.span for usage in entry.usages]
        last = max(span.last for span in spans)
        below = context.lines[last : entry.span.last]
        if line := next((line for line in below if line.text), None):
            first_lines.append((entry, line))
    if len(first_lines) < MIN_CASES or context.manual.source.unfiltered:
        return  # comments of a configuration are indented in many ways
    columns = Counter(line.indent for _, line in first_lines)
    usual_indent, count = columns.most_common(1)[0]
    if not is_rare(len(first_lines) - count, len(first_lines)):
        return
    for entry, line in first_lines:
        if usual_indent < line.indent <= usual_indent + MAX_EXTRA_INDENT:
            message = (
                f"the text of '{entry.name}' begins at column {line.column}; begin it at column"
                f" {usual_indent + 1}, as in most entries"
            )
            yield Finding(line.number, line.column, message)
    entry_counts = Counter(section.anchor for section, _ in context.entries)
    for section, entry in context.entries:
        text_columns = {
            context.line(node.span.first).indent for node in entry.body
            if isinstance(node, tree.Paragraph)
        }
        for node in entry.body if entry_counts[section.anchor] >= MIN_CASES else ():
            line = context.line(node.span.first)
            if isinstance(node, tree.SeeAlso) and line.text.startswith("See") and (
                line.indent < usual_indent and line.indent not in text_columns
            ):
                message = f"indent '{node.label}' like the text of '{entry.name}'"
                yield Finding(line.number, line.column, message, len(node.label))


def _missing_blank_lines(context: Context) -> Iterator[Finding]:
    """Signatures right below a text, where a blank line is above nearly all others."""
    if not context.dialect.entry_rules:
        return  # what looks like entries may be rows of a table
    first_lines = [(entry, context.line(entry.span.first)) for _, entry in context.entries]
    without_blank_line = [
        (entry, line) for entry, line in first_lines
        if line.number > 1 and context.line(line.number - 1).text
    ]
    if is_rare(len(without_blank_line), len(first_lines)):
        for entry, line in without_blank_line:
            message = f"add a blank line above '{entry.name}', as above other entries"
            yield Finding(line.number, line.column, message, len(entry.name))


def _missing_labels(context: Context, section: tree.Section) -> Iterator[Finding]:
    """Descriptions of arguments without a label, where most entries of `section` have one."""
    unlabelled = [entry for entry in section.entries if read_arguments(entry) is None]
    if len(unlabelled) * 2 > len(section.entries):
        return
    for entry in unlabelled:
        text = " ".join(signature.text for signature in entry.signatures)
        for block in entry.body:
            described = described_arguments(block) if isinstance(block, tree.Definitions) else ()
            if any(item.is_placeholder and f"<{item.name}>" in text for item in described):
                message = f"add the label 'Arguments :' above those of '{entry.name}'"
                yield report(context.line(block.span.first), message)
                break


def _misplaced_labels(context: Context) -> Iterator[Finding]:
    """Labels after other words, and those that nothing follows."""
    for text_block in context.text_blocks:
        last = text_block.entry.span.last if text_block.entry else 0
        if last and LABEL_ONLY.match(text_block.text) and not any(
            line.text for line in context.lines[text_block.span.last : last]
        ):
            line = context.line(text_block.span.first)
            yield report(line, NOTHING_FOLLOWS.format(line.text))
    yield from _labels_in_lines(context)


def _labels_in_lines(context: Context) -> Iterator[Finding]:
    """Labels "See also :" within a line, where more begin one."""
    findings: list[Finding] = []
    labels = 0
    for text_block in context.text_blocks:
        for line in context.lines_of(text_block.span):
            if "See" not in line.text:
                continue
            labels += SEE_ALSO_LABEL.match(line.text) is not None
            if match := LABEL_IN_LINE.search(line.text):
                findings.append(report_match(line, match, BEGIN_PARAGRAPH, "label"))
    if labels > len(findings) or context.dialect.entry_rules:
        yield from findings


def _label_in_example(
    context: Context, node: tree.Preformatted | tree.Paragraph
) -> Iterator[Finding]:
    """A label 'Example' at the column of its code, which makes it a part of that."""
    lines = context.lines_of(node.span)[:2]
    if len(lines) < 2 or lines[1].indent != lines[0].indent:
        return
    match = LABEL_ABOVE_CODE.match(lines[0].text)
    is_code_line = context.dialect.code_line.match
    if match and (isinstance(node, tree.Preformatted) or is_code_line(lines[1].text)):
        yield report(lines[1], f"indent this example deeper than its label '{match['label']}'")


def _unindented(context: Context, node: tree.Example) -> Iterator[Finding]:
    """An example at the column of its label; one that is a list may appear there."""
    block = node.body[0] if node.body else None
    label = context.line(node.span.first)
    if isinstance(block, tree.Preformatted) and block.span.first > label.number:
        first = context.line(block.span.first)
        if first.indent <= label.indent and not first.text.startswith("- "):
            yield report(first, f"indent this example deeper than its label '{node.label}'")


def _label_findings(context: Context, node: tree.Example) -> Iterator[Finding]:
    """A label with nothing below, or without its colon."""
    line = context.line(node.span.first)
    if not node.body and not node.caption:
        message = NOTHING_FOLLOWS.format(node.label)
        yield Finding(line.number, line.column, message, len(node.label))
    elif all(block.span.first == node.span.first for block in node.body) and (
        code := _code_below_caption(context, node, line)
    ):
        yield report(code, f"indent this example deeper than its label '{node.label}'")
    elif LABEL_WITHOUT_COLON.match(line.text):
        yield report(line, f"add a colon after the label '{line.text}'")


def _code_below_caption(context: Context, node: tree.Example, label: Line) -> Line | None:
    """The line of code right below the caption of an example, at the column of its label."""
    below = next((line for line in context.lines[node.span.last :] if line.text), None)
    if below is None or not label.indent or below.indent != label.indent:
        return None
    return below if context.dialect.code_line.match(below.text) else None


def _misspelt_labels(context: Context) -> Iterator[Finding]:
    """Labels of entries with a typo."""
    for _, entry in context.entries:
        for line in context.body_lines(entry):
            see = SEE_LABEL.match(line.text)
            match = LABEL.match(line.text) or see
            if match is None or (see and edit_distance(see["word"], "also", 1) != 1):
                continue
            label = match["label"]
            folded = label.casefold()
            suggestions = [
                label for label in LABELS if edit_distance(folded, label.casefold(), 1) == 1
            ]
            if suggestions and label not in LABELS:
                message = f"unknown label '{label}'; did you mean '{suggestions[0]}'?"
                yield report_match(line, match, message, "label")


RULE = Rule("rendering", "warning", __doc__, _find)
