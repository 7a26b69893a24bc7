"""The commands; the only place that prints.

What a user did wrong, and what the world refuses, becomes one sentence and the
exit status 2; findings are told as `file:line:column: level: [rule] message`.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from dconv import dump, pipeline, serve, site
from dconv.cli import arguments, checking, collect, comparing, finding, inputs, switches
from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.cli.job import Job
from dconv.cli.outcome import DONE, FINDINGS, Outcome
from dconv.pages.page import Edition, Link, Picture
from dconv.pages.versions import LATEST
from dconv.settings import SettingsError, Site, load_site
from dconv.sources import SourceError, cache_folder
from dconv.texts import ReleaseTexts, SourceText
from dconv.theme import DEFAULT, ThemeError
from dconv.tree import Manual

NOT_DONE = 2
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 and the signal's number, as shells count

Refusals = (UsageError, SettingsError, SourceError, ThemeError, site.SiteError, serve.ServeError)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (those of the process if None); the exit status."""
    console = Console(sys.stdout, sys.stderr, time.monotonic)
    collecting = gc.isenabled()
    # Trees have no cycles: counting references frees them, and the collector's
    # passes over them would cost a fifth of the time, more the larger they are.
    gc.disable()
    try:
        try:
            chosen = arguments.read(sys.argv[1:] if words is None else words)
            console.quiet = chosen.quiet
            status = _run(chosen, console)
            console.done()
        except Refusals as error:
            console.tell(f"dconv: {error}")
            status = NOT_DONE
        except SystemExit as leaving:  # --help and --version
            status = leaving.code if isinstance(leaving.code, int) else NOT_DONE
        console.out.flush()
    except KeyboardInterrupt:
        console.tell("dconv: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return PIPE_CLOSED
    except OSError as error:  # the disk below the output is full, a file has gone away
        place = error.filename or "the output"
        console.tell(f"dconv: {place}: {(error.strerror or str(error)).lower()}")
        _forget_output()
        return NOT_DONE
    finally:
        if collecting:
            gc.enable()
    return status


def _forget_output() -> None:
    """Nobody reads any more: let the interpreter's last flush go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _run(chosen: Arguments, console: Console) -> int:
    match chosen.command:
        case "build":
            return _build(chosen, console)
        case "check":
            return _check(chosen, console)
        case "convert":
            return _convert(chosen, console)
        case "diff":
            return comparing.run(chosen, console)
        case "dump":
            return _dump(chosen, console)
        case "export":
            return _export(chosen, console)
        case "fetch":
            return _fetch(chosen, console)
        case "search":
            return finding.run(chosen, console)
        case "serve":
            return _serve(chosen, console)
        case _:
            assert_never(chosen.command)


# --- commands -------------------------------------------------------------------------


def _build(chosen: Arguments, console: Console) -> int:
    return _site_job(chosen, console).finish(chosen, console)


def _check(chosen: Arguments, console: Console) -> int:
    if chosen.explain:
        return switches.explain(chosen, console)
    if not chosen.files:
        raise UsageError("check: no text is named; name files or folders, or - to read one")
    return checking.run(_texts_releases(chosen, console), chosen, console)


def _convert(chosen: Arguments, console: Console) -> int:
    return _texts_job(chosen, chosen.output, console).finish(chosen, console)


def _dump(chosen: Arguments, console: Console) -> int:
    inputs.check_files(chosen.files, folders=False)
    texts = _texts(chosen, console)
    manuals = []
    for text in texts:
        console.step(f"reading {text.path}")
        manuals.append(pipeline.read_text(text))
    manuals = _linked(texts, manuals)
    match chosen.form:
        case "json":
            console.result(dump.json_text(manuals))
        case "tree":
            console.result("".join(map(dump.tree, manuals)))
        case _:
            assert_never(chosen.form)
    return DONE


def _linked(texts: Sequence[SourceText], manuals: Sequence[Manual]) -> list[Manual]:
    """`manuals`, read from `texts`, linked within their folders: each is a release."""
    folders: dict[Path, list[int]] = {}
    for place, text in enumerate(texts):
        folders.setdefault(Path(text.path).parent, []).append(place)
    linked: dict[int, Manual] = {}
    for places in folders.values():
        found = pipeline.link_texts([texts[at] for at in places], [manuals[at] for at in places])
        linked.update(zip(places, found, strict=True))
    return [linked[place] for place in range(len(texts))]


def _export(chosen: Arguments, console: Console) -> int:
    from dconv.cli import exports  # it imports docutils, which other commands do without

    releases = _texts_job(chosen, chosen.output, console).releases
    found = exports.write(releases, chosen.export_format, chosen.output, console)
    console.findings(found)
    return Outcome(found).status(chosen.strict, console)


def _fetch(chosen: Arguments, console: Console) -> int:
    settings = load_site(chosen.site, inputs.products(chosen))
    _, missing = _asked(settings, chosen, console)
    return FINDINGS if missing else DONE


def _serve(chosen: Arguments, console: Console) -> int:
    if chosen.files:
        inputs.check_files(chosen.files, folders=True, again=True)
        with tempfile.TemporaryDirectory(prefix="dconv-") as folder:
            return _preview(chosen, Path(folder, "public"), console)
    return _preview(chosen, load_site(chosen.site, inputs.products(chosen)).output, console)


def _preview(chosen: Arguments, output: Path, console: Console) -> int:
    preview = serve.Preview(output, chosen.port)
    console.say(f"preview: {preview.url} (stop it with Ctrl-C)")

    def make() -> Job:
        if chosen.files:
            return _texts_job(chosen, output, console)
        return _site_job(chosen, console)

    def build() -> str:
        try:
            job = make()
            job.run(console)
        except Refusals as error:
            console.tell(f"dconv: {error}")
            return str(error)
        console.done()
        gc.collect()  # a preview runs for hours
        return ""

    serve.run(preview, lambda: inputs.watched(chosen), build, threading.Event())
    return DONE


# --- parts ----------------------------------------------------------------------------


def _site_job(chosen: Arguments, console: Console) -> Job:
    """What `site.toml` asks for."""
    settings = load_site(chosen.site, inputs.products(chosen))
    releases, missing = _asked(settings, chosen, console)
    day = settings.date or arguments.source_date(os.environ)
    look = settings.look
    logo = look.logo
    edition = Edition(
        settings.title, pipeline.GENERATOR, settings.url, day=day, latest=True,
        lunr=settings.lunr, footer=look.footer,
        logo=Picture(logo.file, logo.width, logo.height) if logo else None,
        links=tuple([Link(link.title, link.href) for link in look.links]),
    )
    base = None if "/" in settings.theme else chosen.site.parent
    return Job(
        releases, edition, settings.theme, base, settings.output, missing, look, settings.compress
    )


def _texts_job(chosen: Arguments, output: Path, console: Console) -> Job:
    """What to make of the files that the user names."""
    releases = _texts_releases(chosen, console)
    titles = dict.fromkeys(release.product_title for release in releases)
    day = arguments.source_date(os.environ)
    edition = Edition(", ".join(titles), pipeline.GENERATOR, day=day)
    return Job(releases, edition, chosen.theme or DEFAULT, None, output)


def _texts_releases(chosen: Arguments, console: Console) -> tuple[ReleaseTexts, ...]:
    """The releases that the files are of which the user names."""
    inputs.check_files(chosen.files, folders=True)
    for name, value in (("--product", chosen.product), ("--version", chosen.version)):
        if value and not collect.VERSION.fullmatch(value):
            raise UsageError(f"{name} '{value}' cannot be a part of an address")
    if chosen.version.casefold() == LATEST:
        raise UsageError("--version 'latest' is the address of the newest release; name which")
    texts = _texts(chosen, console)
    wish = collect.Wish(chosen.product, chosen.version)
    return collect.from_files(texts, wish)


def _texts(chosen: Arguments, console: Console) -> tuple[SourceText, ...]:
    """The texts of the files that the user names; tells what is odd about a file."""
    def tell(sentence: str) -> None:
        console.tell(f"dconv: {sentence}")

    return collect.read_files(chosen.files, inputs.products(chosen), chosen.manual, tell)


def _asked(
    settings: Site, chosen: Arguments, console: Console
) -> tuple[tuple[ReleaseTexts, ...], int]:
    """The releases that can be had, and how many are missing; tells of each."""
    cache = cache_folder(os.environ)
    found: list[ReleaseTexts] = []
    missing = 0
    for asked in collect.from_site(
        settings, cache, offline=chosen.offline, refresh=chosen.refresh,
        before=lambda name: console.step(f"fetching {name}"),
    ):
        for problem in asked.problems:
            console.tell(f"dconv: {problem}")
        missing += asked.missing
        if asked.texts is not None:
            files = ", ".join(text.setting.name for text in asked.texts.texts)
            console.say(f"{asked.name}: {files}, from {asked.origin}")
            found.append(asked.texts)
    if not found:
        raise SourceError("no text could be had, the site stays as it was")
    return tuple(found), missing
