"""Search: the data files of a release, which the engine of its pages reads.

    documents ─records, fulltext→ words and weights ─index_data, encoding→ data files

The engine is JavaScript, in `themes/default/static`: `search-engine.js` finds names,
`search-fulltext.js` texts.  `files` puts all of it together; docs/search.md explains the
ranking and the data.
"""
