"""The commands; the only place that prints.

What a user did wrong, and what the world refuses, becomes one sentence and the
exit status 2; findings are told as `file:line:column: level: [rule] message`.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Sequence
from typing import NoReturn, assert_never

from dconv.cli import arguments
from dconv.cli.arguments import Arguments
from dconv.cli.console import Console, color_choice
from dconv.model.refusal import Refusal

NOT_DONE = 2
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 and the signal's number, as shells count


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (those of the process if None); the exit status."""
    console = Console(sys.stdout, sys.stderr, time.monotonic, color_choice(os.environ))
    collecting = gc.isenabled()
    # Trees have no cycles: counting references frees them, and the collector's
    # passes over them would cost a fifth of the time, more the larger they are.
    gc.disable()
    if words is None:
        _heed_signals()
    try:
        try:
            chosen = arguments.read(sys.argv[1:] if words is None else words)
            console.quiet, console.verbose = chosen.quiet, chosen.verbose
            console.strict = chosen.strict
            status = _run(chosen, console)
            console.end_progress()
        except Refusal as error:
            console.problem(str(error))
            status = NOT_DONE
        except SystemExit as leaving:  # --help and --version
            status = leaving.code if isinstance(leaving.code, int) else NOT_DONE
        console.out.flush()
    except KeyboardInterrupt:
        console.problem("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return PIPE_CLOSED
    except OSError as error:  # the disk below the output is full, a file has gone away
        place = error.filename or "the output"
        console.problem(f"{place}: {(error.strerror or str(error)).lower()}")
        _forget_output()
        return NOT_DONE
    finally:
        if collecting:
            gc.enable()
    return status


def _heed_signals() -> None:
    """Leave as after an error when somebody ends us, or closes the terminal."""
    signal.signal(signal.SIGTERM, _leave)
    # who was told to outlive the terminal (nohup(1)) does
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        signal.signal(signal.SIGHUP, _leave)


def _leave(number: int, _: object) -> NoReturn:
    """End as an error would: what is half done is taken away, and workers end."""
    raise SystemExit(128 + number)


def _forget_output() -> None:
    """Nobody reads any more: let the interpreter's last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _run(chosen: Arguments, console: Console) -> int:
    """Run the command; each imports what it needs, or imports would be half of a short one."""
    match chosen.command:
        case "build" | "convert" | "fetch" | "serve":
            from dconv.cli import building

            return building.run(chosen, console)
        case "check":
            from dconv.cli import checking

            return checking.run(chosen, console)
        case "diff":
            from dconv.cli import comparing

            return comparing.run(chosen, console)
        case "dump":
            from dconv.cli import dumping

            return dumping.run(chosen, console)
        case "export":
            from dconv.cli import exports

            return exports.run(chosen, console)
        case "search":
            from dconv.cli import searching

            return searching.run(chosen, console)
        case None:
            console.usage(arguments.parser().format_help())
            return NOT_DONE
        case _:
            assert_never(chosen.command)
