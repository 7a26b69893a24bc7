"""The content of a data file, with types: JSON as `pack` writes it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Data: TypeAlias = "Mapping[str, object]"


class DataError(Exception):
    """A data file is not one, or not of this program's edition."""


def content(script: str) -> Data:
    """The data in a file that `pack.script` wrote; raises `DataError`."""
    start, end = script.find("{"), script.rfind("}")
    try:
        found: object = json.loads(script[start : end + 1])
    except ValueError as error:
        raise DataError("it is no data of a search") from error
    if not isinstance(found, dict):
        raise DataError("it is no data of a search")
    return found


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise DataError("a list is missing")
    return value


def texts(data: Data, key: str) -> tuple[str, ...]:
    """The texts of the list `key`."""
    return tuple([str(one) for one in _list(data.get(key))])


def integers(data: Data, key: str) -> tuple[int, ...]:
    """The numbers of the list `key`."""
    return tuple([one for one in _list(data.get(key)) if isinstance(one, int)])


def rows_of(data: Data, key: str) -> tuple[Sequence[object], ...]:
    """The lists of the list `key`."""
    return tuple([_list(one) for one in _list(data.get(key))])


def text_of(row: Sequence[object], at: int) -> str:
    """The text at `at` in a list."""
    return str(row[at])


def mapping(data: Data, key: str) -> Data:
    """The object `key`."""
    value = data.get(key)
    if not isinstance(value, dict):
        raise DataError(f"'{key}' is missing")
    return value
