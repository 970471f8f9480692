"""Mails that are fetched while robots think: the next one is carried out at once."""

from pathlib import Path

import pytest

from pbm_holomino.fetch.maildir import make_maildir
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import ROBOT, Line
from pbm_holomino.match.replay import after
from pbm_holomino.server import waking
from pbm_holomino.store.home import Home
from tests.fetch.club import FetchingHouse
from tests.house import House, fill_in, home, mail_of

PLAYERS = ("alice", "bob")


def moved_by_robot(match: Match, time: str) -> Match:
    seat = match.record.players.index("robot1")
    word = match.rules.format_move(match.rules.legal(match.state, seat)[0])
    return after(match, Line(None, time, "robot1", ROBOT, word))


def mailed(fetching: FetchingHouse, house: House, box: Path) -> list[int]:
    """The boards on which alice and bob have mailed a move each, with a robot to answer
    it; both mails are in the mailbox."""
    boards = [house.challenge(names=f"{who} robot1") for who in PLAYERS]
    house.taken()
    make_maildir(str(box))
    fetching.configure(fetch=f"maildir:{box}")
    for who, board in zip(PLAYERS, boards, strict=True):
        line = fill_in(f"holo move {board} {who} {{{who}}} {house.legal(board)[0]}")
        raw = mail_of(line, home(who), Message_ID=f"<{who}@x>")
        (box / "new" / who).write_bytes(raw)
    return boards


def test_a_mail_does_not_wait_for_the_robot_of_another(
    fetching: FetchingHouse,
    house: House,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Robots only begin when both mails have been carried out. Neither letter has left
    by then, and each mail is answered by one letter with both moves."""
    boards = mailed(fetching, house, tmp_path / "Maildir")
    moved = list[int]()

    def wake(_: Home) -> bool:
        matches = [house.match(board) for board in boards]
        if all(match.ply == 1 for match in matches):
            assert not house.path("outbox").exists()
            for match in matches:
                changed = moved_by_robot(match, house.time)
                with house.store.lock("holo", str(match.record.board)):
                    house.library.save(changed, len(match.record.log))
                moved.append(match.record.board)
            house.store.close()  # what waits is left to others
        return True

    monkeypatch.setattr(waking, "PATIENCE", 30.0)
    monkeypatch.setattr(waking, "wake", wake)
    assert fetching.fetch() == "Mails fetched: 2.\n"
    assert moved == boards
    letters = [path.read_text() for path in house.path("outbox").iterdir()]
    assert len(letters) == 2
    for who in PLAYERS:
        (letter,) = [text for text in letters if f"In-Reply-To: <{who}@x>" in text]
        assert f"To: {home(who)}\n" in letter
        assert "You played " in letter
        assert "robot1 played " in letter
    assert house.store.marks.unsent("holo") == {}
