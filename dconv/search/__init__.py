"""Search: what can be found in a release, its data files, and the engine that answers.

    documents ─places, fields→ words ─text→ weights ─pack→ data files ─engine→ results

The engine exists twice, here and as `themes/default/static/search-engine.js`; a test
asks both thousands of queries.
"""
