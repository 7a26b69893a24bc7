"""Packages of a shelf: where their pages are, how they link to each other, what is built again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema
import pytest
from programs import need

from dconv.build import schedule, shelf
from dconv.build.cache import BuildCache
from dconv.build.output import write_site
from dconv.build.render import ReleaseFiles
from dconv.build.results import ResultStore
from dconv.build.schedule import RenderJob, build_site
from dconv.build.shelf import PackageFiles, RenderBatchJob
from dconv.model.origin import Origin
from dconv.proof.linkcheck import LinkCheck
from dconv.settings.manual import default_product
from dconv.settings.types import unlisted_document
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers import inventory
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load

SITE = SiteInfo("Kitchen", "dconv")


def page(name: str, text: str = "", section: str = "8", title: str = "") -> str:
    """A manual page in roff."""
    title = title or name.upper()
    return (
        f'.TH {title} {section} 2024-01-02\n.SH NAME\n{name} \\- works\n.SH DESCRIPTION\n{text}\n'
        f".SH OPTIONS\n.TP\n.B \\-\\-grow\nGrows the {name}.\n"
    )


def package(
    name: str, version: str, texts: dict[str, str],
    other_names: dict[str, tuple[str, ...]] | None = None, group: str = "",
) -> ReleaseTexts:
    """A package of `texts` by the names of their files."""
    return ReleaseTexts(
        name, name, version, "", tuple([
            SourceText(
                content.encode(), f"{name}/{file}", default_product(), unlisted_document(file),
                Origin(file), (other_names or {}).get(file, ()),
            )
            for file, content in texts.items()
        ]), is_shelf=True, group=group,
    )  # fmt: skip


def build(*packages: ReleaseTexts, **options: object) -> dict[str, str]:
    """The texts of the files of a site of `packages`, whose links are all right."""
    check = LinkCheck()
    files = dict(build_site(packages, SITE, load("default"), check=check, **options))  # type: ignore[arg-type]
    assert check.finish() == ()
    return {path: content.decode("utf-8", "replace") for path, content in files.items()}


def links(html: str) -> list[tuple[str, str]]:
    """The addresses and the words of the links in the text of a page, and below it."""
    found = re.findall(r'<a href="([^"]*)"[^>]*>(?:<[^>]*>)*([^<]*)', html.partition("<main")[2])
    return [(href, words) for href, words in found if words]


@pytest.fixture(autouse=True, scope="module")
def mandoc() -> None:
    need("mandoc")


# --- paths ----------------------------------------------------------------------------


def test_pages_have_short_addresses() -> None:
    files = build(
        package("kettle", "2.0", {"kettle.8": page("kettle"), "README.md": "# Kettle\n\nHot.\n"}),
        package("kettle", "1.0", {"kettle.8": page("kettle"), "steam.5": page("steam", "", "5")}),
        package("pot", "1", {"Kettle.8": page("Kettle"), "index.txt": "1. Pots\n-------\n\nA.\n"}),
    )
    pages = {path for path in files if path.endswith(".html")}
    assert pages == {
        "404.html", "index.html", "names/index.html",
        "man/kettle.8.html", "kettle/index.html", "kettle/README.html",
        "kettle/1.0/index.html", "kettle/1.0/kettle.8.html", "kettle/1.0/steam.5.html",
        "pot/index.html", "pot/Kettle.8.html", "pot/index-text.html",
    }
    assert "2.0" in files["kettle/1.0/kettle.8.html"]
    assert "kettle/1.0" not in files["names/index.html"]  # it has names of the latest releases


def test_a_package_has_no_folder_of_the_site() -> None:
    described = ReleaseTexts("pot", "Pots", "1.0", "", package("pot", "1.0", {
        "pot.txt": "1. Pots\n-------\n\nText.\n",
    }).texts)
    names = ("man", "pot", "redirects", "static")
    files = build(described, *[package(name, "1", {"a.md": "# A\n"}) for name in names])
    assert {"pot/1.0/pot/index.html", *[f"{name}-2/a.html" for name in names]} <= {*files}


def test_a_long_document_has_a_page_for_each_section() -> None:
    words = "word " * 200 + "\n\n"
    text = f"Guide\n=====\n\nStart\n-----\n\n{words * 40}\nEnd\n---\n\n{words * 40}"
    files = build(package("pot", "1", {
        "guide.rst": text, "note.rst": "Note\n====\n\nSee `the end <guide.rst#end>`_.\n",
        "pot.8": page("pot", words * 80),
    }))
    assert {"pot/guide/index.html", "pot/guide/End.html", "man/pot.8.html"} <= {*files}
    assert '<a href="guide/End.html">the end</a>' in files["pot/note.html"]
    assert "pot/pot.8/index.html" not in files


# --- links ----------------------------------------------------------------------------


def test_pages_of_other_packages_are_linked() -> None:
    files = build(
        package("kettle", "2.0", {
            "kettle.8": page("kettle", "See pot(8), lid(5), Mail(1), mail(1), enc(1), none(8)."),
        }),
        package("pot", "1", {
            "pot.8": page("pot", "See kettle(8)."), "cover.5": page("cover", "", "5"),
        }, {"cover.5": ("lid.5",)}),
        package("post", "1", {
            "mail.1": page("mail", "", "1"), "Mail.1": page("Mail", "", "1"),
            "enc.1ssl": page("enc", "", "1ssl"),
        }),
    )
    shown = {words: href for href, words in links(files["man/kettle.8.html"])}
    assert shown["pot(8)"] == "pot.8.html"
    assert shown["lid(5)"] == "cover.5.html"
    assert shown["mail(1)"] == "mail.1.html"
    assert shown["Mail(1)"] == "../post/Mail.1.html"
    assert shown["enc(1)"] == "enc.1ssl.html"
    assert "none(8)" not in shown
    assert "cover.5.html" in files["man/lid.5.html"]


def test_the_own_package_comes_first() -> None:
    pages = {"user.8": page("user", "See tool(8)."), "tool.8": page("tool")}
    files = build(
        package("one", "2", pages), package("one", "1", pages), package("two", "1", pages)
    )
    assert ("tool.8.html", "tool(8)") in links(files["man/user.8.html"])
    assert ("tool.8.html", "tool(8)") in links(files["one/1/user.8.html"])
    assert ("tool.8.html", "tool(8)") in links(files["two/user.8.html"])


def test_a_page_tells_who_names_it() -> None:
    files = build(
        package("kettle", "2", {"kettle.8": page("kettle", "See pot(8).")}),
        package("kettle", "1", {"kettle.8": page("kettle", "See pot(8) and steam(8)."),
                                "steam.8": page("steam")}),
        package("pot", "1", {"pot.8": page("pot"), "note.md": "# Note\n\nSee pot(8).\n"}),
    )
    shown = [href for href, _ in links(files["man/pot.8.html"])]
    assert "kettle.8.html" in shown and "../pot/note.html" in shown
    assert not [href for href in shown if "kettle/1" in href]
    assert ("kettle.8.html", "kettle(8)") in links(files["kettle/1/steam.8.html"])


def test_names_of_a_document_mean_its_own() -> None:
    """Each page has its own `--grow`, also where the other's is in the same part."""
    pages = {f"{name}.8": page(name, "Use \\fB--grow\\fR here.") for name in ("one", "two")}
    files = build(package("pot", "1", pages))
    for name in ("one", "two"):
        assert ("#option.--grow", "--grow") in links(files[f"man/{name}.8.html"])


