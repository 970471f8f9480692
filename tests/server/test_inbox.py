"""What procmail runs: one mail in, an exit status and letters out."""

from pathlib import Path

import pytest

from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.store.config import Config
from tests.house import House, mail_of
from tests.processes import deliver, run
from tests.prose import plain
from tests.sizes import some

ALICE, BOB, EVE = "alice@example.org", "bob@example.org", "eve@example.net"


@pytest.fixture
def playing(server):
    """A server with a board, on which it is alice's turn."""
    server.challenge()
    return server


def files(folder: Path, kind: str = "outbox") -> dict[str, str]:
    found = (folder / kind).glob("*") if (folder / kind).exists() else ()
    return {file.name: file.read_text() for file in found}


def log(server: House, board: int = 1) -> list[str]:
    return [str(line.action) for line in server.match(board).record.log]


def of_the_move(server: House) -> set[str]:
    """The names of the files with the letters about the first line after the
    challenge."""
    return {f"{server.letter_id(1, who)}.eml" for who in ("alice", "bob")}


# Exit statuses


def test_a_command_is_carried_out_and_answered(playing: House) -> None:
    raw = mail_of("holo move 1 alice xanadu 142:4")
    done = deliver(playing.folder, raw)
    assert (done.status, done.out, done.err) == (0, "", "")
    assert log(playing) == ["!challenge", "142:4"]
    assert set(files(playing.folder)) == of_the_move(playing)
    assert not list(playing.folder.glob("*/1.1.unsent"))


def test_a_refusal_is_an_answer_too(playing: House) -> None:
    raw = mail_of("holo move 1 bob better4 123:1", BOB)
    assert deliver(playing.folder, raw).status == 0
    (letter,) = files(playing.folder).values()
    assert "not your turn" in letter
    assert log(playing) == ["!challenge"]


@pytest.mark.parametrize(
    "raw", [b"", b"\x00\xff\n\n" * 99, b"Subject: help\n\nwho am I?"], ids=len
)
def test_unreadable_mail_goes_into_quarantine(tmp_path: Path, raw: bytes) -> None:
    done = deliver(tmp_path, raw)
    assert (done.status, done.out, done.err) == (0, "", "")
    (kept,) = (tmp_path / "quarantine").iterdir()
    assert kept.read_bytes() == raw
    assert not (tmp_path / "outbox").exists()


def test_a_robot_hears_nothing(tmp_path: Path) -> None:
    raw = mail_of("help", Auto_Submitted="auto-replied")
    assert deliver(tmp_path, raw).status == 0
    assert list(tmp_path.iterdir()) == []


def test_our_own_letters_are_not_answered(playing: House) -> None:
    playing.mail(mail_of("holo move 1 alice xanadu 142:4"))
    letters = [message(letter, playing.config) for letter in playing.sent]
    assert letters
    assert not any(playing.mail(letter) for letter in letters)


WRONG = [("adress: a@b.org", "adress"), ("answers_per_hour: many", "answers_per_hour")]
WRONG += [
    ("wait: -1", "wait"),
    ("send: pigeon", "pigeon"),
    ("address: nobody", "nobody"),
]
WRONG += [("- a list", "config.yaml"), ("a: b: c", "config.yaml"), ("send: ''", "send")]
WRONG += [("wait: 1\nwait: 2", "wait"), ("address: [a@b.org]", "address")]


@pytest.mark.parametrize(("config", "named"), some(WRONG, 4))
def test_a_wrong_config_keeps_the_mail(tmp_path: Path, config: str, named: str) -> None:
    (tmp_path / "config.yaml").write_text(config)
    for done in (deliver(tmp_path, mail_of("help")), run(tmp_path, "holo", "games")):
        assert done.status == 75
        assert "config.yaml" in done.err
        assert named in done.err
    assert [file.name for file in tmp_path.iterdir()] == ["config.yaml"]


