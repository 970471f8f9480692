"""Playing by forms, as in a browser without scripts."""

import json

import pytest

from pbm_holomino.rules import names
from tests.boards import short, typed
from tests.house import PASSWORDS, House, home
from tests.web.browser import Browser, Page, signed_in
from tests.web.stacks import STACKING, to_top

BOARD = "/holo/1"


def test_a_move_is_chosen_looked_at_and_played(house: House, alice: Browser) -> None:
    page = alice.get(BOARD)
    assert "It is your turn." in page.text
    assert page.choices == [*house.legal()]
    shown = alice.send(page.form("/preview"), move=page.choices[-1])
    assert "Nothing has been played yet." in shown.text
    assert house.match().ply == 0
    done = alice.send(shown.form("/move"))
    assert done.url.endswith(BOARD)
    assert house.match().record.log[-1].action == page.choices[-1]
    assert "It is bob's turn." in done.text
    assert [letter.to for letter in house.taken()] == [(home("bob"),)]


def test_a_form_that_is_sent_twice_plays_once(house: House, alice: Browser) -> None:
    form = alice.get(f"{BOARD}/preview?move={house.legal()[0]}").form("/move")
    for _ in range(3):
        assert alice.send(form).url.endswith(BOARD)
    assert house.match().ply == 1
    assert len(house.taken()) == 1


def test_a_page_that_is_remembered_has_forms_of_its_own(
    house: House, alice: Browser, bob: Browser
) -> None:
    """And nobody gets the page of somebody else."""
    pages = [alice.get(BOARD), alice.get(BOARD), bob.get(BOARD)]
    assert [page.text.count("alice's boards") for page in pages] == [1, 1, 0]
    assert "Sign in" in Browser(house).get(BOARD).text
    sources = [form.fields.get("source") for page in pages for form in page.forms]
    given = [source for source in sources if source]
    assert len(given) > len(pages)
    assert len(given) == len({*given})


def test_of_two_tabs_one_is_told(house: House, alice: Browser) -> None:
    first, second = (
        alice.get(f"{BOARD}/preview?move={move}").form("/move")
        for move in house.legal()[:2]
    )
    alice.send(first)
    page = alice.send(second)
    assert page.status == 422
    assert "counts only as move 1, and the next move on holo 1 is 2" in page.text
    assert house.match().ply == 1


def test_only_the_player_to_move_is_offered_moves(house: House, bob: Browser) -> None:
    for browser in (bob, Browser(house)):
        page = browser.get(BOARD)
        assert not page.choices
        assert not [form for form in page.forms if form.action.endswith("preview")]
        shown = browser.get(f"{BOARD}/preview?move={house.legal()[0]}")
        assert not [form for form in shown.forms if form.action.endswith("move")]


def test_a_stranger_cannot_play(house: House, alice: Browser) -> None:
    form = alice.get(f"{BOARD}/preview?move={house.legal()[0]}").form("/move")
    page = Browser(house).send(form)
    assert page.status == 403
    assert house.match().ply == 0


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("999:1", "is not in your pool"),
        ("12:1", "A Holomino move is tile:position"),
        ("resign", "Please choose a move."),
        ("undo", "Please choose a move."),
        ("", "Please choose a move."),
        ("-format=json", "Please choose a move."),
        ("123:1 124:2", "Please choose a move."),
    ],
)
def test_what_is_no_move_is_refused_in_a_sentence(
    house: House, alice: Browser, move: str, said: str
) -> None:
    shown = alice.send(alice.get(BOARD).form("/preview"), move=move)
    form = alice.get(f"{BOARD}/preview?move={house.legal()[0]}").form("/move")
    done = alice.send(form, move=move)
    for page in (shown, done):
        assert page.status == 422
        assert "holo 1" in page.html
        assert said in page.text
    assert house.match().ply == 0


