"""What the man pages say: the help, and around it how a command is written, its
options, its files and so on; and the settings, as their sample has them."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.params import FORMATS
from pbm_holomino.letters import help as players_pages
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner import help
from pbm_holomino.sentences import fill, listed

INBOX, CONFIG = "pbm-inbox", "pbm-config"


class Page(NamedTuple):
    """A page of the manual."""

    purpose: str  # in a few words
    synopsis: Sequence[str]
    text: str
    sections: Mapping[str, Mapping[str, str]]  # what is said of things, by headings
    chapter: int = 1


@cache
def pages() -> Mapping[str, Page]:
    """All pages, by name."""
    games = {name: _of_game(name) for name in rules.names()}
    return {"pbm": _of_pbm(), **games, INBOX: _of_inbox(), CONFIG: _of_config()}


def _of_pbm() -> Page:
    return Page(
        "play tile games by mail, and run a server for them",
        ("pbm command [word...]", "pbm help [subject...]", "pbm --version"),
        f"{players_pages.page('commands')}\nThe owner's commands\n\n{help.overview()}",
        {
            "OPTIONS": _OPTIONS,
            "EXIT STATUS": {**_STATUSES, "pbm status": _OF_STATUS},
            "ENVIRONMENT": {**_ENVIRONMENT, **_PASSWORD},
            "FILES": _FILES,
        },
    )


def _of_game(name: str) -> Page:
    _title, _, text = players_pages.page(name).partition("\n\n")
    return Page(
        f"play {rules.load(name).TITLE} by mail",
        [each._replace(game=name).usage() for each in table.in_game().values()],
        text,
        {
            "OPTIONS": {**_OPTIONS, **_IN_GAMES},
            "EXIT STATUS": _STATUSES,
            "ENVIRONMENT": {**_ENVIRONMENT, **_PASSWORD},
            "FILES": _FILES,
        },
    )


def _of_inbox() -> Page:
    return Page(
        "take in one mail for a play-by-mail server",
        ["pbm-inbox < mail"],
        _INBOX,
        {
            "EXIT STATUS": {
                "0": "The mail has been handled; its command may have been refused.",
                "75": "The mail must come again later.",
            },
            "ENVIRONMENT": _ENVIRONMENT,
            "FILES": _FILES,
        },
    )


def _of_config() -> Page:
    return Page(
        "the settings of a play-by-mail server",
        ["config.yaml, in the folder of the store"],
        fill(about_settings()),
        {"SETTINGS": settings(), "ENVIRONMENT": _ENVIRONMENT, "FILES": _FILES},
        chapter=5,
    )


_INBOX = """\
pbm-inbox reads one mail on standard input, carries out the command in
it, and answers it by mail. It ends with 0 when the mail has been
handled, and with 75 when it must come again later. If a server runs on
the store (pbm serve), that server does the work.

"pbm sample" prints the lines with which a mail system runs it.
"""
_OPTIONS = {
    "--help": "Print the help on a command.",
    "--version": "Print the version.",
    "-": "In place of a password: it is taken from PBM_PASSWORD, or asked for.",
    "-m=TEXT": "The text that goes with a command, such as a chat; otherwise it is "
    "read from standard input.",
}
_IN_GAMES = {
    "-format=FORM": f"With show, showas, preview and history: {listed(FORMATS, 'or')}.",
    "-clock=TIME": "With challenge and rematch: a clock for each player, such "
    "as 10d+1d/20d: ten days, one more for each move, and never more than 20.",
    "-sample": "With analyse: what is drawn is taken at random.",
    "-keep": "With analyse: the line is kept among your notes.",
}
_STATUSES = {
    "0": "The command has been carried out.",
    "1": "It was refused, and nothing has changed.",
    "2": "It was not understood.",
    "75": "It cannot be done now: try again later.",
}
_OF_STATUS = (
    "0 if all is well, 1 if you should look at something soon, and 2 if mail or moves "
    "stand still."
)
_ENVIRONMENT = {
    "PBM_GAMES": "The folder of the store.",
    "XDG_DATA_HOME": "Where the store is of an installed program, in the folder "
    "pbm_holomino; ~/.local/share if it is not set.",
}
_PASSWORD = {"PBM_PASSWORD": 'The password where "-" is typed in its place.'}
_FILES = {
    "~/.local/share/pbm_holomino": "The store of an installed program. A checkout has "
    "it in games; PBM_GAMES names another.",
    "config.yaml": "The settings, in that folder: see pbm-config(5).",
    "outbox": "A folder beside it, with the letters, if nothing else sends them.",
    "quarantine, waiting, undeliverable": "Folders beside it, with mails that could "
    'not be read and letters that could not leave: see "pbm kept".',
}


# The settings

_BLOCK = re.compile(r"(?m)^((?:# .*\n)*)(\w+):[ ]*([^#\n]*?)[ ]*(?:# (.*))?\n")


def _sample() -> str:
    """The sample of the settings, which is read here as whoever builds the package has
    not all that it needs when it runs."""
    return (resources.files(__package__) / "samples" / "config").read_text("ascii")


def about_settings() -> str:
    """What is said of all settings."""
    return _comment(_sample().partition("\naddress:")[0])


def settings() -> dict[str, str]:
    """The settings with their defaults, as the sample has them, and what it says about
    each."""
    settings: dict[str, str] = {}
    for comment, key, value, about in _BLOCK.findall(_sample()):
        block = _comment(comment) if settings else ""  # the first is about all of them
        settings[f"{key}: {value}".rstrip()] = f"{block} {about}".strip()
    return settings


def _comment(block: str) -> str:
    """The words of a comment."""
    return " ".join(line.removeprefix("#").strip() for line in block.splitlines())
