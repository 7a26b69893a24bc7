"""What an own theme overrides that the default theme does not have any more, or never had.

Nothing of it would ever be seen: a template that no page asks for, a block that no
template has, a file that no page loads, a token that no sheet uses, a key of
`theme.toml` that nobody reads.  The theme works all the same, so all are warnings.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.meta import find_referenced_templates

from dconv.model.diagnostics import Diagnostic

PREFIX = "default/"  # of the names of templates that are always those of the default theme
KEYS = ("title", "styles", "scripts")
# variables that name a file of the site's settings, and so none of a theme
OF_THE_SITE = ("page.edition.logo.file",)
# "--link: #0b57b0", "var(--link)", "/* a comment */"
SET = re.compile(r"(?:^|[\s;{])(--[a-zA-Z0-9_-]+)\s*:")
USED = re.compile(r"var\(\s*(--[a-zA-Z0-9_-]+)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a theme: its `path` for messages, and its text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Parts:
    """The files of a theme, by their names; of static files, sheets alone have their texts.

    `keys` are those of its `theme.toml`, whose path is `settings`.
    """

    templates: Mapping[str, Part]
    static: Mapping[str, Part]
    keys: tuple[str, ...] = ()
    settings: str = ""


def leftovers(
    own: Parts, default: Parts, listed: Iterable[str], environment: Environment
) -> tuple[Diagnostic, ...]:
    """What of `own` is of no use beside `default`; `listed` are sheets and scripts of pages."""
    theirs = {name: _tree(part, environment) for name, part in default.templates.items()}
    mine = {name: _tree(part, environment) for name, part in own.templates.items()}
    trees = {**{f"{PREFIX}{name}": tree for name, tree in theirs.items()}, **theirs, **mine}
    return (
        *_keys(own),
        *_templates(own, default, trees),
        *(finding for name in mine for finding in _blocks(own.templates[name].path, name, trees)),
        *_static(own, default, {*listed, *_assets(trees.values())}, mine.values()),
        *_tokens(own, default),
    )


def _warning(path: str, line: int, message: str) -> Diagnostic:
    return Diagnostic(path, line, 1, "warning", "theme-override", message)


def _tree(part: Part, environment: Environment) -> nodes.Template:
    """The syntax tree of a template, empty where it is wrong, which rendering tells."""
    try:
        return environment.parse(part.text)
    except TemplateSyntaxError:
        return nodes.Template([])


def _keys(own: Parts) -> Iterator[Diagnostic]:
    for key in own.keys:
        if key not in KEYS:
            yield _warning(own.settings, 1, f"nobody reads the key '{key}'{_meant(key, KEYS)}")


def _templates(
    own: Parts, default: Parts, trees: Mapping[str, nodes.Template]
) -> Iterator[Diagnostic]:
    """Templates that neither a page nor another template asks for."""
    asked = {name for tree in trees.values() for name in find_referenced_templates(tree)}
    if None in asked:  # a name that is made while a page is rendered may be any
        return
    for name, part in own.templates.items():
        if name not in default.templates and name not in asked:
            meant = choice(name, default.templates)
            message = f"no page uses the template '{name}'; {meant}"
            yield _warning(part.path, 1, message)


def _blocks(path: str, name: str, trees: Mapping[str, nodes.Template]) -> Iterator[Diagnostic]:
    """Blocks of the template `name` that none of those has which it extends."""
    parent = _parent(trees[name])
    if parent not in trees:
        return
    known: set[str] = set()
    seen = {name}
    while parent in trees and parent not in seen:
        seen.add(parent)
        known |= {block.name for block in trees[parent].find_all(nodes.Block)}
        parent = _parent(trees[parent])
    for node in trees[name].body:  # those inside of others are shown with them
        if isinstance(node, nodes.Block) and node.name not in known:
            message = f"no template has the block '{node.name}'{_meant(node.name, known)}"
            yield _warning(path, node.lineno, message)


def _parent(tree: nodes.Template) -> str:
    extended = tree.find(nodes.Extends)
    if extended is None or not isinstance(extended.template, nodes.Const):
        return ""
    return str(extended.template.value)


def _assets(trees: Iterable[nodes.Template]) -> Iterator[str]:
    """The static files that templates ask for by name; an empty one where they make it."""
    for tree in trees:
        for call in tree.find_all(nodes.Call):
            asks = isinstance(call.node, nodes.Name) and call.node.name in ("asset", "embedded")
            if asks and call.args:
                yield from _named(call.args[0])


def _named(name: nodes.Expr) -> Iterator[str]:
    """The file that an expression names; an empty name where it may be any."""
    if isinstance(name, nodes.Const):
        yield str(name.value)
    elif _dotted(name) not in OF_THE_SITE:
        yield ""


def _dotted(node: nodes.Node) -> str:
    """`page.edition.logo.file` of a variable's parts, empty for all other expressions."""
    if isinstance(node, nodes.Getattr):
        return f"{_dotted(node.node)}.{node.attr}"
    return str(node.name) if isinstance(node, nodes.Name) else ""


def _static(
    own: Parts, default: Parts, named: set[str], mine: Iterable[nodes.Template]
) -> Iterator[Diagnostic]:
    """Files that no page loads."""
    if "" in _assets(mine):
        return
    for name, part in own.static.items():
        if name not in default.static and name not in named:
            message = f"no page loads static/{name}{_meant(name, default.static)}"
            yield _warning(part.path, 1, message)


def _tokens(own: Parts, default: Parts) -> Iterator[Diagnostic]:
    """Custom properties that a sheet sets and none uses."""
    sheets = [part.text for parts in (own, default) for part in parts.static.values()]
    used = {name for sheet in sheets for name in USED.findall(sheet)}
    for part in own.static.values():
        text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), part.text)
        for match in SET.finditer(text):
            if match[1] not in used:
                line = text.count("\n", 0, match.start(1)) + 1
                message = f"no style sheet uses the token '{match[1]}'{_meant(match[1], used)}"
                yield _warning(part.path, line, message)


def choice(word: str, known: Iterable[str]) -> str:
    """Which of the `known` templates may be meant by `word`: the nearest, or all there are."""
    names = sorted({name.removeprefix(PREFIX) for name in known})
    near = difflib.get_close_matches(word.removeprefix(PREFIX), names, n=1)
    return f"did you mean '{near[0]}'?" if near else f"known are {', '.join(names)}"


def _meant(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""
