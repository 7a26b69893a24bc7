"""What a site says of its looks, checked before anything is fetched for it."""

from __future__ import annotations

from pathlib import Path

from dconv.settings import SettingsError, Site, colors
from dconv.writers.theme.theme_folder import ThemeError, listed, sheets, theme_folders


def check(settings: Site, base: Path | None, file: Path) -> None:
    """Raise `SettingsError` where there is no such theme, or a colour that it does not have.

    `base` is where a theme may lie that is named without a folder; `file` has the `settings`.
    Raises `ThemeError` where the theme's own settings cannot be read.
    """
    try:
        folders = theme_folders(settings.theme, base)
    except ThemeError as error:
        raise SettingsError(f"{file}: [site] 'theme': {error}") from error
    for key in ("styles", "scripts"):
        listed(folders, key)
    if settings.look.colours:
        problem = colors.unknown(settings.look.colours, colors.tokens(sheets(folders)))
        if problem:
            raise SettingsError(problem)
