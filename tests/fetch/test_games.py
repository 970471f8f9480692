"""Whole games by mail with no mail server of ours: players write to the robot's mailbox
at a provider, and its letters go to theirs."""

from pathlib import Path

import pytest

from pbm_holomino.fetch.maildir import make_maildir
from tests.boards import short, typed
from tests.fetch.club import FetchingHouse
from tests.fetch.provider import Provider
from tests.fetch.test_run import staying
from tests.house import House
from tests.real.postoffice import ADDRESS, PLAYERS
from tests.real.test_games import GAMES, PAIRS, GameByMail, play

pytestmark = pytest.mark.needs("dovecot-imapd", "openssl")

# Delivers a letter, as the provider's server for submission would.
_SENDMAIL = """\
#!/bin/sh
for address; do :; done
box={folder}/${{address%@*}}
name=$(date +%s.%N).$$
{{ echo "Return-Path: <>"; cat; }} >"$box/tmp/$name" && mv "$box/tmp/$name" "$box/new/"
"""


class Office:
    """What players know of their post: where they send mail, and where it comes."""

    def __init__(self, dovecot: Provider) -> None:
        self.folder = dovecot.folder
        self.post = dovecot.put


@pytest.fixture
def office(dovecot: Provider) -> Office:
    for name in PLAYERS:
        dovecot.clear(name)
        make_maildir(str(dovecot.folder / "mail" / name))
    return Office(dovecot)


@pytest.fixture
def sendmail(office: Office, tmp_path: Path) -> Path:
    """A program that delivers into the players' mailboxes."""
    path = tmp_path / "sendmail"
    folder = office.folder / "mail"
    path.write_text(_SENDMAIL.format(folder=folder))
    path.chmod(0o755)
    return path


def test_a_game_of_each_kind_at_once(
    office: Office,
    sendmail: Path,
    dovecot: Provider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fetching = FetchingHouse(House(tmp_path / "games"), monkeypatch)
    fetching.from_imap(dovecot, address=ADDRESS, send="sendmail", sendmail=sendmail)
    pairs = zip(GAMES, PAIRS, strict=False)
    games = [GameByMail(office, game, *pair) for game, pair in pairs]
    with staying(fetching, "run") as process:
        for game, name in zip(games, GAMES, strict=False):
            game.open(typed(short(name)))
        play(games, dovecot.log)
        assert process.stop() == (0, "Stopped.\n", "")
    for game in games:
        game.check()
    assert dovecot.mails() == []
    assert fetching.problems() == []
    assert fetching.quarantine() == []
