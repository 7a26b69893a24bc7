"""`site.toml` and `manual.toml` as frozen values, and whose a text is.

Every error names the file, the key and what to do.  Paths in a file are
relative to its folder.

`manual.toml` describes one product:

    [product]
    name = "haproxy"            # in addresses: letters, digits and . _ + -
    title = "HAProxy"           # what pages show
    recognise = ['HAProxy']     # patterns; a text that has one near its top is this product's
    report = "mailto:docs@example.org?subject={place}"  # for mistakes in texts; may be absent;
                                # places: place, version, file, section, line, address

    [[document]]                # as many as there are, in the order of menus
    name = "configuration"      # in addresses; without it, the file's name without its ending
    file = "configuration.txt"
    title = "Configuration Manual"
    description = "Every keyword"           # one line for lists; may be absent

    [[source]]                  # tried in order; each is one of the four:
    path = "texts/{version}"                # a folder, or one file, gzipped or not
    [[source]]
    url = "https://www.example.org/{version}/{file}"
    [[source]]
    repository = "https://www.example.org/it.git"   # or a path
    revision = "v{version}.0"               # a tag or a branch
    folder = "doc"                          # where the files lie in it; may be absent
    [[source]]
    package = "haproxy"                     # Debian's; also "name=version" and "name/suite"
    folder = "/usr/share/doc/haproxy"       # may be absent: then that of the package
    lines = "https://www.example.org/{version}/{file}#L{first}-L{last}"  # of any source: where
                                            # readers see lines of it; may be absent

    [old_links]                 # what haproxy-dconv published of this product; may be absent
    documents = ["configuration"]           # of the above: their anchors go on working
    addresses = ["/{version}/{document}.html"]  # where they were, for redirects
    development = "dev"         # its version of the release with that status; may be absent

    [[release]]                 # the table of releases, as many as there are; may be absent
    version = "3.4"             # also of 3.4.1, 3.4.2…
    status = "long-term"        # or "stable", "development", "end of life"
    date = "2026-06-03"         # the day of the first release; may be absent
    end = "2031-Q2"             # maintenance ends: a day, month, quarter or year; may be absent

    [check]                     # of the check, rules by name; may be absent, and so may each key
    enable = ["spaces"]         # told though they are rules of style
    disable = ["doubled-word"]  # never told

What readers call things stands beside, in `search.toml` and `phrases.toml`; both may be
absent, and so may each key:

    kinds = ["directive"]       # kinds of names, the most wanted first
    heads = ["option", "tune."] # what may be left out at the start of a name
    noise = ["how", "the"]      # words of questions that say nothing
    [abbreviations]             # a word: its short forms
    server = ["srv"]
    [synonyms]                  # a word of the manuals: words that readers type for it
    deny = ["block", "ban"]
    [scopes]                    # a word beside a name: the kinds that it means
    bind = ["bind option"]

    [[phrase]]                  # of phrases.toml: ways to say a task, and where it is answered
    words = ["limit requests per address"]
    to = ["directive/stick-table", "configuration#Stick tables"]

How the program of a manual lists what it knows stands in `program.toml`, for the check
against it (`dconv/model/keyword_lists.py` says more); the file may be absent:

    command = "haproxy -dKall"  # what prints the lists, for messages
    heading = '^# List of (?P<title>.+):$'  # its group "title" is what is listed below
    remark = '^#'               # other lines that list nothing
    [[list]]
    title = "configuration keywords"        # below this heading
    section = "listen"          # and this line without indentation; may be absent
    line = '^option (?P<name>\\S+)'         # a line of it; with a group "open", of more words
    form = "option {name}"      # how the manual calls it; the bare name where absent
    kinds = ["keyword"]         # of the entries that document the list
    mentioned = true            # the name in any text will do; may be absent
    complete = true             # the program knows no others; may be absent
    unlisted = ['^ssl$']        # documented names that it leaves out; may be absent
    undocumented = ['^debug']   # listed names that the manual leaves out; may be absent

The rest of `manual.toml`:

    [dialect]                   # or, without this line, in a file dialect.toml beside
    code = "haproxy"            # the language of examples; may be absent
    code_line = '(?:listen|bind) '  # what lines in it start with; may be absent
    omitted = ["option"]        # words at the start of names that prose leaves out
    man_pages = "https://manpages.debian.org/{name}.{section}"  # for crypt(3); may be empty
    priority = ["directive"]    # kinds, the most likely meaning of a name first
    alike = ["flag", "switch"]  # kinds of which none is likelier than the others
    prose = ['^Introduction']   # titles of sections that never hold entries
    arguments = ['^mode (tcp)']             # group 1 starts words that are no part of a name
    [[dialect.reference]]       # sections with these titles hold entries of the kind
    kind = "directive"
    title = '^Directives'
    names = "words"             # or "first", "matrix"; see dconv/model/dialect.py; may be absent
    signature = '^\\w+ on'     # the first signature must match too; may be absent; with it,
                                # the title may be empty: any section
    [[dialect.item]]            # items that are definitions of a kind of their own
    kind = "flag"
    term = '^(?P<name>-\\w)'    # its group "name" is the name
    title = '^Options'          # title, label and entry may be absent: then anywhere
    label = ''
    entry = ''
    mention = "-{name}"         # how prose quotes it; its name where absent; empty: not at all
    part = 'the (first|second) character'   # in text above a list: tells items of one name apart

What a name means where prose mentions it, or an example uses it; each may be absent:

    values = ["on", "none"]     # of [dialect]: names that are mostly quoted as values
    technical = ["nbsrv"]       # names of letters alone that are no words of the language
    plain = ["directive"]       # kinds whose names are links even as plain words
    [[dialect.hint]]            # words around a quoted name that tell its kind
    kinds = ["flag"]
    before = '\\bflag "$'       # one of both
    after = '" flags?\\b'
    [dialect.rule_sets]         # a column of the usage lines: the words before such an action
    "HTTP Req" = "http-request"
    [dialect.manuals]           # a document: the words behind a section's number that mean it
    management = ' of the management guide\\b'
    [dialect.scopes.sections]   # a word that opens a section: kinds of its lines' first words
    frontend = ["directive"]
    [dialect.scopes.lines]      # how a line starts: the kind of the words behind
    "server <name> <address>" = "server option"
    [dialect.scopes.words]      # kinds of the other parts of a line: action, fetch, converter,
    action = ["action"]         # alias, predicate

`site.toml` describes what a site shows:

    [site]
    title = "Manuals"
    url = "https://docs.example.org/"       # the public address; may be absent
    output = "public"           # the folder to write; "public" where absent
    changes = true              # a page of what each release changed; may be absent
    compress = true             # write a compressed copy of each text; may be absent
    theme = "default"           # a theme's name or folder; "default" where absent
    date = "2026-11-21"         # the day that tables of releases are read on; where absent,
                                # SOURCE_DATE_EPOCH, or else the date of the newest text
    logo = "logo.svg"           # a PNG or SVG picture for the head of pages; may be absent
    links = [{ title = "Download", href = "https://www.example.org/" }]     # may be absent
    footer = "By the documentation team"    # a line for the foot of pages; may be absent
    [site.colors]               # tokens of the theme's style sheet; may be absent
    link = { light = "#7a2a86", dark = "#dfa0ea" }  # or one text for both

    [search]                    # may be absent
    lunr = true                 # write each release's index in lunr's format, too

    [[product]]
    name = "haproxy"            # of a manual.toml
    releases = ["3.4", "debian"]            # newest first

    [[product.accept]]          # a finding that --strict shall not fail for; may be absent
    document = "configuration"
    rule = "section-reference"
    text = "see section 9.9"    # words of the line that the finding is about

    [[product.release]]         # only for a release that needs more than its version
    version = "3.4"
    status = "long-term"        # where absent, what the product's table says
    source = { path = "local/3.4" }         # tried before the product's; or [[…source]]
    [product.release.sha256]    # texts that must be these; may be absent
    "configuration.txt" = "9f86…"

A baseline of the check, which the check writes itself, has known findings:

    [[finding]]
    document = "configuration"
    rule = "doubled-word"
    line = "This is the the lamp."          # the line's words
    message = "'the' stands twice"          # without numbers of lines
    count = 2                   # how often; once where absent
"""

from dconv.model.lifecycle import ReleaseRecord, ReleaseStatus
from dconv.settings.manual import load_product, load_products, plain_product
from dconv.settings.recognise import recognise
from dconv.settings.site import load_site, named_files
from dconv.settings.toml import SettingsError
from dconv.settings.types import (
    Acceptance,
    Checksum,
    DebianSource,
    DocumentSetting,
    FolderSource,
    GitSource,
    Look,
    OldLinks,
    Product,
    Site,
    SiteProduct,
    SiteRelease,
    SourceSetting,
    UrlSource,
)

__all__ = [
    "Acceptance",
    "Checksum",
    "DebianSource",
    "DocumentSetting",
    "FolderSource",
    "GitSource",
    "Look",
    "OldLinks",
    "Product",
    "ReleaseRecord",
    "ReleaseStatus",
    "SettingsError",
    "Site",
    "SiteProduct",
    "SiteRelease",
    "SourceSetting",
    "UrlSource",
    "load_product",
    "load_products",
    "load_site",
    "named_files",
    "plain_product",
    "recognise",
]
