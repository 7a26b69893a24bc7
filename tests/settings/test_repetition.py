"""Patterns of users that surely take for ever are refused, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dconv.settings import SettingsError, load_product
from dconv.settings.repetition import endless

MANUAL = """
[product]
name = "kettle"
title = "Kettle"
[dialect]
prose = ['{pattern}']
"""


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        ("(a+)+$", "(a+)+"), ("^x(a*)*b", "(a*)*"), (r"(?:\w+\s*)*$", r"(?:\w+\s*)*"),
        ("([a-z]+)*x", "([a-z]+)*"), ("((a+))+", "((a+))+"), ("(?:(?:a|b)+)*!", "(?:(?:a|b)+)*"),
        ("(a+?)*?b", "(a+?)*?"), (r"(\w+|\s)*:", r"(\w+|\s)*"), ("(a{2,})+", "(a{2,})+"),
        ("(?P<x>.*)*", "(?P<x>.*)*"), ("(?:a+b?)+", "(?:a+b?)+"), ("(a{,})*", "(a{,})*"),
        ("(?x) ( a + ) + # no\n", "( a + ) +"), ("((a+)?)*", "((a+)?)*"),
        (r"(?:[^])]*)*", "(?:[^])]*)*"), ("(|a+)+", "(|a+)+"), ("(a+){2,}", "(a+){2,}"),
        (r"(?i:\(|a+)*", r"(?i:\(|a+)*"), ("(?i)(?#no)(a+)+", "(a+)+"),
        ("(?x: a # :)\n (b+)+ )c", "(b+)+"), ("(?ix-s:(a + ) +c(b)+)", "(a + ) +"),
    ],
)
def test_what_repeats_a_repetition(pattern: str, part: str) -> None:
    assert endless(re.compile(f"{pattern}!")) == part


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", r"^(?:from|to) ((?:\w+ ?)+)", r"^to(?: ((?:\w+ ?)+))?", "(?x) ( (a+ )+ ) # it\n"],
)
def test_at_the_end_of_a_pattern_it_is_fast(pattern: str) -> None:
    assert endless(re.compile(pattern)) == ""
    assert re.search(pattern, f"to {'a' * 5_000}!")


def test_a_blank_behind_is_something() -> None:
    assert endless(re.compile("(a+)+ ")) == "(a+)+"


@pytest.mark.parametrize(
    "pattern",
    [
        "", "(a++)+", "(?>a+)+", "(a+)++", "(?:(?>a+)+)+", "((?:a++)+)+", "(?:a+,)*", "(a+)?",
        r"(?:\b\w+)*", r"((?:\b\w+)+)*", r"\(a+\)+", "[(a+)]+", r"(?:\s+\S+)*", "(?:x(?=a+))*",
        "(?i)(ab)*", "(?i:a+)b*", "(a+){2}", "(?:(a)|b)*", "(a)(?(1)b+|c)*", "(?#(a+)a", "{a}+",
        r"(?:\w+ )*\w+", "(?:[]a+]x)+", "(?x) [ ] ( a # )+\n b+ c)*", r"(a)(?:\1a*)*",
        "(?x: a # :)\n (?:b)+ )", "(?x: (?: a # (\n b )+ )c", r"(?#|\)*)(?:a)+", "(?x)(?-x:a #)+b",
    ],
)
def test_what_does_not(pattern: str) -> None:
    assert endless(re.compile(pattern)) == ""


def test_a_product_with_such_a_pattern_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manual.toml").write_text(MANUAL.format(pattern=r"^(\w+\s?)*$"))
    with pytest.raises(SettingsError) as caught:
        load_product(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}/manual.toml: [dialect] 'prose' repeats what repeats by itself, '(\\w+\\s?)*',"
        " which takes for ever on some texts; repeat it once"
    )
