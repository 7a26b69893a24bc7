"""A program: download the source archive of a Python package, as pip finds it, and run none of it.

    python download_archive.py [OPTION OF pip download]... NAME[==VERSION]

writes the archive to the current folder.  `pip download` itself would build the package to read
its metadata.  pip's settings count: its index, proxies and certificates.  pip promises nothing of
the modules that this imports, so a failure only means that there is no text.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from pip._internal.commands import create_command


def main(arguments: list[str]) -> None:
    """Download the archive of the newest version, or of the one that is named."""
    command = create_command("download")
    options, (requirement,) = command.parse_args(arguments)
    name, _, version = requirement.partition("==")
    with command.main_context():
        session = command.get_default_session(options)  # type: ignore[attr-defined]
        finder = command._build_package_finder(options, session)  # type: ignore[attr-defined]
        candidates = [
            candidate for candidate in finder.find_all_candidates(name)
            if not candidate.link.is_wheel and (
                str(candidate.version) == version if version
                else not candidate.version.is_prerelease
            )
        ]
        if not candidates:
            raise SystemExit(f"ERROR: No matching distribution found for {requirement}")
        link = max(candidates, key=lambda candidate: candidate.version).link
        response = session.get(link.url_without_fragment, timeout=options.timeout)
        response.raise_for_status()
        if link.hash and hashlib.new(link.hash_name, response.content).hexdigest() != link.hash:
            raise SystemExit(f"ERROR: {link.filename} has another checksum than the index says")
        Path(link.filename).write_bytes(response.content)


if __name__ == "__main__":
    main(sys.argv[1:])
