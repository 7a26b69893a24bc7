"""Get the texts of a manual: from this disk, the web, git or packages.

    fetch           one source, or the first of a release that has its texts
    files           a file, a folder or a pipe, gzipped or not; `images` that a text names
    web             http and https
    git             a tag or branch of a repository, local or remote
    worktree        a git work tree at an earlier revision
    debian, python  a package that apt or pip offers
    host            a package that is installed on this machine
    package_files   which files of a package are manuals
    cache           the texts that were fetched before
    texts           the texts of a release with their settings, ready to be read
    network         which hosts are down; `addresses` of sources
    threads         several sources at a time; `programs` that they run

A source that fails raises `SourceError`: one sentence that says which source and why.
"""
