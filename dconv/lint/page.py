"""The rules of the check as a section of our manual, made of their docstrings.

A docstring is paragraphs, then `Bad:` and `Good:` with indented lines.  A test compares
the section with the manual, and writes it there with `pytest --update-goldens`.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping

from dconv.lint.rule import Rule

WIDTH = 78  # columns of text below an entry, its two of indentation left out
# "Example", so that all below is read as code: samples of wrong text are no wrong text
LABELS: Mapping[str, str] = {
    "Bad:": "Example of what it finds:", "Good:": "Example of what it wants:",
}
DEEP = " " * 6  # below the two columns of the entry


def section(rules: Iterable[Rule]) -> str:
    """Entries for `rules`, sorted by name, as they stand in `manual.txt`."""
    return "\n\n".join(_entry(rule) for rule in sorted(rules, key=lambda rule: rule.name))


def explained(rule: Rule) -> str:
    """What a reader wants to know about `rule`: its docstring, without indentation."""
    return inspect.cleandoc(rule.documentation or "")


def _entry(rule: Rule) -> str:
    parts = "\n\n".join(_parts(explained(rule)))
    when = "It is told with --strict only" if rule.style else "It is told unless it is disabled"
    level = textwrap.fill(f"{when}. The level is '{rule.level}'.", WIDTH)
    return textwrap.indent(f"{parts}\n\n{level}\n", "  ").replace("  ", f"{rule.name}\n  ", 1)


def _parts(documentation: str) -> Iterator[str]:
    """The paragraphs and examples of a docstring."""
    for part in documentation.split("\n\n"):
        label, _, code = part.partition("\n")
        if label in LABELS:
            yield f"{LABELS[label]}\n{textwrap.indent(textwrap.dedent(code), DEEP)}"
        else:
            yield textwrap.fill(part, WIDTH, break_on_hyphens=False)
