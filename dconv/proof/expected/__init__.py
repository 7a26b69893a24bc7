"""What the pages must show, line by line: the source's side of the proof."""

from dconv.proof.expected.account import account
from dconv.proof.expected.cells import BREAK, CELL
from dconv.proof.expected.expectation import Account
from dconv.proof.expected.marks import listed_numbers
from dconv.proof.expected.pieces import QUOTE

__all__ = ["BREAK", "CELL", "QUOTE", "Account", "account", "listed_numbers"]
