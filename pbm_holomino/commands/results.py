"""What the results tell: the players, the standings and the ratings."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbm_holomino import ratings as strength
from pbm_holomino import rules
from pbm_holomino.commands.queries import damage
from pbm_holomino.errors import CorruptFile
from pbm_holomino.library import Library, Summary
from pbm_holomino.players import DELETED, Player
from pbm_holomino.ratings import Rating
from pbm_holomino.request import Request
from pbm_holomino.words import fill, table

Row = tuple[object, ...]
_POINT = 60  # parts, so that up to six players share one without a rest


class Score(NamedTuple):
    """A player's results in a game; the points are counted in 60ths."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    points: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn

    def after(self, place: int, first: int) -> "Score":
        """The score after one more game, in which so many came first."""
        if place > 1:
            return self._replace(lost=self.lost + 1)
        points = self.points + _POINT // first
        if first > 1:
            return self._replace(drawn=self.drawn + 1, points=points)
        return self._replace(won=self.won + 1, points=points)


def scores(boards: Iterable[Summary]) -> dict[str, Score]:
    """The score of each player who has ended a game that counts."""
    found: dict[str, Score] = {}
    for board in boards:
        first = list(board.places.values()).count(1)
        for player, place in board.places.items():
            found[player] = found.get(player, Score()).after(place, first)
    return found


def standings(request: Request, library: Library) -> str:
    """Who has won, lost and drawn how often, the best first."""
    found = library.boards_of((), "inactive", [request.game])
    deleted, damaged = _deleted(library)
    ranked = sorted(
        (-score.points, score.lost, player, score)
        for player, score in scores(found.boards).items()
        if player not in deleted
    )
    rows = [
        (player, score.played, score.won, score.lost, score.drawn, _points(score))
        for _, _, player, score in ranked
    ]
    head = ("player", "played", "won", "lost", "drawn", "points")
    text = _headed(request.game, "standings", "<>>>>>", head, rows)
    return text + damage([*found.damaged, *damaged])


def _points(score: Score) -> str:
    """Points with at most two decimals; blanks keep the decimal points in line."""
    text = f"{score.points / _POINT:.2f}"
    return f"{text.rstrip('0').rstrip('.'):{len(text)}}"


def ratings(request: Request, library: Library) -> str:
    """How strong the players are, the strongest first."""
    found = library.boards_of((), "inactive", [request.game])
    deleted, damaged = _deleted(library)
    rated = strength.up_to_date(library.store, request.game, found.boards)
    ranked = sorted(
        (-rating.points, player, rating.games)
        for player, rating in rated.items()
        if player not in deleted
    )
    ranks: dict[int, int] = {}
    for rank, (points, _, _) in enumerate(ranked, 1):
        ranks.setdefault(points, rank)
    rows = [(ranks[points], player, -points, games) for points, player, games in ranked]
    head = ("rank", "player", "rating", "games")
    text = _headed(request.game, "ratings", "><>>", head, rows)
    return text + damage([*found.damaged, *damaged])


def _deleted(library: Library) -> tuple[set[str], list[CorruptFile]]:
    """Whose account is deleted, and which accounts are damaged."""
    accounts, damaged = library.accounts()
    return {player.userid for player in accounts if player.status == DELETED}, damaged


def _headed(game: str, what: str, sides: str, head: Row, rows: Sequence[Row]) -> str:
    title = rules.load(game).TITLE
    if rows:
        return f"{title}: {what}\n\n{table(sides, [head, *rows])}"
    return fill(
        f"Nobody here has ended a game of {title} yet. You may be the first: "
        f'"{game} help" has the rules, and "help challenge" tells how to begin.'
    )


def players(request: Request, library: Library) -> str:
    """All players; with games named, how each has done in these."""
    found = library.boards_of((), "all")
    accounts, damaged = library.accounts()
    here = _present(accounts, found.boards)
    if not here:
        text = fill('Nobody has signed up yet: "help signup" tells how to do it.')
    elif request.words:
        tables = (_of_game(library, g, found.boards, here) for g in request.words)
        text = "\n".join(tables)
    else:
        text = table("<<<", [("player", *_PRESENT), *here])
    return text + damage([*found.damaged, *damaged])


_PRESENT = ("last seen", "")  # the heads of the last columns


def _present(
    accounts: Iterable[Player], boards: Iterable[Summary]
) -> list[tuple[str, str, str]]:
    """All players who are here, with the day when they were last heard of, by their
    account or on a board, and whether they have signed off."""
    seen: dict[str, str] = {}
    here = [player for player in accounts if player.status != DELETED]
    heard = [{player.userid: line.time} for player in here for line in player.log[-1:]]
    for times in (*heard, *(board.seen for board in boards)):
        for player, time in times.items():
            seen[player] = max(time, seen.get(player, ""))
    return [
        (
            player.userid,
            seen.get(player.userid, "-")[:10],
            "(signed off)" if player.status == "off" else "",
        )
        for player in here
    ]


def _of_game(
    library: Library,
    game: str,
    boards: Iterable[Summary],
    here: Iterable[tuple[str, str, str]],
) -> str:
    boards = [board for board in boards if board.game == game]
    rated = strength.up_to_date(library.store, game, boards)
    done = scores(boards)
    rows: list[Row] = [("player", "played", "won", "rating", *_PRESENT)]
    for player, *present in here:
        score, rating = done.get(player, Score()), rated.get(player, Rating())
        rows.append((player, score.played, score.won, rating.points, *present))
    return f"{rules.load(game).TITLE}\n\n{table('<>>><<', rows)}"
