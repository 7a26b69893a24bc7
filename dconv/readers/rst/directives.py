"""The directives of docutils and Sphinx: what each makes of its arguments and its content."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files

from docutils import nodes
from docutils.parsers.rst import Directive, states
from docutils.parsers.rst import directives as options
from docutils.parsers.rst.directives import body, misc, parts, references, tables
from docutils.statemachine import StringList, string2lines

from dconv.readers.rst import addnodes
from dconv.readers.rst.inliner import Inliner
from dconv.readers.rst.names import call_name, command_name, option_names, whole_text
from dconv.readers.rst.roles import ROLES, TITLED

# "<isonum.txt>": a file of docutils' own
STANDARD_FILE = re.compile(r"<([\w-]+\.txt)>")
# "name(base)" of a directive `role`
NEW_ROLE = re.compile(r"(?P<name>[\w.:+-]+)\s*(?:\(\s*(?P<base>[\w.:+-]+)\s*\))?")


class AnyOption(dict[str, Callable[[str], str]]):
    """Options of a directive: all are allowed, and stay as they are written."""

    def __missing__(self, name: str) -> Callable[[str], str]:
        return options.unchanged


class BaseDirective(Directive):
    """A directive that takes any options, and arguments up to an empty line."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = AnyOption({"class": options.unchanged})

    @property
    def argument(self) -> str:
        """What follows the name of the directive."""
        return self.arguments[0] if self.arguments else ""

    def parsed(self, node: nodes.Element) -> nodes.Element:
        """`node` with the content of the directive in it, and with its name."""
        node.source, node.line = self.state_machine.get_source_and_line(self.lineno)
        self.state.nested_parse(self.content, self.content_offset, node)
        self.name_node(node)
        return node

    def name_node(self, node: nodes.Element) -> None:
        """Give `node` the name of the option `name`."""
        if name := self.options.get("name"):
            node["names"].append(nodes.fully_normalize_name(name))
            self.state.document.note_explicit_target(node, node)

    def line_of(self, text: str, node_class: type[nodes.TextElement]) -> list[nodes.Node]:
        """A node of `node_class` that holds the line `text`, and what docutils reports about it."""
        content, messages = self.state.inline_text(text, self.lineno)
        node = node_class(text, "", *content)
        node.source, node.line = self.state_machine.get_source_and_line(self.lineno)
        return [node, *messages]

    def report(self, text: str, rule: str) -> None:
        self.reporter.info(text, line=self.lineno, rule=rule, words=self.name)

    def dropped(self, kind: str) -> list[nodes.Element]:
        """The words of the directive, which are not text of the manual."""
        words = "\n".join([self.argument, *self.content])
        return [addnodes.omitted_words(words, words, kind=kind)] if words.strip() else []


class Unknown(BaseDirective):
    """An unknown directive: its argument and its content are text.

    The argument may be in any syntax, as `*` in `.. testsetup:: *`: it is shown as it is written.
    """

    def run(self) -> Sequence[nodes.Node]:
        message = f"the directive '{self.name}' is not known; its text is shown"
        self.report(message, "unknown-markup")
        container = nodes.container()
        if self.argument:
            container += nodes.paragraph("", "", nodes.literal("", self.argument))
        return [self.parsed(container)]


class ContentOnly(BaseDirective):
    """A directive that says when, where or how its content is shown; its argument is not shown."""

    def run(self) -> Sequence[nodes.Node]:
        container = self.parsed(nodes.container())
        if self.argument:
            kind = "arguments of directives"
            container.insert(0, addnodes.omitted_words(self.argument, self.argument, kind=kind))
        return container.children


class Container(BaseDirective):
    """A directive whose argument and content are both text."""

    def run(self) -> Sequence[nodes.Node]:
        container = nodes.container()
        if self.argument:
            container += self.line_of(self.argument, nodes.paragraph)
        return [self.parsed(container)]


class Settings(BaseDirective):
    """A directive that says how to show or find what follows, and has no text."""

    def run(self) -> Sequence[nodes.Node]:
        return self.dropped("settings")


# --- notes ----------------------------------------------------------------------------

ADMONITIONS = {
    "attention": "Attention", "caution": "Caution", "danger": "Danger", "error": "Error",
    "hint": "Hint", "important": "Important", "note": "Note", "tip": "Tip", "todo": "Todo",
    "warning": "Warning", "seealso": "See also",
}  # fmt: skip
VERSIONS = {
    "versionadded": "Added in version", "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version", "deprecated-removed": "Deprecated since version",
    "versionremoved": "Removed in version",
}  # fmt: skip


