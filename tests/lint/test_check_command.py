"""`dconv check`: switches of rules, known findings, what a change brought in."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dconv.cli import check, main
from dconv.lint import rule_docs
from dconv.lint import rules as check_rules
from dconv.lint.baseline import Key, baseline_text, fixed_findings, load_baseline, which_are_new
from dconv.settings.toml import SettingsError

# two findings of the rules of the check, one of reading, and a note
LAMP = """\
1. Lamp
-------

It gives gives light by the the wick. See section 7.1.

2. Wick
-------

See doc/oil.txt.
"""
SOURCE = """\
[product]
name = "lamp"
title = "Lamp"
recognize = ["Lamp"]

[[document]]
name = "lamp"
file = "lamp.txt"
title = "Lamp"
"""


@pytest.fixture(autouse=True)
def _texts(work_folder: Path) -> None:
    Path("lamp.txt").write_text(LAMP)


def rules(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The rules of what is found, in order."""
    main(["check", "lamp.txt", "--format", "json", *words])
    out, err = capsys.readouterr()
    assert out, err
    return [finding["rule"] for finding in json.loads(out)["findings"]]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one sentence that the command is refused with."""
    assert main(["check", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    return err


ALL = ["doubled-word", "doubled-word", "section-reference", "missing-document"]


# --- texts without entries ------------------------------------------------------------

WICK = """\
1. Wick
-------

length <number>
  Set how much of it burns.

  May be used in sections :   lamp | lantern
                               yes |   no

level { low | high }
no level
  Set how bright it is.

  See also : "length-of-wick"
"""


def test_what_looks_like_entries_is_one_finding(capsys: pytest.CaptureFixture[str]) -> None:
    Path("wick.txt").write_text(WICK)
    assert main(["check", "-q", "wick.txt"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("wick.txt:4:1: note: [no-entries] 2 places look like entries")
    assert output.count("\n") == 1
    main(["convert", "-v", "wick.txt", "-o", "pages"])
    assert "[no-entries]" in capsys.readouterr().err


def test_few_lines_are_no_entries(capsys: pytest.CaptureFixture[str]) -> None:
    Path("wick.txt").write_text(WICK.replace("May be used", "Used"))
    assert main(["check", "-q", "wick.txt"]) == 0
    assert capsys.readouterr().out == ""


def test_nouns_that_a_text_doubles_on_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    Path("wick.txt").write_text(
        "A condition condition is lit. The condition condition is not.\n\n"
        "The default default is 3; use a condition condition of of this kind.\n"
    )
    assert main(["check", "-q", "wick.txt"]) == 1
    assert [line.partition("] ")[2] for line in capsys.readouterr().out.splitlines()] == [
        "'of' appears twice in a row"
    ]


def test_known_entries_are_not_missed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("manual.toml").write_text(
        f"{SOURCE}\n[[dialect.entry]]\nkind = 'directive'\ntitle = 'Wick'\n"
    )
    Path("wick.txt").write_text(WICK)
    main(["check", "-q", "wick.txt", "--manuals", ".", "--dialect", "lamp"])
    assert "[see-also-item]" in (output := capsys.readouterr().out) and "no-entries" not in output


# --- texts that stand beside ----------------------------------------------------------

OIL = """\
1. Oil
------

