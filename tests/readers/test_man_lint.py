"""What mandoc reports of a page becomes findings, from output of mandoc that is stored here."""

from __future__ import annotations

from dconv.readers.man.lint import lint
from dconv.readers.mandoc import MandocError

OUTPUT = r"""
mandoc: <stdin>:8:13: WARNING: missing date, using "": TH
mandoc: <stdin>:9:1: ERROR: skipping unknown macro: XX
mandoc: <stdin>:9:8: WARNING: invalid escape sequence: \fb
mandoc: <stdin>:9:8: WARNING: invalid escape sequence: \f5
mandoc: <stdin>:9:9: WARNING: undefined escape, printing literally: \<
mandoc: <stdin>:9:12: WARNING: undefined string, using "": AQ
mandoc: <stdin>:9:20: UNSUPP: unsupported roff request: do
mandoc: <stdin>:10:2: ERROR: skipping insecure request: mso
mandoc: <stdin>:10:86: STYLE: input text line longer than 80 bytes: a long ...
mandoc: see above the output for WARNING messages.
"""


def test_mistakes_that_a_reader_sees_are_findings() -> None:
    assert _found(b".TH X 8\n") == [
        "x.8:9:1: error: [man-syntax] skipping unknown macro: XX",
        r"x.8:9:8: warning: [man-syntax] invalid escape sequence: \fb",
        'x.8:9:12: warning: [man-syntax] undefined string, using "": AQ',
    ]


def test_macros_and_strings_of_other_programs_are_no_mistakes() -> None:
    page = b".TH X 8\n.if \\n[.g] \\{\\\n.  mso www.tmac\n.  ds AQ '\n.\\}\n"
    assert _found(page) == [r"x.8:9:8: warning: [man-syntax] invalid escape sequence: \fb"]


def test_a_table_has_each_kind_of_mistake_once() -> None:
    output = """
mandoc: <stdin>:3:1: ERROR: invalid character in tbl layout: !
mandoc: <stdin>:3:2: ERROR: invalid character in tbl layout: #
mandoc: <stdin>:4:3: ERROR: ignoring extra tbl data cells: b
mandoc: <stdin>:7:1: ERROR: invalid character in tbl layout: ~
"""
    page = b".TH X 8\n.TS\n!# l.\na\tb\n.TE\n.TS\n~ l.\na\n.TE\n"
    found = [(finding.line, finding.column) for finding in lint(page, "x.8", lambda *_: output)]
    assert found == [(3, 1), (4, 3), (7, 1)]


def _found(page: bytes) -> list[str]:
    return [str(finding) for finding in lint(page, "x.8", lambda options, content: OUTPUT)]


def test_a_page_that_never_ends_has_no_findings() -> None:
    def run(options: tuple[str, ...], page: bytes) -> str:
        raise MandocError("it does not end")

    assert not [*lint(b".TH X 8\n", "x.8", run)]
