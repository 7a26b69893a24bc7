"""A site to build, as a command asks for it."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from dconv.model.values import dataclass
from dconv.settings.types import ThemeOptions
from dconv.sources.texts import ReleaseTexts


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """The releases of a site, the settings of its pages, and where to write it.

    `missing` are the names of releases that could not be fetched, which is not a failure of a
    `partial` site.  A theme that is named without a folder may lie in `themes_folder`.  `url` is
    the public address, or empty; `date`, or today, decides which releases are supported.  `latest`
    adds addresses of the latest release, `lunr` an index for Lunr.js, `compress` compressed copies
    of files, `changes` a page of what each release changed, `exports` its documents in other
    formats.  `jobs` is the number of processes, `executor` the address of what runs the jobs
    instead, or empty; `cache` is the folder of results of earlier builds.
    """

    releases: tuple[ReleaseTexts, ...]
    title: str
    theme: str
    output: Path
    url: str = ""
    date: str = ""
    latest: bool = False
    lunr: bool = False
    themes_folder: Path | None = None
    missing: tuple[str, ...] = ()
    partial: bool = False
    theme_options: ThemeOptions = field(default_factory=ThemeOptions)
    compress: bool = False
    changes: bool = False
    exports: tuple[str, ...] = ()
    jobs: int = 1
    executor: str = ""
    cache: Path | None = None

    @property
    def missing_required(self) -> tuple[str, ...]:
        """The names of missing releases that make the build fail."""
        return () if self.partial else self.missing
