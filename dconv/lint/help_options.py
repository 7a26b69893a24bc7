"""A manual compared with the `--help` of its program: options that only one of them has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dconv.lint.context import Context
from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import Section

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
    documents: Sequence[Context], output: str, listed: Sequence[str]
) -> list[Diagnostic]:
    """The options that one of `documents` and the `output` of a program's help lacks.

    `listed` are those of the help.  An option is documented wherever the texts name it.  If the
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
        if help_forms.isdisjoint((*_forms(name), _opposite(name)))
        and (has_one_hyphen or not ONE_HYPHEN.match(name))  # else "-500" is a value
    ]
    if len(documented) - len(unknown) >= MIN_LISTED * len(documented):
        for name, (path, line, column) in unknown:
            message = f"the program has no option '{name}'"
            findings.append(
                Diagnostic(path, line, column, "warning", "unknown-to-program", message)
            )
    return sorted(set(findings))


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
    counts: dict[tuple[int, int], tuple[Context, Section]] = {}
    for index, document in enumerate(documents):
        for section in document.sections:
            count = sum(getattr(block, "kind", "") == "option" for block in section.body)
            counts.setdefault((-count, index), (document, section))
    document, line = documents[0], 1
    if counts:
        document, section = counts[min(counts)]
        line = section.title_span.first
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
