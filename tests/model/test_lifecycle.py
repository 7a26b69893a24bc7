"""The lifetime of releases, and the order of versions."""

from __future__ import annotations

from typing import Literal

import pytest

from dconv.model.lifecycle import (
    Lifetime,
    ReleaseRecord,
    ReleaseStatus,
    last_day,
    lifetime,
    newest_first,
)

RECORDS = (
    ReleaseRecord("3.0", "long-term", "2024-05-01", "2029"),
    ReleaseRecord("2.2", "stable", "2022-05-01", "2025-Q1"),
    ReleaseRecord("2.0", "long-term", "2020-05-01", "2024-03"),
)


@pytest.mark.parametrize(
    ("version", "setting", "day", "status"),
    [
        ("2.0", "", "2024-03-31", "long-term"),
        ("2.0", "", "2024-04-01", "end of life"),
        ("2.0.7", "", "2024-04-01", "end of life"),
        ("2.0", "stable", "2024-04-01", "stable"),
        ("2.0", "", "", "long-term"),
        ("2.2", "", "2025-03-31", "stable"),
        ("2.2", "", "2025-04-01", "end of life"),
        ("2.2-dev3", "", "2025-04-01", "development"),
        ("2.2.1-rc1", "", "2025-04-01", "development"),
        ("3.0", "", "2029-12-31", "long-term"),
        ("3.0", "", "2030-01-01", "end of life"),
        ("2.20", "", "2030-01-01", ""),
        ("jammy", "", "2030-01-01", ""),
        ("9.9", "long-term", "2030-01-01", "long-term"),
    ],
)
def test_lifetimes(
    version: str, setting: ReleaseStatus | Literal[""], day: str, status: str
) -> None:
    assert lifetime(RECORDS, version, setting, day).status == status


def test_ends_of_periods() -> None:
    periods = ["2031", "2031-Q2", "2031-06", "2031-06-30", "some day"]
    assert [last_day(period) for period in periods] == [
        "2031-12-31", "2031-06-31", "2031-06-31", "2031-06-30", "some day",
    ]
    assert Lifetime("development").released is False
    assert Lifetime("").released is True


@pytest.mark.parametrize(
    ("versions", "order"),
    [
        (["1.9", "1.10", "2.0"], ["2.0", "1.10", "1.9"]),
        (["3.5-dev5", "3.5", "3.5-dev12", "3.4.1"], ["3.5", "3.5-dev12", "3.5-dev5", "3.4.1"]),
        (["buster", "2.0", "3.0"], ["buster", "2.0", "3.0"]),
        ([], []),
    ],
)
def test_order_of_versions(versions: list[str], order: list[str]) -> None:
    assert [versions[place] for place in newest_first(versions)] == order
