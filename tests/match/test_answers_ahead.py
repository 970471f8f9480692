"""Answers ahead: lines of the other's moves and one's own in turn, of which the first
that fits is played."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import PbmError
from pbm_holomino.match import queue as ahead
from pbm_holomino.match import record, replay, trees
from pbm_holomino.match.board import Match
from pbm_holomino.store import yaml as strict
from tests.boards import (
    Case,
    act,
    asked,
    letter_id,
    line_of,
    move,
    opened,
    played,
    queue,
    sent,
    written,
    written_to,
)
from tests.club import Club, subjects
from tests.prose import plain
from tests.sizes import sized

ALL = [Case("holo", 2, {}), Case("hextol", 2, {}), Case("holo", 2, {"pool_size": "1"})]
Words = list[str]


@pytest.fixture
def club(club: Club) -> Club:
    """Holomino; nothing is played yet, and it is alice's turn."""
    return club.open("holo")


# A second reading, which goes through the words as they are typed


def naive(words: Words, moves: Words) -> tuple[str, Words] | None:
    """My move and the words after it, if the line begins with these moves of theirs."""
    their, mine, *rest = words
    is_last = mine != "-"
    if their == "*" and is_last:
        return mine, rest
    if their != "-":
        if not moves or (their != "*" and moves[0] not in their.split("/")):
            return None
        moves = moves[1:]
    if not is_last:
        return naive(rest, moves)
    return None if moves else (mine, rest)


class Reader:
    """A board on which one player's answers ahead are played, and beside it a board on
    which each move is made by hand, as the second reading says."""

    def __init__(self, case: Case, seed: int) -> None:
        self.dice = random.Random(seed)
        self.board = self.plain = opened(case, seed % 250)
        self.me, self.other = self.board.record.players
        self.lines: list[Words] = []
        self.theirs: Words = []  # since my last move
        self.fresh = 0  # how many of them came before the lines were sent
        self.answered = 0

    def line(self) -> Words:
        """A line that may come true: what chance plays next, some of it changed."""
        board, line = self.plain, list[str]()
        for _ in range(self.dice.randrange(1, 7)):
            if not board.turn:
                break
            who = board.turn[0]
            words = self.dice.sample(written(board, who), 1)
            board = sent(board, who, words[0])
            is_mine = who == self.me
            if bool(len(line) % 2) != is_mine:
                line.append("-")
            line.append(words[0] if is_mine else self.their(words[0], board))
        while line and (len(line) % 2 or line[-1] == "-"):
            line.pop()
        return line

    def their(self, word: str, board: Match) -> str:
        change = self.dice.random()
        if change < 0.2:
            return "*"
        others = written(board, self.other) if self.other in board.turn else []
        return f"{others[0]}/{word}" if change < 0.4 and others else word

    def send(self) -> None:
        lines = [*filter(None, (self.line() for _ in range(self.dice.randrange(1, 9))))]
        words = [word for line in lines for word in ("if", *line)]
        if not words:
            return
        if self.me in self.plain.turn:
            found = self.found(lines, len(self.theirs))
            if not found or self.is_refused(found[0][0]):
                with pytest.raises(PbmError):
                    queue(self.board, self.me, *words)
                return
        self.board = queue(self.board, self.me, *words)
        self.lines, self.fresh = lines, len(self.theirs)
        self.go_on()

    def found(self, lines: Sequence[Words], fresh: int) -> list[tuple[str, Words]]:
        since = [self.theirs[fresh:], self.theirs]
        both = [[naive(line, moves) for moves in since] for line in lines]
        return [one or other for one, other in both if one or other]  # type: ignore

    def is_refused(self, word: str) -> bool:
        try:
            sent(self.plain, self.me, word)
        except PbmError:
            return True
        return False

    def go_on(self) -> None:
        while self.lines and self.me in self.plain.turn:
            found = self.found(self.lines, self.fresh)
            if not found or self.is_refused(found[0][0]):
                self.lines = []
                return
            word = found[0][0]
            self.plain = sent(self.plain, self.me, word)
            self.answered += 1
            self.lines = [rest for mine, rest in found if mine == word and rest]
            self.theirs, self.fresh = [], 0

    def play(self) -> None:
        """A move of the other, as some line has it if possible; or one of mine."""
        who = self.plain.turn[0]
        legal = written(self.plain, who)
        hoped = {word for line in self.lines for word in line[0].split("/")}
        word = self.dice.choice([w for w in legal if w in hoped] or legal)
        self.board, self.plain = (
            move(self.board, who, word),
            sent(self.plain, who, word),
        )
        if who == self.me:
            self.theirs, self.fresh = [], 0
        else:
            self.theirs.append(word)
        self.go_on()

    def undo(self) -> None:
        for who, what in ((self.other, "!undo"), (self.me, "!accept")):
            try:
                plain = replay.after(self.plain, line_of(who, what))
            except PbmError:
                return
            self.plain, self.board = plain, act(self.board, who, what)
        log, moves = self.plain.log, self.plain.moves
        mine = [i for i in moves if log[i].who == self.me]
        self.theirs = [str(log[i].action) for i in moves if i > max(mine, default=-1)]
        self.lines = []

    def check(self) -> None:
        board, plainly = self.board, self.plain
        assert board.state == plainly.state
        assert (board.turn, board.ply) == (plainly.turn, plainly.ply)
        left = [*map(trees.words_of, ahead.ahead(board, self.me).lines)]
        # a line that was sent twice counts once
        assert [*dict.fromkeys(left)] == [*dict.fromkeys(map(tuple, self.lines))]
        text = strict.dump(record.to_data(board.record))
        assert replay.replay(record.from_data(strict.load(text))) == board


