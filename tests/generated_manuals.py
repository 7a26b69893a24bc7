"""Strategies of Hypothesis that build manuals out of the constructs of the format.

`manuals()` gives whole texts in the dialect of `tests/spec`, in which names are entries, are
referred to and are in a matrix; `CONSTRUCTS` has the strategy of each construct alone, as lines
from column 0; `changed(texts)` gives texts with a few changes where they are, as a typo of an
editor or of a program makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from hypothesis import strategies as st

Lines: TypeAlias = list[str]
Construct: TypeAlias = st.SearchStrategy[Lines]

NAMES = (
    "speed", "hold", "watch", "timeout steam", "tune.fast", "steam-rate", "no-wait", "lag",
    "option tidy", "filter cut", "log", "max_age", "stick-table", "pour on", "keep", "x509.dn",
)  # fmt: skip
NOUNS = (
    "kettle", "steam", "letter", "cup", "the lid", "water", "a spout", "tea", "an address",
    "boiling", "Ångström", "lid-holder", "i.e. heat", "HTTP/2", "50%", "it's", "C++",
)  # fmt: skip
INLINES = (
    '"{name}"', "<number>", "section 2.1", 'section 2 "Directives"', "`{name} 5`", "'{name}'",
    "https://www.example.org/a?b=c", "RFC 9110 section 6.5", "crypt(3)", "-f <file>", "%ci",
    '"{name} on"', "sections 1 and 2.1", 'the "{name}" directive', "<none|all>", "{name}(<x>)",
    "CVE-2026-12345", "section 9.9", "(see {name})", '"no {name}"', "<script>", "&lt;", "{{ 1 }}",
)  # fmt: skip
NAME = st.sampled_from(NAMES)
NOUN = st.sampled_from(NOUNS)
SMALL = st.integers(0, 3)


def word() -> st.SearchStrategy[str]:
    """A word of prose, or something with a meaning inside of it."""
    form = st.sampled_from(INLINES)
    marked = st.builds(lambda form, name: form.replace("{name}", name), form, NAME)
    return st.one_of(NOUN, NOUN, NOUN, marked)


def sentence(longest: int = 14) -> st.SearchStrategy[str]:
    """A sentence."""
    def ended(words: Sequence[str], end: str) -> str:
        text = " ".join(words)
        return f"{text[0].upper()}{text[1:]}{end}"

    return st.builds(
        ended, st.lists(word(), min_size=2, max_size=longest), st.sampled_from((".", ".", ":", ""))
    )


def shifted(lines: Sequence[str], by: int) -> Lines:
    """`lines` further right; blank lines stay blank."""
    return [" " * by + line if line else line for line in lines]


def wrapped(text: str, width: int, first: str = "", hang: int = 0) -> Lines:
    """`text` in lines of `width`, the first after `first`, the others `hang` columns in."""
    rows, row = [], first
    for part in text.split(" "):
        if len(row) + len(part) > width and row.strip():
            rows.append(row.rstrip())
            row = " " * hang
        row += part + " "
    return [*rows, row.rstrip()]


# --- the constructs -------------------------------------------------------------------


def paragraphs() -> Construct:
    """Prose."""
    return st.builds(
        lambda parts, width: wrapped(" ".join(parts), width),
        st.lists(sentence(), min_size=1, max_size=3), st.sampled_from((24, 60, 78)),
    )


def lists() -> Construct:
    """Bullets or numbers, with text that hangs, maybe with lists inside."""
    def generate(mark: str, texts: Sequence[str], gap: int, inner: Lines, at: int) -> Lines:
        rows: Lines = []
        for number, text in enumerate(texts, 1):
            label = mark.replace("1", str(number)) + " "
            rows += wrapped(text, 60, label, len(label)) + [""] * gap
            if number == at and inner:
                rows += [*shifted(inner, len(label)), *[""] * gap]
        return rows

    inner: Construct = st.one_of(
        st.just([]), st.deferred(code), st.deferred(definitions), paragraphs()
    )
    return st.builds(
        generate, st.sampled_from(("-", "*", "1.", "1)", "=>", "a.")),
        st.lists(sentence(8), min_size=1, max_size=4), st.integers(0, 1), inner, SMALL,
    )


def definitions() -> Construct:
    """Terms with what they mean, one beside or above the other, maybe in two levels."""
    def generate(
        terms: Sequence[tuple[str, str]], separator: str, column: int, inner: Lines
    ) -> Lines:
        rows: Lines = []
        for term, text in terms:
            if separator == "\n":
                rows += [term, *shifted(wrapped(text, 50), column)]
            else:
                rows += wrapped(text, 70, f"{term + separator:<{column}} ", column + 1)
        return [*rows, *shifted(inner, column + 1)] if inner else rows

    term = st.one_of(
        st.builds("<{}>".format, NOUN), NAME, st.builds('"{}"'.format, NAME),
        st.sampled_from(("<a> [<b>]", "if <cond>", "-x <arg>", "%ci", "eq", "10", "'tcp4@<a>'")),
    )
    pairs = st.lists(st.tuples(term, sentence(9)), min_size=1, max_size=4)
    inner: Construct = st.one_of(
        st.just([]), st.just(["", "<deeper>  is one of these"]), st.deferred(lists)
    )
    return st.builds(
        generate, pairs, st.sampled_from(("  ", " :", ":", " ->", "\n", " -")),
        st.integers(4, 20), inner,
    )


def arguments() -> Construct:
    """A label and what the arguments mean."""
    labels = ("Arguments :", "Arguments:", "Argument :", "Parameters :", "Return value:")
    return st.one_of(
        st.sampled_from((["Arguments : none"], ["Arguments: none"], ["Arguments :"])),
        st.builds(
            lambda label, gap, body: [label, *[""] * gap, *shifted(body, 2)],
            st.sampled_from(labels), st.integers(0, 1),
            st.one_of(definitions(), lists(), paragraphs()),
        ),
    )


def code() -> Construct:
    """Lines of a configuration, of a console, of data: deeper than what is around."""
    line = st.sampled_from((
        "frontend tea", "  bind :8080", "    speed 5  # quick", "server a 192.0.2.1 \\",
        "       hold", "$ relay -f letters.txt", "> show queue", ">>> done",
        "# echo show | socat -", '{ "a": 1 }', "if (a < b && c) { return; }", "acl x path_beg /a",
        "http-request deny if x", "\ttab", "...", "GET /index.html HTTP/1.1", "will generate:",
        '"quoted \\" text" \'and\'', "",
    ))  # fmt: skip
    return st.builds(
        lambda lines, by: ["", *shifted(lines, by), ""],
        st.lists(line, min_size=1, max_size=6), st.sampled_from((2, 4, 8)),
    )


def examples() -> Construct:
    """A label, a caption, code."""
    labels = (
        "Example :", "Example:", "Examples :", "Example", "Example 2 :", "Example : a cup of tea",
        "Example with steam:", "Example:  speed 5", "TEA Examples :",
    )  # fmt: skip
    return st.builds(
        lambda label, body, gap: [label, *[row for row in body if row or gap]],
        st.sampled_from(labels), code(), st.booleans(),
    )


def grids() -> Construct:
    """A table drawn with rules."""
    def generate(rows: Sequence[Sequence[str]], every: bool, by: int, head: bool) -> Lines:
        width = min(len(row) for row in rows)
        sizes = [max(len(row[at]) for row in rows) + 2 for at in range(width)]
        rule = "+" + "+".join("-" * size for size in sizes) + "+"
        shown = [rule]
        for at, row in enumerate(rows):
            cells = (f" {cell:<{size - 1}}" for cell, size in zip(row, sizes, strict=False))
            shown.append("|" + "|".join(cells) + "|")
            if every or at == 0 or at == len(rows) - 1:
                shown.append(rule.replace("-", "=") if head and at == 0 else rule)
        return shifted(shown, by)

    return st.builds(generate, cells(2), st.booleans(), SMALL, st.booleans())


def cells(least: int) -> st.SearchStrategy[list[list[str]]]:
    """Rows of cells."""
    cell = st.one_of(NOUN, NAME, st.just(""), st.sampled_from(("X", "-", "yes", "a | b", "0")))
    return st.lists(st.lists(cell, min_size=2, max_size=4), min_size=least, max_size=5)


def bars() -> Construct:
    """A table with bars between its columns and a rule under its head."""
    def generate(rows: Sequence[Sequence[str]], cross: str) -> Lines:
        width = min(len(row) for row in rows)
        lines = [" | ".join(f"{cell:<12}" for cell in row[:width]).rstrip() for row in rows]
        rule = cross.join(["-" * 13, *["-" * 14] * (width - 1)])
        return [lines[0], rule, *lines[1:]]

    return st.builds(generate, cells(2), st.sampled_from("+|"))


def matrices() -> Construct:
    """A table of names, with a mark where each may be used."""
    def generate(
        rows: Sequence[tuple[str, str, str]], columns: int, again: int, foot: bool
    ) -> Lines:
        heads = ("defaults", "frontend", "listen", "backend")[:columns]
        head = f" {'keyword':<26}" + "".join(f"{column:>10}" for column in heads)
        rule = "-" * 30 + "+" + "+".join(["-" * 9] * columns)
        lines = [head, rule]
        for at, (name, mark, end) in enumerate(rows):
            marks = (mark if column % 2 else "X" for column in range(columns))
            lines.append(f"{name:<27}" + "".join(f"{column:>10}" for column in marks) + end)
            if again and at == again:
                lines.append("-- keyword ------------------ defaults - frontend -")
        return [*lines, *([rule, head] if foot else [])]

    row = st.tuples(
        st.one_of(NAME, st.builds("[no] {}".format, NAME), st.builds("{} (*)".format, NAME)),
        st.sampled_from(("-", "X", "X (!)", "")), st.sampled_from(("", "", "  (deprecated)")),
    )
    return st.builds(
        generate, st.lists(row, min_size=1, max_size=6), st.integers(2, 4), SMALL, st.booleans()
    )


def summaries_of_samples() -> Construct:
    """A table whose columns are cut by the signs of a rule."""
    row = st.builds(
        lambda name, text: f"{name:<30}{text}", NAME,
        st.sampled_from(("integer", "string", "ip      any", "  x", "boolean   string")),
    )
    return st.builds(
        lambda rows, foot: [
            " keyword                       input    output type",
            "----------------------------+--------+-------------",
            *rows, *(["----------------------------+--------+-------------"] if foot else []),
        ],
        st.lists(row, min_size=1, max_size=4), st.booleans(),
    )


def bare_heads() -> Construct:
    """Columns below a head without a rule."""
    return st.one_of(
        st.builds(
            lambda rows: ["  Code  When / reason", *[f"   {at:>3}  {row}" for at, row in rows]],
            st.lists(st.tuples(st.integers(0, 600), sentence(5)), min_size=1, max_size=4),
        ),
        st.builds(
            lambda rows: ["  Flags  Reason", "", *[line for row in rows for line in row]],
            st.lists(
                st.builds(lambda mark, text: [f"     {mark}  {text}", ""],
                          st.sampled_from(("--", "CC", "sH")), sentence(6)),
                min_size=1, max_size=3,
            ),
        ),
    )


def drawings() -> Construct:
    """Signs that are where they are."""
    return st.sampled_from((
        ["  client            relay", "     | ---- tea ----> |", "     | <--- cup ----- |"],
        ["    [CON1] [REQ1] ... [CLO1] ..."],
        ["     pour 192.0.2.1:80,[2001:db8::1]:80", "          |----------| |--------------|",
         "           arg1 _/       arg2 _/"],
        ["    0      7 8     15", "   +--------+--------+", "   |  type  | length |",
         "   +--------+--------+"],
        ["      +-----+", "      | cup |---->  tea", "      +-----+"],
        ["   a", "  / \\", " b   c", "____/"],
    )).map(list)  # fmt: skip


def see_also() -> Construct:
    """Names of others."""
    item = st.one_of(
        st.builds('"{}"'.format, NAME), NAME, st.sampled_from(("section 2", "section 2.1", "and")),
        st.builds('"{}" (sample fetches)'.format, NAME),
    )
    return st.builds(
        lambda label, items, joint: wrapped(joint.join(items), 50, label + " ", len(label) + 1),
        st.sampled_from(("See also :", "See also:", "See also", "Text before. See also:")),
        st.lists(item, min_size=1, max_size=6), st.sampled_from((", ", " and ", ",, ", ", or ")),
    )


def notes() -> Construct:
    """A label of a note, and its text."""
    labels = (
        "Note:", "Note :", "Notes:", "NOTE:", "IMPORTANT NOTE:", "Warning:", "CAUTION!",
        "Performance note:", "Bugs:", "Note that",
    )  # fmt: skip
    return st.one_of(
        st.builds(
            lambda label, text: wrapped(text, 60, label + " "), st.sampled_from(labels), sentence()
        ),
        st.builds(
            lambda label, body: [label, *shifted(body, 2)], st.sampled_from(labels),
            st.one_of(lists(), paragraphs()),
        ),
    )


def usages() -> Construct:
    """Where an entry may be used."""
    states = st.lists(st.sampled_from(("yes", "no", "yes(!)")), min_size=4, max_size=4)
    marks = st.lists(st.sampled_from("X-"), min_size=6, max_size=6)
    return st.one_of(
        st.builds(
            lambda head, row: [f"{head}   defaults | frontend | listen | backend",
                               " " * 29 + "  |  ".join(row)],
            st.sampled_from(("May be used in sections :", "May be used in sections:")), states,
        ),
        st.builds(
            lambda row: ["Usable in:  QUIC Ini|    TCP RqCon| RqSes|    HTTP Req| Res| Aft",
                         " " * 15 + "  |  ".join(row)], marks,
        ),
        st.sampled_from((
            ["May be used in the following contexts: tcp, http, log"],
            ["May be used in the following contexts: http"],
            ["Supported in default-server: No"], ["Supported in default-server: Yes"],
        )),
    )  # fmt: skip


def headings() -> Construct:
    """A line above what it names, with a rule or without one."""
    return st.one_of(
        st.builds(
            lambda title, sign, by: [title, sign * max(3, len(title) + by), ""],
            st.sampled_from(("Notes of tea", "Steam", "What else: cups")),
            st.sampled_from("-=~^*"), st.integers(-2, 2),
        ),
        st.sampled_from((["Troubles:", ""], ["Of cups :", ""], ["steam.cfg:", ""])),
    )


CONSTRUCTS: Mapping[str, Construct] = {
    "arguments": arguments(),
    "bare heads": bare_heads(),
    "bars": bars(),
    "code": code(),
    "definitions": definitions(),
    "drawings": drawings(),
    "examples": examples(),
    "grids": grids(),
    "headings": headings(),
    "lists": lists(),
    "matrices": matrices(),
    "notes": notes(),
    "paragraphs": paragraphs(),
    "see also": see_also(),
    "summaries of samples": summaries_of_samples(),
    "usages": usages(),
}


# --- entries, sections, manuals -------------------------------------------------------


def signatures() -> Construct:
    """The heading of an entry: one line or several, maybe with lines that go on."""
    tail = st.sampled_from((
        "", " <number>", " { on | off }", " [<size>]", " <a> [ <b> ]*", "(<x>[,<y>])", " : integer",
        "(<x>) : string", " (deprecated)", "  [ EXPERIMENTAL ]", " <a> (deprecated)", ": boolean",
        " [ { if | unless } <condition> ]",
    ))  # fmt: skip
    line = st.builds("{}{}{}".format, st.sampled_from(("", "", "", "no ", "[no] ")), NAME, tail)
    further = st.sampled_from((
        [], [], [], [" [ <length>", "        | <more> ]"], [" { a |", "    b }"],
        [" <a> \\", "      <b>"],
    ))  # fmt: skip
    def generate(lines: Sequence[str], more: Sequence[str]) -> Lines:
        return [*lines[:-1], lines[-1] + (more[0] if more else ""), *more[1:]]

    return st.builds(generate, st.lists(line, min_size=1, max_size=3), further)


def bodies(fewest: int = 0, most: int = 4) -> Construct:
    """Constructs with blank lines between them, mostly."""
    def generate(parts: Sequence[tuple[Lines, int, int]]) -> Lines:
        return [line for part, by, gap in parts for line in (*shifted(part, by), *[""] * gap)]

    column = st.sampled_from((0, 0, 0, 0, 1, 2, 4))
    part = st.tuples(st.one_of(*CONSTRUCTS.values()), column, st.sampled_from((1, 1, 1, 0, 2)))
    return st.lists(part, min_size=fewest, max_size=most).map(generate)


def entries() -> Construct:
    """An entry: its heading, and its body further in."""
    return st.builds(
        lambda head, gap, first, body, by: [
            *head, *[""] * gap, *shifted([*first, "", *body], by), "", ""
        ],
        signatures(), st.sampled_from((0, 0, 0, 1)), paragraphs(), bodies(),
        st.sampled_from((2, 2, 2, 3, 4)),
    )


def sections() -> st.SearchStrategy[list[tuple[str, Lines]]]:
    """Titles of sections, and what is in them."""
    titles = (
        "Introduction", "Directives", "Fetches", "Converters", "Options of servers", "Commands",
        "Rules", "Log format", "CSV format", "Extras: more", "Tables", "Concepts", "Directives",
    )  # fmt: skip
    contents = st.builds(
        lambda before, found: [*before, *[line for one in found for line in one]],
        bodies(0, 3), st.lists(entries(), max_size=3),
    )
    return st.lists(st.tuples(st.sampled_from(titles), contents), min_size=1, max_size=4)


HEAD = [
    " " * 20 + "-" * 20, " " * 24 + "Relay", " " * 20 + "Reference Manual", " " * 20 + "-" * 20,
    " " * 24 + "version 2.1", " " * 24 + "2026/01/31", "", "",
]  # fmt: skip
FOOT = ["/*", " * Local variables:", " *  fill-column: 79", " * End:", " */"]


@st.composite
def manuals(draw: st.DrawFn) -> str:
    """A manual: a head, a preface, a summary, sections with entries, a footer; or some of them."""
    parts = draw(sections())
    numbers = _numbers([draw(st.integers(1, 3)) for _ in parts])
    titled = [(number, title) for number, (title, _) in zip(numbers, parts, strict=True)]
    rows = [*HEAD, *draw(bodies(0, 1))] if draw(st.booleans()) else []
    if draw(st.booleans()):
        listed = [f"{number + '.':<8}{'  ' * number.count('.')}{title}" for number, title in titled]
        slip = draw(st.sampled_from(("", "", "drop", "other")))
        if slip == "drop":
            del listed[0]
        elif slip == "other":
            listed[-1] += " and more"
        rows += ["Summary", "-------", "", *listed, "", ""]
    dot = draw(st.sampled_from((".", ".", ".", "", ")")))
    for (number, title), (_, content) in zip(titled, parts, strict=True):
        head = f"{number}{dot} {title}"
        size = max(3, len(head) + draw(st.sampled_from((0, 0, 0, -1, 2))))
        rows += [head, "-" * size, *[""] * draw(st.integers(0, 1)), *content, ""]
    return "\n".join([*rows, *(FOOT if draw(st.booleans()) else [])]) + "\n"


def _numbers(depths: Sequence[int]) -> list[str]:
    """Numbers of sections: each one more than the last of its depth."""
    numbers: list[str] = []
    at: list[int] = []
    for depth in depths:
        depth = min(depth, len(at) + 1)
        at = [*at[:depth], 0] if depth > len(at) else at[:depth]
        at[-1] += 1
        numbers.append(".".join(map(str, at)))
    return numbers


# --- changes --------------------------------------------------------------------------

# what typos into a text, or is left of it
SLIPS = (
    '"', "'", "`", "<", ">", "[", "]", "{", "}", "(", ")", "|", "+", "-", ":", "\\", "\t", ",", "=",
    "*/", "-->", "<!--", "</pre>", "&amp;", "See also:", "Example :", "Arguments :", "Note:", "- ",
    "1. ", "----", "+---+", " | ", "   ", "\x01", "\u202e", "\u00e9", "(deprecated)", "no ", "X",
)  # fmt: skip
Change: TypeAlias = Callable[[Lines, int, int], None]


def _dropped(lines: Lines, at: int, by: int) -> None:
    del lines[at : at + 1 + by % 3]


def _repeated(lines: Lines, at: int, by: int) -> None:
    lines[at:at] = lines[at : at + 1 + by % 3]


def _swapped(lines: Lines, at: int, by: int) -> None:
    other = (at + 1 + by) % len(lines)
    lines[at], lines[other] = lines[other], lines[at]


def _moved(lines: Lines, at: int, by: int) -> None:
    lines[at] = " " * (by % 9) + lines[at] if by % 2 else lines[at][by % 5 :]


def _all_moved(lines: Lines, at: int, by: int) -> None:
    lines[at:] = shifted(lines[at:], by % 5)


def _cut(lines: Lines, at: int, by: int) -> None:
    lines[at] = lines[at][: by % (len(lines[at]) + 1)]


def _letter_lost(lines: Lines, at: int, by: int) -> None:
    place = by % (len(lines[at]) + 1)
    lines[at] = lines[at][:place] + lines[at][place + 1 :]


def _slipped(lines: Lines, at: int, by: int) -> None:
    place = (by * 7) % (len(lines[at]) + 1)
    lines[at] = lines[at][:place] + SLIPS[by % len(SLIPS)] + lines[at][place:]


def _joined(lines: Lines, at: int, by: int) -> None:
    lines[at : at + 2] = [" ".join(lines[at : at + 2])]


def _blank(lines: Lines, at: int, by: int) -> None:
    lines[at:at] = [""] * (1 + by % 2)


def _blank_lost(lines: Lines, at: int, by: int) -> None:
    place = next((place for place in range(at, len(lines)) if not lines[place]), at)
    del lines[place]


CHANGES: tuple[Change, ...] = (
    _dropped, _repeated, _swapped, _moved, _all_moved, _cut, _letter_lost, _slipped, _joined,
    _blank, _blank_lost,
)  # fmt: skip


def changed(texts: st.SearchStrategy[str], most: int = 5) -> st.SearchStrategy[str]:
    """The texts with a few changes where they are."""
    change = st.tuples(st.sampled_from(CHANGES), st.integers(0, 199), st.integers(0, 99))
    return st.builds(_after, texts, st.lists(change, min_size=1, max_size=most))


def _after(text: str, changes: Sequence[tuple[Change, int, int]]) -> str:
    lines = text.split("\n")
    for change, at, by in changes:
        if lines:
            change(lines, at % len(lines), by)
    return "\n".join(lines)
