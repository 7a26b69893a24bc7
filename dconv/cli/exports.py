"""`dconv export`: releases to files of another format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dconv.build import output as site
from dconv.build.read import read_release
from dconv.cli import inputs, load
from dconv.cli.arguments import Arguments
from dconv.cli.console import Console
from dconv.cli.outcome import Outcome
from dconv.model.diagnostics import Diagnostic
from dconv.model.references import findings
from dconv.sources.texts import ReleaseTexts
from dconv.writers.docutils.export import export


def run(chosen: Arguments, console: Console) -> int:
    """Write the texts that are named in another format; the exit status."""
    releases = load.releases(chosen, console)
    found = write(releases, chosen.export_format, chosen.output, console)
    console.findings(found)
    return Outcome(found).status(chosen.strict, console)


def write(
    releases: Sequence[ReleaseTexts], form: str, output: Path, console: Console
) -> list[Diagnostic]:
    """Write the documents of `releases` in the format `form` into `output`; what is odd.

    With several releases each has a folder: `haproxy-3.4/configuration.rst`.  Raises
    `SiteError`, and `UsageError` where a text would be overwritten.
    """
    found: list[Diagnostic] = []

    def files() -> Iterator[tuple[str, bytes]]:
        for texts in releases:
            release = read_release(texts, console.progress)
            folder = f"{texts.product_name}-{texts.version}/" if len(releases) > 1 else ""
            product = texts.product_name if texts.texts[0].product.title else ""  # else nobody's
            console.progress(f"{texts.name}: writing {form}")
            manuals = [(document.manual, document.title) for document in release.documents]
            for manual, _ in manuals:
                found.extend((*manual.diagnostics, *findings(manual)))
            for made in export(manuals, form, product):
                found.extend(made.diagnostics)
                inputs.spare(output / folder / made.file, [text.path for text in texts.texts])
                yield f"{folder}{made.file}", made.content

    written = site.put(files(), output)
    console.info(f"{written.files:,} files in {output}, {written.changed:,} changed")
    return found
