"""`manual.toml` and `site.toml`: what they mean, and one sentence for whatever is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dconv.model.dialect import Dialect
from dconv.settings.manual import default_product, load_product, load_products
from dconv.settings.recognize import recognize
from dconv.settings.search import read_vocabulary
from dconv.settings.site import load_site
from dconv.settings.toml import SettingsError
from dconv.settings.types import (
    AcceptedFinding,
    Checksum,
    DebianSource,
    DocumentSetting,
    FolderSource,
    GitSource,
    OldLinks,
    PackageSource,
    Product,
    PythonSource,
    Shelf,
    ShelfItem,
    SiteRelease,
    UrlSource,
    unlisted_document,
)

ROOT = Path(__file__).parents[2]

MANUAL = r"""
[product]
name = "kettle"
title = "Kettle"
recognize = ['Kettle (?:Guide|Manual)']
report = "https://kettle.example/new?title={place}"

[[document]]
file = "guide book.txt"
title = "Guide"
description = "How to boil"

[[document]]
name = "reference"
file = "reference.txt"
title = "Reference"

[[source]]
path = "texts/{version}"
[[source]]
url = "https://kettle.example/{version}/{file}"
[[source]]
repository = "https://kettle.example/kettle.git"
revision = "v{version}"
folder = "doc"
[[source]]
repository = "../kettle.git"
revision = "main"
lines = "https://kettle.example/{file}#{first}-{last}"
[[source]]
package = "kettle/backports"

[old_links]
documents = ["reference"]
addresses = ["/{version}/{document}.html", "/old/{document}-{version}"]
development = "dev"

[dialect]
code_language = "kettle"
code_line = '(?:heat|pour)\b'
optional_prefixes = ["option"]
priority = ["option", "flag"]
value_words = ["on"]
bare_kinds = ["option"]
prose = ['^Introduction']
arguments = ['^heat (slow)']
[[dialect.entry]]
kind = "option"
title = '^Options'
names = "first"
signature = '^-'
[[dialect.item]]
kind = "flag"
term = '^(?P<name>-\w)'
title = '^Flags'
quoted_as = ["flag {name}", "-{name}"]
[[dialect.item]]
kind = "sound"
term = '^(?P<name>\w+)'
[[dialect.item]]
kind = "whistle"
term = '^(?P<name>\w)'
quoted_as = ""
[[dialect.hint]]
kinds = ["flag", "option"]
before = '\bflag "$'
[[dialect.hint]]
kinds = ["option"]
after = '" option\b'
[dialect.rule_sets]
"GAS Day" = "gas-day"
[dialect.document_names]
reference = ' of the reference\b'
"""

SITE = """
[site]
title = "Kitchen"
url = "https://kitchen.example/"
output = "out"
theme = "themes/steam"

[[product]]
name = "kettle"
releases = ["2.0", "1.0"]

[[product.release]]
version = "1.0"
status = "end of life"
source = { path = "old" }
[product.release.sha256]
"reference.txt" = "%s"

[[product.release]]
version = "debian"

