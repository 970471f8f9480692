"""What people and programs read about tournaments: tables, lists, letters, JSON."""

from collections.abc import Iterable, Iterator
from typing import Any

from pbm_holomino.languages import (
    Day,
    Listed,
    Moment,
    Sentence,
    Text,
    decimal,
    of_number,
    sentence,
    together,
)
from pbm_holomino.letters.content import (
    BLANK,
    Command,
    Content,
    Heading,
    Paragraph,
    Part,
    Table,
    content,
)
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.tournament import (
    CANCELLED,
    OPEN,
    OVER,
    RUNNING,
    SCORES,
    SWISS,
    Bye,
    Game,
    Kind,
    Row,
    Tournament,
    TournamentLine,
    has_given_way,
    standings,
    state,
)
from pbm_holomino.match.turns import WHO_IS_NEW

# The letters


def subject(tournament: Tournament, index: int) -> Sentence:
    """The subject of the letters about a line of the log."""
    then = tournament.until(index + 1)
    said = SUBJECTS[then.log[-1].action.kind]
    return said.of(number=then.setup.number, round=then.paired)


SUBJECTS = {
    Kind.LEAVE: sentence("tournament {number}: no place"),
    Kind.ROUND: sentence("tournament {number}: no game in round {round}"),
    Kind.END: sentence("tournament {number}: the final table"),
    Kind.CANCEL: sentence("tournament {number}: cancelled"),
}


MOST_NEWS = 10  # lines of a digest, the latest


def list_news(tournaments: Iterable[Tournament], who: str, since: str) -> Part:
    """The part of a digest about what has happened after this time in the tournaments
    that a player takes part in; empty if nothing has."""
    theirs = (one for one in tournaments if who in one.players)
    news = [said for one in theirs for said in _news(one, since)]
    if not news:
        return ()
    lead = sentence("In tournaments that you play in:")
    lines = (Paragraph(said, "  ", "    ") for said in news[-MOST_NEWS:])
    return Paragraph(lead), BLANK, *lines


def _news(tournament: Tournament, since: str) -> Iterator[Sentence]:
    """What has happened after this time, a line for each thing."""
    paired, number = 0, tournament.setup.number
    games = {str(game.board): game for game in tournament.games}
    for line in tournament.log:
        kind, words = line.action
        paired += kind is Kind.ROUND
        if line.time <= since:
            continue
        if kind is Kind.BOARDS:
            began = _ALL_BEGAN if tournament.setup.at_once else _ROUND_BEGAN
            yield began.of(number=number, round=paired)
        elif kind is Kind.RESULT:
            game = games[words[0]]
            first, second = game.players
            yield _RESULT.of(
                number=number,
                round=game.round,
                first=first,
                second=second,
                result=words[1],
            )
        elif kind in _ENDS:
            yield _ENDS[kind].of(number=number)


_ALL_BEGAN = sentence("tournament {number}: all rounds have begun")
_ROUND_BEGAN = sentence("tournament {number}: round {round} has begun")
_RESULT = sentence("tournament {number}, round {round}: {first} {result} {second}")
_ENDS = {
    Kind.END: sentence("tournament {number} is over"),
    Kind.CANCEL: sentence("tournament {number} was cancelled"),
}


def told(tournament: Tournament, index: int, reader: str = "") -> Content:
    """What a player is told after a line of the log: the line's author, unless another
    reader is named."""
    then = tournament.until(index + 1)
    line = then.log[-1]
    kind, who = line.action.kind, reader or line.who
    if kind is Kind.JOIN:
        return content(*_entered(then, who))
    if has_given_way(line):
        return content(_gave_way(then, who))
    if kind is Kind.LEAVE:
        left = _LEFT if then.status == OPEN else _LEFT_LATER
        return content((_about(left, then),))
    if kind is Kind.ROUND:
        return content((_bye(then, who),), _standing(then))
    if kind is Kind.CANCEL:
        return content((_about(_why_cancelled(then, line), then),))
    return tournament_content(then)


def _about(said: Sentence, then: Tournament) -> Paragraph:
    """What is said of a tournament, by its number and its title."""
    return Paragraph(said.of(number=then.setup.number, title=then.title))


def _entered(then: Tournament, who: str) -> Iterator[Part]:
    yield (_about(_ENTERED.of(when=Moment(then.setup.starts)), then),)
    yield Paragraph(_TO_LEAVE), Command(leaving(then, who))


_ENTERED = sentence(
    "You have entered tournament {number}: {title}. It begins on {when}, if at least "
    "two players have entered by then. You need not accept anything: you get a letter "
    "about each of your games when it begins."
)
_TO_LEAVE = sentence("To leave it again, send this line with your password:")
_LEFT = sentence("You have left tournament {number}.")
_LEFT_LATER = sentence(
    "You have left tournament {number}. You get no more games in it. Those that have "
    "begun go on: if you do not want to play them to their end, please resign each of "
    "them."
)


