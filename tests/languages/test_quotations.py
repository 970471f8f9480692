"""Letters that are quoted back without any mark, in whichever language they were."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import catalogues
import pytest

from pbm_holomino.letters.letter import Letter
from tests.house import House, fill_in, home, mail_of
from tests.languages.folder import in_place_of, made
from tests.server.test_quoted_letters import letter_of_kind
from tests.server.test_replies import letter_to

OWN = "Hello there"


def german(text: str) -> str:
    text = text.replace(", board", ", Brett")
    return f"Sehr {text[:1].lower()}{text[1:]} Bitte \u00fcben."


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a language in which every sentence that is no bare value has other
    words before and after it."""
    texts = {}
    for message in catalogues.template():
        english: Any = message.id
        if len(str(english)) > 25:
            is_one = isinstance(english, str)
            said = german(english) if is_one else tuple(map(german, english))
            texts[english] = said
    home = tmp_path_factory.mktemp("languages")
    made(home, "de", texts)
    return home


@pytest.fixture(autouse=True)
def read_by_all(languages: Path, house: House) -> Iterator[None]:
    with in_place_of(languages):
        for who in ("alice", "bob"):
            house.type(fill_in(f"change language {who} {{{who}}} de"))
        yield


def passed_on(house: House, who: str, letter: Letter, body: str) -> str:
    """What the other player reads of a chat that answers a letter, above the board."""
    raw = mail_of(
        "Re: x",
        home(who),
        f"chat\n{OWN}\n\n{body}",
        In_Reply_To=f"<{letter.id}@localhost>",
    )
    other = "alice" if who == "bob" else "bob"
    return letter_to(house.mail(raw), other).text


@pytest.mark.parametrize("reads", ["de", "en"])
@pytest.mark.parametrize("kind", ["opening", "queue", "draft", "move", "wishes"])
def test_a_letter_in_a_language_that_its_reader_has_had_is_not_passed_on(
    house: House, kind: str, reads: str
) -> None:
    letter, secret = letter_of_kind(house, kind)
    assert "Sehr" in letter.text
    who = letter.to[0].partition("@")[0]
    if reads != "de":
        house.time = "2026-11-21T08:00:00Z"
        for each in ("alice", "bob"):
            house.type(fill_in(f"change language {each} {{{each}}} {reads}"))
    words = passed_on(house, who, letter, letter.text)
    assert OWN in words
    after = words.partition(OWN)[2]
    assert not secret or secret not in after
    assert after.count("\n") < 12


def from_caption_on(letter: Letter) -> str:
    """A letter without the lines above the board, which name it as commands do."""
    _, caption, rest = letter.text.partition("Sehr Holomino, Brett 1,")
    assert not re.search("(?i)holo 1|board 1", rest)
    return caption + rest


@pytest.mark.parametrize(
    "line", ["message bob {bob} alice", "holo challenge bob alice"]
)
def test_a_letter_that_names_its_board_in_its_language_is_known_in_other_mails(
    house: House, line: str
) -> None:
    letter, secret = letter_of_kind(house, "queue")
    body = f"{OWN}\n\n{from_caption_on(letter)}"
    assert secret in body
    words = letter_to(house.mail(mail_of(fill_in(line), home("bob"), body)), "alice")
    assert OWN in words.text
    assert secret not in words.text


def test_an_earlier_letter_is_known_by_its_board_in_its_language(house: House) -> None:
    letter, secret = letter_of_kind(house, "queue")
    house.type("holo chat 1 alice {alice}", "-m=Tea at five?")
    house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    quoted = from_caption_on(letter)
    assert secret in quoted
    raw = mail_of(fill_in("holo chat 1 bob {bob}"), home("bob"), f"{OWN}\n\n{quoted}")
    words = letter_to(house.mail(raw), "alice").text
    assert OWN in words
    assert "Brett 1" not in words
    assert secret not in words


def test_each_reader_is_told_in_their_language_what_was_left_out(
    house: House, tmp_path: Path
) -> None:
    house.type("holo challenge alice bob")
    made(tmp_path, "nl", {"[link removed]": "[link weggelaten]"})
    with in_place_of(tmp_path):
        house.type(fill_in("change language bob {bob} nl"))
        body = "Look: mailto:a@example.org?subject=x"
        line = fill_in("holo chat 1 alice {alice}")
        his = letter_to(house.mail(mail_of(line, home("alice"), body)), "bob")
        assert "Look: [link weggelaten]" in his.text
        assert "Look: [link removed]" in house.match().said.values()
        assert "Look: [link removed]" in house.type("holo history 1").text
