"""The manual as a tree: readers build it, writers read it.

Every node is a frozen value with the lines of the source that it is on.  The unions `Inline` and
`Flow` list what may appear in a line of prose and in a body; a `match` over one of them ends in
`assert_never`, so that mypy names every place that has to handle a new node.  Nothing in the tree
depends on an input format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal, TypeAlias, get_args

from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Dropped, Source
from dconv.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `first` to `last` of the source, both included, counted from 1."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Extent:
    """A part of one line of the source: `length` characters from `column` (from 1)."""

    line: int
    column: int
    length: int


# --- inline: what is in a line of prose -------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Plain characters, white space folded."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Characters to type, between back quotes in the source; the quotes are not part."""

    text: str


@dataclass(frozen=True, slots=True)
class Target:
    """A place that a reference means: an anchor of a document of the same release."""

    document: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Argument:
    """A placeholder such as `<timeout>`; `text` includes the angle brackets.

    `target` is where the current entry defines it; linking fills it.
    """

    text: str
    target: Target | None = None


ReferenceKind = Literal[
    "name", "listed", "section", "document", "marked", "page", "literal", "link", "label",
    "option",
]


@dataclass(frozen=True, slots=True)
class Reference:
    """A name or number in prose that means a place.

    `text` is what the source shows (without quotes), `name` what to look up, as `kind` says:

    name        a quoted name
    listed      a name in a list without quotes
    section     the number of a section
    document    the file of a document
    marked      a name with a mark in front that is without quotes ("-v", "%ci")
    page        a manual page ("crypt(3)")
    literal     a name that the text sets as literal, of the same document
    link        a place that the text links to: "file#anchor", "#anchor" or "file"
    label       a place that a document of the release gives a label
    option      an option of a command that a document of the release describes

    `line` and `column` are those of its first character.  Linking fills `targets` and, if there
    are several, `target_labels`, what pages show of each: its kind and section, or the document
    of the place of a label.  `image` is shown instead of `text`, which is its text.
    """

    text: str
    name: str
    line: int = 0
    column: int = 0
    targets: tuple[Target, ...] = ()
    kind: ReferenceKind = "name"
    target_labels: tuple[tuple[str, str], ...] = ()
    image: Image | None = None


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """An address of the web; `text` is what the source shows at `line` and `column`.

    `image` is as that of a `Reference`.
    """

    text: str
    url: str
    line: int = 0
    column: int = 0
    image: Image | None = None


@dataclass(frozen=True, slots=True)
class _WithContent:
    """An inline node that contains others."""

    content: tuple[Inline, ...]

    @property
    def text(self) -> str:
        """The characters of the content."""
        return plain_text(self.content)


@dataclass(frozen=True, slots=True)
class Strong(_WithContent):
    """Words that the source sets in bold."""


@dataclass(frozen=True, slots=True)
class Emphasis(_WithContent):
    """Words that the source sets in italics, or underlines."""


@dataclass(frozen=True, slots=True)
class Deleted(_WithContent):
    """Words that the source strikes through: they no longer hold."""


@dataclass(frozen=True, slots=True)
class LineBreak:
    """The end of a line that the source asks for."""

    @property
    def text(self) -> str:
        """White space, as between words of two lines."""
        return "\n"


@dataclass(frozen=True, slots=True)
class Image:
    """An image: `file` as the source names it, and the `text` in place of it ("alt" in HTML).

    `anchor` is empty if nothing refers to it.
    """

    file: str
    text: str
    anchor: str = ""


Inline: TypeAlias = (
    Text | Code | Argument | Reference | Hyperlink | Strong | Emphasis | Deleted | LineBreak | Image
)
WITH_CONTENT = (Strong, Emphasis, Deleted)  # those that contain others
WITH_IMAGE = (Reference, Hyperlink)  # those that may show one instead of their text
WITH_IMAGES = frozenset((Image, *WITH_IMAGE, *WITH_CONTENT))


