"""The forms of what `dconv check` tells: text, JSON, SARIF, GitHub's annotations."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from urllib.parse import unquote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dconv import __version__
from dconv.cli import main
from dconv.lint.formats.github import github
from dconv.lint.formats.gitlab import gitlab
from dconv.lint.formats.json_output import json_output
from dconv.lint.formats.result import Result, with_lines
from dconv.lint.formats.sarif import sarif
from dconv.lint.formats.text import statistics, text
from dconv.lint.rule_docs import READER_RULES, descriptions
from dconv.lint.rules import RULES
from dconv.model.diagnostics import Diagnostic, Edit, Fix
from dconv.model.source import read_source
from dconv.sources.resources import resource_folder

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "dconv/lint/check.schema.json"
SARIF = Path(__file__).parent / "sarif.schema.json"
LAMP = "1. Lamp\n-------\n\nSee section 7.1.\n\n2. Wick\n-------\n\nIt burns.\n"
HERE = PurePath("/home/user/manuals")

SOURCE = (
    "Lamps\n"
    "  \tlit lit by day\n"
    "  größe 灯灯 of of it\n"
    f"{'word ' * 40}here here {'word ' * 30}\n"
    "\n"
)
FOUND = (
    Diagnostic("doc/lamp.txt", 2, 9, "warning", "doubled-word", "'lit' stands twice", 7),
    Diagnostic("doc/lamp.txt", 3, 12, "note", "doubled-word", "'of' stands twice", 5),
    Diagnostic("doc/lamp.txt", 4, 201, "error", "doubled-word", "'here' stands twice", 9),
    Diagnostic("doc/lamp.txt", 5, 1, "warning", "usage-table", "lines 1, 2 and 3 differ", 1),
)


def results(*chosen: Diagnostic) -> list[Result]:
    source = read_source(SOURCE.encode(), "doc/lamp.txt")
    return list(with_lines(chosen or FOUND, "lamp", source))


def validated(schema: Path, output: str) -> dict[str, object]:
    value: dict[str, object] = json.loads(output)
    parsed = json.loads(schema.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(parsed)
    jsonschema.Draft202012Validator(parsed).validate(value)
    return value


# --- text -----------------------------------------------------------------------------


def test_text_marks_the_place_tabs_and_wide_signs_counted() -> None:
    output = text(results(FOUND[0], FOUND[1]), with_lines=True)
    assert output == (
        "doc/lamp.txt:2:9: warning: [doubled-word] 'lit' stands twice\n"
        "    2 |         lit lit by day\n"
        "      |         ^~~~~~~\n"
        "doc/lamp.txt:3:12: note: [doubled-word] 'of' stands twice\n"
        "    3 |   größe 灯灯 of of it\n"
        "      |              ^~~~~\n"
    )


def test_text_cuts_long_lines_around_the_mark() -> None:
    output = text(results(FOUND[2]), with_lines=True).splitlines()
    shown, mark = (row[8:] for row in output[1:])
    start = mark.index("^")
    assert len(shown) == 80 and shown[0] == shown[-1] == "…"
    assert shown[start : start + 9] == "here here" and mark.strip() == "^~~~~~~~~"


def test_text_without_lines_and_of_blank_lines_is_the_line_of_compilers() -> None:
    assert text(results(), with_lines=False).splitlines() == [str(result) for result in FOUND]
    assert text(results(FOUND[3]), with_lines=True) == f"{FOUND[3]}\n"


@given(
    st.text(st.sampled_from("ab \tä灯\u0308"), min_size=1, max_size=120), st.integers(1, 130),
    st.integers(1, 40),
)
def test_marks_never_leave_their_line(line: str, column: int, length: int) -> None:
    source = read_source(line.encode(), "x")
    finding = Diagnostic("x", 1, column, "note", "doubled-word", "m", length)
    result = next(with_lines([finding], "x", source))
    rows = text([result], with_lines=True).splitlines()
    assert rows[0] == str(finding) and len(rows) in (1, 3)
    if len(rows) == 3:
        shown, mark = (row.partition(" | ")[2] for row in rows[1:])
        assert len(shown) <= 80 and mark.strip(" ~") == "^"
        width = sum(
            not unicodedata.combining(sign) and 1 + (sign == "灯") for sign in shown
        )
        assert len(mark) <= width + 1  # an accent alone has no column of its own
    assert 1 <= result.start <= column and result.end > result.start


# --- JSON -----------------------------------------------------------------------------


def test_json_keeps_to_its_schema() -> None:
    value = validated(SCHEMA, json_output(results(), ["one note"], "dconv 0.1.0"))
    assert value["counts"] == {"note": 1, "warning": 2, "error": 1}
    assert value["notes"] == ["one note"]
    first = value["findings"]
    assert isinstance(first, list)
    assert first[0]["column"] == 9 and first[0]["text"] == "        lit lit by day"


def test_fingerprints_are_of_the_content_and_differ_where_it_is_the_same() -> None:
    twice = Diagnostic("doc/lamp.txt", 2, 9, "warning", "doubled-word", "'lit' stands twice", 7)
    value = json.loads(json_output(results(FOUND[0], twice), (), "dconv 0.1.0"))
    first, second = (result["fingerprint"] for result in value["findings"])
    assert first != second
    moved = read_source(f"\n\n{SOURCE}".encode(), "doc/lamp.txt")
    below = Diagnostic("doc/lamp.txt", 4, 9, "warning", "doubled-word", "'lit' stands twice", 7)
    value = json.loads(json_output(list(with_lines([below], "lamp", moved)), (), "dconv 0.1.0"))
    assert value["findings"][0]["fingerprint"] == first


# --- SARIF ----------------------------------------------------------------------------


def run(value: dict[str, object]) -> dict[str, Sequence[dict[str, dict[str, object]]]]:
    runs = value["runs"]
    assert isinstance(runs, list) and len(runs) == 1
    results: dict[str, Sequence[dict[str, dict[str, object]]]] = runs[0]
    return results


def test_sarif_is_as_the_standard_says() -> None:
    result = run(validated(SARIF, sarif(results(), __version__, HERE)))
    place = json.loads(json.dumps(result["results"][0]["locations"]))[0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "doc/lamp.txt", "uriBaseId": "%SRCROOT%"}
    # a tab is one character here
    assert place["region"] == {
        "startLine": 2, "startColumn": 4, "endColumn": 11,
        "snippet": {"text": "        lit lit by day"},
    }
    assert json.loads(json.dumps(result["results"]))[3]["locations"][0]["physicalLocation"][
        "region"
    ] == {"startLine": 5}


def test_sarif_explains_each_rule() -> None:
    tool = json.loads(sarif(results(), __version__, HERE))["runs"][0]
    rules = tool["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({*READER_RULES, *(r.name for r in RULES)})
    for result in tool["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    help_text = next(rule["help"] for rule in rules if rule["id"] == "entry-order")
    assert "**Bad:**\n\n```text\n" in help_text["markdown"]
    assert not any("helpUri" in rule for rule in rules)
    address = "https://docs.example.org/rules.html#{rule}"
    value = run(validated(SARIF, sarif(results(), __version__, HERE, address)))
    driver = json.loads(json.dumps(value["tool"]))["driver"]
    assert driver["rules"][0]["helpUri"].endswith(f"/rules.html#{rules[0]['id']}")


@pytest.mark.parametrize(
    ("path", "uri", "relative"),
    [
        ("/home/user/manuals/doc/a b.txt", "doc/a b.txt", True),
        ("/srv/a.txt", "file:///srv/a.txt", False),
        ("../ä%.txt", "../ä%.txt", True),
        ("a\udcff.txt", "a\ufffd.txt", True),
    ],
)
def test_sarif_names_files_from_where_the_work_is(path: str, uri: str, relative: bool) -> None:
    result = Diagnostic(path, 1, 1, "warning", "doubled-word", "'a' stands twice")
    value = validated(SARIF, sarif(results(result), __version__, HERE))
    location = json.loads(json.dumps(run(value)["results"]))[0]["locations"][0]
    artifact = location["physicalLocation"]["artifactLocation"]
    assert unquote(artifact["uri"]) == uri
    assert ("uriBaseId" in artifact) is relative


# --- GitHub ---------------------------------------------------------------------------


def test_github_has_a_command_for_each_level() -> None:
    output = github(results(), HERE).splitlines()
    assert output[0] == (
        "::warning file=doc/lamp.txt,line=2,endLine=2,col=4,endColumn=10,"
        "title=dconv doubled-word::'lit' stands twice"
    )
    commands = [line.split(" ")[0] for line in output]
    assert commands == ["::warning", "::notice", "::error", "::warning"]


def test_github_escapes_as_it_is_documented() -> None:
    odd = Diagnostic("/home/user/manuals/50%, a:b.txt", 1, 1, "error", "x", "50%\r\na, b: c")
    output = github(results(odd), HERE)
    assert output.startswith("::error file=50%25%2C a%3Ab.txt,line=1,")
    assert output.endswith("::50%25%0D%0Aa, b: c\n")
    assert output.count("\n") == 1


# --- GitLab ---------------------------------------------------------------------------


def test_gitlab_has_what_its_reports_need() -> None:
    """The keys of https://docs.gitlab.com/ci/testing/code_quality/ (Code Quality report format)."""
    inside = Diagnostic("/home/user/manuals/doc/a b.txt", 2, 1, "error", "x", "said")
    values = json.loads(gitlab([*results(), *results(inside)], HERE))
    assert values[0].pop("fingerprint") != values[1]["fingerprint"]
    assert values[0] == {
        "description": "'lit' stands twice", "check_name": "doubled-word", "severity": "minor",
        "location": {"path": "doc/lamp.txt", "lines": {"begin": 2}},
    }
    assert [value["severity"] for value in values[1:4]] == ["info", "critical", "minor"]
    assert values[4]["location"]["path"] == "doc/a b.txt"


