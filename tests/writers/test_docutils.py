"""Manuals as docutils documents, and those as reStructuredText and back."""

from __future__ import annotations

import difflib
import gc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import sample_man_page
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from dconv.build import collect
from dconv.build.read import link_texts, read_manual, read_text
from dconv.model.tree import (
    Argument,
    Cell,
    Code,
    Definition,
    Definitions,
    Entry,
    Flow,
    Header,
    Heading,
    Hyperlink,
    Image,
    Inline,
    Item,
    Labelled,
    List,
    Manual,
    Paragraph,
    Preformatted,
    Reference,
    Row,
    Section,
    SeeAlso,
    Signature,
    Span,
    Strong,
    Table,
    Target,
    Term,
    Text,
    Usage,
)
from dconv.settings.manual import default_product, load_products
from dconv.sources.resources import resource_folder
from dconv.writers.docutils.doctree import make_doctree
from dconv.writers.docutils.link_targets import OtherDocument, identifiers
from dconv.writers.docutils.markdown import markdown
from dconv.writers.docutils.proof import lost_words
from dconv.writers.docutils.rst import rst

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
SPAN = Span(1, 1)
# what means something in reStructuredText, and what looks like it
ODD = (
    "*", "**", "`", "``", "_", "__", "a_", "_a", "a__b", "`a`_", "|", "|a|", "\\", "\\\\", "::",
    ":", ":a:", " : ", "- ", "+ ", "1. ", "a) ", "(i) ", "#. ", ".. ", ".. note::", "==", "----",
    "+--+", ">>> ", "[1]_", "[a]", "<a>", "<a_>", '"', "'", "(", ")", "http://a.example/x_",
    "mailto:a", "a@b.example", "--a", "-a b", "/V", "é", "日本", "a\u0301", "•", "x", "word",
    "…", "{", "}", "%[a]", "~", "$a", "a*b*c", "`a <b>`__", "@", "a:b", "::a", "x::", "\u00a0",
)  # fmt: skip


def read(text: bytes, name: str = "kettle") -> Manual:
    """The manual of `text`, in no product's dialect, not linked."""
    return read_manual(text, f"{name}.txt", default_product(), name)


def manuals(*paths: Path) -> list[Manual]:
    """The linked manuals of `paths`, each in its dialect."""
    texts = collect.read_files(paths, load_products([resource_folder("manuals")]), "", print)
    return link_texts(texts, [read_text(text) for text in texts])


# --- equal documents ------------------------------------------------------------------


def reread(text: str) -> nodes.document:
    """What docutils reads of the reStructuredText `text`; a warning is an exception."""
    settings = {"halt_level": 2, "report_level": 2, "_disable_config": True}
    return publish_doctree(text, settings_overrides=settings)


def normal(doctree: nodes.document) -> str:
    """`doctree` as text, without what differs between two ways to say the same.

    That are line breaks in prose, comments (which part lists), ids (references are
    shown by the names of their targets), names that docutils makes of titles, and
    whether a term or its description has the term's names.
    """
    explicit = {name for name, kind in doctree.nametypes.items() if kind}
    targets = {doctree.nameids[name]: name for name in explicit}
    copy = doctree.deepcopy()
    reread = bool(doctree.nametypes)
    for node in list(copy.findall(nodes.Element)):
        bare = isinstance(node, nodes.target) and not node["names"]
        if bare or isinstance(node, nodes.comment | nodes.system_message):
            node.parent.remove(node)
        elif reread:
            node["names"] = [name for name in node["names"] if name in explicit]
    for item in copy.findall(nodes.definition_list_item):
        _term_names(item)
    for node in copy.findall(nodes.Element):
        node["names"] = sorted(node["names"])
        for key in ("ids", "dupnames", "backrefs"):
            node[key] = []
        for key in ("source", "title"):
            node.attributes.pop(key, None)
        if reread and "refid" in node:
            node["refid"] = targets[node["refid"]]
    for text in list(copy.findall(nodes.Text)):
        if not isinstance(text.parent, nodes.literal_block):
            text.parent.replace(text, nodes.Text(text.astext().replace("\n", " ")))
    return copy.pformat()


