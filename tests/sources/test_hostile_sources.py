"""Servers and archives that mean harm: they are left in time, and nothing of them escapes."""

from __future__ import annotations

import io
import tarfile
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPMessage

import pytest
from test_sources import BOTH, MEGABYTES, member

from dconv.sources import SourceError, debian
from dconv.sources.web import SafeRedirects

pytestmark = pytest.mark.slow

PATIENCE = 0.5  # seconds for a download
FOLDER = "/usr/share/doc/kettle"


@pytest.mark.parametrize(("start", "end", "followed"), [
    ("http", "http", True), ("http", "https", True), ("https", "https", True),
    ("https", "http", False), ("http", "file", False), ("https", "ftp", False),
    ("http", "data", False),
])  # fmt: skip
def test_redirections_that_are_followed(start: str, end: str, followed: bool) -> None:
    request = urllib.request.Request(f"{start}://kettle.example/guide.txt")
    arguments = (request, io.BytesIO(), 302, "Found", HTTPMessage(), f"{end}://kettle.example/x")
    if followed:
        assert SafeRedirects().redirect_request(*arguments) is not None
        return
    with pytest.raises(urllib.error.HTTPError) as caught:
        SafeRedirects().redirect_request(*arguments)
    caught.value.close()


# --- archives -------------------------------------------------------------------------


def texts(archive: bytes) -> list[str]:
    """The names of the texts of an archive."""
    found, _ = debian.texts_of(io.BytesIO(archive), FOLDER, BOTH, "kettle 1.0")
    return [file.name for file in found]


def archived(*members: tarfile.TarInfo, form: int = tarfile.PAX_FORMAT) -> bytes:
    """An archive of empty files."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=form) as tar:
        for one in members:
            tar.addfile(one, io.BytesIO(b"x" * one.size))
    return data.getvalue()


def sparse(name: str, size: int) -> bytes:
    """A sparse file of GNU's tar without any content: `size` bytes out of one block."""
    info = member(name)
    info.type = tarfile.GNUTYPE_SPARSE
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    block[483:495] = b"%011o\0" % size
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def with_number(name: str, at: int, number: bytes) -> bytes:
    """An archive of one file, with `number` at a place of its head."""
    block = bytearray(archived(member(name)))
    block[at : at + len(number)] = number
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block[:512])
    return bytes(block)


DAMAGED: dict[str, Callable[[], bytes]] = {
    "leads back to its start": lambda: with_number(
        f"{FOLDER}/guide.txt", 124, b"\xff" * 10 + b"\xfc\x00"
    ),
    "a long name of a long name": lambda: archived(
        *(member("././@LongLink", tarfile.GNUTYPE_LONGNAME) for _ in range(5000)),
        form=tarfile.GNU_FORMAT,
    ),
    "sparse files": lambda: b"".join(
        sparse(f"{FOLDER}/{number}.txt", 60 * MEGABYTES) for number in range(10)
    ),
    "a large sparse file": lambda: sparse(f"{FOLDER}/guide.txt", 1 << 32),
    "many files": lambda: archived(*[member("x")] * 3) [:1536] * 400,
}


@pytest.mark.parametrize("name", DAMAGED)
def test_an_archive_that_means_harm(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "MOST_FILES", 1000)
    with pytest.raises(SourceError) as caught:
        texts(DAMAGED[name]())
    assert "kettle 1.0" in str(caught.value)


def test_names_that_lead_out_of_an_archive() -> None:
    names = (
        "../guide.txt", "/etc/guide.txt", f"{FOLDER}/../guide.txt", f"{FOLDER}/x/../../guide.txt",
        f"..{FOLDER}/../../../../../guide.txt", f"{FOLDER}/..", f"{FOLDER}/.txt", "guide.txt",
    )
    assert texts(archived(*(member(name) for name in names))) == []
    within = (f"{FOLDER}/a/../guide.txt", f"/.{FOLDER}/guide.txt", f"{FOLDER}//rules.txt")
    assert texts(archived(*(member(name) for name in within))) == [
        "guide.txt", "guide.txt", "rules.txt"
    ]


def test_links_and_devices_of_an_archive_are_no_texts() -> None:
    kinds = (
        tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE,
        tarfile.DIRTYPE, b"Z",
    )
    found = texts(archived(
        *(member(f"{FOLDER}/{at}.txt", kind, "/etc/passwd") for at, kind in enumerate(kinds))
    ))
    assert found in ([], ["6.txt"])  # of an unknown kind, a file (POSIX, ustar)
