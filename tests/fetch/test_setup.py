"""`pbm setup`: what it asks, what it tries at a real Dovecot, and what it writes."""

import os
import pty
import re
import select
import signal
import stat
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import CannotFetch, PbmError
from pbm_holomino.fetch.progress import fetching as lease
from pbm_holomino.fetch.progress import read
from pbm_holomino.owner import providers, setup, trial
from pbm_holomino.owner.asking import Dialogue
from pbm_holomino.owner.providers import Provider as Known
from pbm_holomino.store.config import Config
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home
from tests.fetch.club import FetchingHouse, chat, chats
from tests.fetch.provider import PASSWORD, USER, Provider
from tests.fetch.submission import Submission, submission
from tests.house import home
from tests.mail import valid
from tests.mail.test_reply_tokens import reply
from tests.paths import ROOT
from tests.processes import PATIENCE, run, surroundings, wait_until
from tests.prose import plain

pytestmark = [
    pytest.mark.needs("dovecot-imapd", "openssl"),
    # the server of the tests is over TLS from the start
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]

OWNER = "owner@example.org"


@pytest.fixture(scope="module")
def sending(running: Provider) -> Iterator[Submission]:
    with submission(running) as found:
        yield found


@pytest.fixture
def server(
    sending: Submission, dovecot: Provider, monkeypatch: pytest.MonkeyPatch
) -> Submission:
    """The provider's servers, whose certificate this machine trusts; letters come back
    soon or never."""
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    monkeypatch.setattr(trial, "_PATIENCE", 0.5)
    sending.changes_ids, sending.knows_plus, sending.loses = False, True, False
    sending.folder, sending.refuses = "", False
    sending.taken.clear()
    return sending


class Owner(Dialogue):
    """An owner whose answers are known, by words of the questions. Ctrl-C comes in
    place of the answer with the number `last`."""

    def __init__(self, answers: Mapping[str, str | Sequence[str]], last: int = 99):
        self.answers = {
            words: [given] if isinstance(given, str) else [*given]
            for words, given in answers.items()
        }
        self.last = last
        self.asked: list[str] = []
        self.offered: list[str] = []
        self.heard = ""

    def say(self, text: str) -> None:
        self.heard += f"{text}\n"

    def _answer(self, question: str, default: str) -> str:
        self.asked.append(question)
        self.offered.append(default)
        if len(self.asked) > self.last:
            raise KeyboardInterrupt
        for words, given in self.answers.items():
            if words in question and given:
                return given.pop(0)
        return default

    def _typed(self, question: str, default: str, is_hidden: bool = False) -> str:
        assert is_hidden == ("(hidden" in question)
        return self._answer(question, default)

    def is_yes(self, question: str, default: bool) -> bool:
        return self._answer(question, "yes" if default else "no") == "yes"


def answers(server: Submission, **more: str | Sequence[str]) -> dict[str, Any]:
    """What an owner answers who knows it all."""
    return {
        "already": "yes",
        "The server's mail address": USER,
        "(IMAP)": f"localhost:{server.dovecot.tls_port}",
        "(SMTP)": f"localhost:{server.port}",
        "Your own address": OWNER,
        "name in letters": "Tile games",
        "Its password": PASSWORD,
        **more,
    }


def set_up(folder: Path, owner: Owner) -> Answer:
    try:
        return setup.set_up(Home(str(folder)), owner)
    except PbmError as error:
        return refusal(error)


def config(folder: Path) -> Config:
    return Home(str(folder)).config


def files(folder: Path) -> list[str]:
    """What is there of what setup writes."""
    return sorted(path.name for path in folder.glob("*") if path.name != "fetch.lock")


# A mailbox that works


