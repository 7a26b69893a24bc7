"""A text that a pattern of its dialect never ends on is refused by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dconv.build import read
from dconv.build.read import ReadingTimeout, read_text
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.sources.texts import SourceText

MANUAL = """
[product]
name = "kettle"
title = "Kettle"
[[document]]
file = "kettle.txt"
title = "Guide"
[[dialect.entry]]
kind = "option"
title = '(a+)+!'
"""


def test_an_exponential_pattern_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "MAX_SECONDS", 0.2)
    (tmp_path / "manual.toml").write_text(MANUAL)
    product = load_product(tmp_path)
    content = f"1. {'a' * 60}\n{'-' * 63}\n\ntext\n".encode()
    text = SourceText(content, "kettle.txt", product, product.documents[0], Origin("here"))
    with pytest.raises(ReadingTimeout, match=f"^kettle.txt: .* in {re.escape(str(tmp_path))}$"):
        read_text(text)
