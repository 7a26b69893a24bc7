"""Prose of a manual page as runs: stretches of characters in one style, before they are nodes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Literal

from dconv.model.man_pages import PAGE_MENTION
from dconv.model.tree import Code, Emphasis, Hyperlink, Inline, LineBreak, Reference, Strong, Text
from dconv.model.values import dataclass
from dconv.readers.names import WEB_ADDRESS

Style = Literal["roman", "bold", "italic", "code", "address", "page", "section", "break"]

SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Run:
    """Characters in one `style`; `target` is where they link to, or empty."""

    text: str
    style: Style = "roman"
    target: str = ""


BREAK = Run("\n", "break")


def plain(runs: Iterable[Run]) -> str:
    """The characters of `runs` on one line."""
    return " ".join("".join([run.text for run in runs]).split())


def split_lines(runs: Sequence[Run]) -> list[list[Run]]:
    """`runs` cut at line breaks, without empty lines."""
    rows: list[list[Run]] = [[]]
    for run in runs:
        if run.style == "break":
            rows.append([])
        else:
            rows[-1].append(run)
    return [line for line in rows if plain(line)]


def drop_start(runs: Sequence[Run], length: int) -> list[Run]:
    """`runs` without their first `length` characters."""
    remaining: list[Run] = []
    for run in runs:
        if length >= len(run.text):
            length -= len(run.text)
            continue
        remaining.append(Run(run.text[length:], run.style, run.target))
        length = 0
    return remaining


def slice_runs(runs: Sequence[Run], first: int, end: int, starts: Sequence[int] = ()) -> list[Run]:
    """The runs of the characters from `first` to `end`; `starts` are those of `runs`, if known."""
    starts = starts or run_starts(runs)
    sliced: list[Run] = []
    for index in range(max(bisect_right(starts, first) - 1, 0), len(runs)):
        run, start = runs[index], starts[index]
        if start >= end:
            break
        text = run.text[max(first - start, 0) : end - start]
        if text:
            sliced.append(Run(text, run.style, run.target))
    return sliced


def run_starts(runs: Sequence[Run]) -> list[int]:
    """How many characters are before each of `runs`."""
    return list(accumulate([len(run.text) for run in runs[:-1]], initial=0))


def inline_nodes(runs: Sequence[Run]) -> tuple[Inline, ...]:
    """The nodes of `runs`, with references to pages and addresses as links."""
    text = "".join([run.text for run in runs])
    if "(" not in text and "://" not in text:
        return tuple([_node(run) for run in runs if run.text])
    patterns = (PAGE_MENTION, WEB_ADDRESS)
    links = sorted([match.span() for pattern in patterns for match in pattern.finditer(text)])
    starts = run_starts(runs)
    nodes: list[Inline] = []
    index = 0
    for first, end in links:
        linked = slice_runs(runs, first, end, starts)
        if first < index or any(run.style in ("address", "page", "section") for run in linked):
            continue
        nodes += [_node(run) for run in slice_runs(runs, index, first, starts)]
        link_text = text[first:end]
        if "://" in link_text:
            nodes.append(_styled(Hyperlink(link_text, link_text), linked))
        else:
            nodes.append(_styled(Reference(link_text, link_text, kind="page"), linked[:1]))
        index = end
    nodes += [_node(run) for run in slice_runs(runs, index, len(text), starts)]
    return tuple(nodes)


def _styled(link: Inline, linked: Sequence[Run]) -> Inline:
    """`link` in the style of all `linked`."""
    styles = {run.style for run in linked}
    if styles == {"bold"}:
        return Strong((link,))
    return Emphasis((link,)) if styles == {"italic"} else link


def _node(run: Run) -> Inline:
    match run.style:
        case "roman":
            return Text(run.text)
        case "bold":
            return Strong((Text(run.text),))
        case "italic":
            return Emphasis((Text(run.text),))
        case "code":
            return Code(run.text)
        case "break":
            return LineBreak()
        case "address":
            return Hyperlink(run.text, run.target)
        case "page":
            return Reference(run.text, SPACE.sub("", run.text), kind="page")
        case "section":
            return Reference(run.text, run.target, kind="link")