# --- statistics -----------------------------------------------------------------------


def test_statistics_count_rules_the_most_frequent_first() -> None:
    fixed = replace(FOUND[3], fix=Fix("write it", (Edit(5, 1, 5, 1, "x"),)))
    assert statistics(results(FOUND[0], FOUND[0], FOUND[2], fixed)) == (
        "findings  fixable  level    rule\n"
        "       2        0  warning  doubled-word\n"
        "       1        0  error    doubled-word\n"
        "       1        1  warning  usage-table\n"
    )
    assert statistics([]) == ""


# --- what reading finds ---------------------------------------------------------------


def test_reading_is_explained_as_in_the_manual() -> None:
    manual = (resource_folder("manuals") / "dconv" / "manual.txt").read_text(encoding="utf-8")
    chapter = manual[manual.index("\n11.2. Rules\n") : manual.index("\n11.3. The proof\n")]
    for name, (level, sentence) in READER_RULES.items():
        body = re.search(rf"\n{name}\n(.*?)\n\n\n", f"{chapter}\n\n", re.DOTALL)
        assert body is not None, name
        words = " ".join(body[1].split())
        assert words.startswith(sentence), name
        assert f"The level is '{level}'." in words
    assert set(READER_RULES) <= set(descriptions())


# --- the command ----------------------------------------------------------------------


