"""The tree to HTML: the only place that writes the tags of a body.

`flow` is the match over all nodes; `card` writes the head of an entry, `inlines` a line of prose,
`preformatted` code and drawings, `tables` tables, `document_start` what is before the first
section.  All of them get a `PageContext`: where links lead, and what the page has or lacks.
`marks` are what the proof reads by; a published page has none.
"""
