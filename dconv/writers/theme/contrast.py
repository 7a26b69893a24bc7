"""The contrast of a site's colours on their background, in the light and the dark theme.

Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), which
asks for 4.5:1 (success criterion 1.4.3).  Colours in spaces other than sRGB are not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from dconv.model.diagnostics import Diagnostic
from dconv.settings.colors import COLOUR, TOKEN, Colour

MIN_CONTRAST = 4.5
PAPER = "bg"
# tokens of the theme that texts on the paper have; those of code begin with "c-"
TEXTS = ("fg", "fg2", "fg3", "link", "ok", "warn")
# ":root { --bg: #fff }", ":root[data-theme=dark] { --bg: #12161b }": what the sheet says
# for the light theme and for the dark one
BLOCK = re.compile(r":root(\[data-theme=dark\])?\s*\{([^{}]*)\}")
PRINT = "@media print"  # a sheet's colours of ink and paper follow
# "rgb(20 30 45 / .16)", "rgba(20, 30, 45, 16%)"
NUMBER = r"((?:\d+(?:\.\d+)?|\.\d+)%?)"
RGB = re.compile(rf"rgba?\(\s*{NUMBER}[\s,]+{NUMBER}[\s,]+{NUMBER}(?:\s*[/,]\s*{NUMBER})?\s*\)")


def low_contrast(colours: Iterable[Colour], sheets: Iterable[str]) -> Iterator[Diagnostic]:
    """Warnings of those `colours` of a site that leave texts too little contrast.

    `sheets` are the theme's style sheets in their order: they have the other colours.
    """
    own = {colour.token: colour for colour in colours}
    for dark, theme in enumerate(_tokens(sheets)):
        table = theme | {
            colour.token: colour.dark if dark else colour.light for colour in own.values()
        }
        for token in sorted(table):
            cause = own.get(token) or own.get(PAPER)
            if cause and (token in TEXTS or token.startswith("c-")) and PAPER in table:
                ratio = contrast(table[token], table[PAPER])
                if ratio is not None and ratio < MIN_CONTRAST:
                    message = _message(token, table, "dark" if dark else "light", ratio)
                    yield Diagnostic(cause.file, 1, 1, "warning", "low-contrast", message)


def _message(token: str, table: Mapping[str, str], theme: str, ratio: float) -> str:
    return (
        f"[site.colors] leaves '{token}' ({table[token]}) a contrast of {int(ratio * 10) / 10}:1 to"
        f" '{PAPER}' ({table[PAPER]}) in the {theme} theme; texts need 4.5:1: write"
        f" {token} = {{ light = \"…\", dark = \"…\" }}"
    )


def _tokens(sheets: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The colours of tokens in the light and in the dark theme: later sheets win."""
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for sheet in sheets:
        for chosen, body in BLOCK.findall(sheet.partition(PRINT)[0]):
            values = {name: value.strip() for name, value in TOKEN.findall(body)}
            (dark if chosen else light).update(values)
    return light, light | dark


def contrast(text: str, paper: str) -> float | None:
    """The contrast ratio of two colours, 1 to 21; None if one of them is not in sRGB."""
    ground, ink = _channels(paper), _channels(text)
    if ground is None or ink is None:
        return None
    *mixed, opaque = ink
    shown = [opaque * own + (1 - opaque) * below for own, below in zip(mixed, ground, strict=False)]
    darker, lighter = sorted((_luminance(shown), _luminance(ground[:3])))
    return (lighter + 0.05) / (darker + 0.05)


def _channels(colour: str) -> list[float] | None:
    """Red, green, blue and opacity from 0 to 1, of `#rgb` to `#rrggbbaa` and `rgb(…)`."""
    if not COLOUR.fullmatch(colour):
        return None
    if colour.startswith("#"):
        digits = colour[1:] if len(colour) > 5 else "".join(2 * digit for digit in colour[1:])
        return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)] + [
            int(digits[6:] or "ff", 16) / 255
        ]
    match = RGB.fullmatch(colour)
    if match is None:
        return None
    return [_part(match[at], 255) for at in (1, 2, 3)] + [_part(match[4] or "1", 1)]


def _part(number: str, whole: int) -> float:
    value = float(number[:-1]) / 100 if number.endswith("%") else float(number) / whole
    return min(value, 1)


def _luminance(channels: Iterable[float]) -> float:
    """The relative luminance (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
