"""Players who have removed their account and want to be named no more where games that
are over are shown. Only names change: records and their logs stay as they are."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pbm_holomino.languages import Kept, Listed, Sentence, sentence
from pbm_holomino.languages.recognised import Recognised
from pbm_holomino.match.board import Match, Offer, Result, Step

if TYPE_CHECKING:
    from pbm_holomino.match.tournament import Game, Tournament

_ALONE = sentence("a former player")
_ONE_OF_SEVERAL = sentence("former player {number}")

Names = Mapping[str, Kept]  # what is shown in place of userids


def _among() -> tuple[Sentence, ...]:
    return _ALONE, _ONE_OF_SEVERAL


def names(gone: Iterable[str]) -> Names:
    """What is shown in place of those among the players of a board who are not named
    any more: no two of them have the same name."""
    left = tuple(gone)
    said = [_ONE_OF_SEVERAL.of(number=number) for number in range(1, len(left) + 1)]
    if len(left) == 1:
        said = [_ALONE]
    shown = [Recognised(str(each), _among) for each in said]
    return dict(zip(left, shown, strict=True))


def renamed(match: Match, shown: Names) -> Match:
    """A match that is over, to be looked at, with these names. By what its letters are
    known is as before."""

    def of(name: str) -> str:
        return shown.get(name, name)

    def step_of(step: Step) -> Step:
        offer = step.offer
        return step._replace(
            result=step.result and result_of(step.result, shown),
            offer=offer and Offer(offer.kind, of(offer.who), _all(offer.accepted)),
            gone={of(name): act for name, act in step.gone.items()},
        )

    def _all(players: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(of, players))

    record = match.record
    record = record._replace(
        players=_all(record.players),
        challenger=of(record.challenger),
        log=tuple(line._replace(who=of(line.who)) for line in record.log),
    )
    return match._replace(record=record, steps=tuple(map(step_of, match.steps)))


def entered(tournament: "Tournament", shown: Names) -> "Tournament":
    """A tournament, to be looked at, with these names."""

    def all_of(players: Iterable[str]) -> tuple[str, ...]:
        return tuple(shown.get(name, name) for name in players)

    def game_of(game: "Game") -> "Game":
        first, second = all_of(game.players)
        return game._replace(players=(first, second))

    return tournament._replace(
        entered=all_of(tournament.entered),
        seeds=all_of(tournament.seeds),
        left=all_of(tournament.left),
        games=tuple(map(game_of, tournament.games)),
        byes=tuple(
            bye._replace(player=shown.get(bye.player, bye.player))
            for bye in tournament.byes
        ),
    )


def renamed_in(said: Any, shown: Names) -> Any:
    """A sentence, or what takes a place in one, with these names."""
    if isinstance(said, Sentence):
        values = ((place, renamed_in(each, shown)) for place, each in said.values)
        return Sentence(said.forms, tuple(values))
    if isinstance(said, Listed):
        return type(said)(renamed_in(each, shown) for each in said)
    return shown.get(said, said) if isinstance(said, str) else said


def result_of(result: Result, shown: Names) -> Result:
    """A result with these names."""
    winners = tuple(shown.get(name, name) for name in result.winners)
    return result._replace(winners=winners)
