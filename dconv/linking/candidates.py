"""The places that a quoted word may name: itself, its beginning, or what stands behind it."""

from __future__ import annotations

import re

from dconv.linking.symbols import Symbol, Symbols

# a first word that may be a name with its value behind it: "tune.bufsize 16384"
SHAPED = re.compile(r"[^\W_]*+[-_.](?=[\w.-])[\w.-]*+(?<=\w)|\w+\(.*")
# '" timeout applies': the first word behind a name
FIRST_WORD = re.compile(r'" (?P<word>[a-z]+)\b')
# what stands behind a name as its value: "maxconn 100", "mode http" does not
VALUE = re.compile(r"(?:\d|<|on$|off$)")
# an option with its value attached: "-dMfail"
ATTACHED = re.compile(r"-[A-Za-z][\w-]{2,}")
SHORTEST = 3  # characters of an option that may have a value attached


def named(name: str, symbols: Symbols) -> tuple[Symbol, ...]:
    """The places that have `name`, or the longest beginning of it that is a name."""
    found = symbols.names.get(name) or symbols.names.get(name.partition("(")[0].strip())
    if found:
        return found
    if ATTACHED.fullmatch(name):
        return _attached(name, symbols)
    words = name.split()
    for length in range(len(words) - 1, 0, -1):
        start = " ".join(words[:length])
        found = symbols.names.get(start)
        if found and (length > 1 or SHAPED.fullmatch(start) or VALUE.match(words[1])):
            return tuple(
                symbol for symbol in found
                if symbol.rank < 2 and (symbol.entry or start.rpartition(" ")[2][0] == "-")
            )
    return ()


def _attached(name: str, symbols: Symbols) -> tuple[Symbol, ...]:
    """The places of the longest option that `name` is with a value behind it."""
    for length in range(len(name) - 1, SHORTEST - 1, -1):
        found = symbols.names.get(name[:length])
        if found:
            return found
    return ()


def said_behind(name: str, after: str, symbols: Symbols) -> tuple[Symbol, ...]:
    """The places of a name whose first word stands behind it: 'the "client" timeout'."""
    match = FIRST_WORD.match(after)
    return symbols.names.get(f"{match['word']} {name}", ()) if match else ()
