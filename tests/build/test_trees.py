"""Trees are the same after they were pickled, whatever their lines were read from."""

from __future__ import annotations

import pytest
from format_examples import SPECS, content, product

from dconv.build.read import read_manual
from dconv.build.trees import pack_trees, unpack_trees


@pytest.mark.parametrize(("name", "texts"), [
    ("lamp.txt", [content(spec) for spec in SPECS if spec.form == "escaped"]),
    ("lamp.txt", ["1. L\u00e4mp\n-------\n\nOil.\n".encode(c) for c in ("utf-16", "latin-1")]),
    ("lamp.rst", [b"Lamp\n====\n\nSee :ref:`wick`.\n\n.. image:: wick.png\n"]),
])
def test_trees_are_unpacked_as_they_were(name: str, texts: list[bytes]) -> None:
    manuals = [read_manual(text, name, product(""), "lamp") for text in texts]
    assert list(unpack_trees(pack_trees(manuals))) == manuals
