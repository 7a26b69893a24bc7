"""Links: what a reference means, in two small manuals of a release.

Each case is a line of prose, put into the entry `pace` of the first manual, and the places that
its references point to, in order.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from programs import need

from dconv.build.read import read_manual
from dconv.linking.link import link
from dconv.linking.symbols import collect_symbols
from dconv.model.dialect import Dialect, EntryRule, Hint, ItemRule, Syntax
from dconv.model.references import count_references, mentions, reference_findings
from dconv.model.tree import Manual, Target
from dconv.readers import text
from dconv.settings.manual import default_product

GUIDE = """\
1. Global things
----------------

limit <count>
  Limits all riders.

2. Rider keywords
-----------------

pace <speed> [ trot <way> ]
  Sets the pace.

  Arguments :
    <speed>  is how fast to ride
    slow     is slower than that

  {prose}

limit <count>
  Limits the riders of one team.

option late-start
no option late-start
  Starts late.

ride <way>
  Rides on.

quiet
  Says nothing.

trot <way>
  Trots on.

3. Actions
----------

turn <side>
  Usable in:  Road In| Out|    Path In
                  X |  - |         X

  Turns.

3.1. Bind things
----------------

The letters are these :

  - %s : the speed
  - %d : the distance
"""

HANDBOOK = """\
1. Commands
-----------

show riders <team>
  Shows them.

show teams <name>
  Shows one, see "show teams".

show teams
  Shows them all.

move rider <rider> into <team>
  Moves one.

move rider <rider> to <way>
  Sends one away.

2. Rider keywords
-----------------

See nothing.

7. Repair
---------

A text. Switches end with a "--". The format is "%s".

  -f <file>  : reads the file
  -dM[what]  : watches the memory
  --         : ends the switches
