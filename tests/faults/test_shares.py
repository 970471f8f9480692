"""No player can take another's move away: whoever fills a board's file with words,
plans and offers uses up a share of their own, and everything else goes on."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino.letters import help as pages
from pbm_holomino.match import record, replay, shares
from pbm_holomino.match.record import Act, Line, format_line, size
from pbm_holomino.owner import tick
from pbm_holomino.store import yaml as strict
from tests.house import NOW, PASSWORDS, House, home, mail_of

SMALL = 10_000  # bytes: a share of 5,000 is used up soon
REFUSED = "You have used up your share of the space for holo 1"
DROPPED = "The text that you sent with this was not passed on"
WORDS = "x" * 400


class Sharing(House):
    """A server where alice and bob play board 1; alice has moved, and so has bob."""

    mails = 0

    def send(self, who: str, words: str, body: str = "") -> str:
        """What a player is answered to a mail about the board."""
        self.mails += 1
        return self.send_again(who, words, body)

    def send_again(self, who: str, words: str, body: str = "") -> str:
        """The answer to the last mail, which comes once more."""
        subject = f"holo {words.replace('PASSWORD', f'1 {who} {PASSWORDS[who]}')}"
        name = f"<{self.mails}@example.org>"
        letters = self.mail(mail_of(subject, home(who), body, Message_ID=name))
        answers = [letter.text for letter in letters if letter.to == (home(who),)]
        return " ".join(answers[-1].split())

    def file(self) -> bytes:
        return self.document("holo", "1").read_bytes()

    def lines(self) -> list[str]:
        return [str(line.action) for line in self.match().record.log]

    def used(self, who: str) -> int:
        return shares.used(self.match(), who)

    def move(self, body: str = "") -> str:
        """A move of the player whose turn it is, and what they are answered."""
        fields = self.json()
        return self.send(fields["turn"][0], f"move PASSWORD {fields['legal'][0]}", body)


@pytest.fixture
def board(tmp_path: Path) -> Sharing:
    board = Sharing(tmp_path)
    board.sign_up().challenge()
    board.move()
    board.move()
    assert board.json()["turn"] == ["alice"]
    return board


@pytest.fixture
def small(board: Sharing, monkeypatch: pytest.MonkeyPatch) -> Sharing:
    """The same with small shares."""
    monkeypatch.setattr(shares, "MOST_BYTES", SMALL)
    return board


def chat(board: Sharing) -> str:
    return board.send("bob", "chat PASSWORD", WORDS)


def queue(board: Sharing) -> str:
    if board.json()["turn"] == ["bob"]:
        board.move()
    return board.send("bob", "queue PASSWORD " + "123:17 " * 100)


def submit(board: Sharing) -> str:
    if board.json()["turn"] == ["alice"]:
        board.move()
    return board.send("bob", f"submit PASSWORD {board.json()['legal'][0]}")


def propose(board: Sharing) -> str:
    answer = board.send("bob", "move PASSWORD propose", WORDS)
    board.send("alice", "move PASSWORD reject")
    return answer


def undo(board: Sharing) -> str:
    answer = board.send("bob", "move PASSWORD undo")
    board.send("alice", "move PASSWORD reject")
    return answer


# All that bob can say and plan.
FLOODS = {flood.__name__: flood for flood in (chat, propose, undo, queue, submit)}


def fill(board: Sharing, *names: str) -> None:
    """Say and plan until each of these is refused."""
    for name in names:
        rounds = 0
        while REFUSED not in FLOODS[name](board):
            rounds += 1
            assert rounds < 200, f"no end of {name}"


# Whoever goes on without end


@pytest.mark.parametrize("kind", FLOODS)
def test_a_players_texts_and_plans_are_limited(small: Sharing, kind: str) -> None:
    before, alices = len(small.file()), small.used("alice")
    fill(small, kind)
    assert small.used("bob") <= SMALL / 2 + 200  # the answers to the last offer
    assert len(small.file()) <= before + SMALL / 2 + 500
    assert small.used("alice") == alices == 0
    # soon there is no room for anything else either, and no try leaves a trace
    fill(small, *FLOODS)
    was = small.file()
    for name in FLOODS.keys() - {"queue"}:  # it is bob's turn
        assert REFUSED in FLOODS[name](small)
    assert small.file() == was


@pytest.mark.parametrize("kind", FLOODS)
def test_the_other_player_has_their_own_share(small: Sharing, kind: str) -> None:
    fill(small, kind)
    bobs = small.used("bob")
    assert "Sent to bob" in small.send("alice", "chat PASSWORD", "Hi")
    small.send("alice", "move PASSWORD propose")
    assert small.lines()[-1] == "!propose"
    small.send("bob", "move PASSWORD reject")  # it is alice who pays for this
    assert small.lines()[-1] == "!reject"
    assert small.used("bob") == bobs
    assert small.used("alice") > 0


def test_a_game_is_played_to_its_end_on_a_board_that_is_full(small: Sharing) -> None:
    fill(small, *FLOODS)
    for _ in range(999):
        turn = small.json()["turn"]
        if not turn:
            break
        made, notes = len(small.lines()), len(small.match().record.notes)
        answer = small.move(WORDS if turn == ["bob"] else "")
        assert (DROPPED in answer) == (turn == ["bob"])
        assert len(small.lines()) > made
        kept = list(small.match().record.notes.values())[notes:]
        assert kept == ([""] if turn == ["bob"] else [])  # all that is kept of a text
    fields = small.json()
    assert fields["status"] == "over"
    assert fields["result"]["reason"] == "score"


@pytest.mark.parametrize(
    ("who", "words", "reason"),
    [
        ("alice", "resign PASSWORD", "resigned"),
        ("bob", "resign PASSWORD", "resigned"),
        ("alice", "move PASSWORD accept", "agreed"),
        ("", "", "forfeit"),
    ],
)
def test_a_full_board_can_be_ended(
    small: Sharing, who: str, words: str, reason: str
) -> None:
    if words.endswith("accept"):  # an offer that was made when there was room
        small.send("bob", "move PASSWORD propose")
        fill(small, "chat")
        assert small.match().offer
    else:
        fill(small, *FLOODS)
    if who:
        small.send(who, words)
    else:
        small.server.now = lambda: NOW.replace("2026", "2027")
        told = list(tick.do_what_is_due(small.server))
        assert any("ran out of time" in sentence for sentence in told)
    assert small.json()["result"]["reason"] == reason


def test_a_game_can_be_declined_whatever_was_said(small: Sharing) -> None:
    board = small.challenge()
    for _ in range(40):
        small.type(f"holo chat {board} alice xanadu -m={WORDS}")
    last = small.type(f"holo chat {board} alice xanadu -m={WORDS}")
    assert last.status == 1
    assert small.type(f"holo decline {board} bob better4").status == 0
    assert small.json(board)["result"]["reason"] == "declined"


# What is not kept


def test_a_move_counts_although_its_text_was_not_kept(
    small: Sharing,
) -> None:
    fill(small, "chat")
    small.move()
    made = len(small.lines())
    answer = small.move("y" * 5000)
    assert answer.startswith(f"{DROPPED}: you have used up your share of the space for")
    bobs = [letter.text for letter in small.sent if letter.to == (home("bob"),)]
    alices = [x.text for x in small.sent if x.to == (home("alice"),)]
    assert len(bobs) == len(alices) == 1
    assert "passed on" not in alices[0]
    assert len(small.lines()) == made + 1
    assert small.match().record.notes[made] == ""


def test_a_mail_that_comes_again_is_answered_as_it_was(small: Sharing) -> None:
    fill(small, "chat")
    words, text = f"move PASSWORD {small.json()['legal'][0]}", "y" * 20_000
    first = small.send("alice", words, text)  # more than a whole share
    assert first.startswith(DROPPED)
    was = small.file()
    assert small.send_again("alice", words, text) == first
    assert small.file() == was


def test_the_letter_says_so_too_if_it_leaves_later(
    small: Sharing, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(small, "chat")
    small.move()
    legal = small.json()["legal"][0]
    with monkeypatch.context() as context:
        context.setattr(
            small.server.delivery, "post", lambda letter: dict.fromkeys(letter.to, "-")
        )
        with suppress(IndexError):  # nothing is answered
            small.send("bob", f"move PASSWORD {legal}", "y" * 5000)
    small.sent.clear()
    (line,) = small.library.store.marks.unsent("holo")["1"]
    small.deliver(small.match(), line)
    told = {letter.to: " ".join(letter.text.split()) for letter in small.sent}
    assert told[(home("bob"),)].startswith(DROPPED)
    assert DROPPED not in told[(home("alice"),)]


def test_a_player_without_an_address_reads_it_too(small: Sharing) -> None:
    small.type("signup carol third-5")
    small.type("holo challenge carol alice")
    move = small.json(2)["legal"][0]
    subject = f"holo move 2 carol third-5 {move}"
    small.mail(mail_of(subject, "carol@example.net", "y" * 20_000))
    (answer,) = [one.text for one in small.sent if one.to == ("carol@example.net",)]
    assert " ".join(answer.split()).startswith(DROPPED)


def test_the_refusal_says_what_still_works(small: Sharing) -> None:
    fill(small, "chat")
    told = chat(small)
    assert "You can still move, resign, and accept or reject what others offer." in told


# The figures


def test_each_player_has_an_equal_share_and_moves_have_the_rest(board: Sharing) -> None:
    assert shares.share(board.match()) == 250_000
    four = board.challenge("", "alice bob", "walomino")
    assert shares.share(board.library.match("walomino", four)) == 250_000
    # a line takes less than 100 bytes: room for more than 40,000 moves
    assert strict.MOST_BYTES - shares.MOST_BYTES > 40_000 * 100
    assert "250,000" in pages.page("chat")


def texts() -> Iterator[st.SearchStrategy[str]]:
    yield st.text()
    yield st.text("a\n")
    yield st.text("'\"\\ #:-\n")
    yield st.text("\U0001f600\xe9\u20ac\x85\u2028\x07\ufeff \n")


@given(st.one_of(*texts()))
def test_no_text_takes_more_bytes_than_are_counted(text: str) -> None:
    def taken(notes: dict[str, str]) -> int:
        return len(strict.dump({"notes": {"0": "-", **notes}}))

    assert taken({"999999": text}) - taken({}) <= size(text)


def test_no_line_takes_more_bytes_than_are_counted() -> None:
    line = format_line(Line(None, NOW, "a" * 20, f"{'f' * 16}/50", Act.CHAT))
    one, two = (len(strict.dump({"log": [line] * count})) for count in (1, 2))
    assert two - one <= size(line) <= two - one + 20


# Boards of 1.0, which had no shares


def test_a_board_that_was_filled_before_there_were_shares_is_played_on(
    board: Sharing,
) -> None:
    board.move()
    data = strict.load(board.file())
    line = format_line(Line(None, NOW, "bob", "0123456789abcdef", Act.CHAT))
    lines = ((4 << 20) - len(board.file())) // (len(line) + 5)
    data["log"] += [line] * lines
    board.put("holo", "1", data)
    assert (4 << 20) - 200 < len(board.file()) <= 4 << 20  # all that 1.0 could save
    match = board.match()  # which takes half a second
    assert shares.used(match, "bob") > shares.MOST_BYTES
    (who,), move = match.turn, match.view(None).legal[0]
    assert DROPPED in board.send(who, f"move PASSWORD {move}", WORDS)
    assert REFUSED in chat(board)
    match = board.match()
    assert len(match.record.log) == 4 + lines + 1
    assert shares.used(match, "alice") == 0


def test_a_used_share_follows_from_the_log(small: Sharing) -> None:
    fill(small, *FLOODS)
    again = replay.replay(record.from_data(strict.load(small.file())))
    assert shares.used(again, "bob") == small.used("bob")
