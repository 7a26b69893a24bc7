"""Baselines: findings that are known, in a file, so that only new ones are reported.

Findings are compared by content: the words of the line and of the message, without numbers of
lines, so that text above may come and go.  The file is TOML:

    [[finding]]
    document = "configuration"
    rule = "doubled-word"
    line = "This is the the lamp."
    message = "'the' appears twice in a row"
    count = 2                   # 1 if absent
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from dconv.model.diagnostics import Diagnostic
from dconv.model.values import dataclass
from dconv.settings.toml import load

# "in line 12", "lines 12 and 90", "lines 4-7"
NUMBERS = re.compile(r"\b(lines?) \d+(?:(?:, | and | to |-)\d+)*")
MAX_LINE_LENGTH = 2000  # characters of a line that keys hold
HEADER = """\
# Known findings of "dconv check", which --baseline does not report.  They are compared by
# content: text above may come and go.  Update this file with --write-baseline.
"""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What findings are compared by: document, rule, the words of line and message."""

    document: str
    rule: str
    line: str
    message: str

    def fingerprint(self, ordinal: int) -> str:
        """A fingerprint of the finding with this key that is number `ordinal` (from 1)."""
        return fingerprint(self.document, self.rule, self.line, self.message, str(ordinal))

    def __str__(self) -> str:
        """`[doubled-word] 'the' appears twice: 'words of the the line'`."""
        return f"[{self.rule}] {self.message}: '{self.line}'"


def fingerprint(*parts: str) -> str:
    """32 hexadecimal digits of a digest of `parts`."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def finding_key(finding: Diagnostic, document: str, line: str) -> Key:
    """The key of `finding` in `document`, about the text `line`.

    That of a name that is missing or out of order (`Diagnostic.change`) has neither the line nor
    the place where the name belongs: its neighbours come and go.
    """
    if finding.change is not None:
        return Key(document, finding.rule, "", f"'{finding.change.name}' is {finding.change.state}")
    message = NUMBERS.sub(r"\1 …", finding.message)
    words = " ".join(line[:MAX_LINE_LENGTH].split())
    return Key(document, finding.rule, words, " ".join(message.split()))


def load_baseline(path: Path) -> Counter[Key]:
    """How often each finding of the file `path` is known; raises `SettingsError`."""
    file = load(path).expect_keys("finding")
    baseline: Counter[Key] = Counter()
    for table in file.tables("finding"):
        table.expect_keys("document", "rule", "line", "message", "count")
        count = table.values.get("count", 1)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise table.error("has a 'count' that is not a number of findings; write 1 or more")
        key = Key(
            table.string("document"), table.string("rule"), table.string("line", ""),
            table.string("message", ""),
        )
        baseline[key] += count
    return baseline


def baseline_text(keys: Iterable[Key]) -> str:
    """The content of a baseline file: `keys` sorted, equal ones counted."""
    parts = [HEADER]
    for key, count in sorted(Counter(keys).items()):
        fields = {
            "document": key.document, "rule": key.rule, "line": key.line, "message": key.message,
        }
        # strings of JSON are basic strings of TOML (https://toml.io/en/v1.0.0#string), but for DEL
        rows = [
            f"{name} = {json.dumps(text, ensure_ascii=False)}".replace("\x7f", "\\u007f")
            for name, text in fields.items()
        ]
        rows += [f"count = {count}"] * (count > 1)
        parts.append("[[finding]]\n" + "".join(f"{row}\n" for row in rows))
    return "\n".join(parts)


def which_are_new(keys: Iterable[Key], baseline: Mapping[Key, int]) -> list[bool]:
    """For each of `keys` whether it is not in the `baseline`, or there less often."""
    remaining = Counter(baseline)
    flags: list[bool] = []
    for key in keys:
        flags.append(not remaining[key])
        remaining[key] -= bool(remaining[key])
    return flags


def fixed_findings(keys: Iterable[Key], baseline: Mapping[Key, int]) -> list[Key]:
    """What of the `baseline` is not, or not as often, among `keys`."""
    return sorted((Counter(baseline) - Counter(keys)).elements())

