"""TOML files with typed access: what is wrong becomes one sentence with the remedy.

The format is TOML 1.0 (https://toml.io/en/v1.0.0), read by `tomllib`.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from dconv.model.diagnostics import UserError, reason
from dconv.model.values import dataclass

MAX_LENGTH = 60  # characters of a value that messages show
Choice = TypeVar("Choice", bound=str)
IDENTITY_KEYS = ("name", "version", "file")  # of products, releases, documents


class SettingsError(UserError):
    """A settings file cannot be used; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a TOML file.

    `file` is the file as the user named it; `path` the dotted name of the table
    ("product.release", empty for the file itself); `label` what messages call it
    ("[site]", "[[document]] 'guide.txt'", "[[source]] number 2").
    """

    file: str
    path: str
    label: str
    values: Mapping[str, object]

    def has(self, key: str) -> bool:
        """Whether `key` is written in the table."""
        return key in self.values

    def expect_keys(self, *keys: str) -> Table:
        """The table itself; raises `SettingsError` where it has a key that is not in `keys`."""
        for key in self.values:
            if key not in keys:
                problem = f"has an unknown key '{key}'; {suggestion(key, keys)}"
                raise self.error(problem, _line_of_key(self.file, key))
        return self

    def error(self, problem: str, line: int = 0) -> SettingsError:
        """The error "<file>: <table> <problem>", with long keys and values of the table cut.

        The `line` of the file follows its name, if it is known.
        """
        for text in _long_texts(self.values):
            problem = problem.replace(text, shorten(text))
        place = f"{self.file}:{line}" if line else self.file
        return SettingsError(f"{place}: {self.label or 'the file'} {problem}")

    def string(self, key: str, default: str | None = None) -> str:
        """The string of `key`, or `default`; raises `SettingsError` without either."""
        value = self.values.get(key)
        if value is None:
            if default is None:
                raise self.error(f"has no key '{key}'; add {key} = \"…\"")
            return default
        if not isinstance(value, str):
            raise self._type_error(f"'{key}'", "a quoted string", value)
        if not value and default != "":
            raise self.error(f"has an empty '{key}'; write its text between the quotes")
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        """The strings of the list `key`, none if the key is absent."""
        value = self.values.get(key, [])
        if not isinstance(value, list):
            raise self._type_error(f"'{key}'", "a list of quoted strings", value)
        strings: list[str] = []
        for number, item in enumerate(value, 1):
            if not isinstance(item, str):
                raise self._type_error(f"'{key}' item {number}", "a quoted string", item)
            if not item:
                raise self.error(f"'{key}' item {number} is empty; write its text or remove it")
            strings.append(item)
        return tuple(strings)

    def choice(self, key: str, choices: Sequence[Choice]) -> Choice | None:
        """The one of `choices` that the string of `key` is, None if the key is absent."""
        if not self.has(key):
            return None
        word = self.string(key)
        for choice in choices:
            if choice == word:
                return choice
        raise self.error(f"has an unknown '{key}' '{word}'; {suggestion(word, choices)}")

    def lists(self) -> dict[str, tuple[str, ...]]:
        """The list of strings of each key of the table."""
        return {key: self.strings(key) for key in self.values}

    def boolean(self, key: str) -> bool:
        """Whether `key` is true; false if it is absent."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self._type_error(f"'{key}'", "true or false", value)
        return value

    def pattern(self, key: str, default: str | None = None, group: str = "") -> re.Pattern[str]:
        """The regular expression of `key`, or of `default`; it has the `group` of that name."""
        pattern = self._compiled(key, self.string(key, default))
        if group and group not in pattern.groupindex:
            raise self.error(f"has a '{key}' without the group '{group}'; write (?P<{group}>…)")
        return pattern

    def patterns(self, key: str) -> tuple[re.Pattern[str], ...]:
        """The regular expressions of the list `key`."""
        return tuple([self._compiled(key, text) for text in self.strings(key)])

    def table(self, key: str) -> Table:
        """The table `key`, empty if it is absent."""
        path = f"{self.path}.{key}".lstrip(".")
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self._type_error(f"'{key}'", f"a table: [{path}]", value)
        return Table(self.file, path, f"[{path}]{self._parent()}", value)

    def tables(self, key: str) -> tuple[Table, ...]:
        """The tables of the list `key` ([[key]]), none if it is absent; one may appear alone."""
        path = f"{self.path}.{key}".lstrip(".")
        value = self.values.get(key, [])
        items = [value] if isinstance(value, dict) else value
        if not isinstance(items, list):
            raise self._type_error(f"'{key}'", f"tables: [[{path}]]", value)
        tables: list[Table] = []
        for number, item in enumerate(items, 1):
            if not isinstance(item, dict):
                raise self._type_error(f"'{key}' item {number}", f"a table: [[{path}]]", item)
            label = f"[[{path}]] {_identity(item) or f'number {number}'}{self._parent()}"
            tables.append(Table(self.file, path, label, item))
        return tuple(tables)

    def _parent(self) -> str:
        return f" of {self.label}" if self.label.startswith("[[") else ""

    def _type_error(self, what: str, expected: str, value: object) -> SettingsError:
        return self.error(f"{what} must be {expected}, not {_type_name(value)}")

    def _compiled(self, key: str, text: str) -> re.Pattern[str]:
        try:
            return re.compile(text)
        except (re.error, OverflowError, RecursionError) as error:
            pattern_text = shorten(" ".join(text.split()))
            mistake = shorten(str(error), 2 * MAX_LENGTH)
            raise self.error(
                f"'{key}' is not a valid regular expression ({mistake}): '{pattern_text}';"
                " write one of Python's between single quotes"
            ) from error


