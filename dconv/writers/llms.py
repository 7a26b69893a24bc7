"""The list of a site's texts in Markdown, for language models.

    llms.txt    at the root, as https://llmstxt.org proposes: the latest release of each product,
                and the others as optional
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dconv.writers.pages.listings import ReleaseCard
from dconv.writers.pages.overview import canonical_address
from dconv.writers.pages.page import SiteInfo
from dconv.writers.site_files import SiteFile

MARKDOWN = "markdown"  # the format that a site exports
LLMS = "llms.txt"
LLMS_FULL = "llms-full.txt"  # beside a release's home: all its documents as one text


def llms(
    site: SiteInfo, description: str, release_cards: Iterable[ReleaseCard]
) -> Iterator[SiteFile]:
    """The list of the texts of a site for language models, with older releases as optional."""
    if MARKDOWN not in site.exports:
        return
    lines = [f"# {site.title}", "", f"> {description}", ""]
    lines += ["Each page of a section has its text as Markdown, too: at `.md` instead of `.html`."]
    lines.append("")
    optional = ["## Optional", ""]
    for card in release_cards:
        if card.latest:
            lines += [f"## {card.link.title}", ""]
        links = lines if card.latest else optional
        prefix = "" if card.latest else f"{card.link.title}: "
        folder = card.link.href.removesuffix("index.html")
        for document_card in card.cards:
            path = document_card.link.href.removesuffix("/index.html")
            address = canonical_address(site, path) or path
            description = f": {document_card.description}" if document_card.description else ""
            links.append(f"- [{prefix}{document_card.link.title}]({address}.md){description}")
        whole = canonical_address(site, f"{folder}{LLMS_FULL}") or f"{folder}{LLMS_FULL}"
        links.append(f"- [{prefix}all documents as one text]({whole})")
        if card.latest:
            lines.append("")
    lines += optional if len(optional) > 2 else []
    yield LLMS, ("\n".join(lines).rstrip("\n") + "\n").encode()
