"""mandoc's HTML of a manual page as drafts: blocks whose tags are not entries or terms yet.

A tag is what precedes a description; the reader makes an entry or a term of it.  A block that
cannot hold tags is a node of the tree already; the others are the four classes below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import groupby, pairwise
from typing import TypeAlias
from xml.etree.ElementTree import Element

from dconv.model.tree import Cell, Emphasis, Preformatted, Row, Strong, Table
from dconv.model.values import dataclass
from dconv.readers.extracted_text import NO_SPAN, table
from dconv.readers.man.commented_settings import settings_table
from dconv.readers.man.names import is_bullet, is_number, is_tag, starts_literal
from dconv.readers.man.runs import (
    BREAK,
    Run,
    Style,
    drop_start,
    inline_nodes,
    plain,
    slice_runs,
    split_lines,
)

BLOCKS = frozenset((
    "p", "div", "dl", "ul", "ol", "pre", "table", "section", "h1", "h2", "blockquote",
))  # fmt: skip
# classes of mdoc's elements with literal characters
LITERALS = frozenset(("Fl", "Cm", "Ic", "Nm", "Ev", "Dv", "Li", "Pa", "Fn", "Fd", "Cd", "Er", "In",
                      "Ms", "Va", "Ft", "Bsx"))  # fmt: skip
# the bullet or number before a paragraph: "•\xa0text", "1.\xa0text"
ITEM_MARKER = re.compile(r"\s*(?P<marker>[•·]|\d{1,2}\.)[\s\xa0]+(?=\S)")
INDENT = "\N{NO-BREAK SPACE}" * 2
MAX_UNDESCRIBED_TAGS = 3  # tags without a description that share the description of the next tag
MIN_LONE_OPTIONS = 2  # paragraphs that are only an option, each before another paragraph
# an option before its text: "--address, -a=\"\": the address of the server"
OPTION_AND_COLON = re.compile(r"[^\s:][^:\t]{0,80}:(?= \S)")
# a tag and a dash: "id VNI - the network"
DASHED = re.compile(r"(?P<tag>[^.:;]{1,80}?)\s+-\s+(?=\S)")
MIN_DASHED = 2  # neighbouring paragraphs with a dash; one alone is prose
BULLETS = {"Bl-bullet": "•", "Bl-dash": "-", "Bl-hyphen": "-"}


@dataclass(slots=True)
class Prose:
    """A paragraph, and its element if it has one."""

    runs: list[Run]
    element: Element | None = None


@dataclass(slots=True)
class IndentedBlock:
    """Blocks that are indented; `untagged` if they are below an empty tag."""

    body: list[Draft]
    untagged: bool = False


@dataclass(slots=True)
class TaggedList:
    """Tags that share a description, with it and the ids of the tags in mandoc's page."""

    items: list[TaggedItem]
    by_indent: bool = False  # made of a paragraph and the indented block below it


@dataclass(slots=True)
class ItemList:
    """Items of a list, each with its bullet or number."""

    ordered: bool
    items: list[tuple[str, list[Draft]]]


Draft: TypeAlias = Prose | IndentedBlock | TaggedList | ItemList | Preformatted | Table
TaggedItem: TypeAlias = "tuple[list[list[Run]], list[Draft], str]"  # tags, description, ids
DescribedElements: TypeAlias = "tuple[list[Element], Element | None]"  # `dt` elements, `dd`


