"""The contrast of a site's colors on their background, in the light and the dark theme.

Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), which
asks for 4.5:1 (success criterion 1.4.3).  Colors in spaces other than sRGB are not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dconv.model.diagnostics import Diagnostic
from dconv.settings.colors import COLOR, TOKEN, TokenColors

MIN_CONTRAST = 4.5
BACKGROUND = "bg"
# tokens of the colors of text on the background; those of code begin with "c-"
TEXT_TOKENS = ("fg", "fg2", "fg3", "link", "ok", "warn")
# ":root { --bg: #fff }", ":root[data-theme=dark] { --bg: #12161b }": what the sheet says
# for the light theme and for the dark one
BLOCK = re.compile(r":root(\[data-theme=dark\])?\s*\{([^{}]*)\}")
PRINT_RULE = "@media print"  # a sheet's colors for print follow
# "rgb(20 30 45 / .16)", "rgba(20, 30, 45, 16%)"
NUMBER = r"((?:\d+(?:\.\d+)?|\.\d+)%?)"
RGB = re.compile(rf"rgba?\(\s*{NUMBER}[\s,]+{NUMBER}[\s,]+{NUMBER}(?:\s*[/,]\s*{NUMBER})?\s*\)")


def low_contrast(colors: Iterable[TokenColors], sheets: Iterable[str]) -> Iterator[Diagnostic]:
    """Warnings of those `colors` of a site that leave texts too little contrast.

    `sheets` are the theme's style sheets in their order: they have the other colors.
    """
    site_colors = {color.token: color for color in colors}
    for dark, theme_tokens in enumerate(_tokens(sheets)):
        table = theme_tokens | {
            color.token: color.dark if dark else color.light for color in site_colors.values()
        }
        for token in sorted(table):
            cause = site_colors.get(token) or site_colors.get(BACKGROUND)
            if cause and (token in TEXT_TOKENS or token.startswith("c-")) and BACKGROUND in table:
                ratio = contrast(table[token], table[BACKGROUND])
                if ratio is not None and ratio < MIN_CONTRAST:
                    yield Diagnostic(
                        cause.file, 1, 1, "warning", "low-contrast",
                        f"[site.colors] gives '{token}' ({table[token]}) a contrast of"
                        f" {int(ratio * 10) / 10}:1 to '{BACKGROUND}' ({table[BACKGROUND]}) in the"
                        f" {'dark' if dark else 'light'} theme; texts need 4.5:1: write {token} ="
                        ' { light = "…", dark = "…" }',
                    )


def _tokens(sheets: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The colors of tokens in the light and in the dark theme: later sheets win."""
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for sheet in sheets:
        for is_dark, body in BLOCK.findall(sheet.partition(PRINT_RULE)[0]):
            values = {name: value.strip() for name, value in TOKEN.findall(body)}
            (dark if is_dark else light).update(values)
    return light, light | dark


def contrast(text: str, background: str) -> float | None:
    """The contrast ratio of two colors, 1 to 21; None if one of them is not in sRGB."""
    background_channels, text_channels = _channels(background), _channels(text)
    if background_channels is None or text_channels is None:
        return None
    *color_channels, opacity = text_channels
    blended = [
        opacity * channel + (1 - opacity) * background_channel
        for channel, background_channel in zip(color_channels, background_channels, strict=False)
    ]
    darker, lighter = sorted((_luminance(blended), _luminance(background_channels[:3])))
    return (lighter + 0.05) / (darker + 0.05)


def _channels(color: str) -> list[float] | None:
    """Red, green, blue and opacity from 0 to 1, of `#rgb` to `#rrggbbaa` and `rgb(…)`."""
    if not COLOR.fullmatch(color):
        return None
    if color.startswith("#"):
        digits = color[1:] if len(color) > 5 else "".join(2 * digit for digit in color[1:])
        return [int(digits[index : index + 2], 16) / 255 for index in (0, 2, 4)] + [
            int(digits[6:] or "ff", 16) / 255
        ]
    match = RGB.fullmatch(color)
    if match is None:
        return None
    return [_fraction(match[index], 255) for index in (1, 2, 3)] + [_fraction(match[4] or "1", 1)]


def _fraction(number: str, maximum: int) -> float:
    value = float(number[:-1]) / 100 if number.endswith("%") else float(number) / maximum
    return min(value, 1)


def _luminance(channels: Iterable[float]) -> float:
    """The relative luminance (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance)."""
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
