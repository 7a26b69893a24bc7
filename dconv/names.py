"""Who is called what: names of entries and their anchors.

A name is the leading literal words of a signature, minus those that are
arguments.  Which are, the manual itself tells: a row of its matrix that only one
group of signatures starts with names the group, and so does a signature in the
same group that is a part of the others (`log global` beside `log <target>`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dconv import naming
from dconv.dialect import Dialect, Reference
from dconv.lines import Line
from dconv.region import Anchors
from dconv.signatures import RawSignature

# "http-error                   X    X    X    X", "stats admin   -   X (!)  X  X"
MATRIX_ROW = re.compile(r"(?:\[no\] )?(?P<name>[a-z]\S*(?: \S+){0,3}?)\s{2,}+(?:.*\s)?[X-]")
MOST_WORDS = 8  # words of a row or of a name that others start with
MARKS = re.compile(r"(?<=\s)(?:X(?: ?\(!\))?|-)(?=\s|$)")


@dataclass(frozen=True, slots=True)
class NamedSignature:
    """A signature with its name and its anchor."""

    raw: RawSignature
    name: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Group:
    """Signatures that share a body, before they are named."""

    reference: Reference
    signatures: tuple[RawSignature, ...]


def matrix_rows(lines: Iterable[Line]) -> frozenset[str]:
    """The names in the first column of the keyword matrices among `lines`."""
    rows: set[str] = set()
    for line in lines:
        if line.indent == 0 and line.text[-1:] in ("X", "-", ")") and "  " in line.text:
            match = MATRIX_ROW.match(line.text)
            if match and len(MARKS.findall(line.text)) >= 3:
                rows.add(naming.bare(match["name"]))
    return frozenset(rows)


def name_groups(
    groups: Sequence[Group], rows: frozenset[str], dialect: Dialect
) -> list[list[str]]:
    """For each of `groups`, the name of each of its signatures."""
    heads = Counter(
        (group.reference.kind, head) for group in groups for head in _heads(group, rows)
    )
    return [_names(group, rows, heads, dialect) for group in groups]


def _heads(group: Group, rows: frozenset[str]) -> set[str]:
    """The rows of the matrix that a signature of `group` starts with."""
    found: set[str] = set()
    for signature in group.signatures:
        row = _row(signature.words, rows)
        if row:
            found.add(row)
    return found


def _row(words: tuple[str, ...], rows: frozenset[str]) -> str:
    """The longest row of the matrix that `words` start with."""
    for length in range(min(len(words), MOST_WORDS), 0, -1):
        name = " ".join(words[:length])
        if name in rows:
            return name
    return ""


def _names(
    group: Group, rows: frozenset[str], heads: Counter[tuple[str, str]], dialect: Dialect
) -> list[str]:
    literal = [_literal(signature, group.reference, dialect) for signature in group.signatures]
    known = frozenset(literal)
    names: list[str] = []
    for signature, name in zip(group.signatures, literal, strict=True):
        row = _row(signature.words, rows) if group.reference.names == "matrix" else ""
        if row and name.startswith(row + " ") and heads[group.reference.kind, row] == 1:
            name = row
        names.append(_shortest(name, known))
    return names


def _shortest(name: str, known: frozenset[str]) -> str:
    """The shortest of the `known` names whose words `name` starts with, or `name`."""
    at = -1
    for _ in range(MOST_WORDS):
        at = name.find(" ", at + 1)
        if at < 0:
            break
        if name[:at] in known:
            return name[:at]
    return name


def _literal(signature: RawSignature, reference: Reference, dialect: Dialect) -> str:
    """The literal words of `signature`, without those that its dialect calls arguments."""
    words = signature.words or (signature.text.split()[0],)
    name = words[0] if reference.names == "first" else " ".join(words)
    for pattern in dialect.arguments:
        match = pattern.search(name)
        if match is not None:
            return name[: match.start(1)].rstrip()
    return name


def anchors(
    groups: Sequence[Group], names: Sequence[Sequence[str]], dialect: Dialect, taken: Anchors
) -> list[list[str]]:
    """For each of `groups`, the anchor of each of its signatures.

    A name that several kinds have belongs to the first of them in the dialect's
    order of priority; with the others the kind is part of the anchor.  Forms of
    one name within a group share the anchor.  A further group of the same name
    and kind adds its later words (`set server addr`).
    """
    owner = _owners(groups, names, dialect)
    seen: set[tuple[str, str]] = set()
    found: list[list[str]] = []
    for group, group_names in zip(groups, names, strict=True):
        kind = group.reference.kind
        given: dict[str, str] = {}
        for signature, name in zip(group.signatures, group_names, strict=True):
            if name not in given:
                longer = " ".join((name, *signature.later)) if (kind, name) in seen else name
                wanted = naming.slug(longer)
                if owner[name] != kind:
                    wanted = naming.qualified(kind, longer)
                given[name] = taken.unique(wanted)
        seen.update((kind, name) for name in given)
        found.append([given[name] for name in group_names])
    return found


def _owners(
    groups: Sequence[Group], names: Sequence[Sequence[str]], dialect: Dialect
) -> dict[str, str]:
    """The kind that each name's plain anchor belongs to."""
    rank = {kind: place for place, kind in enumerate(dialect.priority)}
    owner: dict[str, str] = {}
    for group, group_names in zip(groups, names, strict=True):
        kind = group.reference.kind
        for name in group_names:
            other = owner.setdefault(name, kind)
            if rank.get(kind, len(rank)) < rank.get(other, len(rank)):
                owner[name] = kind
    return owner
