"""Names of entries, and their anchors.

A name is the leading literal words of a signature.  The manual decides which words are
arguments: if only one group of signatures starts with a row of the keyword matrix, the row is
its name.  In a group, the shortest name is also that of signatures that start with its words
(`log global` after `log <target>`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from dconv.model.anchors import Anchors, qualified_anchor, slug, without_arguments
from dconv.model.dialect import Dialect, EntryRule
from dconv.model.source import Line
from dconv.model.tree import TITLE_GAP
from dconv.model.values import dataclass
from dconv.readers.text.filters.settings import INI_SECTION
from dconv.readers.text.signatures import RawSignature, literal_words

# "http-error                   X    X    X    X", "stats admin   -   X (!)  X  X"
MATRIX_ROW = re.compile(r"(?:\[no\] )?(?P<name>[a-z]\S*(?: \S+){0,3}?)\s{2,}+(?:.*\s)?[X-]")
# the first word after a name: "id" of "show sess <id>"
WORD = re.compile(r"[^\W_][\w-]*")
PLACEHOLDER = re.compile(r"<[^<>]*>")
# the first argument or word after a name: "<id>" of "show sess [<id> | all]"
FIRST_ARGUMENT = re.compile(r"<[^<>]*>|[^\W_][\w-]*")
MAX_WORDS = 8  # words of a row or of a name that others start with
MATRIX_MARKS = re.compile(r"(?<=\s)(?:X(?: ?\(!\))?|-)(?=\s|$)")


@dataclass(frozen=True, slots=True)
class SignatureGroup:
    """Signatures that share a body, before they are named; `title` is their section's."""

    entry_rule: EntryRule
    signatures: tuple[RawSignature, ...]
    title: str


def matrix_rows(lines: Iterable[Line]) -> frozenset[str]:
    """The names in the first column of the keyword matrices among `lines`."""
    rows: set[str] = set()
    for line in lines:
        if line.indent == 0 and line.text[-1:] in ("X", "-", ")") and "  " in line.text:
            match = MATRIX_ROW.match(line.text)
            if match and len(MATRIX_MARKS.findall(line.text)) >= 3:
                rows.add(without_arguments(match["name"]))
    return frozenset(rows)


def names_of_groups(
    groups: Sequence[SignatureGroup], rows: frozenset[str], dialect: Dialect
) -> list[list[str]]:
    """Return for each of `groups` the name of each of its signatures."""
    group_counts = Counter(
        (group.entry_rule.kind, row) for group in groups
        for row in {_matrix_row(signature.words, rows) for signature in group.signatures}
    )
    return [_group_names(group, rows, group_counts, dialect) for group in groups]


def _matrix_row(words: tuple[str, ...], rows: frozenset[str]) -> str:
    """The longest row of the matrix that `words` start with."""
    for length in range(min(len(words), MAX_WORDS), 0, -1):
        name = " ".join(words[:length])
        if name in rows:
            return name
    return ""


def _group_names(
    group: SignatureGroup, rows: frozenset[str], group_counts: Counter[tuple[str, str]],
    dialect: Dialect,
) -> list[str]:
    literal_names = [
        _literal_name(signature, group.entry_rule, dialect) for signature in group.signatures
    ]
    group_names = frozenset(literal_names)
    names: list[str] = []
    for signature, name in zip(group.signatures, literal_names, strict=True):
        row = _matrix_row(signature.words, rows) if group.entry_rule.names == "matrix" else ""
        if row and name.startswith(row + " ") and group_counts[group.entry_rule.kind, row] == 1:
            name = row
        names.append(_shortest(name, group_names))
    return names


def _shortest(name: str, names: frozenset[str]) -> str:
    """The shortest of `names` whose words `name` starts with, or `name`."""
    words = name.split(" ")
    starts = (" ".join(words[:count]) for count in range(1, min(len(words), MAX_WORDS + 1)))
    return next((start for start in starts if start in names), name)


def _literal_name(signature: RawSignature, entry_rule: EntryRule, dialect: Dialect) -> str:
    """The literal words of `signature`, without those that its dialect calls arguments."""
    words = signature.words or (signature.text.split()[0],)
    name = words[0] if entry_rule.names == "first" else " ".join(words)
    for pattern in dialect.argument_patterns:
        match = pattern.search(name)
        if match is not None:
            return name[: match.start(1)].rstrip()
    return name


