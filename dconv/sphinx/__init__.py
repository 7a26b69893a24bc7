"""The Sphinx extension: manuals as source files of a project, their names as objects.

    extensions = ["dconv.sphinx"]
    source_suffix = {".rst": "restructuredtext", ".txt": "dconv"}

in `conf.py` make each text a document of the project.  The texts of one folder are
read as one release.  Each product has a domain with a role for each kind of its names,
and the role `name` for all of them:

    :haproxy:name:`timeout client`      :haproxy:proxy-keyword:`balance`
    :any:`timeout client`               :ref:`configuration/4.2`

With intersphinx the same roles find names in the `objects.inv` of other sites.  The setting
`dconv_manuals` is a list of folders with a manual.toml, relative to conf.py.  Errors in
the texts are warnings of Sphinx; with `dconv_strict` their warnings are, too.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util.typing import ExtensionMetadata

from dconv import __version__
from dconv.linking.lexer import HAProxyLexer
from dconv.settings.manual import default_product, load_products
from dconv.settings.toml import SettingsError
from dconv.sources.resources import resource_folder
from dconv.sphinx.domain import DATA_VERSION, domain_class
from dconv.sphinx.parser import ManualParser, Project

__all__ = ["setup"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the lexer, the settings and the parser; the domains when the settings are read."""
    project = Project()

    def on_config_inited(app: Sphinx, config: Config) -> None:
        project_folders = [Path(app.confdir, folder) for folder in config.dconv_manuals]
        try:
            project.products = load_products([resource_folder("manuals"), *project_folders])
        except SettingsError as error:
            raise ExtensionError(str(error), modname=__name__) from error
        for product in (*project.products, default_product()):
            app.add_domain(domain_class(product))

    app.add_lexer("haproxy", HAProxyLexer)
    app.add_config_value("dconv_manuals", [], "env", (list, tuple))
    app.add_config_value("dconv_strict", False, "env", (bool,))
    app.add_source_parser(type("Parser", (ManualParser,), {"project": project}))
    app.connect("config-inited", on_config_inited)
    app.connect("env-get-outdated", project.outdated)
    app.connect("env-before-read-docs", project.read)
    return {
        "version": __version__,
        "env_version": DATA_VERSION,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
