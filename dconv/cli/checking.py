"""`dconv check`: what is wrong in texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dconv import GENERATOR, __version__
from dconv.build import read as reading
from dconv.cli import baselines, load, registered, since, switches
from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.cli.outcome import DONE, FINDINGS
from dconv.cli.referenced_texts import with_referenced
from dconv.lint import rules
from dconv.lint.formats.data import data
from dconv.lint.formats.github import github
from dconv.lint.formats.report import Result, results
from dconv.lint.formats.sarif import sarif
from dconv.lint.formats.text import text
from dconv.lint.run import check
from dconv.lint.subject import Subject, subjects
from dconv.lint.together import together
from dconv.model import references
from dconv.model.diagnostics import LEVELS, Diagnostic
from dconv.sources.texts import ReleaseTexts


@dataclass(frozen=True, slots=True)
class Asked:
    """What to look for in a release: the names of rules, and the list `output` of its program."""

    rules: frozenset[str]
    output: str


def run(chosen: Arguments, console: Console) -> int:
    """Tell what is wrong in the texts that are named, or explain a rule; the exit status.

    Raises `UsageError`, `SettingsError`, `SourceError` and `SiteError`.
    """
    if chosen.explain:
        return switches.explain(chosen, console)
    if not chosen.files:
        raise UsageError("check: no text is named; name files or folders, or - to read one")
    releases = [with_referenced(one, chosen.dialect) for one in load.releases(chosen, console)]
    return tell(releases, chosen, console)


def tell(releases: Sequence[ReleaseTexts], chosen: Arguments, console: Console) -> int:
    """Tell what is wrong in the documents of `releases`; the exit status."""
    output = registered.read(chosen.against) if chosen.against else ""
    asked = [Asked(switches.wanted(one.texts[0].product, chosen), output) for one in releases]
    known = baselines.known(chosen)
    found = [
        one for texts, its in zip(releases, asked, strict=True)
        for one in _news(texts, its, chosen, console)
    ]
    if chosen.write_baseline is not None:
        return baselines.write(found, chosen.write_baseline, console)
    notes = []
    if not chosen.since:  # else what is known and old is left out
        names = frozenset[str]().union(*(one.rules for one in asked))
        notes = baselines.stale(found, known, releases, names)
    found = together(baselines.left(found, known))
    console.output(_told(found, notes, chosen), findings=chosen.check_format == "text")
    for note in notes:
        console.problem(f"{chosen.baseline}: note: {note}")
    if chosen.check_format == "text":
        console.info(_summary(found) if found else _clean(releases, chosen))
    counted = found if chosen.strict else [one for one in found if one.finding.level != "note"]
    return FINDINGS if counted else DONE


def _news(
    texts: ReleaseTexts, asked: Asked, chosen: Arguments, console: Console
) -> list[Result]:
    """What is wrong in a release, and was not at the revision `--since`, if there is one."""
    if not chosen.since:
        return list(findings(texts, asked, chosen, console))
    past = since.past(texts, chosen)
    if past is not None and _contents(past) == _contents(texts):
        return []
    found = list(findings(texts, asked, chosen, console))
    before = findings(past, asked, chosen, console) if past else ()
    return baselines.left(found, Counter(one.key for one in before))


def _contents(texts: ReleaseTexts) -> list[bytes]:
    return [text.content for text in (*texts.texts, *texts.beside)]


def findings(
    texts: ReleaseTexts, asked: Asked, chosen: Arguments, console: Console
) -> Iterator[Result]:
    """What there is of the `asked` in a release, document by document, in text order."""
    product = texts.texts[0].product
    beside = [reading.read_text(text) for text in texts.beside]
    read = reading.read_texts(texts, console.progress)
    linked, symbols = reading.linked_beside(texts, read, beside)
    applied = [rule for rule in rules.RULES if rule.name in asked.rules]
    checked = subjects(linked, product.dialect, symbols, beside)
    others: list[Diagnostic] = []
    if chosen.against is not None:
        console.progress(f"{texts.name}: comparing with {chosen.against}")
        others = registered.differences(checked, product, asked.output, chosen.against)
    for subject in checked:
        manual = subject.manual
        console.progress(f"{texts.name}: checking {manual.name}")
        own = [one for one in others if one.path == manual.source.path]
        told = {one for one in (*_of_reading(subject, texts), *own) if one.rule in asked.rules}
        found = sorted({*told, *check(subject, applied)})
        yield from results(found, manual.name, manual.source)


def _of_reading(subject: Subject, texts: ReleaseTexts) -> Iterator[Diagnostic]:
    """What reading and linking found odd; no row that a misspelt heading has left alone.

    A document of the product that is not at hand is not missing: the text is right.  Nor is
    "help.txt" of a text alone that no product claims: nobody knows which others there are.
    """
    manual = subject.manual
    wanted = {one.wanted for one in subject.misspelt.values()}
    for one in manual.diagnostics:
        if one.rule != "matrix-row" or _marked(one, subject) not in wanted:
            yield one
    product = texts.texts[0].product
    files = [document.file for document in product.documents]
    alone = not product.documents and len(texts.texts) + len(texts.beside) == 1
    for one in references.findings(manual, files):
        bare = "/" not in one.message.partition(" ")[0]
        if not (alone and bare and one.rule == "missing-document"):
            yield one


def _marked(one: Diagnostic, subject: Subject) -> str:
    """The words that `one` is about."""
    line = subject.lines[one.line - 1]
    start = one.column - line.column
    return line.text[start : start + one.length]


def _told(found: Sequence[Result], notes: Sequence[str], chosen: Arguments) -> str:
    """`found` in the form that the user wants."""
    match chosen.check_format:
        case "text":
            return text(found, lines=not chosen.quiet)
        case "json":
            return data(found, notes, GENERATOR)
        case "sarif":
            return sarif(found, __version__, Path.cwd())
        case _:
            return github(found, Path.cwd())


def _summary(found: Sequence[Result]) -> str:
    """`3 findings: 2 warnings, 1 note`."""
    counts = {level: sum(one.finding.level == level for one in found) for level in LEVELS[::-1]}
    parts = [_counted(count, level) for level, count in counts.items() if count]
    return f"{_counted(len(found), 'finding')}: {', '.join(parts)}"


def _clean(releases: Sequence[ReleaseTexts], chosen: Arguments) -> str:
    """`no findings in 1,200 lines of manual.txt`, or `no new findings in …`."""
    texts = [text for release in releases for text in release.texts]
    lines = sum(len(text.content.splitlines()) for text in texts)
    new = "new " if chosen.since or chosen.baseline else ""
    where = texts[0].path if len(texts) == 1 else f"{len(texts):,} texts"
    return f"no {new}findings in {_counted(lines, 'line')} of {where}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
