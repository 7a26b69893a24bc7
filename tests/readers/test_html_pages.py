"""HTML: what pages of all kinds become, and that nothing of them is lost or does harm."""

from __future__ import annotations

from pathlib import Path

import hostile_site
import pytest

from dconv.model.references import inlines
from dconv.model.tree import (
    Definitions,
    Heading,
    Hyperlink,
    Image,
    List,
    Manual,
    Paragraph,
    Preformatted,
    Reference,
    Section,
    Table,
    entries,
    listed_numbers,
    plain_text,
    sections,
    walk,
)
from dconv.proof.expected_words import expected_word_losses
from dconv.readers import READERS, format_of
from dconv.settings.manual import default_product
from dconv.writers.dump.text import tree_text

EXAMPLES = Path(__file__).parent / "html"
SIBLINGS = "<p>text text text text text text text text text text text text</p>"


def read(content: str | bytes) -> Manual:
    """The manual that `content` is, of which no word is lost."""
    content = content.encode() if isinstance(content, str) else content
    manual = READERS["html"](content, "manual.html", default_product().dialect, "manual")
    assert [str(loss) for loss in expected_word_losses(manual)] == []
    return manual


def dropped(manual: Manual) -> dict[str, int]:
    assert manual.expected_words is not None
    return dict(manual.expected_words.dropped)


def section(manual: Manual, title: str) -> Section:
    return next(candidate for candidate in sections(manual) if candidate.title == title)


def test_whole(request: pytest.FixtureRequest) -> None:
    path = EXAMPLES / "relay.tree"
    manual = read((EXAMPLES / "relay.html").read_bytes())
    dumped = tree_text(manual)
    if request.config.getoption("--update-goldens", default=False):
        path.write_text(dumped, encoding="utf-8")
    assert dumped == path.read_text(encoding="utf-8"), "read it, then pytest --update-goldens"
    assert dropped(manual) == {
        "comments": 3, "form controls": 1, "frames": 1, "heads": 3, "marks of links": 2,
        "navigation": 4, "objects": 1, "scripts": 1, "styles": 5,
    }


def test_comments_are_no_lines_of_code() -> None:
    manual = read("<pre>\n<!-- made by x -->\nlight --all\n</pre>")
    assert [line.text for line in manual.source.lines if line.text] == ["light --all"]


def test_a_comment_without_an_end_hides_the_rest() -> None:
    manual = read("Oil <!-- and no more\n<p>Wick")
    assert [line.text for line in manual.source.lines if line.text] == ["Oil"]


def test_text_in_a_head_ends_it() -> None:
    manual = read("<html><head><title>Lamps</title><!-- x --><meta name=x>Oil<body><p>Wick")
    assert [line.text for line in manual.source.lines if line.text] == ["Oil", "Wick"]
    manual = read("<html><head><title>Lamps</title><center><h2>Moved</h2></center>Elsewhere.")
    assert manual.header.title == "Moved"


@pytest.mark.parametrize("content", [
    b"<!DOCTYPE html><p>x", b"\n<HTML>", b"\xef\xbb\xbf<!-- made by x -->\n<html lang=en>",
    b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0">',
])
def test_pages_are_known_by_their_start(content: bytes) -> None:
    assert format_of(content, "page.txt") == "html"


OPTION_TABLE = """<h1>stow</h1><h2>Options</h2><table class="docutils"><tbody>
<tr><td colspan="3"><p><strong>arguments</strong></p></td></tr>
<tr><td></td><td><p><code>SHELF</code></p></td><td><p>where to stow</p></td></tr>
<tr><td colspan="3"><p><strong>options</strong></p></td></tr>
<tr id="dry"><td></td><td><p><code>-n</code>, <code>--dry-run</code></p></td>
<td><p>stow nothing</p></td></tr>
<tr><td></td><td><p><code>--label LABEL</code></p></td>
<td><p>put <code>LABEL</code> on it</p><ul><li>once</li></ul></td></tr>
</tbody></table><h2>Old</h2><table class="option-list"><tbody>
<tr><td class="option-group"><kbd><span class="option">-q</span></kbd></td><td>be quiet</td></tr>
<tr><td class="option-group" colspan="2">
<kbd><span class="option">--quieter-than <var>one</var></span></kbd></td></tr>
<tr><td>&nbsp;</td><td>be as quiet</td></tr>
<tr><td class="option-group"><kbd><span class="option">-v</span></kbd></td><td>talk</td></tr>
</tbody></table><h2>Data</h2><table><tbody>
<tr><td>-1</td><td>loss</td></tr><tr><td>0</td><td>nothing</td></tr><tr><td>1</td><td>gain</td></tr>
</tbody></table>"""


