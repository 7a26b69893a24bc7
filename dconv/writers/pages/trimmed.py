"""What the edition of a document on one page goes without.

It is there to be read from end to end, searched in and printed, and for old links; it
holds as many entries as all other pages together.  So it is without

    what mentions an entry     a search in the page would find each name in all these
                               lists, and paper has no use for folded ones
    links of terms to themselves  addresses to hand out are those of the sections' pages,
                               which are lighter; the anchors stay
    filters of matrices        a search in the page finds the row
"""

from __future__ import annotations

import re

BACKLINKS = re.compile(r'<details class="backlinks" data-added>.*\n')
FILTER = re.compile(r'<div class="filter.*\n')
# '<dt id="balance.static-rr"><a href="#balance.static-rr">static-rr</a>'; not where the link
# carries an old anchor
TERM = re.compile(
    r'(<dt id="([^"]*)">(?:<span class="marker">[^<]*</span> )?)<a href="#\2">(.*?)</a>'
)


def trimmed(body: str) -> str:
    """`body` of a whole document, as fragments of `html`, without these."""
    return TERM.sub(r"\1\3", FILTER.sub("", BACKLINKS.sub("", body)))
