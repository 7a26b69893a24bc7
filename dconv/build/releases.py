"""The releases of a product beside each other, as far as their texts tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dconv.model.diagnostics import Diagnostic
from dconv.model.lifecycle import day_in
from dconv.model.tree import Manual
from dconv.sources.texts import ReleaseTexts, names_product
from dconv.writers.pages import Versions, Volume, release_catalogues
from dconv.writers.pages.catalogue import Catalogue

# "3.4", "2.6.12", "3.5-dev2": a version that numbers tell
NUMBERED = re.compile(r"(\d++(?:\.\d++)++)\S*")


def other_release(texts: ReleaseTexts, manuals: Iterable[Manual]) -> tuple[Diagnostic, ...]:
    """The finding that `manuals`, read from `texts`, say that they are another release.

    The first that is called by the product's name, or has it below its title, speaks for
    all.  A text of 3.4 is that of 3.4.1 and of 3.4-dev5 too; versions without numbers are
    not compared.
    """
    wanted = NUMBERED.fullmatch(texts.version)
    names = (texts.product_title, texts.product_name) if texts.product_title else ()
    titled = [(manual.header.title, manual) for manual in manuals]
    for title, manual in (*titled, *((manual.header.subtitle, manual) for _, manual in titled)):
        told = NUMBERED.fullmatch(manual.header.version)
        if told and names_product(title, names):
            if wanted is None or _same_release(told[1], wanted[1]):
                return ()
            return (_finding(manual, texts.version),)
    return ()


def _finding(manual: Manual, version: str) -> Diagnostic:
    """That the header of `manual` tells another version than `version`, at its place."""
    told, span = manual.header.version, manual.header.span
    head = manual.source.lines[span.first - 1 : span.last] if span else ()
    line = next(line for line in head if told in line.text)
    return Diagnostic(
        manual.source.path, line.number, line.indent + line.text.index(told) + 1, "warning",
        "release-version", f"the text says {told}, the release is {version}",
    )


def _same_release(one: str, other: str) -> bool:
    """Whether two versions are the same as far as both go: 3.4 and 3.4.1."""
    return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))


def newest_day(read: Iterable[Sequence[Manual]]) -> str:
    """The day of the newest of the texts `read`, as their headers tell, or empty.

    It is what tables of releases are read on where nobody names a day: so a site
    depends on its texts alone.
    """
    days = (day_in(manual.header.date) for manuals in read for manual in manuals)
    return max(days, default="")


def catalogues(texts: ReleaseTexts, manuals: Iterable[Manual]) -> dict[str, Catalogue]:
    """What other releases must know of the documents `manuals`, read from `texts`."""
    dialects = [text.product.dialect for text in texts.texts]
    return release_catalogues(manuals, dialects[0].rule_sets if dialects else {})


def site_versions(
    releases: Sequence[ReleaseTexts], known: Sequence[Mapping[str, Catalogue]], day: str
) -> dict[str, Versions]:
    """The releases of each product, by its name; `known` is what is known of `releases`."""
    volumes: dict[str, list[Volume]] = {}
    titles: dict[str, str] = {}
    for texts, documents in zip(releases, known, strict=True):
        volumes.setdefault(texts.product_name, []).append(
            Volume(texts.version, texts.lifetime(day), documents)
        )
        titles.setdefault(texts.product_name, texts.product_title)
    return {name: Versions(name, titles[name], tuple(found)) for name, found in volumes.items()}