@pytest.mark.parametrize("config", ["", "# address: a@b.org\n", "---\n# nothing\n"])
def test_a_config_of_comments_is_the_default(tmp_path: Path, config: str) -> None:
    (tmp_path / "config.yaml").write_text(config)
    assert deliver(tmp_path, mail_of("help")).status == 0
    assert "From: pbm@localhost" in "".join(files(tmp_path).values())


def test_the_config_is_obeyed(playing: House) -> None:
    playing.settings("address: games@x.org # ours\nwait: 3\n")
    assert deliver(playing.folder, mail_of("help")).status == 0
    (letter,) = files(playing.folder).values()
    assert "From: games@x.org\n" in letter
    assert "X-Loop: games@x.org\n" in letter


@pytest.mark.parametrize("path", ["holo", "players", "quarantine", "."])
def test_a_store_that_cannot_be_written_keeps_the_mail(
    tmp_path: Path, path: str
) -> None:
    """A file stands where there should be a folder."""
    store = tmp_path / "store"
    if path != ".":
        store.mkdir(mode=0o700)
    (store / path).write_text("a file") if path != "." else store.write_text("a file")
    raw = mail_of("signup carol secret")
    if path == "holo":
        assert deliver(store, raw).status == 0
        raw = mail_of("holo challenge carol carol2")
    if path == "quarantine":
        raw = b"no mail"
    done = deliver(store, raw)
    assert (done.status, done.out) == (75, "")
    assert done.err.startswith("pbm-inbox: ")
    assert "Error" not in done.err


def test_a_letter_that_cannot_leave_leaves_later(playing: House) -> None:
    outbox, raw = playing.folder / "outbox", mail_of("holo move 1 alice xanadu 142:4")
    outbox.write_text("a file")
    assert deliver(playing.folder, raw).status == 0
    assert log(playing) == ["!challenge", "142:4"]
    assert playing.store.marks.unsent("holo") == {"1": [1]}
    outbox.unlink()
    assert deliver(playing.folder, b"From again\n" + raw).status == 0
    assert log(playing) == ["!challenge", "142:4"]
    assert set(files(playing.folder)) == of_the_move(playing)


# Who is answered


def test_strangers_get_a_limited_number_of_answers_an_hour(server: House) -> None:
    assert Config().answers_per_hour == 60
    server.config = Config(answers_per_hour=2)
    commands = ["help"] * 4 + ["holo showas alice wrong", "xyzzy", "help", "x", "y"]
    # two of each kind, and a letter that there were too many
    answers = [len(server.mail(mail_of(c, EVE))) for c in commands]
    assert answers == [1, 1, 1, 0, 1, 1, 0, 1, 0]
    assert server.mail(mail_of("help", "EVE@Example.NET")) == []
    assert len(server.mail(mail_of("help", BOB))) == 1
    for _ in range(4):  # with a password nobody is a stranger
        assert len(server.mail(mail_of("holo showas alice xanadu", EVE))) == 1
    server.time = "2026-11-20T09:00:00Z"
    assert len(server.mail(mail_of("help", EVE))) == 1


@pytest.mark.parametrize(
    ("command", "subject"),
    [
        ("holo showas alice xanadu", "Re: your command: holo showas"),
        ("holo move 1 alice xanadu 132:9", "holo 1: move"),
        ("holo showas alice xanadu 7", "holo 7: show"),
        ("holo resign 7 alice xanadu", "holo 7: resign"),
        ("change password alice xanadu x", "Re: your command: change password"),
        ("change address alice xanadu x", "Re: your command: change address"),
    ],
)
def test_with_a_password_the_player_is_answered(
    playing: House, command: str, subject: str
) -> None:
    (letter,) = playing.mail(mail_of(command, EVE))
    assert (letter.to, letter.subject) == ((ALICE,), subject)