[[product.accept]]
document = "reference"
rule = "section-reference"
text = "see section 9"
"""


def product_in(folder: Path, manual: str = MANUAL) -> Product:
    folder.mkdir(exist_ok=True)
    (folder / "manual.toml").write_text(manual, encoding="utf-8")
    return load_product(folder)


# --- manual.toml ----------------------------------------------------------------------


def test_manual(tmp_path: Path) -> None:
    product = product_in(tmp_path)
    assert (product.name, product.title, product.folder) == ("kettle", "Kettle", tmp_path)
    assert [pattern.pattern for pattern in product.recognize] == ["Kettle (?:Guide|Manual)"]
    assert product.report_url == "https://kettle.example/new?title={place}"
    assert product.documents == (
        DocumentSetting("guide-book", "guide book.txt", "Guide", "How to boil"),
        DocumentSetting("reference", "reference.txt", "Reference", ""),
    )
    assert product.sources == (
        FolderSource(str(tmp_path / "texts/{version}")),
        UrlSource("https://kettle.example/{version}/{file}"),
        GitSource("https://kettle.example/kettle.git", "v{version}", "doc"),
        GitSource(
            str(tmp_path / "../kettle.git"), "main", "",
            "https://kettle.example/{file}#{first}-{last}",
        ),
        DebianSource("kettle/backports", "/usr/share/doc/kettle"),
    )


def test_old_links(tmp_path: Path) -> None:
    addresses = ("/{version}/{document}.html", "/old/{document}-{version}")
    assert product_in(tmp_path).old_links == OldLinks(("reference",), addresses, "dev")


def test_dialect(tmp_path: Path) -> None:
    dialect = product_in(tmp_path).dialect
    assert (dialect.name, dialect.code_language) == ("kettle", "kettle")
    assert dialect.code_line.match("heat slow")
    assert not dialect.code_line.match("heated water")
    assert dialect.optional_prefixes == ("option",)
    assert dialect.priority == ("option", "flag")
    assert dialect.is_prose("Introduction")
    assert not dialect.is_prose("Options")
    rule = dialect.entry_rule("Options", "-h")
    assert rule is not None
    assert (rule.kind, rule.names) == ("option", "first")
    assert dialect.entry_rule("Options", "h") is None
    item = dialect.item_rules[0]
    match = item.term.match("-v  be talkative")
    assert match is not None
    assert match["name"] == "-v"
    assert item.label.search("anything")
    assert [pattern.groups for pattern in dialect.argument_patterns] == [1]


def test_dialect_of_links(tmp_path: Path) -> None:
    dialect = product_in(tmp_path).dialect
    assert (dialect.value_words, dialect.bare_kinds) == (("on",), ("option",))
    assert [item.quoted_as for item in dialect.item_rules] == [
        ("flag {name}", "-{name}"), ("{name}",), (),
    ]
    first, second = dialect.hints
    assert (first.kinds, first.after) == (("flag", "option"), None)
    assert first.before is not None
    assert first.before.search('with the flag "')
    assert second.before is None
    assert second.after is not None
    assert second.after.match('" option')
    assert dialect.rule_sets == {"GAS Day": "gas-day"}
    assert list(dialect.document_names) == ["reference"]
    assert dialect.document_names["reference"].match(" of the reference.")


def test_dialect_in_a_file_of_its_own(tmp_path: Path) -> None:
    head, _, tables = MANUAL.partition("[dialect]\n")
    (tmp_path / "dialect.toml").write_text(tables.replace("[dialect.", "["), encoding="utf-8")
    beside = product_in(tmp_path, head)
    inside = product_in(tmp_path / "inside")
    assert beside.dialect == inside.dialect


def test_minimal_manual(tmp_path: Path) -> None:
    product = product_in(tmp_path, '[product]\nname = "kettle"\ntitle = "Kettle"\n')
    assert product == replace(
        default_product(), name="kettle", title="Kettle", folder=tmp_path,
        dialect=Dialect("kettle"),
    )


def test_products_of_several_folders(tmp_path: Path) -> None:
    built_in, own_folder = tmp_path / "manuals", tmp_path / "own"
    built_in.mkdir()
    product_in(built_in / "kettle")
    product_in(built_in / "toaster", MANUAL.replace('"kettle"', '"toaster"'))
    own_product = product_in(own_folder, MANUAL.replace('"Kettle"', '"My kettle"'))
    (built_in / "nothing").mkdir()
    assert [item.name for item in load_products([built_in])] == ["kettle", "toaster"]
    assert load_products([built_in, own_folder])[0] == own_product
    with pytest.raises(SettingsError, match="nowhere: no such folder; create it"):
        load_products([tmp_path / "nowhere"])


NUMBER = "must be a quoted string, not a number"
WRONG_MANUALS = {
    "unknown key": ('title = "Kettle"', 'titel = "Kettle"',
        "[product] has an unknown key 'titel'; did you mean 'title'?"),
    "far key": ("recognize =", "zzz =",
        "[product] has an unknown key 'zzz'; known are 'name', 'title', 'recognize'"),
    "report": ("https://kettle.example/new", "kettle.example/new",
        "[product] has a 'report' that is not an address: 'kettle.example/new?title={place}'"),
    "quote in report": ("new?title=", "new?title=<a>", "[product] has '<' in 'report'; write such"),
    "placeholder in report": ("{place}", "{where}",
        "[product] has a 'report' with the unknown placeholder '{where}'; known: {place} and "),
    "placeholder in lines": ("{first}", "{line}",
        "[[source]] number 4 has a 'lines' with the unknown placeholder '{line}'; known: "),
    "old document": ('documents = ["reference"]', 'documents = ["referense"]',
        "[old_links] has an unknown document 'referense' in 'documents'; did you mean 'reference'"),
    "old address": ('"/old/{document}-{version}"', '"/old/{document}"',
        "[old_links] has an address '/old/{document}'; write a path with {version} and"),
    "unknown table": ("[[document]]", "[[documents]]",
        "the file has an unknown key 'documents'; did you mean 'document'?"),
    "missing": ('title = "Kettle"', "", "[product] has no key 'title'; add title = \"…\""),
    "number": ('title = "Kettle"', "title = 3", f"[product] 'title' {NUMBER} (3)"),
    "empty": ('title = "Kettle"', 'title = ""', "[product] has an empty 'title'"),
    "no list": ("priority = [", 'priority = "x" #',
        "[dialect] 'priority' must be a list of quoted strings, not a string (\"x\")"),
    "pattern": ("'^Options'", "'^(Options'",
        "[[dialect.entry]] number 1 'title' is not a valid regular expression (missing )"),
    "no group": (r"'^(?P<name>-\w)'", "'-'", "has a 'term' without the group 'name'"),
    "no first group": ("'^heat (slow)'", "'heat'", "has no group in item 1 of 'arguments'"),
    "name rule": ('"first"', '"frist"', "unknown 'names' 'frist'; did you mean 'first'?"),
    "no words around": ("before = '\\bflag \"$'", "",
        "[[dialect.hint]] number 1 has neither 'before' nor 'after'; add the words around"),
    "hint": ("after = ", "behind = ",
        "[[dialect.hint]] number 2 has an unknown key 'behind'; known are 'kinds'"),
    "rule sets": ("[dialect.rule_sets]", "[[dialect.rule_sets]]",
        "[dialect] 'rule_sets' must be a table: [dialect.rule_sets], not a list"),
    "file elsewhere": ("[dialect.document_names]",
        '[dialect.external_files]\n"a.txt" = "x"\n[dialect.document_names]',
        "[dialect.external_files] has a 'a.txt' that is not an address: 'x'; start it with https://"),
    "file's address": ("[dialect.document_names]",
        '[dialect.external_files]\n"a.txt" = "https://x.example/a\\"b"\n[dialect.document_names]',
        "[dialect.external_files] has '\"' in 'a.txt'; write"),
    "old version": ('development = "dev"', 'development = "../x"',
        "[old_links] 'development' makes '../x' a part of an address; use letters"),
    "ends early": ("[dialect]",
        '[[release]]\nversion = "1"\ndate = "2026-06-03"\nend = "2026-Q1"\n[dialect]',
        "[[release]] '1' ends before it began: 'end' is 2026-Q1, 'date' 2026-06-03"),
    "name": ('"kettle"\ntitle', '"ket/tle"\ntitle',
        "[product] 'name' makes 'ket/tle' a part of an address; use letters"),
    "file": ('"reference.txt"', '"../reference.txt"', "not a file name: '../reference.txt'"),
    "same name": ('name = "reference"', 'name = "guide-book"',
        "has the document name 'guide-book' twice"),
    "taken name": ('name = "reference"', 'name = "Index"', "'name' makes 'Index' an address"),
    "two sources": ('path = "texts/{version}"', 'path = "a"\nurl = "b"',
        "[[source]] number 1 must have exactly one of the keys 'path', 'url', 'repository', "
        "'package', not path and url"),
    "no source": ('path = "texts/{version}"', "",
        "[[source]] number 1 must have exactly one of the keys 'path', 'url', 'repository', "
        "'package'"),
    "stray key": ('path = "texts/{version}"', 'path = "a"\nfolder = "b"', "unknown key 'folder'"),
    "scheme": ("https://kettle.example/{version}", "ftp://kettle.example/",
        "has a 'url' without http:// or https:// in front"),
    "placeholder in a url": ("https://kettle.example/{version}", "https://kettle.example/{nofield}",
        "has a 'url' with the unknown placeholder '{nofield}'; known: {version} and {file}"),
    "not TOML": ("[product]", "[product", "is not valid TOML; correct this:"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "table", "key"),
    [
        ('priority = ["option', 'priority = ["fleg', "[dialect]", "priority"),
        ('bare_kinds = ["option', 'bare_kinds = ["fleg', "[dialect]", "bare_kinds"),
        ("priority", 'equal_priority = ["fleg"]\npriority', "[dialect]", "equal_priority"),
        ('kinds = ["option', 'kinds = ["fleg', "[[dialect.hint]] number 2", "kinds"),
        ("[dialect.document_names]",
            '[dialect.syntax.sections]\ngas = ["fleg"]\n[dialect.document_names]',
            "[dialect.syntax.sections]", "gas"),
        ("[dialect.document_names]",
            '[dialect.syntax.lines]\n"heat <it>" = "fleg"\n[dialect.document_names]',
            "[dialect.syntax.lines]", "heat <it>"),
        ("[dialect.document_names]",
            '[dialect.syntax.roles]\naction = ["fleg"]\n[dialect.document_names]',
            "[dialect.syntax.roles]", "action"),
    ],
)  # fmt: skip
def test_unknown_kinds(old: str, new: str, table: str, key: str, tmp_path: Path) -> None:
    start, match, end = MANUAL.rpartition(old)
    assert match
    with pytest.raises(SettingsError) as caught:
        product_in(tmp_path, f"{start}{new}{end}")
    message = f"{table} has an unknown kind 'fleg' in '{key}'; did you mean 'flag'?"
    assert str(caught.value) == f"{tmp_path / 'manual.toml'}: {message}"


@pytest.mark.parametrize("case", WRONG_MANUALS)
def test_wrong_manual(case: str, tmp_path: Path) -> None:
    old, new, message = WRONG_MANUALS[case]
    assert old in MANUAL
    with pytest.raises(SettingsError) as caught:
        product_in(tmp_path, MANUAL.replace(old, new, 1))
    sentence = str(caught.value)
    assert re.match(rf"{re.escape(str(tmp_path / 'manual.toml'))}(?::\d+)?: ", sentence)
    assert message in sentence


def test_the_line_of_an_unknown_key(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    for content, line in (
        ('[site]\ntitle = "t"\n  titel = "x"\n', ":3"),
        ('[site]\ntitle = "t"\n"titel" = "x"\n', ":3"),
        ('site = { title = "t", titel = "x" }\n', ":1"),
        ('[site]\ntitle = "t"\n[[site.link]]\n', ":3"),
        ('[site]\ntitle = "t"\n[search]\ntitel = 1\n[[shelf]]\ntitel = 1\n', ""),
    ):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(SettingsError) as caught:
            load_site(path, ())
        assert str(caught.value).startswith(f"{path}{line}: "), content


VALUES = ("3", "true", "[]", "[3]", "[[]]", "[{}]", "{}", "{a=1}", "2024-01-01", '""', '"("', '"x"')


@pytest.mark.parametrize("value", VALUES)
def test_any_value_anywhere(value: str, tmp_path: Path) -> None:
    """Whatever follows a key, nothing but a `SettingsError` comes."""
    lines = MANUAL.splitlines()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if not equals:
            continue
        changed = [*lines[:number], f"{key} = {value}", *lines[number + 1 :]]
        try:
            product_in(tmp_path, "\n".join(changed))
        except SettingsError as error:
            assert str(error).count("\n") == 0


def test_wrong_tables(tmp_path: Path) -> None:
    head = '[product]\nname = "kettle"\ntitle = "Kettle"\n[dialect]\n'
    with pytest.raises(SettingsError, match=r"'product' must be a table: \[product\]"):
        product_in(tmp_path, "product = [1]")
    for line, message in {
        "item = 3": "[dialect] 'item' must be tables: [[dialect.item]], not a number (3)",
        "item = [3]": "'item' item 1 must be a table: [[dialect.item]], not a number (3)",
    }.items():
        with pytest.raises(SettingsError) as caught:
            product_in(tmp_path, head + line)
        assert message in str(caught.value)


def test_two_dialects(tmp_path: Path) -> None:
    (tmp_path / "dialect.toml").write_text("", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"has a \[dialect\] and a dialect.toml beside it"):
        product_in(tmp_path)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no such file; create it or check its name"):
        load_product(tmp_path)
    (tmp_path / "manual.toml").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="is not UTF-8 text; save it as UTF-8"):
        load_product(tmp_path)
    (tmp_path / "manual.toml").unlink()
    (tmp_path / "manual.toml").mkdir()
    with pytest.raises(SettingsError, match="this is a folder; name the file in it"):
        load_product(tmp_path)


@given(st.text(max_size=80))
def test_any_text(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    with pytest.raises(SettingsError):
        product_in(folder, text.encode("utf-8", "ignore").decode())


# --- site.toml ------------------------------------------------------------------------


def test_site(tmp_path: Path) -> None:
    kettle = product_in(tmp_path / "kettle")
    path = tmp_path / "site.toml"
    path.write_text(SITE % ("AB" * 32), encoding="utf-8")
    site = load_site(path, (kettle,))
    assert (site.title, site.url) == ("Kitchen", "https://kitchen.example/")
    assert (site.output, site.theme) == (tmp_path / "out", str(tmp_path / "themes/steam"))
    assert [shown.product for shown in site.products] == [kettle]
    old = FolderSource(str(tmp_path / "old"))
    assert site.products[0].releases == (
        SiteRelease("2.0", ()),
        SiteRelease("1.0", (old,), (Checksum("reference.txt", "ab" * 32),), "end of life"),
        SiteRelease("debian", ()),
    )
    accepted = AcceptedFinding("reference", "section-reference", "see section 9")
    assert site.products[0].accepted == (accepted,)
    assert str(accepted) == "reference: [section-reference] 'see section 9'"


def test_minimal_site(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text('site.title = "K"\nproduct = {name = "kettle", releases = ["1"]}', "utf-8")
    site = load_site(path, (product_in(tmp_path / "kettle"),))
    assert (site.url, site.output, site.theme) == ("", tmp_path / "public", "default")


WRONG_SITES = {
    "key": ('title = "Kitchen"', 'titel = "Kitchen"',
        "[site] has an unknown key 'titel'; did you mean 'title'?"),
    "url": ("https://kitchen", "kitchen",
        "[site] has a 'url' that is not an address: 'kitchen.example/'; start it with https://"),
    "product": ('"kettle"', '"ketle"',
        "[[product]] 'ketle' is an unknown product; did you mean 'kettle'? (--manuals"),
    "folder": ('"kettle"', '"static"', "has the name 'static' of a folder of every site; choose"),
    "release number": ('"2.0", "1.0"', "2.0, 1.0", "'releases' item 1 must be a quoted string"),
    "release twice": ('"2.0", "1.0"', '"2.0", "2.0"', "has the release '2.0' twice"),
    "described twice": ('"debian"', '"1.0"', "has the release '1.0' twice"),
    "path as version": ('"2.0", "1.0"', '"../2.0"',
        "'version' makes '../2.0' a part of an address"),
    "latest": ('"2.0", "1.0"', '"latest"', "names a release 'latest'; that is the address"),
    "day": ('url = "', 'date = "2026/06/03"\nurl = "',
        "[site] has a 'date' that is not a date: '2026/06/03'; write it as 2026-06-03"),
    "status": ('"end of life"', '"dead"',
        "[[product.release]] '1.0' of [[product]] 'kettle' has an unknown 'status' 'dead'"),
    "acceptance": ('text = "see section 9"', "",
        "[[product.accept]] number 1 of [[product]] 'kettle' has no key 'text'"),
    "unknown rule": ('"section-reference"', '"section-refrence"',
        "'kettle' accepts an unknown rule 'section-refrence'; did you mean 'section-reference'?"),
    "never accepted": ('"section-reference"', '"lost-text"',
        "accepts 'lost-text', a bug in dconv; remove this and report it"),
    "acceptance of pages": ('"section-reference"', '"dead-link"',
        "accepts 'dead-link', a mistake in the theme; correct the theme"),
    "short acceptance": ('text = "see section 9"', 'text = " 9 "',
        "has ' 9 ' as text, which many lines contain; write more of the line"),
    "checksum": ("%s", "12", "has no SHA-256 at 'reference.txt'; write its 64 hex digits"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_SITES)
def test_wrong_site(case: str, tmp_path: Path) -> None:
    old, new, message = WRONG_SITES[case]
    assert old in SITE
    path = tmp_path / "site.toml"
    path.write_text(SITE.replace(old, new, 1).replace("%s", "0" * 64), encoding="utf-8")
    static = replace(default_product(), name="static")
    with pytest.raises(SettingsError) as caught:
        load_site(path, (product_in(tmp_path / "kettle"), static))
    assert re.match(rf"{re.escape(str(path))}(?::\d+)?: ", str(caught.value))
    assert message in str(caught.value)


SHELF = """
[site]
title = "Storage"

