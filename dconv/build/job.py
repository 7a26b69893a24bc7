"""A site to make, as a command asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dconv.settings import Look
from dconv.sources.texts import ReleaseTexts


@dataclass(frozen=True, slots=True)
class Job:
    """Releases to make a site of, what all its pages say, and where it goes.

    `missing` are the names of releases that could not be had, which does not count where the
    user is content with a `partial` site; `base` is where a theme may lie that is named
    without a folder; `compress` asks for compressed copies of texts, `changes` for a
    page of what each release changed; `jobs` is how many processes may work; `cache` is the
    folder of results of earlier builds, or None; a `passing` site is gone when the program
    is, so that it need not get to the disk.
    """

    releases: tuple[ReleaseTexts, ...]
    title: str
    theme: str
    output: Path
    url: str = ""
    day: str = ""
    latest: bool = False
    lunr: bool = False
    base: Path | None = None
    missing: tuple[str, ...] = ()
    partial: bool = False
    look: Look = field(default_factory=Look)
    compress: bool = False
    changes: bool = False
    jobs: int = 1
    cache: Path | None = None
    passing: bool = False

    @property
    def lacking(self) -> tuple[str, ...]:
        """The names of the releases that the user misses."""
        return () if self.partial else self.missing
