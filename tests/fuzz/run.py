"""Atheris (libFuzzer for Python) on one target, or on all of them one after the other.

    make fuzz                               all targets, a minute each
    make fuzz FUZZ_SECONDS=600 FUZZ=site    one of them for ten minutes

Inputs are made of the examples of the format, of what broke a target before, and of the
texts in the folder `$DCONV_CORPUS`, if there is one; what is found worth keeping stays in
`build/fuzz/<target>`.  An input that breaks a target is written there as `crash-…` and ends
the run with a traceback: put it, as small as it can be made, into `tests/fuzz/cases/<target>`.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOUND = ROOT / "build" / "fuzz"
LONGEST = 4096  # bytes of an input: what breaks is mostly small
SLOWEST = 20  # seconds for one input, which is far more than a text of that size may take
LARGEST = 2048  # megabytes of memory


def main() -> int:
    """Fuzz the targets that the command line names; the exit status of the first that breaks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", help="all where none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    if chosen.inside:
        _fuzz(chosen.targets[0], chosen.seconds)
    from fuzz.targets import TARGETS

    unknown = [name for name in chosen.targets if name not in TARGETS]
    if unknown:
        parser.error(f"unknown target {unknown[0]}; known are {', '.join(TARGETS)}")
    for name in chosen.targets or TARGETS:
        # libFuzzer ends its process, so each target has one of its own
        command = [sys.executable, __file__, "--inside", f"--seconds={chosen.seconds}", name]
        status = subprocess.run(command, check=False).returncode
        if status:
            return status
    return 0


def _fuzz(name: str, seconds: int) -> None:
    """Fuzz the target `name`, and leave the process."""
    import atheris

    with atheris.instrument_imports(include=["dconv", "tarfile"]):
        from fuzz.targets import CASES, TARGETS

    folder = FOUND / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(_seeds(name)):
        (folder / f"seed-{number}").write_bytes(seed)
    words = FOUND / "words"
    words.write_text("".join(f'"{_quoted(word)}"\n' for word in _words()))
    cases = CASES / name
    folders = [str(folder), *([str(cases)] if cases.is_dir() else [])]
    atheris.Setup(
        [
            sys.argv[0], *folders, f"-max_total_time={seconds}", f"-timeout={SLOWEST}",
            f"-max_len={LONGEST}", f"-rss_limit_mb={LARGEST}", f"-dict={words}",
            f"-artifact_prefix={folder}/", "-print_final_stats=1", "-verbosity=1",
        ],
        TARGETS[name],
    )
    atheris.Fuzz()


def _seeds(name: str) -> Iterator[bytes]:
    """Inputs to start from: examples of the format, settings, stretches of real texts."""
    from format_examples import SPECS, content

    if name == "settings":
        for file in [*ROOT.glob("manuals/*/*.toml"), ROOT / "site/site.toml"]:
            yield f"# {file.name}\n".encode() + file.read_bytes()
        return
    if name == "archives":
        yield from _archives()
        return
    for spec in SPECS:
        yield content(spec)
    corpus = os.environ.get("DCONV_CORPUS", "")
    for file in sorted(Path(corpus).rglob("*.txt")) if corpus else ():
        text = file.read_bytes()
        for at in range(0, min(len(text), 400_000), 40_000):
            yield text[at : at + LONGEST]


def _archives() -> Iterator[bytes]:
    """An archive in each form that there is, with a file, a long name and a link."""
    from fuzz.targets import FOLDER

    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w", format=form) as tar:
            for name in ("guide.txt", "x" * 60 + "/" + "y" * 60 + ".txt", "link.txt"):
                info = tarfile.TarInfo(f".{FOLDER}/{name}")
                info.size = 0 if name == "link.txt" else 5
                info.type = tarfile.SYMTYPE if name == "link.txt" else tarfile.REGTYPE
                tar.addfile(info, io.BytesIO(b"text\n"))
        yield data.getvalue()[:LONGEST]


def _words() -> tuple[str, ...]:
    """What manuals are made of."""
    from test_properties import FRAGMENTS

    return FRAGMENTS


def _quoted(word: str) -> str:
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}"
        for byte in word.encode("utf-8", "surrogatepass")
    )


if __name__ == "__main__":
    sys.exit(main())
