"""`dconv check`: report mistakes in texts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from dconv import GENERATOR, __version__
from dconv.build import read
from dconv.cli import fixing, inputs, new_findings
from dconv.cli.arguments import FAILURE, SUCCESS, Arguments, UsageError, did_you_mean
from dconv.cli.console import Console, pluralize
from dconv.cli.fixing import CheckedRelease, outline_names
from dconv.cli.referenced_texts import with_referenced
from dconv.cli.sphinx_project import SphinxProject, missing_documents, sphinx_project
from dconv.lint.baseline import Key
from dconv.lint.context import Context, contexts
from dconv.lint.formats.github import github
from dconv.lint.formats.gitlab import gitlab
from dconv.lint.formats.json_output import json_output
from dconv.lint.formats.result import Result, with_lines
from dconv.lint.formats.sarif import sarif
from dconv.lint.formats.text import statistics, text
from dconv.lint.grouping import group_findings
from dconv.lint.program_keywords import compare_keywords
from dconv.lint.rule_docs import READER_RULES, descriptions
from dconv.lint.rules import RULES, run_rules
from dconv.model.diagnostics import LEVELS, RULE_NAMES, Diagnostic
from dconv.model.images import image_name, image_path
from dconv.model.references import images, missing_images, reference_findings
from dconv.model.source import Source, read_source
from dconv.model.values import dataclass
from dconv.readers import MAN, RST
from dconv.settings.types import AcceptedFinding, FolderSource
from dconv.sources.fetch import fetch_texts
from dconv.sources.files import is_stream, read_stream
from dconv.sources.texts import ReleaseTexts, SourceText

# rules that need the output of the program
KEYWORD_RULES = frozenset({"not-documented", "unknown-to-program"})


@dataclass(frozen=True, slots=True)
class Selection:
    """What to check: the names of rules, and the `keywords` that the program printed."""

    rules: frozenset[str]
    keywords: str


def run(options: Arguments, console: Console) -> int:
    """Report mistakes in the texts of the command line, or explain a rule.

    Returns the exit status.  Raises `UsageError`, `SettingsError`, `SourceError` and `SiteError`.
    """
    if options.explain:
        return _explain(options.explain, console)
    if not options.files:
        raise UsageError("check: no files given; name files or folders, or - to read one")
    fixing.check_options(options)
    releases = [
        with_referenced(texts, options.dialect) for texts in inputs.releases(options, console)
    ]
    keywords = _read_keywords(options.keywords_from) if options.keywords_from else ""
    selections = [select(texts, options, keywords) for texts in releases]
    baseline = new_findings.read_baseline(options)
    if options.statistics and options.check_format != "text":
        raise UsageError(f"--statistics prints a table; omit --format {options.check_format}")
    fixes_summary = ""
    if options.fix:
        fixed = [
            fixing.fix_release(texts, partial(
                _new_findings, selection=selection, options=options, console=console,
                baseline=baseline,
            ))
            for texts, selection in zip(releases, selections, strict=True)
        ]
        fixed_releases = [texts for texts, _ in fixed]
        if options.diff:
            return fixing.print_diffs(releases, fixed_releases, console)
        written = fixing.write(releases, fixed_releases)
        fixes_summary = fixing.summary(sum(count for _, count in fixed), written)
        releases = fixed_releases
    checked = [
        _new_findings(texts, selection, options, console, baseline={})
        for texts, selection in zip(releases, selections, strict=True)
    ]
    results = [result for release in checked for result in release.results]
    if options.write_baseline is not None:
        return new_findings.write_baseline(results, options.write_baseline, console)
    notes = []
    if not options.since:  # which leaves out old findings of the baseline, too
        rules = frozenset[str]().union(*(selection.rules for selection in selections))
        notes = new_findings.fixed_notes(results, baseline, releases, rules)
    for texts, release, selection in zip(releases, checked, selections, strict=True):
        for sentence in _unused_accepted(texts, release, selection) if not options.quiet else ():
            console.problem(sentence)
    grouped = group_findings(new_findings.new_results(results, baseline))
    status = _report(grouped, notes, releases, options, console)
    if fixes_summary and options.check_format == "text":
        console.info(fixes_summary)
    elif fixes_summary and not options.quiet:
        console.problem(fixes_summary)  # the standard output is data
    return status


def _report(
    results: Sequence[Result], notes: Sequence[str], releases: Sequence[ReleaseTexts],
    options: Arguments, console: Console,
) -> int:
    """Print findings, `notes` about the baseline and a summary; the exit status."""
    output = _formatted(results, notes, releases, options)
    console.output(output, is_report=options.check_format == "text")
    for note in notes if not options.quiet else ():
        console.problem(f"{options.baseline}: note: {note}")
    if options.check_format == "text":
        console.info(_summary(results) if results else _no_findings(releases, options))
    failing = results if options.strict else [
        result for result in results if result.finding.level != "note"
    ]
    return FAILURE if failing else SUCCESS


# --- rules ------------------------------------------------------------------------------


def select(texts: ReleaseTexts, options: Arguments, keywords: str = "") -> Selection:
    """What to check in `texts`: the command line overrides the `manual.toml` of their product.

    Raises `UsageError` for an unknown rule.
    """
    product = texts.texts[0].product
    file, check = product.folder / "manual.toml", product.check
    _check_names(check.enable, f"{file}: [check] 'enable'")
    _check_names(check.disable, f"{file}: [check] 'disable'")
    _check_names(check.levels, f"{file}: [check.levels]")
    _check_names([finding.rule for finding in check.accepted], f"{file}: [[check.accept]]")
    enable, disable = frozenset(options.enable or ()), frozenset(options.disable or ())
    _check_names(enable, "--enable")
    _check_names(disable, "--disable")
    for contradictory, setting in ((enable & disable, "the command line"), (
        frozenset(check.enable) & frozenset(check.disable), f"{file}: [check]"
    )):
        if contradictory:
            raise UsageError(
                f"{setting} enables and disables '{min(contradictory)}'; keep one of them"
            )
    style = frozenset(rule.name for rule in RULES if rule.style)
    names = frozenset(descriptions()) - (frozenset() if options.strict else style)
    selected = (names | {*check.enable}) - {*check.disable} - disable | enable
    return Selection(selected if options.keywords_from else selected - KEYWORD_RULES, keywords)


def _explain(name: str, console: Console) -> int:
    """Print the documentation of the rule `name`; the exit status."""
    _check_names([name], "--explain")
    rule = descriptions()[name]
    is_style = any(rule.style for rule in RULES if rule.name == name)
    see_manual = "Section 11.2 of dconv's manual says more.\n\n" if name in READER_RULES else ""
    default = (
        f"off; --strict or --enable {name} turns it on" if is_style
        else f"on; --disable {name} turns it off"
    )
    level = f"The level is '{rule.level}'. By default it is {default}."
    console.output(f"{name}\n\n{rule.text}\n\n{see_manual}{level}\n")
    return SUCCESS


def _check_names(names: Iterable[str], setting: str) -> None:
    """Raise `UsageError` where one of `names` is not a rule of the check."""
    rules = tuple(descriptions())
    for name in names:
        if name in RULE_NAMES and name not in rules:
            raise UsageError(
                f"{setting} names '{name}', which builds report and the check does not; "
                "section 11.2 of dconv's manual explains it"
            )
        if name not in rules:
            remedy = did_you_mean(name, rules) or "section 11.4 of dconv's manual lists the rules"
            raise UsageError(f"{setting} names an unknown rule '{name}'; {remedy}")


# --- the program's own list --------------------------------------------------------------


def _read_keywords(file: Path) -> str:
    """What the program printed to `file`; raises `UsageError` and `SourceError`."""
    if file.is_dir():
        raise UsageError(f"--keywords-from: {file} is a folder; name a file")
    source = FolderSource(str(file))
    output = read_stream(file) if is_stream(file) else fetch_texts(source, "", (), Path())
    return output.documents[0].content.decode("utf-8", "replace")


def _compare_keywords(
    documents: Sequence[Context], texts: ReleaseTexts, output: str, file: Path
) -> list[Diagnostic]:
    """The differences of `documents`, read from `texts`, and the program's `output` in `file`.

    Without a program.toml the output is a program's help.  Raises `UsageError` where it is neither
    that nor the list of the product's program.
    """
    program = texts.texts[0].product.program
    if program is None:
        from dconv.lint.help_options import compare_options, help_options

        options = help_options(output)
        if not options:
            remedy = "write the output of the program's --help to it, or a program.toml"
            raise UsageError(f"--keywords-from: {file} has no options; {remedy}")
        pages = {text.path: text.content for text in texts.texts if text.format == MAN}
        return compare_options(documents, output, options, pages)
    if not any(program.heading.search(line) for line in output.splitlines()):
        raise UsageError(f"--keywords-from: {file} is not the output of '{program.command}'")
    return compare_keywords(documents, output, program)


# --- findings ----------------------------------------------------------------------------


def _new_findings(
    texts: ReleaseTexts, selection: Selection, options: Arguments, console: Console,
    baseline: Mapping[Key, int],
) -> CheckedRelease:
    """The findings in a release that neither the `baseline` nor the revision `--since` has."""
    checked = check_documents(read_documents(texts, console), texts, selection, options, console)
    results = checked.results
    if options.since and (past_texts := new_findings.texts_at_revision(texts, options)):
        contents, past_contents = (
            [text.content for text in (*state.texts, *state.referenced_texts)]
            for state in (texts, past_texts)
        )
        before = checked
        if past_contents != contents:
            documents = read_documents(past_texts, console)
            before = check_documents(documents, past_texts, selection, options, console)
        old_counts = Counter(result.key for result in before.results)
        results = new_findings.new_results(results, old_counts)
    return replace(checked, results=new_findings.new_results(results, baseline))


def read_documents(texts: ReleaseTexts, console: Console) -> tuple[Context, ...]:
    """The texts of a release, read, and linked to each other and to the referenced ones."""
    referenced = [read.read_text(text) for text in texts.referenced_texts]
    manuals = read.read_texts(texts, console.progress)
    linked, symbols = read.link_to_referenced(texts, manuals, referenced)
    return contexts(linked, texts.texts[0].product.dialect, symbols, referenced)


def check_documents(
    documents: Sequence[Context], texts: ReleaseTexts, selection: Selection, options: Arguments,
    console: Console,
) -> CheckedRelease:
    """The findings of the selected rules in `documents`, which were read from `texts`, in order."""
    product = texts.texts[0].product
    rules = [
        rule for rule in RULES
        if rule.name in selection.rules
        and (product.dialect.entry_rules or not rule.needs_entry_rules)
    ]
    differences: list[Diagnostic] = []
    if options.keywords_from is not None:
        console.progress(f"{texts.name}: comparing with {options.keywords_from}")
        differences = _compare_keywords(documents, texts, selection.keywords, options.keywords_from)
    results: list[Result] = []
    project = sphinx_project([
        (text.path, text.content) for text in texts.texts if text.format == RST
    ])
    for document, source_text in zip(documents, texts.texts, strict=True):
        manual = document.manual
        console.progress(f"{texts.name}: checking {manual.name}")
        keyword_findings = [
            finding for finding in differences if finding.path == manual.source.path
        ]
        names = {
            *(name for name, _ in source_text.images),
            *(image_name(image.file) for image in images(manual)
              if _may_be_elsewhere(image.file, source_text.path)),
        }
        image_findings = (
            missing_images(manual, names) if os.path.isfile(source_text.path) else ()
        )
        findings = {
            finding for finding in (
                *_reader_findings(document, texts, project), *image_findings, *keyword_findings
            )
            if finding.rule in selection.rules
        }
        if manual.is_plain_text:
            findings |= {*run_rules(document, rules)}
            source = manual.source
        else:  # the rules are about plain text; findings are about lines of the original
            findings = _with_format_findings(
                findings, source_text, manual.source, texts, project, selection
            )
            source = read_source(source_text.content, source_text.path)
        results += with_lines(sorted(findings), manual.name, source)
    outline = Counter(name for document in documents for name in outline_names(document.manual))
    used = {
        accepted for accepted in product.check.accepted for result in results
        if _accepts(accepted, result)
    }
    remaining = [
        replace(result, finding=replace(
            result.finding,
            level=product.check.levels.get(result.finding.rule, result.finding.level),
        ))
        for result in results if not any(_accepts(accepted, result) for accepted in used)
    ]
    return CheckedRelease(remaining, outline, frozenset(used))


def _with_format_findings(
    findings: set[Diagnostic], text: SourceText, source: Source, texts: ReleaseTexts,
    project: SphinxProject, selection: Selection,
) -> set[Diagnostic]:
    """`findings` in `text`, read as `source`, and those of checks of its format.

    What a `project` explains is left out.
    """
    if text.format == MAN and "man-syntax" in selection.rules:
        from dconv.readers.man.lint import lint  # not for plain text, for it takes time

        return findings | {*lint(text.content, text.path)}
    if text.format != RST:
        return findings
    findings = {finding for finding in findings if not project.explains(finding)}
    if "missing-document" in selection.rules:
        paths = [other.path for other in texts.texts]
        findings |= {*missing_documents(text.content, source, paths)}
    return findings


def _may_be_elsewhere(image: str, text_path: str) -> bool:
    """Whether the file `image` may be outside of the folder of its text, as it was given."""
    path = image_path(image)
    return not path or path[0] == "/" or (
        path.startswith("../") and os.path.exists(os.path.join(os.path.dirname(text_path), path))
    )


def _accepts(accepted: AcceptedFinding, result: Result) -> bool:
    """Whether rule and document are the same, and line or message have the accepted words."""
    if (accepted.document, accepted.rule) != (result.document, result.finding.rule):
        return False
    words = " ".join(accepted.text.split())
    texts = (result.line_text, result.finding.message)
    return any(words in " ".join(text.split()) for text in texts)


def _unused_accepted(
    texts: ReleaseTexts, checked: CheckedRelease, selection: Selection
) -> Iterator[str]:
    """A sentence for each finding that the product accepts and that is not there."""
    product = texts.texts[0].product
    names = [text.document.name for text in texts.texts]
    for accepted in product.check.accepted:
        is_checked = accepted.document in names and accepted.rule in selection.rules
        if is_checked and accepted not in checked.accepted:
            yield (
                f"{product.folder / 'manual.toml'}: note: [[check.accept]] has a finding that no "
                f"longer exists: {accepted}"
            )


def _reader_findings(
    document: Context, texts: ReleaseTexts, project: SphinxProject
) -> Iterator[Diagnostic]:
    """The findings of reading and linking, without those that another finding explains.

    A row without an entry may be explained by a misspelt heading.  A document of the product that
    is not read is not missing, nor is a file that exists, in texts of no known product.  The other
    documents of a single text are unknown, so no file beside it is missing, and no label, unless
    it is in a `project`, whose labels are known.
    """
    manual = document.manual
    corrections = {heading.correction for heading in document.misspelt_headings.values()}
    for finding in manual.diagnostics:
        if finding.rule != "matrix-row" or _reported_words(finding, document) not in corrections:
            yield finding
    product = texts.texts[0].product
    files = [setting.file for setting in product.documents]
    is_single_text = not product.documents and len(texts.texts) + len(texts.referenced_texts) == 1
    for finding in reference_findings(
        manual, files, are_labels_known=project.has_conf_py or not is_single_text,
        are_terms_known=not is_single_text,
    ):
        if finding.rule == "missing-document" and not product.documents:
            file = finding.message.partition(" ")[0]
            path = os.path.join(os.path.dirname(manual.source.path), file)
            if (is_single_text and "/" not in file) or os.path.exists(path):
                continue
        yield finding


def _reported_words(finding: Diagnostic, document: Context) -> str:
    """The words that `finding` is about."""
    line = document.lines[finding.line - 1]
    start = finding.column - line.column
    return line.text[start : start + finding.length]


# --- output ------------------------------------------------------------------------------


def _formatted(
    results: Sequence[Result], notes: Sequence[str], releases: Sequence[ReleaseTexts],
    options: Arguments,
) -> str:
    """`results` in the format of the command line."""
    match options.check_format:
        case "text" if options.statistics:
            return statistics(results)
        case "text":
            return text(results, with_lines=not options.quiet)
        case "json":
            return json_output(results, notes, GENERATOR)
        case "sarif":
            urls = [release.texts[0].product.check.help_url for release in releases]
            return sarif(results, __version__, Path.cwd(), next(filter(None, urls), ""))
        case "gitlab":
            return gitlab(results, Path.cwd())
        case _:
            return github(results, Path.cwd())


def _summary(results: Sequence[Result]) -> str:
    """`3 findings: 2 warnings, 1 note`."""
    levels = Counter(result.finding.level for result in results)
    parts = [pluralize(levels[level], level) for level in LEVELS[::-1] if levels[level]]
    return f"{pluralize(len(results), 'finding')}: {', '.join(parts)}"


def _no_findings(releases: Sequence[ReleaseTexts], options: Arguments) -> str:
    """`no findings in 1,200 lines of manual.txt`, or `no new findings in …`."""
    texts = [text for release in releases for text in release.texts]
    line_count = sum(len(text.content.splitlines()) for text in texts)
    new = "new " if options.since or options.baseline else ""
    source = texts[0].path if len(texts) == 1 else f"{len(texts):,} texts"
    return f"no {new}findings in {pluralize(line_count, 'line')} of {source}"
