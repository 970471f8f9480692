"""The commands of the server's owner, which are typed in a shell there: a module each.

Like all commands they are entries of the table; players pay for none of them.
"""

from collections.abc import Sequence

from pbm_holomino.commands import parse, table
from pbm_holomino.commands.request import Answer


def run(words: Sequence[str]) -> Answer:
    """Carry out one of the owner's commands, or show the help on them."""
    request = parse.parse(words, in_shell=True)
    if request.command == "help" and request.options:
        from pbm_holomino.owner import site  # seldom wanted

        return site.run(request)
    if request.command == "help":
        from pbm_holomino.owner import help  # few commands need it

        return Answer(help.on(request.words))
    answer = table.find(request).decision()(request)
    assert isinstance(answer, Answer)
    return answer
