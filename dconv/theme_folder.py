"""Where a theme lies: its folder, and that of the default theme, which fills its gaps."""

from __future__ import annotations

from pathlib import Path

from dconv.refusal import Refusal
from dconv.resources import resource_folder

DEFAULT = "default"


class ThemeError(Refusal):
    """A theme cannot be used; the message is one sentence for the user."""


def theme_folders(name: str, base: Path | None = None) -> list[Path]:
    """The folder of the theme `name`, and of the default theme where it is another.

    `name` is that of a theme that comes with the program, or a folder's path; a relative
    one is taken from `base`, else from the working directory.  Raises `ThemeError`.
    """
    folder = _folder(name, base)
    default = resource_folder("themes") / DEFAULT
    return [folder] if folder == default else [folder, default]


def _folder(name: str, base: Path | None) -> Path:
    own = resource_folder("themes") / name
    if name not in ("", ".", "..") and not {"/", "\\"} & {*name} and own.is_dir():
        return own
    try:
        given = Path(name).expanduser()
    except RuntimeError as error:
        raise ThemeError(f"theme {name}: there is no such user.") from error
    folder = given if base is None else base / given
    if not folder.is_dir():
        raise ThemeError(f"theme {name}: there is no such folder; write a theme's name or path.")
    if not any((folder / part).exists() for part in ("templates", "static", "theme.toml")):
        raise ThemeError(f"theme {name}: the folder has no templates, static or theme.toml.")
    folder = folder.resolve()
    for path in (folder, *sorted(folder.rglob("*"))):
        if path.is_symlink() and not path.resolve().is_relative_to(folder):
            raise ThemeError(f"{path}: this link leads out of the theme; put a copy in its place.")
    return folder
