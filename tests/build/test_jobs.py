"""The desk of a worker, what it keeps of what it read; and how files are told."""

from __future__ import annotations

from functools import partial

import pytest

from dconv.build import jobs
from dconv.build.jobs import Desk, Files, Make, Prepare
from dconv.build.read import read_texts
from dconv.build.workers import unheard
from dconv.model.origin import Origin
from dconv.settings import DocumentSetting, plain_product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages import Edition
from dconv.writers.theme.theme import load


def release(version: str) -> ReleaseTexts:
    """One with two texts; all have the same size."""
    texts = tuple(
        SourceText(
            f"1. Of {name} {version}\n-----------\n\nlight <time>\n\tIts\ttime.\r\n\n".encode(),
            f"{version}/{name}.txt", plain_product(),
            DocumentSetting(name, f"{name}.txt", name, ""), Origin("a folder"),
        )
        for name in ("lamp", "bulb")
    )
    return ReleaseTexts("tools", "Tools", version, "", texts)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is really read, in order; there is room for two releases."""
    found: list[str] = []

    def noted(texts: ReleaseTexts) -> object:
        found.append(texts.version)
        return read_texts(texts)

    size = sum(len(text.content) for text in release("1").texts)
    monkeypatch.setattr(jobs, "KEPT", 2 * size)
    monkeypatch.setattr(jobs, "read_texts", noted)
    return found


def test_what_is_read_first_is_at_hand(read: list[str]) -> None:
    desk = Desk()
    for version in "1231231":
        assert desk.read(release(version)) == read_texts(release(version))
    assert read == [*"123", "3"]


def test_what_is_forgotten_makes_room(read: list[str]) -> None:
    desk = Desk()
    for version in "123":
        desk.read(release(version))
    desk.forget(release("1"))
    for version in "3231":
        desk.read(release(version))
    assert read == [*"123", "3", "1"]


def test_one_release_is_at_hand_however_large(
    read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "KEPT", 1)
    desk = Desk()
    for version in "1212":
        desk.read(release(version))
    assert read == [*"12", "2"]
    desk.forget(release("1"))
    for version in "2121":
        desk.read(release(version))
    assert read == [*"12", "2", "2", "1", "1"]


def test_a_new_site_begins_with_an_empty_desk(read: list[str]) -> None:
    desk = Desk()
    for _ in range(2):
        for version in "123":
            desk.read(release(version))
        Prepare(partial(load, "default")).run(desk, unheard)
    assert read == [*"123", *"123"]
    desk.read(release("1"))
    desk.read(release("1"))
    assert read == [*"123", *"123", "1"]


@pytest.mark.parametrize("bundle", [1, 5_000, 10_000_000])
def test_files_are_told_in_order_some_at_a_time(
    bundle: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BUNDLE", bundle)
    desk = Desk(load("default"))
    told: list[object] = []
    make = Make(0, release("1"), Edition("Tests", "dconv"), "", ("tools/1",))
    made = make.run(desk, told.append)
    bundles = [one.files for one in told if isinstance(one, Files)]
    assert [path for some in bundles for path, _ in some] == [path for path, _ in made.digests]
    assert made.release.files == ()
    for some in bundles[:-1]:
        *_, (_, last) = some
        size = sum(len(content) for _, content in some)
        assert size - len(last) < bundle <= size
    assert len(bundles) == {1: len(made.digests), 10_000_000: 1}.get(bundle, len(bundles))
