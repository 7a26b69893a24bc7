"""The rules of the check, by example: `tests/lint/rules/RULE.test` has texts and what it finds.

The form of the fences is that of `example_files.py`; the word after the opening quotes is the
manual's dialect: nothing means that of `tests/spec/manual.toml`, `haproxy` HAProxy's.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from example_files import Spec, read_specs
from hypothesis import given
from hypothesis import strategies as st

from dconv.build.read import link_texts, read_manual, read_text
from dconv.cli import main
from dconv.linking.symbols import collect_symbols
from dconv.lint.context import Context, contexts
from dconv.lint.rule import Rule
from dconv.lint.rule_docs import explanation
from dconv.lint.rules import RULES, run_rules
from dconv.lint.sort_order import in_order, longest_ordered, moves
from dconv.model import tree
from dconv.model.diagnostics import Diagnostic
from dconv.model.origin import Origin
from dconv.model.tree import Example, Preformatted, walk
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import SourceText

FOLDER = Path(__file__).parent / "rules"
MANUAL = resource_folder("manuals") / "dconv" / "manual.txt"
FIRST_RULE = re.compile(r"\n\n(?=[a-z]+(?:-[a-z]+)*\n  )")  # where the entries of a section begin
BY_NAME = {rule.name: rule for rule in RULES}
SPECS = [spec for path in sorted(FOLDER.glob("*.test")) for spec in read_specs(path)]
WIDTH = 78  # columns of text below an entry, its two of indentation left out
# "Example", so that all below is read as code: examples of mistakes are not reported as mistakes
LABELS: Mapping[str, str] = {
    "Bad:": "Example of what it finds:", "Good:": "Example of what it wants:",
}
EXAMPLE_INDENT = " " * 6  # below the two columns of the entry


@cache
def product(form: str) -> Product:
    """The dialect that a fence asks for."""
    folder = resource_folder("manuals") / form if form else FOLDER.parent.parent / "spec"
    return load_product(folder)


def context(spec: Spec) -> Context:
    """The text of an example as rules get it."""
    loaded = product(spec.form)
    setting = loaded.documents[0]
    text = SourceText(
        spec.text.encode(), setting.file, loaded, setting, Origin("an example")
    )
    linked = link_texts([text], [read_text(text)])
    symbols = collect_symbols([(linked[0], setting.file)], loaded.dialect)
    return contexts(linked, loaded.dialect, symbols)[0]


def shown(findings: Iterator[Diagnostic]) -> str:
    """Findings of one rule in the order of their places, one a line, without file and rule."""
    return "".join(
        f"{finding.line}:{finding.column}: {finding.level}: {finding.message}\n"
        for finding in sorted(findings)
    )


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_example(spec: Spec, request: pytest.FixtureRequest) -> None:
    findings = shown(run_rules(context(spec), [BY_NAME[spec.path.stem]]))
    if request.config.getoption("--update-goldens", default=False):
        spec.rewrite(findings)
        return
    assert findings == spec.result, f"read {spec.name}, or run pytest --update-goldens"


@pytest.mark.parametrize("name", BY_NAME)
def test_each_rule_has_examples_with_and_without_findings(name: str) -> None:
    results = [bool(spec.result) for spec in read_specs(FOLDER / f"{name}.test")]
    assert True in results and False in results


@pytest.mark.parametrize("name", BY_NAME)
def test_each_rule_is_explained(name: str) -> None:
    documentation = explanation(BY_NAME[name])
    assert "\nBad:\n" in documentation and "\nGood:\n" in documentation


def section(rules: Iterable[Rule]) -> str:
    """Entries for `rules`, sorted by name, as they are in `manual.txt`."""
    return "\n\n".join(_entry(rule) for rule in sorted(rules, key=lambda rule: rule.name))


def _entry(rule: Rule) -> str:
    parts = "\n\n".join(_paragraphs(explanation(rule)))
    when = "It is on with --strict" if rule.style else "It is on by default"
    level = textwrap.fill(f"{when}. The level is '{rule.level}'.", WIDTH)
    return textwrap.indent(f"{parts}\n\n{level}\n", "  ").replace("  ", f"{rule.name}\n  ", 1)


def _paragraphs(documentation: str) -> Iterator[str]:
    """The paragraphs and examples of a docstring."""
    for part in documentation.split("\n\n"):
        label, _, code = part.partition("\n")
        if label in LABELS:
            yield f"{LABELS[label]}\n{textwrap.indent(textwrap.dedent(code), EXAMPLE_INDENT)}"
        else:
            yield textwrap.fill(part, WIDTH, break_on_hyphens=False)


def test_the_manual_documents_the_rules(request: pytest.FixtureRequest) -> None:
    manual = MANUAL.read_text(encoding="utf-8")
    first = FIRST_RULE.search(manual, manual.index("\n11.4. Rules of the check\n"))
    assert first is not None
    start = first.end()
    end = manual.index("\n\n12. ", start)
    if request.config.getoption("--update-goldens", default=False):
        text = f"{manual[:start]}{section(RULES)}{manual[end:]}"
        MANUAL.write_text(text, encoding="utf-8")
        return
    assert manual[start:end] == section(RULES), "run pytest --update-goldens"


def test_the_manual_has_no_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--strict", str(MANUAL)]) == 0, capsys.readouterr().out


def test_samples_of_the_manual_are_code() -> None:
    """What is wrong in them is wrong on purpose, and no rule may read it as prose."""
    loaded = load_product(MANUAL.parent)
    manual = read_manual(MANUAL.read_bytes(), "manual.txt", loaded, "manual")
    samples = [
        node for entry in tree.entries(manual) for node in walk(entry[1].body)
        if isinstance(node, Example) and f"{node.label}:" in LABELS.values()
    ]
    assert len(samples) == 2 * len(RULES)
    prose = [node.span for node in samples if not isinstance(node.body[0], Preformatted)]
    assert not prose


NAMES = st.lists(st.text("ab-_.Z", min_size=1, max_size=4), max_size=9)


@given(NAMES)
def test_what_stays_is_in_order(names: list[str]) -> None:
    ordered = [name for _, name in longest_ordered([(name,) for name in names])]
    assert all(in_order(finding, other) for finding, other in pairwise(ordered))


@given(NAMES)
def test_the_fewest_move(names: list[str]) -> None:
    """What is sorted except one name has one to move at most."""
    names.sort(key=str.lower)
    assert moves([(name,) for name in names]) == []
    assert len(moves([(name,) for name in (*names[1:], *names[:1])])) <= 1
