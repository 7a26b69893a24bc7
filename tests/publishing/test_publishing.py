"""What a publisher relies on: compressed copies, and what a strict build refuses."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dconv.build.output import with_gzip
from dconv.cli import main
from dconv.writers.archive import gzipped

LAMP = """\
                        ------------------------
                          Lamp
                          Reference Manual
                        ------------------------
                             version 1.2

1. Light
--------

Light is made by what section 2 describes, and light is made again, and light is made.


2. Dark
-------

Nothing to say.
"""
SITE = """\
[site]
title = "Lamps"
compress = true

[[product]]
name = "dconv"

[[product.release]]
version = "1.2"
source = { path = "texts" }
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a site.toml and a text, where commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/manual.txt").write_text(LAMP)
    (tmp_path / "site.toml").write_text(SITE)
    return tmp_path


def build(*options: str) -> int:
    return main(["build", "--site", "site.toml", "--offline", *options])


def files(folder: Path) -> dict[str, bytes]:
    """All files below `folder`, by their path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


# --- compressed copies ----------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"a", b"word " * 5000, bytes(range(256)) * 40])
def test_a_copy_is_read_by_others(content: bytes) -> None:
    assert gzip.decompress(gzipped(content)) == content


def test_a_copy_has_no_time_and_no_name() -> None:
    flags, time = gzipped(b"word " * 9)[3], gzipped(b"word")[4:8]
    assert (flags, time) == (0, bytes(4))


def test_only_texts_that_become_smaller_have_copies() -> None:
    contents = [("a.html", b"word " * 50), ("b.txt", b"word"), ("c.png", b"word " * 50)]
    assert list(with_gzip(contents)) == [
        contents[0], ("a.html.gz", gzipped(contents[0][1])), contents[1], contents[2],
    ]


def test_each_page_style_and_script_of_a_site_has_a_copy(site: Path) -> None:
    assert build() == 0
    contents = files(site / "public")
    texts = {path for path in contents if path.endswith((".html", ".css", ".js", ".json"))}
    assert len(texts) > 20
    for path in texts:
        copy = contents.get(f"{path}.gz", b"")
        if not copy:
            assert len(gzipped(contents[path])) >= len(contents[path]), path
            continue
        assert gzip.decompress(copy) == contents[path], path
    copies = {path for path in contents if path.endswith(".gz")}
    assert copies <= {f"{path}.gz" for path in contents}
    assert {"index.html.gz", "404.html.gz", "dconv/1.2/manual/1.html.gz"} <= copies
    # pages, and what they link, do not know of copies
    assert not [path for path, content in contents.items()
                if path.endswith((".html", ".xml", "external-links.txt")) and b".gz" in content]


def test_a_copy_keeps_its_time_while_its_page_does(site: Path) -> None:
    build()
    before = {path: (site / "public" / path).stat().st_mtime_ns for path in files(site / "public")}
    (site / "texts/manual.txt").write_text(LAMP.replace("Nothing", "Something"))
    build()
    after = {path: (site / "public" / path).stat().st_mtime_ns for path in files(site / "public")}
    assert after.keys() == before.keys()
    changed = {path for path in after if after[path] != before[path]}
    assert {"dconv/1.2/manual/2.html", "dconv/1.2/manual/2.html.gz"} <= changed
    assert not {"404.html", "404.html.gz", "index.html.gz"} & changed
    for path in after:
        if f"{path}.gz" in after:
            assert (path in changed) == (f"{path}.gz" in changed), path


def test_copies_are_removed_with_the_setting(site: Path) -> None:
    build()
    with_them = files(site / "public")
    (site / "site.toml").write_text(SITE.replace("compress = true\n", ""))
    build()
    without = files(site / "public")
    assert not [path for path in without if path.endswith(".gz")]
    same = {path: text for path, text in with_them.items() if not path.endswith(".gz")}
    del same[".dconv"], without[".dconv"]  # the list of files
    assert same == without


def test_invalid_compress_is_refused(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "site.toml").write_text(SITE.replace("compress = true", 'compress = "yes"'))
    assert build() == 2
    assert "'compress'" in capsys.readouterr().err


# --- what a strict build refuses ------------------------------------------------------


def own_theme(folder: Path, template: str, content: str) -> None:
    """Let the site of `folder` have a theme of its own with this template."""
    (folder / "theme/templates").mkdir(parents=True)
    (folder / "theme/theme.toml").write_text('title = "Own"\n')
    (folder / f"theme/templates/{template}").write_text(content)
    settings = SITE.replace("compress = true", 'theme = "./theme"')
    (folder / "site.toml").write_text(settings)


def refused(site: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The messages of a strict build that fails and leaves the site unchanged."""
    before = files(site / "public")
    capsys.readouterr()
    assert build("--strict") == 1
    assert files(site / "public") == before
    return capsys.readouterr().err


def test_an_unresolved_reference(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build("--strict") == 0
    (site / "texts/manual.txt").write_text(LAMP.replace("section 2", "section 7"))
    assert "manual.txt:10:31: warning: [section-reference]" in refused(site, capsys)
    with (site / "site.toml").open("a") as file:
        file.write('[[product.accept]]\ndocument = "manual"\nrule = "section-reference"\n')
        file.write('text = "what section 7 describes"\n')
    assert build("--strict") == 0
    # what is accepted is one mistake, not all of its kind
    (site / "texts/manual.txt").write_text(
        LAMP.replace("section 2", "section 7").replace("Nothing", "Section 8 has nothing")
    )
    assert "[section-reference]" in refused(site, capsys)


def test_a_dead_link(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build("--strict") == 0
    own_theme(site, "pager.html.jinja2", '<p><a href="none.html">Read on</a></p>\n')
    assert "error: [dead-link]" in refused(site, capsys)


def test_a_lost_line(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build("--strict") == 0
    own_theme(
        site, "section.html.jinja2",
        '{% extends "base.html.jinja2" %}\n{% block main %}{{ page.heading }}{% endblock %}\n',
    )
    assert "manual.txt:10:1: error: [lost-text]" in refused(site, capsys)