@dataclass(slots=True)
class DraftBuilder:
    """Turns elements of mandoc's HTML into drafts.

    `is_mdoc` is true for a page in mdoc(7), false for one in man(7).  `ids` are those of the page.
    `autolinks` are addresses that the source also gives as the text of their link.
    `is_file_format` is true for a page of section 5.

    Only `expected_words.py` reads the others.  `markers` maps elements that start with a bullet or
    number to what the tree has instead of it.  `implied_markers` maps items whose bullet or number
    only a terminal shows to that marker and to what the tree has instead.  `dashed_paragraphs`
    are those whose first dash separates a tag from its description.
    """

    is_mdoc: bool
    ids: frozenset[str] = frozenset()
    autolinks: frozenset[str] = frozenset()
    is_file_format: bool = False
    markers: dict[Element, str] = field(default_factory=dict)
    implied_markers: dict[Element, tuple[str, str]] = field(default_factory=dict)
    dashed_paragraphs: set[Element] = field(default_factory=set)

    # --- prose ------------------------------------------------------------------------

    def runs(self, element: Element, style: Style = "roman") -> list[Run | Element]:
        """The characters of `element`; blocks inside it stay elements."""
        runs: list[Run | Element] = []
        if element.text:
            runs.append(Run(element.text, style))
        for child in element:
            if "Nd" in classes(child) and runs and isinstance(last := runs[-1], Run):
                runs[-1] = Run(last.text.replace("\u2014", "\u2013"), last.style)
            runs += self.run(child, style)
            if child.tail:
                runs.append(Run(child.tail, style))
        return runs

    def run(self, child: Element, style: Style) -> list[Run | Element]:
        """The characters of `child`, which is in prose of `style`."""
        class_names = classes(child)
        target = child.get("href") or ""
        match child.tag:
            case "br":
                return [BREAK]
            case "a" if "Xr" in class_names:
                return [Run(text_of(child), "page")]
            case "a" if "Lk" in class_names or "Mt" in class_names:
                return [*self.link(child, target)]
            case "a" if "Sx" in class_names and target.removeprefix("#") in self.ids:
                return [Run(text_of(child), "section", target)]
            case "a" if "Sx" in class_names:  # a section of another page
                return self.runs(child, "italic")
            case "code":
                return self.runs(child, "code")
            case "b":
                return self.runs(child, "bold")
            case "i" | "var" | "em" | "cite":
                return self.runs(child, "italic")
            case "span" if LITERALS.intersection(class_names):
                return self.runs(child, "code")
            case tag if tag in BLOCKS:
                return [child]
            case _:
                return self.runs(child, style)

    def link(self, child: Element, target: str) -> Iterator[Run]:
        """A link, with its address where a terminal shows it."""
        text = text_of(child)
        address = target.removeprefix("mailto:") if "Mt" in classes(child) else target
        style: Style = "address" if target.startswith(("http://", "https://")) else "roman"
        same = "".join(text.split()) == "".join(address.split())
        if self.is_mdoc:
            if same or "Mt" in classes(child):
                yield Run(text, style, target)
            else:
                yield Run(f"{text}: ", "italic")
                yield Run(address, style, target)
            return
        if not same or address in self.autolinks:
            yield Run(f"{text} ", style, target)
        yield Run("<")
        yield Run(address, style, target)
        yield Run(">")

    def prose(self, content: Iterable[Run | Element]) -> list[Draft]:
        drafts: list[Draft] = []
        runs: list[Run] = []
        for item in content:
            if isinstance(item, Run):
                runs.append(item)
                continue
            if plain(runs):
                drafts.append(Prose(runs))
            runs = []
            drafts += self.block(item)
        if plain(runs):
            drafts.append(Prose(runs))
        return drafts

    # --- blocks -----------------------------------------------------------------------

    def body(self, element: Element, skipped: Sequence[Element] = ()) -> list[Draft]:
        """The blocks of a container, without the children `skipped`.

        What `.RS` indents directly below a `.TP` is at the column of the last description, and
        belongs to it; but tags there may name things of their own.
        """
        drafts: list[Draft] = []
        above: Element | None = None  # the child directly above
        inline: list[Run | Element] = []
        if element.text:
            inline.append(Run(element.text))
        for child in element:
            if child in skipped:
                pass
            elif child.tag in BLOCKS:
                drafts += self.prose(inline)
                inline = []
                block = self.block(child)
                last = drafts[-1] if drafts else None
                if isinstance(last, TaggedList) and not self.is_mdoc and (
                    above is not None and above.tag == "dl" and "Bd-indent" in classes(child)
                ):
                    first = block[0] if block else None
                    inside = first.body if isinstance(first, IndentedBlock) else block
                    if not any(isinstance(draft, TaggedList) for draft in inside):
                        last.items[-1][1].extend(inside)
                        block = []
                drafts += block
            else:
                inline += self.run(child, "roman")
            above = None if (child.tail or "").strip() else child
            if child.tail:
                inline.append(Run(child.tail))
        drafts += self.prose(inline)
        drafts = [
            _option_with_text(draft) if isinstance(draft, Prose) else draft
            for draft in self.with_dashes(self.with_lists(element, drafts))
        ]
        return merge_neighbours(_tag_lone_options(drafts) if element.tag == "section" else drafts)

    def with_lists(self, element: Element, drafts: list[Draft]) -> list[Draft]:
        """`drafts` of `element`, as a list if they begin with a bullet or a number."""
        if not drafts or not isinstance(drafts[0], Prose) or not element.text:
            return drafts
        first = drafts[0]
        match = ITEM_MARKER.match(element.text)
        if match is None or not "".join([run.text for run in first.runs]).startswith(match[0]):
            return drafts
        first.runs = drop_start(first.runs, match.end())
        marker = match["marker"]
        ordered = marker[0].isdigit()
        self.markers[element] = marker.strip(".") if ordered else ""
        return [ItemList(ordered, [(marker, drafts)])]

    def with_dashes(self, drafts: list[Draft]) -> list[Draft]:
        """`drafts`, where neighbours such as "id VNI - the network" become tags."""
        result: list[Draft] = []
        for is_dashed, neighbours in groupby(drafts, lambda draft: _length_before_dash(draft) > 0):
            group = list(neighbours)
            if not is_dashed or len(group) < MIN_DASHED:
                result += group
                continue
            items: list[TaggedItem] = []
            for paragraph in group:
                assert isinstance(paragraph, Prose)
                length = _length_before_dash(paragraph)
                rest = drop_start(paragraph.runs, length)
                dash_end = "".join([run.text for run in rest]).index("-") + 1
                tag = slice_runs(paragraph.runs, 0, length)
                items.append(([tag], [Prose(drop_start(rest, dash_end))], ""))
                if paragraph.element is not None:
                    self.dashed_paragraphs.add(paragraph.element)
            result.append(TaggedList(items))
        return result

    def block(self, element: Element) -> list[Draft]:
        class_names = classes(element)
        match element.tag:
            case "p":
                drafts = self.prose(self.runs(element))
                if "HP" in class_names:
                    return self.hanging(drafts)
                if len(drafts) == 1 and isinstance(drafts[0], Prose):
                    drafts[0].element = element
                return self.with_lists(element, drafts)
            case "pre":
                # on the page of a configuration file, comments may explain settings
                listing = self.runs(element) if self.is_file_format else ()
                table = settings_table([run for run in listing if isinstance(run, Run)])
                return [table or self.preformatted(element)]
            case "dl":
                return self.tagged_list(element)
            case "ul" | "ol":
                return self.list_of_items(element, class_names)
            case "table" if "Nm" in class_names:
                runs: list[Run | Element] = []
                for cell in element.iter("td"):
                    runs += [*self.runs(cell), Run(" ")]
                return self.prose(runs)
            case "table":
                return [self.table(element)]
            case "div" if "Bd-indent" in class_names:
                body = self.body(element)
                if len(body) == 1 and isinstance(body[0], ItemList):
                    return [*body]
                return [IndentedBlock(body)]
            case _:
                return self.body(element)

    def hanging(self, drafts: list[Draft]) -> list[Draft]:
        """A paragraph of `.HP`: if its first line is literal, that is a tag."""
        first = drafts[0] if drafts else None
        if isinstance(first, Prose) and starts_literal(first.runs):
            tag, *rest = split_lines(first.runs)
            if (rest or drafts[1:]) and is_tag(tag):
                runs = [run for row in rest for run in (*row, BREAK)][:-1]
                body: list[Draft] = [Prose(runs)] if rest else []
                return [TaggedList([([tag], [*body, *drafts[1:]], "")], by_indent=True)]
        return drafts

    def preformatted(self, element: Element) -> Preformatted:
        """Lines of code; a break at the start of a line is mandoc's before a blank."""
        text = ""
        for item in self.runs(element):
            if isinstance(item, Element):
                text += text_of(item)
            elif item.style == "break":
                text = text.removesuffix("\n") if text.endswith("\n") else text + "\n"
            else:
                text += item.text
        return Preformatted(tuple(text.split("\n")), "", NO_SPAN)

    def tagged_list(self, element: Element) -> list[Draft]:
        """Tags and their descriptions; an `ItemList` if the tags are bullets or numbers."""
        items: list[DescribedElements] = []
        tags: list[Element] = []
        for child in element:
            if child.tag == "dt":
                tags.append(child)
            elif child.tag == "dd":
                items.append((tags, child))
                tags = []
        if tags:
            items.append((tags, None))
        items = _share_descriptions(items)
        drafts: list[Draft] = []
        all_tags = [self.tag(child) for child in element if child.tag == "dt"]
        only_markers = all(not plain(tag) or is_bullet(tag) or is_number(tag) for tag in all_tags)
        for index, (terms, description) in enumerate(items):
            body = self.body(description) if description is not None else []
            runs = [self.tag(term) for term in terms]
            if len(terms) == 1 and body and (
                is_number(runs[0])
                or (is_bullet(runs[0]) and (only_markers or plain(runs[0]) in "•·○"))
            ):
                marker = plain(runs[0])
                ordered = is_number(runs[0])
                self.markers[terms[0]] = marker.strip("().") if ordered else ""
                option = [] if ordered else _option_line(body[0])
                next_tags = items[index + 1][0] if index + 1 < len(items) else []
                continues = any(not text_of(tag).strip() for tag in next_tags)  # below an empty tag
                if option and (len(body) > 1 or continues):
                    drafts.append(TaggedList([([option], body[1:], "")]))
                    continue
                drafts.append(ItemList(ordered, [(marker, body)]))
                continue
            runs = _merge_indented([tag for tag in runs if plain(tag)])
            ids = " ".join([term.get("id") or "" for term in terms]).strip()
            if runs:
                drafts.append(TaggedList([(runs, body, ids)]))
            elif body:
                drafts.append(IndentedBlock(body, untagged=True))
        return merge_neighbours(drafts)

    def tag(self, element: Element) -> list[Run]:
        return [
            item if isinstance(item, Run) else Run(text_of(item)) for item in self.runs(element)
        ]

    def list_of_items(self, element: Element, class_names: list[str]) -> list[Draft]:
        if "Bl-item" in class_names:
            return [draft for child in element for draft in self.body(child)]
        items: list[tuple[str, list[Draft]]] = []
        ordered = element.tag == "ol"
        bullet = next((BULLETS[name] for name in class_names if name in BULLETS), "•")
        for number, child in enumerate(element, 1):
            marker = f"{number}." if ordered else bullet
            self.implied_markers[child] = (marker, str(number) if ordered else "")
            items.append((marker, self.body(child)))
        return [ItemList(ordered, items)] if items else []

    def table(self, element: Element) -> Table:
        rows = [
            Row(tuple([self.cell(cell) for cell in row if cell.tag in ("td", "th")]), NO_SPAN)
            for row in element.iter("tr")
        ]
        has_head = len(rows) > 1 and _is_emphasized(rows[0]) and not _is_emphasized(rows[1])
        heads = 1 if has_head else 0
        return table(rows[:heads], rows[heads:])

    def cell(self, element: Element) -> Cell:
        columns = int(element.get("colspan") or 1)
        runs: list[Run] = []
        for item in self.runs(element):
            runs.append(item if isinstance(item, Run) else Run(f" {text_of(item)} "))
        return Cell(inline_nodes(runs), columns)


