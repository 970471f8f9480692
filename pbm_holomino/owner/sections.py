"""What a man page has around the text of the help: how a command is written, its
options, its files and so on; and the page of the settings, made from their sample.

A section is a heading with paragraphs, or with things and what is said about each.
"""

import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import NamedTuple

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.params import FORMATS
from pbm_holomino.sentences import listed

CONFIG = "pbm-config"
INBOX = "pbm-inbox"


class Section(NamedTuple):
    """A part of a man page: lines as they are, or things and their descriptions."""

    heading: str
    lines: Sequence[str] = ()
    things: Mapping[str, str] = {}


def chapter(name: str) -> int:
    """The chapter of the manual that a page is in."""
    return 5 if name == CONFIG else 1


def names() -> tuple[str, ...]:
    """The names of all pages."""
    return ("pbm", *rules.names(), INBOX, CONFIG)


def before(name: str) -> list[Section]:
    """The sections before the description."""
    return [Section("SYNOPSIS", _synopsis(name))]


def after(name: str) -> list[Section]:
    """The sections after the description."""
    options = {**_OPTIONS, **(_IN_GAMES if name in rules.names() else {})}
    others = [f"{n}({chapter(n)})" for n in names() if n != name]
    sections = [
        Section("OPTIONS", things=options if name not in (INBOX, CONFIG) else {}),
        Section("SETTINGS", things=settings() if name == CONFIG else {}),
        Section("EXIT STATUS", things=_statuses(name)),
        Section("ENVIRONMENT", things=_environment(name)),
        Section("FILES", things=_FILES),
        Section("SEE ALSO", (f"{', '.join(others)}",)),
    ]
    return [section for section in sections if section.lines or section.things]


def _synopsis(name: str) -> list[str]:
    if name == CONFIG:
        return ["config.yaml, in the folder of the store"]
    if name == INBOX:
        return ["pbm-inbox < mail"]
    if name == "pbm":
        return ["pbm command [word...]", "pbm help [subject...]", "pbm --version"]
    in_game = table.in_game().values()
    return [command._replace(game=name).usage() for command in in_game]


_OPTIONS = {
    "--help": "Print the help on a command.",
    "--version": "Print the version.",
    "-": "In place of a password: it is taken from PBM_PASSWORD, or asked for.",
    "-m=TEXT": "The text that goes with a command, such as a chat; otherwise it is "
    "read from standard input.",
}
_IN_GAMES = {
    "-format=FORM": f"With show, showas, preview and history: {listed(FORMATS, 'or')}.",
}
_ANSWERED = {
    "0": "The command has been carried out.",
    "1": "It was refused, and nothing has changed.",
    "2": "It was not understood.",
    "75": "It cannot be done now: try again later.",
}
_STATUSES = {
    INBOX: {
        "0": "The mail has been handled; its command may have been refused.",
        "75": "The mail must come again later.",
    },
    "pbm": {
        **_ANSWERED,
        "pbm status": "0 if all is well, 1 if you should look at something soon, and 2 "
        "if mail or moves stand still.",
    },
    CONFIG: {},
}


def _statuses(name: str) -> Mapping[str, str]:
    return _STATUSES.get(name, _ANSWERED)


def _environment(name: str) -> Mapping[str, str]:
    variables = {
        "PBM_GAMES": "The folder of the store.",
        "XDG_DATA_HOME": "Where the store is of an installed program, in the folder "
        "pbm_holomino; ~/.local/share if it is not set.",
    }
    if name not in (INBOX, CONFIG):
        variables["PBM_PASSWORD"] = 'The password where "-" is typed in its place.'
    return variables


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
