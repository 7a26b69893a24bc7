"""A second reader of the text format: what a tree should say, from the lines alone.

It takes from the tree where nodes start and end, and nothing of what they say: so two
readings of one text can be compared.
"""

from dconv.proof.leaves import BREAK, CELL
from expected_text.expect import expect
from expected_text.expectation import ExpectedText
from expected_text.pieces import QUOTE

__all__ = ["BREAK", "CELL", "QUOTE", "ExpectedText", "expect"]
