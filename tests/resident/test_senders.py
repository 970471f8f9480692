"""A server sends letters after its answers: those about each board in their order, and
none waits for another board's."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from time import sleep

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.letters.letter import Due, Letter
from pbm_holomino.resident import senders
from pbm_holomino.resident.senders import Senders
from pbm_holomino.store.files import marks
from tests import storage
from tests.house import House, home, open_house
from tests.processes import PATIENCE, resident, until_sent, wait_until
from tests.resident.desk import in_outbox, mail, move

DEAD = home("carol")


@contextmanager
def sending(house: House) -> Iterator[Senders]:
    """The house's letters are sent by threads during this block."""
    with closing(Senders(house.server)) as found:
        house.server.later = found.take
        yield found
    house.server.later = None


class Relay:
    """A post that takes no letters to one address from when it is told to die until
    it `goes_on`."""

    def __init__(self, house: House) -> None:
        self._post = house.server.delivery.post
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.die = self.goes_on.clear
        self.held = 0
        house.server.delivery.post = self

    def __call__(self, letter: Letter) -> Mapping[str, str]:
        if DEAD in letter.to and not self.goes_on.is_set():
            self.held += 1
            assert self.goes_on.wait(PATIENCE)
        return self._post(letter)


@pytest.fixture
def relay(house: House) -> Iterator[Relay]:
    """Carol's relay, which may die until the test ends."""
    house.sign_up("carol")
    house.taken()
    found = Relay(house)
    yield found
    found.goes_on.set()


def play(house: House, board: int = 1) -> None:
    """A move of the player whose turn it is, as it is typed."""
    (who,) = house.match(board).turn
    line = f"holo move {board} {who} {{{who}}} {house.legal(board)[0]}"
    assert house.type(line).status == 0


def doing(act: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=act)
    thread.start()
    return thread


def test_letters_leave_in_each_boards_order(house: House) -> None:
    house.challenges(4)
    chance = Random(28)
    post = house.server.delivery.post

    def slow(letter: Letter) -> Mapping[str, str]:
        sleep(chance.random() / 100)
        return post(letter)

    house.server.delivery.post = slow
    with sending(house):
        for _ in range(6):
            for board in range(1, 6):
                play(house, board)
    assert not house.has_marks()
    for board in range(1, 6):
        log = house.match(board).record.log
        made = [(number, line.who) for number, line in enumerate(log) if line.no]
        # what is typed is answered where it is typed
        other = {"alice": "bob", "bob": "alice"}
        keys = [f"holo.{board}.{number}.{other[who]}" for number, who in made]
        assert len(keys) == 6
        assert [each.key for each in house.sent if each.key in keys] == keys


def test_a_dead_relay_stops_nobody_else(house: House, relay: Relay) -> None:
    """With a score of boards whose letters wait for it."""
    boards = list[int]()
    for _ in range(20):
        boards.append(house.challenge(names="alice carol"))
        house.accept(boards[-1])
    relay.die()
    with sending(house):
        for board in boards:
            play(house, board)
        wait_until(lambda: relay.held == 20)
        for _ in range(3):
            play(house)
            wait_until(lambda: house.store.marks.unsent("holo").get("1") is None)
        assert len(house.store.marks.unsent("holo")) == 20
        relay.goes_on.set()
    assert not house.has_marks()


