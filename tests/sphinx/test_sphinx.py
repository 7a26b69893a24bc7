"""Sphinx itself: manuals as its sources, and a site's objects.inv as its inventory.

Every warning of Sphinx is a failure.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from dconv.cli import main

CONF = """\
project = "Kettles"
author = copyright = "The makers"
version = release = "1"
extensions = ["dconv.sphinx", "sphinx.ext.intersphinx"]
source_suffix = {".rst": "restructuredtext", ".txt": "dconv"}
master_doc = "index"
"""
TOCTREE = "\n.. toctree::\n\n   configuration\n   management\n"
KETTLE = """\
                        ------------------------
                          HAProxy
                          Configuration Manual
                        ------------------------
                             version 1.2

1. Proxies
----------

4. Proxies
----------

4.2. Alphabetically sorted keywords reference
---------------------------------------------

balance <algorithm>
  Chooses "servers" -- see section 3.1 of the management guide, and "timeout client".

  Arguments :
    <algorithm> is one of:
      first : the first

  Example :
        frontend a
            timeout client 1s

timeout client <time>
  Waits for <time>.


5. Bind and server options
--------------------------
"""
POT = """\
                        ------------------------
                          HAProxy
                          Management Guide
                        ------------------------
                             version 1.2

3. Starting
-----------

3.1. Once
---------

See "balance" and 'x'.
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with two manuals of one release and a page that refers to them."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "conf.py").write_text(CONF)
    (folder / "configuration.txt").write_text(KETTLE)
    (folder / "management.txt").write_text(POT)
    return folder


def build(folder: Path, builder: str = "html", page: str = "", toctree: str = TOCTREE) -> str:
    """What Sphinx warns of when it builds `folder` with `page` as the text of its index."""
    (folder / "index.rst").write_text(f"Home\n====\n\n{page}\n{toctree}")
    warnings = io.StringIO()
    output = folder / f"_{builder}"
    with patch_docutils(), docutils_namespace():  # Sphinx registers its own nodes and roles
        Sphinx(
            folder, folder, output, folder / "_doctrees", builder, status=None, warning=warnings
        ).build()
    return re.sub(r"\x1b\[[0-9;]*m", "", warnings.getvalue())


def links(folder: Path, name: str) -> list[str]:
    """The addresses that links of the page `name` point to, within its text."""
    page = (folder / "_html" / f"{name}.html").read_text()
    body = page.partition('<div class="body"')[2].partition('<div class="sphinxsidebar"')[0]
    return re.findall(r'<a class="reference (?:internal|external)" href="([^"]*)"', body)


def test_a_project_refers_to_names(project: Path) -> None:
    page = (
        ":haproxy:name:`balance`, :haproxy:proxy-keyword:`wait <timeout client>`, "
        ":any:`timeout  client`, :ref:`configuration/4.2`, :ref:`management/3.1`, :doc:`management`"
    )
    assert build(project, page=page) == ""
    assert links(project, "index")[:6] == [
        "configuration.html#balance", "configuration.html#timeout-client",
        "configuration.html#timeout-client", "configuration.html#section-4-2",
        "management.html#section-3-1", "management.html",
    ]  # fmt: skip
    home = (project / "_html" / "index.html").read_text()
    assert "4.2 Alphabetically sorted keywords reference" in home
    assert "HAProxy Configuration Manual" in home


def test_manuals_link_to_each_other(project: Path) -> None:
    assert build(project) == ""
    assert "management.html#section-3-1" in links(project, "configuration")
    assert "#timeout-client" in links(project, "configuration")
    assert "configuration.html#balance" in links(project, "management")


def test_text_stays_as_it_is_written(project: Path) -> None:
    assert build(project) == ""
    page = (project / "_html" / "configuration.html").read_text()
    assert "&quot; -- see section" in page
    assert 'highlight-haproxy notranslate"' in page
    assert "Version" in page


def test_a_change_of_one_manual_reaches_the_others(project: Path) -> None:
    assert build(project) == ""
    changed = KETTLE.replace("balance <", "weigh <")
    (project / "configuration.txt").write_text(changed)
    assert build(project) == ""
    assert "configuration.html#balance" not in links(project, "management")
    assert build(project, page=":haproxy:name:`weigh`") == ""


