"""`dconv export`: write texts in another format."""

from __future__ import annotations

from collections.abc import Iterator

from dconv.build.output import write_files
from dconv.build.read import read_release
from dconv.cli import inputs
from dconv.cli.arguments import Arguments
from dconv.cli.console import Console, pluralize
from dconv.cli.outcome import Outcome
from dconv.model.diagnostics import Diagnostic
from dconv.model.references import findings
from dconv.writers.docutils.export import export


def run(options: Arguments, console: Console) -> int:
    """Write the named texts in another format; the exit status.

    Several releases have a folder each: `haproxy-3.4/configuration.rst`.  Raises `SiteError`, and
    `UsageError` if a text would be overwritten.
    """
    inputs.check_output(options.output)
    releases = inputs.releases(options, console)
    export_format, output = options.export_format, options.output
    diagnostics: list[Diagnostic] = []

    def files() -> Iterator[tuple[str, bytes]]:
        for texts in releases:
            release = read_release(texts, console.progress)
            folder = f"{texts.product_name}-{texts.version}/" if len(releases) > 1 else ""
            product = texts.product_name if texts.texts[0].product.title else ""  # else unknown
            console.progress(f"{texts.name}: writing {export_format}")
            manuals = [(document.manual, document.title) for document in release.documents]
            for manual, _ in manuals:
                diagnostics.extend((*manual.diagnostics, *findings(manual)))
            for file in export(manuals, export_format, product):
                diagnostics.extend(file.diagnostics)
                path = f"{folder}{file.file}"
                inputs.refuse_overwrite(output / path, [text.path for text in texts.texts])
                yield path, file.content

    written = write_files(files(), output)
    count = pluralize(written.files, "file")
    console.info(f"Wrote {count} to {output} ({written.changed:,} changed)")
    console.findings(diagnostics)
    console.summarize_hidden()
    return Outcome(diagnostics).status(options.strict, console)
