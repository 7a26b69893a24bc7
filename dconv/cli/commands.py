"""Run a command: signals, errors and the exit status.

A `Refusal` becomes one sentence and the exit status 2, never a traceback.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import time
from collections.abc import Sequence
from typing import NoReturn, assert_never

from dconv.cli import arguments
from dconv.cli.arguments import Arguments
from dconv.cli.console import Console, OutputError, color_choice
from dconv.model.diagnostics import Refusal

NOT_DONE = 2
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 and the signal's number, as shells count


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (those of the process if None); the exit status."""
    console = Console(sys.stdout, sys.stderr, time.monotonic, color_choice(os.environ))
    collecting = gc.isenabled()
    # Trees have no cycles, so reference counting frees them; the collector's passes over them
    # would take a fifth of the time.
    gc.disable()
    try:
        try:
            if words is None:
                _handle_signals()
            chosen = arguments.read(sys.argv[1:] if words is None else words)
            console.quiet, console.verbose = chosen.quiet, chosen.verbose
            console.strict = chosen.strict
            status = _run(chosen, console)
            console.end_progress()
        except OutputError:
            raise
        except Refusal as error:
            console.problem(str(error))
            status = NOT_DONE
        except KeyboardInterrupt:
            status = INTERRUPTED
        except SystemExit as leaving:  # --help, --version and signals
            status = leaving.code if isinstance(leaving.code, int) else NOT_DONE
        if status == INTERRUPTED:
            console.problem("interrupted")
        console.output("")  # flush what argparse wrote
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except OutputError as error:
        with contextlib.suppress(OutputError, BrokenPipeError):
            console.problem(str(error))
        _discard_output()
        return NOT_DONE
    except OSError as error:  # a full disk, a file that was removed
        place = error.filename or "a file"
        console.problem(f"{place}: {(error.strerror or str(error)).lower()}")
        _discard_output()
        return NOT_DONE
    finally:
        if collecting:
            gc.enable()
    return status


def _handle_signals() -> None:
    """Exit on a signal as after an error; a signal that is ignored, as by nohup(1), stays so."""
    for number in _signals():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)


def _leave(number: int, _: object) -> NoReturn:
    """Exit as an error does: unfinished work is removed, and processes end.

    Further signals, which timeout(1) sends, must not interrupt that.
    """
    for other in _signals():
        signal.signal(other, signal.SIG_IGN)
    raise SystemExit(128 + number)


def _signals() -> list[signal.Signals]:
    """The signals that ask a program to end."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return [signal.Signals[name] for name in names if hasattr(signal, name)]


def _discard_output() -> None:
    """Discard the rest of the output, so that the interpreter's last flush does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
            continue
        os.dup2(nowhere, stream.fileno())


def _run(chosen: Arguments, console: Console) -> int:
    """Run the command; its imports are local, because they take half of a short command."""
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