@pytest.mark.parametrize("game", names())
def test_a_game_is_played_to_its_end_without_scripts(
    house: House, alice: Browser, bob: Browser, game: str
) -> None:
    number = house.challenge(typed(short(game)), game=game)
    board, browsers = f"/{game}/{number}", {"alice": alice, "bob": bob}
    while (match := house.library.match(game, number)).result is None:
        who = match.turn[0]
        page = browsers[who].get(board)
        given = page.form("/preview").fields["move"]
        phases = {"take": "take:any", "pair": "pairs:any"}
        move = phases.get(match.view(None).phase, given)
        shown = browsers[who].send(page.form("/preview"), move=move)
        assert browsers[who].send(shown.form("/move")).status == 200
    assert "The game is over" in alice.get(board).text
    assert "Rematch" in bob.get(board).text


def test_a_tile_is_put_on_top_of_others_without_scripts(
    house: House, alice: Browser, bob: Browser
) -> None:
    for game in STACKING:
        number = house.challenge(game=game)
        move = to_top(house, game, number)
        who = house.library.match(game, number).turn[0]
        browser = {"alice": alice, "bob": bob}[who]
        page = browser.get(f"/{game}/{number}")
        assert f"<option>{move}<" in page.html.replace("\n", "")
        shown = browser.send(page.form("/preview"), move=move)
        browser.send(shown.form("/move"))
        drawing = house.library.match(game, number).view(None).drawing
        assert {*drawing.heights.values()} == {2}
        assert {*drawing.heights} == {*drawing.last}


def test_moves_say_what_they_cover(house: House, alice: Browser, bob: Browser) -> None:
    for game in STACKING:
        number = house.challenge(game=game)
        to_top(house, game, number)
        match = house.library.match(game, number)
        browser = {"alice": alice, "bob": bob}[match.turn[0]]
        found = json.loads(browser.get(f"/{game}/{number}/moves").html)
        drawing = match.view(None).drawing
        named = {int(at) for at in found["cells"]} & {*drawing.faces}
        assert found["covered"] == {
            str(at): f"{drawing.owner(at)!s}'s {drawing.faces[at]}" for at in named
        }
        assert named
        gain = "{move} adds {score} to the connected numbers."
        assert found["says"]["gain"] == gain


def test_nobody_has_moves_when_it_is_not_their_turn(
    browser: Browser, bob: Browser
) -> None:
    assert json.loads(bob.get(f"{BOARD}/moves").html) is None
    assert browser.get(f"{BOARD}/moves").status == 404


# Everything else


def test_an_undo_is_asked_for_and_accepted(
    house: House, alice: Browser, bob: Browser
) -> None:
    alice.move(BOARD, house.legal()[0])
    assert "You have asked" in alice.press(BOARD, "/undo").text
    page = bob.get(BOARD)
    assert "alice has asked" in page.text
    bob.send(page.form("/accept"))
    assert house.match().ply == 0


def test_a_tie_is_offered_and_rejected_and_accepted(
    house: House, alice: Browser, bob: Browser
) -> None:
    alice.press(BOARD, "/propose")
    bob.press(BOARD, "/reject")
    assert house.match().offer is None
    bob.press(BOARD, "/propose")
    page = alice.press(BOARD, "/accept")
    assert "tied, as agreed" in page.text


def test_resigning_ends_the_game_and_a_rematch_begins_another(
    house: House, alice: Browser, bob: Browser
) -> None:
    house.accept()
    page = alice.press(BOARD, "/resign")
    assert "bob won, as alice resigned" in page.text
    again = bob.press(BOARD, "/rematch")
    assert again.url.endswith("/holo/2")
    assert house.match(2).record.players == ("bob", "alice")


def test_a_rematch_may_have_other_options(
    house: House, alice: Browser, bob: Browser
) -> None:
    house.accept()
    alice.press(BOARD, "/resign")
    page = bob.get(BOARD)
    (form,) = [form for form in page.forms if "options" in form.fields]
    for words, said in (
        ("-clock=0d", "is outside its limits"),
        ("-colour=red", "There is no option"),
        ("carol", "There are too many words."),
    ):
        refused = bob.send(form, options=words)
        assert refused.status in (409, 422)
        assert said in refused.text
    again = bob.send(form, options="-clock=3d+1h/9d  -pool_size=5")
    assert again.url.endswith("/holo/2")
    assert "Options: -pool_size=5 -clock=3d+1h/9d" in again.text


