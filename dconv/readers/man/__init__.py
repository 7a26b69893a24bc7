"""Manual pages in roff, man(7) and mdoc(7), as mandoc reads them.

mandoc runs twice: its HTML becomes the tree, and the words of its terminal output are those that
the tree must have (see `proof/expected_words.py`).  The entries of a page are its options, settings
and the like: literals that precede a description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from dconv.model import tree
from dconv.model.diagnostics import Diagnostic
from dconv.model.dialect import Dialect
from dconv.model.file_names import file_name, file_stem
from dconv.model.man_pages import PAGE_FILE
from dconv.model.source import control_picture
from dconv.readers.extracted_text import (
    NO_SPAN,
    ParsedDocument,
    build_manual,
    definition,
    entry,
    folded_text,
    merge_definitions,
    section,
    term,
    verbatim_manual,
)
from dconv.readers.man.drafts import (
    Draft,
    DraftBuilder,
    IndentedBlock,
    ItemList,
    Prose,
    TaggedList,
    classes,
    text_of,
)
from dconv.readers.man.equations import write_equations
from dconv.readers.man.expected_words import BOX, OVERSTRUCK, expected_words
from dconv.readers.man.names import (
    LITERAL,
    TagContext,
    list_context,
    placeholders,
    read_names,
    shared_first_words,
)
from dconv.readers.man.runs import Run, inline_nodes, plain
from dconv.readers.mandoc import (
    HTML,
    TERMINAL,
    MandocError,
    MandocLimitError,
    RunMandoc,
    run_mandoc,
)
from dconv.readers.names import KindAndNames, names_of_titles

MDOC = re.compile(rb"^[.'][ \t]*Dd(?:[ \t]|$)", re.MULTILINE)
# DocBook's stylesheets write bullets and numbers themselves, and move to the text with this
MOVE_BEHIND_MARKER = re.compile(rb"\\h'[+]0\d'")
# a space of no width, where a line may break: "\h'-\w' 'u' "
ZERO_WIDTH_BLANK = re.compile(rb"\\h'-\\w' 'u' ")
# the tables of a page
TABLE = re.compile(rb"^\.TS[^\n]*\n.*?^\.TE[^\n]*$", re.MULTILINE | re.DOTALL)
# a link with its address and its text: ".UR https://example.org/", "https://example.org/", ".UE"
LINK = re.compile(rb"^\.(?:UR|MT)[ \t]+(\S+)[^\n]*\n(?!\.)([^\n]+)\n\.(?:UE|ME)", re.MULTILINE)
# escapes that roff allows in an address: "\:", "\&"
ESCAPE = re.compile(rb"\\[:&/%]|\\(?=-)")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# a reference to a character that XML forbids: "&#xFFFE;", "&#x1B;"
BAD_REFERENCE = re.compile(r"&#x0*(?:[0-8BCEF]|1[0-9A-F]|FFF[EF]);", re.IGNORECASE)
# between the names and what they do: " - ", " \u2014 "
DASH = re.compile(r"\s+(?:-{1,3}|‐|–|—|−)\s+")
# a setting that is a section: "syslog_facility (default: mail)"
SETTING_TITLE = re.compile(r"(?P<name>\w[\w.-]*) \((?:default: .*|read-only)\)")
MIN_SETTINGS = 3  # sections with such titles
ADDRESS = re.compile(r"[\w+.]+(?:\[\w+\])?://\S*(?: .*)?", re.DOTALL)  # "azure://container-name"
FILE_FORMATS = "5"  # the section of the pages about configuration files
# classes of the journal or the book that an article is in
IN_OTHER_WORK = frozenset(("RsJ", "RsB"))
PAGE_TITLE = re.compile(r"(?P<name>.*)\((?P<section>[^()]*)\)")


def read(
    content: bytes, path: str, dialect: Dialect, name: str, run: RunMandoc = run_mandoc
) -> tree.Manual:
    """Read a manual page; `run` is what runs mandoc.  Raises nothing."""
    findings: list[Diagnostic] = []
    # in HTML mandoc ignores these movements: words would join there, or be cut in two
    html_input = ZERO_WIDTH_BLANK.sub(rb"\\:", MOVE_BEHIND_MARKER.sub(rb"\\ ", content))
    try:
        terminal = run(TERMINAL, content)
    except MandocError as error:
        may_run = not isinstance(error, MandocLimitError)
        return _verbatim(content, path, name, str(error), run if may_run else None)
    try:
        root = _root(html_input, path, findings, run)
    except MandocError as error:
        return _verbatim(content, path, name, str(error), run)
    return _manual(root, terminal, content, path, name, tuple(findings))


def _root(source: bytes, path: str, findings: list[Diagnostic], run: RunMandoc) -> Element:
    """mandoc's HTML of `source`; if mandoc fails, tables become preformatted text for another try.

    Raises `MandocError`.
    """
    try:
        return _parsed(run(HTML, source))
    except MandocError as error:
        if not TABLE.search(source):
            raise
        root = _parsed(run(HTML, TABLE.sub(lambda match: _plain_table(match[0], run), source)))
        message = f"mandoc cannot lay out the tables ({error}); they are shown as on a terminal"
        findings.append(Diagnostic(path, 1, 1, "warning", "verbatim", message))
        return root


def _parsed(html: str) -> Element:
    html = CONTROL.sub(control_picture, html)
    html = BAD_REFERENCE.sub("\N{REPLACEMENT CHARACTER}", html)
    try:
        root = ElementTree.fromstring(f"<root>{html}</root>")
    except ElementTree.ParseError as error:
        raise MandocError(f"its HTML is damaged: {error}") from error
    for reference in root.iter("cite"):
        _quote_titles(reference)
    write_equations(root)
    return root


def _quote_titles(reference: Element) -> None:
    """Quote titles of articles in a `reference` to literature, as a terminal does."""
    in_other_work = any(IN_OTHER_WORK.intersection(classes(part)) for part in reference)
    for title in reference:
        if in_other_work and "RsT" in classes(title):
            title.text = f"“{title.text or ''}"
            if len(title):
                title[-1].tail = f"{title[-1].tail or ''}”"
            else:
                title.text += "”"


def _plain_table(table: bytes, run: RunMandoc) -> bytes:
    """`table` as lines of a terminal, in roff.  Raises `MandocError`."""
    text = run(("-T", "utf8", "-O", "width=100"), b".TH X 1\n.SH X\n" + table + b"\n")
    # without the head of the page, its title X and its foot
    rows = BOX.sub(" ", OVERSTRUCK.sub("", text)).strip("\n").split("\n")[3:-1]
    lines = ["\\&" + row.rstrip().replace("\\", "\\e") for row in rows if row.strip()]
    return "\n".join([".nf", *lines, ".fi"]).encode()


def _verbatim(
    content: bytes, path: str, name: str, reason: str, run: RunMandoc | None
) -> tree.Manual:
    """The whole page as lines of a terminal; as its source if `run` fails or is None."""
    try:
        if run is None:
            raise MandocError(reason)
        text = OVERSTRUCK.sub("", run(("-T", "utf8", "-O", "width=100"), content))
        form = "as on a terminal"
    except MandocError:
        text = content.decode("utf-8", "replace")
        form = "as source"
    message = f"mandoc cannot convert the page ({reason}); it is shown {form}"
    finding = Diagnostic(path, 1, 1, "warning", "verbatim", message)
    return verbatim_manual(name, path, text.split("\n"), [finding], title=file_name(path))


def _manual(
    root: Element, terminal: str, content: bytes, path: str, name: str,
    findings: tuple[Diagnostic, ...],
) -> tree.Manual:
    ids = frozenset([element.get("id") or "" for element in root.iter("*")])
    text = root.find("div[@class='manual-text']")
    head = _cell_text(root, "head-ltitle")
    title = PAGE_TITLE.fullmatch(head)
    file = file_stem(path)
    page, manual_section = (title["name"], title["section"]) if title else (file, "")
    if match := PAGE_FILE.fullmatch(file_name(path)):
        page = match["name"]  # a title may be copied from another page
        if manual_section[:1] != match["section"][:1]:
            manual_section = match["section"]
    elif page.casefold() == file.casefold():
        page = file
    preface: list[tree.Block] = []
    sections: list[tree.Section] = []
    description = ""
    builder = DraftBuilder(
        MDOC.search(content) is not None, ids, frozenset(_autolinks(content)),
        is_file_format=manual_section.startswith(FILE_FORMATS),
    )
    if text is not None:
        children = [child for child in text if child.tag == "section"]
        context = TagContext(
            (), page, manual_section, placeholders=_placeholders(children, manual_section)
        )
        preface = blocks(builder.body(text, children), context)
        sections = _sections(children, builder, context, preface)
        for child in children:
            if _title(child).upper() == "NAME":
                names, description = _names_and_description(child)
                if page != file:
                    page = next(
                        (other for other in names if other.casefold() == page.casefold()), page
                    )
    header = tree.Header(
        f"{page}({manual_section})" if manual_section else page,
        version=_cell_text(root, "foot-os"), date=_cell_text(root, "foot-date"),
        description=description,
    )
    words = expected_words(terminal, text if text is not None else root, builder)
    document = ParsedDocument(
        path, header, tuple(preface), tuple(sections), findings, words,
        placeholders=_italic_placeholders(root, builder), own_names=frozenset((page,)),
    )
    return build_manual(document, name)


def _autolinks(content: bytes) -> Iterator[str]:
    """The addresses that the source also gives as the text of their link."""
    for match in LINK.finditer(content):
        address, text = (ESCAPE.sub(b"", part).strip(b' "') for part in match.groups())
        if address.removeprefix(b"mailto:") == text or address == text:
            yield address.decode("utf-8", "replace")


def _heading(element: Element) -> Element | None:
    return next((child for child in element if child.tag in ("h1", "h2")), None)


def _title(element: Element) -> str:
    heading = _heading(element)
    return folded_text(text_of(heading)) if heading is not None else ""


def _sections(
    children: Sequence[Element], builder: DraftBuilder, context: TagContext, body: list[tree.Block]
) -> list[tree.Section]:
    """The sections `children`.

    Sections that describe one option or setting each become entries.  They, and the blocks of a
    section without a title, are added to the section before, or to `body` if there is none.
    """
    named = _names_by_section(children, builder, context)
    result: list[tree.Section] = []
    for child in children:
        if child in named:
            more: Sequence[tree.Block] = [_titled_entry(child, named[child], builder, context)]
        else:
            section = _section(child, builder, context)
            if section.title:
                result.append(section)
                continue
            more = [*section.body]
        if result:
            result[-1] = _with_blocks(result[-1], more)
        else:
            body += more
    return result


def _with_blocks(section: tree.Section, more: Sequence[tree.Block]) -> tree.Section:
    if section.sections:
        *others, last = section.sections
        return replace(section, sections=(*others, _with_blocks(last, more)))
    return replace(section, body=(*section.body, *more))


def _names_by_section(
    children: Sequence[Element], builder: DraftBuilder, context: TagContext
) -> dict[Element, KindAndNames]:
    """What the sections among `children` name whose titles are options or settings."""
    candidates = [child for child in children if not any(part.tag == "section" for part in child)]
    titles = [_title(child) for child in candidates]
    settings = [SETTING_TITLE.fullmatch(title) for title in titles]
    names = [match["name"] if match else "" for match in settings]
    if sum(map(bool, names)) < MIN_SETTINGS:
        names = [""] * len(titles)
        if context.section.startswith(FILE_FORMATS) and context.titles:
            names = names_of_titles(titles, context.titles[-1])
    named = {
        child: KindAndNames("setting", (name,))
        for child, name in zip(candidates, names, strict=True) if name
    }
    for child, title in zip(candidates, titles, strict=True):
        heading = _heading(child)
        if heading is not None and title.startswith("-"):
            option = read_names(builder.tag(heading), context)
            if option is not None:
                named[child] = option
    return named


def _titled_entry(
    element: Element, kind_and_names: KindAndNames, builder: DraftBuilder, context: TagContext
) -> tree.Entry:
    """The entry of `element`, whose heading is its signature."""
    heading = _heading(element)
    assert heading is not None
    body = flow(builder.body(element, [heading]), replace(context, is_inner=True))
    signatures = [(_title(element), kind_and_names.names)]
    return entry(kind_and_names.kind, signatures, body, heading.get("id") or "")


def _section(element: Element, builder: DraftBuilder, outer: TagContext) -> tree.Section:
    heading = _heading(element)
    title = _title(element)
    context = replace(outer, titles=(*outer.titles, title))
    below = [child for child in element if child.tag == "section"]
    skipped = [*below, heading] if heading is not None else below
    body = blocks(builder.body(element, skipped), context)
    inner = _sections(below, builder, context, body)
    anchor = (heading.get("id") or "") if heading is not None else ""
    return section(title, anchor, body, inner)


def _placeholders(children: Sequence[Element], section: str) -> frozenset[str]:
    """The arguments in capitals of the synopsis among the sections `children`."""
    for child in children:
        heading, *rest = child
        if folded_text(text_of(heading)).upper() == "SYNOPSIS":
            return placeholders(" ".join([text_of(element) for element in rest]), section)
    return frozenset()


def _italic_placeholders(root: Element, builder: DraftBuilder) -> frozenset[str]:
    """The words in italics of the synopsis, and of tags after what they belong to: "-o", file.

    A word that is a tag itself, and not literal there, is none.
    """
    words = {
        folded_text(text_of(element)) for child in root.iter("section")
        if _title(child).upper() == "SYNOPSIS"
        for element in child.iter() if element.tag in ("i", "var", "em")
    }
    described: set[str] = set()
    for element in root.iter("dt"):
        tag = builder.tag(element)
        before = ""
        for run in tag:
            word = run.text.strip()
            if run.style == "italic" and before and word not in before:
                words.add(word)
            before += word
        if tag and tag[0].style not in LITERAL:
            described.add(plain(tag))
    return frozenset([word for word in words - described if word[:1].isalnum()])


def _names_and_description(element: Element) -> tuple[list[str], str]:
    """The names of a page, and what they do, as its section NAME says."""
    for child in element:
        if child.tag not in ("h1", "h2") and (text := folded_text(text_of(child))):
            names, *rest = DASH.split(text, maxsplit=1)
            return [name.strip() for name in names.split(",")], rest[0] if rest else ""
    return [], ""


def _cell_text(root: Element, css_class: str) -> str:
    return next(
        (folded_text(text_of(cell)) for cell in root.iter("td") if css_class in classes(cell)), ""
    )


# --- drafts as nodes ------------------------------------------------------------------


def blocks(drafts: Sequence[Draft], context: TagContext) -> list[tree.Block]:
    """The blocks of a section: `drafts` with its entries, indented ones too."""
    nodes: list[tree.Block] = []
    for draft in drafts:
        if isinstance(draft, TaggedList):
            item_context = list_context([tag for item in draft.items for tag in item[0]], context)
            for tags, body, ids in draft.items:
                entry_node = _entry(tags, body, ids, item_context)
                nodes.append(entry_node or _definition(tags, body, ids, item_context))
        elif isinstance(draft, IndentedBlock) and any(
            isinstance(part, TaggedList) for part in draft.body
        ):
            nodes += blocks(draft.body, context)
        else:
            nodes += _node(draft, context)
    return merge_definitions(nodes)


def flow(drafts: Sequence[Draft], context: TagContext) -> list[tree.Flow]:
    """The body of an entry or an item; what would be entries are terms with names."""
    nodes: list[tree.Flow] = []
    for draft in drafts:
        if isinstance(draft, TaggedList):
            item_context = list_context([tag for item in draft.items for tag in item[0]], context)
            nodes += [_definition(*item, item_context) for item in draft.items]
        else:
            nodes += _node(draft, context)
    return merge_definitions(nodes)


def _node(
    draft: Prose | IndentedBlock | ItemList | tree.Preformatted | tree.Table, context: TagContext
) -> list[tree.Flow]:
    match draft:
        case Prose(runs=runs):
            return [tree.Paragraph(inline_nodes(runs), NO_SPAN)]
        case IndentedBlock(body=body):
            inner = flow(body, context)
            if not any(isinstance(node, tree.Paragraph) for node in inner):
                return inner  # code and lists are indented anyway
            return [tree.BlockQuote(tuple(inner), NO_SPAN)]
        case ItemList(ordered=ordered, items=items):
            nodes = [
                tree.Item(marker, tuple(flow(body, context)), NO_SPAN) for marker, body in items
            ]
            return [tree.List(ordered, tuple(nodes), NO_SPAN)]
        case tree.Preformatted() | tree.Table():
            return [draft]


def _entry(
    tags: Sequence[Sequence[Run]], body: Sequence[Draft], ids: str, context: TagContext
) -> tree.Entry | None:
    """The entry of `tags`, if each of them names something; `ids` are separated by blanks."""
    tag_names = _tag_names(tags, body, context)
    signatures = [
        (plain(tag), names.names) for tag, names in zip(tags, tag_names, strict=True)
        if names is not None
    ]
    first = tag_names[0]
    if first is None or len(signatures) < len(tags):
        return None
    return entry(first.kind, signatures, flow(body, replace(context, is_inner=True)), ids)


def _tag_names(
    tags: Sequence[Sequence[Run]], body: Sequence[Draft], context: TagContext
) -> list[KindAndNames | None]:
    """What each of `tags` with the description `body` names.

    The label of a listing names nothing, nor does the title of an address.
    """
    if plain(tags[-1]).endswith(":") and body and (
        all(isinstance(part, tree.Preformatted) for part in body)
    ):
        return [None] * len(tags)
    context = replace(context, shared_in_entry=shared_first_words(tags))
    names = [read_names(tag, context) for tag in tags]
    first = body[0] if body else None
    if isinstance(first, Prose) and ADDRESS.fullmatch(plain(first.runs)):
        return [None if tag and tag.kind == "keyword" else tag for tag in names]
    return names


def _definition(
    tags: Sequence[Sequence[Run]], body: Sequence[Draft], ids: str, context: TagContext
) -> tree.Definitions:
    tag_names = _tag_names(tags, body, context)
    all_named = all(tag_names)
    terms = []
    for tag, names in zip(tags, tag_names, strict=True):
        if names is not None and all_named:
            terms.append(term(inline_nodes(tag), names.kind, names.names, ids))
        else:
            terms.append(term(inline_nodes(tag), anchor=ids))
        ids = ""
    return definition(terms, flow(body, replace(context, is_inner=True)))
