"""A site that is as it would be made: nothing is made, and what was told is told again.

That is so where all that goes into the site is what it was, and where nobody has
touched the folder since.  What is known of it is kept beside the fetched texts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dconv.build import output as site
from dconv.build.job import Job
from dconv.build.output import Written
from dconv.cli.console import Console, Message
from dconv.cli.outcome import Outcome
from dconv.model.diagnostics import Diagnostic
from dconv.settings import Acceptance
from dconv.sources.fingerprint import fingerprint, of_folders, of_program
from dconv.sources.results import Results
from dconv.writers.theme.theme_folder import ThemeError, theme_folders


@dataclass(frozen=True, slots=True)
class Record:
    """What a build left: `key` stands for all that went in, `state` for the folder after it.

    `log` has the messages about it.
    """

    key: str
    state: str
    files: int
    diagnostics: tuple[Diagnostic, ...]
    accepted: tuple[Acceptance, ...]
    log: tuple[Message, ...]


def key(job: Job) -> str:
    """The fingerprint of all that goes into the site of `job`; raises `ThemeError`."""
    said = replace(
        job, output=Path(), base=None, jobs=1, missing=(), partial=False, cache=None, passing=False
    )
    return fingerprint(said, surroundings(job))


def surroundings(job: Job) -> str:
    """That of what lies on the disk, and may change while a build runs: theme and program.

    Raises `ThemeError`.
    """
    return fingerprint(of_folders(theme_folders(job.theme, job.base)), of_program())


def touched(job: Job) -> str:
    """What changes where a file of the theme is saved, also as it was before.

    Raises `ThemeError`.
    """
    return fingerprint([site.state(folder) for folder in theme_folders(job.theme, job.base)])


def still(job: Job, own: str, around: tuple[str, str]) -> bool:
    """Whether the key of `job` is still `own`, and what lies around is so, and was all the time.

    `around` is what `touched` and `surroundings` gave before.
    """
    try:
        return (key(job), touched(job), surroundings(job)) == (own, *around)
    except ThemeError:  # it was taken away while the build ran
        return False


def told_again(job: Job, own: str, console: Console, strict: bool) -> Outcome | None:
    """Tell what was told when the site of `job` was made, if it is as it was; else None.

    `own` is its key.  Where `strict`, and something is odd, it must be made to be refused.
    """
    record = Results(job.cache).load(_name(job.output), Record)
    if record is None or record.key != own or record.state != fingerprint(
        site.state(job.output)
    ):
        return None
    outcome = Outcome(list(record.diagnostics), set(record.accepted))
    if strict and (job.lacking or outcome.odd()):
        return None
    console.replay(record.log)
    outcome.files = record.files
    return outcome


def note(
    job: Job, own: str, outcome: Outcome, log: Sequence[Message], written: Written
) -> None:
    """Keep what is known of the site of `job`, which was just `written`."""
    accepted = tuple(sorted(outcome.accepted, key=str))
    Results(job.cache).store(_name(job.output), Record(
        own, fingerprint(written.state), written.files, tuple(outcome.diagnostics), accepted,
        tuple(log),
    ))


def _name(output: Path) -> str:
    """One record for each folder."""
    return f"site-{fingerprint(os.path.realpath(output))}"
