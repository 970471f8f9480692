"""`pbm kept`: the mails that are kept whole are listed, shown, removed, and tried once
more."""

import re
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import DONE, TRY_LATER, Busy, NotFound, StoreTrouble
from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import keeping
from pbm_holomino.mail.message import message
from pbm_holomino.mail.outcomes import Parcel
from pbm_holomino.server import inbox
from pbm_holomino.store.contract import QUARANTINE, UNDELIVERABLE, WAITING
from tests.house import House, home, mail_of
from tests.processes import run

BOB = home("bob")
FOLDERS = (QUARANTINE, WAITING, UNDELIVERABLE)


def letter(house: House, folder: str, name: str, why: str = "No such user.") -> None:
    written = Letter(name, (BOB,), "holo 1: your turn", said("Hello\n"), replied=False)
    parcel = Parcel(name, message(written, house.config), (BOB,))
    keeping.keep(house.store, folder, parcel, BOB, why)


def fill(house: House) -> None:
    """One mail in each of the folders."""
    head = b"From: mallory@example.net\nSubject: \x1b[2J\n"
    keeping.quarantine(head + b"\n\x1b[2J\xff", house.store)
    letter(house, WAITING, "answer.1", "The disk is full.")
    letter(house, UNDELIVERABLE, "holo.1.0.bob.TOKEN")


def typed(*words: str, status: int = DONE) -> str:
    """What a command says, in one line."""
    answer = owner.run(["kept", *words])
    assert answer.status == status, answer.text
    return " ".join(answer.text.split())


def ids() -> dict[str, str]:
    """The name of the mail in each folder that has one."""
    return {
        folder: found[1]
        for folder in FOLDERS
        if (found := re.search(rf"{folder} \(1\): .*?([0-9a-f]{{10}}) ", typed()))
    }


def test_nothing_is_kept(house: House) -> None:
    assert typed() == typed("list", QUARANTINE) == "No mails are kept."
    assert typed("drop", QUARANTINE) == "There is nothing to remove."
    assert typed("retry", *FOLDERS) == "There is nothing to try again."


def test_all_that_is_kept_is_listed(house: House) -> None:
    fill(house)
    told = typed()
    assert typed("list") == told
    assert [*ids()] == [*FOLDERS]
    assert "from mallory@example.net: ?[2J, " in told
    assert f"to {BOB}: holo 1: your turn. The disk is full." in told
    assert f"to {BOB}: holo 1: your turn. No such user." in told
    assert "TOKEN" not in told  # with it anybody could reply
    assert typed("list", WAITING).startswith("waiting (1): ")
    assert "quarantine" not in typed("list", WAITING)
    assert owner.run(["kept"]).text.isascii()


def test_one_is_shown_as_it_is_and_harms_no_terminal(house: House) -> None:
    fill(house)
    names = ids()
    text = owner.run(["kept", "show", names[QUARANTINE]]).text
    first, blank, *mail = text.splitlines()
    assert first.startswith(f"quarantine {names[QUARANTINE]}, since ")
    assert blank == ""
    escaped = r"\x1b[2J"
    assert mail == [
        "From: mallory@example.net",
        f"Subject: {escaped}",
        "",
        rf"{escaped}\xff",
    ]
    shown = typed("show", names[UNDELIVERABLE].upper())
    assert f"X-Undelivered-To: {BOB}" in shown
    assert shown.endswith("Hello")


def test_one_is_removed_and_the_others_stay(house: House) -> None:
    fill(house)
    names = ids()
    assert typed("drop", names[WAITING]) == "Removed: 1 in waiting."
    assert [*ids()] == [QUARANTINE, UNDELIVERABLE]
    with pytest.raises(NotFound, match=f'is called "{names[WAITING]}": "pbm kept"'):
        owner.run(["kept", "drop", names[QUARANTINE], names[WAITING]])
    assert ids() == {f: names[f] for f in (QUARANTINE, UNDELIVERABLE)}  # no half
    assert (
        typed("drop", names[UNDELIVERABLE], *FOLDERS)
        == "Removed: 1 in undeliverable and 1 in quarantine."
    )
    assert typed() == "No mails are kept."