[[shelf]]
title = "Disks"
packages = ["mdadm", "lvm2=2.03.16-2"]
sections = ["8"]
host = true

[[shelf]]
title = "More"
repository = "https://git.example.org/linux.git"
revision = "v6.1"
files = ["Documentation/md.rst"]
package = "linux-doc=6.1-1"
folder = "my pages"
python = ["click==8.1.7"]
"""


def test_shelves_need_no_product(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(SHELF, encoding="utf-8")
    site = load_site(path, ())
    assert site.products == ()
    grouped = '[[product]]\nname = "kettle"\nreleases = ["1"]\ngroup = "Disks"\n'
    path.write_text(SHELF + grouped, encoding="utf-8")
    assert load_site(path, (product_in(tmp_path / "kettle"),)).products[0].group == "Disks"
    disks, more = site.shelves
    assert disks == Shelf("Disks", (
        ShelfItem("mdadm", "", PackageSource("mdadm", ("8",))),
        ShelfItem("lvm2", "", PackageSource("lvm2=2.03.16-2", ("8",))),
    ), ("8",), includes_installed=True)  # fmt: skip
    assert more == Shelf("More", (
        ShelfItem("linux", "6.1", GitSource(
            "https://git.example.org/linux.git", "v6.1", "", files=("Documentation/md.rst",)
        ), PackageSource("linux-doc=6.1-1", files=("Documentation/md.rst",))),
        ShelfItem("my-pages", "", FolderSource(str(tmp_path / "my pages"))),
        ShelfItem("click", "", PythonSource("click==8.1.7")),
    ))  # fmt: skip


def test_a_shelf_chooses_files_of_a_package(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    text = SHELF.replace('"mdadm", "lvm2=2.03.16-2"', '"mdadm"')
    path.write_text(text.replace("host = true", 'files = ["a/md.txt"]'), encoding="utf-8")
    (item,) = load_site(path, ()).shelves[0].items
    assert isinstance(item.source, PackageSource)
    assert item.source.files == ("a/md.txt",)


@pytest.mark.parametrize(("revision", "version"), [
    ("v6.1", "6.1"), ("fio-3.33", "3.33"), ("origin/main", "origin-main"), ("6.1-rc1", "6.1-rc1"),
])  # fmt: skip
def test_the_version_of_a_revision(revision: str, version: str, tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(SHELF.replace("v6.1", revision), encoding="utf-8")
    assert load_site(path, ()).shelves[1].items[0].version == version


WRONG_SHELVES = {
    "nothing": ('packages = ["mdadm", "lvm2=2.03.16-2"]\nsections = ["8"]\nhost = true', "",
        "[[shelf]] number 1 has nothing to show; add packages = "),
    "title": ('title = "Disks"', "title = 1", "'title' must be a quoted string, not a number (1)"),
    "key": ("host = true", "hosts = true", "has an unknown key 'hosts'; did you mean 'host'?"),
    "package": ('"mdadm"', '"MDADM"',
        "has 'MDADM' in 'packages'; write the name of a Debian package: lvm2 or"),
    "option": ('"mdadm"', '"-o"', "has '-o' in 'packages'"),
    "twice": ('"lvm2=2.03.16-2"', '"mdadm"', "has the 'packages' item 'mdadm' twice; remove"),
    "section": ('["8"]', '["3pm"]', "has '3pm' in 'sections'; write numbers"),
    "number": ('["8"]', "[8]", "'sections' item 1 must be a quoted string, not a number (8)"),
    "files": ('files = ["Documentation/md.rst"]', "", "has a repository without files; add files"),
    "no revision": ('revision = "v6.1"', "", "has no key 'revision'"),
    "path": ("Documentation/md.rst", "../md.rst",
        "has '../md.rst' in 'files'; write paths from the top of the tree"),
    "latest": ('"v6.1"', '"latest"', "names a release 'latest'"),
    "files of": ("host = true", 'files = ["md.txt"]',
        "has 'files' of no single package or repository; name one"),
    "other package": ('"linux-doc=6.1-1"', '"Linux"',
        "has 'Linux' as 'package'; write the name of a Debian package: lvm2 or"),
    "no repository": ('repository = "https://git.example.org/linux.git"', "",
        "has 'revision' without 'repository'; add the address of one"),
    "python": ("click==8.1.7", "click>=8",
        "has 'click>=8' in 'python'; write the name of a Python package: click"),
    "exports": ('title = "Storage"', 'title = "Storage"\nexports = ["man"]',
        "has 'exports', but only documents of products are exported"),
    "shown": ("[[shelf]]", '[[product]]\nname = "mdadm"\nreleases = ["4.2"]\n[[shelf]]',
        "has 'mdadm', which [[product]] shows; remove one"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_SHELVES)
def test_wrong_shelves(case: str, tmp_path: Path) -> None:
    old, new, message = WRONG_SHELVES[case]
    assert old in SHELF
    path = tmp_path / "site.toml"
    path.write_text(SHELF.replace(old, new, 1), encoding="utf-8")
    mdadm = replace(default_product(), name="mdadm", title="mdadm")
    with pytest.raises(SettingsError) as caught:
        load_site(path, (mdadm,))
    assert re.match(rf"{re.escape(str(path))}(?::\d+)?: ", str(caught.value))
    assert message in str(caught.value)


def test_empty_sites(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    kettle = product_in(tmp_path / "kettle")
    for text, products, message in (
        ('site.title = "K"', (kettle,), "the file shows no product; add [[product]]"),
        ('product = {name = "kettle"}', (kettle,), "shows no release; add releases = "),
        ('product = {name = "kettle"}', (), "'kettle' is an unknown product; none is known"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(SettingsError) as caught:
            load_site(path, products)
        assert message in str(caught.value)


# --- whose text is it? ----------------------------------------------------------------


def test_recognize(tmp_path: Path) -> None:
    kettle = product_in(tmp_path / "kettle")
    brand = MANUAL.replace('"kettle"', '"copper"').replace("'Kettle (", "'Copper Kettle (")
    products = (product_in(tmp_path / "copper", brand), kettle)

    def whose(head: str, file: str) -> tuple[str, str] | None:
        match = recognize(products, head, file)
        return match and (match[0].name, match[1].name)

    assert whose("Kettle Guide", "x.txt") == ("kettle", "guide-book")
    assert whose("\n" * 39 + "Kettle Guide", "x.txt") == ("kettle", "guide-book")
    assert whose("\n" * 40 + "Kettle Guide", "x.txt") is None
    assert whose("Copper Kettle Guide", "x.txt") == ("copper", "guide-book")
    assert whose("Kettle Manual", "dir/reference.txt.gz") == ("kettle", "reference")
    assert whose("Kettle Manual", "own notes.txt") == ("kettle", "own-notes")
    assert whose("Something", "reference.txt") == ("kettle", "reference")
    assert whose("Something", "x.txt") is None
    assert whose("", "") is None


def test_a_common_file_name_does_not_identify_a_product() -> None:
    products = load_products([ROOT / "manuals"])
    assert recognize(products, "Toaster\n\n1. Slots\n", "manual.txt") is None


@pytest.mark.parametrize(("head", "document"), [
    ("   -----\n     HAProxy\n   Configuration Manual\n   -----\n", "configuration"),
    ("    HAProxy Management Guide\n", "management"),
    ("    HAProxy Starter Guide\n  The management guide is for later.\n", "intro"),
    ("    The PROXY protocol\n", "proxy-protocol"),
    ("    +---+\n    | Peers protocol 2.1 |\n", "peers"),
])  # fmt: skip
def test_recognize_built_in_products(head: str, document: str) -> None:
    match = recognize(load_products([ROOT / "manuals"]), head, "x.txt")
    assert match is not None
    assert (match[0].name, match[1].name) == ("haproxy", document)


@pytest.mark.parametrize(("file", "name"), [
    ("a.txt", "a"), ("a.b.txt.gz", "a.b"), ("my text (2).txt", "my-text-2"), (".txt", "txt"),
    ("..txt", "manual"), ("", "manual"), ("é.txt", "manual"), ("-x", "x"),
    ("kettle.8.gz", "kettle.8"), ("lid.conf.5", "lid.conf.5"), ("pot.3ssl", "pot.3ssl"),
    ("GUIDE.md", "GUIDE"), ("guide-1.16.rst", "guide-1.16"), ("README", "README"),
    ("pot.n", "pot.n"),
])  # fmt: skip
def test_names_of_unlisted_files(file: str, name: str) -> None:
    assert unlisted_document(file).name == name


def test_built_in_settings_load() -> None:
    """The files of the repository load, and say what the site promises."""
    products = load_products([ROOT / "manuals"])
    site = load_site(ROOT / "site" / "site.toml", products)
    assert [shown.product.name for shown in site.products] == ["haproxy", "dconv"]
    versions = [release.version for release in site.products[0].releases]
    assert versions[:5] == ["3.4", "3.2", "3.0", "2.8", "2.6"]
    haproxy = next(product for product in products if product.name == "haproxy")
    names = [document.name for document in haproxy.documents]
    assert names[:3] == ["configuration", "management", "intro"]
    assert [type(source) for source in haproxy.sources] == [
        UrlSource, GitSource, GitSource, DebianSource,
    ]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), [
    ('name = "kettle"', 'name = "{}"'), ('path = "texts/{version}"', '"{}" = "a"'),
    ('documents = ["reference"]', 'documents = ["{}"]'), ("'^Options'", "'({}'"),
    ('priority = ["option"', 'priority = ["{}"'), ('name = "reference"', 'name = "{}"'),
])  # fmt: skip
def test_long_values_are_cut_in_messages(old: str, new: str, tmp_path: Path) -> None:
    assert old in MANUAL
    changed = MANUAL.replace(old, new.replace("{}", "x /" * 40_000), 1)
    with pytest.raises(SettingsError) as caught:
        product_in(tmp_path, changed)
    message = str(caught.value)
    assert "…'" in message and len(message) < 500


def test_default_stopwords_are_english(tmp_path: Path) -> None:
    assert {"how", "to", "a"} <= set(read_vocabulary(tmp_path, {}).stopwords)
    (tmp_path / "search.toml").write_text('stopwords = ["wie"]')
    assert read_vocabulary(tmp_path, {}).stopwords == ("wie",)
    (tmp_path / "search.toml").write_text("stopwords = []")
    assert read_vocabulary(tmp_path, {}).stopwords == ()
