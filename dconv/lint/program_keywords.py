"""The manual compared with its program: keywords that only one of them has.

The program prints its keywords itself (`haproxy -dKall`); the product's `program.toml` says
how to read the output, and what it leaves out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dconv.lint.context import Context
from dconv.model.diagnostics import Diagnostic
from dconv.model.keyword_lists import NAME, KeywordList, Program
from dconv.model.tree import Section, Signature, Target, entries, sections

PLACEHOLDER = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
WORD = re.compile(r"\w(?:[\w.+-]*[\w+])?")


@dataclass(frozen=True)
class Documented:
    """What the documents of a release define: names with kind and place, and all words."""

    documents: Sequence[Context]

    @cached_property
    def places(self) -> Mapping[str, Mapping[str, Target]]:
        """For each kind the names of its entries, also after the words of rule sets."""
        places: dict[str, dict[str, Target]] = {}
        for name, symbols in self.documents[0].symbols.names.items():
            for symbol in symbols:
                if symbol.kind and symbol.rank < 2:
                    places.setdefault(symbol.kind, {}).setdefault(name, symbol.target)
        return places

    @cached_property
    def signatures(self) -> Mapping[Target, tuple[Context, Signature]]:
        """The signature of each place."""
        return {
            Target(document.manual.name, form.anchor): (document, form)
            for document in self.documents
            for _, entry in entries(document.manual) for form in entry.signatures
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the texts."""
        return frozenset(
            word for document in self.documents for line in document.lines
            for word in WORD.findall(line.text)
        )

    def home(self, kinds: Iterable[str]) -> tuple[Context, Section] | None:
        """The section that has most entries of `kinds`."""
        wanted = frozenset(kinds)
        counts: Counter[tuple[int, int]] = Counter()
        homes: dict[tuple[int, int], tuple[Context, Section]] = {}
        for at, document in enumerate(self.documents):
            for section in sections(document.manual):
                key = (at, section.span.first)
                homes[key] = document, section
                counts[key] = sum(getattr(block, "kind", "") in wanted for block in section.body)
        most = counts.most_common(1)
        return homes[most[0][0]] if most and most[0][1] else None


def compare_keywords(
    documents: Sequence[Context], output: str, program: Program
) -> list[Diagnostic]:
    """The differences between `documents`, one release, and the `output` of its program.

    Lists that no document is about are skipped, and so are those that the output lacks.
    """
    documented = Documented(documents)
    findings: list[Diagnostic] = []
    for keywords, names in parse_output(output, program):
        home = documented.home(keywords.kinds)
        if names and home is not None:
            findings += _undocumented(keywords, names, documented, home)
            if keywords.complete:
                findings += _unknown(keywords, names, documented)
    return sorted(set(findings))


def parse_output(output: str, program: Program) -> list[tuple[KeywordList, dict[str, bool]]]:
    """Each list of `program` with its names in `output`, and whether each name is open."""
    lists: list[tuple[KeywordList, dict[str, bool]]] = [(item, {}) for item in program.lists]
    title = section = ""
    for row in output.splitlines():
        heading = program.heading.search(row)
        if heading:
            title, section = heading["title"], ""
        elif program.comment.search(row):
            continue
        elif row and not row[0].isspace():
            section = row.strip()
        for keywords, names in lists:
            if keywords.title == title and keywords.section in ("", section) and not heading:
                match = keywords.line.search(row.strip())
                if match and (not keywords.section or row[:1].isspace()):
                    names[match["name"]] = bool(match.groupdict().get("open"))
    return lists


def _undocumented(
    keywords: KeywordList, names: Mapping[str, bool], documented: Documented,
    home: tuple[Context, Section],
) -> Iterator[Diagnostic]:
    """A finding for each of the listed `names` that no entry has, at the title of `home`."""
    places = [documented.places.get(kind, {}) for kind in keywords.kinds]
    entry_names = {name for table in places for name in table}
    starts = _starts(entry_names)
    forms = [_pattern(name) for name in entry_names if PLACEHOLDER.search(name)]
    document, section = home
    for name, is_open in names.items():
        full = keywords.documented_as.replace(NAME, name)
        if (
            full in starts or any(form.fullmatch(full) for form in forms)
            or (is_open and any(_opened(full, other, names, keywords) for other in entry_names))
            or (keywords.mention_is_enough and name in documented.words)
            or any(pattern.search(name) for pattern in keywords.undocumented)
        ):
            continue
        yield Diagnostic(
            document.manual.source.path, section.title_span.first, 1, "warning",
            "not-documented",
            f"the {' or '.join(keywords.kinds)} '{full}' of the program is not documented",
        )


def _unknown(
    keywords: KeywordList, names: Mapping[str, bool], documented: Documented
) -> Iterator[Diagnostic]:
    """A finding for each documented name of the list's form that is not among `names`."""
    before, _, behind = keywords.documented_as.partition(NAME)
    listed = {f"{before}{name}{behind}" for name in names}
    opened = tuple(f"{before}{name}" for name, is_open in names.items() if is_open)
    starts = _starts(listed)
    for kind in keywords.kinds:
        for full, target in documented.places.get(kind, {}).items():
            bare = full.removeprefix(before).removesuffix(behind)
            place = documented.signatures.get(target)
            if (
                place is None or not bare or (before and not full.startswith(before))
                or full.startswith("no ") or PLACEHOLDER.search(full)
                or full in starts or not listed.isdisjoint(_starts([full]))
                or full.startswith(opened)
                or any(pattern.search(bare) for pattern in keywords.unlisted)
                or (not before and full != place[1].name)
            ):
                continue
            document, form = place
            line = form.span.first
            yield Diagnostic(
                document.manual.source.path, line, document.column(line, form.name), "warning",
                "unknown-to-program",
                f"the program has no {kind} '{full}'", len(form.name),
            )


def _opened(full: str, other: str, names: Mapping[str, bool], keywords: KeywordList) -> bool:
    """Whether `other` is `full` with more characters, and no listed name itself."""
    bare = other.removeprefix(keywords.documented_as.partition(NAME)[0])
    return other.startswith(full) and bare not in names


def _starts(names: Iterable[str]) -> set[str]:
    """The first words of each of `names`, from one to all: "stats", "stats socket"."""
    return {
        " ".join(words[:end]) for words in map(str.split, names)
        for end in range(1, len(words) + 1)
    }


def _pattern(name: str) -> re.Pattern[str]:
    """What a documented `name` with placeholders stands for."""
    return re.compile(r"[a-z0-9!]+".join(map(re.escape, PLACEHOLDER.split(name))))
