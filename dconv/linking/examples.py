"""Examples that are live: tokens with their colour, and links for those that name something.

What a word means depends on the section and the line that it stands in: the
dialect's scopes tell which kind of name may stand where.  Where two places stay
possible there is no link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Whitespace, _TokenType

from dconv.linking.lexer import ACTION, ALIAS, CONVERTER, FETCH, SECTION, HAProxyLexer
from dconv.linking.symbols import Symbols
from dconv.model.dialect import Dialect
from dconv.model.tree import Entry, Piece, Preformatted, Target

HAPROXY = "haproxy"
OTHERS = ("c", "http", "json", "lua")  # languages that Pygments itself reads
MOST = 4  # words of a directive's name: "http-request set-header", "capture request header"
SPACES = " \t\n"
# token types and the style of all below them; the first that fits counts
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
    """A token and its type, which is the lexer's."""

    kind: _TokenType
    text: str


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an example stands, and what is known."""

    document: str
    entry: Entry | None
    symbols: Symbols
    dialect: Dialect


def highlighted(
    node: Preformatted, document: str, entry: Entry | None, symbols: Symbols, dialect: Dialect
) -> tuple[Piece, ...]:
    """The lines of `node`, joined by line ends, as pieces; none where they have no colour.

    `document` and `entry` are what `node` stands in.  The texts of the pieces add
    up to the lines.
    """
    text = "\n".join(node.lines)
    if node.language == HAPROXY:
        place = _Place(document, entry, symbols, dialect)
        return _merged(_configuration(_tokens(HAProxyLexer(), text), place))
    if node.language not in OTHERS:
        return ()
    tokens = _tokens(get_lexer_by_name(node.language), text)
    if "".join([token.text for token in tokens]) != text:
        return ()
    return _merged(Piece(token.text, _style(token.kind)) for token in tokens)


def _tokens(lexer: Lexer, text: str) -> list[_Token]:
    return [_Token(kind, value) for _, kind, value in lexer.get_tokens_unprocessed(text)]


def _style(kind: _TokenType) -> str:
    for general, style in STYLES:
        if _below(kind, general):
            return style
    return ""


def _below(kind: _TokenType, general: _TokenType) -> bool:
    """Whether `kind` is `general` or a sort of it."""
    return kind[: len(general)] == general


def _merged(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """`pieces` with neighbours of one style joined; white space takes the style before it."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last and not last.target and not piece.target and (
            piece.style == last.style or (last.style != "com" and piece.text.isspace())
        ):
            found[-1] = Piece(last.text + piece.text, last.style)
        else:
            found.append(piece)
    return tuple(found)


# --- configuration --------------------------------------------------------------------


def _configuration(tokens: Sequence[_Token], place: _Place) -> Iterator[Piece]:
    lines = list(_lines(tokens))
    sections = place.dialect.scopes.sections
    kinds = _guessed(lines, place)
    for line in lines:
        first = _first(line)
        if first < len(line) and line[first].kind is SECTION:
            kinds = sections.get(line[first].text, ())
        yield from _line(line, first, kinds, place)


def _lines(tokens: Iterable[_Token]) -> Iterator[list[_Token]]:
    """The tokens by line; a line that is continued is one."""
    line: list[_Token] = []
    for token in tokens:
        line.append(token)
        if token.kind is Whitespace and "\n" in token.text:
            yield line
            line = []
    if line:
        yield line


def _first(line: Sequence[_Token]) -> int:
    """The index of the first word's token that is no `no`, no comment and no white space."""
    for at, token in enumerate(line):
        if token.kind not in (Comment.Single, Whitespace, Keyword.Reserved):
            return at
    return len(line)


def _guessed(lines: Iterable[Sequence[_Token]], place: _Place) -> tuple[str, ...]:
    """The kinds of the directives of a fragment, from its lines before the first section word.

    The kind that has the most of them, and of equal ones that of the entry at
    hand; none where two remain.
    """
    known = set().union(*place.dialect.scopes.sections.values())
    counts: Counter[str] = Counter()
    for line in lines:
        first = _first(line)
        if first < len(line) and line[first].kind is SECTION:
            break
        for end, name in _names(line, first):
            found = {symbol.kind for symbol in place.symbols.names.get(name, ())} & known
            if found and end:
                counts.update(found)
                break
    if not counts:
        return ()
    most = max(counts.values())
    best = [kind for kind, count in counts.items() if count == most]
    own = place.entry.kind if place.entry else ""
    if own in best:
        return (own,)
    return (best[0],) if len(best) == 1 else ()


