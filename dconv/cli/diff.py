"""`dconv diff`: what changes in meaning from one state of texts to another."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from dconv import GENERATOR
from dconv.build.output import write_files
from dconv.build.read import link_texts, read_text
from dconv.cli import diff_inputs, inputs
from dconv.cli.arguments import FAILURE, SUCCESS, Arguments, UsageError
from dconv.cli.console import Console
from dconv.diff.compare import compare
from dconv.diff.json_output import json_text
from dconv.diff.manual_set import ManualSet
from dconv.diff.page import report_page
from dconv.diff.text import text as text_report
from dconv.diff.types import Comparison
from dconv.linking.outline import release_outlines
from dconv.model.diagnostics import printable
from dconv.sources.texts import SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load
from dconv.writers.theme.theme_folder import DEFAULT_THEME

STANDARD_OUTPUT = Path("-")


def run(options: Arguments, console: Console) -> int:
    """Report what differs; the exit status is that of diff(1): 0 if nothing does, else 1."""
    if options.report == STANDARD_OUTPUT:
        options.report = None
    if options.diff_format == "html" and options.report is None:
        raise UsageError("--format html writes a page and its style sheets: name it with --output")
    standard_inputs = [Path(word) for word in (options.old, options.new) if word == "-"]
    inputs.check_files(standard_inputs, allow_folders=True)
    products = inputs.products(options)
    for argument in (options.old, options.new):
        diff_inputs.check_argument(argument, options, products)
    old = diff_inputs.read(options.old, options, products, console)
    new = _with_same_name(old, diff_inputs.read(options.new, options, products, console))
    before, after = _manual_set(options.old, old, console), _manual_set(options.new, new, console)
    console.progress("comparing")
    comparison = compare(before, after)
    _report(comparison, options, [text.path for text in (*old, *new)], console)
    return FAILURE if comparison else SUCCESS


def _with_same_name(old: Sequence[SourceText], new: Sequence[SourceText]) -> tuple[SourceText, ...]:
    """`new`; if both sides are a single text, with the document name of the old one."""
    if len(old) == len(new) == 1:
        document = replace(new[0].document, name=old[0].document.name)
        return (replace(new[0], document=document),)
    return tuple(new)


def _manual_set(name: str, texts: Sequence[SourceText], console: Console) -> ManualSet:
    manuals = []
    for text in texts:
        console.progress(f"{name}: reading {text.document.name}")
        manuals.append(read_text(text))
    linked = tuple(link_texts(texts, manuals))
    rule_sets = texts[0].product.dialect.rule_sets if texts else {}
    return ManualSet(printable(name), linked, release_outlines(linked, rule_sets))


def _report(
    comparison: Comparison, options: Arguments, texts: Sequence[str], console: Console
) -> None:
    """Print or write the report; it never overwrites one of the compared `texts`."""
    report = options.report
    if report is not None and report.is_symlink() and (report.is_file() or not report.exists()):
        report = Path(os.path.realpath(report))  # the link stays
    files = dict(_files(comparison, options, report.name if report else ""))
    if report is None or options.report is None:
        console.output("".join([content.decode() for content in files.values()]))
        return
    for name in files:
        inputs.refuse_overwrite(report.parent / name, texts)
    write_files(files.items(), report.parent)
    if options.report.is_file():
        console.info(f"Wrote {options.report}")


def _files(comparison: Comparison, options: Arguments, name: str) -> Iterator[tuple[str, bytes]]:
    """The report, in a file `name`; for a page also the static files that it loads."""
    match options.diff_format:
        case "text":
            yield name, text_report(comparison).encode()
        case "json":
            yield name, json_text(comparison).encode()
        case "html":
            theme = load(options.theme or DEFAULT_THEME)
            site_info = SiteInfo("Changes", GENERATOR)
            page = theme.render(report_page(comparison, site_info, name))
            yield name, page
            yield from ((path, content) for path, content in theme.files() if path.encode() in page)
        case _:
            assert_never(options.diff_format)
