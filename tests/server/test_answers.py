"""What each command answers, to whom, and what it refuses without changing a byte."""

import hashlib
import hmac
import json
import re
from pathlib import Path

import pytest

from pbm_holomino.letters import screen
from pbm_holomino.letters.content import plain
from pbm_holomino.letters.letter import Letter
from pbm_holomino.store import yaml as strict
from tests.house import PASSWORDS, House, home, open_house, passwords_in
from tests.prose import count_sentences, sentence_of, titles

ALICE, BOB = home("alice"), home("bob")


def by_reader(letters: list[Letter]) -> dict[str, Letter]:
    """The letters by their addresses; there is one for each."""
    found = {", ".join(letter.to): letter for letter in letters}
    assert len(found) == len(letters)
    return found


def alices_move(house: House) -> str:
    """A line that plays for alice, whose turn it is, on board 1."""
    return f"holo move 1 alice {{alice}} {house.legal()[0]}"


# Who gets what


def test_the_shells_answer_goes_to_the_terminal_only(house: House) -> None:
    answer = house.type(alices_move(house))
    assert answer.status == 0
    assert not answer.posted
    assert "Holomino, board 1, after move 1" in answer.text
    assert "It is bob's turn" in answer.text
    (letter,) = house.taken()
    assert (letter.to, letter.subject) == ((BOB,), "holo 1: your turn")
    assert "Holomino, board 1, after move 1" in letter.text
    assert not letter.replied


def test_a_mails_answer_goes_to_the_registered_addresses(house: House) -> None:
    answer = house.by_mail("alices.office", "mail1", alices_move(house))
    assert answer.posted
    letters = by_reader(house.taken())
    assert letters.keys() == {ALICE, BOB}
    assert letters[ALICE].subject == "holo 1: bob to move"
    assert letters[BOB].subject == "holo 1: your turn"
    assert letters[ALICE].text == answer.text
    assert (letters[ALICE].replied, letters[BOB].replied) == (True, False)
    assert letters[ALICE].references == (house.letter_id(0, "alice"),)


@pytest.mark.parametrize("by_mail", [True, False])
def test_a_new_board_goes_to_all_its_players(house: House, by_mail: bool) -> None:
    line = "holo challenge bob alice -board-size=12"
    if by_mail:
        answer = house.by_mail("alice", "mail1", line, "Shall we?")
    else:
        answer = house.type(line)
    assert (answer.status, answer.posted) == (0, by_mail)
    letters = by_reader(house.taken())
    assert letters.keys() == {ALICE, BOB}
    for reader, wanted in ((BOB, "your turn"), (ALICE, "bob to move")):
        assert letters[reader].subject.startswith("holo 2: ")
        assert letters[reader].subject.endswith(wanted)
    for text in (answer.text, letters[ALICE].text, letters[BOB].text):
        assert titles(text) == ["2"]
        assert "-board_size=12" in text
    assert ("alice writes:\n  Shall we?\n" in letters[BOB].text) == by_mail
    assert "Shall we?" not in letters[ALICE].text


def test_a_message_is_passed_on(house: House) -> None:
    house.by_mail("alice", "mail1", alices_move(house), "Your turn,\nBob.")
    house.by_mail("bob", "mail2", "holo resign 1 bob {bob}", "I give up.")
    first, second = house.sent[:2], house.sent[2:]
    assert "alice writes:\n  Your turn,\n  Bob.\n" in by_reader(first)[BOB].text
    assert "bob writes:\n  I give up.\n" in by_reader(second)[ALICE].text
    for letter in (by_reader(first)[ALICE], by_reader(second)[BOB]):
        assert "writes:" not in letter.text


def test_a_player_who_resigns_has_lost_and_all_hear_of_it(house: House) -> None:
    house.by_mail("bob", "mail1", "holo move 1 bob {bob} resign")
    letters = by_reader(house.taken())
    assert letters.keys() == {ALICE, BOB}
    for letter in letters.values():
        assert letter.subject.startswith("holo 1: alice won")
        assert "resigned" in letter.subject
        assert f"Seed: {house.match().record.seed.hex()}" in letter.text