def test_an_unknown_name_is_reported(project: Path) -> None:
    page = ":haproxy:name:`ballance` and :haproxy:action:`balance`, :any:`ballance`"
    warnings = build(project, page=page)
    assert "HAProxy has no name 'ballance'" in warnings
    assert "HAProxy has no action 'balance'" in warnings
    assert warnings.count("WARNING") == 3


def test_findings_are_warnings_with_dconv_strict(project: Path) -> None:
    (project / "management.txt").write_text(POT.replace("See", "See section 7 and"))
    assert build(project) == ""
    (project / "conf.py").write_text(f"{CONF}dconv_strict = True\nshow_warning_types = True\n")
    warnings = build(project)
    assert re.fullmatch(
        r".*management\.txt:13: WARNING: there is no section 7 in this document.*"
        r"\[dconv\.section-reference\]\n",
        warnings,
    )
    (project / "management.txt").write_text(POT.replace("See", "See section 7 or"))
    (project / "conf.py").write_text(
        CONF + 'dconv_strict = True\nsuppress_warnings = ["dconv.section-reference"]\n'
    )
    assert build(project) == ""


@pytest.mark.parametrize("builder", ["epub", "latex"])
def test_other_builders(builder: str, project: Path) -> None:
    assert build(project, builder) == ""
    endings = {path.suffix for path in (project / f"_{builder}").iterdir()}
    assert {"epub": ".epub", "latex": ".tex"}[builder] in endings


def test_texts_of_no_product(project: Path) -> None:
    (project / "configuration.txt").write_text("1. One\n------\n\nSee section 1 and notes.txt.\n")
    (project / "management.txt").write_text("1. Two\n------\n\nSee configuration.txt.\n")
    assert build(project) == ""
    assert "configuration.html" in links(project, "management")


def test_more_products(project: Path) -> None:
    folder = project / "lamps"
    folder.mkdir()
    (folder / "manual.toml").write_text(
        '[product]\nname = "lamp"\ntitle = "Lamp"\nrecognize = ["Lamp"]\n'
        '[[document]]\nfile = "configuration.txt"\ntitle = "Lamps"\ndescription = "All"\n'
        '[[source]]\npath = "."\n'
        '[dialect]\n[[dialect.entry]]\nkind = "switch"\ntitle = "^Switches"\n'
    )
    (project / "configuration.txt").write_text(
        "Lamp\n\n1. Switches\n-----------\n\ndim <level>\n  Dims.\n"
    )
    conf = project / "conf.py"
    conf.write_text(CONF + 'dconv_manuals = ["lamps"]\n')
    assert build(project, page=":lamp:switch:`dim`") == ""
    assert links(project, "index")[0] == "configuration.html#dim"
    (folder / "manual.toml").write_text("[product]\n")
    with pytest.raises(ExtensionError, match=r"manual\.toml"):
        build(project)


def test_the_inventory_of_a_site(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names in the objects.inv of a site that dconv built, with and without the extension."""
    public = tmp_path / "public"
    texts = [str(project / "configuration.txt"), str(project / "management.txt")]
    assert main(["convert", *texts, "-o", str(public), "-q"]) == 0
    inventory = public / "haproxy" / "1.2" / "objects.inv"
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "publishing"))
    conf = (
        f'extensions = ["sphinx.ext.intersphinx"]\nproject = "Other"\n'
        f"intersphinx_mapping = {{'haproxy': ('https://h.example/1.2/', {str(inventory)!r})}}\n"
    )
    (other / "conf.py").write_text(conf)
    page = ":external+haproxy:term:`timeout client` and :external+haproxy:ref:`configuration/4.2`"
    assert build(other, page=page, toctree="") == ""
    assert links(other, "index") == [
        "https://h.example/1.2/configuration/4.2.html#timeout-client",
        "https://h.example/1.2/configuration/4.2.html",
    ]
    page = ":haproxy:name:`balance`, :haproxy:proxy-keyword:`balance`, :any:`balance`"
    address = "https://h.example/1.2/configuration/4.2.html#balance"
    roles = 'manual_roles = {"haproxy": ["proxy-keyword"]}\n'
    for extension in ("dconv.sphinx", "manual_roles"):
        (other / "conf.py").write_text(conf.replace("[", f'["{extension}", ', 1) + roles)
        assert build(other, page=page, toctree="") == ""
        assert links(other, "index") == [address] * 3
