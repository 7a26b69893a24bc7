"""The scope of a reference or an example: where it is, and which names there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from dconv.linking.symbols import Symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import Entry
from dconv.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a reference is: names of the same document and entry are preferred.

    `section` is the anchor of its section; `in_see_also` is true in a "See also", where every
    quoted word is a name.  `placeholders` maps those of the entry to their anchors,
    `definition_placeholders` those of the current definition.
    """

    document: str
    entry: Entry | None
    symbols: Symbols
    dialect: Dialect
    section: str = ""
    in_see_also: bool = False
    placeholders: Mapping[str, str] = field(default_factory=dict)
    definition_placeholders: Mapping[str, str] = field(default_factory=dict)
