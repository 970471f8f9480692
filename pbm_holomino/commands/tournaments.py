"""The players' commands about tournaments."""

from collections.abc import Iterable

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.queries import damage, within
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.letters.board_json import json_line
from pbm_holomino.letters.content import (
    Content,
    Lines,
    Linked,
    Paragraph,
    Part,
    content,
    plain,
)
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
from pbm_holomino.store import tournaments
from pbm_holomino.store.library import Library
from pbm_holomino.store.newcomers import newcomers

MOST_LISTED = 50  # the latest


def show(request: Request, context: Context) -> Answer:
    """A tournament with its table, or a list of all."""
    library = context.library
    if not request.boards:
        return _all(request, library)
    tournament = tournaments.find(library, request.board)
    request.allowance.work.read_lines(len(tournament.log))
    tournament = tournament.with_results(tournaments.results(library, tournament))
    if request.format == "json":
        return Answer(request.allowance.work.whole(json_line(to_json(tournament))))
    answer = Answer.of(tournament_content(context.people.in_table(tournament)))
    request.allowance.work.whole(answer.text)
    return answer


def _all(request: Request, library: Library) -> Answer:
    latest, damaged = listed(library)
    if request.format == "json":
        lines = [Lines(json_line(to_json(one))) for one in latest]
        return Answer(plain((within(lines, request.allowance.work),)))
    if not latest and not damaged:
        return Answer.of(((Paragraph(_NONE),),))
    shown = within([*map(_linked, latest)], request.allowance.work)
    return Answer.of(content(shown, _entering(latest), damage(damaged)))


_NONE = sentence("There has been no tournament here yet.")


def _entering(latest: Iterable[Tournament]) -> Part:
    """How to enter the last of these tournaments that can be entered, if any can."""
    is_open = [one for one in latest if one.status == OPEN]
    return how_to_enter(is_open[-1]) if is_open else ()


def _linked(tournament: Tournament) -> Linked:
    """A tournament in a list, with a link that shows it."""
    command = f"tournament {tournament.setup.number}"
    return Linked((tournament_line(tournament),), command)


def open_for_entry(latest: Iterable[Tournament]) -> Content:
    """What a list says about those of these tournaments that can be entered; empty if
    none can."""
    is_open = [one for one in latest if one.status == OPEN]
    if not is_open:
        return ()
    lead = Paragraph(sentence("Tournaments that anybody may enter:"))
    return content([lead], map(_linked, is_open), _entering(is_open))


def listed(library: Library) -> tuple[list[Tournament], list[CorruptFile]]:
    """The latest tournaments, as their logs have them; and the damaged files."""
    latest, damaged = [], []
    for number in tournaments.numbers(library.store)[-MOST_LISTED:]:
        try:
            latest.append(tournaments.find(library, number))
        except CorruptFile as error:
            damaged.append(error)
    return latest, damaged


def join(request: Request, context: Context, tournament: Tournament) -> Tournament:
    """The tournament after a player has entered it, and one whose account is new has
    given way if it was full. Raises NotAllowed."""
    player = context.people.player(request.userid)
    if player is not None and player.status == "off":
        raise NotAllowed(
            sentence(
                "You have signed off, so you cannot enter a tournament: please sign up "
                "again first, with the same password."
            )
        )
    who, now = request.userid, context.now
    check_may_join(tournament, who)
    if not is_scarce(tournament):
        return _after(request, context, tournament, Kind.JOIN)
    new = newcomers(context.library, (*tournament.players, who), now)
    loser = gives_way(tournament, who, new)
    tournament = _after(request, context, tournament, Kind.JOIN)
    if loser is None:
        return tournament
    return tournament.after(
        LogLine(None, now, loser, TICKED, Change(Kind.LEAVE, (FULL,)))
    )


def leave(request: Request, context: Context, tournament: Tournament) -> Tournament:
    """The tournament after a player has left it. Raises NotAllowed."""
    check_may_leave(tournament, request.userid)
    return _after(request, context, tournament, Kind.LEAVE)


def _after(
    request: Request, context: Context, tournament: Tournament, kind: Kind
) -> Tournament:
    line = LogLine(None, context.now, request.userid, request.origin.mail, Change(kind))
    return tournament.after(line)
