"""The folder of a theme and its `theme.toml`; this module does not load Jinja2, which is slow."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path

from dconv.model.diagnostics import UserError
from dconv.settings.toml import SettingsError, load
from dconv.sources.resources import resource_folder

DEFAULT_THEME = "default"
KEYS = ("title", "styles", "scripts")  # of theme.toml


class ThemeError(UserError):
    """A theme cannot be used; the message is one sentence for the user."""


def theme_folders(name: str, base: Path | None) -> list[Path]:
    """The folder of the theme `name`, and of the default theme where it is another.

    `name` is that of a theme that comes with the program, or a folder's path; a relative
    one is taken from `base`, else from the working directory.  Raises `ThemeError`.
    """
    folder = _theme_folder(name, base)
    default = resource_folder("themes") / DEFAULT_THEME
    return [default] if folder.resolve() == default else [folder, default]


def readme() -> Path:
    """The file that documents all that templates may use."""
    return resource_folder("themes") / DEFAULT_THEME / "README.md"


def listed_files(folders: Iterable[Path], key: str) -> list[str]:
    """The files that `theme.toml` names under `key`; the first of `folders` that has it wins.

    Raises `ThemeError` where a `theme.toml` cannot be read, or has an unknown key.
    """
    for folder in folders:
        path = folder / "theme.toml"
        if path.exists():
            try:
                table = load(path).expect_keys(*KEYS)
                if table.has(key):
                    return list(table.strings(key))
            except SettingsError as error:
                raise ThemeError(str(error)) from error
    return []


def style_sheets(folders: Iterable[Path]) -> Iterator[str]:
    """The text of all style sheets of `folders`."""
    for folder in folders:
        for path in sorted((folder / "static").rglob("*.css")):
            if path.is_file():
                yield path.read_bytes().decode("utf-8", "replace")


def _theme_folder(name: str, base: Path | None) -> Path:
    """The folder of the theme `name`, once it is known to be one."""
    bundled = resource_folder("themes") / name
    if name not in ("", ".", "..") and not {"/", "\\"} & {*name} and bundled.is_dir():
        return bundled
    try:
        path = Path(name).expanduser()
    except RuntimeError as error:
        raise ThemeError(f"theme {name}: there is no such user; name the folder in full") from error
    folder = path if base is None else base / path
    if not folder.is_dir():
        raise ThemeError(f"theme {path}: no such folder; {_suggestion(name)}")
    if not any((folder / part).exists() for part in ("templates", "static", "theme.toml")):
        raise ThemeError(
            f"theme {path}: the folder has no templates, static or theme.toml; add one, or name"
            " another folder"
        )
    real_folder = folder.resolve()
    for file in sorted(folder.rglob("*")):
        if file.is_symlink() and not file.resolve().is_relative_to(real_folder):
            raise ThemeError(f"{file}: this link points outside the theme; replace it by a copy")
    return folder


def _suggestion(name: str) -> str:
    """What to write instead of `name`, which is not a folder."""
    themes = sorted(path.name for path in resource_folder("themes").iterdir())
    if "/" in name:
        return "write a theme's name or path"
    similar = difflib.get_close_matches(name, themes, n=1)
    return f"did you mean '{similar[0]}'?" if similar else (
        f"write its path, or one of {', '.join(themes)}"
    )
