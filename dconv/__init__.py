"""dconv: a static documentation-site generator for sysadmin manuals.

The program is one flow, left to right; a module imports only modules to the
left of it, and each arrow is one pure function, values in, values out:

    text ─read→ Source ─scan→ Block… ─nest→ Manual ─link→ Manual ─┬─ html ─ pages ─ theme ─┐
        lines       scan, outline    nest, rules  link, symbols,  ├─ dump                  ├─ site
                                                  resolve, lexer, ├─ doctree ─ export ─────┤
                                                  examples, facts └─ verify ───────────────┘
                                                  backlinks

`rules/` holds one construct of the manuals in one file, `exits/` the parts of
`doctree`, which `sphinx/` gives to Sphinx; `compare/` tells what differs in meaning
between two lists of linked manuals; `search/` makes of the linked manuals of
a release the data of its search, which `search-engine.js` searches in pages;
`dialect.py` and
`manuals/<name>/manual.toml` hold as data what differs between manuals.  Problems
travel beside the result as `Diagnostic` values: reading never fails.

Only `cli` prints.  Only `site` writes, by way of `exchange`, and `sources` keeps
its cache.  Only `sources` and `settings` read texts and settings; `theme` reads
themes, `serve` and `cli.searching` what is built.
"""

__version__ = "0.1.0"
GENERATOR = f"dconv {__version__}"  # how the program names itself in what it writes
