"""The output of commands: results, findings, progress.

Results go to the standard output, findings, errors and progress to the standard error.
Progress is one line that is overwritten, and only on a terminal.
"""

from __future__ import annotations

import io
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Literal, TextIO, TypeAlias

from dconv.model.diagnostics import LEVELS, Diagnostic, UserError, printable
from dconv.model.values import dataclass

CLEAR = "\r\x1b[K"  # go to the first column and clear the line (ECMA-48, EL)
# control characters except line ends and tabs, and those that change the direction of text
CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\r(?!\n)"
)
MAX_NOTES = 10  # notes of one rule on one file that are printed
WIDTH = 80  # columns of a terminal that does not say how many it has
BOLD, DIM, RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
COLORS = {"error": "\x1b[1;31m", "warning": "\x1b[1;35m", "note": "\x1b[1;36m"}
# "a.txt:3:7: warning: [doubled-word] 'the' appears twice in a row"
FINDING_LINE = re.compile(r"^(\S.*?:\d+:\d+: )(error|warning|note): (\[[\w-]+\])", re.MULTILINE)
# the mark below a line of a text: "      |    ^~~"
MARK_LINE = re.compile(r"^( *\| *)(\^~*)$", re.MULTILINE)

Kind = Literal["info", "detail", "problem", "error", "warning", "note"]
Message: TypeAlias = tuple[Kind, str]


