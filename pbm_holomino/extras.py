"""The libraries of an extra, and the line that installs them, in the way that this
program was installed. The extras are in setup.cfg."""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pbm_holomino.errors import NotAllowed

_NAME = "pbm_holomino"


@contextmanager
def needed(extra: str, what: str) -> Iterator[None]:
    """Libraries of an extra are imported in this block. Raises NotAllowed if one is not
    installed: `what` says who needs which, before the line that installs it."""
    try:
        yield
    except ModuleNotFoundError:
        raise NotAllowed(what, line_for(extra)) from None


def line_for(extra: str) -> str:
    """What the owner types in a shell to add an extra, such as `web`, to this
    installation."""
    if os.path.exists(f"{_checkout()}/bin/hand_over.py"):
        return f"{_pip()} install {_quoted(_in_checkout(extra))}"
    if os.path.exists(f"{sys.prefix}/pipx_metadata.json"):
        name = os.path.basename(sys.prefix)
        return f"pipx inject {shlex.quote(name)} {_quoted(_in_metadata(extra))}"
    receipt = f"{sys.prefix}/uv-receipt.toml"
    if os.path.exists(receipt):
        return f"uv tool install {_quoted(_in_receipt(receipt, extra))}"
    return f"{_pip()} install '{_NAME}[{extra}]'"


def _checkout() -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _pip() -> str:
    """The pip of this environment, from the checkout's folder if it is below it."""
    path = f"{sys.prefix}/bin/pip"
    if sys.prefix == sys.base_prefix or not os.path.exists(path):
        return "pip"
    return shlex.quote(path.removeprefix(f"{_checkout()}/"))


def _quoted(words: list[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)


def _in_checkout(extra: str) -> list[str]:
    """The requirements of an extra in setup.cfg."""
    from configparser import ConfigParser

    settings = ConfigParser()
    settings.read(f"{_checkout()}/setup.cfg", encoding="utf-8")
    return settings["options.extras_require"][extra].split()


def _in_metadata(extra: str) -> list[str]:
    """The requirements of an extra in what the package says of itself."""
    from importlib.metadata import requires

    parts = (line.partition(";") for line in requires(_NAME) or ())
    is_named = re.compile(rf"""extra == ['"]{extra}['"]""").search
    return [needed.strip() for needed, _, when in parts if is_named(when)]


def _in_receipt(path: str, extra: str) -> list[str]:
    """What to install by uv: the same as its receipt says, and the extra."""
    import tomllib

    with open(path, "rb") as file:
        (ours, *others) = tomllib.load(file)["tool"]["requirements"]
    extras = ",".join(dict.fromkeys([*ours.get("extras", ()), extra]))
    folder = ours.get("directory") or ours.get("editable") or ours.get("path")
    source = f" @ git+{ours['git']}" if "git" in ours else ""
    words = [f"{folder or ours['name']}[{extras}]{source}"]
    return words + [word for other in others for word in ("--with", other["name"])]