def test_the_owner_has_looked_at_what_was_removed(house: House) -> None:
    """Then the status is that of a server where all is well."""
    fill(house)
    assert owner.run(["status"]).status == 1
    typed("drop", *FOLDERS)
    assert owner.run(["status"]).status == 0


def test_letters_are_sent_once_more(house: House) -> None:
    fill(house)
    told = typed("retry", WAITING, UNDELIVERABLE)
    assert told == "Done: 1 in waiting and 1 in undeliverable."
    assert len([*house.path("outbox").glob("*.eml")]) == 2
    assert [*ids()] == [QUARANTINE]


def test_a_letter_that_cannot_be_sent_stays(house: House) -> None:
    letter(house, UNDELIVERABLE, "a")
    letter(house, WAITING, "b")
    house.settings("send: sendmail\nsendmail: /bin/false\n")
    told = typed("retry", UNDELIVERABLE, WAITING, status=TRY_LATER)
    assert told.count("/bin/false failed with 1") == 2
    assert told.endswith("Still kept: 2.")
    assert [*ids()] == [WAITING, UNDELIVERABLE]


def test_a_letter_that_is_refused_for_good_now_is_not_done(house: House) -> None:
    letter(house, WAITING, "a")
    sendmail = house.path("sendmail")
    sendmail.write_text("#!/bin/sh\necho no such user >&2; exit 67\n")
    sendmail.chmod(0o700)
    house.settings(f"send: sendmail\nsendmail: {sendmail}\n")
    told = typed("retry", WAITING, status=TRY_LATER)
    (name,) = ids().values()
    assert [*ids()] == [UNDELIVERABLE]
    assert told.startswith(f"{name}: ")
    assert told.endswith("failed with 67 (no such user). Still kept: 1.")


def test_a_mail_is_carried_out_once_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a newer version may be able to read it. One that still cannot be read, or not
    be carried out now, stays."""
    good = mail_of("holo chat 1 alice xanadu", body="Hello!", Message_ID="<1@x>")
    name = keeping.quarantine(good, house.store)
    with monkeypatch.context() as broken:
        broken.setattr(inbox, "_carry_out", _fail)
        told = typed("retry", QUARANTINE, status=TRY_LATER)
    assert "LookupError" in told
    assert house.store.kept.mails(QUARANTINE) == [f"{name}.eml"]
    assert typed("retry", QUARANTINE) == "Done: 1 in quarantine."
    assert "Hello!" in house.type("holo history 1").text
    assert house.store.kept.mails(QUARANTINE) == []


def test_a_mail_that_nobody_can_read_stays(house: House) -> None:
    name = keeping.quarantine(b"\0" * 10, house.store)
    told = typed("retry", QUARANTINE, status=TRY_LATER)
    assert told.endswith("nobody can read it. Still kept: 1.")
    assert house.store.kept.mails(QUARANTINE) == [f"{name}.eml"]


def _fail(*given: object) -> None:
    raise LookupError("a codec")


def test_nobody_sends_what_is_removed(house: House) -> None:
    """While letters are being sent, none of them is removed; and in a store that is
    closed nothing is."""
    fill(house)
    house.settings("wait: 0\n")
    with house.store.flushing(WAITING), pytest.raises(Busy):
        owner.run(["kept", "drop", WAITING])
    assert [*ids()] == [*FOLDERS]
    house.store.close_to_writers("it is being copied")
    for what in ("drop", "retry"):
        with pytest.raises(StoreTrouble, match="closed to writers"):
            owner.run(["kept", what, *FOLDERS])
    assert [*ids()] == [*FOLDERS]


def test_the_words_are_completed(tmp_path: Path) -> None:
    asked = {"_PBM_COMPLETE": "bash_complete", "COMP_CWORD": "2"}
    done = run(tmp_path, "pbm", **asked, COMP_WORDS="pbm kept ")
    assert [line.partition(",")[2] for line in done.out.split()] == [
        *("list", "show", "drop", "retry")
    ]