def _term_names(item: nodes.definition_list_item) -> None:
    term, definition = item.children
    assert isinstance(term, nodes.Element)
    assert isinstance(definition, nodes.Element)
    for node in definition.children[:1]:
        assert isinstance(node, nodes.Element)
        term["names"] = [*term["names"], *node["names"]]
        node["names"] = []
        if isinstance(node, nodes.target):
            definition.remove(node)


def check(manual: Manual) -> nodes.document:
    """The document of `manual`: valid, whole, and the same after a way through text."""
    doctree = make_doctree(manual)
    doctree.validate()
    assert list(lost_words(manual, doctree)) == []
    same(doctree)
    return doctree


def same(doctree: nodes.document) -> None:
    """`doctree` as text is read back to the same, and as Markdown it is whole."""
    in_markdown(doctree)
    text = rst(doctree)
    first, second = normal(doctree), normal(reread(text))
    assert first == second, "\n".join(
        difflib.unified_diff(first.splitlines(), second.splitlines(), lineterm="", n=3)
    )


def words_of(text: str) -> list[str]:
    """The words of `text`, with the marks between them."""
    return text.replace("\u200b", " ").split()


def in_markdown(doctree: nodes.document) -> None:
    """`doctree` as Markdown has the same words, as a reader of it finds them."""
    text = markdown(doctree)
    page = LexborHTMLParser(MARKDOWN.render(text))
    found = Counter("".join(words_of(page.root.text() if page.root else "")))
    wanted = Counter("".join(words_of(doctree.astext())))
    assert not wanted - found, text
    blocks = [code.text().rstrip("\n") for code in page.css("pre > code")]
    assert blocks == [block.astext() for block in doctree.findall(nodes.literal_block)], text
    shapes = [len(list(table.findall(nodes.colspec))) for table in doctree.findall(nodes.table)]
    assert [len(table.css("tr:first-child > th")) for table in page.css("table")] == shapes, text
    paragraphs = {"".join(words_of(found.text())) for found in page.css("p, li, th, td, h1")}
    for paragraph in doctree.findall(nodes.paragraph):
        shown = "".join(words_of(paragraph.astext()))
        alone = isinstance(paragraph.parent, nodes.section | nodes.document)
        assert not alone or shown in paragraphs, f"{shown}\n{text}"


MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


# --- small manuals --------------------------------------------------------------------


def manual_of(*body: Flow, preface: tuple[Flow, ...] = (), title: str = "One") -> Manual:
    """A manual with `body` in its only section."""
    section = Section("1", title, "1", 1, body, (), SPAN, SPAN)
    source = read(b"").source
    header = Header()
    return Manual("kettle", source, header, preface, (), None, (section,), None, ())


def paragraph(*content: Inline) -> Paragraph:
    return Paragraph(content, SPAN)


def made_of(*body: Flow) -> nodes.section:
    """The section that `document` makes of `body`; its text form is read back to the same."""
    doctree = make_doctree(manual_of(*body))
    doctree.validate()
    same(doctree)
    return next(doctree.findall(nodes.section))


def shown(node: nodes.Element) -> list[str]:
    """The children of `node` after its title, as short texts."""
    return [f"{child.tagname}: {child.astext()}" for child in node.children[1:]
            if isinstance(child, nodes.Element)]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_fixtures(path: Path) -> None:
    check(manuals(path)[0])


def test_our_own_manual() -> None:
    check(manuals(ROOT / "manuals" / "dconv" / "manual.txt")[0])


