"""What only the owner of a server does: check what the store holds, and flush."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import BadCommand, CannotSend, NotAllowed
from pbm_holomino.store.contract import FLUSHED_AT, WHY_WAITING
from tests.house import Crash, House, home, open_house


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Two boards: one where alice has moved, and one that is over."""
    house = open_house(tmp_path / "games")
    house.type("holo challenge alice bob")
    house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    house.type("holo resign 2 bob {bob}")
    house.taken()
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    return house


def run(line: str) -> Answer:
    return owner.run(line.split())


def said(answer: Answer) -> str:
    return " ".join(answer.text.split())


# check


def test_a_store_where_all_is_well(house: House) -> None:
    before = house.files()
    for line in ("check", "check --repair"):
        answer = run(line)
        assert answer.status == 0
        assert ".yaml" not in answer.text
    assert house.files() == before


def test_an_empty_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    assert run("check").status == 0
    assert run("flush").status == 0
    assert list(tmp_path.rglob("*")) == []


def test_a_folder_that_is_not_there_is_not_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever mistypes PBM_GAMES hears of it, and nothing is made."""
    monkeypatch.setenv("PBM_GAMES", str(tmp_path / "gmaes"))
    for line in ("check", "tick", "kept", "players", "flush", "play", "void holo 1"):
        with pytest.raises(NotAllowed, match="There is no folder .*gmaes"):
            run(line)
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    ("settings", "is_named"),
    [
        ("web: https://games.example.org", False),
        ("web: https://games.example.org\nweb_proxies: 127.0.0.1", True),
        ("web: https://games.example.org\nweb_certificate: /etc/cert.pem", True),
        ("web: http://localhost:2480", True),
        ("", True),
    ],
)
def test_a_proxy_that_is_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, is_named: bool
) -> None:
    """It is no fault: where pages are served at the socket, it needs no name."""
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    (tmp_path / "config.yaml").write_text(f"{settings}\n")
    answer = run("check")
    assert answer.status == 0
    assert ("web_proxies: 127.0.0.1" not in answer.text) == is_named
    (tmp_path / "web").touch()
    assert "web_proxies" not in run("check").text


def change(house: House, folder: str, name: str, **fields: Any) -> None:
    house.put(folder, name, {**house.data(folder, name), **fields})


def tamper(house: House) -> None:
    """Put another move into the log, one that was illegal then."""
    log = house.data("holo", "1")["log"]
    change(house, "holo", "1", log=[log[0], log[1].rpartition(":")[0] + ":9000"])


DAMAGES: dict[str, tuple[tuple[str, str], Callable[[House], object]]] = {
    "no YAML": (("holo", "1"), lambda house: house.damage("holo", "1")),
    "an illegal move": (("holo", "1"), tamper),
    "another player's move": (
        ("holo", "1"),
        lambda house: change(
            house,
            "holo",
            "1",
            log=[
                line.replace(" alice ", " bob ")
                for line in house.data("holo", "1")["log"]
            ],
        ),
    ),
    "another seed": (
        ("holo", "2"),
        lambda house: change(house, "holo", "2", seed="00" * 32),
    ),
    "an empty log": (
        ("holo", "1"),
        lambda house: change(house, "holo", "1", log=[]),
    ),
    "no first line": (
        ("holo", "1"),
        lambda house: change(
            house, "holo", "1", log=house.data("holo", "1")["log"][1:]
        ),
    ),
    "a copy of a board": (
        ("holo", "3"),
        lambda house: house.put("holo", "3", house.data("holo", "1")),
    ),
    "a name that is no number": (
        ("holo", "old"),
        lambda house: house.put("holo", "old", house.data("holo", "1")),
    ),
    "a damaged account": (
        ("players", "bob"),
        lambda house: house.document("players", "bob").write_text("userid: bob\n"),
    ),
    "a damaged hash": (
        ("players", "bob"),
        lambda house: change(house, "players", "bob", password="nonsense"),
    ),
    "a copy of an account": (
        ("players", "carol"),
        lambda house: house.put("players", "carol", house.data("players", "bob")),
    ),
    "a name that is no userid": (
        ("players", "A-B"),
        lambda house: house.put("players", "A-B", house.data("players", "bob")),
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_named_and_left_as_it_is(house: House, damage: str) -> None:
    name, spoil = DAMAGES[damage]
    spoil(house)
    before = house.files()
    for line in ("check", "check --repair"):
        answer = run(line)
        assert answer.status == 1, line
        assert house.called(*name) in said(answer), line
        assert answer.text.count(f"{house.store.noun} ") == 1, line
        assert house.files() == before, line


STALE: dict[str, Any] = {
    "status": "over",
    "turn": ["alice"],
    "ply": "7",
    "scores": {"alice": "99", "bob": "0"},
    "picture": "nothing\n",
}


@pytest.mark.parametrize("key", STALE)
def test_a_derived_part_that_is_stale_is_found_and_mended(
    house: House, key: str
) -> None:
    whole = house.files()
    change(house, "holo", "1", **{key: STALE[key]})
    before = house.files()
    answer = run("check")
    assert (answer.status, house.files()) == (1, before)
    assert house.called("holo", "1") in said(answer)
    assert "pbm check --repair" in said(answer)
    answer = run("check --repair")
    assert answer.status == 0
    assert house.called("holo", "1") in said(answer)
    assert house.files() == whole
    assert run("check").status == 0


@pytest.mark.parametrize("no", ["7", "-", "0"])
def test_repair_never_rewrites_a_log(house: House, no: str) -> None:
    first, move = house.data("holo", "1")["log"]
    change(house, "holo", "1", log=[first, no + move[1:]])
    before = house.files()
    answer = run("check --repair")
    assert answer.status == 1
    assert house.called("holo", "1") in said(answer)
    assert house.files() == before


def test_a_board_that_is_busy_is_said_to_be(house: House) -> None:
    house.settings("wait: 0\n")
    with house.busy("holo", "1"):
        answer = run("check")
    assert answer.status != 0
    assert "holo 1 is busy" in said(answer)


# flush


def letters(house: House) -> dict[str, str]:
    """The letters in the outbox, by their addresses."""
    found = {}
    for path in house.path("outbox").glob("*.eml"):
        text = path.read_text()
        found[text.partition("\nTo: ")[2].partition("\n")[0]] = text
    return found


def marked(house: House) -> None:
    """A move by mail, a resignation and a new address, whose letters did not leave."""
    house.trouble = Crash()
    for line in (
        f"holo move 1 bob {{bob}} {house.legal()[0]}",
        "change address alice {alice} new@example.org",
    ):
        with pytest.raises(Crash):
            house.by_mail("bob", "mail1", line)
    assert house.store.marks.unsent("holo") == {"1": [2]}
    assert house.store.marks.unsent("players") == {"alice": [2]}


def test_flush_sends_all_that_is_marked(house: House) -> None:
    marked(house)
    before = house.files()
    assert run("flush").status == 0
    sent = letters(house)
    # bob's answer, alice's turn at her new address, and word to her old one
    assert sent.keys() == {home("bob"), "new@example.org", home("alice")}
    assert "Subject: holo 1: alice to move\n" in sent[home("bob")]
    assert house.store.marks.unsent("holo") == house.store.marks.unsent("players") == {}
    boards = {name: text for name, text in before.items() if name.endswith(".yaml")}
    assert boards.items() <= house.files().items()
    for path in house.path("outbox").iterdir():
        path.unlink()
    assert run("flush").status == 0
    assert letters(house) == {}


def test_flush_skips_a_mark_that_has_just_gone(house: House) -> None:
    house.mark("holo", "1", 0)
    assert run("flush").status == 0
    assert letters(house).keys() == {home("alice"), home("bob")}


@pytest.mark.parametrize(
    "mark",
    [("holo", "1", 2), ("holo", "9", 0), ("players", "bob", 2), ("players", "dave", 1)],
)
def test_a_mark_without_its_line_means_nothing(
    house: House, mark: tuple[str, str, int]
) -> None:
    # such a mark is left where a process dies before its file is saved
    house.mark(*mark)
    answer = run("flush")
    assert answer.status == 0
    assert letters(house) == {}
    assert run("flush").text == "No letters are waiting.\n"  # it has gone


@pytest.mark.parametrize("mark", ["x.0.unsent", "1.x.unsent", ".0.unsent", "1.unsent"])
def test_a_file_that_looks_like_a_mark_stops_nothing(house: House, mark: str) -> None:
    marked(house)
    house.path("holo", mark).touch()
    run("flush")
    assert house.store.marks.is_unsent("holo", "1", 2) is False
    assert home("bob") in letters(house)


def test_one_damaged_file_does_not_keep_the_other_letters(house: House) -> None:
    marked(house)
    house.mark("holo", "2", 0)
    house.damage("holo", "2")
    answer = run("flush")
    assert answer.status == 75
    assert house.called("holo", "2") in said(answer)
    assert letters(house).keys() >= {home("bob"), "new@example.org"}
    assert house.store.marks.unsent("holo") == {"2": [0]}


def test_the_letter_to_a_damaged_account_waits(house: House) -> None:
    marked(house)
    house.damage("players", "bob")
    answer = run("flush")
    assert answer.status == 75
    assert house.called("players", "bob") in said(answer)
    assert letters(house).keys() == {"new@example.org", home("alice")}
    assert house.store.marks.unsent("holo") == {"1": [2]}


def test_letters_that_cannot_leave_stay_marked(house: House) -> None:
    marked(house)
    house.settings("send: sendmail\nsendmail: /bin/false\n")
    house.store.remember(FLUSHED_AT, "")
    before = house.files()
    answer = run("flush")
    assert answer.status == CannotSend.status == 75
    assert "/bin/false" in answer.text
    why = house.files().keys() - before.keys()
    assert why == {WHY_WAITING}
    house.store.put_note(WHY_WAITING, "")
    assert house.store.remembered(FLUSHED_AT)
    house.store.remember(FLUSHED_AT, "")
    assert house.files() == before


# The words


@pytest.mark.parametrize(
    ("line", "said"),
    [("check everything", "Please write: pbm check"), ("check --fix", '"--fix"')]
    + [("flush all", "Please write: pbm flush"), ("play x", '"x" is not a game here')],
)
def test_a_word_too_many_is_refused(server: House, line: str, said: str) -> None:
    before = server.files()
    with pytest.raises(BadCommand, match=said):
        run(line)
    assert server.files() == before


@pytest.mark.parametrize("line", ["check", "flush", "demo", "check --repair"])
def test_by_mail_these_are_unknown_commands(server: House, line: str) -> None:
    before = server.files()
    answer = server.by_mail("alice", "mail1", line)
    assert answer.status == 2
    unknown = f'no command "{line.split()[0]}"', "The first word is not a command."
    assert any(said in answer.text for said in unknown)
    assert server.files() == before