def test_answers_wait_where_too_many_letters_do(
    house: House, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(senders, "_MOST", 2)
    boards = [house.challenge(names="alice carol") for _ in range(3)]
    relay.die()
    with sending(house):
        for board in boards[:2]:
            play(house, board)
        third = doing(lambda: play(house, boards[2]))
        wait_until(lambda: house.match(boards[2]).ply == 1)  # it is saved, and marked
        third.join(0.2)
        assert third.is_alive()
        relay.goes_on.set()
        third.join(PATIENCE)
        assert not third.is_alive()
    assert not house.has_marks()


def test_letters_that_are_held_wait_until_they_may_begin(house: House) -> None:
    with sending(house) as found:
        house.server.later = found.hold
        play(house)
        sleep(0.1)
        assert house.has_marks()
        found.begin()
        wait_until(lambda: not house.has_marks())


def test_what_is_held_makes_room(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for letters with which nobody begins."""
    monkeypatch.setattr(senders, "_MOST", 1)
    monkeypatch.setattr(senders, "_PATIENCE", 2 * PATIENCE)
    house.challenges(3)

    def play_on() -> None:
        for board in (1, 2, 3):
            play(house, board)

    with sending(house) as found:
        house.server.later = found.hold
        last = doing(play_on)
        last.join(PATIENCE)
        assert not last.is_alive()
    assert not house.has_marks()  # in the end, all have begun


def test_answers_do_not_wait_for_ever(
    house: House, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(senders, "_MOST", 1)
    monkeypatch.setattr(senders, "_PATIENCE", 0.05)
    board = house.challenge(names="alice carol")
    relay.die()
    with sending(house):
        play(house, board)
        play(house)
        assert house.store.marks.unsent("holo")["1"] == [1]
        relay.goes_on.set()
    assert house.store.marks.unsent("holo") == {"1": [1]}
    play(house)  # whoever comes next sends them, too
    assert not house.has_marks()


def test_in_the_end_all_have_been_sent(house: House, relay: Relay) -> None:
    board = house.challenge(names="alice carol")
    relay.die()
    with sending(house) as found:
        play(house, board)
        play(house)
        wait_until(lambda: relay.held)
        ending = doing(found.close)
        ending.join(0.1)
        assert ending.is_alive()
        relay.goes_on.set()
        ending.join(PATIENCE)
    assert not house.has_marks()


@contextmanager
def hurried(house: House, relay: Relay) -> Iterator[int]:
    """Senders that are told to end while a letter is on its way; another one about that
    board is left to others."""
    board = house.challenge(names="alice carol")
    relay.die()
    with sending(house) as found:
        play(house, board)
        play(house, board)
        wait_until(lambda: relay.held)
        found.hurry()
        relay.goes_on.set()
        yield board


def test_a_program_that_is_told_to_end_leaves_the_rest_to_others(
    house: House, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that has begun is sent; and all that leaves in a moment."""
    monkeypatch.setattr(senders, "_HURRY", 0)
    with hurried(house, relay) as board:
        pass
    assert house.store.marks.unsent("holo") == {f"{board}": [2]}


def test_what_is_left_to_others_takes_no_room(
    house: House, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who are still to be answered do not wait for it."""
    monkeypatch.setattr(senders, "_MOST", 2)
    monkeypatch.setattr(senders, "_PATIENCE", 2 * PATIENCE)
    monkeypatch.setattr(senders, "_HURRY", 0)

    def play_on() -> None:
        for _ in range(3):
            play(house)

    with hurried(house, relay):
        last = doing(play_on)
        last.join(PATIENCE)
        assert not last.is_alive()


def test_what_waits_here_is_not_left_behind(
    house: House, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However old its mark is: its letter answers the mail that has brought it."""
    monkeypatch.setattr(senders, "_BETWEEN", 0)
    board = house.challenge(names="alice carol")
    house.accept(board)
    relay.die()
    with sending(house):
        play(house, board)
        house.mail(mail("carol", move(house, "carol", board), "m2"))
        wait_until(lambda: relay.held)
        storage.over.pass_leases(house.folder)
        play(house)
        wait_until(lambda: house.store.marks.unsent("holo").get("1") is None)
        sleep(0.1)
        assert relay.held == 1
        relay.goes_on.set()
    assert not house.has_marks()
    answers = [each.answers for each in house.sent if each.to == (DEAD,)]
    assert answers == ["", "<m2@example.org>"]


def test_what_waits_here_is_left_alone_by_others(house: House) -> None:
    """Their letters about the board go on."""
    taken = list[Due]()

    def take(due: Sequence[Due]) -> None:
        taken.extend(due)

    house.server.later = take
    house.mail(mail("alice", move(house, "alice"), "m1"))
    other = House(house.folder)
    other.mail(mail("bob", move(other, "bob"), "m2"))
    assert told(other) == {"holo.1.2.alice": "", "holo.1.2.bob": "<m2@example.org>"}
    house.server.delivery.deliver(taken)
    assert told(house) == {"holo.1.1.alice": "<m1@example.org>", "holo.1.1.bob": ""}
    assert not house.has_marks()


def told(house: House) -> dict[str, str]:
    """The mails that the letters answer, by the letters' keys."""
    return {letter.key: letter.answers for letter in house.taken()}


@pytest.mark.parametrize("fault", [ZeroDivisionError(), StoreTrouble("Not now.")])
def test_letters_that_cannot_be_written_hold_up_no_others(
    house: House, capsys: pytest.CaptureFixture[str], fault: Exception
) -> None:
    """And of a fault of ours the owner is told."""
    house.challenges(1)
    post = house.server.delivery.post

    def fails(letter: Letter) -> Mapping[str, str]:
        if letter.key.startswith("holo.1."):
            raise fault
        return post(letter)

    house.server.delivery.post = fails
    with sending(house):
        play(house)
        play(house, 2)
    assert house.store.marks.unsent("holo") == {"1": [1]}
    told = capsys.readouterr().err
    assert ("ZeroDivisionError" in told) == isinstance(fault, ZeroDivisionError)


def test_what_others_have_left_behind_is_sent_a_share_at_a_time(house: House) -> None:
    house.challenges(9)
    house.cannot_send()
    for board in range(1, 11):
        play(house, board)
    house.trouble = None
    house.type("holo challenge alice bob")  # those marks are not old yet
    assert len(house.store.marks.unsent("holo")) == 10
    storage.over.pass_leases(house.folder)
    house.type("holo challenge alice bob")
    assert len(house.store.marks.unsent("holo")) == 7
    with sending(house):
        house.type("holo challenge alice bob")
        house.type("holo challenge alice bob")  # in the same minute
    assert len(house.store.marks.unsent("holo")) == 4


def test_what_others_have_left_behind_is_found_among_thousands_of_boards(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that stays has the time to look for it."""
    monkeypatch.setattr(marks, "_LARGE", -1)  # as if there were so many
    house.cannot_send()
    play(house)
    house.trouble = None
    storage.over.pass_leases(house.folder)
    with sending(house):
        house.type("holo challenge alice bob")
    assert not house.has_marks()


def test_a_letter_is_left_behind_although_later_ones_have_left(house: House) -> None:
    house.cannot_send()
    play(house)
    house.trouble = None
    with house.store.marks.sending("holo", "1", 1) as mark:
        assert mark is not None
        mark.kept = True
        play(house)
    assert house.store.marks.unsent("holo") == {"1": [1]}
    storage.over.pass_leases(house.folder)
    house.type("holo challenge alice bob")
    assert not house.has_marks()


# By mail


def test_what_is_answered_is_marked_and_its_letters_answer_the_mail(
    tmp_path: Path,
) -> None:
    house = open_house(tmp_path)
    taken = list[Due]()

    def take(due: Sequence[Due]) -> None:
        taken.extend(due)

    house.server.later = take
    line = move(house, "alice").replace(":", " ")
    assert house.mail(mail("alice", line, "m1")) == []
    assert house.store.marks.unsent("holo") == {"1": [1]}
    house.server.delivery.deliver(taken)
    (answer,) = (letter for letter in house.sent if letter.to == (home("alice"),))
    assert answer.answers == "<m1@example.org>"
    assert answer.text.startswith("Read as ")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_answers_before_its_letters_leave(house: House, workers: str) -> None:
    """Those of a mail that comes to it, and of a command that is typed."""
    with resident(house, "--workers", workers) as server:
        for number in range(8):
            (who,) = house.match().turn
            raw = mail(who, move(house, who), f"m{number}")
            assert server.send(raw, home(who))[0] == 250
        until_sent(house)
        assert len(in_outbox(house)) == 16
        assert server.stop() == (0, "")
