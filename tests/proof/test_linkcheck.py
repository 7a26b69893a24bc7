"""The links of written pages: what is dead, what appears twice, what leads across releases."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from dconv.cli import main
from dconv.proof.html_links import Lines, page_contents
from dconv.proof.linkcheck import LinkCheck
from dconv.writers.html.escape import attribute

ADDRESS = "https://docs.example.org/base/"


def findings(files: dict[str, str], url: str = "", releases: tuple[str, ...] = ()) -> list[str]:
    check = LinkCheck(url)
    for release in releases:
        check.add_release(release)
    for path, content in files.items():
        check.read(path, content.encode())
    return [str(finding) for finding in check.finish()]


@pytest.mark.parametrize(
    "link",
    [
        '<a href="b.html">', '<a href="b.html#here">', '<a href="b.html#th%C3%A9">',
        "<a href=b.html>", "<A HREF='b.html#here'>", '<a href="#own">', '<a href="">',
        '<a href="#">', '<a href="#top">', '<a href="./../docs/b.html?x=1#here">',
        '<a title="a > b" href="b.html">', '<a href="b.html#a&amp;b">', '<img src="c.png">',
        '<a href="sub/">', '<a\n href="b.html"\n>', '<a href="b.html#old name">',
        '<!-- <a href="gone.html"> -->', '<script>x = "<a href=\'gone.html\'>"</script>',
        '<script src="c.png"></script>', '<a href="https://other.example.org/gone">',
        '<a href="mailto:a@example.org">', '<a href="//other.example.org/">',
        '<IMG SRCSET="c.png 1x, sub/ 2x,c.png">',
        '<form action="b.html"><button formaction=b.html>',
        '<p style="color: red; background: url(c.png)">', "<p style='x: url( \"c.png\" )'>",
        '<img src="data:image/png;base64,AA">',
        f'<link rel="canonical" href="{ADDRESS}docs/b.html">', f'<a href="{ADDRESS}">',
        '<meta http-equiv="refresh" content="0; url=b.html#here">', "<a name=own>",
        '<p>&lt;a href="gone.html"&gt;</p>', "<a>",
    ],
)  # fmt: skip
def test_what_is_right(link: str) -> None:
    files = {
        "docs/a.html": f'<p id="own">{link}</p>',
        "docs/b.html": '<p id="here"><p id="th\u00e9"><b id="a&amp;b"><a name="old name"></a>',
        "docs/c.png": "", "docs/sub/index.html": "", "index.html": "",
    }
    assert findings(files, ADDRESS) == []


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ('<a href="gone.html">', "'gone.html' points to a missing page: docs/gone.html"),
        ('<a href="../gone.html#x">', "'../gone.html#x' points to a missing page: gone.html"),
        ('<a href="b.html#x">', "'b.html#x' points to no anchor: docs/b.html has no 'x'"),
        ('<a href="a.html#X">', "'a.html#X' points to no anchor: docs/a.html has no 'X'"),
        ('<a href="#x">', "'#x' points to no anchor: docs/a.html has no 'x'"),
        ('<a href="../../../b.html">', "'../../../b.html' points to a missing page: ../../b.html"),
        ('<img src="gone.png">', "'gone.png' points to a missing page: docs/gone.png"),
        ("<a title='>' href=gone.html>", "'gone.html' points to a missing page: docs/gone.html"),
        (f'<a href="{ADDRESS}gone">', f"'{ADDRESS}gone' points to a missing page: gone"),
        ('<A HREF="gone.html">', "'gone.html' points to a missing page: docs/gone.html"),
        ('<img srcset="b.html 1x, x.png 2x">', "'x.png' points to a missing page: docs/x.png"),
        ('<form action="gone">', "'gone' points to a missing page: docs/gone"),
        ('<button formaction="gone">', "'gone' points to a missing page: docs/gone"),
        ('<video poster="gone">', "'gone' points to a missing page: docs/gone"),
        ('<b style="a: url(gone)">', "'gone' points to a missing page: docs/gone"),
        ("<b style='a: URL(\"gone\")'>", "'gone' points to a missing page: docs/gone"),
        ('<a href="/x.html">',
         "'/x.html' starts at the root of a host; write it relative to the page"),
        ('<a href="file:///tmp/x">', "'file:///tmp/x' points to the disk of one machine"),
        ('<a href="JavaScript:x()">', "'JavaScript:x()' is a script, not an address"),
        ('<meta http-equiv=refresh content="0;URL=x">', "'x' points to a missing page: docs/x"),
    ],
)
@pytest.mark.parametrize("later", [True, False])
def test_dead_links(link: str, message: str, later: bool) -> None:
    files = {"docs/a.html": f"<p>\n<!--\n-->{link}</p>", "docs/b.html": "<p id='here'>"}
    if later:
        files = dict(reversed(files.items()))
    assert findings(files, ADDRESS) == [f"docs/a.html:3:1: error: [dead-link] {message}"]


def test_an_identity_that_stands_twice() -> None:
    page = '<p id="a">\n<b id="b">\n<i id=a>\n<a name="b"></a>'
    assert findings({"a.html": page, "b.html": '<p id="c">\n<p id="c">'}) == [
        "a.html:3:1: error: [duplicate-id] the id 'a' is used here a second time",
        "b.html:2:1: error: [duplicate-id] the id 'c' is used here a second time",
    ]


@pytest.mark.parametrize(
    ("link", "across"),
    [
        ('<a href="../2.0/x.html">2.0</a>', True),
        ('<nav class="versions"></nav><a href="../2.0/x.html">2.0</a>', True),
        ('<nav class="versions"><a href="../2.0/x.html">2.0</a></nav>', False),
        ('<details class="a versions"><p><a href="../2.0/x.html">x</a></p></details>', False),
        ('<a rel="alternate" href="../2.0/x.html">2.0</a>', False),
        ('<link rel="canonical" href="../2.0/x.html">', False),
        ('<a href="../../index.html">2.0</a>', False),
        ('<a href="../latest/x.html">2.0</a>', False),
    ],
)
def test_links_across_releases(link: str, across: bool) -> None:
    files = {
        "p/1.0/x.html": link, "p/2.0/x.html": "", "p/latest/x.html": '<a href="../2.0/x.html">',
        "index.html": '<a href="p/1.0/x.html"><a href="p/2.0/x.html">',
    }
    broken_links = findings(files, releases=("p/1.0", "p/2.0"))
    assert broken_links == [
        "p/1.0/x.html:1:1: error: [other-version] '../2.0/x.html' points to another release:"
        " p/2.0; if it should, put it in a nav of the class 'versions'"
    ] * across


def test_addresses_of_other_hosts_are_listed() -> None:
    check = LinkCheck()
    check.read("a.html", b'<a href="https://x.example/b"><a href="https://x.example/a">')
    check.read("b.html", b'<a href="https://x.example/b"><a href="a.html">')
    assert check.finish() == ()
    assert check.external_links() == b"https://x.example/a\t1\ta.html\nhttps://x.example/b\t2\ta.html\n"
    assert check.summary() == "1 link in 2 pages: 0 dead; 2 addresses of other hosts"


@given(st.text(alphabet="<>ab=\"' /-!\nidhref#nv"))
def test_any_page_can_be_read(page: str) -> None:
    findings({"a.html": page})


def read_whole(page: str) -> tuple[list[str], list[str]]:
    """The addresses and the ids that Beautiful Soup finds."""
    soup = BeautifulSoup(page, "html.parser")
    addresses = [
        str(tag[key]) for tag in soup.find_all(True) for key in ("href", "src") if tag.has_attr(key)
    ]
    return addresses, [str(tag["id"]) for tag in soup.find_all(id=True)]


@pytest.mark.slow
def test_links_and_lines_of_real_pages(corpus: Path, tmp_path: Path) -> None:
    text = sorted((corpus / "haproxy").glob("*/management.txt"))[-1]
    assert main(["convert", "-q", str(text), "-o", str(tmp_path / "public")]) == 0
    pages = sorted((tmp_path / "public").rglob("*.html"))
    assert len(pages) > 20
    for path in pages:
        page = path.read_text("utf-8")
        content = page_contents(page)
        addresses, ids = read_whole(page)
        assert [written for written, _ in content.addresses] == addresses
        assert list(content.ids) == ids
        source_lines, lines = page.split("\n"), Lines(page)
        for written, _ in content.addresses:
            assert f'="{attribute(written)}"' in source_lines[lines.find(written) - 1]


# --- as a part of a build -------------------------------------------------------------


def theme(folder: Path, link: str) -> Path:
    """A theme with a link of its own in the foot of each page."""
    (folder / "templates").mkdir(parents=True)
    (folder / "templates" / "base.html.jinja2").write_text(
        '{% extends "default/base.html.jinja2" %}{% block foot %}' + link + "{% endblock %}"
    )
    return folder


def test_a_dead_link_fails_a_strict_build(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "x.txt"
    text.write_text("1. One\n------\n\nText.\n")
    words = ["convert", str(text), "-v", "-o", str(tmp_path / "public"), "--theme"]
    theme_folder = str(theme(tmp_path / "own", '<a href="gone.html">'))
    assert main([*words, theme_folder]) == 0
    out, err = capsys.readouterr()
    assert "error: [dead-link] 'gone.html' points to a missing page: " in err
    assert " dead; 0 addresses of other hosts" in out
    assert main([*words, theme_folder, "--strict"]) == 1
    assert main([*words, "default", "--strict"]) == 0
    far = str(theme(tmp_path / "far", '<a href="https://far.example/">'))
    assert main([*words, far, "--strict"]) == 0
    listed = (tmp_path / "public" / "external-links.txt").read_text().splitlines()
    assert [line.split("\t")[0] for line in listed] == ["https://far.example/"]
