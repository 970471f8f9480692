"""What proves, in place of a password, that a mail answers a letter to its player."""

import hmac

from pbm_holomino.commands import table
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.table import Reply
from pbm_holomino.errors import CorruptFile, NotFound, OldLetter, WrongPassword
from pbm_holomino.match.account import NOT_YOUR_OWN, PLACEHOLDER, WORDS
from pbm_holomino.match.actions import OFFERED
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act
from pbm_holomino.match.tokens import (
    Tokens,
    account_token,
    is_token,
    outdated,
    unsubscribe_word,
    words_token,
)
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People


def proved(request: Request, library: Library, people: People) -> Request:
    """The request with the number of the line that its reply token is about, if it has
    one that serves here: it must come in a mail of its own from an address of its
    player, and its letter must be about the board of the command. What only ends
    digests and broadcasts serves from everywhere."""
    if request.command == "unsubscribe" and is_token(request.password):
        word = unsubscribe_word(library.key, request.userid)
        is_right = hmac.compare_digest(word, request.password)
        return request.coming(proof=0) if is_right else request
    if not (request.by_letter and is_token(request.password)):
        return request
    if table.find(request).reply is Reply.NEVER:
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
    if len(request.boards) != 1:
        return None
    try:
        match = library.match(request.game, request.board)
    except (CorruptFile, NotFound):
        return None
    if reader not in match.record.players:
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
            if any(hmac.compare_digest(token, given) for token in tokens):
                return line.no
    return None


_OF_WORDS = words_token, account_token  # of letters now, and of those before


def wrong(request: Request) -> WrongPassword:
    """The refusal of what is in the password's place."""
    if request.password == PLACEHOLDER:
        return WrongPassword(NOT_YOUR_OWN)
    serves = table.find(request).reply is not Reply.NEVER
    if not (serves and is_token(request.password)):
        return WrongPassword(
            "That is not the password of that player. If you no longer know yours, "
            f'send "forgot {request.userid}".'
        )
    return WrongPassword(
        "That reply or link is not valid: it must come from an address of the player "
        "to whom the letter was sent, and be about the board of that letter. Please "
        "answer your latest letter, or send the command with your password."
    )


def check_is_fresh(request: Request, match: Match) -> None:
    """Raises OldLetter if the reply answers a letter about a position that is no longer
    there, or an offer that came after the letter."""
    if request.origin.proof is None or table.find(request).reply is not Reply.FRESH:
        return
    name = match.record.name
    shown = _last_shown(match, request.origin.proof)
    since = outdated(match, shown, request.userid)
    if since is not None:
        what = _happened(match, since, request.userid)
        raise OldLetter(
            f"Your reply is to an earlier letter about {name}: since then, {what}. "
            "Nothing has been done. Please reply to this letter instead."
        )
    then, offer = match.steps[shown].offer, match.offer
    answers = {"accept", "reject"} & {request.command, *request.words}
    is_newer = offer is not None and (then is None or then[:2] != offer[:2])
    if answers and offer is not None and is_newer:
        raise OldLetter(
            f"Your reply is to an earlier letter about {name}: since then, {offer.who} "
            f"has {OFFERED[offer.kind]}. Nothing has been done. Please reply to this "
            "letter instead."
        )


def _last_shown(match: Match, index: int) -> int:
    """The index of the last line that the letter about line `index` shows: queued moves
    that were played with that line are on its board."""
    return index if index < match.record.began else match.last_told(index)


def _happened(match: Match, index: int, reader: str) -> str:
    """What a line of the log did, as a clause."""
    line = match.record.log[index]
    who, has = ("you", "have") if line.who == reader else (line.who, "has")
    if match.result is not None and match.steps[index].result is not None:
        return "the game has ended"
    if line.no is not None:
        return f"{who} {has} moved"
    words = {
        Act.ACCEPT: "accepted an offer",
        Act.REJECT: "rejected an offer",
        Act.RESIGN: "resigned",
        Act.FORFEIT: "run out of time",
    }
    return f"{who} {has} {words[Act(line.action)]}"
