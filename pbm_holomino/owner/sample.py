"""`pbm sample`: files for other programs, with the paths of this installation.

The files in samples/ are for the account pbm, with its home in /home/pbm, the checkout
in /home/pbm/pbm_holomino and the address pbm@games.example.net. What differs here is
replaced when they are printed.
"""

import os
import re
import sys
import sysconfig
from importlib import resources
from pwd import getpwuid

from pbm_holomino.commands.params import SAMPLES
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules import names
from pbm_holomino.sentences import table
from pbm_holomino.store import location
from pbm_holomino.store.home import open_home

_REPLACED = re.compile(
    r"(?P<programs>(?:/home/pbm|\$HOME)/pbm_holomino/bin/)"
    r"|(?P<store>/home/pbm/pbm_holomino/games\b)"
    r"|(?P<paths>(?<=Paths=)/home/pbm\b)"
    r"|(?P<home>/home/pbm\b)"
    r"|(?P<address>pbm@games\.example\.net)"
    r"|(?P<account>(?<=User=)pbm\b|(?<=user = )pbm\b|(?<= = )pbm(?= })"
    r"|(?<=\()pbm(?=\)))"
)
_A_GAME = re.compile(r"\S+\{game\}")
_PLAIN = re.compile(r"[\w/.+@-]*", re.ASCII)


class Installation(NamedTuple):
    """What differs from one installation to another."""

    programs: str  # how a command begins, up to its name
    store: str
    paths: str  # the folders that the server writes to
    home: str  # of the account
    account: str
    address: str  # the server's


def run(request: Request) -> Answer:
    """A sample, or the list of all of them. Raises NotAllowed if a path has a character
    that would need quotes, of which each program has its own."""
    if not request.words:
        return Answer(table("<<", [(name, _first_words(name)) for name in SAMPLES]))
    (name,) = request.words
    place = _here()
    if name == "sudoers":  # sudo compares the program that is typed; see env_file there
        place = place._replace(programs=f"{folder_of_programs()}/")
    return Answer(filled(text(name), place))


def text(name: str) -> str:
    """A sample as it is shipped, with the path of each game's command."""
    shipped = (resources.files(__package__) / "samples" / name).read_text("ascii")
    return _A_GAME.sub(_of_every_game, shipped)


def _of_every_game(match: re.Match[str]) -> str:
    """The path of the command of each game."""
    paths = [match[0].replace("{game}", game) for game in names()]
    return ", \\\n    ".join(paths)


def filled(sample: str, installation: Installation) -> str:
    """The sample for another installation than the one it was written for."""
    fields = installation._asdict()
    return _REPLACED.sub(lambda found: fields[found.lastgroup or ""], sample)


def folder_of_programs() -> str:
    """The folder that has pbm-inbox and the other commands of this installation."""
    called = os.path.dirname(os.path.abspath(sys.argv[0]))
    checkout = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    candidates = (called, f"{checkout}/bin", sysconfig.get_path("scripts"))
    has = (c for c in candidates if os.path.exists(os.path.join(c, "pbm-inbox")))
    return next(has, called)


def _here() -> Installation:
    home = open_home()
    store = os.path.abspath(home.root)
    user = os.path.expanduser("~")
    programs = f"{folder_of_programs()}/"
    for path in (store, user, programs):
        if not _PLAIN.fullmatch(path):
            raise NotAllowed(
                f'The path "{path}" has a character that not all of these programs '
                "understand: please make a link to it, with a plain name."
            )
    usual = (location.checkout_store(), location.data_store({b"HOME": user.encode()}))
    named = "" if store in usual else f"/usr/bin/env PBM_GAMES={store} "
    is_inside = f"{store}/".startswith(f"{user}/")
    return Installation(
        programs=named + programs,
        store=store,
        paths=user if is_inside else f"{user} {store}",
        home=user,
        account=getpwuid(os.geteuid()).pw_name,
        address=home.config.address,
    )


def _first_words(name: str) -> str:
    """What a sample is, from its first comment, or from the description in JSON."""
    match = re.search(r'^(?:# | *"description": ")(.*?): ', text(name), re.MULTILINE)
    assert match
    return match[1]
