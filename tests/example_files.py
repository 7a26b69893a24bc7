"""Examples in files of tests: fences that hold a text, a line with a dot, and a result.

A fence opens with three back quotes or more and closes with as many; the word after the opening
quotes tells how to read the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# "```", "````plain"
FENCE = re.compile(r"(?P<marks>`{3,})(?P<form>[a-z]*)$")


@dataclass(frozen=True, slots=True)
class Spec:
    """One example: the number of its fence in the file, how to read it, text and result.

    `first` and `last` are the indexes of the result's lines in the file, the last excluded.
    """

    path: Path
    line: int
    form: str
    text: str
    result: str
    first: int
    last: int

    @property
    def name(self) -> str:
        """`lists.test:12`, the place to look at."""
        return f"{self.path.name}:{self.line}"

    def rewrite(self, output: str) -> None:
        """Put `output` in the place of the result; other examples of the file may have moved."""
        form_and_text = (self.form, self.text)
        now = next(
            spec for spec in read_specs(self.path) if (spec.form, spec.text) == form_and_text
        )
        lines = self.path.read_text(encoding="utf-8").split("\n")
        lines[now.first : now.last] = output.removesuffix("\n").split("\n") if output else []
        self.path.write_text("\n".join(lines), encoding="utf-8")


def read_specs(path: Path) -> Iterator[Spec]:
    """The examples of a file, in order; a fence that is not whole is an error."""
    lines = path.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if fence is None:
            at += 1
            continue
        end = lines.index(fence["marks"], at + 1)
        dot = lines.index(".", at + 1, end)
        text = "\n".join(lines[at + 1 : dot]) + "\n"
        shown = "".join(f"{line}\n" for line in lines[dot + 1 : end])
        yield Spec(path, at + 1, fence["form"], text, shown, dot + 1, end)
        at = end + 1
