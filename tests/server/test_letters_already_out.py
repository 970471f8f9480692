"""Letters from before their numbers were those of the public log can still be answered,
and come back (tests/stores/numbered-by-all-lines)."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pbm_holomino.letters.letter import Letter
from pbm_holomino.match import letter_ids
from pbm_holomino.match.letter_ids import LetterId
from pbm_holomino.match.tokens import Tokens
from pbm_holomino.store import yaml as strict
from tests.boards import letter_id
from tests.house import House, Seeds, mail_of
from tests.mail.reports import Lost, postfix
from tests.paths import ROOT
from tests.storage import KEY

OLD = ROOT / "tests" / "stores" / "numbered-by-all-lines"


class Sent(NamedTuple):
    """A letter that was sent: to whom, its id, the path of its link, and its
    subject."""

    to: str
    id: str
    page: str
    subject: str

    @property
    def parts(self) -> LetterId:
        found = letter_ids.parse_id(self.id)
        assert found is not None
        return found

    @property
    def letter(self) -> Letter:
        return Letter("", (self.to,), self.subject, id=self.id)


LINES = (OLD / "letters").read_text().splitlines()
SENT = [Sent(*line.split(maxsplit=3)) for line in LINES]
ABOUT_BOARDS = [sent for sent in SENT if sent.parts.folder != "players"]


def old_house(folder: Path) -> House:
    """A server of today with the store of before."""
    house = House(folder, Seeds())
    for file in sorted(OLD.glob("*/*.yaml")):
        where, name = file.parent.name, file.stem
        with house.store.lock(where, name):
            house.store.save(where, name, strict.load(file.read_bytes()))
    house.time = "2026-11-20T12:00:00Z"
    return house


@pytest.fixture
def house(tmp_path: Path) -> House:
    return old_house(tmp_path)


def by_id(sent: Sent) -> str:
    return sent.id


def test_these_letters_are_numbered_in_another_way(house: House) -> None:
    """Otherwise they would show nothing: only the first of a board are the same."""
    for sent in ABOUT_BOARDS:
        match = house.library.match(sent.parts.folder, 1)
        reader = sent.parts.reader
        now = {letter_id(match, i, reader, KEY) for i in range(len(match.record.log))}
        is_first = sent.parts.line == 0
        assert (str(sent.parts._replace(more="")) in now) == is_first


@pytest.mark.parametrize("sent", ABOUT_BOARDS, ids=by_id)
def test_each_shows_its_reader_the_board(house: House, sent: Sent) -> None:
    (answer,) = house.reply(sent.letter, "show")
    assert answer.to == (sent.to,)
    assert answer.subject == f"{sent.parts.folder} 1: show"


@pytest.mark.parametrize("sent", ABOUT_BOARDS, ids=by_id)
def test_so_does_each_link_that_writes_a_mail(house: House, sent: Sent) -> None:
    game, reader = sent.parts.folder, sent.parts.reader
    line = f"{game} showas {reader} ~{sent.parts.token} 1"
    (answer,) = house.mail(mail_of(line, sent.to))
    assert (answer.to, answer.subject) == ((sent.to,), f"{game} 1: show")
    (refused,) = house.mail(mail_of(line, "mallory@example.org", Message_ID="<m@x>"))
    assert refused.to == ("mallory@example.org",)
    assert "not valid" in refused.text


def test_the_latest_plays_and_an_earlier_one_does_not(house: House) -> None:
    early, latest = (
        next(sent for sent in SENT if sent.id.startswith(name))
        for name in ("holo.1.0.alice.", "holo.1.5.alice.")
    )
    move = house.legal()[0]
    (refused,) = house.reply(early.letter, move)
    assert "an earlier letter about holo 1" in refused.text
    assert house.match().ply == 2
    house.reply(latest.letter, move)
    assert house.match().ply == 3


def test_words_are_still_answered(house: House) -> None:
    for name in ("holo.1.7.bob.", "players.alice.2.bob."):
        (sent,) = (each for each in SENT if each.id.startswith(name))
        told = house.reply(sent.letter, "Gladly, and with cake")
        heard = [letter for letter in told if letter.to == ("alice@example.org",)]
        assert "Gladly, and with cake" in heard[0].text


def returned(sent: Sent) -> Iterator[bytes]:
    """The reports that this letter did not reach its reader: with its Message-ID, and
    with its mark alone."""
    head = f"To: {sent.to}\nSubject: {sent.subject}\nMessage-ID:"
    named = f"{head} <{sent.id}@localhost>\n\nHi\n".encode()
    yield postfix(Lost(sent.to, named))
    mark = f"pbm+{letter_ids.mark(KEY, sent.id)}@localhost"
    yield postfix(Lost(sent.to, f"{head} <1@x>\n\nHi\n".encode(), bounced_to=mark))


@pytest.mark.parametrize("sent", SENT, ids=by_id)
def test_each_counts_when_it_comes_back(tmp_path: Path, sent: Sent) -> None:
    for number, report in enumerate(returned(sent)):
        house = old_house(tmp_path / str(number))
        assert house.mail(report) == []
        player = house.library.player(sent.to.partition("@")[0])
        assert player is not None
        assert [each.days for each in player.bounces] == [("2026-11-20",)]


@pytest.mark.parametrize("sent", ABOUT_BOARDS, ids=by_id)
def test_each_link_leads_to_its_line(house: House, sent: Sent) -> None:
    """Of another player's plan, which was the last line when the letter left, its
    reader knows nothing: it leads to the line before."""
    *_, number, reader, token = sent.page.split("/")
    match = house.library.match(sent.parts.folder, 1)
    tokens = Tokens(KEY, match)
    before = {"holo.1.2.bob": 1, "holo.1.8.alice": 7}  # an answer to "show" each
    name = sent.id.partition(f".{sent.parts.token}")[0]
    assert tokens.linked(int(number), reader, token) == before.get(name, int(number))
    assert tokens.linked(int(number), reader, "a" * 16) is None
    assert tokens.linked(int(number), "mallory", token) is None
