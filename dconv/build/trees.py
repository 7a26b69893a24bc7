"""Pickle trees, for the process that builds the site and for other machines.

Pickle looks up the fields of a dataclass with slots for each object.  Our table of functions that
return them reduces the time to 40 %, and that of building a whole shelf by a twentieth.  Lines are
read again from their bytes, which takes a quarter of the time of pickling and unpickling them.
"""

from __future__ import annotations

import io
import pickle
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from operator import attrgetter
from types import ModuleType
from typing import TypeAlias

from dconv.model import diagnostics, source, tree
from dconv.model.tree import Manual

Reduced: TypeAlias = "tuple[Callable[..., object], tuple[object, ...]]"
Reducer: TypeAlias = Callable[[object], Reduced]

COMPRESSION_LEVEL = 1  # a fourth of the size in an eighth of the time of pickling
NO_COMPRESSION = 0  # of trees that are in memory for a short time


def pack_trees(manuals: Sequence[Manual], compression_level: int = COMPRESSION_LEVEL) -> bytes:
    """`manuals`, pickled and compressed."""
    content = io.BytesIO()
    pickler = pickle.Pickler(content, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _reducers()
    pickler.dump(tuple(manuals))
    return zlib.compress(content.getvalue(), compression_level)


def unpack_trees(content: bytes) -> tuple[Manual, ...]:
    """The manuals in `content`, which must come from `pack_trees`: unpickling can run code."""
    manuals: tuple[Manual, ...] = pickle.loads(zlib.decompress(content))
    return manuals


@cache
def _reducers() -> Mapping[type, Reducer]:
    """For each class of the tree the function that reduces an object to its class and fields."""
    modules: tuple[ModuleType, ...] = (tree, source, diagnostics)
    classes = {
        kind for module in modules for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind)
    }
    reducers = {
        kind: _reducer(kind, [field.name for field in fields(kind)])
        for kind in classes if all(field.init for field in fields(kind))
    }
    reducers[source.Source] = partial(_reduce_source, reducers[source.Source])
    return reducers


def _reducer(kind: type, names: Sequence[str]) -> Reducer:
    if len(names) < 2:  # `attrgetter` returns no tuple
        return lambda value: (kind, tuple([getattr(value, name) for name in names]))
    values = attrgetter(*names)
    return lambda value: (kind, values(value))


def _reduce_source(reduce_fields: Reducer, original: source.Source) -> Reduced:
    """Reduce a source to its bytes, unless its lines cannot be read again from them."""
    if original.unfiltered or original.encoding == "utf-16":
        return reduce_fields(original)
    lines, places = original.file_line_numbers, original.reference_places
    return _source, (b"".join(original.raw), original.path, lines, places)


def _source(
    content: bytes, path: str, line_numbers: tuple[int, ...],
    places: tuple[tuple[str, int, int, str], ...],
) -> source.Source:
    return replace(
        source.read_source(content, path), file_line_numbers=line_numbers, reference_places=places
    )
