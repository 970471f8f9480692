"""What players do on a board besides moving: offers, resigning, declining.

An act is a line of the log that begins with `!`. Each function here makes the step
for such a line, and raises NotAllowed or NotYourTurn if the act is not allowed.
"""

from collections.abc import Callable, Mapping

from pbm_holomino.errors import NotAllowed, NotYourTurn
from pbm_holomino.languages import (
    Listed,
    Moment,
    OfPlayer,
    Sentence,
    of_number,
    of_player,
    sentence,
)
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.board import Match, Offer, Result, Step, settled
from pbm_holomino.match.record import OWNER, Act, Line
from pbm_holomino.match.times import is_time, later
from pbm_holomino.match.vacations import Vacation
from pbm_holomino.rules.chance import Draws
from pbm_holomino.rules.contract import Event

# What is said of what players do. What happens in a game is said beside its rules.
_OFFERED_A_TIE = of_player("You offered a tie.", "{player} offered a tie.")
_OFFERED_A_PAUSE = of_player(
    "You proposed a pause of {days}.", "{player} proposed a pause of {days}."
)
_ASKED = of_player(
    "You asked to take back move {no}.", "{player} asked to take back move {no}."
)
_ACCEPTED_CHALLENGE = of_player(
    "You accepted the challenge.", "{player} accepted the challenge."
)
_ACCEPTED = {
    "draw": of_player("You accepted the tie.", "{player} accepted the tie."),
    "pause": of_player("You accepted the pause.", "{player} accepted the pause."),
    "undo": of_player("You accepted the undo.", "{player} accepted the undo."),
}
_PAUSED = of_player(
    "You accepted the pause, which lasts until {until} or the next move.",
    "{player} accepted the pause, which lasts until {until} or the next move.",
)
_REJECTED = {
    "draw": of_player("You rejected the tie.", "{player} rejected the tie."),
    "pause": of_player("You rejected the pause.", "{player} rejected the pause."),
    "undo": of_player("You rejected the undo.", "{player} rejected the undo."),
}
_TOOK_BACK = of_player("You took back move {no}.", "{player} took back move {no}.")
_TOOK_BACK_MORE = of_player(
    "You took back move {no}, and all that came after it.",
    "{player} took back move {no}, and all that came after it.",
)
_RESIGNED = of_player("You resigned.", "{player} resigned.")
_EXCLUDED = of_player(
    "The owner of this server has closed your account. That counts as resigning.",
    "The owner of this server has closed {player}'s account. That counts as resigning.",
)
_SHUT_OUT = of_player(
    "The owner of this server has closed your account. That ends this challenge.",
    "The owner of this server has closed {player}'s account. That ends this challenge.",
)
_RAN_OUT = of_player("You ran out of time.", "{player} ran out of time.")
_DECLINED_GAME = of_player("You declined the game.", "{player} declined the game.")
_DECLINED = of_player("You declined the challenge.", "{player} declined the challenge.")
_WITHDREW = of_player("You withdrew the challenge.", "{player} withdrew the challenge.")
_NEVER_ANSWERED = of_player(
    "You did not answer the challenge in time.",
    "{player} did not answer the challenge in time.",
)

_EXCUSED = {  # why a clock did not run
    "vacation": of_player(
        "You are on vacation: your clock does not run from {since} until {until}.",
        "{player} is on vacation: that clock does not run from {since} until {until}.",
    ),
    "outage": of_player(
        "This server was away: your clock does not run out before {until}.",
        "This server was away: {player}'s clock does not run out before {until}.",
    ),
}

# Why a game was cancelled, by what is said of those who did it.
CANCELLED = {
    _RAN_OUT: sentence("cancelled, as {players} ran out of time"),
    _DECLINED_GAME: of_number(
        "cancelled, as {players} declined the game",
        "cancelled, as {players} declined the game",
    ),
    _DECLINED: of_number(
        "cancelled, as {players} declined the challenge",
        "cancelled, as {players} declined the challenge",
    ),
    _WITHDREW: sentence("cancelled, as {players} withdrew the challenge"),
    _SHUT_OUT: sentence("cancelled, as the owner has closed the account of {players}"),
    _NEVER_ANSWERED: of_number(
        "cancelled, as {players} did not answer the challenge in time",
        "cancelled, as {players} did not answer the challenge in time",
    ),
}

