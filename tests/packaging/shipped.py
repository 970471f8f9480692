"""The files of this checkout that belong to the project."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.paths import ROOT

# what tools, tests and a server that runs leave in a checkout
_LEFT = {".git", "__pycache__", "build", "dist", ".hypothesis"}


def shipped() -> Iterator[Path]:
    """Their paths below the checkout."""
    for folder, folders, names in os.walk(ROOT):
        here = Path(folder).relative_to(ROOT)
        folders[:] = [name for name in folders if not _is_left(here, name)]
        if here != Path("games"):
            yield from (here / name for name in names if not _is_left(here, name))


def _is_left(here: Path, name: str) -> bool:
    """Whether a file or folder is none of the project's. (In a second working tree of a
    repository, .git is a file.)"""
    if here == Path("games"):
        return name != "examples"
    return (
        name in _LEFT
        or name.startswith(".venv")
        or name.endswith(("_cache", ".egg-info", ".mo"))
    )


def copy_shipped(target: Path) -> Path:
    """A copy of the checkout, as git has it."""
    for path in shipped():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, target / path, follow_symlinks=False)
    return target
