"""Manual pages: as texts mention them, `crypt(3)`, and as their files are called, `crypt.3`."""

from __future__ import annotations

import re

# "crypt(3)", "systemd.unit(5)", "Net::DNS(3pm)", "[(1)", "lindex(n)" of Tcl; "f(n)" looks alike,
# so what has no digit is a page only if there is one of that name
PAGE_MENTION = re.compile(
    r"(?<![\w.:+@/-])(?P<name>[A-Za-z_\[][\w.:+@-]*)\((?P<section>[1-9][a-z]{0,9}|[nl])\)(?!\w)"
)
# "rsync.1", "systemd.unit.5", "ssl.3ssl", "lindex.n"
PAGE_FILE = re.compile(r"(?P<name>.+)\.(?P<section>[1-9][a-z]{0,9}|n)")
