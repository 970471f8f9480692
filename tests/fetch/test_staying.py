"""A mailbox that is watched: when it is looked at, and what happens after it failed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbm_holomino.errors import CannotFetch, CannotSend, LoginRefused, NotAllowed
from pbm_holomino.fetch import staying
from pbm_holomino.fetch.progress import Progress
from pbm_holomino.fetch.staying import Chore, Watch
from pbm_holomino.fetch.stopping import Stopping
from tests.fetch.test_fetcher import Box, Desk


class Clock:
    """Time passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.time = 1000.0

    def sleep(self, seconds: float) -> None:
        self.time += seconds


class Idling(Box):
    """A mailbox that can be waited for: `news` come while it is."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.news: Callable[[], object] | None = None
        self.is_closed = False

    def wait(self, seconds: float) -> bool:
        if self.news is None:
            self.clock.sleep(seconds)
            return False
        self.clock.sleep(1)
        news, self.news = self.news, None
        news()
        return True

    def close(self) -> None:
        self.is_closed = True


class Scene:
    """A watch over a mailbox, and what goes wrong when it is opened."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = Clock()
        monkeypatch.setattr(staying, "monotonic", lambda: self.clock.time)
        monkeypatch.setattr(staying, "sleep", self.clock.sleep)
        self.desk = Desk(folder)
        self.box = Idling(self.clock)
        self.wrong: Exception | None = None
        self.opened: list[float] = []
        desk = self.desk
        self.stamp = "a file"
        self.warned: list[Progress] = []
        self.watch = Watch(
            self.open,
            desk.fetcher,
            desk.store,
            desk.lease,
            desk.process,
            lambda: self.stamp,
            self.warned.append,
        )

    def open(self, earlier: str) -> Idling:
        self.opened.append(self.clock.time)
        if self.wrong is not None:
            raise self.wrong
        self.box.is_closed = False
        return self.box

    def go_on(self, seconds: float) -> None:
        """Watch for so long."""
        end = self.clock.time + seconds
        while self.clock.time < end:
            left = min(self.watch.look_if_due(), end - self.clock.time)
            self.watch.wait(left)

    def pauses(self) -> list[float]:
        times = zip(self.opened, self.opened[1:], strict=False)
        return [after - before for before, after in times]


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(tmp_path / "store", monkeypatch)


def test_it_looks_when_something_comes_and_every_two_minutes(scene: Scene) -> None:
    scene.go_on(1)
    scene.box.news = lambda: scene.box.there.update(a=b"a")
    scene.go_on(2)
    assert scene.desk.taken() == [b"a"]
    scene.box.there["b"] = b"b"  # nobody says so
    scene.go_on(100)
    assert scene.desk.taken() == []
    scene.go_on(30)
    assert scene.desk.taken() == [b"b"]
    assert len(scene.opened) == 1


def test_it_looks_when_a_mail_is_due_again(scene: Scene) -> None:
    scene.box.there["a"] = b"a"
    scene.desk.wrong[b"a"] = CannotSend("No room.")
    scene.go_on(59)
    scene.desk.wait(60)
    scene.go_on(2)
    assert scene.desk.taken() == [b"a", b"a"]


def test_pauses_grow(scene: Scene) -> None:
    scene.wrong = CannotFetch("Nobody answers.")
    scene.go_on(1500)
    assert scene.pauses() == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]


def test_a_login_that_is_refused_is_not_repeated_often(scene: Scene) -> None:
    scene.wrong = LoginRefused("Wrong password.")
    scene.go_on(12_000)
    assert scene.pauses() == [60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_a_password_that_was_changed_is_tried_at_once(scene: Scene) -> None:
    """Not only after the pause, of an hour in the end; and once."""
    scene.wrong = LoginRefused("Wrong password.")
    scene.go_on(12_000)
    scene.opened.clear()
    scene.stamp = "another file"
    scene.go_on(6)
    assert len(scene.opened) == 1
    scene.go_on(60)
    assert scene.pauses() == [60]  # as after the first one
    scene.wrong, scene.stamp = None, "the right one"
    scene.go_on(6)
    assert scene.desk.problems() == []


def test_the_owner_may_be_told_of_each_failure(scene: Scene) -> None:
    scene.wrong = CannotFetch("Nobody answers.")
    scene.go_on(7)
    assert [known.why for known in scene.warned] == ["Nobody answers."] * 3
    assert {known.failing for known in scene.warned} == {"2026-11-20T08:00:00Z"}


def test_each_reason_is_told_once(
    scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    scene.wrong = CannotFetch("Nobody answers.")
    scene.go_on(100)
    assert scene.desk.problems() == [
        "Mail cannot be fetched, since 2026-11-20, 08:00 UTC. Nobody answers."
    ]
    scene.wrong = None
    scene.go_on(400)
    assert capsys.readouterr().err == (
        "pbm fetch: Nobody answers.\npbm fetch: Mail is fetched again.\n"
    )
    assert scene.desk.problems() == []


def test_a_connection_that_is_lost_at_each_wait(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that lets us in and then hangs up is not called without a pause."""

    def lose(seconds: float) -> bool:
        raise CannotFetch("Lost.")

    with monkeypatch.context() as broken:
        broken.setattr(scene.box, "wait", lose)
        scene.go_on(100)
    assert scene.pauses() == [2, 4, 8, 16, 32]
    assert scene.box.is_closed
    scene.go_on(300)
    assert not scene.box.is_closed


def test_a_store_in_trouble_is_tried_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise OSError("a bug of ours")

    scene.box.there["a"] = b"a"
    with monkeypatch.context() as broken:
        broken.setattr(scene.desk.store, "save", full)
        scene.go_on(10)
    scene.go_on(20)
    assert scene.desk.taken() == [b"a"]


def test_wrong_settings_end_it(scene: Scene) -> None:
    scene.wrong = NotAllowed("There is no mailbox.")
    with pytest.raises(NotAllowed):
        scene.go_on(1)


def test_chores(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    monkeypatch.setattr(staying, "monotonic", lambda: clock.time)
    done: list[float] = []

    def do() -> Iterator[str]:
        done.append(clock.time)
        if len(done) <= 2:
            raise CannotSend("Nobody answers.")
        yield "There is no room."

    chore = Chore(do, 60, Stopping("pbm run"))
    assert chore.do_if_due() == 60
    clock.sleep(59)
    assert chore.do_if_due() == 1
    clock.sleep(1)
    assert chore.do_if_due() == 60
    assert done == [1000, 1060]
    assert capsys.readouterr().err == "pbm run: Nobody answers.\n"  # once
    for _ in range(2):
        clock.sleep(60)
        chore.do_if_due()
    assert capsys.readouterr().err == "pbm run: There is no room.\n"
