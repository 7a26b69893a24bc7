"""The proof is not a rubber stamp: whatever happens to a page's text, it is found and named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from proof_html import without_marks
from release_pages import release_pages

from dconv.build.read import read_manual, release_document
from dconv.model.origin import Origin
from dconv.model.tree import (
    Block,
    Entry,
    Labelled,
    Manual,
    Paragraph,
    Span,
    Table,
    Text,
    Usage,
    plain_text,
)
from dconv.proof.coverage import Proof, check_single_page, format_ranges, prove_tree, verify
from dconv.settings.manual import load_product
from dconv.sources.texts import SourceText
from dconv.writers.html import marks
from dconv.writers.pages.page import Release, SiteInfo
from dconv.writers.theme import theme

SPEC = Path(__file__).parents[1] / "spec"
TEXT = """\
                 ----------------
                      Relay
                 Reference Manual
                 ----------------
                   version 2.1
                   Ada Example
                    2026/01/31

A preface of seven words stands here.

Summary
-------

1.    Basics
2.    Directives


1. Basics
---------

A remarkable text tells about one bird
and two trees.  It uses `code` and "names".

Then comes another paragraph.

  Size  | Meaning
  ------+--------------
  small | fits anywhere
  large | fits nowhere

- an item of a list
- "term" : its description


2. Directives
-------------

speed <limit> [ <burst> ]
no speed
  Sets the speed of the whole thing.

  May be used in sections :   defaults | frontend
                                 yes   |    no

  Usable in:  TCP Con| Ses|    HTTP Req
                    X  |  - |         X

  Arguments :
    <limit>  is the limit, in things
             per second.

  Example : ten
      speed 10
      no speed

  See also : "basics"

/*
 * Local variables:
 * End:
 */
"""

Pages = list[str]
Change = Callable[[str], str]


SITE_INFO = SiteInfo("Manuals", "dconv")


@cache
def release() -> Release:
    """The release that has the manual alone."""
    product = load_product(SPEC)
    manual = read_manual(TEXT.encode(), "manual.txt", product, "manual")
    text = SourceText(
        TEXT.encode(), "manual.txt", product, product.documents[0], Origin("here")
    )
    return Release("relay", "Relay", "2.1", (release_document(text, manual),))


@cache
def rendered() -> tuple[Manual, tuple[str, ...], str]:
    """The manual, its pages in order, and the page that holds all of it, with their marks."""
    default_theme = theme.load("default")
    files = [
        (page.kind, marks.with_marks(default_theme.render(page)))
        for page in release_pages(release(), SITE_INFO)
    ]
    pages = tuple(page for kind, page in files if kind in ("manual", "section"))
    [single_page] = [page for kind, page in files if kind == "single-page"]
    return release().documents[0].manual, pages, single_page


def proof(pages: Iterable[str]) -> Proof:
    """The proof of the manual with `pages`."""
    return verify(rendered()[0], "2.1", pages)


def changed(change: Change) -> list[tuple[int, str]]:
    """Line and message of what is found where one page's text is changed; one must change."""
    _, pages, _ = rendered()
    changed_pages = [inside(page, change) for page in pages]
    assert sum(new != old for new, old in zip(changed_pages, pages, strict=True)) == 1
    return [(loss.line, loss.message) for loss in proof(changed_pages).losses]


def inside(page: str, change: Change) -> str:
    """The page with its main part changed; its head repeats words of the text."""
    head, mark, text = page.partition("<main")
    return head + mark + change(text)


def swap(old: str, new: str) -> Change:
    """A change of one text in a page."""
    return lambda page: page.replace(old, new, 1)


def drop(pattern: str) -> Change:
    """A change that drops the first match of a pattern."""
    return lambda page: re.sub(pattern, "", page, count=1, flags=re.DOTALL)


def line(start: str, place: int = 1) -> int:
    """The number of the line that is the `place`-th to start with `start`, blanks apart."""
    rows = [*enumerate(TEXT.split("\n"), 1)]
    return [number for number, text in rows if text.strip().startswith(start)][place - 1]


def test_good_pages_prove_all_lines() -> None:
    result = proof(rendered()[1])
    assert result.losses == ()
    total = TEXT.count("\n")
    assert (result.line_count, result.accounted) == (total, total)
    assert str(result) == f"manual 2.1: {total} lines in, {total} accounted for"
    assert {rule for rule, _ in result.dropped} >= {"underline", "bullet", "editor's footer"}


