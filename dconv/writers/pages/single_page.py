"""Old anchors on the edition on one page, beside our own.

An old anchor stands on the heading of an entry, at the link of a heading or term to
itself, at the bold name in an entry's first signature, which becomes an `<a>`, or, where
there is none or no room, in an empty `<a>` inside the element that it means: `id` holds
one without blanks, `name` another, since both are found by browsers and one element
weighs less than two.  Where an old anchor is also an anchor of ours for another
place (`#maxconn` meant the first of four), the old one wins on this page, and ours
gets the number of its section in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dconv.writers.html.escape import attribute
from dconv.writers.legacy.old_anchors import BOTTOM, SUMMARY, TOP

# '<section id="timeout-client" class="entry">', its '<h4', and what leads to the link to itself
# where one follows; 'href="#timeout-client"' of another link
PLACE = re.compile(
    r'(<\w+ id=")([^"]*)("[^>]*>)(\n<h[2-6](?= class="name"))?'
    r'(?:((?: class="name"[^>]*>|<span class="marker">[^<]*</span> )?<a href="#)\2")?'
    r'|(<a href="#)([^"]*)"'
)
# the last empty '<a name="4.2-mode"></a>' of an entry, and the '<b>mode</b>' in its card
NAME = re.compile(
    r'(<section id="[^"]*" class="entry">(?:<a [^>]*></a>)*)<a( [^>]*)></a>'
    r'(\n<h[2-6].*\n(?:<p class="lead.*\n)?<dl class="card".*\n<dt[^>]*>Syntax</dt><dd><code[^>]*>)'
    r"<b>([^<]*)</b>"
)
CONTENTS = '<nav class="contents"'
TITLE = ' class="section"'  # of the heading of a section, whose anchor is mostly its number
EDGES = (TOP, BOTTOM, *SUMMARY)  # of the page itself


def with_aliases(body: str, table: Mapping[str, str]) -> str:
    """`body` of a whole document, with the old anchors of `table` at our places."""
    escaped = {attribute(old): attribute(place) for old, place in table.items()}
    anchors = _anchors(body)
    renamed = _renamed(anchors, escaped)
    given = anchors.keys() - renamed.keys() | {*renamed.values()}
    aliases: dict[str, list[str]] = {}
    for old, place in escaped.items():
        if old not in given:
            aliases.setdefault(place, []).append(old)

    def shown(match: re.Match[str]) -> str:
        if match[2] is None:
            return f'{match[6]}{renamed.get(match[7], match[7])}"'
        anchor = renamed.get(match[2], match[2])
        names = aliases.pop(match[2], [])
        head = match[4] or ""
        if head and (first := next((name for name in names if " " not in name), "")):
            names.remove(first)
            head += f' id="{first}"'
        pairs = _pairs(names)
        link = ""
        if match[5]:
            link = f'{match[5]}{anchor}"{pairs.pop(0) if pairs else ""}'
        empty = "".join(f"<a{pair}></a>" for pair in pairs)
        return f"{match[1]}{anchor}{match[3]}{empty}{head}{link}"

    found = NAME.sub(r"\1\3<a\2>\4</a>", PLACE.sub(shown, body))
    return found.replace(CONTENTS, f"{_empty(SUMMARY)}{CONTENTS}", 1) + _empty((BOTTOM,))


def _anchors(body: str) -> dict[str, str]:
    """Our anchors in `body`, each with that of its section."""
    anchors: dict[str, str] = {}
    number = ""
    for match in PLACE.finditer(body):
        if match[2] is not None:
            if TITLE in match[3]:
                number = match[2]
            anchors.setdefault(match[2], number)
    return anchors


def _renamed(anchors: Mapping[str, str], table: Mapping[str, str]) -> dict[str, str]:
    """New names for those of our `anchors` that meant another place."""
    taken = {*anchors, *(old for old, place in table.items() if old != place)}
    renamed: dict[str, str] = {}
    for anchor, number in anchors.items():
        if anchor in EDGES or table.get(anchor, anchor) != anchor:
            wanted = f"{number}-{anchor}"
            if table.get(wanted) != anchor:
                while wanted in taken:
                    wanted += "-"
            taken.add(wanted)
            renamed[anchor] = wanted
    return renamed


def _empty(names: Iterable[str]) -> str:
    """Empty elements that carry `names`, which are escaped, two on each if possible."""
    return "".join(f"<a{pair}></a>" for pair in _pairs(names))


def _pairs(names: Iterable[str]) -> list[str]:
    """`names`, which are escaped, as attributes of as few elements as possible."""
    plain: list[str] = []
    blank: list[str] = []
    for name in names:
        (blank if " " in name else plain).append(name)
    out: list[str] = []
    while plain or blank:
        identity = f' id="{plain.pop(0)}"' if plain else ""
        other = blank or plain
        name = f' name="{other.pop(0)}"' if other else ""
        out.append(f"{identity}{name}")
    return out
