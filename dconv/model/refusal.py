"""What the program refuses, as one sentence for the user."""

from __future__ import annotations


class Refusal(Exception):
    """Something cannot be done; the message is one sentence that says what and why."""
