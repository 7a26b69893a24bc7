"""The types of the files of a site, and JSON as their content."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

# a path below the site's root, with "/", and the content
SiteFile: TypeAlias = "tuple[str, bytes]"
# for each document of a release, by its name, the file of each of its sections in source order
SectionFiles: TypeAlias = "Mapping[str, Sequence[str]]"
Json: TypeAlias = "str | int | Sequence[Json] | Mapping[str, Json]"


def compact_json(value: object) -> str:
    """`value` as JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def indented_json(value: object) -> bytes:
    """`value` as the content of a file of JSON, a line for each part."""
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode()


def json_script(function: str, *arguments: Json) -> bytes:
    """A script that calls `function`, so that a browser can load data from a disk, too."""
    return f"{function}({','.join(map(compact_json, arguments))});\n".encode()
