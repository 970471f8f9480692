"""Two servers with the same players, clock, seeds and mails; on one of them bob also
plans: he queues and submits moves that are never played, answers ahead moves that never
come, tries moves, keeps them with notes, and asks a robot about them. Whatever anybody
else gets or can ask for is the same there, byte by byte."""

import random
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from pbm_holomino.commands import allowance
from pbm_holomino.mail.message import message
from pbm_holomino.match.board import Match
from pbm_holomino.owner import tick
from pbm_holomino.resident import advising
from pbm_holomino.resident.work import Work
from pbm_holomino.store import robot_jobs
from pbm_holomino.web import boards, robot_help
from tests.boards import notations
from tests.house import House, Seeds, fill_in, home, mail_of
from tests.sizes import sized
from tests.web.browser import Browser

WEB = "https://games.example.org"
CLOCK = time.struct_time([2026, 11, 20, 8, 0, 0, 4, 324, 0])
OPENINGS = ["holo challenge alice bob", "hextol challenge bob carol -rated=no"]
OPENINGS += ["walomino challenge carol alice bob -draft=random"]
OPENINGS += ["walomino challenge alice bob robot", "holo challenge carol alice"]
BOARDS = [("holo", 1), ("hextol", 1), ("walomino", 1), ("walomino", 2), ("holo", 2)]
OTHERS = ("alice", "carol")
# Moves that can be queued and will never be played, as their numbers are too high.
NEVER = {"holo": "123:17#901", "hextol": "24:7,8#901", "walomino": "take:any#901"}
# Answers ahead that never fit, to moves that never come: where two play.
TREES = {
    "holo": "if 123:17#903 142:5 if 142:5/124:6#903 123:17 * 123:17#901",
    "hextol": "if 24:7,8#903 66:7,19 if 66:7,19#903 24:7,8 * 24:7,8#901",
}
HIDDEN = r'<input type="hidden" name="(?:source|token)" value="[^"]*">'


class Mail(NamedTuple):
    """A mail that comes to both servers, at this time."""

    time: str
    raw: bytes


class Twin:
    """A server, and what everybody but bob gets and sees there."""

    def __init__(self, house: House) -> None:
        house.config = house.config._replace(web=WEB)
        house.server.seed = Seeds()
        self.house = house
        self.stranger = Browser(house, WEB)
        self.browsers = {name: Browser(house, WEB) for name in (*OTHERS, "bob")}
        for name, browser in self.browsers.items():
            browser.sign_in(name)
        self.robots = Work(house.server, 0.0)

    def match(self, game: str, board: int) -> Match:
        return self.house.library.match(game, board)

    def comes(
        self, mail: Mail, meanwhile: Callable[[], None] = lambda: None
    ) -> list[bytes]:
        """What the others get when a mail has come, the robots have moved, and the
        clock has done what is due; before the robots, something happens
        `meanwhile`."""
        self.house.time = mail.time
        sent = self.house.mail(mail.raw)
        meanwhile()
        self.house.sent.clear()
        list(self.robots.do_all())
        list(tick.do_what_is_due(self.house.server))
        sent += self.house.taken()
        letters = [letter for letter in sent if letter.to != (home("bob"),)]
        return [message(letter, self.house.config) for letter in letters]

    def shown(self) -> Iterator[str]:
        """What anybody but bob is answered, and sees on the pages."""
        for line in _questions():
            yield f"{line}\n{self.house.type(line).text}"
        for path in ("/", "/players", "/players/bob", "/holo", "/walomino"):
            yield self._page(self.stranger, path)
        for game, board in BOARDS:
            for path in (f"/{game}/{board}", f"/{game}/{board}/record"):
                yield self._page(self.stranger, path)
            yield boards.revision(self.match(game, board))
            yield boards.tag(self.match(game, board))
            for name in OTHERS:
                for path in (f"/{game}/{board}", f"/{game}/{board}/try"):
                    yield self._page(self.browsers[name], path)
        for name in OTHERS:
            yield self._page(self.browsers[name], "/")
            settings = self.browsers[name].get("/settings").html
            (calendar,) = set(re.findall(r"/calendar/\S+?\.ics", settings))
            yield self._page(self.browsers[name], calendar)

    def _page(self, browser: Browser, path: str) -> str:
        came = browser.ask("GET", path)
        told = re.sub(HIDDEN, "", came.text)
        return f"{path} {came.status} {came.headers.get('ETag')}\n{told}"


def _questions() -> Iterator[str]:
    yield from ("list players", "list holo walomino", "all show alice", "list open")
    for game in ("holo", "hextol", "walomino"):
        yield from (f"{game} games", f"{game} games bob next", f"{game} history")
    for game, board in BOARDS:
        for form in ("text", "json", "bbcode", "list"):
            yield f"{game} show {board} -format={form}"
        for form in ("text", "json", "yaml"):
            yield f"{game} history {board} -format={form}"
        for name in OTHERS:
            yield f"{game} showas {name} {{{name}}} {board} -format=json"


