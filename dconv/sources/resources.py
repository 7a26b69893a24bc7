"""Where the files that come with the program lie: themes and manuals' settings."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def resource_folder(kind: Literal["themes", "manuals"]) -> Path:
    """The folder of `kind`: inside an installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "data" / kind
    return installed if installed.is_dir() else package.parent / kind
