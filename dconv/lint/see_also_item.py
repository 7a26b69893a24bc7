"""A line of 'See also' names what is not there.

Its items are names of entries, sections, documents and addresses. One that leads nowhere
is misspelt, lacks a word, or tells of what was renamed or removed. The nearest name is
told where there is one; without one, nothing is said where the text names another document
that is not at hand: the item may be defined there. So is an item told that leads to its own
entry and nowhere else.

Bad:
    backlog { low | high }
      See also : "title_number"

Good:
    backlog { low | high }
      See also : "title-number"
"""

from __future__ import annotations

from collections.abc import Iterator

from dconv.lint.rule import Finding, Rule
from dconv.lint.strange import strange
from dconv.lint.subject import Subject
from dconv.model.tree import Reference, SeeAlso


def _find(subject: Subject) -> Iterator[Finding]:
    """A finding at each item that leads nowhere, or to where it stands."""
    yield from _itself(subject)
    for one in strange(subject):
        part = one.part
        name = part.name
        if not isinstance(one.passage.node, SeeAlso) or not name.isascii():
            continue
        if name != name.lower() or (name.isalnum() and name in subject.known.words):
            continue
        wanted = subject.known.near(name) or subject.known.longer(name)
        if not wanted and all(word in subject.known.words for word in name.split()):
            continue  # an argument, or "server maxconn"
        if not wanted and _leads_elsewhere(subject):
            continue
        hint = f": '{wanted}' is nearest" if wanted else ""
        message = f"nothing is called '{name}'{hint}"
        yield Finding(part.line, part.column, message, len(part.text))


def _leads_elsewhere(subject: Subject) -> bool:
    """Whether the text names a document that is not at hand."""
    return any(
        isinstance(part, Reference) and part.kind == "document" and not part.targets
        for passage in subject.passages for part in passage.content
    )


def _itself(subject: Subject) -> Iterator[Finding]:
    """The items that lead to their own entry."""
    for passage in subject.passages:
        entry = passage.entry
        if not isinstance(passage.node, SeeAlso) or entry is None or len(entry.signatures) > 1:
            continue
        for part in passage.content:
            if isinstance(part, Reference) and part.name == entry.name and not part.targets:
                message = f"'{part.text}' is the entry in which this stands"
                yield Finding(part.line, part.column, message, len(part.text))


RULE = Rule("see-also-item", "warning", __doc__, _find)
