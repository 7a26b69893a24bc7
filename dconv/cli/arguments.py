"""The command line: what may be written, and its help."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

from dconv import __version__
from dconv.cli import check_options, numbers
from dconv.cli.parser import Parser as _Parser
from dconv.cli.parser import UsageError as UsageError
from dconv.cli.parser import nearest

Command = Literal[
    "build", "check", "convert", "diff", "dump", "export", "fetch", "search", "serve",
]
EXPORT_FORMATS = ("rst", "xml", "man", "odt", "latex", "html5")  # see dconv.writers.docutils.export

DESCRIPTION = "Make a documentation site from plain-text manuals."
EPILOG = """\
examples:
  dconv convert configuration.txt -o public   one text, without any settings
  dconv build                                 the site that site/site.toml describes
  dconv serve configuration.txt               preview while you write
  dconv check configuration.txt               what is wrong in it, before you commit it

exit status: 0 done; 1 findings of check, or under --strict, lost text, a missing release, a name
that the search does not find, nothing found, or a difference; 2 not done, one sentence says why;
130 interrupted.
"""


class Arguments(argparse.Namespace):
    """A command line, read.  The values here hold where the user says nothing."""

    command: Command
    files: Sequence[Path] = ()
    output: Path = Path("public")
    site: Path = Path("site/site.toml")
    manuals: Path | None = None
    theme: str = ""
    product: str = ""
    version: str = ""
    manual: str = ""
    form: Literal["tree", "json"] = "tree"
    export_format: str = ""
    check_format: Literal["text", "json", "sarif", "github"] = "text"
    enable: Sequence[str] | None = None
    disable: Sequence[str] | None = None
    explain: str = ""
    baseline: Path | None = None
    write_baseline: Path | None = None
    since: str = ""
    against: Path | None = None
    port: int = 8000
    strict: bool = False
    partial: bool = False
    offline: bool = False
    refresh: bool = False
    quiet: bool = False
    jobs: int = 0
    no_cache: bool = False
    query: Sequence[str] = ()
    folder: Path = Path("site/public")
    limit: int = 10
    json: bool = False
    old: str = ""
    new: str = ""
    shown_as: Literal["text", "json", "html"] = "text"
    report: Path | None = None


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def source_date(environment: Mapping[str, str]) -> str:
    """The day that SOURCE_DATE_EPOCH says (`2026-11-21`, UTC), or empty where it is not set.

    See https://reproducible-builds.org/specs/source-date-epoch/; raises `UsageError`.
    """
    seconds = environment.get("SOURCE_DATE_EPOCH", "")
    if not seconds:
        return ""
    try:
        return datetime.fromtimestamp(int(seconds), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            f"SOURCE_DATE_EPOCH is '{seconds}', which is no number of seconds since 1970"
        ) from error


def read(arguments: Sequence[str]) -> Arguments:
    """The command line `arguments` (without the program's name).

    Raises `UsageError`, and `SystemExit` after `--help` and `--version`.
    """
    root = parser()
    chosen, rest = root.parse_known_args(arguments, Arguments())
    if rest:
        remedy = _remedy(chosen, rest, _options(root, chosen.command))
        raise UsageError(f"unrecognized arguments: {' '.join(rest)}; {remedy}")
    return chosen


def _options(root: argparse.ArgumentParser, command: str) -> list[str]:
    """The long options of `command`."""
    commands = next(one for one in root._actions if isinstance(one.choices, dict))
    options = dict(commands.choices or {})[command]._option_string_actions
    return [option for option in options if option.startswith("--")]


def _remedy(chosen: Arguments, rest: Sequence[str], options: Sequence[str]) -> str:
    """What to do about the `rest` of the words, which the command, with `options`, does not know.
    """
    stray = next((word for word in rest if word.startswith("-")), "")
    meant = nearest(stray.partition("=")[0], options) if stray[:2] == "--" else ""
    if meant:
        return meant
    if chosen.command == "search" and stray:
        return f"a query that begins with a hyphen stands behind '--': dconv search -- {stray}"
    stray = next((word for word in rest if word.endswith(".toml")), "")
    if stray and chosen.command in ("build", "fetch"):
        return f"did you mean '--site {stray}'?"
    return f"try 'dconv {chosen.command} --help'"


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line, for `read` and for who documents it."""
    root = _Parser(
        prog="dconv", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter, argument_default=argparse.SUPPRESS,
    )
    root.add_argument("--version", action="version", version=f"dconv {__version__}")
    _quiet(root)
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in (_build, _check, _convert, _diff, _dump, _export, _fetch, _search, _serve):
        add(commands)
    return root


def _command(commands: _Commands, name: Command, what: str, example: str) -> _Parser:
    """The parser of the command `name`, which does `what`."""
    parser = commands.add_parser(
        name, help=what, description=f"{what[0].upper()}{what[1:]}.",
        epilog=f"example:\n  {example}", allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter, argument_default=argparse.SUPPRESS,
    )
    _quiet(parser)
    parser.add_argument(
        "--manuals", type=Path, metavar="DIR",
        help="more manual.toml files, beside those that come with dconv",
    )
    return parser


def _quiet(parser: _Parser) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help="print findings only")


def _build(commands: _Commands) -> None:
    parser = _command(
        commands, "build", "build the site that a site.toml describes",
        "dconv build --site site/site.toml",
    )
    _site(parser)
    _strict(parser)
    parser.add_argument(
        "--partial", action="store_true", help="be content where a new release cannot be had"
    )
    _jobs(parser)
    _fetching(parser)