class Note(BaseDirective):
    """An admonition; what follows its name is text."""

    optional_arguments = 0

    def run(self) -> Sequence[nodes.Node]:
        label = ADMONITIONS[self.name.casefold()]
        return [self.parsed(nodes.admonition("", nodes.title("", label), kind=label))]


class Titled(BaseDirective):
    """A body with a title: `admonition`, `topic`, `sidebar`."""

    def run(self) -> Sequence[nodes.Node]:
        node = nodes.admonition("", kind=self.name)
        if self.argument:
            node += self.line_of(self.argument, nodes.title)
        if subtitle := self.options.get("subtitle"):
            node += self.line_of(subtitle, nodes.paragraph)
        return [self.parsed(node)]


class Version(BaseDirective):
    """Since when something is so: a version, and text."""

    def run(self) -> Sequence[nodes.Node]:
        version, *texts = self.argument.split(None, 1)[:2] or [""]
        label = f"{VERSIONS[self.name.casefold()]} {version}".strip()
        node = nodes.admonition("", nodes.title("", label), kind=self.name)
        for text in texts:
            node += self.line_of(text, nodes.paragraph)
        return [self.parsed(node)]


# --- code and images ----------------------------------------------------------------


class Code(BaseDirective):
    """Lines of code; the argument is their language."""

    def run(self) -> Sequence[nodes.Node]:
        result: list[nodes.Node] = []
        if caption := self.options.get("caption"):
            result += self.line_of(caption, nodes.paragraph)
        text = "\n".join(self.content)
        if text:
            words = self.argument.split()
            block = nodes.literal_block(text, text, language=words[0] if words else "")
            block.source, block.line = self.state_machine.get_source_and_line(
                self.content_offset + 1
            )
            self.name_node(block)
            result.append(block)
        return result


class Drawing(BaseDirective):
    """A drawing in a language of its own: its source is shown."""

    def run(self) -> Sequence[nodes.Node]:
        result = self.line_of(self.argument, nodes.paragraph) if self.argument else []
        text = "\n".join(self.content)
        return [*result, nodes.literal_block(text, text, language="")] if text else result


class Image(BaseDirective):
    """An image; a figure has a caption and more below it."""

    def run(self) -> Sequence[nodes.Node]:
        file = "".join(self.argument.split())
        image = nodes.image(self.block_text, uri=file)
        image.source, image.line = self.state_machine.get_source_and_line(self.lineno)
        image["alt"] = self.options.get("alt") or ""
        node: nodes.Element = image
        if target := self.options.get("target"):
            assert isinstance(self.state, states.Body)
            kind, target = self.state.parse_target(
                target.split("\n"), self.block_text, self.lineno
            )
            node = nodes.reference(image["alt"] or file, "", image, name=target, **{kind: target})
            node.line = image.line
            if kind == "refname":
                node["refname"] = nodes.fully_normalize_name(target)
                self.state.document.note_refname(node)
        if isinstance(self.state, states.SubstitutionDef):
            return [node]
        return [self.parsed(nodes.figure("", node))]


class Generated(Container):
    """Text that an extension makes of code, which is not read; the content follows it."""

    def run(self) -> Sequence[nodes.Node]:
        message = f"dconv does not read the code of '{self.argument}', whose text belongs here"
        self.report(message, "not-included")
        return super().run()


class Include(BaseDirective):
    """Text of another file, which is named and not read."""

    def run(self) -> Sequence[nodes.Node]:
        """A note with the name of the file; nothing if no text is above, where files only define.

        A file of docutils' own is read, for the substitutions that it defines.
        """
        if match := STANDARD_FILE.fullmatch(self.argument):
            file = files("docutils.parsers.rst").joinpath("include", match[1])
            if file.is_file():
                lines = string2lines(file.read_text("utf-8"), convert_whitespace=True)
                self.state.nested_parse(StringList(lines, match[1]), 0, nodes.container())
                return self.dropped("names of files")
        message = f"dconv does not read '{self.argument}', whose text belongs here"
        self.report(message, "not-included")
        shown = (nodes.section, nodes.paragraph)
        if not any(isinstance(node, shown) for node in self.state.document.children):
            return self.dropped("names of files")
        included = addnodes.role_reference(
            self.argument, self.argument, kind="included document", target=self.argument,
            has_own_text=False,
        )
        title = nodes.title("", "In another file")
        return [nodes.admonition("", title, nodes.paragraph("", "", included), kind=self.name)]