# --- flow: what is in a body ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Prose, re-flowed."""

    content: tuple[Inline, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class StyledCode:
    """A part of an example in one style, a short word for themes ("dir", "str") or empty."""

    text: str
    style: str
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Lines with their line breaks and blanks, but without the indentation that they share.

    `language` is `haproxy` for configuration, `console` for a session with
    prompts, another language's name, or empty for drawings and unknown text.
    `styled_code` are the same lines, joined, as highlighted; linking fills it.
    """

    lines: tuple[str, ...]
    language: str
    span: Span
    styled_code: tuple[StyledCode, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """An example with its label ("Example", "Examples"), a caption and the code."""

    label: str
    caption: tuple[Inline, ...]
    body: tuple[Flow, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list; `marker` is the bullet or number as written ("-", "2.")."""

    marker: str
    body: tuple[Flow, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class List:
    """A list with bullets or numbers."""

    ordered: bool
    items: tuple[Item, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Term:
    """A defined term on one line: an argument, a value, an option, a flag.

    `name` is the term without its arguments; `kind` is empty for arguments and
    values, else one of the item kinds of `manual.toml` ("log-format alias"), or that of an
    entry inside another one ("option").  `names` are all its names if it has several.
    """

    content: tuple[Inline, ...]
    name: str
    kind: str
    anchor: str
    line: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    """Terms that share a description.

    `marker` is the bullet or number in front, or empty; `separator` the colon or arrow between
    term and text, or empty if white space separates them.
    """

    marker: str
    terms: tuple[Term, ...]
    separator: str
    body: tuple[Flow, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Definitions:
    """A list of definitions."""

    items: tuple[Definition, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; `columns` is how many columns it covers.

    `extents` are the parts of lines whose words the cell holds, in order; an empty cell
    has one of length 0.
    """

    content: tuple[Inline, ...]
    columns: int = 1
    extents: tuple[Extent, ...] = field(default=(), compare=False)

    @property
    def text(self) -> str:
        """Its words, on one line."""
        return " ".join(plain_text(self.content).split())


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a table, on one or more source lines.

    `name`, `kind` and `anchor` are filled where the row defines an item ("log-format alias") or is
    an entry of a table ("option"), else empty; only such an entry has `names`.
    """

    cells: tuple[Cell, ...]
    span: Span
    name: str = ""
    kind: str = ""
    anchor: str = ""
    names: tuple[str, ...] = ()

    @property
    def line(self) -> int:
        """The line that it begins on."""
        return self.span.first


TableLayout = Literal["grid", "pipes", "ruled", "columns"]
TableRole = Literal["data", "matrix", "summary"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its rows as data and its lines as they are.

    `layout` is how it is drawn; `role` is "matrix" for the rows of keywords against sections or
    rule sets, "summary" for the list of samples or converters with their types, else "data".
    `columns` is the number of columns.  `lines` is the source text without the indentation that it
    shares.  `decoration` holds the numbers of those lines of the source that draw the table and
    hold no data (rules, repeated heads).
    """

    layout: TableLayout
    head: tuple[Row, ...]
    rows: tuple[Row, ...]
    columns: int
    lines: tuple[str, ...]
    decoration: tuple[int, ...]
    span: Span
    role: TableRole = "data"

    @property
    def kind(self) -> str:
        """What pages and dumps call it: its role, or the layout of one with data."""
        return self.layout if self.role == "data" else self.role


LabelKind = Literal["note", "warning", "arguments", "label"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A body under a label: "Arguments :", "Note:", "Return value:".

    `label` is the text without its colon; `kind` is its meaning.
    """

    label: str
    kind: LabelKind
    body: tuple[Flow, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SeeAlso:
    """The references at the end of an entry; `label` as written, without its colon."""

    label: str
    content: tuple[Inline, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """A body that the source indents or marks as a quotation."""

    body: tuple[Flow, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Footnote:
    """A note that a mark in the text refers to; `label` is its mark ("1", "*")."""

    label: str
    anchor: str
    body: tuple[Flow, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Heading:
    """A small title without a number inside a body."""

    content: tuple[Inline, ...]
    anchor: str
    span: Span


Flow: TypeAlias = (
    Paragraph | Preformatted | Example | List | Definitions | Table | Labelled | SeeAlso | Heading
    | BlockQuote | Footnote
)


# --- entries and sections -------------------------------------------------------------

TITLE_GAP = " … "  # in titles of entries, where their signatures have arguments

UsageKind = Literal["sections", "contexts", "rule sets", "default-server"]
USAGE_KINDS: tuple[UsageKind, ...] = get_args(UsageKind)


@dataclass(frozen=True, slots=True)
class Usage:
    """Where an entry may be used, as data.

    `values` are pairs of name and state in the source's order: sections with `yes`, `no` or
    `yes(!)`, rule sets with `X` or `-`, contexts with `yes`, `default-server` with the word as
    written.  The name of a rule set includes its group: `TCP RqCon`, `HTTP Req`.  `extents` has for
    each value the parts of lines that say it.
    """

    kind: UsageKind
    values: tuple[tuple[str, str], ...]
    span: Span
    extents: tuple[tuple[Extent, ...], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature of an entry, continuation lines joined.

    `text` is the whole signature with its flags, each run of white space one space; `name` is the
    name without arguments (without `no` for a negated form); `type` is what a sample returns
    ("integer"), or empty.  `names` are all its names if it has several ("--grow", "-G"), or if it
    heads its entry.  `title` is what readers call it if other entries have its kind and name
    ("set server … state"), else empty.  `extents` says where its words are if its lines have them
    in another order, as cells of several lines do.
    """

    text: str
    span: Span
    name: str = ""
    type: str = ""
    negated: bool = False
    deprecated: bool = False
    experimental: bool = False
    anchor: str = ""
    names: tuple[str, ...] = ()
    title: str = ""
    extents: tuple[Extent, ...] = ()


@dataclass(frozen=True, slots=True)
class TableValues:
    """What a table of all names says about an entry, if the entry itself does not.

    `name` is a kind of usage, with `values` like those of a `Usage`, or the title of a column
    ("output type") with one value and no state; `source` is the section of the table.
    """

    name: str
    values: tuple[tuple[str, str], ...]
    source: Target


@dataclass(frozen=True, slots=True)
class Backlink:
    """A place that mentions an entry, or uses it in an example.

    `source` is the entry or, for prose outside of entries, the section; `name` its name or title;
    `section` the section's number, with the document's name in front where that is another one.
    """

    source: Target
    section: str
    name: str
    in_example: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One documented thing (keyword, action, option, fetch, command) and its text.

    `(kind, name)` is its identity across releases.  `summary` is the first sentence of the body as
    plain text.  `deprecated` and `experimental` are true if every signature says so.
    `from_tables` and `backlinks` are filled once all is linked.
    """

    kind: str
    name: str
    signatures: tuple[Signature, ...]
    usages: tuple[Usage, ...]
    summary: str
    deprecated: bool
    experimental: bool
    body: tuple[Flow, ...]
    anchor: str
    span: Span
    from_tables: tuple[TableValues, ...] = ()
    backlinks: tuple[Backlink, ...] = ()

    @property
    def title(self) -> str:
        """What headings and lists call it: its name, with more words if others have it too."""
        return next((signature.title for signature in self.signatures), "") or self.name

    @property
    def signature_names(self) -> tuple[str, ...]:
        """The name of each signature."""
        return tuple([signature.name for signature in self.signatures])

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, each once, in the order of the signatures."""
        return tuple(dict.fromkeys(
            name for signature in self.signatures for name in signature.names or (signature.name,)
        ))


Block: TypeAlias = Flow | Entry


@dataclass(frozen=True, slots=True)
class Section:
    """A titled section with its text, its entries and its sub-sections.

    `number` is as written without the final dot, or empty for a title without one; `level` counts
    from 1; `title_span` covers the title and its underline; `span` reaches to the last line before
    the next section, sub-sections included.
    """

    number: str
    title: str
    anchor: str
    level: int
    body: tuple[Block, ...]
    sections: tuple[Section, ...]
    title_span: Span
    span: Span

    @property
    def entries(self) -> list[Entry]:
        """Its own entries, without those of sub-sections."""
        return [block for block in self.body if isinstance(block, Entry)]

    @property
    def prose(self) -> tuple[Block, ...]:
        """The blocks of its body that are not entries."""
        return tuple([block for block in self.body if not isinstance(block, Entry)])


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """One line of a header: its text without rules and labels."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Header:
    """The block at the head of a document; `span` is None if there is none.

    `description` is a phrase about the document, for lists; `rows` are its lines that say
    something.
    """

    title: str = ""
    subtitle: str = ""
    version: str = ""
    date: str = ""
    author: str = ""
    span: Span | None = None
    rows: tuple[HeaderRow, ...] = ()
    description: str = ""

    def titles_and_fields(self) -> tuple[list[HeaderRow], list[HeaderRow]]:
        """The rows that say title and subtitle, and all others."""
        words = f"{self.title} {self.subtitle}".split()
        titles: list[HeaderRow] = []
        fields: list[HeaderRow] = []
        for row in self.rows:
            row_words = row.text.split()
            if words[: len(row_words)] == row_words:
                titles.append(row)
                del words[: len(row_words)]
            else:
                fields.append(row)
        return titles, fields


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """One line of the source's own table of contents."""

    number: str
    title: str
    line: int


@dataclass(frozen=True, slots=True)
class ExpectedWords:
    """The words that the tree of a text with markup must have, as another program finds them.

    `words` are in the order of the text; `dropped` counts those that are left out since they are
    no text, by kind ("list numbers").
    """

    words: tuple[str, ...]
    dropped: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Manual:
    """One document, read.

    `name` is the document's ("configuration"); `preface` is what is before the first section;
    `contents` has the source's table of contents; `footer` the editor's settings at the
    end, which are not text; `dropped` lists the characters of the source that are left out.
    `aliases` are further anchors, each with the anchor of its place, empty for the text as a
    whole; `other_names` are further names of the document ("fsck.ext4.8" of "e2fsck.8").
    `expected_words` are None for plain text.
    """

    name: str
    source: Source
    header: Header
    preface: tuple[Block, ...]
    contents: tuple[ContentsLine, ...]
    contents_span: Span | None
    sections: tuple[Section, ...]
    footer: Span | None
    diagnostics: tuple[Diagnostic, ...]
    dropped: tuple[Dropped, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    expected_words: ExpectedWords | None = None
    other_names: tuple[str, ...] = ()

    @property
    def is_plain_text(self) -> bool:
        """Whether the source is the text itself; else it is extracted from a text with markup.

        `readers/extracted_text.py` says how.
        """
        return self.expected_words is None


# --- numbers of lists -----------------------------------------------------------------

# "12.", "3)", "(4)"; "b)", "C.": numbers that browsers count themselves
DIGITS = re.compile(r"\(?(\d{1,9})[.)]?$")
LETTER = re.compile(r"\(?([a-zA-Z])[.)]?$")


def listed_numbers(node: List) -> list[str]:
    """The number of each item of `node` as browsers count: "3." and "c)" are 3.

    Bullets have an empty string; markers of other forms stay as they are.
    """
    markers = [item.marker for item in node.items]
    if not node.ordered:
        return [""] * len(markers)
    digits = [match[1] for marker in markers if (match := DIGITS.match(marker))]
    if len(digits) == len(markers):
        return digits
    letters = [match[1] for marker in markers if (match := LETTER.match(marker))]
    if len(letters) == len(markers) and len({letter.islower() for letter in letters}) == 1:
        return [str(ord(letter.casefold()) - ord("a") + 1) for letter in letters]
    return markers


# --- parts of a section ---------------------------------------------------------------


def text_span(section: Section) -> Span:
    """The lines of `section`'s own text, its title included, sub-sections not."""
    last = section.sections[0].title_span.first - 1 if section.sections else section.span.last
    return Span(section.title_span.first, last)


# --- walking --------------------------------------------------------------------------


def walk_inlines(content: tuple[Inline, ...]) -> Iterator[Inline]:
    """Every inline node of `content`, each before what it contains."""
    for node in content:
        yield node
        if isinstance(node, WITH_CONTENT):
            yield from walk_inlines(node.content)
        elif isinstance(node, WITH_IMAGE) and node.image:
            yield node.image


def sections(manual: Manual) -> Iterator[Section]:
    """Every section of the manual, parents before children, in source order."""
    return (section for section, _ in sections_with_depth(manual))


def sections_with_depth(manual: Manual) -> Iterator[tuple[Section, int]]:
    """Every section of the manual with its depth from 0, parents before children."""
    stack = [(section, 0) for section in reversed(manual.sections)]
    while stack:
        section, depth = stack.pop()
        yield section, depth
        stack += [(child, depth + 1) for child in reversed(section.sections)]


def entries(manual: Manual) -> Iterator[tuple[Section, Entry]]:
    """Every entry with the section that it is in, in source order."""
    for section in sections(manual):
        for entry in section.entries:
            yield section, entry


def with_bodies(manual: Manual, body_of: Callable[[Section], tuple[Block, ...]]) -> Manual:
    """`manual` with the result of `body_of` for each section as its body.

    Sections are rebuilt from the last to the first, without recursion.
    """
    rebuilt: list[Section] = []  # without those that are below another one
    for section in reversed(list(sections(manual))):
        below = tuple([rebuilt.pop() for _ in section.sections])
        rebuilt.append(replace(section, body=body_of(section), sections=below))
    return replace(manual, sections=tuple(reversed(rebuilt)))


def walk(blocks: tuple[Block, ...]) -> Iterator[Block | Item | Definition]:
    """Every block below `blocks`, each before what it contains, in source order."""
    stack: list[Block | Item | Definition] = list(reversed(blocks))
    while stack:
        node = stack.pop()
        yield node
        match node:
            case Paragraph() | Preformatted():  # most nodes
                pass
            case (
                Entry() | Example() | Item() | Definition() | Labelled() | BlockQuote()
                | Footnote()
            ):
                stack += node.body[::-1]
            case List() | Definitions():
                stack += node.items[::-1]
            case _:
                pass


def anchors_of(blocks: tuple[Block, ...]) -> Iterator[str]:
    """The anchors of what is below `blocks`, in source order."""
    for node in walk(blocks):
        match node:
            case Paragraph():  # most nodes
                parts: Sequence[Signature | Term | Row | Heading | Footnote | Image]
                parts = _images(node.content)
            case Definition():
                parts = node.terms
            case Entry():
                yield node.anchor
                parts = node.signatures
            case Heading() | Footnote():
                parts = (node,)
            case Table():
                cells = (cell for row in (*node.head, *node.rows) for cell in row.cells)
                parts = [*node.rows, *(part for cell in cells for part in _images(cell.content))]
            case _:
                continue
        for part in parts:
            if part.anchor:
                yield part.anchor


def _images(content: tuple[Inline, ...]) -> Sequence[Image]:
    if WITH_IMAGES.isdisjoint(map(type, content)):
        return ()
    return [node for node in walk_inlines(content) if isinstance(node, Image)]


def anchors(manual: Manual) -> Iterator[str]:
    """Every anchor of the manual, in source order."""
    yield from anchors_of(manual.preface)
    for section in sections(manual):
        yield section.anchor
        yield from anchors_of(section.body)


def defined_items(blocks: tuple[Block, ...]) -> Iterator[Term | Row]:
    """The terms and the rows of tables below `blocks` that define something of its own kind."""
    for node in walk(blocks):
        if isinstance(node, Definition):
            yield from (term for term in node.terms if term.kind)
        elif isinstance(node, Table):
            yield from (row for row in node.rows if row.kind)


def allows(state: str) -> bool:
    """Whether the state of a usage, or the cell of a matrix, allows an entry in a place."""
    return state.casefold().startswith(("yes", "x"))


def rule_words(entry: Entry, rule_sets: Mapping[str, str]) -> Iterator[str]:
    """The words that users write in front of `entry`, an action, one for each of its rule sets.

    A rule set is a list of rules in a configuration ("http-request deny ...").  `rule_sets`, of the
    dialect, maps its column in a usage table ("HTTP Req") to the words of its rules
    (`http-request`).
    """
    for usage in entry.usages:
        if usage.kind == "rule sets":
            for column, state in usage.values:
                if state != "-" and rule_sets.get(column):
                    yield rule_sets[column]


def plain_text(content: tuple[Inline, ...]) -> str:
    """The characters of `content`, as the source shows them."""
    return content[0].text if len(content) == 1 else "".join([node.text for node in content])