It burns burns.
"""


def test_what_a_text_names_beside_it_is_no_missing_document(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("oil.txt").write_text(OIL)
    assert rules(capsys) == ALL[:3]
    Path("oil.txt").unlink()
    Path("oil.txt.gz").write_bytes(gzip.compress(OIL.encode()))
    assert rules(capsys) == ALL[:3]
    Path("oil.txt.gz").write_bytes(b"\x1f\x8bno gzip")
    assert rules(capsys) == ALL
    Path("oil.txt.gz").unlink()
    Path("oil.txt").mkdir()
    assert rules(capsys) == ALL


def test_links_to_texts_that_are_not_there_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    Path("lamp.txt").unlink()
    Path("docs").mkdir()
    Path("docs/wick.md").write_text("# Wick\n")
    Path("lamp.md").write_text(
        "# Lamp\n\nRead [wick](docs/wick.md#wick), [oil](docs/oil.md#x) and [terms](LICENSE).\n"
    )
    main(["check", "."])
    assert re.findall(r"(lamp.*): note: \[missing-document\] (\S+)", capsys.readouterr().out) == [
        ("lamp.md:3:39", "docs/oil.md")
    ]


def test_names_of_a_text_beside_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    Path("manual.toml").write_text(
        f"{SOURCE}\n[[document]]\nname = 'wick'\nfile = 'wick.txt'\ntitle = 'Wicks'\n"
        "[[dialect.entry]]\nkind = 'directive'\ntitle = 'Wick'\n"
        "[[dialect.entry]]\nkind = 'directive'\ntitle = 'Lantern'\n"
    )
    Path("lamp.txt").write_text(
        "1. Lantern\n----------\n\nhang <place>\n  Sets its place, as the book about wicks says.\n"
        '\n  See also : "level"\n'
    )
    words = ("--manuals", ".", "--dialect", "lamp")
    assert rules(capsys, *words) == ["see-also-item"]
    Path("wick.txt").write_text(WICK)
    assert rules(capsys, *words) == []
    with Path("lamp.txt").open("a") as text:
        text.write('\nSee section 4.2 of wick.txt.\n')
    Path("wick.txt").unlink()
    assert rules(capsys, *words) == ["section-reference"]  # "level" may be there


# --- misspelt headings ----------------------------------------------------------------

TABLE = """\
1. Wick
-------

 keyword     lamp   lantern
-----------+------+---------
length        X       -
lower-end     X       X
upper-end     X       X

length <number>
  Set how much of it burns, see "lower-end high".

  See also : "lower-end"

loewr-end { high | low }
  Set how bright it is.

upper-end <number>
  Set where it ends.
