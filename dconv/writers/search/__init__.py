"""Search: what can be found in a release, its data files, and the engine that answers.

    documents ─places, fields→ words ─text→ weights ─pack→ data files ─engine→ results

The engine exists twice, here and as `search-engine.js` for names and
`search-reading.js` for texts in `themes/default/static`; a test asks both thousands of queries.
"""
