"""Mail from a Maildir, to which other programs deliver, and which others read."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from pbm_holomino.errors import CannotFetch
from pbm_holomino.fetch import maildir
from pbm_holomino.fetch.maildir import MaildirMailbox, make_maildir
from pbm_holomino.mail.intake import MOST_MAIL
from tests.fetch.club import FetchingHouse, chat
from tests.house import House, dies, own


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """An empty Maildir."""
    path = tmp_path / "Maildir"
    make_maildir(str(path))
    return path


def deliver(box: Path, *mails: bytes, folder: str = "new", flags: str = "") -> None:
    for number, mail in enumerate(mails, 1):
        path = box / folder / f"{number}.host{flags}"
        path.write_bytes(mail)
        os.utime(path, (number, number))


def test_new_and_cur_are_read(fetching: FetchingHouse, box: Path) -> None:
    fetching.configure(fetch=f"maildir:{box}")
    deliver(box, chat(1))
    deliver(box, chat(2), folder="cur", flags="2:2,FS")
    assert fetching.fetch() == "Mails fetched: 2.\n"
    assert [*box.glob("*/*")] == []


def test_a_path_in_the_store_and_one_at_home(
    fetching: FetchingHouse, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(box.parent))
    for number, place in enumerate(("~/Maildir", "../Maildir"), 1):
        fetching.configure(fetch=f"maildir:{place}")
        deliver(box, chat(number))
        fetching.fetch()
    assert fetching.heard() == [1, 2]


def test_what_is_half_delivered_is_not_read(fetching: FetchingHouse, box: Path) -> None:
    fetching.configure(fetch=f"maildir:{box}")
    deliver(box, chat(1), folder="tmp")
    assert fetching.fetch() == "There is no mail.\n"


def test_what_is_done_goes_to_a_folder(fetching: FetchingHouse, box: Path) -> None:
    fetching.configure(fetch=f"maildir:{box}", done="Done")
    deliver(box, chat(1), folder="cur", flags=":2,F")
    fetching.fetch()
    (kept,) = box.glob(".Done/*/*")
    assert kept == box / ".Done/cur/1.host:2,S"
    assert kept.read_bytes() == chat(1)


def test_a_mail_that_is_opened_after_it_was_listed(box: Path) -> None:
    deliver(box, b"first", b"second")
    found = MaildirMailbox(str(box), "")
    one, two = found.mails()
    (box / "new/1.host").rename(box / "cur/1.host:2,S")
    (box / "new/2.host").unlink()
    assert found.read(one) == b"first"
    assert found.read(two) is None
    found.remove(one)
    found.remove(two)
    assert found.mails() == []


def test_names_and_order(box: Path) -> None:
    deliver(box, b"a", b"b", b"c")
    (box / "new/.hidden").write_bytes(b"")
    strange = os.path.join(os.fsencode(box), b"new", b"4 \xff.host")
    with open(strange, "wb") as file:
        file.write(b"d")
    found = MaildirMailbox(str(box), "")
    names = found.mails()
    assert [found.read(name) for name in names] == [b"a", b"b", b"c", b"d"]
    assert all(name.isascii() and name.isprintable() for name in names)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_mail_that_is_too_large(box: Path, end: bytes) -> None:
    """What is read of it is little, and still too large."""
    deliver(box, b"Subject: x" + end * 2 + (b"x" * 98 + end) * (MOST_MAIL // 90))
    found = MaildirMailbox(str(box), "")
    (name,) = found.mails()
    raw = found.read(name)
    assert raw is not None
    assert len(raw) == MOST_MAIL + 1
    assert raw.startswith(b"Subject: x\n\nxxx")


def test_a_maildir_that_is_not_there(fetching: FetchingHouse, tmp_path: Path) -> None:
    fetching.configure(fetch=f"maildir:{tmp_path / 'none'}")
    answer = fetching.type("fetch")
    assert answer.status == 75
    words = " ".join(answer.text.split())
    assert "cannot be used: No such file or directory." in words


def test_waiting_ends_when_a_mail_comes(
    box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = MaildirMailbox(str(box), "")
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            deliver(box, b"x")

    monkeypatch.setattr(maildir, "sleep", sleep)
    assert found.wait(3600)
    assert len(slept) == 2


def test_one_file_that_cannot_be_read_holds_up_no_other(
    fetching: FetchingHouse, box: Path
) -> None:
    fetching.configure(fetch=f"maildir:{box}")
    deliver(box, chat(1), chat(2))
    (box / "new/1.host").unlink()
    (box / "new/1.host").symlink_to("/proc/self/mem")  # not even root can read it
    assert fetching.fetch() == "Mails fetched: 1; 1 must come again.\n"
    assert fetching.heard() == [2]
    (problem,) = fetching.problems()
    assert problem.startswith("1 mail must be fetched again, the first since ")
    assert problem.endswith("cannot be used: Input/output error.")


# a sender dies with the rest; of anything else there is a warning
@pytest.mark.filterwarnings(
    r"ignore:(?s).*tests\.house\.Crash:pytest.PytestUnhandledThreadExceptionWarning"
)
def test_killed_at_every_moment(
    house: House, box: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whenever it dies, the mail is carried out once when it is fetched again."""
    fetching = FetchingHouse(house, monkeypatch)
    fetching.configure(fetch=f"maildir:{box}")
    own(house, monkeypatch)
    house.config = house.config._replace(fetch=f"maildir:{box}")
    own(house, monkeypatch)
    number = died = 0
    while died == number:
        number += 1
        deliver(box, chat(number))
        died += dies(house, number, partial(fetching.type, "fetch"))
        fetching.type("fetch")
        assert [*box.glob("new/*")] == []
        house.deliver(house.library.board("holo", 1))
    assert number > 20
    assert fetching.heard() == [*range(1, number + 1)]


def test_what_the_disk_refuses_is_said(box: Path) -> None:
    found = MaildirMailbox(str(box), "")
    names: Sequence[str] = found.mails()
    assert names == []
    (box / "new").rmdir()
    with pytest.raises(CannotFetch, match="/new cannot be used"):
        found.mails()
