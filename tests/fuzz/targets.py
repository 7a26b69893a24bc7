"""One function for each part of the program that reads what others wrote.

A target is given bytes and raises where a promise is broken: a crash is an exception of
the program; a lost word, a page that is not well-formed and a raw control character are
failed assertions.  What is refused with one sentence (`SettingsError`, `SourceError`) is
right.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path, PurePath

import html5lib

from dconv.build import collect
from dconv.build.read import link_texts, read_text
from dconv.build.render import ReleaseFiles
from dconv.build.schedule import build_site
from dconv.diff.compare import compare
from dconv.diff.json_output import json_text
from dconv.diff.manual_set import ManualSet
from dconv.diff.page import report_page
from dconv.diff.text import text as diff_text
from dconv.linking.outline import release_outlines
from dconv.linking.symbols import collect_symbols as named
from dconv.lint import rules
from dconv.lint.context import contexts
from dconv.lint.formats.github import github
from dconv.lint.formats.json_output import json_output
from dconv.lint.formats.result import Result, with_lines
from dconv.lint.formats.sarif import sarif
from dconv.lint.formats.text import text
from dconv.model.diagnostics import has_fatal
from dconv.model.origin import Origin
from dconv.model.references import reference_findings
from dconv.model.source import read_source
from dconv.model.tree import Manual
from dconv.proof.coverage import prove_tree
from dconv.proof.linkcheck import LinkCheck
from dconv.readers import READERS
from dconv.settings.manual import load_product
from dconv.settings.site import load_site
from dconv.settings.toml import SettingsError
from dconv.settings.types import Product
from dconv.sources import debian
from dconv.sources.files import unpack
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.sources.types import SourceError
from dconv.writers.docutils import export
from dconv.writers.dump.data import json_text as dumped
from dconv.writers.dump.text import tree_text
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme import theme

TESTS = Path(__file__).resolve().parent.parent
CASES = Path(__file__).parent / "cases"
SITE_INFO = SiteInfo("Manuals", "dconv", "https://docs.example.org/manuals/", latest=True)
BETWEEN = b"\n\x1e\n"  # parts one text from another: a record separator on a line of its own
# what a terminal takes for commands, except line ends and tabs
CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# attributes that run what they hold, and addresses that do
EVENT_ATTRIBUTE = re.compile(r"on[a-z]+", re.IGNORECASE)
SCRIPT_ADDRESS = re.compile(r"\s*(?:javascript|vbscript|data:text)", re.IGNORECASE)
ADDRESSES = ("href", "src", "action", "formaction", "poster", "srcset", "xlink:href")
DATA_TYPES = ("application/json", "application/ld+json", "text/plain")  # of scripts that do not run
OWN_SCRIPT = re.compile(r"(?:\.\./)*(?:\./)?(?:/manuals/)?[\w./+~-]*\.js")
FOLDER = "/usr/share/doc/kettle"
BLOCK, CHECKSUM = 512, slice(148, 156)  # of an archive, and where a head has its sum (tar(5))
Target = Callable[[bytes], object]
Dialect = Callable[[], Product]  # gives the product whose texts the bytes are


@cache
def product() -> Product:
    """The product whose dialect the examples of the format use."""
    return load_product(TESTS / "spec")


@cache
def default_theme() -> theme.Theme:
    """The default theme, loaded once."""
    return theme.load("default")


def read(content: bytes, dialect: Dialect = product) -> Manual:
    """Every line is in one block, and comes out again with every word."""
    manual = READERS["text"](content, "manual.txt", dialect().dialect, "manual")
    losses = [str(loss) for loss in prove_tree(manual).losses]
    assert not losses, losses
    assert b"".join(manual.source.raw) == content or manual.source.encoding == "utf-16"
    shown = tree_text(manual)
    assert not CONTROL_CHARACTERS.search(shown), shown
    json.loads(dumped([manual]))
    return manual


def reading(content: bytes, dialect: Dialect = product) -> None:
    """Any bytes are a manual."""
    read(content, dialect)


def encodings(content: bytes) -> None:
    """Any bytes are text, gzipped or not; what is read can be written."""
    try:
        content = unpack(content, "manual.txt")[0]
    except SourceError as error:
        assert str(error).isprintable()
    source = read_source(content, "manual.txt")
    assert len(source.raw) == len(source.lines)
    for line in source.lines:
        assert not CONTROL_CHARACTERS.search(line.text), line
        line.text.encode()


def source_text(content: bytes, dialect: Dialect = product) -> SourceText:
    """The text `content` of the product."""
    settings = dialect()
    return SourceText(content, "manual.txt", settings, settings.documents[0], Origin("here"))


def release(
    content: bytes, version: str = "2.1", dialect: Dialect = product
) -> ReleaseTexts:
    """A release that has one text."""
    settings = dialect()
    return ReleaseTexts(
        settings.name, settings.title, version, "", (source_text(content, dialect),)
    )


def site(content: bytes, dialect: Dialect = product) -> dict[str, bytes]:
    """A whole site of one or two releases: proved, well-formed, without links that are dead.

    Its files are given back, by their paths.
    """
    check = LinkCheck(SITE_INFO.url)
    lost: list[str] = []

    def after(release_output: ReleaseFiles) -> None:
        diagnostics = release_output.diagnostics
        lost.extend(str(diagnostic) for diagnostic in diagnostics if has_fatal([diagnostic]))

    parts = content.split(BETWEEN, 1)
    releases = [release(part, f"2.{number}", dialect) for number, part in enumerate(parts)]
    files = dict(
        build_site(releases, SITE_INFO, default_theme(), on_release=after, check=check)
    )
    for path, file in files.items():
        well_formed(path, file)
    odd = [*lost, *map(str, check.finish())]
    assert not odd, odd
    return files


def well_formed(path: str, content: bytes) -> None:
    """A page has no mistake, and runs no script but ours; other files are what they say."""
    if path.endswith(".json"):
        json.loads(content)
    if path.endswith(".html") and b"<html" in content:
        page = content.decode()
        assert not CONTROL_CHARACTERS.search(page), path
        with warnings.catch_warnings(action="ignore"):
            root = html5lib.HTMLParser(strict=True).parse(page)
        for element in root.iter():
            safe(element.tag, element.attrib, path)


def safe(tag: object, attributes: Mapping[str, str], path: str) -> None:
    """An element runs nothing but our scripts."""
    kind = str(tag).rpartition("}")[2]
    is_data = attributes.get("type", "") in DATA_TYPES
    if kind == "script" and not is_data:
        assert OWN_SCRIPT.fullmatch(attributes.get("src", "")), (path, attributes)
    assert kind not in ("iframe", "object", "embed", "base"), path
    for name, value in attributes.items():
        assert not EVENT_ATTRIBUTE.fullmatch(name), (path, name)
        assert name not in ADDRESSES or not SCRIPT_ADDRESS.match(value), (path, name, value)


def checking(content: bytes, dialect: Dialect = product) -> None:
    """The check, told in each form: no form has what steers a terminal or a job."""
    manual = read(content, dialect)
    setting = source_text(content, dialect)
    linked = link_texts([setting], [manual])
    words = dialect().dialect
    symbols = named([(linked[0], "manual.txt")], words)
    results: list[Result] = []
    for context in contexts(linked, words, symbols):
        diagnostics = {*manual.diagnostics, *reference_findings(linked[0])}
        diagnostics |= {*rules.run_rules(context, rules.RULES)}
        results += with_lines(sorted(diagnostics), "manual", manual.source)
    base = PurePath("/")
    for shown in (text(results, with_lines=True), github(results, base)):
        assert not CONTROL_CHARACTERS.search(shown), shown
    assert github(results, base).count("\n") == len(results)
    assert len(json.loads(json_output(results, (), "dconv"))["findings"]) == len(results)
    assert len(json.loads(sarif(results, "1.0", base))["runs"][0]["results"]) == len(results)


def comparing(content: bytes, dialect: Dialect = product) -> None:
    """Two states of a text, compared in each form."""
    old, _, new = content.partition(BETWEEN)
    manual_sets = []
    for name, part in (("old", old), ("new", new)):
        text = source_text(part, dialect)
        manuals = tuple(link_texts([text], [read_text(text)]))
        rule_sets = text.product.dialect.rule_sets
        manual_sets.append(ManualSet(name, manuals, release_outlines(manuals, rule_sets)))
    comparison = compare(*manual_sets)
    assert not CONTROL_CHARACTERS.search(diff_text(comparison))
    json.loads(json_text(comparison))
    page = default_theme().render(report_page(comparison, SITE_INFO, "changes.html"))
    well_formed("changes.html", page)
    if old == new:
        assert not comparison


def settings(content: bytes) -> None:
    """Settings are values, or one sentence that says what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("manual.toml", "site.toml"):
            (folder / file).write_bytes(content)
        for file in ("dialect.toml", "search.toml", "phrases.toml", "program.toml"):
            if content.startswith(f"# {file}\n".encode()):
                (folder / file).write_bytes(content)
                (folder / "manual.toml").write_bytes((TESTS / "spec/manual.toml").read_bytes())
        for load in (lambda: load_product(folder), lambda: load_site(
            folder / "site.toml", (product(),)
        )):
            try:
                load()
            except SettingsError as error:
                assert str(error).strip()


