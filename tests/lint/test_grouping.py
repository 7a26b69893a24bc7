"""Findings that one edit fixes are one, and baselines know them one by one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path, PurePath

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dconv import __version__
from dconv.cli import main
from dconv.lint.formats.json_output import json_output
from dconv.lint.formats.result import Result, with_lines
from dconv.lint.formats.sarif import sarif
from dconv.lint.grouping import group_findings
from dconv.model.diagnostics import Diagnostic, NameChange
from dconv.model.source import read_source

NAMES = ("age", "bulb", "dust", "wick", "cord", "lid", "hue", "mirror", "oil", "pan", "zinc")
SARIF = Path(__file__).parent / "sarif.schema.json"


def lamp(*names: str, listed: tuple[str, ...] = ()) -> str:
    """A lamp's manual with entries of these names, and a table of those that are `listed`."""
    rows = "".join(f"{name:12}X        X\n" for name in listed)
    table = f" keyword     lamp   lantern\n-----------+------+---------\n{rows}\n" if listed else ""
    entries = "".join(f"{name} <value>\n  Sets what it says.\n\n" for name in names)
    return f"1. Wick\n-------\n\n{table}{entries}"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    Path("manual.toml").write_text(
        '[product]\nname = "lamp"\ntitle = "Lamp"\nrecognize = ["Lamp"]\n'
        '[[document]]\nname = "lamp"\nfile = "lamp.txt"\ntitle = "Lamp"\n'
        '[[dialect.entry]]\nkind = "directive"\ntitle = "Wick"\n'
    )
    yield


def messages(capsys: pytest.CaptureFixture[str], text: str, *words: str) -> list[str]:
    """Line, rule and message of what is found in `text`."""
    Path("lamp.txt").write_text(text)
    main([
        "check", "lamp.txt", "--manuals", ".", "--dialect", "lamp", "--format", "json",
        "--disable", "matrix-row", *words,
    ])
    out, err = capsys.readouterr()
    assert out, err
    return [
        f"{finding['line']} {finding['rule']}: {finding['message']} "
        f"{[also['line'] for also in finding['also']]}"
        for finding in json.loads(out)["findings"]
    ]


def test_neighbours_that_move_to_one_place(capsys: pytest.CaptureFixture[str]) -> None:
    text = lamp("age", "bulb", "oil", "pan", "cord", "dust", "hue", "lid", "mirror", "wick", "zinc")
    assert messages(capsys, text) == [
        "10 entry-order: 'oil' and 'pan' are out of order: move them before 'wick' [13]"
    ]


def test_neighbours_whose_ways_cross(capsys: pytest.CaptureFixture[str]) -> None:
    text = lamp("age", "hue", "bulb", "dust", "cord", "lid", "mirror", "oil", "pan", "wick", "zinc")
    grouped = messages(capsys, text)
    assert grouped == [
        "7 entry-order: 2 names are out of order: move 'hue' before 'lid', 'cord' before 'dust' "
        "[16]"
    ]
    apart = lamp("bulb", "age", "cord", "dust", "hue", "lid", "mirror", "pan", "oil", "wick")
    assert len(messages(capsys, apart)) == 2


def test_a_list_that_lacks_several(capsys: pytest.CaptureFixture[str]) -> None:
    listed = ("age", "bulb", "hue", "lid", "mirror", "oil", "wick", "zinc")
    assert messages(capsys, lamp(*sorted(NAMES), listed=listed)) == [
        "8 unlisted-entry: 3 names are missing from this matrix of section 1: add 'cord' and "
        "'dust' before 'hue', 'pan' before 'wick' [8, 12]"
    ]
    more = [f"tune-{letter}" for letter in "bcdefghijk"]
    every = [*sorted(NAMES), *(f"tune-{letter}" for letter in "aabcdefghijk")]
    some = sorted({*every, "vent"} - {"cord", *more[1:]})
    text = lamp(*sorted({*every, "vent"}), listed=tuple(some))
    (grouped,) = messages(capsys, text)
    assert ": add 'cord' before 'dust', 'tune-c', 'tune-d', " in grouped
    assert "'tune-j' and 'tune-k' before 'vent' [16, " in grouped


