"""The commands of the server's owner, which are typed in a shell there: a module each.

Like all commands they are entries of the table; players pay for none of them.
"""

from collections.abc import Sequence

from pbm_holomino.commands import parse, table
from pbm_holomino.commands.request import Answer
from pbm_holomino.sentences import fill


def commands() -> dict[str, table.Command]:
    """The owner's commands, by name."""
    return {name: c for name, c in table.at_top(True).items() if c.is_owners}


def is_meant(words: Sequence[str]) -> bool:
    """Whether these words are one of the owner's commands."""
    return bool(words) and words[0].lower() in commands()


def run(words: Sequence[str]) -> Answer:
    """Carry out one of the owner's commands."""
    request = parse.parse(words, in_shell=True)
    answer = table.find(request).decision()(request)
    assert isinstance(answer, Answer)
    return answer


def has_help(subjects: Sequence[str]) -> bool:
    """Whether the page of these commands is the help on these subjects."""
    return bool(subjects) and {*commands(), table.OWNERS_PAGE} >= {*subjects}


def page() -> str:
    """The help page of these commands. Players are not promised them."""
    intro = "The owner's commands. Type them on the server: they do not come by mail."
    paragraphs = (
        f"  {command.usage()}\n{fill(command.help, ' ' * 6)}"
        for command in commands().values()
    )
    pictures = (
        "Boards as PNG, by -format=png and in letters to players who want pictures, "
        "need a library: pip install 'pbm_holomino[pictures]', or in a checkout "
        ".venv/bin/pip install resvg-py"
    )
    return "\n".join((fill(intro), *paragraphs, fill(pictures)))
