"""The proof: every line in exactly one block, every word of it on the written pages.

The pages carry two kinds of marks: `<!--text 12-40-->` … `<!--/text-->` around
what stands for lines 12 to 40, where words must come in the source's order and
nothing else may stand, and `data-lines="15"` on elements whose words became data
and stand apart.  Elements with `data-added` hold what the source does not say.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from dconv.accounts import QUOTE, Account, Datum, account
from dconv.diagnostics import Diagnostic
from dconv.lines import BROKEN
from dconv.tree import Manual

REGION = re.compile(r"<!--text (\d+)-(\d+)-->(.*?)<!--/text-->", re.DOTALL)
MARKED = re.compile(r"<(\w+)\b[^>]*?\sdata-(?:added|lines=\"(\d+)(?:-(\d+))?\")[^>]*>")
# tags that stand inside a word; all others are white space
INLINE = re.compile(
    r"</?(?:a|abbr|b|bdi|code|del|em|i|ins|kbd|mark|s|small|span|strong|sub|sup|time|u|var|wbr)"
    r"\b[^>]*>"
)
TAG = re.compile(r"<[^>]*>")
# '<a id="4-acl" name="4-acl first"></a>': a place without text, which only one edition may have
PLACE = re.compile(r'<a (?:id|name)="[^"]*"(?: name="[^"]*")?></a>')


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of a document's lines.

    `total` and `accounted` count lines; `dropped` names the rules that dropped a
    mark, with the number of lines; `losses` has a diagnostic for each difference.
    """

    document: str
    version: str
    total: int
    accounted: int
    dropped: tuple[tuple[str, int], ...]
    losses: tuple[Diagnostic, ...]

    def __str__(self) -> str:
        """`configuration 3.4: 33,006 lines in, 33,006 accounted for`."""
        name = f"{self.document} {self.version}".strip()
        return f"{name}: {self.total:,} lines in, {self.accounted:,} accounted for"


def emit(manual: Manual) -> bytes:
    """The bytes of the file, put together again from the lines that blocks own."""
    found = account(manual)
    raw = manual.source.raw
    return b"".join(
        raw[line.number - 1]
        for line in manual.source.lines
        if found.owners[line.number] or not line.text
    )


def verify(manual: Manual, version: str, pages: Iterable[str]) -> Proof:
    """Prove that `pages` (HTML texts, in the order of the document) show all of `manual`."""
    expected = account(manual)
    losses = list(expected.problems)
    shown: Counter[int] = Counter()
    data: dict[int, list[str]] = {}
    for page in pages:
        for match in REGION.finditer(page):
            first, last = int(match[1]), int(match[2])
            shown.update(range(first, last + 1))
            text = _apart(match[3], data)
            losses += _differences(manual, expected, first, last, _words(text))
        _outside(page, data)
    losses += _missing_data(manual, expected, data)
    losses += _uncovered(manual, expected, shown)
    total = len(manual.source.lines)
    return Proof(
        manual.name, version, total, total - len({loss.line for loss in losses}),
        tuple(sorted(expected.dropped.items())), tuple(losses),
    )


def same_text(page: str, pages: Iterable[str]) -> bool:
    """True where `page`, the whole document on one, holds the text of all `pages` in order."""
    whole = [_bare(match[3]) for match in REGION.finditer(page)]
    single = [_bare(match[3]) for part in pages for match in REGION.finditer(part)]
    return whole == single


def _bare(region: str) -> str:
    return TAG.sub(" ", PLACE.sub("", region))


def _words(text: str) -> list[str]:
    return html.unescape(TAG.sub(" ", INLINE.sub("", text))).replace(QUOTE, "").split()


def _apart(region: str, data: dict[int, list[str]]) -> str:
    """`region` without its marked elements, whose words are put into `data` by line."""
    kept: list[str] = []
    at = 0
    for match in MARKED.finditer(region):
        if match.start() < at:
            continue
        kept.append(region[at : match.start()])
        at = _element_end(region, match.end(), match[1])
        if match[2]:
            inner = _apart(region[match.end() : at], data)
            data.setdefault(int(match[2]), []).extend(_words(inner))
    kept.append(region[at:])
    return "".join(kept)


def _outside(page: str, data: dict[int, list[str]]) -> None:
    """Data outside the regions: header and summary on the document's home."""
    _apart(REGION.sub("", page), data)


def _element_end(text: str, at: int, tag: str) -> int:
    """The place after the end tag of the element whose content starts at `at`."""
    depth = 1
    for match in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(text, at):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.end()
    return len(text)


def _joined(words: Iterable[str]) -> list[str]:
    """`words` with those that a line's end may have broken at their hyphen as one."""
    found: list[str] = []
    before = ""
    for word in words:
        if before.endswith("-") and BROKEN.search(f"{before}\n{word}"):
            found[-1] += word
        else:
            found.append(word)
        before = word
    return found


def _differences(
    manual: Manual, expected: Account, first: int, last: int, words: list[str]
) -> Iterator[Diagnostic]:
    wanted = [word for number in range(first, last + 1) for word in expected.words[number]]
    if wanted == words or _joined(wanted) == _joined(words):
        return
    places = [n for n in range(first, last + 1) for _ in expected.words[n]]
    for tag, start, end, other, other_end in SequenceMatcher(
        None, wanted, words, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            number = places[min(start, len(places) - 1)] if places else first
            told = f"source {' '.join(wanted[start:end][:8])!r}"
            message = f"{told}, page {' '.join(words[other:other_end][:8])!r}"
            yield Diagnostic(manual.source.path, number, 1, "error", "lost-text", message)


def _missing_data(
    manual: Manual, expected: Account, data: dict[int, list[str]]
) -> Iterator[Diagnostic]:
    for datum in expected.data:
        if not _holds(data.get(datum.first, []), datum):
            message = f"not shown: {' '.join(datum.words)!r}"
            yield Diagnostic(manual.source.path, datum.first, 1, "error", "lost-text", message)


def _holds(words: list[str], datum: Datum) -> bool:
    """True where the words of `datum` stand in `words` in order."""
    rest = iter(words)
    return all(word in rest for word in datum.words)


def _uncovered(
    manual: Manual, expected: Account, shown: Counter[int]
) -> Iterator[Diagnostic]:
    for line in manual.source.lines:
        number = line.number
        if not line.text or expected.owners[number] in ("header", "summary", "footer"):
            continue
        if shown[number] != 1:
            message = "on no page" if shown[number] == 0 else "on a page twice"
            yield Diagnostic(manual.source.path, number, 1, "error", "lost-text", message)
