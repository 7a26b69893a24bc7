"""Parts of the way from the tree to docutils: ids, prose, front matter, and back to text.

`dconv.writers.docutils.document` puts the first three together; `rst` writes what it made as
reStructuredText, `proof` compares its words with those of the source.
"""
