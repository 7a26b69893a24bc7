"""Nodes to HTML: what each becomes, and that no text can look like a tag."""

from __future__ import annotations

import re

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from proof_html import blocks, heading, inlines, marked

from dconv.model.tree import (
    Argument,
    Block,
    Cell,
    Code,
    Definition,
    Definitions,
    Entry,
    Example,
    Flow,
    Heading,
    Hyperlink,
    Image,
    Inline,
    Item,
    LabelKind,
    Labelled,
    List,
    Paragraph,
    Preformatted,
    Reference,
    Row,
    Section,
    SeeAlso,
    Signature,
    Span,
    Table,
    TableLayout,
    TableRole,
    Target,
    Term,
    Text,
    Usage,
)
from dconv.writers.html.marks import mark_source

SPAN = Span(1, 1)
HOSTILE = "<script>alert('x')</script> & \"<a href=\"dconv:a#b\"\" --><!--/text-->"
# a start tag
TAG = re.compile(r"<[a-z][^>]*>")


def paragraph(*content: Inline | str) -> Paragraph:
    return Paragraph(tuple(Text(part) if isinstance(part, str) else part for part in content), SPAN)


def section(*body: Block, number: str = "1", title: str = "First") -> Section:
    return Section(number, title, number or "first", 1, body, (), SPAN, Span(1, 9))


def signature(text: str, name: str, anchor: str, kind: str = "") -> Signature:
    return Signature(text, Span(7, 7), name, kind, anchor=anchor)


def entry(*body: Flow, usages: tuple[Usage, ...] = (), deprecated: bool = False) -> Entry:
    signatures = (
        signature("wait <time> [ if { a | b } ]", "wait", "wait"),
        signature("wait-for <name>", "wait-for", "wait-for"),
    )
    return Entry(
        "keyword", "wait", signatures, usages, "", deprecated, False, body, "wait", Span(7, 9)
    )


def errors(fragment: str) -> list[str]:
    """What a strict parser says of `fragment`."""
    parser = html5lib.HTMLParser()
    parser.parseFragment(fragment)
    return [str(error) for error in parser.errors]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([Text("a < b & c")], "a &lt; b &amp; c"),
        ([Argument("<time>")], "<var>&lt;time&gt;</var>"),
        ([Code("x<y")], "<code>x&lt;y</code>"),
        ([Reference("no-link", "no-link", 1, 1)], "<code>no-link</code>"),
        ([Reference("Two words", "Two words", 1, 1)], "Two words"),
        ([Reference("many words of prose-text", "x", 1, 1)], "many words of prose-text"),
        (
            [Reference("wait", "wait", 1, 1, (Target("manual", "wait"),))],
            '<a href="dconv:manual#wait">wait</a>',
        ),
        (
            [Hyperlink("https://a.example/?a=1&b", "https://a.example/?a=1&b")],
            '<a href="https://a.example/?a=1&amp;b" rel="external">https://a.example/?a=1&amp;b</a>',
        ),
        ([Hyperlink("here", "javascript:alert(1)")], "here"),
        (
            [Hyperlink("lamp", "https://a.example/", image=Image("lamp.png", "lamp"))],
            '<a href="https://a.example/" rel="external"><img src="lamp.png" alt="lamp"></a>',
        ),
        (
            [Reference("lid", "#m", 1, 1, (Target("m", "lid"),), image=Image("gone.png", "lid"))],
            '<a href="dconv:m#lid">lid</a>',
        ),
        ([Image("lamp.png", "lamp", "a")], '<img src="lamp.png" alt="lamp" id="a">'),
        ([Image("gone.png", "lid", "b")], '<span id="b">lid</span>'),
    ],
)
def test_inline(content: list[Inline], expected: str) -> None:
    assert inlines(content) == expected


