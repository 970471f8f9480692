"""What proves, in place of a password, that a mail answers a letter to its player."""

from pbm_holomino.commands import table
from pbm_holomino.commands.refusals import offered_since, old_letter
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.table import Reply
from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.match.account import WORDS
from pbm_holomino.match.board import Match
from pbm_holomino.match.tokens import (
    Tokens,
    account_token,
    is_same,
    language_word,
    outdated,
    unsubscribe_word,
    words_token,
)
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People


def proved(request: Request, library: Library, people: People) -> Request:
    """The request with the number of the line that its reply token is about, if that
    serves here: it must come in a mail of its own from an address of its player, and
    its letter must be about the board of the command. What only ends digests and
    broadcasts serves from everywhere."""
    if request.command == "unsubscribe":
        word = unsubscribe_word(library.key, request.userid)
        is_right = is_same(word, request.password)
        return request.coming(proof=0) if is_right else request
    if not request.by_letter or table.find(request).reply is Reply.NEVER:
        return request
    player = people.player(request.userid)
    if player is None or not request.origin.is_from(player):
        return request
    return request.coming(proof=_line(request, library, people))


def _line(request: Request, library: Library, people: People) -> int | None:
    """The number of the line whose letter to the player has this token."""
    given, reader = request.password[1:], request.userid
    if request.command == "message":
        return _message(given, reader, request.words, library, people)
    if request.command == "change language":
        word = language_word(library.key, reader)
        return 0 if is_same(word, request.password) else None
    if len(request.boards) != 1:
        return None
    try:
        match = library.board(request.game, request.board)
    except (CorruptFile, NotFound):
        return None
    if reader not in match.seated:
        return None
    return Tokens(library.key, match).line(given, reader)


def _message(
    given: str, reader: str, to: tuple[str, ...], library: Library, people: People
) -> int | None:
    """The number of the line of the message that the reader answers."""
    writer = people.player(to[0]) if len(to) == 1 else None
    for line in reversed(writer.log if writer else ()):
        if line.action.kind in WORDS:
            tokens = (make(library.key, line, reader) for make in _OF_WORDS)
            if any(is_same(token, given) for token in tokens):
                return line.no
    return None


_OF_WORDS = words_token, account_token  # of letters now, and of those before


def check_is_fresh(request: Request, match: Match) -> None:
    """Raises OldLetter if the reply answers a letter about a position that is no longer
    there, or an offer that came after the letter."""
    line = request.origin.proof
    if line is None or table.find(request).reply is not Reply.FRESH:
        return
    shown = _last_shown(match, line)
    since = outdated(match, shown, request.userid)
    if since is not None:
        raise old_letter(match, since, request.userid)
    then, offer = match.steps[shown].offer, match.offer
    answers = {"accept", "reject"} & {request.command, *request.words}
    is_newer = offer is not None and (then is None or then[:2] != offer[:2])
    if answers and offer is not None and is_newer:
        raise offered_since(match, offer)


def _last_shown(match: Match, index: int) -> int:
    """The index of the last line that the letter about line `index` shows: queued moves
    that were played with that line are on its board."""
    return index if index < match.record.began else match.last_told(index)
