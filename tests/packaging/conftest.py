"""What several ways of installing the package need."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the wheels that debian/wheels.txt names, for Debian's Python."""
    folder = tmp_path_factory.mktemp("wheels")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"),
            *("--require-hashes", "--only-binary=:all:", "--python-version=3.11"),
            *("--dest", str(folder), "-r", str(ROOT / "debian/wheels.txt")),
        ],
        check=True,
    )
    return folder
