"""A text to docutils' tree, with roles and directives of our own and nothing from outside.

docutils keeps its roles and directives in tables of the process, which its writers and Sphinx use
too.  So each document gets subclasses of its parser, which look names up in `ROLES` and
`DIRECTIVES` only, and change no table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from re import Match
from types import MappingProxyType

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Directive, Parser, states
from docutils.statemachine import StringList, string2lines
from docutils.transforms import frontmatter, references

from dconv.model.diagnostics import Diagnostic, Level
from dconv.model.source import TAB_WIDTH, Source
from dconv.readers.rst.addnodes import role_reference
from dconv.readers.rst.directives import DIRECTIVES, Unknown
from dconv.readers.rst.inliner import Inliner


class DocumentTitle(frontmatter.DocTitle):
    """The title of the document, and its subtitle if a list of fields follows it.

    docutils makes a subtitle of any single section; most are sections of the text.
    """

    def promote_subtitle(self, node: nodes.Element) -> bool:
        """Whether the section below the title became a subtitle."""
        section, _ = self.candidate_index(node)
        if not isinstance(section, nodes.section):
            return False
        first = next((
            child for child in section.children[1:]
            if not isinstance(child, nodes.comment | nodes.target)
        ), None)
        return isinstance(first, nodes.field_list) and super().promote_subtitle(node)


TRANSFORMS = (
    references.Substitutions, references.PropagateTargets, DocumentTitle,
    frontmatter.DocInfo, references.AnonymousHyperlinks, references.IndirectHyperlinks,
    references.Footnotes, references.ExternalTargets, references.InternalTargets,
    references.DanglingReferences,
)  # fmt: skip
GRID_RULE = re.compile(r"\+(?:[-=]+\+)+")  # of a table, across all its columns
SILENT = 5  # above the levels of all messages
# fields at the start of a text that say how Sphinx shows it:
# https://www.sphinx-doc.org/en/master/usage/restructuredtext/field-lists.html
SPHINX_METADATA = frozenset({"orphan", "nocomments", "nosearch", "no-search", "tocdepth"})
# ".. name::", where docutils looks for a directive
DIRECTIVE = re.compile(rf"\.\.[ ]+({states.Inliner.simplename})[ ]?::([ ]+|$)")
# ".. note: text", which is a comment
ONE_COLON = re.compile(rf"\.\.[ ]+({states.Inliner.simplename}):(?: |$)")

# what is shown of a place in references to it
CAPTIONS = {
    nodes.section: nodes.title, nodes.table: nodes.title, nodes.figure: nodes.paragraph
}


def parse(
    text: str, path: str, titles: Mapping[tuple[str, str], str] = MappingProxyType({}),
    sphinx_settings: Mapping[str, str] = MappingProxyType({}),
) -> tuple[nodes.document, list[nodes.system_message]]:
    """The tree of `text`, which is from `path`, and what docutils reports about it, in order.

    `titles` are those of places in other texts, by the kind and the target of a reference;
    `sphinx_settings` say what the text may use: "version", "release", and the definitions of
    "rst_prolog" and "rst_epilog".
    """
    settings = frontend.get_default_settings(Parser)  # reads no configuration files
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.halt_level = SILENT
    settings.report_level = SILENT
    settings.warning_stream = False
    settings.tab_width = TAB_WIDTH
    settings.sectsubtitle_xform = False
    settings.trim_footnote_reference_space = False
    tree = utils.new_document(path, settings)
    messages: list[nodes.system_message] = []
    inliner = Inliner(titles)

    def run(rst: str) -> None:
        machine = states.RSTStateMachine(state_classes=_state_classes(), initial_state="Body")
        lines = string2lines(rst, tab_width=TAB_WIDTH, convert_whitespace=True)
        machine.run(lines, tree, inliner=inliner)

    for rst in filter(None, map(sphinx_settings.get, ("rst_prolog", "rst_epilog"))):
        run(rst)
    definitions = nodes.comment("", "", *[
        node for node in tree.children
        if isinstance(node, nodes.substitution_definition | nodes.target)
    ])
    tree.clear()
    tree.reporter.attach_observer(messages.append)
    run(text)
    for name in ("version", "release"):
        if name in sphinx_settings and name not in tree.substitution_defs:
            value = nodes.substitution_definition("", sphinx_settings[name])
            tree.note_substitution_def(value, name)
    _omit_metadata(tree)
    tree.insert(0, definitions)
    tree.transformer.add_transforms(TRANSFORMS)
    tree.transformer.apply_transforms()
    tree.remove(definitions)
    for reference in tree.findall(role_reference):
        if reference["has_own_text"]:
            continue
        # it shows the title or caption of what has the label, or the title of the document
        kind, target = str(reference["kind"]).rpartition(" ")[2], str(reference["target"])
        key = tree.nameids.get(nodes.fully_normalize_name(target)) or ""
        place = (tree.ids.get(target) or tree.ids.get(key)) if kind == "label" else None
        title = "" if place else titles.get((kind, target), "")
        if place and (caption_type := CAPTIONS.get(type(place))):
            captions = (node for node in place.children if isinstance(node, caption_type))
            title = next((caption.astext() for caption in captions), "")
        if title:
            reference.children = [nodes.Text(title)]
            if reference["kind"] == "included document":
                reference["kind"] = "listed document"
    return tree, messages


def _omit_metadata(tree: nodes.document) -> None:
    """Omit fields at the start of `tree` that only tell Sphinx how to show it: ":orphan:"."""
    first = next((node for node in tree.children if not isinstance(node, nodes.comment)), None)
    if isinstance(first, nodes.field_list) and all(
        field.children[0].astext() in SPHINX_METADATA for field in first.children
    ):
        words = first.astext()
        first.replace_self([nodes.comment(words, words)])


def _state_classes() -> list[type[states.RSTState]]:
    """The states of docutils' parser with another way to find directives."""
    classes: list[type[states.RSTState]] = []

    class OwnState(states.RSTState):
        nested_sm_cache = []  # noqa: RUF012 - docutils would share its machines with others

        def __init__(self, state_machine: states.RSTStateMachine, debug: bool = False) -> None:
            super().__init__(state_machine, debug)
            self.nested_sm_kwargs = {"state_classes": classes, "initial_state": "Body"}

    class OwnBody(OwnState, states.Body):
        def explicit_construct(self, match: Match[str]) -> tuple[list[nodes.Node], bool]:
            if directive := DIRECTIVE.match(match.string):
                return self.directive(directive)
            line = self.state_machine.abs_line_number()
            construct: tuple[list[nodes.Node], bool] = states.Body.explicit_construct(self, match)
            one_colon = ONE_COLON.match(match.string)
            # "TODO:" in capitals is a remark for those who read the source
            if one_colon and not one_colon[1].isupper() and one_colon[1].casefold() in DIRECTIVES:
                self.reporter.warning(
                    f"this is a comment; a directive has two colons: '.. {one_colon[1]}::'",
                    line=line, words=one_colon[1],
                )
            return construct

        def isolate_grid_table(self) -> tuple[StringList, list[nodes.Node], int]:
            table: tuple[StringList, list[nodes.Node], int] = (
                states.Body.isolate_grid_table(self)
            )
            for index, offset in _misplaced_bars([*table[0]]):
                self.reporter.warning(
                    "this bar is one column beside the border of its column, "
                    "so that its cells are read as one",
                    line=table[0].offset(index) + 1, offset=offset,
                )
            return table

        def directive(
            self, match: Match[str], **option_presets: str
        ) -> tuple[list[nodes.Node], bool]:
            name = match.group(1)
            directive: type[Directive] = DIRECTIVES.get(name.casefold(), Unknown)
            result: tuple[list[nodes.Node], bool] = states.Body.run_directive(
                self, directive, match, name, option_presets
            )
            return result

    for state in states.state_classes:
        base = OwnBody if issubclass(state, states.Body) else OwnState
        state_class = type(state.__name__, (base, state), {})
        assert issubclass(state_class, states.RSTState)
        classes.append(state_class)
    return classes


