"""Live examples: which words of a configuration are links, and where they lead."""

from __future__ import annotations

import pytest
from proof_html import CONTEXT

from dconv.build.read import read_manual
from dconv.linking.examples import highlight
from dconv.linking.symbols import Symbols, collect_symbols
from dconv.model.tree import Entry, Manual, Preformatted, Span, entries
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder
from dconv.writers.html.preformatted import preformatted

TEXT = """\
1. Process management and security
----------------------------------

maxconn <number>
  Sets the limit of the process.

log <address>
  Where lines go.


2. Bind options
---------------

maxconn <number>
  Sets the limit of the listener.

ssl
  Makes it TLS.


3. Server options
-----------------

maxconn <number>
  Sets the limit of the server.

backup
  Keeps it for later.


4. Alphabetically sorted keywords reference
-------------------------------------------

acl <name> <criterion>
  Names a test.

bind <address>
  Listens.

http-request <action>
  Runs an action.

http-request wave <hand> [ { if | unless } <condition> ]
  Waves, as releases name it whose actions are directives.

maxconn <number>
  Sets the limit of the frontend.

option relay-close
  Closes.

server <name> <address>
  Adds a server.


5. Alphabetically sorted actions reference
------------------------------------------

set-header <name> <format>
  Sets a field.


6. Converters
-------------

lower
  Makes letters small.


7. Fetching samples from the lamp
---------------------------------

src : ip
  The address.

req.hdr(<name>) : string
  The field.
"""


@pytest.fixture(scope="module")
def product() -> Product:
    return load_product(resource_folder("manuals") / "haproxy")


@pytest.fixture(scope="module")
def manual(product: Product) -> Manual:
    return read_manual(TEXT.encode(), "manual.txt", product, "manual")


@pytest.fixture(scope="module")
def symbols(manual: Manual, product: Product) -> Symbols:
    return collect_symbols([(manual, "manual.txt")], product.dialect)


def code(text: str, language: str = "haproxy") -> Preformatted:
    """A block of code."""
    lines = tuple(text.split("\n"))
    return Preformatted(lines, language, Span(1, len(lines)))


def links(
    text: str, symbols: Symbols, product: Product, entry: Entry | None = None
) -> list[tuple[str, str]]:
    """The words of `text` that are links, with their anchors."""
    pieces = highlight(code(text), "manual", entry, symbols, product.dialect)
    assert "".join(piece.text for piece in pieces) == text
    return [(piece.text, piece.target.anchor) for piece in pieces if piece.target]


CASES = [
    ("global\n  maxconn 5", [("maxconn", "global-keyword.maxconn")]),
    ("frontend a\n  maxconn 5", [("maxconn", "maxconn")]),
    ("listen a\n  bind :80 maxconn 5 ssl",
     [("bind", "bind"), ("maxconn", "bind-option.maxconn"), ("ssl", "bind-option.ssl")]),
    ("backend a\n  server backup 192.0.2.1:80 maxconn 5 backup",
     [("server", "server"), ("maxconn", "server-option.maxconn"),
      ("backup", "server-option.backup")]),
    ("backend a\n  server b 192.0.2.1:80 \\\n    backup",
     [("server", "server"), ("backup", "server-option.backup")]),
    ("frontend a\n  no option  relay-close", [("option  relay-close", "option-relay-close")]),
    ("frontend a\n  http-request set-header X %[src,lower] if { req.hdr(a) -m beg b }",
     [("http-request", "http-request"), ("set-header", "action.set-header"),
      ("src", "sample-fetch.src"), ("lower", "converter.lower"),
      ("req.hdr", "sample-fetch.req.hdr")]),
    ("frontend a\n  acl x src 192.0.2.1  # src", [("acl", "acl"), ("src", "sample-fetch.src")]),
    ("frontend a\n  # maxconn 5\n  unknown maxconn", []),
    # actions that are entries of their own, with the words in front of them
    ("backend a\n  http-request wave if { src 192.0.2.1 }",
     [("http-request wave", "http-request-wave"), ("src", "sample-fetch.src")]),
    ("backend a\n  http-request wave(left) if x", [("http-request wave", "http-request-wave")]),
    ("http-request  wave", [("http-request  wave", "http-request-wave")]),
    ("backend a\n  http-request waved", [("http-request", "http-request")]),
    # fragments: most lines tell
    ("maxconn 5", []),
    ("maxconn 5\nbind :80", [("maxconn", "maxconn"), ("bind", "bind")]),
    ("lamp\n  maxconn 5", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_links(
    text: str, expected: list[tuple[str, str]], symbols: Symbols, product: Product
) -> None:
    assert links(text, symbols, product) == expected


def test_an_entry_decides_and_has_no_link_to_itself(
    manual: Manual, symbols: Symbols, product: Product
) -> None:
    entry = next(entry for _, entry in entries(manual) if entry.anchor == "global-keyword.maxconn")
    assert links("maxconn 5", symbols, product, entry) == []
    log = next(entry for _, entry in entries(manual) if entry.anchor == "global-keyword.log")
    assert links("maxconn 5", symbols, product, log) == [("maxconn", "global-keyword.maxconn")]


@pytest.mark.parametrize(
    ("language", "text"),
    [("lua", "local a = 1 -- one"), ("json", '{"a": 1}'), ("c", "int a;"),
     ("http", "GET / HTTP/1.1\nHost: a")],
)  # fmt: skip
def test_other_languages(language: str, text: str, symbols: Symbols, product: Product) -> None:
    pieces = highlight(code(text, language), "manual", None, symbols, product.dialect)
    assert "".join(piece.text for piece in pieces) == text
    assert any(piece.style for piece in pieces)
    assert not any(piece.target for piece in pieces)


@pytest.mark.parametrize("language", ["", "log", "console", "unheard-of"])
def test_output_stays_plain(language: str, symbols: Symbols, product: Product) -> None:
    node = code("global\n  maxconn 5", language)
    assert highlight(node, "manual", None, symbols, product.dialect) == ()


def test_as_html(symbols: Symbols, product: Product) -> None:
    node = code("global\n  maxconn 5 # <&")
    pieces = highlight(node, "manual", None, symbols, product.dialect)
    shown = Preformatted(node.lines, node.language, node.span, pieces)
    assert preformatted(shown, CONTEXT) == (
        '<pre tabindex="0" class="language-haproxy"><span class="sec">global\n  </span>'
        '<a href="dconv:manual#global-keyword.maxconn">maxconn</a> '
        '<span class="num">5 </span><span class="com"># &lt;&amp;</span></pre>\n'
    )
