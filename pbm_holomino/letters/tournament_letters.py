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


def subject(found: Tournament, index: int) -> str:
    """The subject of the letters about a line of the log."""
    then = found.until(index + 1)
    wants = {
        Kind.LEAVE: "no place",
        Kind.ROUND: f"no game in round {then.paired}",
        Kind.END: "the final table",
        Kind.CANCEL: "cancelled",
    }
    return f"{found.name}: {wants[then.log[-1].action.kind]}"


MOST_NEWS = 10  # lines of a digest, the latest


def list_news(tournaments: Iterable[Tournament], who: str, since: str) -> str:
    """The part of a digest about what has happened after this time in the tournaments
    that a player takes part in; empty if nothing has."""
    theirs = (one for one in tournaments if who in one.players)
    found = [line for one in theirs for line in _news(one, since)]
    if not found:
        return ""
    lines = "".join(f"  {line}\n" for line in found[-MOST_NEWS:])
    return f"\nIn tournaments that you play in:\n\n{lines}"


def _news(found: Tournament, since: str) -> Iterator[str]:
    """What has happened after this time, a line for each thing."""
    paired = 0
    games = {str(game.board): game for game in found.games}
    for line in found.log:
        kind, words = line.action
        paired += kind is Kind.ROUND
        if line.time <= since:
            continue
        if kind is Kind.BOARDS:
            began = "all rounds have" if found.setup.at_once else f"round {paired} has"
            yield f"{found.name}: {began} begun"
        elif kind is Kind.RESULT:
            game = games[words[0]]
            first, second = game.players
            yield f"{found.name}, round {game.round}: {first} {words[1]} {second}"
        elif kind in (Kind.END, Kind.CANCEL):
            yield sentence(found).replace("Tournament", "tournament", 1)


def told(found: Tournament, index: int, reader: str = "") -> Content:
    """What a player is told after a line of the log: the line's author, unless another
    reader is named."""
    then = found.until(index + 1)
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


def leaving(found: Tournament, who: str) -> str:
    """The command by which a player leaves a tournament."""
    return f"tournament leave {found.setup.number} {who} {PLACEHOLDER}"


def joining(found: Tournament, who: str = "userid") -> str:
    """The command by which a player enters a tournament."""
    return f"tournament join {found.setup.number} {who} {PLACEHOLDER}"


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
            f"last. {WHO_IS_NEW} If somebody leaves, you can enter it again with this "
            "line and your password:"
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


def tournament_content(found: Tournament) -> Content:
    """A tournament as everybody may see it."""
    played = range(1, found.paired + 1)
    rounds = [number for number in played if _goes_on(found, number)]
    shown = rounds or [found.paired] * (found.paired > 0 and found.status == RUNNING)
    return content(
        (Heading(f"{found.name.capitalize()}: {found.title}"),),
        (Paragraph(state_in_words(found)),),
        _standing(found) if found.paired else _entrants(found),
        *(_round(found, number) for number in shown),
        _how_to_enter(found) if found.status == OPEN else (),
    )


def _goes_on(found: Tournament, number: int) -> bool:
    return any(game.round == number and not game.points for game in found.games)


def state_in_words(found: Tournament) -> str:
    """Whether it can be entered, is being played, or who has won, in sentences."""
    setup = found.setup
    options = " ".join(f"-{name}={word}" for name, word in setup.options.items())
    played = f" It is played with {options}." if options else ""
    if found.status == OPEN:
        return f"It can be entered until {moment(setup.starts)}.{played}"
    if found.status == RUNNING:
        return f"{_rounds(found)}.{played}"
    if found.status == CANCELLED:
        return f"{sentence(found)}."
    winners = [row.player for row in standings(found) if row.place == 1]
    won = "has won" if len(winners) == 1 else "share the first place"
    return f"It is over: {listed(winners)} {won}.{played}"


def _rounds(found: Tournament) -> str:
    if found.setup.at_once:
        return f"All {found.rounds} rounds are being played at once"
    return f"Round {found.paired} of {found.rounds}"


def _entrants(found: Tournament) -> Part:
    players = found.players
    if not players:
        return (Paragraph("Nobody has entered it yet."),)
    count = "1 player has" if len(players) == 1 else f"{len(players)} players have"
    return (Paragraph(f"{count} entered it: {listed(players)}."),)


def _how_to_enter(found: Tournament) -> Part:
    how = "To enter it, send this line with your password:"
    return Paragraph(how), Command(joining(found))


def _standing(found: Tournament) -> Part:
    """The table of the players."""
    is_swiss = found.setup.system == SWISS
    head = ("Buchholz", "direct") if is_swiss else ("direct", "S-B")
    rows = [_cells(row, is_swiss, found) for row in standings(found)]
    titles = ("place", "player", "points", *head, "won", "")
    return (Lines(table("><>>>><", [titles, *rows])),)


def _cells(row: Row, is_swiss: bool, found: Tournament) -> tuple[object, ...]:
    direct = _halves(row.direct)
    ties = (_halves(row.buchholz), direct)
    if not is_swiss:
        ties = (direct, f"{row.sonneborn / 4:.2f}")
    left = "(left)" if row.player in found.left else ""
    return row.place, row.player, _halves(row.points), *ties, row.won, left


def _halves(count: int) -> str:
    """Halves as a decimal fraction."""
    return f"{count / 2:.1f}"


def _round(found: Tournament, number: int) -> Part:
    """The games and the byes of a round."""
    games = [game for game in found.games if game.round == number]
    byes = [bye for bye in found.byes if bye.round == number]
    rows = [_game(game, found.setup.game) for game in games]
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


def tournament_line(found: Tournament) -> str:
    """A tournament in a list."""
    head = f"  {found.name:14}  "
    count = len(found.players)
    players = "1 player" if count == 1 else f"{count} players"
    state = {
        OPEN: f"open until {found.setup.starts[:10]}",
        RUNNING: "in progress",
        CANCELLED: "cancelled",
    }.get(found.status, "over")
    return fill(f"{found.title}; {players}; {state}", head, " " * len(head))


def how_to_enter(found: Tournament) -> str:
    """How a player enters a tournament of a list, such as this one."""
    return (
        fill("To enter one, send a line like this, with its number and your password:")
        + Command(joining(found)).plain()
    )


# JSON


def to_json(found: Tournament) -> dict[str, Any]:
    """A tournament in the public format that `help json` describes."""
    setup = found.setup
    return {
        "tournament": setup.number,
        "game": setup.game,
        "system": setup.system,
        "status": found.status,
        "starts": setup.starts,
        "options": dict(setup.options),
        "at_once": setup.at_once,
        "rounds": found.rounds,
        "round": found.paired,
        "players": [_row(row, found) for row in standings(found)],
        "games": [_game_fields(game) for game in found.games],
        "byes": [{**bye._asdict(), "points": bye.points / 2} for bye in found.byes],
    }


def _row(row: Row, found: Tournament) -> dict[str, Any]:
    return {
        "place": row.place,
        "player": row.player,
        "points": row.points / 2,
        "direct": row.direct / 2,
        "buchholz": row.buchholz / 2,
        "sonneborn": row.sonneborn / 4,
        "won": row.won,
        "left": row.player in found.left,
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
