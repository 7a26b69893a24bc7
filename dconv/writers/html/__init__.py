"""The tree to HTML: the only place that writes tags of a body.

`flow` is the match over all nodes; `card` writes the head of an entry, `inlines`
a line of prose, `preformatted` code and drawings, `front` what stands before the
first section.
"""

from dconv.writers.html.flow import blocks, heading, proven
from dconv.writers.html.front import contents, cover, preface

__all__ = ["blocks", "contents", "cover", "heading", "preface", "proven"]
