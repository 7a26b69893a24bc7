"""One row of a table of figures, with the bound it is held to."""

from __future__ import annotations

from dataclasses import dataclass

TABLE_HEADER = "| figure | at most | measured | unit | kept |\n| --- | ---: | ---: | --- | --- |"
PRECISE_UNITS = ("s", "times")  # units whose hundredths matter


@dataclass(frozen=True, slots=True)
class Budget:
    """A `measured` value in `unit`, and its `limit` if there is one."""

    name: str
    limit: float | None
    measured: float
    unit: str

    @property
    def within(self) -> bool:
        """Whether the value is within the limit."""
        return self.limit is None or self.measured <= self.limit

    def __str__(self) -> str:
        if self.limit is None:
            return f"| {self.name} | | {self._formatted} | {self.unit} | |"
        mark = "yes" if self.within else "**no**"
        return f"| {self.name} | {self.limit:,g} | {self._formatted} | {self.unit} | {mark} |"

    @property
    def _formatted(self) -> str:
        if self.unit in PRECISE_UNITS:
            return f"{self.measured:,.2f}"
        small = self.unit == "" and self.limit is not None and self.limit < 1
        digits = 3 if small else 1 if self.measured < 100 else 0
        return f"{self.measured:,.{digits}f}".removesuffix(".0")