def test_words_go_to_the_others(house: House, alice: Browser, bob: Browser) -> None:
    page = alice.press(BOARD, "/chat", text="Hello, bob!\nGood luck.")
    assert not _shows_new_words(page)
    assert "Hello, bob! Good luck." in page.text
    (letter,) = house.taken()
    assert letter.to == (home("bob"),)
    assert "Hello, bob!" in letter.text
    shown = bob.get(BOARD)
    assert "Hello, bob!" in shown.text
    assert '<a href="#said">1 new message</a>' in shown.html
    assert _shows_new_words(shown)
    bob.press(BOARD, "/chat", text="Thank you.")
    assert not _shows_new_words(bob.get(BOARD))
    assert alice.press(BOARD, "/chat", text="  ").status == 422


def _shows_new_words(page: Page) -> bool:
    """Whether a message is new to a reader, by its badge and by the link to it."""
    shown = {"new message" in page.text, '<b class="new">new</b>' in page.html}
    assert len(shown) == 1
    return shown.pop()


def test_a_queue_is_for_its_player_alone(
    house: House, alice: Browser, bob: Browser
) -> None:
    house.accept()
    tile = house.match().view(None).pools[1][0]
    page = bob.press(BOARD, "/queue", moves=f"{tile}:99 {tile}:98")
    assert f"Your queue: {tile}:99 {tile}:98" in page.text
    assert "queue" not in alice.get(BOARD).text.replace("Queue them", "").replace(
        "empties your queue", ""
    )
    emptied = bob.press(BOARD, "/queue", moves="")
    assert "Your queue:" not in emptied.text


def test_moves_are_laid_out_on_the_board_and_sent_ahead(
    house: House, alice: Browser, bob: Browser
) -> None:
    """Each is laid beside those before it, as if nobody else moved."""
    house.accept()
    planned: list[str] = []
    for _ in range(2):
        ahead = "+".join(planned)
        found = json.loads(bob.get(f"{BOARD}/moves?ahead={ahead}").html)
        moves = [one["move"] for one in found["moves"]]
        assert {move.split(":")[0] for move in moves} <= {*found["pool"]}
        shown = bob.get(f"{BOARD}/preview?ahead={ahead}&move={moves[-1]}")
        planned.append(moves[-1])
        assert shown.form("/queue").fields["moves"] == " ".join(planned)
    tiles = {move.split(":")[0] for move in planned}
    assert len(tiles) == 2  # a tile is laid once
    assert house.match().ply == 0
    done = bob.send(shown.form("/queue"))
    assert f"Your queue: {' '.join(planned)}" in done.text


def test_moves_ahead_are_for_players_alone(house: House, alice: Browser) -> None:
    house.sign_up("carol")
    carol = signed_in(house, "carol")
    for words in ("moves?ahead=", f"preview?ahead=&move={house.legal()[0]}"):
        assert carol.get(f"{BOARD}/{words}").status == 422
        assert "Password" in Browser(house).get(f"{BOARD}/{words}").text
    refused = alice.get(f"{BOARD}/preview?ahead=&move=999:1")
    assert refused.status == 422
    assert "is not in your pool" in refused.text


def test_a_move_is_submitted_and_confirmed(house: House, alice: Browser) -> None:
    move = house.legal()[0]
    form = alice.get(f"{BOARD}/preview?move={move}").form("/move")
    page = alice.send(form._replace(action=f"{BOARD}/submit"))
    assert f"You have submitted {move}#1." in page.text
    assert house.match().ply == 0
    alice.send(page.form("/confirm"))
    assert house.match().record.log[-1].action == move


def test_all_challenges_are_declined_at_once(house: House, bob: Browser) -> None:
    house.challenge(game="hextol")
    page = bob.press("/", "/decline")
    assert "challenged" not in page.text
    assert house.match().status == house.library.match("hextol", 1).status == "void"


