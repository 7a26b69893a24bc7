"""Frozen dataclasses to JSON and back, for the build cache.

A dataclass becomes the list of its fields, a mapping the list of its pairs.  Reading checks
the data against the annotated types of the fields.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

Json: TypeAlias = "bool | int | str | list[Json] | None"
Reader: TypeAlias = Callable[[object], object]

T = TypeVar("T")


def to_json(value: object) -> Json:
    """`value` as JSON; raises `TypeError` if JSON has no form for it."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if isinstance(value, frozenset):
        return [to_json(item) for item in sorted(value)]
    if isinstance(value, Mapping):
        return [[to_json(key), to_json(item)] for key, item in value.items()]
    if is_dataclass(value):
        return [to_json(getattr(value, name)) for name in _init_fields(_hashable(type(value)))]
    raise TypeError(f"a {type(value).__name__} has no form in JSON")


def from_json(kind: type[T], data: object) -> T:
    """`data` as a value of the type `kind`; raises `ValueError` if it is not."""
    value = _reader(_hashable(kind))(data)
    assert isinstance(value, kind)
    return value


def dumps(value: object) -> bytes:
    """`value` as JSON text; equal values have equal texts."""
    return json.dumps(to_json(value), separators=(",", ":")).encode()


def loads(text: bytes | None, kind: type[T]) -> T | None:
    """The JSON `text` as a value of the type `kind`; None if it is not."""
    if text is None:
        return None
    try:
        return from_json(kind, json.loads(text))
    except (ValueError, RecursionError):
        return None


def _hashable(kind: object) -> Hashable:
    """`kind` itself; mypy does not know that a dataclass as a type is hashable."""
    assert isinstance(kind, Hashable)
    return kind


@cache
def _init_fields(kind: Hashable) -> tuple[str, ...]:
    """The fields of the dataclass `kind` that its constructor takes."""
    assert isinstance(kind, type)
    return tuple([field.name for field in fields(kind) if field.init])


@cache
def _reader(kind: Hashable) -> Reader:
    """The reader of values of the type `kind`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return _tuple_reader([hints[name] for name in _init_fields(kind)], kind)
    if origin is tuple and arguments[1:] == (...,):
        return _list_reader(_reader(arguments[0]), tuple)
    if origin is tuple:
        return _tuple_reader(arguments, lambda *items: items)
    if origin is frozenset:
        return _list_reader(_reader(arguments[0]), frozenset)
    if origin is Mapping:
        return _list_reader(_tuple_reader(arguments, lambda *items: items), dict)
    if origin is Literal:
        return _literal_reader(arguments)
    if origin in (Union, types.UnionType):
        return _union_reader([_reader(argument) for argument in arguments])
    # JSON has no bytes: only an empty sequence of them can be read
    if isinstance(kind, type) and kind in (str, int, bool, bytes, types.NoneType):
        return _scalar_reader(kind)
    raise TypeError(f"{kind} has no form in JSON")


def _tuple_reader(kinds: Sequence[Hashable], make: Callable[..., object]) -> Reader:
    readers = [_reader(kind) for kind in kinds]

    def read(data: object) -> object:
        if not isinstance(data, list) or len(data) != len(readers):
            raise ValueError("wrong number of values")
        return make(*[reader(item) for reader, item in zip(readers, data, strict=True)])

    return read


def _list_reader(reader: Reader, make: Callable[..., object]) -> Reader:
    def read(data: object) -> object:
        if not isinstance(data, list):
            raise ValueError("not a list")
        return make([reader(item) for item in data])

    return read


def _literal_reader(values: tuple[object, ...]) -> Reader:
    def read(data: object) -> object:
        if data not in values:
            raise ValueError(f"none of {values}")
        return data

    return read


def _union_reader(readers: list[Reader]) -> Reader:
    def read(data: object) -> object:
        for reader in readers:
            try:
                return reader(data)
            except ValueError:
                continue
        raise ValueError("none of the types")

    return read


def _scalar_reader(kind: type) -> Reader:
    def read(data: object) -> object:
        if type(data) is not kind:
            raise ValueError(f"not {kind.__name__}")
        return data

    return read
