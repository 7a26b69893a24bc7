"""The manual against the program's own list: small ones, and Debian's HAProxy."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from programs import need

from dconv.cli import main
from dconv.linking.symbols import collect_symbols
from dconv.lint.context import contexts
from dconv.lint.help_options import compare_options, option_place, page_lines
from dconv.model.dialect import Dialect
from dconv.readers.man import read
from dconv.readers.mandoc import HTML
from dconv.settings.manual import load_product
from dconv.settings.toml import SettingsError
from dconv.sources.resources import resource_folder

MANUAL_TOML = """\
[product]
name = "lamp"
title = "Lamp"
[[document]]
name = "lamp"
file = "lamp.txt"
title = "Lamp"
[[dialect.entry]]
kind = "keyword"
title = '^Keywords$'
names = "words"
[[dialect.entry]]
kind = "sample"
title = '^Samples$'
names = "first"
"""
PROGRAM_TOML = """\
command = "lamp --list"
heading = '^# List of (?P<title>.+):$'
comment = '^#'
[[list]]
title = "settings"
section = "lamp"
line = '^set (?P<name>[a-z-]+)(?P<open>\\*?)'
documented_as = "set {name}"
kinds = ["keyword"]
complete = true
unlisted = ['^glow$']
undocumented = ['^debug']
[[list]]
title = "samples"
line = '^(?P<name>[a-z_]+)'
kinds = ["sample"]
complete = true
[[list]]
title = "aliases"
line = '^(?P<name>[a-z_]+) = '
kinds = ["sample"]
mention_is_enough = true
[[list]]
title = "commands"
line = '^(?P<name>.+)'
kinds = ["command"]
"""
LAMP = """\
                                     Lamp

1. Keywords
-----------

glow <level>
  Also called up_lit.

set oil <level>
  Fills it.

set glow <level>
  Makes it glow.

set wick0 <length>
  Cuts the first wick.

set smoke
  Makes smoke.


2. Samples
----------

lit
  Whether it burns.

lit_<n>
  Whether the n-th one burns.
"""
LISTED = """\
lamp: starting
# List of settings:
lamp
\tset oil
\tset wick*
\tset debug-oil
\tset shade
lantern
\tset handle
# List of samples:
# what burns
lit
lit_two
hot
# List of aliases:
up_lit = lit -m up
down_lit = lit -m down
# List of commands:
light
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("manual.toml").write_text(MANUAL_TOML)
    Path("program.toml").write_text(PROGRAM_TOML)
    Path("lamp.txt").write_text(LAMP)
    Path("listed").write_text(LISTED)


