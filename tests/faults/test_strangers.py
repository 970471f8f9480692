"""Players who open accounts to fill somebody's mailbox: how few letters reach them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino import rules
from pbm_holomino.store.config import Config
from tests.house import House, mail_of
from tests.prose import count_sentences, sentence_of

STRANGERS = tuple(f"mallory{number}" for number in range(5))
VICTIM = ("alice@example.org",)


@pytest.fixture
def server(tmp_path: Path) -> House:
    server = House(tmp_path / "games").sign_up()
    server.config = Config(answers_per_hour=100_000)  # which are not what is tried here
    return server.sign_up(*STRANGERS)


def mailed(server: House, who: str, lines: Iterator[str]) -> tuple[int, list[str]]:
    """How many letters reach alice because of these mails, and what is refused."""
    reached, said = 0, []
    for number, line in enumerate(lines):
        name = f"<{number}.{who}@example.org>"
        letters = server.mail(mail_of(line, f"{who}@example.org", Message_ID=name))
        reached += sum(letter.to == VICTIM for letter in letters)
        said += [n.text for n in letters if n.key.startswith("answer.")]
    return reached, said


def challenges(who: str) -> Iterator[str]:
    for _ in range(20):
        yield from (f"{game} challenge {who} alice" for game in rules.names())


def test_challenges_of_five_strangers(server: House) -> None:
    """Each sends sixty: three stand between the same players, and ten at alice."""
    found = [mailed(server, who, challenges(who)) for who in STRANGERS]
    assert [reached for reached, _ in found] == [3, 3, 3, 1, 0]
    for _, said in found:
        assert len(said) >= 57
        assert {count_sentences(sentence_of(text)) for text in said} <= {1, 2}
    assert server.type("decline all alice xanadu").status == 0
    # a week long none of the ten can try that game again
    again = mailed(server, "mallory0", challenges("mallory0"))[1]
    assert any("was declined" in text for text in again)


@pytest.mark.parametrize("ends", ["decline", "resign"])
def test_a_challenger_who_withdraws_must_wait_before_the_next_challenge(
    server: House, ends: str
) -> None:
    """Opening and ending boards without end would fill a mailbox, too."""

    def lines() -> Iterator[str]:
        for number in range(1, 40):
            yield "holo challenge mallory0 alice"
            yield f"holo {ends} {number} mallory0 secret"

    reached, _ = mailed(server, "mallory0", lines())
    assert reached == 2  # one board, and its end
    assert server.library.lists.boards("holo") == [1]


def test_a_rematch_does_not_get_around_a_block(server: House) -> None:
    server.challenge(names="mallory0 alice")
    server.accept()
    assert server.type("holo resign 1 mallory0 secret").status == 0

    def lines() -> Iterator[str]:
        for number in range(2, 40):
            yield "holo rematch 1 mallory0 secret"
            yield f"holo resign {number} mallory0 secret"

    assert mailed(server, "mallory0", lines())[0] == 2


def test_a_player_who_is_blocked_reaches_nobody(server: House) -> None:
    for who in STRANGERS:
        assert server.type(f"block alice xanadu {who}").status == 0

    def lines(who: str) -> Iterator[str]:
        yield from challenges(who)
        yield f"message {who} secret alice -m=Hello"
        yield f"broadcast {who} secret -m=Hello"

    assert sum(mailed(server, who, lines(who))[0] for who in STRANGERS) == 0
