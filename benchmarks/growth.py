"""How time, memory and counted operations grow with the text: generated manuals of many lengths."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import generated_texts
from budget import TABLE_HEADER, Budget
from operation_count import count_operations
from processes import DCONV, run

from dconv.cli.commands import main

LENGTHS = (10_000, 33_000, 100_000)
ALL_LENGTHS = (*LENGTHS, 330_000, 1_000_000)
MAX_GROWTH = 1.3  # how much more a line may take in the longest text than in the shortest


@dataclass(frozen=True, slots=True)
class Row:
    """What `dconv convert` took for a text of `lines` lines; `operations` are 0 if not counted."""

    lines: int
    cpu: float
    memory: int
    operations: int

    def __str__(self) -> str:
        operations = " | "
        if self.operations:
            operations = f"{self.operations:,} | {self.operations / self.lines:,.0f}"
        memory = f"{self.memory / 1e6:,.0f} MB | {self.memory / self.lines / 1e3:,.1f} kB"
        return (
            f"| {self.lines:,} | {self.cpu:,.2f} s | {self.cpu / self.lines * 1e6:,.0f} µs "
            f"| {operations} | {memory} |"
        )


def growth(lengths: Sequence[int], count: bool, runs: int, folder: Path) -> Iterator[str | Budget]:
    """The table, row by row, and its budgets; operations are counted if `count`."""
    yield "| lines | CPU | per line | operations | per line | memory | per line |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    rows: list[Row] = []
    for lines in sorted(lengths):
        rows.append(_row(lines, count, runs, folder))
        yield str(rows[-1])
    first, last = rows[0], rows[-1]
    comparison = f"{last.lines:,} lines against {first.lines:,}"
    yield ""
    yield TABLE_HEADER
    ratio = last.cpu * first.lines / (first.cpu * last.lines)
    yield Budget(f"{comparison}: CPU of a line", MAX_GROWTH, ratio, "times")
    if count:
        ratio = last.operations * first.lines / (first.operations * last.lines)
        yield Budget(f"{comparison}: operations of a line", MAX_GROWTH, ratio, "times")


def _row(lines: int, count: bool, runs: int, folder: Path) -> Row:
    file = folder / f"lines-{lines}.txt"
    file.write_text(generated_texts.manual(lines), "utf-8")
    command = [*DCONV, "convert", str(file), "-o", str(folder / "grown")]
    runs_of_text = [
        run(command, folder / f"cache-{lines}-{number}", all_processes=True)
        for number in range(1 if lines > max(LENGTHS) else max(2, runs))
    ]
    quickest = min(runs_of_text, key=lambda usage: usage.cpu)
    memory = max(usage.memory for usage in runs_of_text)
    return Row(lines, quickest.cpu, memory, _operations(file, folder) if count else 0)


def _operations(file: Path, folder: Path) -> int:
    """What `dconv convert` runs in this process, printing nothing."""
    arguments = ["--quiet", "convert", str(file), "-o", str(folder / "counted")]
    small = folder / "small.txt"
    small.write_text(generated_texts.manual(300), "utf-8")  # once before, so that all is imported
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main(["--quiet", "convert", str(small), "-o", str(folder / "counted")])
        return count_operations(lambda: main(arguments))
