"""Manual pages of Debian packages that `make corpus` downloads: no word is lost, names are found.

`make corpus` runs these tests alone; no other run has them.

The words are compared with two others: what mandoc shows on a terminal, word for word in order,
and on a sample what groff shows, another parser.
"""

from __future__ import annotations

import gzip
import random
import re
import subprocess
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from unicodedata import combining, normalize

import pytest
from corpus_pages import FOLDER, pages
from programs import need

from dconv.model.dialect import Dialect
from dconv.model.file_names import file_name
from dconv.model.tree import Definition, Entry, Manual, sections, walk
from dconv.proof.expected_words import expected_word_losses
from dconv.readers.man import read

MIN_PAGES = 2000
MAX_VERBATIM = 3  # pages with a table, or all, as on a terminal
SAMPLE = 400
MAX_MISSING = 5  # words of the sample: those that groff hyphenates in mdoc all the same
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
OVERSTRUCK = re.compile(r".\x08")
WORD = re.compile(r"[^\W_]+")  # no rules of "_"
BULLET = "o"  # which the reader takes for one, as pages mean it
# the least number of names that a page must have, and some of them
NAMES = {
    "sshd_config.5": (101, {"PermitRootLogin", "AcceptEnv", "Match"}),
    "tcpdump.8": (75, {"--snapshot-length", "-s", "--immediate-mode"}),
    "mdadm.8": (160, {"--grow", "-G", "--assemble", "--bitmap"}),
    "fio.1": (550, {"iodepth", "cmdprio_percentage", "rw", "serverip"}),
    "lvcreate.8": (90, {"--thin", "--stripes", "-L"}),
    "systemd.unit.5": (90, {"After", "AssertUser", "StartLimitBurst"}),
    "nft.8": (40, {"--handle", "-a"}),
    "chrony.conf.5": (150, {"makestep", "maxpoll", "rtcsync"}),
    "ip-link.8": (150, {"mtu", "dstport", "stp_state"}),
    "git-commit.1": (60, {"--amend", "-a"}),
}

pytestmark = [pytest.mark.slow, pytest.mark.corpus]


def manual(path: Path) -> Manual:
    """The page at `path`."""
    name = file_name(str(path))
    return read(_content(path), name, Dialect(), name)


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def _result(path: Path) -> tuple[str, list[str], list[str]]:
    """The name of the page at `path`, its losses and the rules of its findings."""
    page = manual(path)
    return page.name, [loss.finding.message for loss in expected_word_losses(page)], [
        finding.rule for finding in page.diagnostics
    ]


def test_no_word_of_any_page_is_lost() -> None:
    paths = pages(FOLDER)
    assert len(paths) >= MIN_PAGES
    with ProcessPoolExecutor() as workers:
        results = list(workers.map(_result, paths, chunksize=16))
    assert {name: losses for name, losses, _ in results if losses} == {}
    verbatim = [name for name, _, rules in results if "verbatim" in rules]
    assert len(verbatim) <= MAX_VERBATIM, verbatim


@pytest.mark.parametrize("page", NAMES)
def test_names_are_found(page: str) -> None:
    path = next(path for path in pages(FOLDER) if file_name(str(path)) == page)
    least, some = NAMES[page]
    names = set(_names(manual(path)))
    assert some <= names
    assert len(names) >= least


def _names(page: Manual) -> list[str]:
    """The names of all entries of `page`, those inside of others too."""
    names: list[str] = []
    for section in sections(page):
        for node in walk(section.body):
            if isinstance(node, Entry):
                names += node.names
            elif isinstance(node, Definition):
                names += [name for term in node.terms for name in term.names]
    return names


def test_groff_finds_no_other_words() -> None:
    need("groff")
    sample = random.Random(1).sample(pages(FOLDER), SAMPLE)
    with ProcessPoolExecutor() as workers:
        missing = dict(workers.map(_missing, sample, chunksize=4))
    lost = {name: words for name, words in missing.items() if words}
    assert sum(sum(words.values()) for words in lost.values()) <= MAX_MISSING, lost


def _missing(path: Path) -> tuple[str, Counter[str]]:
    """The words that groff shows of the page at `path` and the extracted text has not."""
    result = subprocess.run(
        ["groff", "-mandoc", "-t", "-e", "-Kutf8", "-Tutf8", "-P-c", "-rLL=900n", "-rHY=0",
         "-rcR=1"],
        input=_content(path), capture_output=True, timeout=60, check=False,
    )
    text = OVERSTRUCK.sub("", ESCAPE.sub("", result.stdout.decode("utf-8", "replace")))
    rows = [row for row in text.split("\n") if row.strip()]
    page = manual(path)
    copy = "\n".join([line.text for line in page.source.lines])
    return page.name, _counted("\n".join(rows[1:-1])) - _counted(copy)


def _counted(text: str) -> Counter[str]:
    """The words of `text`, cut at signs, where groff may end a line; letters without accents."""
    folded = "".join([sign for sign in normalize("NFKD", text) if not combining(sign)])
    return Counter([word for word in WORD.findall(folded) if word != BULLET])
