"""What an own theme's templates and sheets hold that browsers refuse to run or to load.

The pages' Content-Security-Policy (https://www.w3.org/TR/CSP3/) refuses it without a word to
the reader: scripts and styles that stand in a page, and files of other hosts.  The policy is
the one in the template that a template extends at last, so that a theme with a base of its
own may allow more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TypeAlias
from urllib.parse import urlsplit

from dconv.model.diagnostics import Diagnostic
from dconv.writers.theme.overrides import COMMENT, PREFIX, Part, Parts

Policy: TypeAlias = Mapping[str, tuple[str, ...]]  # sources by directive

BASE = "base.html.jinja2"
UNKNOWN = "\ufffc"  # in the place of what is put in while a page is rendered
# "{# a note #}", "{% if a %}", "{{ page.root }}"; what does not end reaches to the end
JINJA = re.compile(r"\{#.*?(?:#\}|\Z)|\{%.*?(?:%\}|\Z)|(\{\{.*?(?:\}\}|\Z))", re.DOTALL)
EXTENDS = re.compile(r"""\{%[-+]?\s*extends\s+(["'])(?P<name>[^"']+)\1""")
EVENT = re.compile(r"on[a-z]{3,}")  # "onclick"
# types of scripts that run; others hold data
RUNNING = re.compile(
    r"|module|importmap|speculationrules|(?:text|application)/(?:x-)?(?:java|ecma)script"
)
# "url(https://fonts.example.org/a.woff2)", '@import "https://…"'
OUTSIDE = re.compile(r"""
    (?: (@import) \s+ (?:url\(\s*)? ["']? | url\(\s* ["']? ) ( (?:https?:)? // [^"')\s]+ )
""", re.VERBOSE)
# which directive a file of these needs; what has none here is no file that is loaded
LOADED: Mapping[tuple[str, str], str] = {
    ("script", "src"): "script-src", ("img", "src"): "img-src", ("img", "srcset"): "img-src",
    ("source", "srcset"): "img-src", ("source", "src"): "media-src", ("video", "src"): "media-src",
    ("video", "poster"): "img-src", ("audio", "src"): "media-src", ("track", "src"): "media-src",
    ("iframe", "src"): "frame-src", ("embed", "src"): "object-src",
    ("object", "data"): "object-src", ("form", "action"): "form-action",
}  # fmt: skip
LINKED: Mapping[str, str] = {
    "stylesheet": "style-src", "icon": "img-src", "manifest": "manifest-src",
}
COPY = "take a copy into static/"  # where files of the site are allowed
ALLOW = "leave it out, or allow it in a base.html.jinja2 of your own, which extends nothing"
ANYTHING = ("*", "'unsafe-inline'", "data:")  # what is allowed where nothing is said


def refused(own: Parts, default: Parts) -> Iterator[Diagnostic]:
    """What of the theme `own` no browser runs or loads, beside the templates of `default`."""
    for name, part in own.templates.items():
        policy = _policy(name, own, default, ())
        for line, column, message in _refused(part.text, policy):
            yield Diagnostic(part.path, line, column, "warning", "theme-policy", message)
    policy = _policy(BASE, own, default, ())
    for part in own.static.values():
        yield from _sheet(part, policy)


# --- the policy -----------------------------------------------------------------------


def _policy(name: str, own: Parts, default: Parts, seen: tuple[str, ...]) -> Policy:
    """The policy of pages made of the template `name`; empty where they have none.

    What is no page of its own is a part of those that extend the base.
    """
    ours = None if name.startswith(PREFIX) else own.templates.get(name)
    part = ours or default.templates.get(name.removeprefix(PREFIX))
    if part is None or name in seen:
        return {}
    above = EXTENDS.search(part.text)
    if above:
        return _policy(above["name"], own, default, (*seen, name))
    page = _read(part.text)
    return page.policy if page.whole else _policy(BASE, own, default, (*seen, name))


def _parsed(content: str) -> Policy:
    """`default-src 'none'; img-src 'self' data:` as sources by directive; the first one counts."""
    found: dict[str, tuple[str, ...]] = {}
    for directive in content.split(";"):
        words = directive.split()
        if words:
            found.setdefault(words[0].lower(), tuple(words[1:]))
    return found


def _sources(policy: Policy, directive: str) -> tuple[str, ...]:
    """What `directive` allows; default-src stands for all but where a form may be sent."""
    default = ANYTHING if directive == "form-action" else policy.get("default-src", ANYTHING)
    return policy.get(directive, default)


def _allows_inline(policy: Policy, directive: str) -> bool:
    """Whether what stands in a page may be used; some of it may where sources name a digest."""
    return any(
        source.startswith(("'unsafe-inline'", "'nonce-", "'sha")) or UNKNOWN in source
        for source in _sources(policy, directive)
    )


def _allows(policy: Policy, directive: str, address: str) -> bool:
    """Whether `directive` allows a file at `address`; one that is made later is of the site."""
    sources = _sources(policy, directive)
    if any(UNKNOWN in source for source in sources):
        return True
    try:
        parts = urlsplit(address.strip().replace(UNKNOWN, ""))
    except ValueError:
        return True  # no address that a browser would load
    if address.startswith(UNKNOWN) or not (parts.scheme or parts.netloc):
        return any(source != "'none'" for source in sources)
    if parts.scheme not in ("", "http", "https"):
        return f"{parts.scheme}:" in sources
    return any(
        source in ("*", f"{parts.scheme or 'https'}:") or _is_host(source, parts.hostname or "")
        for source in sources
    )


def _is_host(source: str, host: str) -> bool:
    """Whether the source `https://*.example.org:443/a` names `host`."""
    named = source.partition("://")[2] or source
    named = named.partition("/")[0].partition(":")[0]
    return host == named or (named.startswith("*.") and host.endswith(named[1:]))


# --- templates ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag with its attributes and its place, line and column."""

    name: str
    attributes: Mapping[str, str]
    line: int
    column: int


@dataclass(slots=True)
class _Page:
    """What stands in a template: its tags, its policy, and whether it is a whole page."""

    tags: list[_Tag] = field(default_factory=list)
    policy: Policy = field(default_factory=dict)
    whole: bool = False


class _Reader(HTMLParser):
    """Reads the tags of a template, whose own words are blanks."""

    def __init__(self) -> None:
        super().__init__()
        self.page = _Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line, column = self.getpos()
        attributes = {name: value or "" for name, value in reversed(attrs)}
        self.page.tags.append(_Tag(tag, attributes, line, column + 1))
        self.page.whole |= tag == "html"
        if attributes.get("http-equiv", "").lower() == "content-security-policy":
            self.page.policy = _parsed(attributes.get("content", ""))


def _read(template: str) -> _Page:
    """The tags of `template`; what is put in while a page is rendered is unknown."""

    def blank(match: re.Match[str]) -> str:
        lines = "\n" * match[0].count("\n")
        return f"{UNKNOWN}{lines}" if match[1] else re.sub(r"[^\n]", " ", match[0])

    reader = _Reader()
    # a marked section, "<![if IE]>", which is a comment to browsers and an error to the parser
    reader.feed(JINJA.sub(blank, template).replace("<![", "<!_"))
    reader.close()
    return reader.page


def _refused(template: str, policy: Policy) -> Iterator[tuple[int, int, str]]:
    """What `policy` refuses in `template`, each with its line and column."""
    for tag in _read(template).tags:
        for message in (*_inline(tag, policy), *_loaded(tag, policy)):
            yield tag.line, tag.column, message


def _inline(tag: _Tag, policy: Policy) -> Iterator[str]:
    """What stands in the page itself."""
    if not _allows_inline(policy, "script-src"):
        running = RUNNING.fullmatch(tag.attributes.get("type", "").strip().lower())
        if tag.name == "script" and "src" not in tag.attributes and running:
            yield _told("a script in the page", "put it into a file below static/")
        for name, value in tag.attributes.items():
            if EVENT.fullmatch(name):
                yield _told(f"the attribute '{name}'", "listen to the event in a script")
            elif name in ("href", "action") and value.lower().lstrip().startswith("javascript:"):
                yield _told(f"the script in '{name}'", "put it into a file below static/")
    if not _allows_inline(policy, "style-src"):
        if tag.name == "style":
            yield _told("a style sheet in the page", "put it into a file below static/")
        if "style" in tag.attributes:
            yield _told("the attribute 'style'", "give a class, and its style in a sheet")


def _loaded(tag: _Tag, policy: Policy) -> Iterator[str]:
    """Files that the page loads, and where it sends what is typed."""
    for (name, attribute), directive in LOADED.items():
        if name == tag.name and attribute in tag.attributes:
            yield from _address(tag.attributes[attribute], attribute, policy, directive)
    if tag.name == "link":
        for word in tag.attributes.get("rel", "").lower().split():
            if word in LINKED and "href" in tag.attributes:
                yield from _address(tag.attributes["href"], "href", policy, LINKED[word])


def _address(written: str, attribute: str, policy: Policy, directive: str) -> Iterator[str]:
    """A message where `directive` refuses what is `written` in an attribute."""
    found = written.split(",") if attribute == "srcset" else [written]
    for address in [one.strip().split(" ")[0] for one in found]:
        if not _allows(policy, directive, address):
            shown = address.replace(UNKNOWN, "…")
            own = directive != "form-action" and _allows(policy, directive, "copy")
            yield _told(f"'{shown}'", COPY if own else ALLOW, directive)


def _told(what: str, instead: str, directive: str = "") -> str:
    by = f" ({directive})" if directive else ""
    return f"the Content-Security-Policy of pages refuses {what}{by}: {instead}"


# --- sheets ---------------------------------------------------------------------------


def _sheet(part: Part, policy: Policy) -> Iterator[Diagnostic]:
    """Files of other hosts that a sheet loads."""
    text = COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), part.text)
    for match in OUTSIDE.finditer(text):
        directives = ("style-src",) if match[1] else ("img-src", "font-src")
        if not any(_allows(policy, one, match[2]) for one in directives):
            line = text.count("\n", 0, match.start(2)) + 1
            column = match.start(2) - text.rfind("\n", 0, match.start(2))
            told = _told(f"'{match[2]}'", COPY, directives[0])
            yield Diagnostic(part.path, line, column, "warning", "theme-policy", told)