# --- entries --------------------------------------------------------------------------

# "Client(path)", "client.Client", "template<typename T> Queue", "Client"
CLASS_OF_PROGRAM = re.compile(r"[A-Z(<.:]")
NameReader = Callable[[str], tuple[str, ...]]
DECLARATIONS = (
    *(f"c:{object_type}" for object_type in (
        "function", "macro", "member", "var", "type", "struct", "union", "enum", "enumerator",
    )),
    *(f"cpp:{object_type}" for object_type in (
        "function", "member", "var", "type", "class", "struct", "concept", "enum", "enum-class",
        "enum-struct", "enumerator",
    )),
    *(f"py:{object_type}" for object_type in (
        "function", "data", "exception", "class", "attribute", "method", "staticmethod",
        "classmethod", "decorator", "decoratormethod", "property", "type",
    )),
    *(f"js:{object_type}" for object_type in ("function", "method", "class", "data", "attribute")),
    "function", "data", "exception", "attribute", "method", "staticmethod", "classmethod",
    "decorator", "macro", "type", "var", "struct", "union", "enum", "enum-class", "enum-struct",
    "enumerator", "member", "class",
)  # fmt: skip
OBJECTS: Mapping[str, tuple[str, NameReader]] = {
    "option": ("option", option_names),
    "cmdoption": ("option", option_names),
    "clicmd": ("command", command_name),
    "confval": ("setting", option_names),
    "setting": ("setting", option_names),
    "envvar": ("variable", option_names),
    "describe": ("keyword", whole_text),
    "object": ("keyword", whole_text),
    "rst:directive": ("keyword", option_names),
    "rst:role": ("keyword", option_names),
    **dict.fromkeys(DECLARATIONS, ("keyword", call_name)),
}  # fmt: skip


class Object(Container):
    """The description of a thing: a signature on each line of the argument, and a body."""

    def run(self) -> Sequence[nodes.Node]:
        if not self.argument.strip():
            self.report(f"the directive '{self.name}' names nothing", "rst-syntax")
            return super().run()
        role = self.name.casefold()
        kind, names = OBJECTS[role]
        node = addnodes.object_description(kind=kind)
        lines = self.argument.replace("\\\n", " ").split("\n")
        for index, line in enumerate(lines):
            text = line.strip()
            if not text:
                continue
            signature_node = addnodes.signature(text, text, names=names(text))
            signature_node.line = self.lineno + index
            node += signature_node
            if kind == "option" or role in ("envvar", "confval"):
                program = _inliner(self.state).program
                label_kind = "option" if kind == "option" else role
                addnodes.add_labels(node, self.state.document, [
                    addnodes.object_label(label_kind, name, program)
                    for name in signature_node["names"]
                ])
        if role == "confval":
            node += self._shown_options()
        return [self.parsed(node)]

    def _shown_options(self) -> list[nodes.Node]:
        """The options that Sphinx shows as fields: "Type: bool", "Default: true"."""
        fields = [
            nodes.field(
                "", nodes.field_name("", name.capitalize()),
                nodes.field_body("", *self.line_of(value, nodes.paragraph)),
            )
            for name in ("type", "default") if (value := self.options.get(name))
        ]
        return [nodes.field_list("", *fields)] if fields else []


class ObjectOrClass(Object):
    """`.. class::`: in Sphinx, a class of a program; in docutils, the style of a paragraph."""

    def run(self) -> Sequence[nodes.Node]:
        """The entry, or the paragraph with its class."""
        if CLASS_OF_PROGRAM.search(self.argument):
            return super().run()
        directive = misc.Class(
            self.name, self.argument.split(), {}, self.content, self.lineno, self.content_offset,
            self.block_text, self.state, self.state_machine,
        )
        return directive.run()


class Program(Settings):
    """Whose options the text describes from here on."""

    def run(self) -> Sequence[nodes.Node]:
        """Nothing that is shown."""
        _inliner(self.state).program = "" if self.argument == "None" else self.argument
        return super().run()


