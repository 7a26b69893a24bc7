"""What holds for every text there is: it converts, whole, the same each time.

`HYPOTHESIS_PROFILE=thorough pytest tests/test_properties.py` looks longer.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from functools import cache
from pathlib import Path

import html5lib
from hypothesis import given
from hypothesis import strategies as st

from dconv.build.read import release_document
from dconv.build.render import ReleaseFiles, release_files
from dconv.model.origin import Origin
from dconv.model.tree import Manual
from dconv.proof.coverage import prove_tree
from dconv.readers import READERS
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.texts import SourceText
from dconv.writers.dump.data import json_text
from dconv.writers.dump.text import tree_text
from dconv.writers.pages.page import Release, SiteInfo
from dconv.writers.theme import theme
from dconv.writers.theme.theme import Theme

SPEC = Path(__file__).parent / "spec"
IDS = re.compile(r"\sid=\"([^\"]*)\"")
# what manuals are made of, and what could break a page
FRAGMENTS = (
    "speed", "hold <x>", "no option tidy", "[no] watch", "map_<match>(<file>)", "@<[!]pid>",
    "req.size : integer", "tune.fast [ a", "[ { b :", "| c", "hdr { a", "text\\", "\\",
    "- item", "* a : b", "=> x", "1. one", "2. two", "10) ten", "74: x", "a) x", "-", "--",
    "A sentence of prose, which is long enough to be one.", "and it goes on here.",
    "Example :", "Example: cap", "Examples:", "Example 2 :", "    code", "will generate:",
    "$ relay show", ">>> out", "# echo x", "GET / HTTP/1.1", "{ \"a\": 1 }",
    "Arguments :", "Arguments: none", "Return value:", "ACL derivatives :", "path_beg : prefix",
    "Note: text here.", "NOTE :", "Warning!", "CAUTION!", "Troubles with it:",
    "See also : \"speed\", hold", "See also", "See also:", "text. See also: \"x\"",
    "<arg>  is a thing", "<arg> is", "word   gap text", "\"none\": only", "\"all\": more",
    "'tcp4@' -> x", "'tcp4@<a>' following text", "eq : true", "-f <file> : reads",
    "+---+---+", "+===+===+", "| a | b |", "|   | b |", "a | b", "--+--", "---|---",
    " keyword   defaults frontend backend", "-----+----+---+---", "speed     X    -   X (!)",
    "-- keyword - defaults - frontend -", "Line     Contents", "  1  a", "Flags  Reason",
    "May be used in sections :   defaults | frontend", "   yes | no", "  yes | no | yes",
    "May be used in the following contexts: tcp, http", "Supported in default-server: No",
    "Usable in:  TCP A| B|   HTTP C", "   X |  - |  X",
    "1. Directives", "2. Fetches", "2.1. Tables", "3) Rules", "I) Roman", "Summary", "Contents",
    "------", "======", "~~~~~~", "^^^", "/*", " * Local variables:", "*/", "version 1.2",
    "2026/01/31", "Author : A", "`code`", "\"quoted", "\"multi", "words\"", "it's 'on'",
    "http://example.org/y).", "->", "::", ":", "a:", "a :", "+", "+++", "|", "<<>>", "[[", "]",
    "{{ x }}", "{% y %}", "<script>", "&amp;", "&", "<!--text 1-2-->", "<!--/text-->", "-->",
    "<!--", "data-added", " data-lines=\"1\"", "</pre>", "]]>", "\t", "\x0c", "\x00", "\u2028",
    "\u202e", "\ufeff", "\u00a0", "\u00e9", "e\u0301", "\U0001f600", "%T", "(deprecated)",
    "[ EXPERIMENTAL ]",
)  # fmt: skip
LINE = st.builds(
    lambda column, pieces, gap: " " * column + gap.join(pieces),
    st.integers(0, 14),
    st.lists(st.sampled_from(FRAGMENTS), max_size=3),
    st.sampled_from((" ", "  ", "   ")),
)
SHAPED = st.lists(LINE, max_size=30).map("\n".join)
# sections with entries, so that rules that need an entry around them are reached
SECTIONED = SHAPED.map(lambda text: f"1. Directives\n-------------\n\nspeed <x>\n  Text.\n{text}\n")
TEXTS = SHAPED | SECTIONED | st.text(max_size=300)
CONTENTS = TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=300)


@cache
def product() -> Product:
    """The product whose dialect the examples of the format use."""
    return load_product(SPEC)


@cache
def default_theme() -> Theme:
    """The default theme, loaded once."""
    return theme.load("default")


def read(content: bytes) -> Manual:
    """The manual of a text."""
    return READERS["text"](content, "manual.txt", product().dialect, "manual")


def render(manual: Manual) -> ReleaseFiles:
    """The files of a release that has one document."""
    text = SourceText(
        b"", "manual.txt", product(), product().documents[0], Origin("here")
    )
    release = Release("relay", "Relay", "1.0", (release_document(text, manual),))
    return release_files(release, SiteInfo("Manuals", "dconv"), default_theme())


@given(CONTENTS)
def test_every_line_stands_in_one_block_and_comes_out_again(content: bytes) -> None:
    manual = read(content)
    assert [str(loss) for loss in prove_tree(manual).losses] == []
    assert b"".join(manual.source.raw) == content


@given(CONTENTS)
def test_reading_twice_gives_one_tree(content: bytes) -> None:
    first, second = read(content), read(content)
    assert first == second
    assert tree_text(first) == tree_text(second)
    assert json_text([first]) == json_text([second])


@given(CONTENTS)
def test_every_word_is_on_the_pages(content: bytes) -> None:
    manual = read(content)
    files = render(manual)
    assert [str(loss) for proof in files.proofs for loss in proof.losses] == []
    assert render(manual).files == files.files


@given(TEXTS)
def test_pages_are_well_formed(text: str) -> None:
    files = render(read(text.encode("utf-8", "surrogatepass")))
    for path, content in files.files:
        if path.endswith(".html"):
            page = content.decode()
            twice = [name for name, count in Counter(IDS.findall(page)).items() if count > 1]
            assert twice == [], path
            with warnings.catch_warnings(action="ignore"):
                html5lib.HTMLParser(strict=True).parse(page)
