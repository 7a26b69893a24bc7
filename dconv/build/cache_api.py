"""What earlier builds may have left for this one: who makes a site asks, but need not get it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from dconv.build.jobs import Made, Make
from dconv.sources.texts import ReleaseTexts

# of each release of a product: its version, its status, and a digest of what is known of it
Others: TypeAlias = Sequence[tuple[str, str, str]]


class Memory(Protocol):
    """Results of earlier builds; what comes back is what would be made now."""

    def known(self, texts: ReleaseTexts) -> bytes | None:
        """What was known of a release, as `Noted.text`, or None."""

    def note_known(self, texts: ReleaseTexts, text: bytes) -> None:
        """Keep what is known of a release."""

    def made(self, make: Make, others: Others) -> Made | None:
        """What came of the task `make` among the `others`, with its files, or None."""

    def note_made(self, make: Make, others: Others, made: Made) -> None:
        """Keep what came of the task `make`, whose files are in the site."""


class Forgetful:
    """Knows nothing, and keeps nothing."""

    def known(self, texts: ReleaseTexts) -> bytes | None:
        """Nothing."""
        return None

    def note_known(self, texts: ReleaseTexts, text: bytes) -> None:
        """Do nothing."""

    def made(self, make: Make, others: Others) -> Made | None:
        """Nothing."""
        return None

    def note_made(self, make: Make, others: Others, made: Made) -> None:
        """Do nothing."""
