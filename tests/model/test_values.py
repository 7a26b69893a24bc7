"""Values behave as frozen dataclasses of Python do, but for assignments at run time."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from dconv.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Lamp:
    """A value with fields of all sorts."""

    name: str
    watts: int = 40
    place: str = dataclasses.field(default="", compare=False)
    colour: str = dataclasses.field(default="white", repr=False, hash=False)


@dataclass(frozen=True, slots=True)
class Socket:
    """A value with one field."""

    name: str


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """A value that can be sorted."""

    major: int
    minor: int


LAMP = Lamp("desk", 60, "office")


def test_values_are_equal_by_the_fields_that_count() -> None:
    assert Lamp("desk", 60, "office") == Lamp("desk", 60, "attic")
    assert Lamp("desk", 60) != Lamp("desk", 40)
    assert Lamp("desk", colour="red") != Lamp("desk")
    other: Any = Lamp("desk").name
    assert Socket("desk") == Socket("desk") != Socket("wall") != other
    assert Lamp("desk") != other


def test_equal_values_have_one_hash() -> None:
    assert len({Lamp("desk", 60, "office"), Lamp("desk", 60, "attic"), Socket("desk")}) == 2
    assert hash(Lamp("desk", colour="red")) == hash(Lamp("desk"))
    assert hash(Version(1, 2)) == hash(Version(1, 2))


def test_a_value_is_shown_as_python_shows_it() -> None:
    assert repr(LAMP) == "Lamp(name='desk', watts=60, place='office')"
    assert repr(Socket("wall")) == "Socket(name='wall')"


def test_values_are_replaced_matched_sorted_and_sent() -> None:
    assert dataclasses.replace(LAMP, watts=25) == Lamp("desk", 25)
    match LAMP:
        case Lamp(name, watts):
            assert (name, watts) == ("desk", 60)
    assert sorted([Version(1, 10), Version(1, 2)])[0] == Version(1, 2)
    for again in (pickle.loads(pickle.dumps(LAMP)), copy.deepcopy(LAMP)):
        assert (again, again.place) == (LAMP, "office")


def test_other_attributes_are_refused() -> None:
    with pytest.raises(AttributeError):
        LAMP.size = 3  # type: ignore[attr-defined]
