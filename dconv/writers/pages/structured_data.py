"""What a page is, for search engines: JSON-LD in the words of https://schema.org.

A text is a `TechArticle` about a version of the software, another page a `WebPage`; the pages above
it are its `BreadcrumbList`.  Addresses are absolute, so there is nothing without a public one.
"""

from __future__ import annotations

import json
from urllib.parse import urljoin

from markupsafe import Markup

from dconv.writers.pages.overview import canonical_address
from dconv.writers.pages.page import Page

TEXTS = ("manual", "section", "single-page", "document")  # kinds of pages that show a text
# no character that ends a script element, or begins a comment in it
ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}


def structured_data(page: Page) -> Markup:
    """The JSON-LD of `page`, to stand in a script element; empty without a public address.

    It has no language, which the HTML states, and no site, which is the first of the breadcrumbs.
    """
    if not page.site.url:
        return Markup()
    address = canonical_address(page.site, page.path)
    record: dict[str, object] = {
        "@type": "TechArticle" if page.kind in TEXTS else "WebPage",
        "headline": page.heading, "description": page.description, "url": page.canonical or address,
    }
    if page.product:
        software = {"@type": "SoftwareApplication", "name": page.product}
        record["about"] = software | ({"softwareVersion": page.version} if page.version else {})
    if page.date:
        record["dateModified"] = page.date
    graph = [record]
    if page.breadcrumbs:
        graph.append({"@type": "BreadcrumbList", "itemListElement": [
            {
                "@type": "ListItem", "position": position,
                "name": f"{link.number} {link.title}".strip(), "item": urljoin(address, link.href),
            }
            for position, link in enumerate(page.breadcrumbs, 1)
        ]})
    value = {"@context": "https://schema.org", "@graph": graph}
    return Markup(json.dumps(value, separators=(",", ":")).translate(ESCAPES))  # ASCII
