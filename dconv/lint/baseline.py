"""What a finding is about, whatever line it stands on: by that, known findings are told apart.

A key has the words of the line and of the message; numbers of lines are left out of it, so
that text above the place may come and go.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dconv.model.diagnostics import Diagnostic

# "in line 12", "lines 12 and 90", "lines 4-7"
NUMBERS = re.compile(r"\b(lines?) \d+(?:(?:, | and | to |-)\d+)*")
LONGEST = 2000  # characters of a line that tell it apart; each finding in it has them
HEAD = """\
# What "dconv check" found and nobody wants to be told again.  It is matched by content:
# text above may come and go.  Write it anew with --write-baseline.
"""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What findings are compared by: rule, document, the words of line and message."""

    document: str
    rule: str
    line: str
    message: str

    def digest(self, count: int) -> str:
        """A short text that is the same where the finding is, `count`-th of its key (from 1)."""
        return digest(self.document, self.rule, self.line, self.message, str(count))

    def __str__(self) -> str:
        """`[doubled-word] 'the' stands twice: 'words of the the line'`."""
        return f"[{self.rule}] {self.message}: '{self.line}'"


def digest(*parts: str) -> str:
    """A short text that is the same where the `parts` are."""
    words = "\0".join(parts)
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def key(finding: Diagnostic, document: str, line: str) -> Key:
    """The key of `finding` in `document`, about the text `line`.

    That of a name with a place has neither its line nor the place: its neighbours come and go.
    """
    if finding.shared is not None:
        return Key(document, finding.rule, "", f"'{finding.shared.name}' is {finding.shared.state}")
    message = NUMBERS.sub(r"\1 …", finding.message)
    words = " ".join(line[:LONGEST].split())
    return Key(document, finding.rule, words, " ".join(message.split()))


def told(keys: Iterable[Key]) -> str:
    """The text of a file of known findings (TOML): sorted, equal ones counted."""
    parts = [HEAD]
    for one, count in sorted(Counter(keys).items()):
        fields = {
            "document": one.document, "rule": one.rule, "line": one.line, "message": one.message,
        }
        rows = [f"{name} = {_quoted(text)}" for name, text in fields.items()]
        rows += [f"count = {count}"] * (count > 1)
        parts.append("[[finding]]\n" + "".join(f"{row}\n" for row in rows))
    return "\n".join(parts)


def new(keys: Iterable[Key], known: Mapping[Key, int]) -> list[bool]:
    """For each of `keys` whether it is not among the `known`, of which there may be several."""
    left = Counter(known)
    found: list[bool] = []
    for one in keys:
        found.append(not left[one])
        left[one] -= bool(left[one])
    return found


def stale(keys: Iterable[Key], known: Mapping[Key, int]) -> list[Key]:
    """What of the `known` is not, or not as often, among `keys`."""
    return sorted((Counter(known) - Counter(keys)).elements())


def _quoted(text: str) -> str:
    """`text` as a basic string of TOML (https://toml.io/en/v1.0.0#string)."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