def test_a_message_goes_to_one_player(house: House, alice: Browser) -> None:
    page = alice.press("/players/bob", "/message", text="Another game?")
    assert "bob" in page.text
    assert page.status == 200
    (letter,) = house.taken()
    assert letter.to == (home("bob"),)
    assert "Another game?" in letter.text
    forms = [form.action for form in alice.get("/players/alice").forms]
    assert not [action for action in forms if action.endswith("/message")]
    form = alice.get("/players/bob").form("/message")
    for name in ("nobody_here", "x"):
        assert (
            alice.send(form._replace(action=f"/players/{name}/message")).status >= 400
        )


@pytest.mark.parametrize(
    ("what", "status"), [("signoff", "off"), ("delete", "deleted")]
)
def test_players_leave_only_with_their_password(
    house: House, what: str, status: str
) -> None:
    house.sign_up("carol")
    carol = signed_in(house, "carol")
    assert carol.press("/settings", f"/{what}", password="wrong").status == 422
    carol.press("/settings", f"/{what}", password=PASSWORDS["carol"])
    account = house.library.account("carol")
    assert account is not None
    assert account.status == status


def test_a_challenge_is_declined(house: House, bob: Browser) -> None:
    page = bob.get(BOARD)
    assert "You have been challenged" in page.text
    assert "cancelled" in bob.send(page.form("/decline")).text


def test_a_challenge_is_opened_with_options(house: House, alice: Browser) -> None:
    page = alice.get("/challenge/hextol")
    for option in ("pool_size", "max_pips", "board_size", "nag", "forfeit", "random"):
        assert option in page.text
    words = {"others": "bob", "-pool_size": "5", "first": "them", "text": "Shall we?"}
    done = alice.send(page.form("/challenge/hextol"), **words)
    assert done.url.endswith("/hextol/1")
    record = house.library.match("hextol", 1).record
    assert record.players == ("bob", "alice")
    assert record.challenger == "alice"
    assert record.options["pool_size"] == 5
    (letter,) = house.taken()
    assert letter.to == (home("bob"),)
    assert "Shall we?" in letter.text
    assert "challenged" not in done.text  # she has done it herself


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"others": "nobody_here"}, "is not a player here"),
        ({"others": "bob", "-pool_size": "99"}, "outside its limits"),
        ({"others": "bob alice"}, "You named a player twice"),
        ({"others": ""}, "Please name the players"),
        ({"others": "-random"}, "cannot be a player"),
    ],
)
def test_a_challenge_that_cannot_be_is_refused(
    house: House, alice: Browser, fields: dict[str, str], said: str
) -> None:
    page = alice.press("/challenge/holo", "/challenge/holo", **fields)
    assert page.status == 422
    assert said in page.text
    assert house.library.lists.boards("holo") == [1]


def test_an_open_challenge_is_taken_up(
    house: House, alice: Browser, bob: Browser
) -> None:
    page = alice.press("/challenge/hextol", "/challenge/hextol", others="anyone")
    assert "an open challenge by alice" in page.text
    assert "Withdraw it" in page.text
    assert "hextol 1" in alice.get("/").text
    listed = bob.get("/hextol")
    assert "/hextol/1" in listed.links
    done = bob.press("/hextol/1", "/accept")
    assert "alice against bob" in done.text
    stranger = Browser(house).get("/hextol/1")
    assert stranger.status == 200


def test_settings_are_changed(house: House, alice: Browser) -> None:
    chosen = {
        "letters": "turns",
        "format": "text",
        "moves": "all",
        "threads": "on",
        "broadcasts": "off",
        "digest": "on",
        "zone": "berlin",
    }
    form = alice.get("/settings").form("/choices")
    for _ in range(2):  # as a button is pressed twice
        assert alice.send(form, **chosen).status == 200
    for what, value in (("vacation", "5"), ("block", "bob")):
        page = alice.press("/settings", f"/{what}", value=value)
        assert page.status == 200, page.text
    account = house.library.player("alice")
    assert account is not None
    assert (account.letters, account.format, account.threads) == ("turns", "text", True)
    assert (account.broadcasts, account.digest) == (False, True)
    assert (account.moves, account.zone_at(house.time)) == ("all", "Europe/Berlin")
    assert account.blocked == ("bob",)
    kinds = [line.action.kind.value for line in account.log]
    assert len(kinds) == len({*kinds}) + 1  # once each, and moves are of !letters
    assert "You are away until 2026-11-25." in page.text