def test_rows_that_start_with_an_option_are_entries() -> None:
    manual = read(OPTION_TABLE)
    assert [(entry.names, entry.kind) for _, entry in entries(manual)] == [
        (("--dry-run", "-n"), "option"), (("--label",), "option"), (("-q",), "option"),
        (("--quieter-than",), "option"), (("-v",), "option"),
    ]
    bodies = {
        entry.name: " ".join(plain_text((part,)) for part in inlines(entry.body))
        for _, entry in entries(manual)
    }
    assert bodies["--dry-run"] == "stow nothing"
    assert bodies["--quieter-than"] == "be as quiet"
    assert ("dry", "option.--dry-run") in manual.aliases
    assert [len(node.rows) for node in walk(section(manual, "Data").body)
            if isinstance(node, Table)] == [3]


@pytest.mark.parametrize("content", [
    b"<p>x", b"Use <html> for it.\n", b"<!-- html -->\ntext\n", b"<?xml version='1.0'?><a/>",
])
def test_other_texts_are_not(content: bytes) -> None:
    assert format_of(content, "page.txt") == "text"
    assert format_of(content, "page.html") == "html"


def test_encodings() -> None:
    assert read(b"<html><meta charset=iso-8859-1><p>caf\xe9 \x80").source.lines[0].text == "café €"
    assert read("<html><p>мул".encode("utf-16")).source.lines[0].text == "мул"
    for named in ("nonsense", "hex", "idna", "utf-16"):
        content = f"<html><meta charset={named}><p>café €".encode()
        assert read(content).source.lines[0].text == "café €"
    assert read("<html><meta charset=koi8-r><p>мул".encode("koi8-r")).source.lines[0].text == "мул"


def test_navigation_is_named() -> None:
    links = '<a href="a.html">One page</a> <a href="b.html">Another</a>'
    manual = read(
        f"<html><body><header>{links}</header><nav>Contents {links}</nav>"
        f"<div class=sphinxsidebar>{links}</div>"
        f"<main><h1>T</h1>{SIBLINGS}<div class=toc><a href=#a>A</a></div><h2>A</h2>"
        f"{SIBLINGS}</main>"
        f"<footer>{links}</footer></body></html>"
    )
    assert dropped(manual) == {"contents": 1, "text outside of the main part": 13}
    assert [part.title for part in sections(manual)] == ["A"]
    kept = read(f"<html><body><header><h1>Title</h1></header>{SIBLINGS}<footer>By me</footer>")
    assert dropped(kept) == {}


def test_a_page_of_links_keeps_them() -> None:
    links = "".join(f'<li><a href="{at}.html">Page {at}</a></li>' for at in range(9))
    manual = read(f"<html><body><h1>Index</h1><div class=toc><ul>{links}</ul></div></body></html>")
    assert len([*inlines(section(manual, "Index").body)]) == 9 and dropped(manual) == {}


def test_end_tags_that_are_missing() -> None:
    manual = read(
        "<h1>T</h1><ul><li>a<li>b<ul><li>c</ul><li>d</ul><ol start=3><li>e<li value=7>f</ol>"
    )
    closed, unclosed = [
        node for node in section(manual, "T").body if isinstance(node, List)
    ]
    assert len(closed.items) == 3 and len(closed.items[1].body) == 2
    assert listed_numbers(unclosed) == ["3", "7"]
    manual = read("<h1>T</h1><table><tr><td>a<td>b<tr><td>c<td>d</table><p>x<p>y<h1>U</h1><p>z")
    table, x, y = section(manual, "T").body
    assert isinstance(table, Table) and len(table.rows) == 2
    assert isinstance(x, Paragraph) and isinstance(y, Paragraph)
    assert section(manual, "U").body != ()


def test_terms_that_are_names_are_entries() -> None:
    manual = read(
        "<h1>T</h1><h2>A</h2><dl><dt><code>log.level</code><dd>x<dt><code>log-file</code> "
        "<i>name</i><dd>y<dt>Overview<dd>z</dl><dl><dt><b>Note</b><dd>n</dl>"
    )
    body = section(manual, "A").body
    assert [entry.names for _, entry in entries(manual)] == [("log.level",), ("log-file",)]
    assert sum(isinstance(node, Definitions) for node in body) == 1


def test_directives_are_entries() -> None:
    manual = read(
        "<h1>Module</h1><h2>Oil Directive</h2><p>x<h2>Wick Directive</h2><h3>Kinds</h3><p>y"
    )
    directives = [entry for _, entry in entries(manual)]
    assert [(entry.kind, entry.name) for entry in directives] == [
        ("setting", "Oil"), ("setting", "Wick")
    ]
    assert isinstance(directives[1].body[0], Heading)