def test_labels_and_files_are_linked_in_the_package() -> None:
    texts = {
        "one.rst": "One\n===\n\n.. _here:\n\nStart\n-----\n\nText.\n",
        "two.rst": "Two\n===\n\nSee :ref:`here`, `one <one.rst>`_,\n"
        "`its page <one.html>`_, `its start <one.html#here>`_ and :ref:`nowhere`.\n",
    }
    found: list[PackageFiles] = []
    files = build(package("a", "1", texts), package("b", "1", texts), on_shelf=found.extend)
    for folder in "ab":
        shown = links(files[f"{folder}/two.html"])
        assert {
            ("one.html#Start", "here"), ("one.html", "one"), ("one.html", "its page"),
            ("one.html#Start", "its start"),
        } <= {*shown}
    assert [finding.rule for one in found for finding in one.diagnostics] == ["link-target"] * 2


def test_a_title_that_the_first_section_repeats_is_shown_once() -> None:
    option = ".. option:: --grow\n\n   Grows.\n"
    found: list[PackageFiles] = []
    files = build(package("a", "1", {
        "pot.rst": f".. _home:\n\nPot\n===\n\n{option}\nLid\n---\n\nText.\n",
        "lid.md": "# Lid\n\nText.\n\n# Pot\n\n## Handle\n\nText.\n",
        "oil.md": "Words before.\n\n# Oil\n\nText.\n\n# Pot\n\nText.\n",
    }), on_shelf=found.extend)
    headings = {
        name: re.findall(r'<(h\d(?: id="\w+")?).*?>([^<>]+)<', files[f"a/{name}.html"])
        for name in ("pot", "lid", "oil")
    }
    assert headings == {
        "pot": [('h1 id="Pot"', "Pot"), ("h2", "--grow"), ('h2 id="Lid"', "Lid")],
        "lid": [('h1 id="Lid"', "Lid"), ('h2 id="Pot"', "Pot"), ('h3 id="Handle"', "Handle")],
        "oil": [("h1", "Oil"), ('h2 id="Oil"', "Oil"), ('h2 id="Pot"', "Pot")],
    }
    assert [proof.losses for one in found for proof in one.proofs] == [()] * 3


