"""What pages show of a text with markup, as its reader hands it over."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import replace
from functools import cache

import sample_man_page
import shipped_search
from release_pages import release_pages

from dconv.build.render import release_files
from dconv.model.origin import Origin
from dconv.model.references import reference_findings
from dconv.model.tree import Footnote, Paragraph, Reference, walk
from dconv.proof.coverage import verify
from dconv.writers.dump.data import json_text
from dconv.writers.html import marks
from dconv.writers.inventory import release_inventory
from dconv.writers.pages.footer import source_lines
from dconv.writers.pages.page import Page, ReleaseDocument, SiteInfo
from dconv.writers.pages.split import release_section_files
from dconv.writers.theme.theme import load

SITE = SiteInfo("Manuals", "dconv")


@cache
def rendered() -> tuple[tuple[Page, str], ...]:
    """The pages of pot(8) with the marks of the proof."""
    default_theme = load("default")
    return tuple(
        (page, marks.with_marks(default_theme.render(page)))
        for page in release_pages(sample_man_page.release(), SITE)
    )


def shown(name: str) -> str:
    """The page `name` as readers get it."""
    [page] = [page for page, _ in rendered() if page.path == f"tools/1.0/pot.8/{name}"]
    return marks.without_marks(load("default").render(page)).decode()


def texts() -> list[str]:
    """The pages of sections, and the home, with their marks."""
    return [html for page, html in rendered() if page.kind in ("manual", "section")]


def test_nothing_is_lost_and_a_loss_is_noticed() -> None:
    result = verify(sample_man_page.manual(), "", texts())
    total = len(sample_man_page.TEXT.split())
    assert not result.losses
    assert str(result) == f"pot.8: {total} words in, {total} accounted for"
    for old, new in [
        ("<b>--verbose</b>", "<b>--verbos</b>"), ("&lt;n&gt;", ""), ("<b>--no-heat</b>", ""),
        ("<strong>tin</strong>", ""), ('<p class="label">1</p>', ""),
    ]:
        assert verify(
            sample_man_page.manual(), "", [html.replace(old, new) for html in texts()]
        ).losses


def test_lost_words_are_counted_and_named_by_the_line_of_the_file() -> None:
    page = sample_man_page.manual()
    broken = [html.replace("<strong>tin</strong>", "") for html in texts()]
    result = verify(page, "", broken)
    assert [(loss.line, loss.message) for loss in result.losses] == [
        (sample_man_page.TIN_LINE, "source 'tin.', page '.'"),
    ]
    assert result.lost_lines == (sample_man_page.TIN_LINE,)
    assert result.coverage.lost == 3  # all words of the line
    expected_words = replace(
        sample_man_page.document().expected_words,
        words=("A", "pot", *sample_man_page.TEXT.split()[1:]),
    )
    [loss] = verify(replace(page, expected_words=expected_words), "", texts()).losses
    assert loss.message == "original 'A pot', tree 'NAME'"


def test_the_proof_on_disk_names_what_is_no_text() -> None:
    files = release_files(sample_man_page.release(), SITE, load("default"))
    record = json.loads(dict(files.files)["tools/1.0/pot.8/proof.json"])
    total = len(sample_man_page.TEXT.split())
    assert record["words"] == {"total": total, "accounted": total}
    assert record["left_out"] == {"list numbers": 2}
    assert "lines" not in record
    assert [finding.rule for finding in files.diagnostics] == ["missing-image"]


def test_signatures_are_the_heading_of_an_option() -> None:
    page = shown("OPTIONS.html")
    [verbose, heat, _] = re.findall(r'<section id="[^"]*" class="entry">.*?</section>', page, re.S)
    assert (
        '<h2 id="v" class="name signatures"><a href="#option.--verbose">'
        '<code class="signature"><b>-v</b>, <b>--verbose</b></code></a></h2>'
    ) in verbose
    assert "<b>-h</b>, <b>--heat</b>=<var>&lt;n&gt;</var></code></a><br>" in heat
    assert '<code id="option.--no-heat" class="signature"><b>--no-heat</b></code></a>' in heat
    assert 'class="card"' not in verbose + heat
    assert '<a href="#option.--verbose" class="literal">--verbose</a> tells it' in heat
    assert '<dt id="option.--heat.boil"><a href="#option.--heat.boil"><strong>' in heat


def test_lists_have_all_names_on_one_line() -> None:
    options = shown("OPTIONS.html")
    assert '<a href="#option.--verbose">--verbose, -v</a>' in options
    assert '<a href="#option.--heat">--heat, -h, --no-heat</a>' in options
    index = shown("keywords.html")
    assert 'option.--verbose">--verbose<small>, -v</small></a>' in index
    assert '#option.--heat.boil">boil<small>, cook</small></a>' in index
    assert index.count("OPTIONS.html#option.--heat\"") == 1
    assert '<p class="edition">cook what there is</p>' in shown("index.html")


def test_every_name_is_found_first() -> None:
    release = sample_man_page.release()
    listing = ReleaseDocument(sample_man_page.listing(), "all(7)", "")
    release = replace(release, documents=(listing, *release.documents))
    queries = [
        "--verbose", "-v", "--heat", "-h", "--no-heat", "boil", "cook", "stir", "pot --heat",
        "pot(8) -h", "pot.8 cook", "pot", "all --heat",
    ]
    answers = shipped_search.ask(shipped_search.search_files_of(release), queries)
    results = dict(zip(queries, answers, strict=True))
    first = {query: answer.results[0] for query, answer in results.items()}
    assert {query: result.name for query, result in first.items()} == {
        **{query: query for query in queries[:8]},
        "pot --heat": "--heat", "pot(8) -h": "-h", "pot.8 cook": "cook", "pot": "pot(8)",
        "all --heat": "--heat",
    }
    assert first["all --heat"].document == "all.7"
    documents = {result.document for query, result in first.items() if query != "all --heat"}
    assert documents == {"pot.8"}
    assert first["-h"].anchor == first["--heat"].anchor == "option.--heat"
    assert first["cook"].anchor == "option.--heat.boil"
    # two places are called -v; one of them is also --verbose, and is not shown again
    verbose = [
        (result.anchor, result.others)
        for result in results["-v"].results if "-v" in result.name
    ]
    assert len(verbose) == 1
    assert {verbose[0][0], verbose[0][1][0][2]} == {"option.-v", "option.--verbose"}
    assert "--verbose" not in results["-v"].names


def test_other_programs_get_all_names() -> None:
    release = sample_man_page.release()
    files = dict(release_inventory(release, release_section_files(release)))
    records = json.loads(files["tools/1.0/pot.8/keywords.json"])["keywords"]
    assert {record["name"]: record.get("aliases") for record in records} == {
        "--verbose": ["-v"], "--heat": ["-h"], "--no-heat": None, "boil": ["cook"],
        "-q": None, "-v": None, "stir": None,
    }
    objects = zlib.decompress(files["tools/1.0/objects.inv"].split(b"\n", 4)[-1]).decode()
    assert "\n-h tools:option 1 pot.8/OPTIONS.html#option.--heat --heat\n" in objects
    assert "\ncook std:term 1 pot.8/OPTIONS.html#option.--heat.boil boil\n" in objects


def test_findings_links_and_records_name_lines_of_the_file() -> None:
    page = sample_man_page.manual()
    note = next(node for node in walk(page.sections[1].body) if isinstance(node, Footnote))
    [block] = note.body
    assert isinstance(block, Paragraph)
    broken = replace(block, content=(Reference("lid", "#lid", block.span.first, 4, kind="link"),))
    spans = [entry for entry in page.sections[1].body if entry is not note]
    section = replace(page.sections[1], body=(*spans, replace(note, body=(broken,))))
    page = replace(page, sections=(section,))
    [finding] = reference_findings(page)
    assert (finding.line, finding.column) == (sample_man_page.TIN_LINE, 1)
    record = json.loads(json_text([page]))
    assert record["sections"][0]["last"] == sample_man_page.TIN_LINE
    source = replace(page.source, file_line_numbers=tuple(range(101, 101 + len(page.source.lines))))
    origin = Origin("here", line_url="https://example.org/{file}#{first}-{last}")
    document = ReleaseDocument(replace(page, source=source), "pot(8)", "", origin)
    shown = source_lines(document, section)
    assert shown
    assert (shown.first, shown.last) == (100 + section.span.first, 100 + section.span.last)
    # a page does not claim lines that its reader does not know
    unknown = replace(source, file_line_numbers=(0,) * len(source.lines))
    document = ReleaseDocument(replace(page, source=unknown), "pot(8)", "", origin)
    assert source_lines(document, section) is None
