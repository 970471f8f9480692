"""The players' commands about tournaments."""

from collections.abc import Iterable

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.queries import damage, within
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.letters.board_json import json_line
from pbm_holomino.letters.tournament_letters import (
    how_to_enter,
    to_json,
    tournament_content,
    tournament_line,
)
from pbm_holomino.match.record import TICKED, LogLine
from pbm_holomino.match.tournament import (
    FULL,
    OPEN,
    Change,
    Kind,
    Tournament,
    check_may_join,
    check_may_leave,
    gives_way,
    is_scarce,
)
from pbm_holomino.sentences import fill
from pbm_holomino.store import tournaments
from pbm_holomino.store.library import Library
from pbm_holomino.store.newcomers import newcomers

MOST_LISTED = 50  # the latest


def show(request: Request, context: Context) -> Answer:
    """A tournament with its table, or a list of all."""
    library = context.library
    if not request.boards:
        return _all(request, library)
    found = tournaments.find(library, request.board)
    request.allowance.work.read_lines(len(found.log))
    found = found.with_results(tournaments.results(library, found))
    if request.format == "json":
        return Answer(request.allowance.work.whole(json_line(to_json(found))))
    answer = Answer.of(tournament_content(found))
    request.allowance.work.whole(answer.text)
    return answer


def _all(request: Request, library: Library) -> Answer:
    found, damaged = listed(library)
    if request.format == "json":
        lines = [json_line(to_json(one)) for one in found]
        return Answer(within(lines, request.allowance.work))
    if not found and not damaged:
        return Answer(fill("There has been no tournament here yet."))
    text = within([tournament_line(one) for one in found], request.allowance.work)
    is_open = [one for one in found if one.status == OPEN]
    how = f"\n{how_to_enter(is_open[-1])}" if is_open else ""
    return Answer(text + how + damage(damaged))


def open_for_entry(found: Iterable[Tournament]) -> str:
    """The part of a list about those of these tournaments that can be entered; empty if
    none can."""
    is_open = [one for one in found if one.status == OPEN]
    if not is_open:
        return ""
    lines = "".join(map(tournament_line, is_open))
    how = how_to_enter(is_open[-1])
    return f"Tournaments that anybody may enter:\n\n{lines}\n{how}"


def listed(library: Library) -> tuple[list[Tournament], list[CorruptFile]]:
    """The latest tournaments, as their logs have them; and the damaged files."""
    found, damaged = [], []
    for number in tournaments.numbers(library.store)[-MOST_LISTED:]:
        try:
            found.append(tournaments.find(library, number))
        except CorruptFile as error:
            damaged.append(error)
    return found, damaged


def join(request: Request, context: Context, found: Tournament) -> Tournament:
    """The tournament after a player has entered it, and one whose account is new has
    given way if it was full. Raises NotAllowed."""
    player = context.people.player(request.userid)
    if player is not None and player.status == "off":
        raise NotAllowed(
            "You have signed off, so you cannot enter a tournament: please sign up "
            "again first, with the same password."
        )
    who, now = request.userid, context.now
    check_may_join(found, who)
    if not is_scarce(found):
        return _after(request, context, found, Kind.JOIN)
    new = newcomers(context.library, (*found.players, who), now)
    loser = gives_way(found, who, new)
    found = _after(request, context, found, Kind.JOIN)
    if loser is None:
        return found
    return found.after(LogLine(None, now, loser, TICKED, Change(Kind.LEAVE, (FULL,))))


def leave(request: Request, context: Context, found: Tournament) -> Tournament:
    """The tournament after a player has left it. Raises NotAllowed."""
    check_may_leave(found, request.userid)
    return _after(request, context, found, Kind.LEAVE)


def _after(
    request: Request, context: Context, found: Tournament, kind: Kind
) -> Tournament:
    line = LogLine(None, context.now, request.userid, request.origin.mail, Change(kind))
    return found.after(line)