@pytest.mark.parametrize(
    "command",
    ["move 1 alice {} 132:9", "resign 1 alice {}", "showas alice {}"],
)
@pytest.mark.parametrize(
    "password", ["Secret", "better4", "x", "p\xf6ssword", "x" * 1500]
)
def test_only_the_sender_hears_of_a_wrong_password(
    playing: House, command: str, password: str
) -> None:
    raw = mail_of("holo " + command.format(password), EVE, body="Hello Bob")
    (letter,) = playing.mail(raw)
    assert letter.to == (EVE,)
    assert "password" in letter.text
    assert password not in letter.text + letter.subject or len(password) == 1
    assert log(playing) == ["!challenge"]


def test_an_answer_names_the_command_but_no_secret(playing: House) -> None:
    for command, subject in {
        "holo move 1 alice wrong 142:4": "holo 1: move",
        "holo show 1 -format=json": "holo 1: show",
        "holo mvoe 1 alice xanadu": "Re: your command",
        "help": "Re: your command: help",
        "signup alice xanadu": "Re: your command: signup",
    }.items():
        (letter,) = playing.mail(mail_of(command, EVE, Message_ID="<1@x>"))
        assert (letter.subject, letter.answers) == (subject, "<1@x>")


def test_an_unknown_userid_is_not_quoted(server: House) -> None:
    """It may be a password that stands in the wrong place."""
    for command in ("challenge alice", "challenge", "show", "games", "show alice"):
        (letter,) = server.mail(mail_of(f"holo {command} hunter22 hunter23"))
        assert "hunter2" not in letter.text + letter.subject


@pytest.mark.parametrize(
    "sender", [ALICE, BOB, "ALICE@Example.Org", "A <bob@example.org>"]
)
def test_a_player_challenges_by_mail(server: House, sender: str) -> None:
    sent = server.mail(mail_of("holo challenge bob alice", sender, body="Shall we?"))
    assert sorted(letter.to for letter in sent) == [(ALICE,), (BOB,)]
    who = "bob" if "bob" in sender else "alice"
    assert server.match().record.log[0].who == who
    assert server.match().record.players == ("bob", "alice")
    told = {letter.to[0]: "Shall we?" in letter.text for letter in sent}
    assert told == {ALICE: who == "bob", BOB: who == "alice"}


def test_others_cannot_challenge_for_two_players(server: House) -> None:
    (letter,) = server.mail(mail_of("holo challenge alice bob", EVE))
    assert letter.to == (EVE,)
    assert "address" in letter.text
    assert server.library.lists.boards("holo") == []


def test_signing_up_without_an_address_uses_the_senders(server: House) -> None:
    (letter,) = server.mail(mail_of("signup carol secret", EVE))
    assert letter.to == (EVE,)
    (letter,) = server.mail(mail_of("signup dave secret a@b.org c@d.org", EVE))
    assert letter.to == ("a@b.org", "c@d.org")
    sent = server.mail(mail_of("change address dave secret", EVE))
    assert {letter.to for letter in sent} == {(EVE,), ("a@b.org", "c@d.org")}


# What is passed on


@pytest.mark.parametrize(
    "command",
    ["move 1 alice xanadu 142:4", "move 1 alice xanadu resign"]
    + ["resign 1 alice xanadu"],
)
def test_the_text_of_a_mail_is_passed_on(playing: House, command: str) -> None:
    body = "Well, J\xf6rg xanadu!\n\nBob wrote:\n> old\n-- \nRegards"
    sent = playing.mail(mail_of(f"holo {command}", body=body))
    by_reader = {letter.to[0]: letter.text for letter in sent}
    assert "alice writes:\n  Well, J\xf6rg ***!\n\n" in by_reader[BOB]
    assert "old" not in by_reader[BOB]
    assert "Regards" not in by_reader[BOB]
    assert "J\xf6rg" not in by_reader[ALICE]


