"""`multiple`: several commands in one mail, and one answer."""

import re
from pathlib import Path

import pytest

from pbm_holomino.store.config import Config
from tests.house import House, mail_of
from tests.server.multiple_mails import (
    ALICE,
    BOB,
    EVE,
    MIXED,
    answer_of,
    headings,
    log,
    open_two_boards,
    parts_of,
    several,
    to,
)


@pytest.fixture
def server(tmp_path):
    """Two boards, on both of which it is alice's turn."""
    return open_two_boards(tmp_path / "store")


# What is done, and what is answered


def test_one_letter_answers_all(server: House) -> None:
    letters = several(server, MIXED[0], MIXED[2])
    assert to(letters) == [ALICE, BOB, BOB]
    answer = letters[0]
    assert answer.subject == "Re: your command: multiple"
    assert answer.answers == "<1@x>"
    assert headings(letters) == ["1. holo move 1", "2. holo move 2"]
    for (_, text), board in zip(parts_of(answer), (1, 2), strict=True):
        assert f"Holomino, board {board}, after move 1" in text
        assert "You played 142:4" in text


def test_each_is_answered_as_it_is_alone(server: House, tmp_path: Path) -> None:
    """But for the ways to answer: nobody can reply to several boards at once."""
    alone, parts = (server.copy(tmp_path / name) for name in ("alone", "parts"))
    answers, parted = [], []
    for number, line in enumerate(MIXED):
        letters = alone.mail(mail_of(line, ALICE, Message_ID=f"<{line}@x>"))
        (answer,) = (letter for letter in letters if ALICE in letter.to)
        answers.append(answer.text)
        command, _, text = line.partition(" -m=")
        parted.append(parts.by_mail("alice", f"mail/{number}", command, text).text)
    together = [text for _, text in parts_of(answer_of(several(server, *MIXED)))]
    assert together == parted
    ways = r"\n(?:Until bob answers|How to answer|This board)"
    for text, by_letter in zip(together, answers, strict=True):
        assert re.split(ways, text)[0] == re.split(ways, by_letter)[0]
        assert "eply to this letter" not in text
    boards = [name for name in alone.records() if "players" not in name]
    assert len(boards) == 3
    for name in boards:  # but for the names of the mails
        folder, _, file = name.removesuffix(".yaml").partition("/")
        what = [line.split(" ", 1)[1] for line in log(alone, folder, file)]
        assert [line.split(" ", 1)[1] for line in log(server, folder, file)] == what


def test_the_headings_tell_which_command_it_was(server: House) -> None:
    assert headings(several(server, *MIXED)) == [
        "1. holo move 1",
        "2. holo move 2: refused",
        "3. holo move 2",
        "4. holo chat 1",
        "5. holo games",
        "6. help",
        "7. hextol challenge",
        "8. change password",
        "9. holo showas 2",
    ]


def test_no_secret_is_in_any_letter(server: House) -> None:
    odd = ["holo move 1 alice hunter22 142:4", "hunter22", "signup carol hunter22 x"]
    texts = [letter.text + letter.subject for letter in several(server, *MIXED, *odd)]
    assert not any("other-1" in text or "hunter22 " in text for text in texts)
    assert sum("hunter22" in text for text in texts) == 1  # no such command


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("xyzzy secret", "The first word is not a command"),
        ("holo move 1", "missing: userid"),
    ]
    + [("holo move 1 alice - 142:4", 'password cannot be "-"')]
    + [("check", 'no command "check"'), ("multiple", '"multiple" cannot be used')]
    + [("pbm multiple", '"multiple" cannot be used within "multiple"')]
    + [("holo show 1 -frmat=json", "-format"), ("multiple help", "too many words")]
    + [("holo show " + 300 * "1234567 ", "too long for a command")],
)
def test_lines_that_are_not_commands_stop_nothing(
    server: House, line: str, said: str
) -> None:
    letters = several(server, MIXED[0], line, MIXED[2])
    assert headings(letters)[1] == "2. your command: refused"
    assert said in " ".join(parts_of(answer_of(letters))[1][1].split())
    assert [len(log(server, name=board)) for board in "12"] == [2, 2]


def test_the_order_is_that_of_the_lines(server: House) -> None:
    lines = ["holo move 1 alice xanadu 142:4", "holo move 1 bob better4 234:3"]
    refused, answer, _ = several(server, *lines[::-1])
    assert "1. holo move 1: refused" in refused.text
    assert "2. holo move 1\n" in answer.text
    assert [line.split()[1] for line in log(server)] == ["!challenge", "142:4"]


# Which lines count


def test_blank_and_quoted_lines_and_the_signature_are_left_out(server: House) -> None:
    letters = several(
        server,
        "",
        "   ",
        "holo show 1",
        "On Friday, the server wrote:",
        "> holo move 1 alice xanadu 142:4",
        "",
        "\tholo show 2  ",
        "-- ",
        "holo move 1 alice xanadu 142:4",
    )
    assert headings(letters) == ["1. holo show 1", "2. holo show 2"]
    assert len(log(server)) == 1


@pytest.mark.parametrize("dash", ["-", "--", "\u2013", "\u2014"])
@pytest.mark.parametrize("space", [" ", "\u00a0", "\t"])
def test_words_are_as_in_a_subject(server: House, dash: str, space: str) -> None:
    line = f"holo show 1 {dash}format=json".replace(" ", space)
    ((heading, text),) = parts_of(answer_of(several(server, line)))
    assert heading == "1. holo show 1"
    assert text == server.type("holo show 1 -format=json").text


