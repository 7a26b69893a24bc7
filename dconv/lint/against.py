"""The manual against the program: names that one of them knows and the other does not.

What the program knows is its own list (`haproxy -dKall`); how that is read, and what it is
known to leave out, stands in the product's `program.toml`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dconv.lint.subject import Subject
from dconv.model.diagnostics import Diagnostic
from dconv.model.keyword_lists import NAME, KeywordList, Program
from dconv.model.tree import Section, Signature, Target, entries, sections

PLACEHOLDER = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
WORD = re.compile(r"\w(?:[\w.+-]*[\w+])?")


@dataclass(frozen=True)
class Documented:
    """What the documents of a release define: names with kind and place, and all words."""

    subjects: Sequence[Subject]

    @cached_property
    def places(self) -> Mapping[str, Mapping[str, Target]]:
        """For each kind the names of its entries, also behind the words of rule sets."""
        found: dict[str, dict[str, Target]] = {}
        for name, symbols in self.subjects[0].symbols.names.items():
            for symbol in symbols:
                if symbol.kind and symbol.rank < 2:
                    found.setdefault(symbol.kind, {}).setdefault(name, symbol.target)
        return found

    @cached_property
    def signatures(self) -> Mapping[Target, tuple[Subject, Signature]]:
        """The signature of each place."""
        return {
            Target(subject.manual.name, form.anchor): (subject, form)
            for subject in self.subjects
            for _, entry in entries(subject.manual) for form in entry.signatures
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the texts."""
        return frozenset(
            word for subject in self.subjects for line in subject.lines
            for word in WORD.findall(line.text)
        )

    def home(self, kinds: Iterable[str]) -> tuple[Subject, Section] | None:
        """The section that has most entries of `kinds`."""
        wanted = frozenset(kinds)
        homes: Counter[tuple[int, int]] = Counter()
        known: dict[tuple[int, int], tuple[Subject, Section]] = {}
        for at, subject in enumerate(self.subjects):
            for section in sections(subject.manual):
                key = (at, section.span.first)
                known[key] = subject, section
                homes[key] = sum(getattr(block, "kind", "") in wanted for block in section.body)
        most = homes.most_common(1)
        return known[most[0][0]] if most and most[0][1] else None


def listed(output: str, program: Program) -> list[tuple[KeywordList, dict[str, bool]]]:
    """Each list of `program` with the names of it in `output`, and whether each is open."""
    found: list[tuple[KeywordList, dict[str, bool]]] = [(one, {}) for one in program.lists]
    title = section = ""
    for row in output.splitlines():
        heading = program.heading.search(row)
        if heading:
            title, section = heading["title"], ""
        elif program.comment.search(row):
            continue
        elif row and not row[0].isspace():
            section = row.strip()
        for one, names in found:
            if one.title == title and one.section in ("", section) and not heading:
                match = one.line.search(row.strip())
                if match and (not one.section or row[:1].isspace()):
                    names[match["name"]] = bool(match.groupdict().get("open"))
    return found


def against(subjects: Sequence[Subject], output: str, program: Program) -> list[Diagnostic]:
    """What the documents of `subjects`, one release, and the `output` of its program differ in.

    Lists that none of the documents is about are passed over, and so are those that the
    output does not have.
    """
    documented = Documented(subjects)
    found: list[Diagnostic] = []
    for one, names in listed(output, program):
        home = documented.home(one.kinds)
        if names and home is not None:
            found += _undocumented(one, names, documented, home)
            if one.complete:
                found += _unknown(one, names, documented)
    return sorted(set(found))


def _undocumented(
    one: KeywordList, names: Mapping[str, bool], documented: Documented,
    home: tuple[Subject, Section],
) -> Iterator[Diagnostic]:
    """A finding for each of the listed `names` that no entry has, at the title of `home`."""
    places = [documented.places.get(kind, {}) for kind in one.kinds]
    known = {name for table in places for name in table}
    starts = {" ".join(words[:end]) for words in map(str.split, known) for end in range(1, 9)}
    forms = [_pattern(name) for name in known if PLACEHOLDER.search(name)]
    subject, section = home
    for name, is_open in names.items():
        full = one.documented_as.replace(NAME, name)
        if (
            full in starts or any(form.fullmatch(full) for form in forms)
            or (is_open and any(_opened(full, other, names, one) for other in known))
            or (one.mention_is_enough and name in documented.words)
            or any(pattern.search(name) for pattern in one.undocumented)
        ):
            continue
        yield Diagnostic(
            subject.manual.source.path, section.title_span.first, 1, "warning",
            "not-documented",
            f"the program knows '{full}', and no {_told(one.kinds)} of that name is documented",
        )


def _unknown(
    one: KeywordList, names: Mapping[str, bool], documented: Documented
) -> Iterator[Diagnostic]:
    """A finding for each documented name of the list's form that is not among `names`."""
    before, _, behind = one.documented_as.partition(NAME)
    listed = {f"{before}{name}{behind}" for name in names}
    opened = tuple(f"{before}{name}" for name, is_open in names.items() if is_open)
    starts = {" ".join(words[:end]) for words in map(str.split, listed) for end in range(1, 9)}
    for kind in one.kinds:
        for full, target in documented.places.get(kind, {}).items():
            bare = full.removeprefix(before).removesuffix(behind)
            place = documented.signatures.get(target)
            if (
                place is None or not bare or (before and not full.startswith(before))
                or full.startswith("no ") or PLACEHOLDER.search(full)
                or full in starts or _shorter(full, listed) or full.startswith(opened)
                or any(pattern.search(bare) for pattern in one.unlisted)
                or (not before and full != place[1].name)
            ):
                continue
            subject, form = place
            line = form.span.first
            yield Diagnostic(
                subject.manual.source.path, line, subject.column(line, form.name), "warning",
                "unknown-to-program",
                f"the program does not know the {kind} '{full}'", len(form.name),
            )


def _opened(full: str, other: str, names: Mapping[str, bool], one: KeywordList) -> bool:
    """Whether `other` is `full` with more behind, and no name of its own."""
    bare = other.removeprefix(one.documented_as.partition(NAME)[0])
    return other.startswith(full) and bare not in names


def _shorter(full: str, known: Iterable[str]) -> bool:
    """Whether the first words of `full` are one of the `known`."""
    words = full.split()
    return any(" ".join(words[:end]) in known for end in range(1, len(words) + 1))


def _pattern(name: str) -> re.Pattern[str]:
    """What a documented `name` with places to fill in stands for."""
    return re.compile(r"[a-z0-9!]+".join(map(re.escape, PLACEHOLDER.split(name))))


def _told(kinds: Sequence[str]) -> str:
    return " or ".join(kinds)