def test_a_section_is_missing_only_where_sections_have_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lamp.txt").write_text("The Lamp\n========\n\nSection 3 of the other book is true.\n")
    assert main(["check", "lamp.txt"]) == 0


def test_numbers_start_from_1_in_each_chapter_and_may_follow_a_bullet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lamp.txt").write_text(
        "Table of Contents\n\n? 1. Oil\n? 2. Wick\n\n"
        "Chapter 1. Lamps\n\n1. Oil\n\nIt burns.\n\n2. Wick\n\nIt smells.\n\n"
        "Chapter 2. Towers\n\n1. Stairs\n\nThey are long.\n"
    )
    assert main(["check", "lamp.txt"]) == 0


def test_the_command_prints_each_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lamp.txt").write_text(LAMP)
    assert main(["check", "lamp.txt"]) == 1
    output = (
        "lamp.txt:4:13: warning: [section-reference] there is no section 7.1 in this document\n"
        "    4 | See section 7.1.\n"
        "      |             ^\n"
    )
    assert capsys.readouterr().out == output + "1 finding: 1 warning\n"
    assert main(["check", "lamp.txt", "--quiet"]) == 1
    assert capsys.readouterr().out == output.splitlines(keepends=True)[0]
    assert main(["check", "lamp.txt", "--format", "json"]) == 1
    value = validated(SCHEMA, capsys.readouterr().out)
    assert value["counts"] == {"note": 0, "warning": 1, "error": 0}
    assert main(["check", str(tmp_path / "lamp.txt"), "--format", "sarif"]) == 1
    log = validated(SARIF, capsys.readouterr().out)
    assert '"uri": "lamp.txt"' in json.dumps(log)
    assert main(["check", "lamp.txt", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::warning file=lamp.txt,line=4,")


def test_the_command_refuses_other_forms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "lamp.txt", "--format", "xml"]) == 2
    assert "unknown --format 'xml'" in capsys.readouterr().err