@pytest.mark.parametrize("option", ["-m=", "--m=", "-m ", "-M=", "\u2013m=", "-m = "])
def test_the_text_goes_to_the_end_of_the_line(server: House, option: str) -> None:
    letters = several(server, f"message alice xanadu bob {option}One -format=x, two!")
    (told,) = (letter for letter in letters if letter.to == (BOB,))
    text = "= One -format=x, two!" if option == "-m = " else "One -format=x, two!"
    assert f"\n  {text}\n" in told.text


def test_a_text_may_follow_in_the_subject(server: House) -> None:
    subject = "Re: holo chat 1 alice xanadu -m=Hello, my xanadu!"
    letters = server.mail(mail_of(subject, body="\n-- \nAlice\n"))
    (told,) = (letter for letter in letters if letter.to == (BOB,))
    assert "\n  Hello, my ***!\n" in told.text


def test_a_line_that_begins_with_an_option_goes_on(server: House) -> None:
    """No mail program may cut off what a new board shall be like."""
    lines = ["holo challenge alice bob -pool_size=4", "  -limit_scores", "-random"]
    letters = several(server, *lines, "holo games")
    assert headings(letters) == ["1. holo challenge", "2. holo games"]
    record = server.match(3).record
    assert (record.options["limit_scores"], record.random) == (True, True)


@pytest.mark.parametrize("line", ["-", "- holo show 1", "----", "-random"])
def test_other_dashes_begin_no_option(server: House, line: str) -> None:
    lines = [line, "holo show 1"] if line == "-random" else ["holo show 1", line]
    refused = [head.endswith("refused") for head in headings(several(server, *lines))]
    assert sorted(refused) == [False, True]


@pytest.mark.parametrize("count", [50, 51])
def test_fifty_commands_are_the_most(server: House, count: int) -> None:
    letters = several(server, MIXED[0], *["help multiple"] * (count - 1))
    if count == 50:
        assert headings(letters)[-1] == "50. help"
        assert len(log(server)) == 2
    else:
        assert to(letters) == [ALICE]
        assert "51 lines" in letters[0].text
        assert "nothing has been done" in " ".join(letters[0].text.split())
        assert 'help multiple"' in letters[0].text
        assert len(log(server)) == 1


@pytest.mark.parametrize("body", ["", "\n \n", "> holo show 1", "-- \nholo show 1"])
def test_no_commands_at_all(server: House, body: str) -> None:
    (answer,) = several(server, body)
    assert "no command in that text" in answer.text
    assert answer.to == (ALICE,)


# Who is answered


def test_each_player_gets_what_their_password_opens(server: House) -> None:
    lines = ["holo showas bob better4 1", "holo showas alice xanadu 1", "holo games"]
    letters = several(server, *lines, "holo showas bob wrong", *lines[:1])
    assert to(letters) == [BOB, ALICE]
    assert [[head for head, _ in parts_of(letter)] for letter in letters] == [
        ["1. holo showas 1", "5. holo showas 1"],
        ["2. holo showas 1", "3. holo games", "4. holo showas: refused"],
    ]
    assert letters[1].key == letters[0].key + ".2"


def test_from_elsewhere_the_sender_gets_no_players_answer(server: House) -> None:
    lines = ["holo games", "holo move 1 alice xanadu 142:4", "holo showas bob wrong"]
    letters = several(server, *lines, sender=EVE)
    assert to(letters) == [EVE, ALICE, BOB]
    assert [head for head, _ in parts_of(letters[0])] == [
        "1. holo games",
        "3. holo showas: refused",
    ]
    assert [head for head, _ in parts_of(letters[1])] == ["2. holo move 1"]


def test_a_player_without_an_address_is_answered_where_they_write(
    server: House,
) -> None:
    server.type("signup dave tomato")
    letters = several(server, "holo showas dave tomato", sender=EVE)
    assert to(letters) == [EVE]


def test_a_change_of_address_is_confirmed_at_both_addresses(server: House) -> None:
    letters = several(server, "change address alice xanadu a@b.org", "holo games")
    assert to(letters) == ["a@b.org", ALICE, ALICE]
    assert "letters for alice go to a@b.org" in letters[2].text
    letters = several(
        server, "add alice xanadu c@d.org", sender="a@b.org", mail="<2@x>"
    )
    assert to(letters) == ["a@b.org c@d.org"]


@pytest.mark.parametrize("line", ["signup carol{} tomato", "holo challenge alice bob"])
def test_answers_to_strangers_are_limited(server: House, line: str) -> None:
    server.accept(1)
    server.accept(2)
    server.config = Config(answers_per_hour=3)
    lines = [line.format("abcde"[k]) for k in range(5)]
    heads = headings(several(server, *lines))
    assert [head.endswith("refused") for head in heads] == [False] * 3 + [True] * 2
    boards, accounts = server.library.lists.boards("holo"), server.library.signed_on()
    assert (len(boards) - 2) + (len(accounts) - 2) == 3


def test_a_stranger_past_the_limit_is_not_answered(server: House) -> None:
    server.config = Config(answers_per_hour=1)
    assert to(several(server, "holo games", sender=EVE)) == [EVE]
    lines = ["holo games", "holo showas alice xanadu"]
    letters = several(server, *lines, sender=EVE, mail="<2@x>")
    assert to(letters) == [EVE, ALICE]  # that there have been too many is said once
    assert "after 09:00 UTC" in " ".join(letters[0].text.split())
    assert to(several(server, *lines, sender=EVE, mail="<3@x>")) == [ALICE]


def test_a_text_that_is_too_long_is_refused_before_anything_is_done(
    server: House,
) -> None:
    before = server.records()
    text = "\n" * 5_000 + MIXED[0]  # whose command would be cut off
    (letter,) = server.mail(mail_of("multiple", ALICE, f"{MIXED[0]}\n{text}"))
    assert "too long" in letter.text
    assert "nothing has been done" in " ".join(letter.text.split())
    assert server.records() == before
