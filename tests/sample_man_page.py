"""A man page as a reader hands it over, for tests of what is made of such pages."""

from __future__ import annotations

from dconv.linking.link import link
from dconv.linking.symbols import collect_symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import (
    Block,
    BlockQuote,
    Definition,
    Definitions,
    Deleted,
    Emphasis,
    ExpectedWords,
    Footnote,
    Header,
    Image,
    Inline,
    LineBreak,
    Manual,
    Paragraph,
    Reference,
    Section,
    Span,
    Strong,
    Text,
)
from dconv.readers.extracted_text import NO_SPAN, ParsedDocument, build_manual, entry, term
from dconv.writers.pages.page import Release, ReleaseDocument

TIN_LINE = 70  # of the page in roff
TEXT = """
NAME pot - cooks OPTIONS -v, --verbose Tell of every step, see soup(7). -h, --heat=<n> --no-heat
Set the heat, as --verbose tells it. low Lid on.
boil
Boil over. -q Say little nothing. The lid [1] never
held. Heat rises. 1 Made of tin. COMMANDS -v Say the version. stir Stir with a spoon
"""


def prose(*parts: str | Inline) -> Paragraph:
    """A paragraph; plain strings are text."""
    content = [Text(part) if isinstance(part, str) else part for part in parts]
    return Paragraph(tuple(content), NO_SPAN)


def section(title: str, *body: Block, anchor: str = "") -> Section:
    """A section without a number."""
    return Section("", title, anchor, 1, body, (), NO_SPAN, NO_SPAN)


def document() -> ParsedDocument:
    """The page pot(8), parsed."""
    levels = Definitions((
        Definition("", (term([Text("low")]),), "", (prose("Lid on."),), NO_SPAN),
        Definition(
            "", (term([Strong((Text("boil"),))], "command", ("boil", "cook")),), "",
            (prose("Boil over."),), NO_SPAN,
        ),
    ), NO_SPAN)
    return ParsedDocument(
        "pot.8", Header("pot(8)", "", "", "", "", None, (), "cook what there is"), (),
        (
            section("NAME", prose("pot - cooks")),
            section(
                "OPTIONS",
                entry("option", [("-v, --verbose", ("--verbose", "-v"))], [
                    prose("Tell of every step, see ",
                          Reference("soup(7)", "soup(7)", kind="page"), "."),
                ], "v"),
                entry(
                    "option", [("-h, --heat=<n>", ("--heat", "-h")), ("--no-heat", ("--no-heat",))],
                    [
                        prose("Set the ", Emphasis((Text("heat"),)), ", as ",
                              Strong((Text("--verbose"),)), " tells it."),
                        levels,
                    ],
                ),
                entry("option", [("-q", ("-q",))], [
                    prose("Say ", Deleted((Text("little"),)), " nothing."),
                ]),
                prose("The lid ", Reference("[1]", "#tin", kind="link"), " never",
                      LineBreak(), "held."),
                BlockQuote((prose("Heat ", Image("rise.png", "rises"), "."),), NO_SPAN),
                Footnote("1", "tin", (
                    Paragraph(
                        (Text("Made of "), Strong((Text("tin"),)), Text(".")),
                        Span(TIN_LINE, TIN_LINE),
                    ),
                ), NO_SPAN),
            ),
            section(
                "COMMANDS",
                entry("option", [("-v", ("-v",))], [prose("Say the version.")]),
                entry("command", [("stir", ("stir",))], [prose("Stir with a spoon")]),
            ),
        ),
        (), ExpectedWords(tuple(TEXT.split()), (("list numbers", 2),)),
    )


def manual() -> Manual:
    """The page pot(8), linked."""
    read = build_manual(document(), "pot.8")
    return link(read, collect_symbols([(read, "pot.8")], Dialect()), Dialect())


def listing() -> Manual:
    """The page all(7), which says on which page each option is."""
    option = entry("option", [("--heat", ("--heat",))], [prose("kettle(8), pot(8)")])
    header = Header("all(7)")
    sections = (section("OPTIONS", option),)
    document = ParsedDocument("all.7", header, (), sections, (), ExpectedWords(()))
    return build_manual(document, "all.7")


def release() -> Release:
    """The release that has the page alone."""
    document = ReleaseDocument(manual(), "pot(8)", "cook what there is")
    return Release("tools", "Tools", "1.0", (document,))