@settings(max_examples=sized(25, 300))
@given(st.sampled_from(ALL), st.integers(0, 10**6), st.integers(2, 14))
def test_trees_are_played_as_a_second_reading_has_it(
    case: Case, seed: int, steps: int
) -> None:
    reader = Reader(case, seed)
    for _ in range(steps):
        if not reader.plain.turn:
            break
        what = reader.dice.random()
        if what < 0.4:
            reader.send()
        elif what < 0.95:
            reader.play()
        else:
            reader.undo()
        reader.check()


def test_the_second_reading_has_something_to_read() -> None:
    """Chance makes lines that come true, some of them for several turns."""
    answered = 0
    for seed in range(12):
        reader = Reader(ALL[0], seed)
        for _ in range(8):
            if reader.plain.turn:
                reader.send()
                reader.play()
        answered += reader.answered
    assert answered > 10


# Secrecy


@settings(max_examples=sized(4, 60))
@given(st.sampled_from(ALL), st.integers(0, 10**6), st.integers(1, 8))
def test_nobody_else_sees_more_of_a_tree_than_what_it_plays(
    case: Case, seed: int, moves: int
) -> None:
    """Twins that differ only in what is sent ahead are alike for all others."""
    board = played(opened(case, seed % 250), seed, moves)
    if not board.turn:
        return
    other = board.turn[0]
    (me,) = {*board.record.players} - {other}
    dice = random.Random(seed)
    word = dice.choice(written(board, other))
    then = sent(board, other, word)
    if me not in then.turn:
        return
    mine = dice.choice(written(then, me))
    never = ["if", word, mine, "*", f"{mine}#999", "if", f"{word}#998", mine]
    twins = [
        queue(board, me, mine),
        queue(board, me, "if", word, mine),
        queue(board, me, *never),
        queue(queue(board, me, *never), me, *never),
    ]
    texts = [[asked(each, reader) for reader in (None, other)] for each in twins]
    assert texts == texts[:1] * 4
    told = []
    for twin in twins:
        after = move(twin, other, word)
        index = next(i for i in after.moves if i >= len(twin.log))
        letters = [(x.subject, x.text) for x in written_to(after, other, index)]
        told.append((letters, asked(after, None), letter_id(after, index, other)))
    assert told == told[:1] * 4


def test_the_public_record_does_not_hold_it(club: Club) -> None:
    club.queue("bob", "if", "142:4", "234:3", "243:71", "346:72")
    assert "if 142:4 234:3 243:71 346:72" in club.seen("bob")
    lines = ["holo history 1 -format=yaml", "holo show 1 -format=json", "holo show bob"]
    assert not any("346:72" in club.say(line) for line in lines)
    assert club.json("showas bob better4 1")["mine"] == {
        "if": [["142:4", "234:3", "243:71", "346:72"]]
    }
    club.say("holo queue 1 bob better4 none")
    assert club.json("showas bob better4 1")["mine"] == {}


# What is said


def test_the_letter_says_what_came_true_and_that_the_line_is_over(club: Club) -> None:
    said = plain(club.queue("bob", "if", "142:4", "234:3"))
    assert said.startswith("Your answers ahead on holo 1 are kept.")
    letters = club.send("alice", "move 1 alice PASSWORD 142:4")
    assert subjects(letters) == {
        "alice": "holo 1: your turn",
        "bob": "holo 1: alice to move",
    }
    assert (
        "Your answers ahead came true up to the end of a line, and have ended: 142:4 "
        "and 234:3."
    ) in plain(letters["bob"].text)
    assert "ahead" not in letters["alice"].text.replace("To move ahead", "")


