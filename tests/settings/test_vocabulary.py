"""The vocabulary of a product's search: `search.toml` and `phrases.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped_search import ROOT

from dconv.settings.manual import load_product
from dconv.settings.toml import SettingsError
from dconv.sources.resources import resource_folder


def test_a_vocabulary_is_read() -> None:
    vocabulary = load_product(resource_folder("manuals") / "haproxy").vocabulary
    assert "proxy keyword" in vocabulary.priority
    assert "srv" in vocabulary.abbreviations["server"]
    assert vocabulary.scopes["bind"] == ("bind option",)
    assert vocabulary.rule_sets["HTTP Req"] == "http-request"


@pytest.mark.parametrize(("file", "text", "message"), [
    ("search.toml", "kind = []", "unknown key 'kind'"),
    ("search.toml", "[abbreviations]\na = ['x']\nb = ['x']", "has 'x' for both 'a' and 'b'"),
    ("search.toml", "[synonyms]\nkeep = ['hold', 'put off']", "has 'put off' for 'keep'"),
    ("search.toml", "[synonyms]\n'put off' = ['keep']", "has 'put off' for 'put off'; write"),
    ("phrases.toml", "[[phrase]]\nqueries = ['a']", "needs 'queries'"),
    ("phrases.toml", "[[phrase]]\nqueries = ['a']\ntargets = ['b']", "has a target 'b'"),
])
def test_invalid_vocabularies_are_refused(
    file: str, text: str, message: str, tmp_path: Path
) -> None:
    manual = (ROOT / "tests" / "spec" / "manual.toml").read_text()
    (tmp_path / "manual.toml").write_text(manual)
    (tmp_path / file).write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_product(tmp_path)
    assert message in str(caught.value)