def _misplaced_bars(table: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The bars of a grid `table` one column beside a border: the indexes of line and character.

    Such a line has as many bars as the rule above it has borders, so that it has no wide cell.
    """
    borders: list[int] = []
    for index, line in enumerate(table):
        if GRID_RULE.fullmatch(line):
            borders = [match.start() for match in re.finditer(r"\+", line)]
            continue
        bars = [match.start() for match in re.finditer(r"\|", line)]
        if len(bars) == len(borders):
            for bar, border in zip(bars, borders, strict=True):
                if abs(bar - border) == 1 and line[border] != "+":
                    yield index, bar


# --- messages -------------------------------------------------------------------------


LEVELS: dict[int, Level] = {1: "note", 2: "warning", 3: "error", 4: "error"}

# what Sphinx defines for all texts
SPHINX_SUBSTITUTION = re.compile(r'Undefined substitution referenced: "(?:version|release|today)"')
QUOTED = re.compile(r'"([^"]+)"')  # what a message is about: 'unknown target name: "part"'


def findings(messages: Iterable[nodes.system_message], source: Source) -> list[Diagnostic]:
    """`messages` of docutils as diagnostics, each once, sorted by place.

    Its remarks (level 1) are left out.
    """
    diagnostics: list[Diagnostic] = []
    seen: set[tuple[int, str]] = set()
    for message in messages:
        level = int(message["level"])
        rule = str(message.get("rule", "rst-syntax" if level > 1 else ""))
        text = " ".join(message.children[0].astext().split()).rstrip(".")
        line = min(max(int(message.get("line") or 1), 1), max(len(source.lines), 1))
        if not rule or (line, text) in seen or SPHINX_SUBSTITUTION.match(text):
            continue
        seen.add((line, text))
        sentence = text[:1].lower() + text[1:]
        words = str(message.get("words", "")) or next(iter(QUOTED.findall(text)), "")
        row, column = place_of(words, line, source)
        column += int(message.get("offset", 0))
        if words:  # docutils writes names in lower case
            start = column - source.lines[row - 1].column
            written = source.lines[row - 1].text[start : start + len(words)]
            if written.casefold() == words.casefold():
                sentence = sentence.replace(f'"{words}"', f'"{written}"')
        diagnostics.append(
            Diagnostic(source.path, row, column, LEVELS.get(level, "error"), rule, sentence)
        )
    return sorted(diagnostics)


def place_of(words: str, line: int, source: Source, count_before: int = 0) -> tuple[int, int]:
    """The place of `words` in the block of `source` that starts on `line`, else its start.

    Of words over several lines, the first line is looked for.  The same words are `count_before`
    times before it in the block.  A reference to a footnote or citation, "[7]_", is preferred to
    the same words elsewhere, and so are whole words.  docutils gives names in lower case.
    """
    rows = source.lines[line - 1 :]
    block = tuple(takewhile(lambda row: row.text, rows)) if words else ()
    name = re.escape(words.partition("\n")[0])
    for pattern in (rf"(?<=\[){name}(?=\]_)", rf"(?<=\[#){name}(?=\]_)",
                    rf"(?<!\w){name}(?!\w)", name):
        places = [
            (row.number, row.column + match.start())
            for row in block for match in re.finditer(pattern, row.text, re.IGNORECASE)
        ]
        if places:
            return places[min(count_before, len(places) - 1)]
    return line, rows[0].column if rows else 1
