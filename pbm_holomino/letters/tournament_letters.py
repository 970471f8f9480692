"""What people and programs read about tournaments: tables, lists, letters, JSON."""

from collections.abc import Iterable, Iterator
from typing import Any

from pbm_holomino.letters.content import (
    Command,
    Content,
    Heading,
    Lines,
    Paragraph,
    Part,
    content,
)
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.record import TICKED
from pbm_holomino.match.tournament import (
    CANCELLED,
    OPEN,
    RUNNING,
    SCORES,
    SWISS,
    Bye,
    Game,
    Kind,
    Row,
    Tournament,
    has_given_way,
    sentence,
    standings,
)
from pbm_holomino.match.turns import WHO_IS_NEW
from pbm_holomino.sentences import fill, listed, moment, table

# The letters


def subject(tournament: Tournament, index: int) -> str:
    """The subject of the letters about a line of the log."""
    then = tournament.until(index + 1)
    wants = {
        Kind.LEAVE: "no place",
        Kind.ROUND: f"no game in round {then.paired}",
        Kind.END: "the final table",
        Kind.CANCEL: "cancelled",
    }
    return f"{tournament.name}: {wants[then.log[-1].action.kind]}"


MOST_NEWS = 10  # lines of a digest, the latest


def list_news(tournaments: Iterable[Tournament], who: str, since: str) -> str:
    """The part of a digest about what has happened after this time in the tournaments
    that a player takes part in; empty if nothing has."""
    theirs = (one for one in tournaments if who in one.players)
    news = [line for one in theirs for line in _news(one, since)]
    if not news:
        return ""
    lines = "".join(f"  {line}\n" for line in news[-MOST_NEWS:])
    return f"\nIn tournaments that you play in:\n\n{lines}"


def _news(tournament: Tournament, since: str) -> Iterator[str]:
    """What has happened after this time, a line for each thing."""
    paired = 0
    games = {str(game.board): game for game in tournament.games}
    for line in tournament.log:
        kind, words = line.action
        paired += kind is Kind.ROUND
        if line.time <= since:
            continue
        if kind is Kind.BOARDS:
            began = (
                "all rounds have" if tournament.setup.at_once else f"round {paired} has"
            )
            yield f"{tournament.name}: {began} begun"
        elif kind is Kind.RESULT:
            game = games[words[0]]
            first, second = game.players
            yield f"{tournament.name}, round {game.round}: {first} {words[1]} {second}"
        elif kind in (Kind.END, Kind.CANCEL):
            yield sentence(tournament).replace("Tournament", "tournament", 1)


def told(tournament: Tournament, index: int, reader: str = "") -> Content:
    """What a player is told after a line of the log: the line's author, unless another
    reader is named."""
    then = tournament.until(index + 1)
    line = then.log[-1]
    kind, who = line.action.kind, reader or line.who
    if kind is Kind.JOIN:
        return content(*_entered(then, who))
    if has_given_way(line):
        return content(*_gave_way(then, who))
    if kind is Kind.LEAVE:
        return content((Paragraph(_left(then)),))
    if kind is Kind.ROUND:
        return content((Paragraph(_bye(then, who)),), _standing(then))
    if kind is Kind.CANCEL:
        return content((Paragraph(_cancelled(then, line.source == TICKED)),))
    return tournament_content(then)


def _entered(then: Tournament, who: str) -> Iterator[Part]:
    yield (
        Paragraph(
            f"You have entered {then.name}: {then.title}. It begins on "
            f"{moment(then.setup.starts)}, if at least two players have entered by "
            "then. You need not accept anything: you get a letter about each of your "
            "games when it begins."
        ),
    )
    how = "To leave it again, send this line with your password:"
    yield Paragraph(how), Command(leaving(then, who))


def leaving(tournament: Tournament, who: str) -> str:
    """The command by which a player leaves a tournament."""
    return f"tournament leave {tournament.setup.number} {who} {PLACEHOLDER}"


def joining(tournament: Tournament, who: str = "userid") -> str:
    """The command by which a player enters a tournament."""
    return f"tournament join {tournament.setup.number} {who} {PLACEHOLDER}"


def _left(then: Tournament) -> str:
    said = f"You have left {then.name}."
    if then.status == OPEN:
        return said
    return (
        f"{said} You get no more games in it. Those that have begun go on: if you do "
        "not want to play them to their end, please resign each of them."
    )


def _gave_way(then: Tournament, who: str) -> Iterator[Part]:
    yield (
        Paragraph(
            f"You have lost your place in {then.name} ({then.title}). It is full, and "
            "new accounts give way to others, beginning with the one that entered "
            f"last. {WHO_IS_NEW!s} If somebody leaves, you can enter it again with "
            "this line and your password:"
        ),
        Command(joining(then, who)),
    )


def _bye(then: Tournament, who: str) -> str:
    (bye,) = (b for b in then.byes if (b.round, b.player) == (then.paired, who))
    point = " It counts as a point." if bye.points else ""
    return f"You have no game in round {then.paired} of {then.name}.{point}"


