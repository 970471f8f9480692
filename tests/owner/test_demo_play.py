"""`pbm demo --play`: a visitor plays against a robot in the terminal, at once."""

import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.draw.text import draw
from pbm_holomino.errors import BadCommand
from pbm_holomino.letters import help as pages
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import SHELL, Line
from pbm_holomino.match.times import time_at
from pbm_holomino.owner import play, showing
from pbm_holomino.owner.terminal import Size, Terminal
from pbm_holomino.robots.contract import Budget
from pbm_holomino.rules.contract import move_labels
from tests.processes import run
from tests.terminal import visiting

MORE = "-- Enter shows the rest -- "
QUICK = (
    "from pbm_holomino.owner import play; "
    "from pbm_holomino.robots.contract import Budget; "
    "play._BUDGET = play._FOR_A_HINT = Budget(steps=20)"
)
PROPOSED = r"To\s+play,\s+type\s+a\s+move,\s+such\s+as\s+(\S+)\."


class Reader(Terminal):
    """A visitor who types these words and then has enough; `shown` is what was told."""

    def __init__(self, words: Iterable[str], rows: int | None = None) -> None:
        super().__init__(self._next)
        self._words = iter(words)
        self._rows = rows
        self.shown: list[str] = []

    @property
    def size(self) -> Size:
        return Size(80, self._rows)

    def page(self, lines: Iterable[str]) -> str:
        self.shown.append("\n".join(lines))
        return ""

    def _next(self, question: str) -> str:
        assert question == play.PROMPT
        word = next(self._words, None)
        if word is None:
            raise EOFError
        return word

    @property
    def last(self) -> str:
        """The last that was told, on one line."""
        return " ".join(self.shown[-1].split())


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "_BUDGET", Budget(steps=1))
    monkeypatch.setattr(play, "_FOR_A_HINT", Budget(steps=1))


def told(game: str, *words: str) -> Reader:
    """What somebody reads who types these words."""
    reader = Reader(words)
    assert f"a game of {rules.load(game).TITLE}" in flat(play.play(game, reader).text)
    return reader  # who has not come to the end


def flat(text: str) -> str:
    return " ".join(text.split())


# To the end, by somebody who has read nothing


@pytest.mark.parametrize("game", rules.names())
def test_every_game_can_be_played_to_its_end_with_what_the_screen_proposes(
    game: str, tmp_path: Path
) -> None:
    """On a terminal of 24 lines of 80 columns."""
    words = ["pbm", "demo", "--play", game]
    turns = 0
    with visiting(words, before=QUICK, PBM_GAMES=str(tmp_path)) as visitor:
        while True:
            shown = ""
            while shown.endswith(MORE) or not shown:
                seen = visitor.until([play.PROMPT, MORE])
                assert len(seen.splitlines()) <= 24, seen
                assert all(len(line) <= 80 for line in seen.splitlines()), seen
                if seen.endswith(MORE):
                    visitor.type("")
                shown += seen
            if not shown.endswith(play.PROMPT):
                break
            on_screen = shown.replace(MORE, "").splitlines()[-24:]
            if "score" in shown:  # what can be played is seen at the prompt
                assert re.search("[Mm]oves .*scores?", "\n".join(on_screen)), shown
            visitor.type(re.findall(PROPOSED, shown)[-1])
            turns += 1
        assert visitor.process.wait(60) == 0
    assert "The game is over: " in shown
    assert f"a game of {rules.load(game).TITLE}" in flat(shown)
    assert turns >= least_turns(game)
    assert list(tmp_path.iterdir()) == []


# The cells, the moves and what they score


def least_turns(game: str) -> int:
    """A game that the scores do not decide may be won early."""
    return 8 if rules.load(game).SCORING.decides else 3


def positions(move: str) -> list[str]:
    return re.findall("[0-9]+", move.partition(":")[2])


def listed(shown: str) -> list[tuple[str, int]]:
    """The moves that a screen names, and what it says that they score."""
    if "(none scores):" in shown:
        rest = shown.partition("(none scores):")[2].partition("To play")[0]
        return [(move, 0) for move in re.findall(r"\w+:[\d,]+", rest)]
    rest = shown.partition("and what they score:")[2]
    return [(m, int(n)) for m, n in re.findall(r"(\w+:[\d,]+) +(\d+)\b", rest)]


class Greedy:
    """Types the first move that is named, so many times, and looks at each screen."""

    def __init__(self, rows: int | None, turns: int) -> None:
        self.reader = Reader(self._words(turns), rows)
        self.screens: list[str] = []

    def _words(self, turns: int) -> Iterator[str]:
        for _ in range(turns):
            self.screens.append(self.reader.shown[-1])
            found = re.findall(PROPOSED, self.reader.shown[-1])
            if not found:
                return
            yield found[-1]


