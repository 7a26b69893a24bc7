"""Configurations and log lines, explained with the data of a release: a dialect of our own."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from shutil import which
from textwrap import dedent
from typing import TypeAlias

import explainable_product
import pytest
from explainable_product import TEXT

from dconv.build.read import read_release
from dconv.diff.page import release_comparison
from dconv.diff.upgrade_step import upgrade_step_file
from dconv.model.dialect import Dialect
from dconv.model.lifecycle import Lifetime
from dconv.writers.explain.release_data import release_data, release_data_file
from dconv.writers.pages.documents import document_pages
from dconv.writers.pages.page import Release
from dconv.writers.pages.split import release_section_files
from dconv.writers.pages.versions import ProductVersions, ReleasePages

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"

STATIC = Path(__file__).parent.parent.parent / "themes/default/static"
needs_node = pytest.mark.skipif(which("node") is None, reason="there is no node")


def release(tmp_path: Path, text: str = TEXT, version: str = "2") -> Release:
    """A release with one document, `text`, in a dialect of our own."""
    return read_release(explainable_product.texts(tmp_path, text, version), lambda _: None)


def versions_of(*releases: Release) -> ProductVersions:
    """The versions that `releases` are, newest first."""
    return ProductVersions("lamps", "Lamps", tuple([
        ReleasePages(each.version, Lifetime(), document_pages(
            [document.manual for document in each.documents], each.dialect.rule_sets,
        )) for each in releases
    ]))


def script_of(shown: Release) -> str:
    files = dict(release_data_file(shown, release_section_files(shown), None))
    return files[f"lamps/{shown.version}/explain-data.js"].decode()


def run(program: str, *releases: Release) -> Json:
    """What `program` prints with the engines `e2` and so on of `releases`."""
    scripts = "".join(script_of(each) for each in releases)
    engines = "".join(
        f'const e{each.version} = dconvExplain.engine('
        f'dconvExplain.data["lamps/{each.version}"].release);\n'
        for each in releases
    )
    parts = ("engine", "suggestions", "log", "upgrade")
    engine = "".join((STATIC / f"explain-{part}.js").read_text() for part in parts)
    engine += "const {logs} = dconvExplain;"
    code = f"{engine}\n{scripts}\n{engines}\nconsole.log(JSON.stringify({program}));"
    done = subprocess.run(["node", "-"], input=code, capture_output=True, text=True, check=True)
    found: Json = json.loads(done.stdout)
    return found


def findings(text: str, shown: Release) -> Json:
    shown_fields = "(f) => [f.line, f.kind, f.word, f.suggestion]"
    return run(f"e2.read({json.dumps(dedent(text))}).findings.map({shown_fields})", shown)


def test_a_product_without_syntax_has_no_data(tmp_path: Path) -> None:
    shown = replace(release(tmp_path), dialect=Dialect())
    assert release_data(shown, release_section_files(shown)) == {}
    assert list(release_data_file(shown, release_section_files(shown), None)) == []


def test_the_data_of_a_release(tmp_path: Path) -> None:
    shown = release(tmp_path)
    data = release_data(shown, release_section_files(shown))
    names = data["names"]
    assert isinstance(names, list)
    assert {"volts", "wick", "gas", "brass", "dusk", "n", "O"} <= {*names}
    sparse = data["sparse"]
    assert isinstance(sparse, dict)
    assert sparse["default"] == {str(names.index("volts")): "230"}


def test_a_word_of_sections_leads_to_what_the_manual_says_of_them(tmp_path: Path) -> None:
    inner = TEXT.replace("2. Lamps", "2. Rooms\n--------\n\nA lamp is in a room.\n\n2.1. Lamps")
    for text, home in ((TEXT, "lamps/2.html"), (inner, "lamps/2.html"),
                       (inner.replace("A lamp", "Light"), "lamps/2.1.html")):
        folder = tmp_path / str(len(text))
        folder.mkdir()
        shown = release(folder, text)
        homes = release_data(shown, release_section_files(shown))["homes"]
        assert isinstance(homes, dict)
        assert homes["lamp"] == home, text


@needs_node
def test_a_configuration(tmp_path: Path) -> None:
    assert findings("""\
        house
            volts 110   # a comment
        lamp hall
            wick "amber" when { dusk(20) }
            stand table brass polished
            log-format "%n %Tg"
        """, release(tmp_path)) == []


@needs_node
def test_mistakes(tmp_path: Path) -> None:
    assert findings("""\
        house
            vlots 110
        lamp hall
            volts 230
            wick indgio when { dsuk }
            stand table bras height 3
            gas
            wick ${COLOR}
            no gas
        """, release(tmp_path)) == [
        [2, "unknown", "vlots", "volts"], [4, "wrong-section", "volts", ""],
        [5, "unknown", "indgio", "indigo"], [5, "unknown", "dsuk", "dusk"],
        [6, "unknown", "bras", "brass"], [6, "experimental", "height", ""],
        [7, "deprecated", "gas", ""], [9, "deprecated", "gas", ""],
    ]


@needs_node
def test_a_misspelt_section_does_not_spoil_what_follows(tmp_path: Path) -> None:
    assert findings("huose\n    volts 5\n", release(tmp_path)) == [[1, "unknown", "huose", "house"]]


@needs_node
def test_what_is_below_an_unknown_section_is_not_judged(tmp_path: Path) -> None:
    text = "lamp hall\n  wick amber\nstreet\n  volts 5\nhouse\n  wick amber\n"
    assert findings(text, release(tmp_path)) == [
        [3, "unknown", "street", ""], [6, "wrong-section", "wick", ""],
    ]


@needs_node
def test_names_with_placeholders_have_the_values_that_the_manual_lists(tmp_path: Path) -> None:
    text = TEXT.replace("5. Lines", """dusk_<season>_<unit>(<hour>)
  Looks it up.

    season | hours         | minutes
    -------+---------------+----------------
    summer | dusk_summer_h | dusk_summer_m
    winter | dusk_winter_h | dusk_winter_m

