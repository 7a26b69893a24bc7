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
from collections.abc import Callable, Sequence
from importlib import import_module

from dconv.build.signals import END_SIGNALS
from dconv.cli import arguments
from dconv.cli.arguments import ERROR, FAILURE, INTERRUPTED, PIPE_CLOSED, SUCCESS, Arguments, Help
from dconv.cli.console import Console, OutputError, color_choice
from dconv.model.diagnostics import UserError, reason
from dconv.sources.cache import cache_folder, programs_folder

BUILD_COMMANDS = ("build", "convert", "fetch", "serve")  # those of the module `build`
REPEAT_PAUSE = 0.5  # seconds after a signal in which a second one has no effect


def main(command_line: Sequence[str] | None = None) -> int:
    """Run `command_line`, or that of the process if None; the exit status."""
    console = Console(
        sys.stdout, sys.stderr, time.monotonic, color_choice(os.environ),
        dumb=os.environ.get("TERM") == "dumb",
    )
    was_collecting = gc.isenabled()
    # Trees have no cycles, so reference counting frees them; the collector's passes over them
    # would take a fifth of the time.
    gc.disable()
    try:
        return _parse_and_run(command_line, console)
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except OutputError as error:
        with contextlib.suppress(OutputError, BrokenPipeError):
            console.problem(str(error))
        _discard_output()
        return ERROR
    except OSError as error:  # a full disk, a file that was removed
        file = f"{error.filename}: " if error.filename else ""
        console.problem(f"{file}{reason(error)}")
        _discard_output()
        return ERROR
    finally:
        if was_collecting:
            gc.enable()


def _parse_and_run(command_line: Sequence[str] | None, console: Console) -> int:
    """Run the command line; the exit status, also after a user error or a signal."""
    is_preview = False
    try:
        if command_line is None:
            _handle_signals()
        _find_fetched_programs()
        options = arguments.parse(sys.argv[1:] if command_line is None else command_line)
        console.quiet, console.verbose = options.quiet, options.verbose
        console.strict = options.strict
        is_preview = options.command == "serve"
        status = _run(options, console) or (FAILURE if console.has_input_error else SUCCESS)
        console.end_progress()
    except Help as text:
        console.output(str(text))
        status = SUCCESS
    except OutputError:
        raise
    except UserError as error:
        console.problem(str(error))
        status = ERROR
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (SystemExit, RuntimeError) as error:  # after a signal
        # Python 3.11 makes a RuntimeError of it while an import defines a class with fields
        signal_exit = error if isinstance(error, SystemExit) else error.__cause__
        if not isinstance(signal_exit, SystemExit):
            raise
        status = signal_exit.code if isinstance(signal_exit.code, int) else ERROR
    if status == INTERRUPTED and not is_preview:  # Ctrl-C is the way to end a preview
        console.problem("interrupted")
    return status


def _find_fetched_programs() -> None:
    """Let this process and its workers run programs that dconv fetched, after installed ones."""
    folder = str(programs_folder(cache_folder(os.environ)))
    path = os.environ.get("PATH", os.defpath)
    if folder not in path.split(os.pathsep):
        os.environ["PATH"] = f"{path}{os.pathsep}{folder}"


def _handle_signals() -> None:
    """Exit on a signal as after an error: unfinished work is removed, and processes end.

    A signal that is ignored, as by nohup(1), stays so.
    """
    latest = -math.inf

    def exit_on_signal(number: int, _: object) -> None:
        nonlocal latest
        if time.monotonic() - latest < REPEAT_PAUSE:
            return  # timeout(1) sends the signal twice
        latest = time.monotonic()
        raise SystemExit(128 + number)

    def resend_signal(ignored: sys.UnraisableHookArgs) -> None:
        """Python ignores exceptions in some callbacks, such as those around a fork."""
        if isinstance(ignored.exc_value, SystemExit):
            number = int(str(ignored.exc_value)) - 128
            timer = threading.Timer(1.1 * REPEAT_PAUSE, os.kill, (os.getpid(), number))
            timer.daemon = True
            timer.start()
        else:
            sys.__unraisablehook__(ignored)

    for number in END_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, exit_on_signal)
    sys.unraisablehook = resend_signal


def _discard_output() -> None:
    """Discard the rest of the output, so that the interpreter's last flush does not fail."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
            continue
        os.dup2(devnull, stream.fileno())


def _run(options: Arguments, console: Console) -> int:
    """Run the command; its module is imported now, because that takes half of a short command."""
    if options.command is None:
        console.usage(arguments.parser().format_help())
        return ERROR
    name = "build" if options.command in BUILD_COMMANDS else options.command
    run: Callable[[Arguments, Console], int] = import_module(f"dconv.cli.{name}").run
    return run(options, console)