@pytest.mark.parametrize(
    ("change", "start", "message"),
    [
        (swap("remarkable ", ""), "A remarkable", "source 'remarkable', page ''"),
        (swap("bird", "bird bird"), "A remarkable", "source '', page 'bird'"),
        (swap("remarkable text", "text remarkable"), "A remarkable", "page 'text'"),
        (swap("two trees", "twotrees"), "and two trees", "source 'two trees.', page 'twotrees.'"),
        (swap("remarkable", "remark able"), "A remarkable", "page 'remark able'"),
        (swap("remarkable", "remarkabel"), "A remarkable", "page 'remarkabel'"),
        (swap("remarkable", "Remarkable"), "A remarkable", "page 'Remarkable'"),
        (swap("remarkable", "<em data-added>remarkable</em>"), "A remarkable", "page ''"),
        (swap("remarkable", "<!-- remarkable -->"), "A remarkable", "page '<!--'"),
        (swap("seven words", "words"), "A preface", "source 'seven', page ''"),
        (swap("speed 10", "speed 100"), "speed 10", "source 'speed 10', page 'speed 100'"),
        (swap(">basics<", "><"), "See also", "basics"),
        (swap(">1</span> Basics</a></h1>", ">1</span> Basic</a></h1>"), "1. Basics", "'Basics'"),
        (swap("item of a list", "item of list"), "- an item", "source 'a', page ''"),
        (swap("its description", ""), '- "term"', "its description"),
        (drop(r"<figcaption>.*?</figcaption>"), "Example", "'Example ten'"),
        (swap("in things", "in\N{NO-BREAK SPACE}things"), "", ""),
        (swap("one bird", "one&nbsp;bird"), "", ""),
        (swap("one bird", "one<b> </b>bird"), "", ""),
    ],
)
def test_changed_words_are_found(change: Change, start: str, message: str) -> None:
    """White space may change; a word that is lost, added, moved, cut or joined is found."""
    losses = changed(change)
    if not start:
        assert losses == []
        return
    assert losses
    assert {number for number, _ in losses} == {line(start)}
    assert any(message in text for _, text in losses)


def test_a_word_that_moves_to_another_line_is_found_at_both() -> None:
    losses = changed(lambda page: page.replace("remarkable ", "", 1).replace(
        "and two", "and remarkable two", 1))
    assert [number for number, _ in losses] == [line("A remarkable"), line("and two trees")]


@pytest.mark.parametrize(
    ("change", "start"),
    [
        (drop(r"<td>fits nowhere</td>"), "large"),
        (swap("<td>fits anywhere</td>", "<td>fits anywhere</td><td>or not</td>"), "small"),
        (swap("fits anywhere</td>", "fits nowhere</td>"), "small"),
        (swap("&lt;burst&gt;", "&lt;bursts&gt;"), "speed <limit> ["),
        (swap(">no <b>speed<", "><b>speed<"), "no speed"),
        (drop(r"<span[^>]*>TCP Ses.*?</span></span>"), "Usable in"),
        (drop(r"<span[^>]*>\s*frontend.*?</span></span>"), "May be used"),
        (swap('class="yes">defaults', 'class="no -">defaults'), "yes   |"),
        (swap('class="yes">defaults', 'class="yes X">defaults'), "yes   |"),
        (drop(r"<li><a href=\"2.html\".*?</li>"), "2.    Directives"),
        (swap("Ada Example", "Ada"), "Ada Example"),
        (swap("2026/01/31", "2026/01/30"), "2026/01/31"),
    ],
)
def test_changed_data_are_found(change: Change, start: str) -> None:
    """Cells of a table and data are told by the lines that they are from."""
    assert {number for number, _ in changed(change)} == {line(start)}


def test_text_that_no_line_says_is_found() -> None:
    losses = changed(
        lambda page: page.replace("<!--/text-->", "<p>Surprise.</p><!--/text-->", 1)
        if "remarkable" in page else page
    )
    assert losses == [(line('- "term"'), "source '', page 'Surprise.'")]


def test_a_page_that_is_missing_is_found() -> None:
    manual, pages, _ = rendered()
    losses = proof([page for page in pages if "remarkable" not in page]).losses
    assert {loss.message for loss in losses} == {"on no page"}
    wanted = {
        row.number for row in manual.source.lines
        if row.text and line("1. Basics") <= row.number < line("2. Directives")
    }
    assert {loss.line for loss in losses} == wanted


