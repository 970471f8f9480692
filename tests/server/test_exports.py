"""What a player takes away by "export": in a letter, whole, and without a secret."""

import io
import json
import random
import zipfile
from typing import Any

import pytest

from pbm_holomino.letters import exports
from pbm_holomino.letters import help as pages
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.mail.message import file
from pbm_holomino.match import account, push
from pbm_holomino.match.bounces import Bounces
from pbm_holomino.match.choices import Choice
from pbm_holomino.match.notices import Notices
from pbm_holomino.match.session import Session
from pbm_holomino.match.times import later
from pbm_holomino.match.vacations import Vacation
from pbm_holomino.store import yaml
from tests.house import NOW, House, home

WITHHELD = {
    "password",
    "sessions",
    "pushes",
    "notices",
}  # with these one could be the player
DIGEST = "5e55" * 16


def taken(house: House) -> Letter:
    """The letter that has just come with a file."""
    (letter,) = (one for one in house.taken() if one.attachments)
    return letter


def unpacked(letter: Letter) -> dict[str, str]:
    """The texts in the file that comes with a letter."""
    (file,) = letter.attachments
    with zipfile.ZipFile(io.BytesIO(file.content)) as files:
        return {name: files.read(name).decode("utf-8") for name in files.namelist()}


def read(text: str) -> Any:
    return yaml.load(text.encode("utf-8"))


def asked(house: House) -> Letter:
    """The letter that answers alice, who asks by mail for what is kept of her."""
    answer = house.by_mail("alice", "e1", "export alice {alice}")
    assert answer.posted, answer.text
    return taken(house)


def test_a_letter_brings_the_account_and_all_games(house: House) -> None:
    house.challenge(game="hextol")
    house.type("message alice {alice} bob -m", "How are you?")
    house.type("holo chat 1 alice {alice} -m", "Hello, bob!")
    letter = asked(house)
    assert letter.to == (home("alice"),)
    assert letter.attachments[0].name == "alice.zip"
    texts = unpacked(letter)
    assert {*texts} == {"account.yaml", "games/holo-1.yaml", "games/hextol-1.yaml"}
    told = read(texts["account.yaml"])
    assert told["addresses"] == [home("alice")]
    assert [line.split()[4] for line in told["log"]] == [
        "!signup",
        "!message",
        "!export",
    ]
    assert told["texts"] == {"2": "How are you?"}
    record = house.type("holo history 1 -format=yaml").text
    assert texts["games/holo-1.yaml"] == record
    assert "Hello, bob!" in record


def test_notes_plans_clocks_and_muted_boards_come_too(house: House) -> None:
    """What others plan and note does not, and neither does the address of notices, but
    for its host."""
    board = house.challenge("-clock=10d+1d/20d")
    house.accept(board)
    house.type("mute alice {alice} holo 1")
    house.type("change notices alice {alice} https://ntfy.sh/a-topic-of-hers ntfy")
    move = house.legal(board)[0]
    house.type(f"holo submit {board} alice {{alice}} {move}")
    house.type(f"holo queue {board} bob {{bob}} if 142:4 234:3")
    for who in ("alice", "bob"):
        noted = house.type(f"holo note {board} {who} {{{who}}}", f"-m=I am {who}.")
        assert noted.status == 0, noted.text
    texts = unpacked(asked(house))
    boards = [f"games/holo-{each}.yaml" for each in (1, board)]
    names = [f"notes/holo-{board}.yaml", f"plans/holo-{board}.json"]
    assert {*texts} == {"account.yaml", *boards, *names}
    told = read(texts["account.yaml"])
    assert told["muted"] == ["holo.1"]
    assert [line.split()[4] for line in told["log"]][-2:] == ["!notices", "!export"]
    assert read(texts[boards[-1]])["clock"] == "10d+1d/20d"
    assert [*read(texts[names[0]])["notes"].values()] == ["I am alice."]
    assert json.loads(texts[names[1]]) == {"draft": f"{move}#1"}
    whole = "".join(texts.values())
    secrets = ("a-topic-of-hers", "234:3", "I am bob.")
    assert [secret for secret in secrets if secret in whole] == []


def full(house: House) -> account.Player:
    """Alice's account with something in each place."""
    player = house.library.account("alice")
    assert player is not None
    endpoint = f"https://fcm.googleapis.com/{'x' * 20}"
    subscription = push.Subscription(DIGEST, endpoint, "B" * 87, "a" * 22)
    return player._replace(
        blocked=("carol",),
        follows=("bob",),
        muted=("holo.1",),
        letters="turns",
        moves="all",
        format="text",
        threads=True,
        vacations=(Vacation(NOW, later(NOW, 3)),),
        broadcasts=False,
        profile=False,
        bounces=(Bounces(home("alice"), (NOW[:10],)),),
        sessions=(Session(DIGEST, later(NOW, 30)),),
        languages=(Choice("en", NOW),),
        zones=(Choice("Europe/Berlin", NOW),),
        pushes=(subscription,),
        notices=Notices("https://ntfy.example.net/topic", "ntfy"),
    )