def test_the_letter_says_that_no_line_fits(club: Club) -> None:
    club.queue("bob", "if", "142:4", "234:3", "235:12", "254:12")
    club.send("alice", "move 1 alice PASSWORD 142:4")
    letters = club.send("alice", "move 1 alice PASSWORD 123:1", no="2")
    assert (
        "Your answers ahead have ended after 142:4 and 234:3. alice played 123:1, and "
        "none of your lines fits that."
    ) in plain(letters["bob"].text)
    assert "Your answers ahead have ended after" in plain(club.seen("bob"))


def test_the_letter_says_why_an_answer_is_refused(club: Club) -> None:
    club.queue("bob", "if", "142:4", "234:4", "if", "*", "234:3")
    letters = club.send("alice", "move 1 alice PASSWORD 142:4")
    said = plain(letters["bob"].text)
    assert 'Your answers ahead have ended. "234:4" is refused. Position 4' in said
    assert club.json()["ply"] == 1  # the later line is not tried


def test_moves_that_were_taken_back_end_it(club: Club) -> None:
    club.accept()
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    club.queue("bob", "if", "123:1", "254:12")
    club.move("bob", "undo")
    letters = club.send("alice", "move 1 alice PASSWORD accept")
    said = plain(letters["bob"].text)
    assert "Your answers ahead have ended because a move was taken back." in said
    club.move("bob", "234:3")
    club.move("alice", "123:1")
    assert club.json()["ply"] == 3


def test_of_lines_that_contradict_the_first_counts_and_it_is_said(club: Club) -> None:
    words = "if 142:4/142:5 234:3 if 142:4 254:3 if 142:5 234:3 if * 254:12"
    said = plain(club.queue("bob", *words.split()))
    assert "Lines 1 and 2 answer the same with different moves: line 1 counts." in said
    assert said.count("different moves") == 1
    club.move("alice", "142:4")
    assert club.board().log[-1].action == "234:3"


def naive_contradictions(lines: list[Words]) -> dict[int, int]:
    """The first line that each one contradicts, by comparing all with all."""
    return {
        later: min(firsts)
        for later, line in enumerate(lines, 1)
        if (
            firsts := [
                first
                for first, other in enumerate(lines[: later - 1], 1)
                if differ(other, line)
            ]
        )
    }


def differ(earlier: Words, later: Words) -> bool:
    """Whether something may come to which both lines answer, each with another move."""
    for number, (one, other) in enumerate(zip(earlier, later, strict=False)):
        if number % 2:
            if one != other:
                return True
        elif "-" in (one, other):
            if one != other:
                return False
        elif one != "*" and not {*one.split("/")} & {*other.split("/")}:
            return False
    return False


TURNS = st.tuples(
    st.sampled_from(["1:1", "1:2", "1:1/1:2", "1:2/1:3", "*", "-"]),
    st.sampled_from(["2:1", "2:2"]),
)


@settings(max_examples=sized(200, 2000))
@given(st.lists(st.lists(TURNS, min_size=1, max_size=3), min_size=1, max_size=8))
def test_contradictions_are_those_of_a_second_reading(
    turns: list[list[tuple[str, str]]],
) -> None:
    lines = [[word for turn in line for word in turn] for line in turns]
    words = [word for line in lines for word in ("if", *line)]
    found = trees.contradictions(trees.paths(words))
    assert {later: first for first, later in found} == naive_contradictions(lines)
    assert [later for _, later in found] == sorted({later for _, later in found})


# What is sent


def test_lines_in_the_text_of_a_mail_count(club: Club) -> None:
    text = "142:5 254:3\n142:4 234:3 \u2013 123:99\n\nSee you,\nBob"
    letters = club.send("bob", "queue 1 bob PASSWORD if 142:6 243:1", text)
    assert subjects(letters) == {"bob": "holo 1: your queue"}
    said = letters["bob"].text
    for line in ("if 142:6 243:1", "if 142:5 254:3", "if 142:4 234:3 - 123:99"):
        assert f"\n{line}\n" in said


def test_a_line_that_a_mail_program_has_broken_goes_on(club: Club) -> None:
    text = "if 142:5 254:3\n123:1 254:12\nif 142:4 234:3"
    letters = club.send("bob", "queue 1 bob PASSWORD if", text)
    assert "\nif 142:5 254:3 123:1 254:12\nif 142:4 234:3\n" in letters["bob"].text


