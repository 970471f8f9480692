"""What makes letters good to get: each says what it is, and nothing over and over."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.club import Club
from tests.house import FRIENDS, mail_of, open_house
from tests.paths import ROOT
from tests.processes import PATIENCE, surroundings
from tests.prose import plain

# What has happened


def test_random_takes_are_reported_once_a_round(club: Club) -> None:
    """Each letter to Alice, who has left all to chance, goes back to her last take."""
    club.open("walomino", 3)
    club.move("alice", "take:any")
    for who in ("bob", "carol") * 3:
        club.server.sent.clear()
        club.move(who, club.json()["legal"][1])
        said = plain(club.letters()["alice"].text)
        told = [said.count(f"{name} took ") for name in ("bob", "carol", "You")]
        assert told == ([1, 0, 0] if who == "bob" else [1, 1, 1])


def test_pairs_are_sent_without_another_word_of_what_was_taken(club: Club) -> None:
    club.open("walomino", 4)
    for who in FRIENDS:
        club.move(who, "take:any")
    for who in ("alice", "carol"):
        club.server.sent.clear()
        club.move(who, "pairs:any")
        for letter in club.letters().values():
            assert " took " not in letter.text
            assert "sent sealed pairs." in letter.text


# Whose turn it is


def test_strangers_read_who_is_to_send_something(club: Club) -> None:
    club.open("walomino", 4)
    said = plain(club.say("walomino show 1"))
    assert "To move, alice sends a line like this with their password:" in said
    for who in FRIENDS:
        club.move(who, "take:any")
    said = plain(club.say("walomino show 1"))
    assert "To move, each of them sends a line like this with their password:" in said
    assert "your" not in said.lower()


# Subjects


def test_the_end_of_a_game_of_three_fits_into_a_subject(club: Club) -> None:
    club.open("walomino", 3)
    while club.json()["turn"]:
        club.server.sent.clear()
        fields = club.json()
        club.move(fields["turn"][0], fields["legal"][0])
    winners = club.json()["result"]["winners"]
    tied = f"{', '.join(winners[:-1])} and {winners[-1]} tied"
    won = f"{winners[0]} won" if len(winners) == 1 else tied
    for letter in club.letters().values():
        assert letter.subject == f"walomino 1: {won}"
        assert "minus points" not in letter.subject
        assert " (minus points: " in plain(letter.text)


SUBJECTS = [
    "holo 1: your turn",
    "alice: your message",
    "bob: it is your turn",
    "a message from bob",
    "a message from bob to everybody",
    "your command",
]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_reply_to_any_letter_gets_a_helpful_sentence(
    tmp_path: Path, subject: str
) -> None:
    house = open_house(tmp_path)
    (answer,) = house.mail(mail_of(f"Re: {subject}", body="Thank you!"))
    about_board = "I cannot tell which letter to you this reply answers"
    other = "put a whole one into its first line or into the Subject line"
    which = 'name of the board before your move: "holo 1 MOVE"'
    wanted = {SUBJECTS[0]: about_board, SUBJECTS[1]: which}.get(subject, other)
    assert wanted in plain(answer.text)


@pytest.mark.parametrize(
    ("line", "page"),
    [
        ("signup erin abcd erin", "signup"),
        ("signup erin a", "signup"),
        ("add alice xanadu home", "add"),
        ("change address alice xanadu home", "change"),
        ("change password alice xanadu a", "change"),
    ],
)
def test_a_word_that_will_not_do_leads_to_the_page_of_its_command(
    club: Club, line: str, page: str
) -> None:
    answer = club.server.type(line)
    assert answer.status == 2
    assert f'For more, send "help {page}".' in answer.text


# Where there is no board


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("holo show alice", "alice has no games in progress."),
        ("all show alice next", "alice has no games where it is their turn."),
        ("holo show alice bob all", "alice or bob has no games yet."),
        ("holo showas alice xanadu next", "You have no games where it is your turn."),
        ("holo games", "No Holomino games in progress."),
        ("holo games all", "No Holomino games yet."),
        ("hextol games inactive", "No Hextol games have ended yet."),
        ("holo games next", "No Holomino games wait for a move."),
        (
            "holo games alice next",
            "alice has no Holomino games where it is their turn.",
        ),
        ("hextol history", "No Hextol games have ended yet."),
    ],
)
def test_an_empty_list_says_what_it_looked_for(
    club: Club, line: str, said: str
) -> None:
    assert plain(club.say(line)) == said


@pytest.mark.parametrize("line", ["show alice next", "showas alice xanadu", "history"])
def test_without_boards_a_program_reads_no_line(club: Club, line: str) -> None:
    assert club.say(f"holo {line} -format=json") == ""


# Who is meant


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("holo challenge alice Xanadu77", "Name 2 of 2 is not a player here."),
        ("message alice xanadu bob carol nobody", "Name 3 of 3 is not a player here."),
        ("message alice xanadu Xanadu77", "There is no player of that name here."),
        ("holo show alice Xanadu77 bob", "Name 2 of 3 is not a player here."),
        ("holo games Xanadu77", "There is no player of that name here."),
    ],
)
def test_a_strangers_name_is_given_by_place_and_not_quoted(
    club: Club, line: str, said: str
) -> None:
    answer = club.server.type(line, *(["-m=Hello"] if "message" in line else []))
    assert answer.status == 1
    assert said in plain(answer.text)
    assert "anadu" not in answer.text


# Closed streams


@pytest.mark.parametrize(
    ("program", "words", "status", "said"),
    [
        ("cli", ["pbm", "signup", "alice", "-"], 2, "nobody to ask for the password"),
        (
            "server.inbox",
            ["pbm-inbox"],
            75,
            "There is no mail: standard input is closed.",
        ),
    ],
)
def test_a_closed_standard_input_is_reported_in_a_sentence(
    tmp_path: Path, program: str, words: list[str], status: int, said: str
) -> None:
    code = (
        "import os, sys\n"
        "if sys.stdin is not None:\n"
        "    os.close(0)\n"
        "    os.execv(sys.executable, [sys.executable, '-c', *sys.orig_argv[2:]])\n"
        f"sys.argv = {words!r}\n"
        f"from pbm_holomino.{program} import main\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=surroundings(PYTHONPATH=str(ROOT), PBM_GAMES=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, said in done.stderr) == (status, True), done.stderr
    assert "Error" not in done.stderr
