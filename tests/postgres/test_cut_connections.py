"""Connections to the database that are lost, or hang, between any two messages of a
move."""

from collections.abc import Callable
from time import monotonic

import pytest

from tests.postgres.cluster import POSTGRESQL, address
from tests.postgres.conftest import Open
from tests.postgres.proxy import Message, Proxy, Rule, Verdict, at, passing
from tests.postgres.scene import Machine, Move, all_moves, assert_played
from tests.processes import PATIENCE
from tests.sizes import some

pytestmark = POSTGRESQL

CUTS = (Verdict.CUT_BEFORE, Verdict.CUT_AFTER)
STAYS = pytest.mark.parametrize("stays", [True, False], ids=["stays", "is new"])
WAIT = 1  # second, for locks and for COMMIT


class Play:
    """A machine that plays through a proxy, move by move."""

    def __init__(self, machine: Machine, proxy: Proxy, stays: bool) -> None:
        self.machine = machine
        self.proxy = proxy
        self.made: list[Move] = []
        self.took = 0  # messages, by the last mail
        self._stays = stays
        self._todo = all_moves()

    def next(self, rule: Rule = passing) -> int:
        """Make the next move while messages are treated so. Returns the code."""
        if not self._stays:
            self.machine.begin_anew()
        self.made.append(next(self._todo))
        return self.again(rule)

    def again(self, rule: Rule = passing) -> int:
        """Send the mail with the last move once more."""
        self.proxy.recount(rule)
        code = self.machine.receive(self.made[-1].mail)
        self.took = len(self.proxy.seen)
        self.proxy.recount()
        return code

    def messages(self) -> range:
        """The numbers of the messages that a move takes, at least."""
        for _ in range(3):
            assert self.next() == 250
        return range(1, self.took + 1)


@pytest.fixture
def play(games: str, proxy: Proxy, opened: Open, stays: bool) -> Play:
    """A machine whose process has had its connection for long, or begins with each
    move."""
    url = address(games, proxy.folder)
    return Play(opened(url, wait=WAIT, commit_wait=WAIT), proxy, stays)


@STAYS
@pytest.mark.parametrize("verdict", CUTS)
def test_a_connection_that_is_cut(play: Play, verdict: Verdict, stays: bool) -> None:
    """The second try succeeds: the move is answered, and made once. Only a process that
    has never reached the database does not try twice, and its mail comes again."""
    cut = 0
    for number in (numbers := some(play.messages(), 12)):
        code = play.next(at(number, verdict))
        cut += play.took >= number
        if code != 250:
            assert not stays
            assert play.again() == 250
    assert cut > 0.9 * len(numbers)
    assert_played(play.machine, play.made)


@STAYS
def test_a_database_that_is_gone_for_a_while(play: Play) -> None:
    """From one message on it cannot be reached: the mail that comes again is done, and
    once."""
    codes = set()
    for number in some(play.messages(), 3):
        codes.add(play.next(lost_from(play.proxy, number)))
        play.proxy.refuses = False
        assert play.again() == 250
    assert 451 in codes
    assert_played(play.machine, play.made)


def lost_from(proxy: Proxy, number: int) -> Rule:
    """From this message on there is no database."""

    def judge(message: Message) -> Verdict:
        if message.number < number:
            return Verdict.PASS
        proxy.refuses = True
        return Verdict.CUT_BEFORE

    return judge


def first(is_it: Callable[[Message], bool], verdict: Verdict) -> Rule:
    """The verdict on the first message of a kind."""
    found: list[Message] = []

    def judge(message: Message) -> Verdict:
        if found or not is_it(message):
            return Verdict.PASS
        found.append(message)
        return verdict

    return judge


def is_save(message: Message) -> bool:
    """Whether this is the new text of a board; COMMIT comes with it."""
    return message.from_client and b"\nboard: 1\n" in message.body


def is_answer_to_commit(message: Message) -> bool:
    return not message.from_client and message.body.startswith(b"COMMIT")


@pytest.mark.parametrize("stays", [True])
def test_an_answer_to_commit_that_never_comes(play: Play) -> None:
    """After `commit_wait` the connection is closed, and another one shows that the move
    has been made."""
    play.messages()
    begun = monotonic()
    assert play.next(first(is_answer_to_commit, Verdict.HOLD)) == 250
    assert WAIT <= monotonic() - begun < PATIENCE
    assert play.made[-1].letters <= play.machine.letters()
    play.proxy.release()
    assert_played(play.machine, play.made)


@pytest.mark.parametrize("stays", [True])
def test_a_commit_that_never_arrives(play: Play) -> None:
    """The database, too, waits, and keeps the board locked: the mail comes again. When
    the database hears that the connection is lost, it is done."""
    play.messages()
    assert play.next(first(is_save, Verdict.HOLD)) == 451
    play.proxy.cut()
    play.proxy.release()
    assert play.again() == 250
    assert_played(play.machine, play.made)


@pytest.mark.parametrize("stays", [True])
def test_a_database_that_never_answers_a_commit(play: Play) -> None:
    """Nobody can find out whether it lasts: the mail comes again."""
    play.messages()

    def judge(message: Message) -> Verdict:
        return Verdict.HOLD if is_answer_to_commit(message) else Verdict.PASS

    assert play.next(judge) == 451
    play.proxy.release()
    assert play.again() == 250
    assert_played(play.machine, play.made)