# --- files of the shelf ---------------------------------------------------------------


def test_the_shelf_has_one_proof_one_list_of_names_and_one_inventory() -> None:
    found: list[PackageFiles] = []
    files = build(
        package("kettle", "2", {"kettle.8": page("kettle")}),
        package("pot", "1", {"pot.8": page("pot")}), on_shelf=found.extend,
    )
    proofs = json.loads(files["proof.json"])["documents"]
    assert [(proof["package"], proof["document"]) for proof in proofs] == [
        ("kettle", "kettle.8"), ("pot", "pot.8"),
    ]
    assert all(proof["words"]["total"] == proof["words"]["accounted"] > 5 for proof in proofs)
    listed = json.loads(files["keywords.json"])
    schema = Path(inventory.__file__).with_name("keywords.schema.json")
    jsonschema.validate(listed, json.loads(schema.read_text()))
    keywords = listed["keywords"]
    assert [(name["name"], name["package"], name["url"]) for name in keywords] == [
        ("--grow", "kettle", "man/kettle.8.html#option.--grow"),
        ("--grow", "pot", "man/pot.8.html#option.--grow"),
    ]
    assert files["objects.inv"].startswith("# Sphinx inventory version 2\n# Project: Kitchen\n")
    assert [len(one.proofs) for one in found] == [1, 1]


# --- jobs and cache -------------------------------------------------------------------


def many() -> list[ReleaseTexts]:
    """Packages in several parts that link to each other in a ring."""
    return [
        package(f"p{number}", "1", {
            f"page{number}{letter}.8": page(f"page{number}{letter}", f"See page{other}a(8).")
            for letter in "ab"
        })
        for number, other in zip(range(5), (1, 2, 3, 4, 0), strict=True)
    ]  # fmt: skip


def test_any_executor_builds_the_same_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dconv.build.jobs.MIN_PARALLEL_SIZE", 0)
    monkeypatch.setattr(shelf, "BATCH_SIZE", 1)
    expected = build(*many())
    assert {"p0/search.js", "p0/search-2.js"} <= {*expected}
    with ThreadPoolExecutor(2) as threads:
        assert build(*many(), executor=threads) == expected
    assert build(*many(), jobs=2) == expected


@pytest.fixture
def rebuild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Builds a cached site; returns the packages of parts, and the releases, that were rendered."""
    rendered: list[str] = []

    def render(job: RenderJob) -> ReleaseFiles:
        rendered.append(job.texts.product_name)
        return schedule_render(job)

    schedule_render = schedule.render
    monkeypatch.setattr(schedule, "render", render)

    def render_batch(job: RenderBatchJob) -> shelf.BatchFiles:
        rendered.append(job.view.package.name)
        return shelf.render_batch(job)

    monkeypatch.setattr(schedule, "render_batch", render_batch)

    def run(packages: Sequence[ReleaseTexts]) -> list[str]:
        rendered.clear()
        output = tmp_path / "public"
        cache = BuildCache(ResultStore(tmp_path / "cache"), output, "default")
        write_site(build_site(packages, SITE, load("default"), cache=cache), output)
        names = sorted(rendered)
        assert _files(output) == build(*packages)
        return names

    return run


def _files(folder: Path) -> dict[str, str]:
    paths: Iterator[Path] = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in paths if path.name != ".dconv"
    }


def test_a_changed_package_remakes_only_what_shows_it(
    rebuild: Callable[..., list[str]]
) -> None:
    packages = many()
    assert rebuild(packages) == ["p0", "p1", "p2", "p3", "p4"]
    assert rebuild(packages) == []
    texts = {
        "page2a.8": page("page2a", "See page3a(8). More words."),
        "page2b.8": page("page2b", "See page3a(8)."),
    }
    packages[2] = package("p2", "1", texts)
    assert rebuild(packages) == ["p2"]
    packages[2] = package("p2", "1", {**texts, "page2b.8": page("page2b", "See page0b(8).")})
    assert rebuild(packages) == ["p0", "p2", "p3"]  # one is named by it now, one no longer
    packages[0] = package("p0", "1", {"page0a.8": page("page0a", "See page1a(8).")})
    assert rebuild(packages) == ["p0", "p1", "p2"]
    packages.append(package("p5", "1", {"note.md": "# Note\n\nAlone.\n"}))
    assert rebuild(packages) == ["p5"]


def test_a_described_release_beside_a_shelf_is_cached(rebuild: Callable[..., list[str]]) -> None:
    texts = package("cup", "1.0", {"cup.txt": "1. Cups\n-------\n\nText.\n"}).texts
    described = ReleaseTexts("cup", "Cups", "1.0", "", texts)
    assert rebuild([described, *many()[:1]]) == ["cup", "p0"]
    assert rebuild([described, *many()[:2]]) == ["p0", "p1"]  # p0 names a page of p1