def _is_emphasized(row: Row) -> bool:
    """Whether all words of `row` are bold or in italics, as those of a head are."""
    nodes = [node for cell in row.cells for node in cell.content if node.text.strip()]
    return bool(nodes) and all(isinstance(node, Strong | Emphasis) for node in nodes)


def _share_descriptions(items: list[DescribedElements]) -> list[DescribedElements]:
    """`items`, where a few tags without a description share that of the next tag."""
    result: list[DescribedElements] = []
    undescribed: list[DescribedElements] = []
    for tags, description in items:
        if description is not None and text_of(description).strip():
            if len(undescribed) <= MAX_UNDESCRIBED_TAGS:
                tags = [*(tag for item in undescribed for tag in item[0]), *tags]
            else:
                result += undescribed
            result.append((tags, description))
            undescribed = []
        else:
            undescribed.append((tags, description))
    return result + undescribed


def _merge_indented(tags: list[list[Run]]) -> list[list[Run]]:
    """`tags`, merged into one if a middle one is indented: "begin", "    script", "end"."""
    if any("".join([run.text for run in tag]).startswith(INDENT) for tag in tags[1:-1]):
        return [[run for tag in tags for run in (*tag, Run(" "))]]
    return tags


def _option_line(draft: Draft) -> list[Run]:
    """The runs of a paragraph that is only an option: "--seq:"; else none."""
    if not isinstance(draft, Prose) or len(split_lines(draft.runs)) > 1:
        return []
    text = plain(draft.runs).rstrip(":")
    tag = slice_runs(draft.runs, 0, "".join([run.text for run in draft.runs]).rfind(text[-1:]) + 1)
    return draft.runs if text.startswith("-") and is_tag(tag) else []


