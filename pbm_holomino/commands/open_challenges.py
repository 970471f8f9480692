"""The commands about open challenges."""

from pbm_holomino import rules
from pbm_holomino.commands import challenges
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import Listed, of_number, sentence
from pbm_holomino.match.account import (
    NO_CHALLENGES,
    PLACEHOLDER,
    check_known,
    check_not_blocked,
)
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import (
    ANYONE,
    after,
    check_open,
    joined,
    missing,
    not_begun,
    waiting,
)
from pbm_holomino.match.record import Act, Line, Record, option_words
from pbm_holomino.rules.options import configure

MOST_IN_A_GAME = 3  # open challenges of one player
MOST_IN_ALL = 10  # of one player, in all games


def challenge(request: Request, context: Context) -> Match:
    """A new challenge open to anyone. Raises BadOption, NotAllowed or NotFound."""
    challenges.check_seats(request.game, request.words)
    names = [name for name in request.words if name != ANYONE]
    if len(names) != 1:
        raise NotAllowed(
            sentence(
                'An open challenge names the player who opens it, and "anyone" for '
                "each other seat:"
            ),
            f"{request.game} challenge userid{(len(request.words) - 1) * f' {ANYONE}'}",
        )
    known = challenges.known_players(names, context)
    challenges.check_signed_on(known)
    check_known(names, known.get)
    who, (opener,) = challenges.challenger_of(request, known), names
    _check_may_open(request.game, opener, context)
    options, common = challenges.chosen_options(request)
    line = Line(0, context.now, who, request.origin.mail, Act.CHALLENGE)
    return waiting(
        Record(
            game=request.game,
            board=context.library.store.next_number(request.game),
            version=rules.load(request.game).VERSION,
            players=request.words,
            options=options,
            seed=b"",
            log=(line,),
            notes={0: request.body} if request.body else {},
            challenger=opener,
            **common,
        )
    )


def _check_may_open(game: str, opener: str, context: Context) -> None:
    """Raises NotAllowed for a player who has opened as many as one may."""
    seated = context.library.lists.open_challenges(players=[opener]).boards
    theirs = [one for one in seated if one.challenger == opener]
    here = [one for one in theirs if one.game == game]
    if len(theirs) >= MOST_IN_ALL or len(here) >= MOST_IN_A_GAME:
        many = here if len(here) >= MOST_IN_A_GAME else theirs
        raise NotAllowed(
            sentence(
                "{number} open challenges by {player} wait to be taken up: {boards}. "
                "Before there can be another, one of them must be taken up or "
                "withdrawn.",
                number=len(many),
                player=opener,
                boards=Listed(one.name for one in many),
            )
        )


def changed(request: Request, context: Context, challenge: Match) -> Match:
    """An open challenge after a command about its number: taken up, or withdrawn.
    Raises NotAllowed, or NotBegun for a command that needs a board."""
    who = request.userid
    line = Line(None, context.now, who, request.origin.mail, Act.JOIN)
    if challenges.accepts(request):
        check_open(challenge)
        _check_may_join(who, challenge, context)
        return joined(_renewed(challenge), line, request.body, context.seed())
    if request.command == "decline":
        check_open(challenge)
        _check_may_withdraw(who, challenge)
        return after(challenge, line._replace(action=Act.DECLINE))
    raise not_begun(challenge, who)


def _renewed(challenge: Match) -> Match:
    """The challenge under the rules as they are now."""
    record = challenge.record
    game = rules.load(record.game)
    options = configure(game, option_words(record))
    return waiting(record._replace(version=game.VERSION, options=options))


_HAS_A_SEAT = of_number(
    "You already have a seat in {challenge}, which begins when {n} more player has "
    "taken one.",
    "You already have a seat in {challenge}, which begins when {n} more players have "
    "taken one.",
)


def _check_may_join(who: str, challenge: Match, context: Context) -> None:
    """Raises NotAllowed for a player who may not take one of the free seats."""
    record, seated = challenge.record, challenge.seated
    if who == record.challenger:
        raise NotAllowed(
            sentence(
                "This is your own open challenge: another player must take it up. To "
                "withdraw it, send this line with your password:"
            ),
            f"{record.game} decline {record.board} {who} {PLACEHOLDER}",
        )
    if who in seated:
        raise NotAllowed(_HAS_A_SEAT.of(n=missing(challenge), challenge=record.name))
    known = challenges.known_players((*seated, who), context)
    gone = [player for player in seated if player not in known]
    if gone:
        raise NotAllowed(
            sentence(
                "{players} is no longer here, so it cannot begin.", players=Listed(gone)
            )
        )
    challenges.check_signed_on(known)
    check_not_blocked(who, context.people.blockers(seated, who), NO_CHALLENGES)
    for player in seated:
        if player in known[who].blocked:
            raise NotAllowed(
                sentence(
                    "You have blocked {player}. To play together, first send this line "
                    "with your password:",
                    player=player,
                ),
                f"unblock {who} {PLACEHOLDER} {player}",
            )


def _check_may_withdraw(who: str, challenge: Match) -> None:
    record = challenge.record
    if who in challenge.record.takers:
        raise NotAllowed(
            sentence(
                "You have taken a seat in {board}. Once it has begun you can resign.",
                board=record.name,
            )
        )
    if who != record.challenger:
        raise NotAllowed(
            sentence(
                "{board} is an open challenge, which only {player} can withdraw. If "
                "you do not want to play it, you need not do anything.",
                board=record.name,
                player=record.challenger,
            )
        )
