"""The tree for other eyes: as indented text and as JSON.

The text is for goldens and bug reports, the JSON for other programs: an editor,
a language server, a linter.  `dconv/dump.schema.json` describes the JSON.
"""

from dconv.dump.data import SCHEMA, json_text
from dconv.dump.text import tree

__all__ = ["SCHEMA", "json_text", "tree"]
