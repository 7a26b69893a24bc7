"""How long a release lives: the table of releases, and what it says on a given day.

The day is an argument: nothing here asks a clock.  Days are ISO 8601 texts
(`2026-06-03`), which compare as texts; the end of a release may be less exact, as
projects announce it: `2031`, `2031-Q2`, `2031-06`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

ReleaseStatus = Literal["development", "stable", "long-term", "end of life"]

DEVELOPMENT: ReleaseStatus = "development"
OVER: ReleaseStatus = "end of life"
LATEST = "latest"  # the folder that always leads to the latest release

# "2031", "2031-Q2", "2031-06", "2031-06-30"
PERIOD = re.compile(r"(\d{4})(?:-(?:Q([1-4])|(\d\d)(?:-(\d\d))?))?")
# the day in a manual's header: "2026/06/03", "2026-06-03"
DAY = re.compile(r"\b(\d{4})[/-](\d\d)[/-](\d\d)\b")
# "3.5-dev5", "4.0rc1": versions that are not released yet
UNRELEASED = re.compile(r"(?i)[-.~]?(?:dev|alpha|beta|pre|rc)[-.]?\d*$")
NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ReleaseRecord:
    """A line of the table of releases: the day of the first one, the end as announced."""

    version: str
    status: ReleaseStatus
    date: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Lifetime:
    """What is known of a release on a day; all may be empty.

    `status` is the word for readers, `date` the day of the first release, `end`
    when its maintenance ends or ended.
    """

    status: ReleaseStatus | Literal[""] = ""
    date: str = ""
    end: str = ""

    @property
    def released(self) -> bool:
        """Whether it may be the latest release: it is no development version."""
        return self.status != DEVELOPMENT


def lifetime(
    records: Iterable[ReleaseRecord], version: str, told: ReleaseStatus | Literal[""], day: str
) -> Lifetime:
    """What `records` say of `version` on the `day`; `told` is the status where one is given.

    A version that no line names is that of the line that it begins with (`2.6.12`,
    `2.6`); one that looks like a development version is none of them.
    """
    record = _record(records, version)
    if record is None:
        return Lifetime(told or (DEVELOPMENT if UNRELEASED.search(version) else ""))
    status = told or record.status
    if not told and record.end and day > last_day(record.end):
        status = OVER
    return Lifetime(status, record.date, record.end)


def _record(records: Iterable[ReleaseRecord], version: str) -> ReleaseRecord | None:
    fitting = [
        record for record in records
        if version == record.version
        or (version.startswith(f"{record.version}.") and not UNRELEASED.search(version))
    ]
    return max(fitting, key=lambda record: len(record.version), default=None)


def last_day(period: str) -> str:
    """The last day of `period` as a text that no day of the period is greater than."""
    match = PERIOD.fullmatch(period)
    if match is None:
        return period
    year, quarter, month, day = match.groups()
    if quarter:
        month = f"{3 * int(quarter):02}"
    return f"{year}-{month or '12'}-{day or '31'}"


def day_in(text: str) -> str:
    """The day that `text` tells (`2026/06/03`) as `2026-06-03`, or empty."""
    match = DAY.search(text)
    return "-".join(match.groups()) if match else ""


def newest_first(versions: Sequence[str]) -> list[int]:
    """The places of `versions` in order, the newest version first.

    Versions that begin with a digit go by their numbers, with development versions
    before the release; where one does not, all stay in the order that they have.
    """
    places = list(range(len(versions)))
    if not all(version[:1].isdigit() for version in versions):
        return places
    return sorted(places, key=lambda place: _rank(versions[place]), reverse=True)


def _rank(version: str) -> tuple[list[int], bool, list[int]]:
    """Sorts by the numbers, then the release behind what came before it."""
    unreleased = UNRELEASED.search(version)
    stem = version[: unreleased.start()] if unreleased else version
    rest = version[unreleased.start() :] if unreleased else ""
    return _numbers(stem), not unreleased, _numbers(rest)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in NUMBERS.findall(text)]
