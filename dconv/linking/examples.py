"""Examples with coloured tokens, and with links for words that are names.

What a word means depends on the section and the line that it is in: the dialect's syntax says which
kind of name may appear where.  If two places are possible there is no link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Whitespace, _TokenType

from dconv.linking.lexer import ACTION, CONVERTER, FETCH, FORMAT_ALIAS, SECTION, HAProxyLexer
from dconv.linking.scope import Scope
from dconv.linking.symbols import NameRank, Symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import Entry, Preformatted, StyledCode, Target
from dconv.model.values import dataclass

HAPROXY = "haproxy"
PYGMENTS_LANGUAGES = ("c", "http", "json", "lua")  # languages that Pygments itself reads
# words of a directive's name: "http-request set-header", "capture request header"
MAX_NAME_WORDS = 4
SPACES = " \t\n"
MAX_CACHED_EXAMPLES = 1 << 10
# token types and the style of all below them, which is a class of the theme; the first that fits
# counts
STYLES: tuple[tuple[_TokenType, str], ...] = (
    (Comment.Preproc, "op"),
    (Comment, "com"),
    (SECTION, "sec"),
    (Keyword, "dir"),
    (ACTION, "dir"),
    (Name.Function, "var"),
    (Name.Variable, "var"),
    (Name.Tag, "op"),
    (Name.Constant, "op"),
    (Operator, "op"),
    (String.Interpol, "op"),
    (String, "str"),
    (Number, "num"),
)


@dataclass(frozen=True, slots=True)
class _Token:
    """A token and the lexer's type of it."""

    kind: _TokenType
    text: str


def highlight(
    node: Preformatted, document: str, entry: Entry | None, symbols: Symbols, dialect: Dialect
) -> tuple[StyledCode, ...]:
    """The lines of `node`, joined by line ends, as styled code; none if they have no colour.

    `document` and `entry` are what `node` is in.
    """
    text = "\n".join(node.lines)
    if node.language == HAPROXY:
        scope = Scope(document, entry, symbols, dialect)
        return _merged(_configuration(_tokens(HAPROXY, text), scope))
    if node.language not in PYGMENTS_LANGUAGES:
        return ()
    tokens = _tokens(node.language, text)
    if "".join([token.text for token in tokens]) != text:
        return ()
    return _merged(StyledCode(token.text, _style(token.kind)) for token in tokens)


@lru_cache(maxsize=MAX_CACHED_EXAMPLES)  # releases of a product have most examples in common
def _tokens(language: str, text: str) -> tuple[_Token, ...]:
    lexer = HAProxyLexer() if language == HAPROXY else get_lexer_by_name(language)
    return tuple([_Token(kind, value) for _, kind, value in lexer.get_tokens_unprocessed(text)])


@cache
def _style(kind: _TokenType) -> str:
    for general, style in STYLES:
        if kind[: len(general)] == general:
            return style
    return ""


def _merged(styled_code: Iterable[StyledCode]) -> tuple[StyledCode, ...]:
    """`styled_code` with neighbours of one style joined; white space takes the style before it.

    After a comment it does so only if another comment follows.
    """
    merged: list[StyledCode] = []
    for code in styled_code:
        if code.style == "com" and len(merged) > 1 and merged[-1].text.isspace() and (
            merged[-2].style == "com"
        ):
            blank = merged.pop()
            merged[-1] = StyledCode(f"{merged[-1].text}{blank.text}{code.text}", "com")
            continue
        last = merged[-1] if merged else None
        if last and not last.target and not code.target and (
            code.style == last.style or (last.style != "com" and code.text.isspace())
        ):
            merged[-1] = StyledCode(last.text + code.text, last.style)
        else:
            merged.append(code)
    return tuple(merged)


def _configuration(tokens: Sequence[_Token], scope: Scope) -> Iterator[StyledCode]:
    lines = list(_lines(tokens))
    sections = scope.dialect.syntax.sections
    kinds = _guessed_kinds(lines, scope)
    for line in lines:
        first = _first_word(line)
        if first < len(line) and line[first].kind is SECTION:
            kinds = sections.get(line[first].text, ())
        yield from _styled_line(line, first, kinds, scope)


def _lines(tokens: Iterable[_Token]) -> Iterator[list[_Token]]:
    """The tokens by line; a line and its continuation are one."""
    line: list[_Token] = []
    for token in tokens:
        line.append(token)
        if token.kind is Whitespace and "\n" in token.text:
            yield line
            line = []
    if line:
        yield line


def _first_word(line: Sequence[_Token]) -> int:
    """The index of the first word's token that is no `no`, no comment and no white space."""
    for index, token in enumerate(line):
        if token.kind not in (Comment.Single, Whitespace, Keyword.Reserved):
            return index
    return len(line)


def _guessed_kinds(lines: Iterable[Sequence[_Token]], scope: Scope) -> tuple[str, ...]:
    """The kinds of the directives of a fragment, from its lines before the first section word.

    It is the kind that most of them have, of several that of the current entry; none if two remain.
    """
    directive_kinds = set().union(*scope.dialect.syntax.sections.values())
    counts: Counter[str] = Counter()
    for line in lines:
        first = _first_word(line)
        if first < len(line) and line[first].kind is SECTION:
            break
        for end, name in _names(line, first):
            kinds = {symbol.kind for symbol in scope.symbols.names.get(name, ())} & directive_kinds
            if kinds and end:
                counts.update(kinds)
                break
    if not counts:
        return ()
    highest_count = max(counts.values())
    most_common = [kind for kind, count in counts.items() if count == highest_count]
    kind_of_entry = scope.entry.kind if scope.entry else ""
    if kind_of_entry in most_common:
        return (kind_of_entry,)
    return (most_common[0],) if len(most_common) == 1 else ()