"""


def test_what_follows_from_a_misspelt_heading_is_no_finding(
    capsys: pytest.CaptureFixture[str]
) -> None:
    Path("manual.toml").write_text(
        f"{SOURCE}\n[[dialect.entry]]\nkind = 'directive'\ntitle = 'Wick'\n"
    )
    Path("wick.txt").write_text(TABLE)
    main(["check", "-q", "wick.txt", "--manuals", ".", "--dialect", "lamp"])
    output = capsys.readouterr().out
    assert output.startswith("wick.txt:15:1: warning: [entry-name] 'loewr-end' may be misspelt")
    assert output.count("\n") == 1
    Path("wick.txt").write_text(TABLE.replace("loewr-end {", "wide-end {"))
    main(["check", "-q", "wick.txt", "--manuals", ".", "--dialect", "lamp"])
    output = capsys.readouterr().out
    assert "[matrix-row]" in output and "[unlisted-entry]" in output and "[see-also-item]" in output


# --- switches -------------------------------------------------------------------------


def test_rules_are_switched_by_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules(capsys) == ALL
    assert rules(capsys, "--disable", "doubled-word") == ALL[2:]
    off = ("--disable", "doubled-word", "--disable", "section-reference")
    assert rules(capsys, *off) == ALL[3:]
    assert main(["check", "lamp.txt", *off]) == 0


def test_rules_are_switched_by_the_product(capsys: pytest.CaptureFixture[str]) -> None:
    Path("manual.toml").write_text(f'{SOURCE}[check]\ndisable = ["doubled-word"]\n')
    product_options = ("--manuals", ".", "--dialect", "lamp")
    assert rules(capsys, *product_options) == ALL[2:]
    assert rules(capsys, *product_options, "--enable", "doubled-word") == ALL
    assert rules(capsys, *product_options, "--strict", "--disable", "section-reference") == ALL[3:]


def test_a_product_has_levels_and_accepts_findings(capsys: pytest.CaptureFixture[str]) -> None:
    product_options = ("--manuals", ".", "--dialect", "lamp")
    accepted = '[[check.accept]]\ndocument = "lamp"\nrule = "doubled-word"\n'
    Path("manual.toml").write_text(
        f'{SOURCE}[check]\nhelp = "https://docs.example.org/#{{rule}}"\n'
        f"""[check.levels]\nsection-reference = "note"\n{accepted}text = "the the  wick"\n"""
        f"""{accepted}text = "'gives' appears"\n{accepted}text = "all of it"\n"""
    )
    assert main(["check", "-q", "lamp.txt", *product_options]) == 0
    out, err = capsys.readouterr()
    assert ": note: [section-reference]" in out and "doubled" not in out and not err
    assert main(["check", "--statistics", "lamp.txt", *product_options]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1:3] == [
        "       1        0  note     missing-document",
        "       1        0  note     section-reference",
    ]
    assert err == (
        "dconv: manual.toml: note: [[check.accept]] has a finding that no longer exists: "
        "lamp: [doubled-word] 'all of it'\n"
    )
    main(["check", "-q", "--format", "sarif", "lamp.txt", *product_options])
    tool = json.loads(capsys.readouterr().out)["runs"][0]["tool"]["driver"]
    assert tool["rules"][0]["helpUri"] == f"https://docs.example.org/#{tool['rules'][0]['id']}"
    assert "--statistics prints a table" in refused(
        capsys, "--statistics", "--format", "json", "lamp.txt"
    )


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ('[check.levels]\nentry-order = "bad"\n', "gives 'entry-order' no level"),
        ('[check.levels]\nentry-ordr = "note"\n', "did you mean 'entry-order'?"),
        ("[[check.accept]]\ndocument = 'lamp'\nrule = 'entry-ordr'\ntext = 'long'\n",
         "did you mean 'entry-order'?"),
        ("[[check.accept]]\ndocument = 'lamp'\nrule = 'entry-order'\ntext = 'a'\n",
         "write more of the line"),
        ("[check]\nhelp = 'https://x.org/{name}'\n", "known: {rule}"),
    ],
)
def test_wrong_settings_are_refused(
    lines: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("manual.toml").write_text(f"{SOURCE}{lines}")
    assert problem in refused(capsys, "lamp.txt", "--manuals", ".", "--dialect", "lamp")


def test_rules_of_style_are_off_by_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    styled = tuple(replace(rule, style=rule.name == "doubled-word") for rule in check_rules.RULES)
    for module in (check_rules, rule_docs, check):
        monkeypatch.setattr(module, "RULES", styled)
    assert rules(capsys) == ALL[2:]
    assert rules(capsys, "--strict") == rules(capsys, "--enable", "doubled-word") == ALL
    assert rules(capsys, "--strict", "--disable", "doubled-word") == ALL[2:]
    Path("manual.toml").write_text(f'{SOURCE}[check]\nenable = ["doubled-word"]\n')
    product_options = ("--manuals", ".", "--dialect", "lamp")
    assert rules(capsys, *product_options) == ALL
    assert rules(capsys, *product_options, "--disable", "doubled-word") == ALL[2:]
    assert main(["check", "--explain", "doubled-word"]) == 0
    out = capsys.readouterr().out
    assert "By default it is off; --strict or --enable doubled-word turns it on." in out


@pytest.mark.parametrize("switch", ["--enable", "--disable", "--explain"])
def test_unknown_rules_are_refused(switch: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "lamp.txt", switch, "doubled-words") == (
        f"dconv: {switch} names an unknown rule 'doubled-words'; did you mean 'doubled-word'?\n"
    )


def test_unknown_rules_of_a_product_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("manual.toml").write_text(f'{SOURCE}[check]\nenable = ["entry-ordre"]\n')
    output = refused(capsys, "lamp.txt", "--manuals", ".", "--dialect", "lamp")
    assert output == (
        "dconv: manual.toml: [check] 'enable' names an unknown rule 'entry-ordre'; "
        "did you mean 'entry-order'?\n"
    )


def test_a_rule_is_not_both(capsys: pytest.CaptureFixture[str]) -> None:
    output = refused(
        capsys, "lamp.txt", "--enable", "doubled-word", "--disable", "doubled-word"
    )
    assert output.startswith("dconv: the command line enables and disables 'doubled-word'")


@pytest.mark.parametrize("name", ["doubled-word", "section-reference"])
def test_rules_are_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--explain", name]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{name}\n\n")
    assert out.endswith(f"By default it is on; --disable {name} turns it off.\n")


def test_without_texts_there_is_nothing_to_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys).startswith("dconv: check: no files given; ")


# --- known findings -------------------------------------------------------------------


def test_a_baseline_knows_findings_wherever_they_stand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", "lamp.txt", "--write-baseline", "known.toml"]) == 0
    assert capsys.readouterr().out == "Wrote 4 findings to known.toml\n"
    assert rules(capsys, "--baseline", "known.toml") == []
    # further down, and with other numbers of lines; but one more of a kind is new
    more = "\nIt it is new. And it is the the end.\n"
    Path("lamp.txt").write_text(LAMP.replace("1. Lamp", "A preface.\n\n1. Lamp") + more)
    assert rules(capsys, "--baseline", "known.toml") == ["doubled-word", "doubled-word"]
    assert main(["check", "lamp.txt", "--baseline", "known.toml"]) == 1


def test_of_equal_findings_as_many_are_known_as_there_were(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = "It burns by the the wick.\n\n"
    Path("lamp.txt").write_text(LAMP + "\n" + line * 2)
    assert main(["check", "lamp.txt", "--write-baseline", "known.toml"]) == 0
    assert "count = 2" in Path("known.toml").read_text()
    Path("lamp.txt").write_text(LAMP + "\n" + line * 3)
    capsys.readouterr()
    assert rules(capsys, "--baseline", "known.toml") == ["doubled-word"]


def test_fixed_findings_of_a_baseline_are_noted(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "lamp.txt", "--write-baseline", "known.toml"])
    Path("lamp.txt").write_text(LAMP.replace("the the", "the"))
    capsys.readouterr()
    assert main(["check", "lamp.txt", "--baseline", "known.toml", "--format", "json"]) == 1
    out, err = capsys.readouterr()
    # the line has changed: its other findings are reported again
    assert [finding["rule"] for finding in json.loads(out)["findings"]] == ALL[1:3]
    assert len(json.loads(out)["notes"]) == 3
    assert err.count("dconv: known.toml: note: lamp: fixed, but still in the baseline: [") == 3
    # who does not look for a rule does not miss its findings
    off = ("--disable", "doubled-word", "--disable", "section-reference")
    main(["check", "lamp.txt", "--baseline", "known.toml", *off])
    assert capsys.readouterr().err == ""


def test_what_is_no_file_stays(capsys: pytest.CaptureFixture[str]) -> None:
    Path("known.toml").mkdir()
    output = refused(capsys, "lamp.txt", "--write-baseline", "known.toml")
    assert output == "dconv: --write-baseline: known.toml is not a file that can be replaced\n"


def test_other_documents_are_not_missed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "lamp.txt", "--write-baseline", "known.toml"])
    Path("wick.txt").write_text("1. Wick\n-------\n\nIt burns.\n")
    capsys.readouterr()
    assert main(["check", "wick.txt", "--baseline", "known.toml"]) == 0
    assert capsys.readouterr() == ("no new findings in 4 lines of wick.txt\n", "")
    assert main(["check", "-q", "wick.txt"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "--write-baseline known.toml creates it"),
        ("[[finding]\n", "not valid TOML"),
        ("[[findings]]\n", "unknown key 'findings'"),
        ('[[finding]]\ndocument = "x"\n', "has no key 'rule'"),
        ('[[finding]]\ndocument = "x"\nrule = "y"\ncount = 0\n', "not a number of findings"),
    ],
)
def test_files_that_cannot_be_read_are_refused(
    content: str | None, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        Path("known.toml").write_text(content)
    assert problem in refused(capsys, "lamp.txt", "--baseline", "known.toml")


def test_the_file_is_written_or_read(capsys: pytest.CaptureFixture[str]) -> None:
    both = ("--baseline", "known.toml", "--write-baseline", "known.toml")
    assert "omit --baseline" in refused(capsys, "lamp.txt", *both)


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
KEYS = st.lists(st.builds(Key, WORDS.filter(bool), WORDS.filter(bool), WORDS, WORDS), max_size=6)


@given(KEYS)
def test_what_is_written_is_read(keys: list[Key]) -> None:
    written = baseline_text([*keys, *keys])
    tomllib.loads(written)
    file = Path("any.toml")
    file.write_text(written, encoding="utf-8", newline="\n")
    baseline = load_baseline(file)
    assert sorted(baseline.elements()) == sorted([*keys, *keys])
    assert not any(which_are_new(keys, baseline))
    assert sorted(fixed_findings(keys, baseline)) == sorted(keys)
    assert baseline_text(reversed([*keys, *keys])) == written


def test_a_baseline_of_another_form_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('[[finding]]\ndocument = "x"\nrule = "y"\ncount = true\n')
    with pytest.raises(SettingsError, match="'count'"):
        load_baseline(file)


# --- what a change brought in ---------------------------------------------------------


def git(*words: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository() -> None:
    """The folder as a work tree with one commit: `doc/lamp.txt`."""
    if not shutil.which("git"):
        if os.environ.get("CI") == "true":
            pytest.fail("git is not installed")
        pytest.skip("git is not installed")
    Path("doc").mkdir()
    Path("lamp.txt").rename("doc/lamp.txt")
    git("init", "--quiet", ".")
    git("add", "doc")
    git("commit", "--quiet", "-m", "Tell of lamps")


def news(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Document, line and rule of what came in since the first commit."""
    assert main(["check", "--format", "json", "--since", "HEAD", *words]) in (0, 1)
    out, err = capsys.readouterr()
    assert err == ""
    findings = json.loads(out)["findings"]
    return [f"{finding['document']}:{finding['line']}: {finding['rule']}" for finding in findings]