def test_options_as_paragraphs() -> None:
    manual = read(
        "<h1>T</h1><h2>OPTIONS</h2><p>These are:<p><b>-a</b> <i>n</i><p>One.<p>More."
        "<p><b>-b</b>, <b>--both</b><p>Two."
    )
    assert [(entry.name, len(entry.body)) for _, entry in entries(manual)] == [
        ("-a", 2), ("--both", 1)
    ]


def test_cells_over_several_rows_stay_in_their_columns() -> None:
    manual = read(
        "<h1>T</h1><table border=1><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td colspan=2>2"
        "<tr><td>3<td>4</table>"
    )
    table = next(node for node in walk(section(manual, "T").body) if isinstance(node, Table))
    texts = [[plain_text(cell.content) for cell in row.cells] for row in table.rows]
    assert texts == [["1", "2"], ["", "3", "4"]]


def test_where_links_lead() -> None:
    manual = read(
        "<h1>T</h1><h2 id=a>A</h2><p><a href='#a'>1</a> <a href='x.html?q#y%20z'>2</a>"
        "<a href='//www.example.org/'>3</a> <a href='../x.tar.gz'>4</a> <a href='/'>5</a>"
        "<a href='..'>6</a><a href='data:text/html,x'>7</a><a href=' java\nscript:x'>8</a>"
    )
    links = [
        (part.text, part.name if isinstance(part, Reference) else part.url)
        for part in inlines(section(manual, "A").body) if isinstance(part, Reference | Hyperlink)
    ]
    assert links == [
        ("1", "#a"), ("2", "x.html#yz"), ("3", "https://www.example.org/"), ("4", "../x.tar.gz")
    ]


def test_ids_lead_to_their_places() -> None:
    manual = read(
        "<h1>T</h1><div id=w><a name=x></a><h2>A</h2><p id=p>a<table border=1><tr id=r><td>1<td>2"
        "</table></div><dl><dt id=t><code>oil</code><dd id=d>x</dl><a name=b><h2>B</h2></a>"
    )
    places = dict(manual.aliases)
    assert places["w"] == places["x"] == places["p"] == places["r"] == "A"
    assert places["t"] == places["d"] == "keyword.oil" and places["b"] == "B"


def test_cells_outside_of_a_row_start_one() -> None:
    manual = read(
        "<h1>T</h1><table border=1><tr><th>a<th>b<tr><td>1<td>2</tr>\n<td>3</td><td>4</td></tr>"
        "<tr><td>5<td>6</table>"
    )
    table = next(node for node in walk(section(manual, "T").body) if isinstance(node, Table))
    texts = [[plain_text(cell.content) for cell in row.cells] for row in table.rows]
    assert texts == [["1", "2"], ["3", "4"], ["5", "6"]]


def test_a_line_of_a_list_in_no_item_is_one_paragraph() -> None:
    manual = read("<h1>T</h1><ul>Light <b>it</b>.<li>a</li><br>and <i>wait</i>.<p>Then go.</ul>")
    texts = [
        plain_text(node.content) for node in walk(section(manual, "T").body)
        if isinstance(node, Paragraph)
    ]
    assert texts == ["Light it.", "a", "and wait.", "Then go."]


def test_images() -> None:
    manual = read("<h1>T</h1><p><img src='a/b.png?x'><img src=c.png alt=C><img src=d.png alt=''>")
    images = [part for part in inlines(section(manual, "T").body) if isinstance(part, Image)]
    assert [(part.file, part.text) for part in images] == [("a/b.png?x", "b.png"), ("c.png", "C")]


def test_code_keeps_its_lines() -> None:
    manual = read("<h1>T</h1><pre class='src lang-sh'>\n  a\n    b<br>c<p>d</pre>")
    code = next(node for node in walk(section(manual, "T").body) if isinstance(node, Preformatted))
    assert code.language == "sh" and code.lines[:2] == ("  a", "    b")
    manual = read("<pre>a<div>b</div>c <i><p>d</p></i>e</pre>")
    code = next(node for node in walk(manual.preface) if isinstance(node, Preformatted))
    assert [line.strip() for line in code.lines] == ["a", "b", "c", "d", "e"]
    manual = read("<pre>a<div>b</div><img alt='c'>d</pre>")
    code = next(node for node in walk(manual.preface) if isinstance(node, Preformatted))
    assert [line.strip() for line in code.lines] == ["a", "b", "cd"]


