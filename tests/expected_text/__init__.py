"""A second reader of the text format: what a tree should say, from the lines alone.

It takes from the tree where nodes start and end, and nothing of what they say: so two
readings of one text can be compared.
"""

from dconv.proof.leaves import BREAK, CELL
from expected_text.account import account
from expected_text.expectation import Account
from expected_text.pieces import QUOTE

__all__ = ["BREAK", "CELL", "QUOTE", "Account", "account"]
