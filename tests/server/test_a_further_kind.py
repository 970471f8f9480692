"""A kind of ledger that the program does not know: its letters are sent, flushed and
counted, its documents are checked and copied, and what it needs is its own module and
its words."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.commands import table
from pbm_holomino.commands.request import Answer
from pbm_holomino.letters import kinds as words
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match import kinds, ledgers
from pbm_holomino.match.times import later
from pbm_holomino.owner.tick import do_what_is_due
from tests.house import House, fill_in, home, mail_of, open_house
from tests.server import further
from tests.server.further import ledgers as further_ledgers
from tests.server.further import words as further_words
from tests.server.further.ledgers.leagues import DAYS, League

FOLDER = Path(further.__file__).parent
JOINING = table.entry(
    "league join: board userid password", "    changes leagues match.kinds.leagues.join"
)
BOB, CAROL = (home("bob"),), (home("carol"),)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A server with leagues; alice and bob are in the first."""
    forget()
    for package, more in ((kinds, further_ledgers), (words, further_words)):
        monkeypatch.setattr(package, "__path__", [*package.__path__, *more.__path__])
    monkeypatch.setitem(table.COMMANDS, JOINING.words, JOINING)
    house = open_house(tmp_path / "games").sign_up("carol")
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    with house.store.lock("leagues", "new"):
        house.library.save(League(house.store.next_number("leagues")))
    for who in ("alice", "bob"):
        join(house, who)
    house.taken()
    yield house
    forget()


def forget() -> None:
    listed = (table.at_top, table.owners)
    for known in (rules.modules_of, ledgers.folders, ledgers.load, *listed):
        known.cache_clear()


def league(house: House) -> League:
    found: League = house.library.ledger("leagues", "1")
    return found


def join(house: House, who: str, mail: str = "") -> list[Letter]:
    """A player joins the league by mail: the letters that leave."""
    line = fill_in(f"league join 1 {who} {{{who}}}")
    return house.mail(mail_of(line, home(who), Message_ID=mail or f"<{who}@x>"))


def run(line: str) -> Answer:
    return owner.run(line.split())


def test_its_letters_are_sent(house: House) -> None:
    sent = join(house, "carol")
    assert [letter.to for letter in sent] == [(home("alice"),), BOB, CAROL]
    assert {letter.subject for letter in sent} == {"league 1: carol"}
    assert [letter.replied for letter in sent] == [False, False, True]
    assert [letter.key for letter in sent][1] == "leagues.1.2.bob"
    assert len({letter.id for letter in sent}) == 3
    assert [letter.answers for letter in sent] == ["", "", "<carol@x>"]
    assert house.store.marks.unsent("leagues") == {}


def test_the_same_command_counts_once(house: House) -> None:
    join(house, "carol")
    before = league(house)
    (again,) = join(house, "carol")
    assert (again.subject, again.to) == ("league 1: carol", CAROL)
    assert league(house) == before


def test_what_is_not_possible_is_refused(house: House) -> None:
    (refused,) = join(house, "bob", "<again@x>")
    assert "You are in league 1." in refused.text
    for line, why in {
        "league join 2 carol {carol}": "There is no league 2.",
        "league join 1 carol {bob}": "not the password",
    }.items():
        answer = house.type(line)
        assert answer.status
        assert why in answer.text
    assert league(house).members == ["alice", "bob"]


def test_who_types_it_is_told_at_once(house: House) -> None:
    assert house.type("league join 1 carol {carol}").text == "You are in league 1.\n"
    assert [letter.to for letter in house.taken()] == [(home("alice"),), BOB]


def test_they_are_flushed_and_counted(house: House) -> None:
    house.shut = {home("bob")}
    join(house, "carol")
    assert house.store.marks.unsent("leagues") == {"1": [2]}
    assert "Letters about 1 event wait" in run("status").text
    answer = run("flush")
    assert "with unsent letters: 1; none is left" in " ".join(answer.text.split())
    assert house.store.marks.unsent("leagues") == {}


def test_a_mark_of_no_line_means_nothing(house: House) -> None:
    for name, line in (("1", 7), ("9", 0)):
        house.mark("leagues", name, line)
    run("flush")
    assert house.store.marks.unsent("leagues") == {}
    assert house.taken() == []


def test_what_is_due_is_done_and_told(house: House) -> None:
    begun = house.time
    house.time = later(begun, DAYS - 1)
    assert list(do_what_is_due(house.server)) == []
    house.time = later(begun, DAYS)
    assert list(do_what_is_due(house.server)) == ["leagues 1: what was due is done."]
    sent = house.taken()
    assert [letter.to for letter in sent] == [(home("alice"),), BOB]
    assert {letter.subject for letter in sent} == {"league 1: -"}
    assert list(do_what_is_due(house.server)) == []


def test_its_documents_are_checked(house: House) -> None:
    assert run("check").status == 0
    house.replace("leagues", "1", "!join", "")
    answer = run("check")
    assert answer.status
    assert house.called("leagues", "1") in " ".join(answer.text.split())


def test_what_is_gone_is_missed(house: House) -> None:
    with house.store.lock("leagues", "new"):
        number = house.store.next_number("leagues")
        with house.store.lock("leagues", str(number)):
            house.library.save(League(number))
    house.document("leagues", "2").unlink()
    assert house.called("leagues", "2") in " ".join(run("check").text.split())


def test_it_is_copied(house: House, tmp_path: Path) -> None:
    house.shut = {home("bob")}
    join(house, "carol")
    copy = House(tmp_path / "copy")
    with closing(copy.store) as store:
        store.put_pieces(house.store.pieces(house.store.titles()))
        assert league(copy) == league(house)
        assert store.marks.unsent("leagues") == {"1": [2]}
