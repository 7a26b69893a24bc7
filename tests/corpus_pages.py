"""Download the manual pages and other texts of Debian packages, to test readers with them.

`python tests/corpus_pages.py` writes what the packages of `corpus_pages.toml` have below
`usr/share/man` and `usr/share/doc` to the folder that `CORPUS` of the environment names, else to
`build/corpus`; `--update` pins the versions that apt offers now.  Mirrors drop old versions: then
the current one is taken, and named.  Packages that are there already are not downloaded again.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import re
import shutil
import sys
import tarfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from dconv.sources.debian import APT
from dconv.sources.programs import run
from dconv.sources.types import SourceError

# where `make corpus` keeps the packages and what they have
FOLDER = Path(os.environ.get("CORPUS") or Path(__file__).parents[1] / "build/corpus")
LOCK = Path(__file__).with_name("corpus_pages.toml")
EXTRA_TIME = 540.0  # seconds for a package, beyond those that others get
SECTIONS = ("1", "4", "5", "7", "8")
# "./usr/share/man/man8/mdadm.8.gz", "./usr/share/doc/mdadm/README.gz"
WANTED = re.compile(r"(?:\./)?usr/share/(?:man/man[14578]/[^/]+|doc/.+)")
HEAD = """\
# The Debian 12 packages whose texts the readers are tested with; `make corpus` downloads them.
# Written by `python tests/corpus_pages.py --update`; never by hand, but for new names.
"""


@dataclass(frozen=True, slots=True)
class Package:
    """A package at a version: the name of its file and the digest of that."""

    name: str
    version: str
    file: str
    sha256: str


def locked() -> list[Package]:
    """The packages of the lock."""
    tables = tomllib.loads(LOCK.read_text(encoding="utf-8"))["package"]
    return [Package(**table) for table in tables]


def pages(folder: Path) -> list[Path]:
    """The manual pages in `folder`, without those that stand for another one."""
    paths: list[Path] = []
    for section in SECTIONS:
        paths += (folder / "usr/share/man" / f"man{section}").glob("*")
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


def main() -> int:
    """Run the command; the exit status is 1 if a package could not be downloaded."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="pin what apt offers now")
    arguments = parser.parse_args()
    folder = FOLDER
    packages = folder / "packages"
    packages.mkdir(parents=True, exist_ok=True)
    failed = False
    now: list[Package] = []
    for package in locked():
        try:
            file = fetched(package, packages, pinned=not arguments.update)
            unpack(file, folder)
        except SourceError as error:
            print(f"{package.name}: {error}", file=sys.stderr)
            failed = True
            now.append(package)
            continue
        taken = described(package.name, file)
        if taken != package and not arguments.update:
            print(f"{package.name}: {taken.version} instead of {package.version}", file=sys.stderr)
        now.append(taken)
    if arguments.update:
        LOCK.write_text(HEAD + "".join([_table(package) for package in now]), encoding="utf-8")
    print(f"{len(pages(folder)):,} manual pages of {len(now)} packages are in {folder}")
    return int(failed)


def fetched(package: Package, folder: Path, *, pinned: bool) -> Path:
    """The file of `package` in `folder`: as pinned if that can be had, else the current one.

    Raises `SourceError`.
    """
    if pinned and package.file:
        file = folder / package.file
        if not file.exists():
            run([*APT, f"{package.name}={package.version}"], folder, extra_time=EXTRA_TIME)
        if file.exists():
            if described(package.name, file).sha256 == package.sha256:
                return file
            file.unlink()
    with_name = f"{package.name}_*.deb"
    before = set(folder.glob(with_name))
    result = run([*APT, package.name], folder, extra_time=EXTRA_TIME)
    files = sorted(folder.glob(with_name), key=lambda file: (file not in before, file.name))
    if result.status or not files:
        raise SourceError(f"apt-get downloads nothing: {result.errors}")
    return files[-1]


def described(name: str, file: Path) -> Package:
    """What the lock says of `file`."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    version = file.name.split("_")[1].replace("%3a", ":")
    return Package(name, version, file.name, digest)


def unpack(file: Path, folder: Path) -> None:
    """Write the texts of the package `file` to `folder`, once.  Raises `SourceError`."""
    mark = file.with_suffix(".unpacked")
    if mark.exists():
        return
    result = run(["dpkg-deb", "--fsys-tarfile", str(file.resolve())], folder, extra_time=EXTRA_TIME)
    with tarfile.open(fileobj=io.BytesIO(result.output)) as archive:
        for member in archive:
            path = folder / member.name
            if not WANTED.fullmatch(member.name) or ".." in path.parts:
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            if member.isreg() and (stream := archive.extractfile(member)) is not None:
                with path.open("wb") as target:
                    shutil.copyfileobj(stream, target)
            elif member.issym() and path.parent.parent.name == "man" and "/" not in member.linkname:
                path.unlink(missing_ok=True)
                path.symlink_to(member.linkname)
    mark.touch()


def _table(package: Package) -> str:
    return (
        f'\n[[package]]\nname = "{package.name}"\nversion = "{package.version}"\n'
        f'file = "{package.file}"\nsha256 = "{package.sha256}"\n'
    )


if __name__ == "__main__":
    sys.exit(main())