def header(content: bytes) -> None:
    """Whose text it is, and of which release."""
    from dconv.sources.types import FetchedDocument

    document = FetchedDocument("manual", "manual.txt", content, "")
    text = collect.source_text(document, "manual.txt", (product(),), "")
    for group in collect.group_by_release([text], "", ""):
        assert collect.VERSION.fullmatch(group.version), group.version
        assert collect.VERSION.fullmatch(group.product_name), group.product_name


def exporting(content: bytes, dialect: Dialect = product) -> None:
    """The formats of docutils take any manual."""
    text = source_text(content, dialect)
    manual = link_texts([text], [read_text(text)])[0]
    for form in ("rst", "man"):
        for made in export.export([(manual, "Manual")], form, "", ""):
            assert made.content


def archives(content: bytes) -> None:
    """Any bytes are an archive, or refused in a sentence."""
    blocks = [bytearray(content[at : at + BLOCK]) for at in range(0, len(content), BLOCK)]
    for block in blocks:  # else nothing but the sums would be tried
        block[CHECKSUM] = b" " * 8
        block[CHECKSUM] = b"%06o\0 " % (sum(block) & 0o777777)
    try:
        debian.read_archive(io.BytesIO(b"".join(blocks)), lambda path: path > FOLDER, "kettle")
    except SourceError as error:
        assert str(error).isprintable()


TARGETS: Mapping[str, Target] = {
    "archives": archives,
    "checking": checking,
    "comparing": comparing,
    "encodings": encodings,
    "exporting": exporting,
    "header": header,
    "reading": reading,
    "settings": settings,
    "site": site,
}
