"""Settings files as frozen values.  Section 6 of our manual explains every key.

    toml.py       tables with typed access; every error names file, table, key and remedy
    types.py      the values that settings are read into
    manual.py     manual.toml: a product with its documents, sources and releases
    dialect.py    dialect.toml, or [dialect] of manual.toml: how its texts are read
    search.py     search.toml and phrases.toml: what its readers call things
    program.py    program.toml: how its program lists its keywords
    site.py       site.toml: what a site shows, and its logo, links, footer and colours
    shelf.py      [[shelf]] of site.toml: packages that no manual.toml describes
    colors.py     colours as CSS writes them, and the style sheet of a site's colours
    shared_keys.py keys of manual.toml and of site.toml: sources, names, addresses, dates
    recognize.py  which product a text belongs to

Paths in a file are relative to its folder.
"""
