"""The review of a game, as players read it."""

from collections.abc import Iterator, Sequence
from typing import Any

from pbm_holomino.draw import graph
from pbm_holomino.draw.graph import Series
from pbm_holomino.languages import (
    ENGLISH_CODE,
    Listed,
    Opponents,
    Sentence,
    Text,
    decimal,
    of_number,
    sentence,
    together,
)
from pbm_holomino.letters.content import (
    Content,
    Heading,
    Paragraph,
    Table,
    content,
    in_words,
)
from pbm_holomino.letters.letter import Attachment
from pbm_holomino.match.board import Match
from pbm_holomino.match.reviews import Judged, Review, final_chances, scored
from pbm_holomino.match.verdicts import ended, verdict
from pbm_holomino.sentences import amount

_LONGEST_MOVE, _LONGEST_NAME = 12, 16  # in the table, which is as wide as a letter
SUBJECT = sentence("{board}: the game reviewed")
_LEAST = 0.05  # points: less is nothing, as all of this is an estimate


def review(match: Match, found: Review) -> Content:
    """The whole review: how each player did, and each move."""
    record = match.record
    return content(
        (Heading(_of_board(_REVIEWED, match)),),
        *summary(match, found),
        (Table(SIDES, columns(match), tuple(rows(match, found))),),
        (Paragraph(_IN_HISTORY.of(command=f"{record.game} history {record.board}")),),
    )


_ESTIMATE = sentence(
    "All but what was scored is an estimate, made with what the player could see at "
    "the time."
)
_CHANCES_TOO = sentence(
    "The graph shows something else: each player's chances of coming first, before "
    "each move. Where a game is as good as decided, a move can give away many points "
    "and hardly any chances; in a close one, the opposite is true."
)
_REVIEWED = sentence("{game}, board {board}, reviewed by a robot: {players}")
_IN_HISTORY = sentence('"{command}" has the same as comments, for everybody.')


def _of_board(said: Sentence, match: Match) -> Sentence:
    """What is said of a board, its game and its players."""
    record, title = match.record, match.rules.TITLE
    return said.of(game=title, board=record.board, players=Opponents(record.players))


def summary(match: Match, found: Review) -> Sequence[Sequence[Paragraph]]:
    """How the game ended, how each player did, and what `rows` hold."""
    scoring = match.rules.SCORING
    how = together([scoring.reviewed, _CHANCES_TOO, _ESTIMATE])
    return (
        [Paragraph(ended(match))],
        _sums(match, found),
        [Paragraph(how)],
    )


def _sums(match: Match, found: Review) -> Sequence[Paragraph]:
    """For each player, how often they moved like the robot, and which of their moves
    cost the most. What moves cost is no sum: each is an estimate of its own."""
    log = match.record.log
    told = list[Paragraph]()
    for player in match.record.players:
        theirs = [judged for judged in found.moves if log[judged.line].who == player]
        if theirs:
            same = sum(log[j.line].action == j.robot for j in theirs)
            said = [_LIKE_IT.of(player=player, same=same, n=len(theirs))]
            worst = max(theirs, key=lambda judged: judged.given_away)
            if worst.given_away >= _LEAST:
                no, lost = log[worst.line].no or 0, worst.given_away
                said.append(_COSTLIEST.of(no=no, n=lost))
            told.append(Paragraph(together(said)))
    return told


_LIKE_IT = of_number(
    "{player} played as the robot would have in {same} of {n} move.",
    "{player} played as the robot would have in {same} of {n} moves.",
)
_COSTLIEST = of_number(
    "By its estimate, move {no} cost the most: {n} point.",
    "By its estimate, move {no} cost the most: {n} points.",
)


SIDES = "><<><>"  # of the columns: numbers are at the right


def columns(match: Match) -> tuple[Sentence, ...]:
    """What the columns of the table are called."""
    return (_NO, _PLAYER, _PLAYED, match.rules.SCORING.column, _ROBOT, _AWAY)


