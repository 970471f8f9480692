"""A server, the shell, and pbm-inbox at once on the same boards."""

import random
import smtplib
from collections.abc import Callable
from pathlib import Path

from pbm_holomino.store.library import Library
from tests.house import PASSWORDS, House
from tests.mail.postboxes import SlowPost
from tests.processes import Done, Talk, at_once, deliver, resident, run
from tests.resident.desk import in_outbox, mail, move, of_the_move
from tests.sizes import sized

Way = Callable[[str, str], int]


def test_only_one_of_several_moves_at_once_counts(house: House) -> None:
    house.type("holo challenge alice bob -pool-size=12")
    moves = house.legal(2)[:9]
    words = f"holo move 2 alice {PASSWORDS['alice']}"
    done: list[Done] = []
    with resident(house) as server:
        at_once(
            *(
                lambda text=text: server.send(mail("alice", f"{words} {text}", text))
                for text in moves[:5]
            ),
            *(
                lambda text=text: done.append(
                    run(house.folder, *f"{words} {text}".split())
                )
                for text in moves[5:7]
            ),
            *(
                lambda text=text: done.append(
                    deliver(house.folder, mail("alice", f"{words} {text}", text))
                )
                for text in moves[7:]
            ),
        )
        assert server.stop() == (0, "")
    match = Library(house.store).match("holo", 2)
    assert (match.ply, match.turn) == (1, ("bob",))
    assert match.record.log[-1].action in moves
    assert house.store.marks.unsent("holo") == {}


def test_the_same_mail_by_all_ways_counts_once(house: House) -> None:
    raw = mail("alice", move(house, "alice"), "m1")
    codes: list[int] = []
    with resident(house) as server:
        at_once(
            *(lambda: codes.append(server.send(raw)[0]) for _ in range(4)),
            *(lambda: codes.append(deliver(house.folder, raw).status),) * 2,
        )
        assert server.stop() == (0, "")
    assert sorted(codes) == [0, 0, 250, 250, 250, 250]
    match = Library(house.store).match("holo", 1)
    assert len(match.record.log) == 2
    assert in_outbox(house) == of_the_move(house)
    assert house.store.marks.unsent("holo") == {}


def test_whole_games_are_played_by_all_ways(house: House) -> None:
    """Moves on three boards at once, each by a way chosen at random."""
    moves = sized(7, 14)
    for _ in range(2):
        house.type("holo challenge alice bob")
    with resident(house) as server:

        def by_server(who: str, line: str) -> int:
            with smtplib.LMTP(server.path) as client:
                raw = mail(who, line, line.replace(" ", "."))
                text = raw.decode()
                return len(client.sendmail(f"{who}@example.org", ["pbm@x"], text))

        def by_shell(who: str, line: str) -> int:
            return run(house.folder, *line.split()).status

        def by_inbox(who: str, line: str) -> int:
            raw = mail(who, line, line.replace(" ", "."))
            return deliver(house.folder, raw).status

        def play(board: int) -> None:
            chance, ply = random.Random(board), 0
            ways: list[Way] = [by_server, by_server, by_server, by_shell, by_inbox]
            library = Library(house.store)
            while library.match("holo", board).result is None and ply < moves:
                (who,) = library.match("holo", board).turn
                way, line = chance.choice(ways), move(house, who, board)
                assert way(who, line) == 0
                ply += 1
                assert library.match("holo", board).ply == ply

        at_once(*(lambda board=board: play(board) for board in (1, 2, 3)))
        assert server.stop() == (0, "")
    assert [Library(house.store).match("holo", b).ply for b in (1, 2, 3)] == [moves] * 3
    assert house.store.marks.unsent("holo") == {}
    checked = run(house.folder, "pbm", "check")
    assert (checked.status, checked.out) == (0, "5 files read: all is well.\n")


def test_a_slow_letter_delays_nobody(house: House, tmp_path: Path) -> None:
    slow = SlowPost(house, tmp_path / "post")
    automatic = mail("bob", "help", "m2").replace(b"To:", b"List-Id: <a>\nTo:")
    with resident(house) as server:
        others = [Talk(server.path) for _ in range(10)]
        assert server.send(mail("alice", move(house, "alice"), "m1"))[0] == 250
        slow.wait()
        for _ in range(20):  # nobody is answered, so that no letter need leave
            assert server.send(automatic)[0] == 250
        for other in others:
            other.at_data().say(*automatic.decode().splitlines(), ".")
            assert other.hear() == ["250 2.0.0 Done"]
            other.close()
        assert house.has_marks()
        slow.go()
        assert server.stop() == (0, "")
    assert not house.has_marks()
