"""What the pages must show, line by line: the source's side of the proof."""

from dconv.accounts.account import account
from dconv.accounts.cells import BREAK, CELL
from dconv.accounts.expectation import Account
from dconv.accounts.marks import listed_numbers
from dconv.accounts.pieces import QUOTE

__all__ = ["BREAK", "CELL", "QUOTE", "Account", "account", "listed_numbers"]