def leaving(tournament: Tournament, who: str) -> str:
    """The command by which a player leaves a tournament."""
    return f"tournament leave {tournament.setup.number} {who} {PLACEHOLDER}"


def joining(tournament: Tournament, who: str = "userid") -> str:
    """The command by which a player enters a tournament."""
    return f"tournament join {tournament.setup.number} {who} {PLACEHOLDER}"


def _gave_way(then: Tournament, who: str) -> Part:
    lost = _GAVE_WAY.of(number=then.setup.number, title=then.title)
    how = Paragraph(together([lost, WHO_IS_NEW, _IF_SOMEBODY_LEAVES]))
    return how, Command(joining(then, who))


_GAVE_WAY = sentence(
    "You have lost your place in tournament {number} ({title}). It is full, and new "
    "accounts give way to others, beginning with the one that entered last."
)
_IF_SOMEBODY_LEAVES = sentence(
    "If somebody leaves, you can enter it again with this line and your password:"
)


def _bye(then: Tournament, who: str) -> Paragraph:
    (bye,) = (b for b in then.byes if (b.round, b.player) == (then.paired, who))
    return _about((_BYE_WITH_POINT if bye.points else _BYE).of(round=bye.round), then)


_BYE = sentence("You have no game in round {round} of tournament {number}.")
_BYE_WITH_POINT = sentence(
    "You have no game in round {round} of tournament {number}. It counts as a point."
)


def _why_cancelled(then: Tournament, line: TournamentLine) -> Sentence:
    if not line.by_server:
        return _CANCELLED_BY_OWNER
    return _NOBODY_ELSE if len(then.players) == 1 else _NOBODY


_CANCELLED_BY_OWNER = sentence(
    "The owner of this server has cancelled tournament {number} ({title}). Games that "
    "have begun go on, and count for the ratings."
)
_NOBODY_ELSE = sentence(
    "Tournament {number} ({title}) will not take place, as nobody else has entered it."
)
_NOBODY = sentence(
    "Tournament {number} ({title}) will not take place, as nobody has entered it."
)


# The table


def tournament_content(tournament: Tournament) -> Content:
    """A tournament as everybody may see it."""
    played = range(1, tournament.paired + 1)
    rounds = [number for number in played if _goes_on(tournament, number)]
    shown = rounds or [tournament.paired] * (
        tournament.paired > 0 and tournament.status == RUNNING
    )
    title, number = tournament.title, tournament.setup.number
    return content(
        (Heading(_HEADING.of(number=number, title=title)),),
        (Paragraph(state_in_words(tournament)),),
        _standing(tournament) if tournament.paired else (_entrants(tournament),),
        *(_round(tournament, number) for number in shown),
        _how_to_enter(tournament) if tournament.status == OPEN else (),
    )


_HEADING = sentence("Tournament {number}: {title}")


def _goes_on(tournament: Tournament, number: int) -> bool:
    return any(game.round == number and not game.points for game in tournament.games)


def state_in_words(tournament: Tournament) -> Sentence:
    """Whether it can be entered, is being played, or who has won, in sentences."""
    setup, said = tournament.setup, _state(tournament)
    options = " ".join(f"-{name}={word}" for name, word in setup.options.items())
    if not options or tournament.status == CANCELLED:
        return said
    return together([said, _PLAYED_WITH.of(options=options)])


def _state(tournament: Tournament) -> Sentence:
    setup, rounds = tournament.setup, tournament.rounds
    if tournament.status == OPEN:
        return _CAN_BE_ENTERED.of(when=Moment(setup.starts))
    if tournament.status == RUNNING and setup.at_once:
        return _ALL_ROUNDS.of(n=rounds)
    if tournament.status == RUNNING:
        return _ROUND_OF.of(round=tournament.paired, rounds=rounds)
    if tournament.status == CANCELLED:
        return state(tournament)
    winners = [row.player for row in standings(tournament) if row.place == 1]
    return _WON.of(n=len(winners), players=Listed(winners))


_CAN_BE_ENTERED = sentence("It can be entered until {when}.")
_ALL_ROUNDS = of_number(
    "All {n} rounds are being played at once.",
    "All {n} rounds are being played at once.",
)
_ROUND_OF = sentence("Round {round} of {rounds}.")
_WON = of_number(
    "It is over: {players} has won.",
    "It is over: {players} share the first place.",
)
_PLAYED_WITH = sentence("It is played with {options}.")


def _entrants(tournament: Tournament) -> Paragraph:
    players = tournament.players
    if not players:
        return Paragraph(sentence("Nobody has entered it yet."))
    return Paragraph(_HAVE_ENTERED.of(n=len(players), players=Listed(players)))


_HAVE_ENTERED = of_number(
    "{n} player has entered it: {players}.",
    "{n} players have entered it: {players}.",
)


def _how_to_enter(tournament: Tournament) -> Part:
    how = sentence("To enter it, send this line with your password:")
    return Paragraph(how), Command(joining(tournament))


