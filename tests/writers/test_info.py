"""Info files: `info` itself finds nodes, names and what references lead to."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from programs import need

from dconv.cli import main

SHOWCASE = Path(__file__).resolve().parents[1] / "showcase" / "texts"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the Info files of a release."""
    folder = tmp_path_factory.mktemp("info")
    (folder / "texts").mkdir()
    for name in ("configuration.txt", "management.txt"):
        text = (SHOWCASE / name).read_text("utf-8").replace("@VERSION@", "3.4")
        (folder / "texts" / name).write_text(text, "utf-8")
    command = ["export", "-q", "--format", "info", str(folder / "texts"), "-o", str(folder / "out")]
    assert main(command) == 0
    return folder / "out"


def info(folder: Path, *words: str) -> str:
    """What `info` shows of the configuration manual."""
    command = [need("info"), "-f", "./haproxy-configuration.info", *words, "-o", "-"]
    completed = subprocess.run(
        command, capture_output=True, check=False, text=True, cwd=folder, timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


def test_info_finds_nodes(folder: Path) -> None:
    shown = info(folder, "-n", "timeout letter")
    assert "Node: timeout letter," in shown
    assert "\n    timeout letter <" in shown
    assert "*note timeout messenger::" in shown
    shown = info(folder, "-n", "3.2 Alphabetically sorted keywords reference")
    assert re.search(r"\n\* allot:: {10,}\w", shown)
    assert "\n* 3 Proxies::" in info(folder, "-n", "Top")


def test_info_finds_names_by_the_index(folder: Path) -> None:
    assert "Node: timeout letter," in info(folder, "timeout letter")
    shown = info(folder, "%a")
    assert "Node: 5 Custom log format" in shown
    line = re.search(r"\n\* %a: +\S.*\.  \(line +(\d+)\)\n", info(folder, "-n", "Index"))
    assert line is not None
    assert int(line[1]) <= shown.count("\n")


def test_each_reference_names_a_node(folder: Path) -> None:
    nodes: dict[str, set[str]] = {}
    texts = {path.stem: path.read_bytes() for path in folder.glob("*.info")}
    for stem, content in texts.items():
        table = content.rpartition(b"\nTag Table:\n")[2].partition(b"\x1f")[0]
        nodes[stem] = set()
        for line in table.decode().splitlines():
            name, _, offset = line.removeprefix("Node: ").partition("\x7f")
            nodes[stem].add(name)
            head = f"\x1f\nFile: {stem}.info,  Node: {name},  ".encode()
            assert content[int(offset) :].startswith(head)
    followed = 0
    for stem, content in texts.items():
        text = content.decode()
        for target in re.findall(r"\*note ([^:]+)::", text) + re.findall(r"(?m)^\* (.+)::", text):
            file, _, name = target.rpartition(")")
            assert " ".join(name.split()) in nodes[file.lstrip("(") or stem], target
            followed += 1
    assert followed > 60