@pytest.mark.usefixtures("repository")
def test_since_reports_only_new_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert news(capsys, "doc/lamp.txt") == []
    Path("doc/lamp.txt").write_text(f"A preface.\n\n{LAMP}\nIt is is new.\n")
    assert news(capsys, "doc/lamp.txt") == ["lamp:13: doubled-word"]
    os.chdir("doc")
    assert news(capsys, "lamp.txt") == ["lamp:13: doubled-word"]
    git("commit", "--quiet", "--all", "-m", "Make a mistake")
    assert news(capsys, "lamp.txt") == []
    assert main(["check", "lamp.txt", "--since", "HEAD~1", "--disable", "doubled-word"]) == 0
    assert main(["check", "lamp.txt", "--since", "HEAD^"]) == 1


@pytest.mark.usefixtures("repository")
def test_renamed_texts_are_known_and_new_ones_are_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("doc/lamp.txt").rename("doc/lantern.txt")
    assert news(capsys, "doc/lantern.txt") == []
    Path("doc/lantern.txt").write_text(LAMP.replace("wick.", "wick wick."))
    # the line has other words: all its findings are reported
    assert news(capsys, "doc/lantern.txt") == [
        "lantern:4: doubled-word", "lantern:4: doubled-word", "lantern:4: doubled-word",
        "lantern:4: section-reference",
    ]
    Path("doc/oil.txt").write_text("1. Oil\n------\n\nIt it burns.\n")
    assert news(capsys, "doc/oil.txt") == ["oil:4: doubled-word"]
    Path("elsewhere").mkdir()
    Path("elsewhere/lamp.txt").write_text(LAMP)
    Path("doc/lantern.txt").unlink()
    assert news(capsys, "elsewhere") == []