def test_questions_are_answered_to_the_sender(house: House) -> None:
    for line, to in (
        ("holo showas alice {alice} 1", (ALICE,)),
        ("holo showas alice {alice}", (ALICE,)),
        ("holo show 1", ()),
        ("holo show alice next", ()),
        ("all show alice", ()),
    ):
        answer = house.by_mail("somebody", "mail1", line)
        assert (answer.status, answer.to, answer.posted) == (0, to, False)
        assert titles(answer.text) == ["1"]
    assert house.sent == []


def test_without_an_address_the_answer_goes_to_the_sender(house: House) -> None:
    house.put("players", "bob", {**house.data("players", "bob"), "addresses": []})
    house.taken()
    answer = house.by_mail("bobs.friend", "mail1", "holo resign 1 bob {bob}")
    assert (answer.to, answer.posted) == ((), False)
    assert [letter.to for letter in house.sent] == [(ALICE,)]


def test_signing_up(house: House) -> None:
    assert "carol" in house.type("signup carol {carol}").text
    assert house.sent == []
    answer = house.by_mail("dave", "mail1", "signup dave secret-1")
    assert answer.posted
    (letter,) = house.taken()
    assert (letter.to, letter.subject) == ((home("dave"),), "dave: welcome")
    house.by_mail(
        "erin", "mail2", "signup erin secret-1 one@example.org two@example.org"
    )
    (letter,) = house.taken()
    assert letter.to == ("one@example.org", "two@example.org")


def test_the_password_is_the_one_that_was_given(house: House) -> None:
    assert house.type("change password alice {alice} xANADU77").status == 0
    assert house.type("holo showas alice {alice} 1").status == 1
    assert house.type("holo showas alice xANADU77 1").status == 0


@pytest.mark.parametrize("by_mail", [True, False])
@pytest.mark.parametrize("kept", ["", f" {ALICE}"])
def test_the_old_address_hears_of_a_new_one(
    house: House, by_mail: bool, kept: str
) -> None:
    line = f"change address alice {{alice}} new@example.org{kept}"
    if by_mail:
        house.by_mail("alice", "mail1", line)
    else:
        house.type(line)
    told = [letter for letter in house.taken() if ALICE in letter.to]
    assert told
    assert "new@example.org" in told[0].text
    now = house.data("players", "alice")["addresses"]
    assert now == ["new@example.org", *kept.split()]


# What is shown


def test_without_a_password_at_most_20_boards_are_shown(house: House) -> None:
    for number in range(1, 21):
        house.type(f"holo accept {number} bob {{bob}}")
        house.type("holo challenge alice bob")
    numbers = " ".join(map(str, range(1, 22)))
    for line in ("all show alice", f"holo show {numbers}", "holo show alice bob all"):
        assert titles(house.type(line).text) == numbers.split()[:20]
        text = house.type(f"{line} -format=json").text
        assert [json.loads(line)["board"] for line in text.splitlines()] == list(
            range(1, 21)
        )
    for line in ("holo showas bob {bob}", f"holo showas bob {{bob}} {numbers}"):
        assert titles(house.type(line).text) == numbers.split()


