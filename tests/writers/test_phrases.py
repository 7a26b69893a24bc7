"""The task phrases of HAProxy's manuals: well formed, and each leads somewhere.

`manuals/haproxy/phrases.toml` is written by hand, from what admins ask; the manuals
change under it.  Its places are looked up in the releases of the corpus.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

from dconv.build.read import read_manual, read_release
from dconv.model.origin import Origin
from dconv.model.tree import sections
from dconv.settings.manual import load_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.names import defined_names
from dconv.writers.search import index_data
from dconv.writers.search import records as search_records
from dconv.writers.search.files import PhraseTargets

FOLDER = resource_folder("manuals") / "haproxy"
COUNT = range(150, 251)  # phrases
MOST_WORDINGS, MOST_PLACES = 24, 5
LONGEST_WORDING = 50  # characters
FIRST = (3, 0)  # the first release that is new enough for nearly all phrases
NEWEST = (3, 4)  # the release that all phrases were written for
SINCE = 2  # phrases of which a release from `FIRST` on may know nothing
# places of older releases alone
OLD = frozenset({
    "proxy keyword/reqrep", "proxy keyword/compression", "configuration#Peers",
    "configuration#Session state at disconnection",
})
# how many phrases ask for what older releases do not have yet
TOO_NEW = {
    (1, 5): 60, (1, 8): 19, (2, 0): 17, (2, 4): 7, (2, 6): 6, (2, 8): 4, (3, 0): 2, (3, 2): 1,
    (3, 4): 0,
}  # fmt: skip
RELEASE = re.compile(r"(\d+)\.(\d+)")
# wordings that mean more than the name which is written alike
ALIKE = frozenset({"health check"})
SEPARATORS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Phrase:
    """One `[[phrase]]` of the file."""

    queries: tuple[str, ...]
    targets: tuple[str, ...]


def phrases() -> tuple[Phrase, ...]:
    """All phrases of the file."""
    rows = tomllib.loads((FOLDER / "phrases.toml").read_text(encoding="utf-8"))["phrase"]
    return tuple(Phrase(tuple(row["queries"]), tuple(row["targets"])) for row in rows)


@lru_cache(maxsize=16)
def places(folder: Path) -> frozenset[str]:
    """All that a phrase may point to in the release of `folder`."""
    product = load_product(FOLDER)
    names: set[str] = set()
    for setting in product.documents:
        path = folder / setting.file
        if path.is_file():
            manual = read_manual(path.read_bytes(), path.name, product, setting.name)
            for listed in defined_names(manual):
                names |= {f"{listed.kind}/{name}" for name in (listed.name, listed.display_name)}
            names |= {f"{setting.name}#{section.title}" for section in sections(manual)}
    return frozenset(names)


def targets(folder: Path) -> PhraseTargets:
    """What the search of the release in `folder` takes the places of phrases for."""
    product = load_product(FOLDER)
    texts = tuple(
        SourceText(
            path.read_bytes(), path.name, product, setting, Origin(setting.name)
        )
        for setting in product.documents
        if (path := folder / setting.file).is_file()
    )
    release = read_release(
        ReleaseTexts("haproxy", "HAProxy", folder.name, "", texts), lambda _: None
    )
    files = {
        document.manual.name: [section.anchor for section in sections(document.manual)]
        for document in release.documents
    }
    pages = search_records.section_pages(release.documents, files)
    all_places = search_records.search_records(release.documents, pages, release.vocabulary)
    table = index_data.release_table(release.documents, pages, all_places, release.vocabulary)
    return PhraseTargets.of(table, release.vocabulary)


def releases(corpus: Path) -> dict[tuple[int, int], Path]:
    """The folders of the releases of `corpus` that are new enough."""
    folders: dict[tuple[int, int], Path] = {}
    for folder in sorted((corpus / "haproxy").iterdir()):
        number = RELEASE.fullmatch(folder.name)
        if number and (int(number[1]), int(number[2])) >= FIRST:
            folders[int(number[1]), int(number[2])] = folder
    return folders


def squashed(text: str) -> str:
    """`text` as search compares names that have other separators."""
    return SEPARATORS.sub("", text.lower())


def test_phrases_are_well_formed() -> None:
    all_phrases = phrases()
    assert len(all_phrases) in COUNT
    for phrase in all_phrases:
        assert 1 <= len(phrase.queries) <= MOST_WORDINGS, phrase
        assert 1 <= len(phrase.targets) <= MOST_PLACES, phrase
        assert len(set(phrase.targets)) == len(phrase.targets), phrase
        for wording in phrase.queries:
            assert wording == " ".join(wording.split()), wording
            assert squashed(wording), phrase
            assert len(wording) <= LONGEST_WORDING, wording
        for target in phrase.targets:
            assert re.fullmatch(r"[^/#]+(?:/\S|#\S).*", target), target


def test_no_wording_stands_twice() -> None:
    wordings = [squashed(wording) for phrase in phrases() for wording in phrase.queries]
    assert sorted({text for text in wordings if wordings.count(text) > 1}) == []


def test_all_phrases_lead_somewhere(corpus: Path) -> None:
    folders = releases(corpus)
    if NEWEST not in folders:
        pytest.skip("this corpus has no release that the phrases were written for")
    there = places(folders[NEWEST])
    assert [
        (phrase.queries[0], target)
        for phrase in phrases() for target in phrase.targets if target not in there | OLD
    ] == []
    assert {*OLD} & there == set()


@pytest.mark.slow
def test_every_new_release_has_nearly_all(corpus: Path) -> None:
    for folder in releases(corpus).values():
        there = places(folder)
        lost = [phrase.queries[0] for phrase in phrases() if not there.intersection(phrase.targets)]
        missing = sorted({to for phrase in phrases() for to in phrase.targets} - there)
        assert len(lost) <= SINCE, f"{folder.name} has none for {lost}; it lacks {missing}"


@pytest.mark.slow
def test_old_releases_lose_only_what_they_do_not_have(corpus: Path) -> None:
    """Actions are keywords of rule sets there; what one release has, all newer ones have."""
    newer: set[str] = set()
    for number, most in sorted(TOO_NEW.items(), reverse=True):
        folder = corpus / "haproxy" / f"{number[0]}.{number[1]}"
        if folder.is_dir():
            there = targets(folder)
            lost = {
                phrase.queries[0] for phrase in phrases()
                if not any(there.find(target) is not None for target in phrase.targets)
            }
            assert len(lost) <= most, f"{folder.name} has none for {sorted(lost)}"
            assert newer <= lost, f"{folder.name} has {sorted(newer - lost)}, newer ones have not"
            newer = lost


def test_no_wording_stands_for_a_name(corpus: Path) -> None:
    """A name typed with its own separators finds itself, so a phrase must not be one."""
    for folder in releases(corpus).values():
        there = places(folder)
        names = {re.split("[/#]", place, maxsplit=1)[1].lower() for place in there}
        wordings = {wording.lower() for phrase in phrases() for wording in phrase.queries}
        assert sorted(names & wordings) == []


def test_a_wording_like_a_name_leads_there_first(corpus: Path) -> None:
    """Where only separators differ from a name, one of its places is the phrase's first."""
    for folder in releases(corpus).values():
        owners: dict[str, set[str]] = {}
        for place in places(folder):
            owners.setdefault(squashed(re.split("[/#]", place, maxsplit=1)[1]), set()).add(place)
        assert [
            (wording, same)
            for phrase in phrases() for wording in {*phrase.queries} - ALIKE
            if phrase.targets[0] not in (same := owners.get(squashed(wording), {phrase.targets[0]}))
        ] == []
