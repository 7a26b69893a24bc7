"""The command line: the only place that prints.

`arguments` reads the words, `commands` runs what was asked, `collect` finds the texts,
`console` talks to the user, `outcome` is what came of it.  A command's module is
imported when it is asked for.
"""

from dconv.cli.commands import main

__all__ = ["main"]