def test_the_front() -> None:
    manual = read(
        b"             ------------------\n             Kettle\n             Reference Manual\n"
        b"             ------------------\n             version 1.2\n             2026/01/31\n"
        b"             Some One\n\n\nBefore.\n\nSummary\n-------\n\n1. Heating\n2. Gone\n\n"
        b"1. Heating\n----------\n\nHot.\n\n2. Pouring\n----------\n\nWet.\n"
    )
    doctree = check(manual)
    assert [child.tagname for child in doctree.children if isinstance(child, nodes.Element)] == [
        "title", "subtitle", "docinfo", "paragraph", "topic", "paragraph", "bullet_list",
        "section", "section",
    ]  # fmt: skip
    facts = next(doctree.findall(nodes.docinfo))
    assert [(fact.tagname, fact.astext()) for fact in facts.findall(nodes.TextElement)] == [
        ("version", "1.2"), ("date", "2026/01/31"), ("author", "Some One"),
    ]  # fmt: skip
    assert doctree[6].astext() == "2 Gone"  # what the summary says and no title does


def test_a_title_where_the_text_has_none() -> None:
    assert make_doctree(read(b"Nothing.\n"), "Notes")[0].astext() == "Notes"
    assert make_doctree(read(b"", "empty"))[0].astext() == "empty"
    assert make_doctree(read(b""), " ")["title"] == "kettle"


def test_an_entry() -> None:
    signatures = tuple(
        Signature(text, SPAN, name, anchor=anchor)
        for text, name, anchor in (("lid <n>", "lid", "lid"), ("cap", "cap", "cap"))
    )
    usages = (
        Usage("contexts", (("tcp", "yes"), ("http", "yes")), SPAN),
        Usage("sections", (("defaults", "yes(!)"), ("backend", "no")), SPAN),
        Usage("rule sets", (("TCP RqCon", "X"), ("HTTP Req", "-")), SPAN),
        Usage("default-server", (("Supported", "Yes"),), SPAN),
        Usage("sections", (), SPAN),
    )
    entry = Entry(
        "keyword", "lid", signatures, usages, "", False, False, (paragraph(Text("Closes.")),),
        "lid", SPAN,
    )  # fmt: skip
    after = paragraph(Text("Apart."))
    section = Section("1", "One", "1", 1, (entry, after, after, entry), (), SPAN, SPAN)
    manual = manual_of()
    doctree = make_doctree(
        Manual("kettle", manual.source, manual.header, (), (), None, (section,), None, ())
    )
    doctree.validate()
    first, _ = next(doctree.findall(nodes.section)).findall(nodes.section, include_self=False)
    assert (first["ids"], first["names"]) == (["lid", "cap"], ["lid", "cap"])
    assert shown(first) == [
        "literal_block: lid <n>\ncap",
        "paragraph: May be used in contexts: tcp, http",
        "paragraph: May be used in sections:",
        "table: \n\n\n\ndefaults\n\nbackend\n\nyes(!)\n\nno",
        "paragraph: May be used in rule sets:",
        "table: \n\n\n\nTCP RqCon\n\nHTTP Req\n\nX\n\n-",
        "paragraph: Supported: Yes",
        "paragraph: Closes.",
        "transition: ",
        "paragraph: Apart.",
        "paragraph: Apart.",
    ]


def test_labels_and_notes() -> None:
    text = paragraph(Text("Mind "), Code("x"))
    code = Preformatted(("  a", "", "    b  ", ""), "lua", SPAN)
    section = made_of(
        Labelled("Note", "note", (text,), SPAN), Labelled("Warning", "warning", (), SPAN),
        Labelled("Arguments", "arguments", (text, text), SPAN),
        Labelled("Default", "label", (paragraph(Argument("<n>")),), SPAN),
        Labelled("", "note", (text,), SPAN), SeeAlso("See also", (Text("the lid"),), SPAN),
        Heading((Text("Small"),), "s", SPAN), code, Preformatted(("", " "), "", SPAN),
        Preformatted(("+-+",), "", SPAN),
    )  # fmt: skip
    assert shown(section) == [
        "admonition: Note\n\nMind x",
        "paragraph: Warning:",
        "paragraph: Arguments:",
        "paragraph: Mind x",
        "paragraph: Mind x",
        "paragraph: Default: <n>",
        "paragraph: Mind x",
        "paragraph: See also: the lid",
        "paragraph: Small",
        "literal_block: a\n\n  b",
        "literal_block: +-+",
    ]
    blocks = list(section.findall(nodes.literal_block))
    assert [block["classes"] for block in blocks] == [["code", "lua"], []]


