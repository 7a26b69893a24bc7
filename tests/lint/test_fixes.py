"""`dconv check --fix`: what is mechanical is mended, and nothing gets worse."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import jsonschema
import pytest
from example_files import read_specs
from generated_manuals import manuals
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dconv.cli import main
from dconv.lint.fixes import apply_fixes, without_conflicts
from dconv.model.diagnostics import Edit, Fix

RULES = Path(__file__).parent / "rules"
SARIF = Path(__file__).parent / "sarif.schema.json"
SPEC = Path(__file__).parent.parent / "spec"
MECHANICAL = ("entry-order", "row-order", "unlisted-entry", "doubled-word", "tab",
              "trailing-blanks", "title-underline")

BEFORE = """\
1. Directives
-------------

  * All
    - backlog
    - mode
    - log
    - pool
    - weight

backlog <number>
  Sets the the number\tof calls,
  calls that wait.

mode <name>
  Sets a name.  \x20

log <address>
  Sets an address.


option keep
  Keeps it.

pool <number>
  Sets a pool.

weight <number>
  Sets a weight.

2. Limits
-----------
"""
AFTER = """\
1. Directives
-------------

  * All
    - backlog
    - log
    - mode
    - option keep
    - pool
    - weight

backlog <number>
  Sets the number   of calls,
  calls that wait.

log <address>
  Sets an address.


mode <name>
  Sets a name.

option keep
  Keeps it.

pool <number>
  Sets a pool.

weight <number>
  Sets a weight.

2. Limits
---------
"""


def check(*words: str) -> int:
    return main([
        "check", "--manuals", str(SPEC), "--dialect", "relay", "--enable", "title-underline",
        "-q", *words,
    ])


def fixed(content: bytes) -> bytes:
    """A file with this content, after --fix."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "manual.txt")
        file.write_bytes(content)
        check("--fix", str(file))
        return file.read_bytes()


def rules(content: bytes, capsys: pytest.CaptureFixture[str]) -> Counter[str]:
    """How often each rule reports something."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "manual.txt")
        file.write_bytes(content)
        capsys.readouterr()
        check("--format", "json", str(file))
        findings = json.loads(capsys.readouterr().out)["findings"]
    return Counter(finding["rule"] for finding in findings)


def test_all_that_is_mechanical_is_mended() -> None:
    assert fixed(BEFORE.encode()).decode() == AFTER


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encoding_and_line_ends_stay(codec: str, end: str) -> None:
    before, after = (text.replace("\n", end).encode(codec) for text in (BEFORE, AFTER))
    assert fixed(before) == after


def test_odd_bytes_stay_and_so_does_a_last_line_without_end() -> None:
    before = BEFORE.rstrip("\n").replace("address.", "addr\xe9ss.").encode("latin-1")
    after = AFTER.rstrip("\n").replace("address.", "addr\xe9ss.").encode("latin-1")
    assert fixed(before) == after


def test_mode_and_link_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    file = tmp_path / "real" / "manual.txt"
    file.write_text(BEFORE)
    file.chmod(0o640)
    link = tmp_path / "manual.txt"
    link.symlink_to(file)
    assert check("--fix", str(link)) == 0
    assert link.is_symlink() and file.read_text() == AFTER
    assert file.stat().st_mode & 0o777 == 0o640 and os.listdir(file.parent) == ["manual.txt"]


def test_the_last_sentence_counts_fixes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "manual.txt"
    file.write_text(BEFORE)
    for ending in (f"in {file}\n", "fixed nothing\n"):
        assert main(["check", "--fix", str(file)]) == 0
        assert capsys.readouterr().out.endswith(ending)
    file.write_text(BEFORE)
    assert main(["check", "--fix", "--format", "json", str(file)]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["findings"] == [] and output.err.endswith(f"in {file}\n")


def test_a_read_only_file_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "manual.txt", tmp_path / "other.txt"]
    for file in files:
        file.write_text(BEFORE)
    files[1].chmod(0o444)
    assert check("--fix", *map(str, files)) == 2
    assert "other.txt is read-only; nothing was written" in capsys.readouterr().err
    assert [file.read_text() for file in files] == [BEFORE, BEFORE]


def test_a_diff_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "manual.txt"
    file.write_text("1. Lamp\n-------\n\nThis is the the lamp.\n")
    assert check("--fix", "--diff", str(file)) == 1
    assert capsys.readouterr().out == (
        f"--- {file}\n+++ {file}\n@@ -1,4 +1,4 @@\n 1. Lamp\n -------\n \n"
        "-This is the the lamp.\n+This is the lamp.\n"
    )
    assert "the the" in file.read_text()
    file.write_text("1. Lamp\n-------\n\nThis is the lamp.\n")
    assert check("--fix", "--diff", str(file)) == 0


def test_what_is_not_mechanical_stays_and_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "manual.txt"
    file.write_text("1. Lamp\n-------\n\nIs it it, as section 9 asks?\n")
    assert check("--fix", str(file)) == 1
    assert "[doubled-word]" in capsys.readouterr().out and "it it" in file.read_text()


def test_lines_that_a_filter_has_made_have_no_fix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A text of comments has other lines, and may have more of them."""
    head = "# These are the settings of lamps.\n# What is not set has its its default.\n\n"
    text = head + "".join(
        f"#  TAG: lamp_{name}\n#\tSets the the {name} of a lamp.\n#Default:\n# lamp_{name} 1\n\n"
        for name in ("colour", "height", "light", "oil", "wick", "width")
    )
    file = tmp_path / "lamp.conf.txt"
    file.write_text(text)
    assert check("--fix", str(file)) == 1
    assert capsys.readouterr().out.count("[doubled-word]") > 1 and file.read_text() == text


