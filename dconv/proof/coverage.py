"""The proof: every line in exactly one block, every word of it on the written pages.

The pages carry two kinds of marks: `<!--text 12-40-->` … `<!--/text-->` around
what stands for lines 12 to 40, where words must come in the source's order and
nothing else may stand, and `data-lines="15"` on elements whose words became data
and stand apart; "+3" counts from the `data-from` of the card around.  Elements with
`data-added` hold what the source does not say.  A tag that `markup` does not know is a
word that no source has.
What is compared are words with the limits of blocks and of cells between them;
lines of code are compared as a whole, with their blanks.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import Manual
from dconv.proof.differences import ALIEN, Loss, Stretch, differences, loss, told
from dconv.proof.expected import BREAK, CELL, QUOTE, Account, account
from dconv.proof.markup import BLOCK, COLUMN, HEAD, INLINE, ITEM, MOVED, NAMELESS, PRE, STATE

START, END = "<!--text ", "<!--/text-->"  # around the lines 3 to 8: "<!--text 3-8-->"
MARKED = re.compile(
    r"<(\w+)\b[^>]*?\sdata-(?:added|lines=\"(\+?)(\d+)(?:-(\d+))?\")[^>]*>"
    r'|<dl class="card" data-from="(?P<start>\d+)">'
)
TAG = re.compile(r"<[^>]*>")
LINK = re.compile(r"</?(?:a|b|var)\b[^>]*>")  # one edition may have more of them than the other
# the row of versions in a card, backlinks, the filter of a matrix, a strip of letters:
# not in the edition on one page
APART = re.compile(
    r'<dt data-added>Versions</dt><dd data-added>(?s:.*?)</dd>\n'
    r'|<details class="backlinks" data-added>.*\n|<div class="filter.*\n'
    r'|<nav class="letters"[^>]* data-added>(?s:.*?)</nav>\n'
)
# a label at the head of a paragraph or a figure
LABEL = re.compile(r"(<(?:p|figcaption)\b[^>]*><b>[^<]*</b>)")
ODD = f"{ALIEN}<"  # for the "<" of a tag that `markup` does not know
OUTSIDE = frozenset(("header", "summary", "footer"))  # owners of lines that stand in no region


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of a document's lines.

    `total` counts them; `lost` has the numbers of those that are not shown as
    they stand, `losses` a diagnostic for each difference.  `dropped` names the
    rules that dropped a mark, with the line of each.
    """

    document: str
    version: str
    total: int
    lost: tuple[int, ...]
    dropped: tuple[tuple[str, tuple[int, ...]], ...]
    losses: tuple[Diagnostic, ...]

    @property
    def accounted(self) -> int:
        """How many lines are shown whole."""
        return self.total - len(self.lost)

    def __str__(self) -> str:
        """`configuration 3.4: 33,006 lines in, 33,006 accounted for`."""
        name = f"{self.document} {self.version}".strip()
        return f"{name}: {self.total:,} lines in, {self.accounted:,} accounted for"


def verify(manual: Manual, version: str, pages: Iterable[str]) -> Proof:
    """Prove that `pages` (HTML texts, in the order of the document) show all of `manual`."""
    return compare(manual, version, read(pages))


def compare(manual: Manual, version: str, shown: Iterable[Stretch]) -> Proof:
    """Prove that `shown` is all of the source of `manual`, each line once."""
    expected = account(manual)
    losses = [Loss(problem, frozenset((problem.line,))) for problem in expected.problems]
    covered: Counter[int] = Counter()
    apart: Counter[int] = Counter()
    before = {False: 0, True: 0}
    for stretch in shown:
        (apart if stretch.apart else covered).update(range(stretch.first, stretch.last + 1))
        losses += differences(expected, stretch)
        if expected.owners[stretch.first] not in OUTSIDE:
            if stretch.first < before[stretch.apart]:
                losses.append(loss(expected, [stretch.first], "shown after what follows it"))
            before[stretch.apart] = stretch.first
    losses += _uncovered(expected, covered, apart)
    return Proof(
        manual.name, version, len(manual.source.lines),
        tuple(sorted(frozenset().union(*[loss.lines for loss in losses]))),
        tuple((rule, tuple(sorted(lines))) for rule, lines in sorted(expected.dropped.items())),
        tuple(loss.finding for loss in losses),
    )


