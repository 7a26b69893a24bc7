"""Who may import whom: the architecture, enforced.

A module stands in a layer and imports only from the layers named beside it.  The
reader (lines to nest) knows nothing of HTML, the writers nothing of the reader's
rules, and only the command line knows all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "dconv"

# What each module may import of the package.  "x.*" are all modules below x; a
# module below x may always import others below x.
TREE = frozenset({"diagnostics", "lines", "tree"})
RULES = TREE | {"inline", "region", "dialect", "naming", "outline.titles"}
ALLOWED: dict[str, frozenset[str]] = {
    "": frozenset(),
    "__main__": frozenset({"cli.*"}),
    "diagnostics": frozenset(),
    "dialect": frozenset(),
    "program": frozenset(),
    "vocabulary": frozenset(),
    "naming": frozenset(),
    "redirects": frozenset(),
    "compressed": frozenset(),
    "lifetime": frozenset(),
    "resources": frozenset(),
    "palette": frozenset(),
    "contrast": frozenset({"diagnostics", "palette"}),
    "exchange": frozenset(),
    "refusal": frozenset(),
    "origin": frozenset(),
    "ownership": frozenset(),
    "site": frozenset({"exchange", "ownership", "refusal"}),
    "overlay": frozenset(),
    "reloading": frozenset(),
    "serve": frozenset({"overlay", "refusal", "reloading"}),
    "lines": frozenset({"diagnostics"}),
    "tree": frozenset({"diagnostics", "lines"}),
    "inline": TREE,
    "region": TREE | {"dialect"},
    # reading
    "blocks": TREE,
    "outline.*": TREE | {"blocks"},
    "scan": TREE | {"blocks", "outline.*"},
    "rules.*": RULES,
    "signatures": TREE,
    "names": TREE | {"dialect", "naming", "region", "signatures"},
    "entries": TREE | {"dialect", "names", "signatures"},
    "nest": RULES | {
        "blocks", "outline.check", "outline.unclaimed", "rules.*", "signatures", "names", "entries",
    },
    # linking
    "symbols": TREE | {"dialect"},
    "lexer": frozenset(),
    "examples": TREE | {"dialect", "lexer", "symbols"},
    "hints": TREE | {"dialect", "symbols"},
    "section_numbers": TREE | {"dialect", "symbols"},
    "candidates": TREE | {"symbols"},
    "place": TREE | {"dialect", "symbols"},
    "everyday": TREE | {"place", "symbols"},
    "resolve": TREE | {
        "candidates", "everyday", "hints", "place", "section_numbers", "symbols",
    },
    "placeholders": TREE,
    "link": TREE | {"dialect", "examples", "place", "placeholders", "resolve", "symbols"},
    "references": TREE,
    "backlinks": TREE,
    "columns": frozenset({"lines"}),
    "facts": TREE | {"columns", "naming"},
    # proving
    "accounts.*": TREE | {"outline.*"},
    "differences": TREE | {"accounts.*"},
    "markup": frozenset(),
    "verify": TREE | {"accounts.*", "differences", "markup"},
    "emission": TREE | {"accounts.*", "differences", "outline.*", "verify"},
    # writing
    "html.*": TREE | {"lifetime", "outline.*", "placeholders"},
    "old_anchors": TREE,
    "pages.*": TREE | {"html.*", "lifetime", "naming", "old_anchors", "origin", "vocabulary"},
    "overrides": frozenset({"diagnostics"}),
    "theme_policy": frozenset({"diagnostics", "overrides"}),
    "bundles": frozenset(),
    "theme_folder": frozenset({"refusal", "resources"}),
    "theme": frozenset({
        "bundles", "contrast", "diagnostics", "overrides", "pages.*", "palette", "theme_folder",
        "theme_policy",
    }),
    "dump.*": TREE | {"emission", "references"},
    "exits.*": TREE | {"accounts.*", "html.*", "outline.*"},
    "doctree": TREE | {"exits.*"},
    "export": TREE | {"doctree", "exits.*"},
    "tags": frozenset(),
    "linkcheck": frozenset({"diagnostics", "tags"}),
    "inventory": TREE | {"naming", "pages.*"},
    "compare.*": TREE | {"pages.*", "references"},
    "forwarding": TREE | {"old_anchors", "pages.*"},
    "search.*": TREE | {"naming", "pages.*", "vocabulary"},
    # the world
    "settings.*": frozenset({
        "baseline", "diagnostics", "dialect", "lifetime", "naming", "palette", "program", "refusal",
        "vocabulary",
    }),
    "plain": frozenset(),
    "sources.*": frozenset({"exchange", "plain", "refusal", "settings.*", ""}),
    "acceptance": TREE | {"settings.*"},
    "baseline": frozenset({"diagnostics"}),
    "check.*": TREE | {"baseline", "dialect", "naming", "program", "references", "symbols"},
    # together
    "texts": frozenset({"lifetime", "origin", "settings.*"}),
    "volumes": TREE | {"lifetime", "pages.*", "texts"},
    "old_pages": frozenset({"lifetime", "redirects", "settings.*", "texts"}),
    "reading": TREE | {
        "backlinks", "facts", "link", "nest", "scan", "settings.*", "symbols", "texts",
    },
    "release": TREE | {"pages.*", "reading", "texts", "vocabulary"},
    "rendering": frozenset({
        "compare.*", "diagnostics", "forwarding", "inventory", "pages.*", "references", "search.*",
        "settings.*", "theme", "tree", "verify",
    }),
    "workers": frozenset({"refusal"}),
    "tasks": TREE | {
        "acceptance", "linkcheck", "pages.*", "plain", "reading", "release", "rendering", "texts",
        "theme",
        "volumes", "workers",
    },
    "memory": frozenset({"tasks", "texts"}),
    "assembly": frozenset({
        "memory", "pages.*", "plain", "rendering", "tasks", "texts", "volumes", "workers",
    }),
    "pipeline": frozenset({
        "", "assembly", "inventory", "linkcheck", "memory", "old_pages", "pages.*", "reading",
        "redirects", "release", "rendering", "tasks", "texts", "theme", "workers",
    }),
    "sphinx.*": frozenset({
        "", "diagnostics", "doctree", "exits.*", "lexer", "naming", "origin", "pages.*", "pipeline",
        "references", "resources", "settings.*", "sources.*", "texts", "tree",
    }),
    "cli.*": frozenset({
        "", "baseline", "check.*", "compare.*", "compressed", "diagnostics", "dump.*", "export",
        "lifetime", "lines", "linkcheck", "memory", "origin", "outline.*", "pages.*", "palette",
        "pipeline", "reading", "references", "refusal", "rendering", "resources", "search.*",
        "serve", "settings.*", "site", "sources.*", "symbols", "tasks", "texts", "theme",
        "theme_folder", "tree", "workers",
    }),
}  # fmt: skip

# Modules that touch the world, and what of it; all others are functions of their arguments.
PRINTING = frozenset({"print", "open", "input"})
CLOCK_AND_ENVIRONMENT = frozenset({"os", "time", "sys", "subprocess", "socket", "random"})
MAY_TOUCH = (
    "site", "ownership", "exchange", "sources.*", "settings.*", "serve", "cli.*", "__main__",
    "theme", "resources", "workers",
)  # fmt: skip


# Who calls what reads, and what writes, of `pathlib`, `os`, `shutil` and `tempfile`.
READING = frozenset({"read_bytes", "read_text", "iterdir", "rglob", "glob"})
WRITING = frozenset({
    "write_bytes", "write_text", "mkdir", "rename", "unlink", "rmdir", "rmtree", "utime", "chmod",
    "TemporaryDirectory", "symlink_to", "touch",
})  # fmt: skip
READERS = (
    "settings.*", "sources.*", "theme", "theme_folder", "site", "ownership", "exchange", "serve",
    "search.built",
)  # fmt: skip
WRITERS: dict[str, frozenset[str]] = {
    "site": WRITING, "exchange": WRITING, "sources.cache": WRITING, "sources.results": WRITING,
    # for what other programs write, and for the pages of a preview
    "sources.git": frozenset({"TemporaryDirectory"}),
    "sources.debian": frozenset({"TemporaryDirectory"}),
    "cli.building": frozenset({"TemporaryDirectory"}),
}  # fmt: skip


def _name(path: Path) -> str:
    parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def _matches(name: str, patterns: frozenset[str] | tuple[str, ...]) -> bool:
    return any(
        name == pattern
        or (pattern.endswith(".*") and f"{name}.".startswith(pattern.removesuffix("*")))
        for pattern in patterns
    )


def _entry(name: str) -> str:
    """The key of `ALLOWED` that `name` stands under."""
    found = [key for key in ALLOWED if key == name or (key and _matches(name, (key,)))]
    assert found, f"dconv.{name} has no place in the table of tests/test_layers.py: give it one"
    return max(found, key=len)


def _imports(path: Path) -> Iterator[str]:
    """The modules of the package that the module at `path` imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "dconv":
                    yield alias.name.removeprefix("dconv").lstrip(".")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full"
            module = node.module or ""
            if module.split(".")[0] != "dconv":
                continue
            inner = module.removeprefix("dconv").lstrip(".")
            for alias in node.names:
                below = f"{inner}.{alias.name}".lstrip(".")
                yield below if below in MODULES else inner


