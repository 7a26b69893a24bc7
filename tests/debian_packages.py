"""Debian packages and programs made by hand, for tests."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def program(folder: Path, name: str, script: str) -> None:
    """A program `name` in `folder` that runs the shell `script`."""
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def package(
    folder: Path, members: list[tuple[tarfile.TarInfo, bytes]], name: str = "kettle_1.2.3-4_all.deb"
) -> Path:
    """A package file, by hand, so that it may hold what no honest tool writes (deb(5))."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for member, content in members:
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    parts = {"debian-binary": b"2.0\n", "control.tar": _control_tar(), "data.tar": data.getvalue()}
    archive = folder / name
    with archive.open("wb") as stream:
        stream.write(b"!<arch>\n")
        for part, content in parts.items():
            head = f"{part:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
            stream.write(head.encode() + content + b"\n" * (len(content) % 2))
    return archive


def _control_tar() -> bytes:
    control, data = b"Package: kettle\nVersion: 1\nDescription: a package of tests\n", io.BytesIO()
    member = tarfile.TarInfo("./control")
    member.size = len(control)
    with tarfile.open(fileobj=data, mode="w") as tar:
        tar.addfile(member, io.BytesIO(control))
    return data.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    info.mtime = 1709208000  # 2024-02-29
    return info


def apt_get(folder: Path, archives: Path) -> None:
    """A program apt-get in `folder` that offers the package files in `archives`, of one version.

    It notes each call in `folder`/calls, and fails as without a network if `folder`/down exists.
    """
    program(folder, "apt-get", f"""
echo "$*" >> {folder}/calls
while [ "$1" != download ]; do shift; done; shift
[ "$1" = --print-uris ] && listed=1 && shift
status=0
for package in "$@"; do
  file=$(ls {archives} | grep "^${{package%%=*}}_")
  if [ -z "$file" ]; then echo "E: Unable to locate package $package" >&2; status=100; continue; fi
  uri=http://deb.example/$file
  if [ "$listed" ]; then echo "'$uri' $file $(stat -c %s {archives}/$file) SHA256:00"
  elif [ -e {folder}/down ]; then
    echo "E: Failed to fetch $uri  Could not resolve 'deb.example'." >&2; status=100
  else cp {archives}/$file .; fi
done
exit $status
""")
