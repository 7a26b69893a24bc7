"""What texts were to a preview before: their pages stay where they are while a head is damaged.

Product, document and release are parts of addresses and stand in the head of a text.  While
one writes there, or an editor saves half of it, a reader must not lose the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from dconv.build import collect
from dconv.sources.texts import SourceText


@dataclass(slots=True)
class Addresses:
    """What is known of texts by their paths; `tell` is given what a text does not tell any more."""

    tell: Callable[[str], None]
    _texts: dict[str, SourceText] = field(default_factory=dict)
    _versions: dict[str, str] = field(default_factory=dict)

    def texts(self, found: Iterable[SourceText]) -> list[SourceText]:
        """The texts `found`, as those of the product that had them before if nobody has them now.
        """
        return [self._text(text) for text in found]

    def version(self, texts: Sequence[SourceText]) -> str:
        """The release that the `texts` of one product tell, or told before, or nothing."""
        told = collect.told_version(texts)
        if told:
            self._versions |= dict.fromkeys([text.path for text in texts], told)
            return told
        known = [text for text in texts if text.path in self._versions]
        if not known:
            return ""
        path = known[0].path
        self.tell(
            f"{path}: the text tells no release any more; the preview goes on as that of"
            f" {self._versions[path]}"
        )
        return self._versions[path]

    def _text(self, text: SourceText) -> SourceText:
        before = self._texts.get(text.path, text)
        if _claim(text) >= _claim(before):
            self._texts[text.path] = replace(text, content=b"")
            return text
        self.tell(
            f"{text.path}: the text is not recognised as that of {before.product.title} any more;"
            " the preview goes on reading it so"
        )
        return replace(text, product=before.product, setting=before.setting)


def _claim(text: SourceText) -> int:
    """How sure it is whose text it is: nobody's, a product's, or a document of a product's list."""
    return bool(text.product.title) + (text.setting in text.product.documents)