@pytest.mark.parametrize("content", [
    "", "<", "<html", "<html></html>", "</p></div>text", "<table><td>a</table>b",
    "<table>a<tr>b<td>c</table>", "<b><i>a</b>b</i>c", "<p>a</b></p>b", "<![if x]>a<![endif]>b",
    "<!DOCTYPE html [ <!ENTITY x 'y'> ]><p>a", "<ul>a<li>b</ul>", "<ol>a<li>b</ol>",
    "<dl>a<dd>b</dl>",
    "<h1></h1><h2>a</h2>", "<pre><p>a</p><table><tr><td>b</table></pre>", "<li>a<li>b", "<td>a",
    "<a href=x><h2>a</h2>b</a>c", "<h2>a<ul><li>b</ul></h2>c", "<dt>a<dd>b",
    "a&#0;&#x110000;&#xd800;b",
    "<table><tr><td colspan=999999999 rowspan=-1>a</table>", "<p>a\x0bb\x1bc\x7f",
    "<svg><p>a</svg>b", "<!-- a", "<p>b<a", "<svg>a</svg>b",
    "<ol start=99999999999999><li>a</ol>", "<ol reversed><li>a<li>b</ol>", "<select><p>a</select>b",
    "<frameset><frame src=x></frameset>", "<body>a</body>b</html>c", "<p>a<p/>b<br/>c", "a</br>b",
    "<title>a</title>b<title>c", "<title>a>\n<p>b", "<title>a\nb",
    "<textarea><p>a</textarea>b", "<style>a</style>b", "<center>a<p>b",
])  # fmt: skip
def test_broken_pages_are_whole(content: str) -> None:
    read(content)
    read(f"<h1>T</h1><h2>Options</h2>{content}<p>end</p>")


@pytest.mark.parametrize("tag", [
    "div", "blockquote", "ul><li", "b", "span", "table><tr><td", "dl><dd", "h2><div", "div><p",
])
def test_deep_pages_are_whole(tag: str) -> None:
    read(f"<h1>T</h1>{f'<{tag}>' * 400}a <i>word</i><p>another")


def test_pages_that_mean_harm() -> None:
    for payload in hostile_site.PAYLOADS:
        page = (
            f"<h1>T</h1><h2>Options</h2><p>a{payload}</p><dl><dt><code>--a</code> {payload}<dd>x"
            f'</dl><img src="{payload}" alt=x><a href="{payload}">y</a><h2>{payload}</h2>end'
        )
        manual = read(page.encode("utf-8", "replace"))
        urls = [
            part.url for one in sections(manual) for part in inlines(one.body)
            if isinstance(part, Hyperlink)
        ]
        assert all(
            url.startswith(("http://", "https://")) or ":" not in url.partition("/")[0]
            for url in urls
        )


def test_headings_that_are_names_without_marks_are_entries() -> None:
    parts = "".join([f"<h3>{title}</h3><p>Says so.</p>" for title in ("Speed", "maxOil", "onLeak")])
    manual = read(f"<html><h1>Pump</h1><p>Pumps.</p><h2>Parameters</h2>{parts}<h2>Notes</h2>")
    assert [entry.name for _, entry in entries(manual)] == ["Speed", "maxOil", "onLeak"]


def test_cells_have_no_line_breaks_around_them() -> None:
    manual = read("<html><table><tr><th><p>a</p><th>b<tr><td><p>c</p><p>d</p><td> <p>e</p></table>")
    [table] = [node for node in walk(manual.preface) if isinstance(node, Table)]
    cells = [cell for row in (*table.head, *table.rows) for cell in row.cells]
    assert [plain_text(cell.content) for cell in cells] == ["a", "b", "c\n\nd", "e"]


def test_the_items_of_a_list_in_a_cell_keep_their_numbers() -> None:
    manual = read(
        "<table border=1><tr><th>Step<th>Do<tr><td>Oil<td>First <ol><li value=3>pour<li>stir</ol>"
        "</table>"
    )
    [table] = [node for node in walk(manual.preface) if isinstance(node, Table)]
    assert plain_text(table.rows[0].cells[1].content).split() == [
        "First", "3", "pour", "4", "stir"
    ]


def test_a_menu_inside_of_a_word_does_not_cut_it() -> None:
    menu = '<ul class="dropdown-menu"><li><a href="#a">A</a><li><a href="#b">B</a></ul>'
    code = f'<pre>Type "<a href="#a">prompt</a>{menu}" twice.</pre>'
    manual = read(f"{code}<h2 id=a>A</h2>{SIBLINGS}")
    assert 'Type "prompt" twice.' in [line.text for line in manual.source.lines]
