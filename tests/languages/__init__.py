"""The languages; what makes catalogues is beside the launcher."""

import sys

from tests.paths import ROOT

sys.path.append(str(ROOT / "bin"))

import catalogues

__all__ = ["catalogues"]
