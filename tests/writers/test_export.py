"""`dconv export`: what each format holds, and how the command leaves."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import html5lib
import pytest
from docutils import nodes
from docutils.core import publish_doctree
from programs import need

from dconv.build.output import SiteError, WriteResult, write_files
from dconv.build.read import read_manual
from dconv.cli import main
from dconv.model.tree import Manual
from dconv.settings.manual import default_product
from dconv.settings.types import EXPORT_FORMATS
from dconv.writers.docutils.doctree import make_doctree
from dconv.writers.docutils.export import FORMATS, export
from dconv.writers.downloads import WHOLE_RELEASE_FORMATS

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = {
    "rst": "rst", "xml": "xml", "man": "7", "odt": "odt", "latex": "tex", "html5": "html",
    "markdown": "md", "offline": "offline.html", "epub": "epub",
    "docset": "docset.tgz", "devdocs": "devdocs.tar.gz", "vim": "txt", "info": "info", "pdf": "pdf",
}  # fmt: skip
KETTLE = """\
                        ------------------------
                          HAProxy
                          Configuration Manual
                        ------------------------
                             version 1.2

1. Heating
----------

See section 2 and section 1.1 of the management guide. Mind <degrees> & "_".

  - one
    - two

  Example :
        heat 95\\%

2. Pouring
----------

  slow : a little
  fast : a lot

  unit    meaning
 -------+---------
  K       kelvin
  C       celsius
"""
POT = KETTLE.replace("Configuration", "Management").replace(
    "1. Heating", "1. Lids\n-------\n\n1.1. Boil"
)


@pytest.fixture(autouse=True)
def _texts(work_folder: Path) -> None:
    Path("texts").mkdir()
    Path("texts/configuration.txt").write_text(KETTLE)
    Path("texts/management.txt").write_text(POT)


def test_all_formats_are_known_to_the_command() -> None:
    assert set(SUFFIXES) == set(EXPORT_FORMATS)
    for name, form in FORMATS.items():
        assert form.suffix == SUFFIXES[name]


def names(form: str) -> tuple[str, str]:
    """What the two files are called: manual pages of all programs lie in one folder."""
    product = "haproxy-" if form in ("man", "vim", "info") else ""
    return f"{product}configuration", f"{product}management"


@pytest.mark.parametrize("form", EXPORT_FORMATS)
def test_every_format(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    if form == "pdf":
        need("chromium")
    stems = ("haproxy",) if form in WHOLE_RELEASE_FORMATS else names(form)
    files = [Path("out", f"{name}.{SUFFIXES[form]}") for name in stems]
    count = "1 file" if form in WHOLE_RELEASE_FORMATS else "2 files"
    assert main(["export", "--format", form, "texts", "-o", "out"]) == 0
    assert capsys.readouterr() == (f"Wrote {count} to out ({len(files)} changed)\n", "")
    before = [file.read_bytes() for file in files]
    assert all(before)
    assert main(["export", "--format", form, "texts", "-o", "out"]) == 0
    assert capsys.readouterr().out == f"Wrote {count} to out (0 changed)\n"
    assert sorted(Path("out").iterdir()) == files


def written(form: str) -> bytes:
    """The manual in the format `form`."""
    assert main(["export", "--quiet", "--format", form, "texts", "-o", form]) == 0
    return Path(form, f"{names(form)[0]}.{SUFFIXES[form]}").read_bytes()


def test_rst() -> None:
    text = written("rst").decode()
    doctree = publish_doctree(text, settings_overrides={"halt_level": 2, "_disable_config": True})
    assert doctree["title"] == "HAProxy"
    assert "`section 2 <section-2_>`__" in text or "`2 <section-2_>`__" in text
    sections = [section[0].astext() for section in doctree.findall(nodes.section)]
    assert sections == ["1 Heating", "2 Pouring"]


def test_xml() -> None:
    tree = ElementTree.fromstring(written("xml"))
    assert tree.tag == "document"
    assert [title.text for title in tree.iterfind("section/title")] == ["1 Heating", "2 Pouring"]


def test_man() -> None:
    page = written("man").decode()
    assert '.TH "HAPROXY-CONFIGURATION" "7" "" "1.2"' in page
    assert "\nhaproxy-configuration \\- HAProxy Configuration Manual\n" in page
    assert ".SH 1 Heating" in page
    bare = read_manual(b"Nothing.\n", "bare.txt", default_product(), "bare")
    (exported,) = export([(bare, "")], "man", "", "")
    assert (exported.file, b'.TH "BARE" "7"' in exported.content) == ("bare.7", True)
    (exported,) = export([(bare, "A bare one")], "man", "pot", "")
    assert (exported.file, b"pot-bare \\- A bare one" in exported.content) == ("pot-bare.7", True)
    Path("alone.txt").write_text("Nothing.\n")
    assert main(["export", "--quiet", "--format", "man", "alone.txt", "-o", "alone"]) == 0
    assert b'.TH "ALONE" "7"' in Path("alone/alone.7").read_bytes()


def test_a_manual_page_stays_in_its_section(capsys: pytest.CaptureFixture[str]) -> None:
    need("mandoc")
    Path("lid.8").write_text(
        ".TH LID 8 2024-03-01 2.1\n.SH NAME\nlid \\- cover pots\n"
        ".SH OPTIONS\n.TP\n.B \\-\\-open\nOpen.\n"
    )
    assert main(["export", "--format", "man", "lid.8", "-o", "pages"]) == 0
    page = Path("pages/lid.8").read_text()
    assert '.TH "LID" "8" "2024-03-01" "2.1"\n.SH NAME\nlid \\- cover pots\n' in page
    assert (page.casefold().count(".sh name"), "Contents" in page) == (1, False)


NIGHTLY = """\
1. Use of "\\f"
-----------------

