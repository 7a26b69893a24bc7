"""Where a reference stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dconv.linking.symbols import Symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import Entry


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reference stands: it prefers what is near."""

    document: str
    entry: Entry | None
    symbols: Symbols
    dialect: Dialect
    section: str = ""  # its anchor
    listed: bool = False  # in a "See also", where every quoted word is a name
    placeholders: Mapping[str, str] = field(default_factory=dict)  # of the entry, to their anchors
    own: Mapping[str, str] = field(default_factory=dict)  # of the definition at hand, the same
