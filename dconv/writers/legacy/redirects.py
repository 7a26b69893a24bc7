"""Redirects from the addresses of haproxy-dconv's pages to ours, for four servers.

    redirects/nginx.conf     a `map`, to include in `http`
    redirects/apache.conf    `Redirect` directives, to include in a virtual host
    redirects/caddy.conf     a `map` with `redir`, to import into the block of a site
    redirects/haproxy.map    old and new addresses, with haproxy.cfg to read it

The fragment of an address never reaches a server: browsers keep it across a redirect, and the
new page has the anchor.  Formats: nginx, ngx_http_map_module; Apache,
mod_alias; Caddy, the directives `map` and `redir`; HAProxy, `map_str`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from dconv.model.lifecycle import DEVELOPMENT, newest_first
from dconv.settings.types import Product
from dconv.sources.texts import ReleaseTexts
from dconv.writers.site_files import SiteFile

FOLDER = "redirects"  # below the site's root
MAX_KEY_LENGTH = 40  # characters that fit into a bucket of nginx's hash by default
NGINX = """\
# Redirects from the pages of haproxy-dconv.  Include this file in `http`, and in `server` write
#     if ($old_page) { return 301 $old_page$is_args$args; }
map $uri $old_page {
    default "";
"""
APACHE = """\
# Redirects from the pages of haproxy-dconv.  Include this file in a <VirtualHost>; it needs
# the module alias.
"""
CADDY = """\
# Redirects from the pages of haproxy-dconv.  Import this file into the block of the site.
@old_page expression `{old_page} != ""`
@old_page_with_query expression `{old_page} != "" && {query} != ""`
redir @old_page_with_query {old_page}?{query} permanent
redir @old_page {old_page} permanent
map {path} {old_page} {
    default ""
"""
HAPROXY = """\
# Redirects from the pages of haproxy-dconv.  Copy haproxy.map to the path that is used here, and
# these lines into the frontend.
    http-request set-var(txn.old_page) path,map_str(/etc/haproxy/redirects/haproxy.map)
    http-request redirect code 301 location "%[var(txn.old_page)]?%[query]" \
if { var(txn.old_page) -m found } { query -m len gt 0 }
    http-request redirect code 301 location "%[var(txn.old_page)]" \
if { var(txn.old_page) -m found }
"""


def redirect_files(redirects: Iterable[tuple[str, str]], base: str) -> Iterator[SiteFile]:
    """The files for `redirects`; none if these are empty.

    `base` is the path of the site on its server (`/docs`), or empty.  An old address points to the
    first of its new ones.
    """
    base_path = quote(base, safe="/~%")  # without characters that servers interpret
    table: dict[str, str] = {}
    for old, new in redirects:
        table.setdefault(old, base_path + new)
    rows = sorted((old, new) for old, new in table.items() if old != new)
    if not rows:
        return
    nginx = "".join(f"    {_nginx_key(old)} {new};\n" for old, new in rows)
    apache = "".join(f"Redirect permanent {old} {new}\n" for old, new in rows)
    caddy = "".join(f"    {old} {new}\n" for old, new in rows)
    lines = "".join(f"{old} {new}\n" for old, new in rows)
    yield f"{FOLDER}/nginx.conf", f"{NGINX}{nginx}}}\n".encode()
    yield f"{FOLDER}/apache.conf", f"{APACHE}{apache}".encode()
    yield f"{FOLDER}/caddy.conf", f"{CADDY}{caddy}}}\n".encode()
    yield f"{FOLDER}/haproxy.map", lines.encode()
    yield f"{FOLDER}/haproxy.cfg", HAPROXY.encode()


def _nginx_key(old: str) -> str:
    """`old` as a key of a map; a pattern if it is too long for nginx's hash."""
    if len(old) <= MAX_KEY_LENGTH:
        return old
    return f'"~^{old.replace(".", "[.]").replace("+", "[+]")}$"'


def redirects(releases: Sequence[ReleaseTexts], date: str) -> Iterator[tuple[str, str]]:
    """Old and new addresses of the documents of `releases`, the newest of a product first.

    An old address points to the first of its new ones.  That of a release that the site does not
    have points to the nearest newer release of the site, or else to the latest one.
    """
    products = {
        (texts.product_name, text.product.name): text.product
        for texts in releases for text in texts.texts
    }
    for (name, _), product in products.items():
        published = [texts for texts in releases if texts.product_name == name]
        for texts in published:
            versions = [texts.version]
            if product.old_links.development_name and _is_development(texts, date):
                versions.append(product.old_links.development_name)
            yield from _redirects_of(texts, product, versions)
        for version in _missing_versions(published, product, date):
            for texts in _replacements(version, published, date):
                yield from _redirects_of(texts, product, [version])


def _redirects_of(
    texts: ReleaseTexts, product: Product, versions: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The addresses that the documents of `texts` had as those of `versions`."""
    documents = [
        text.document.name for text in texts.texts
        if text.product.name == product.name and text.document.name in product.old_links.documents
    ]
    for address in product.old_links.addresses:
        for version in versions:
            for document in documents:
                old = address.replace("{version}", version).replace("{document}", document)
                yield old, f"/{texts.product_name}/{texts.version}/{document}.html"


def _is_development(texts: ReleaseTexts, date: str) -> bool:
    return texts.lifetime(date).status == DEVELOPMENT


def _missing_versions(
    published: Sequence[ReleaseTexts], product: Product, date: str
) -> Iterator[str]:
    """The names in old addresses of releases that are not `published`."""
    versions = {texts.version for texts in published}
    yield from (release.version for release in product.releases if release.version not in versions)
    development_name = product.old_links.development_name
    if development_name and not any(_is_development(texts, date) for texts in published):
        yield development_name


def _replacements(version: str, published: Sequence[ReleaseTexts], date: str) -> list[ReleaseTexts]:
    """The releases to read instead of `version`, the best first.

    First come newer ones of those `published`, the nearest first, then the others, the newest
    first.  A development version comes only if there is no other.
    """
    releases = [texts for texts in published if not _is_development(texts, date)] or list(published)
    numbered = [texts for texts in releases if texts.version[:1].isdigit()]
    if not version[:1].isdigit() or not numbered:
        return releases
    order = newest_first([version, *(texts.version for texts in numbered)])
    index = order.index(0)
    ranked = [*reversed(order[:index]), *order[index + 1 :]]
    return [numbered[position - 1] for position in ranked]
