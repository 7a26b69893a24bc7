"""Titles of other texts that references of reStructuredText show, as Sphinx shows them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from dconv.cli import main
from dconv.readers.rst.titles import references, titles
from dconv.sources.sphinx_settings import matches

HOME = """\
Lamps
=====

Read :ref:`Trimming`, :ref:`the wick <trimming>`, :ref:`lost`, :doc:`care/oil`
and :doc:`/care/wick`, or the :ref:`search`.

.. toctree::
   :maxdepth: 1

   care/wick
   Oil for lamps <care/oil>
   lost
"""
WICK = """\
.. _wick:

============
 The *wick*
============

.. _trimming:
.. index:: knife

Trimming ``wicks``
------------------

See :doc:`oil`.
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of three texts, where one works."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for file, text in {
        "conf.py": "", "index.rst": HOME, "care/wick.rst": WICK, "care/oil.rst": "Oil\n===\n\nx\n",
    }.items():
        path = tmp_path / "lamps" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "lamps"


def shown(folder: Path, name: str) -> str:
    """The words of the page `name` of the site of `folder`."""
    assert main(["convert", "-q", str(folder), "-o", "public"]) == 0
    page = Path("public", "manuals", name).read_text()
    return " ".join(re.sub("<[^>]*>", "", page.partition("<main")[2]).split())


def test_a_reference_shows_the_title_of_its_section_or_document(folder: Path) -> None:
    assert (
        "Read Trimming wicks, the wick, lost, Oil and The wick, or the Search Page."
        " The wick Oil for lamps lost"
    ) in shown(folder, "index-text.html")
    assert "See Oil." in shown(folder, "wick.html")


def test_a_changed_title_changes_the_pages_that_show_it(folder: Path) -> None:
    shown(folder, "index-text.html")
    (folder / "care" / "wick.rst").write_text(WICK.replace("Trimming", "Cutting"))
    assert "Read Cutting wicks, the wick" in shown(folder, "index-text.html")


def test_dump_and_diff_read_the_same_titles(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "care" / "index.rst").write_text("Care\n====\n\nSee :ref:`wick`.\n")
    main(["dump", str(folder / "care" / "index.rst"), str(folder / "care" / "wick.rst")])
    assert "See *The wick*(wick#)." in capsys.readouterr().out
    subprocess.run(["cp", "-r", folder, "old"], check=True)
    (folder / "care" / "wick.rst").write_text(WICK.replace("Trimming", "Cutting"))
    main(["diff", "old", str(folder)])
    assert "Read [-Trimming-] {+Cutting+} wicks, the wick" in capsys.readouterr().out


def test_titles_are_those_below_labels() -> None:
    title, labels = titles(
        b".. _A Lamp:\n\n.. a remark\n\n+++++++++\n The lamp\n+++++++++\n\n.. _wick:\n"
        b".. _`b\\:c`:\n\n++++\nWick\n++++\n\n.. _note:\n\n.. note:: x\n\nOil\n---\n\n"
        b".. _site: https://example.org\n\nx\n--\n\n"
        b".. _text:\n\nText.\n\nNo\n-\n"
    )
    assert title == "The lamp"
    assert labels == {"a-lamp": "The lamp", "wick": "Wick", "b-c": "Wick"}


def test_titles_are_captions_too(folder: Path) -> None:
    text = (
        ".. _lamp:\n.. figure:: lamp.png\n   :alt: A lamp\n   :name: light\n\n   The *lamp*\n"
        "   burns.\n\n   More.\n\n.. list-table:: Oils\n   :name: oils\n\n   * - x\n\n"
        ".. table:: Lamps\n\n   == ==\n   a  b\n   == ==\n\n.. code-block:: sh\n   :name: trim\n"
        "   :caption: Trim it\n\n   trim\n\n"
        ".. _bare:\n.. figure:: bare.png\n\nEnd\n---\n"
    )
    assert titles(text.encode())[1] == {
        "lamp": "The *lamp* burns.", "light": "The *lamp* burns.", "oils": "Oils", "trim": "Trim it"
    }
    own = ":ref:`lamp` :ref:`oils` :ref:`bare`"
    (folder / "care" / "oil.rst").write_text(f"Oil\n===\n\n{text}\n{own}\n")
    wick = "Wick\n====\n\n:ref:`light`, :ref:`bare`, :numref:`oils`.\n"
    (folder / "care" / "wick.rst").write_text(wick)
    assert "The lamp burns., bare, Oils." in shown(folder, "wick.html")
    assert "The lamp burns. Oils bare" in shown(folder, "oil.html")


