"""Lines as people type them, carried out by a server: by mail and in the shell."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.cli import main
from pbm_holomino.commands.known_names import Known, known_to
from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.errors import PbmError
from pbm_holomino.match import account
from pbm_holomino.store.config import Config
from tests.house import PASSWORDS, House, home, mail_of, own
from tests.sizes import sized


def what_is_known(house: House, sender: str = "") -> Known:
    return known_to(lambda: house.library, sender)


def mailed(house: House, line: str, who: str = "alice") -> str:
    """The answer to a mail."""
    *_, letter = house.mail(mail_of(line.format(**PASSWORDS), home(who)))
    return letter.text


# What the store knows


def test_a_store_knows_its_players_and_boards(house: House) -> None:
    known = what_is_known(house)
    assert [known.is_player(name) for name in ("alice", "dave", "no name")] == (
        [True, False, False]
    )
    assert known.has_board("holo", 1)
    assert not known.has_board("hextol", 1)
    assert [known.plays(who, "holo", 1) for who in ("alice", "dave")] == [True, False]
    assert house.type("holo resign 1 alice {alice}").status == 0
    assert house.type("delete bob {bob}").status == 0
    later = what_is_known(house)
    assert not later.plays("alice", "holo", 1)
    assert later.has_board("holo", 1)
    assert not later.is_player("bob")


def test_damaged_files_stop_nobody(house: House) -> None:
    house.document("players", "alice").write_text("{")
    house.document("holo", "1").write_text("{")
    known = what_is_known(house, home("bob"))
    assert known.is_player("alice")
    assert known.sender() == "bob"
    assert known.has_board("holo", 1)
    assert not known.plays("bob", "holo", 1)


def test_a_sender_is_known_by_an_address_that_is_one_players_alone(
    house: House,
) -> None:
    assert what_is_known(house, "ALICE@example.org").sender() == "alice"
    assert what_is_known(house, "eve@example.net").sender() == ""
    assert what_is_known(house).sender() == ""
    house.type(f"add bob {{bob}} {home('alice')}")
    assert what_is_known(house, home("alice")).sender() == ""


def test_without_a_store_nothing_is_known() -> None:
    known = known_to(lambda: None, home("alice"))
    assert not known.is_player("alice")
    assert not known.has_board("holo", 1)
    assert not known.plays("alice", "holo", 1)
    assert known.sender() == ""


def test_each_word_is_asked_for_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    find = house.store.find

    def counted(folder: str, name: str, known: object = None) -> object:
        asked.append(f"{folder} {name}")
        return find(folder, name, known)

    monkeypatch.setattr(house.store, "find", counted)
    line = "move alice xanadu 1 123:17 please and thank you"
    with pytest.raises(PbmError):
        parse(line.split(), known=what_is_known(house))
    assert len(asked) == len({*asked}) <= len(line.split())
    asked.clear()
    for line in ("holo move 1 alice xanadu 123:17", "holo show 1", "help holo"):
        parse(line.split(), known=what_is_known(house))
    assert asked == []  # what is right costs nothing


def test_looking_for_a_sender_is_a_question_of_which_an_hour_has_few(
    house: House,
) -> None:
    house.config = Config(answers_per_hour=2)
    said = [mailed(house, "next", "alice") for _ in range(2)]
    assert all("holo" in text.lower() for text in said)
    assert "as many answers" in mailed(house, "next", "alice")
    assert house.mail(mail_of("next", home("alice"))) == []


# By mail


def test_a_repaired_move_is_played(house: House) -> None:
    move = house.legal()[0]
    tile, position = move.split(":")
    mailed(house, f"Re: Holomino move alice {{alice}} #1 {position}:{tile}")
    assert house.match().record.log[-1].action == move


def test_next_by_mail(house: House) -> None:
    assert "Holomino, board 1" in mailed(house, "next", "alice")
    assert "bob has no games where it is their turn." in mailed(house, "next", "bob")
    assert "Whose boards?" in mailed(house, "next", "eve")


def test_the_commands_of_a_text_say_how_they_were_read(house: House) -> None:
    (letter,) = house.mail(mail_of("multiple", home("eve"), "show 1\nholo show 1"))
    assert "1. holo show 1 (read as holo show 1)\n" in letter.text
    assert "2. holo show 1\n" in letter.text


def test_the_word_for_a_password_is_no_password(house: House) -> None:
    said = "Please put your own password in place of PASSWORD."
    assert said in mailed(house, "holo resign 1 alice PASSWORD")
    assert said in house.type("signup dave PASSWORD").text
    assert said in house.type("change password alice {alice} PASSWORD").text


def test_a_new_password_begins_with_no_tilde_but_an_old_one_may(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = house.type("signup dave ~secret")
    assert (refused.status, "~secret" in refused.text) == (2, False)
    assert 'does not begin with "-" or "~"' in " ".join(refused.text.split())
    player = house.library.player("alice")
    assert player is not None
    old = player._replace(password=account.hash_password("~secret"))
    house.put("players", "alice", account.to_data(old))
    assert house.type("holo resign 1 alice ~secret").status == 0


@pytest.mark.parametrize("name", ["anyone", "none"])
def test_a_reserved_name_is_nobodys_from_now_on(house: House, name: str) -> None:
    assert "is a word of the commands" in house.type(f"signup {name} secret").text
    player = house.library.player("alice")
    assert player is not None
    old = account.to_data(player._replace(userid=name))
    house.put("players", name, old)  # who signed up with 1.0
    assert house.type(f"holo show {name}").status == 0
    assert house.type(f"message {name} {{alice}} bob -m=Hello").status == 0


# In the shell


@pytest.fixture
def shell(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    own(house, monkeypatch)
    return house


def typed(capsys: pytest.CaptureFixture[str], line: str) -> tuple[int, str]:
    status = main(["pbm", *line.format(**PASSWORDS).split()])
    said = capsys.readouterr()
    return status, said.out + said.err


def test_the_shell_says_how_a_line_was_read(
    shell: House, capsys: pytest.CaptureFixture[str]
) -> None:
    move = shell.legal()[0].replace(":", " ")
    status, text = typed(capsys, f"holo move 1 alice {{alice}} {move}")
    assert (status, text.splitlines()[0]) == (0, f"Read as {move.replace(' ', ':')}.")
    status, text = typed(capsys, "show 1")
    assert (status, text.splitlines()[0]) == (0, "Read as holo show 1.")
    status, text = typed(capsys, "show 1 -format=json")
    assert text.startswith("{")  # which programs read
    assert typed(capsys, "holo show 1")[1].startswith(
        "It is bob's turn.\nHolomino, board 1"
    )


def test_a_password_that_is_asked_for_is_asked_for_once(
    shell: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "xanadu"

    line = "holo move alice 1 - 17:123"
    request = parse(line.split(), ask, in_shell=True, known=what_is_known(shell))
    assert (request.password, request.words) == ("xanadu", ("123:17",))
    line = "holo move 1 alice - 17:123"
    assert parse(line.split(), ask).read_as == "123:17"
    assert asked == ["Password", "Password"]


# However the words of a line lie, the server tries one password and quotes none

SECRET = "zq9xmark"
PARTS = ["holo", "move", "1", "alice", SECRET, "{move}", "bob", "resign", "please"]


@given(st.lists(st.sampled_from(PARTS), min_size=3, max_size=7, unique=True))
@settings(max_examples=sized(60, 1000))
def test_the_server_tries_one_password_and_quotes_none(
    house: House, words: list[str]
) -> None:
    tried: list[str] = []

    def fits(password: str, hashed: str) -> bool:
        tried.append(password)
        return False

    house.server.fits = fits
    line = [word.format(move=house.legal()[0].replace(":", " : ")) for word in words]
    try:
        split = " ".join(line).split()
        request = parse(split, known=what_is_known(house, home("alice")))
    except PbmError as error:
        answer = refusal(error)
    else:
        answer = house.server.carry_out(request)
        assert SECRET not in request.read_as
    assert answer.status
    assert SECRET not in answer.text
    assert len(tried) <= 1