# What is said of each kind of offer: of one that is open, and in a subject.
OFFERED = {
    "draw": of_player(
        "You have offered a tie; the offer ends with the next move.",
        "{player} has offered a tie; the offer ends with the next move.",
    ),
    "pause": of_player(
        "You have proposed a pause of {days}, in which no time runs; the proposal ends "
        "with the next move, and so does the pause.",
        "{player} has proposed a pause of {days}, in which no time runs; the proposal "
        "ends with the next move, and so does the pause.",
    ),
    "undo": of_player(
        "You have asked to take back a move; the offer ends with the next move.",
        "{player} has asked to take back a move; the offer ends with the next move.",
    ),
}
HAS_OFFERED = {
    "draw": sentence("{player} has offered a tie"),
    "pause": sentence("{player} has proposed a pause"),
    "undo": sentence("{player} has asked to take back a move"),
}

# What is not allowed.
_ALREADY_OFFERED = {  # to who has offered it, and to all others
    "draw": of_player(
        "You have already offered a tie, and {others} must answer first.",
        "{player} has already offered a tie: please answer that first, with "
        '"accept" or "reject".',
    ),
    "pause": of_player(
        "You have already proposed a pause, and {others} must answer first.",
        "{player} has already proposed a pause: please answer that first, with "
        '"accept" or "reject".',
    ),
    "undo": of_player(
        "You have already asked to take back a move, and {others} must answer first.",
        "{player} has already asked to take back a move: please answer that first, "
        'with "accept" or "reject".',
    ),
}
_NOTHING = sentence("Nothing is on offer on {board}.")
_NOTHING_BUT_THE_CHALLENGE = sentence(
    "Nothing is on offer on {board}. To turn down the challenge, send: {command}"
)
_ACCEPTED_BEFORE = sentence(
    "Nothing is on offer on {board}, and you have already accepted the challenge."
)
_ACCEPTED_BY_ALL = sentence(
    "Nothing is on offer on {board}, and your challenge has been accepted."
)
_FOR_OTHERS = sentence(
    "Nothing is on offer on {board}, and the challenge is for {players} to accept."
)


def _told(match: Match, line: Line, said: OfPlayer) -> Step:
    """The same state plus one event; clears any open offer."""
    seat = match.record.players.index(line.who)
    return Step(match.state, match.ply, (Event(seat, said),))


def _playing(match: Match) -> tuple[str, ...]:
    return tuple(p for p in match.record.players if p not in match.gone)


def _propose(match: Match, line: Line, _: Draws) -> Step:
    _check_nothing_offered(match, line.who)
    return _told(match, line, _OFFERED_A_TIE)._replace(offer=Offer("draw", line.who))


MOST_PAUSED = 30  # days
_NO_PAUSE = sentence(
    '"propose pause" takes a number of days, from 1 to {most}, such as: propose pause 7'
)
_DAYS = of_number("{n} day", "{n} days")


def days_of(number: int) -> Sentence:
    """So many days, in words."""
    return _DAYS.of(n=number)


def _pause(match: Match, line: Line, _: Draws) -> Step:
    days, record = line.argument, match.record
    is_number = days.isascii() and days.isdigit() and len(days) < 4
    if not is_number or not 1 <= int(days) <= MOST_PAUSED:
        raise NotAllowed(_NO_PAUSE.of(most=MOST_PAUSED))
    if record.pairing is not None:
        raise NotAllowed(
            sentence(
                "{board} is a game of a tournament, in which there are no pauses.",
                board=record.name,
            )
        )
    _check_nothing_offered(match, line.who)
    offer = Offer("pause", line.who, days=int(days))
    step = _told(match, line, _OFFERED_A_PAUSE.of(days=days_of(offer.days)))
    return step._replace(offer=offer)


def _undo(match: Match, line: Line, _: Draws) -> Step:
    _check_nothing_offered(match, line.who)
    no = match.record.log[_last_move(match, line.who)].no
    step = _told(match, line, _ASKED.of(no=str(no)))
    return step._replace(offer=Offer("undo", line.who))


def _check_nothing_offered(match: Match, who: str) -> None:
    offer = match.offer
    if offer is not None:
        said = _ALREADY_OFFERED[offer.kind].of(others=_to_answer(match, offer))
        raise NotAllowed(said.to(who, offer.who))


def _to_answer(match: Match, offer: Offer) -> Listed:
    """The players whose answer to an offer is still missing."""
    answered = (offer.who, *offer.accepted)
    return Listed(player for player in _playing(match) if player not in answered)


