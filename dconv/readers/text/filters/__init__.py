"""Filters before the text reader: each turns one kind of text into lines that the reader knows.

A filter looks at the content of a text, never at its name or product, and returns None if the text
is not of its kind.
"""
