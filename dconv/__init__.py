"""dconv: a static site generator for the manuals of system software.

The program is a flow from bytes to files.  Each stage is a package, whose functions take values
and return values; a package imports only those before it in this list:

    model      the document tree, diagnostics, source lines: the values that travel
    settings   `site.toml` and `manual.toml` as frozen values
    sources    texts from folders, git, the web and Debian packages; the download cache
    readers    the bytes of a text → a `Manual`, the tree
    linking    a `Manual` → the same with references, backlinks and keyword tables
    proof      no word is lost on the way from text to page; no link is dead
    writers    a linked `Manual` → HTML, pages, search data, docutils, JSON
    lint       the rules of `dconv check`
    diff       what differs in meaning between two lists of manuals
    build      the stages in order: processes, cache, output folder, preview
    cli        the commands
    sphinx     the Sphinx extension

Problems travel as `Diagnostic` values beside the result, so reading never fails.  Only `cli`
prints, only `build.output` writes a site, only `sources` and `settings` read texts and settings.
"""

__version__ = "0.1.0"
GENERATOR = f"dconv {__version__}"  # how the program names itself in what it writes
