"""What comes twice, what comes at once, and what stops halfway."""

import errno
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

import pytest

from pbm_holomino.errors import Busy, CannotSend, StoreTrouble
from pbm_holomino.letters.letter import Letter
from tests import storage
from tests.house import PASSWORDS, Crash, House, dies, home
from tests.sizes import sized

ALICE, BOB = home("alice"), home("bob")


def move_of(house: House, who: str) -> str:
    """A line that plays for `who`, whose turn it is."""
    return f"holo move 1 {who} {{{who}}} {house.legal()[0]}"


def readers(letters: Sequence[Letter]) -> list[str]:
    return sorted(", ".join(letter.to) for letter in letters)


# One mail, one effect

CHANGES: dict[str, Callable[[House], str]] = {
    "move": lambda house: move_of(house, "alice"),
    "resign": lambda house: "holo resign 1 alice {alice}",
    "move resign": lambda house: "holo move 1 alice {alice} resign",
    "challenge": lambda house: "holo challenge bob alice -random",
    "signup": lambda house: "signup dave secret-1",
    "change password": lambda house: "change password alice {alice} another-1",
    "change address": lambda house: "change address alice {alice} new@example.org",
    "export": lambda house: "export alice {alice}",
    "mute": lambda house: "mute alice {alice} holo 1",
}


# an export comes once (see test_exports.py)
@pytest.mark.parametrize("change", [name for name in CHANGES if name != "export"])
def test_the_same_mail_again_changes_nothing(house: House, change: str) -> None:
    line = CHANGES[change](house)
    first = house.by_mail("alice", "mail1", line, "Hello!")
    assert first.status == 0
    letters, files = house.taken(), house.files()
    house.time = "2026-11-21T00:00:00Z"
    again = house.by_mail("alice", "mail1", line, "Hello!")
    assert house.files() == files
    assert again == first
    # who asked is answered again, with the same letter; bob is not bothered
    (answer,) = (letter for letter in letters if letter.text == first.text)
    assert answer in house.sent
    assert [letter for letter in house.sent if letter not in letters] == []
    assert BOB not in "".join(readers(house.sent))


@pytest.mark.parametrize("change", CHANGES)
def test_the_same_words_in_a_new_mail_are_a_new_command(
    house: House, change: str
) -> None:
    line = CHANGES[change](house)
    house.by_mail("alice", "mail1", line)
    again = house.by_mail("alice", "mail2", line)
    if change == "challenge":
        assert (again.status, house.library.lists.boards("holo")) == (0, [1, 2, 3])
    elif change == "change address":
        assert again.status == 0
        assert len(house.data("players", "alice")["log"]) == 3
    else:
        assert again.status == 1


def test_a_repetition_is_answered_as_it_was(house: House) -> None:
    line = move_of(house, "alice")
    first = house.by_mail("alice", "mail1", line)
    house.by_mail("bob", "mail2", move_of(house, "bob"))
    house.by_mail("bob", "mail3", "holo resign 1 bob {bob}")
    house.taken()
    files = house.files()
    assert house.by_mail("alice", "mail1", line) == first
    assert house.files() == files
    (answer,) = house.sent
    assert (answer.to, answer.text) == ((ALICE,), first.text)


def test_a_repetition_needs_no_other_password_than_it_had(house: House) -> None:
    line = move_of(house, "alice")
    first = house.by_mail("alice", "mail1", line)
    house.type("change password alice {alice} another-1")
    assert house.by_mail("alice", "mail1", line) == first


def test_a_repetition_is_answered_whatever_has_become_of_the_account(
    house: House,
) -> None:
    """The address was theirs when the mail came, or there is no address any more."""
    house.sign_up("carol")
    moved = "change address carol {carol} new@example.org"
    lines = (moved, "delete carol {carol}")
    for mail, line in zip(("mail1", "mail2"), lines, strict=True):
        assert house.by_mail("carol", mail, line).status == 0
        if line is moved:
            house.type("change password carol {carol} another-1")
            assert house.by_mail("carol", mail, line).status == 0
            house.type("change password carol another-1 {carol}")
    assert house.library.player("carol") is None
    again = house.by_mail("carol", "mail2", lines[1])
    assert (again.status, again.text[:24]) == (0, "Your account is removed,")


def test_a_refused_mail_may_come_again(house: House) -> None:
    line = f"holo move 1 bob {{bob}} {house.legal()[0]}"
    for _ in range(2):
        assert "not your turn" in house.by_mail("bob", "mail1", line).text
    assert house.match().ply == 0


# Letters that cannot leave, and processes that die

