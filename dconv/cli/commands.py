"""Run a command: signals, errors and the exit status.

A `UserError` becomes one sentence and the exit status 2, never a traceback.
"""

from __future__ import annotations

import contextlib
import gc
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from typing import assert_never

from dconv.cli import arguments
from dconv.cli.arguments import DONE, FINDINGS, INTERRUPTED, NOT_DONE, PIPE_CLOSED, Arguments, Help
from dconv.cli.console import Console, OutputError, color_choice
from dconv.model.diagnostics import UserError

REPEAT_PAUSE = 0.5  # seconds after a signal in which a second one has no effect


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (those of the process if None); the exit status."""
    console = Console(
        sys.stdout, sys.stderr, time.monotonic, color_choice(os.environ),
        dumb=os.environ.get("TERM") == "dumb",
    )
    collecting = gc.isenabled()
    # Trees have no cycles, so reference counting frees them; the collector's passes over them
    # would take a fifth of the time.
    gc.disable()
    serves = False
    try:
        try:
            if words is None:
                _handle_signals()
            chosen = arguments.read(sys.argv[1:] if words is None else words)
            console.quiet, console.verbose = chosen.quiet, chosen.verbose
            console.strict = chosen.strict
            serves = chosen.command == "serve"
            status = _run(chosen, console) or (FINDINGS if console.has_input_error else DONE)
            console.end_progress()
        except Help as text:
            console.output(str(text))
            status = DONE
        except OutputError:
            raise
        except UserError as error:
            console.problem(str(error))
            status = NOT_DONE
        except KeyboardInterrupt:
            status = INTERRUPTED
        except SystemExit as leaving:  # after a signal
            status = leaving.code if isinstance(leaving.code, int) else NOT_DONE
        if status == INTERRUPTED and not serves:  # Ctrl-C is the way to end a preview
            console.problem("interrupted")
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except OutputError as error:
        with contextlib.suppress(OutputError, BrokenPipeError):
            console.problem(str(error))
        _discard_output()
        return NOT_DONE
    except OSError as error:  # a full disk, a file that was removed
        place = f"{error.filename}: " if error.filename else ""
        console.problem(f"{place}{(error.strerror or str(error)).lower()}")
        _discard_output()
        return NOT_DONE
    finally:
        if collecting:
            gc.enable()
    return status


def _handle_signals() -> None:
    """Exit on a signal as after an error: unfinished work is removed, and processes end.

    A signal that is ignored, as by nohup(1), stays so.
    """
    latest = -math.inf

    def leave(number: int, _: object) -> None:
        nonlocal latest
        if time.monotonic() - latest < REPEAT_PAUSE:
            return  # timeout(1) sends the signal twice
        latest = time.monotonic()
        raise SystemExit(128 + number)

    def send_again(ignored: sys.UnraisableHookArgs) -> None:
        """Python ignores exceptions in some callbacks, such as those around a fork."""
        if isinstance(ignored.exc_value, SystemExit):
            number = int(str(ignored.exc_value)) - 128
            timer = threading.Timer(1.1 * REPEAT_PAUSE, os.kill, (os.getpid(), number))
            timer.daemon = True
            timer.start()
        else:
            sys.__unraisablehook__(ignored)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)
    sys.unraisablehook = send_again


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