def reported(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """What is found, without files and levels."""
    main(["check", "lamp.txt", "--manuals", ".", "--dialect", "lamp", "--quiet", *words])
    out, err = capsys.readouterr()
    assert err == ""
    return [line.removeprefix("lamp.txt:").replace(" warning:", "") for line in out.splitlines()]


def test_names_that_only_one_side_has_are_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert reported(capsys) == []
    assert reported(capsys, "--keywords-from", "listed") == [
        "3:1: [not-documented] the keyword 'set shade' of the program is not documented",
        "18:1: [unknown-to-program] the program has no keyword 'set smoke'",
        "22:1: [not-documented] the sample 'down_lit' of the program is not documented",
        "22:1: [not-documented] the sample 'hot' of the program is not documented",
    ]
    off = ("--disable", "not-documented", "--disable", "unknown-to-program")
    assert reported(capsys, "--keywords-from", "listed", *off) == []


def test_known_differences_are_not_missed_without_a_list(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert reported(capsys, "--keywords-from", "listed", "--write-baseline", "known.toml") == []
    assert reported(capsys, "--keywords-from", "listed", "--baseline", "known.toml") == []
    assert reported(capsys, "--baseline", "known.toml") == []


def test_lists_that_are_not_there_are_passed_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("listed").write_text("# List of settings:\nlamp\n\tset oil\n\tset smoke\n\tset wick*\n")
    assert reported(capsys, "--keywords-from", "listed") == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["none"], "none: no such file or folder"),
        (["."], "--keywords-from: . is a folder; name a file"),
        (["lamp.txt"], "--keywords-from: lamp.txt is not the output of 'lamp --list'"),
    ],
)
def test_what_is_no_list_is_refused(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    product_options = ["--manuals", ".", "--dialect", "lamp"]
    assert main(["check", "lamp.txt", *product_options, "--keywords-from", *words]) == 2
    assert capsys.readouterr().err == f"dconv: {problem}\n"


MAN_PAGE = """\
.TH LAMP 1
.SH OPTIONS
.TP
.B \\-b, \\-\\-brightness=N
Sets it, unlike \\-\\-dim.
.TP
.B \\-c
Sets the colour.
.TP
.B \\-f
Fades.
.TP
.B \\-\\-[no-]on
Switches it on.
.TP
.B \\-\\-warm
Warms it.
"""
HELP = """\
Usage: lamp [-cf] [OPTION]...
  -b, --brightness[=N]   how bright it is, from -1
      --dim              darkens it
  -s | --shade <file>    takes a shade
  [ --no-on ]            see --on
"""


@pytest.mark.parametrize(
    ("output", "findings"),
    [
        (HELP, [
            "1: the option '--shade' of the program is not documented",
            "1: the option '-s' of the program is not documented",
            "16: the program has no option '--warm'",
        ]),
        ("  -b, --brightness   a summary\n", []),
    ],
)  # fmt: skip
def test_a_page_is_compared_with_the_help_of_its_program(
    output: str, findings: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lamp.1").write_text(MAN_PAGE)
    Path("help").write_text(output)
    main(["check", "lamp.1", "--keywords-from", "help", "--quiet", "--format", "json"])
    results = json.loads(capsys.readouterr().out)["findings"]
    assert [f"{result['line']}: {result['message']}" for result in results] == findings


@pytest.mark.parametrize(
    ("page", "place"),
    [
        (".SH X\nLike \\-\\-grow.\n.TP\n.PD 0\n.B \\-G, \\fB\\-\\-grow\\fR=\\fIn\\fP\n", (5, 12)),
        (".IP \"\\fB\\-\\-grow\\fR\" 4\n.IX Item \"--grow\"\n", (1, 9)),
        ("\\-\\-grow and more.\n.PP\n\\f[CB]\\-\\-grow\\f[R]\n.RS 4\n", (3, 7)),
        (".TP\nx\n.TQ\n.BI \\-\\-grow= n\n", (4, 5)),
        (".TP\n.BR \"\\-G or \" \\-\\- grow \" all\"\n", (2, 15)),
        (".SH SYNOPSIS\n.RB [ \\-\\-grow ]\n.SH X\nSee \\-\\-grow.\n.RB [ \\-\\-grow ]\n", (5, 7)),
        ("See \\-\\-grown and \\s-1\\-\\-grow\\s0.\n", (1, 23)),
        (".Dd x\n.Op Fl -grow\n.Bl\n.It Fl G , Fl -grow Ar n\n", (4, 12)),
        (".Dd x\n.Fl -grow\n.It Xo\n.Fl G ,\n.Fl Fl grow\n.Xc\n", (5, 2)),
        (".\\\" \\-\\-grow\nIt \\-\\-grows.\n", None),
    ],
)  # fmt: skip
def test_where_a_page_describes_an_option(page: str, place: tuple[int, int] | None) -> None:
    assert option_place("--grow", page_lines(page.encode(), "lamp.1")) == place


def test_unknown_options_of_a_page_are_where_its_source_has_them() -> None:
    """Of the page relay.8, as mandoc shows it."""
    folder = Path(__file__).parents[1] / "readers" / "man"
    content = (folder / "relay.8").read_bytes()

    def run(options: tuple[str, ...], page: bytes) -> str:
        return (folder / f"relay.8{'.html' if options == HTML else '.utf8'}").read_text("utf-8")

    manual = read(content, "relay.8", Dialect(), "relay.8", run)
    documents = contexts([manual], Dialect(), collect_symbols([(manual, "relay.8")], Dialect()))
    listed = ["-A", "--assemble", "-n", "--dry-run", "-G", "--grow", "--bare", "-z"]
    findings = compare_options(documents, "\n".join(listed), listed, {"relay.8": content})
    assert [str(finding) for finding in findings] == [
        "relay.8:46:5: warning: [unknown-to-program] the program has no option '--[no-]wait'",
        "relay.8:63:4: warning: [unknown-to-program] the program has no option '--quiet'",
    ]


def test_options_of_another_mode_are_not_missed(capsys: pytest.CaptureFixture[str]) -> None:
    """A second `--help` is that of the mode which its section describes."""
    help_option = ".TP\n\\fB\\-\\-help\\fR\nShows help.\n"
    other_mode = ".TP\n\\fB\\-\\-port\\fR\nListens there.\n"
    heading = ".SH LIGHTHOUSE OPTIONS\n"
    Path("help").write_text(f"{HELP}      --warm, --help     warms it, shows this\n")
    for page, names_port in (
        (MAN_PAGE + help_option + heading + help_option + other_mode, False),
        (MAN_PAGE + help_option + heading + other_mode, True),
    ):
        Path("lamp.1").write_text(page)
        main(["check", "lamp.1", "--keywords-from", "help", "--quiet"])
        assert ("'--port'" in capsys.readouterr().out) == names_port


@pytest.mark.parametrize("levels", ["-0 ... -9", "-1..9", "-2 to -6"])
def test_help_lists_levels_as_a_range(levels: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("lamp.1").write_text(f"{MAN_PAGE}.TP\n\\fB\\-3\\fR\nSets it.\n")
    for line, has_level in ((f"  {levels}   the level\n", True), ("", False)):
        Path("help").write_text(f"{HELP}      --warm   warms it\n{line}")
        main(["check", "lamp.1", "--keywords-from", "help", "--quiet"])
        assert ("no option '-3'" in capsys.readouterr().out) != has_level


def test_what_has_no_options_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("listed").write_text("Nothing.\n")
    assert main(["check", "lamp.txt", "--keywords-from", "listed"]) == 2
    assert capsys.readouterr().err == (
        "dconv: --keywords-from: listed has no options; write the output of the program's --help"
        " to it, or a program.toml\n"
    )


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("(?P<title>.+)", ".+", "'heading' without the group 'title'"),
        ("(?P<name>.+)", ".+", "'line' without the group 'name'"),
        ("set {name}", "set", "'documented_as' without {name}"),
        ('kinds = ["command"]', "", "no 'kinds'"),
    ],
)
def test_mistakes_of_program_toml_are_refused(before: str, after: str, problem: str) -> None:
    Path("program.toml").write_text(PROGRAM_TOML.replace(before, after))
    with pytest.raises(SettingsError, match=r"program\.toml") as error:
        load_product(Path())
    assert problem in str(error.value)


def test_debians_program_against_its_manual(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that differs between HAProxy 2.6 and its manual, each read and found real."""
    folder = corpus / "haproxy" / "2.6"
    haproxy = need("haproxy")
    version = subprocess.run([haproxy, "-v"], check=True, capture_output=True, text=True).stdout
    if " 2.6." not in version or not folder.is_dir():
        pytest.skip("HAProxy 2.6 or its manual is not here")
    listed = subprocess.run(  # it also complains that nothing is configured
        [haproxy, "-dKall", "-f", "/dev/null"], check=False, capture_output=True, text=True
    ).stdout
    Path("listed").write_text(listed)
    files = [str(folder / f"{name}.txt") for name in ("configuration", "management")]
    main(["check", *files, "--keywords-from", "listed", "--quiet"])
    names: dict[str, set[str]] = {"not-documented": set(), "unknown-to-program": set()}
    for line in capsys.readouterr().out.splitlines():
        rule = line.partition("[")[2].partition("]")[0]
        if rule in names:
            names[rule].add(line.split("'")[1])
    assert names["unknown-to-program"] == {"no-verifyhost", "set-cookie"}
    always = {
        "tune.vars.check-max-size", "no-check-send-proxy", "fcgi.docroot", "fcgi.index", "nbproc",
        "tcp-response content sc-set-gpt0",  # its entry has a typo in the words in front
        "sc1_clr_gpc",
    }  # fmt: skip
    until_documented = {  # later manuals of 2.6 have them
        "tune.peers.max-updates-at-once", "host_only", "port_only", "table_expire", "table_idle",
        "show startup-logs",
    }  # fmt: skip
    assert always <= names["not-documented"] <= always | until_documented


def test_the_program_of_haproxy_can_be_read() -> None:
    product = load_product(resource_folder("manuals") / "haproxy")
    assert product.program is not None and len(product.program.lists) > 12
    kinds = {keywords.kind for keywords in product.dialect.entry_rules}
    assert {kind for keywords in product.program.lists for kind in keywords.kinds} <= kinds
