"""The commands of the server's owner, which are typed in a shell there: a module each.

Like all commands they are entries of the table; players pay for none of them.
"""

from collections.abc import Sequence

from pbm_holomino.commands import parse, table
from pbm_holomino.commands.request import Answer
from pbm_holomino.owner import help
from pbm_holomino.sentences import fill


def run(words: Sequence[str]) -> Answer:
    """Carry out one of the owner's commands, or show the help on them."""
    request = parse.parse(words, in_shell=True)
    if request.command == "help" and request.options:
        from pbm_holomino.owner import site  # seldom wanted

        return site.run(request)
    if request.command == "help":
        return Answer(help_on(request.words))
    answer = table.find(request).decision()(request)
    assert isinstance(answer, Answer)
    return answer


def help_on(subjects: Sequence[str]) -> str:
    """The longer texts and the commands that these subjects name; the page of all
    commands where they name none."""
    whole = " ".join(subjects)
    named = (whole,) if whole in table.owners() else subjects
    told = "\n".join(filter(None, map(_on, named)))
    if told:
        return told
    from pbm_holomino.extras import line_for  # few commands need it

    return page(line_for("pictures"))


def _on(subject: str) -> str:
    """The help on one subject: its longer text, or what is to be said about a command;
    empty for any other."""
    if subject in table.OWNERS_TEXTS:
        return help.page(subject)
    command = table.owners().get(subject)
    return about(command) if command else ""


def about(command: table.Command) -> str:
    """The help on one of these commands."""
    text, pages = help.commands()[command.name]
    related = ", ".join(f'"pbm help {name}"' for name in (*pages, "owner"))
    return "\n".join(
        (
            fill(f"Usage: {command.usage()}"),
            fill(text),
            fill(f"Related: {related}"),
        )
    )


def page(line: str = "pip install 'pbm_holomino[pictures]'") -> str:
    """The help page of these commands, with the line that installs the library for
    pictures. Players are not promised them."""
    from pbm_holomino.owner import capacity  # only this page needs it

    intro = "The owner's commands. Type them on the server: they do not come by mail."
    paragraphs = (
        f"  {command.usage()}\n{fill(help.commands()[command.name].text, ' ' * 6)}"
        for command in table.owners().values()
    )
    pictures = (
        "Boards as PNG, by -format=png and in letters to players who want pictures, "
        "need a library. This installs it:"
    )
    more = "For how mail comes in, and a store in PostgreSQL: " + ", ".join(
        f'"pbm help {name}"' for name in table.OWNERS_TEXTS
    )
    more_pages = fill(f"{more}.")
    return "\n".join(
        (
            fill(intro),
            *paragraphs,
            f"{fill(pictures)}\n  {line}\n",
            more_pages,
            capacity.page(),
        )
    )
