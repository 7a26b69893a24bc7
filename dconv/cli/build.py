"""`dconv build`, `convert`, `serve` and `fetch`: the commands that build sites and fetch texts."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

from dconv.build import collect, collect_site
from dconv.cli import arguments, inputs, missing_releases, up_to_date
from dconv.cli.arguments import FAILURE, SUCCESS, Arguments, UsageError
from dconv.cli.console import Console, pluralize
from dconv.cli.outcome import Outcome, unused_accepted_findings
from dconv.cli.request import BuildRequest
from dconv.model.diagnostics import UserError
from dconv.settings import colors
from dconv.settings.shelf import shelf_of_packages
from dconv.settings.site import load_site
from dconv.settings.toml import SettingsError
from dconv.settings.types import Site
from dconv.sources.cache import cache_folder
from dconv.sources.types import SourceError
from dconv.writers.theme.theme_folder import (
    DEFAULT_THEME,
    ThemeError,
    listed_files,
    style_sheets,
    theme_folders,
)


def run(options: Arguments, console: Console) -> int:
    """Run the command; the exit status.  Raises `UserError`."""
    match options.command:
        case "build":
            return _build_once(_site_request(options, console), options, console)
        case "convert":
            inputs.check_output(options.output)
            return _build_once(_input_request(options, options.output, console), options, console)
        case "fetch":
            settings = load_site(options.site, inputs.products(options))
            releases = _fetch_releases(settings, options, console)
            return FAILURE if missing_releases.names(releases) else SUCCESS
        case _:
            return _serve(options, console)


def _serve(options: Arguments, console: Console) -> int:
    if options.files or options.packages:
        inputs.check_packages(options)
        inputs.check_files(options.files, allow_folders=True, allow_streams=False)
        with tempfile.TemporaryDirectory(prefix="dconv-") as folder:
            return _preview(options, Path(folder, "public"), console)
    return _preview(options, load_site(options.site, inputs.products(options)).output, console)


def _preview(options: Arguments, output: Path, console: Console) -> int:
    from dconv.build import preview  # imports a web server

    server = preview.Preview(output, options.port)
    console.info(f"preview: {server.url} (stop it with Ctrl-C)")

    def read_request() -> BuildRequest:
        if options.files or options.packages:
            inputs.check_files(options.files, allow_folders=True, allow_streams=False)
            return _input_request(options, output, console)
        # a pipe would block
        inputs.check_files([options.site], allow_folders=True, allow_streams=False)
        return _site_request(options, console)

    def build() -> str:
        console.start()
        try:
            request = read_request()
            server.root = f"{urlsplit(request.url).path.rstrip('/')}/"
            outcome = _build(request, console)
        except UserError as error:
            console.problem(str(error))
            return "; ".join([*getattr(error, "__notes__", ()), str(error)])
        console.summarize_hidden()
        files = f"{outcome.changed_count:,} of {outcome.file_count:,} files"
        console.info(f"Rebuilt {files} in {console.elapsed()}")
        console.end_progress()
        return ""

    # a preview runs for hours: collect garbage after each build
    preview.run(server, lambda: inputs.watched_paths(options), build, threading.Event(), gc.collect)
    return SUCCESS


def _build_once(request: BuildRequest, options: Arguments, console: Console) -> int:
    """Build the site of `request`, print the summary; the exit status."""
    outcome = _build(request, console, options.strict)
    if not request.missing:
        for sentence in unused_accepted_findings(request.releases, outcome.accepted):
            console.problem(f"{options.site}: {sentence}")
    console.summarize_hidden()
    if outcome.published:
        console.info(_summary(request.output, outcome, console))
        for sentence in outcome.reasons_incomplete(request.missing_required):
            console.problem(sentence)
    return outcome.status(options.strict, console, request.missing_required)


def _summary(output: Path, outcome: Outcome, console: Console) -> str:
    """`Built site/public (1,020 files) in 16 s: file:///srv/site/public/index.html`."""
    files = pluralize(outcome.file_count, "file")
    if outcome.changed_count != outcome.file_count:
        files += f", {outcome.changed_count:,} changed"
    home = Path(os.path.abspath(output / "index.html")).as_uri()
    return f"Built {output} ({files}) in {console.elapsed()}: {home}"


def _build(request: BuildRequest, console: Console, strict: bool = False) -> Outcome:
    """Build the site unless it is up to date.

    A `strict` build with warnings leaves the folder as it was.  Raises `UserError`.
    """
    key = up_to_date.input_key(request)
    outcome = up_to_date.skip_build(request, key, console, strict)
    if outcome is None:
        from dconv.cli import full_build  # imports everything that makes pages

        outcome = full_build.build(request, console, strict, key)
    return outcome


def _site_request(options: Arguments, console: Console) -> BuildRequest:
    """The site that `site.toml` describes."""
    settings = load_site(options.site, inputs.products(options))
    themes_folder = None if "/" in settings.theme else options.site.parent
    _check_theme(settings, themes_folder, options.site)
    if settings.exports and settings.shelves:
        console.info("Documents of products are exported, the texts of a shelf are not")
    fetched = _fetch_releases(settings, options, console)
    missing_releases.check_no_removal(settings.output, fetched, options.site)
    releases = tuple([release.texts for release in fetched if release.texts is not None])
    date = settings.date or arguments.source_date(os.environ)
    return BuildRequest(
        releases, settings.title, settings.theme, settings.output, url=settings.url, date=date,
        latest=True, lunr=settings.lunr, themes_folder=themes_folder,
        missing=missing_releases.names(fetched), partial=options.partial,
        theme_options=settings.theme_options, compress=settings.compress,
        changes=settings.changes, exports=settings.exports, jobs=_jobs(options),
        executor=options.executor, cache=_cache_folder(options),
    )


def _input_request(options: Arguments, output: Path, console: Console) -> BuildRequest:
    """The site of the files, or of the shelf of packages, that the user names."""
    inputs.check_packages(options)
    title, theme = options.title, options.theme or DEFAULT_THEME
    missing: tuple[str, ...] = ()
    if options.packages:
        settings = Site(
            "", "", output, theme, (), shelves=(shelf_of_packages("", options.packages),),
            available_products=inputs.products(options),
        )
        fetched = _fetch_releases(settings, options, console)
        missing = missing_releases.names(fetched)
        releases = tuple([release.texts for release in fetched if release.texts is not None])
    elif options.files:
        releases = inputs.releases(options, console)
        if not options.product:
            texts = [text for release in releases for text in release.texts]
            title = title or collect.stated_title(texts)
    else:
        raise UsageError("name a text, a folder or --package; try 'dconv convert --help'")
    titles = dict.fromkeys(release.product_title for release in releases)
    return BuildRequest(
        releases, title or ", ".join(titles), theme, output,
        date=arguments.source_date(os.environ), missing=missing, jobs=_jobs(options),
        executor=options.executor, cache=_cache_folder(options),
    )


def _check_theme(settings: Site, themes_folder: Path | None, file: Path) -> None:
    """Check the theme and the colours that `settings`, read from `file`, name.

    Themes that are named without a path are in `themes_folder`.  Raises `SettingsError` for a
    missing theme and for a colour that it does not have, `ThemeError` if the theme's own
    settings cannot be read.
    """
    try:
        folders = theme_folders(settings.theme, themes_folder)
    except ThemeError as error:
        raise SettingsError(f"{file}: [site] 'theme': {error}") from error
    for key in ("styles", "scripts"):
        listed_files(folders, key)
    if settings.theme_options.colors:
        names = colors.token_names(style_sheets(folders))
        if problem := colors.unknown_token(settings.theme_options.colors, names):
            raise SettingsError(problem)


def _fetch_releases(
    settings: Site, options: Arguments, console: Console
) -> tuple[collect_site.FetchedRelease, ...]:
    """Fetch all releases and print problems; raises `SourceError` if there is no text at all.

    Raises `SettingsError` if a document that a manual.toml lists is missing, and a text with a
    similar name is there.
    """
    releases = collect_site.fetch_releases(
        settings, cache_folder(os.environ), offline=options.offline, refresh=options.refresh,
        on_progress=lambda name: console.progress(f"fetching {name}"),
    )
    for release in releases:
        for problem in release.problems:
            # `missing_releases.sentences` says it in a line for all releases
            is_summarized = release.is_unreachable or release.source_problem
            (console.detail if is_summarized else console.problem)(problem)
        if release.duplicate_note:
            console.detail(release.duplicate_note)
        if release.texts is not None:
            files = ", ".join(text.document.name for text in release.texts.texts)
            report = console.info if options.command == "fetch" else console.detail
            report(f"{release.name}: {files}, from {release.origin}")
    for sentence in collect_site.missing_documents(settings, releases):
        console.problem(sentence)
    for sentence in missing_releases.sentences(releases):
        console.problem(sentence)
    if sentence := collect_site.unread_man_pages_message(releases):
        console.problem(sentence)
    if all(release.texts is None for release in releases):
        raise SourceError("no text is available, so no site was written")
    return releases


def _cache_folder(options: Arguments) -> Path | None:
    """The folder of the build cache, unless the user does not want it."""
    return None if options.no_cache else cache_folder(os.environ) / "results"


def _jobs(options: Arguments) -> int:
    """The number of processes: as the user says, else the processors that are available."""
    if options.jobs:
        return options.jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
