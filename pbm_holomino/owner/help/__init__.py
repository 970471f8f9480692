"""The texts that the owner of a server reads, in the shell only."""

import os
from collections.abc import Sequence
from functools import cache

from pbm_holomino.commands import table
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import fill

_HERE = os.path.dirname(__file__)


class About(NamedTuple):
    """What is to be said about one of the owner's commands."""

    text: str
    pages: tuple[str, ...]  # the longer texts that say more


def page(subject: str) -> str:
    """The text on one of `table.OWNERS_TEXTS`."""
    if subject == "capacity":  # it is worked out
        from pbm_holomino.owner import capacity

        return capacity.page()
    with open(os.path.join(_HERE, f"{subject}.txt"), encoding="ascii") as file:
        return file.read()


@cache
def commands() -> dict[str, About]:
    """What is to be said about each command, by its name."""
    about = {}
    for paragraph in page("commands").split("\n\n"):
        head, *lines = paragraph.splitlines()
        name, _, pages = head.partition(":")
        about[name] = About(" ".join(lines), tuple(pages.replace(",", "").split()))
    return about


def on(subjects: Sequence[str]) -> str:
    """The longer texts and the commands that these subjects name; the page of all
    commands where they name none."""
    whole = " ".join(subjects)
    named = (whole,) if whole in table.owners() else subjects
    text = "\n".join(filter(None, map(_on, named)))
    if text:
        return text
    from pbm_holomino.extras import line_for  # few commands need it

    return overview(line_for("pictures"))


def _on(subject: str) -> str:
    """The help on one subject: its longer text, or what is to be said about a command;
    empty for any other."""
    if subject in table.OWNERS_TEXTS:
        return page(subject)
    command = table.owners().get(subject)
    return about(command) if command else ""


def about(command: table.Command) -> str:
    """The help on one of these commands."""
    text, pages = commands()[command.name]
    related = ", ".join(f'"pbm help {name}"' for name in (*pages, "owner"))
    return "\n".join(
        (
            fill(f"Usage: {command.usage()}"),
            fill(text),
            fill(f"Related: {related}"),
        )
    )


def overview(line: str = "pip install 'pbm_holomino[pictures]'") -> str:
    """The help page of these commands, with the line that installs the library for
    pictures."""
    intro = "The owner's commands. Type them on the server: they do not come by mail."
    below = " " * 6
    paragraphs = (
        fill(command.usage(), "  ", below) + fill(commands()[command.name].text, below)
        for command in table.owners().values()
    )
    pictures = (
        "Boards as PNG, by -format=png and in letters, need a library. Players who "
        "sign up once it is there get letters with pictures. This installs it:"
    )
    more = "For how mail comes in, what to watch, and all else: " + ", ".join(
        f'"pbm help {name}"' for name in table.OWNERS_TEXTS
    )
    as_site = (
        '"pbm help --html FOLDER" writes all pages, also the players\', as a site.'
    )
    return "\n".join(
        (
            fill(intro),
            *paragraphs,
            f"{fill(pictures)}\n  {line}\n",
            fill(f"{more}. {as_site}"),
        )
    )
