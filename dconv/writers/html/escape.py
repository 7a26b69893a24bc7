"""Texts of one line, and text to HTML characters, for content and for attribute values."""

from __future__ import annotations


def one_line(words: str) -> str:
    """`words` on one line, with single blanks between them."""
    return " ".join(words.split())


def text(characters: str) -> str:
    """`characters` as the content of an element; quotes stay as they are."""
    if "&" in characters:  # most texts have none, and a look is faster than a replacement
        characters = characters.replace("&", "&amp;")
    if "<" in characters:
        characters = characters.replace("<", "&lt;")
    if ">" in characters:
        characters = characters.replace(">", "&gt;")
    return characters


def attribute(characters: str) -> str:
    """`characters` as the value of an attribute in double quotes."""
    characters = text(characters)
    return characters.replace('"', "&quot;") if '"' in characters else characters
