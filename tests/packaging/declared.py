"""What setup.cfg requires."""

import configparser
import re
from collections.abc import Iterator

from tests.paths import ROOT

SETTINGS = configparser.ConfigParser()
SETTINGS.read(ROOT / "setup.cfg")
EXTRAS = SETTINGS["options.extras_require"]


def required(name: str) -> Iterator[str]:
    """The requirements of an extra, and of those that it consists of."""
    for line in EXTRAS[name].split():
        whole = re.fullmatch(r"pbm_holomino\[(.*)\]", line)
        if whole:
            for inner in whole[1].split(","):
                yield from required(inner)
        else:
            yield line