def ranges(numbers: Iterable[int]) -> str:
    """Numbers, in order, as people write them: `3,7-9`."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number <= found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in found)


def _uncovered(
    expected: Account, covered: Counter[int], apart: Counter[int]
) -> Iterator[Loss]:
    """Lines that no page shows, or several do."""
    for line in expected.source.lines:
        number = line.number
        if not line.text:
            continue
        if expected.owners[number] not in OUTSIDE and covered[number] != 1:
            message = "on no page" if covered[number] == 0 else "on a page twice"
            yield loss(expected, [number], message)
        elif (words := expected.apart[number]) and apart[number] != 1:
            message = "not shown" if apart[number] == 0 else "shown twice"
            yield loss(expected, [number], f"{message}: {told(words)}")


def whole_page(proof: Proof, path: str, page: str, pages: Iterable[str]) -> Proof:
    """`proof`, with a loss where `page`, the document on one page, has other text than `pages`.

    `path` is the name of the source for findings.
    """
    ours = [text for part in pages for text in _texts(part)]
    theirs = _texts(page)
    if ours == theirs:
        return proof
    odd = Counter(ours) - Counter(theirs) + (Counter(theirs) - Counter(ours))
    lines = {line for first, last, _ in odd or ours for line in range(first, last + 1)}
    at = min(lines, default=1)
    message = "the whole document on one page has other text than its pages"
    loss = Diagnostic(path, at, 1, "error", "lost-text", message)
    lost = tuple(sorted(lines.union(proof.lost)))
    return replace(proof, lost=lost, losses=(*proof.losses, loss))


def _texts(page: str) -> list[tuple[int, int, str]]:
    """The text of each stretch of `page`, without markup, and what stands apart around them."""
    found: list[tuple[int, int, str]] = []
    around, regions = _parts(page)
    for first, last, region in regions:
        found.append((first, last, TAG.sub(" ", LINK.sub("", APART.sub("", region)))))
    apart: list[Stretch] = []
    if " data-lines=" in around:
        _apart(around, apart)
    return [*((one.first, one.last, " ".join(one.words)) for one in apart), *found]


# --- reading pages --------------------------------------------------------------------


def read(pages: Iterable[str]) -> Iterator[Stretch]:
    """What `pages` show."""
    for page in pages:
        around, regions = _parts(page)
        found: list[Stretch] = []
        if " data-lines=" in around:
            _apart(around, found)
        yield from found
        for first, last, region in regions:
            found = []
            text = _apart(region, found)
            yield from found
            yield Stretch(first, last, _words(text))


def _parts(page: str) -> tuple[str, list[tuple[int, int, str]]]:
    """What stands around the stretches of `page`, and each with its lines."""
    before, *parts = page.split(START)
    around = [before]
    regions: list[tuple[int, int, str]] = []
    for part in parts:
        span, _, rest = part.partition("-->")
        region, _, behind = rest.partition(END)
        first, _, last = span.partition("-")
        regions.append((int(first), int(last), region))
        around.append(behind)
    return "".join(around), regions


def _words(text: str) -> list[str]:
    """The words of a stretch of HTML, with the limits of its blocks and cells."""
    if "<pre" not in text:
        return _prose(text)
    words: list[str] = []
    for place, part in enumerate(PRE.split(text)):
        if place % 2:
            words += [BREAK, *html.unescape(_odd(INLINE.sub("", part))).split("\n")]
        else:
            words += _prose(part)
    return words


def _prose(text: str) -> list[str]:
    text = text.replace(QUOTE, "")
    if "<" not in text:
        return html.unescape(text).split()
    if '<span class="' in text:
        text = STATE.sub(r"\1 \2\3\4</span>", text)
    if "<li" in text:
        text = ITEM.sub(r"<li> \1\2 <li>", text)
    if "><b>" in text:
        text = LABEL.sub(r"\1<li>", text)
    if "<table" in text:
        text = HEAD.sub(lambda head: NAMELESS.sub(f"{ODD}td", head[0]), text)
        text = COLUMN.sub(rf" {CELL}\1\2 ", text)
    words = html.unescape(_odd(BLOCK.sub(f" {BREAK} ", INLINE.sub("", text)))).split()
    if words[-1:] == [BREAK]:
        words.pop()
    return words


def _odd(text: str) -> str:
    """`text` without its known tags, where others become words that no source has."""
    return text.replace("<", ODD) if "<" in text else text


def _apart(region: str, found: list[Stretch]) -> str:
    """`region` without its marked elements, whose words are put into `found`."""
    kept: list[str] = []
    at = start = 0
    for match in MARKED.finditer(region):
        if match["start"]:
            start = int(match["start"])
            continue
        if match.start() < at:
            continue
        kept.append(region[at : match.start()])
        at = _element_end(region, match.end(), match[1])
        if match[3]:
            inner = _apart(region[match.end() : at], found)
            less = start if match[2] else 0
            first = less + int(match[3])
            last = less + int(match[4]) if match[4] else first
            words = _words(inner) if MOVED.fullmatch(match[0]) else [ODD + match[0], inner]
            found.append(Stretch(first, last, words, apart=True))
    kept.append(region[at:])
    return "".join(kept)


@cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?){name}\b[^>]*>")


def _element_end(text: str, at: int, tag: str) -> int:
    """The place after the end tag of the element whose content starts at `at`."""
    end = text.find(f"</{tag}>", at)
    if end >= 0 and text.find(f"<{tag}", at, end) < 0:
        return end + len(tag) + 3
    depth = 1
    for match in _tags(tag).finditer(text, at):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.end()
    return len(text)
