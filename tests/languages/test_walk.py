"""Whatever players may do: all that they read can be said in any language."""

import json
import os
import subprocess
import sys

import pytest

from tests.paths import ROOT
from tests.sizes import sized


@pytest.mark.long
@pytest.mark.parametrize("seed", range(sized(1, 20)))
def test_nothing_that_players_read_is_bare_or_too_wide(seed: int) -> None:
    """A walk of its own: each has five servers, with other settings."""
    each = sized(24, 60)  # commands to a server
    walk = ("tests/languages/walk.py", str(seed), str(5 * each), str(each))
    done = subprocess.run(
        [sys.executable, "-P", *walk],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found == []
