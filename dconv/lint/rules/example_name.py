"""An example uses an unknown name.

Readers copy examples, and the program refuses them. The rule checks names of four characters or
more, where the dialect expects a sample, a converter or, at the start of a line, a directive; it
reports those that are close to a known one. Samples and converters must be known in '%[...]', in
examples and elsewhere, and in '{ ... }' and after 'acl' of examples; so must '%xx' beside two
known variables of a log format. Names such as 'map_<type>' and 'src_xx_rate', which stand for
several, are ignored. The rule also reports directives that lack their second word, conditions
'{ ... }' without 'if' or 'unless', and samples in a log format without '%[...]'.

Bad:
    http-request deny if { req.hdr_ipp(x) 10.0.0.1 }

Good:
    http-request deny if { req.hdr_ip(x) 10.0.0.1 }
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report_match, report_words, unknown_message
from dconv.model import references
from dconv.model.tree import Entry, Preformatted, Reference, walk

# "req.hdr", "use_backend", "stats enable", "mode"; not "tcp"
NAME_LIKE = re.compile(r"(?=[a-z]\w*?(?:[-. ]|_\w))\w++(?:[-. ]\w++)*+$|[a-z][a-z0-9]{3,}$")
# "    timeout client 5s": the first two words of a line
LINE_START = re.compile(r"\s*(?:no )?(?P<name>(?P<first>[a-z][\w.-]*)(?: [a-z][\w.-]*)?)(?=\s|$)")
MAX_SUGGESTIONS = 3
MAX_NAME_WORDS = 3  # words of a directive's name
NAME_CONTINUES_AFTER = "._("  # what follows these is not a whole name
NAME_STYLE = "var"  # of the words that are samples and converters
MIN_SAMPLES = 30  # samples and converters of a release that has all of them
# "src_xx_rate", "sc[0-2]_rate", "sample_fetch"
STANDS_FOR_SEVERAL = re.compile(
    r"(?:^|_)(?:xx+|XX+|sample|fetch|converter)(?:_|$)|^(?:xxx|foo|bar)"
)
PLACEHOLDER = re.compile(r"<\w+>")
# "%[", "%{+Q}[": what a sample in a log format follows
SAMPLE_START = re.compile(r"%(?:\{[^}]*\})?\[\s*")
LOG_VARIABLE = re.compile(r"(?<!%)%(?:\{[^}]*\})?(?P<name>[A-Za-z]{2,})(?![\w%(])")
MIN_LOG_VARIABLES = 30  # of a release that has all of them
MIN_KNOWN_BESIDE = 2  # log variables that show what a line is
SAMPLE = re.compile(r"(?P<sample>[a-zA-Z][\w.]*)(?=[](,\s]|$)")
# "if { src 10.0.0.1 }", "acl local src 10.0.0.1"
CONDITION = re.compile(
    r"(?:(?<=if )|(?<=unless )|(?<=\} ))!?\{ (?P<sample>[a-z][\w.]*)(?=[(,\s])(?! *[|}])"
    r"|^acl\s+\S+\s+(?P<acl>[a-z][\w.]*)"
)
# "deny { src 10.0.0.1 }", without what leads to a condition
BARE_CONDITION = re.compile(r"(?<=\S )!?\{ (?P<sample>[a-z][\w.]*)(?=[(,\s])")
BEFORE_CONDITION = re.compile(r"\b(?:if|unless|or|and|rules?)\b|\|\||[\[|{}]")
LOG_FORMAT_STRING = re.compile(r"\blog-format (?P<format>\"[^\"]*|(?:\\.|\S)+)")
# "rule=last_rule:..."; not "%[last_rule]", "${LAST_RULE}", "%{+Q}[last_rule]"
BARE_SAMPLE = re.compile(
    r"%(?:\{[^}]*\})?\[[^]]*\]|(?<![\w.%{])(?P<name>[a-z][a-z0-9]*[_.][\w.]+)(?![\w(=])"
)
PARENTHESIS = re.compile(r"\\.|\"[^\"]*\"|'[^']*'|[()]")


def _find(context: Context) -> Iterator[Finding]:
    roles = context.dialect.syntax.roles
    kinds = frozenset((*roles.get("fetch", ()), *roles.get("converter", ())))
    sections = context.dialect.syntax.sections.values()
    directive_kinds = frozenset(kind for section in sections for kind in section)
    nearest_sample = cache(partial(_nearest_name, context, kinds))
    nearest_directive = cache(partial(_nearest_name, context, directive_kinds))
    findings: list[Finding] = []
    for block in [block for section in context.sections for block in section.body if kinds]:
        mentioned = frozenset(  # by the prose of an entry
            node.name for node in references.inlines(block.body)
            if isinstance(node, Reference) and node.targets
        ) if isinstance(block, Entry) else frozenset[str]()
        for node in walk((block,)):
            if isinstance(node, Preformatted) and node.styled_code:
                findings += _samples(context, node, partial(nearest_sample, mentioned))
                nearest = partial(nearest_directive, mentioned)
                entry_name = block.name if isinstance(block, Entry) else ""
                findings += _directives(context, node, nearest, entry_name)
                findings += _bare_conditions_and_samples(context, node)
    yield from findings
    count = sum(
        any(symbol.kind in kinds for symbol in symbols)
        for symbols in context.symbols.names.values()
    )
    yield from _unknown_log_variables(context)
    if count >= MIN_SAMPLES:
        reported = {(finding.line, finding.message.split("'")[1]) for finding in findings}
        yield from _unknown_samples(context, reported)


def _unknown_samples(context: Context, reported: set[tuple[int, str]]) -> Iterator[Finding]:
    """The samples and converters that nothing defines; `reported` are lines and names."""
    names = context.name_index.names
    placeholders = [
        re.compile(PLACEHOLDER.sub(r"\\w*", re.escape(name)))
        for name in names if name.find("<") > 0
    ]
    code = context.code_lines()
    for line in context.lines:
        used = list(_in_log_formats(line.text)) if "%[" in line.text else []
        if line.number in code and ("{" in line.text or "acl" in line.text):
            used += CONDITION.finditer(line.text)
        for match in used:
            group = match.lastgroup or 0
            name = match[group]
            is_known = name in names or STANDS_FOR_SEVERAL.search(name) or any(
                pattern.fullmatch(name) for pattern in placeholders
            )
            if not is_known and (line.number, name) not in reported:
                reported.add((line.number, name))
                yield report_match(line, match, f"unknown sample or converter '{name}'", group)


def _unknown_log_variables(context: Context) -> Iterator[Finding]:
    """Unknown names like log variables, next to two that are known."""
    known = {name for name in context.name_index.names if name.startswith("%")}
    if len(known) < MIN_LOG_VARIABLES:
        return
    for line in context.lines:
        matches = list(LOG_VARIABLE.finditer(line.text)) if line.text.count("%") > 2 else []
        unknown = [match for match in matches if f"%{match['name']}" not in known]
        if unknown and len(matches) - len(unknown) >= MIN_KNOWN_BESIDE:
            for match in unknown:
                name = f"%{match['name']}"
                suggestion = context.name_index.nearest(name)
                hint = f"; did you mean '{suggestion}'?" if suggestion in known else ""
                yield report_match(line, match, f"unknown '{name}'{hint}", "name")


def _in_log_formats(text: str) -> Iterator[re.Match[str]]:
    """The samples and converters in each `%[...]` of `text`, without their arguments."""
    for start in SAMPLE_START.finditer(text):
        index = start.end()
        while match := SAMPLE.match(text, index):
            yield match
            index = _end_of_arguments(text, match.end())
            if text[index : index + 1] != ",":
                break
            index += 1


def _end_of_arguments(text: str, index: int) -> int:
    """The index after the parentheses that open at `index`, if any; the end if they do not close.

    Nothing in quotes counts.
    """
    if text[index : index + 1] != "(":
        return index
    depth = 0
    for match in PARENTHESIS.finditer(text, index):
        depth += (match[0] == "(") - (match[0] == ")")
        if depth == 0:
            return match.end()
    return len(text)


def _samples(
    context: Context, node: Preformatted, nearest: Callable[[str], str]
) -> Iterator[Finding]:
    """The samples and converters that are nearly others."""
    lines_above, character_before = 0, " "
    for code in node.styled_code:
        name = code.text.rstrip()
        is_whole_name = not (
            character_before in NAME_CONTINUES_AFTER or character_before.isalnum()
        )
        is_name = is_whole_name and code.style == NAME_STYLE and not code.target
        if is_name and NAME_LIKE.match(name) and (suggestion := nearest(name)):
            number = node.span.first + lines_above
            yield report_words(context, number, name, unknown_message(name, suggestion))
        lines_above += code.text.count("\n")
        character_before = code.text[-1:] or character_before


def _directives(
    context: Context, node: Preformatted, nearest: Callable[[str], str], entry_name: str
) -> Iterator[Finding]:
    """The words at the head of a line that are nearly a directive's name, or lack its second word.

    A suggestion begins like `entry_name` if one does.
    """
    before = ""
    for lines_above, line in enumerate(node.lines):
        match = LINE_START.match(line) if not before.endswith("\\") else None
        before = line
        if match is None or _is_known(context, line[match.start("name") :].split()):
            continue
        first, _, second = match["name"].partition(" ")
        others = _with_word_between(context, first, second)
        others = [
            other for other in others if other.split()[:2] == entry_name.split()[:2]
        ] or others
        suggestion = "' or '".join(others[:MAX_SUGGESTIONS])
        name = match["name"]
        if not others:
            name, suggestion = next((
                (name, suggestion) for name in (match["name"], first)
                if NAME_LIKE.match(name) and (suggestion := nearest(name))
            ), (name, ""))
        if suggestion:
            number = node.span.first + lines_above
            yield report_words(context, number, name, unknown_message(name, suggestion))


def _with_word_between(context: Context, first: str, second: str) -> list[str]:
    """The names that have a word between `first` and `second`, in order."""
    return sorted(
        name for name in context.symbols.names
        if second and name.startswith(f"{first} ") and name.endswith(f" {second}")
        and name.count(" ") == MAX_NAME_WORDS - 1
    )


def _bare_conditions_and_samples(context: Context, node: Preformatted) -> Iterator[Finding]:
    """Conditions without 'if' and samples of log formats without '%[...]'."""
    names, before = context.name_index.names, ""
    for lines_above, line in enumerate(node.lines):
        number = node.span.first + lines_above
        match = BARE_CONDITION.search(line) if not before.endswith("\\") else None
        before = line
        before_condition = line[: match.start()] if match else ""
        if match and match["sample"] in names and not BEFORE_CONDITION.search(before_condition):
            message = "write 'if' or 'unless' before this condition"
            yield report_words(context, number, match[0], message)
        for text in LOG_FORMAT_STRING.finditer(line):
            samples = [
                sample["name"] for sample in BARE_SAMPLE.finditer(text["format"])
                if sample["name"] in names
            ]
            if samples:
                marked = " and ".join(f"'%[{sample}]'" for sample in samples)
                yield report_words(context, number, samples[0], f"write {marked} in a log format")


def _is_known(context: Context, words: Sequence[str]) -> bool:
    """Whether a line that begins with `words` has a directive's name, or begins like one."""
    starts = [" ".join(words[:count]) for count in range(1, MAX_NAME_WORDS + 1)]
    index = context.name_index
    return words[0] in index.names or any(
        start in index.names or start in index.titles_and_prefixes for start in starts[1:]
    )


def _nearest_name(
    context: Context, kinds: frozenset[str], mentioned: frozenset[str], name: str
) -> str:
    """The name of one of the `kinds` that is nearest to the unknown `name`, or empty.

    Those that are `mentioned` come first.
    """
    index = context.name_index
    if name in index.names or name in index.titles_and_prefixes:
        return ""
    suggestion = index.nearest(name, mentioned)
    symbols = context.symbols.names.get(suggestion, ())
    return suggestion if any(symbol.kind in kinds for symbol in symbols) else ""


RULE = Rule("example-name", "warning", __doc__, _find)