def test_nothing_in_it_is_a_secret_or_others(house: House) -> None:
    player = full(house)
    # as it might be in a line about somebody else
    other = account.Change(account.Kind.MESSAGE, ("bob", home("bob")))
    line = player.log[0]._replace(action=other, source="f00dfeedf00dfeed")
    house.library.save(player.after(line, "To Bob."))
    house.type("holo queue 1 bob {bob} pass")
    text = "".join(unpacked(asked(house)).values())
    seed = house.match().record.seed.hex()
    secrets = {player.password, DIGEST, "fcm.googleapis.com", seed, "queue"}
    secrets |= {
        "ntfy.example.net",
        home("bob"),
        "f00dfeedf00dfeed",
        player.password.split(":")[-1],
    }
    assert [secret for secret in secrets if secret in text] == []
    assert "To Bob." in text


def test_each_part_of_an_account_is_told_or_kept_back_and_explained(
    house: House,
) -> None:
    player, usual = full(house), account.Player._field_defaults
    left = {name for name in usual if getattr(player, name) == usual[name]}
    assert left == {"status", "digest", "notes", "pushed"}  # the first two always are
    parts = {*account.to_data(player)}
    assert parts - {"log", "notes"} == {*exports.SHOWN, *WITHHELD}
    page = pages.page("export")
    for name in (*exports.SHOWN, "log", "texts"):
        assert f"\n    {name} " in page, name


def test_it_comes_once_a_day(house: House) -> None:
    asked(house)
    house.time = NOW.replace("T08", "T23")
    refused = house.type("export alice {alice}")
    assert refused.status == 1
    assert "once a day" in refused.text
    assert house.taken() == []
    # nor does the same mail bring it again
    again = house.by_mail("alice", "e1", "export alice {alice}")
    assert f"goes to your address: {home('alice')}." in " ".join(again.text.split())
    assert (again.status, house.taken()) == (0, [])
    house.time = later(NOW, 1)
    assert house.type("export alice {alice}").status == 0
    assert taken(house)


def test_what_is_typed_is_answered_by_mail(house: House) -> None:
    answer = house.type("export alice {alice}")
    assert f"goes to your address: {home('alice')}." in " ".join(answer.text.split())
    assert taken(house).to == (home("alice"),)


def test_without_an_address_nothing_is_written(house: House) -> None:
    house.type("signup dave secret7")
    refused = house.type("export dave secret7")
    assert refused.status == 1
    assert "you have no mail address here" in refused.text
    player = house.library.account("dave")
    assert player is not None
    assert len(player.log) == 1


def test_a_letter_that_cannot_leave_leaves_later(house: House) -> None:
    house.cannot_send()
    assert house.type("export alice {alice}").status == 0
    assert house.has_marks()
    house.trouble = None
    player = house.library.account("alice")
    assert player is not None
    assert house.deliver(player) == {}
    assert taken(house)
    assert not house.has_marks()


def test_one_whose_letter_has_not_left_yet_gets_it_when_the_mail_comes_again(
    house: House,
) -> None:
    house.cannot_send()
    house.by_mail("alice", "e1", "export alice {alice}")
    house.trouble = None
    assert asked(house)
    assert house.by_mail("alice", "e1", "export alice {alice}").status == 0
    assert house.taken() == []


def test_if_not_all_fits_the_latest_games_come(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MOST_BY_MAIL", 1)
    assert "Not all of your games" not in asked(house).text
    house.time = later(NOW, 1)
    house.challenge()
    house.type("export alice {alice}")
    letter = taken(house)
    assert "Not all of your games fit into a letter" in letter.text
    assert {*unpacked(letter)} == {"account.yaml", "games/holo-2.yaml"}


def test_a_file_is_no_larger_than_a_mail_may_be() -> None:
    """Three of these texts make 10 MB with what base64 adds, and a fourth does not
    go with them."""
    noise = random.Random(1).randbytes(2_300_000)
    found = exports.packed((exports.File(n, NOW, noise) for n in "abcd"), 7_000_000)
    assert not found.is_whole
    with zipfile.ZipFile(io.BytesIO(found.content)) as files:
        assert files.namelist() == ["a", "b", "c"]
    mail = file(Attachment("alice.zip", exports.KIND, found.content))
    assert len(mail) < 10_000_000


def test_a_damaged_game_holds_nobody_up(house: House) -> None:
    house.challenge()
    house.damage("holo", "1")
    assert {*unpacked(asked(house))} == {"account.yaml", "games/holo-2.yaml"}