@pytest.mark.usefixtures("repository")
def test_a_text_that_is_gone_breaks_links(capsys: pytest.CaptureFixture[str]) -> None:
    Path("doc/oil.txt").write_text("1. Oil\n------\n\nIt burns.\n")
    git("add", "doc")
    git("commit", "--quiet", "-m", "Tell of oil")
    Path("doc/oil.txt").unlink()
    assert news(capsys, "doc") == ["lamp:9: missing-document"]
    assert news(capsys, "doc/lamp.txt") == []


@pytest.mark.usefixtures("repository")
def test_packed_texts_and_known_findings(capsys: pytest.CaptureFixture[str]) -> None:
    Path("doc/lamp.txt").unlink()
    Path("doc/lamp.txt.gz").write_bytes(gzip.compress(f"{LAMP}\nIt is is new.\n".encode()))
    assert news(capsys, "doc/lamp.txt.gz") == ["lamp:11: doubled-word"]
    assert main(["check", "doc", "--write-baseline", "known.toml"]) == 0
    capsys.readouterr()
    # what was known and is not new is not gone
    assert news(capsys, "doc", "--baseline", "known.toml") == []


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    ("revision", "problem"),
    [
        ("v9", "there is no revision 'v9'"),
        ("--all", "--since needs an argument"),
        ("a..b", "'a..b' is not the name of a git revision"),
        ("HEAD:doc", "'HEAD:doc' is not the name of a git revision"),
    ],
)
def test_unknown_revisions_are_refused(
    revision: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert problem in refused(capsys, "doc", "--since", revision)


def test_other_folders_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    output = refused(capsys, "lamp.txt", "--since", "HEAD")
    assert output == "dconv: .: not in a git work tree; name a file or folder of one\n"


@pytest.mark.usefixtures("repository")
def test_links_to_texts_elsewhere_are_new(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path_factory.mktemp("other") / "lamp.txt"
    other.write_text(LAMP)
    Path("doc/other.txt").symlink_to(other)
    assert news(capsys, "doc/other.txt") == [
        "other:4: doubled-word", "other:4: doubled-word", "other:4: section-reference",
        "other:9: missing-document",
    ]


@pytest.mark.usefixtures("repository")
def test_a_baseline_is_written_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    output = refused(capsys, "doc", "--since", "HEAD", "--write-baseline", "known.toml")
    assert output.startswith("dconv: --write-baseline writes all findings; omit --since")


def test_labels_of_a_single_text_may_be_those_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Lamps\n=====\n\nSee :ref:`moths`, and :lamp:`a` or :lamp:`b`.\n\nOf :lamp:`c`.\n"
    (tmp_path / "lamp.rst").write_text(text, encoding="utf-8")
    main(["check", str(tmp_path / "lamp.rst")])
    output = capsys.readouterr().out
    assert "link-target" not in output
    assert output.count("[unknown-markup]") == 1 and "(also line 6)" in output
    (tmp_path / "glow.rst").write_text("Glow\n====\n\nIt glows.\n", encoding="utf-8")
    main(["check", str(tmp_path / "lamp.rst"), str(tmp_path / "glow.rst")])
    assert "[link-target] there is no 'moths' to link to" in capsys.readouterr().out


def test_a_project_of_sphinx_has_texts_in_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "conf.py").touch()
    for name in ("lamps", "_build"):
        (tmp_path / name).mkdir()
    (tmp_path / "_build" / "old.rst").write_text("Old\n===\n\nSee :ref:`nothing`.\n")
    (tmp_path / "index.rst").write_text(
        ".. _All Lamps:\n\nHouse\n=====\n\nSee :ref:`wicks`, :doc:`lamps/index`, :ref:`moths`.\n"
    )
    lamps = "Lamps\n=====\n\nSee :doc:`oil`, :ref:`all lamps`, :term:`wax`.\n"
    (tmp_path / "lamps" / "index.rst").write_text(lamps)
    (tmp_path / "lamps" / "oil.rst").write_text(
        "Oil\n===\n\nSee :doc:`index`, :doc:`/index`, :ref:`No Oil`.\n\n"
        ".. figure:: a.png\n   :name: wicks\n"
    )
    main(["check", str(tmp_path)])
    output = capsys.readouterr().out
    assert [line.split("] ")[1] for line in output.splitlines() if "link-target" in line] == [
        "there is no 'moths' to link to", "there is no 'wax' to link to",
        "there is no 'No Oil' to link to",
    ]
    main(["check", str(tmp_path / "lamps" / "oil.rst")])
    assert capsys.readouterr().out.count("there is no") == 1
    main(["check", str(tmp_path / "lamps" / "index.rst")])
    assert "no findings" in capsys.readouterr().out
    assert main(["convert", "-q", str(tmp_path), "-o", str(tmp_path / "_site")]) == 0
    page = (tmp_path / "_site" / "manuals" / "oil.html").read_text()
    assert 'See <a href="index-text-2.html">Lamps</a>, <a href="index-text.html">House</a>' in page


def test_a_table_of_contents_names_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lamps").mkdir()
    for file in ("moths.md", "lamps/wick.rst", "lamps/oil.rst"):
        (tmp_path / file).write_text("Oil\n===\n\nIt burns.\n")
    (tmp_path / "lamps" / "index.rst").write_text(
        "Lamps\n=====\n\n.. toctree::\n   :maxdepth: 1\n   :glob:\n\n   wick\n   Oil <oil>\n"
        "   old.rst\n   The glow <glow>\n   self\n   w*\n   /lamps/oil\n   /glow\n   ../moths\n"
        "   https://lamps.example.org/\n   genindex\n\n"
        "* Hidden\n\n  .. toctree::\n     :hidden:\n\n     gone\n"
    )
    for named in (tmp_path / "lamps", tmp_path / "lamps" / "index.rst"):
        main(["check", str(named)])
        output = capsys.readouterr().out
        assert re.findall(r"(\d+:\d+): note: \[missing-document\] (\S+)", output) == [
            ("10:4", "old.rst"), ("11:4", "glow"), ("15:4", "/glow"), ("25:6", "gone"),
        ]
