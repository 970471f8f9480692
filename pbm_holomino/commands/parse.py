"""Words to a request: one grammar for shell and mail."""

from collections.abc import Callable, Sequence
from functools import cache

from pbm_holomino.commands.grammar import find, is_doubtful, read
from pbm_holomino.commands.known_names import NOTHING, Known
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand


def parse(
    words: Sequence[str],
    ask: Callable[[str], str] | None = None,
    in_shell: bool = False,
    known: Known = NOTHING,
) -> Request:
    """The request that these words make.

    Words that are not quite a command are read as one if they can mean only one; what
    is `known` of players and boards helps. `ask` gives the password that is typed as
    `-`; by mail nobody can be asked. `in_shell` if the owner's commands are known.
    Raises BadCommand or another PbmError; no sentence quotes a word where a userid or a
    password is expected.
    """
    ask = cache(ask) if ask else None  # it may be read twice
    request, wrong = None, None
    try:
        command, request = read(words, ask, in_shell)
        if not is_doubtful(command, request):
            return request
    except BadCommand as error:
        wrong = error
    from pbm_holomino.commands import repair  # few lines need it

    repaired = repair.repaired(words, known, ask, in_shell)
    if repaired is not None:
        return repaired
    wrong = repair.missing(words, known, in_shell) or wrong
    if wrong is not None:
        raise wrong
    assert request is not None
    return request


def page_for(words: Sequence[str]) -> str:
    """The help page for a command that somebody has begun to type in the shell."""
    if not words:
        return "commands"
    command, _ = find(words, True)
    of_game = command.game if command.name == "help" else ""
    return of_game or command.help_page
