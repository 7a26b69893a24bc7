"""Own themes: what they override, and what templates may show."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path
from shutil import which
from subprocess import run
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from dconv.cli import main
from dconv.model.origin import Origin
from dconv.settings.colors import TokenColors
from dconv.sources.resources import resource_folder
from dconv.writers.pages import changes, listings, page
from dconv.writers.pages.overview import site_home
from dconv.writers.pages.page import Page, SiteInfo
from dconv.writers.theme.theme import Theme, load
from dconv.writers.theme.theme_folder import ThemeError

SITE_INFO = SiteInfo("Manuals", "dconv test")
README = (resource_folder("themes") / "default" / "README.md").read_text()
def write(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return str(folder)


# --- the example ----------------------------------------------------------------------


def test_the_example_overrides_a_token_a_block_and_a_template(tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    site.write_text(
        '[site]\ntitle = "T"\ntheme = "example"\n[[product]]\nname = "dconv"\nreleases = ["0.1"]\n'
    )
    assert main(["build", "--offline", "--quiet", "--strict", "--site", str(site)]) == 0
    public = tmp_path / "public"
    shown = BeautifulSoup((public / "dconv/0.1/manual/1.1.html").read_text(), "html.parser")
    sheets = [str(tag["href"]) for tag in shown.select("link[rel=stylesheet]")]
    assert [re.sub(r".*/|\.[0-9a-f]{8}", "", href) for href in sheets] == ["styles.css"]
    joined = (public / "dconv/0.1/manual" / sheets[0]).read_bytes()
    example = (resource_folder("themes") / "example/static/example.css").read_bytes()
    assert joined.endswith(example) and b"@layer" in joined
    foot = shown.select_one("footer")
    assert foot is not None
    assert "Made by dconv" in foot.text
    assert "Shown in the example theme." in foot.text
    pager = shown.select(".pager")
    assert [tag.name for tag in pager] == ["p"]
    assert pager[0].text == "Read on: Who it is for"


@pytest.mark.skipif(which("node") is None, reason="there is no node")
def test_scripts_without_comments_and_blanks_are_scripts() -> None:
    for file in load("default").static:
        if file.name.endswith(".js"):
            assert b"// " not in file.content, file.name
            run(["node", "--check", "-"], input=file.content, check=True)


# --- what all pages load --------------------------------------------------------------


def loaded(theme: Theme) -> tuple[list[str], list[str]]:
    """The contents of the sheets and of the scripts that every page loads, in order."""
    files = dict(theme.files())
    styles, scripts = (
        [files[path].decode() for path in paths] for paths in (theme.styles, theme.scripts)
    )
    return styles, scripts


def test_all_pages_load_one_sheet_and_one_script(tmp_path: Path) -> None:
    colors = (TokenColors("link", "#111111", "#eeeeee"),)
    own_theme = load(write(tmp_path / "own", {
        "theme.toml": 'styles = ["style.css", "a.css", "b.css"]\n'
        'scripts = ["a.js", "search.js", "b.js"]',
        "static/a.css": 'a::after { content: "{" } /* { */', "static/b.css": "b{}",
        "static/a.js": '"use strict"\nvar a = []', "static/b.js": "(a)",
    }), colors=colors)
    [style], [script] = loaded(own_theme)
    assert style.startswith(own_theme.content("style.css").decode())
    parts = [style.index(part) for part in ("a::after", "b{}", "#111111")]
    assert parts == sorted(parts)
    assert script.startswith(';"use strict"\nvar a = []\n;(function')
    assert script.endswith("\n;(a)\n")
    assert own_theme.content("search.js").decode() in script


def test_one_sheet_alone_keeps_its_name() -> None:
    default = load("default")
    assert [path.split(".")[0] for path in default.styles] == ["static/style"]


def test_sheets_stay_apart_that_would_not_work_joined(tmp_path: Path) -> None:
    own_theme = load(write(tmp_path / "own", {
        "theme.toml": 'styles = ["a.css", "b.css", "c.css", "d.css"]',
        "static/a.css": "a{}", "static/b.css": '@import "/x.css";\nb{}',
        "static/c.css": "c{", "static/d.css": "d{}",
    }))
    assert loaded(own_theme)[0] == ["a{}", '@import "/x.css";\nb{}\nc{', "d{}"]


def test_a_small_icon_needs_no_request(tmp_path: Path) -> None:
    def icon(content: str) -> str:
        own_theme = load(write(tmp_path / "own", {"static/icon.svg": content}))
        shown = BeautifulSoup(own_theme.render(site_home(SITE_INFO, [])), "html.parser")
        return str(shown.select("link[rel=icon]")[0]["href"])

    small = '<svg xmlns="http://www.w3.org/2000/svg"><!-- 100 % \u00e9 #1 --></svg>'
    head, _, data = icon(small).partition(",")
    assert (head, unquote(data)) == ("data:image/svg+xml", small)
    assert re.fullmatch(r"static/icon\.[0-9a-f]{8}\.svg", icon(small + " " * 1000))


def test_odd_names_of_files_are_quoted_in_addresses(tmp_path: Path) -> None:
    own_theme = load(write(tmp_path / "own", {
        "theme.toml": 'styles = ["style.css", "a?.css", "no.css"]', "static/b #1 %.png": "",
        "static/a?.css": '@import "x.css";', "static/no.css": '@import "y.css";',
        "templates/site.html.jinja2": "{{ asset('b #1 %.png') }}\n{{ styles | join('\n') }}",
    }))
    shown = own_theme.render(site_home(SITE_INFO, [])).decode().split("\n")
    assert re.fullmatch(r"static/b%20%231%20%25\.[0-9a-f]{8}\.png", shown[0])
    assert re.match(r"static/a%3F\.", shown[2])
    paths = [path for path, _ in own_theme.files()]
    assert [unquote(address) in paths for address in shown] == [True] * len(shown)


@pytest.mark.parametrize("name", [".", ".."])
def test_a_folder_by_its_relative_name_is_no_theme_of_ours(tmp_path: Path, name: str) -> None:
    (tmp_path / "inner").mkdir()
    with pytest.raises(ThemeError, match="has no templates, static or theme"):
        load(name, tmp_path / "inner")
    folder = tmp_path / "inner" / name
    write(folder, {"templates/site.html.jinja2": "own"})
    assert load(name, tmp_path / "inner").render(site_home(SITE_INFO, [])) == b"own"


# --- mistakes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "remedy"),
    [
        ('style = ["a.css"]', "did you mean 'styles'?"),
        ("x = 1", "known are 'title', 'styles', 'scripts'"),
    ],
)
def test_an_unknown_key_is_refused(tmp_path: Path, content: str, remedy: str) -> None:
    name = write(tmp_path / "own", {"theme.toml": content})
    with pytest.raises(ThemeError) as caught:
        load(name)
    key = content.partition(" ")[0]
    problem = f"{name}/theme.toml:1: the file has an unknown key '{key}'; {remedy}"
    assert str(caught.value).startswith(problem)


def test_a_template_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    name = write(tmp_path / "own", {"theme.toml": ""})
    template = tmp_path / "own/templates/pager.html.jinja2"
    template.parent.mkdir()
    template.write_bytes("<p>\n<p>Grüße".encode("latin-1"))
    with pytest.raises(ThemeError) as caught:
        load(name)
    assert str(caught.value) == f"{template}:2: the template is not UTF-8 text; save it as UTF-8"


# --- what templates may show ----------------------------------------------------------


def test_the_readme_documents_exactly_the_variables_of_a_page() -> None:
    table = README.partition("## Variables")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`page\.(\w+)`", row)]
    assert sorted(named) == sorted(field.name for field in dataclasses.fields(Page))


@pytest.mark.parametrize(
    "value",
    [
        listings.Link, listings.DocumentCard, listings.ReleaseCard, listings.ReleaseRow,
        listings.ProductCard, listings.Change,
        listings.News, listings.IndexRow, listings.LetterGroup, page.Counterpart, page.Banner,
        page.SourceLines, page.SearchScope, page.StaticImage, Origin,
        changes.Segment, changes.Difference, changes.Group, changes.Changes,
    ],
)
def test_the_readme_documents_the_parts_of_values(value: type) -> None:
    fields = {name for name in vars(value) if isinstance(vars(value)[name], property)}
    fields |= set(value.__dataclass_fields__)  # type: ignore[attr-defined]
    for name in fields:
        assert f"`.{name}`" in README, (value.__name__, name)


def test_templates_use_only_what_is_documented() -> None:
    documented = set(re.findall(r"`\.(\w+)`", README)) | {
        field.name for field in dataclasses.fields(Page)
    }
    loops = {"first", "last", "index", "format", "rstrip"}  # of Jinja2's loops and of texts
    for path in (resource_folder("themes") / "default" / "templates").iterdir():
        text = re.sub(r'"[^"]*"|\'[^\']*\'', '""', " ".join(
            re.findall(r"\{[{%](.*?)[%}]\}", path.read_text(), re.DOTALL)
        ))
        for name in re.findall(r"[\w)\]]\.(\w+)", text):
            assert name in documented | loops, (path.name, name)


def test_an_own_theme_may_use_all_of_a_page(tmp_path: Path) -> None:
    text = "".join(f"{{{{ page.{field.name} }}}}" for field in dataclasses.fields(Page))
    own_theme = load(write(tmp_path / "own", {"templates/site.html.jinja2": text}))
    assert "Manuals" in own_theme.render(site_home(SITE_INFO, [])).decode()


# --- what a theme cannot reach --------------------------------------------------------

SECRET = "the secret of the kettle"
# what a template may try to read a file that lies beside the theme
READING = (
    "{% include '../../secret.txt' %}",
    "{% include '@BASE@/secret.txt' %}",
    "{% include 'default/../../../../../../..@BASE@/secret.txt' %}",
    "{% import '..\\..\\secret.txt' as stolen %}",
    "{% extends '../secret.txt' %}",
    "{{ asset('../../secret.txt') }}",
    "{{ embedded('@BASE@/secret.txt') }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ cycler.__init__.__globals__.os.popen('cat @BASE@/secret.txt').read() }}",
    "{{ asset.__globals__ }}",
    "{{ '%s' | format(page) | attr('__class__') }}",
    "{{ '{0.__class__}'.format(page) }}",
    "{{ page.site.__init__.__globals__['__builtins__']['open']('@BASE@/secret.txt').read() }}",
    "{{ self.__init__.__globals__ }}",
    "{{ lipsum.__globals__['os'].environ }}",
)


@pytest.mark.parametrize("template", READING)
def test_a_template_reads_nothing_outside_its_folder(template: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(SECRET)
    name = write(tmp_path / "own", {
        "templates/site.html.jinja2": template.replace("@BASE@", str(tmp_path)),
        "static/own.css": "p {}",
    })
    with pytest.raises(ThemeError) as caught:
        load(name).render(site_home(SITE_INFO, []))
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("link", [
    "static/stolen.css", "templates/site.html.jinja2", "theme.toml", "static", "templates",
    "static/folder", "templates/.hidden",
])  # fmt: skip
def test_a_link_that_leads_out_of_a_theme_is_refused(link: str, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/secret.txt").write_text(SECRET)
    name = write(tmp_path / "own", {} if link == "static" else {"static/own.css": "p {}"})
    place = tmp_path / "own" / link
    place.parent.mkdir(parents=True, exist_ok=True)
    is_folder = "." not in link
    place.symlink_to(tmp_path / ("secret" if is_folder else "secret/secret.txt"))
    with pytest.raises(ThemeError, match="this link points outside the theme; replace it"):
        load(name)


def test_links_within_a_theme_are_followed(tmp_path: Path) -> None:
    name = write(tmp_path / "own", {"static/own.css": "p {}", "theme.toml": 'styles = ["b.css"]'})
    (tmp_path / "own/static/b.css").symlink_to("own.css")
    (tmp_path / "linked").symlink_to(name)
    assert load(str(tmp_path / "linked")).content("b.css") == b"p {}"


# --- compiled templates ---------------------------------------------------------------


def test_compiled_templates_of_the_default_theme_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dconv.writers.theme.theme.COMPILED_FOLDER", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load("default").environment.get_template("index.html.jinja2")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    load("default").environment.get_template("index.html.jinja2")
    compiled = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert compiled
    load("default").environment.get_template("index.html.jinja2")
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == compiled


def test_compiled_templates_need_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "missing"
    monkeypatch.setattr("dconv.writers.theme.theme.COMPILED_FOLDER", str(folder))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    load("default").environment.get_template("index.html.jinja2")
    assert not folder.exists()