def _names(line: Sequence[_Token], first: int) -> Iterator[tuple[int, str]]:
    """The names that a line may start with, longest first, each with the index after it."""
    names: list[tuple[int, str]] = []
    name = ""
    for index in range(first, min(len(line), first + 2 * MAX_NAME_WORDS)):
        token = line[index]
        if token.kind is Whitespace:
            if "\n" in token.text:
                break
            continue
        is_word_end = index + 1 == len(line) or line[index + 1].text[0] in SPACES + "("
        may_name = token.kind[: len(Keyword)] == Keyword or token.kind in (Name, ACTION)
        if not is_word_end or not may_name:
            break
        name = f"{name} {' '.join(token.text.split())}".lstrip()
        names.append((index + 1, name))
    return reversed(names)


def _styled_line(
    line: Sequence[_Token], first: int, kinds: tuple[str, ...], scope: Scope
) -> Iterator[StyledCode]:
    """The parts of a line whose first word is at `first`, in a section of `kinds`."""
    end, target = _directive(line, first, kinds, scope)
    options = _options(line, first, scope)
    yield from (StyledCode(token.text, _style(token.kind)) for token in line[:first])
    if end > first:
        style = "sec" if line[first].kind is SECTION else "dir"
        yield StyledCode("".join([token.text for token in line[first:end]]), style, target)
    first_word = " ".join(line[first].text.split()) if first < len(line) else ""
    for index in range(end, len(line)):
        token = line[index]
        target = options.get(index) or _word_target(token, first_word, scope)
        yield StyledCode(token.text, "dir" if index in options else _style(token.kind), target)


def _directive(
    line: Sequence[_Token], first: int, kinds: tuple[str, ...], scope: Scope
) -> tuple[int, Target | None]:
    """The index after the directive of a line, and its target; `first` if it is not known."""
    for end, name in _names(line, first):
        for kind in kinds:
            if _nearest_targets(name, kind, scope):
                return end, _target(name, kind, scope)
    return first, None


def _options(line: Sequence[_Token], first: int, scope: Scope) -> dict[int, Target | None]:
    """The options on a line such as `server` or `bind`: token's index to its target."""
    starts = [name.split() for _, name in _names(line, first)]
    for line_syntax in scope.dialect.syntax.lines:
        if any(tuple(words[: len(line_syntax.words)]) == line_syntax.words for words in starts):
            return {
                index: _target(line[index].text, line_syntax.kind, scope)
                for index in _whole_words(line, first, line_syntax.after)
                if _nearest_targets(line[index].text, line_syntax.kind, scope)
            }
    return {}


def _whole_words(line: Sequence[_Token], first: int, after: int) -> Iterator[int]:
    """The indexes of tokens that are words of their own, from the word number `after` on."""
    count = -1  # the current word, from 0
    word_starts = True
    for index in range(first, len(line)):
        token = line[index]
        if token.kind is Whitespace or token.text == "\\\n":
            word_starts = True
            continue
        if token.kind is Operator.Word or token.kind is Comment.Single:
            return
        if word_starts:
            count += len(token.text.split())
        ends_word = index + 1 == len(line) or line[index + 1].kind is Whitespace
        is_whole_word = word_starts and ends_word
        word_starts = False
        if is_whole_word and count >= after and token.kind is Name:
            yield index


def _word_target(token: _Token, first_word: str, scope: Scope) -> Target | None:
    """The target of an action, a fetch, a converter, a predicate or an alias."""
    names: tuple[str, ...] = (token.text,)
    if token.kind is ACTION:
        role, names = "action", (f"{first_word} {token.text}", token.text)
    elif token.kind is FETCH:
        role = "predicate" if first_word.startswith(".") else "fetch"
    elif token.kind is CONVERTER:
        role = "converter"
    elif token.kind is FORMAT_ALIAS:
        role, names = "alias", ("%" + token.text.lstrip("%").rpartition("}")[2],)
    else:
        return None
    for name in names:
        for kind in scope.dialect.syntax.roles.get(role, ()):
            if target := _target(name, kind, scope):
                return target
    return None


def _nearest_targets(name: str, kind: str, scope: Scope) -> list[tuple[Target, str]]:
    """The nearest targets of a name of a `kind`, each with its entry."""
    symbols = [symbol for symbol in scope.symbols.names.get(name, ()) if symbol.kind == kind]
    symbols = [symbol for symbol in symbols if symbol.target.document == scope.document] or symbols
    nearest = min([symbol.name_rank for symbol in symbols], default=NameRank.OWN)
    return [(symbol.target, symbol.entry) for symbol in symbols if symbol.name_rank is nearest]


def _target(name: str, kind: str, scope: Scope) -> Target | None:
    """The one target of a name of a `kind`, unless it is the current entry."""
    targets = _nearest_targets(name, kind, scope)
    if not kind or len({target for target, _ in targets}) != 1:
        return None
    target, entry = targets[0]
    is_current_entry = scope.entry is not None and (
        scope.entry.anchor == entry
        or (scope.entry.kind == kind and name in scope.entry.signature_names)
    )
    return None if is_current_entry and target.document == scope.document else target