def _last_move(match: Match, who: str) -> int:
    """The index of the line with a player's last move. Raises NotAllowed if it may not
    be taken back."""
    log = match.record.log
    theirs = [index for index in match.moves if log[index].who == who]
    if not theirs:
        raise NotAllowed(sentence("You have no move that can be taken back."))
    last, step = theirs[-1], match.steps[-1]
    if last <= step.dropped:
        raise NotAllowed(
            sentence(
                "A move from before somebody resigned or ran out of time cannot be "
                "taken back."
            )
        )
    if last <= step.revealed:
        events = match.steps[step.revealed].events
        raise NotAllowed(next(event.reveals for event in events if event.reveals))
    return last


def _accept(match: Match, line: Line, _: Draws) -> Step:
    if is_for_the_challenge(match, line.who):
        step = _told(match, line, _ACCEPTED_CHALLENGE)
        return step._replace(offer=match.offer)
    offer = _offer_to(match, line.who)
    accepted = (*offer.accepted, line.who)
    step = _told(match, line, _ACCEPTED[offer.kind])
    if set(_playing(match)) - {offer.who, *accepted}:
        return step._replace(offer=offer._replace(accepted=accepted))
    if offer.kind == "draw":
        return step._replace(result=Result(_playing(match), "agreed"))
    if offer.kind == "pause":
        return _paused(match, line, later(line.time, offer.days))
    taken = _last_move(match, offer.who)
    before = match.steps[taken - 1]
    seat = match.record.players.index(offer.who)
    no = match.record.log[taken].no
    said = _TOOK_BACK if no == match.ply else _TOOK_BACK_MORE
    back = Event(seat, said.of(no=str(no)))
    return Step(before.state, before.ply, (*step.events, back))


def _paused(match: Match, line: Line, until: str) -> Step:
    """The step with which the last player accepts a pause."""
    pause = Vacation(line.time, until)
    step = _told(match, line, _PAUSED.of(until=Moment(until)))
    return step._replace(pauses=(*match.pauses, pause))


def is_for_the_challenge(match: Match, who: str) -> bool:
    """Whether `accept` from this player means the challenge rather than an offer."""
    offer = match.offer
    if offer is not None and who not in (offer.who, *offer.accepted):
        return False
    return who in match.record.unanswered


def _reject(match: Match, line: Line, _: Draws) -> Step:
    if match.offer is None:
        raise NotAllowed(_nothing_to_reject(match, line.who))
    offer = _offer_to(match, line.who)
    return _told(match, line, _REJECTED[offer.kind])


def _offer_to(match: Match, who: str) -> Offer:
    """The offer that this player has to answer. Raises NotAllowed."""
    offer = match.offer
    if offer is None:
        raise NotAllowed(_nothing_to_accept(match, who))
    if who in (offer.who, *offer.accepted, *match.gone):
        others = _to_answer(match, offer)
        raise NotAllowed(sentence("That is for {players} to answer.", players=others))
    return offer


def _nothing_to_reject(match: Match, who: str) -> Sentence:
    record = match.record
    if who not in record.unanswered:
        return _NOTHING.of(board=record.name)
    command = f"{record.game} decline {record.board} {who} {PLACEHOLDER}"
    return _NOTHING_BUT_THE_CHALLENGE.of(board=record.name, command=command)


def _nothing_to_accept(match: Match, who: str) -> Sentence:
    record = match.record
    if record.format == 1 or record.pairing is not None:
        said = _NOTHING
    elif who != record.challenger:
        said = _ACCEPTED_BEFORE
    elif not record.unanswered:
        said = _ACCEPTED_BY_ALL
    else:
        said = _FOR_OTHERS
    return said.of(board=record.name, players=Listed(record.unanswered))


def _resign(match: Match, line: Line, chance: Draws) -> Step:
    said = _EXCLUDED if line.source == OWNER else _RESIGNED
    return _dropped_out(match, line, chance, _told(match, line, said), "resigned")


def _forfeit(match: Match, line: Line, chance: Draws) -> Step:
    """A player who runs out of time drops out; before their first move, this counts as
    a decline, except in a tournament."""
    if line.who not in match.turn:
        raise NotYourTurn(sentence("It is not the turn of {player}.", player=line.who))
    step = _told(match, line, _RAN_OUT)
    if not _has_moved(match, line.who) and match.record.pairing is None:
        return step._replace(result=Result((), "declined"))
    return _dropped_out(match, line, chance, step, "forfeit")


