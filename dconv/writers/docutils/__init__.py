"""The writer of docutils documents: `document` makes them, `places` their ids, `prose` their lines.

`rst` writes a document as reStructuredText, `export` in other formats, and `proof` compares its
words with those of the tree.
"""