# What happens


def a_mail(twin: Twin, number: int, when: str, dice: random.Random) -> Mail:
    """Somebody moves, says, offers or answers something, by a command, by the link in
    their last letter, or by a reply to it."""
    game, board = dice.choice(BOARDS)
    match = twin.match(game, board)
    people = [name for name in match.record.players if name in ("bob", *OTHERS)]
    turn = [name for name in match.turn if name in people]
    who, body = dice.choice(people), f"Words {number}"
    what = dice.choice(["chat", "propose", "undo", "reject", "accept", "showas"])
    if turn and dice.random() < 0.7:
        who = dice.choice(turn)
        what = dice.choice(notations(match, who))
    line = f"{game} move {board} {who} {{{who}}} {what}"
    if what in ("chat", "accept"):
        line = f"{game} {what} {board} {who} {{{who}}}"
    if what == "showas":
        line = f"{game} showas {who} {{{who}}} {board}"
    if dice.random() < 0.1:
        line = f"message {who} {{{who}}} {dice.choice(OTHERS)}"
    headers = {"Message_ID": f"<{number}@mail>"}
    last = [sent for sent in LAST.get(who, []) if sent.startswith(f"{game}.{board}.")]
    if who != "bob" and last and dice.random() < 0.4 and not line.startswith("message"):
        headers["In_Reply_To"] = f"<{last[-1]}@localhost>"
        said = "show" if what == "showas" else what
        return Mail(when, mail_of("Re: x", home(who), f"{said}\n{body}", **headers))
    return Mail(when, mail_of(fill_in(line), home(who), body, **headers))


LAST: dict[str, list[str]] = {}  # the ids of the letters that the others have got


def bob_plans(twin: Twin, number: int, dice: random.Random) -> None:
    """Bob sends something ahead, empties his queue, or looks at a board."""
    game, board = dice.choice(BOARDS[:-1])
    match, house, where = twin.match(game, board), twin.house, f"/{game}/{board}"
    try_moves(twin.browsers["bob"], f"{where}/try")
    drafts = notations(match, "bob") if "bob" in match.turn else []
    never, draft = NEVER[game], dice.choice(drafts) if drafts else ""
    if len(match.record.players) == 2 and dice.random() < 0.5:
        never = TREES.get(game, never)
    if draft and dice.random() < 0.6:
        if dice.random() < 0.5 and " " not in draft:
            fields = {"move": draft, "no": str(match.ply + 1)}
            twin.browsers["bob"].press(where, "/queue", moves="", **fields)
        line = f"{game} submit {board} bob {{bob}} {draft}"
    elif drafts:
        line = f"{game} showas bob {{bob}} {board}"
    else:
        line = f"{game} queue {board} bob {{bob}} {dice.choice([never, never, 'none'])}"
        if dice.random() < 0.3:
            field = "line" if never == TREES.get(game) else "moves"
            twin.browsers["bob"].press(where, "/queue", **{field: never})
    raw = mail_of(
        fill_in(line), home("bob"), Message_ID=f"<plan{number}{house.time}@mail>"
    )
    house.mail(raw)


def try_moves(browser: Browser, where: str) -> None:
    """Go three moves ahead on the page for that, as far as the game goes, and keep
    them with a note. Where hints are allowed, ask for one there."""
    page = browser.get(where)
    for _ in range(3):
        if page.choices:
            page = browser.send(page.form("/try"), by="")
    kept = browser.send(page.form("/note"), text="I shall win")
    assert "I shall win" in kept.text
    page = browser.get(f"{page.url}&by=chance")
    for form in page.forms:
        if form.action.endswith("/try/hint"):
            assert "A robot is thinking" in browser.send(form).text


def times() -> Iterator[str]:
    """Minutes that pass, and now and then a week."""
    for day in range(1, 30):
        for minute in range(10, 60):
            yield f"2026-12-{day:02}T08:{minute}:00Z"


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Twin, Twin]:
    monkeypatch.setattr(time, "gmtime", lambda *_: CLOCK)
    monkeypatch.setattr(robot_help, "PATIENCE", 0.0)
    monkeypatch.setattr(advising, "HINT_SECONDS", 0.01)
    house = House(tmp_path / "one").sign_up("alice", "bob", "carol")
    house.type("change digest carol {carol} on")
    house.taken()
    return Twin(house), Twin(house.copy(tmp_path / "two"))


