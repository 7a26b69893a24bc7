"""The styles of tables."""

from __future__ import annotations

from dconv.region import Rule

TABLES: tuple[Rule, ...] = ()
