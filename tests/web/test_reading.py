"""What anybody can read on the pages, without an account."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from pbm_holomino.letters import help as help_pages
from pbm_holomino.letters.help import subjects
from pbm_holomino.rules import names
from tests.house import House
from tests.paths import ROOT
from tests.web.browser import Browser, signed_in

RUNNING = "/holo/1"
FOR_OTHERS = ("help", "download")
DRAWN = re.compile('data-tile="(\\w+)"')


def test_the_front_page_leads_to_every_game_and_running_board(browser: Browser) -> None:
    page = browser.get("/")
    assert page.status == 200
    for game in names():
        assert {f"/{game}", f"/help/{game}"} <= {*page.links}
    assert RUNNING in page.links


def test_the_front_page_shows_the_newest_board_large_and_few_others(
    house: House, browser: Browser
) -> None:
    house.challenges(8)
    html = browser.get("/").html
    shown = re.findall(r'src="(/holo/\d+)/thumbnail', html)
    assert (len(shown), len({*shown})) == (7, 7)
    assert f'data-board="{shown[0][1:]}"' in html


def test_where_nothing_is_being_played_the_front_page_shows_an_example(
    tmp_path: Path,
) -> None:
    house = House(tmp_path)
    assert "/thumbnail" not in Browser(house).get("/").html
    shutil.copytree(ROOT / "games/examples", tmp_path / "examples")
    browser = Browser(house)
    html = browser.get("/").html
    (path,) = re.findall(r'src="([^"]*/thumbnail[^"]*)"', html)
    assert "data-faces" in browser.get(path).html
    assert "data-news" not in html


def test_the_front_page_has_the_title_that_the_owner_gave(house: House) -> None:
    """As text: it is no markup."""
    house.config = house.config._replace(title="Tiles & <b>tea</b>")
    page = Browser(house).get("/")
    assert "Tiles & <b>tea</b>" in page.text
    assert page.html.count("Tiles &amp; &lt;b&gt;tea&lt;/b&gt;") == 2  # with the head's
    assert "<b>tea" not in page.html


def test_a_balancer_hears_that_it_is_there_and_nothing_else(browser: Browser) -> None:
    page = browser.get("/healthz")
    assert (page.status, page.html) == (200, "ok\n")


@pytest.mark.parametrize("reader", ["", "alice"])
def test_every_link_leads_somewhere(
    house: House, browser: Browser, reader: str
) -> None:
    house.type("holo challenge alice robot1")
    house.type("hextol challenge bob anyone")
    if reader:
        browser.sign_in(reader)
    seen, waiting = set[str](), ["/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        page = browser.get(path)
        assert page.status == 200, path
        ours = {link for link in page.links if link.startswith("/")}
        if reader:  # for whom help is the same, and who gets files
            ours = {link for link in ours if link.split("/")[1] not in FOR_OTHERS}
        waiting += ours - seen - {*waiting}
    assert {"/players", "/players/alice", "/holo/1/record", "/holo/ratings"} <= seen
    assert {"/open", "/players/robot1", "/hextol/1"} <= seen


@pytest.mark.parametrize("subject", sorted({*subjects()} - {*names()}))
def test_a_help_page_says_what_it_says_elsewhere(
    browser: Browser, subject: str
) -> None:
    marks = r"(?m)^- |(?<=\n\n)\d\. |\s"  # of lists and steps
    told = re.sub(marks, "", help_pages.page(subject))
    assert told in re.sub(r"\s", "", browser.get(f"/help/{subject}").text)


@pytest.mark.parametrize("game", names())
def test_the_rules_are_whole_but_for_their_figures(browser: Browser, game: str) -> None:
    told = re.sub(r"\s", "", browser.get(f"/help/{game}").text)
    paragraphs = re.split(r"\n{2,}", help_pages.page(game))
    for text in paragraphs:
        if not text.startswith(("  ", "- ")):
            assert re.sub(r"\s", "", text) in told


def test_the_rules_have_their_figures_as_pictures(browser: Browser) -> None:
    page = browser.get("/help/hextol")
    assert page.html.count("<svg") == 6  # as the text names six figures
    ids = re.findall(r' id="([^"]+)"', page.html)
    assert len(ids) == len({*ids})


def test_a_board_shows_what_a_player_needs(house: House, browser: Browser) -> None:
    page = browser.get(RUNNING)
    view = house.match().view(None)
    assert "It is alice's turn." in page.text
    for tile in (*view.pools[0], *view.pools[1]):
        assert tile in page.text
    assert house.match().record.seal in page.text
    assert page.html.count("<figure") == 1
    table, _, _ = page.html.partition("</table>")
    assert table.count("data-tile=") == len((*view.pools[0], *view.pools[1]))


def test_walongs_and_pairs_are_drawn_where_they_are_named(house: House) -> None:
    board, alice = house.challenge(game="walomino"), signed_in(house, "alice")
    house.accept(board, "walomino")
    for who in ("alice", "bob"):
        done = house.type(f"walomino move {board} {who} {{{who}}} take:any")
        assert done.status == 0, done.text
    page = alice.get(f"/walomino/{board}")
    (label,) = re.findall(r'<label for="choice">(.*?)</label>', page.html, re.DOTALL)
    view = house.library.match("walomino", board).view("alice")
    pairs = view.proposal.moves[0].removeprefix("pairs:").split(",")
    assert DRAWN.findall(label) == pairs
    (told,) = re.findall(r'<p class="happened">(.*?)</p>', page.html, re.DOTALL)
    taken = Counter(tile for pool in view.pools for tile in pool)
    assert (taken - Counter(DRAWN.findall(told))).total() == 1  # alice's first, before


def test_the_board_can_be_read_aloud(house: House, browser: Browser) -> None:
    (face,) = house.match().view(None).drawing.faces.values()
    upper, right, lower = tuple(face)
    words = f"0: upper left {upper}, right {right}, lower left {lower}."
    assert words in browser.get(RUNNING).text


def test_every_past_position_has_a_page(house: House, browser: Browser) -> None:
    house.play(moves=3)
    now = browser.get(RUNNING)
    assert {f"/holo/1/{ply}" for ply in range(3)} <= {*now.links}
    first = browser.get("/holo/1/0")
    assert "at the start" in first.text
    assert len(re.findall("data-faces", first.html)) == 1
    assert len(re.findall("data-faces", browser.get("/holo/1/2").html)) == 3
    assert "turn" not in first.text  # nobody can move there
    assert browser.get("/holo/1/4").status == 404


def test_a_list_shows_a_picture_of_each_board(house: House, browser: Browser) -> None:
    """As everybody sees it, under an address that changes with each move."""
    found = []
    for _ in range(2):
        house.play(moves=1)
        (path,) = re.findall(
            r'src="(/holo/1/thumbnail[^"]*)"', browser.get("/holo").html
        )
        found.append(path)
        picture = browser.get(path)
        assert picture.headers["Content-Type"] == "image/svg+xml"
        faces = house.match().view(None).drawing.faces
        assert picture.html.count("data-faces") == len(faces)
        assert "data-kind" not in picture.html
    assert len({*found}) == 2
    assert browser.get("/holo/9/thumbnail").status == 404


def test_a_damaged_board_has_a_picture_that_is_no_board(
    house: House, browser: Browser
) -> None:
    house.damage("holo", "1")
    picture = browser.get("/holo/1/thumbnail?0")
    assert picture.status == 200
    assert picture.headers["Cache-Control"] == "no-cache"
    assert "<svg" in picture.html
    assert "data-faces" not in picture.html


def test_a_game_that_is_over_proves_its_draws(house: House, browser: Browser) -> None:
    assert browser.get("/holo/1/verify").status == 404
    house.play()
    page = browser.get("/holo/1/verify")
    assert page.status == 200
    assert house.match().record.seed.hex() in page.text


def test_what_players_say_is_text_and_nothing_else(
    house: House, browser: Browser
) -> None:
    house.type(
        "holo chat 1 bob {bob}", "-m=<script>alert(1)</script> & http://x.example"
    )
    page = browser.get(RUNNING)
    assert "<script>alert" not in page.html
    assert "<script>alert(1)</script>" in page.text
    assert not any("x.example" in link for link in page.links)


def test_a_secret_is_on_no_page(tmp_path: Path) -> None:
    house = House(tmp_path).sign_up()
    house.challenge(game="walomino")
    house.type("walomino queue 1 bob {bob} take:YYYY")
    house.type("walomino move 1 alice {alice} take:RRRRRPBPB")
    browser = Browser(house)
    for path in ("/walomino/1", "/walomino/1/0", "/walomino/1/record", "/"):
        page = browser.get(path)
        assert page.status == 200
        assert "PBPB" not in page.html  # what alice still wishes for
        assert house.library.match("walomino", 1).record.seed.hex() not in page.html


@pytest.mark.parametrize(
    "path",
    ["/holo/99", "/holo/0", "/holo/x", "/holo/1/x", "/chess", "/players/nobody"]
    + ["/help/nothing", f"/holo/{'9' * 5000}", "/holo/1/2/3", "/holo/\0", "/../.."],
)
def test_what_is_not_there_is_said_in_a_sentence(browser: Browser, path: str) -> None:
    page = browser.get(path)
    assert page.status == 404
    assert "There is no" in page.text or "is not" in page.text or "has no" in page.text


def test_a_page_that_the_browser_knows_is_not_sent_again(
    house: House, browser: Browser
) -> None:
    tag = browser.get(RUNNING).headers["ETag"]
    assert browser.get(RUNNING, If_None_Match=tag).status == 304
    house.play(moves=1)
    assert browser.get(RUNNING, If_None_Match=tag).status == 200


def test_pages_are_guarded_and_fetch_nothing_from_elsewhere(browser: Browser) -> None:
    page = browser.get(RUNNING)
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert "manifest-src 'self'; worker-src 'self'" in policy
    fetched = {*re.findall(r'(?:src|<link[^>]* href)="([^"]*)"', page.html)}
    assert "/manifest.webmanifest" in fetched  # whose icons have their own test
    for path in fetched - {"/manifest.webmanifest"}:
        assert path.startswith("/static/")
        kept = browser.ask("GET", path)
        assert kept.status == 200
        assert "immutable" in kept.headers["Cache-Control"]
    assert not re.search(r"<style|style=|<script>|onclick", page.html)


def test_a_page_is_small(house: House, browser: Browser) -> None:
    house.play(moves=30)
    page = browser.get(RUNNING)
    assert page.headers["Content-Encoding"] == "gzip"
    assert page.size < 30_000


def test_peoples_pages_are_not_for_search_engines(browser: Browser) -> None:
    people = ("/players", "/players/alice", "/holo/standings", "/holo/ratings")
    for path in (*people, "/open", RUNNING, f"{RUNNING}/record", f"{RUNNING}/0"):
        assert '<meta name="robots" content="noindex">' in browser.get(path).html
    for path in ("/", "/holo", "/help/holo", "/tournaments"):
        assert "noindex" not in browser.get(path).html


def test_search_engines_are_told_what_to_leave_alone(browser: Browser) -> None:
    lines = browser.ask("GET", "/robots.txt").text.splitlines()
    assert lines[:2] == ["User-agent: *", "Disallow: /players"]


def test_a_fault_of_ours_is_told_to_the_owner_alone(
    browser: Browser,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*words: object) -> None:
        raise ValueError("secret words")

    monkeypatch.setattr(browser.house.library, "shown", fail)
    page = browser.get(RUNNING)
    assert page.status == 500
    assert "secret" not in page.html
    assert "ValueError" in capsys.readouterr().err


def test_pages_can_be_below_a_path(house: House) -> None:
    house.config = house.config._replace(web="https://example.net/pbm/")
    browser = Browser(house)
    page = browser.get("/pbm/holo/1")
    assert page.status == 200
    assert all(link.startswith(("/pbm/", "#")) for link in page.links)
    assert browser.get("/holo/1").status == 404
    assert browser.get("/pbm").headers["location"] == "/pbm/"
    assert browser.get("/pbm/").status == 200
    assert "Strict-Transport-Security" in page.headers


def test_the_tutorial_is_text_with_examples(browser: Browser) -> None:
    html = browser.get("/help/tutorial").html
    assert [f'<ol start="{n}">' in html for n in range(9)] == [
        False,
        *7 * [True],
        False,
    ]
    examples = re.findall(r"<pre[^>]*>(.*?)</pre>", html, re.DOTALL)
    assert "123:4" in examples  # telephones have no room for more blanks
    assert not [one for one in examples if one.rstrip().endswith((".", ":"))]
    assert '<p class="step">Both of you get the board' in html


def test_the_options_of_a_game_are_terms_with_what_explains_them(
    browser: Browser,
) -> None:
    html = browser.get("/help/holo").html
    assert (
        "<dt><code>-random</code></dt><dd>The seats are drawn by lot.</dd>\n"
        "<dt><code>-nag=N</code></dt>"
    ) in html
    assert not re.search(r"<pre[^>]*>[^<]*-nag=N", html)


def test_an_address_on_a_line_of_its_own_keeps_it(browser: Browser) -> None:
    html = browser.get("/help/holo").html
    assert '<a class="alone" href="http://www.cameronius.com/games/"' in html


def test_a_page_that_is_not_there_leads_to_the_first(browser: Browser) -> None:
    assert browser.get("/nowhere").links[-1] == "/"
