"""Whole games by mail with no mail server of ours: players write to the robot's mailbox
at a provider, and its letters go to theirs."""

import sys
from pathlib import Path
from typing import cast

import pytest

from pbm_holomino.fetch.maildir import make_maildir
from tests.fetch.club import FetchingHouse
from tests.fetch.provider import Provider
from tests.fetch.test_run import staying
from tests.house import House
from tests.processes import wait_until
from tests.real.postoffice import ADDRESS, PLAYERS, PostOffice
from tests.real.test_games import GAMES, GameByMail

pytestmark = pytest.mark.needs("dovecot-imapd", "openssl")

# Delivers a letter, as the provider's server for submission would.
_SENDMAIL = """\
#!{python}
import os, sys, time
name = sys.argv[-1].partition("@")[0]
box = "{folder}/" + name
filename = f"{{time.time_ns()}}.{{os.getpid()}}"
with open(f"{{box}}/tmp/{{filename}}", "wb") as file:
    file.write(b"Return-Path: <>\\n" + sys.stdin.buffer.read())
os.rename(f"{{box}}/tmp/{{filename}}", f"{{box}}/new/{{filename}}")
"""


class Office:
    """What players know of their post: where they send mail, and where it comes."""

    def __init__(self, dovecot: Provider) -> None:
        self.folder = dovecot.folder
        self.post = dovecot.put


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(
    game: str, dovecot: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sendmail = tmp_path / "sendmail"
    text = _SENDMAIL.format(python=sys.executable, folder=dovecot.folder / "mail")
    sendmail.write_text(text)
    sendmail.chmod(0o755)
    for name in PLAYERS:
        dovecot.clear(name)
        make_maildir(str(dovecot.folder / "mail" / name))
    fetching = FetchingHouse(House(tmp_path / "games"), monkeypatch)
    fetching.from_imap(dovecot, address=ADDRESS, send="sendmail", sendmail=sendmail)
    *names, options = GAMES[game]
    with staying(fetching, "run") as process:
        played = GameByMail(cast(PostOffice, Office(dovecot)), game, *names)
        played.open(options)
        wait_until(played.go_on, "the end of the game", dovecot.log)
        played.check()
        assert process.stop() == (0, "Stopped.\n", "")
    assert dovecot.mails() == []
    assert fetching.problems() == []
    assert fetching.quarantine() == []
