"""Connections to the database that are lost, or hang, between any two messages of a
move."""

from time import monotonic

import pytest

from tests.postgres.cluster import POSTGRESQL, Cluster, address
from tests.postgres.conftest import Open
from tests.postgres.proxy import Message, Proxy, Rule, Verdict, at
from tests.postgres.scene import Machine, Move, all_moves, assert_played
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
        self._stays = stays
        self._todo = all_moves()

    def next(self, rule: Rule) -> int:
        """Make the next move while messages are treated so. Returns the code."""
        if not self._stays:
            self.machine.begin_anew()
        self.proxy.recount(rule)
        self.made.append(next(self._todo))
        return self.again()

    def again(self) -> int:
        """Send the mail with the last move once more, or for the first time."""
        return self.machine.receive(self.made[-1].mail)

    def positions(self) -> range:
        """The numbers of the messages that a move takes now."""
        self.next(at(0, Verdict.PASS))  # what is done only once is done now
        assert self.next(at(0, Verdict.PASS)) == 250
        return range(1, len(self.proxy.seen) + 1)


@pytest.fixture
def play(games: str, proxy: Proxy, opened: Open, stays: bool) -> Play:
    """A machine whose process has had its connection for long, or begins with each
    move."""
    url = address(games, proxy.folder)
    return Play(opened(url, wait=WAIT, commit_wait=WAIT), proxy, stays)


@STAYS
@pytest.mark.parametrize("verdict", CUTS)
def test_a_connection_that_is_cut(play: Play, verdict: Verdict) -> None:
    """The second try succeeds: the move is answered, and made once."""
    for number in some(play.positions(), 24):
        assert play.next(at(number, verdict)) == 250, number
        assert len(play.proxy.seen) >= number
    assert_played(play.machine, play.made)


@STAYS
def test_a_database_that_is_gone_for_a_while(play: Play) -> None:
    """From one message on it cannot be reached: the mail that comes again is done, and
    once."""
    codes = set()
    for number in some(play.positions(), 24):
        codes.add(play.next(lost_from(play.proxy, number)))
        play.proxy.refuses = False
        assert play.again() == 250
    assert 451 in codes
    assert_played(play.machine, play.made)


def lost_from(proxy: Proxy, number: int) -> Rule:
    """From this message on there is no database."""

    def judge(message: Message) -> Verdict:
        if message.number < number or not proxy.refuses and message.number > number:
            return Verdict.PASS
        proxy.refuses = True
        return Verdict.CUT_BEFORE

    return judge


@pytest.mark.parametrize("stays", [True])
def test_an_answer_to_commit_that_never_comes(play: Play) -> None:
    """After `commit_wait` the connection is closed, and another one shows that the move
    has been made."""
    play.positions()

    def judge(message: Message) -> Verdict:
        is_answer = not message.from_client and message.body.startswith(b"COMMIT")
        return Verdict.HOLD if is_answer else Verdict.PASS

    begun = monotonic()
    assert play.next(judge) == 250
    assert WAIT <= monotonic() - begun < 10 * WAIT
    play.proxy.release()
    assert_played(play.machine, play.made)


@pytest.mark.parametrize("stays", [True])
def test_a_commit_that_never_arrives(play: Play, cluster: Cluster) -> None:
    """The server, too, waits, for the client; then the mail must come again."""
    play.positions()

    def judge(message: Message) -> Verdict:
        is_commit = message.from_client and b"COMMIT" in message.body
        return Verdict.HOLD if is_commit else Verdict.PASS

    assert play.next(judge) == 451
    play.proxy.cut()
    play.proxy.release()
    assert play.again() == 250
    assert_played(play.machine, play.made)
