"""The lexer: `tests/linking/lexer/*.txt` are configurations, `.tokens` beside them what is read.

`pytest --update-goldens` rewrites the tokens; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Error

from dconv.linking.lexer import HAProxyLexer

CASES = sorted((Path(__file__).parent / "lexer").glob("*.txt"))
WORDS = st.sampled_from(
    ["global\n", "frontend x\n", "http-request ", "set-var(", "%[", "]", '"', "'", "\\", "\n",
     "(", ")", ",", "{", "}", "!", "if ", " # ", "${", "}", "%ci", "%{+Q}", "acl a ", "10s ",
     "::1", "-m ", "beg ", " ", "stick on ", "é", ".if ", "no "]
)  # fmt: skip


def tokens(text: str) -> list[tuple[str, str]]:
    """The names of the types, and the texts, of the tokens of `text`."""
    unprocessed = HAProxyLexer().get_tokens_unprocessed(text)
    return [(str(kind).removeprefix("Token."), value) for _, kind, value in unprocessed]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden(path: Path, request: pytest.FixtureRequest) -> None:
    golden = path.with_suffix(".tokens")
    text = path.read_text(encoding="utf-8")
    pairs = tokens(text)
    assert "".join(value for _, value in pairs) == text
    shown = "".join(f"{kind:<28}{value!r}\n" for kind, value in pairs if value.strip(" \t"))
    if request.config.getoption("--update-goldens", default=False):
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8"), "read it, then pytest --update-goldens"


def test_a_whole_file_has_no_errors() -> None:
    path = next(path for path in CASES if path.stem == "whole")
    unprocessed = HAProxyLexer().get_tokens_unprocessed(path.read_text(encoding="utf-8"))
    assert not [value for _, kind, value in unprocessed if kind is Error]


@given(st.one_of(st.text(), st.lists(WORDS).map("".join)))
def test_tokens_add_up(text: str) -> None:
    assert "".join(value for _, value in tokens(text)) == text
