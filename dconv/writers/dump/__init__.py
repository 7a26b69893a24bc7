"""The tree for other eyes: as indented text and as JSON.

The text is for goldens and bug reports, the JSON for other programs: an editor,
a language server, a linter.  `dconv/writers/dump/dump.schema.json` describes the JSON.
"""

from dconv.writers.dump.data import SCHEMA, json_text
from dconv.writers.dump.text import tree

__all__ = ["SCHEMA", "json_text", "tree"]
