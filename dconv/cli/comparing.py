"""`dconv diff`: what changes in meaning from one state of texts to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dconv import pipeline, site
from dconv.cli import inputs, sides
from dconv.cli.arguments import Arguments
from dconv.cli.console import Console
from dconv.cli.outcome import DONE, FINDINGS
from dconv.compare import Comparison, Side, compare
from dconv.compare.data import json_text
from dconv.compare.text import text
from dconv.pages import release_catalogues
from dconv.pipeline import SourceText


def run(chosen: Arguments, console: Console) -> int:
    """Tell what differs; the exit status is diff(1)'s: 0 where nothing does, else 1."""
    sides.check(chosen.old, chosen.new)
    products = inputs.products(chosen)
    old = sides.read(chosen.old, chosen, products, console)
    new = _named_alike(old, sides.read(chosen.new, chosen, products, console))
    before, after = _side(chosen.old, old, console), _side(chosen.new, new, console)
    console.step("comparing")
    found = compare(before, after)
    _show(found, chosen, console)
    return FINDINGS if found else DONE


def _named_alike(
    old: Sequence[SourceText], new: Sequence[SourceText]
) -> tuple[SourceText, ...]:
    """`new`, where one text against one other is the same document, whatever its name."""
    if len(old) == len(new) == 1:
        setting = replace(new[0].setting, name=old[0].setting.name)
        return (replace(new[0], setting=setting),)
    return tuple(new)


def _side(name: str, texts: Sequence[SourceText], console: Console) -> Side:
    read = []
    for each in texts:
        console.step(f"{name}: reading {each.setting.name}")
        read.append(pipeline.read_text(each))
    manuals = tuple(pipeline.link_texts(texts, read))
    rule_sets = texts[0].product.dialect.rule_sets if texts else {}
    return Side(name, manuals, release_catalogues(manuals, rule_sets))


def _show(found: Comparison, chosen: Arguments, console: Console) -> None:
    shown = json_text(found) if chosen.shown_as == "json" else text(found)
    if chosen.report is None:
        console.result(shown)
        return
    site.put([(chosen.report.name, shown.encode())], chosen.report.parent)
    console.say(f"written: {chosen.report}")