@pytest.mark.parametrize("name", MODULES)
def test_imports(name: str) -> None:
    key = _entry(name)
    own = (key,) if key.endswith(".*") else ()
    wrong = {
        other for other in _imports(MODULES[name])
        if not _matches(other, ALLOWED[key]) and not _matches(other, own)
    }
    assert not wrong, f"dconv.{name} must not import {sorted(wrong)}"


def test_the_table_has_no_dead_rows() -> None:
    used = {_entry(name) for name in MODULES}
    assert set(ALLOWED) - used == set()


def test_nothing_imports_in_a_circle() -> None:
    graph = {name: set(_imports(path)) - {name} for name, path in MODULES.items()}
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, f"a circle of imports: {' > '.join((*above, name))}"
        if name in done:
            return
        for other in sorted(graph[name]):
            # A package's own modules may not import the package; the other way is its purpose.
            visit(other, (*above, name))
        done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("name", MODULES)
def test_only_some_touch_the_world(name: str) -> None:
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    touched: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                touched |= {alias.name for alias in names} & CLOCK_AND_ENVIRONMENT
            case ast.ImportFrom(module=str(module)):
                touched |= {module.split(".")[0]} & CLOCK_AND_ENVIRONMENT
            case ast.Call(func=ast.Name(id=called)) if called in PRINTING:
                touched.add(called)
            case _:
                pass
    if not _matches(name, MAY_TOUCH):
        assert not touched, f"dconv.{name} uses {sorted(touched)}: hand it in as an argument"
    assert "print" not in touched