def _option_with_text(draft: Prose) -> Draft:
    """`draft` as a tag and its description if it is an option, a tab, break or colon, and prose.

    Examples: "--all<tab>takes all", "--all: takes all".
    """
    text = "".join(["\t" if run.style == "break" else run.text for run in draft.runs])
    if not text.startswith("-"):
        return draft
    match = OPTION_AND_COLON.match(text) if _starts_with_option(draft.runs) else None
    end = match.end() if match else text.find("\t")
    rest = text[end + 1 :].lstrip()
    if end < 1 or not rest or rest.startswith(("-", "[")):
        return draft
    tag = slice_runs(draft.runs, 0, end)
    prose = drop_start(draft.runs, end + 1)
    if match and prose[0].style != "roman":
        return draft  # "--fair=<yes|no> [default: yes]"
    if not is_tag(slice_runs(tag, 0, end - 1) if match else tag):
        return draft
    return TaggedList([([tag], [Prose(prose)], "")])


def _tag_lone_options(drafts: list[Draft]) -> list[Draft]:
    """`drafts`, where paragraphs that are only an option become tags of what follows each."""
    count = sum(
        _is_lone_option(draft) and isinstance(below, Prose) and not _is_lone_option(below)
        for draft, below in pairwise(drafts)
    )
    if count < MIN_LONE_OPTIONS:
        return drafts
    result: list[Draft] = []
    items: list[TaggedItem] = []
    for draft in drafts:
        if isinstance(draft, Prose) and _is_lone_option(draft):
            if items and not items[-1][1]:
                items[-1][0].append(draft.runs)  # it shares the description
            else:
                items.append(([draft.runs], [], ""))
        elif items:
            items[-1][1].append(draft)
        else:
            result.append(draft)
    return [*result, TaggedList(items)]