def test_a_reply_is_enough(club: Club) -> None:
    server = club.server
    letters = club.send("bob", "chat 1 bob PASSWORD", "Hello")
    letters = club.send("alice", "queue 1 alice PASSWORD 142:4", no="2")
    (answer,) = server.reply(letters["alice"], "queue if 234:3 123:1\n* 235:12")
    assert answer.subject == "holo 1: your queue"
    assert "\nif 234:3 123:1\nif * 235:12\n" in answer.text


def test_on_ones_turn_a_dash_plays_at_once_and_what_was_played_counts(
    club: Club,
) -> None:
    club.queue("alice", "if", "-", "142:4", "234:3", "123:1")
    assert club.json()["ply"] == 1
    club.queue("bob", "if", "142:4", "234:3")  # the board has changed meanwhile
    assert club.json()["ply"] == 3
    line = "holo queue 1 bob better4 if 235:12 254:12"
    said, _ = club.refused_line(line)
    assert said.startswith("It is your turn, and none of your lines begins with what")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("if", "Line 1 of your answers ahead must end with a move of yours"),
        ("if 142:4", "Line 1 of your answers ahead must end with a move of yours"),
        ("if 142:4 -", "must end with a move of yours"),
        ("if 142:4 234:3 if", "Line 2 of your answers ahead must end"),
        ("if 142:4 234:3/234:4", '"234:3/234:4", in line 1 of your answers ahead, is'),
        ("if 142:4 undo", 'Only moves can be sent ahead, and "undo" is not a move.'),
        ("if 142:4/ 234:3", "is not a move"),
        ("if 142:4#x 234:3", "is not a move"),
        ("if 142:4 * 234:3 234:5", "Word 2 in line 1 of your answers ahead is not"),
    ],
)
def test_what_is_no_line_is_refused(club: Club, words: str, why: str) -> None:
    assert why in club.refused_line(f"holo queue 1 bob better4 {words}")[0]


def test_a_tree_has_at_most_two_hundred_moves(club: Club) -> None:
    most = [word for n in range(100) for word in ("if", f"142:{n}", "234:3")]
    club.queue("bob", *most)
    assert "And 80 more lines." in club.seen("bob")
    said, _ = club.refused_line(
        f"holo queue 1 bob better4 {' '.join(most)} if 142:101 *"
    )
    assert "may have 200 moves in all" in said
    body = "\n".join(f"142:{n} 234:{n}" for n in range(10_000))
    (letter,) = club.send("bob", "queue 1 bob PASSWORD if", body).values()
    assert "may have 200 moves in all" in plain(letter.text)
    body = "142:4 234:3\n" * 10_000  # which are too many lines, though all are one
    (letter,) = club.send("bob", "queue 1 bob PASSWORD if", body, no="2").values()
    assert "may have 200 moves in all" in plain(letter.text)


def test_words_that_may_be_a_password_are_not_quoted(club: Club) -> None:
    (letter,) = club.send("bob", "queue 1 bob PASSWORD if", "142:4 hunter2").values()
    assert "Word 2 in line 1" in plain(letter.text)
    assert "hunter2" not in letter.text


def test_where_not_all_is_seen_only_moves_of_ones_own_are_queued(club: Club) -> None:
    club.open("walomino")
    line = "walomino queue 1 bob better4 if take:any take:any"
    said, _ = club.refused_line(line)
    assert said.startswith("Answers ahead are for games of two players who see all")


# Lines as values


@given(st.lists(st.sampled_from(["1:2", "1:2/3:4", "-", "*"]), min_size=2, max_size=9))
def test_what_is_printed_is_read_as_the_same(their: list[str]) -> None:
    words = ["if"]
    for number, word in enumerate(their):
        words += [word, "-" if number % 3 == 1 else "5:6"]
    words[-1] = "5:6"
    (line,) = trees.paths(words)
    assert trees.paths(["if", *trees.words_of(line)]) == (line,)


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("", ""),
        ("their:1", ""),
        ("their:1 my:1", "their:1 my:1"),
        ("their:1 my:1 their:2", "their:1 my:1"),
        ("my:1", "- my:1"),
        ("my:1 their:1 my:2", "- my:1 their:1 my:2"),
        ("their:1 their:2 my:1", "their:1 - their:2 my:1"),
        ("their:1 my:1 my:2 their:2 their:3", "their:1 my:1 - my:2"),
    ],
)
def test_moves_of_both_make_a_line(moves: str, line: str) -> None:
    plays = ((move.startswith("my"), move) for move in moves.split())
    assert trees.line_of(plays) == tuple(line.split())