def test_tabs_are_found_where_the_file_has_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also in a file of comments, of which a filter makes fewer lines."""
    file = tmp_path / "lamp.conf.txt"
    file.write_text("# How a lamp burns.\n" + "#\n" * 20 + "# It burns\tbright. \n")
    check(str(file))
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" [")[0] for line in lines if " note: " in line] == [
        f"{file}:22:11: note:", f"{file}:22:19: note:",
    ]


def test_a_baseline_says_what_stays(tmp_path: Path) -> None:
    file, known = tmp_path / "manual.txt", tmp_path / "known.toml"
    file.write_text("1. Lamp\n-------\n\nThis is the the lamp.\n")
    check("--write-baseline", str(known), str(file))
    assert check("--baseline", str(known), "--fix", str(file)) == 0
    assert "the the" in file.read_text()


def test_what_cannot_be_written_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = tmp_path / "manual.txt.gz"
    packed.write_bytes(gzip.compress(BEFORE.encode()))
    for words in (
        ("--fix", "-"), ("--fix", str(packed)), ("--diff", "-"),
        ("--fix", "--write-baseline", "known.toml", str(tmp_path)),
        ("--fix", "--diff", "--format", "json", str(tmp_path)),
    ):
        assert check(*words) == 2
        out, err = capsys.readouterr()
        assert not out and err.count("\n") == 1


def test_sarif_has_the_fixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "manual.txt"
    file.write_text(BEFORE)
    check("--format", "sarif", str(file))
    output = json.loads(capsys.readouterr().out)
    jsonschema.validate(output, json.loads(SARIF.read_text(encoding="utf-8")))
    results = output["runs"][0]["results"]
    edits = [
        Edit(
            region["startLine"], region["startColumn"], region["endLine"], region["endColumn"],
            replacement["insertedContent"]["text"],
        )
        for result in results for fix in result["fixes"]
        for change in fix["artifactChanges"] for replacement in change["replacements"]
        for region in [replacement["deletedRegion"]]
    ]
    assert apply_fixes(BEFORE.encode(), [Fix("all", tuple(edits))]).decode() == AFTER


@pytest.mark.parametrize("rule", MECHANICAL)
def test_fixes_of_examples_are_stable(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    for spec in read_specs(RULES / f"{rule}.test"):
        if not spec.form:
            once = fixed(spec.text.encode())
            assert fixed(once) == once
            before, after = rules(spec.text.encode(), capsys), rules(once, capsys)
            assert after <= before
            assert (after == before) == (once == spec.text.encode())


@pytest.mark.slow
@given(manuals(), st.randoms(use_true_random=False))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_fixes_of_any_manual_are_stable(
    capsys: pytest.CaptureFixture[str], text: str, random: Random
) -> None:
    """Some lines end with blanks, have tabs, or stand twice; the names of entries move."""
    lines = text.splitlines()
    for index in range(len(lines)):
        change = random.randrange(20)
        if change == 0:
            lines[index] += "  "
        elif change == 1:
            lines[index] = lines[index].replace("  ", "\t", 1)
        elif change == 2:
            lines[index] = lines[index].replace(" the ", " the the ")
    content = "\n".join(lines).encode()
    once = fixed(content)
    assert fixed(once) == once
    assert rules(once, capsys) <= rules(content, capsys)


EDITS = st.builds(
    lambda line, column, length, text: Edit(line, column, line, column + length, text),
    st.integers(1, 3), st.integers(1, 4), st.integers(0, 3), st.sampled_from(["", "x", "x\n"]),
)


@given(st.lists(st.builds(lambda edit: Fix("change", (edit,)), EDITS), max_size=6))
def test_independent_fixes_can_be_made_in_any_order(fixes: list[Fix]) -> None:
    chosen = without_conflicts(fixes)
    text = b"abcdef\nghijkl\nmnopqr\n"
    one_by_one = text
    for fix in sorted(chosen, key=lambda fix: fix.edits, reverse=True):
        one_by_one = apply_fixes(one_by_one, [fix])
    assert apply_fixes(text, chosen) == one_by_one