def _standing(tournament: Tournament) -> Part:
    """The table of the players."""
    is_swiss = tournament.setup.system == SWISS
    ties = (_BUCHHOLZ, _DIRECT) if is_swiss else (_DIRECT, _SONNEBORN_BERGER)
    rows = [_cells(row, is_swiss, tournament) for row in standings(tournament)]
    head = (_PLACE, _PLAYER, _POINTS, *ties, _GAMES_WON, "")
    return (Table("><>>>><", head, tuple(rows)),)


_PLACE, _PLAYER = sentence("place"), sentence("player")
_POINTS, _GAMES_WON = sentence("points"), sentence("won")
_BUCHHOLZ, _DIRECT = sentence("Buchholz"), sentence("direct")
_SONNEBORN_BERGER = sentence("S-B")
_LEFT_IT = sentence("(left)")


def _cells(row: Row, is_swiss: bool, tournament: Tournament) -> tuple[object, ...]:
    direct = _halves(row.direct)
    ties = (_halves(row.buchholz), direct)
    if not is_swiss:
        ties = (direct, decimal(f"{row.sonneborn / 4:.2f}"))
    left = _LEFT_IT if row.player in tournament.left else ""
    return row.place, row.player, _halves(row.points), *ties, row.won, left


def _halves(count: int) -> Text:
    """Halves as a decimal fraction."""
    return decimal(f"{count / 2:.1f}")


def _round(tournament: Tournament, number: int) -> Part:
    """The games and the byes of a round."""
    games = [game for game in tournament.games if game.round == number]
    byes = [bye for bye in tournament.byes if bye.round == number]
    rows = [_game(game, tournament.setup.game) for game in games]
    rows += [_free(bye) for bye in byes]
    return Heading(_ROUND.of(round=number)), Table("<<<", (), tuple(rows))


_ROUND = sentence("Round {round}")


def _game(game: Game, name: str) -> tuple[Text, ...]:
    players = " - ".join(game.players)
    board = "" if game.board is None else f"{name} {game.board}"
    return f"  {players}", board, result_of(game)


def _free(bye: Bye) -> tuple[Text, ...]:
    return f"  {bye.player}", _NO_GAME, _ONE_POINT if bye.points else ""


_NO_GAME, _ONE_POINT = sentence("no game"), sentence("1 point")


def result_of(game: Game) -> str:
    """The result as it is written: `1-0`; empty while there is none."""
    return next((word for word, points in SCORES.items() if points == game.points), "")


# Lists


def tournament_line(tournament: Tournament) -> Paragraph:
    """A tournament in a list."""
    head = f"  {tournament.name:14}  "
    players, starts = len(tournament.players), Day(tournament.setup.starts)
    said = _LISTED[tournament.status].of(n=players, title=tournament.title, day=starts)
    return Paragraph(said, head)


_LISTED = {
    OPEN: of_number(
        "{title}; {n} player; open until {day}",
        "{title}; {n} players; open until {day}",
    ),
    RUNNING: of_number(
        "{title}; {n} player; in progress", "{title}; {n} players; in progress"
    ),
    OVER: of_number("{title}; {n} player; over", "{title}; {n} players; over"),
    CANCELLED: of_number(
        "{title}; {n} player; cancelled", "{title}; {n} players; cancelled"
    ),
}


def how_to_enter(tournament: Tournament) -> Part:
    """How a player enters a tournament of a list, such as this one."""
    how = sentence(
        "To enter one, send a line like this, with its number and your password:"
    )
    return Paragraph(how), Command(joining(tournament))


# JSON


def to_json(tournament: Tournament) -> dict[str, Any]:
    """A tournament in the public format that `help json` describes."""
    setup = tournament.setup
    return {
        "tournament": setup.number,
        "game": setup.game,
        "system": setup.system,
        "status": tournament.status,
        "starts": setup.starts,
        "options": dict(setup.options),
        "at_once": setup.at_once,
        "rounds": tournament.rounds,
        "round": tournament.paired,
        "players": [_row(row, tournament) for row in standings(tournament)],
        "games": [_game_fields(game) for game in tournament.games],
        "byes": [
            {**bye._asdict(), "points": bye.points / 2} for bye in tournament.byes
        ],
    }


def _row(row: Row, tournament: Tournament) -> dict[str, Any]:
    return {
        "place": row.place,
        "player": row.player,
        "points": row.points / 2,
        "direct": row.direct / 2,
        "buchholz": row.buchholz / 2,
        "sonneborn": row.sonneborn / 4,
        "won": row.won,
        "left": row.player in tournament.left,
    }


def _game_fields(game: Game) -> dict[str, Any]:
    points = None if game.points is None else [half / 2 for half in game.points]
    return {
        "round": game.round,
        "table": game.table,
        "players": list(game.players),
        "board": game.board,
        "points": points,
    }
