"""What goes to the terminal: results, findings, and progress that a reader can bear.

On a terminal, progress is one line that is written over; in a log it is a plain
line for each step that took more than a second.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TextIO

from dconv.model.diagnostics import Diagnostic, shown

SLOW = 1.0  # seconds after which a step is worth a line in a log
CLEAR = "\r\x1b[K"  # to the first column, and clear the line (ECMA-48, EL)
# control characters but for line ends and tabs, and those that turn the direction of text
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
MANY = 10  # notes of one kind on one file that a reader wants to see
WIDTH = 79  # columns that a line of progress may take


@dataclass(slots=True)
class Console:
    """Two streams and a clock (seconds that only grow); `quiet` leaves findings only.

    `heard` is all that was to be said ("say") and told ("tell") so far, also where quiet.
    """

    out: TextIO
    err: TextIO
    clock: Callable[[], float]
    quiet: bool = False
    heard: list[tuple[str, str]] = field(default_factory=list)
    _step: str = field(default="", init=False)
    _since: float = field(default=0.0, init=False)
    _drawn: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        for stream in (self.out, self.err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")

    def result(self, text: str) -> None:
        """Write `text` to the standard output; what steers a terminal as JSON has it: `\\u001b`."""
        self._clear()
        self.out.write(STEERING.sub(lambda one: f"\\u{ord(one[0]):04x}", text))

    def say(self, sentence: str) -> None:
        """Tell a result of the work, unless the user wants quiet."""
        self.heard.append(("say", sentence))
        if not self.quiet:
            self._clear()
            self.out.write(f"{shown(sentence)}\n")
            self.out.flush()

    def tell(self, sentence: str) -> None:
        """Tell a finding or an error: always, on the standard error."""
        self.heard.append(("tell", sentence))
        self._clear()
        self.err.write(f"{shown(sentence)}\n")
        self.err.flush()

    def usage(self, text: str) -> None:
        """Write the help `text` to the standard error."""
        self.err.write(text)

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
            self.err.write(f"{CLEAR}{shown(name)[:WIDTH]}")
            self.err.flush()
            self._drawn = True
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