def test_an_ambiguous_name_links_to_all_its_places() -> None:
    targets = (Target("m", "wait"), Target("m", "bind-option.wait"))
    labels = (("keyword", "4. Keywords"), ("bind option", '5. "Bind" options'))
    shown = inlines([Reference("wait", "wait", 1, 1, targets, target_labels=labels), Text('"')])
    assert shown == (
        '<code>wait</code>"<span data-added class="targets"> ('
        '<a href="dconv:m#wait" title="4. Keywords">keyword</a>, '
        '<a href="dconv:m#bind-option.wait" title="5. &quot;Bind&quot; options">bind option</a>)'
        "</span>"
    )
    alone = inlines([Reference("wait", "wait", 1, 1, targets), Text(" then")])
    assert alone.startswith('<code>wait</code><span data-added class="targets"> (')
    assert alone.endswith("</a>)</span> then")
    assert inlines([Reference("wait", "wait", 1, 1, targets)]).endswith("</a>)</span>")


def test_a_heading_is_its_own_link() -> None:
    assert heading(section(number="4.2", title="A & B"), 3) == (
        '<h3 id="4.2" class="section"><a href="#4.2">'
        '<span class="number">4.2</span> A &amp; B</a></h3>\n'
    )


def test_text_is_marked_for_the_proof() -> None:
    shown = marked(mark_source(Span(3, 8), "<p>a</p>\n"))
    assert shown == "<!--text 3-8-->\n<p>a</p>\n<!--/text-->\n"


def test_a_long_first_paragraph_stands_below_the_card() -> None:
    for count, first in ((1, "lead"), (30, "lead"), (90, "card")):
        shown = blocks([entry(paragraph("Words. " * count), paragraph("More."))])
        assert (shown.index("Words.") < shown.index('class="card"')) == (first == "lead")


def test_an_entry_leads_with_its_first_paragraph_and_a_card() -> None:
    usages = (
        Usage("sections", (("defaults", "yes(!)"), ("backend", "no"), ("listen", "yes")),
              Span(8, 9)),
        Usage("contexts", (("tcp", "yes"),), SPAN),
        Usage("rule sets", (("TCP Req", "X"), ("TCP Res", "-"), ("HTTP Req", "?")), SPAN),
        Usage("default-server", (("Supported in default-server", "No"),), SPAN),
    )
    shown = blocks([entry(paragraph("Waits."), paragraph("More."), usages=usages)])
    assert shown.startswith('<section id="wait" class="entry">')
    assert shown.index("Waits.") < shown.index('class="card"') < shown.index("More.")
    assert '<p class="lead">Waits.</p>' in shown
    assert "<b>wait</b> <var>&lt;time&gt;</var> <i>[ if <em>{</em> a <em>|</em> b" in shown
    assert '</code><br><code id="wait-for" class="signature" data-lines="+0">' in shown
    assert 'data-lines="+1-2"' in shown
    assert '<span class="no">backend <span class="hidden">no</span></span>' in shown
    assert '<span class="hidden">yes(!)</span> <small data-added>named</small>' in shown
    assert '<span class="yes X">TCP Req</span>' in shown
    assert '<span class="no -">TCP Res <span class="hidden" data-added>no</span></span>' in shown
    assert '<span class="stated">HTTP Req ?</span>' in shown
    assert "tcp</dd>" in shown
    assert errors(shown) == []


def test_a_first_paragraph_that_announces_the_next_block_stays_above_it() -> None:
    items = List(False, (Item("-", (paragraph("one"),), SPAN),), SPAN)
    shown = blocks([entry(paragraph("It waits for:"), items)])
    assert shown.index('class="card"') < shown.index("<p>It waits for:</p>\n<ul>")
    assert '<p class="lead">It waits for:</p>' in blocks([entry(paragraph("It waits for:"))])
    shown = blocks([entry(paragraph("It is the same as"), Preformatted(("wait 0",), "", SPAN))])
    assert shown.index('class="card"') < shown.index("<p>It is the same as</p>\n<pre")


def test_names_in_signatures_are_bold() -> None:
    rows = ("option calm", "no option calm", "option calm <way>")
    named = Entry(
        "option", "option calm", tuple([signature(row, "option calm", "calm") for row in rows]),
        (Usage("contexts", (("tcp", "yes"),), SPAN),), "", False, False, (), "calm", SPAN,
    )
    shown = blocks([named])
    assert re.search('<code class="signature bare"[^>]*>option calm</code>', shown)
    assert '">no <b>option calm</b></code>' in shown
    assert '"><b>option calm</b> <var>' in shown