def color_choice(environment: Mapping[str, str]) -> bool | None:
    """Whether the user wants colour; None leaves it to whether the stream is a terminal.

    See https://no-color.org/ and https://force-color.org/.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return False if environment.get("TERM") == "dumb" else None


class OutputError(UserError):
    """The standard output or the standard error cannot be written."""


@dataclass(slots=True)
class Console:
    """Prints messages to two streams, filtered by what the user asked for.

    Errors are always printed, warnings if the build is `strict` or the user asked for details
    (`verbose`), notes only then; what is not printed is counted.  `quiet` prints errors, and the
    warnings of a `strict` build, and nothing else.  `log` has every message, printed or not.  A
    `dumb` terminal shows no progress.
    """

    out: TextIO
    err: TextIO
    clock: Callable[[], float]
    color: bool | None = None
    quiet: bool = False
    verbose: bool = False
    strict: bool = False
    dumb: bool = False
    log: list[Message] = field(default_factory=list)
    has_input_error: bool = field(default=False, init=False)
    _hidden: Counter[str] = field(default_factory=Counter, init=False)
    _step: str = field(default="", init=False)
    _step_started: float = field(default=0.0, init=False)
    _progress_shown: bool = field(default=False, init=False)
    _started: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self.start()
        for stream in (self.out, self.err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")

    def start(self) -> None:
        """Start a run: reset the clock, the log and the count of hidden messages."""
        self._started = self.clock()
        self.log.clear()
        self._hidden.clear()

    def elapsed(self) -> str:
        """The time since `start`: `0.4 s`, `16 s`."""
        seconds = self.clock() - self._started
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"

    # --- messages -----------------------------------------------------------------------

    def info(self, sentence: str) -> None:
        """Print a result of the work, unless `quiet`."""
        self._message("info", sentence)

    def detail(self, sentence: str) -> None:
        """Print a detail of the work if `verbose`."""
        self._message("detail", sentence)

    def problem(self, sentence: str) -> None:
        """Print a problem, even if `quiet`."""
        self._message("problem", f"dconv: {sentence}")

    def input_error(self, sentence: str) -> None:
        """Print why an input is left out; the command exits with 1 or more."""
        self.has_input_error = True
        self.problem(f"{sentence}; it is left out")

    def findings(self, findings: Iterable[Diagnostic]) -> None:
        """Print `findings`; of notes of one rule on one file, only the first."""
        notes: Counter[tuple[str, str]] = Counter()
        for finding in findings:
            key = (finding.path, finding.rule)
            notes[key] += finding.level == "note"
            if notes[key] <= MAX_NOTES or finding.level != "note":
                self._message(finding.level, str(finding))
        for (path, rule), count in notes.items():
            if count > MAX_NOTES:
                self._message("note", f"{path}: note: [{rule}] {count - MAX_NOTES:,} more of these")

    def replay(self, log: Sequence[Message]) -> None:
        """Print the messages of an earlier run."""
        for kind, text in log:
            self._message(kind, text)

    def summarize_hidden(self) -> None:
        """Print how many findings were not printed since the last call."""
        counts = [(self._hidden[level], level) for level in LEVELS[::-1]]
        parts = [pluralize(count, level) for count, level in counts if count]
        self._hidden.clear()
        if parts:
            self._message("info", f"{', '.join(parts)} (details: --verbose)")

    def _message(self, kind: Kind, text: str) -> None:
        self.log.append((kind, text))
        if not self._visible(kind):
            self._hidden[kind] += 1
            return
        stream = self.out if kind in ("info", "detail") else self.err
        self.end_progress()
        line = printable(text)
        if self._colored(stream):
            if kind in COLORS:
                line = _colorize(line)
            elif kind == "problem":
                line = f"{COLORS['error']}dconv:{RESET}{line.removeprefix('dconv:')}"
        self._write(stream, f"{line}\n")

    def _visible(self, kind: Kind) -> bool:
        match kind:
            case "problem" | "error":
                return True
            case "warning":
                return self.strict or (self.verbose and not self.quiet)
            case "info":
                return not self.quiet
            case "note" | "detail":
                return self.verbose and not self.quiet

    # --- output and progress ------------------------------------------------------------

    def output(self, text: str, is_report: bool = False) -> None:
        """Write the output of a command; control characters are written as JSON has them.

        `is_report` says that it is a report of findings, which may be coloured.
        """
        self.end_progress()
        text = CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
        self._write(self.out, _colorize(text) if is_report and self._colored(self.out) else text)

    def usage(self, text: str) -> None:
        """Write the help `text` to the standard error."""
        self._write(self.err, text)

    def progress(self, step: str, number: int = 0, total: int = 0) -> None:
        """Show on a terminal that `step` is running, which is the `number`th of `total`.

        A step that is reported again is shown with its seconds.
        """
        if self.quiet or self.dumb or not self.err.isatty():
            return
        now = self.clock()
        if step != self._step:
            self._step, self._step_started = step, now
        count = f"[{number}/{total}] " if total else ""
        seconds = f"  {now - self._step_started:.0f} s" if now >= self._step_started + 1 else ""
        line = f"{count}{printable(step)}"[: self._width() - 1 - len(seconds)]
        self._write(self.err, f"{CLEAR}{line}{seconds}")
        self._progress_shown = True

    def _width(self) -> int:
        """The columns of the terminal."""
        try:
            return os.get_terminal_size(self.err.fileno()).columns or WIDTH
        except (OSError, ValueError):  # no terminal of the system
            return WIDTH

    def end_progress(self) -> None:
        """Clear the line of progress."""
        if self._progress_shown:
            self._write(self.err, CLEAR)
            self._progress_shown = False

    def _write(self, stream: TextIO, text: str) -> None:
        """Write `text`; raises `OutputError`, but `BrokenPipeError` if nobody reads any more."""
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            name = "output" if stream is self.out else "error"
            reason = getattr(error, "strerror", None) or str(error)
            raise OutputError(f"cannot write to the standard {name} ({reason.lower()})") from error

    def _colored(self, stream: TextIO) -> bool:
        return stream.isatty() if self.color is None else self.color


def pluralize(count: int, what: str) -> str:
    """`1 finding`, `1,200 findings`."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def _colorize(text: str) -> str:
    """`text` with the place, level and rule of each finding coloured."""
    def finding(match: re.Match[str]) -> str:
        level = f"{COLORS[match[2]]}{match[2]}:{RESET}"
        return f"{BOLD}{match[1]}{RESET}{level} {DIM}{match[3]}{RESET}"

    text = FINDING_LINE.sub(finding, text)
    return MARK_LINE.sub(lambda match: f"{match[1]}{COLORS['warning']}{match[2]}{RESET}", text)
