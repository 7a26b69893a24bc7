"""The command line: the only place that prints.

`arguments` reads the words, `collect` finds the texts, `console` talks to the
user, `commands` runs what was asked, `outcome` is what came of it.
"""

from dconv.cli.commands import main

__all__ = ["main"]