5. Lines""")
    assert findings("""\
        lamp hall
            log-format "%[dusk_winter_m(1)] %[dusk_wintr_h(1)] %[dusk_summer_s(1)]"
        """, release(tmp_path, text)) == [
        [2, "unknown", "dusk_wintr_h", "dusk_winter_h"],
        [2, "unknown", "dusk_summer_s", "dusk_summer_m"],
    ]


@needs_node
def test_what_a_summary_calls_a_secret_is_one(tmp_path: Path) -> None:
    text = TEXT.replace("gas (deprecated)", "key <text>\n  Sets the secret.\n\ngas (deprecated)")
    found = run('e2.read("lamp\\n  key abc\\n  log-format abc\\n").tokens'
                ".filter((t) => t.secret).map((t) => [t.line, t.word])", release(tmp_path, text))
    assert found == [[2, "abc"]]


@needs_node
@pytest.mark.parametrize(("text", "summary"), [
    ("This setting is only available when gas was laid on. Burns gas.", "Burns gas."),
    ("This setting is only available when gas was laid on.",
     "This setting is only available when gas was laid on."),
])
def test_a_summary_says_what_it_does_rather_than_where_it_is_available(
    text: str, summary: str, tmp_path: Path
) -> None:
    shown = release(tmp_path, TEXT.replace("A stand of brass.", text))
    assert run('e2.byName.get("brass")[0].summary', shown) == summary


MORE = TEXT.replace("Puts it there.", """Puts it there.

  Arguments :
    <name>  is one of:
        - 'red@' [ EXPERIMENTAL ] -> in the red room
        - 'blue@' -> in the blue room

gaslight blew
  Went out.

  Arguments :
    blew     it went out
    flared   it burnt on

shade <name>
  A shade.

burn <expr>
  Burns.

title <fmt>
  Its title.

flame <name> [args...]
  A flame, see "Flames".

hue { warm | cold }
  Its hue.

glass clear <colour>
  Its glass.

  Arguments :
    clear    it is clear
    frosted  it is not

      The colours are :
        ruby   red
        topaz  yellow""").replace("4. Probes", """feet <wood>,<wood>,...
  Of which they are.

legs <wood>[,<wood>]*
  Of which they are.

casters <size>[,...]
  How large they are.