def _dropped_out(
    match: Match, line: Line, chance: Draws, step: Step, reason: str
) -> Step:
    """The step after a player has dropped out: the last player left wins, several play
    on."""
    record = match.record
    left = tuple(player for player in _playing(match) if player != line.who)
    if len(left) == 1:
        return step._replace(result=Result(left, reason))
    state = match.rules.drop(step.state, record.players.index(line.who))
    return settled(record, step._replace(state=state), chance)


def _decline(match: Match, line: Line, _: Draws) -> Step:
    record = match.record
    if record.pairing is not None:
        raise NotAllowed(
            sentence(
                "{board} is a game of tournament {number}, which cannot be declined; "
                "you may resign.",
                board=record.name,
                number=record.pairing[0],
            )
        )
    if record.format == 1:
        if _has_moved(match, line.who):
            raise NotAllowed(
                sentence(
                    "You can decline a game only before your first move. You can "
                    "resign at any time."
                )
            )
        said = _DECLINED_GAME
    elif line.who == record.challenger:
        _check_withdrawable(match)
        said = _WITHDREW
    elif line.who in record.unanswered:
        said = _DECLINED
    else:
        raise NotAllowed(
            sentence(
                "You have accepted this challenge or made a move, so you can no longer "
                "decline it; you may resign."
            )
        )
    if line.source == OWNER:
        said = _SHUT_OUT
    return _told(match, line, said)._replace(result=Result((), "declined"))


def _check_withdrawable(match: Match) -> None:
    """Raises NotAllowed if the challenger may no longer withdraw."""
    record = match.record
    not_answered = (record.challenger, *record.unanswered)
    answered = Listed(who for who in record.players if who not in not_answered)
    if answered:
        raise NotAllowed(
            sentence(
                "{players} answered your challenge, so you can no longer withdraw it; "
                "you may resign.",
                players=answered,
            )
        )
    if any(line.who == record.challenger and line.no for line in record.log):
        raise NotAllowed(
            sentence(
                "You have made a move, so you can no longer withdraw your challenge; "
                "you may resign."
            )
        )


def _lapse(match: Match, line: Line, _: Draws) -> Step:
    """The end of a challenge that not everybody has accepted in time."""
    record = match.record
    if not record.unanswered:
        raise NotAllowed(
            sentence("The challenge on {board} has been answered.", board=record.name)
        )
    seats = map(record.players.index, record.unanswered)
    events = tuple(Event(seat, _NEVER_ANSWERED) for seat in seats)
    return Step(match.state, match.ply, events, result=Result((), "declined"))


def _has_moved(match: Match, who: str) -> bool:
    return any(match.record.log[index].who == who for index in match.moves)


def _void(match: Match, line: Line, _: Draws) -> Step:
    return Step(match.state, match.ply, result=Result((), "voided"))


def _excused(match: Match, line: Line, _: Draws) -> Step:
    """A line about the clock of a player, which changes nothing else."""
    clocks = match.steps[-1].clocks
    if clocks is None:
        raise NotAllowed(sentence("{board} has no clocks.", board=match.record.name))
    why, since, until = line.argument.split(" ")
    if not (is_time(since) and is_time(until)) or since > until:
        raise ValueError(f"no time in which a clock stands still: {line.argument}")
    if Vacation(since, until) in clocks.away.get(line.who, ()):
        raise NotAllowed(sentence("{board} has that.", board=match.record.name))
    seat = match.record.players.index(line.who)
    said = _EXCUSED[why].of(since=Moment(since), until=Moment(until))
    return match.steps[-1]._replace(events=(Event(seat, said),), told="")


def _aside(match: Match, line: Line, _: Draws) -> Step:
    """The same step without events: a line that only says or plans something."""
    return match.steps[-1]._replace(events=(), told="")


ACTS: Mapping[Act, Callable[[Match, Line, Draws], Step]] = {
    Act.PROPOSE: _propose,
    Act.PAUSE: _pause,
    Act.UNDO: _undo,
    Act.ACCEPT: _accept,
    Act.REJECT: _reject,
    Act.RESIGN: _resign,
    Act.DECLINE: _decline,
    Act.VOID: _void,
    Act.LAPSE: _lapse,
    Act.FORFEIT: _forfeit,
    Act.EXCUSED: _excused,
    **dict.fromkeys((Act.CHAT, Act.QUEUE, Act.UNQUEUE, Act.SUBMIT, Act.NAG), _aside),
}