def _is_lone_option(draft: Draft) -> bool:
    """Whether `draft` is a paragraph that is only an option: "**--all**, **-a**"."""
    return (
        isinstance(draft, Prose) and _starts_with_option(draft.runs) and _shares_description(draft)
        and not plain(draft.runs).endswith(":")
    )


def _starts_with_option(runs: Sequence[Run]) -> bool:
    """Whether `runs` start with a dash in bold."""
    first = next((run for run in runs if run.text.strip()), None)
    return first is not None and first.style == "bold" and first.text.lstrip().startswith("-")


def _length_before_dash(draft: Draft) -> int:
    """The length of the tag before the dash of a paragraph, 0 if it has none."""
    if not isinstance(draft, Prose) or draft.element is None:
        return 0
    match = DASHED.match("".join([run.text for run in draft.runs]))
    return match.end("tag") if match and starts_literal(draft.runs) else 0


def classes(element: Element) -> list[str]:
    return (element.get("class") or "").split()


def text_of(element: Element) -> str:
    return "".join(element.itertext())


# --- neighbours -----------------------------------------------------------------------


def merge_neighbours(drafts: list[Draft]) -> list[Draft]:
    """`drafts` with each tag and its indented block as one, and the parts of a list as one."""
    result: list[Draft] = []
    for draft in drafts:
        last = result[-1] if result else None
        match draft:
            case IndentedBlock(untagged=True) if isinstance(last, TaggedList):
                last.items[-1][1].extend(draft.body)  # the description continues
            case IndentedBlock() if (
                isinstance(last, TaggedList) and last.by_indent
                and not any(isinstance(block, TaggedList) for block in draft.body)
            ):
                last.items[-1][1].extend(draft.body)  # one more block of the description
            case IndentedBlock() if isinstance(last, Prose) and draft.body and is_tag(last.runs):
                tags = [result.pop()]
                while result and _shares_description(result[-1]):
                    tags.insert(0, result.pop())
                item = ([tag.runs for tag in tags if isinstance(tag, Prose)], draft.body, "")
                _add(result, TaggedList([item], by_indent=True))
            case TaggedList() if (
                isinstance(last, Prose)
                and _starts_with_option(last.runs) and _shares_description(last)
            ):
                terms, description, ids = draft.items[0]
                draft.items[0] = ([last.runs, *terms], description, ids)  # as in mkfs.xfs(8)
                result.pop()
                _add(result, draft)
            case TaggedList() | ItemList():
                _add(result, draft)
            case _:
                result.append(draft)
    return result


def _shares_description(draft: Draft) -> bool:
    """Whether `draft` is a tag that shares the description of the tag below it."""
    if not isinstance(draft, Prose) or not is_tag(draft.runs):
        return False
    return not any(run.style == "roman" and run.text.strip(" ,=|\n") for run in draft.runs)


def _add(drafts: list[Draft], draft: TaggedList | ItemList) -> None:
    """Append `draft` to `drafts`, or its items to the last one if `draft` continues it."""
    last = drafts[-1] if drafts else None
    match last, draft:
        case TaggedList(), TaggedList():
            last.items += draft.items
        case ItemList(), ItemList() if _follows(last, draft):
            last.items += draft.items
        case _:
            drafts.append(draft)


def _follows(last: ItemList, draft: ItemList) -> bool:
    """Whether the items of `draft` continue the list `last`."""
    if not draft.ordered or not last.ordered:
        return last.ordered == draft.ordered
    previous = last.items[-1][0].strip("().[]")
    following = draft.items[0][0].strip("().[]")
    if previous.isdigit() and following.isdigit():
        return int(following) == int(previous) + 1
    return len(previous) == len(following) == 1 and ord(following) == ord(previous) + 1
