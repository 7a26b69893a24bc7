"""The files that come with the program: themes, and the settings of manuals."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def resource_folder(kind: Literal["themes", "manuals"]) -> Path:
    """The folder of `kind`: in the package if it is installed, else beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "data" / kind
    return installed if installed.is_dir() else package.parent / kind