"""

DIALECT = Dialect(
    "road",
    man_pages="https://manpages.debian.org/{name}.{section}",
    optional_prefixes=("option",),
    entry_rules=(
        EntryRule("global keyword", re.compile("^Global")),
        EntryRule("rider keyword", re.compile("^Rider")),
        EntryRule("action", re.compile("^Actions")),
        EntryRule("command", re.compile("^Commands")),
    ),
    item_rules=(
        ItemRule(
            "letter", re.compile("%(?P<name>[a-z])$"), re.compile(""), re.compile(""),
            re.compile(""), ("%{name}",),
        ),
        ItemRule(
            "switch", re.compile("(?P<name>--?[a-zA-Z]*)"), re.compile("^Repair"), re.compile(""),
            re.compile(""), ("{name}", "bike {name}"),
        ),
    ),
    priority=("rider keyword", "action", "global keyword", "command"),
    value_words=("quiet", "--"),
    bare_kinds=("rider keyword", "switch"),
    hints=(
        Hint(("global keyword",), re.compile(r'global "$'), None),
        Hint(("rider keyword",), None, re.compile(r'" keyword')),
        Hint(("letter",), re.compile(r"\bletter $"), None),
        Hint(("switch",), re.compile(r"\bbike $"), re.compile(r" switch")),
    ),
    syntax=Syntax(sections={"world": ("global keyword",), "team": ("rider keyword",)}),
    rule_sets={"Road In": "road-in", "Path In": "path-in"},
    document_names={"handbook": re.compile(r"[.\s]*of the handbook")},
    external_files={"rules.txt": "https://riders.example.org/rules.txt"},
)


def release(prose: str) -> list[Manual]:
    """Both manuals, linked, with `prose` in the entry `pace`."""
    product = replace(default_product(), dialect=DIALECT)
    texts = {"guide": GUIDE.replace("{prose}", prose), "handbook": HANDBOOK}
    manuals = [
        read_manual(text.encode(), f"{name}.txt", product, name)
        for name, text in texts.items()
    ]
    symbols = collect_symbols([(manual, f"{manual.name}.txt") for manual in manuals], DIALECT)
    return [link(manual, symbols, DIALECT) for manual in manuals]


def places(prose: str) -> list[str]:
    """Where the references of `prose` lead: `document#anchor`, an address, or `?`."""
    lines: list[str] = []
    for mention in mentions(release(prose)[0]):
        targets = [f"{target.document}#{target.anchor}" for target in mention.targets]
        lines.append(" | ".join(targets) or mention.url or "?")
    return lines


CASES: list[tuple[str, list[str]]] = [
    # names
    ('Use "ride" then.', ["guide#ride"]),
    ('Use "ride fast" then.', []),
    ('Use "option late-start" then.', ["guide#option-late-start"]),
    ('Use "no option late-start" then.', ["guide#option-late-start"]),
    ('Use "late-start" then.', ["guide#option-late-start"]),
    ('Use "option\n  late-start" then.', ["guide#option-late-start"]),
    ('Use "option late-start 5" then.', ["guide#option-late-start"]),
    ('Use "show riders" then.', ["handbook#command.show-riders"]),
    ('Use "show riders <team>" then.', ["handbook#command.show-riders"]),
    ('Use "unheard-of" then.', []),
    # forms of one thing: the plain one
    ('Use "show teams" then.', ["handbook#command.show-teams"]),
    # without a plain one the first, or the one whose words are all there
    ('Use "move rider" then.', ["handbook#command.move-rider.into"]),
    ('Use "move rider to" then.', ["handbook#command.move-rider.to"]),
    # other ways to write a name
    ('Use "ride  fast way", "show\n  riders team" then.', ["handbook#command.show-riders"]),
    ('Use "move late start" then.', []),
    ('Use "option late start" then.', ["guide#option-late-start"]),
    # bare names in a sentence that sends readers to them: those that are no words, and what is
    # called an action
    ("Ride on. See also late_start, x_y.z and no_such. Never a_b.", []),
    ("See also the turn action.", ["guide#action.turn"]),
    ("See also a turn and the ride.", []),
    # a wrong quote does not hide the names after it
    ("Use \"ride'. See also \"trot\" there.", ["guide#ride", "guide#trot"]),
    ("Use \"ride's way\" and \"trot\".", []),
    # rule sets
    ('Use "road-in turn" then.', ["guide#action.turn"]),
    ('Use "road-out turn" then.', []),
    # one name of two kinds
    ('Use "limit" then.', ["guide#limit"]),
    ('Use the global "limit" then.', ["guide#global-keyword.limit"]),
    ('Use "limit" in world section.', ["guide#global-keyword.limit"]),
    ('Use the "limit" value as given in the "world" section.', ["guide#global-keyword.limit"]),
    ('Use the "limit" of a team section.', ["guide#limit"]),
    ('Use the "world" section\'s keyword "limit".', ["guide#global-keyword.limit"]),
    ('Set it from "world" sections via "ride" and "limit".',
     ["guide#ride", "guide#global-keyword.limit"]),
    ('Use "limit" in some other section.', ["guide#limit"]),
    ('Use "late-start" in the team section.', ["guide#option-late-start"]),
    # terms of the current entry and of others
    ('Use "slow" then.', ["guide#pace.slow"]),
    ('Use "pace slow" then.', []),
    # never to itself
    ('Use "pace" then.', []),
    # words that are values more often than names
    ('Be "quiet" then.', []),
    ('Use the "quiet" keyword then.', ["guide#quiet"]),
    ('Be "quiet". See also "ride" and "quiet".', ["guide#ride", "guide#quiet"]),
    ('Be in a "quiet" place, see the "quiet" section.', []),
    # a word of the current signature is its own, unless readers are sent elsewhere
    ('Use the "trot" then.', []),
    ('See the "trot" keyword.', ["guide#trot"]),
    ('It is the same as the "trot" statement.', ["guide#trot"]),
    # a field with its type is not a mention
    ('These are:\n\n  - "show riders"   <way>\n\n  - "show riders" too',
     ["handbook#command.show-riders"]),
    # the first word of a name may follow it; a value is not a name
    ('Use the "late-start" option.', ["guide#option-late-start"]),
    ('Use "limit" or x="limit".', ["guide#limit"]),
    # items are mentioned in their own way
    ('Use "%s" then.', ["guide#letter.s"]),
    ('Use "s" then.', []),
    # sections
    ("See section 3.", ["guide#3"]),
    ("See section 3.1 for more.", ["guide#3.1"]),
    ("See sections 2 and 3.1, 3.1 or 3.1.", ["guide#2", "guide#3.1", "guide#3.1", "guide#3.1"]),
    ('See section 3.1 "Bind things" there.', ["guide#3.1"]),
    ('See section 2 "Bind things" there.', ["guide#3.1"]),
    ('See section "3.1. Bind things" there.', ["guide#3.1"]),
    ('It is as in "3.1. Bind things", not "3.1. Other things".', ["guide#3.1"]),
    ('It is as in "7.7. Bind things".', ["guide#3.1"]),
    ("See paragraph 3.1 and paragraphs 2 and 3.", ["guide#3.1", "guide#2", "guide#3"]),
    ("In the example in 3.1, lines are long.", ["guide#3.1"]),
    ("It is described in 3.1.", ["guide#3.1"]),
    ("It came in 3.1 and left.", []),
    ("See section 4.4.", ["?"]),
    ("See section 2 of the handbook.", ["handbook#2"]),
    ('See section 7 "Repair".', ["handbook#7"]),
    ("See section 9 of the handbook.", ["?"]),
    ('See section "7.7 Bind things" there.', ["guide#3.1"]),
    ('It has "show riders" in section 7.', ["handbook#command.show-riders", "handbook#7"]),
    ("It has trot in section 7.", ["?"]),
    ('It has "show riders" in section 9.', ["handbook#command.show-riders", "?"]),
    ("See 3.1. Bind things.", ["guide#3.1"]),
    ('See "3.1. Bind things" there.', ["guide#3.1"]),
    ('See "2. Rider keywords" of the handbook.', []),
    ("See 192.0.2.1 or 3.1 riders.", []),
    ('See "ride" in 3.1.', ["guide#ride"]),
    ("The name (3.1 and 3.1 for all) is there (3.1 and more).", ["guide#3.1"] * 2),
    ("See section 3.1 of the PAC-3 standard.", []),
    ("See sections 2 and 3.", ["guide#2", "guide#3"]),
    ("See section 2 and 3 riders.", ["guide#2"]),
    ("See sections 2 and 3 of the handbook.", ["handbook#2", "?"]),
    ("See section 2 of the town specification.", []),
    ('See section 3.1 "Keys" in the town draft.', []),
    ("See sections 2, 3 and 3.1 of Town guide.", []),
    ("See section 2 of this specification.", ["guide#2"]),
    ("See section 2 of the road manual.", ["guide#2"]),
    ("See section 2 of the present specification.", ["guide#2"]),
    ("See section 2 of the guide manual.", ["guide#2"]),
    ("See section 2 in order to follow the town standard.", ["guide#2"]),
    ("See sections 2 and 3.1 of https://www.example.org/a.", ["https://www.example.org/a"]),
    ("See sections 2 and 3 of RFC\n  7540.", [
        "https://www.rfc-editor.org/rfc/rfc7540#section-2",
        "https://www.rfc-editor.org/rfc/rfc7540#section-3",
        "https://www.rfc-editor.org/rfc/rfc7540",
    ]),
    ("See RFC 7540, sections 2, 3.1 and 4.", [
        "https://www.rfc-editor.org/rfc/rfc7540#section-2",
        "https://www.rfc-editor.org/rfc/rfc7540#section-3.1",
        "https://www.rfc-editor.org/rfc/rfc7540#section-4",
    ]),
    ("See RFC 7540 section 2 and 4 riders.", ["https://www.rfc-editor.org/rfc/rfc7540#section-2"]),
    ("See RFC 7540 (section 2).", [
        "https://www.rfc-editor.org/rfc/rfc7540", "https://www.rfc-editor.org/rfc/rfc7540#section-2",
    ]),
    # other documents and the web
    ("Read rules.txt or doc/Rules.txt.", ["https://riders.example.org/rules.txt"] * 2),
    ("Read unknown.txt first.", []),
    ("Read handbook.txt or doc/handbook.txt.", ["handbook#", "handbook#"]),
    ("See RFC 9110 and RFC9110.", ["https://www.rfc-editor.org/rfc/rfc9110"] * 2),
    ("See RFC 9110 section 6.5.1.", ["https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1"]),
    ("See RFC3986#3.5.", ["https://www.rfc-editor.org/rfc/rfc3986#section-3.5"]),
    ("See section 3.1 of RFC7518.", [
        "https://www.rfc-editor.org/rfc/rfc7518#section-3.1",
        "https://www.rfc-editor.org/rfc/rfc7518",
    ]),
    ("See RFC 2324, section 2.", ["https://www.rfc-editor.org/rfc/rfc2324#section-2"]),
    ("See RFC3546 [10], section 3.1.", ["https://www.rfc-editor.org/rfc/rfc3546#section-3.1"]),
    ("See sections 1 and 3.1 of RFC 7518.", [
        "https://www.rfc-editor.org/rfc/rfc7518#section-1",
        "https://www.rfc-editor.org/rfc/rfc7518#section-3.1",
        "https://www.rfc-editor.org/rfc/rfc7518",
    ]),
    ("See RFC 7230, 7231 and 7232.", [
        "https://www.rfc-editor.org/rfc/rfc7230", "https://www.rfc-editor.org/rfc/rfc7231",
        "https://www.rfc-editor.org/rfc/rfc7232",
    ]),
    ("See RFC 8999\n  to 9002.", [
        "https://www.rfc-editor.org/rfc/rfc8999", "https://www.rfc-editor.org/rfc/rfc9002",
    ]),
    ("By RFC 3164, 1024 bytes are a line.", ["https://www.rfc-editor.org/rfc/rfc3164"]),
    ("Only 512, 1024 and 2048 will do.", []),
    ("See RFC7230 3.3.1.", ["https://www.rfc-editor.org/rfc/rfc7230#section-3.3.1"]),
    ("See RFC 4960, Appendix B.", ["https://www.rfc-editor.org/rfc/rfc4960#appendix-B"]),
    # manual pages
    ("It calls crypt(3).", ["https://manpages.debian.org/crypt.3"]),
    ("It calls ride(3) and f.g(3) and x(3).", []),
    ('See "man 1 ciphers".', ["https://manpages.debian.org/ciphers.1"]),
    # options of command lines
    ('Start it with "-f" or "-dM".', ["handbook#switch.-f", "handbook#switch.-dM"]),
    ('Start it with "-f file" or \'-dM\'.', ["handbook#switch.-f", "handbook#switch.-dM"]),
    ('Start it with "-dMfail" or "-f5".', ["handbook#switch.-dM"]),
    ('See "bike -f" and bike -f, and the -dM switch.', [
        "handbook#switch.-f", "handbook#switch.-f", "handbook#switch.-dM",
    ]),
    ("Write the letter %s, or %d, or (%s).", ["guide#letter.s"]),
    ("Say car -f, or car (-f), 5 -f.", []),
    ('It reads "--" then.', []),
    ("Any https://... will do.", []),
    ("The converter rfc7239_field.", []),
    ("Fixes CVE-2021-44228.", ["https://www.cve.org/CVERecord?id=CVE-2021-44228"]),
    ("(see https://www.example.org/a_(b)).", ["https://www.example.org/a_(b)"]),
    ("At https://www.example.org/a.", ["https://www.example.org/a"]),
]  # fmt: skip


@pytest.mark.parametrize(("prose", "wanted"), CASES, ids=[prose for prose, _ in CASES])
def test_places(prose: str, wanted: list[str]) -> None:
    assert places(prose) == wanted


def test_line_and_column_are_those_of_the_first_character() -> None:
    mention = next(mentions(release('Use the other\n  one, "ride".')[0]))
    assert (mention.line, mention.column, mention.text) == (18, 9, "ride")


def test_a_placeholder_leads_to_its_definition() -> None:
    manual = release("Set <speed> and <other>.")[0]
    shown = repr(manual)
    assert "Argument(text='<speed>', target=Target(document='guide', anchor='pace.speed'))" in shown
    assert "Argument(text='<other>', target=None)" in shown


def test_a_section_whose_title_is_a_name_has_it() -> None:
    text = (
        "1.1. oil_price (string)\n-----------------------\n\nIts cost.\n\n"
        "1.2. light(lamp [, mode])\n-------------------------\n\n"
        "Uses “oil_price”, not \"light\".\n\n"
        "1.3. Wicks\n----------\n\nSee \"light()\".\n"
    )
    product = default_product()
    manual = read_manual(text.encode(), "lamp.txt", product, "lamp")
    linked = link(manual, collect_symbols([(manual, "lamp.txt")], product.dialect), product.dialect)
    assert [(mention.text, *mention.targets) for mention in mentions(linked)] == [
        ("oil_price", Target("lamp", "1.1")), ("light()", Target("lamp", "1.2")),
    ]


def test_linking_twice_is_linking_once() -> None:
    manuals = release('Use "limit", "ride" and section 3.1.')
    symbols = collect_symbols([(manual, f"{manual.name}.txt") for manual in manuals], DIALECT)
    assert [link(manual, symbols, DIALECT) for manual in manuals] == manuals


def test_a_section_that_is_nowhere_is_a_finding() -> None:
    broken = list(reference_findings(release("See section 4.4.")[0]))
    assert [str(finding) for finding in broken] == [
        "guide.txt:17:15: warning: [section-reference] there is no section 4.4 in this document"
    ]


def test_a_value_is_a_name_where_it_is_defined() -> None:
    texts = [mention.text for mention in mentions(release("See nothing.")[1])]
    assert texts == ["--"]


@pytest.mark.parametrize("title", ["2. Rider keywords", "Rider keywords"])
def test_a_common_word_above_its_entries_is_their_name(title: str) -> None:
    text = f"{title}\n{'-' * len(title)}\n\nSome are \"quiet\".\n\nquiet\n  Says nothing.\n"
    manual = read_manual(
        text.encode(), "guide.txt", replace(default_product(), dialect=DIALECT), "guide"
    )
    symbols = collect_symbols([(manual, "guide.txt")], DIALECT)
    [mention] = mentions(link(manual, symbols, DIALECT))
    assert mention.targets == (Target("guide", "quiet"),)


def test_a_dialect_may_have_no_manual_pages() -> None:
    dialect = replace(DIALECT, man_pages="")
    manual = release("It calls nothing.")[0]
    symbols = collect_symbols([(manual, "guide.txt")], dialect)
    product = replace(default_product(), dialect=dialect)
    text = GUIDE.replace("{prose}", 'It calls crypt(3), see "man 3 crypt".')
    again = read_manual(text.encode(), "guide.txt", product, "guide")
    assert list(mentions(link(again, symbols, dialect))) == []


def test_letters_of_words_and_usages_are_no_names() -> None:
    text = (
        b"Lamp\n====\n\n``t``\n  Trims.\n\n``c``\n  Cleans.\n\n"
        b"Press ``t``, (``c``\\|\\ ``t``); the ``t``\\ ape.\n"
    )
    product = default_product()
    manual = read_manual(text, "lamp.rst", product, "lamp")
    linked = link(manual, collect_symbols([(manual, "lamp.rst")], product.dialect), product.dialect)
    assert [mention.text for mention in mentions(linked)] == ["t"]


def literal_targets(prose: str) -> list[tuple[str, str]]:
    """The links of `prose` in the text of lamp(8), each with the anchor that it leads to."""
    text = (
        "# Lamp\n\n## Options\n\n### `-d`\n\nDims.\n\n### `--page`\n\nShows.\n\n"
        "### `auth`\n\nAsks.\n\n"
        + "".join([f"## Bulb {number}\n\n### `watt`\n\nGlows.\n\n" for number in range(4)])
        + "Use `watt`.\n\n## More\n\n" + prose
    )
    product = default_product()
    manual = read_manual(text.encode(), "lamp.8.md", product, "lamp.8")
    symbols = collect_symbols([(manual, "lamp.8.md")], product.dialect)
    return [
        (mention.text, target.anchor)
        for mention in mentions(link(manual, symbols, product.dialect))
        for target in mention.targets
    ]


@pytest.mark.parametrize(
    "prose",
    [
        "the `-d` option of GNU date", "the `-d` or `-d` flag of *bulb*", "`-d` in bulb(8)",
        "bulb(8) `-d`", "bulb's `-d` option", "the `-d` option to the enable command",
        "`auth`entication", "a `watt`",
    ],
)
def test_a_name_of_another_program_is_no_link(prose: str) -> None:
    assert literal_targets(prose) == literal_targets("")


@pytest.mark.parametrize(
    "prose, text, anchor",
    [
        ("the `-d` option of lamp(8)", "-d", "option.-d"),
        ("the `-d` option of this command", "-d", "option.-d"),
        ("two `auth`s", "auth", "setting.auth"),
        ("`--page=PG`", "--page=PG", "option.--page"), ("`auth=`", "auth=", "setting.auth"),
    ],
)
def test_a_name_of_the_text_is_a_link(prose: str, text: str, anchor: str) -> None:
    assert (text, anchor) in literal_targets(prose)


@pytest.mark.parametrize("file", ["guide.md", "guide.rst", "guide.html", "guide.7"])
def test_pages_of_the_site_are_found_in_sections_of_all_names(file: str) -> None:
    if file == "guide.7":
        need("mandoc")
    start, end = {
        "guide.7": (".TH GUIDE 7\n.SH X\n", ""), "guide.html": ("<html><p>", "</p></html>"),
    }.get(file, ("", ""))
    text = f"{start}See crypt(3ssl), lamp(n), and not f(n) or lamp(l).{end}\n"
    files = [file, "crypt.3ssl", "lamp.n"]
    manuals = [
        read_manual(content, name, default_product(), name)
        for name, content in zip(files, (text.encode(), b"CRYPT\n", b"LAMP\n"), strict=True)
    ]
    symbols = collect_symbols(zip(manuals, files, strict=True), DIALECT)
    assert [(mention.text, mention.targets) for mention in mentions(
        link(manuals[0], symbols, DIALECT)
    )] == [
        ("crypt(3ssl)", (Target("crypt.3ssl", ""),)), ("lamp(n)", (Target("lamp.n", ""),)),
    ]


def test_what_became_of_all_is_reported() -> None:
    manual = release('Use "ride", section 3.1, section 8 and RFC 9110.')[0]
    assert str(count_references(manual)) == (
        "4 references: 2 resolved, 0 ambiguous, 1 external, 1 unresolved"
    )


def test_a_file_that_is_no_document_is_reported() -> None:
    guide, handbook = release("Read doc/unknown.txt, guide.txt, rules.txt and handbook.txt.")
    assert [str(finding) for finding in reference_findings(guide)] == [
        "guide.txt:17:8: note: [missing-document] doc/unknown.txt is no link, for it is not"
        " a document of this release"
    ]
    assert list(reference_findings(handbook)) == []


def test_a_section_of_a_manual_that_is_not_here_is_no_section_of_this() -> None:
    dialect = replace(DIALECT, document_names={"atlas": re.compile(" of the atlas")})
    text = GUIDE.replace("{prose}", "See section 3.1 of the atlas.")

    def linked(dialect: Dialect) -> Manual:
        product = replace(default_product(), dialect=dialect)
        again = read_manual(text.encode(), "guide.txt", product, "guide")
        return link(again, collect_symbols([(again, "guide.txt")], dialect), dialect)

    assert list(mentions(linked(dialect))) == []
    assert [str(finding) for finding in reference_findings(linked(dialect))] == [
        "guide.txt:17:15: note: [missing-document] atlas.txt is no link, for it is not a"
        " document of this release"
    ]
    dialect = replace(dialect, external_files={"atlas.txt": "https://example.org/atlas"})
    assert [mention.url for mention in mentions(linked(dialect))] == ["https://example.org/atlas"]
    assert list(reference_findings(linked(dialect))) == []


def test_the_title_tells_which_of_several_sections_of_a_number_is_meant() -> None:
    manual = text.read(
        "Chapter 1. Lamps\n\n1. Oil\n\nSee Section 1, \u201cStairs\u201d and section 1.\n\n"
        "2. Wick\n\nIt burns.\n\nChapter 2. Towers\n\n1. Stairs\n\nThey are long.\n".encode(),
        "lamps.txt", Dialect(), "lamps",
    )
    symbols = collect_symbols([(manual, "lamps.txt")], Dialect())
    linked = link(manual, symbols, Dialect())
    assert [mention.targets for mention in mentions(linked)] == [
        (Target("lamps", "2.1"),), (Target("lamps", "1.1"),)
    ]
