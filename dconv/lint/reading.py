"""What reading and linking tell of texts, besides the rules of the check: a sentence for each.

The chapter about diagnostics of our manual says more; a test compares both.
"""

from __future__ import annotations

from collections.abc import Mapping

from dconv.model.diagnostics import Level

LEVELS: Mapping[str, Level] = {
    "control-character": "warning",
    "encoding": "warning",
    "entry-kind": "warning",
    "matrix-contradiction": "warning",
    "matrix-row": "warning",
    "missing-document": "note",
    "no-entries": "note",
    "not-documented": "warning",
    "section-number": "warning",
    "section-reference": "warning",
    "unknown-to-program": "warning",
}
SENTENCES: Mapping[str, str] = {
    "control-character": "A character of the text cannot stand in a page.",
    "encoding":
        "The text is not UTF-8 everywhere; bytes that do not fit are Windows-1252.",
    "entry-kind":
        "A section holds entries, and the dialect does not tell of what kind they are.",
    "matrix-contradiction":
        "A table of all names and the entry itself say different things.",
    "matrix-row": "A table of all names has one that no entry has.",
    "missing-document":
        "The text names a file that is no document of the release, or a section of "
        "such a document.",
    "no-entries":
        "Several lines look like those of entries, and no section is known to hold any.",
    "not-documented":
        "The program knows a name that the text does not document.",
    "section-number": "A section has the number of another one.",
    "section-reference": "The text refers to a section that does not exist.",
    "unknown-to-program":
        "The text documents a name that the program does not know.",
}
