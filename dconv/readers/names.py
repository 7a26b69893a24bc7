"""What readers share about names: the longest one, web addresses, which of several is shown."""

from __future__ import annotations

import re

from dconv.model.values import dataclass

MAX_NAME_LENGTH = 60  # characters
# "https://example.org/a" in a text, without the punctuation after it
WEB_ADDRESS = re.compile(r"\bhttps?://[\w\[][^\s<>\"'`⟨⟩“”‘’]*[\w/=&#~%+-]")
# "SIGHUP"
SIGNAL = re.compile(r"SIG[A-Z0-9]{2,8}")


@dataclass(frozen=True, slots=True)
class KindAndNames:
    """What a term or a heading names: a thing of `kind` with its names, the best first."""

    kind: str
    names: tuple[str, ...]


def rank(name: str) -> int:
    """Where `name` stands among others of its signature: long options first, short ones last."""
    if not name.startswith(("-", "+")):
        return 0
    return 0 if name.startswith("--") else 1 if len(name) > 2 else 2
