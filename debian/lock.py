"""Write wheels.txt: the wheels that the package is built from, each by its hash, for
the Pythons of two releases of Debian and two kinds of machine. This needs the network;
the build then needs nothing but the wheels themselves:

    python3 debian/lock.py
    pip download --no-deps --require-hashes --only-binary=:all: -d debian/wheels \\
        -r debian/wheels.txt
"""

import configparser
import hashlib
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
PYTHONS = "3.11", "3.13"  # of Debian 12 and 13
MACHINES = "x86_64", "aarch64"
LIBRARIES = (36, 34, 31, 28, 27, 26, 24, 17, 12, 5)  # 2.36 is Debian 12's
OLD = "2014", "2010", "1"


def wanted() -> list[str]:
    """What setup.cfg requires of who runs any command, and what a build needs."""
    config = configparser.ConfigParser()
    config.read(HERE.parent / "setup.cfg")
    extras = dict(config["options.extras_require"])
    named = re.findall(r"\w+", extras["all"].partition("[")[2])
    texts = [config["options"]["install_requires"], *(extras[name] for name in named)]
    build = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
    return [
        *(line for text in texts for line in text.split()),
        *build["build-system"]["requires"],
    ]


def download(folder: str, python: str, machine: str, *words: str) -> list[Path]:
    """Download wheels for a Python on a machine; all that are in the folder then."""
    tags = [f"manylinux_2_{number}_{machine}" for number in LIBRARIES]
    tags += [f"manylinux{name}_{machine}" for name in OLD]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder]
    pip += ["--only-binary=:all:", f"--python-version={python}"]
    pip += [f"--platform={tag}" for tag in tags]
    subprocess.run([*pip, *words], check=True)
    return sorted(Path(folder).iterdir())


def main() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    with tempfile.TemporaryDirectory() as first:
        made = download(first, PYTHONS[0], MACHINES[0], *wanted())
        pinned = ["==".join(path.name.split("-")[:2]) for path in made]
    for python in PYTHONS:
        for machine in MACHINES:
            with tempfile.TemporaryDirectory() as folder:
                for path in download(folder, python, machine, "--no-deps", *pinned):
                    pin = "==".join(path.name.split("-")[:2])
                    found[pin].add(hashlib.sha256(path.read_bytes()).hexdigest())
    lines = ["# Made by debian/lock.py.\n"]
    for pin, hashes in sorted(found.items(), key=lambda each: each[0].lower()):
        named = "".join(f" \\\n    --hash=sha256:{each}" for each in sorted(hashes))
        lines.append(f"{pin}{named}\n")
    (HERE / "wheels.txt").write_text("".join(lines))


if __name__ == "__main__":
    main()
