"""The documentation of all rules, for `--explain` and for SARIF.

A rule's documentation is paragraphs, then `Bad:` and `Good:` with indented lines.  What reading and
linking report has a sentence here, and more in the chapter about diagnostics of our manual; tests
compare both with the manual, and `pytest --update-goldens` writes the section of the rules there.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping

from dconv.lint.rule import Rule
from dconv.lint.rules import RULES
from dconv.model.diagnostics import Level
from dconv.model.values import dataclass

# what reading and linking report, besides the rules of the check
READER_RULES: Mapping[str, tuple[Level, str]] = {
    "control-character": ("warning", "A character of the text cannot appear in a page."),
    "encoding": (
        "warning", "The text is not UTF-8 everywhere; bytes that do not fit are Windows-1252.",
    ),
    "entry-kind": (
        "warning",
        "A section holds entries, and the dialect does not say of what kind they are.",
    ),
    "link-target": ("warning", "The text links to a place that no document of the release has."),
    "man-syntax": ("warning", "mandoc warns of a mistake in a manual page."),
    "matrix-contradiction": ("warning", "A table of all names contradicts the entry."),
    "matrix-row": ("warning", "A table of all names has a name without an entry."),
    "missing-document": (
        "note", "The text names a file that is not a document of the release, or a section of one.",
    ),
    "missing-image": (
        "warning", "Pages show the words of an image, because there is no such file.",
    ),
    "no-entries": (
        "note",
        "Several lines look like those of entries, and no section is known to hold any.",
    ),
    "not-documented": ("warning", "The program knows a name that the text does not document."),
    "not-included": ("note", "The text includes another file here, which is not read."),
    "rst-syntax": ("warning", "docutils reports a mistake in a text in reStructuredText."),
    "section-number": ("warning", "A section has the number of another one."),
    "section-reference": ("warning", "The text refers to a section that does not exist."),
    "unknown-markup": (
        "note", "The text has a role or a directive of reStructuredText that dconv does not know.",
    ),
    "unknown-to-program": ("warning", "The text documents a name that the program does not know."),
}


def explanation(rule: Rule) -> str:
    """The documentation of `rule`, without the indentation of a docstring."""
    return inspect.cleandoc(rule.documentation or "")


@dataclass(frozen=True, slots=True)
class Description:
    """A rule: its first sentence, and its whole documentation."""

    name: str
    level: Level
    sentence: str
    text: str


def descriptions() -> dict[str, Description]:
    """All rules that the check may report, by name and in the order of names."""
    rules = [
        Description(name, level, sentence, sentence)
        for name, (level, sentence) in READER_RULES.items()
    ]
    for rule in RULES:
        text = explanation(rule)
        sentence = " ".join(text.partition("\n\n")[0].split())
        rules.append(Description(rule.name, rule.level, sentence, text))
    return {rule.name: rule for rule in sorted(rules, key=lambda rule: rule.name)}
