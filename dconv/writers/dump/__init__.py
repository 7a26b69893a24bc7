"""The tree as indented text, for goldens and bug reports, and as JSON, for other programs.

An editor, a language server or a linter reads the JSON.  `dump.schema.json` describes
it.
"""

from dconv.writers.dump.data import SCHEMA, json_text
from dconv.writers.dump.text import tree

__all__ = ["SCHEMA", "json_text", "tree"]
