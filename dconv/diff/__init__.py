"""What changes in meaning from one state of some manuals to another.

    Side, Side ─compare→ Comparison ─┬─ text  for a mailing list
                                     ├─ data  JSON, described by compare.schema.json
                                     └─ page  a page in the theme of the site

`matching` pairs entries, `outline` sections, `facts` tells what a pair's entries say
otherwise, `wording` which words, `promises` which references break.  All of it is
functions of two lists of linked manuals.
"""

from dconv.diff.compare import compare
from dconv.diff.inventory import Side
from dconv.diff.types import Comparison

__all__ = ["Comparison", "Side", "compare"]
