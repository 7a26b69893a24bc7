"""The references of a linked manual by outcome: a list, counts, findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Literal, get_args

from dconv.model import tree
from dconv.model.diagnostics import Diagnostic
from dconv.model.file_names import file_name, file_stem
from dconv.model.images import image_name
from dconv.model.values import dataclass

TERM_LABEL_PREFIX = "term-"  # what the labels of terms start with
VARIABLE_LABEL_PREFIX = "envvar-"  # those of variables of the environment
OBJECT_LABEL_PREFIXES = (VARIABLE_LABEL_PREFIX, "confval-")  # and those of settings

Outcome = Literal["resolved", "ambiguous", "external", "unresolved"]


@dataclass(frozen=True, slots=True)
class Mention:
    """One reference of a linked manual with its outcome.

    `line` and `column` are those of its first character, without the quote; `targets`
    are places of the release, `url` is an address of the web or empty.
    """

    line: int
    column: int
    text: str
    outcome: Outcome
    targets: tuple[tree.Target, ...]
    url: str


def mentions(manual: tree.Manual) -> Iterator[Mention]:
    """Every reference of `manual` that has a target, or is to a section; others do not count."""
    for node in all_inlines(manual):
        if isinstance(node, tree.Hyperlink):
            yield Mention(node.line, node.column, node.text, "external", (), node.url)
        elif isinstance(node, tree.Reference) and (node.targets or node.kind == "section"):
            outcomes: tuple[Outcome, ...] = ("unresolved", "resolved", "ambiguous")
            outcome = outcomes[min(len(node.targets), 2)]
            yield Mention(node.line, node.column, node.text, outcome, node.targets, "")


def reference_findings(
    manual: tree.Manual, files: Collection[str] = (), *,
    are_labels_known: bool = True, are_terms_known: bool = True,
) -> list[Diagnostic]:
    """A diagnostic for each reference without a target, except names of `files`.

    `are_labels_known` and `are_terms_known` are false where texts that are not read may define
    labels, or terms and options.
    """
    path = manual.source.path
    names = (file_name(path), manual.name, f"{manual.name}.txt", *files)
    known_files = {name.casefold() for file in names for name in (file, file_stem(file))}
    has_numbers = any(section.number for section in tree.sections(manual))
    missing: list[Diagnostic] = []
    broken: list[Diagnostic] = []
    label_counts: Counter[tuple[str, int]] = Counter()  # by label and line
    for node in all_inlines(manual):
        if not isinstance(node, tree.Reference) or node.targets:
            continue
        if node.kind == "option" and node.name.startswith(VARIABLE_LABEL_PREFIX):
            continue  # it may be of the system: "PATH"
        is_term = node.kind == "option" or node.name.startswith(TERM_LABEL_PREFIX)
        if node.kind in ("label", "option") and not (
            are_terms_known if is_term else are_labels_known
        ):
            continue
        line, column = manual.source.place(node.line, node.column)
        if node.kind in ("link", "label", "option"):
            key = (node.name, line)
            line, column, name = manual.source.reference_place(
                node.name, node.line, node.column, label_counts[key]
            )
            label_counts[key] += 1
            message = f"there is no '{node.text if is_term else name}' to link to"
            broken.append(Diagnostic(path, line, column, "warning", "link-target", message))
        elif node.kind == "section" and has_numbers:
            message = f"there is no section {node.text} in this document"
            broken.append(Diagnostic(path, line, column, "warning", "section-reference", message))
        elif node.kind == "document" and node.name.casefold() not in known_files:
            file = node.text if node.name in node.text else node.name.partition("#")[0]
            line, column, _ = manual.source.reference_place(node.name, node.line, node.column)
            message = f"{file} is no link, for it is not a document of this release"
            missing.append(Diagnostic(path, line, column, "note", "missing-document", message))
    return missing + broken


def images(manual: tree.Manual) -> Iterator[tree.Image]:
    """Every image of `manual`, those of links too, in source order."""
    return (node for node in all_inlines(manual) if isinstance(node, tree.Image))


def image_names(manual: tree.Manual) -> set[str]:
    """The names of the images that `manual` shows."""
    return {image_name(image.file) for image in images(manual)}


def missing_images(manual: tree.Manual, available: Collection[str]) -> Iterator[Diagnostic]:
    """A diagnostic for each image whose name is not `available`, unless it is an address."""
    names = {image.file: image_name(image.file) for image in images(manual)}
    for file, name in names.items():
        if "://" not in file and name not in available:
            message = f"pages show the words for '{file}': the text's folder has no such image"
            line, column, _ = manual.source.reference_place(file, 1, 1)
            yield Diagnostic(manual.source.path, line, column, "warning", "missing-image", message)


@dataclass(frozen=True, slots=True)
class ReferenceCounts:
    """How many references of a document have each `Outcome`."""

    resolved: int
    ambiguous: int
    external: int
    unresolved: int

    def __str__(self) -> str:
        """`3,102 references: 2,816 resolved, 10 ambiguous, 270 external, 6 unresolved`."""
        total = self.resolved + self.ambiguous + self.external + self.unresolved
        what = "1 reference" if total == 1 else f"{total:,} references"
        return (
            f"{what}: {self.resolved:,} resolved, {self.ambiguous:,} ambiguous,"
            f" {self.external:,} external, {self.unresolved:,} unresolved"
        )


def count_references(manual: tree.Manual) -> ReferenceCounts:
    """Count the references of the linked `manual` by their outcomes."""
    outcomes = Counter(mention.outcome for mention in mentions(manual))
    return ReferenceCounts(*(outcomes[outcome] for outcome in get_args(Outcome)))


def all_inlines(manual: tree.Manual) -> Iterator[tree.Inline]:
    """Every inline node of `manual` outside of its header, in source order."""
    yield from inlines(manual.preface)
    for section in tree.sections(manual):
        yield from inlines(section.body)


def inlines(blocks: tuple[tree.Block, ...]) -> Iterator[tree.Inline]:
    """Every inline node below `blocks`, in source order; tables row by row."""
    for node in tree.walk(blocks):
        yield from own_inlines(node)


def own_inlines(node: tree.Block | tree.Item | tree.Definition) -> Iterator[tree.Inline]:
    """The inline nodes of `node` itself, not of the nodes in its body; tables row by row."""
    match node:
        case tree.Paragraph() | tree.SeeAlso() | tree.Heading():
            yield from tree.walk_inlines(node.content)
        case tree.Example():
            yield from tree.walk_inlines(node.caption)
        case tree.Definition():
            for term in node.terms:
                yield from tree.walk_inlines(term.content)
        case tree.Table():
            for row in (*node.head, *node.rows):
                for cell in row.cells:
                    yield from tree.walk_inlines(cell.content)
        case _:
            pass
