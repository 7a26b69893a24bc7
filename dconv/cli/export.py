"""`dconv export`: write texts in another format."""

from __future__ import annotations

import os
from collections.abc import Iterator

from dconv import GENERATOR
from dconv.build.output import write_files
from dconv.build.read import read_release
from dconv.cli import inputs
from dconv.cli.arguments import Arguments, source_date
from dconv.cli.console import Console, pluralize
from dconv.cli.outcome import Outcome
from dconv.model.diagnostics import Diagnostic
from dconv.model.references import reference_findings
from dconv.writers.downloads import export_release
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load
from dconv.writers.theme.theme_folder import DEFAULT_THEME


def run(options: Arguments, console: Console) -> int:
    """Write the named texts in another format; the exit status.

    Several releases have a folder each: `haproxy-3.4/configuration.rst`.  Raises `SiteError`, and
    `UsageError` if a text would be overwritten.
    """
    inputs.check_output(options.output)
    releases = inputs.releases(options, console)
    export_format, output = options.export_format, options.output
    diagnostics: list[Diagnostic] = []

    site, theme = SiteInfo("", GENERATOR, date=source_date(os.environ)), load(DEFAULT_THEME)

    def files() -> Iterator[tuple[str, bytes]]:
        for texts in releases:
            release = read_release(texts, console.progress)
            folder = f"{texts.product_name}-{texts.version}/" if len(releases) > 1 else ""
            has_product = texts.texts[0].product.title  # texts without settings have none
            product = texts.product_name if has_product else ""
            console.progress(f"{texts.name}: writing {export_format}")
            for manual in [document.manual for document in release.documents]:
                diagnostics.extend((*manual.diagnostics, *reference_findings(manual)))
            for file in export_release(release, export_format, site, theme, product):
                diagnostics.extend(file.diagnostics)
                path = f"{folder}{file.file}"
                inputs.refuse_overwrite(output / path, [text.path for text in texts.texts])
                yield path, file.content

    written = write_files(files(), output)
    count = pluralize(written.file_count, "file")
    console.info(f"Wrote {count} to {output} ({written.changed_count:,} changed)")
    console.findings(diagnostics)
    console.summarize_hidden()
    return Outcome(diagnostics).status(options.strict, console)
