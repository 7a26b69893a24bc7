"""What may be written behind `dconv check`."""

from __future__ import annotations

import argparse
from pathlib import Path

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
    for name, what in (("--enable", "tell"), ("--disable", "do not tell")):
        parser.add_argument(
            name, action="append", metavar="RULE", help=f"{what} findings of this rule; repeatable"
        )
    parser.add_argument("--explain", metavar="RULE", help="print what a rule finds, and end")
    parser.add_argument(
        "--baseline", type=Path, metavar="FILE", help="tell only what this file does not know"
    )
    parser.add_argument(
        "--write-baseline", type=Path, metavar="FILE", help="write all findings to this file"
    )
    parser.add_argument(
        "--since", metavar="REV", help="tell only what came in since this git revision"
    )
    parser.add_argument(
        "--against", type=Path, metavar="FILE",
        help="compare with the names that the program lists in this file (haproxy -dKall)",
    )