TROUBLES = [CannotSend("The post office is closed."), Crash()]


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("change", CHANGES)
def test_a_mail_whose_letters_did_not_leave_may_come_again(
    house: House, change: str, trouble: BaseException
) -> None:
    line = CHANGES[change](house)
    house.trouble = trouble
    with suppress(Crash):
        assert house.by_mail("alice", "mail1", line, "Hello!").status == 0
    assert any(name.endswith(".unsent") for name in house.files())
    saved = {k: v for k, v in house.files().items() if not k.endswith(".unsent")}
    house.trouble = None
    answer = house.by_mail("alice", "mail1", line, "Hello!")
    assert (answer.status, answer.posted) == (0, True)
    assert house.files() == saved  # done once, and the mark is gone
    texts = [letter.text for letter in house.sent]
    assert texts.count(answer.text) == 1  # what is sent late is the answer
    if change in ("move", "resign", "move resign", "challenge"):
        assert set(readers(house.sent)) == {ALICE, BOB}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_next_command_on_a_board_sends_marked_letters(
    house: House, trouble: BaseException
) -> None:
    house.trouble = trouble
    with suppress(Crash):
        house.by_mail("alice", "mail1", move_of(house, "alice"))
    house.trouble = None
    assert house.match().ply == 1
    house.type(move_of(house, "bob"))
    subjects = [(*letter.to, letter.subject) for letter in house.taken()]
    assert subjects == [
        (ALICE, "holo 1: bob to move"),
        (BOB, "holo 1: your turn"),
        (ALICE, "holo 1: your turn"),
    ]
    assert house.store.marks.unsent("holo") == {}


def test_in_the_shell_a_move_counts_even_if_no_letter_can_leave(house: House) -> None:
    house.cannot_send()
    answer = house.type(move_of(house, "alice"))
    assert answer.status == 0
    assert "Holomino, board 1, after move 1" in answer.text
    assert house.store.marks.unsent("holo") == {"1": [1]}


def test_in_the_shell_a_changed_account_is_changed(house: House) -> None:
    house.cannot_send()
    line = "change address alice {alice} new@example.org"
    assert house.type(line).status == 0
    assert house.type("change password alice {alice} another-1").status == 0
    assert house.type("holo showas alice another-1 1").status == 0
    assert house.store.marks.unsent("players") == {"alice": [2, 3]}
    house.trouble = None
    assert house.type("change password alice another-1 another-2").status == 0
    assert readers(house.sent) == [ALICE]  # the old address hears of the new one
    assert house.store.marks.unsent("players") == {}


def test_a_letter_is_the_same_whenever_it_is_sent(house: House) -> None:
    first = house.by_mail("alice", "mail1", move_of(house, "alice"), "Hello!")
    letters = house.taken()
    house.by_mail("bob", "mail2", "holo resign 1 bob {bob}")
    house.taken()
    house.mark("holo", "1", 1)
    house.deliver(house.match(), 1)
    assert house.sent == letters
    assert first.text in {letter.text for letter in letters}


def test_a_letter_that_has_gone_does_not_go_again(house: House) -> None:
    post = house.server.delivery.post

    def to_alice_only(letter: Letter) -> Mapping[str, str]:
        if letter.to != (ALICE,):
            return dict.fromkeys(letter.to, "The post office is closed.")
        return post(letter)

    house.server.delivery.post = to_alice_only
    # who asked is answered; the other letter is marked, and the mail need not come
    assert house.by_mail("alice", "mail1", move_of(house, "alice")).posted
    house.server.delivery.post = post
    assert readers(house.taken()) == [ALICE]
    house.deliver(house.match())
    assert readers(house.taken()) == [BOB]


def test_a_challenge_may_come_from_any_address_of_a_player(house: House) -> None:
    house.type(f"change address alice {{alice}} {ALICE} {home('Alice.Office')}")
    house.taken()
    assert house.by_mail("alice.office", "mail1", "holo challenge bob alice").posted
    assert house.match(2).record.log[0].who == "alice"


def test_a_mark_without_its_line_means_nothing(house: House) -> None:
    house.mark("holo", "1", 1)
    house.mark("players", "alice", 2)
    house.by_mail("alice", "mail1", "holo challenge alice bob")
    assert readers(house.taken()) == [ALICE, BOB]
    house.type(move_of(house, "alice"))
    assert readers(house.taken()) == [BOB]
    assert house.store.marks.unsent("holo") == {}


def test_after_a_kill_at_any_moment_the_mail_comes_again(house: House) -> None:
    last, killed = 0, True
    while killed:
        last += 1
        ply = house.match().ply
        (who,) = house.match().turn
        line = move_of(house, who)
        house.taken()
        killed = dies(house, last, partial(house.by_mail, who, f"mail{last}", line))
        if house.match().ply == ply:
            assert house.sent == []  # neither the move nor its letters
        assert house.by_mail(who, f"mail{last}", line).status == 0
        assert house.match().ply == ply + 1
        assert set(readers(house.sent)) == {ALICE, BOB}
        assert len({letter.key for letter in house.sent}) == 2
        assert house.store.marks.unsent("holo") == {}
    # before and after: files are written, synced twice, renamed and removed; or in four
    # exchanges a database reads and counts, locks, saves, and takes the mark; and two
    # letters leave
    assert last >= (15 if isinstance(storage.over, storage.InFiles) else 13)


