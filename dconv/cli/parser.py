"""The parser of a command line that says what is wrong in one sentence, and what was meant."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from typing import NoReturn

from dconv.model.refusal import Refusal

NEAR = 0.7  # how like a word must be to one that is known, from 0 to 1


class UsageError(Refusal):
    """The command line cannot be used; the message is one sentence for the user."""


def nearest(word: str, known: Sequence[str]) -> str:
    """`did you mean 'check'?`, or nothing where none of the `known` is near `word`."""
    found = difflib.get_close_matches(word, known, n=1, cutoff=NEAR)
    return f"did you mean '{found[0]}'?" if found else ""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, by an exception."""

    def error(self, message: str) -> NoReturn:
        if "QUERY" in message:  # what it was given began with a hyphen, or was nothing
            raise UsageError(f"{message}; one that begins with a hyphen stands behind '--'")
        raise UsageError(f"{message}; try '{self.prog} --help'")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Name the nearest of the commands or choices where `value` is none of them."""
        if action.choices is not None and value not in action.choices:
            meant = nearest(str(value), [str(one) for one in action.choices])
            if meant:
                name = "command" if action.dest == "command" else "/".join(action.option_strings)
                raise UsageError(f"unknown {name} '{value}'; {meant}")
        super()._check_value(action, value)
