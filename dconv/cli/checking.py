"""`dconv check`: what is wrong in texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv import pipeline, references
from dconv.check import rules
from dconv.check.run import check
from dconv.check.subject import subjects
from dconv.cli.arguments import Arguments
from dconv.cli.console import Console
from dconv.cli.outcome import DONE, FINDINGS
from dconv.diagnostics import Diagnostic
from dconv.pipeline import ReleaseTexts
from dconv.symbols import collect
from dconv.tree import Manual


def run(releases: Sequence[ReleaseTexts], chosen: Arguments, console: Console) -> int:
    """Tell what is wrong in the documents of `releases`; the exit status."""
    found = [
        diagnostic for texts in releases for diagnostic in findings(texts, chosen.strict, console)
    ]
    for diagnostic in found:
        console.result(f"{diagnostic}\n")
    counted = found if chosen.strict else [one for one in found if one.level != "note"]
    return FINDINGS if counted else DONE


def findings(texts: ReleaseTexts, style: bool, console: Console) -> Iterator[Diagnostic]:
    """What is wrong in the documents of a release, document by document, in text order."""
    linked = pipeline.link_texts(texts.texts, pipeline.read_texts(texts, console.step))
    product = texts.texts[0].product
    files = [text.setting.file for text in texts.texts]
    symbols = collect(zip(linked, files, strict=True), product.dialect)
    chosen = [rule for rule in rules.RULES if style or not rule.style]
    for subject in subjects(linked, product.dialect, symbols):
        console.step(f"{texts.name}: checking {subject.manual.name}")
        yield from sorted({*_of_reading(subject.manual), *check(subject, chosen)})


def _of_reading(manual: Manual) -> Iterator[Diagnostic]:
    """What reading and linking found odd."""
    yield from manual.diagnostics
    yield from references.findings(manual)