def items(*markers: str) -> tuple[Item, ...]:
    return tuple(Item(marker, (paragraph(Text("Text")),), SPAN) for marker in markers)


@pytest.mark.parametrize(
    ("markers", "expected"),
    [
        (("1.", "2."), {"enumtype": "arabic", "prefix": "", "suffix": "."}),
        (("(3)", "(4)"), {"enumtype": "arabic", "prefix": "(", "suffix": ")", "start": 3}),
        (("a)", "b)"), {"enumtype": "loweralpha", "prefix": "", "suffix": ")"}),
        (("H.", "I.", "J."), {"enumtype": "upperalpha", "prefix": "", "suffix": ".", "start": 8}),
        (("1.", "3."), None),
        (("1.", "2)"), None),
        (("i)", "ii)"), None),
        (("a)", "B)"), None),
        (("9.", "b."), None),
        (("1.1", "1.2"), None),
    ],
)
def test_numbers(markers: tuple[str, ...], expected: dict[str, object] | None) -> None:
    section = made_of(List(True, items(*markers), SPAN), List(True, items(*markers), SPAN))
    listed = next(section.findall(nodes.enumerated_list), None)
    if expected is None:
        assert listed is None
        texts = [node.astext() for node in section.findall(nodes.list_item)]
        assert texts == [f"{marker} Text" for marker in markers] * 2
    else:
        assert listed is not None
        assert {key: listed[key] for key in listed.attributes if key in expected} == expected


def test_definitions() -> None:
    first_term = Term((Text("one : "), Argument("<n>")), "one", "", "k.one", 1)
    two = Term((Code("two::"),), "two", "", "k.two", 1)
    section = made_of(
        Definitions(
            (
                Definition("-", (first_term, two), ":", (), SPAN),
                Definition("b)", (Term((Text("three"),), "three", "", "", 1),), "->",
                           (List(False, items("-"), SPAN),), SPAN),
                Definition("", (), "", (paragraph(Text("x")),), SPAN),
            ), SPAN,
        ), Definitions((Definition("", (), "", (), SPAN),), SPAN),
    )  # fmt: skip
    terms = list(section.findall(nodes.term))
    assert [term.astext() for term in terms] == ["one : <n>, two::", "b) three ->", "…", "…"]
    assert terms[0]["ids"] == ["k-one", "k-two"]


def test_deep_lists_become_paragraphs() -> None:
    term = Term((Text("deep"),), "deep", "", "k.deep", 1)
    inner: Flow = Definitions((Definition("", (term,), "", (paragraph(Text("x")),), SPAN),), SPAN)
    inner = List(False, (Item("*", (inner,), SPAN),), SPAN)
    for _ in range(6):
        inner = List(False, (Item("-", (paragraph(Text("in")), inner), SPAN),), SPAN)
    section = made_of(inner)
    deepest = max(
        sum(isinstance(above, nodes.bullet_list) for above in _above(node))
        for node in section.findall(nodes.paragraph)
    )
    assert deepest == 4
    assert section.astext().endswith("in\n\n- in\n\n- in\n\n* deep\n\nx")


