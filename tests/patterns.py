"""Finds every regular expression of the package, how it is asked, and texts that are hostile to it.

Found are the constants of modules, alone and in tuples and other values, what the settings of
products hold, and what functions put together.  How one is asked (`match`, `search`…) is
told by the source: by the calls on its name, or where it goes by other names, by the calls
of patterns that the modules have which use it.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import dconv
from dconv.settings import load_product
from dconv.sources.resources import resource_folder

PACKAGE = Path(dconv.__file__).parent
ASKED = frozenset(("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn"))
# how those are asked that go by other names, where the modules which use them ask others, too
HANDED: Mapping[str, tuple[str, ...]] = {
    "rules.terms.COLON": ("match",),
    "rules.terms.ARROW": ("match",),
    "rules.terms.GAP": ("match",),
    "rules.terms.DASH": ("match",),
    "rules.terms.ARGUMENT": ("match",),
    "rules.terms.SINGLE": ("match",),
    "rules.tables.bare_head.NUMBER": ("match",),
    "rules.tables.bare_head.FLAGS": ("match",),
    "section_numbers.TITLE": ("match",),
    "section_numbers.REST": ("match",),
    "manuals": ("match",),
    "recognise": ("finditer",),
}
# parts of patterns that functions put together: a name, a word, letters
FILLED = "speed"
# what a text may have again and again, beside what the pattern itself is made of
REPEATED = (
    " ", "-", "_", "a", "A", "1", "é", "\t", "\n", "a ", "a  ", "a-", "a.", "1.", "1 ", "-a", " a",
    "\n ", "a\n", "-\n", "<a>", "<", ">", "[", "]", "(", ")", "{", "[ ", "<a> ", '"', "'", "`",
    '"a" ', "a, ", ", ", ",", "|", "| ", "a | ", "+", "+-", "=", ".", ". ", ":", " :", ": ", "/",
    "*", "&", "%", "\\", "\\\\", "#", "@", ";", "a=", "a:", "--", "and ", "a or ", "section ",
)  # fmt: skip
ENDS = ("", "\x00")  # what follows: nothing, or what keeps a pattern from its end
MANY = 16  # times at least that a part may repeat to be called a repetition


@dataclass(frozen=True, slots=True)
class Asked:
    """A pattern: what it is called, itself, and the methods by which it is asked."""

    name: str
    pattern: re.Pattern[Any]
    methods: tuple[str, ...]


def package() -> Iterator[tuple[str, Any, ast.Module]]:
    """Each module of the package: its name below the package, itself, its source."""
    for info in pkgutil.walk_packages([str(PACKAGE)], "dconv."):
        if not info.name.endswith("__main__"):
            module = importlib.import_module(info.name)
            source = Path(str(module.__file__)).read_text(encoding="utf-8")
            yield info.name.removeprefix("dconv."), module, ast.parse(source)


def found(products: Sequence[Path] = ()) -> list[Asked]:
    """Every pattern of the package and of `products`, folders with settings, once."""
    modules = list(package())
    patterns: dict[str, re.Pattern[Any]] = {}
    for name, module, source in modules:
        for constant in _constants(source):
            for path, pattern in _held(getattr(module, constant, None), f"{name}.{constant}"):
                patterns.setdefault(path, pattern)
    own = {id(pattern): path for path, pattern in reversed(patterns.items())}
    called: dict[str, set[str]] = {}
    for name, module, source in modules:
        _calls(name, module, source, own, called)
    asked = [
        Asked(path, pattern, _methods(path, modules, called))
        for path, pattern in patterns.items() if own[id(pattern)] == path
    ]
    for folder in (*(resource_folder("manuals") / one for one in ("haproxy", "dconv")), *products):
        asked += [
            Asked(path, pattern, _ways(_attribute(path), modules, called))
            for path, pattern in _held(load_product(folder), folder.name)
        ]
    return [*asked, *composed(modules)]


def _constants(source: ast.Module) -> Iterator[str]:
    """The names that a module sets."""
    for node in source.body:
        targets = node.targets if isinstance(node, ast.Assign) else (
            [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def _held(value: Any, path: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The patterns in `value`, each with the path that leads to it."""
    if isinstance(value, re.Pattern):
        yield path, value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _held(one, f"{path}[{key}]")
    elif isinstance(value, tuple | list | frozenset):
        for at, one in enumerate(value):
            yield from _held(one, f"{path}[{at}]")
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _held(getattr(value, field.name), f"{path}.{field.name}")


def _attribute(path: str) -> str:
    """The name of the field that holds a pattern of settings."""
    return re.sub(r"\[.*?\]", "", path).rpartition(".")[2]


def _calls(
    name: str, module: Any, source: ast.Module, own: Mapping[int, str], called: dict[str, set[str]]
) -> None:
    """Add to `called`: by path, by `.field`, and by the module `name` for names of no constant."""
    for node in ast.walk(source):
        if not (isinstance(node, ast.Attribute) and node.attr in ASKED):
            continue
        match node.value:
            case ast.Name(id=constant) if isinstance(vars(module).get(constant), re.Pattern):
                path = own.get(id(vars(module)[constant]), "")
            case ast.Attribute(value=ast.Name(id=other), attr=constant) if isinstance(
                getattr(vars(module).get(other), constant, None), re.Pattern
            ):
                path = own.get(id(getattr(vars(module)[other], constant)), "")
            case ast.Attribute(attr=field):
                path = f".{field}"
            case ast.Name(id="re"):
                continue
            case _:
                path = name
        called.setdefault(path, set()).add(node.attr)


