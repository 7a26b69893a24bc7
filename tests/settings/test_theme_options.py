"""The theme options of `site.toml`: logo, links, a footer, colours."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from dconv.cli import main
from dconv.settings import colors
from dconv.settings.colors import TokenColors
from dconv.settings.manual import load_product
from dconv.settings.site import load_site
from dconv.settings.toml import SettingsError
from dconv.settings.types import Logo, SiteLink, ThemeOptions
from dconv.sources.resources import resource_folder
from dconv.writers.theme import contrast

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30.4"><path d="M0 0h9v9z"/></svg>'
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 64, 32, 8, 6, 0, 0, 0)
SITE = """
[site]
title = "Lamps"
logo = "images/lamp.svg"
footer = "By <b>people</b> & others"
links = [
  { title = "Shop", href = "https://shop.example.org/?a=1&b=2" },
  { title = "Mail", href = "mailto:lamp@example.org" },
]
[site.colors]
link = { light = "#7a2a86", dark = "rgb(223 160 234 / .9)" }
bar = "#7a2a86"
[[product]]
name = "dconv"
releases = ["0.1"]
"""


def write(folder: Path, text: str = SITE, logo: bytes = SVG.encode()) -> Path:
    (folder / "images").mkdir(exist_ok=True)
    (folder / "images" / "lamp.svg").write_bytes(logo)
    (folder / "site.toml").write_text(text)
    return folder / "site.toml"


def options_of(folder: Path, text: str = SITE, logo: bytes = SVG.encode()) -> ThemeOptions:
    product = load_product(resource_folder("manuals") / "dconv")
    return load_site(write(folder, text, logo), (product,)).theme_options


def test_theme_options_are_read(tmp_path: Path) -> None:
    assert options_of(tmp_path) == ThemeOptions(
        Logo("site-logo.svg", SVG.encode(), 90, 30),
        (
            SiteLink("Shop", "https://shop.example.org/?a=1&b=2"),
            SiteLink("Mail", "mailto:lamp@example.org"),
        ),
        "By <b>people</b> & others",
        (
            TokenColors("link", "#7a2a86", "rgb(223 160 234 / .9)"),
            TokenColors("bar", "#7a2a86", "#7a2a86"),
        ),
    )
    assert options_of(tmp_path, logo=PNG).logo == Logo("site-logo.png", PNG, 64, 32)
    assert options_of(tmp_path, re.sub(r"(?s)logo.*?(?=\[\[)", "", SITE)) == ThemeOptions()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("lamp.svg", "none.svg", "[site] has a 'logo' that cannot be read (no such file"),
        ('"images/lamp.svg"', '"images"', "[site] has a 'logo' that cannot be read (is a dir"),
        ("https://shop", "shop", "number 1 has a 'href' that is not an address: 'shop"),
        ("https://shop", "javascript:alert(1)//", "number 1 has a 'href' that is not an address"),
        ("a=1", "<a>", "number 1 has '<' in 'href'; write such a character as %20"),
        ('title = "Mail", ', "", "[[site.links]] number 2 has no key 'title'"),
        ("bar =", '"--bar" =', "[site.colors] has an invalid token '--bar'; write it without"),
        ('"#7a2a86"\n[[', '"red"\n[[', "[site.colors] has no colour at 'bar': 'red'; write it as"),
        ('"#7a2a86"\n[[', '"#7a2a86;}"\n[[', "has no colour at 'bar'"),
        ('"#7a2a86"\n[[', '"#12345"\n[[', "has no colour at 'bar'"),
        ("rgb(223 160 234 / .9)", "url(//host/x)", "has no colour at 'link': 'url(//host/x)'"),
        ("rgb(223 160 234 / .9)", "rgb(0 0 0) } a { x: (0)", "has no colour at 'link'"),
        (', dark = "rgb(223 160 234 / .9)"', "", "[site.colors.link] has no key 'dark'"),
        ("dark =", "night =", "[site.colors.link] has an unknown key 'night'"),
        ('"#7a2a86"\n[[', "3\n[[", "[site.colors] 'bar' must be a quoted string"),
    ],
)  # fmt: skip
def test_mistakes_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in SITE
    with pytest.raises(SettingsError) as caught:
        options_of(tmp_path, SITE.replace(old, new, 1))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "logo",
    [b"GIF89a", b"<svg></svg>", b'<svg viewBox="0 0 0 9">', b'<svg viewBox="0 0 1.1.1 9">', b"",
     PNG[:16]],
)
def test_a_logo_needs_a_size(tmp_path: Path, logo: bytes) -> None:
    with pytest.raises(SettingsError, match="'logo' that is neither PNG nor SVG with a viewBox"):
        options_of(tmp_path, logo=logo)


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null"])
def test_a_logo_is_a_file(name: str, tmp_path: Path) -> None:
    text = SITE.replace("images/lamp.svg", name)
    with pytest.raises(SettingsError, match=f"'logo' that is not a file: {name}"):
        options_of(tmp_path, text)


def test_a_logo_is_small(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="more than 256 kB"):
        options_of(tmp_path, logo=SVG.encode() + b" " * 300_000)


@pytest.mark.parametrize(
    "value",
    ["#fff", "#ffff", "#0b57b0", "#0b57b0aa", "rgb(1, 2, 3)", "rgba(1,2,3,.5)", "rgb(1 2 3 / 50%)",
     "hsl(210deg 50% 40%)", "hsl(210 50% 40%)", "oklch(60% .2 250)", "lab(50% 40 -20)"],
)
def test_colours(value: str) -> None:
    assert colors.COLOR.fullmatch(value)


def test_tokens_are_colours() -> None:
    sheet = (resource_folder("themes") / "default/static/style.css").read_text()
    tokens = colors.token_names([sheet])
    assert {"bg", "fg", "fg2", "link", "bar", "okbg", "c-dir", "shadow"} <= tokens
    assert not {"sans", "mono", "head", "columns"} & tokens


def test_pages_show_the_theme_options(tmp_path: Path) -> None:
    assert main(["build", "--offline", "--quiet", "--site", str(write(tmp_path))]) == 0
    public = tmp_path / "public"
    for path in ("index.html", "404.html", "dconv/0.1/manual/5.2.html"):
        page = BeautifulSoup((public / path).read_text(), "html.parser")
        sheets = [str(tag["href"]) for tag in page.select("link[rel=stylesheet]")]
        assert re.search(r"static/styles\.[0-9a-f]{8}\.css$", sheets[-1])
        joined = (public / "static" / sheets[-1].rpartition("/")[2]).read_text()
        assert joined.endswith(next((public / "static").glob("site-colours.*.css")).read_text())
        image = page.select_one("header img")
        assert image is not None
        assert (image["width"], image["height"], image["alt"]) == ("90", "30", "")
        assert re.search(r"static/site-logo\.[0-9a-f]{8}\.svg$", str(image["src"]))
        links = {tag.text: str(tag["href"]) for tag in page.select("footer nav a")}
        assert links == {
            "Shop": "https://shop.example.org/?a=1&b=2", "Mail": "mailto:lamp@example.org",
        }
        assert "By <b>people</b> & others" in page.select("footer")[0].text
    sheet = next((public / "static").glob("site-colours.*.css")).read_text()
    assert sheet == (
        "@layer tokens {\n"
        ":root { --link: #7a2a86; --bar: #7a2a86; }\n"
        "@media screen {\n@media (prefers-color-scheme: dark) { :root:not([data-theme=light])"
        " { --link: rgb(223 160 234 / .9); --bar: #7a2a86; } }\n"
        ":root[data-theme=dark] { --link: rgb(223 160 234 / .9); --bar: #7a2a86; }\n"
        "}\n}\n"
    )


def test_an_unknown_token_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = write(tmp_path, SITE.replace("link =", "lnik ="))
    assert main(["build", "--offline", "--quiet", "--site", str(site)]) == 2
    printed = capsys.readouterr()
    meant = "[site.colors] has an unknown token 'lnik'; did you mean 'link'?"
    assert printed.err == f"dconv: {site}: {meant}\n"
    assert printed.out == ""  # and nothing was fetched
    site = write(tmp_path, SITE.replace("link =", "zzzzzz ="))
    assert main(["build", "--offline", "--quiet", "--site", str(site)]) == 2
    assert "unknown token 'zzzzzz'; known are 'bar', 'bg', 'c-com'," in capsys.readouterr().err


def test_an_unknown_theme_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["build", "--offline", "--site", str(tmp_path / "site.toml")]
    for theme, printed in (
        ("defalt", "theme defalt: no such folder; did you mean 'default'?"),
        ("wood", "theme wood: no such folder; write its path, or one of default,"),
        ("./own", f"theme {tmp_path}/own: no such folder; write a theme's name or"),
    ):
        site = write(tmp_path, SITE.replace("[site]\n", f"[site]\ntheme = '{theme}'\n"))
        assert main(words) == 2
        out, err = capsys.readouterr()
        assert err.startswith(f"dconv: {site}: [site] 'theme': {printed}")
        assert err.count("\n") == 1
        assert out == ""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "theme.toml").write_text("styles = 'a.css'\n")
    assert main(words) == 2
    assert capsys.readouterr() == (
        "", f"dconv: {tmp_path}/own/theme.toml: the file 'styles' must be a list of quoted "
        'strings, not a string ("a.css")\n',
    )


@pytest.mark.parametrize(
    ("text", "paper", "wanted"),
    [("#fff", "#000000", 21.0), ("#777", "#ffffffff", 4.478),
     ("rgb(119, 119, 119)", "#fff", 4.478), ("rgb(0 0 0 / 0)", "#fff", 1.0),
     ("rgb(100% 100% 100% / 50%)", "#000f", 5.281)],
)
def test_contrast(text: str, paper: str, wanted: float) -> None:
    assert contrast.contrast(text, paper) == pytest.approx(wanted, abs=0.001)


@pytest.mark.parametrize(
    "color", ["oklch(60% .2 250)", "hsl(210 50% 40%)", "", "#12", "rgb(1.2.3 4 5)"]
)
def test_contrast_of_unsupported_colours_is_unknown(color: str) -> None:
    assert contrast.contrast(color, "#fff") is None


def test_a_colour_with_low_contrast_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SITE.replace('link = { light = "#7a2a86", dark = "rgb(223 160 234 / .9)" }',
                        'link = "#7a2a86"')
    site = write(tmp_path, text)
    assert main(["build", "--offline", "--strict", "--quiet", "--site", str(site)]) == 1
    printed = capsys.readouterr().err
    assert f"{site}:1:1: warning: [low-contrast] [site.colors] gives 'link' (#7a2a86)" in printed
    assert "2.1:1 to 'bg' (#12161b) in the dark theme" in printed
    assert printed.count("low-contrast") == 1  # it can be read by day, and `bar` is not text


def test_a_changed_background_is_compared_with_all_text_colours() -> None:
    sheet = (resource_folder("themes") / "default/static/style.css").read_text()
    paper = TokenColors("bg", "#ffffff", "#777777")
    messages = [finding.message for finding in contrast.low_contrast([paper], [sheet])]
    dark = [words for words in messages if "the dark theme" in words]
    assert any("gives 'fg3' (#8c97a5)" in words for words in dark)
    assert not any("light theme" in words for words in messages)
    assert not list(contrast.low_contrast([], [sheet]))
