"""The examples of the text format in `tests/spec`, and how to read them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from example_files import Spec, read_specs

from dconv.settings.manual import default_product, load_product
from dconv.settings.types import Product

FOLDER = Path(__file__).parent / "spec"
SPECS = [spec for path in sorted(FOLDER.glob("*.test")) for spec in read_specs(path)]


@cache
def product(form: str) -> Product:
    """The dialect that a fence asks for."""
    return default_product() if form == "plain" else load_product(FOLDER)


def content(spec: Spec) -> bytes:
    """The bytes of an example."""
    if spec.form != "escaped":
        return spec.text.encode()
    return spec.text.encode("latin-1").decode("unicode_escape").encode("latin-1")
