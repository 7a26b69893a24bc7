"""One row of a table of figures, with the bound it is held to."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = "| figure | at most | found | unit | kept |\n| --- | ---: | ---: | --- | --- |"
FINE = ("s", "times")  # units whose hundredths matter


@dataclass(frozen=True, slots=True)
class Budget:
    """What was `found`, in `unit`, and its `limit`, if it has one."""

    name: str
    limit: float | None
    found: float
    unit: str

    @property
    def kept(self) -> bool:
        """Whether what was found is within the limit."""
        return self.limit is None or self.found <= self.limit

    def __str__(self) -> str:
        if self.limit is None:
            return f"| {self.name} | | {self._written} | {self.unit} | |"
        mark = "yes" if self.kept else "**no**"
        return f"| {self.name} | {self.limit:,g} | {self._written} | {self.unit} | {mark} |"

    @property
    def _written(self) -> str:
        if self.unit in FINE:
            return f"{self.found:,.2f}"
        small = self.unit == "" and self.limit is not None and self.limit < 1
        digits = 3 if small else 1 if self.found < 100 else 0
        return f"{self.found:,.{digits}f}".removesuffix(".0")