def anchors_and_titles(
    groups: Sequence[SignatureGroup], names: Sequence[Sequence[str]], dialect: Dialect,
    used_anchors: Anchors,
) -> tuple[list[list[str]], list[list[str]], tuple[tuple[str, str], ...]]:
    """The anchors and titles of the signatures of `groups`, whose `names` these are, and aliases.

    An anchor is made of kind and name alone, so that it means the same in every release:
    `server-option.maxconn`, or only `maxconn` for the first kind of the dialect.  Forms of one
    name within a group share the anchor.  Where several groups have one kind and one name, the
    group with the shortest signature keeps the anchor, unless that has literal words after an
    argument.  The others append such words (`set-server.addr`), or the placeholder after the name
    (`show-sess.id`), or else their section's title (`use-fcgi-app.fcgi-app-section`).  Settings
    below "[lamp]" append only that title.  If no group keeps the anchor, it is an alias of the
    first group's (`set-server`).  Titles are made in the same way (`set server … addr`, `[lamp]
    oil`); they are empty where names are enough.
    """
    kinds = (*dialect.priority, *(rule.kind for rule in dialect.entry_rules))
    first_kind = next(iter(kinds), "")
    all_namesakes = _namesakes(groups, names)
    all_anchors: list[list[str]] = []
    all_titles: list[list[str]] = []
    aliases: dict[str, str] = {}
    for index, (group, group_names) in enumerate(zip(groups, names, strict=True)):
        kind = group.entry_rule.kind
        anchor_of: dict[str, str] = {}
        title_of: dict[str, str] = {}
        for signature, name in zip(group.signatures, group_names, strict=True):
            if name not in anchor_of:
                namesakes = all_namesakes[kind, name]
                plain_anchor = slug(name) if kind == first_kind else qualified_anchor(kind, name)
                candidate, title = plain_anchor, ""
                if namesakes.index != index or namesakes.has_no_plain_name:
                    if INI_SECTION.fullmatch(group.title):
                        part, title = slug(group.title.casefold()), f"{group.title} {name}"
                    else:
                        part = _distinguishing_part(signature, name, group)
                        title = _title(signature, name, namesakes)
                    candidate = f"{plain_anchor}.{part}"
                if candidate in used_anchors:
                    candidate = f"{candidate}.{slug(group.title.casefold())}"
                anchor_of[name], title_of[name] = used_anchors.unique(candidate), title
                if namesakes.has_no_plain_name:
                    aliases.setdefault(plain_anchor, anchor_of[name])
        all_anchors.append([anchor_of[name] for name in group_names])
        all_titles.append([title_of[name] for name in group_names])
    unused = tuple(alias for alias in aliases.items() if alias[0] not in used_anchors)
    return all_anchors, all_titles, unused


@dataclass(frozen=True, slots=True)
class _Namesakes:
    """Groups of one kind and name, whose shortest `signature` is in that at `index`.

    `is_alone` is true for a single group.
    """

    index: int
    signature: RawSignature
    is_alone: bool

    @property
    def has_no_plain_name(self) -> bool:
        """Whether there are several groups, and each has literal words after an argument."""
        return not self.is_alone and bool(self.signature.later_words)


def _namesakes(
    groups: Sequence[SignatureGroup], names: Sequence[Sequence[str]]
) -> dict[tuple[str, str], _Namesakes]:
    """The groups of each kind and name; of equally short signatures, the first counts."""
    all_namesakes: dict[tuple[str, str], _Namesakes] = {}
    for index, (group, group_names) in enumerate(zip(groups, names, strict=True)):
        for signature, name in zip(group.signatures, group_names, strict=True):
            key = (group.entry_rule.kind, name)
            namesakes = all_namesakes.get(key)
            if namesakes and INI_SECTION.fullmatch(group.title):
                continue  # the section distinguishes it
            if namesakes is None or _sort_key(signature) < _sort_key(namesakes.signature):
                is_alone = namesakes is None or (namesakes.is_alone and namesakes.index == index)
                all_namesakes[key] = _Namesakes(index, signature, is_alone)
            elif namesakes.is_alone and namesakes.index != index:
                all_namesakes[key] = replace(namesakes, is_alone=False)
    return all_namesakes


def _sort_key(signature: RawSignature) -> tuple[bool, int]:
    """A sort key of signatures of one name: those without later words first, then by length."""
    return bool(signature.later_words), len(signature.text.split())


def _distinguishing_part(signature: RawSignature, name: str, group: SignatureGroup) -> str:
    """The words, placeholder or section that distinguish `signature` from others of its `name`."""
    if signature.later_words:
        return slug(" ".join(signature.later_words))
    next_word = WORD.search(signature.text.removeprefix("${"), len(name))
    return next_word[0] if next_word else slug(group.title.casefold())


def _title(signature: RawSignature, name: str, namesakes: _Namesakes) -> str:
    """`name` with words that distinguish `signature` from its `namesakes`; empty without any."""
    before_name, _, after_name = signature.text.partition(name)
    if before_name.startswith("[") and before_name != "[no] ":  # "[net] port=int"
        return f"{before_name}{name}"
    after_name = PLACEHOLDER.sub("<>", after_name).strip()
    if after_name.startswith("-- "):  # words about the name: "Field 4 -- # of lamps"
        return "" if signature.text == namesakes.signature.text else signature.text
    if after_name.startswith("|") and ": " in after_name:  # labels in a box: "|Use: lamp"
        return ""
    if words := " ".join(literal_words(after_name)):
        return f"{name} {words}" if after_name.startswith(words) else f"{name}{TITLE_GAP}{words}"
    argument, shortest_argument = (
        FIRST_ARGUMENT.search(text, text.find(name) + len(name))
        for text in (signature.text, namesakes.signature.text)
    )
    if argument is None or (shortest_argument and shortest_argument[0] == argument[0]):
        return ""
    return f"{name} {argument[0]}"
