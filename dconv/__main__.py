"""`python -m dconv`."""

from __future__ import annotations

import sys

from dconv.cli import main

if __name__ == "__main__":
    sys.exit(main())