class Glossary(BaseDirective):
    """A list of terms: each line is a term, or belongs to the definition below the term."""

    optional_arguments = 0

    def run(self) -> Sequence[nodes.Node]:
        result: list[nodes.Node] = []
        terms: list[tuple[str, int]] = []
        index = 0
        while index < len(self.content):
            line = self.content[index]
            if not line.strip() or line.startswith(".. "):
                index += 1
            elif not line[0].isspace():
                terms.append((line.strip(), self.content_offset + index + 1))
                index += 1
            else:
                first = index
                while index < len(self.content) and self.content[index][:1] in ("", " "):
                    index += 1
                result.append(self._defined(terms, first, index))
                terms = []
        if terms:
            result.append(self._defined(terms, index, index))
        return result

    def _defined(self, terms: list[tuple[str, int]], first: int, end: int) -> nodes.Element:
        node: nodes.Element = nodes.container()
        if terms:
            node = addnodes.object_description(kind="keyword")
        for text, line in terms:
            content, messages = self.state.inline_text(text, line)
            signature_node = addnodes.signature(text, "", *content)
            signature_node["names"] = whole_text(signature_node.astext())
            signature_node.line = line
            node += [signature_node, *messages]
            term = signature_node.astext().partition(" : ")[0]  # of "term : sort key"
            labels = [addnodes.object_label("term", term)]
            addnodes.add_labels(node, self.state.document, labels)
        content_lines = self.content[first:end]
        widths = [len(line) - len(line.lstrip()) for line in content_lines if line.strip()]
        content_lines.trim_left(min(widths, default=0))
        self.state.nested_parse(content_lines, self.content_offset + first, node)
        return node


# --- lists of documents, tables -------------------------------------------------------


class TableOfContents(BaseDirective):
    """A table of contents of several files."""

    optional_arguments = 0

    def run(self) -> Sequence[nodes.Node]:
        omitted: list[nodes.Element] = []
        links: list[nodes.Element] = []
        lines = {
            index: line.strip()
            for index, line in enumerate(self.content, self.content_offset + 1) if line.strip()
        }
        key = "listed documents", "\n".join(lines.values())
        listed = _inliner(self.state).titles.get(key, key[1]).split("\n")
        places = zip(lines, listed, strict=False)
        for index, text in [(index, text) for index, texts in places for text in texts.split("\t")]:
            match = TITLED.fullmatch(text)
            title, target = (match["title"], match["target"]) if match else ("", text)
            if "*" in text:
                omitted.append(addnodes.omitted_words(text, text, kind="names of files"))
            elif "://" in target:
                links.append(nodes.reference(text, title or target, refuri=target))
            elif text and text != "self":
                links.append(addnodes.role_reference(
                    text, title or target, kind="listed document", target=target,
                    has_own_text=bool(title),
                ))
                links[-1].line = self.state_machine.get_source_and_line(index)[1]
        if "hidden" in self.options:
            for link in links:  # it shows nothing, but its file may be missing
                link.clear()
                link["has_own_text"] = True
            hidden = self.dropped("names of files")
            for words in hidden:
                words.extend(links)
            return hidden
        caption = self.options.get("caption")
        result = self.line_of(caption, nodes.paragraph) if caption else []
        items = [nodes.list_item("", nodes.paragraph("", "", link)) for link in links]
        return [*result, *omitted, *([nodes.bullet_list("", *items)] if items else [])]


class FlatTable(BaseDirective):
    """A table as a list of lists, whose cells may cover others (the kernel's `flat-table`)."""

    def run(self) -> Sequence[nodes.Node]:
        """The table, or the content as it is if it is not a list of lists."""
        content = self.parsed(nodes.container())
        result = self.line_of(self.argument, nodes.title) if self.argument else []
        lists = [node for node in content.children if isinstance(node, nodes.bullet_list)]
        rows = [_cells(item) for item_list in lists for item in item_list.children]
        if len(lists) != 1 or not all(rows):
            container = nodes.container("", *content.children)
            return [nodes.container("", nodes.paragraph("", "", *result[0].children), *result[1:]),
                    container] if result else [container]
        number = str(self.options.get("header-rows")).strip()
        heads = int(number) if number.isdecimal() else 0
        group = nodes.tgroup("", cols=1)
        head, below = nodes.thead(), nodes.tbody()
        for index, row in enumerate(rows):
            (head if index < heads else below).append(nodes.row("", *row))
        group += [part for part in (head, below) if part.children]
        return [nodes.table("", *result, group)]