def test_rows_that_are_out_of_order_as_their_entries(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("age", "bulb", "wick", "cord", "dust", "hue", "lid", "mirror", "oil", "pan", "zinc")
    text = lamp(*names, listed=names)
    (grouped,) = messages(capsys, text)
    assert grouped.endswith("'wick' is out of order: move it before 'zinc' (also line 8) [8]")
    (grouped,) = messages(capsys, text, "--disable", "entry-order")
    assert "8 row-order: 'wick' is out of order in this list: move it before 'zinc'" in grouped


def test_the_same_words_in_several_lines(capsys: pytest.CaptureFixture[str]) -> None:
    text = "1. Wick\n-------\n\nIt is the the wick.\n\nIt is a a lamp of the the kind.\n"
    again = "\nIt is the the wick.\n" * 2
    assert messages(capsys, text + again) == [
        "4 doubled-word: 'the' appears twice in a row (also lines 6, 8 and 10) [6, 8, 10]",
        "6 doubled-word: 'a' appears twice in a row []",
    ]


def test_each_other_line_of_a_group_has_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    Path("lamp.txt").write_text("It is the the wick.\nA lid.\n\nIt is the the wick.\n")
    main(["check", "--quiet", "lamp.txt"])
    assert capsys.readouterr().out.splitlines() == [
        "lamp.txt:1:11: warning: [doubled-word] 'the' appears twice in a row (also line 4)",
        "lamp.txt:4:11: note: 'the' appears twice in a row",
    ]


def test_what_one_summary_lacks_in_many_places(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = ("2. Oil", "4. Cords", "5. Lids", "7. Keys")
    text = "Summary\n-------\n\n" + "".join(f"{result}\n" for result in numbers) + "\n" + "".join(
        f"{name}\n{'-' * len(name)}\n\nIt burns.\n\n" for name in (
            "1. Wick", "2. Oil", "3. Shades", "4. Cords", "5. Lids", "6. Pans", "7. Keys"
        )
    )
    assert messages(capsys, text) == [
        "4 summary-titles: 3 names are missing from the summary: add '1 Wick' before 2, "
        "'3 Shades' after 2, '6 Pans' after 5 [4, 6]",
    ]


def test_what_one_summary_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    text = "Summary\n-------\n\n1. Wick\n2. Oil\n\n" + "".join(
        f"{name}\n{'-' * len(name)}\n\nIt burns.\n\n"
        for name in ("1. Wick", "2. Oil", "3. Shades", "4 Cords", "5. Lids", "6 Pans")
    )
    assert messages(capsys, text) == [
        "5 summary-titles: '3 Shades', '4 Cords', '5 Lids' and '6 Pans' are missing from the "
        "summary: add them after 2 [5, 5, 5]",
        "22 title-number: '4' and '6' are not followed by '.': end them with '.' [32]",
    ]


def grouped(
    *findings: tuple[str, int, str], text: bytes = b"a(b,[c])\ntwo\na(b,[c]) : d\n"
) -> list[str]:
    """Lines and messages of the groups of `findings`: rule, line, message."""
    source = read_source(text, "lamp.txt")
    singles = [
        Diagnostic("lamp.txt", line, 1, "warning", rule, words) for rule, line, words in findings
    ]
    return [
        f"{result.finding.line} {result.finding.message} "
        f"{[also.finding.line for also in result.others]}"
        for result in group_findings(list(with_lines(singles, "lamp", source)))
    ]


def test_one_wrong_name_that_several_rules_see() -> None:
    wrong = "unknown 'wik'; did you mean 'wick'?"
    found_by_rules = ("near-name", 1, wrong), ("example-name", 2, wrong), ("near-name", 2, "other")
    assert grouped(*found_by_rules) == [f"1 {wrong} (also line 2) [2]", "2 other []"]


def test_a_slip_of_a_signature_and_of_its_row() -> None:
    assert grouped(("signature", 1, "a comma"), ("signature", 3, "a comma")) == [
        "1 a comma (also line 3) [3]"
    ]


@pytest.mark.parametrize("rule", ["matrix-contradiction", "usage-table"])
def test_what_is_wrong_in_one_row(rule: str) -> None:
    assert grouped((rule, 1, "one"), (rule, 1, "other"), (rule, 2, "one")) == [
        "1 one; other [1]", "2 one []",
    ]


def test_what_is_known_of_a_group_stays_known(capsys: pytest.CaptureFixture[str]) -> None:
    listed = ("age", "bulb", "hue", "lid", "mirror", "oil", "wick", "zinc")
    text = lamp(*sorted(NAMES), listed=listed)
    messages(capsys, text)
    words = ["check", "lamp.txt", "--manuals", ".", "--dialect", "lamp"]
    assert main([*words, "--disable", "matrix-row", "--write-baseline", "known.toml"]) == 0
    assert "Wrote 3 findings" in capsys.readouterr().out
    assert messages(capsys, text, "--baseline", "known.toml") == []
    fewer = lamp(*sorted(NAMES), listed=("age", "bulb", "dust", *listed[2:]))
    Path("lamp.txt").write_text(fewer)
    assert main([*words, "--disable", "matrix-row", "--baseline", "known.toml"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("no new findings") and "'dust' is missing" in err
    more = text.replace("age <value>", "able <value>\n  Sets it.\n\nage <value>")
    (grouped,) = messages(capsys, more, "--baseline", "known.toml")
    assert "'able' is missing from this matrix of section 1: add it before 'age'" in grouped


def shared(name: str, line: int, group: str = "1") -> Diagnostic:
    about = NameChange(group, name, "out of order", "before 'x'", "move")
    message = f"'{name}' is out of order: move it before 'x'"
    return Diagnostic("lamp.txt", line, 1, "warning", "entry-order", message, 1, about)


def in_lamp(*findings: Diagnostic) -> list[Result]:
    source = read_source(b"one\ntwo\nthree\nfour\n", "lamp.txt")
    return list(with_lines(findings, "lamp", source))


def test_places_of_a_group_are_in_all_forms() -> None:
    (result,) = group_findings(in_lamp(shared("a", 1), shared("b", 3)))
    alone = group_findings(in_lamp(shared("a", 1)))
    value = json.loads(json_output([result, *alone], (), "dconv 0.1.0"))
    first, second = (each["fingerprint"] for each in value["findings"])
    assert first != second
    value = json.loads(sarif([result], __version__, PurePath("/")))
    jsonschema.Draft7Validator(json.loads(SARIF.read_text())).validate(value)
    (related,) = value["runs"][0]["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["region"]["startLine"] == 3


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 4), st.sampled_from("12"))))
def test_grouping_loses_and_repeats_nothing(findings: list[tuple[str, int, str]]) -> None:
    singles = in_lamp(*(shared(*result) for result in findings))
    grouped = [member for result in group_findings(singles) for member in (result, *result.others)]
    assert sorted(member.key for member in grouped) == sorted(result.key for result in singles)
    assert len(group_findings(singles)) == len({group for _, _, group in findings})
