"""The files of all releases: what somebody waits for is begun before anything else is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from dconv.build.cache_api import Others
from dconv.build.jobs import Desk, Made, Make, Prepare
from dconv.build.schedule import Assembly
from dconv.build.workers import Workers
from dconv.model.origin import Origin
from dconv.settings import DocumentSetting, plain_product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages import Edition
from dconv.writers.theme.theme import load

EDITION = Edition("Tests", "dconv")
VERSIONS = ("3", "2", "1")


@dataclass(slots=True)
class Kept:
    """Remembers by version what came of releases, whose only file is its page.

    What came of one is not there before `rested` comes back.
    """

    rested: Callable[[], None]
    texts: dict[str, bytes] = field(default_factory=dict)
    results: dict[str, Made] = field(default_factory=dict)

    def known(self, texts: ReleaseTexts) -> bytes | None:
        return self.texts.get(texts.version)

    def note_known(self, texts: ReleaseTexts, text: bytes) -> None:
        self.texts[texts.version] = text

    def made(self, make: Make, others: Others) -> Made | None:
        self.rested()
        return self.results.get(make.texts.version)

    def note_made(self, make: Make, others: Others, made: Made) -> None:
        files = ((f"kept/{make.texts.version}.html", b"page"),)
        self.results[make.texts.version] = replace(
            made, release=replace(made.release, files=files)
        )


def release(version: str) -> ReleaseTexts:
    """One of a text, which is the longer the newer it is."""
    content = f"1. Of {version}\n-------\n\n{'light ' * int(version)}\n".encode()
    setting = DocumentSetting("lamp", "lamp.txt", "lamp", "")
    text = SourceText(content, "lamp.txt", plain_product(), setting, Origin("a folder"))
    return ReleaseTexts("tools", "Tools", version, "", (text,))


def test_the_only_change_of_a_preview_is_begun_before_all_kept_files_are_told() -> None:
    releases = [release(version) for version in VERSIONS]
    steps: list[str] = []
    with Workers(2, Desk) as workers:
        def rested() -> None:
            """Wait until each worker has something to tell, or nothing to do."""
            assert all(one.pipe.poll(60) for one in workers._workers if one.task is not None)

        memory = Kept(rested)

        def files(show: bool) -> list[str]:
            steps.clear()
            workers.each(Prepare(partial(load, "default")))
            made = Assembly(
                releases, EDITION, workers, steps.append, memory,
                (lambda pages: None) if show else None,
            )
            made.read()
            for path, _ in made.files(lambda done: None):
                steps.append(path)
            return steps

        first = files(show=False)
        assert not any(step.startswith("kept/") for step in first)
        del memory.texts["1"], memory.results["1"]  # the smallest one: it was saved
        again = files(show=True)
    kept = ["kept/3.html", "kept/2.html"]
    assert [step for step in again if step in kept] == kept
    assert again.index("Tools 1: making its pages") < again.index("kept/2.html")
    assert {step for step in again if step.endswith("html") and step not in kept} == {
        step for step in first if step.startswith("tools/1/") and step.endswith("html")
    }
