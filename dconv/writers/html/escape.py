"""Text to HTML characters, for content and for attribute values."""

from __future__ import annotations


def text(characters: str) -> str:
    """`characters` as the content of an element; quotes stay as they are."""
    return characters.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(characters: str) -> str:
    """`characters` as the value of an attribute in double quotes."""
    return text(characters).replace('"', "&quot;")
