"""The commands about results: the players, the standings and the ratings."""

from collections.abc import Iterable, Mapping, Sequence

from pbm_holomino import rules
from pbm_holomino.commands.allowance import Work
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import OPEN
from pbm_holomino.commands.queries import damage, table_within, within
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import CorruptFile
from pbm_holomino.languages import (
    Day,
    Sentence,
    Text,
    as_it_is,
    decimal,
    sentence,
    together,
)
from pbm_holomino.letters.board_list import challenge_line, open_challenges
from pbm_holomino.letters.content import (
    Block,
    Command,
    Content,
    Heading,
    Paragraph,
    Part,
    Table,
    content,
    plain,
)
from pbm_holomino.match.account import DELETED, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import ANYONE
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import TOURNAMENTS
from pbm_holomino.store.library import Library
from pbm_holomino.store.ratings import Rating, current_ratings

Head = tuple[Text, ...]
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
    shown = _headed(request.game, STANDINGS_OF, lines)
    damaged = [*library.lists.damaged([request.game]), *damaged]
    return Answer.of(content(*shown, damage(damaged)))


# What is above the columns of tables
PLAYER = sentence("player")
_PLAYED = sentence("played")
_WON = sentence("won")
_RATING = sentence("rating")
STANDINGS = (
    *(PLAYER, _PLAYED, _WON),
    *(sentence("lost"), sentence("tied"), sentence("points")),
)
STANDINGS_OF = sentence("{game}: standings")


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


def _points(score: Score) -> Text:
    """Points with at most two decimals, padded so that decimal points line up."""
    text = f"{score.points / _POINT:.2f}"
    return decimal(f"{text.rstrip('0').rstrip('.'):{len(text)}}")


def ratings(request: Request, context: Context) -> Answer:
    """The ratings of the players, the strongest first."""
    library = context.library
    rows, damaged = rating_rows(library, request.game)
    lines = _lines("><>>", RATINGS, rows, request.allowance.work)
    shown = _headed(request.game, RATINGS_OF, lines)
    damaged = [*library.lists.damaged([request.game]), *damaged]
    return Answer.of(content(*shown, damage(damaged)))


RATINGS = (sentence("rank"), PLAYER, _RATING, sentence("games"))
RATINGS_OF = sentence("{game}: ratings")


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


def _lines(sides: str, head: Head, rows: Sequence[Row], work: Work) -> Part:
    """A table, as far as the answer has room for it; nothing where it has no rows."""
    return table_within(Table(sides, head, tuple(rows)), work)


def _headed(game: str, heading: Sentence, lines: Part) -> Content:
    title = rules.load(game).TITLE
    if lines:
        return (Heading(heading.of(game=title)),), lines
    return content([Paragraph(_NOBODY_YET.of(title=title, game=game))])


_NOBODY_YET = sentence(
    "Nobody here has finished a rated game of {title} yet. You may be the first: "
    '"{game} help" has the rules, and "help challenge" says how to begin.'
)


def players(request: Request, context: Context) -> Answer:
    """All players; if games are named, with their results in these. Or the open
    challenges."""
    if request.which == OPEN:
        return _open_to_anyone(request, context)
    library, work = context.library, request.allowance.work
    accounts, damaged = library.accounts()
    here = present(library, accounts)
    if here:
        here += robots(library)
    parts: list[Part]
    if not here:
        how = request.allowance.answers.no_players or _HOW_TO_SIGN_UP
        parts = [(Paragraph(together([_NOBODY, how])),)]
    elif request.words:
        games = (_of_game(library, game, here, work) for game in request.words)
        parts = [part for game in games for part in game]
    else:
        parts = [_lines("<<<", (PLAYER, *PRESENT), here, work)]
    damaged = [*library.lists.damaged(), *damaged]
    return Answer.of(content(*parts, damage(damaged)))


_NOBODY = sentence("Nobody has signed up yet.")
_HOW_TO_SIGN_UP = sentence('"help signup" says how to do it.')
PRESENT: Head = (sentence("last seen (UTC)"), "")  # above the last columns
_SIGNED_OFF = sentence("(signed off)")
_ROBOT = sentence("(robot)")

Present = tuple[str, Text, Text]  # a player, the day they were last seen, what they are


def _day(time: str) -> Text:
    """The day of a time; a dash where there is none."""
    return as_it_is(Day(time[:10])) if time else "-"


def present(library: Library, accounts: Iterable[Player]) -> list[Present]:
    """All players who are here, each with the day they were last seen, in their account
    or on a board, and whether they have signed off."""
    here = [player for player in accounts if player.status != DELETED]
    seen = library.lists.last_seen([player.userid for player in here])
    return [
        (
            player.userid,
            _day(max([seen[player.userid], *(line.time for line in player.log[-1:])])),
            _SIGNED_OFF if player.status == "off" else "",
        )
        for player in here
    ]


def robots(library: Library) -> list[Present]:
    """The robots, each with the day it last did something."""
    robots = list(library.robots)
    seen = library.lists.last_seen(robots)
    return [(robot, _day(seen[robot]), _ROBOT) for robot in robots]


def _of_game(
    library: Library,
    game: str,
    here: Iterable[Present],
    work: Work,
) -> tuple[Part, Part]:
    rated = current_ratings(library, game)
    done = scores(library.lists.tallies(game))
    rows: list[Row] = []
    for player, *present in here:
        score, rating = done.get(player, Score()), rated.get(player, Rating())
        rows.append((player, score.played, score.won, rating.points, *present))
    head = (PLAYER, _PLAYED, _WON, _RATING, *PRESENT)
    lines = _lines("<>>><<", head, rows, work)
    return (Heading(rules.load(game).TITLE),), lines


def _open_to_anyone(request: Request, context: Context) -> Answer:
    """The list of open challenges, of some games or of all."""
    from pbm_holomino.commands.seeks import open_page  # few lists are of these

    library = context.library
    found = open_page(library, request.words or None, request.page, context.now)
    shown = _open_list(found.challenges, found.left, request)
    open_too = _open_tournaments(request, library) if request.page == 1 else ()
    return Answer.of(content(shown, *open_too, damage(found.damaged)))


def _open_tournaments(request: Request, library: Library) -> Content:
    """The list of tournaments that can be entered, of some games or of all."""
    if not library.store.names(TOURNAMENTS):
        return ()
    from pbm_holomino.commands import tournaments  # few servers have any

    found, _ = tournaments.listed(library)
    games = request.words or rules.names()
    shown = tournaments.open_for_entry([t for t in found if t.setup.game in games])
    return shown if request.allowance.work.has_room(plain(shown)) else ()


def _open_list(challenges: Sequence[Match], left: int, request: Request) -> Part:
    if not challenges:
        game = request.words[0] if request.words else rules.names()[0]
        return (
            Paragraph(sentence("There are no open challenges. To open one, send:")),
            Command(f"{game} challenge userid {ANYONE}"),
        )
    words = ("list", OPEN, *request.words, str(request.page + 1))
    more = _MORE.of(number=left, command=" ".join(words))
    entries: list[Block] = [*map(challenge_line, challenges)]
    entries += [Paragraph(more)] if left else []
    fitting = within(entries, request.allowance.work)
    return open_challenges(fitting, challenges[0].record, "userid")


_MORE = sentence('And {number} more: "{command}".')
