"""No regular expression takes more than its share: twice the text, twice the time.

Every pattern of the package is asked as the program asks it, on texts made of its own
parts, again and again (`patterns`).  Work inside of a pattern cannot be counted, so the
time is measured: first that of short texts, on which what grows with the square stands
out; only what seems slow is measured at two sizes, several times and by the time of this
process, which other load hardly changes, and has to grow with the size alone.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from patterns import COMPOSED, Asked, composed, found, hostile, package

SHORT = 1_000  # characters
QUICK = 0.0007  # seconds that a short text may take unasked; squares take several milliseconds
LONGER = 4  # times as long is the text that tells, of what is not quick, whether it is suspect
LONG = 10_000  # characters of a line that may come
SLOW = 0.02  # seconds for it that are worth a second look: a square has taken far more
GROWTH = 3.0  # of the time for twice the text; 2 is linear, 4 the square
PATIENCE = 2  # seconds; what takes longer is given up
SPECS = Path(__file__).parents[1] / "spec"


# what no author of a manual can make slow, and why
SPARED: Mapping[str, str] = {
    "everyday.LIST_BEFORE": "the words before a name, of which `link` gives no more than NEAR",
    "rules.terms.BRACKETS": "terms no longer than LONGEST",
    "tags.PICKED": "pages as the theme has made them: a tag that begins ends in a few characters",
    "tags.CANDIDATE": "the addresses of a picture, which only themes have",
    "tags.STYLE_URL": "style sheets, which only themes have",
    "theme.COMMENTS": "the files of a theme",
    "theme.BEHIND": "the files of a theme",
    "verify.TAG": "pages as the theme has made them: what is '<' in a text is '&lt;' there",
}


class TooSlowError(Exception):
    """A pattern has been given up."""


@contextmanager
def patience() -> Iterator[None]:
    """Ends what takes longer than anyone waits."""
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def ask(
    pattern: re.Pattern[Any], method: str, text: str,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """The seconds of `clock` that `method` takes."""
    given: Any = text.encode("utf-8") if isinstance(pattern.pattern, bytes) else text
    start = clock()
    match method:
        case "finditer":
            for _ in pattern.finditer(given):
                pass
        case "sub" | "subn":
            pattern.sub(lambda match: match[0], given)
        case _:
            getattr(pattern, method)(given)
    return clock() - start


def suspect(pattern: re.Pattern[Any], method: str, text: str, longer: str) -> bool:
    """Whether `text` is worth a closer look: it takes long, and `longer` far longer."""
    taken = ask(pattern, method, text)
    if taken < QUICK:
        return False
    taken = min(taken, ask(pattern, method, text))
    return ask(pattern, method, longer) > 2 * LONGER * taken


def grows(pattern: re.Pattern[Any], method: str, at: int) -> bool:
    """Whether the time for the hostile text number `at` grows faster than the text does."""
    def least(size: int) -> float:
        text = next(text for number, text in enumerate(hostile(pattern, size)) if number == at)
        return min(ask(pattern, method, text, time.process_time) for _ in range(3))

    try:
        with patience():
            taken = least(LONG)
            return taken > SLOW and taken > GROWTH * least(LONG // 2)
    except TooSlowError:
        return True


@cache
def every() -> list[Asked]:
    """All patterns."""
    return found((SPECS,))


@pytest.mark.parametrize(
    "asked", [asked for asked in every() if asked.name not in SPARED], ids=lambda asked: asked.name
)
def test_the_time_of_a_pattern_grows_as_the_text_does(asked: Asked) -> None:
    for method in asked.methods:
        longer = hostile(asked.pattern, LONGER * SHORT)
        for at, text in enumerate(hostile(asked.pattern, SHORT)):
            try:
                with patience():
                    odd = suspect(asked.pattern, method, text, next(longer))
            except TooSlowError:
                pytest.fail(f"{method} never ends on {text[:40]!r}…")
            if odd and grows(asked.pattern, method, at):
                pytest.fail(f"{method} is slow on {text[:40]!r}…{text[-20:]!r}")


def test_all_patterns_are_found() -> None:
    names = [asked.name for asked in every()]
    assert {*SPARED} <= {*names}
    assert len(names) == len({*names})
    assert {"accounts.frame.UNDERLINE", "rules.labelled.NOTE"} <= {*names}
    source = [name for name in names if name.startswith(("haproxy.", "spec."))]
    assert len(source) > 20
    static = sum(
        Path(str(module.__file__)).read_text(encoding="utf-8").count("re.compile(")
        for _, module, _ in package()
    )
    assert len(names) - len(source) > static
    assert {asked.name.split(":")[0] for asked in composed(list(package()))} >= {
        name for name, text in COMPOSED.items() if text
    }


def test_what_grows_with_the_square_is_seen() -> None:
    slow = re.compile(r"-+x|(?:a+)+y")
    number = next(
        at for at, text in enumerate(hostile(slow, SHORT)) if text.startswith("--")
    )
    assert grows(slow, "search", number)
    assert not grows(re.compile(r"(?<!-)-+x"), "search", number)
