"""The writer of docutils documents: `doctree` makes them, `link_targets` ids, `prose` lines.

`rst` writes a document as reStructuredText, `export` in other formats, and `proof` compares its
words with those of the tree.
"""
