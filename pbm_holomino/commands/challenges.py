"""What all challenges have in common, be they to players who are named or to anyone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbm_holomino import rules
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import PAUSE
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadOption, NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.account import Player
from pbm_holomino.match.record import NOBODY, Act, Record, option_words
from pbm_holomino.rules.options import (
    CHALLENGE_OPTIONS,
    CLOCK,
    FORFEIT,
    RANDOM,
    RATED,
    configure,
    excluding,
    format_option,
    read_options,
)

_FOR_SEATS = sentence("{game} is a game for {most} players, not for {named}.")
_FOR_SOME_SEATS = sentence(
    "{game} is a game for {least} to {most} players, not for {named}."
)


def known_players(userids: Iterable[str], context: Context) -> dict[str, Player]:
    """The accounts of those of these players who have one."""
    players = filter(None, map(context.people.player, userids))
    return {player.userid: player for player in players}


def check_seats(game_name: str, names: Sequence[str]) -> None:
    """Raises NotAllowed if the game is not for so many players."""
    game = rules.load(game_name)
    least, most = game.SEATS
    if not least <= len(names) <= most:
        said = _FOR_SEATS if least == most else _FOR_SOME_SEATS.of(least=least)
        raise NotAllowed(said.of(game=game.TITLE, most=most, named=len(names)))


def check_signed_on(known: Mapping[str, Player]) -> None:
    """Raises NotAllowed if one of the players has signed off."""
    for name, player in known.items():
        if player.status == "off":
            raise NotAllowed(
                sentence('"{name}" has signed off and plays no new games.', name=name)
            )


def challenger_of(request: Request, known: Mapping[str, Player]) -> str:
    """The player who challenges: by mail, the one whose address the mail comes from; in
    a browser, the one who is signed in; otherwise NOBODY. Raises NotAllowed."""
    if request.origin.is_signed_in and request.userid in known:
        return request.userid
    if not request.origin.by_mail:
        return NOBODY
    for name in known:
        if request.origin.is_from(known[name]):
            return name
    raise NotAllowed(
        sentence(
            "A challenge by mail must come from the address of one of its players, and "
            "{address} is not one of theirs.",
            address=request.origin.sender,
        )
    )


def chosen_options(
    request: Request, robots: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The game's own options, and those of every game; without a word on it, games
    against robots do not count. Raises BadOption with the game's help page."""
    given = dict(request.options)
    common = {o.name: given.pop(o.name) for o in CHALLENGE_OPTIONS if o.name in given}
    try:
        options = configure(rules.load(request.game), given)
        preset: dict[str, Any] = {RATED.name: not robots}
        if {FORFEIT.name, CLOCK.name} <= common.keys():
            raise excluding((FORFEIT.name, CLOCK.name))
        if CLOCK.name in common:
            preset[FORFEIT.name] = 0
        return options, read_options(CHALLENGE_OPTIONS, common, preset)
    except BadOption as error:
        raise BadOption(error.said, request.game) from None


ACT_WORDS = {
    "resign": Act.RESIGN,
    "propose": Act.PROPOSE,
    "undo": Act.UNDO,
    "accept": Act.ACCEPT,
    "reject": Act.REJECT,
}


def options_again(
    request: Request, record: Record
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of an old board, in the same two parts, with those that are given in
    place of its own; the seats are drawn by lot only if that is asked for. Raises
    BadOption with the game's help page."""
    given = request.options
    values = {**record.match_options, RATED.name: record.rated}
    kept = {
        option.name: format_option(option, values[option.name])
        for option in CHALLENGE_OPTIONS
        if option.name in values and option != RANDOM
    }
    if not given.keys().isdisjoint((CLOCK.name, FORFEIT.name)):
        kept = {name: kept[name] for name in kept if name != CLOCK.name}
    if CLOCK.name in (*kept, *given):
        kept = {name: kept[name] for name in kept if name != FORFEIT.name}
    if "rules" not in given:
        opposites = {option.name: option.opposite for option in record.rules.OPTIONS}
        words = option_words(record).items()
        kept |= {name: word for name, word in words if opposites[name] not in given}
    options = {**kept, **given}
    return chosen_options(request._replace(options=options), record.robots)


def act_meant(word: str) -> tuple[Act, str] | None:
    """The act for which a word is typed in place of a move, and what it is about; None
    for a move."""
    typed = word.lower()
    if typed.startswith(PAUSE):
        return Act.PAUSE, typed.removeprefix(PAUSE)
    return (ACT_WORDS[typed], "") if typed in ACT_WORDS else None


def accepts(request: Request) -> bool:
    """Whether a command accepts what is offered on a board, or the board itself."""
    word = request.words[0].lower() if request.command == "move" else request.command
    return ACT_WORDS.get(word) is Act.ACCEPT