def test_nothing_secret_is_shown_while_a_game_runs(house: House) -> None:
    house.by_mail("alice", "mail1", "holo challenge alice bob -random", "Hello!")
    house.by_mail("alice", "mail2", alices_move(house), "Here!")
    lines = [
        f"holo {word} -format={form}"
        for word in ("show 1", "history 1", "show 1#0")
        for form in ("text", "html", "json")
    ]
    lines += ["holo history 1 -format=yaml", "holo verify 1", "holo games", "help"]
    lines += ["holo showas alice {alice}", "holo showas alice {bob}", "all show bob"]
    lines += [f"holo preview 1 {house.legal()[0]}", "change password bob {bob} {bob}"]
    texts = [house.by_mail("bob", f"m{no}", line).text for no, line in enumerate(lines)]
    texts += [f"{letter.subject}\n{letter.text}" for letter in house.taken()]
    secrets = [house.match(1).record.seed.hex(), house.match(2).record.seed.hex()]
    secrets += [house.data("players", name)["password"] for name in ("alice", "bob")]
    secrets += [secret.split(":")[-1] for secret in secrets]
    for text in texts:
        assert not [secret for secret in secrets if secret in text]
        assert not list(passwords_in(text))
    assert sum(house.match(1).record.seal in text for text in texts) > 10


def test_the_public_record_proves_itself_once_the_game_is_over(house: House) -> None:
    house.type("holo resign 1 bob {bob}")
    copy = strict.load(house.type("holo history 1 -format=yaml").text.encode())
    seed = bytes.fromhex(copy["seed"])
    assert hashlib.sha256(seed).hexdigest() == copy["seal"]
    told = house.type("holo verify 1").text
    assert told.startswith("holo 1: no draw was changed. ")
    rows = re.findall(r"^ *(\d+) +(\d+) +(\d+)$", told, re.M)
    # a deal of seven tiles and the first turn's draw, among 40 and ever fewer
    assert len(rows) == 8
    for number, (count, index, among) in enumerate(rows, 1):
        digest = hmac.new(seed, str(number).encode(), hashlib.sha256).hexdigest()
        assert (int(count), int(among)) == (number, 41 - number)
        assert int(index) == int(digest, 16) % (41 - number)


def test_a_preview_changes_nothing(house: House) -> None:
    before = house.files()
    answer = house.type(f"holo preview 1 {house.legal()[0]} 123:2")
    assert answer.status == 0
    assert "Holomino, board 1, after move 1" in answer.text
    assert "a tile must be drawn before" in " ".join(answer.text.split())
    assert house.files() == before


def test_a_preview_of_the_last_move(house: House) -> None:
    house.type("holo challenge alice bob -num-digits=4 -pool-size=1")
    while house.match(2).turn:
        (who,) = house.match(2).turn
        move, before = house.legal(2)[0], house.files()
        text = " ".join(house.type(f"holo preview 2 {move} 123:1").text.split())
        assert house.files() == before
        # as long as it is not played, the seed is a secret
        assert house.match(2).record.seed.hex() not in text
        house.type(f"holo move 2 {who} {{{who}}} {move}")
    assert "over" in text
    assert "drawn first" not in text


# Refusals that one command has: the line, what is said, the exit status, and whose
# command it proved to be; with a + the board is shown

