"""Scripts of a release that a page loads when a reader wants to see more of an entry.

`previews.js`: what is seen of a place before its link is followed.  Pages load it once, when the
first link to another page is pointed at or focused.  Of a place on the same page, the page itself
has all that is shown.

    dconvReader.addPreviews({"guide/4.2.html": {"balance": [kind, syntax, sentence, releases]}})

`4.2.texts.js` beside the page of each section: the words of its entries, which are loaded when a
reader compares an entry of the page, or of the same page in another release.

    dconvReader.addTexts({"balance": ["balance <algorithm>", "sections: defaults yes, …", …]})
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.linking.passages import SENTENCE_END, passage_texts
from dconv.model import tree
from dconv.model.values import dataclass
from dconv.writers.html.escape import one_line
from dconv.writers.pages.filenames import PREVIEWS
from dconv.writers.pages.names import DefinedName
from dconv.writers.pages.page import Release, ReleaseDocument
from dconv.writers.pages.versions import ProductVersions, presence
from dconv.writers.site_files import SectionFiles, SiteFile, json_script

MAX_SIGNATURES = 3  # of one name
MAX_LENGTH = 240  # characters of a sentence


@dataclass(frozen=True, slots=True)
class _Preview:
    """What is seen of a place; `entry_anchor` is that of the entry that it names, or empty."""

    kind: str  # of a name; of a term it is the title of its entry
    syntax: str
    sentence: str
    entry_anchor: str = ""


def previews_file(
    release: Release, section_files: SectionFiles, versions: ProductVersions | None
) -> SiteFile:
    """The file of previews of `release`; `versions`, if any, know where an entry is."""
    pages: dict[str, dict[str, tuple[str, str, str, str]]] = {}
    for document in release.documents:
        files = section_files[document.manual.name]
        for index, previews in enumerate(_previews(document)):
            path = f"{document.manual.name}/{files[index]}"
            for anchor, preview in previews.items():
                releases = presence(
                    document.manual.name, preview.entry_anchor, release.version, versions
                )
                page = pages.setdefault(path, {})
                page[anchor] = (preview.kind, preview.syntax, preview.sentence, releases)
    return f"{release.folder}/{PREVIEWS}", json_script("dconvReader.addPreviews", pages)


def _previews(document: ReleaseDocument) -> Iterator[dict[str, _Preview]]:
    """For each section of `document` the previews of its places, by anchor."""
    names: dict[int, list[DefinedName]] = {}
    for name in document.names:
        names.setdefault(name.section_index, []).append(name)
    signatures: dict[str, list[str]] = {}  # by their anchors, and all of an entry by its anchor
    for _, entry in tree.entries(document.manual):
        for signature in entry.signatures:
            for anchor in {entry.anchor, signature.anchor}:
                signatures.setdefault(anchor, []).append(signature.text)
    for index, section in enumerate(tree.sections(document.manual)):
        previews = dict(_terms(section))
        for name in names.get(index, ()):
            if name.anchor:
                syntax = _syntax(name, signatures.get(name.anchor, ()))
                entry_anchor = name.entry.anchor if name.entry else ""
                sentence = _first_sentence(name.summary)
                previews[name.anchor] = _Preview(name.kind, syntax, sentence, entry_anchor)
        yield previews


def _terms(section: tree.Section) -> Iterator[tuple[str, _Preview]]:
    """The anchors of the terms in the entries of `section`, and their previews."""
    for block in section.body:
        if isinstance(block, tree.Entry):
            for node in tree.walk(block.body):
                if isinstance(node, tree.Definition):
                    for term in node.terms:
                        if term.anchor:
                            syntax = tree.plain_text(term.content)
                            first = node.body[0] if node.body else None
                            prose = first.content if isinstance(first, tree.Paragraph) else ()
                            sentence = _first_sentence(tree.plain_text(prose))
                            yield term.anchor, _Preview(block.title, syntax, sentence)


def _syntax(name: DefinedName, signatures: Sequence[str]) -> str:
    """The `signatures` of a name, a line each."""
    if name.entry is None:
        return name.display_name
    ellipsis = ["…"] if len(signatures) > MAX_SIGNATURES else []
    return "\n".join([*signatures[:MAX_SIGNATURES], *ellipsis])


def _first_sentence(text: str) -> str:
    """The first sentence of `text`, cut at a word if it is too long."""
    sentence = SENTENCE_END.split(one_line(text), maxsplit=1)[0]
    if len(sentence) <= MAX_LENGTH:
        return sentence
    return sentence[:MAX_LENGTH].rsplit(" ", 1)[0] + " …"


def entry_text_files(release: Release, section_files: SectionFiles) -> Iterator[SiteFile]:
    """The file of the words of entries for each section of `release` that has some."""
    for document in release.documents:
        name = document.manual.name
        files = section_files[name]
        for file, section in zip(files, tree.sections(document.manual), strict=True):
            texts = {
                node.anchor: list(_lines(node)) for node in tree.walk(section.body)
                if isinstance(node, tree.Entry)
            }
            if texts:
                path = f"{release.folder}/{name}/{file.removesuffix('.html')}.texts.js"
                yield path, json_script("dconvReader.addTexts", texts)


def _lines(entry: tree.Entry) -> Iterator[str]:
    """The signatures of `entry`, where it may be used, and its passages."""
    for signature in entry.signatures:
        yield signature.text
    for usage in entry.usages:
        yield f"{usage.kind}: {', '.join(' '.join(value).strip() for value in usage.values)}"
    yield from passage_texts(entry.body)
