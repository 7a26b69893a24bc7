"""Themes: templates and static files that turn `Page` values into files.

A theme is a folder: `templates/` (Jinja2), `static/` (files that pages load) and
`theme.toml`.  What a theme does not have is taken from the default theme, so that
a theme of a site may consist of one style sheet, or of one template.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path, PurePosixPath
from traceback import extract_tb
from urllib.parse import quote

from jinja2 import (
    BaseLoader,
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
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from jinja2.sandbox import SandboxedEnvironment

from dconv.model.diagnostics import Diagnostic, reason
from dconv.model.values import dataclass
from dconv.settings.colors import TokenColors, style_sheet, token_names, unknown_token
from dconv.settings.toml import suggestion
from dconv.writers.pages.page import Page
from dconv.writers.pages.structured_data import structured_data
from dconv.writers.site_files import SiteFile
from dconv.writers.theme import contrast, theme_folder
from dconv.writers.theme.theme_folder import DEFAULT_THEME, ThemeError, theme_folders

# what style sheets go without: comments, blanks around punctuation; quoted texts stay as they are
REMOVABLE_IN_SHEETS = re.compile(
    rb'("[^"\n]*")|/\*(?:[^*]|\*(?!/))*\*/(?:\n\s*)?|;?\s*([{};,>])\s*|(?<=:)\s+|(\s)\s+'
)
# what scripts go without: comments, blanks and line ends around punctuation and quotes; strings,
# templates and regular expressions (after punctuation or "return") stay, and so does "a - -b"
REMOVABLE_IN_SCRIPTS = re.compile(rb"""(?x)
  [ ]*+("(?:[^"\\\n]|\\.)*+" | '(?:[^'\\\n]|\\.)*+'
      |`(?:[^`\\$] | \\. | \$(?!\{) | \$\{ (?:[^{}`] | `[^`]*` | \{[^{}]*\})* \})*+`) [ ]*+
 |(?: ;?BLANKS(\}) | BLANKS([{(\[,;=?:<>&|!*%]) | \b(return)(?=[ ]/) ) BLANKS
    (/(?![/*])(?:[^/\\[\n] | \\. | \[(?:[^]\\\n]|\\.)*+\])++/)?
 |BLANKS([)\]])[ ]*+
 |(?<![-+])[ ]*+(\+(?!\+)|-(?!-))[ ]*+(?![-+])
 |(?:[ ]|COMMENT)*+(\n)BLANKS
 |COMMENT
""".replace(b"BLANKS", rb"(?:\s|COMMENT)*+").replace(b"COMMENT", rb"//.*|/\*(?:[^*]|\*(?!/))*\*/"))
DIGEST_LENGTH = 8  # characters of a file's digest in its name: enough to tell versions apart
# compiled templates are beside this module as Python compiled it; their checksum says what they
# were compiled from, and the number with which options of the environment
COMPILED_FOLDER = str(Path(cache_from_source(__file__)).parent)
COMPILED_FILE = "template-1-%s.pyc"
ASCII_PER_OTHER = 200  # characters of ASCII for each other one, in pages that are written in ASCII
STATIC_FOLDER = "static"  # of the site, below its root
COLOR_SHEET = "site-colours.css"  # the colors of site.toml, after the theme's sheets
JOINED_SHEET, JOINED_SCRIPT = "styles.css", "scripts.js"  # names of joined files

# "@import", which only counts at the start of a sheet
LEADING_AT_RULE = re.compile(rb"@(?:charset|import|namespace)\b")
# what may hold braces that open and close nothing: 'content: "{"', "/* { */"
QUOTED = re.compile(rb"""/\*.*?\*/|"[^"\n]*"|'[^'\n]*'""", re.DOTALL)
MAX_EMBEDDED_SIZE = 1000  # bytes: a larger image is worth a request of its own
IMAGE_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file that pages load: its `name` in the theme, its `path` in the site."""

    name: str
    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme, ready to render.

    `styles` and `scripts` are addresses below the site's root of the joined files that
    every page loads; `findings` are warnings of the site's colors with too little contrast.
    """

    name: str
    environment: Environment
    static: tuple[StaticFile, ...]
    styles: tuple[str, ...]
    scripts: tuple[str, ...]
    findings: tuple[Diagnostic, ...] = ()

    def render(self, page: Page) -> bytes:
        """The file of `page`, as UTF-8; raises `ThemeError` where a template is wrong.

        It is ASCII where other characters are rare, with references for them: browsers decode
        it in a third of the time.
        """
        try:
            template = self.environment.get_template(f"{page.kind}.html.jinja2")
            content = template.render(
                page=page, styles=self.styles, scripts=self.scripts,
                structured_data=structured_data(page),
            )
        except ThemeError as error:  # of `asset`
            raise ThemeError(f"{_location(error)}{error}") from error
        except Exception as error:  # a template is a program: it may fail in any way
            message = _message(error, self.environment)
            raise ThemeError(f"{_location(error)}theme {self.name}: {message}") from error
        ascii_length = len(content.encode("ascii", "ignore"))
        if (len(content) - ascii_length) * ASCII_PER_OTHER < ascii_length:
            return content.encode("ascii", "xmlcharrefreplace")
        return content.encode()

    def content(self, name: str) -> bytes:
        """The content of the static file `name`; raises `ThemeError` where there is none."""
        return _static_file(self.name, self.static, name).content

    def files(self) -> Iterator[SiteFile]:
        """The static files with their paths in the site."""
        for file in self.static:
            yield file.path, file.content

    def __reduce__(self) -> tuple[Callable[..., Theme], tuple[object, ...]]:
        """Pickle the sources of the templates: another machine does not have the theme's folder."""
        environment, loader = self.environment, self.environment.loader
        assert loader is not None
        sources = {
            template: loader.get_source(environment, template)[:2]
            for template in environment.list_templates()
            if not PurePosixPath(template).name.startswith(".")  # which need not be UTF-8
        }
        is_sandboxed = isinstance(environment, SandboxedEnvironment)
        return _unpickled, (
            self.name, sources, is_sandboxed, self.static, self.styles, self.scripts, self.findings
        )


def _unpickled(
    name: str, sources: Mapping[str, tuple[str, str | None]], sandboxed: bool,
    static: tuple[StaticFile, ...], styles: tuple[str, ...], scripts: tuple[str, ...],
    findings: tuple[Diagnostic, ...],
) -> Theme:
    """The theme whose `sources` are its templates: name, then text and path."""
    environment = _environment(_SourceLoader(sources), sandboxed=sandboxed)
    environment.globals |= _globals(name, static)
    return Theme(name, environment, static, styles, scripts, findings)


def load(
    name: str, base: Path | None = None, extra: Sequence[tuple[str, bytes]] = (),
    colors: Sequence[TokenColors] = (),
) -> Theme:
    """The theme `name`: the name of one that comes with the program, or a folder's path.

    A relative path is taken from `base`, else from the working directory.  `extra` are names and
    contents of more static files; `colors` become one more style sheet.  Raises `ThemeError`.
    """
    folders = theme_folders(name, base)
    name = str(Path(name))  # as all paths are shown
    default = folders[-1]
    static = (*_static(folders, default), *(_file(file, content) for file, content in extra))
    if colors:
        sheets = (_text(file) for file in static if file.name.endswith(".css"))
        if problem := unknown_token(colors, token_names(sheets)):
            raise ThemeError(problem)
        static = (*static, _file(COLOR_SHEET, style_sheet(colors).encode()))
    listed = {
        key: [_static_file(name, static, file) for file in theme_folder.listed_files(folders, key)]
        for key in ("styles", "scripts")
    }
    findings = tuple(contrast.low_contrast(colors, [_text(file) for file in listed["styles"]]))
    if colors:
        listed["styles"].append(static[-1])
    styles, scripts = _joined_sheets(listed["styles"]), _joined_scripts(listed["scripts"])
    static = (*static, *(file for file in (*styles, *scripts) if file not in static))
    environment = _environment(_loader(folders, default), sandboxed=folders != [default])
    environment.globals |= _globals(name, static)
    style_paths = tuple(quote(file.path) for file in styles)
    script_paths = tuple(quote(file.path) for file in scripts)
    return Theme(name, environment, static, style_paths, script_paths, findings)


# --- templates ------------------------------------------------------------------------


class _SourceLoader(BaseLoader):
    """Templates by their name, each with its text and its path."""

    def __init__(self, sources: Mapping[str, tuple[str, str | None]]) -> None:
        self.sources = sources

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, None]:
        if template not in self.sources:
            raise TemplateNotFound(template)
        return (*self.sources[template], None)

    def list_templates(self) -> list[str]:
        return sorted(self.sources)


class _CompiledTemplates(FileSystemBytecodeCache):
    """The compiled templates of the default theme, beside the compiled modules of the program."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a template, if Python may write its modules and the folder can be written."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


def _loader(folders: Sequence[Path], default: Path) -> BaseLoader:
    """Templates of the folders in turn; `default/NAME` is always that of the default theme."""
    for folder in folders:
        if folder != default:
            _check_encoding(folder)
    loaders = [FileSystemLoader(folder / "templates") for folder in folders]
    default_loader = PrefixLoader({DEFAULT_THEME: FileSystemLoader(default / "templates")})
    return ChoiceLoader([*loaders, default_loader])


def _environment(loader: BaseLoader, *, sandboxed: bool) -> Environment:
    """An environment for the templates of `loader`.

    Templates of other themes than the default may call nothing but what they are passed; these
    checks would be a tenth of the time of rendering, so the default theme has none.
    """
    kind = SandboxedEnvironment if sandboxed else Environment
    return kind(
        loader=loader, autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, auto_reload=False,
        bytecode_cache=None if sandboxed else _CompiledTemplates(COMPILED_FOLDER, COMPILED_FILE),
    )


def _check_encoding(folder: Path) -> None:
    """Raise `ThemeError` where a template of the theme in `folder` is not UTF-8.

    Jinja2 would name the template that includes it.
    """
    for path in sorted((folder / "templates").rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            try:
                path.read_text("utf-8")
            except UnicodeDecodeError as error:
                line = path.read_bytes().count(b"\n", 0, error.start) + 1
                raise ThemeError(
                    f"{path}:{line}: the template is not UTF-8 text; save it as UTF-8"
                ) from error
            except OSError as error:
                raise ThemeError(f"{path}: cannot be read: {reason(error)}") from error


def _globals(theme: str, static: Sequence[StaticFile]) -> dict[str, Callable[[str], str]]:
    """The functions that templates may call."""

    @cache
    def asset(name: str) -> str:
        """The address below the site's root of the static file `name`."""
        return quote(_static_file(theme, static, name).path)

    @cache
    def embedded(name: str) -> str:
        """The image `name` as an address that holds it (RFC 2397), empty if it is large."""
        content = _static_file(theme, static, name).content
        kind = IMAGE_TYPES.get(PurePosixPath(name).suffix)
        if kind is None or len(content) > MAX_EMBEDDED_SIZE:
            return ""
        return f"data:{kind},{quote(content, safe=' =:/')}"

    return {"asset": asset, "embedded": embedded}


def _location(error: Exception) -> str:
    """`template:line: ` of a mistake in a template, or empty if it is unknown."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename or error.name}:{error.lineno}: "
    frames = [  # Jinja2 puts lines of templates among those of Python's modules
        frame for frame in extract_tb(error.__traceback__)
        if not frame.filename.endswith((".py", ">"))
    ]
    return f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""


def _message(error: Exception, environment: Environment) -> str:
    """What is wrong, on one line; errors of Python's with their type, as in its manual."""
    words = " ".join(str(error).split())
    match error:
        case TemplateNotFound():
            name = str(error.name)
            prefix = f"{DEFAULT_THEME}/"
            names = sorted({path.removeprefix(prefix) for path in environment.list_templates()})
            remedy = suggestion(name.removeprefix(prefix), names)
            return f"there is no template '{name}'; {remedy}"
        case UndefinedError():
            return f"{words}; {theme_folder.readme()} lists the variables of templates"
        case JinjaError():
            return words
        case _:
            return f"{type(error).__name__}: {words}"


# --- static files ---------------------------------------------------------------------


def _static(folders: list[Path], default: Path) -> Iterator[StaticFile]:
    """The static files of all folders, the first that has a name wins, sorted by name.

    Scripts and sheets of `default` go without comments and spare blanks, which needs scripts whose
    statements end with semicolons.
    """
    paths: dict[str, Path] = {}
    for folder in reversed(folders):
        root = folder / "static"
        for path in sorted(root.rglob("*")) if root.is_dir() else ():
            if path.is_file() and not path.name.startswith("."):
                paths[path.relative_to(root).as_posix()] = path
    for name, path in sorted(paths.items()):
        if not name.isprintable():
            raise ThemeError(f"theme file {name!r}: such a name cannot be an address; rename it")
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ThemeError(f"{path}: cannot be read: {reason(error)}") from error
        if path.suffix in (".css", ".js") and path.is_relative_to(default):
            removable = REMOVABLE_IN_SCRIPTS if path.suffix == ".js" else REMOVABLE_IN_SHEETS
            content = b"".join(filter(None, removable.split(content)))  # groups stay
        yield _file(name, content)


def _static_file(theme: str, static: Iterable[StaticFile], name: str) -> StaticFile:
    for file in static:
        if file.name == name:
            return file
    raise ThemeError(f"theme {theme}: there is no file static/{name}")


def _file(name: str, content: bytes) -> StaticFile:
    """The file `name` with a digest in its path: `static/style.3f2a9c1b.css`."""
    digest = hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]
    path = PurePosixPath(STATIC_FOLDER, name)
    return StaticFile(name, str(path.with_name(f"{path.stem}.{digest}{path.suffix}")), content)


def _text(file: StaticFile) -> str:
    return file.content.decode("utf-8", "replace")


def _joined_sheets(files: Sequence[StaticFile]) -> list[StaticFile]:
    """`files`, joined to as few as possible; one alone keeps its name.

    A sheet that imports others begins a new file, and so does what follows a sheet whose
    braces do not match, which would swallow it.
    """
    groups: list[list[StaticFile]] = []
    for file in files:
        continues = groups and not LEADING_AT_RULE.search(file.content)
        if continues and _is_balanced(groups[-1][-1].content):
            groups[-1].append(file)
        else:
            groups.append([file])
    return [
        group[0] if len(group) == 1
        else _file(JOINED_SHEET, b"\n".join([file.content for file in group]))
        for group in groups
    ]


def _is_balanced(sheet: bytes) -> bool:
    """Whether the braces and comments of `sheet` match."""
    unquoted = QUOTED.sub(b"", sheet)
    return unquoted.count(b"{") == unquoted.count(b"}") and b"/*" not in unquoted


def _joined_scripts(files: Sequence[StaticFile]) -> list[StaticFile]:
    """The classic scripts `files` as one; one alone keeps its name.

    A script that fails stops those after it.  The semicolons end what the script before left open,
    and keep its "use strict" from the others.
    """
    if len(files) < 2:
        return list(files)
    return [_file(JOINED_SCRIPT, b"".join(b";%b\n" % file.content for file in files))]