def test_an_entry_shows_types_and_badges() -> None:
    sample = Entry(
        "sample", "now", (signature("now : integer", "now", "now", "integer"),), (), "", True,
        True, (), "now", SPAN,
    )
    shown = blocks([sample])
    assert "<dt data-added>Type</dt><dd data-added>integer</dd>" in shown
    assert '<span class="badge deprecated">' in shown
    assert '<span class="badge experimental">' in shown


def test_a_long_first_paragraph_is_not_set_larger() -> None:
    assert '<p class="lead long">' in blocks([entry(paragraph("word " * 100))])


@pytest.mark.parametrize(
    ("markers", "expected"),
    [
        (("1.", "3."), '<ol>\n<li value="1">x</li>\n<li value="3">x</li>\n</ol>\n'),
        (("a)", "c)"), '<ol type="a">\n<li value="1">x</li>\n<li value="3">x</li>\n</ol>\n'),
        (("B.",), '<ol type="A">\n<li value="2">x</li>\n</ol>\n'),
        (
            ("iv.",),
            '<ol class="marked">\n<li><span class="marker">iv.</span> x</li>\n</ol>\n',
        ),
    ],
)
def test_numbers_of_lists_are_kept(markers: tuple[str, ...], expected: str) -> None:
    items = tuple(Item(marker, (paragraph("x"),), SPAN) for marker in markers)
    assert blocks([List(True, items, SPAN)]) == expected


def test_bullets_and_bodies_of_several_blocks() -> None:
    items = (Item("-", (paragraph("x"), paragraph("y")), SPAN), Item("-", (), SPAN))
    shown = blocks([List(False, items, SPAN)])
    assert shown == "<ul>\n<li>\n<p>x</p>\n<p>y</p>\n</li>\n<li></li>\n</ul>\n"


def test_definitions_link_to_themselves() -> None:
    linked = Reference("wait", "wait", 1, 1, (Target("m", "wait"),))
    terms = (
        Term((Argument("<a>"),), "a", "", "wait.a", 1),
        Term((linked,), "wait", "", "wait.wait", 2),
        Term((Text("bare"),), "bare", "", "", 3),
    )
    items = (Definition("1.", terms, "->", (paragraph("x"),), SPAN),)
    shown = blocks([Definitions(items, SPAN)])
    link = '<a href="#wait.a">'
    assert f'<dt id="wait.a"><span class="marker">1.</span> {link}' in shown
    assert '<a href="dconv:m#wait">wait</a><a href="#wait.wait" class="self" data-added' in shown
    assert '<dt>bare <span class="separator">-&gt;</span></dt>\n<dd>x</dd>' in shown
    assert errors(shown) == []


def test_a_colon_between_term_and_text_is_decoration() -> None:
    term = Term((Text("off"),), "off", "", "", 1)
    shown = blocks([Definitions((Definition("-", (term,), ":", (), SPAN),), SPAN)])
    assert shown == "<dl>\n<dt>off</dt>\n<dd></dd>\n</dl>\n"


def test_a_matrix_is_a_table_with_heads() -> None:
    head = Row((Cell((Text(""),)), Cell((Text("both"),), 2)), SPAN)
    row = Row((Cell((Text("wait"),)), Cell((Text("X"),)), Cell((Text("-"),))), SPAN, anchor="r")
    shown = blocks([Table("ruled", (head,), (row,), 3, (), (), SPAN, "matrix")])
    assert '<tr><td></td><th scope="colgroup" colspan="2">both</th></tr>' in shown
    assert (
        '<tr id="r"><th scope="row">wait</th><td class="yes">X</td><td class="no">-</td></tr>'
        in shown
    )
    assert 'tabindex' not in shown  # a head stays in sight only where no box scrolls
    assert errors(shown) == []


