"""Settings files as frozen values.  Section 6 of our manual explains every key.

    toml.py       tables with typed access; every error names file, table, key and remedy
    types.py      the values that settings are read into
    manual.py     manual.toml: a product with its documents, sources and releases
    dialect.py    dialect.toml, or [dialect] of manual.toml: how its texts are read
    search.py     search.toml and phrases.toml: what its readers call things
    program.py    program.toml: how its program lists its keywords
    site.py       site.toml: what a site shows, and its logo, links, footer and colours
    colors.py     colours as CSS writes them, and the style sheet of a site's colours
    shared.py     keys of manual.toml and of site.toml: sources, names, addresses, days
    recognise.py  which product a text belongs to

Paths in a file are relative to its folder.
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
