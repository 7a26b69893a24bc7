"""The scope of a reference or an example: where it is, and which names there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dconv.linking.symbols import Symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import Entry


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a reference is: names of the same document and entry are preferred.

    `section` is the anchor of its section; `listed` is true in a "See also", where every quoted
    word is a name.  `placeholders` maps those of the entry to their anchors, `own` those of the
    current definition.
    """

    document: str
    entry: Entry | None
    symbols: Symbols
    dialect: Dialect
    section: str = ""
    listed: bool = False
    placeholders: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