def _above(node: nodes.Node) -> Iterator[nodes.Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def test_deep_sections_stand_beside_each_other() -> None:
    section = Section("", "Deepest", "deepest", 30, (), (), SPAN, SPAN)
    for level in range(29, 0, -1):
        section = Section("", f"T{level}", f"t{level}", level, (), (section,), SPAN, SPAN)
    manual = manual_of()
    doctree = make_doctree(
        Manual("kettle", manual.source, manual.header, (), (), None, (section,), None, ())
    )
    doctree.validate()
    same(doctree)
    assert len(list(doctree.findall(nodes.section))) == 30


def test_tables() -> None:
    def row(*texts: str, anchor: str = "") -> Row:
        cells = tuple(Cell((Text(text),)) for text in texts)
        return Row(cells, SPAN, "b", "alias", anchor)

    wide = Row((Cell((Text("both"),), 2),), SPAN)
    table = Table(
        "grid", (wide,), (row("", "-", anchor="k.b"), row("日本 | +--+", "a " * 60), row("x")), 2,
        (), (), SPAN,
    )  # fmt: skip
    section = made_of(table, Table("grid", (row("a", "b"),), (), 2, (), (), SPAN))
    first, second = section.findall(nodes.table)
    assert [len(list(part.findall(nodes.entry))) for part in (first, second)] == [8, 2]
    assert not list(second.findall(nodes.thead))
    assert [node["ids"] for node in first.findall(nodes.paragraph) if node["ids"]] == [["k-b"]]


def test_a_reference_leads_to_an_image() -> None:
    to_image = Reference("the lamp", "#lamp", 1, 1, (Target("kettle", "a.lamp"),))
    image = Image("a.png", "A", "a.lamp")
    doctree = make_doctree(manual_of(paragraph(image), paragraph(to_image)))
    doctree.validate()
    first, second = list(doctree.findall(nodes.paragraph))[-2:]
    assert [link["refid"] for link in second.findall(nodes.reference)] == first["ids"]


def test_references() -> None:
    def to(*targets: Target) -> Reference:
        return Reference("lid", "lid", 1, 1, targets)

    here, second, lost = Target("kettle", "1"), Target("kettle", "s"), Target("kettle", "gone")
    other, home, none = Target("pot", "a.b"), Target("pot", ""), Target("pan", "x")
    body = (
        paragraph(
            Text('See "'), to(here), Text('", "'), to(here, second, lost), Text('" and '),
            to(lost), Text(" "), to(other), to(home), to(none), Text(" "),
            Reference("1.2", "1.2", 1, 1, (), "section"), to(), Text(", "),
            Reference("a few words", "a few words", 1, 1), Argument("<n>", here),
            Hyperlink("http://x.example/a_", "http://x.example/a_"),
            Hyperlink("CVE-1", "urn:cve"),
        ),
        Heading((Text("Small"),), "s", SPAN),
    )
    doctree = make_doctree(manual_of(*body), "", {"pot": OtherDocument("pot.html", {"a.b": "a-b"})})
    doctree.validate()
    links = [
        (node.astext(), node.get("refid") or node.get("refuri"))
        for node in next(doctree.findall(nodes.section)).findall(nodes.reference)
    ]
    assert links == [
        ("lid", "section-1"), ("lid", "section-1"), ("s", "s"), ("lid", "pot.html#a-b"),
        ("lid", "pot.html"), ("<n>", "section-1"),
        ("http://x.example/a_", "http://x.example/a_"),
    ]  # fmt: skip
    text = doctree.astext()
    assert 'See "lid", "lid" [or: s] and lid' in text
    assert "lid, a few words" in text


def test_ids_are_docutils_own() -> None:
    manual = read(b"1. One\n------\n\n  - %B : big\n  - %b : small\n  - contents : odd\n")
    for identifier in identifiers(manual).values():
        assert nodes.make_id(identifier) == identifier


def test_lost_words_are_told() -> None:
    manual = read(b"One two three.\n\nFour.\n")
    doctree = make_doctree(manual)
    first = doctree[1]
    assert isinstance(first, nodes.paragraph)
    first[0] = nodes.Text("One three.")
    assert [str(finding) for finding in lost_words(manual, doctree)] == [
        "kettle.txt:1:1: error: [lost-text] not in the document: 'two'"
    ]


# --- odd texts ------------------------------------------------------------------------

WORDS = st.lists(st.sampled_from(ODD) | st.text(max_size=4), max_size=7).map("".join).map(
    lambda text: "".join(one for one in text if one.isprintable())
)
INLINES = st.lists(
    st.builds(Text, WORDS)
    | st.builds(Code, WORDS)
    | st.builds(Argument, WORDS, st.none() | st.just(Target("kettle", "1")))
    | st.builds(
        Reference, WORDS, WORDS, st.just(1), st.just(1),
        st.just(()) | st.just((Target("kettle", "1"), Target("kettle", "1"))),
    )
    | st.builds(Hyperlink, WORDS, st.sampled_from(("http://a.example/b_", "https://a.example/*`"))),
    max_size=5,
).map(tuple)  # fmt: skip


@given(INLINES, WORDS)
def test_odd_prose(content: tuple[Inline, ...], title: str) -> None:
    prose = Paragraph(content, SPAN)
    term = Term(content, "x", "", "x.y", 1)
    row = Row((Cell(content), Cell(()), Cell(content)), SPAN)
    doctree = make_doctree(
        manual_of(
            prose, Definitions((Definition("", (term,), "", (prose,), SPAN),), SPAN),
            List(False, (Item("-", (prose, prose), SPAN),), SPAN),
            Labelled(title, "note", (prose,), SPAN), SeeAlso(title, content, SPAN),
            Table("grid", (row,), (row, row), 3, (), (), SPAN), Heading(content, "", SPAN),
            title=title,
        )
    )  # fmt: skip
    doctree.validate()
    same(doctree)


def test_code_with_a_colon_in_a_term_stays_as_it_is() -> None:
    term = Term((Code("* : *"), Text(" : x")), "x", "", "x.y", 1)
    definition = Definition("", (term,), "", (paragraph(Text("y")),), SPAN)
    same(make_doctree(manual_of(Definitions((definition,), SPAN))))


LINES = st.lists(
    st.tuples(
        st.sampled_from(("", "", "  ", "    ", "        ")),
        st.lists(
            st.sampled_from((*ODD, "1. One", "Example :", "Note :", "  ", "-------")), max_size=6
        ).map("".join),
    ).map("".join), max_size=14,
).map("\n".join)  # fmt: skip


@given(LINES)
def test_odd_texts(text: str) -> None:
    check(read(text.encode()))


# --- the real manuals -----------------------------------------------------------------


@pytest.fixture
def _uncollected() -> Iterator[None]:
    """Without the garbage collector, whose passes over docutils' trees take longer than all."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _newest(corpus: Path) -> Path:
    return max(
        (corpus / "haproxy").iterdir(),
        key=lambda path: [int(part) for part in path.name.split(".") if part.isdecimal()],
    )


@pytest.mark.slow
@pytest.mark.usefixtures("_uncollected")
def test_corpus_is_whole(corpus: Path) -> None:
    for release in sorted((corpus / "haproxy").iterdir())[:-1:4]:
        for manual in manuals(release):
            doctree = make_doctree(manual)
            assert list(lost_words(manual, doctree)) == []
            assert len(list(doctree.findall(nodes.literal_block))) > 0


@pytest.mark.slow
@pytest.mark.usefixtures("_uncollected")
def test_corpus_there_and_back(corpus: Path) -> None:
    for manual in manuals(_newest(corpus)):
        check(manual)


def test_a_text_with_markup() -> None:
    made = check(sample_man_page.manual())
    assert [word.astext() for word in made.findall(nodes.strong)] == ["boil", "1:", "tin"]
    assert [word.astext() for word in made.findall(nodes.emphasis)] == ["heat"]
    assert [quote.astext() for quote in made.findall(nodes.block_quote)] == ["Heat rises."]
    # a link to the footnote, and one to an option that the text sets in bold
    links = {link.astext(): link.get("refid") for link in made.findall(nodes.reference)}
    assert links["[1]"] == "note-1"
    assert links["--verbose"] == "option-verbose"
    assert [node.astext() for node in made.findall(nodes.paragraph) if "note-1" in node["ids"]]
    signatures = [
        block.astext() for block in made.findall(nodes.literal_block)
        if "signature" in block["classes"]
    ]
    assert signatures[:2] == ["-v, --verbose", "-h, --heat=<n>\n--no-heat"]
    linked = Reference("x", "x", 1, 1, (Target("kettle", "1"),), "literal")
    other = Reference("y", "y", 1, 1, (), "literal")
    section = made_of(paragraph(Strong((Text("see "), linked)), Text(" or "), other))
    assert [type(part) for part in section.children[1].children] == [
        nodes.Text, nodes.reference, nodes.Text, nodes.literal,
    ]
