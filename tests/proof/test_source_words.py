"""What a filter leaves out of a text must be named, and in the text."""

from __future__ import annotations

from dataclasses import replace

from dconv.model.dialect import Dialect
from dconv.model.source import Dropped
from dconv.model.tree import Manual
from dconv.proof.coverage import prove_tree
from dconv.readers import text

STRUCK = b"The l\bla\bam\bmp\bp\n\nis not lit.\n"


def read() -> Manual:
    return text.read(STRUCK, "lamps.txt", Dialect(), "lamps")


def losses(manual: Manual) -> list[str]:
    return [f"{loss.line} {loss.message}" for loss in prove_tree(manual).losses]


def test_what_a_filter_leaves_out_is_in_the_proof() -> None:
    proof = prove_tree(read())
    assert proof.losses == ()
    assert proof.line_count == 3
    assert dict(proof.dropped) == {"mark of a terminal": (1,)}


def test_a_word_that_a_filter_loses_is_lost() -> None:
    manual = read()
    lines = (*manual.source.lines[:2], replace(manual.source.lines[2], text="is lit."))
    source = replace(manual.source, lines=lines)
    assert "3 file 'is not lit.', read 'is lit.'" in losses(replace(manual, source=source))


def test_a_filter_cannot_leave_out_what_is_not_there() -> None:
    manual = read()
    more = (*manual.source.filtered_out, Dropped("page foot", 3, 1, "[Page 3]"))
    source = replace(manual.source, filtered_out=more)
    assert losses(replace(manual, source=source)) == [
        "3 left out, but not in the file: '[Page 3]'"
    ]