@pytest.mark.parametrize(("layout", "role"), [
    ("ruled", "summary"), ("grid", "data"), ("pipes", "data"), ("ruled", "data"),
    ("columns", "data"),
])  # fmt: skip
def test_other_tables_have_plain_cells(layout: TableLayout, role: TableRole) -> None:
    rows = (Row((Cell((Text("X"),)), Cell((Text("-"),))), SPAN),)
    shown = blocks([Table(layout, (), rows, 2, (), (), SPAN, role)])
    assert f'<table class="{layout if role == "data" else role}">' in shown
    assert "<thead>" not in shown
    assert "<td>X</td><td>-</td>" in shown


def test_the_name_that_a_row_defines_is_its_head() -> None:
    cells = (Cell((Text("H"),)), Cell((Text("%ci"),)), Cell((Text("client address, not ci"),)))
    row = Row(cells, SPAN, name="ci", kind="alias", anchor="alias.ci")
    shown = blocks([Table("grid", (), (row,), 3, (), (), SPAN)])
    assert '<td>H</td><th scope="row">%ci</th><td>client address, not ci</td>' in shown
    assert errors(shown) == []


def test_a_session_tells_prompt_from_output() -> None:
    lines = ("$ ask \\", "  more", "an answer", "", ">>> a mark", "# a column", "> help")
    shown = blocks([Preformatted(lines, "console", SPAN)])
    assert shown == (
        '<pre tabindex="0" class="language-console">'
        '<span class="prompt">$ </span>ask \\\n  more\n'
        '<span class="output">an answer</span>\n\n'
        '<span class="output">&gt;&gt;&gt; a mark</span>\n'
        '<span class="output"># a column</span>\n<span class="prompt">&gt; </span>help</pre>\n'
    )
    shown = blocks([Preformatted(("# root",), "console", SPAN)])
    assert '<span class="prompt"># </span>root' in shown


@pytest.mark.parametrize(
    "prompt", ["&gt; ", "master&gt; ", "[0:00:00:50] master&gt; ", "[23:03:39]&gt; "]
)
def test_prompts_of_programs(prompt: str) -> None:
    line = prompt.replace("&gt;", ">") + "help"
    shown = blocks([Preformatted((line, "an answer"), "console", SPAN)])
    assert f'<span class="prompt">{prompt}</span>help' in shown
    assert '<span class="output">an answer</span>' in shown


COMMANDS = {
    "a quote goes on below": (("$ ask 'one", "two' | more", "three"), 2),
    "and with a backslash": (('$ ask "one;', '  two" | \\', "  more", "three"), 3),
    "a quote that nothing ends is one line": (("$ ask it's", "one", "$ ask"), 1),
    "nor one that is ended too late": (("$ ask it's", "1", "2", "3", "4's"), 1),
    "quotes in quotes": (("""$ ask "it's" '"' \\" """, "one"), 1),
    "only shells have quotes": (("> ask it's", "it's"), 1),
    "a user's prompt may be set in": (("  $ ask", "  # one", "  $ more"), 1),
    "a backslash at the end": (("$ ask \\",), 1),
}


@pytest.mark.parametrize("case", COMMANDS)
def test_commands_of_several_lines(case: str) -> None:
    lines, end = COMMANDS[case]
    rows = blocks([Preformatted(lines, "console", SPAN)]).split("\n")
    assert not any('class="output"' in row for row in rows[:end])
    assert len(lines) == end or 'class="output"' in rows[end]


def test_commands_without_a_prompt_are_no_output() -> None:
    shown = blocks([Preformatted(("make all", "make install"), "console", SPAN)])
    assert shown == '<pre tabindex="0" class="language-console">make all\nmake install</pre>\n'


@pytest.mark.parametrize(
    ("width", "classes"),
    [(60, "drawing c60"), (61, "drawing c80"), (132, "drawing c132"), (133, "drawing")],
)
def test_drawings_tell_their_width(width: int, classes: str) -> None:
    assert f'class="{classes}"' in blocks([Preformatted(("-" * width, "| x"), "", SPAN)])


@pytest.mark.parametrize("lines", [
    ("lamp --grow --size 4 --at /dev/desk \\", "  --shade green"),
    ("NAME    SIZE  STATE", "lamp0   4     on", "lamp1   12    off -- broken", "a|b     c     d"),
    ("a single line", "-----"),
])
def test_text_that_is_not_drawn_may_be_wrapped(lines: tuple[str, ...]) -> None:
    shown = blocks([Preformatted(lines, "", SPAN)])
    assert shown.startswith('<pre tabindex="0" class="language-text">')


