"""Skip a build if the site is up to date, and replay the messages of the last one.

A site is up to date if nothing that goes into it has changed, and nobody has touched its folder.
A record beside the cached results says what went in, and what came out.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dconv.build.fingerprint import fingerprint, folders_fingerprint, program_fingerprint
from dconv.build.output import WriteResult, folder_state
from dconv.build.results import ResultStore
from dconv.cli.console import Console, Message
from dconv.cli.outcome import Outcome
from dconv.cli.request import BuildRequest
from dconv.model.diagnostics import Diagnostic
from dconv.model.values import dataclass
from dconv.settings.types import AcceptedFinding
from dconv.writers.theme.theme_folder import ThemeError, theme_folders


@dataclass(frozen=True, slots=True)
class Record:
    """The last build: `key` is the fingerprint of its input, `state` that of the site's folder.

    `log` has its messages.
    """

    key: str
    state: str
    file_count: int
    diagnostics: tuple[Diagnostic, ...]
    accepted: tuple[AcceptedFinding, ...]
    log: tuple[Message, ...]


def input_key(request: BuildRequest) -> str:
    """The fingerprint of everything that decides what the site contains; empty without a cache.

    Raises `ThemeError`.
    """
    if request.cache is None:
        return ""
    relevant = replace(
        request, output=Path(), themes_folder=None, jobs=1, executor="", missing=(), partial=False,
        cache=None,
    )
    return fingerprint(relevant, theme_and_program_fingerprint(request))


def theme_and_program_fingerprint(request: BuildRequest) -> str:
    """The fingerprint of the files of the theme and of the program; raises `ThemeError`."""
    folders = theme_folders(request.theme, request.themes_folder)
    return fingerprint(folders_fingerprint(folders), program_fingerprint())


def is_unchanged(request: BuildRequest, key: str) -> bool:
    """Whether no input has changed since `key` was made, such as a file of the theme."""
    try:
        return input_key(request) == key
    except ThemeError:  # the theme was deleted during the build
        return False


def skip_build(request: BuildRequest, key: str, console: Console, strict: bool) -> Outcome | None:
    """Print the messages of the last build if the site is up to date; else return None.

    A `strict` build that has to fail is never up to date.
    """
    if request.cache is None:
        return None
    record = ResultStore(request.cache).load(_record_name(request.output), Record)
    if record is None or record.key != key:
        return None
    if record.state != fingerprint(folder_state(request.output)):
        return None
    outcome = Outcome(list(record.diagnostics), set(record.accepted), file_count=record.file_count)
    if strict and (request.missing_required or outcome.failures()):
        return None
    console.replay(record.log)
    return outcome


def store_record(
    request: BuildRequest, key: str, outcome: Outcome, log: Sequence[Message], written: WriteResult
) -> None:
    """Store the record of the site that was just `written`."""
    if request.cache is None:
        return
    accepted = tuple(sorted(outcome.accepted, key=str))
    results = ResultStore(request.cache)
    results.store(_record_name(request.output), Record(
        key, fingerprint(written.state), written.file_count, tuple(outcome.diagnostics), accepted,
        tuple(log),
    ))
    results.limit_size()


def _record_name(output: Path) -> str:
    """The name of the record: one for each folder and each state of the program."""
    return f"site-{fingerprint(os.path.realpath(output), program_fingerprint())}"
