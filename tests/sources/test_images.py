"""Which images of a folder belong to a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from dconv.cli.commands import main
from dconv.sources.images import images

DOT = b"\x89PNG\r\n\x1a\n and so on"
DRAWING = b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>\n'
TEXT = b"""\
# Pot

A pot ![steams](img/steam.png) on ![fire](fire.svg "Fire"), see ![a lid](lid.png),
![home](../home.png), ![far](https://example.org/far.png), ![evil](evil.svg).
"""


def lay(folder: Path) -> Path:
    (folder / "pots/img").mkdir(parents=True)
    (folder / "pots/pot.md").write_bytes(TEXT)
    (folder / "pots/img/steam.png").write_bytes(DOT)
    (folder / "pots/img/not-named.png").write_bytes(DOT)
    (folder / "pots/fire.svg").write_bytes(DRAWING)
    (folder / "pots/evil.svg").write_bytes(DRAWING.replace(b"/>", b' onload="go()"/>'))
    (folder / "home.png").write_bytes(DOT)
    (folder / "pots/lid.png").write_bytes(b"no image")
    return folder / "pots"


def test_only_images_that_the_text_names_inside_of_its_folder(tmp_path: Path) -> None:
    folder = lay(tmp_path)
    assert dict(images(TEXT, folder)) == {"fire.svg": DRAWING, "img/steam.png": DOT}
    (folder / "away.png").symlink_to(tmp_path / "home.png")
    assert images(b"![x](away.png) ![y](%2e%2e/home.png) ![z](/etc/x.png)", folder) == ()
    (folder / "circle.png").symlink_to("circle.png")
    assert images(b"![x](circle.png)", folder) == ()
    assert dict(images(b"![x](./img/../img/steam.png)", folder)) == {"img/steam.png": DOT}


def test_images_of_other_folders_that_were_given(tmp_path: Path) -> None:
    folder = lay(tmp_path)
    text = b"![x](../home.png) ![y](/pots/img/steam.png) ![z](../pots/fire.svg)"
    assert dict(images(text, folder, tmp_path)) == {
        "_1/home.png": DOT, "_0/pots/img/steam.png": DOT, "_1/pots/fire.svg": DRAWING,
    }
    assert images(text, folder, folder) == (("_1/pots/fire.svg", DRAWING),)
    assert images(b"![x](../../home.png)", folder / "img", folder) == ()


@pytest.mark.parametrize("part", [
    b"<script>go()</script>", b"<svg:script/>", b"<a onclick = 'go()'/>",
    b"<image href='https://example.org/x.png'/>", b"<a href='javascript:go()'/>",
    b"<foreignObject/>",
])  # fmt: skip
def test_drawings_that_do_something_are_left_out(tmp_path: Path, part: bytes) -> None:
    (tmp_path / "x.svg").write_bytes(DRAWING.replace(b"/>", b">" + part + b"</svg>"))
    assert images(b"x.svg", tmp_path) == ()


def test_pages_show_images_and_else_their_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path)
    site = tmp_path / "site"
    assert main(["convert", str(folder / "pot.md"), "-o", str(site), "--verbose"]) == 0
    output = capsys.readouterr()
    finding = "warning: [missing-image] pages show the words for 'lid.png'"
    assert finding in output.out + output.err
    assert main(["check", str(folder / "pot.md")]) == 1
    assert finding in capsys.readouterr().out
    root = site / "manuals"
    text = (root / "pot.html").read_text("utf-8")
    assert '<img src="pot/images/img/steam.png" alt="steams">' in text
    assert '<img src="pot/images/fire.svg" alt="fire">' in text
    assert "see a lid, home, far, evil." in text
    files = {path.name: path.read_bytes() for path in (root / "pot/images").rglob("*.*")}
    assert files == {"steam.png": DOT, "fire.svg": DRAWING}


@pytest.mark.parametrize(("name", "text", "place"), [
    ("pot.html", "<h1>Pot</h1>\n<p>a <img alt=lid src='lid.png'>", "2:24"),
    ("pot.rst", "Pot\n===\n\nText.\n\n.. figure:: lid.png\n", "6:13"),
])
def test_a_missing_image_has_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, place: str
) -> None:
    (tmp_path / name).write_text(text)
    assert main(["check", str(tmp_path / name)]) == 1
    assert f"{name}:{place}: warning: [missing-image]" in capsys.readouterr().out


def test_check_reports_no_image_that_may_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("lid.*", "/img/lid.png", "../lid.png", "data:image/png;base64,AAAA")
    text = "\n\n".join([f".. image:: {name}" for name in names])
    (tmp_path / "pots").mkdir()
    (tmp_path / "lid.png").write_bytes(DOT)
    (tmp_path / "pots" / "pot.rst").write_text(f"Pot\n===\n\n{text}\n")
    assert main(["check", str(tmp_path / "pots" / "pot.rst")]) == 0
    assert "missing-image" not in capsys.readouterr().out


@pytest.mark.parametrize(("name", "text"), [
    ("pot.html", "<h1>Pot</h1>\n<p>a <img alt=lid src='../img/lid.png'> <img src='../no.png'>"),
    ("pot.rst", "Pot\n===\n\n.. image:: ../img/lid.png\n.. image:: ../no.png\n"),
    ("pot.md", "# Pot\n\n![lid](../img/lid.png) ![lid](../no.png)\n"),
])
def test_pages_show_images_of_folders_beside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    folder, site = tmp_path / "given", tmp_path / "site"
    for path in (folder / "pots", folder / "img"):
        path.mkdir(parents=True)
    (folder / "img" / "lid.png").write_bytes(DOT)
    (folder / "pots" / name).write_text(text)
    main(["convert", str(folder / "pots"), str(folder / "img"), "-o", str(site), "--verbose"])
    shown = capsys.readouterr().err
    assert shown.count("[missing-image]") == 1 and "for '../no.png'" in shown
    assert 'src="pot/images/_1/img/lid.png"' in (site / "manuals" / "pot.html").read_text()
    assert (site / "manuals/pot/images/_1/img/lid.png").read_bytes() == DOT
    main(["check", str(folder / "pots")])
    assert capsys.readouterr().out.count("missing-image") == 1
