"""A document as PDF: the file for offline use, printed by Chromium without a window.

Headings are bookmarks, links within the document work.  The time of printing, which Chromium
writes, is replaced by the date of the text.  The page that it prints has no script, and loads no
other file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dconv.model.diagnostics import UserError
from dconv.writers.bare_html import date_of
from dconv.writers.offline import offline_files
from dconv.writers.pages.filenames import OFFLINE
from dconv.writers.pages.page import Release, SiteInfo
from dconv.writers.theme.theme import Theme

PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
OPTIONS = (
    "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--no-pdf-header-footer", "--generate-pdf-document-outline",
)
TIMEOUT = 600  # seconds; a manual of 1,000 pages takes some minutes where processors are busy
# links to files beside it, which a PDF has no names for: "management.offline.html#2"
SIBLING_LINK = re.compile(r'(<a\b(?:[^<>"]|"[^"]*")*?) href="(?!#|[a-zA-Z][a-zA-Z0-9+.-]*:)[^"]*"')
# of which the file for offline use has none with "</script" inside
SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)
# "/CreationDate (D:20260603120000+00'00')", of the same length whenever it was
DATE = re.compile(rb"(/(?:CreationDate|ModDate) \(D:)\d{14}")


def pdf_files(release: Release, site: SiteInfo, theme: Theme) -> Iterator[tuple[str, bytes]]:
    """The name and the content of the PDF of each document of `release`.

    Raises `ThemeError`, and `UserError` where Chromium is missing or does not print.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise UserError(
            "PDF needs Chromium, which is not installed: install it,"
            " or export latex and run xelatex"
        )
    files = offline_files(release, site, theme)
    for document, (_, content) in zip(release.documents, files, strict=True):
        html = SIBLING_LINK.sub(r"\1", SCRIPT.sub("", content.decode()))
        digits = date_of(release, [document], site).replace("-", "").ljust(14, "0").encode()
        printed = _printed(program, html.encode(), f"{document.manual.name}{OFFLINE}")
        yield f"{document.manual.name}.pdf", DATE.sub(rb"\g<1>" + digits, printed)


def _printed(program: str, html: bytes, name: str) -> bytes:
    """`html` as `program` prints it; raises `UserError`."""
    with tempfile.TemporaryDirectory(prefix="dconv-") as folder:
        page, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_bytes(html)
        options = [*OPTIONS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            options.append("--no-sandbox")  # it refuses to start for root
        try:
            completed = subprocess.run(
                [program, *options, page.as_uri()], capture_output=True, check=False,
                timeout=TIMEOUT, stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UserError(f"{program} did not print {name}: {error}") from error
        if not printed.is_file():
            reason = completed.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise UserError(f"{program} did not print {name}: {reason}")
        return printed.read_bytes()
