"""What mandoc reports of a manual page, as findings (mandoc(1), DIAGNOSTICS)."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping

from dconv.model.diagnostics import Diagnostic, Level
from dconv.readers.mandoc import MandocError, RunMandoc, run_mandoc

# "mandoc: <stdin>:371:2: WARNING: skipping paragraph macro: PP empty"
MESSAGE = re.compile(
    r"mandoc: <stdin>:(?P<line>\d{1,9}):(?P<column>\d{1,9}): (?P<level>[A-Z]+): (?P<text>.*)"
)
# not "UNSUPP", which says what mandoc does not support
LEVELS: Mapping[str, Level] = {"WARNING": "warning", "ERROR": "error"}
# errors that no reader sees: requests for other programs, and superfluous ones (".RE" after ".SH")
INVISIBLE = re.compile(
    r"skipping insecure request|\.so request failed|escaped character not allowed in a name"
    r"|skipping excess arguments: TH |skipping end of block that is not open: RE$"
)
# warnings about text that is lost or shown wrongly: "\\fb" eats the "b"; "\\f5" is a font by number
VISIBLE = re.compile(
    r"undefined string|missing (?:manual|document) (?:title|section)|missing manual name"
    r"|invalid escape sequence: \\f[^A-Z0-9(\[]|undefined escape, printing literally: \\[A-Za-z0-9]"
)
# messages that mandoc repeats for each character of a table's layout, or each row
TABLE_MESSAGE = re.compile(r"invalid character in tbl layout|ignoring extra tbl data cells")
TABLE_START = re.compile(rb"^[.']\s*TS\b")
UNKNOWN_MACRO = "skipping unknown macro: "
UNDEFINED_STRING = 'undefined string, using "": '
# a request for a file of macros: ".mso www.tmac"
MACRO_FILE_REQUEST = re.compile(rb"^[.'].*\bmso[ \t]", re.MULTILINE)
LINT = ("-T", "lint", "-W", "warning")


def lint(content: bytes, path: str, run: RunMandoc = run_mandoc) -> Iterator[Diagnostic]:
    """Yield a finding for each mistake in the page `content` that mandoc finds and a reader sees.

    Messages about a table are reported once for each table.  `path` names the page.  Yields nothing
    if mandoc fails: the reader has reported that.
    """
    try:
        messages = run(LINT, content)
    except MandocError:
        return
    lines = content.splitlines()
    table_lines = [index for index, line in enumerate(lines, 1) if TABLE_START.match(line)]
    reported: set[tuple[str, int]] = set()  # messages, each with the number of its table
    for line in messages.splitlines():
        match = MESSAGE.match(line)
        if match is None:
            continue
        if table_message := TABLE_MESSAGE.match(match["text"]):
            key = table_message[0], bisect(table_lines, int(match["line"]))
            if key in reported:
                continue
            reported.add(key)
        if _is_mistake(match["level"], match["text"], content):
            yield Diagnostic(
                path, int(match["line"]), int(match["column"]), LEVELS[match["level"]],
                "man-syntax", match["text"],
            )


def _is_mistake(level: str, message: str, content: bytes) -> bool:
    """Whether a reader of the page `content` sees what `message` is about."""
    if level not in LEVELS or INVISIBLE.match(message):
        return False
    if message.startswith(UNKNOWN_MACRO):  # it may be in a file that mandoc does not read
        return MACRO_FILE_REQUEST.search(content) is None
    if message.startswith(UNDEFINED_STRING):  # it may be defined for other programs
        name = re.escape(message.removeprefix(UNDEFINED_STRING).encode())
        return re.search(rb"\bds1?[ \t]+%s[ \t]" % name, content) is None
    return level == "ERROR" or VISIBLE.match(message) is not None
