"""Mail from a real Dovecot: what is taken, how it is removed, and what may go wrong."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from time import monotonic

import pytest

from pbm_holomino.fetch import progress
from pbm_holomino.fetch.opening import open_mailbox
from pbm_holomino.mail.intake import MOST_MAIL
from pbm_holomino.store.home import Home
from tests import sizes
from tests.fetch.club import FetchingHouse, chat, chats
from tests.fetch.provider import USER, Provider
from tests.fetch.proxy import Proxy, proxy
from tests.processes import PATIENCE

pytestmark = pytest.mark.needs("dovecot-imapd", "openssl")


def letters(fetching: FetchingHouse) -> list[str]:
    return [path.read_text() for path in fetching.house.path("outbox").glob("*.eml")]


# What is taken


def test_each_mail_is_carried_out_and_deleted(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    fetching.from_imap(dovecot)
    dovecot.put(*chats(3))
    assert fetching.fetch() == "Mails fetched: 3.\n"
    assert fetching.heard() == [1, 2, 3]
    assert dovecot.mails() == []
    assert fetching.fetch() == "There is no mail.\n"


def test_by_starttls(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot, fetch=f"imap://localhost:{dovecot.port}")
    dovecot.put(chat(1))
    assert fetching.fetch() == "Mails fetched: 1.\n"


def test_whatever_its_flags(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot)
    dovecot.put(*chats(5))
    for file, flags in zip(dovecot.files(), ("S", "FRS", "T", "DS", ""), strict=True):
        file.rename(dovecot.folder / "mail" / USER / "cur" / f"{file.name}:2,{flags}")
    fetching.fetch()
    assert fetching.heard() == [1, 2, 3, 4, 5]


def test_what_is_done_goes_to_a_folder(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    fetching.from_imap(dovecot, done="Done")
    for number in (1, 2):  # the folder is made once
        dovecot.put(chat(number))
        fetching.fetch()
    assert fetching.heard() == [1, 2]
    assert dovecot.mails() == []
    first, second = dovecot.mails(".Done")
    assert {b"number 1." in first, b"number 1." in second} == {True, False}


def test_from_another_folder(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot, folder="Games")
    dovecot.put(chat(1))
    dovecot.put(chat(2), folder=".Games")
    fetching.fetch()
    assert fetching.heard() == [2]
    assert len(dovecot.mails()) == 1


def test_what_others_have_marked_is_not_expunged(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    """A mail that somebody marks as deleted, while another one is fetched, stays until
    it is fetched itself."""
    dovecot.put(*chats(2))

    def mark(line: str) -> None:
        if line.startswith("UID STORE") and len(dovecot.files()) == 2:
            *_, last = dovecot.files()
            base = last.name.partition(":")[0]
            last.rename(last.parent.parent / "cur" / f"{base}:2,T")

    with proxy(dovecot) as server:
        server.before = mark
        fetching.from_imap(dovecot, server.port)
        assert fetching.fetch() == "Mails fetched: 2.\n"
        assert "EXPUNGE" not in server.said
        assert [s for s in server.said if "EXPUNGE" in s] == [
            "UID EXPUNGE 1",
            "UID EXPUNGE 2",
        ]
    assert fetching.heard() == [1, 2]


def test_reading_changes_no_flag(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot)
    dovecot.put(chat(1))
    home = Home(str(fetching.folder))
    with closing(open_mailbox(home)) as box:
        (name,) = box.mails()
        assert box.read(name) == chat(1)
    (file,) = dovecot.files()
    assert file.name.partition(":2,")[2] == ""


def test_a_mail_of_30_megabytes(fetching: FetchingHouse, dovecot: Provider) -> None:
    """Its sender is told, as by any other way in; nobody downloads it."""
    dovecot.put(chat(1) + b"Many words.\n" * (30 << 20 >> 3) + b"\n", chat(2))
    assert dovecot.files()[0].stat().st_size > 30 << 20
    with proxy(dovecot) as server:
        fetching.from_imap(dovecot, server.port)
        fetching.fetch()
        asked = [said for said in server.said if "BODY" in said]
    assert asked == [
        "UID FETCH 1 (BODY.PEEK[]<0.1048576>)",
        "UID FETCH 2 (BODY.PEEK[])",
    ]
    assert fetching.heard() == [2]
    assert dovecot.mails() == []
    assert sum("too large: 10 MB at most" in text for text in letters(fetching)) == 1


def test_a_mail_that_nobody_can_read_goes_to_quarantine(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    fetching.from_imap(dovecot)
    raw = b"Subject: no sender\n\nHello\n"
    dovecot.put(raw)
    fetching.fetch()
    (kept,) = fetching.quarantine()
    assert kept.read_bytes() == raw
    assert dovecot.mails() == []


def test_many_mails_wait(fetching: FetchingHouse, dovecot: Provider) -> None:
    count = 1000 if sizes.full else 100
    fetching.from_imap(dovecot)
    dovecot.put(*chats(count))
    assert fetching.fetch() == f"Mails fetched: {count}.\n"
    assert fetching.heard() == [*range(1, count + 1)]
    assert dovecot.mails() == []


# Servers that cannot remove one mail without others


@pytest.fixture
def bare(dovecot: Provider) -> Iterator[Callable[[str], Provider]]:
    """The provider with these words in its capabilities alone."""

    def begin(words: str) -> Provider:
        dovecot.stop()
        dovecot.start(capability=words)
        return dovecot

    yield begin
    dovecot.stop()
    dovecot.start()


def test_a_server_without_uidplus(fetching: FetchingHouse, bare) -> None:
    dovecot = bare("IMAP4rev1 SASL-IR")
    fetching.from_imap(dovecot)
    dovecot.put(*chats(2))
    assert fetching.fetch() == "Mails fetched: 2.\n"
    assert [file.name[-4:] for file in dovecot.files()] == [":2,T", ":2,T"]
    assert fetching.fetch() == "There is no mail.\n"
    assert fetching.heard() == [1, 2]


def test_a_server_without_move(fetching: FetchingHouse, bare) -> None:
    dovecot = bare("IMAP4rev1 SASL-IR UIDPLUS")
    fetching.from_imap(dovecot, done="Done")
    dovecot.put(*chats(2))
    fetching.fetch()
    assert dovecot.mails() == []
    assert len(dovecot.mails(".Done")) == 2


# What goes wrong


def test_a_wrong_password(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot)
    (fetching.folder / "password").write_text("falsches Wort\n")
    dovecot.put(chat(1))
    answer = fetching.type("fetch")
    assert answer.status == 75
    assert "localhost" in answer.text
    assert "does not accept the name or the password" in " ".join(answer.text.split())
    assert "falsches" not in answer.text
    (problem,) = fetching.problems()
    assert "does not accept the name or the password" in problem
    fetching.from_imap(dovecot)
    (fetching.folder / "password").write_text("naïve pässword\n")
    fetching.fetch()
    assert fetching.problems() == []


def test_an_expired_certificate(fetching: FetchingHouse, dovecot: Provider) -> None:
    dovecot.stop()
    dovecot.start("expired")
    try:
        places = (
            f"imaps://localhost:{dovecot.tls_port}",
            f"imap://localhost:{dovecot.port}",
        )
        for place in places:
            expired = dovecot.folder / "expired.pem"
            fetching.from_imap(dovecot, tls_ca_file=expired, fetch=place)
            answer = fetching.type("fetch")
            assert answer.status == 75
            assert "certificate has expired" in " ".join(answer.text.split())
    finally:
        dovecot.stop()
        dovecot.start()


def test_a_certificate_of_somebody_else(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    fetching.from_imap(dovecot, fetch=f"imaps://127.0.0.1:{dovecot.tls_port}")
    answer = fetching.type("fetch")
    assert answer.status == 75
    assert "IP address mismatch" in " ".join(answer.text.split())


def test_a_folder_that_is_not_there(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot, folder="Gmaes")
    answer = fetching.type("fetch")
    assert answer.status == 75
    assert "does not open the folder Gmaes" in " ".join(answer.text.split())


def test_nobody_answers(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot, fetch="imaps://localhost:1")
    answer = fetching.type("fetch")
    assert answer.status == 75
    assert "localhost:1 cannot be reached (Connection refused)." in answer.text


def lines_of_a_fetch(
    fetching: FetchingHouse, dovecot: Provider, server: Proxy, **settings: str
) -> int:
    """How many lines a client says to fetch two mails."""
    fetching.from_imap(dovecot, server.port, **settings)
    fetching.fetch()
    server.said.clear()
    dovecot.put(chat(98), chat(99))
    fetching.fetch()
    return len(server.said)


@pytest.mark.parametrize("settings", [{}, {"done": "Done"}], ids=["deleted", "moved"])
@pytest.mark.parametrize("is_done", [False, True], ids=["before", "after"])
def test_a_connection_cut_in_every_command(
    fetching: FetchingHouse, dovecot: Provider, settings: dict[str, str], is_done: bool
) -> None:
    """Wherever it is cut, each mail is carried out once, and leaves the mailbox."""
    with proxy(dovecot) as server:
        count = lines_of_a_fetch(fetching, dovecot, server, **settings)
        first, step = (1, 1) if sizes.full else (1 + is_done, 2)
        cuts = range(first, count + 1, step)
        for number in cuts:
            dovecot.put(chat(2 * number), chat(2 * number + 1))
            server.said.clear()
            server.cut = (number, is_done)
            assert fetching.type("fetch").status == 75, server.said
            again = fetching.house.data("fetch", "progress")
            again["delayed"] = {}  # it need not wait for its time
            fetching.house.put("fetch", "progress", again)
            fetching.fetch()
            assert dovecot.mails() == []
    sent = [98, 99, *(2 * cut for cut in cuts), *(2 * cut + 1 for cut in cuts)]
    assert sorted(fetching.heard()) == sorted(sent)


def test_a_mail_that_is_moved_away_between_listing_and_fetching(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    dovecot.put(*chats(3))

    def take(line: str) -> None:
        if line.startswith("UID FETCH 1 (BODY"):
            dovecot.files()[1].unlink()

    with proxy(dovecot) as server:
        server.before = take
        fetching.from_imap(dovecot, server.port)
        assert fetching.fetch() == "Mails fetched: 2.\n"
    assert fetching.heard() == [1, 3]
    assert fetching.problems() == []


def test_a_mail_that_is_opened_meanwhile(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    dovecot.put(*chats(2))

    def read(line: str) -> None:
        if line.startswith("UID FETCH 1 (BODY"):
            for file in dovecot.files():
                base = file.name.partition(":")[0]
                file.rename(file.parent.parent / "cur" / f"{base}:2,RS")

    with proxy(dovecot) as server:
        server.before = read
        fetching.from_imap(dovecot, server.port)
        fetching.fetch()
    assert fetching.heard() == [1, 2]
    assert dovecot.mails() == []


def test_another_uidvalidity(fetching: FetchingHouse, dovecot: Provider) -> None:
    """The names of mails are good for one time of the folder: what is known of a mail
    is not said of another one with the same UID."""
    fetching.from_imap(dovecot)
    dovecot.put(chat(1))
    home = Home(str(fetching.folder))
    with closing(open_mailbox(home)) as box:
        (old,) = box.mails()
    dovecot.clear()
    dovecot.put(chat(2))
    with closing(open_mailbox(home)) as box:
        (new,) = box.mails()
        assert old.split(".")[1] == new.split(".")[1]
        assert old != new
        assert box.read(old) is None
        box.remove(old)
    assert len(dovecot.mails()) == 1
    fetching.fetch()
    assert fetching.heard() == [2]


def test_the_same_mail_twice(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot)
    dovecot.put(chat(1), chat(1))
    assert fetching.fetch() == "Mails fetched: 2.\n"
    assert fetching.heard() == [1]


# Waiting


def test_idle_ends_when_a_mail_comes(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    with proxy(dovecot) as server:
        fetching.from_imap(dovecot, server.port)
        idle = threading.Event()
        server.after = lambda said: idle.set() if b"idling" in said else None
        with closing(open_mailbox(Home(str(fetching.folder)))) as box:
            assert box.mails() == []

            def deliver() -> None:
                idle.wait()
                dovecot.put(chat(1))

            threading.Thread(target=deliver).start()
            begun = monotonic()
            assert box.wait(10 * PATIENCE)
            assert monotonic() - begun < PATIENCE
            assert len(box.mails()) == 1
        assert "DONE" in server.said


def test_idle_ends_after_a_while(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot)
    with closing(open_mailbox(Home(str(fetching.folder)))) as box:
        assert not box.wait(0.2)
        assert box.mails() == []


def test_the_largest_mail_is_not_too_large(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    """10 MB as they travel."""
    fetching.from_imap(dovecot)
    head = chat(1) + b"-- \n"
    room = MOST_MAIL - len(head.replace(b"\n", b"\r\n"))
    dovecot.put(head + b"x" * (room % 100) + (b"x" * 98 + b"\n") * (room // 100))
    assert dovecot.files()[0].stat().st_size == MOST_MAIL
    fetching.fetch()
    assert sum("too large" in text for text in letters(fetching)) == 0


def test_a_mail_that_comes_just_before_idle(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    fetching.from_imap(dovecot)
    with closing(open_mailbox(Home(str(fetching.folder)))) as box:
        assert box.mails() == []
        dovecot.put(chat(1))
        begun = monotonic()
        assert box.wait(10 * PATIENCE)
        assert monotonic() - begun < PATIENCE


# Mails that came before the server


def leave_alone(fetching: FetchingHouse, name: str) -> None:
    """From now on what came up to this mail is left alone."""
    with progress.fetching(Home(str(fetching.folder)), fetching.house.store) as lease:
        lease.keep()
        lease.progress = lease.progress._replace(earlier=name)
        lease.save()


def test_earlier_mails_are_left_alone(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    fetching.from_imap(dovecot)
    dovecot.put(*chats(3))
    home = Home(str(fetching.folder))
    with closing(open_mailbox(home)) as box:
        leave_alone(fetching, box.mails()[1])
    assert fetching.fetch() == "Mails fetched: 1.\n"
    assert fetching.heard() == [3]
    assert len(dovecot.mails()) == 2
    assert fetching.fetch() == "There is no mail.\n"  # none later than the last
    dovecot.put(chat(4))
    dovecot.files()[1].unlink()  # whatever becomes of the last of them
    assert fetching.fetch() == "Mails fetched: 1.\n"
    assert fetching.heard() == [3, 4]
    assert len(dovecot.mails()) == 1


def test_earlier_mails_that_cannot_be_told_from_others(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    """The folder has new UIDs: nothing is fetched until the owner decides."""
    fetching.from_imap(dovecot)
    dovecot.put(chat(1))
    with closing(open_mailbox(Home(str(fetching.folder)))) as box:
        leave_alone(fetching, box.mails()[0])
    dovecot.clear()
    dovecot.put(*chats(2))
    answer = fetching.type("fetch")
    assert answer.status == 75
    assert 'type "pbm setup"' in " ".join(answer.text.split())
    assert fetching.heard() == []
    assert len(dovecot.mails()) == 2
