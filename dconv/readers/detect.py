"""Detect the format of a text by its bytes: a function for each format.

This module imports no reader, since a reader may import a library that most commands do without.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

# a line that is no request: empty, or a comment
ROFF_COMMENT = re.compile(rb"[.'][ \t]*(?:\\[\"#].*)?|\\\.?[\"#].*|\s*")
# requests that manual pages begin with, and those that come before
ROFF_TITLE = re.compile(rb"[.'][ \t]*(?:TH|Dd|Dt|so)[ \t]")
ROFF_PREAMBLE = re.compile(
    rb"[.'][ \t]*(?:ie|el|if|de|de1|am|nr|ds|tr|hw|ad|nh|na|mso|lf|rn|rm|als|ft|pl|fp|hy|cs|ig|ss"
    rb"|ec|eo|do|warn|Id|pc|ll|SH|IX|Sh|tm|ne|\\})\b"
)
# a title on any line, also below a condition: ".if !'po4a'hide' .TH squid 8"
ROFF_TITLE_LINE = re.compile(
    rb"^[.'][ \t]*(?:(?:if|ie)[ \t][^\n]{1,40}[ \t][.'])?(?:TH|Dd)[ \t]", re.MULTILINE
)
# what a page starts with: comments and declarations, then its type or first element
HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*){0,5}"
    rb"<(?:!doctype\s+html\b|html\b)",
    re.IGNORECASE | re.DOTALL,
)
# ".. option:: name", ".. _label:", ".. |name| image:: file" at the margin; it begins with the dots,
# which `re` finds ten times as fast as the start of a line
RST_MARKUP = re.compile(
    rb"\.\.[ ](?<![^\n]\.\.[ ])"
    rb"(?:[a-z][\w:-]*::(?:[ \t\r]|$)|_[^:\n]+:(?:[ \t\r]|$)|\|\S[^|\n]*\|[ ]\w+::)",
    re.MULTILINE,
)
# a title and the line below it
RST_TITLE = re.compile(
    rb"^(?P<title>\S[^\n]*?)[ \t\r]*\n(?P<underline>([=\-~^*+#\"'`.:_])\3{2,})[ \t\r]*$",
    re.MULTILINE,
)
# a fence of Markdown: what is in it may be anything
MARKDOWN_FENCE = re.compile(rb"^(?:```|~~~[^~])", re.MULTILINE)


def is_binary(content: bytes) -> bool:
    """Whether `content` has NUL bytes; UTF-16 has them in text."""
    return b"\0" in content and not content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def is_pdf(content: bytes) -> bool:
    """Whether `content` is a PDF."""
    return content.startswith(b"%PDF-")


def is_compressed(content: bytes) -> bool:
    """Whether `content` is compressed by xz, bzip2 or zstd."""
    return content.startswith((b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd")) or (
        content.startswith(b"BZh") and content[4:10] == b"1AY&SY"
    )


def is_man_page(content: bytes) -> bool:
    """Whether `content` looks like a manual page in roff."""
    for line in content[:50_000].split(b"\n", 2000):
        line = line.rstrip(b"\r")
        if ROFF_COMMENT.fullmatch(line):
            continue
        if ROFF_TITLE.match(line):
            return True
        return ROFF_PREAMBLE.match(line) is not None and ROFF_TITLE_LINE.search(content) is not None
    return False


def is_html(content: bytes) -> bool:
    """Whether `content` starts as a page of HTML does."""
    return HTML_START.match(content) is not None


def is_rst(content: bytes) -> bool:
    """Whether `content` has explicit markup at the margin, and an underlined title."""
    return (
        RST_MARKUP.search(content) is not None and MARKDOWN_FENCE.search(content) is None
        and any(len(match["underline"]) >= len(match["title"].decode("utf-8", "replace"))
                for match in RST_TITLE.finditer(content))
    )