_NO, _PLAYER, _PLAYED = sentence("no."), sentence("player"), sentence("played")
_ROBOT, _AWAY = sentence("robot"), sentence("gave away")
_THE_SAME = sentence("the same")


def rows(match: Match, found: Review) -> list[tuple[object, ...]]:
    """A row for each move, under the `columns`."""
    return [_row(match, judged) for judged in found.moves]


def _row(match: Match, judged: Judged) -> tuple[object, ...]:
    line = match.record.log[judged.line]
    move = str(line.action)
    robot: Text = _THE_SAME if judged.robot == move else _short(judged.robot)
    return (
        line.no,
        _cut(line.who, _LONGEST_NAME),
        _short(move),
        scored(match, judged.line),
        robot,
        decimal(amount(judged.given_away)) if judged.given_away >= _LEAST else "-",
    )


def _short(move: str) -> str:
    """A move as a narrow column has it: of one that is too long, what kind it is."""
    if len(move) <= _LONGEST_MOVE:
        return move
    return f"{move.partition(':')[0]}:..."


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 3]}..."


def comment(match: Match, judged: Judged) -> Sentence:
    """What a history says about a move, in brackets."""
    if judged.robot == match.record.log[judged.line].action:
        return sentence("(A robot would have played the same.)")
    said = _BETTER if judged.given_away >= _LEAST else _NO_WORSE
    return said.of(move=judged.robot, n=judged.given_away)


_NO_WORSE = sentence("(A robot would have played {move}.)")
_BETTER = of_number(
    "(A robot would have played {move}, {n} point better.)",
    "(A robot would have played {move}, {n} points better.)",
)


def to_json(match: Match, found: Review) -> dict[str, Any]:
    """The review as programs read it."""
    players = match.record.players

    def chances(values: tuple[float, ...]) -> dict[str, float]:
        return {who: round(v, 3) for who, v in zip(players, values, strict=True)}

    def fields(judged: Judged) -> dict[str, Any]:
        line = match.record.log[judged.line]
        return {
            "no": line.no,
            "player": line.who,
            "played": line.action,
            "scored": scored(match, judged.line),
            "robot": judged.robot or None,
            "gave_away": judged.given_away,
            "chances": chances(judged.chances),
        }

    return {
        "moves": [fields(judged) for judged in found.moves],
        "end": chances(final_chances(match)),
    }


def drawn(
    match: Match,
    found: Review,
    code: str = ENGLISH_CODE,
    turning: Sequence[tuple[int, int]] = (),
    at: int | None = None,
    is_flat: bool = False,
) -> str:
    """How the players' chances of winning went, as an SVG graph, in the language with
    this code. What is marked there, and what is flat, `graph.draw` says."""
    players, chances = match.record.players, found.moves[0].chances
    first = Listed(
        _CHANCE.of(player=who, percent=round(100 * chance))
        for who, chance in zip(players, chances, strict=True)
    )
    about = _of_board(_DRAWN, match).of(first=first, verdict=verdict(match))
    title = in_words(_of_board(_CHANCES, match), code)
    words = title, in_words(about, code)
    return graph.draw(list(_series(match, found)), *words, turning, at, is_flat)


_CHANCES = sentence("{game}, board {board}: chances of winning")
_CHANCE = sentence("{player} {percent}%")
_DRAWN = sentence(
    "{players}, before each move and at the end. At the start: {first}. At the end: "
    "{verdict}."
)


def _series(match: Match, found: Review) -> Iterator[Series]:
    rows = [judged.chances for judged in found.moves]
    rows.append(final_chances(match))
    for seat, player in enumerate(match.record.players):
        yield Series(player, [row[seat] for row in rows])


def picture(match: Match, found: Review, code: str = ENGLISH_CODE) -> Attachment:
    """The graph as a file."""
    name = f"{match.record.game}-{match.record.board}-review.svg"
    return Attachment(name, "image/svg+xml", drawn(match, found, code).encode())