def test_references_are_those_to_labels_and_documents() -> None:
    text = (
        b":ref:`a\n b` :ref:`t <c>` :numref:`d` ``:x:`e` ``\n\n* x\n\n"
        b"  .. toctree::\n     :glob:\n\n     f\n\n  g\n\n"
        b".. toctree::\n\n\th\n   i"
    )
    assert [place for place in references(text) if place[1] and place[1][0] != ":"] == [
        ("label", "a b"), ("titled label", "c"), ("label", "d"), ("listed documents", "f"),
        ("document", "f"), ("document", "h"), ("document", "i"),
    ]


def test_an_included_file_is_named(folder: Path) -> None:
    (folder / "care" / "oil.rst").write_text(
        ".. include:: names.inc\n\nOil\n===\n\nFirst.\n\n.. include:: wick.rst\n\n"
        ".. literalinclude:: /lamp.conf\n   :language: ini\n\n.. include:: ../mind.rst\n\nLast.\n"
    )
    (folder / "mind.rst").write_text("Mind the flame.\n")
    assert (
        "First. In another file The wick In another file /lamp.conf"
        " In another file mind Last."
    ) in shown(folder, "oil.html")
    page = Path("public", "manuals", "oil.html").read_text()
    assert '<a href="wick.html">The wick</a>' in page and "<code>/lamp.conf</code>" in page
    assert "names.inc" not in page


def listed(page: str) -> list[str]:
    """The titles in the list of documents on `page` of the site."""
    links = Path("public", page).read_text().partition('<section class="documents')[2]
    return re.findall(r'<li><a href="[^"]*">([^<]*)</a>', links.partition("</section>")[0])


def test_documents_are_in_the_order_of_tables_of_contents(folder: Path) -> None:
    (folder / "apart.rst").write_text("Apart\n=====\n\nx\n")
    shown(folder, "wick.html")
    assert listed("index.html") == ["Lamps", "The wick", "Oil", "Apart"]


def test_a_table_of_contents_lists_documents_by_patterns(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "\n   ".join(["", ":glob:", "", "wick", "Fuel <more/oil>", "*", "**/[!w]*", "lost"])
    toctree = f"Care\n====\n\n.. toctree::{lines}\n"
    for file, text in {
        "care/index.rst": toctree, "care/more/gas.rst": "Gas\n===\n\nx\n",
        "care/more/oil.rst": "Oils\n====\n\nx\n", "care/lid.md": "# Lid C# ##\r\n\nx\n",
    }.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    (folder / "index.rst").write_text(".. toctree::\n\n   care/index\n")
    assert "The wick Fuel Lid C# Oil Gas" in shown(folder, "index-text.html")
    assert listed("index.html") == [
        "index-text-2", "Care", "The wick", "Oils", "Lid C#", "Oil", "Gas"
    ]
    assert main(["check", str(folder)]) == 0
    assert "care/index.rst:11:4: note: [missing-document] lost" in capsys.readouterr().out


def test_patterns_are_of_names_and_folders() -> None:
    assert matches("a/b/c.rst", "a/**/?.rst") and matches("a/c.rst", "a/**/c.*")
    assert not matches("a/b/c.rst", "a/*") and not matches("a", "a/b")
    assert not matches("/a/b", "/" + "**/" * 2000 + "c")


CONF = """\
import lamps
project = "Lamp"
version = release = "2.1"
release = version + "rc"
exclude_patterns = ["old/*", "**/part.rst", ".*"]
rst_prolog = """ + '"""' + """
.. |oil| replace:: Whale oil |version|
.. note:: Old.
""" + '"""' + """
rst_epilog = ".. _wiki: https://lamp.example.org/"
"""


def test_conf_py_says_what_texts_may_use_and_which_there_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, text in {
        "conf.py": CONF, "index.rst": "|oil|\n=====\n\n|oil|, wiki_, |release|.\n",
        "old/lamp.rst": "x\n", "care/part.rst": "x\n", "requirements.txt": "x\n",
        "care/oil.rst": "Oil\n===\n\n.. |version| replace:: V\n\n|Version|, :doc:`/index`\n",
    }.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    page = shown(folder, "index-text.html")
    assert "Whale oil 2.1 Lamp 2.1 Whale oil 2.1, wiki, |release|." in page
    assert capsys.readouterr().err == (
        f"dconv: {folder}: left out requirements.txt, care/part.rst, old/lamp.rst, which conf.py"
        " excludes; name a file to read it\n"
    )
    assert "V, Whale oil 2.1" in shown(folder, "oil.html")
    assert main(["dump", str(folder / "index.rst")]) == 0
    assert "Whale oil 2.1, [https://lamp.example.org/]" in capsys.readouterr().out
    Path(folder, "conf.py").write_text("exclude_patterns = ['**']")
    assert main(["convert", str(folder), "-o", "public"]) == 2
    assert capsys.readouterr().err.endswith(": conf.py excludes all texts\n")
