"""Roles for the names of sites of dconv, for projects of Sphinx that do without dconv.

Put this file beside conf.py, and write there:

    sys.path.append(os.path.dirname(__file__))
    extensions = ["sphinx.ext.intersphinx", "manual_roles"]
    intersphinx_mapping = {"haproxy": ("https://docs.example.org/haproxy/3.4/", None)}
    manual_roles = {"haproxy": ["proxy-keyword", "global-keyword"]}

Then :haproxy:proxy-keyword:`balance` and :haproxy:name:`balance` are links to that site.
"""

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.domains import Domain, ObjType
from sphinx.roles import XRefRole


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the roles that `manual_roles` lists: for each product the kinds of its names."""
    app.add_config_value("manual_roles", {}, "env")
    app.connect("config-inited", add_domains)
    return {"parallel_read_safe": True}


def add_domains(app: Sphinx, config: Config) -> None:
    """Add a domain without names of its own for each product: intersphinx has them."""
    for product, kinds in config.manual_roles.items():
        app.add_domain(type("ManualNames", (Domain,), {
            "name": product, "label": product,
            "object_types": {kind: ObjType(kind, kind, "name") for kind in kinds},
            "roles": {kind: XRefRole(warn_dangling=True) for kind in (*kinds, "name")},
        }))
