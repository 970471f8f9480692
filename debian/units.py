"""Write the units of systemd as `pbm sample` prints them, for the place where the
package is installed. Its argument is the folder that becomes the package."""

import sys
from pathlib import Path

from pbm_holomino.owner.sample import Installation, filled, text

HOME = "/var/lib/pbm-holomino"
UNITS = {
    "pbm-run.service": "run",
    "pbm.service": "service",
    "pbm.socket": "socket",
    "pbm-web.service": "web",
    "pbm-tick.service": "tick",
    "pbm-tick.timer": "timer",
}
PLACE = Installation(
    programs="/usr/bin/",
    store=f"{HOME}/games",
    paths=HOME,
    home=HOME,
    account="pbm-holomino",
    address="pbm@localhost",
)


def main(folder: str) -> None:
    """Write them."""
    units = Path(folder, "lib/systemd/system")
    units.mkdir(parents=True)
    for name, sample in UNITS.items():
        (units / name).write_text(filled(text(sample), PLACE))


if __name__ == "__main__":
    main(sys.argv[1])