level <floor>
  The floor. <floor> can be one of :
  - "cellar" is below.
  - "garret" is above.

load <weight>
  What it bears. The default load is 1, and the maximal value is 256.

top <shape>
  Its top.

  Arguments :
    <shape>  is one of:
        - round  : a circle.
        - square [ edge <length> ] : a square.

4. Probes""").replace("5. Lines", """oil+gas : integer
  How much there is.

5. Shades
---------

shade silk
  Silk.

6. Flames
---------

flame <name> [ flicker ] [ colour <colour> ]
  A flame.

7. Lines""")


@needs_node
@pytest.mark.parametrize(("line", "expected"), [
    ("  lapm hall\n    wcik amber", [
        [3, "unknown", "lapm", "lamp"], [4, "unknown", "wcik", "wick"],
    ]),
    ("lamp hall form base\n  wick amber", [[3, "unknown", "form", "from"]]),
    ("lamp hall\n  log-format %[dsk]", [[4, "unknown", "dsk", "dusk"]]),
    ("lamp hall\n  gaslight blw", [[4, "unknown", "gaslight blw", "gaslight blew"]]),
    ("lamp hall\n  gaslight flared", []),
    ("lamp hall\n  gaslight", [[4, "unknown", "gaslight", "gaslight blew"]]),
    ("lamp hall\n  shade sikl", [[4, "unknown", "shade sikl", "shade silk"]]),
    ("lamp hall\n  shade ${NAME}", []),
    ("house\n  shade silk", [[4, "wrong-section", "shade silk", ""]]),
    ("lamp hall\n  burn dsuk(3)", [[4, "unknown", "dsuk", "dusk"]]),
    ("lamp hall\n  burn \"dsuk(3)\"", [[4, "unknown", "dsuk", "dusk"]]),
    ("lamp hall\n  stand red@x brass", [[4, "experimental", "red@", ""]]),
    ("lamp hall\n  stand blue@x brass", []),
    ("lamp hall\n  stand x heigth 3 brass", [[4, "unknown", "heigth", "height"]]),
    ("lamp hall\n  stand x feet iron,oak heigth 3", [[4, "unknown", "heigth", "height"]]),
    ("lamp hall\n  stand x legs iron,oak heigth 3", [[4, "unknown", "heigth", "height"]]),
    ("lamp hall\n  stand x casters 1,2 heigth 3", [[4, "unknown", "heigth", "height"]]),
    ("lamp hall\n  burn oil+gas", []),
    ("lamp hall\n  burn oil+gsa,dusk", [[4, "unknown", "oil+gsa", "oil+gas"]]),
    ("lamp hall\n  title %n:%Tg", []),
    ("lamp hall\n  title %n:%Tgg", [[4, "unknown", "Tgg", "Tg"]]),
    ("lamp hall\n  stand x level cellra", [[4, "unknown", "cellra", "cellar"]]),
    ("lamp hall\n  stand x load 256", []),
    ("lamp hall\n  stand x load 300", [[4, "unknown", "300", ""]]),
    ("lamp hall\n  stand x top square edge 3 brass", []),
    ("lamp hall\n  hue wrm", [[4, "unknown", "wrm", "warm"]]),
    ("lamp hall\n  hue blue", [[4, "unknown", "blue", ""]]),
    ("lamp hall\n  glass frosted ruby", []),
    ("lamp hall\n  glass ruby", [[4, "unknown", "glass ruby", ""]]),
    ("lamp hall\n  flame x flikcer colour red", [[4, "unknown", "flikcer", "flicker"]]),
])
def test_what_is_meant(line: str, expected: list[Json], tmp_path: Path) -> None:
    assert findings(f"  house\n  volts 1\n{line}\n", release(tmp_path, MORE)) == expected


@needs_node
@pytest.mark.parametrize(("old", "new", "call", "changed"), [
    ("dusk([<hour>])", "dusk([<hour>[,<zone>]])", "dusk(3)", 0),
    ("dusk([<hour>])", "dusk(<hour>,<zone>)", "dusk(3)", 1),
    ("dusk([<hour>])", "dusk", "dusk(3)", 1),
    ("dusk(<hour>)", "dusk(<hour>...)", "dusk(3,4)", 0),  # did not fit the old one
])
def test_changed_arguments_matter_where_the_number_is_wrong(
    old: str, new: str, call: str, changed: int, tmp_path: Path
) -> None:
    texts = [TEXT.replace("dusk([<hour>])", signature) for signature in (old, new)]
    text = json.dumps(f"lamp\n log-format %[{call}]\n")
    found = run(f"dconvExplain.upgrade({text}, e1, e2, []).findings.map((f) => f.kind)",
                release(tmp_path, texts[0], "1"), release(tmp_path, texts[1]))
    assert found == ["changed"] * changed


@needs_node
def test_places_are_those_of_the_text(tmp_path: Path) -> None:
    text = 'lamp\n  wi"c"k am\\\n  # no\n  log-format "\\"%n"\n'
    tokens = run(f"e2.read({json.dumps(text)}).tokens.filter((t) => t.url)"
                 ".map((t) => [t.line, t.column, t.name, t.url])", release(tmp_path))
    assert tokens == [
        [1, 1, "lamp", "lamps/2.html"], [2, 3, "wick", "lamps/2.html#lamp-keyword.wick"],
        [4, 3, "log-format", "lamps/2.html#lamp-keyword.log-format"],
        [4, 17, "n", "lamps/5.html#alias.n"],
    ]


@needs_node
def test_an_upgrade(tmp_path: Path) -> None:
    old = TEXT.replace("230", "110").replace(" (deprecated)", "").replace(
        'This is deprecated, use "wick" instead.', "",
    ).replace("volts <number>", "watts <number>\n  Sets the power.\n\nvolts <number>")
    releases = release(tmp_path, old, "1"), release(tmp_path)
    text = "house\n  watts 3\n  volts 3\nlamp\n  gas\n"
    found = run(f"dconvExplain.upgrade({json.dumps(text)}, e1, e2, []).findings"
                ".map((f) => [f.line, f.kind, f.word, f.suggestion])", *releases)
    assert found == [
        [2, "removed", "watts", ""], [5, "deprecated", "gas", "wick"],
    ]


@needs_node
def test_only_a_sentence_that_says_what_to_use_suggests_a_name(tmp_path: Path) -> None:
    old = TEXT.replace(" (deprecated)", "").replace('This is deprecated, use "wick" instead.', "")
    text = TEXT.replace('use "wick" instead', 'it only mattered when "wick" was set')
    found = run('dconvExplain.upgrade("lamp\\n  gas\\n", e1, e2, []).findings'
                ".map((f) => [f.kind, f.suggestion])", release(tmp_path, old, "1"),
                release(tmp_path, text))
    assert found == [["deprecated", ""]]


@needs_node
@pytest.mark.parametrize(("line", "kinds"), [("volts", ["changed"]), ("volts 3", [])])
def test_a_changed_default_matters_where_the_line_does_not_give_the_value(
    line: str, kinds: list[str], tmp_path: Path,
) -> None:
    text = TEXT.replace("volts <number>", "volts [<number>]")
    releases = release(tmp_path, text.replace("230", "110"), "1"), release(tmp_path, text)
    found = run(f"dconvExplain.upgrade({json.dumps('house' + chr(10) + line)}, e1, e2, [])"
                ".findings.map((f) => f.kind)", *releases)
    assert found == kinds


@needs_node
def test_an_upgrade_says_how_much_will_not_start_before_it_either(tmp_path: Path) -> None:
    releases = release(tmp_path, TEXT, "1"), release(tmp_path)
    for text, note in (
        ("house\n  volts 1\n", []),
        ("house\n  volts 1\n  watts 3\n", [
            '1 more line is wrong with 1, too: choose "no other release" to see it.',
        ]),
        ("house\n  volts 1\n  watts 3\n  wick amber\n", [
            '2 more lines are wrong with 1, too: choose "no other release" to see them.',
        ]),
    ):
        found = run(f"dconvExplain.upgrade({json.dumps(text)}, e1, e2, []).notes", *releases)
        assert found == note


@needs_node
def test_a_name_that_is_of_another_kind_now_is_not_called_removed(tmp_path: Path) -> None:
    old = TEXT.replace("gas (deprecated)", "brass\n  Shines.\n\ngas (deprecated)")
    steps = '[{"version": "2", "from": "1", "renamed": [], "removed": []}]'
    found = run(f'dconvExplain.upgrade("lamp\\n  brass\\n", e1, e2, {steps}).findings'
                ".map((f) => [f.line, f.kind, f.word, f.suggestion, f.sentence, f.url])",
                release(tmp_path, old, "1"), release(tmp_path))
    assert found == [[
        2, "wrong-section", "brass", "", "The manual of 2 describes it as: stand option.",
        "lamps/3.html#stand-option.brass",
    ]]


@needs_node
@pytest.mark.parametrize(("line", "kinds"), [
    ("wick amber", []), ("wick amber when dusk", ["undeclared"]), ("wick", ["changed"]),
    ("wick amber bright", ["changed"]),
])
def test_a_changed_signature_matters_where_the_line_no_longer_fits(
    line: str, kinds: list[str], tmp_path: Path,
) -> None:
    old = TEXT.replace("wick <colour> [ when <test> ]", "wick [<colour> [bright]]")
    found = run(f"((r) => [r.findings.map((f) => f.kind), r.unaffected.length])"
                f"(dconvExplain.upgrade({json.dumps('lamp' + chr(10) + line)}, e1, e2, []))",
                release(tmp_path, old, "1"), release(tmp_path))
    assert found == [kinds, 0 if "changed" in kinds else 1]


@needs_node
def test_two_releases_without_steps(tmp_path: Path) -> None:
    old = TEXT.replace("gas (deprecated)", "brass\n  Shines.\n\nsteam\n  Hot.\n\ngas (deprecated)")
    old = old.replace("5. Lines", "dusk_len\n  How long it is.\n\n5. Lines")  # a match of "dusk"
    found = run("dconvExplain.compare(e1, e2, []).removed.map((each) => each.row.name)",
                release(tmp_path, old, "1"), release(tmp_path))
    assert found == ["steam"]


@needs_node
@pytest.mark.parametrize("prefix", [
    "", "<134>Nov  3 01:02:03 host lamp[12]: ", "2026-11-03T01:02:03+00:00 host lamp[1]: ",
    "lamp[2]: ", "<134>1 2026-11-23T01:38:01+01:00 lb1 lamp 812 - - ", "kitchen / ", "\ufeff",
    "json",
])
def test_a_log_line(prefix: str, tmp_path: Path) -> None:
    text = f"{prefix}hall glows 250 ON"
    if prefix == "json":
        text = json.dumps({"log": "lamp[2]: hall glows 250 ON\n", "stream": "stdout"})
    line = json.dumps(text)
    found = run(f"(({{format, fields, state, timers}}) => ({{format, fields: fields.map((f) => "
                f"[f.name, f.text, f.url]), state: state.map((s) => [s.letter, s.text]), "
                f"timers: timers.map((t) => t.milliseconds)}}))(logs(e2).log({line}))",
                release(tmp_path))
    assert found == {
        "format": "log glow",
        "fields": [
            ["n", "hall", "lamps/5.html#alias.n"], ["Tg", "250", "lamps/5.html#alias.Tg"],
            ["ts", "ON", "lamps/5.html#alias.ts"],
        ],
        "state": [["O", "the owner put it out."], ["N", "at night."]],
        "timers": [250],
    }


@needs_node
@pytest.mark.parametrize("text", [
    '"<script>alert(1)</script>\\n".repeat(3000)', '"lamp\\n wick amber\\n".repeat(50000)',
    '"\\0\\u0001\\ufffd\\n".repeat(1000)', '"lamp " + "a".repeat(2e6)',
    '"lamp\\n wick " + "(".repeat(2e5)', '"lamp\\n log-format " + "%[".repeat(1e5)', '"\\\\"',
    "\"'\"",
])
def test_hostile_texts_are_read(text: str, tmp_path: Path) -> None:
    found = run(
        f"((r, l) => [r.tokens.length >= 0, r.findings.length < 5001, l.format])"
        f"(e2.read({text}), logs(e2).log({text}))", release(tmp_path),
    )
    assert found == [True, True, ""]


@needs_node
@pytest.mark.parametrize(("text", "sentence"), [
    ('"lamp\\n wick amber\\n".repeat(50000)', "Only the first 50,000 lines were read."),
    ('"lamp " + "a".repeat(2e5)', "A line or a word was too long to be read."),
    ('"lamp\\n\\0\\n"', "This has bytes that no text has."),
])
def test_what_is_not_read_is_told(text: str, sentence: str, tmp_path: Path) -> None:
    assert run(f"e2.read({text}).notes", release(tmp_path)) == [sentence]


@needs_node
def test_what_a_table_leaves_out_is_said_where_it_is_defined(tmp_path: Path) -> None:
    text = TEXT.replace("5. Lines", "5. Times").replace("6. Letters", """6. Lines
