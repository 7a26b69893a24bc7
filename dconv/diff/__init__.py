"""What changes in meaning from one state of some manuals to another.

    Side, Side ─compare→ Comparison ─┬─ text  for a mailing list
                                     ├─ data  JSON, described by diff.schema.json
                                     └─ page  in the theme of the site

`dconv.linking.matching` pairs entries and sections; `facts` says what differs in a pair
of entries, `wording` which words of their `passages`, `references` which of them break.
"""

from dconv.diff.compare import compare
from dconv.diff.side import Side
from dconv.diff.types import Comparison

__all__ = ["Comparison", "Side", "compare"]