def test_a_mailbox_is_set_up(server: Submission, tmp_path: Path) -> None:
    owner = Owner(answers(server))
    answer = set_up(tmp_path / "store", owner)
    assert answer.status == 0, answer.text
    assert config(tmp_path / "store") == Config(
        address=USER,
        name="Tile games",
        owner=OWNER,
        send="smtp",
        smtp=f"localhost:{server.port}",
        tls="implicit",
        user=USER,
        password_file="password",
        envelope=USER,
        fetch=f"imaps://localhost:{server.dovecot.tls_port}",
    )
    secret = tmp_path / "store" / "password"
    assert secret.read_text() == f"{PASSWORD}\n"
    for path in (secret, tmp_path / "store/config.yaml"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "mailbox of its own" in owner.heard
    assert "The mailbox is empty" in owner.heard
    assert "came back as it was" in owner.heard
    assert 'type "pbm run"' in plain(answer.text)
    assert PASSWORD not in owner.heard + answer.text
    assert len(server.taken) == 1
    assert server.dovecot.mails() == []  # the letter to itself is gone


def test_at_most_these_are_asked(server: Submission, tmp_path: Path) -> None:
    """Four questions, and for an unknown provider its two servers."""
    owner = Owner(answers(server))
    set_up(tmp_path, owner)
    assert len(owner.asked) == 4 + 2


def test_it_works_at_once(server: Submission, fetching: FetchingHouse) -> None:
    """With a relay that changes Message-IDs: a reply is understood, too."""
    server.changes_ids = True
    assert set_up(fetching.folder, Owner(answers(server))).status == 0
    server.dovecot.clear("alice@example.org")
    server.dovecot.put(chat(1))
    assert fetching.fetch() == "Mails fetched: 1.\n"
    assert fetching.heard() == [1]
    assert plays_on(server, fetching)


def plays_on(server: Submission, fetching: FetchingHouse) -> bool:
    """Alice asks for her board, and answers the letter that brings it."""
    ask = (
        f"From: {home('alice')}\nTo: {USER}\nSubject: holo showas alice xanadu 1\n"
        "Message-ID: <ask@example.org>\n\n"
    )
    server.dovecot.put(ask.encode())
    fetching.fetch()
    letter = message_from_bytes(
        server.dovecot.mails(user=home("alice"))[-1], policy=default
    )
    assert isinstance(letter, EmailMessage)
    assert "changed@provider.example" in letter["Message-ID"]
    before = fetching.house.match().record.log
    move = fetching.house.legal()[0]
    server.dovecot.put(reply(letter, move, "nothing").replace(b"\r\n", b"\n"))
    fetching.fetch()
    after = fetching.house.match().record.log
    return [str(line.action) for line in after[len(before) :]] == [move]


@pytest.mark.parametrize(
    ("changes_ids", "knows_plus", "place"),
    [
        (False, True, "message-id"),
        (False, False, "message-id"),
        (True, True, "reply-to"),
        (True, False, "text"),
    ],
)
def test_where_reply_tokens_are(
    server: Submission, tmp_path: Path, changes_ids: bool, knows_plus: bool, place: str
) -> None:
    server.changes_ids, server.knows_plus = changes_ids, knows_plus
    assert set_up(tmp_path, Owner(answers(server))).status == 0
    assert config(tmp_path).reply_token == place
    assert server.dovecot.mails() == []


def test_addresses_with_a_plus_that_lose_letters(
    server: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be taken and go nowhere."""
    server.changes_ids = True
    put = server.dovecot.put
    monkeypatch.setattr(
        server.dovecot,
        "put",
        lambda mail, **more: None if b"\nTo: pbm+" in mail else put(mail, **more),
    )
    assert set_up(tmp_path, Owner(answers(server))).status == 0
    assert config(tmp_path).reply_token == "text"


def test_a_letter_that_does_not_come_back(server: Submission, tmp_path: Path) -> None:
    server.loses = True
    owner = Owner(answers(server))
    assert set_up(tmp_path, owner).status == 0
    assert "The letter has not come back" in owner.heard
    assert config(tmp_path).reply_token == "message-id"


def test_a_letter_that_is_taken_for_junk(server: Submission, tmp_path: Path) -> None:
    server.folder, server.changes_ids = ".Junk", True
    server.dovecot.put(folder=".Junk")  # so that there is one
    owner = Owner(answers(server))
    assert set_up(tmp_path, owner).status == 0
    assert "It came into the folder Junk" in owner.heard
    assert config(tmp_path).reply_token == "text"  # that with a plus did so, too


# Mails that are there before


def test_earlier_mails_are_left_alone(
    server: Submission, fetching: FetchingHouse
) -> None:
    server.dovecot.put(*chats(2))
    owner = Owner(answers(server))
    assert set_up(fetching.folder, owner).status == 0
    assert "There are 2 mails in the mailbox already." in owner.heard
    assert len(server.dovecot.mails()) == 2
    server.dovecot.put(chat(3))
    fetching.fetch()
    assert fetching.heard() == [3]
    assert len(server.dovecot.mails()) == 2


def test_earlier_mails_are_taken_if_the_owner_wants_it(
    server: Submission, fetching: FetchingHouse
) -> None:
    server.dovecot.put(chat(1))
    assert set_up(fetching.folder, Owner(answers(server))).status == 0
    owner = Owner(answers(server, **{"Leave alone": "no"}))
    assert set_up(fetching.folder, owner).status == 0
    assert "There is 1 mail in the mailbox already." in owner.heard
    fetching.fetch()
    assert fetching.heard() == [1]
    assert server.dovecot.mails() == []


def test_what_was_known_of_another_mailbox_is_forgotten(
    server: Submission, fetching: FetchingHouse
) -> None:
    """Its mails may have had the same names."""
    server.dovecot.put(chat(1))
    assert set_up(fetching.folder, Owner(answers(server))).status == 0
    store = fetching.house.store
    with lease(Home(str(fetching.folder)), store) as held:
        held.keep()
        held.progress = held.progress.with_done(held.progress.earlier)
        held.progress = held.progress.with_trouble("Nobody answers.", store.now())
        held.save()
    owner = Owner(answers(server, **{"Leave alone": "no"}))
    assert set_up(fetching.folder, owner).status == 0
    assert fetching.problems() == []
    fetching.fetch()
    assert fetching.heard() == [1]


# What does not work


def test_a_wrong_password_is_asked_for_again(
    server: Submission, tmp_path: Path
) -> None:
    owner = Owner(answers(server, **{"Its password": ["wrong", "xyzzy2", PASSWORD]}))
    assert set_up(tmp_path, owner).status == 0
    assert owner.heard.count("does not accept the name or the password") == 2
    assert "app password" in owner.heard
    assert "xyzzy2" not in owner.heard
    assert (tmp_path / "password").read_text() == f"{PASSWORD}\n"


def test_a_password_that_is_refused_for_letters_alone(
    server: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbm_holomino.mail import login

    given = iter([PASSWORD, "no", PASSWORD, PASSWORD])
    monkeypatch.setattr(login, "password", lambda home: next(given))
    owner = Owner(answers(server, **{"Its password": ["a", "b"]}))
    assert set_up(tmp_path, owner).status == 0
    (said,) = re.findall(".*does not accept.*", owner.heard)
    assert said.startswith(f"localhost:{server.port} does not accept")


def test_a_password_that_a_command_prints(server: Submission, tmp_path: Path) -> None:
    command = f"printf '%s\\n' '{PASSWORD}'"
    given = {"Its password": "", "A command that prints the password": command}
    assert set_up(tmp_path, Owner(answers(server, **given))).status == 0
    assert config(tmp_path).password_command == command
    assert config(tmp_path).password_file == ""
    assert files(tmp_path) == ["config.yaml", "fetch"]


@pytest.mark.parametrize(
    ("which", "word", "said"),
    [
        ("(IMAP)", "localhost:1", "Please check the name of the server"),
        ("(SMTP)", "localhost:1", "Please check the name of the server"),
        ("(IMAP)", "127.0.0.1:{imap}", "this may not be the right server"),
        ("(SMTP)", "127.0.0.1:{smtp}", "this may not be the right server"),
    ],
)
def test_a_server_that_cannot_be_used(
    server: Submission, tmp_path: Path, which: str, word: str, said: str
) -> None:
    word = word.format(imap=server.dovecot.tls_port, smtp=server.port)
    answer = set_up(tmp_path, Owner(answers(server, **{which: word})))
    assert answer.status == 1
    assert said in plain(answer.text)
    assert "Nothing has been changed." in plain(answer.text)
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("question", "wrong", "said"),
    [
        ("mail address", "games", "looks like games@example.org"),
        ("(IMAP)", "imap example", "A server looks like"),
        ("Your own address", USER, "the server's own address"),
        ("Your own address", "me", "looks like games@example.org"),
        ("name in letters", "x" * 61, "at most 60"),
    ],
)
def test_answers_that_cannot_be_used_are_asked_for_again(
    server: Submission, tmp_path: Path, question: str, wrong: str, said: str
) -> None:
    (key,) = (key for key in answers(server) if question in key)
    right = answers(server)[key]
    owner = Owner(answers(server, **{key: [wrong, right]}))
    assert set_up(tmp_path, owner).status == 0
    assert said in owner.heard


def test_a_sender_that_is_refused(server: Submission, tmp_path: Path) -> None:
    server.refuses = True
    answer = set_up(tmp_path, Owner(answers(server)))
    assert answer.status == 1
    assert "not owned by user" in plain(answer.text)
    assert "may send letters from this address" in plain(answer.text)
    assert files(tmp_path) == []


# Providers that are known


def known(monkeypatch: pytest.MonkeyPatch, server: Submission, **more: Any) -> Owner:
    """An owner with an address at a provider in the table."""
    place = Known(
        "Example",
        ("*.example.net",),
        f"localhost:{server.dovecot.tls_port}",
        f"localhost:{server.port}",
        "Make an app password.",
    )
    monkeypatch.setattr(providers, "PROVIDERS", (place._replace(**more),))
    return Owner(answers(server))


def test_at_a_known_provider_there_are_four_questions(
    server: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.dovecot.put(folder=".Trash")
    owner = known(monkeypatch, server, letters_per_day=500, done="Trash")
    assert set_up(tmp_path, owner).status == 0
    assert len(owner.asked) == 4
    assert "Make an app password." in owner.heard
    found = config(tmp_path)
    assert (found.letters_per_day, found.done) == (500, "Trash")
    (to_itself,) = server.dovecot.mails(".Trash")
    valid.check(to_itself.replace(b"\r\n", b"\n"))


def test_the_server_of_a_known_provider(
    server: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may serve any domain."""
    owner = known(monkeypatch, server, domains=())
    assert set_up(tmp_path, owner).status == 0
    assert len(owner.asked) == 4 + 1
    assert "Make an app password." in owner.heard


def test_blanks_in_a_password_that_do_not_count(
    server: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_by = []

    def reading(root: str, config: Config, *server: str) -> None:
        read_by.append(Path(config.password_file).read_text())
        raise CannotFetch("No.")

    monkeypatch.setattr(trial, "reading", reading)
    for blanks in (False, True):
        owner = known(monkeypatch, server, blanks=blanks)
        owner.answers["Its password"] = ["abcd efgh ijkl mnop"]
        assert set_up(tmp_path, owner).status == 1
    assert read_by == ["abcd efgh ijkl mnop\n", "abcdefghijklmnop\n"]


def test_a_provider_that_takes_only_tokens(
    server: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = known(monkeypatch, server, auth="xoauth2")
    owner.answers["A command that prints a token"] = ["", "echo t", "echo u"]
    owner.last = 6
    with pytest.raises(KeyboardInterrupt):  # as this one takes no tokens
        set_up(tmp_path, owner)
    assert "Please type a command" in owner.heard
    assert not any("password" in question for question in owner.asked)
    assert files(tmp_path) == []


def test_a_provider_that_cannot_be_used(
    server: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = set_up(tmp_path, known(monkeypatch, server, unfit="It has no IMAP."))
    assert (answer.status, answer.text) == (
        1,
        "It has no IMAP. Please use a mailbox somewhere else.\n",
    )


def test_while_mail_is_fetched(server: Submission, fetching: FetchingHouse) -> None:
    fetching.from_imap(server.dovecot)
    with lease(Home(str(fetching.folder)), fetching.house.store):
        answer = set_up(fetching.folder, Owner(answers(server)))
    assert answer.status == 75
    assert "Mail is being fetched already, by pbm fetch or pbm run." in plain(
        answer.text
    )


# What is kept


def test_settings_that_are_there_are_asked_about(
    server: Submission, tmp_path: Path
) -> None:
    text = "owner: me@example.org # me\nwait: 5\n"
    (tmp_path / "config.yaml").write_text(text)
    owner = Owner(answers(server, already="no"))
    answer = set_up(tmp_path, owner)
    assert (answer.status, answer.text) == (0, "Nothing has been changed.\n")
    assert len(owner.asked) == 1
    assert files(tmp_path) == ["config.yaml"]
    assert (tmp_path / "config.yaml").read_text() == text


def test_other_settings_stay(server: Submission, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(
        "# Mine\naddress: old@example.org\nwait: 5 # seconds\n"
        "password_command: cat x\nletters_per_day: 40\ndone: Done"
    )
    assert set_up(tmp_path, Owner(answers(server))).status == 0
    text = (tmp_path / "config.yaml").read_text()
    assert text.startswith(f"# Mine\naddress: {USER}\nwait: 5 # seconds\n")
    found = config(tmp_path)
    assert (found.wait, found.letters_per_day, found.done) == (5, 40, "Done")
    assert (found.password_command, found.password_file) == ("", "password")


def test_what_was_set_for_another_mailbox_does_not_stay(
    server: Submission, tmp_path: Path
) -> None:
    (tmp_path / "config.yaml").write_text(
        "address: old@example.org\nuser: old\nletters_per_day: 40\n"
        "folder: Old\ndone: Done\nwait: 5\n"
    )
    assert set_up(tmp_path, Owner(answers(server))).status == 0
    found = config(tmp_path)
    assert (found.user, found.letters_per_day) == (USER, 0)
    assert (found.folder, found.done, found.wait) == ("INBOX", "", 5)


def test_a_sender_with_marks_stays(server: Submission, tmp_path: Path) -> None:
    sender = USER.replace("@", "+@")
    before = f"address: {USER}\nuser: {USER}\nenvelope: {sender}\n"
    (tmp_path / "config.yaml").write_text(before)
    assert set_up(tmp_path, Owner(answers(server))).status == 0
    assert config(tmp_path).envelope == sender


def test_a_name_to_log_in_by_stays(server: Submission, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(f"address: {USER}\nuser: nobody\n")
    owner = Owner(answers(server), 8)
    with pytest.raises(KeyboardInterrupt):  # it is not the right one
        set_up(tmp_path, owner)
    assert owner.heard.count("does not accept the name") == 1


def test_what_is_known_is_offered(server: Submission, tmp_path: Path) -> None:
    assert set_up(tmp_path, Owner(answers(server))).status == 0
    before = (tmp_path / "config.yaml").read_bytes()
    owner = Owner({"already": "yes", "Its password": PASSWORD})
    assert set_up(tmp_path, owner).status == 0
    assert (tmp_path / "config.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("settings", "imap", "smtp"),
    [
        ("fetch: maildir:/mail", "imap.games.example.net", "smtp.games.example.net"),
        ("fetch: imap://mail:1143", "mail:1143", "mail"),
        ("send: smtp\nsmtp: out:26", "imap.games.example.net", "out:26"),
    ],
)
def test_only_servers_that_are_in_use_are_offered(
    tmp_path: Path, settings: str, imap: str, smtp: str
) -> None:
    text = f"address: {USER}\nuser: {USER}\n{settings}\n"
    (tmp_path / "config.yaml").write_text(text)
    owner = Owner({"already": "yes"}, 4)
    with pytest.raises(KeyboardInterrupt):
        set_up(tmp_path, owner)
    assert owner.offered[1:4] == [USER, imap, smtp]


# Ctrl-C


def test_ctrl_c_at_the_first_question_does_not_even_leave_a_folder(
    tmp_path: Path,
) -> None:
    with pytest.raises(KeyboardInterrupt):
        set_up(tmp_path / "store", Owner({}, 0))
    assert not (tmp_path / "store").exists()


def test_ctrl_c_at_any_question(server: Submission, tmp_path: Path) -> None:
    """Nothing is written, and nothing that was there is changed."""
    server.dovecot.put(chat(1))
    (tmp_path / "config.yaml").write_text("wait: 5\n")
    (tmp_path / "password").write_text("old\n")
    for last in range(99):
        try:
            set_up(tmp_path, Owner(answers(server), last))
            break
        except KeyboardInterrupt:
            assert files(tmp_path) in (
                ["config.yaml", "password"],
                ["config.yaml", "fetch", "password"],
            )
            assert (tmp_path / "config.yaml").read_text() == "wait: 5\n"
            assert (tmp_path / "password").read_text() == "old\n"
            with closing(FileStore(str(tmp_path), 1)) as store:
                assert read(store).earlier == ""
    assert last == 8  # the six, what is there already, and the mails
    with closing(FileStore(str(tmp_path), 1)) as store:
        assert read(store).earlier


def test_ctrl_c_while_it_writes(
    server: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes too late."""
    write = setup._write

    def interrupted(*about: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        write(*about)

    monkeypatch.setattr(setup, "_write", interrupted)
    assert set_up(tmp_path, Owner(answers(server))).status == 0
    assert files(tmp_path) == ["config.yaml", "fetch", "password"]
    assert config(tmp_path).password_file == "password"


# At a terminal


class Screen:
    """`pbm setup` as a process at a terminal."""

    def __init__(self, folder: Path) -> None:
        self.fd, other = pty.openpty()
        self.process = subprocess.Popen(
            [ROOT / "bin/pbm", "setup"],
            env=surroundings(PBM_GAMES=str(folder)),
            stdin=other,
            stdout=other,
            stderr=other,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(other)
        self.text = ""

    def wait_for(self, words: str) -> None:
        wait_until(lambda: words in self._shown(), words, lambda: self.text)

    def type(self, words: str) -> None:
        self.text = ""
        os.write(self.fd, f"{words}\r".encode())

    def _shown(self) -> str:
        while select.select([self.fd], [], [], 0.01)[0]:
            try:
                self.text += os.read(self.fd, 4096).decode()
            except OSError:  # its process has ended
                break
        return self.text


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def at_terminal(folder: Path) -> Iterator[Screen]:
    screen = Screen(folder)
    try:
        yield screen
    finally:
        screen.process.kill()
        screen.process.wait()
        os.close(screen.fd)


def test_at_a_terminal(server: Submission, tmp_path: Path) -> None:
    with at_terminal(tmp_path) as screen:
        for question, word in answers(server).items():
            if question != "already":
                screen.wait_for(question)
                screen.type(word)
        screen.wait_for("pbm help mailbox")
        assert PASSWORD not in screen.text
        assert screen.process.wait(PATIENCE) == 0
    assert config(tmp_path).fetch.startswith("imaps://localhost:")


def test_ctrl_c_at_a_terminal(server: Submission, tmp_path: Path) -> None:
    with at_terminal(tmp_path) as screen:
        screen.wait_for("mail address")
        os.write(screen.fd, b"\x03")
        assert screen.process.wait(PATIENCE) == 130
    assert files(tmp_path) == []


def test_without_a_terminal(tmp_path: Path) -> None:
    done = run(tmp_path, "pbm", "setup")
    assert (done.status, done.out) == (1, "")
    assert "there is no terminal to ask them at" in plain(done.err)
    assert files(tmp_path) == []