def test_a_page_that_comes_twice_is_found() -> None:
    pages = rendered()[1]
    losses = proof([*pages, pages[-1]]).losses
    assert "on a page twice" in {loss.message for loss in losses}
    assert {loss.line for loss in losses} >= {line("speed <limit> ["), line("See also")}


def test_no_pages_at_all() -> None:
    manual = rendered()[0]
    result = proof([])
    wanted = {row.number for row in manual.source.lines if row.text}
    decoration = {1, 4, line("Summary") + 1, *range(line("/*"), line("/*") + 4)}
    assert wanted - set(result.lost_lines) == decoration


def test_lost_lines_are_counted_once() -> None:
    def change(text: str) -> str:
        return text.replace("remarkable", "", 1).replace("bird", "", 1)

    result = proof([inside(page, change) for page in rendered()[1]])
    assert len(result.losses) == 2
    assert result.accounted == result.line_count - 1


def test_the_page_with_all_holds_the_text_of_the_pages() -> None:
    _, pages, single_page = rendered()
    good = proof(pages)
    assert check_single_page(good, rendered()[0].source, single_page, pages) is good
    referenced = [
        re.sub(r"(?<=&lt;)\w", lambda match: f"&#{ord(match[0])};", page) for page in pages
    ]
    assert referenced != list(pages)
    assert check_single_page(good, rendered()[0].source, single_page, referenced) is good


def test_a_line_in_no_block_is_found() -> None:
    manual = rendered()[0]
    basics = manual.sections[0]
    broken = replace(manual, sections=(replace(basics, body=basics.body[1:]), *manual.sections[1:]))
    assert [(loss.line, loss.message) for loss in prove_tree(broken).losses] == [
        (line("A remarkable"), "not in the tree: 'A remarkable text tells about one bird'"),
        (line("and two trees"), "not in the tree: 'and two trees. It uses code and \"names\".'"),
    ]


def with_body(place: int, change: Callable[[tuple[Block, ...]], tuple[Block, ...]]) -> Manual:
    """The manual with the body of its section at `place` changed."""
    manual = rendered()[0]
    sections = [*manual.sections]
    sections[place] = replace(sections[place], body=change(sections[place].body))
    return replace(manual, sections=tuple(sections))


def entry(change: Callable[[Entry], Entry]) -> Manual:
    """The manual with its entry changed."""
    def changed_body(body: tuple[Block, ...]) -> tuple[Block, ...]:
        assert isinstance(body[0], Entry)
        return (change(body[0]), *body[1:])

    return with_body(1, changed_body)


def table(change: Callable[[Table], Table]) -> Manual:
    """The manual with its table changed."""
    return with_body(
        0, lambda body: tuple(change(node) if isinstance(node, Table) else node for node in body)
    )


def of_usage(place: int, change: Callable[[Usage], Usage]) -> Manual:
    """The manual with the usage at `place` changed."""
    def changed_entry(block: Entry) -> Entry:
        usages = [*block.usages]
        usages[place] = change(usages[place])
        return replace(block, usages=tuple(usages))

    return entry(changed_entry)


def reversed_cells(block: Table) -> Table:
    """The table with the cells of its first row in the wrong order."""
    first, *rest = block.rows
    return replace(block, rows=(replace(first, cells=first.cells[::-1]), *rest))


def moved_state(usage: Usage) -> Usage:
    """The usage with its states one place to the left."""
    names, states = [name for name, _ in usage.values], [state for _, state in usage.values]
    return replace(usage, values=tuple(zip(names, [*states[1:], states[0]], strict=True)))


def moved_word(body: tuple[Block, ...]) -> tuple[Block, ...]:
    """The body with the last word of its first paragraph in the one that follows."""
    first, second, *rest = body
    assert isinstance(first, Paragraph)
    assert isinstance(second, Paragraph)
    text, _, word = plain_text(first.content).rpartition(" ")
    return (
        replace(first, content=(Text(text),)),
        replace(second, content=(Text(f"{word} {plain_text(second.content)}"),)), *rest,
    )


def swapped_letter(block: Entry) -> Entry:
    """The entry with another letter in its first signature."""
    first, *rest = block.signatures
    changed = replace(first, text=first.text.replace("limit", "limet"))
    return replace(block, signatures=(changed, *rest))