def _check(commands: _Commands) -> None:
    parser = _command(
        commands, "check", "tell what is wrong in texts, with file, line and column",
        "dconv check configuration.txt management.txt",
    )
    _files(parser, "*", "a text, gzipped or not, a folder of *.txt, or - (standard input)")
    check_options.add(parser)
    _manual(parser)


def _convert(commands: _Commands) -> None:
    parser = _command(
        commands, "convert", "convert texts to a site, without any settings",
        "dconv convert configuration.txt -o public --version 3.4",
    )
    _files(parser, "+", "a text, gzipped or not, a folder of *.txt, or - (standard input)")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to write"
    )
    parser.add_argument("--product", metavar="NAME", help="the product's name in addresses")
    parser.add_argument("--version", metavar="N", help="the release; else what the text says")
    parser.add_argument("--theme", metavar="THEME", help="a theme's name or folder")
    _manual(parser)
    _strict(parser)
    _jobs(parser)


def _diff(commands: _Commands) -> None:
    parser = _command(
        commands, "diff", "tell what changes in meaning from one state of texts to another",
        "dconv diff HEAD:doc/configuration.txt doc/configuration.txt",
    )
    what = "a text, a folder of *.txt, - (standard input), REVISION:PATH of git, or PRODUCT/RELEASE"
    parser.add_argument("old", metavar="OLD", help=what)
    parser.add_argument("new", metavar="NEW", help="the same, for what comes after it")
    parser.add_argument(
        "--format", dest="shown_as", choices=("text", "json", "html"),
        help="text for a mailing list (the default), json, or html, a page",
    )
    parser.add_argument(
        "-o", "--output", dest="report", type=Path, metavar="FILE",
        help="the file to write; else the standard output",
    )
    parser.add_argument("--theme", metavar="THEME", help="a theme's name or folder, for html")
    _manual(parser)
    _site(parser)
    _fetching(parser)


def _dump(commands: _Commands) -> None:
    parser = _command(
        commands, "dump", "print what is understood of texts, as a tree or as JSON",
        "dconv dump configuration.txt --format json > configuration.json",
    )
    _files(parser, "+", "a text, gzipped or not, or - (standard input)")
    parser.add_argument(
        "--format", dest="form", choices=("tree", "json"), help="tree (the default) or json"
    )
    _manual(parser)


def _export(commands: _Commands) -> None:
    parser = _command(
        commands, "export", "write texts in another format, one file for each",
        "dconv export --format man configuration.txt -o pages",
    )
    _files(parser, "+", "a text, gzipped or not, or a folder of *.txt")
    parser.add_argument(
        "--format", dest="export_format", choices=EXPORT_FORMATS, required=True,
        help="reStructuredText, docutils' XML, a manual page, OpenDocument Text, LaTeX or HTML",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR",
        help="the folder for the files; others in it stay",
    )
    _manual(parser)
    _strict(parser)


def _fetch(commands: _Commands) -> None:
    parser = _command(
        commands, "fetch", "fetch the texts that a site.toml wants into the cache",
        "dconv fetch --refresh",
    )
    _site(parser)
    _fetching(parser)


def _search(commands: _Commands) -> None:
    parser = _command(
        commands, "search", "search a site that is built, as its pages do",
        "dconv search http-request set-header --site site/public",
    )
    parser.add_argument("query", nargs="+", metavar="QUERY", help="a name, a part of it, words")
    parser.add_argument(
        "--site", dest="folder", type=Path, metavar="DIR", help="the built site (site/public)"
    )
    parser.add_argument("--product", metavar="NAME", help="the product; else all of them")
    parser.add_argument("--version", "--release", metavar="N", help="the release; else the newest")
    parser.add_argument("--limit", type=numbers.count, metavar="N", help="how many results (10)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _serve(commands: _Commands) -> None:
    parser = _command(
        commands, "serve", "preview on this machine only; rebuilds and reloads on every save",
        "dconv serve configuration.txt --port 8080",
    )
    _files(parser, "*", "texts to preview; without any, the site of site.toml")
    parser.add_argument("--port", type=numbers.port, metavar="N", help="where to listen (8000)")
    parser.add_argument("--theme", metavar="THEME", help="a theme's name or folder, for texts")
    _manual(parser)
    _site(parser)
    _jobs(parser)
    _fetching(parser)


def _files(parser: _Parser, count: Literal["+", "*"], what: str) -> None:
    parser.add_argument("files", nargs=count, type=Path, metavar="FILE", help=what)


def _site(parser: _Parser) -> None:
    parser.add_argument(
        "--site", type=Path, metavar="FILE", help="the site's settings (site/site.toml)"
    )


def _strict(parser: _Parser) -> None:
    parser.add_argument(
        "--strict", action="store_true", help="exit with 1 where there is a warning or an error"
    )


def _jobs(parser: _Parser) -> None:
    parser.add_argument(
        "--jobs", type=numbers.jobs, metavar="N",
        help="how many processes work; else as many as there are processors",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="make all anew, and keep nothing of it"
    )


def _fetching(parser: _Parser) -> None:
    parser.add_argument("--offline", action="store_true", help="use but this disk and the cache")
    parser.add_argument("--refresh", action="store_true", help="ask again for what the cache has")


def _manual(parser: _Parser) -> None:
    parser.add_argument(
        "--manual", metavar="NAME", help="how to read the texts; else it is recognised"
    )
