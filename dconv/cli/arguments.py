"""The command line: its commands, their options and help.

`parse` turns the words of a command line into `Arguments`.  A wrong word raises
`UsageError`, whose message is one sentence that names the nearest right word.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NoReturn, TypeAlias, get_args

from dconv import __version__
from dconv.model.diagnostics import UserError
from dconv.settings.types import EXPORT_FORMATS

Command = Literal[
    "build", "check", "convert", "diff", "dump", "export", "fetch", "lsp", "search", "serve",
]
_COMMANDS: tuple[Command, ...] = get_args(Command)
SUCCESS, FAILURE, ERROR = 0, 1, 2  # exit statuses
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 and the signal's number, as shells count
CHECK_FORMATS = ("text", "json", "sarif", "github", "gitlab")
MAX_JOBS = 256  # more processes wait for each other
MAX_RESULTS = 9999
MIN_SIMILARITY = 0.7  # how similar two words must be for "did you mean", from 0 to 1

DESCRIPTION = "Build a documentation site from the manuals of system software."
EPILOG = """\
examples:
  dconv convert configuration.txt -o public   build a site from one text, without settings
  dconv build                                 build the site that site/site.toml describes
  dconv serve configuration.txt               preview a text while you write it
  dconv check configuration.txt               report mistakes in a text before you commit it

exit status:
  0    success
  1    check: findings; diff: differences; search: no result; build, fetch: a release is missing;
       build, convert, export: text was lost, or --strict found a warning
  2    the command could not run; one sentence says why
  130  Ctrl-C stopped the command