def without_argument(block: Entry) -> Entry:
    """The entry without what its arguments are."""
    return replace(
        block, body=tuple(
            replace(node, body=()) if isinstance(node, Labelled) else node for node in block.body
        )
    )


def retitled(manual: Manual) -> Manual:
    """The manual with another title of a section."""
    first, *rest = manual.sections
    return replace(manual, sections=(replace(first, title="Basic"), *rest))


@pytest.mark.parametrize(
    ("broken", "starts"),
    [
        (lambda: table(reversed_cells), ["small"]),
        (lambda: table(lambda node: replace(node, rows=(*node.rows, node.rows[-1]))), ["large"]),
        (lambda: table(lambda node: replace(node, rows=node.rows[:1])), ["large"]),
        (lambda: table(lambda node: replace(node, rows=node.rows[::-1])), ["small"]),
        (lambda: table(lambda node: replace(node, head=())), ["Size"]),
        (lambda: of_usage(0, moved_state), ["yes   |"]),
        (lambda: of_usage(1, moved_state), ["X  |"]),
        (lambda: of_usage(1, lambda node: replace(node, values=node.values[:-1])),
         ["Usable", "X  |"]),
        (lambda: entry(swapped_letter), ["speed <limit> ["]),
        (lambda: entry(lambda node: replace(node, signatures=node.signatures[:1])), ["no speed"]),
        (lambda: entry(lambda node: replace(node, usages=node.usages[::-1])),
         ["May be used", "yes   |"]),
        (lambda: entry(without_argument), ["<limit>  is", "per second"]),
        (lambda: entry(lambda node: replace(node, body=node.body[:-1])), ["See also"]),
        (lambda: retitled(rendered()[0]), ["1. Basics"]),
        (lambda: with_body(0, moved_word), ["and two trees", "Then comes"]),
        (lambda: with_body(0, lambda body: (body[1], body[0], *body[2:])),
         ["A remarkable", "and two trees"]),
        (lambda: with_body(0, lambda body: body[1:]), ["A remarkable", "and two trees"]),
    ],
)  # fmt: skip
def test_changed_trees_are_found(broken: Callable[[], Manual], starts: list[str]) -> None:
    """The proof of the tree names the lines of what was changed."""
    assert prove_tree(rendered()[0]).losses == ()
    result = prove_tree(broken())
    assert result.losses
    assert set(result.lost_lines) <= {line(start) for start in starts}
    assert result.accounted == result.line_count - len(result.lost_lines)


@pytest.mark.parametrize(
    ("change", "starts"),
    [
        (lambda page: page.replace("speed 10\nno speed", "speed 10 no speed", 1), ["speed 10"]),
        (lambda page: page.replace("<td>small</td><td>fits anywhere</td>",
                                   "<td>fits anywhere</td><td>small</td>"), ["small"]),
        (lambda page: page.replace("<td>small</td>", "<td></td><td>small</td>"), ["small"]),
        (lambda page: page.replace("trees", "trees</p>\n<p>"), ["and two trees"]),
        (lambda page: re.sub(r"(<p>A remarkable.*?</p>)\s*(<p>Then comes.*?</p>)", r"\2\1", page,
                             flags=re.DOTALL), ["1. Basics", "Then comes"]),
        (lambda page: re.sub(r"(<tr><td>small.*?</tr>)", r"\1\1", page), ["small"]),
        (lambda page: re.sub(r"(<li>an item.*?</li>)", r"\1\1", page), ["- an item"]),
        (lambda page: re.sub(r"(<code[^>]*data-lines.*?</code>)", r"\1\1", page, count=1),
         ["speed <limit> ["]),
        (lambda page: re.sub(r"(<code[^>]*data-lines.*?</code>)(<br>)(<code.*?</code>)",
                             r"\3\2\1", page, count=1), ["speed <limit> ["]),
    ],
)  # fmt: skip
def test_changed_structure_is_found(change: Change, starts: list[str]) -> None:
    """Elements that are moved, repeated, joined or divided, though each word is there."""
    line_numbers = {number for number, _ in changed(change)}
    assert line_numbers
    assert line_numbers <= {line(start) for start in starts} | {line("no speed", 2)}


def test_lines_of_a_long_difference_are_all_lost() -> None:
    """One difference is one finding, however many lines it takes."""
    result = proof([inside(page, drop(r"<p>A remarkable.*?</p>")) for page in rendered()[1]])
    assert len(result.losses) == 1
    assert result.lost_lines == (line("A remarkable"), line("and two trees"))
    assert result.accounted == result.line_count - 2


