"""Colours as CSS writes them, and the style sheet that gives a theme's tokens other colours.

A token is a custom property with a colour (https://www.w3.org/TR/css-variables-1/), such
as `--link`; colours are those of CSS Color 4 that are written in numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from dconv.model.values import dataclass
from dconv.settings.toml import shorten, suggestion

# "#0b57b0", "rgb(20 30 45 / .16)", "oklch(60% .2 250deg)"
COLOR = re.compile(
    r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
    r"|(?:rgb|hsl)a?\([0-9.%,/ +-]+(?:deg[0-9.%,/ +-]+)?\)"
    r"|(?:hwb|lab|lch|oklab|oklch)\([0-9.%/ +-]+(?:deg[0-9.%/ +-]*)?\)"
)
# "--link: #0b57b0"
TOKEN = re.compile(r"--([a-zA-Z][a-zA-Z0-9-]*):\s*([^;{}]+)")


@dataclass(frozen=True, slots=True)
class TokenColors:
    """The colours of the token `token`, without its dashes, in the light and dark theme.

    `file` is where they are set, for messages.
    """

    token: str
    light: str
    dark: str
    file: str = field(default="site.toml", compare=False)


def token_names(sheets: Iterable[str]) -> frozenset[str]:
    """The names of all tokens of `sheets` that are colours."""
    return frozenset(
        name for sheet in sheets for name, value in TOKEN.findall(sheet)
        if COLOR.fullmatch(value.strip())
    )


def unknown_token(colors: Iterable[TokenColors], names: frozenset[str]) -> str:
    """A sentence about the first of `colors` whose token is not among `names`, or empty."""
    for color in colors:
        if color.token not in names:
            token, remedy = shorten(color.token), suggestion(color.token, sorted(names))
            return f"{color.file}: [site.colors] has an unknown token '{token}'; {remedy}"
    return ""


def style_sheet(colors: Iterable[TokenColors]) -> str:
    """A style sheet with these `colors`; it comes after those of the theme."""
    colors = list(colors)
    light = "".join(f"--{color.token}: {color.light}; " for color in colors)
    dark = "".join(f"--{color.token}: {color.dark}; " for color in colors)
    return (
        "@layer tokens {\n"
        f":root {{ {light}}}\n"
        "@media screen {\n"  # paper is white, whatever theme the reader chose
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {dark}}} }}\n"
        f":root[data-theme=dark] {{ {dark}}}\n"
        "}\n}\n"
    )