def _cancelled(then: Tournament, is_too_few: bool) -> str:
    if is_too_few:
        few = len(then.players)
        entered = "nobody else" if few == 1 else "nobody"
        return (
            f"{then.name.capitalize()} ({then.title}) will not take place, as "
            f"{entered} has entered it."
        )
    return (
        f"The owner of this server has cancelled {then.name} ({then.title}). Games "
        "that have begun go on, and count for the ratings."
    )


# The table


def tournament_content(tournament: Tournament) -> Content:
    """A tournament as everybody may see it."""
    played = range(1, tournament.paired + 1)
    rounds = [number for number in played if _goes_on(tournament, number)]
    shown = rounds or [tournament.paired] * (
        tournament.paired > 0 and tournament.status == RUNNING
    )
    return content(
        (Heading(f"{tournament.name.capitalize()}: {tournament.title}"),),
        (Paragraph(state_in_words(tournament)),),
        _standing(tournament) if tournament.paired else _entrants(tournament),
        *(_round(tournament, number) for number in shown),
        _how_to_enter(tournament) if tournament.status == OPEN else (),
    )


def _goes_on(tournament: Tournament, number: int) -> bool:
    return any(game.round == number and not game.points for game in tournament.games)


def state_in_words(tournament: Tournament) -> str:
    """Whether it can be entered, is being played, or who has won, in sentences."""
    setup = tournament.setup
    options = " ".join(f"-{name}={word}" for name, word in setup.options.items())
    played = f" It is played with {options}." if options else ""
    if tournament.status == OPEN:
        return f"It can be entered until {moment(setup.starts)}.{played}"
    if tournament.status == RUNNING:
        return f"{_rounds(tournament)}.{played}"
    if tournament.status == CANCELLED:
        return f"{sentence(tournament)}."
    winners = [row.player for row in standings(tournament) if row.place == 1]
    won = "has won" if len(winners) == 1 else "share the first place"
    return f"It is over: {listed(winners)} {won}.{played}"


def _rounds(tournament: Tournament) -> str:
    if tournament.setup.at_once:
        return f"All {tournament.rounds} rounds are being played at once"
    return f"Round {tournament.paired} of {tournament.rounds}"


def _entrants(tournament: Tournament) -> Part:
    players = tournament.players
    if not players:
        return (Paragraph("Nobody has entered it yet."),)
    count = "1 player has" if len(players) == 1 else f"{len(players)} players have"
    return (Paragraph(f"{count} entered it: {listed(players)}."),)


def _how_to_enter(tournament: Tournament) -> Part:
    how = "To enter it, send this line with your password:"
    return Paragraph(how), Command(joining(tournament))


def _standing(tournament: Tournament) -> Part:
    """The table of the players."""
    is_swiss = tournament.setup.system == SWISS
    head = ("Buchholz", "direct") if is_swiss else ("direct", "S-B")
    rows = [_cells(row, is_swiss, tournament) for row in standings(tournament)]
    titles = ("place", "player", "points", *head, "won", "")
    return (Lines(table("><>>>><", [titles, *rows])),)


def _cells(row: Row, is_swiss: bool, tournament: Tournament) -> tuple[object, ...]:
    direct = _halves(row.direct)
    ties = (_halves(row.buchholz), direct)
    if not is_swiss:
        ties = (direct, f"{row.sonneborn / 4:.2f}")
    left = "(left)" if row.player in tournament.left else ""
    return row.place, row.player, _halves(row.points), *ties, row.won, left


def _halves(count: int) -> str:
    """Halves as a decimal fraction."""
    return f"{count / 2:.1f}"


def _round(tournament: Tournament, number: int) -> Part:
    """The games and the byes of a round."""
    games = [game for game in tournament.games if game.round == number]
    byes = [bye for bye in tournament.byes if bye.round == number]
    rows = [_game(game, tournament.setup.game) for game in games]
    rows += [_free(bye) for bye in byes]
    return Heading(f"Round {number}"), Lines(table("<<<", rows))


def _game(game: Game, name: str) -> tuple[str, str, str]:
    players = " - ".join(game.players)
    board = "" if game.board is None else f"{name} {game.board}"
    return f"  {players}", board, result_of(game)


def _free(bye: Bye) -> tuple[str, str, str]:
    return f"  {bye.player}", "no game", "1 point" if bye.points else ""


def result_of(game: Game) -> str:
    """The result as it is written: `1-0`; empty while there is none."""
    return next((word for word, points in SCORES.items() if points == game.points), "")


# Lists


def tournament_line(tournament: Tournament) -> str:
    """A tournament in a list."""
    head = f"  {tournament.name:14}  "
    count = len(tournament.players)
    players = "1 player" if count == 1 else f"{count} players"
    state = {
        OPEN: f"open until {tournament.setup.starts[:10]}",
        RUNNING: "in progress",
        CANCELLED: "cancelled",
    }.get(tournament.status, "over")
    return fill(f"{tournament.title}; {players}; {state}", head, " " * len(head))


def how_to_enter(tournament: Tournament) -> str:
    """How a player enters a tournament of a list, such as this one."""
    return (
        fill("To enter one, send a line like this, with its number and your password:")
        + Command(joining(tournament)).plain()
    )


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