Run backupd. It copies the files of a machine that nobody looks at to another one, e.g. each night.
The copies — all of them — are kept for a week — or for a month — on that machine.

.start is a request of another program, 'like this one.
"""


def test_man_and_whatis_accept_pages_of_texts_without_a_title() -> None:
    mandoc, lexgrog = need("mandoc"), need("lexgrog")
    Path("night").mkdir()
    Path("night/backupd.txt").write_text(NIGHTLY)
    dated = KETTLE.replace("version 1.2", "version 1.2\n2026/05/17")
    Path("night/configuration.txt").write_text(dated)
    Path("night/lid.8").write_text(
        ".TH LID 8 2024-03-01 2.1\n.SH NAME\n\\fBlid\\fP \\[en] cover pots\n.SH USE\nCover.\n"
    )
    for file in ("backupd.txt", "configuration.txt", "lid.8"):
        main(["export", "--quiet", "--format", "man", f"night/{file}", "-o", "pages"])
    described = {
        "backupd.7": "backupd - Run backupd",
        "haproxy-configuration.7": "haproxy-configuration - HAProxy Configuration Manual",
        "lid.8": "lid - cover pots",
    }
    for name, description in described.items():
        lint = run([mandoc, "-T", "lint", f"pages/{name}"])
        assert [line for line in lint.splitlines() if "missing date" not in line] == []
        assert run([lexgrog, f"pages/{name}"]) == f'pages/{name}: "{description}"\n'
    shown = " ".join(run([mandoc, "-T", "utf8", "pages/backupd.7"]).split())
    assert 'U\bUs\bse\be' in shown or 'Use of "\\f"' in shown
    assert ".start is a request of another program, 'like this one." in shown


DATES = {
    "March 1997": "1997-03-01", "3 June 2022": "2022-06-03", "Sept. 6, 2022": "2022-09-06",
    "09/16/2023": "2023-09-16", "16/09/2023": "16/09/2023", "31 June 2022": "31 June 2022",
    "": "2023-11-14",
}  # fmt: skip


@pytest.mark.parametrize("stated", DATES)
def test_mandoc_reads_the_date_of_a_page(stated: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    date = f":Date: {stated}\n" if stated else ""
    Path("lid.rst").write_text(f"Lid\n===\n{date}\nCovers pots.\n")
    assert main(["export", "--format", "man", "lid.rst", "-o", "pages"]) == 0
    assert f'.TH "LID" "7" "{DATES[stated]}" ""\n' in Path("pages/lid.7").read_text()


def test_the_folder_of_a_text_is_not_in_its_xml() -> None:
    Path("private").mkdir()
    Path("private/lid.md").write_text("# Lid\n\nCovers pots.\n")
    assert main(["export", "--format", "xml", "private/lid.md", "-o", "out"]) == 0
    assert '<document source="lid.md" ' in Path("out/lid.xml").read_text()


def run(words: list[str]) -> str:
    """What the program of the command line `words` prints."""
    return subprocess.run(words, capture_output=True, check=False, text=True).stdout


def test_odt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "somebody")
    with zipfile.ZipFile(io.BytesIO(written("odt"))) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert parts["mimetype"] == b"application/vnd.oasis.opendocument.text"
    assert b"somebody" not in b"".join(parts.values())
    assert b"date" not in parts["meta.xml"]
    words = " ".join(ElementTree.fromstring(parts["content.xml"]).itertext())
    assert "kelvin" in words
    assert "1 Heating" in words


def test_latex() -> None:
    text = written("latex").decode()
    assert r"\tableofcontents" in text
    assert r"\label{section-2}" in text
    assert "heat 95" in text


ODD_CHARACTERS = """\
Arrow → here
============

