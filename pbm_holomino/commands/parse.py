"""Words to a request: one grammar for shell and mail."""

from collections.abc import Callable, Sequence
from functools import cache

from pbm_holomino.commands import table
from pbm_holomino.commands.grammar import find, is_doubtful, read
from pbm_holomino.commands.known_names import NOTHING, Known
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand, NotAllowed, PbmError
from pbm_holomino.languages import sentence
from pbm_holomino.match.account import PLACEHOLDER


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
    request: Request | None = None
    wrong: PbmError | None = None
    try:
        command, request = read(words, ask, in_shell)
        if not is_doubtful(command, request):
            return request
    except BadCommand as error:
        wrong = error
    from pbm_holomino.commands.reading import repair  # few lines need it

    repaired = repair.repaired(words, known, ask, in_shell)
    if repaired is not None:
        return repaired
    meant = _in_another_language(words, ask, in_shell, known)
    if isinstance(meant, Request):
        return meant
    wrong = meant or repair.missing(words, known, in_shell) or wrong
    if wrong is not None:
        raise wrong
    assert request is not None
    return request


def _in_another_language(
    words: Sequence[str],
    ask: Callable[[str], str] | None,
    in_shell: bool,
    known: Known,
) -> Request | PbmError | None:
    """The request that these words make in another language. If they are no command
    there either, the error about them if they begin with the name of a game, or are all
    that a command begins with; else None. Nobody resigns by a word that may have been
    meant otherwise."""
    from pbm_holomino.commands.reading.aliases import in_english  # few lines need it

    english = in_english(words)
    if english is None:
        return None
    try:
        request = parse(english, ask, in_shell, known)
    except PbmError as error:
        is_whole = " ".join(english) in table.at_top()
        return error if is_whole or table.game_in(english) else None
    if "resign" in (request.command, *request.words[:1]):
        (board, _), *_ = request.boards
        line = f"{request.game} resign {board} {request.userid} {PLACEHOLDER}"
        return NotAllowed(_TO_RESIGN, line)
    are_moves = any(place.is_of_moves for place in table.find(request).places[-1:])
    shown = " ".join((request.name, *(request.words if are_moves else ())))
    return request._replace(read_as=request.read_as or shown)


_TO_RESIGN = sentence(
    'Only the word "resign" resigns. If that is what you mean, send this line with '
    "your password:"
)


def page_for(words: Sequence[str]) -> str:
    """The help page for a command that somebody has begun to type in the shell."""
    if not words:
        return "commands"
    command, _ = find(words, True)
    of_game = command.game if command.name == "help" else ""
    return of_game or command.help_page
