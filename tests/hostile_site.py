"""A site of manuals that mean harm, for browsers: everything that can hold words holds code.

Code that runs leaves a mark, `window.__pwned`, or asks a host that does not exist.
"""

from __future__ import annotations

from pathlib import Path

from programs import write_tree

from dconv.build.schedule import build_site
from dconv.model.origin import Origin
from dconv.settings.manual import default_product, load_product
from dconv.settings.types import DocumentSetting, Product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.listings import Link
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load

TESTS = Path(__file__).parent
PAYLOADS = (
    "<script>window.__pwned=1</script>",
    '"><img src=x onerror=window.__pwned=1>',
    "'><svg/onload=window.__pwned=1>",
    '" autofocus onfocus="window.__pwned=1',
    "' onmouseover='window.__pwned=1",
    "</title><script>window.__pwned=1</script>",
    "</style></textarea></pre></code><script>window.__pwned=1</script>",
    "<!--", "--><script>window.__pwned=1</script>", "]]><script>window.__pwned=1</script>",
    "javascript:window.__pwned=1", "JaVaScRiPt:window.__pwned=1",
    "data:text/html,<script>1</script>",
    "http://evil.example/\"onclick=\"window.__pwned=1", "https://evil.example/<script>",
    "<iframe src=//evil.example></iframe>", "<base href=//evil.example/>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<link rel=stylesheet href=//evil.example>", "<form action=//evil.example><input name=x>",
    "<a href=javascript:window.__pwned=1>x</a>", "<style>@import '//evil.example'</style>",
    "&lt;script&gt;window.__pwned=1&lt;/script&gt;", "&#60;script&#62;", "%3Cscript%3E",
    "{{ 7 * 7 }}{% include '/etc/passwd' %}{# x #}", "${window.__pwned=1}", "`${window.__pwned=1}`",
    "\\\";window.__pwned=1;//", "\\u003cscript>", "</script><script>window.__pwned=1//",
    "__proto__", "constructor", "toString", "hasOwnProperty", "-main", "-nav", "-search",
    "\u2028window.__pwned=1\u2029", "\u202egnp.exe\u202c", "\u2066\u200f\ufeff",
    "\x01\x1b[31m\x7f\x9b",
    "\ufdd0\uffff\U0001fffe", "\ud800 \udfff", "\U0001f600\u0301",
)  # fmt: skip
# titles of sections that become names of files
PATHS = (
    "../../x", "..", ".", "con", "con.txt", "NUL", "a/b", "a\\b", "C:\\x", "x...", "x   ", "???",
    "*", "index", "INDEX", "404", "keywords", "static", "-", "~", "é", "\u0130", "x" * 300,
    "%2e%2e%2fx", "Same", "same", "SAME", "sAme", "search-names.js", "<>", "a:b|c?d*e",
)  # fmt: skip
SITE_INFO = SiteInfo(
    'Manuals <script>window.__pwned=1</script> "of" {{ 7 * 7 }}', "dconv test",
    "https://docs.example.org/manuals/", date="2026-11-21", latest=True, lunr=True,
    footer="</footer><script>window.__pwned=1</script>",
    links=(Link('"><script>window.__pwned=1</script>', "https://www.example.org/?a=b&c='x'"),),
)


def build(folder: Path) -> Path:
    """Write the site into `folder`, which is given back."""
    product = load_product(TESTS / "spec")
    releases = [
        _release(product, "2.0", numbered(PAYLOADS)),
        _release(product, "2.1", numbered(PAYLOADS[::-1])),
        _release(default_product(), "1.0", unnumbered()),
    ]
    write_tree(build_site(releases, SITE_INFO, load("default")), folder)
    return folder


def numbered(payloads: tuple[str, ...]) -> bytes:
    """A manual of the dialect of the examples, with each payload in each construct."""
    first = payloads[0]
    head = f"{' ' * 17}----\n{' ' * 17}{first} Relay\n{' ' * 17}----\n{' ' * 17}version {first}\n\n"
    titles = "".join(
        f"1.{index}. {payload}\n---\n\n{_prose(payload)}"
        for index, payload in enumerate(payloads, 1)
    )
    entries = "".join(_entry(index, payload) for index, payload in enumerate(payloads))
    terms = "".join(
        f"{payload}\n  A term.\n\n\"{payload}\" : a quoted term\n\n" for payload in payloads
    )
    text = (
        f"{head}1. {first}\n---\n\n{titles}2. Directives\n-------------\n\n{entries}"
        f"3. Terms\n--------\n\n{terms}"
    )
    return text.encode("utf-8", "surrogatepass") + b"\nA byte \xff\xfe that is none.\n"


def _prose(text: str) -> str:
    return (
        f'See "{text}" and {text}, `{text}`, <{text}> and section 1.2, "{text}".\n\n'
        f"- {text}\n- {text} : {text}\n\n1. {text}\n2. {text}\n\n    {text}\n\n"
        f"Note: {text}\n\n{text}   {text}\n{text}   {text}\n\n"
        f"+------+------+\n| {text} | {text} |\n+------+------+\n"
        f"| {text} | x |\n+------+------+\n\n"
    )


def _entry(index: int, text: str) -> str:
    word = text if text.isascii() and text.replace("_", "").isalpha() else "speed"
    return (
        f"{word.lower()}-{index} <{text}> [ {text} ]   (deprecated)\nx{text}\n"
        f"  {text} is what it does.\n\n"
        f"  May be used in sections :   {text} | b | c\n{' ' * 30}yes | {text} | no\n\n"
        f"  Arguments :\n    <{text}>  {text}\n\n    {text} : {text}\n\n"
        f"  Example : {text}\n      speed {text}\n      # {text}\n\n"
        f'  See also : "{text}", {text}\n\n'
    )


def unnumbered() -> bytes:
    """A manual of no dialect whose titles are names of files, and 300 of one name."""
    titles = "".join(f"{path}\n=======\n\nText of a section.\n\n" for path in PATHS)
    return (titles + "Twin\n====\n\nText.\n\n" * 300).encode()


def _release(product: Product, version: str, text: bytes) -> ReleaseTexts:
    setting = DocumentSetting("manual", "manual.txt", "<b>Manual</b>", "<script>1</script>")
    origin = Origin("<script>.txt", "https://www.example.org/\"'<script>", "2026-06-03")
    source = SourceText(text, "<script>.txt", product, setting, origin)
    title = "<i>Relay</i>" if product.title else "<b>plain</b>"
    return ReleaseTexts(product.name, title, version, "", (source,))
