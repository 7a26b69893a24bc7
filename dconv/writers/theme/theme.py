"""Themes: templates and static files that turn `Page` values into files.

A theme is a folder: `templates/` (Jinja2), `static/` (files that pages load) and
`theme.toml`.  What a theme does not have is taken from the default theme, so that
an own theme may consist of one style sheet, or of one template.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from traceback import extract_tb
from urllib.parse import quote

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2 import TemplateError as JinjaError
from jinja2.sandbox import SandboxedEnvironment

from dconv.model.diagnostics import Diagnostic
from dconv.settings import colors
from dconv.settings.colors import Colour
from dconv.writers.pages.page import Page
from dconv.writers.theme import bundles, contrast, overrides, theme_folder, theme_policy
from dconv.writers.theme.overrides import Part, Parts
from dconv.writers.theme.theme_folder import DEFAULT as DEFAULT
from dconv.writers.theme.theme_folder import ThemeError as ThemeError
from dconv.writers.theme.theme_folder import theme_folders

# whole lines of comments in scripts and sheets: read here, but not by browsers
COMMENTS = re.compile(rb"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.MULTILINE)
# and what else only those need who read them: indentation, and comments behind code
INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)
# in sheets blanks around signs, and comments, but for those in quotes: 'a: b; ', "/* c */"
SPARE = re.compile(rb'("[^"\n]*")|/\*(?:[^*]|\*(?!/))*\*/|;?\s*([{};,>])\s*|(?<=:)\s+|(\s)\s+')
# in scripts comments behind code, and types within it: "/** @type {any} */ (window)"
BEHIND = re.compile(rb"[ \t]+//[^'\"`\n]*$|/\*\* @type [^*\n]*\*/ ?", re.MULTILINE)
DIGEST = 8  # characters of a file's digest in its name: enough to tell versions apart
FOLDER = "static"  # of the site, below its root
COLOURS = "site-colours.css"  # what a site says of its colours, after the theme's sheets
SHEETS, SCRIPTS = "styles.css", "scripts.js"  # names of what is joined


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file that pages load: its `name` in the theme, its `path` in the site."""

    name: str
    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme, ready to render.

    `styles` and `scripts` are addresses below the site's root of what every page loads,
    joined; `findings` tell what the theme overrides that is not there, what it holds that
    browsers refuse, and colours of the site in which texts can hardly be read.
    """

    name: str
    environment: Environment
    static: tuple[StaticFile, ...]
    styles: tuple[str, ...]
    scripts: tuple[str, ...]
    findings: tuple[Diagnostic, ...] = ()

    def render(self, page: Page) -> bytes:
        """The file of `page`, as UTF-8; raises `ThemeError` where a template is wrong."""
        try:
            template = self.environment.get_template(f"{page.kind}.html.jinja2")
            content = template.render(page=page, styles=self.styles, scripts=self.scripts)
        except ThemeError as error:  # of `asset`
            raise ThemeError(f"{_place(error)}{error}") from error
        except Exception as error:  # a template is a program: it may fail in any way
            told = _told(error, self.environment)
            raise ThemeError(f"{_place(error)}theme {self.name}: {told}") from error
        return content.encode()

    def content(self, name: str) -> bytes:
        """What the static file `name` holds; raises `ThemeError` where there is none."""
        return _found(self.name, self.static, name).content

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The static files with their paths in the site."""
        for file in self.static:
            yield file.path, file.content


def load(
    name: str, base: Path | None = None, extra: Sequence[tuple[str, bytes]] = (),
    colours: Sequence[Colour] = (),
) -> Theme:
    """The theme `name`: the name of one that comes with the program, or a folder's path.

    A relative path is taken from `base`, else from the working directory.  `extra` are
    names and contents of more static files; `colours` become one more style sheet.
    Raises `ThemeError`.
    """
    folders = theme_folders(name, base)
    name = str(Path(name))  # as all paths are shown
    folder, default = folders[0], folders[-1]
    static = (*_static(folders, default), *(_file(file, content) for file, content in extra))
    if colours:
        static = (*static, _file(COLOURS, _sheet(colours, static)))
    environment = _environment(folders, default)
    listed = {
        key: [_found(name, static, file) for file in theme_folder.listed(folders, key)]
        for key in ("styles", "scripts")
    }
    sheets = [file.content.decode("utf-8", "replace") for file in listed["styles"]]
    if colours:
        listed["styles"].append(static[-1])
    styles, scripts = _sheets(listed["styles"]), _scripts(listed["scripts"])
    static = (*static, *(file for file in (*styles, *scripts) if file not in static))

    environment.globals |= _globals(name, static)
    findings = tuple(contrast.low(colours, sheets))
    if folder != default:
        findings = (*_own_findings(folder, default, environment), *findings)
    styled, scripted = (tuple(quote(file.path) for file in files) for files in (styles, scripts))
    return Theme(name, environment, static, styled, scripted, findings)


def _found(theme: str, static: Iterable[StaticFile], wanted: str) -> StaticFile:
    for file in static:
        if file.name == wanted:
            return file
    raise ThemeError(f"theme {theme}: there is no file static/{wanted}.")


def _globals(theme: str, static: Sequence[StaticFile]) -> dict[str, Callable[[str], str]]:
    """What templates may call."""

    def asset(wanted: str) -> str:
        """The address below the site's root of the static file `wanted`."""
        return quote(_found(theme, static, wanted).path)

    def embedded(wanted: str) -> str:
        """The picture `wanted` as an address that holds it, or empty where it is large."""
        return bundles.embedded(wanted, _found(theme, static, wanted).content)

    return {"asset": asset, "embedded": embedded}


