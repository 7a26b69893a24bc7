"""The lifetime of releases: the table of releases, and the status of one on a date.

The date is an argument: nothing here reads a clock.  Dates are ISO 8601 texts (`2026-06-03`),
which sort as texts; the end of a release may be less exact: `2031`, `2031-Q2`, `2031-06`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Literal

from dconv.model.values import dataclass

ReleaseStatus = Literal["development", "stable", "long-term", "end of life"]

DEVELOPMENT: ReleaseStatus = "development"
END_OF_LIFE: ReleaseStatus = "end of life"
LATEST = "latest"  # the folder that always points to the latest release

# "2031", "2031-Q2", "2031-06", "2031-06-30"
PERIOD = re.compile(r"(\d{4})(?:-(?:Q([1-4])|(\d\d)(?:-(\d\d))?))?")
# the date in a manual's header: "2026/06/03", "2026-06-03"
DATE = re.compile(r"\b(\d{4})[/-](\d\d)[/-](\d\d)\b")
# "3.5-dev5", "4.0rc1": versions that are not released yet
UNRELEASED = re.compile(r"(?i)[-.~]?(?:dev|alpha|beta|pre|rc)[-.]?\d*$")
NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ReleaseRecord:
    """A line of the table: the date of the first release, the end of maintenance as announced."""

    version: str
    status: ReleaseStatus
    date: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Lifetime:
    """The lifetime of a release on a date; all fields may be empty.

    `status` is the word for readers, `date` that of the first release, `end` the end of
    its maintenance.
    """

    status: ReleaseStatus | Literal[""] = ""
    date: str = ""
    end: str = ""

    @property
    def released(self) -> bool:
        """Whether it is not a development version, so that it may be the latest release."""
        return self.status != DEVELOPMENT


def lifetime(
    records: Iterable[ReleaseRecord], version: str, status: ReleaseStatus | Literal[""], date: str
) -> Lifetime:
    """The lifetime of `version` on `date`; a `status` that is not empty overrides `records`.

    A version without a record has that of its first numbers (`2.6.12`, `2.6`), unless it
    looks like a development version.
    """
    record = _record(records, version)
    if record is None:
        return Lifetime(status or (DEVELOPMENT if UNRELEASED.search(version) else ""))
    if not status and record.end and date > last_day(record.end):
        status = END_OF_LIFE
    return Lifetime(status or record.status, record.date, record.end)


def _record(records: Iterable[ReleaseRecord], version: str) -> ReleaseRecord | None:
    matches = [
        record for record in records
        if version == record.version
        or (version.startswith(f"{record.version}.") and not UNRELEASED.search(version))
    ]
    return max(matches, key=lambda record: len(record.version), default=None)


def last_day(period: str) -> str:
    """The last day of `period` (ISO 8601), or a text that sorts after all of its days."""
    match = PERIOD.fullmatch(period)
    if match is None:
        return period
    year, quarter, month, day = match.groups()
    if quarter:
        month = f"{3 * int(quarter):02}"
    return f"{year}-{month or '12'}-{day or '31'}"


def date_in(text: str) -> str:
    """The first date in `text` (`2026/06/03`) as `2026-06-03`, or empty."""
    for match in DATE.finditer(text):
        with suppress(ValueError):  # "2026/13/45"
            return datetime.date.fromisoformat("-".join(match.groups())).isoformat()
    return ""


def newest_first(versions: Sequence[str]) -> list[int]:
    """The indexes of `versions`, the newest version first.

    Versions are sorted by their numbers, development versions before their release.  If one
    does not begin with a digit, all keep their order.
    """
    indexes = list(range(len(versions)))
    if not all(version[:1].isdigit() for version in versions):
        return indexes
    return sorted(indexes, key=lambda index: _sort_key(versions[index]), reverse=True)


def _sort_key(version: str) -> tuple[list[int], bool, list[int]]:
    """A key to sort by: the numbers, then whether it is released, then further numbers."""
    stem = UNRELEASED.sub("", version)
    rest = version[len(stem) :]
    numbers, further_numbers = (list(map(int, NUMBERS.findall(text))) for text in (stem, rest))
    return numbers, not rest, further_numbers
