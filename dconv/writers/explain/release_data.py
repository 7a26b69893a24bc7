"""The names of a release as data, to explain configurations and log lines that readers paste.

It needs the `Syntax` of a dialect, which says what kind of name stands where in a configuration.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from dconv.linking.entry_metadata import (
    advice,
    defaults,
    experimental_sentence,
    is_deprecated,
    usages_by_kind,
)
from dconv.linking.keyword_tables import NAMED_ONLY
from dconv.linking.passages import passage_texts, sentences
from dconv.model import tree
from dconv.model.anchors import qualified_anchor, slug
from dconv.model.dialect import Dialect
from dconv.model.summary import shortened
from dconv.model.values import dataclass
from dconv.writers.html.escape import one_line
from dconv.writers.pages.names import DefinedName
from dconv.writers.pages.page import Release, ReleaseDocument
from dconv.writers.pages.versions import ProductVersions
from dconv.writers.search.removed_names import removed_names
from dconv.writers.site_files import Json, SectionFiles, SiteFile, json_script

DATA_FILE, STEPS_FILE = "explain-data.js", "steps.js"  # of a release, and what it changed
ADD_FUNCTION = "dconvExplain.add"  # what both files call
MAX_SUMMARY_LENGTH = 120  # characters
MAX_ADVICE_LENGTH = 200
MAX_VALUES = 60  # of one argument
DEPRECATED, EXPERIMENTAL = 1, 2
# a literal value: "roundrobin", "local0", "TLSv1.2"
LITERAL = re.compile(r"[A-Za-z][\w.+-]*")
PLACEHOLDER = re.compile(r"<[^<>]*>")
# a value with arguments of its own: "string [len <len>]"; an argument after its word: "type <type>"
VALUE_WITH_ARGUMENTS = re.compile(r"[A-Za-z][\w.+-]*(?: (?:\[ ?[\w-]+ <[^<>]*> ?\]|<[^<>]*>))+")
ARGUMENT_TERM = re.compile(r"(?:[\w-]+ )?(<[^<>]*>)")
# the range of a number: "The accepted range is 1..32767", "and the maximal value is 256."
RANGE = re.compile(
    r"\baccepted range is (-?\d+)\.\.(-?\d+)|\bmaxim(?:al|um) value is (\d+)(?=[.,](?: |$))"
)
ONE_ARGUMENT = re.compile(r"\S+ <[^<>]*>")
# an item that begins with a value: '"user" is the least privileged level'
QUOTED_VALUE = re.compile(r'"([A-Za-z][\w.+-]*)" ')
# 'if "-m" is used ... the matching method must be one of the following :'
LIST_OF_VALUES = re.compile(r"\bone of the following ?:$")
QUOTED_WORD = re.compile(r'"([^\s"]+)"')
# further arguments that a signature does not name: "[args...]", "[options...]"
OPEN_ARGUMENTS = re.compile(r"\[[\w-]+\.\.\.\]")
# the sentence "This setting is only available when support for OpenSSL was built in."
AVAILABILITY = re.compile(r"This [a-z]+ is only available (?:if|on|when) ")
# the term 'rhttp@' [ EXPERIMENTAL ]
EXPERIMENTAL_TERM = re.compile(r"'([^'\s]+)'\s*\[\s*experimental\s*\]", re.IGNORECASE)


def release_data_file(
    release: Release, section_files: SectionFiles, versions: ProductVersions | None
) -> Iterator[SiteFile]:
    """The file of the data of `release`, if it has any; `versions` know older releases, if any."""
    if data := release_data(release, section_files, versions):
        content = json_script(ADD_FUNCTION, release.folder, "release", data)
        yield f"{release.folder}/{DATA_FILE}", content


def release_data(
    release: Release, section_files: SectionFiles, versions: ProductVersions | None = None
) -> Mapping[str, Json]:
    """The content of `explain-data.js` for `release`; empty if its dialect has no syntax."""
    dialect = release.dialect
    if not dialect.syntax.sections:
        return {}
    kinds = _kinds(dialect)
    table = _NameTable(kinds)
    for document in release.documents:
        table.add(document, section_files[document.manual.name])
    table.complete_signatures()
    removed = removed_names(versions, release.version, table.names) if versions else []
    explanation = dialect.explanation  # its fields are those of the settings [explain]

    def kinds_present(word_kinds: Iterable[str]) -> list[str]:
        return [kind for kind in word_kinds if kind in table.kinds]

    section_kinds = {  # by the word that opens a section: "frontend"
        word: kinds_present([*word_kinds, *explanation.sections.get(word, ())])
        for word, word_kinds in dialect.syntax.sections.items()
    }
    section_kinds = {word: word_kinds for word, word_kinds in section_kinds.items() if word_kinds}
    return {
        "version": release.version, "product": release.product_title,
        "kinds": table.kinds, "pages": table.pages, "uses": table.uses, "names": table.names,
        "columns": {**table.columns, **table.texts},
        "sparse": {
            column: {str(row): value for row, value in values.items()}
            for column, values in table.sparse.items()
        },
        "sections": section_kinds,
        "homes": {**table.homes, **{
            word: table.home_of_section(word, word_kinds)
            for word, word_kinds in section_kinds.items()
        }},
        "lines": [
            [" ".join(line.words), line.after, line.kind]
            for line in (*dialect.syntax.lines, *explanation.lines)
        ],
        "roles": {
            role: kinds_present(role_kinds) for role, role_kinds in (
                *dialect.syntax.roles.items(), *explanation.roles.items(),
            )
        },
        "listKinds": dict(explanation.list_kinds),
        "ruleSets": dict(dialect.rule_sets),
        "optionalPrefixes": [*dialect.optional_prefixes],
        "directivePrefixes": [*explanation.directive_prefixes],
        "conditionWords": [*explanation.condition_words],
        "logFormats": [[item.name, item.text, item.variable] for item in explanation.log_formats],
        "optionalFields": dict(explanation.optional_fields),
        "fieldPatterns": dict(explanation.field_patterns),
        "timerFields": [*explanation.timer_fields], "stateFields": [*explanation.state_fields],
        "statePlaces": [*explanation.state_places], "stateKind": explanation.state_kind,
        "columnKind": explanation.column_kind,
        "removed": [
            [item.name, item.kind, item.version, item.address]
            for item in removed if item.kind in kinds
        ],
    }


def _kinds(dialect: Dialect) -> frozenset[str]:
    """The kinds of names that may be in a configuration, a log line or a table."""
    syntax, explanation = dialect.syntax, dialect.explanation
    tables = (syntax.sections, explanation.sections, syntax.roles, explanation.roles)
    kinds = {kind for table in tables for word_kinds in table.values() for kind in word_kinds}
    kinds |= {line.kind for line in (*syntax.lines, *explanation.lines)}
    kinds |= {*explanation.list_kinds.values(), explanation.state_kind, explanation.column_kind}
    return frozenset(kinds - {""})


@dataclass(frozen=True, slots=True)
class _NameData:
    """What is said of one name.

    `uses` are the sections, rule sets or contexts that it may be used in, with "!" where these need
    a name; `flags` are the bits `DEPRECATED` and `EXPERIMENTAL`; `advice` says what to use instead,
    or what is experimental.  `values` are those of each argument; `forms` says what may stand for
    an argument whose values have arguments of their own: "{string [len <len>]|<type>}".  `bounds`
    are the least and the greatest number, or empty; `experimental_values` are words, with the
    sentence about each.
    """

    signatures: tuple[str, ...]
    summary: str
    uses: tuple[str, ...] = ()
    flags: int = 0
    default: str = ""
    advice: str = ""
    values: Mapping[str, Sequence[str]] | None = None
    forms: Mapping[str, str] | None = None
    bounds: tuple[str, str] | None = None
    references: tuple[str, ...] = ()
    experimental_values: Mapping[str, str] | None = None


class _NameTable:
    """The data of all names as columns, with one row for each of `names`.

    `columns` has indexes of `kinds`, `pages` and `uses`, and flags; `texts` has the anchor (0 is
    the name's, 1 that of kind and name), the signatures ("~" for the name) and the summary.
    `sparse` has what few names have, by the numbers of their rows.
    `homes` are the addresses of the manual's sections that define a kind.
    """

    def __init__(self, kinds: frozenset[str]) -> None:
        self._included_kinds = kinds
        self.kinds: list[str] = []
        self.pages: list[str] = []
        self.uses: list[list[str]] = []
        self.names: list[str] = []
        self.homes: dict[str, str] = {}
        self._first_names: dict[str, tuple[ReleaseDocument, Sequence[str], int]] = {}
        self.columns: dict[str, list[int]] = {
            key: [] for key in ("kind", "page", "uses", "flags")
        }
        self.texts: dict[str, list[Json]] = {
            key: [] for key in ("anchor", "signatures", "summary")
        }
        self.sparse: dict[str, dict[int, Json]] = {key: {} for key in (
            "default", "advice", "values", "forms", "bounds", "references", "experimental",
        )}

    def add(self, document: ReleaseDocument, files: Sequence[str]) -> None:
        """Add the names of `document`, whose sections are in `files`."""
        folder = document.manual.name
        items = dict(_items(document))
        for name in document.names:
            if name.kind not in self._included_kinds:
                continue
            page = f"{folder}/{files[name.section_index]}"
            name_data = _entry_data(name, name.entry) if name.entry else items.get(
                (name.kind, name.anchor), _NameData((name.display_name,), name.summary)
            )
            self._add(name, page, name_data)
            self.homes.setdefault(name.kind, page)
            self._first_names.setdefault(name.kind, (document, files, name.section_index))
            for other in name.other_names:
                self._add(name, page, name_data, other)

    def complete_signatures(self) -> None:
        """Give names with open arguments ("[args...]") whole signatures, and their values.

        Those are in the section about the name, whose kind says so: the whole signature of
        "stick-table ... [args...]" is the one of the kind "stick-table keyword".
        """
        rows = {
            (self.kinds[kind], name): index
            for index, (kind, name) in enumerate(zip(self.columns["kind"], self.names, strict=True))
        }
        signatures = self.texts["signatures"]
        for index, name in enumerate(self.names):
            if OPEN_ARGUMENTS.search(str(signatures[index])):
                signatures[index] = signatures[rows.get((f"{name} keyword", name), index)]
                keyword_rows = [row for (kind, _), row in rows.items() if kind == f"{name} keyword"]
                for sparse in (self.sparse["values"], self.sparse["forms"]):
                    if values := [sparse[row] for row in keyword_rows if row in sparse]:
                        sparse.setdefault(index, values[0])

    def home_of_section(self, word: str, kinds: Iterable[str]) -> str:
        """The address of what the manual says of the sections that `word` opens.

        It is the outermost of the manual's sections that name the word, around the first name of
        `kinds`.
        """
        document, files, index = next(
            self._first_names[kind] for kind in kinds if kind in self._first_names
        )
        enclosing: list[tuple[int, tree.Section]] = []  # from the outermost to that with the name
        for position, (section, depth) in enumerate(tree.sections_with_depth(document.manual)):
            if position > index:
                break
            enclosing[depth:] = [(position, section)]
        pattern = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        home = next((
            position for position, section in enclosing
            if pattern.search(section.title)
            or any(map(pattern.search, passage_texts(section.body)))
        ), index)
        return f"{document.manual.name}/{files[home]}"

    def _add(
        self, name: DefinedName, page: str, name_data: _NameData, other_name: str = ""
    ) -> None:
        row_name = other_name or name.name
        index = len(self.names)
        self.names.append(row_name)
        self.columns["kind"].append(_index(self.kinds, name.kind))
        self.columns["page"].append(_index(self.pages, page))
        self.columns["uses"].append(_index(self.uses, [*name_data.uses]))
        self.columns["flags"].append(name_data.flags)
        slugs = (slug(row_name), qualified_anchor(name.kind, row_name))
        self.texts["anchor"].append(
            slugs.index(name.anchor) if name.anchor in slugs else name.anchor
        )
        self.texts["signatures"].append([
            f"~{text.removeprefix(row_name)}" if text.startswith(row_name) else text
            for text in name_data.signatures
        ])
        self.texts["summary"].append(shortened(name_data.summary, MAX_SUMMARY_LENGTH))
        for key, value in (
            ("default", name_data.default),
            ("advice", shortened(name_data.advice, MAX_ADVICE_LENGTH)),
            ("values", name_data.values or ""), ("forms", name_data.forms or ""),
            ("bounds", name_data.bounds or ""), ("references", [*name_data.references]),
            ("experimental", name_data.experimental_values or ""),
        ):
            if value:
                self.sparse[key][index] = value


def _index(values: list, value: object) -> int:  # type: ignore[type-arg]
    """The place of `value` in `values`, where it is added if it is new."""
    if value not in values:
        values.append(value)
    return values.index(value)


# --- entries --------------------------------------------------------------------------


def _entry_data(name: DefinedName, entry: tree.Entry) -> _NameData:
    signatures = tuple(dict.fromkeys(
        signature.text for signature in entry.signatures
        if name.name in (signature.name, *signature.names) and not signature.negated
    )) or (name.name,)
    experimental_text = experimental_sentence(entry)
    experimental = name.experimental or experimental_text
    deprecated = name.deprecated or is_deprecated(entry)
    stated_advice = advice(entry.body) if deprecated else ""
    return _NameData(
        signatures,
        _summary(name.summary, entry),
        tuple([
            f"{usage}!" if NAMED_ONLY in state else usage
            for _, values in usages_by_kind(entry) for usage, state in values if tree.allows(state)
        ]),
        (DEPRECATED if deprecated else 0) | (EXPERIMENTAL if experimental else 0),
        next((default.value for default in defaults(entry) if not default.subject), ""),
        stated_advice or experimental_text,
        {**_values(entry, name.name), **_values_of_name(entry, name.name)},
        _forms(entry),
        _bounds(entry, signatures),
        experimental_values=_experimental_values(entry),
    )


def _summary(first_sentence: str, entry: tree.Entry) -> str:
    """The `first_sentence` of `entry`; the next one if it only says where the name is available."""
    if not AVAILABILITY.match(first_sentence):
        return first_sentence
    prose = [node for node in entry.body if isinstance(node, tree.Paragraph)]
    others = (sentence for sentence in sentences(prose) if not AVAILABILITY.match(sentence))
    return next(others, first_sentence)


def _experimental_values(entry: tree.Entry) -> Mapping[str, str]:
    """The words that the text of `entry` marks as experimental, with the sentence that says so."""
    return {
        match[1]: shortened(next((
            text for text in sentences(node.body) if "experimental" in text.casefold()
        ), "This is experimental."), MAX_ADVICE_LENGTH)
        for node in tree.walk(entry.body) if isinstance(node, tree.Definition)
        for term in node.terms
        if (match := EXPERIMENTAL_TERM.match(tree.plain_text(term.content)))
    }


def _values(entry: tree.Entry, name: str) -> Mapping[str, Sequence[str]]:
    """The literal values that the text of `entry` lists, by the argument that takes them.

    A list that belongs to no argument is of the only one of the signature, or of ""; a list that
    has the last word of `name` is also of that word.
    """
    values_by_argument: dict[str, dict[str, None]] = {}
    for argument, values in _values_of_arguments(entry):
        values_by_argument.setdefault(argument, {}).update(dict.fromkeys(values))
    words = name.split()
    for node in tree.walk(entry.body):
        if isinstance(node, tree.Definitions) and len(words) > 1:
            terms = [tree.plain_text(item.terms[0].content) for item in node.items]
            first_words = [term.strip("'\" ").split(" ")[0] for term in terms]
            if words[-1] in first_words:
                literals = filter(LITERAL.fullmatch, first_words)
                values_by_argument[words[-1]] = dict.fromkeys(literals)
    return {
        argument: [*values] for argument, values in values_by_argument.items()
        if 1 < len(values) <= MAX_VALUES
    }


def _values_of_arguments(entry: tree.Entry) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield an argument and values that a list, a term or an example of `entry` gives it."""
    placeholders = {
        text for signature in entry.signatures for text in PLACEHOLDER.findall(signature.text)
    }
    only_placeholder = next(iter(placeholders)) if len(placeholders) == 1 else ""
    argument_by_node: dict[int, str] = {}
    for node in tree.walk(entry.body):
        if isinstance(node, tree.List):
            matches = [QUOTED_VALUE.match(_first_text(item)) for item in node.items]
            if all(matches):
                yield only_placeholder, [match[1] for match in matches if match]
        if not isinstance(node, tree.Definition):
            continue
        for term in node.terms:
            text = tree.plain_text(term.content).strip().strip("'\"")
            first_word = text.split(" ", 1)[0].strip("'\",")
            if not text.startswith("<") and LITERAL.fullmatch(first_word):
                yield argument_by_node.get(id(node), only_placeholder), [first_word]
            if argument := ARGUMENT_TERM.match(text):
                for below in tree.walk(node.body):
                    argument_by_node[id(below)] = argument[1]
                    if isinstance(below, tree.Preformatted):
                        words = " ".join(below.lines).split()
                        if all(map(LITERAL.fullmatch, words)):
                            yield argument[1], words


def _first_text(item: tree.Item) -> str:
    first = next(iter(item.body), None)
    return tree.plain_text(first.content) if isinstance(first, tree.Paragraph) else ""


def _forms(entry: tree.Entry) -> Mapping[str, str]:
    """What may stand for arguments of `entry` that have values with arguments of their own."""
    forms: dict[str, list[str]] = {}
    for node in tree.walk(entry.body):
        if isinstance(node, tree.Definition) and (
            argument := ARGUMENT_TERM.match(_term_text(node.terms[0]))
        ):
            texts = [
                _term_text(term) for below in tree.walk(node.body)
                if isinstance(below, tree.Definition) for term in below.terms
            ]
            if texts := [text for text in texts if VALUE_WITH_ARGUMENTS.fullmatch(text)]:
                forms[argument[1]] = [*texts, argument[1]]
    return {argument: f"{{{'|'.join(texts)}}}" for argument, texts in forms.items()}


def _term_text(term: tree.Term) -> str:
    return one_line(tree.plain_text(term.content))


def _bounds(entry: tree.Entry, signatures: Iterable[str]) -> tuple[str, str] | None:
    """The range of the only argument of `entry`, if its text says one; either end may be empty."""
    if not all(map(ONE_ARGUMENT.fullmatch, signatures)):
        return None
    match = RANGE.search(" ".join(
        tree.plain_text(node.content) for node in entry.body if isinstance(node, tree.Paragraph)
    ))
    return (match[1] or "", match[2] or match[3]) if match else None


def _values_of_name(entry: tree.Entry, name: str) -> Mapping[str, Sequence[str]]:
    """The words that `entry` lists for the placeholders of its own `name`.

    "map_<match>_<output>" is listed as "map_str_int" and "map_ip_key".
    """
    placeholders = PLACEHOLDER.findall(name)
    if not placeholders:
        return {}
    pattern = re.compile("([A-Za-z0-9]+)".join(re.escape(part) for part in PLACEHOLDER.split(name)))
    texts = [
        text for node in tree.walk(entry.body) if isinstance(node, tree.Table)
        for row in node.rows for cell in row.cells
        for text in tree.plain_text(cell.content).split()
    ]
    matches = [match.groups() for text in texts if (match := pattern.fullmatch(text))]
    return {
        placeholder: list(dict.fromkeys(values))
        for placeholder, *values in zip(placeholders, *matches, strict=True)
        if len(values) > 1
    }


# --- items ----------------------------------------------------------------------------


def _items(document: ReleaseDocument) -> Iterator[tuple[tuple[str, str], _NameData]]:
    """What the text says of items, by kind and anchor."""
    all_nodes = [
        node for section in tree.sections(document.manual) for node in tree.walk(section.body)
    ]
    sentences_by_term: dict[str, str] = {}  # of terms that are no names
    for node in all_nodes:
        if isinstance(node, tree.Definition):
            for term in node.terms:
                if not term.kind:
                    text = tree.plain_text(term.content).strip()
                    sentences_by_term.setdefault(text, _first_sentence(node))
    values = _values_of_items(document)
    for node in all_nodes:
        if isinstance(node, tree.Definition):
            for term in node.terms:
                if term.kind:
                    yield (term.kind, term.anchor), _NameData(
                        (_term_text(term),), _first_sentence(node), values=values.get(term.name),
                        references=_references(
                            below.content for below in tree.walk(node.body)
                            if isinstance(below, tree.Paragraph)
                        ),
                    )
        elif isinstance(node, tree.Table):
            for row in node.rows:
                if row.kind:
                    references = _references(cell.content for cell in row.cells)
                    yield (row.kind, row.anchor), _NameData(
                        (row.name,), _cells(row, sentences_by_term), references=references
                    )


def _values_of_items(document: ReleaseDocument) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The values of items: a paragraph names the item, the list below it has its values."""
    values_by_name: dict[str, Mapping[str, Sequence[str]]] = {}
    for section in tree.sections(document.manual):
        for before, node in pairwise(section.body):
            text = tree.plain_text(before.content) if isinstance(before, tree.Paragraph) else ""
            if isinstance(node, tree.Definitions) and LIST_OF_VALUES.search(text) and (
                match := QUOTED_WORD.search(text)
            ):
                terms = [tree.plain_text(item.terms[0].content).strip("\"'") for item in node.items]
                if all(map(LITERAL.fullmatch, terms)):
                    values_by_name[match[1]] = {"": terms}
    return values_by_name


def _first_sentence(definition: tree.Definition) -> str:
    return next(sentences(definition.body), "")


def _references(contents: Iterable[tuple[tree.Inline, ...]]) -> tuple[str, ...]:
    """The names that `contents` mention."""
    return tuple(dict.fromkeys(
        part.name for content in contents for part in tree.walk_inlines(content)
        if isinstance(part, tree.Reference) and part.kind == "name" and part.targets
    ))


def _cells(row: tree.Row, sentences_by_term: Mapping[str, str]) -> str:
    """What the cells of `row` say beside its name: "status_code · %[txn.status]".

    If a cell only repeats the name, the sentence about that term is in front.
    """
    texts = [one_line(tree.plain_text(cell.content)) for cell in row.cells]
    cell_texts = [text for text in texts if len(text) > 1 and text.lstrip("%") != row.name]
    joined_texts = " · ".join(cell_texts)
    sentence = sentences_by_term.get(row.name)
    if row.name in texts and sentence:
        room = MAX_SUMMARY_LENGTH - len(joined_texts) - len(" · ")
        return " · ".join([shortened(sentence, room), *cell_texts])
    return joined_texts