def _names(line: Sequence[_Token], first: int) -> Iterator[tuple[int, str]]:
    """What a line may start with, longest first: the index behind its tokens, and the name."""
    found: list[tuple[int, str]] = []
    name = ""
    for at in range(first, min(len(line), first + 2 * MOST)):
        token = line[at]
        if token.kind is Whitespace:
            if "\n" in token.text:
                break
            continue
        ends = at + 1 == len(line) or line[at + 1].text[0] in SPACES + "("
        if not ends or not (_below(token.kind, Keyword) or token.kind in (Name, ACTION)):
            break
        name = f"{name} {' '.join(token.text.split())}".lstrip()
        found.append((at + 1, name))
    return reversed(found)


def _line(
    line: Sequence[_Token], first: int, kinds: tuple[str, ...], place: _Place
) -> Iterator[Piece]:
    """The pieces of a line whose first word is at `first`, in a section of `kinds`."""
    end, target = _directive(line, first, kinds, place)
    options = _options(line, first, place)
    yield from (Piece(token.text, _style(token.kind)) for token in line[:first])
    if end > first:
        style = "sec" if line[first].kind is SECTION else "dir"
        yield Piece("".join([token.text for token in line[first:end]]), style, target)
    rules = " ".join(line[first].text.split()) if first < len(line) else ""
    for at in range(end, len(line)):
        token = line[at]
        found = options.get(at) or _word(token, rules, place)
        yield Piece(token.text, "dir" if at in options else _style(token.kind), found)


def _directive(
    line: Sequence[_Token], first: int, kinds: tuple[str, ...], place: _Place
) -> tuple[int, Target | None]:
    """The index behind the directive of a line, and its place; `first` where none is known."""
    for end, name in _names(line, first):
        for kind in kinds:
            if _symbols(name, kind, place):
                return end, _target(name, kind, place)
    return first, None


def _options(line: Sequence[_Token], first: int, place: _Place) -> dict[int, Target | None]:
    """The options on a line such as `server` or `bind`: token's index to its place."""
    starts = [name.split() for _, name in _names(line, first)]
    for scope in place.dialect.scopes.lines:
        if any(tuple(words[: len(scope.words)]) == scope.words for words in starts):
            return {
                at: _target(line[at].text, scope.kind, place)
                for at in _whole(line, first, scope.after)
                if _symbols(line[at].text, scope.kind, place)
            }
    return {}


def _whole(line: Sequence[_Token], first: int, after: int) -> Iterator[int]:
    """The indexes of tokens that are words of their own, from the word number `after` on."""
    count = -1  # the word at hand, from 0
    fresh = True
    for at in range(first, len(line)):
        token = line[at]
        if token.kind is Whitespace or token.text == "\\\n":
            fresh = True
            continue
        if token.kind is Operator.Word or token.kind is Comment.Single:
            return
        if fresh:
            count += len(token.text.split())
        alone = fresh and (at + 1 == len(line) or line[at + 1].kind is Whitespace)
        fresh = False
        if alone and count >= after and token.kind is Name:
            yield at


def _word(token: _Token, rules: str, place: _Place) -> Target | None:
    """The place of an action, a fetch, a converter, a predicate or an alias."""
    names: tuple[str, ...] = (token.text,)
    if token.kind is ACTION:
        role, names = "action", (f"{rules} {token.text}", token.text)
    elif token.kind is FETCH:
        role = "predicate" if rules.startswith(".") else "fetch"
    elif token.kind is CONVERTER:
        role = "converter"
    elif token.kind is ALIAS:
        role, names = "alias", ("%" + token.text.lstrip("%").rpartition("}")[2],)
    else:
        return None
    for name in names:
        for kind in place.dialect.scopes.words.get(role, ()):
            if found := _target(name, kind, place):
                return found
    return None


# --- looking up -----------------------------------------------------------------------


def _symbols(name: str, kind: str, place: _Place) -> list[tuple[Target, str]]:
    """The places that a name of a `kind` has, the nearest only, each with its entry."""
    found = [symbol for symbol in place.symbols.names.get(name, ()) if symbol.kind == kind]
    found = [s for s in found if s.target.document == place.document] or found
    if len(found) < 2:
        return [(symbol.target, symbol.entry) for symbol in found]
    least = min([symbol.rank for symbol in found])
    return [(symbol.target, symbol.entry) for symbol in found if symbol.rank == least]


def _target(name: str, kind: str, place: _Place) -> Target | None:
    """The one place of a name of a `kind`, unless it is the entry at hand."""
    found = _symbols(name, kind, place)
    if not kind or len({target for target, _ in found}) != 1:
        return None
    target, entry = found[0]
    own = place.entry is not None and (
        place.entry.anchor == entry
        or (place.entry.kind == kind and any(one.name == name for one in place.entry.signatures))
    )
    return None if own and target.document == place.document else target