def _cells(item: nodes.Node) -> list[nodes.entry]:
    """The cells of a row, or nothing if `item` is not a list."""
    lists = [node for node in item.children if isinstance(node, nodes.bullet_list)]
    if len(lists) != 1:
        return []
    cells: list[nodes.entry] = []
    for item in lists[0].children:
        cell = nodes.entry("", *item.children)
        for span in cell.findall(addnodes.omitted_words):
            number = span.astext().strip()
            if number.isdecimal() and span["kind"] in ("cspan", "rspan"):
                cell["morecols" if span["kind"] == "cspan" else "morerows"] = int(number)
        cells.append(cell)
    return cells


# --- roles ----------------------------------------------------------------------------


class NewRole(BaseDirective):
    """A role that the text adds: it is as its base, or plain text."""

    def run(self) -> Sequence[nodes.Node]:
        """Nothing; the role holds for the rest of the document."""
        if match := NEW_ROLE.match(self.argument):
            base = ROLES.get((match["base"] or "").casefold(), ROLES["inline"])
            _inliner(self.state).roles[match["name"].casefold()] = base
        return self.dropped("settings")


class DefaultRole(BaseDirective):
    """The role of text in single back quotes."""

    def run(self) -> Sequence[nodes.Node]:
        """Nothing; the role holds for the rest of the document."""
        roles = _inliner(self.state).roles
        roles[""] = roles.get(self.argument.casefold(), ROLES["title-reference"])
        return self.dropped("settings")


def _inliner(state: states.RSTState) -> Inliner:
    """The parser of the document's inline markup."""
    assert isinstance(state.inliner, Inliner)
    return state.inliner


class Raw(BaseDirective):
    """Text in a format of one of docutils' writers: shown as it is written."""

    def run(self) -> Sequence[nodes.Node]:
        self.report(f"raw {self.argument or 'text'} is shown as it is written", "unknown-markup")
        text = "\n".join(self.content)
        return [nodes.literal_block(text, text, language="")] if text else []


DIRECTIVES: Mapping[str, type[Directive]] = {
    **dict.fromkeys(ADMONITIONS, Note),
    **dict.fromkeys(VERSIONS, Version),
    **dict.fromkeys(OBJECTS, Object),
    **dict.fromkeys(("admonition", "topic", "sidebar"), Titled),
    **dict.fromkeys(("code", "code-block", "sourcecode", "prompt", "ipython", "testcode",
                     "testoutput", "doctest", "productionlist"), Code),
    **dict.fromkeys(("graphviz", "digraph", "graph", "uml", "plantuml", "mermaid", "aafig",
                     "ditaa", "kernel-render", "seqdiag", "blockdiag"), Drawing),
    **dict.fromkeys(("image", "figure", "kernel-figure", "kernel-image"), Image),
    **dict.fromkeys(("include", "literalinclude", "kernel-include"), Include),
    **dict.fromkeys(("only", "ifconfig", "container", "hlist", "acks", "tabs"), ContentOnly),
    **dict.fromkeys(("centered", "compound", "group-tab", "tab", "tab-item"), Container),
    **dict.fromkeys((
        "index", "highlight", "default-domain", "currentmodule", "module", "py:module",
        "py:currentmodule", "js:module", "c:namespace", "c:namespace-push", "c:namespace-pop",
        "cpp:namespace", "cpp:namespace-push", "cpp:namespace-pop",
        "tabularcolumns", "contents", "sectnum", "section-numbering", "meta", "duplabel", "title",
        "restructuredtext-test-directive", "highlightlang", "sectionauthor", "codeauthor",
        "moduleauthor", "cssclass", "rst-class", "testsetup", "testcleanup",
    ), Settings),
    **dict.fromkeys((
        *(f"auto{object_type}" for object_type in (
            "module", "class", "exception", "function", "decorator", "method", "attribute", "data",
            "property", "object",
        )),
        "autosummary", "inheritance-diagram",
    ), Generated),
    "program": Program,
    "glossary": Glossary,
    "toctree": TableOfContents,
    "flat-table": FlatTable,
    "role": NewRole,
    "default-role": DefaultRole,
    "raw": Raw,
    "math": body.MathBlock,
    "line-block": body.LineBlock,
    "parsed-literal": body.ParsedLiteral,
    "rubric": body.Rubric,
    "epigraph": body.Epigraph,
    "highlights": body.Highlights,
    "pull-quote": body.PullQuote,
    "table": tables.RSTTable,
    "csv-table": tables.CSVTable,
    "list-table": tables.ListTable,
    "replace": misc.Replace,
    "unicode": misc.Unicode,
    "class": ObjectOrClass,
    "header": parts.Header,
    "footer": parts.Footer,
    "target-notes": references.TargetNotes,
}
