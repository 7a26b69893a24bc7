"""The table of releases: statuses, days and ends."""

from __future__ import annotations

import re

from dconv.model.lifecycle import PERIOD, ReleaseRecord, ReleaseStatus, last_day
from dconv.settings.parts import check_distinct, read_name
from dconv.settings.toml import Table, suggestion

STATUSES = ("development", "stable", "long-term", "end of life")
# "2026-06-03"
DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")


def read_releases(file: Table) -> tuple[ReleaseRecord, ...]:
    """The lines of the key `release` of a `manual.toml`."""
    tables = [item.known("version", "status", "date", "end") for item in file.tables("release")]
    found = tuple([_record(item) for item in tables])
    check_distinct(file, "release", [record.version for record in found])
    return found


def _record(table: Table) -> ReleaseRecord:
    end = table.text("end", "")
    if end and not PERIOD.fullmatch(end):
        raise table.error(
            f"has an 'end' that is no date: '{end}'; write 2031, 2031-Q2, 2031-06 or 2031-06-30"
        )
    status = read_status(table) or "stable"
    date = read_day(table, "date")
    if end and last_day(end) < date:
        raise table.error(f"ends before it began: 'end' is {end}, 'date' {date}; correct one")
    return ReleaseRecord(read_name(table, "version"), status, date, end)


def read_day(table: Table, key: str) -> str:
    """The day of `key`, or empty; raises `SettingsError` where it is none."""
    day = table.text(key, "")
    if day and not DAY.fullmatch(day):
        raise table.error(f"has a '{key}' that is no day: '{day}'; write it as 2026-06-03")
    return day


def read_status(table: Table) -> ReleaseStatus | None:
    """The status of a release, None where the key is absent."""
    match table.text("status", ""):
        case "":
            return None
        case ("development" | "stable" | "long-term" | "end of life") as status:
            return status
        case other:
            raise table.error(f"has an unknown status '{other}'; {suggestion(other, STATUSES)}")