def test_a_first_blank_line_of_code_is_kept() -> None:
    shown = blocks([Preformatted(("", "x"), "haproxy", SPAN)])
    assert shown == '<pre tabindex="0" class="language-haproxy">\n\nx</pre>\n'


@pytest.mark.parametrize("kind", ["note", "warning"])
def test_notes(kind: LabelKind) -> None:
    shown = blocks([Labelled("Note", kind, (paragraph("a"), paragraph("b")), SPAN)])
    assert shown == (
        f'<aside class="{kind}" role="note">\n<p><b>Note</b> a</p>\n<p>b</p>\n</aside>\n'
    )
    assert "<p><b>Note</b></p>" in blocks([Labelled("Note", kind, (), SPAN)])


def test_labels() -> None:
    short = Labelled("Arguments", "arguments", (paragraph("none"),), SPAN)
    long = Labelled("Arguments", "arguments", (paragraph("x" * 90),), SPAN)
    assert blocks([short]) == '<p class="labelled"><b>Arguments</b> none</p>\n'
    assert blocks([long]).startswith('<h2 class="label">Arguments</h2>')
    assert '<h3 class="label">' in blocks([entry(long)])
    assert '<p class="label">' in blocks([List(False, (Item("-", (long, short), SPAN),), SPAN)])


def test_small_titles_examples_and_see_also() -> None:
    shown = blocks(
        [
            Heading((Text("Small"),), "small", SPAN),
            Example(
                "Example", (Text("a caption"),), (Preformatted(("x",), "haproxy", SPAN),), SPAN
            ),
            Example("Example", (), (), SPAN),
            SeeAlso("See also", (Text("that"),), SPAN),
        ]
    )
    assert '<h2 id="small" class="title"><a href="#small">Small</a></h2>' in shown
    assert "<figcaption><b>Example</b> a caption</figcaption>" in shown
    assert "<figcaption><b>Example</b></figcaption>" in shown
    assert '<p class="see-also"><b>See also</b> that</p>' in shown
    assert errors(shown) == []


def every_node(words: str) -> tuple[Block, ...]:
    """One of each kind of node with `words` wherever words may appear."""
    content: tuple[Inline, ...] = (
        Text(words), Code(words), Argument(words), Reference(words, words, 1, 1),
        Hyperlink(words, "https://a.example/" + words),
    )
    text = Paragraph(content, SPAN)
    term = Term(content, words, "", "", 1)
    row = Row((Cell(content), Cell(content)), SPAN)
    flow: tuple[Flow, ...] = (
        text, Preformatted((words,), "", SPAN), Preformatted((words,), "console", SPAN),
        Preformatted((words,), words, SPAN), Example(words, content, (text,), SPAN),
        List(True, (Item(words, (text,), SPAN),), SPAN),
        Definitions((Definition("", (term,), words, (text,), SPAN),), SPAN),
        Table("ruled", (row,), (row,), 2, (), (), SPAN, "matrix"),
        Labelled(words, "note", (text,), SPAN),
        Labelled(words, "label", (text, text), SPAN), SeeAlso(words, content, SPAN),
        Heading(content, "", SPAN),
    )
    usage = Usage("sections", ((words, words),), SPAN)
    signatures = (Signature(words, SPAN, words, words, anchor="a"),)
    return (
        *flow,
        Entry("keyword", words, signatures, (usage,), words, True, True, flow, "a", SPAN),
    )


def test_hostile_text_stays_text() -> None:
    shown = blocks(every_node(HOSTILE)) + heading(section(title=HOSTILE, number=HOSTILE), 1)
    assert "<script" not in shown
    assert "<!--" not in shown
    assert 'href="dconv:a#b' not in "".join(TAG.findall(shown))
    assert errors(shown) == []


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co")), max_size=40))
def test_any_text_makes_valid_html(words: str) -> None:
    assert errors(blocks(every_node(words))) == []