REFUSALS = """
holo show 1 99                                  | no board holo 99      | 1 |
holo show 1#1                                   | no move 1 yet         | 1 |
holo move 1 bob {bob} {move}                    | alice must move       | 1 | bob+
holo verify 1                                   | not over yet          | 1 |
holo rematch 1 alice {alice}                    | not over yet          | 1 | alice+
holo move 1 alice {alice} {move}#2              | next move on holo 1 is 1 | 1 | alice+
holo move 1 alice {alice} swap                  | no swap               | 1 | alice+
holo move 1 alice {alice} nonsense              | "nonsense" is not a move | 1 | alice+
holo move 1 alice {alice} !foo                  | "!foo" is not a move | 1 | alice+
holo move 1 alice {alice} !resign               | "!resign" is not a move | 1 | alice+
holo move 1 alice {alice} pass                  | may not pass          | 1 | alice+
holo move 1 alice {alice} {tile}:0              | Position 0 is taken   | 1 | alice+
holo move 1 alice {alice} {tile}:9000           | not beside a tile     | 1 | alice+
holo preview 1 {tile}:0                         | Position 0 is taken   | 1 | +
holo previewas 1 alice {alice} {tile}:0         | Position 0 is taken   | 1 | alice+
holo preview 1 !foo                             | "!foo" is not a move | 1 | +
change                                          | zone or vacation      | 2 |
holo challenge alice bob carol                  | 2 players             | 1 |
holo challenge alice alice                      | named a player twice  | 1 |
holo challenge alice bob -pool_size=99          | 1 to 19               | 1 |
holo challenge alice bob -colour=red            | "-colour=red"         | 2 |
change password alice {alice} ab                | 4 to 64               | 2 | alice
change address alice {alice} nonsense           | mail address          | 2 | alice
signup alice {carol} x@example.org              | "alice" is taken      | 1 |
signup dave ab x@example.org                    | 4 to 64               | 2 |
signup dave {carol} nonsense                    | mail address          | 2 |
signup next {carol} x@example.org               | "next" is a list      | 2 |
signup d {carol} x@example.org                  | 1 to 19 letters       | 2 |
frobnicate                                      | no command "frobnicate" | 2 |
holo mvoe 1 alice {alice} {move}                | "holo move"           | 2 |
hlep                                            | "help"                | 2 |
help gibberish                                  | no help on "gibberish" | 1 |
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in REFUSALS.split("\n")[1:-1]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A server where it is alice's turn on board 1, she has won board 2, and carol
    plays nowhere."""
    house = open_house(tmp_path_factory.mktemp("games")).sign_up("carol")
    house.type("holo challenge alice bob")
    house.type("holo resign 2 bob {bob}")
    return house


@pytest.fixture
def court(built: House, tmp_path: Path) -> House:
    """A copy of that server."""
    return built.copy(tmp_path / "court")


@pytest.mark.parametrize(
    ("line", "said", "status", "proved"), ROWS, ids=[row[0] for row in ROWS]
)
def test_refused(court: House, line: str, said: str, status: str, proved: str) -> None:
    before = court.files()
    move = court.legal()[0]
    line = line.replace("{move}", move).replace("{tile}", move.partition(":")[0])
    by_shell = court.type(line)
    by_mail = court.by_mail("alice", "mail1", line, "Please!")
    assert court.files() == before
    shown = proved.endswith("+")
    head, _, board = by_shell.text.partition("\n\n")
    if shown:
        match = court.library.match("holo", int(line.split()[2]))
        reader = proved.rstrip("+") or None
        assert board == plain(screen.screen(match, reader))
        board = plain(screen.screen(match, reader, by_reply=reader is not None))
    assert by_mail.text == (f"{head}\n\n{board}" if shown else by_shell.text)
    assert by_mail.status == by_shell.status == int(status)
    assert said in sentence_of(by_shell.text)
    assert 1 <= count_sentences(sentence_of(by_shell.text)) <= 2
    assert not list(passwords_in(by_shell.text))
    to = (home(proved.rstrip("+")),) if proved.rstrip("+") else ()
    assert (by_mail.to, by_mail.posted) == (to, False)
    if shown:
        assert titles(by_shell.text) == [line.split()[2]]
    assert court.sent == []


def test_a_challenge_by_mail_comes_from_one_of_its_players(court: House) -> None:
    before = court.files()
    answer = court.by_mail("alice", "mail1", "holo challenge bob carol")
    assert (answer.status, answer.to) == (1, ())
    error = "must come from the address of one of its players"
    assert error in sentence_of(answer.text)
    assert court.files() == before


@pytest.mark.parametrize(
    "line",
    [
        "holo show {alice}",
        "all show {alice}",
        "holo games {alice}",
        "holo challenge bob {alice}",
        "holo challenge {alice} {alice}",
        "holo move 1 {alice} alice 123:1",
        "holo showas {alice} alice 1",
        "change password {alice} alice newpass1",
    ],
)
def test_a_word_in_a_userids_place_may_be_a_password(court: House, line: str) -> None:
    answer = court.by_mail("bob", "mail1", line)
    assert answer.status
    assert PASSWORDS["alice"].lower() not in answer.text.lower()
