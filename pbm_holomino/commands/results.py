"""The commands about results: the players, the standings and the ratings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbm_holomino import rules
from pbm_holomino.commands.allowance import Work
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import OPEN
from pbm_holomino.commands.queries import damage, within
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import CorruptFile
from pbm_holomino.letters.board_list import challenge_line, how_to_take
from pbm_holomino.letters.content import Command, plain
from pbm_holomino.match.account import DELETED, NO_NEW_PLAYERS, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import ANYONE
from pbm_holomino.sentences import fill, table
from pbm_holomino.store.contract import TOURNAMENTS
from pbm_holomino.store.library import Library
from pbm_holomino.store.ratings import Rating, current_ratings

Row = tuple[object, ...]
_POINT = 60  # parts of a point, divisible among up to six players


class Score(NamedTuple):
    """A player's results in a game; the points are counted in 60ths."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    points: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn


def score(games: Mapping[int, int]) -> Score:
    """The score of a player, from the number of games by how many players shared first
    place, this one among them: 1 is a win, 0 a loss."""
    won, lost = games.get(1, 0), games.get(0, 0)
    points = sum(_POINT // first * often for first, often in games.items() if first)
    return Score(won, lost, sum(games.values()) - won - lost, points)


def scores(tallies: Mapping[str, Mapping[int, int]]) -> dict[str, Score]:
    """The score of each player who has finished a game that counts."""
    return {player: score(games) for player, games in tallies.items()}


def standings(request: Request, context: Context) -> Answer:
    """How often each player has won, lost and tied, the best first."""
    library = context.library
    rows, damaged = standing_rows(library, request.game)
    lines = _lines("<>>>>>", STANDINGS, rows, request.allowance.work)
    text = _headed(request.game, "standings", lines)
    return Answer(text + damage([*library.lists.damaged([request.game]), *damaged]))


STANDINGS = ("player", "played", "won", "lost", "tied", "points")


def standing_rows(library: Library, game: str) -> tuple[list[Row], list[CorruptFile]]:
    """The rows of the standings, under STANDINGS; and the damaged accounts."""
    deleted, damaged = _deleted(library)
    ranked = sorted(
        (-score.points, score.lost, player, score)
        for player, score in scores(library.lists.tallies(game)).items()
        if player not in deleted
    )
    rows: list[Row] = [
        (player, score.played, score.won, score.lost, score.drawn, _points(score))
        for _, _, player, score in ranked
    ]
    return rows, damaged


def _points(score: Score) -> str:
    """Points with at most two decimals, padded so that decimal points line up."""
    text = f"{score.points / _POINT:.2f}"
    return f"{text.rstrip('0').rstrip('.'):{len(text)}}"


def ratings(request: Request, context: Context) -> Answer:
    """The ratings of the players, the strongest first."""
    library = context.library
    rows, damaged = rating_rows(library, request.game)
    lines = _lines("><>>", RATINGS, rows, request.allowance.work)
    text = _headed(request.game, "ratings", lines)
    return Answer(text + damage([*library.lists.damaged([request.game]), *damaged]))


RATINGS = ("rank", "player", "rating", "games")


def rating_rows(library: Library, game: str) -> tuple[list[Row], list[CorruptFile]]:
    """The rows of the rating list, under RATINGS; and the damaged accounts."""
    deleted, damaged = _deleted(library)
    ranked = sorted(
        (-rating.points, player, rating.games)
        for player, rating in current_ratings(library, game).items()
        if player not in deleted
    )
    ranks: dict[int, int] = {}
    for rank, (points, _, _) in enumerate(ranked, 1):
        ranks.setdefault(points, rank)
    rows: list[Row] = [
        (ranks[points], player, -points, games) for points, player, games in ranked
    ]
    return rows, damaged


def _deleted(library: Library) -> tuple[set[str], list[CorruptFile]]:
    """The userids of deleted accounts, and the damaged accounts."""
    accounts, damaged = library.accounts()
    return {player.userid for player in accounts if player.status == DELETED}, damaged


def _lines(sides: str, head: Row, rows: Sequence[Row], work: Work) -> str:
    """A table, as far as the answer has room for it; empty where it has no rows."""
    text = table(sides, [head, *rows]) if rows else ""
    return within(text.splitlines(keepends=True), work)


def _headed(game: str, what: str, lines: str) -> str:
    title = rules.load(game).TITLE
    if lines:
        return f"{title}: {what}\n\n{lines}"
    return fill(
        f"Nobody here has finished a game of {title} yet. You may be the first: "
        f'"{game} help" has the rules, and "help challenge" says how to begin.'
    )


def players(request: Request, context: Context) -> Answer:
    """All players; if games are named, with their results in these. Or the open
    challenges."""
    if request.which == OPEN:
        return _open_to_anyone(request, context)
    library = context.library
    accounts, damaged = library.accounts()
    here = present(library, accounts)
    if here:
        here += robots(library)
    if not here:
        how = '"help signup" says how to do it.'
        if not request.allowance.answers.takes_players:
            how = str(NO_NEW_PLAYERS)
        text = fill(f"Nobody has signed up yet. {how}")
    elif request.words:
        tables = (
            _of_game(library, game, here, request.allowance.work)
            for game in request.words
        )
        text = "\n".join(tables)
    else:
        text = _lines("<<<", ("player", *_PRESENT), here, request.allowance.work)
    return Answer(text + damage([*library.lists.damaged(), *damaged]))


_PRESENT = ("last seen", "")  # the headings of the last columns


def present(library: Library, accounts: Iterable[Player]) -> list[tuple[str, str, str]]:
    """All players who are here, each with the day they were last seen, in their account
    or on a board, and whether they have signed off."""
    here = [player for player in accounts if player.status != DELETED]
    seen = library.lists.last_seen([player.userid for player in here])
    return [
        (
            player.userid,
            max([seen[player.userid], *(line.time for line in player.log[-1:])])[:10]
            or "-",
            "(signed off)" if player.status == "off" else "",
        )
        for player in here
    ]


def robots(library: Library) -> list[tuple[str, str, str]]:
    """The robots, each with the day it last did something."""
    robots = list(library.robots)
    seen = library.lists.last_seen(robots)
    return [(robot, seen[robot][:10] or "-", "(robot)") for robot in robots]


def _of_game(
    library: Library,
    game: str,
    here: Iterable[tuple[str, str, str]],
    work: Work,
) -> str:
    rated = current_ratings(library, game)
    done = scores(library.lists.tallies(game))
    rows: list[Row] = []
    for player, *present in here:
        score, rating = done.get(player, Score()), rated.get(player, Rating())
        rows.append((player, score.played, score.won, rating.points, *present))
    head = ("player", "played", "won", "rating", *_PRESENT)
    lines = _lines("<>>><<", head, rows, work)
    return f"{rules.load(game).TITLE}\n\n{lines}"


def _open_to_anyone(request: Request, context: Context) -> Answer:
    """The list of open challenges, of some games or of all."""
    from pbm_holomino.commands.seeks import open_page  # few lists are of these

    library = context.library
    found = open_page(library, request.words or None, request.page, context.now)
    text = _open_list(found.challenges, found.left, request)
    if request.page == 1:
        text += _open_tournaments(request, library)
    return Answer(text + damage(found.damaged))


def _open_tournaments(request: Request, library: Library) -> str:
    """The list of tournaments that can be entered, of some games or of all."""
    if not library.store.names(TOURNAMENTS):
        return ""
    from pbm_holomino.commands import tournaments  # few servers have any

    found, _ = tournaments.listed(library)
    games = request.words or rules.names()
    lines = tournaments.open_for_entry([t for t in found if t.setup.game in games])
    return within([f"\n{lines}"], request.allowance.work) if lines else ""


def _open_list(challenges: Sequence[Match], left: int, request: Request) -> str:
    if not challenges:
        game = request.words[0] if request.words else rules.names()[0]
        none = fill("There are no open challenges. To open one, send:")
        return none + Command(f"{game} challenge userid {ANYONE}").plain()
    words = ("list", OPEN, *request.words, str(request.page + 1))
    more = [fill(f'And {left} more: "{" ".join(words)}".')] if left else []
    listed = [challenge_line(challenge).plain() for challenge in challenges]
    lines = within([*listed, *more], request.allowance.work)
    how = plain((how_to_take(challenges[0].record, "userid"),))
    return f"Open challenges that anybody may take up:\n\n{lines}\n{how}"