def _line_of_key(file: str, key: str) -> int:
    """The number of the line of `file` that sets `key`, or 0 if no single line does."""
    name = re.escape(key)
    setting = re.compile(
        rf"(?:^|[{{,.])\s*[\"']?{name}[\"']?\s*[=.]|^\s*\[.*[\[.]\s*[\"']?{name}[\"']?\s*[\].]"
    )
    lines = Path(file).read_text(encoding="utf-8-sig").splitlines()
    numbers = [number for number, line in enumerate(lines, 1) if setting.search(line)]
    return numbers[0] if len(numbers) == 1 else 0


def _identity(values: Mapping[str, object]) -> str:
    """The quoted value of the first key that identifies a table of a list, or empty."""
    for key in IDENTITY_KEYS:
        match values.get(key):
            case str() as text if text.strip():
                return f"'{shorten(' '.join(text.split()))}'"
    return ""


def shorten(text: str, longest: int = MAX_LENGTH) -> str:
    """`text`, or its first characters and "…" where it has more than `longest`."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def _long_texts(values: Mapping[str, object]) -> list[str]:
    """All keys and texts below `values` that are too long for a message, the longest first."""
    texts: set[str] = set()
    remaining: list[object] = [values]
    while remaining:
        match remaining.pop():
            case str() as text if len(text) > MAX_LENGTH:
                texts.add(text)
            case list() as items:
                remaining += items
            case dict() as table:
                remaining += [*table, *table.values()]
            case _:
                pass
    return sorted(texts, key=len, reverse=True)


def suggestion(word: str, words: Iterable[str]) -> str:
    """What to say after an unknown `word`: "did you mean 'x'?", or the valid `words`."""
    words = tuple(words)
    if close_matches := difflib.get_close_matches(word, words, n=1):
        return f"did you mean '{shorten(close_matches[0])}'?"
    if not words:
        return "none is known"
    return "known are " + ", ".join([f"'{shorten(name)}'" for name in words])


def load(path: Path) -> Table:
    """The TOML file `path` as a table; raises `SettingsError` where it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise SettingsError(f"{path}: no such file; create it or check its name") from error
    except IsADirectoryError as error:
        raise SettingsError(f"{path}: this is a folder; name the file in it") from error
    except OSError as error:
        raise SettingsError(
            f"{path}: the file cannot be read ({reason(error)}); check its permissions"
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: the file is not UTF-8 text; save it as UTF-8") from error
    try:
        values: dict[str, object] = tomllib.loads(text)
    except ValueError as error:  # also a number of more digits than Python reads
        raise SettingsError(f"{path}: the file is not valid TOML; correct this: {error}") from error
    except RecursionError as error:
        raise SettingsError(
            f"{path}: the file is not valid TOML; it nests too deep: flatten it"
        ) from error
    return Table(str(path), "", "", values)


def _type_name(value: object) -> str:
    match value:
        case bool():
            return "a boolean"
        case int() | float():
            return f"a number ({value})"
        case str():
            return f'a string ("{value}")'
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"
