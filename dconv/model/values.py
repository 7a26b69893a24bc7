"""A faster `dataclasses.dataclass`.

`frozen` is checked by mypy alone, which sees the decorator of Python: checks at run time would
double the time to make a value, and a build makes a million of them.  `__repr__` and comparison
are not compiled for each class: there are 300, and Python would compile them at each start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    from operator import attrgetter

    def dataclass(cls=None, *, frozen=False, slots=False, order=False):
        """As `dataclasses.dataclass`; a `frozen` class is hashable, but is not guarded."""
        if cls is not None:
            return dataclasses.dataclass(cls)
        if not frozen or order:
            return dataclasses.dataclass(slots=slots, order=order, unsafe_hash=frozen)
        return lambda cls: _value_class(cls, slots)

    def _value_class(cls, slots):
        own = vars(cls)
        cls = dataclasses.dataclass(cls, slots=slots, eq=False, repr=False)
        fields = dataclasses.fields(cls)
        compared_values = _getter([field.name for field in fields if field.compare])
        hashed_values = _getter([
            field.name for field in fields
            if (field.compare if field.hash is None else field.hash)
        ])

        def equal(self, other):
            if other.__class__ is self.__class__:
                return compared_values(self) == compared_values(other)
            return NotImplemented

        def hash_value(self):
            return hash(hashed_values(self))

        methods = {"__eq__": equal, "__hash__": hash_value, "__repr__": _repr}
        for name, method in methods.items():
            if name not in own:
                setattr(cls, name, method)
        return cls

    def _getter(names):
        """A function that returns the values of the fields `names` as a tuple."""
        if len(names) > 1:
            return attrgetter(*names)
        return lambda value: tuple([getattr(value, name) for name in names])

    def _repr(self):
        """`Point(x=1, y=2)`."""
        fields = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in dataclasses.fields(self) if field.repr
        ]
        return f"{type(self).__qualname__}({', '.join(fields)})"
