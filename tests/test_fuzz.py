"""What broke the program once breaks it no more: the cases that the fuzzer found.

`make fuzz` looks for others (tests/fuzz/run.py); `FUZZ_SECONDS` says for how long.
"""

from __future__ import annotations

import pytest
from fuzz.targets import CASES, TARGETS

pytestmark = pytest.mark.slow

FOUND = sorted(path for path in CASES.glob("*/*") if path.is_file())


@pytest.mark.parametrize("case", [f"{path.parent.name}/{path.name}" for path in FOUND])
def test_inputs_that_once_failed_still_pass(case: str) -> None:
    target = TARGETS[case.partition("/")[0]]
    target((CASES / case).read_bytes())
