"""A name has no entry, but is close to one that has.

It is misspelt, has other separators between its words or its words in another order, or lacks one
of them; or it begins like twenty other names and is none of them, as renamed names do. The rule
checks quoted names of several words, or with hyphens, underscores or dots, and words of five
letters or more that the text has nowhere else, also against those that it has often. Without
quotes it checks names with underscores, dots or hyphens, unless they are English compounds, and
words that are a name with two letters swapped. Names that are quoted as old ('used to be called')
are allowed. The rule 'see-also-item' checks items of 'See also'.

Bad:
    It is checked like title_number.

Good:
    It is checked like "title-number".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from dconv.linking.symbols import NameRank
from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report, report_match, unknown_message
from dconv.lint.spelling import SHORT_NAME, edit_distance, group_by_affixes, with_same_affix
from dconv.lint.unresolved_names import CONTEXT_LENGTH, OLD_NAME, unresolved_names
from dconv.model.source import Line
from dconv.model.tree import SeeAlso

NAME_LIKE = re.compile(r"(?=[a-z0-9]\w*?(?:[-. ]|_\w))\w++(?:[-. ]++\w++)*+$")

# "tune.bufsize": the word and the dot that many names begin with
DOTTED_PREFIX = re.compile(r"(?P<first>[a-z][\w-]*\.)")
MIN_SAME_PREFIX = 20  # names that begin alike
LONG_WORDS = re.compile(r"[a-z]{8,}$|(?=[a-z ]{8,}$)[a-z]{3,} [a-z]{3,}$")
SHORT_WORD = re.compile(r"[a-z]{5,}$")
# "byte_in_cnt", "tune.bfsize", "sitck-table"; not "x-y", "<a_b>", "a_b(", "a.b/c", "50. a_b [..BS]"
UNQUOTED = re.compile(
    r"(?<![\w\"'<>./%$@#=(:{\[*+-])(?P<name>[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+)"
    r"(?![\w\"'>/(=:*@-]|\.\w| \[)"
)
MARK = re.compile(r"[-_.][a-z0-9]")  # what each of them has, asked first because it is quick
WORD = re.compile(r"[a-z0-9]+")
MIN_UNQUOTED_LENGTH = 8
IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{4,}")
MIN_GUESSED_LENGTH = 5  # of a misspelt name where names are only guessed
MIN_COMMON = 3  # occurrences of an identifier that another may misspell
SEPARATORS = re.compile(r"[-_.]")
LONG_WORD = re.compile(r"[a-z]{6,}")
QUOTED_WORD = re.compile(r"\"(?P<word>[a-z]{6,})\"")


def _find(context: Context) -> Iterator[Finding]:
    text = "\n".join([line.text for line in context.lines]).lower()
    findings = list(_quoted(context, text))
    if context.dialect.entry_rules:
        findings += _unquoted(context, text)
        counts = Counter(IDENTIFIER.findall(text))
        reported = {(finding.line, finding.column) for finding in findings}
        findings += _misspelt_words(context, text, counts, reported)
        reported = {(finding.line, finding.column) for finding in findings}
        findings += _misspelt_quoted_words(context, counts, reported)
    yield from findings


def _quoted(context: Context, text: str) -> Iterator[Finding]:
    """Quoted names that are close to one with an entry; `text` is the whole in small letters."""
    counts = Counter(  # of the names of entries that begin with a word and a dot
        match["first"] for name, symbols in context.symbols.names.items()
        if (match := DOTTED_PREFIX.match(name))
        and any(symbol.entry and symbol.name_rank is NameRank.OWN for symbol in symbols)
    )
    for unresolved in unresolved_names(context):
        reference, text_block = unresolved.reference, unresolved.text_block
        if isinstance(text_block.node, SeeAlso) or reference.name in context.name_index.words:
            continue
        suggestion = context.name_index.nearest(reference.name, entry=text_block.entry)
        if not suggestion and context.dialect.entry_rules:
            suggestion = context.name_index.nearest_quoted(reference.name)
        if not NAME_LIKE.match(reference.name) and not (
            suggestion and context.dialect.entry_rules
            and (LONG_WORDS.match(reference.name) or _has_typo(reference.name, suggestion))
            and SEPARATORS.sub("", suggestion) != reference.name
            and _has_words_once(context, text, reference.name)
        ):
            continue
        if not context.dialect.entry_rules and not _is_close(reference.name, suggestion):
            continue  # names that are only guessed
        match = DOTTED_PREFIX.match(reference.name)
        if suggestion:
            yield report(reference, unknown_message(reference.name, suggestion))
        elif match is not None and counts[match["first"]] >= MIN_SAME_PREFIX:
            if any(name.startswith(reference.name) for name in context.symbols.names):
                continue
            message = f"unknown '{reference.name}', though many names begin with '{match['first']}'"
            yield report(reference, message)


def _has_word_once(text: str, word: str) -> bool:
    """Whether `text` has `word` once, not counting longer words that contain it."""
    count, start = 0, text.find(word)
    while start >= 0 and count < 2:
        end = start + len(word)
        count += not (text[start - 1 : start].isalpha() or text[end : end + 1].isalpha())
        start = text.find(word, end)
    return count == 1


def _has_words_once(context: Context, text: str, name: str) -> bool:
    """Whether the text has each word of `name` once, except words of other names."""
    unknown_words = [word for word in name.split() if word not in context.name_index.words]
    return bool(unknown_words) and all(_has_word_once(text, word) for word in unknown_words)


def _has_typo(name: str, suggestion: str) -> bool:
    """Whether the short word `name` differs by a typo, and not by a longer or shorter ending."""
    return (
        SHORT_WORD.match(name) is not None and edit_distance(name, suggestion, 1) == 1
        and name[0] == suggestion[0]
        and (name[-1] == suggestion[-1] or len(name) == len(suggestion))
    )


def _is_close(name: str, suggestion: str) -> bool:
    """Whether `name` differs by a typo, or by separators, and in no digit; not "lamp.so"."""
    if len(name) < MIN_GUESSED_LENGTH or name.replace(".", "") == suggestion:
        return False
    return (
        edit_distance(name, suggestion, 1) == 1
        or WORD.findall(name.lower()) == WORD.findall(suggestion.lower())
    ) and re.sub(r"\D", "", name) == re.sub(r"\D", "", suggestion)


def _unquoted(context: Context, text: str) -> Iterator[Finding]:
    """Names in prose without quotes that are close to one with an entry."""
    index = context.name_index
    occurrences: dict[str, list[tuple[Line, re.Match[str]]]] = {}
    for line in context.prose_lines():
        for match in UNQUOTED.finditer(line.text) if MARK.search(line.text) else ():
            occurrences.setdefault(match["name"], []).append((line, match))
    for name, matches in occurrences.items():
        if len(name) < MIN_UNQUOTED_LENGTH or any(
            name in names for names in (index.names, index.words, index.titles_and_prefixes)
        ):
            continue
        suggestion = index.nearest(name)
        if not suggestion or not _is_slip(context, text, name, suggestion):
            continue
        if text.count(name) > len(matches):
            continue  # another place defines or quotes it
        for line, match in matches:
            before = line.text[: match.start()][-CONTEXT_LENGTH:]
            if not OLD_NAME.search(before):
                yield report_match(line, match, unknown_message(name, suggestion))


def _misspelt_words(
    context: Context, text: str, counts: Counter[str], reported: set[tuple[int, int]]
) -> Iterator[Finding]:
    """Words that the text has once: names with two letters swapped, identifiers with a typo.

    An identifier with two letters swapped may be there twice.  `counts` are those of identifiers.
    `reported` are the places of other findings; examples are left to the rule 'example-name'.
    """
    index = context.name_index
    by_letters: dict[str, list[str]] = {}
    for name in index.names:
        if SHORT_WORD.match(name):
            by_letters.setdefault("".join(sorted(name)), []).append(name)
    for word in counts:
        if "_" in word and word not in index.names:
            by_letters.setdefault("".join(sorted(word)), []).append(word)
    identifiers = group_by_affixes(
        word for word, count in counts.items()
        if "_" in word and (count >= MIN_COMMON or word in index.names)
    )
    examples = context.code_lines()
    for word, count in counts.items():
        is_identifier = "_" in word and len(word) >= MIN_UNQUOTED_LENGTH
        if count > 1 + is_identifier or word in index.words or word in index.names:
            continue
        others = [*by_letters.get("".join(sorted(word)), ())]
        if is_identifier:
            others += sorted(with_same_affix(word, identifiers))
        correction = _correction(context, text, word, others, counts)
        line = context.lines[text.count("\n", 0, text.find(word))]
        match = re.search(
            rf"(?<![\w.%$/-]){word}(?![\w(/]|-[^\d]|\.\w)", line.text, re.IGNORECASE
        ) if correction else None
        if match is None or line.number in examples:
            continue
        if match[0] != word:
            if match[0] != word.upper() or sorted(word) != sorted(correction):
                continue  # constants differ by a letter on purpose
            correction = correction.upper()
        place = line.number, line.column + match.start()
        if place not in reported:
            yield Finding(*place, unknown_message(match[0], correction), len(word))


def _correction(
    context: Context, text: str, word: str, others: Iterable[str], counts: Counter[str]
) -> str:
    """The first of `others` that the rare `word` of `text` misspells, or empty."""
    for other in others:
        if not _is_close(word, other) or word.rstrip("s") == other.rstrip("s"):
            continue
        if other not in context.name_index.names and counts[other] <= counts[word] and all(
            text.count(part) > 1 for part in word.split("_")
        ):
            continue  # either of them may be right
        if counts[word] == 1 or sorted(word) == sorted(other):
            return other
    return ""


def _misspelt_quoted_words(
    context: Context, identifiers: Counter[str], reported: set[tuple[int, int]]
) -> Iterator[Finding]:
    """Quoted words that the text has once and that are a typo of one that it has often.

    `identifiers` are those of the text, with their counts.
    """
    counts = Counter[str]()
    for identifier, count in identifiers.items():
        for word in LONG_WORD.findall(identifier):
            counts[word] += count
    common = group_by_affixes(word for word, count in counts.items() if count >= MIN_COMMON)
    names = context.name_index.names | context.name_index.words
    for line in context.lines:
        for match in QUOTED_WORD.finditer(line.text) if '"' in line.text else ():
            word, place = match["word"], (line.number, line.column + match.start("word"))
            if counts[word] > 1 or word in names or place in reported:
                continue
            for other in sorted(with_same_affix(word, common)):
                is_other_word = len(word) == len(other) and sorted(word) != sorted(other)
                if is_other_word and len(word) < SHORT_NAME:
                    continue  # "cloned" and "closed"
                if word[-1] == other[-1] and _is_close(word, other):
                    yield Finding(*place, unknown_message(word, other), len(word))
                    break


def _is_slip(context: Context, text: str, name: str, suggestion: str) -> bool:
    """Whether `name`, which is not quoted, is `suggestion` with a slip, not words of its own.

    A name with underscores or dots may lack a word or have other separators; one with hyphens has
    a part that is not a word of the text.
    """
    if name.rstrip("s") == suggestion.rstrip("s") or (" " in suggestion and "." not in name):
        return False
    if SEPARATORS.sub("", name) == suggestion:
        return False  # a compound: "an http_client"
    if "-" in name:
        parts = SEPARATORS.split(name)
        return (
            edit_distance(name, suggestion, 1) == 1
            and SEPARATORS.findall(name) == SEPARATORS.findall(suggestion)
            and any(_has_words_once(context, text, part) for part in parts if len(part) > 2)
        )
    return "_" in name or edit_distance(name, suggestion, 1) == 1


RULE = Rule("near-name", "warning", __doc__, _find)