def _sheets(files: Sequence[StaticFile]) -> list[StaticFile]:
    """`files` with those joined that may be; one alone keeps its name."""
    found: list[StaticFile] = []
    at = 0
    for count, content in bundles.sheets([file.content for file in files]):
        found.append(files[at] if count == 1 else _file(SHEETS, content))
        at += count
    return found


def _scripts(files: Sequence[StaticFile]) -> list[StaticFile]:
    """`files`, joined; one alone keeps its name."""
    if len(files) < 2:
        return list(files)
    return [_file(SCRIPTS, bundles.script([file.content for file in files]))]


def _own_findings(folder: Path, default: Path, environment: Environment) -> Iterator[Diagnostic]:
    """What the theme in `folder` overrides that is not there, and what browsers refuse of it."""
    own, ours, folders = _parts(folder), _parts(default), [folder, default]
    listed = [one for key in ("styles", "scripts") for one in theme_folder.listed(folders, key)]
    yield from overrides.leftovers(own, ours, listed, environment)
    yield from theme_policy.refused(own, ours)


def _parts(folder: Path) -> Parts:
    """The files of the theme in `folder`."""
    settings = folder / "theme.toml"
    table = tomllib.loads(settings.read_text("utf-8")) if settings.exists() else {}
    templates, static = (
        {
            path.relative_to(folder / kind).as_posix(): Part(str(path), _readable(path))
            for path in sorted((folder / kind).rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }
        for kind in ("templates", "static")
    )
    return Parts(templates, static, tuple(table), str(settings))


def _readable(path: Path) -> str:
    """The text of a template or a sheet, empty for others."""
    if path.suffix in (".css", ".jinja2", ".html"):
        return path.read_bytes().decode("utf-8", "replace")
    return ""


def _sheet(colours: Sequence[Colour], static: Sequence[StaticFile]) -> bytes:
    """The style sheet of `colours`, whose tokens are those of the sheets in `static`."""
    sheets = (file.content.decode("utf-8", "replace") for file in static if _is_sheet(file))
    if problem := colors.unknown(colours, colors.tokens(sheets)):
        raise ThemeError(problem)
    return colors.sheet(colours).encode()


def _is_sheet(file: StaticFile) -> bool:
    return file.name.endswith(".css")


def _file(name: str, content: bytes) -> StaticFile:
    return StaticFile(name, _hashed(name, content), content)


def _environment(folders: list[Path], default: Path) -> Environment:
    """Templates of the folders in turn; `default/NAME` is always that of the default theme.

    Those of an own theme may call nothing that reaches beyond what they are given; for
    ours alone, the checks would be a tenth of the rendering for nothing.
    """
    loaders = [FileSystemLoader(folder / "templates") for folder in folders]
    named = PrefixLoader({DEFAULT: FileSystemLoader(default / "templates")})
    kind = Environment if folders == [default] else SandboxedEnvironment
    return kind(
        loader=ChoiceLoader([*loaders, named]), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, auto_reload=False,
    )


def _static(folders: list[Path], default: Path) -> Iterator[StaticFile]:
    """The static files of all folders, the first that has a name wins, sorted by name.

    Scripts and sheets of `default`, which have long comments, go without them, and
    without indentation: no text in them goes on over several lines.
    """
    found: dict[str, Path] = {}
    for folder in reversed(folders):
        root = folder / "static"
        for path in sorted(root.rglob("*")) if root.is_dir() else ():
            if path.is_file() and not path.name.startswith("."):
                found[path.relative_to(root).as_posix()] = path
    for name, path in sorted(found.items()):
        if not name.isprintable():
            raise ThemeError(f"theme file {name!r}: such a name cannot be an address; rename it.")
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ThemeError(f"{path}: cannot be read: {error.strerror}.") from error
        if path.suffix in (".css", ".js") and path.is_relative_to(default):
            content = INDENTATION.sub(b"", COMMENTS.sub(b"", content))
            script = path.suffix == ".js"
            content = BEHIND.sub(b"", content) if script else SPARE.sub(rb"\1\2\3", content)
        yield _file(name, content)


def _hashed(name: str, content: bytes) -> str:
    """The path of a file in the site: `static/style.3f2a9c1b.css`."""
    digest = hashlib.sha256(content).hexdigest()[:DIGEST]
    path = PurePosixPath(FOLDER, name)
    return str(path.with_name(f"{path.stem}.{digest}{path.suffix}"))


def _place(error: Exception) -> str:
    """`template:line: ` of a mistake in a template, where it is known."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename or error.name}:{error.lineno}: "
    frames = [  # Jinja2 puts lines of templates among those of Python's modules
        frame for frame in extract_tb(error.__traceback__)
        if not frame.filename.endswith((".py", ">"))
    ]
    return f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""


def _told(error: Exception, environment: Environment) -> str:
    """What is wrong, on one line; errors of Python's with their type, as in its manual."""
    words = " ".join(str(error).split())
    match error:
        case TemplateNotFound():
            meant = overrides.choice(str(error.name), environment.list_templates())
            return f"there is no template '{error.name}'; {meant}"
        case UndefinedError():
            return f"{words}; {theme_folder.readme()} lists what templates are given"
        case JinjaError():
            return words
        case _:
            return f"{type(error).__name__}: {words}"