"""


class UsageError(UserError):
    """The command line cannot be used; the message is one sentence for the user."""


class Help(Exception):
    """The user asked for help or the version; the message is what to print."""


class Arguments(argparse.Namespace):
    """A parsed command line: the defaults of all options, which those of a command replace."""

    command: Command | None = None
    files: Sequence[Path] = ()
    packages: Sequence[str] = ()
    output: Path = Path("public")
    site: Path = Path("site/site.toml")
    manuals: Path | None = None
    theme: str = ""
    title: str = ""
    product: str = ""
    release: str = ""
    dialect: str = ""
    dump_format: Literal["tree", "json"] = "tree"
    export_format: str = ""
    check_format: Literal["text", "json", "sarif", "github", "gitlab"] = "text"
    statistics: bool = False
    enable: Sequence[str] | None = None
    disable: Sequence[str] | None = None
    explain: str = ""
    fix: bool = False
    diff: bool = False
    baseline: Path | None = None
    write_baseline: Path | None = None
    since: str = ""
    keywords_from: Path | None = None
    port: int = 8000
    strict: bool = False
    partial: bool = False
    offline: bool = False
    refresh: bool = False
    quiet: bool = False
    verbose: bool = False
    jobs: int = 0
    executor: str = ""
    no_cache: bool = False
    query: Sequence[str] = ()
    folder: Path = Path("site/public")
    limit: int = 10
    json: bool = False
    old: str = ""
    new: str = ""
    diff_format: Literal["text", "json", "html"] = "text"
    report: Path | None = None


def source_date(environment: Mapping[str, str]) -> str:
    """The date in SOURCE_DATE_EPOCH (`2026-11-21`, UTC), or empty if it is not set.

    See https://reproducible-builds.org/specs/source-date-epoch/; raises `UsageError`.
    """
    seconds = environment.get("SOURCE_DATE_EPOCH", "")
    if not seconds:
        return ""
    try:
        return datetime.fromtimestamp(int(seconds), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            f"SOURCE_DATE_EPOCH is '{seconds}', not a number of seconds since 1970"
        ) from error


def parse(arguments: Sequence[str]) -> Arguments:
    """Parse the command line `arguments` (without the program's name).

    `command` is None if none is named.  Raises `UsageError`, and `Help` for `--help` and
    `--version`.
    """
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    root = parser()
    _refuse_empty(arguments)
    _check_order(root, arguments)
    try:
        parsed, unknown = root.parse_known_args(arguments, Arguments())
    except UsageError as error:
        if "required" not in str(error):
            raise
        # the missing argument may be after a misspelt option
        command = next((word for word in arguments if word[:1] != "-"), "")
        options = _long_options(root, command)
        for word in arguments[: [*arguments, "--"].index("--")]:
            if word[:2] == "--" and word.partition("=")[0] not in options:
                raise _unrecognized(command, [word], options) from None
        raise
    if unknown:
        raise _unrecognized(
            parsed.command or "", unknown, _long_options(root, parsed.command or "")
        )
    return parsed


def _refuse_empty(arguments: Sequence[str]) -> None:
    """Raise `UsageError` for an empty argument: no file, title or release has such a name."""
    for before, word in zip(("dconv", *arguments), arguments, strict=False):
        if not word or (word[:2] == "--" and word[-1] == "="):
            raise UsageError(f"the argument after '{(word or before).rstrip('=')}' is empty")


def _check_order(root: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Raise `UsageError` if an option of a command is before the command."""
    program_options = _long_options(root, "")
    for word in arguments:
        option = word.partition("=")[0]
        if word[:1] != "-":
            return
        if option not in program_options and any(
            option in _long_options(root, name) for name in _COMMANDS
        ):
            raise UsageError(f"{option} follows the command: dconv COMMAND {option} …")


def _long_options(root: argparse.ArgumentParser, command: str) -> list[str]:
    """The long options of `command`, or of the program if there is no such command."""
    subparsers = next(action for action in root._actions if isinstance(action.choices, dict))
    parsers: Mapping[str, argparse.ArgumentParser] = dict(subparsers.choices or {})
    options = parsers.get(command, root)._option_string_actions
    return [option for option in options if option.startswith("--")]


def _unrecognized(command: str, unknown: Sequence[str], options: Sequence[str]) -> UsageError:
    """The error for the `unknown` words of `command`, which has the long `options`."""
    remedy = _remedy(command, unknown, options)
    return UsageError(f"unrecognized arguments: {' '.join(unknown)}; {remedy}")


def _remedy(command: str, unknown: Sequence[str], options: Sequence[str]) -> str:
    """What to write instead of the `unknown` words; `options` are those of `command`."""
    option = next((word for word in unknown if word.startswith("-")), "")
    similar = did_you_mean(option.partition("=")[0], options) if option[:2] == "--" else ""
    if command == "search" and option:
        hint = f"write '--' before a query that starts with a hyphen: dconv search -- {option}"
        similar = "did you mean '--folder'?" if option.startswith("--site") else similar
        return f"{similar} Or {hint}" if similar else hint
    if similar:
        return similar
    settings = next((word for word in unknown if word.endswith(".toml")), "")
    if settings and command in ("build", "fetch"):
        return f"did you mean '--site {settings}'?"
    return f"try '{' '.join(filter(None, ('dconv', command, '--help')))}'"


def did_you_mean(word: str, names: Sequence[str]) -> str:
    """`did you mean 'check'?`, or empty if none of `names` is similar to `word`."""
    matches = difflib.get_close_matches(word, names, n=1, cutoff=MIN_SIMILARITY)
    return f"did you mean '{matches[0]}'?" if matches else ""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` or `Help` instead of printing and exiting."""

    def _print_message(self, message: str, file: object = None) -> NoReturn:
        raise Help(message)

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with argparse's `message`, worded as a sentence."""
        message = message.removeprefix("argument ").replace(
            ": expected one argument", " needs an argument"
        )
        if "QUERY" in message:  # the query is missing, or starts with a hyphen
            raise UsageError(f"{message}; write '--' before a query that starts with a hyphen")
        raise UsageError(f"{message}; try '{self.prog} --help'")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Name the command or choice that is most similar to a wrong `value`, or all choices."""
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            name, remedy = "/".join(action.option_strings), f"choose from {', '.join(choices)}"
            if action.dest == "command":
                name, remedy = "command", f"try '{self.prog} --help'"
            raise UsageError(
                f"unknown {name} '{value}'; {did_you_mean(str(value), choices) or remedy}"
            )


_Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def parser() -> Parser:
    """The parser of the whole command line."""
    root = Parser(
        prog="dconv", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter, argument_default=argparse.SUPPRESS,
    )
    root.add_argument("--version", action="version", version=f"dconv {__version__}")
    _output_options(root)
    commands = root.add_subparsers(dest="command", metavar="COMMAND")
    for add in (_build, _check, _convert, _diff, _dump, _export, _fetch, _lsp, _search, _serve):
        add(commands)
    return root


def _command(commands: _Commands, name: Command, summary: str, example: str) -> Parser:
    """Add the command `name` with the options that all commands have."""
    parser = commands.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"example:\n  {example}", allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter, argument_default=argparse.SUPPRESS,
    )
    _output_options(parser)
    parser.add_argument(
        "--manuals", type=Path, metavar="DIR",
        help="folder of further products, each with a manual.toml",
    )
    return parser


def _build(commands: _Commands) -> None:
    parser = _command(
        commands, "build", "build the site that a site.toml describes",
        "dconv build --site site/site.toml",
    )
    _site_option(parser)
    _strict_option(parser)
    parser.add_argument(
        "--partial", action="store_true", help="build even if a new release cannot be fetched"
    )
    _build_options(parser)
    _fetch_options(parser)


def _check(commands: _Commands) -> None:
    parser = _command(
        commands, "check", "report mistakes in texts, with file, line and column",
        "dconv check configuration.txt management.txt",
    )
    add = parser.add_argument
    _files(parser, "*", "a text (.gz too), a folder of texts, or - for standard input")
    add("--strict", action="store_true", help="check style too, and exit with 1 on notes")
    add(
        "--format", dest="check_format", choices=CHECK_FORMATS,
        help="text (default), json, sarif (2.1.0), github (annotations of a workflow) or gitlab "
        "(Code Quality)",
    )
    for name, verb in (("--enable", "report"), ("--disable", "do not report")):
        add(name, action="append", metavar="RULE", help=f"{verb} findings of RULE; repeatable")
    add("--fix", action="store_true", help="fix what is mechanical, and report the rest")
    add("--diff", action="store_true", help="with --fix: print what it would change, write nothing")
    add("--statistics", action="store_true", help="print how many findings each rule has")
    add("--explain", metavar="RULE", help="print what RULE finds, and exit")
    add("--baseline", type=Path, metavar="FILE", help="report only findings that are not in FILE")
    add("--write-baseline", type=Path, metavar="FILE", help="write all findings to FILE")
    add("--since", metavar="REV", help="report only findings that are new since this git revision")
    add(
        "--keywords-from", type=Path, metavar="FILE",
        help="compare with what the program printed to FILE (haproxy -dKall, or --help)",
    )
    _dialect_option(parser)


def _convert(commands: _Commands) -> None:
    parser = _command(
        commands, "convert", "build a site from texts, without a site.toml",
        "dconv convert configuration.txt -o public --release 3.4",
    )
    add = parser.add_argument
    _files(parser, "*", "a text (.gz too), a folder of texts, or - for standard input")
    _package_option(parser)
    add("-o", "--output", type=Path, required=True, metavar="DIR", help="folder to write")
    add("--title", metavar="TEXT", help="title of the site (default: the products' titles)")
    add("--product", metavar="NAME", help="product name in addresses")
    add("--release", metavar="N", help="release of the texts (default: the one a text names)")
    _theme_option(parser)
    _dialect_option(parser)
    _strict_option(parser)
    _build_options(parser)
    _fetch_options(parser)


def _diff(commands: _Commands) -> None:
    parser = _command(
        commands, "diff", "compare two states of texts by meaning",
        "dconv diff HEAD:doc/configuration.txt doc/configuration.txt",
    )
    add = parser.add_argument
    state = "a text, a folder of texts, - (standard input), REVISION:PATH of git, PRODUCT/RELEASE"
    add("old", metavar="OLD", help=state)
    add("new", metavar="NEW", help="the newer state, in the same forms")
    add(
        "--format", dest="diff_format", choices=("text", "json", "html"),
        help="text (default), json or html (a page)",
    )
    add(
        "-o", "--output", dest="report", type=Path, metavar="FILE",
        help="file to write (default: standard output)",
    )
    _theme_option(parser)
    _dialect_option(parser)
    _site_option(parser)
    _fetch_options(parser)


def _dump(commands: _Commands) -> None:
    parser = _command(
        commands, "dump", "print the document tree of texts",
        "dconv dump configuration.txt --format json > configuration.json",
    )
    _files(parser, "+", "a text (.gz too), or - for standard input")
    parser.add_argument(
        "--format", dest="dump_format", choices=("tree", "json"),
        help="tree (default) or json",
    )
    _dialect_option(parser)


def _export(commands: _Commands) -> None:
    parser = _command(
        commands, "export", "write texts in another format",
        "dconv export --format man configuration.txt -o pages",
    )
    add = parser.add_argument
    _files(parser, "+", "a text (.gz too), or a folder of texts")
    add(
        "--format", dest="export_format", choices=EXPORT_FORMATS, required=True,
        help="reStructuredText, docutils XML, manual page, OpenDocument, LaTeX, Markdown, HTML,"
        " one file for offline use, EPUB, a docset for Dash and Zeal, files for DevDocs,"
        " help for Vim, Info, or PDF",
    )
    add(
        "-o", "--output", type=Path, required=True, metavar="DIR",
        help="folder to write to; other files in it stay",
    )
    _dialect_option(parser)
    _strict_option(parser)


def _fetch(commands: _Commands) -> None:
    parser = _command(
        commands, "fetch", "download the texts of a site.toml into the cache",
        "dconv fetch --refresh",
    )
    _site_option(parser)
    _fetch_options(parser)


def _search(commands: _Commands) -> None:
    parser = _command(
        commands, "search", "search a built site, as its pages do",
        "dconv search http-request set-header --folder site/public",
    )
    add = parser.add_argument
    add("query", nargs="+", metavar="QUERY", help="a name, a part of one, or words")
    add(
        "--folder", type=Path, metavar="DIR",
        help="the built site (default: site/public, where dconv build writes)",
    )
    add("--product", metavar="NAME", help="product to search (default: all)")
    add("--release", metavar="N", help="release to search (default: the latest)")
    add(
        "--limit", type=_number("number of results", 1, MAX_RESULTS), metavar="N",
        help="number of results (default: 10)",
    )
    add("--json", action="store_true", help="print JSON")


def _lsp(commands: _Commands) -> None:
    parser = _command(
        commands, "lsp", "serve an editor: findings, definitions, names (Language Server Protocol)",
        "dconv lsp --dialect haproxy",
    )
    parser.add_argument("--strict", action="store_true", help="check style too")
    _dialect_option(parser)


def _serve(commands: _Commands) -> None:
    parser = _command(
        commands, "serve", "preview a site on this machine; rebuild and reload on every save",
        "dconv serve configuration.txt --port 8080",
    )
    _files(parser, "*", "texts to preview (default: the site of site.toml)")
    _package_option(parser)
    parser.add_argument(
        "--port", type=_number("port", 0, 65535), metavar="N",
        help="port to listen on (default: 8000)",
    )
    _theme_option(parser)
    _dialect_option(parser)
    _site_option(parser)
    _build_options(parser)
    _fetch_options(parser)


def _output_options(parser: Parser) -> None:
    add = parser.add_argument
    add("-q", "--quiet", action="store_true", help="print errors only (check: findings)")
    add("-v", "--verbose", action="store_true", help="print all findings and details")


def _files(parser: Parser, count: Literal["+", "*"], summary: str) -> None:
    parser.add_argument("files", nargs=count, type=Path, metavar="FILE", help=summary)


def _package_option(parser: Parser) -> None:
    parser.add_argument(
        "--package", dest="packages", action="append", metavar="NAME",
        help="show the manuals of this Debian package instead of texts; repeatable",
    )


def _site_option(parser: Parser) -> None:
    parser.add_argument(
        "--site", type=Path, metavar="FILE",
        help="settings of the site (default: site/site.toml)",
    )


def _strict_option(parser: Parser) -> None:
    parser.add_argument("--strict", action="store_true", help="exit with 1 on any warning")


def _theme_option(parser: Parser) -> None:
    parser.add_argument("--theme", metavar="THEME", help="name or folder of a theme")


def _dialect_option(parser: Parser) -> None:
    parser.add_argument(
        "--dialect", metavar="NAME", help="dialect to use (default: detected from the text)"
    )


def _build_options(parser: Parser) -> None:
    add = parser.add_argument
    add(
        "--jobs", type=_number("number of jobs", 1, MAX_JOBS), metavar="N",
        help="number of processes (default: one per processor)",
    )
    add(
        "--executor", default="", metavar="ADDRESS",
        help="cluster that runs the jobs instead: dask://HOST:PORT",
    )
    add("--no-cache", action="store_true", help="ignore the build cache and do not write it")


def _fetch_options(parser: Parser) -> None:
    add = parser.add_argument
    add("--offline", action="store_true", help="do not access the network")
    add("--refresh", action="store_true", help="download again what is cached")


def _number(name: str, minimum: int, maximum: int) -> Callable[[str], int]:
    """A type of arguments: numbers from `minimum` to `maximum`, called `name` in messages."""

    def read(text: str) -> int:
        if not text.isdecimal() or not minimum <= int(text[:9]) <= maximum:
            raise argparse.ArgumentTypeError(f"'{text}' is not a {name}, {minimum} to {maximum}")
        return int(text)

    return read