--------

    field | meaning
    ------+--------
    %Te   | Te
    %To   | how old
    %O    | O

The times are:
  - Te : how long it was on.
  - To : no matter.

7. Letters""")
    found = run('["Te", "To", "O"].map((name) => e2.get("alias", name).summary)',
                release(tmp_path, text))
    # the letter "O" is another name
    assert found == ["how long it was on.", "how old", ""]


@needs_node
def test_columns_of_a_table(tmp_path: Path) -> None:
    found = run('logs(e2).table("# n,Tg\\n1,2").map((c) => c.name)', release(tmp_path))
    assert found == ["n", "Tg"]


@needs_node
@pytest.mark.parametrize(("form", "line", "values"), [
    ("<%n> burnt %Tg ms: %[dusk]", "<hall> burnt 12 ms: yes", ["hall", "12", "yes"]),
    ("%[dusk] / %n", "no, not yet / hall", ["no, not yet", "hall"]),
    ("'%n' \\\"%[dusk]\\\" %{+X}Tg", "'hall' \"it \\\"is\\\"\" 2F", ["hall", 'it \\"is\\"', "2F"]),
    ("${GLOW_FORMAT} at %[dusk]", "hall glows 250 ON at 3", ["hall", "250", "ON", "3"]),
    ("%n %w %Tg %n", "hall amber wick 12 x", ["hall", "amber wick", "12", "x"]),
    ("%{+json}o %(name)n %(ms)Tg", '{"name": "the hall", "ms": 3}', ["the hall", "3"]),
    ("%{+cbor}o %(name)n", "BF646E616D65", None),
])
def test_a_format_of_the_configuration(
    form: str, line: str, values: list[str] | None, tmp_path: Path
) -> None:
    text = json.dumps(f'lamp\n log-format "{form}"\n')
    found = run(f"((r) => r.format === 'log-format' ? r.fields.map((f) => f.text) : null)"
                f"(logs(e2).log({json.dumps(f'lamp[3]: {line}')}, e2.read({text}).formats))",
                release(tmp_path))
    assert found == values


@needs_node
def test_of_formats_that_fit_that_with_the_most_fields_is_meant(tmp_path: Path) -> None:
    formats = [{"name": "error-log-format", "text": "%n %[dusk]"}]
    assert run(f"logs(e2).log('hall glows 250 ON', {json.dumps(formats)}).format",
               release(tmp_path)) == "log glow"


@needs_node
def test_a_cut_line_has_the_shortest_format_that_fits(tmp_path: Path) -> None:
    formats = [{"name": name, "text": "%n %n %n %n %n %n" + more} for name, more in (
        ("long", " %Tg %Tg %Tg"), ("short", " %Tg"),
    )]
    found = run(f"((r) => [r.format, r.cut])(logs(e2).log('a b c d e f', {json.dumps(formats)}))",
                release(tmp_path))
    assert found == ["short", True]


def test_the_step_between_releases(tmp_path: Path) -> None:
    old, new = release(tmp_path, TEXT.replace("volts", "watts"), "1"), release(tmp_path)
    versions = versions_of(new, old)
    [(path, content)] = upgrade_step_file(release_comparison(old, new, versions), new, old)
    assert path == "lamps/2/steps.js"
    assert b'"from":"1"' in content
    assert b'["house keyword","watts"' in content
