"""What goes to the terminal: results, findings, and progress that a reader can bear.

On a terminal, progress is one line that is written over; in a log it is a plain
line for each step that took more than a second.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TextIO

from dconv.diagnostics import Diagnostic

SLOW = 1.0  # seconds after which a step is worth a line in a log
CLEAR = "\r\x1b[K"  # to the first column, and clear the line (ECMA-48, EL)
MANY = 10  # notes of one kind on one file that a reader wants to see
WIDTH = 79  # columns that a line of progress may take


@dataclass(slots=True)
class Console:
    """Two streams and a clock (seconds that only grow); `quiet` leaves findings only."""

    out: TextIO
    err: TextIO
    clock: Callable[[], float]
    quiet: bool = False
    _step: str = field(default="", init=False)
    _since: float = field(default=0.0, init=False)
    _drawn: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        for stream in (self.out, self.err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")

    def result(self, text: str) -> None:
        """Write `text` as it is to the standard output."""
        self._clear()
        self.out.write(text)

    def say(self, sentence: str) -> None:
        """Tell a result of the work, unless the user wants quiet."""
        if not self.quiet:
            self._clear()
            self.out.write(f"{_fit(sentence)}\n")
            self.out.flush()

    def tell(self, sentence: str) -> None:
        """Tell a finding or an error: always, on the standard error."""
        self._clear()
        self.err.write(f"{_fit(sentence)}\n")
        self.err.flush()

    def findings(self, findings: Iterable[Diagnostic]) -> None:
        """Tell each of `findings`; of notes of one kind on one file, only the first few."""
        notes: Counter[tuple[str, str]] = Counter()
        for finding in findings:
            key = (finding.path, finding.rule)
            notes[key] += finding.level == "note"
            if finding.level != "note" or notes[key] <= MANY:
                self.tell(str(finding))
        for (path, rule), count in notes.items():
            if count > MANY:
                self.tell(f"{path}: note: [{rule}] {count - MANY:,} more of these")

    def step(self, name: str) -> None:
        """The work goes on with `name`: draw it, or log what the last step took."""
        now = self.clock()
        if not self.quiet and self.err.isatty():
            self.err.write(f"{CLEAR}{_fit(name)[:WIDTH]}")
            self.err.flush()
            self._drawn = True
        elif not self.quiet and self._step and now - self._since > SLOW:
            self.err.write(f"{_fit(self._step)}: {now - self._since:.0f} s\n")
        self._step, self._since = name, now

    def done(self) -> None:
        """No step goes on any more."""
        self.step("")
        self._clear()

    def _clear(self) -> None:
        if self._drawn:
            self.err.write(CLEAR)
            self.err.flush()
            self._drawn = False


def _fit(sentence: str) -> str:
    """`sentence` without characters that steer a terminal (names of files may hold any)."""
    if sentence.isprintable():
        return sentence
    return "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in sentence
    )
