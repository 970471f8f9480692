"""Lines that are not quite commands, and can mean only one."""

from collections.abc import Callable, Iterable, Sequence

from pbm_holomino.commands import grammar, subjects
from pbm_holomino.commands.grammar import is_doubtful, misused, read
from pbm_holomino.commands.known_names import Known
from pbm_holomino.commands.params import (
    ANY,
    PLAYER,
    SELECTIONS,
    USERID,
)
from pbm_holomino.commands.reading.readings import (
    Reading,
    lacking,
    tiers,
)
from pbm_holomino.commands.reading.spelling import (
    game_named,
    plain,
    unwrapped,
)
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.table import COMMANDS, Command
from pbm_holomino.errors import BadCommand
from pbm_holomino.languages import sentence
from pbm_holomino.match.open_challenge import ANYONE

_Found = tuple[Command, Request, Reading]


def repaired(
    words: Sequence[str],
    known: Known,
    ask: Callable[[str], str] | None,
    in_shell: bool,
) -> Request | None:
    """The request that these words mean, if they can mean only one. Raises BadCommand
    if it needs a password that nobody can be asked for."""
    if subjects.is_our_subject(" ".join(words)):
        return None
    line = _line(words)
    for readings in tiers(line, known, in_shell) if line else ():
        if found := _possible(readings, known, in_shell):
            if len(found) > 1:
                return None
            ((command, _, reading),) = found
            _, request = read(reading.words, ask, in_shell)
            read_as = _read_as(line, command, request, reading, known)
            return request._replace(read_as=read_as)
    return None


def missing(words: Sequence[str], known: Known, in_shell: bool) -> BadCommand | None:
    """The error about a line that only lacks its password, or has too many names; None
    if something else is wrong."""
    line = _line(words)
    for place, reading in lacking(line, known, in_shell) if line else ():
        for command, _, _ in _possible([reading], known, in_shell):
            return grammar.lacking(place, command)
    verb = plain(line[0]).lower() if line else ""
    if verb == "signup" and not all("@" in word for word in line[3:4]):
        return misused([_ONE_WORD], COMMANDS["signup"])
    return None


_ONE_WORD = sentence(
    "A userid is one word, and so is a password; after them come mail addresses."
)


def _line(words: Sequence[str]) -> list[str]:
    """The words of a line that may be a command."""
    line = [] if "" in words else unwrapped(words)
    is_of_shell = line[1:] and plain(line[0]).lower() == "pbm"
    return line[1:] if is_of_shell else line


def _possible(
    readings: Iterable[Reading], known: Known, in_shell: bool
) -> list[_Found]:
    """The readings that are commands, each different from the others."""
    found: list[_Found] = []
    for reading in readings:
        try:
            command, request = read(reading.words, lambda question: question, in_shell)
        except BadCommand:
            continue
        is_new = all(request != other for _, other, _ in found)
        if is_new and _fits(command, request, reading, known):
            found.append((command, request, reading))
    return _narrowed(found, known)


def _fits(command: Command, request: Request, reading: Reading, known: Known) -> bool:
    """Whether a reading makes sense, as far as it has been guessed."""
    if is_doubtful(command, request):
        return False
    if reading.lacks_game and not (
        request.boards
        and all(known.has_board(request.game, board) for board, _ in request.boards)
    ):
        return False
    if reading.is_sure:
        return True
    boards = request.boards if request.userid else ()
    return all(map(known.is_player, _players(command, request))) and all(
        known.has_board(request.game, board) for board, _ in boards
    )


def _players(command: Command, request: Request) -> tuple[str, ...]:
    """The userids that a request names."""
    are_players = any(
        place.fill in SELECTIONS or (place.kind is PLAYER and place != USERID)
        for place in command.places
    )
    words = request.words if are_players else ()
    return tuple(name for name in (request.userid, *words) if name not in ("", ANYONE))


def _narrowed(found: list[_Found], known: Known) -> list[_Found]:
    """Of the same command about boards of several games, the one about a board on which
    the player plays: the one that is named, or else the sender."""
    if len(found) < 2 or not all(reading.lacks_game for _, _, reading in found):
        return found
    return [
        (command, request, reading)
        for command, request, reading in found
        if known.plays(request.userid or known.sender(), request.game, request.board)
    ] or found


def _read_as(
    line: Sequence[str],
    command: Command,
    request: Request,
    reading: Reading,
    known: Known,
) -> str:
    """How a line was read, without the password: its moves, if they were typed
    otherwise; or else the line, unless only quotes, commas and the like are changed. No
    line is shown with a word that may be a password out of place."""
    places = command.places
    if places and places[-1].is_of_moves:
        number = f"#{request.move_no}" if request.move_no is not None else ""
        moves = [f"{word}{number}" for word in request.words]
        if not {*moves} <= {*line}:
            return " ".join(moves)
    are_addresses = any(place.kind is ANY for place in places)
    if are_addresses or not all(map(known.is_player, _players(command, request))):
        return ""
    passwords = {reading.words[i] for i in reading.secrets}
    typed = [
        game_named(word) or plain(word).lower()
        for word in line
        if word not in passwords
    ]
    return "" if typed == reading.shown.lower().split() else reading.shown
