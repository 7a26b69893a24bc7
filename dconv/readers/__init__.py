"""Readers: one for each input format, each from bytes to a manual."""
