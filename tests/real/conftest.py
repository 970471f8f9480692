"""One post office for all of these tests, which each begins with an empty store."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.real import parts
from tests.real.players import PASSWORDS
from tests.real.postoffice import PostOffice


@pytest.fixture(scope="package")
def running() -> Iterator[PostOffice]:
    # not pytest's folder, which is closed to other accounts
    folder = Path(tempfile.mkdtemp(prefix="pbm-"))
    folder.chmod(0o755)
    with _as_it_was(Path("/var/mail") / parts.ROBOT):
        try:
            office = PostOffice(folder)
            office.start()
            yield office
            office.stop()
        finally:
            shutil.rmtree(folder)


@contextmanager
def _as_it_was(mailbox: Path) -> Iterator[None]:
    """Procmail makes an empty mailbox for whom it serves; it goes if it was not there,
    and nothing may have come into one."""
    before = mailbox.stat().st_size if mailbox.exists() else None
    yield
    if mailbox.exists():
        assert mailbox.stat().st_size == (before or 0)
        if before is None:
            mailbox.unlink(missing_ok=True)


@pytest.fixture
def office(running: PostOffice) -> Iterator[PostOffice]:
    """No password stands in a log when the test is done."""
    running.open_anew()
    yield running
    for log in running.logs():
        text = log.read_text()
        assert [word for word in PASSWORDS.values() if word in text] == []