@pytest.mark.parametrize("seed", range(sized(1, 25)))
def test_what_bob_plans_shows_nowhere(twins: tuple[Twin, Twin], seed: int) -> None:
    dice, planning = random.Random(seed), random.Random(f"plans {seed}")
    bare, planned = twins
    LAST.clear()
    clock = times()
    for twin in twins if seed % 2 else ():
        twin.house.type("change letters alice {alice} turns")
    for number, line in enumerate(OPENINGS):
        who = line.split()[2]
        headers = {"Message_ID": f"<open{number}@mail>"}
        mail = Mail(next(clock), mail_of(line, home(who), **headers))
        assert bare.comes(mail) == planned.comes(mail)
    assert list(bare.shown()) == list(planned.shown())
    for number in range(sized(30, 120)):
        plan = partial(bob_plans, planned, number, planning)
        if planning.random() < 0.6:
            bare.house.time = planned.house.time = next(clock)
            plan()
        for _ in range(60 if dice.random() < 0.04 else 1):
            when = next(clock)
        mail = a_mail(bare, number, when, dice)
        one = bare.comes(mail)
        assert one == planned.comes(mail, plan if number % 3 == 2 else lambda: None)
        keep_ids(one)
        if number % 10 == 9:
            for here, there in zip(bare.shown(), planned.shown(), strict=True):
                assert here == there
    plans = sum(lines(planned, *key) - lines(bare, *key) for key in BOARDS)
    assert plans > 5
    noted = [planned.match(*key).record.notes.values() for key in BOARDS]
    assert any(note.startswith("if ") for notes in noted for note in notes)


def test_what_bob_thinks_when_it_is_over_shows_where_he_publishes_it(
    twins: tuple[Twin, Twin],
) -> None:
    """And what he thinks after that shows nowhere."""
    bare, planned = twins
    for twin in twins:
        for number, line in enumerate(OPENINGS):
            raw = mail_of(line, home(line.split()[2]), Message_ID=f"<open{number}@m>")
            twin.comes(Mail("2026-12-01T08:00:00Z", raw))
        assert twin.house.type("hextol accept 1 carol {carol}").status == 0
        match = twin.match("hextol", 1)
        who, move = match.turn[0], match.view(None).legal[0]
        for line in (f"move 1 {who} {{{who}}} {move}", "resign 1 carol {carol}"):
            assert twin.house.type(f"hextol {line}").status == 0
        try_moves(twin.browsers["bob"], "/hextol/1/try?since=0")
        twin.house.taken()
    assert [*bare.shown()] == [*planned.shown()]
    silent = [*bare.shown()]
    for twin in twins:
        assert twin.house.type("hextol publish 1 bob {bob}").status == 0
        assert twin.house.taken() == []
    spoken = [*bare.shown()]
    changed = [one for one, other in zip(spoken, silent, strict=True) if one != other]
    assert {told.split("\n")[0].split()[0] for told in changed} <= {
        *("hextol", "/hextol/1", "/hextol/1/record", "/hextol/1/try")
    }
    assert all("I shall win" in told for told in changed)
    browser = planned.browsers["bob"]
    try_moves(browser, "/hextol/1/try?since=0")
    for line in ("note 1 bob {bob} -m=No", "analyse 1 bob {bob} -keep"):
        assert planned.house.type(f"hextol {line}").status == 0
    assert [*robot_jobs.waiting(planned.house.store)]
    assert any(planned.robots.do_all())
    planned.house.taken()
    assert spoken == [*planned.shown()]


def lines(twin: Twin, game: str, board: int) -> int:
    return len(twin.match(game, board).record.log)


def keep_ids(letters: list[bytes]) -> None:
    for letter in letters:
        (name,) = re.findall(rb"(?m)^Message-ID: <([^@]+)@", letter)
        (who,) = re.findall(rb"(?m)^To: ([a-z]+)@", letter)
        LAST.setdefault(who.decode(), []).append(name.decode())


def test_plans_are_no_part_of_what_others_mails_may_cost(
    twins: tuple[Twin, Twin], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise whoever asks for boards of their own as well could count them."""
    clock, dice = times(), random.Random(1)
    for twin in twins:
        for number, line in enumerate(OPENINGS):
            raw = mail_of(line, home(line.split()[2]), Message_ID=f"<open{number}@m>")
            twin.comes(Mail("2026-12-01T08:00:00Z", raw))
    bare, planned = twins
    for number in range(20):
        planned.house.time = next(clock)
        bob_plans(planned, number, dice)
    assert lines(planned, "holo", 1) > lines(bare, "holo", 1)
    body = "\n".join(f"{game} showas carol quokka9 {no}" for game, no in BOARDS * 2)
    when = next(clock)
    known = 2 * sum(lines(bare, *key) for key in BOARDS)
    for most in (known - 1, known):
        monkeypatch.setattr(allowance, "MOST_LINES", most)
        raw = mail_of("multiple", home("carol"), body, Message_ID=f"<{most}@m>")
        (one,), (other,) = bare.comes(Mail(when, raw)), planned.comes(Mail(when, raw))
        assert one == other
        assert (b"has no room for more" in one) == (most < known)