def test_every_line_that_loses_a_mark_is_listed() -> None:
    dropped = dict(proof(rendered()[1]).dropped)
    assert dropped["bullet"] == (line("- an item"), line('- "term"'))
    assert dropped["table rule or repeated head"] == (line("------+"),)
    assert dropped["colon after a label"] == tuple(
        line(start) for start in ("Arguments :", "Example :", "See also :")
    )
    assert dropped["label and borders of a usage"] == (
        line("May be used"), line("yes   |"), line("Usable in"), line("X  |"),
    )
    assert dropped["editor's footer"] == tuple(
        range(line("/*"), line("/*") + 4)
    )


def test_published_pages_are_the_same_without_the_marks() -> None:
    default_theme = theme.load("default")
    for page in release_pages(release(), SITE_INFO):
        rendered = default_theme.render(page)
        marked, published = marks.with_marks(rendered), marks.without_marks(rendered).decode()
        assert published == without_marks(marked)
        assert (page.kind in ("manual", "section", "single-page")) == (len(published) < len(marked))


def test_ranges_of_numbers() -> None:
    assert format_ranges([]) == ""
    assert format_ranges([3]) == "3"
    assert format_ranges([1, 2, 2, 3, 5, 8, 9]) == "1-3,5,8-9"


def test_a_whole_page_with_other_text_is_found() -> None:
    """Its lines are those of the stretches that differ."""
    _, pages, single_page = rendered()
    for broken in (
        single_page.replace("remarkable", "", 1), single_page.replace("fits", "sits", 1), "",
    ):
        result = check_single_page(proof(pages), rendered()[0].source, broken, pages)
        assert len(result.losses) == 1
        assert line("A remarkable") in result.lost_lines
        assert result.accounted < result.line_count
    changed_page = single_page.replace("per second", "a second")
    other = check_single_page(proof(pages), rendered()[0].source, changed_page, pages)
    assert set(other.lost_lines) == set(range(line("2. Directives"), line("/*")))


def test_blocks_run_together_are_found() -> None:
    text = b"lamp NAME\n    Lights a lamp.\n\n0 - out\n1 - lit\n"
    manual = read_manual(text, "lamp.txt", load_product(SPEC), "lamp")
    assert prove_tree(manual).losses == ()
    one = tuple(
        Paragraph((Text(words),), Span(first, first + 1))
        for words, first in (("lamp NAME Lights a lamp.", 1), ("0 - out 1 - lit", 4))
    )
    losses = prove_tree(replace(manual, preface=one, dropped=())).losses
    assert [str(loss) for loss in losses] == [
        "lamp.txt:2:1: error: [lost-text] run together with the line above: 'Lights a lamp.'",
        "lamp.txt:5:1: error: [lost-text] run together with the line above: '1 - lit'",
    ]


def test_a_line_in_two_blocks_is_found() -> None:
    manual = rendered()[0]
    basics = manual.sections[0]
    first = basics.body[0]
    assert isinstance(first, Paragraph)
    double = Paragraph(first.content, Span(first.span.first, first.span.first))
    broken = replace(
        manual, sections=(replace(basics, body=(double, *basics.body)), *manual.sections[1:])
    )
    assert set(prove_tree(broken).lost_lines) == {line("A remarkable"), line("and two trees")}


@pytest.mark.parametrize(
    ("shown", "lost"),
    [("a comma-separated list", 0), ("a comma- list", 1), ("a comma separated list", 1)],
)
def test_a_word_broken_at_its_hyphen_is_shown_whole(shown: str, lost: int) -> None:
    manual = read_manual(b"a comma-\nseparated list\n", "m.txt", load_product(SPEC), "m")
    result = verify(manual, "1", [f"<!--text 1-2--><p>{shown}</p><!--/text-->"])
    assert len(result.losses) == lost


@pytest.mark.parametrize(
    "text",
    ["Example: `\n", "- ` -->\n", "- `` - ` -->\n", "Example: ` x\n", "o ` a ` : ` -> b\n"],
)
def test_back_quotes_alone_are_no_loss_in_code(text: str) -> None:
    """The code of an example or item may start with a word of back quotes, which stays."""
    product = load_product(SPEC)
    manual = read_manual(text.encode(), "quotes.txt", product, "quotes")
    assert prove_tree(manual).losses == ()
