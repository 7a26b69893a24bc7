"""The manual compared with its program: keywords that only one of them has.

The program prints its keywords itself (`haproxy -dKall`); the product's `program.toml` says
how to read the output, and what it leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter

from dconv.linking.similarity import leading_words
from dconv.linking.symbols import NameRank
from dconv.lint.context import Context
from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import Section, Signature, Target, entries
from dconv.model.values import dataclass
from dconv.settings.types import NAME_PLACEHOLDER, KeywordList, Program

PLACEHOLDER = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
WORD = re.compile(r"\w(?:[\w.+-]*[\w+])?")


@dataclass(frozen=True)
class DocumentedNames:
    """What the documents of a release define: names with kind and target, and all words."""

    documents: Sequence[Context]

    @cached_property
    def targets(self) -> Mapping[str, Mapping[str, Target]]:
        """For each kind the names of its entries; actions also with the words of their rules."""
        targets: dict[str, dict[str, Target]] = {}
        for name, symbols in self.documents[0].symbols.names.items():
            for symbol in symbols:
                if symbol.kind and symbol.name_rank < NameRank.TERM:
                    targets.setdefault(symbol.kind, {}).setdefault(name, symbol.target)
        return targets

    @cached_property
    def signatures(self) -> Mapping[Target, tuple[Context, Signature]]:
        """The signature of each target."""
        return {
            Target(document.manual.name, signature.anchor): (document, signature)
            for document in self.documents
            for _, entry in entries(document.manual) for signature in entry.signatures
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the texts."""
        return frozenset(
            word for document in self.documents for line in document.lines
            for word in WORD.findall(line.text)
        )

    def section_with_most(self, kinds: Collection[str]) -> tuple[Context, Section] | None:
        """The section that has most entries of `kinds`, the first of several; None without any."""
        counts = [
            (sum(getattr(block, "kind", "") in kinds for block in section.body), document, section)
            for document in self.documents for section in document.sections
        ]
        count, document, section = max(counts, key=itemgetter(0), default=(0, None, None))
        return (document, section) if document and section and count else None


def compare_keywords(
    documents: Sequence[Context], output: str, program: Program
) -> list[Diagnostic]:
    """The differences between `documents`, one release, and the `output` of its program.

    Lists that no document is about are skipped, and so are those that the output lacks.
    """
    documented = DocumentedNames(documents)
    findings: list[Diagnostic] = []
    for keywords, names in parse_output(output, program):
        target = documented.section_with_most(keywords.kinds)
        if names and target is not None:
            findings += _undocumented(keywords, names, documented, target)
            if keywords.complete:
                findings += _unknown(keywords, names, documented)
    return sorted(set(findings))


def parse_output(output: str, program: Program) -> list[tuple[KeywordList, dict[str, bool]]]:
    """Each list of `program` with its names in `output`, and whether words may follow each name."""
    lists: list[tuple[KeywordList, dict[str, bool]]] = [(item, {}) for item in program.lists]
    title = section = ""
    for row in output.splitlines():
        if heading := program.heading.search(row):
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
    keywords: KeywordList, names: Mapping[str, bool], documented: DocumentedNames,
    document_and_section: tuple[Context, Section],
) -> Iterator[Diagnostic]:
    """A finding for each of the listed `names` that no entry has, at the title of a section."""
    tables = [documented.targets.get(kind, {}) for kind in keywords.kinds]
    entry_names = {name for table in tables for name in table}
    starts = {start for name in entry_names for start in leading_words(name)}
    patterns = [  # of names with placeholders
        re.compile(r"[a-z0-9!]+".join(map(re.escape, PLACEHOLDER.split(name))))
        for name in entry_names if PLACEHOLDER.search(name)
    ]
    prefix = keywords.documented_as.partition(NAME_PLACEHOLDER)[0]
    document, section = document_and_section
    for name, words_may_follow in names.items():
        full_name = keywords.documented_as.replace(NAME_PLACEHOLDER, name)
        if (
            full_name in starts or any(pattern.fullmatch(full_name) for pattern in patterns)
            or (words_may_follow and any(
                other.startswith(full_name) and other.removeprefix(prefix) not in names
                for other in entry_names
            ))
            or (keywords.mention_is_enough and name in documented.words)
            or any(pattern.search(name) for pattern in keywords.undocumented)
        ):
            continue
        yield Diagnostic(
            document.manual.source.path, section.title_span.first, 1, "warning",
            "not-documented",
            f"the {' or '.join(keywords.kinds)} '{full_name}' of the program is not documented",
        )


def _unknown(
    keywords: KeywordList, names: Mapping[str, bool], documented: DocumentedNames
) -> Iterator[Diagnostic]:
    """A finding for each documented name of the list's form that is not among `names`."""
    prefix, _, suffix = keywords.documented_as.partition(NAME_PLACEHOLDER)
    listed = {f"{prefix}{name}{suffix}" for name in names}
    extensible_names = tuple(
        f"{prefix}{name}" for name, words_may_follow in names.items() if words_may_follow
    )
    starts = {start for name in listed for start in leading_words(name)}
    for kind in keywords.kinds:
        for full_name, target in documented.targets.get(kind, {}).items():
            bare_name = full_name.removeprefix(prefix).removesuffix(suffix)
            documented_at = documented.signatures.get(target)
            if (
                documented_at is None or not bare_name
                or (prefix and not full_name.startswith(prefix))
                or full_name.startswith("no ") or PLACEHOLDER.search(full_name)
                or full_name in starts or not listed.isdisjoint(leading_words(full_name))
                or full_name.startswith(extensible_names)
                or any(pattern.search(bare_name) for pattern in keywords.unlisted)
                or (not prefix and full_name != documented_at[1].name)
            ):
                continue
            document, signature = documented_at
            line = signature.span.first
            yield Diagnostic(
                document.manual.source.path, line, document.column(line, signature.name), "warning",
                "unknown-to-program",
                f"the program has no {kind} '{full_name}'", len(signature.name),
            )


