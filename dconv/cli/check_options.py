"""What may be written behind `dconv check`."""

from __future__ import annotations

import argparse

FORMATS = ("text", "json", "sarif", "github")


def add(parser: argparse.ArgumentParser) -> None:
    """Give `parser` the options that only this command has."""
    parser.add_argument(
        "--strict", action="store_true", help="check the style too, and let notes count"
    )
    parser.add_argument(
        "--format", dest="check_format", choices=FORMATS,
        help="text (the default), json, sarif (2.1.0) or github (annotations of a job)",
    )