@pytest.mark.parametrize("name", MODULES)
def test_who_reads_and_who_writes(name: str) -> None:
    called = {
        node.func.attr
        for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        # functions of these have such names, too
        and ast.unparse(node.func.value) not in ("pipeline", "reading")
    }
    assert called & WRITING <= WRITERS.get(name, frozenset())
    if not _matches(name, READERS):
        assert not called & READING


def _is_mutable(node: ast.expr | None) -> bool:
    """Whether a value at the top of a module can change: a list, a set, a dict."""
    match node:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id="list" | "dict" | "set" | "defaultdict" | "Counter")):
            return True
        case _:
            return False


@pytest.mark.parametrize("name", MODULES)
def test_no_state_in_modules(name: str) -> None:
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            continue
        if isinstance(node, ast.AnnAssign) and "Mapping[" in ast.unparse(node.annotation):
            continue  # which mypy lets nobody change
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        assert not _is_mutable(value), (
            f"dconv.{name}:{node.lineno}: use a tuple, a frozenset, or say that it is a Mapping"
        )
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global | ast.Nonlocal)]


@pytest.mark.parametrize("name", MODULES)
def test_sizes(name: str) -> None:
    """Modules up to 300 lines, give or take; functions never above 40."""
    text = MODULES[name].read_text(encoding="utf-8")
    longest = 490 if name == "tree" else 330  # tree is declarations
    assert text.count("\n") <= longest
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < 40, f"dconv.{name}.{node.name} is too long"