@pytest.mark.parametrize("rows", [None, 24, 40])
@pytest.mark.parametrize("game", [g for g in rules.names() if g != "walomino"])
def test_the_places_of_all_moves_that_are_named_are_numbered(
    game: str, rows: int | None
) -> None:
    greedy = Greedy(rows, 60)
    play.play(game, greedy.reader)
    assert len(greedy.screens) >= least_turns(game)
    may_cover, are_numbered = bool(rules.load(game).SIDES), False
    for screen in greedy.screens:
        moves = [move for move, _ in listed(screen)]
        (first,) = re.findall(PROPOSED, screen)
        assert first in moves or first.startswith("pass:")
        for move in moves:
            # once in a move, and once on the board
            found = [
                len(re.findall(rf"(?<!\d)0*{cell}(?!\d)", screen)) > 1
                for cell in positions(move)
            ]
            assert all(found) or may_cover, (move, screen)
            are_numbered |= all(found)
        points = [points for _, points in listed(screen)]
        assert points == sorted(points, reverse=True)
    assert are_numbered


@pytest.mark.parametrize("game", rules.names())
def test_what_a_move_scores_is_what_it_is_said_to_score(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each choice on the way through a game, played."""
    match = play._begun(game)
    tried = 0
    for _ in range(60):
        if match.result is not None:
            break
        who = match.turn[0]
        choices = showing.choices(match, who)
        assert [c.points for c in choices] == sorted(c.points for c in choices)[::-1]
        legal = match.rules.legal(match.state, match.record.players.index(who))
        if choices:
            named = {choice.move for choice in choices}
            assert named == {match.rules.format_move(move) for move in legal}
        for choice in choices[:3] + choices[-1:]:
            after = played(match, who, choice.move)
            if after.result is not None:  # minus points come at the end of a round
                continue
            tried += 1
            assert after.scores[who] == match.scores[who] + choice.points
        match = played(match, who, showing.first_move(match, who))
    assert tried > 20


def played(match: Match, who: str, move: str) -> Match:
    return replay.after(match, Line(None, time_at(), who, SHELL, move))


def test_moves_that_are_free_are_examples() -> None:
    reader = told("walomino", "moves", "")
    assert "such as take:" in reader.shown[0]
    assert "What you send here is free." in reader.shown[1]
    assert "such as take:" in reader.shown[2]


# The words


def test_a_word_that_is_no_move_is_asked_again() -> None:
    reader = told("holo", "", "999:1", "robot1", "propose", "accept")
    first, nothing, refused, no_move, propose, accept = map(flat, reader.shown)
    assert "Holomino, at the start" in first  # the challenger begins
    assert re.fullmatch(f"{PROPOSED} For advice, type hint.", nothing)
    assert '"999:1" is refused.' in refused
    assert '"robot1" is not a move.' in no_move
    assert propose == 'There is no "propose" against this robot.'
    assert accept == 'There is no "accept" against this robot.'


def test_a_move_may_be_typed_as_people_type_it() -> None:
    reader = Reader(())
    table = play._Table("holo", reader)
    move = showing.first_move(table.match, "you")
    table.answer(move.replace(":", " "))
    assert [str(line.action) for line in table.match.record.log][1] == move


@pytest.mark.parametrize("word", ["quit", " QUIT ", "q", "exit", "resign"])
def test_a_visitor_who_has_enough_ends_it(word: str) -> None:
    assert len(told("holo", word, "hint").shown) == 1


@pytest.mark.parametrize("word", ["help", "rules", "?"])
def test_the_rules_are_there(word: str) -> None:
    assert told("hextol", word).shown[1] == pages.page("hextol").rstrip("\n")


@pytest.mark.parametrize("game", rules.names())
def test_a_hint_is_a_move_with_a_reason(game: str) -> None:
    reader = told(game, "hint")
    found = re.match(r"A robot would play (\S+)\. [A-Z].*\.$", reader.last)
    assert found
    said = found[1]
    assert rules.load(game).in_notation(said)


def test_undo_goes_back_move_by_move() -> None:
    reader = Reader(())
    table = play._Table("holo", reader)
    at_first = table.match
    assert "nothing to take back" in flat(" ".join(table.answer("undo")))
    table.answer(showing.first_move(table.match, "you"))
    after_one = table.match
    table.answer(showing.first_move(table.match, "you"))
    text = "\n".join(table.answer("undo"))
    assert "Your last move is taken back." in text
    assert table.match == after_one
    assert f"Holomino, after move {after_one.ply}" in flat(text)
    table.answer("undo")
    assert table.match == at_first


def test_history_has_a_line_for_each_move() -> None:
    greedy = Greedy(None, 2)
    words = [*("history",)]
    reader = greedy.reader
    table = play._Table("holo", reader)
    for _ in range(2):
        table.answer(showing.first_move(table.match, "you"))
    lines = table.answer(words[0])
    log = table.match.record.log
    assert len(log) == 5
    heads = [line for line in lines if re.match(r" *[0-9]+  ", line)]
    assert [int(line.split()[0]) for line in heads] == [0, 1, 2, 3, 4]
    assert f"You played {log[1].action}" in heads[1]
    assert f"robot1 played {log[2].action}" in heads[2]


def test_show_has_the_large_picture_with_all_places() -> None:
    table = play._Table("hextol", Reader((), rows=10))
    choices = showing.choices(table.match, "you")
    places = {at for choice in choices for at in choice.cells}
    drawing = table.match.view("you").drawing
    labels = {**drawing.labels, **move_labels(places)}
    picture = draw(drawing._replace(labels=labels)).splitlines()
    shown = table.answer("show")
    assert shown[0] == ""
    for line, drawn in zip(shown[1:], picture, strict=False):
        assert line.startswith(drawn)


def test_moves_names_all_with_what_they_score() -> None:
    tables = iter(lambda: play._Table("hextol", Reader((), rows=10)), None)
    table = next(one for one in tables if len(showing.choices(one.match, "you")) > 20)
    told = "\n".join(table.answer("moves"))
    choices = showing.choices(table.match, "you")  # more than there is room for
    scored = any(choice.points for choice in choices)
    assert listed(told) == [(c.move, c.points) for c in choices]
    assert f'"moves" names all {len(choices)}.' in "\n".join(table.shown([]))
    assert scored == ("what they score" in told)


def test_what_the_robot_did_is_told() -> None:
    reader = Reader(())
    table = play._Table("holo", reader)
    text = flat("\n".join(table.answer(showing.first_move(table.match, "you"))))
    # it may be in lines beside the board, whose lines are between them
    left = iter(text.split())
    told = f"robot1 played {table.match.record.log[2].action}".split()
    assert all(any(word.startswith(part) for word in left) for part in told), text


# The terminal


def test_the_end_of_what_is_typed_ends_the_game(tmp_path: Path) -> None:
    done = run(tmp_path, "pbm", "demo", "--play", "hextol")
    assert (done.status, done.err) == (0, "")
    assert re.search("Hextol, (at the start|after move 1)\n", done.out)
    assert "\x1b" not in done.out
    assert list(tmp_path.iterdir()) == []  # nothing is kept


def colours(tmp_path: Path, term: str, no_colour: str = "") -> set[str]:
    """The colours on the screen after a move."""
    words = ["pbm", "demo", "--play", "holo"]
    games = {"PBM_GAMES": str(tmp_path), "TERM": term, "NO_COLOR": no_colour}
    with visiting(words, 24, 80, QUICK, False, **games) as visitor:
        shown = visitor.until([play.PROMPT])
        visitor.type(re.findall(PROPOSED, shown)[-1])
        visitor.until([play.PROMPT])
        return set(re.findall(r"\x1b\[([0-9;]*[1-9])m", visitor.raw))


def test_the_last_tile_and_the_places_have_colours_of_their_own(tmp_path: Path) -> None:
    assert colours(tmp_path, "xterm") == {"1;31", "36"}


@pytest.mark.parametrize(
    ("term", "no_colour"), [("dumb", ""), ("vt100", ""), ("xterm", "1")]
)
def test_a_terminal_without_colours_gets_none(
    tmp_path: Path, term: str, no_colour: str
) -> None:
    assert colours(tmp_path, term, no_colour) == set()


def test_a_board_that_is_too_high_is_shown_by_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["pbm", "demo", "--play", "holo"]
    games = str(tmp_path)
    with visiting(words, 12, before=QUICK, PBM_GAMES=games) as visitor:
        shown = visitor.until([play.PROMPT, MORE])
        assert shown.endswith(MORE)
        assert len(shown.splitlines()) == 12
        visitor.type("help")  # what is typed there is an answer
        shown = visitor.until([play.PROMPT, MORE])
        assert "Help for the game of Holomino" in flat(shown)
        visitor.type("quit")
        assert "a game of Holomino" in flat(visitor.until(["the impossible"]))
        assert visitor.process.wait(60) == 0


def test_a_game_is_one_that_there_is() -> None:
    with pytest.raises(BadCommand, match="chess"):
        owner.run(["demo", "--play", "chess"])


def test_what_comes_from_a_pipe_is_shown_after_the_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("history\nquit\n"))
    play.play("holo", Terminal())
    lines = capsys.readouterr().out.splitlines()
    asked = [line for line in lines if line.startswith(play.PROMPT)]
    assert asked == [f"{play.PROMPT}history", f"{play.PROMPT}quit"]