@pytest.mark.parametrize("said", ["text/plain", "text/html", "html", "text"])
@pytest.mark.parametrize(
    "command",
    ["chat 1 alice xanadu", "move 1 alice xanadu 142:4", "resign 1 alice xanadu"],
)
@pytest.mark.parametrize(
    "line",
    [
        "<p>holo&nbsp;move&nbsp;2&nbsp;alice&nbsp;oldword</p>",
        "<p>(change&nbsp;password:alice,oldword,newword)</p>",
        "<p>My <b>password</b>: oldword</p>",
    ],
)
def test_no_other_password_is_passed_on(
    playing: House, command: str, line: str, said: str
) -> None:
    body = f"<p>Hello there</p>\n{line}\n<p>See you xanadu</p>"
    sent = playing.mail(mail_of(f"holo {command}", body=body, Content_Type=said))
    words = next(letter.text for letter in sent if letter.to == (BOB,))
    assert "Hello there" in words
    assert "See you ***" in words
    assert all(word not in words for word in ("oldword", "newword", "xanadu"))


@pytest.mark.parametrize(
    "command", ["show 1", "showas alice xanadu", "preview 1 142:4"]
)
def test_the_text_of_other_mails_is_not(playing: House, command: str) -> None:
    (letter,) = playing.mail(mail_of(f"holo {command}", body="Hello there"))
    assert "Hello there" not in letter.text


def test_a_long_text_is_passed_on_within_the_columns(playing: House) -> None:
    body = "mot " * 300 + "\n\n" + "x" * 300
    sent = playing.mail(mail_of("holo move 1 alice xanadu 142:4", body=body))
    text = next(letter.text for letter in sent if letter.to == (BOB,))
    assert max(map(len, text.splitlines())) <= 72
    assert text.count("mot ") + text.count("mot\n") == 300
    assert text.replace("\n", "").replace(" ", "").count("x" * 300) == 1


# The same mail again


def letters(sent: list[Letter]) -> list[tuple[str, str, str]]:
    return [(letter.key, letter.subject, letter.text) for letter in sent]


@pytest.mark.parametrize(
    "command",
    [
        "holo challenge alice bob",
        "holo move 1 alice xanadu 142:4",
        "signup carol secret",
    ]
    + ["holo resign 1 alice xanadu", "change password alice xanadu better5"]
    + ["change address alice xanadu a@b.org", "help", "holo move 1 bob better4 1:1"],
)
def test_a_mail_that_comes_again_is_answered_as_it_was(
    playing: House, command: str
) -> None:
    raw = mail_of(command, body="Hello", Message_ID="<1@example.org>")
    first = letters(playing.mail(raw))
    before = files(playing.folder, "holo") | files(playing.folder, "players")
    again = letters(playing.mail(b"From alice Fri Nov 20 09:00:00 2026\n" + raw))
    assert again
    assert set(again) <= set(first)
    assert before == files(playing.folder, "holo") | files(playing.folder, "players")


def test_an_old_mail_is_answered_as_it_was_after_later_moves(playing: House) -> None:
    raw = mail_of("holo move 1 alice xanadu 142:4", Date="Fri, 20 Nov 2026 08:00:00")
    first = letters(playing.mail(raw))
    playing.mail(mail_of("holo move 1 bob better4 234:3", BOB))
    playing.play(moves=2)
    playing.type("change password alice xanadu better5")
    (again,) = letters(playing.mail(raw))
    assert again in first
    assert len(log(playing)) == 5


def test_another_s_mail_with_that_id_is_their_own(playing: House) -> None:
    playing.mail(mail_of("holo move 1 alice xanadu 142:4", Message_ID="<1@x>"))
    playing.mail(mail_of("holo move 1 bob better4 234:3", BOB, Message_ID="<1@x>"))
    playing.mail(mail_of("holo move 1 alice wrong 123:1", EVE, Message_ID="<1@x>"))
    assert log(playing) == ["!challenge", "142:4", "234:3"]


# What helps


