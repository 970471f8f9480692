"""What only the server's owner does, in a shell on the server: a module each.

A command's module is loaded when it is given: players pay for none of them.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, cast

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import BadCommand
from pbm_holomino.sentences import fill


class Command(NamedTuple):
    """How the owner writes a command, and what it does."""

    usage: str
    help: str


COMMANDS = {
    "check": Command(
        "pbm check [--repair]",
        "Reads and replays every file of the store, and says what is wrong. With "
        "--repair, what is derived from a log is written anew; a log never is. It also "
        "says how many letters wait or could not be delivered, and why.",
    ),
    "flush": Command(
        "pbm flush [--undeliverable]",
        "Sends every letter that has not left. Cron runs it, as in bin/pbm.cron. With "
        "--undeliverable, it sends again what was refused for good and is kept in the "
        "store's folder undeliverable; what is refused again stays there.",
    ),
    "tick": Command(
        "pbm tick",
        "Reminds who has let others wait, ends boards that are over time, and sends "
        "the daily digests. It may run at any moment. Cron runs it.",
    ),
    "players": Command(
        "pbm players",
        "Lists all accounts: on, signed off, deleted or damaged; the day when "
        "something last changed there; and the addresses.",
    ),
    "void": Command(
        "pbm void game board",
        "Strikes a board off, as in: pbm void holo 12. It counts for nobody, and its "
        "players are told.",
    ),
    "completion": Command(
        "pbm completion bash|zsh|fish",
        "Prints a script with which that shell completes the words of pbm, holo, "
        'hextol and walomino. In bash: eval "$(pbm completion bash)"',
    ),
    "serve": Command(
        "pbm serve [[host:]port]",
        "Takes mail in until it is stopped: by LMTP, on the socket lmtp in the store "
        "and on a port where one is named. While it runs it gets what pbm-inbox gets.",
    ),
    "demo": Command(
        "pbm demo",
        "Opens games by mail before your eyes, and leaves them to you.",
    ),
}


def is_meant(words: Sequence[str]) -> bool:
    """Whether these words are one of COMMANDS, or ask for help on them."""
    first, *rest = [word.lower() for word in words] or [""]
    if first == "help":
        return bool(rest) and {*COMMANDS, "owner"} >= {*rest}
    return first in COMMANDS


def run(words: Sequence[str]) -> Answer:
    """Carry out one of COMMANDS, or tell what they do."""
    name, *rest = (word.lower() for word in words)
    if name == "help":
        return Answer(page())
    if rest and COMMANDS[name].usage == f"pbm {name}":
        raise misused(name)
    return cast(Answer, import_module(f"{__name__}.{name}").run(rest))


def page() -> str:
    """The help page of these commands, which no player is promised."""
    intro = "The owner's commands, which are typed on the server and do not come by "
    paragraphs = (f"  {c.usage}\n{fill(c.help, ' ' * 6)}" for c in COMMANDS.values())
    return "\n".join((fill(f"{intro}mail."), *paragraphs))


def has_option(name: str, option: str, words: Sequence[str]) -> bool:
    """Whether one of COMMANDS comes with the one option that it takes. Raises
    BadCommand for other words."""
    given = [word.lstrip("-") for word in words] == [option]
    if words and not given:
        raise misused(name)
    return given


def misused(name: str) -> BadCommand:
    """The error about one of COMMANDS with other words than it takes."""
    return BadCommand(f"Please write: {COMMANDS[name].usage}", "owner")
