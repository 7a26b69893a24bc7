"""A manual compared with the `--help` of its program: options that only one of them has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dconv.lint.context import Context
from dconv.lint.program_keywords import DocumentedNames
from dconv.lint.roff_lines import RoffLine, roff_lines
from dconv.model.diagnostics import Diagnostic
from dconv.model.source import read_source
from dconv.readers.man import MDOC

# "-v", "--verbose", "--[no-]acls"
OPTION = re.compile(r"--?(?:\[[a-z]+-?\])?[A-Za-z0-9?@](?:[\w.-]*\w)?")
OPTION_IN_TEXT = re.compile(rf"(?<![\w<=-])(?:{OPTION.pattern})")
# "=N", " <file>", "[=WHEN]", " FILE"
ARGUMENT = re.compile(r"\[?=[^\s,|]*|[ \[](?:<[^>]*>|[A-Z][A-Z0-9_:-]*\b)\]?")
SEPARATOR = re.compile(r"\s*(?:,|\||/|\bor\b)\s*|\s{1,8}(?=-)")
CLUSTER = re.compile(r"\[-(?P<letters>[A-Za-z0-9#]{2,})\]")  # "[-abc]" of a line of usage
RANGE = re.compile(r"(?<!\S)-(?P<first>\d) ?(?:\.{2,3}|\u2026|to) ?-?(?P<last>\d)\b")  # "-0 ... -9"
OPTIONAL_PART = re.compile(r"\[(?P<part>[a-z]+-?)\]")
ONE_HYPHEN = re.compile(r"-[^-]{2,}$")
HYPHEN = "\u2010"  # of typeset pages
HELP = "--help"
BEFORE_OPTION = re.compile(r"[\s\"\[(]*$")  # in a line that starts with it
SYNOPSIS = "SYNOPSIS"
MIN_LISTED = 0.8  # of the documented options; help with fewer is a summary


def help_options(output: str) -> tuple[str, ...]:
    """The options at the start of lines of `output`, what a program prints for `--help`."""
    names: dict[str, None] = {}
    for line in output.splitlines():
        rest = line.lstrip(" \t[")
        while match := OPTION.match(rest):
            names |= dict.fromkeys(_forms(match[0]))
            rest = rest[match.end() :]
            if argument := ARGUMENT.match(rest):
                rest = rest[argument.end() :]
            separator = SEPARATOR.match(rest)
            rest = rest[separator.end() :] if separator else ""
    return tuple(names)


def compare_options(
    documents: Sequence[Context], output: str, listed: Sequence[str], pages: Mapping[str, bytes]
) -> list[Diagnostic]:
    """The options that one of `documents` and the `output` of a program's help lacks.

    `listed` are those of the help, `pages` the contents of manual pages by path: what is found in
    them is where their source has it.  An option is documented wherever the texts name it.  If the
    help has too few of the documented options, it is a summary, and none of them is reported.
    Sections with a `--help` after the first describe another mode, as that of a daemon: the help
    does not list their options.
    """
    findings = list(_undocumented(documents, listed))
    help_forms = {form for option in OPTION_IN_TEXT.findall(output) for form in _forms(option)}
    help_forms |= {
        f"-{letter}" for match in CLUSTER.finditer(output) for letter in match["letters"]
    }
    help_forms |= {
        f"-{digit}" for match in RANGE.finditer(output)
        for digit in range(int(match["first"]), int(match["last"]) + 1)
    }
    documented = list(_documented(documents))
    has_one_hyphen = any(map(ONE_HYPHEN.match, listed))
    unknown = [
        (name, position) for name, position in documented
        if help_forms.isdisjoint((*_forms(name), _opposite(name), f"-{name}"))  # "-help", "--help"
        and (has_one_hyphen or not ONE_HYPHEN.match(name))  # else "-500" is a value
    ]
    if len(documented) - len(unknown) >= MIN_LISTED * len(documented):
        lines = {path: page_lines(pages[path], path) for path in pages if unknown}
        for name, (path, *place) in unknown:
            message = f"the program has no option '{name}'"
            line, column = option_place(name, lines.get(path, ())) or place
            findings.append(
                Diagnostic(path, line, column, "warning", "unknown-to-program", message)
            )
    return sorted(set(findings))


def option_place(option: str, lines: Iterable[RoffLine]) -> tuple[int, int] | None:
    """The line and column of the entry of `option` in the `lines` of a page.

    It is in a tag or title, else at the start of a line, else anywhere; `None` if it is nowhere.
    """
    places = [
        (_rank(line, match.start()), line.number, line.columns[match.start()])
        for line in lines for match in OPTION_IN_TEXT.finditer(line.text) if match[0] == option
    ]
    return min(places)[1:] if places else None


def _rank(line: RoffLine, index: int) -> int:
    """How sure the option at `index` of `line` is that of an entry: 0 is surest."""
    if line.is_tag:
        return 0
    starts_line = BEFORE_OPTION.match(line.text[:index]) and line.section.upper() != SYNOPSIS
    return 1 if starts_line else 2


def page_lines(content: bytes, path: str) -> tuple[RoffLine, ...]:
    """The lines of the manual page `content` at `path`."""
    lines = read_source(content, path).lines
    return tuple(roff_lines(lines, is_mdoc=MDOC.search(content) is not None))


def _forms(option: str) -> tuple[str, ...]:
    """`option`, with and without a part in brackets."""
    if "[" not in option:
        return (option,)
    return OPTIONAL_PART.sub("", option), OPTIONAL_PART.sub(r"\g<part>", option)


def _opposite(option: str) -> str:
    """`--no-x` for `--x`, which many programs know without saying so, and the other way round."""
    if option.startswith("--no-"):
        return option.replace("--no-", "--", 1)
    return option.replace("--", "--no-", 1)


def _undocumented(documents: Sequence[Context], listed: Sequence[str]) -> Iterator[Diagnostic]:
    """A finding for each listed option that no text names, at the section of most options."""
    text = "\n".join([line.text for document in documents for line in document.lines])
    documented = {
        form for option in OPTION_IN_TEXT.findall(text.replace(HYPHEN, "-"))
        for form in _forms(option)
    }
    found = DocumentedNames(documents).section_with_most(("option",))
    document, line = documents[0], 1
    if found:
        document, line = found[0], found[1].title_span.first
    source = document.manual.source
    for option in listed:
        if documented.isdisjoint((option, _opposite(option))):
            message = f"the option '{option}' of the program is not documented"
            origin, column = source.place(line, 1)
            yield Diagnostic(source.path, origin, column, "warning", "not-documented", message)


def _documented(documents: Sequence[Context]) -> Iterator[tuple[str, tuple[str, int, int]]]:
    """The options that entries describe, each with its path, line and column."""
    for document in documents:
        source = document.manual.source
        options = [
            (section, entry) for section, entry in document.entries if entry.kind == "option"
        ]
        # by the lines of their titles
        with_help = [section.title_span.first for section, entry in options if HELP in entry.names]
        of_other_modes = {*with_help} - {*with_help[:1]}
        for section, entry in options:
            if section.title_span.first in of_other_modes:
                continue
            for signature in entry.signatures:
                position = source.path, *source.place(signature.span.first, 1)
                names = signature.names or (signature.name,)
                for option in OPTION_IN_TEXT.findall(signature.text.replace(HYPHEN, "-")):
                    if option in names or "[" in option:
                        yield option, position