@pytest.mark.parametrize("prefix", ["Re: ", "AW: ", "Re: [pbm] ", ""])
def test_a_bare_reply_to_a_letter_is_told_what_to_do(
    playing: House, prefix: str
) -> None:
    sent = playing.mail(mail_of("holo move 1 alice xanadu 142:4"))
    sent += playing.mail(mail_of("holo resign 1 bob better4", BOB))
    assert len({letter.subject for letter in sent}) == 3
    subjects = sorted({letter.subject for letter in sent})
    told = [
        letter
        for subject in subjects
        for letter in playing.mail(mail_of(prefix + subject, BOB, body="123:17"))
    ]
    assert [letter.to for letter in told] == [(BOB,)] * 3
    for letter in told:
        said = plain(letter.text)
        assert "cannot tell which letter to you this reply answers" in said
        assert "nothing has been done" in said
    first, *later = told  # once an hour they get the board, to which they can reply
    assert "Please reply to this letter, or use its links." in plain(first.text)
    assert "Holomino, board 1, after move 1" in first.text
    assert first.id.startswith(playing.letter_id(2, "bob"))
    for letter in later:
        assert "put the whole command into the Subject line" in plain(letter.text)
        assert "  holo move 1 alice PASSWORD MOVE\n" in letter.text
        assert letter.id == ""


def test_a_bare_reply_from_an_address_of_two_players_shows_neither_their_board(
    playing: House,
) -> None:
    assert playing.type(f"add alice {{alice}} {BOB}").status == 0
    playing.taken()
    (letter,) = playing.mail(mail_of("Re: holo 1: your turn", BOB, body="123:17"))
    assert "put the whole command into the Subject line" in plain(letter.text)
    assert letter.id == ""


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "   ",
        "Re:",
        "Re: alice: welcome",
        "Re: your command",
        "signup carol -",
        "12",
    ],
)
def test_a_player_who_sends_no_command_is_led_to_the_help(
    server: House, subject: str
) -> None:
    (letter,) = server.mail(mail_of(subject, BOB))
    assert letter.to == (BOB,)
    assert '"help' in letter.text


def test_problems_with_a_mail_are_reported(server: House) -> None:
    long = mail_of("help", body="x\n" * 600_000)
    for raw in (mail_of("help", SUBJECT="help"), mail_of("=?utf-8?q?a=00?="), long):
        (letter,) = server.mail(raw)
        assert "mail" in letter.text
        assert len(letter.text) < 300


def test_an_answer_does_not_swell(playing: House) -> None:
    for command in ("help" + " holo" * 9999, "holo preview 1" + " 132:1" * 9999):
        (letter,) = playing.mail(mail_of(command, EVE))
        assert len(letter.text) < 50_000


def test_a_damaged_board_stops_nobody_else(playing: House) -> None:
    playing.challenge()
    playing.document("holo", "1").write_text("game: [")
    (letter,) = playing.mail(mail_of("holo move 1 alice xanadu 142:4"))
    assert playing.called("holo", "1") in plain(letter.text)
    playing.mail(mail_of("holo move 2 alice xanadu 142:4"))
    assert log(playing, 2) == ["!challenge", "142:4"]
    assert playing.document("holo", "1").read_text() == "game: ["


def test_no_password_is_ever_written_down(playing: House) -> None:
    marks = ["zq9xone", "zq9xtwo", "zq9x3"]
    commands = ["signup carol {0}", "change password carol {0} {1}"]
    commands += ["holo move 1 carol {1} 142:4", "holo challenge carol {2}"]
    commands += ["holo move 1 {2} 142:4", "signup carol {2}", "holo show {1}"]
    for command in commands:
        raw = mail_of(command.format(*marks), EVE, body=" ".join(marks))
        done = deliver(playing.folder, raw)
        assert (done.status, done.out, done.err) == (0, "", "")
    stored = [f.read_bytes() for f in playing.folder.rglob("*") if f.is_file()]
    stored += playing.files().values()
    assert any(b"carol" in content for content in stored)
    assert not any(b"zq9x" in content for content in stored)