Greek αβγ, a tick ✓, “quotes” – a dash, 100 € and 漢.

There are --two-hyphens for efficient traffic.

::

   ┌───┐  # % & ~ ^ { } $ _
   └───┘
   @WIDE@

`Back <Arrow → here_>`__.
"""


@pytest.mark.slow
def test_tex_makes_a_pdf_with_its_own_fonts() -> None:
    xelatex = shutil.which("xelatex")  # 500 MB, so that it is no program that all tests need
    if xelatex is None:
        pytest.skip("the program xelatex is not here")
    wide = "a;" * 1500  # wider than TeX can measure
    Path("odd.rst").write_text(ODD_CHARACTERS.replace("@WIDE@", wide), "utf-8")
    assert main(["export", "-q", "--format", "latex", "odd.rst", "-o", "."]) == 0
    text = Path("odd.tex").read_text("utf-8")
    Path("bare.tex").write_text(text.replace("DejaVu", "No Such"), "utf-8")
    for name in ("odd", "bare"):
        for _ in range(2):
            run([xelatex, "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"])
        assert "Missing character" not in Path(f"{name}.log").read_text("utf-8", "replace")
        words = run([need("pdftotext"), "-layout", f"{name}.pdf", "-"])
        assert "".join(words.split()).count("a;") == 1500
        parts = ("“quotes” – a dash, 100 €", "--two-hyphens for efficient traffic")
        for part in (*parts, "# % & ~ ^ { } $ _"):
            assert part in words
        assert ("┌───┐" if name == "odd" else "[U+250C][U+2500]") in words
        title = run([need("pdfinfo"), f"{name}.pdf"])
        assert "Arrow → here" in title


@pytest.mark.slow
def test_pdf_has_words_links_and_bookmarks() -> None:
    need("chromium")
    content = written("pdf")
    assert b"/Outlines" in content
    assert b"/Dest" in content
    assert b"file://" not in content
    words = run([need("pdftotext"), "-layout", "pdf/configuration.pdf", "-"])
    for part in ("Configuration Manual", "Heating", "Mind <degrees> & \"_\"", "kelvin"):
        assert part in words


def test_pdf_without_chromium_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["export", "--format", "pdf", "texts", "-o", "out"]) == 2
    assert "PDF needs Chromium, which is not installed" in capsys.readouterr().err


def test_markdown() -> None:
    text = written("markdown").decode()
    assert text.startswith("# HAProxy Configuration Manual\n\n- Version: 1.2\n")
    assert "See section [2](#2-pouring) and section [1.1](management.md#11-boil)" in text
    everything = ROOT / "tests" / "golden" / "everything.txt"
    assert main(["export", "-q", "--format", "markdown", str(everything), "-o", "out"]) == 0
    text = Path("out/everything.md").read_text()
    for part in (
        "\n- `-f <file>`: reads the file, or all the files of the folder\n- `-q`: says nothing\n",
        "\n| Before | After |\n| ------ | ----- |\n| a b    | a b   |\n",
        "\n```console\n$ relay -f letters.txt\n",
        "\n> **Note:** the letters are kept in memory, so that they are lost when the power is.\n",
    ):
        assert part in text


@pytest.mark.parametrize(("form", "lines"), [
    ("markdown", "lampd *start*\\\n**lampd** stop\\\nlampd"),
    ("rst", "| lampd *start*\n| **lampd** stop\n| lampd"),
    ("man", ".nf\nlampd \\fIstart\\fP\n\\fBlampd\\fP stop\nlampd\n.fi"),
    ("vim", "lampd start\nlampd stop\nlampd"),
    ("info", "lampd start\nlampd stop\nlampd"),
])
def test_lines_of_a_paragraph_stay_apart(form: str, lines: str, tmp_path: Path) -> None:
    text = tmp_path / "lamp.md"
    text.write_text("# Lamp\n\n## Use\n\nlampd *start*\\\n**lampd** stop\\\nlampd\n")
    assert main(["export", "-q", "--format", form, "-o", str(tmp_path / "out"), str(text)]) == 0
    [file] = (tmp_path / "out").iterdir()
    assert lines in file.read_text()


def test_html5() -> None:
    page = written("html5").decode()
    html5lib.HTMLParser(strict=False).parse(page)
    assert 'href="#section-2"' in page
    assert 'href="management.html#section-1-1"' in page


def test_several_releases_have_folders() -> None:
    Path("old").mkdir()
    Path("old/configuration.txt").write_text(KETTLE.replace("1.2", "1.1"))
    assert main(["export", "-q", "--format", "rst", "texts", "old", "-o", "out"]) == 0
    assert sorted(path.as_posix() for path in Path("out").rglob("*.rst")) == [
        "out/haproxy-1.1/configuration.rst", "out/haproxy-1.2/configuration.rst",
        "out/haproxy-1.2/management.rst",
    ]  # fmt: skip


def test_strict_tells_findings_by_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    Path("texts/configuration.txt").write_text(KETTLE.replace("section 2", "section 9"))
    command = ["export", "--format", "rst", "texts/configuration.txt", "-o", "out"]
    assert main(command) == 0
    assert "1 warning, 1 note (details: --verbose)" in capsys.readouterr().out
    assert main([*command, "--strict"]) == 1
    assert "[section-reference]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--format", "word", "texts", "-o", "out"], "unknown --format 'word'"),
        (["texts", "-o", "out"], "--format"),
        (["--format", "rst", "texts"], "-o/--output"),
        (["--format", "rst", "gone.txt", "-o", "out"], "gone.txt: no such file"),
        (["--format", "rst", "texts", "-o", "texts/management.txt"], "texts/management.txt"),
    ],
)
def test_misuse(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", *words]) == 2
    message = capsys.readouterr().err
    assert sentence in message
    assert message.count("\n") == 1


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--help"]) == 0
    assert "dconv export --format man configuration.txt -o pages" in capsys.readouterr().out


def test_what_a_writer_warns_of_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def warn(manual: Manual, title: str, elsewhere: object) -> nodes.document:
        made = make_doctree(manual, title)
        made += nodes.paragraph("", "", nodes.raw("", "x", format="html"))
        made += nodes.image(uri="nowhere:x.png")
        return made

    monkeypatch.setattr("dconv.writers.docutils.export.make_doctree", warn)
    manual = read_manual(b"Nothing.\n", "bare.txt", default_product(), "bare")
    (made,) = export([(manual, "")], "odt", "", "")
    diagnostic = made.diagnostics[0]
    assert (diagnostic.level, diagnostic.rule) == ("warning", "export")


def test_other_commands_do_not_import_docutils() -> None:
    program = (
        "import sys, dconv.cli; dconv.cli.main(['dump', 'texts/configuration.txt', '-q']);"
        "sys.exit('docutils' in sys.modules)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, cwd=Path.cwd(),
        env={"PYTHONPATH": str(ROOT)},
    )
    assert completed.returncode == 0, completed.stderr.decode()


def test_write_files_leaves_other_files_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    assert write_files([("a/b.txt", b"1")], folder) == WriteResult(1, 1, 1)
    files = [("a/b.txt", b"1"), ("c.txt", b"22")]
    assert write_files(files, folder) == WriteResult(2, 1, 3)
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.txt"))
    assert paths == ["a/b.txt", "c.txt", "mine.txt"]
    with pytest.raises(SiteError, match="is not a path"):
        write_files([("../x", b"")], folder)
    with pytest.raises(SiteError, match="cannot write"):
        write_files([("mine.txt/x", b"")], folder)