def test_a_stale_tab_changes_only_what_was_chosen_in_it(
    house: House, alice: Browser
) -> None:
    stale = alice.get("/settings").form("/choices")
    alice.press("/settings", "/choices", letters="turns")
    alice.send(stale, format="words")
    account = house.library.player("alice")
    assert account is not None
    assert (account.letters, account.format) == ("turns", "words")


def test_what_is_refused_of_the_settings_can_be_mended(
    house: House, alice: Browser
) -> None:
    page = alice.press("/settings", "/choices", zone="Nowhere/At_all", digest="on")
    assert page.status == 422
    assert "not a zone that is known here" in page.text
    assert page.form("/choices").fields["zone"] == "Nowhere/At_all"
    account = house.library.player("alice")
    assert account is not None
    assert (account.digest, account.zone_at(house.time)) == (True, "UTC")
    page = alice.send(page.form("/choices"), zone="Europe/Vienna")
    assert page.status == 200


def test_an_address_is_changed_only_with_the_password(
    house: House, alice: Browser
) -> None:
    page = alice.press("/settings", "/address", value="a@x.example", password="wrong")
    assert page.status == 422
    assert "is not the password" in page.text
    alice.press("/settings", "/address", value="a@x.example", password="xanadu")
    account = house.library.player("alice")
    assert account is not None
    assert account.addresses == ("a@x.example",)


@pytest.mark.parametrize("path", ["/holo/1/void", "/settings/void", "/holo/9/resign"])
def test_what_no_page_offers_cannot_be_done(
    house: House, alice: Browser, path: str
) -> None:
    form = alice.get(BOARD).form("/resign")
    page = alice.send(form._replace(action=path))
    assert page.status in (404, 422)
    assert house.match().result is None


def test_letters_that_cannot_leave_stop_no_move(house: House, alice: Browser) -> None:
    house.cannot_send()
    assert alice.move(BOARD, house.legal()[0]).status == 200
    assert house.match().ply == 1


def test_moves_are_sent_ahead_by_a_form_also_on_ones_own_turn(
    house: House, alice: Browser
) -> None:
    """The first is played, and the others wait."""
    house.accept()
    first, other = house.legal()[0], house.match().view("alice").pools[0][-1]
    page = alice.press(BOARD, "/queue", moves=f"{first} {other}:99")
    assert "It is bob's turn." in page.text
    assert f"Your queue: {other}:99" in page.text
    assert house.match().record.log[-1].action == first


def test_the_words_for_a_board_begin_with_the_best_moves(
    house: House, alice: Browser, bob: Browser
) -> None:
    """To the player who is to move, as the words of letters do."""
    (place,) = {move.partition(":")[2] for move in house.legal()[:1]}
    told = " ".join(alice.get(BOARD).text.split())
    assert f":{place} scores nothing." in told
    assert "scores nothing." not in bob.get(BOARD).text


def test_a_pause_is_proposed_where_there_are_clocks(
    house: House, alice: Browser, bob: Browser
) -> None:
    with pytest.raises(StopIteration):
        alice.get(BOARD).form("/pause")
    board = f"/holo/{house.challenge('-clock=2d')}"
    house.accept(2)
    page = alice.get(board)
    assert "alice began this turn with 2 days, and has until" in page.text
    for days in ("", "31", "7 7", "-x"):
        assert alice.send(page.form("/pause"), days=days).status == 422
    shown = alice.send(page.form("/pause"), days=" 7 ")
    assert "You have proposed a pause of 7 days" in shown.text
    assert "accepted the pause" in bob.press(board, "/accept").text
