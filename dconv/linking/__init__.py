"""Names to places, and places across releases.

    symbols          the names of a release and the places that define them
    link             gives every reference its targets, on the tree; `resolve` finds them by
                     the words around (`common_words`, `section_numbers`), `examples` those
                     of configuration examples (`lexer`)
    keyword_tables   merges tables of keywords into the entries that they list
    backlinks        the places that mention an entry
    outline          what other releases must know of a document
    counterparts     where an entry or a section is in another release
    matching         all entries and sections of two releases, one to one
"""