# A board that is busy, a disk that is full


def test_a_player_who_waits_too_long_is_told_to_come_again(house: House) -> None:
    line, files = move_of(house, "alice"), house.files()
    with house.busy("holo", "1"):
        with pytest.raises(Busy):
            house.by_mail("alice", "mail1", line)
        # the password is looked at before the lock
        answer = house.by_mail("alice", "mail1", line.replace("{alice}", "wrong"))
        assert answer.status == 1
    assert house.files() == files
    assert house.by_mail("alice", "mail1", line).status == 0


@pytest.mark.parametrize("name", ["write", "fsync", "rename"])
def test_a_disk_that_is_full_loses_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    line, before = move_of(house, "alice"), house.match()

    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, name, full)
        with pytest.raises(StoreTrouble):
            house.by_mail("alice", "mail1", line)
    assert house.match() == before
    assert house.sent == []
    assert house.by_mail("alice", "mail1", line).status == 0
    assert readers(house.sent) == [ALICE, BOB]


# Real processes

STARTS = {
    "holo": "from pbm_holomino.cli import main; run = lambda: main(sys.argv[1:])",
    "pbm-inbox": "from pbm_holomino.server.inbox import main as run",
}


def at_once(
    house: House, inputs: Sequence[bytes], commands: Sequence[str]
) -> list[tuple[int, str]]:
    """Run these commands in a process each; all are ready before any may begin. The
    exit status and the output of each."""
    processes = []
    for command in commands:
        name = command.split()[0]
        start = f"import sys; {STARTS[name]}; print('ready', flush=True); "
        begin = "sys.exit(run())"
        if name == "holo":
            begin = "sys.stdin.readline(); " + begin
        processes.append(
            subprocess.Popen(
                [sys.executable, "-c", start + begin, *command.split()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PBM_GAMES": str(house.folder)},
            )
        )
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process, text in zip(processes, inputs, strict=True):
        assert process.stdin is not None
        process.stdin.write(text)
        process.stdin.close()
        process.stdin = None
    outputs = [process.communicate()[0].decode() for process in processes]
    return [(p.returncode, out) for p, out in zip(processes, outputs, strict=True)]


def test_of_many_who_move_at_once_one_wins(house: House) -> None:
    house.type("holo challenge alice bob -pool-size=12")
    many = sized(8, 20)
    moves = house.legal(2)[:many]
    assert len(set(moves)) == many
    before = house.match(2)
    password = PASSWORDS["alice"]
    done = at_once(
        house,
        [b"\n"] * many,
        [f"holo move 2 alice {password} {move}" for move in moves],
    )
    after = house.match(2)
    assert after.record.log[:-1] == before.record.log
    assert after.ply == 1
    assert after.turn == ("bob",)
    winners = [place for place, (status, _) in enumerate(done) if status == 0]
    assert [moves[place] for place in winners] == [after.record.log[-1].action]
    for place, (status, text) in enumerate(done):
        if place not in winners:
            assert status == 1, text
            assert "It is not your turn on holo 2: bob must move first." in text


def test_a_mail_that_comes_four_times_at_once_moves_once(house: House) -> None:
    subject = f"holo move 1 alice {PASSWORDS['alice']} {house.legal()[0]}"
    mail = f"From: {ALICE}\nSubject: {subject}\nMessage-ID: <1@x>\n\nHello!\n".encode()
    done = at_once(house, [mail] * 4, ["pbm-inbox"] * 4)
    assert done == [(0, "")] * 4
    assert house.match().ply == 1
    assert len(house.match().record.log) == 2
    letters = sorted(path.read_text() for path in house.path("outbox").glob("*.eml"))
    assert len(letters) == 2
    assert {f"To: {ALICE}", f"To: {BOB}"} <= set("\n".join(letters).splitlines())
    assert house.store.marks.unsent("holo") == {}


def test_boards_opened_at_once_have_numbers_of_their_own(house: House) -> None:
    house.sign_up("carol")
    pairs = itertools.permutations(("alice", "bob", "carol"), 2)
    lines = [f"holo challenge {one} {other}" for one, other in pairs]
    done = at_once(house, [b"\n"] * 6, lines)
    assert [status for status, _ in done] == [0] * 6
    assert house.library.lists.boards("holo") == [1, 2, 3, 4, 5, 6, 7]
    assert len({house.match(board).record.seed for board in range(1, 8)}) == 7