def _methods(
    path: str, modules: Sequence[tuple[str, Any, ast.Module]], called: Mapping[str, set[str]]
) -> tuple[str, ...]:
    """How a constant is asked."""
    if path in HANDED:
        return HANDED[path]
    if path in called:
        return tuple(sorted(called[path]))
    return _ways(re.sub(r"\[.*", "", path).rpartition(".")[2], modules, called)


def _ways(
    word: str, modules: Sequence[tuple[str, Any, ast.Module]], called: Mapping[str, set[str]]
) -> tuple[str, ...]:
    """How a pattern of the constant or field `word` is asked, or may be."""
    if word in HANDED:
        return HANDED[word]
    if f".{word}" in called:
        return tuple(sorted(called[f".{word}"]))
    users = [
        name for name, _, source in modules
        if any(
            (isinstance(node, ast.Name) and node.id == word)
            or (isinstance(node, ast.Attribute) and node.attr == word)
            for node in ast.walk(source)
        )
    ]
    methods = {method for name in users for method in called.get(name, ())}
    return tuple(sorted(methods or ASKED))


# patterns that functions put together of something else than a text with gaps
COMPOSED: Mapping[str, str] = {
    "cli.beside": r"speed\s+limit",
    "facts": r"speed\w+limit\w+",
    "check.against": "speed[a-z0-9!]+limit[a-z0-9!]+",
    "exchange": r"site\.dconv\-new\-[0-9]+",
    "settings.toml": "",  # those of products, which are found in them
}


def composed(modules: Sequence[tuple[str, Any, ast.Module]]) -> Iterator[Asked]:
    """The patterns that stand in functions, their gaps filled."""
    for name, _, source in modules:
        within = [node for top in source.body if isinstance(top, ast.FunctionDef | ast.ClassDef)
                  for node in ast.walk(top)]
        for node in within:
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)) if (
                    method in {*ASKED, "compile"}
                ):
                    text = _filled(node.args[0])
                    if text is None:
                        text = COMPOSED[name]
                    ways = tuple(sorted(ASKED)) if method == "compile" else (method,)
                    if text:
                        yield Asked(f"{name}:{node.lineno}", re.compile(text), ways)


def _filled(node: ast.expr) -> str | None:
    """A text as it stands in the source, its gaps filled; None of what is none."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(
                str(part.value) if isinstance(part, ast.Constant) else FILLED for part in parts
            )
        case _:
            return None


# --- texts ----------------------------------------------------------------------------


def hostile(pattern: re.Pattern[Any], size: int) -> Iterator[str]:
    """Texts of `size` characters in which parts of `pattern` stand again and again."""
    parser: Any = importlib.import_module("re._parser")
    source: Any = pattern.pattern
    flags = pattern.flags
    if isinstance(source, bytes):
        source, flags = source.decode("latin-1"), flags & ~re.UNICODE
    heads, bodies = {""}, dict.fromkeys(REPEATED)
    _repetitions(parser.parse(source, flags), "", heads, bodies)
    for head in sorted(heads):
        for body in bodies:
            for end in ENDS:
                room = max(1, (size - len(head) - len(end)) // len(body))
                yield head + body * room + end


def _repetitions(parts: Any, before: str, heads: set[str], bodies: dict[str, None]) -> str:
    """What `parts` of a parsed pattern match at least; adds what stands before what repeats."""
    shown = before
    for kind, value in parts:
        match str(kind):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, inner = value
                if most >= MANY:
                    heads.add(shown)
                once = _repetitions(inner, shown, heads, bodies)[len(shown):]
                if most >= MANY and once:
                    bodies[once] = None
                shown += once * max(1, min(least, 3))
            case "SUBPATTERN":
                shown = _repetitions(value[3], shown, heads, bodies)
            case "ATOMIC_GROUP":
                shown = _repetitions(value, shown, heads, bodies)
            case "BRANCH":
                ways = [_repetitions(way, shown, heads, bodies) for way in value[1]]
                bodies.update(dict.fromkeys(one[len(shown):] for one in ways if one != shown))
                shown = max(ways, key=len)
            case "LITERAL":
                shown += chr(value)
            case "NOT_LITERAL":
                shown += "a" if value != ord("a") else "b"
            case "ANY":
                shown += "a"
            case "IN":
                shown += _letter(value)
            case _:  # what has no width
                pass
    return shown


def _letter(ways: Any) -> str:
    """A character of a class."""
    wanted = str(ways[0][0]) != "NEGATE"
    for letter in 'a 1-"<A\x01':
        if any(_is(letter, way) for way in ways) == wanted:
            return letter
    return chr(ways[0][1][0] if str(ways[0][0]) == "RANGE" else ways[0][1])


def _is(letter: str, way: Any) -> bool:
    kind, value = str(way[0]), way[1]
    if kind == "LITERAL":
        return bool(ord(letter) == value)
    if kind == "RANGE":
        return bool(value[0] <= ord(letter) <= value[1])
    tests = {"SPACE": letter.isspace(), "DIGIT": letter.isdigit(), "WORD": letter.isalnum()}
    name = str(value).removeprefix("CATEGORY_")
    if name in tests:
        return tests[name]
    return not tests[name.removeprefix("NOT_")] if name.removeprefix("NOT_") in tests else False
