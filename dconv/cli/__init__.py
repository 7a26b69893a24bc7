"""The command line: the only package that prints and reads clock and environment.

`arguments` parses the command line, `commands` runs the command, `console` prints.  Each command
has a module, which is imported when the command runs.
"""

from dconv.cli.commands import main

__all__ = ["main"]
