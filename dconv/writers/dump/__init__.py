"""The tree as indented text, for goldens and bug reports, and as JSON, for other programs.

An editor, a language server or a linter reads the JSON.  `dump.schema.json` describes it.
"""
