"""A walk through all pages in the pseudo-language: all they say can be translated."""

import html
import json
import re
from collections.abc import Iterator
from random import Random

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.match.reviews import Judged, Review, digest
from pbm_holomino.owner import tick
from pbm_holomino.store import reviews
from tests.boards import ANY
from tests.club import day
from tests.house import House, Seeds, own
from tests.languages.walk import bare, in_the_pseudo_language
from tests.web.browser import Browser, Page, signed_in
from tests.web.stacks import STACKING, to_top

# The boards of each game
RUNNING, OVER, OFFERED, AHEAD, TOP, ASKED = 1, 2, 3, 4, 5, 6
OF_ALL = (
    *(
        "/",
        "/open",
        "/settings",
        "/signin",
        "/signin/link",
        "/owner",
        "/players",
        "/players/bob",
        "/players/robot1",
    ),
    *("/tournaments", "/tournaments/1", "/tournaments/2", "/tournaments/3"),
    *("/players/nobody", "/nothing", "/link/holo/1/1/alice/x", "/help/tutorial"),
)
OF_A_GAME = (
    *("", "/standings", "/ratings", f"/{RUNNING}", f"/{RUNNING}/1", f"/{OVER}"),
    *("/paste", f"/{ASKED}", f"/{OFFERED}", f"/{AHEAD}", f"/{TOP}", "/7", "/99"),
    *(f"/{OVER}/record", f"/{RUNNING}/verify", f"/{OVER}/verify"),
    *(f"/{RUNNING}/ask?look=1", f"/{RUNNING}/ask?fits=x", f"/{OVER}/ask?fits=x"),
    *(
        f"/{OVER}/review",
        f"/{OVER}/review/1",
        f"/{RUNNING}/review",
        f"/{RUNNING}/preview?move=nothing",
    ),
)
PATHS = [*OF_ALL]
PATHS += [f"/{game}{path}" for game in rules.names() for path in OF_A_GAME]
PATHS += [
    f"/{what}/{game}"
    for game in rules.names()
    for what in ("challenge", "help", "learn", "play")
]
NAMES = {"Buchholz", "Sonneborn", "Berger"}  # those of inventors, and of sets of rules
NAMES |= {name for game in rules.names() for name in rules.load(game).PRESETS}
MOVE = r"\w+:[\w,]+"
LABEL = re.compile(r'\b(?:aria-label|placeholder|alt|title)="([^"]*)"')


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Much has happened there to alice, who reads the pseudo-language as all others."""
    with pytest.MonkeyPatch.context() as patch, in_the_pseudo_language():
        folder = tmp_path_factory.mktemp("games")
        house = House(folder, Seeds()).sign_up("alice", "bob", "carol")
        own(house, patch)
        for game in rules.names():
            _boards_of(house, game)
        for line in ("block alice {alice} carol", "change vacation bob {bob} 9"):
            assert house.type(line).status == 0
        _tournaments(house)
        yield house


def _boards_of(house: House, game: str) -> None:
    for number in (RUNNING, OVER, OFFERED, AHEAD, TOP, ASKED):
        house.challenge("-rated=no", game=game)
        if (game, number) != ("holo", ASKED):
            house.accept(number, game)
    for number, moves in ((RUNNING, 6), (OVER, 5), (OFFERED, 4), (AHEAD, 4)):
        _play(house, game, number, moves)
    if game in STACKING:
        to_top(house, game, TOP)
    queued = _move(house, game, AHEAD)
    others = {"alice": "bob", "bob": "alice"}
    for line in (
        f"{game} chat {RUNNING} bob {{bob}} -m=[Hello]",
        f"{game} hint {RUNNING} alice {{alice}}",
        f"{game} resign {OVER} bob {{bob}}",
        f"{game} move {OFFERED} bob {{bob}} propose",
        f"{game} challenge alice anyone -random",
    ):
        house.type(line)
    who = house.library.match(game, AHEAD).turn[0]
    house.type(f"{game} submit {AHEAD} {who} {{{who}}} {queued}")
    house.type(f"{game} queue {AHEAD} {others[who]} {{{others[who]}}} {queued}")
    match = house.library.match(game, OVER)
    log = match.record.log
    judged = [Judged(n, str(log[n].action), 1.0, (0.5, 0.5)) for n in match.moves]
    reviews.save(house.store, match, Review(digest(match), tuple(judged)))


def _play(house: House, game: str, number: int, moves: int) -> None:
    for _ in range(moves):
        who = house.library.match(game, number).turn[0]
        line = f"{game} move {number} {who} {{{who}}}"
        assert house.type(f"{line} {_move(house, game, number)}").status == 0


def _move(house: House, game: str, number: int) -> str:
    view = house.library.match(game, number).view(None)
    free = ANY.get(view.phase)
    return free or Random(number).choice(view.legal)


def _tournaments(house: House) -> None:
    """One has begun, one can be entered, and one was cancelled."""
    owner.run(["tournament", "open", "holo", "robin", "--at-once"])
    for who in ("alice", "bob", "carol"):
        house.type(f"tournament join 1 {who} {{{who}}}")
    house.time = day(14)
    assert list(tick.do_what_is_due(house.server))
    owner.run(["tournament", "open", "hextol", "swiss", "forfeit=10"])
    owner.run(["tournament", "open", "holo", "robin"])
    owner.run(["tournament", "cancel", "3"])


def words_of(page: Page) -> str:
    """All that is read on a page, or to those who cannot see it, but for what is typed,
    what others wrote, and the texts of help pages."""
    titles = re.findall(r"(?s)<(?:title|desc) id=[^>]*>(.*?)</", page.html)
    seen = re.sub(r"(?s)<(style|svg|code|option)\b.*?</\1>", " ", page.html)
    seen = re.sub(r"<option>[^<]*", " ", seen)
    if page.url.startswith("/help/"):
        seen = re.sub(r"(?s)<(title|h1|article)>.*?</\1>", " ", seen)
    if page.url.startswith("/learn/"):  # whose texts are parts of those
        seen = re.sub(
            r'(?s)<(title|h1|div class="task").*?</(title|h1|div)>', " ", seen
        )
    seen = re.sub(r'<span class="tile">.*?</span>', " ", seen)
    seen = re.sub(r'<label for="o-.*?</label>', " ", seen)  # options, as they are typed
    text = re.sub(r"<[^>]*>", "\n", seen)
    all_text = html.unescape("\n".join([text, *titles, *LABEL.findall(page.html)]))
    return re.sub(rf"\b({'|'.join(NAMES)}|{MOVE})\b", " ", all_text)


@pytest.mark.parametrize("path", PATHS)
def test_all_that_a_page_says_can_be_translated(shared: House, path: str) -> None:
    page = signed_in(shared, "alice").get(path)
    assert page.html.startswith('<!DOCTYPE html>\n<html lang="xx">')
    assert bare(words_of(page)) == ""


@pytest.mark.parametrize("game", rules.names())
def test_all_that_a_preview_says_can_be_translated(shared: House, game: str) -> None:
    for number in (RUNNING, AHEAD):
        match, move = shared.library.match(game, number), _move(shared, game, number)
        for who in match.record.players:
            ahead = "" if who in match.turn else "&ahead="
            path = f"/{game}/{number}/preview?move={move}{ahead}"
            page = signed_in(shared, who).get(path)
            assert bare(words_of(page)) == ""


FORMS: list[tuple[str, str, dict[str, str]]] = [
    ("/challenge/holo", "/challenge/holo", {"others": ""}),
    ("/challenge/holo", "/challenge/holo", {"others": "#"}),
    ("/challenge/holo", "/challenge/holo", {"others": "nobody"}),
    ("/settings", "/settings/add", {"value": "x@example.org", "password": "wrong"}),
    ("/settings", "/settings/vacation", {"value": "many"}),
    ("/settings", "/settings/choices", {"language": "tlh", "zone": "Nowhere/At_all"}),
    ("/settings", "/settings/password", {"current": "wrong", "new": "x"}),
    ("/tournaments/2", "/tournaments/2/join", {"source": "wrong"}),
    (f"/holo/{OFFERED}", "/accept", {"source": "wrong"}),
    (f"/holo/{RUNNING}", "/queue", {"moves": "nothing"}),
]


@pytest.mark.parametrize(("path", "action", "fields"), FORMS)
def test_all_that_is_refused_can_be_translated(
    shared: House, path: str, action: str, fields: dict[str, str]
) -> None:
    page = signed_in(shared, "alice").press(path, action, **fields)
    assert page.status >= 400
    assert bare(words_of(page)) == ""


@pytest.mark.parametrize("game", rules.names())
def test_what_moves_say_can_be_translated(shared: House, game: str) -> None:
    for number in (RUNNING, TOP):
        who = shared.library.match(game, number).turn[0]
        came = signed_in(shared, who).ask("GET", f"/{game}/{number}/moves")
        said = json.loads(came.text)
        says = said["says"].values()
        texts = [text if isinstance(text, str) else text[0][0] for text in says]
        assert all(bare(text) == "" for text in (*texts, *said["covered"].values()))


@pytest.mark.parametrize("path", ["/", "/signin", "/signup", "/forgot", "/holo/1"])
def test_strangers_read_english(shared: House, path: str) -> None:
    page = Browser(shared).get(path)
    assert '<html lang="en">' in page.html
    assert " mno" not in page.html
