"""A reply to a letter of ours: its first line is a command, and its token is enough."""

import re
from urllib.parse import unquote

import pytest

from pbm_holomino import owner
from pbm_holomino.letters.html import Links, html
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import TOKEN
from pbm_holomino.server import unread
from pbm_holomino.server.transaction import Server
from tests.house import FRIENDS, House, home, mail_of, own

LATER = "2026-12-01T08:00:00Z"


def letter_to(letters: list[Letter], who: str) -> Letter:
    """The last of these letters to a player."""
    return [letter for letter in letters if home(who) in letter.to][-1]


def first_letters(house: House, *names: str) -> dict[str, Letter]:
    """The letters of a new board, of holo unless the names are many."""
    house.taken()
    house.challenge(names=" ".join(names or ("alice", "bob")))
    letters = house.taken()
    return {name: letter_to(letters, name) for name in names or ("alice", "bob")}


def id_of(letter: Letter) -> str:
    return f"<{letter.id}@localhost>"


def token_of(letter: Letter) -> str:
    found = re.search(rf"\.({TOKEN})(\.|$)", letter.id)
    assert found
    return found[1]


def reply(
    house: House,
    letter: Letter,
    text: str,
    sender: str = "",
    number: int = 1,
    **more: str,
) -> list[Letter]:
    """The letters that leave because somebody, its reader unless named, has pressed
    Reply."""
    headers = {
        "In_Reply_To": id_of(letter),
        "Message_ID": f"<{number}.{text[:9].encode().hex()}@x>",
    }
    raw = mail_of(
        f"Re: {letter.subject}", sender or letter.to[0], text, **{**headers, **more}
    )
    return house.mail(raw)


def moves_of(house: House, board: int = 2) -> list[str]:
    lines = house.match(board).record.log
    return [str(line.action) for line in lines if line.no]


def test_a_move_is_all_that_a_reply_needs(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    sent = reply(house, letters["alice"], f"{move}\n\nGood luck!")
    assert moves_of(house) == [move]
    assert "Good luck!" in letter_to(sent, "bob").text
    assert letter_to(sent, "alice").text.count(f"You played {move}") == 1


def test_a_whole_game_is_played_by_replies(house: House) -> None:
    last = first_letters(house)
    for number in range(200):
        match = house.match(2)
        if match.result is not None:
            break
        (who,) = match.turn
        move = match.view(None).legal[-1]
        sent = reply(house, last[who], move, number=number)
        for name in last:
            last[name] = letter_to(sent, name)
    result = house.match(2).result
    assert result is not None
    assert result.reason == "score"


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("resign", "!resign"),
        ("Resign.", "!resign"),
        ("Resign\u2026", "!resign"),
        ("propose", "!propose"),
        ("decline", "!decline"),
        ("queue 123:17", "!queue"),
        ("chat", "!chat"),
        ("chat hello", "!chat"),
    ],
)
def test_these_words_are_commands_in_a_reply(house: House, line: str, act: str) -> None:
    letters = first_letters(house)
    who = "bob" if act in ("!decline", "!queue") else "alice"
    reply(house, letters[who], f"{line}\n\nwell then")
    assert str(house.match(2).record.log[-1].action) == act


def test_show_preview_and_help_change_nothing(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    before = house.records()
    for number, line in enumerate(["show", f"preview {move}", "help", "help move"]):
        (answer,) = reply(house, letters["alice"], line, number=number)
        assert answer.to == (home("alice"),)
    assert house.records() == before


def test_help_alone_is_the_page_of_the_letter_s_game(house: House) -> None:
    letters = first_letters(house)
    pages = [house.type(line).text for line in ("help holo", "help move", "help")]
    for number, (line, page) in enumerate(
        zip(("help", "help move", "help commands"), pages, strict=True)
    ):
        (answer,) = reply(house, letters["alice"], line, number=number)
        assert answer.text == page
    house.type("message alice {alice} bob", "-m=hello")
    words = letter_to(house.taken(), "bob")
    (answer,) = reply(house, words, "help", number=9)
    assert answer.text == pages[2]


def test_what_show_answers_can_be_answered(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    (shown,) = reply(house, letters["alice"], "show")
    assert shown.id != letters["alice"].id
    assert token_of(shown) == token_of(letters["alice"])
    reply(house, shown, move, number=2)
    assert moves_of(house) == [move]


def test_a_reply_to_a_letter_of_the_past_is_refused_with_the_present_board(
    house: House,
) -> None:
    letters = first_letters(house)
    first, second, *_ = house.legal(2)
    sent = reply(house, letters["alice"], first)
    house.mail(mail_of(f"holo move 2 bob better4 {house.legal(2)[0]}", home("bob")))
    (refused,) = reply(house, letters["alice"], second, number=2)
    assert "reply is to an earlier letter about holo 2" in refused.text
    assert moves_of(house)[1:] == [moves_of(house)[1]]
    reply(house, refused, house.legal(2)[0], number=3)
    assert len(moves_of(house)) == 3
    assert sent


def test_the_same_reply_again_is_answered_and_not_done_again(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    first = reply(house, letters["alice"], move)
    again = reply(house, letters["alice"], move)
    assert moves_of(house) == [move]
    assert letter_to(again, "alice").text == letter_to(first, "alice").text


def three_or_four(house: House, seats: int) -> dict[str, Letter]:
    """A board of Walomino on which all players are making pairs; the last letter about
    it to each of them."""
    names = FRIENDS[:seats]
    house.sign_up(*names[2:])
    house.challenge("-draft=random", " ".join(names), "walomino")
    house.accept(game="walomino")
    sent = house.taken()
    return {name: letter_to(sent, name) for name in names}


def is_refused_as_outdated(
    house: House, letter: Letter, move: str = "pairs:any"
) -> bool:
    """Whether a reply with alice's move does nothing, and the letter that refuses it
    can be answered instead."""
    assert "alice" in house.library.match("walomino", 1).turn
    before = house.library.match("walomino", 1).record
    answers = reply(house, letter, move)
    if house.library.match("walomino", 1).record != before:
        return False
    (refused,) = answers
    assert "reply is to an earlier letter about walomino 1" in refused.text
    reply(house, refused, move, number=2)
    assert "alice" not in house.library.match("walomino", 1).turn
    return True


@pytest.mark.parametrize("seats", [3, 4])
def test_no_token_outlives_a_resignation_among_several(
    server: House, seats: int
) -> None:
    """The game goes on, and it is still the reader's turn, but on another position."""
    letters = three_or_four(server, seats)
    who = FRIENDS[seats - 1]
    assert server.type(f"walomino resign 1 {who} {{{who}}}").status == 0
    assert is_refused_as_outdated(server, letters["alice"])


def test_no_token_outlives_a_player_who_runs_out_of_time(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """She has moved before, so that the others play on."""
    own(server, monkeypatch)
    three_or_four(server, 3)
    for who in FRIENDS[:3]:
        play(server, who, "pairs:any")
    while (turn := server.library.match("walomino", 1).turn) != ("carol",):
        server.taken()
        play(server, turn[0], first_move(server))
    before = letter_to(server.taken(), "alice")
    server.time = "2026-12-12T08:00:00Z"
    assert owner.run(["tick"]).status == 0
    assert {*server.library.match("walomino", 1).gone} == {"carol"}
    while (turn := server.library.match("walomino", 1).turn) != ("alice",):
        play(server, turn[0], first_move(server))
    assert is_refused_as_outdated(server, before, first_move(server))


def play(house: House, who: str, move: str) -> None:
    answer = house.type(f"walomino move 1 {who} {{{who}}} {move}")
    assert answer.status == 0, answer.text


def first_move(house: House) -> str:
    return house.library.match("walomino", 1).view(None).legal[0]


def test_chat_and_queues_leave_a_token_fresh(house: House) -> None:
    letters = first_letters(house)
    reply(house, letters["bob"], "chat\nhello")
    reply(house, letters["bob"], "queue 123:99", number=2)
    (move, *_) = house.legal(2)
    reply(house, letters["alice"], move, number=3)
    assert moves_of(house) == [move]


def test_a_letter_that_shows_a_queued_move_can_be_answered(house: House) -> None:
    letters = first_letters(house)
    first, *_ = house.legal(2)
    sent = reply(house, letters["alice"], f"queue {first}")
    second, *_ = house.legal(2)
    answer = reply(house, letter_to(sent, "bob"), second, number=2)
    assert moves_of(house) == [first, second]
    assert "earlier letter" not in letter_to(answer, "bob").text


def test_an_offer_that_came_later_is_not_accepted_by_an_old_letter(
    house: House,
) -> None:
    letters = first_letters(house)
    reply(house, letters["bob"], "propose")
    (refused,) = reply(house, letters["alice"], "accept", number=2)
    assert "bob has offered a tie" in refused.text
    assert house.match(2).result is None


def test_a_challenge_is_accepted_or_declined_by_a_word(house: House) -> None:
    first = first_letters(house)
    asked = house.match(2).record.unanswered
    assert asked == ("bob",)
    reply(house, first["bob"], "Accept")
    assert house.match(2).record.unanswered == ()


def test_a_reply_from_another_address_is_told_to_both(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    sent = reply(house, letters["alice"], move, "alice@work.example")
    assert moves_of(house) == []
    stranger, told = sent
    assert stranger.to == ("alice@work.example",)
    assert "which is not an address of the player" in stranger.text.replace("\n", " ")
    assert not re.search(TOKEN, stranger.text)
    assert not stranger.id.startswith("holo")
    assert told.to == (home("alice"),)
    assert "add alice PASSWORD alice@work.example" in told.text
    reply(house, told, move, number=2)
    assert moves_of(house) == [move]


def test_a_forged_reply_is_not_said_to_come_from_a_foreign_address(
    house: House,
) -> None:
    house.config = house.config._replace(trust="mx.example.org")
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    failed = "mx.example.org; dmarc=fail (p=none)"
    sent = reply(house, letters["alice"], move, Authentication_Results=failed)
    assert moves_of(house) == []
    (told,) = sent  # to the player, not to whoever says that they are the player
    assert told.subject == "holo 2: your reply"
    assert "the mail server here found" in told.text.replace("\n", " ")
    assert "address" not in told.text
    assert "add alice" not in told.text
    reply(house, told, move, number=2)
    assert moves_of(house) == [move]


def test_the_player_hears_of_such_replies_once_an_hour(house: House) -> None:
    letters = first_letters(house)
    for number in range(3):
        sent = reply(house, letters["alice"], "pass", "eve@example.net", number=number)
        assert len(sent) == (2 if number == 0 else 1)


def test_the_token_of_another_player_or_board_proves_nothing(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    bobs = token_of(letters["bob"])
    alices = token_of(letters["alice"])
    before = house.match(1).record, house.match(2).record
    for line in (
        f"holo move 2 alice ~{bobs} {move}",
        f"holo move 1 alice ~{alices} {move}",
        f"holo move 2 bob ~{alices} {move}",
    ):
        (answer,) = house.mail(mail_of(line, home("alice")))
        assert "That reply or link is not valid" in answer.text
        assert not re.search(TOKEN, answer.id)
    assert (house.match(1).record, house.match(2).record) == before


def test_a_link_is_a_command_with_the_token_in_the_password_s_place(
    house: House,
) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    line = f"holo move 2 alice ~{token_of(letters['alice'])} {move}"
    (refused,) = house.mail(mail_of(line, "eve@example.net"))
    assert "must come from an address of the player" in refused.text.replace("\n", " ")
    assert moves_of(house) == []
    house.mail(mail_of(line, home("alice")))
    assert moves_of(house) == [move]


def test_no_token_serves_in_a_shell_in_multiple_or_for_an_account(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    token = f"~{token_of(letters['alice'])}"
    assert house.type(f"holo move 2 alice {token} {move}").status == 1
    house.mail(mail_of("multiple", home("alice"), f"holo move 2 alice {token} {move}"))
    house.mail(mail_of(f"change password alice {token} newone1", home("alice")))
    house.mail(mail_of(f"delete alice {token}", home("alice")))
    assert moves_of(house) == []
    assert house.type("all show alice").status == 0


def test_a_first_line_that_is_no_command_is_answered_and_passed_to_nobody(
    house: House,
) -> None:
    letters = first_letters(house)
    sent = reply(house, letters["alice"], "I hope you are well!\nSee you.")
    (answer,) = sent
    assert answer.to == (home("alice"),)
    assert "a move such as" in answer.text.replace("\n", " ")
    assert "hope" not in answer.text
    assert house.match(2).record.notes == {}


def test_words_are_answered_with_words(house: House) -> None:
    house.taken()
    house.type("holo chat 1 alice {alice}", "-m=Tea at five?")
    words = letter_to(house.taken(), "bob")
    sent = reply(house, words, "Gladly.\nI bring cake.")
    assert "Gladly." in letter_to(sent, "alice").text
    assert "cake" in letter_to(sent, "alice").text
    sent = reply(house, words, "pass", number=2)
    assert "pass" in letter_to(sent, "alice").text
    assert [line.no for line in house.match(1).record.log if line.no] == []
    (refused,) = reply(house, words, "123@@17", number=3)
    assert refused.to == (home("bob"),)


@pytest.mark.parametrize(
    "line",
    [
        "holo resign 1 bob better4",
        "holo accept 1 bob better4",
        "holo move 1 bob better4 123:17 oops",
        "holo mvoe 1 bob better4 123:17",
        "accept 1 bob better4",
        "change password bob better4",
    ],
)
def test_no_command_with_a_password_is_passed_on_as_words(
    house: House, line: str
) -> None:
    house.taken()
    house.type("holo chat 1 alice {alice}", "-m=Tea at five?")
    words = letter_to(house.taken(), "bob")
    (refused,) = reply(house, words, line)
    assert refused.to == (home("bob"),)
    assert "cannot read a command" in refused.text
    letters = first_letters(house)
    for number, text in enumerate(("Yes.\n" + line, line + "\nYes.")):
        for each in reply(house, words, text, number=2 + number):
            assert "better4" not in each.text
    sent = reply(house, letters["bob"], f"chat hello\n{line}", number=4)
    assert "hello" in letter_to(sent, "alice").text
    assert "better4" not in letter_to(sent, "alice").text


def test_a_message_is_answered_through_the_server(house: House) -> None:
    house.taken()
    house.type("message alice {alice} bob", "-m=Are you there?")
    words = letter_to(house.taken(), "bob")
    assert home("alice") not in words.text
    sent = reply(house, words, "Yes, I am.")
    assert "Yes, I am." in letter_to(sent, "alice").text
    sent = reply(house, letter_to(sent, "alice"), "Good.", number=2)
    assert "Good." in letter_to(sent, "bob").text


def test_after_thirty_days_words_go_nowhere(house: House) -> None:
    house.taken()
    house.type("message alice {alice} bob", "-m=Are you there?")
    words = letter_to(house.taken(), "bob")
    house.time = "2026-12-20T08:00:00Z"
    assert letter_to(reply(house, words, "Yes."), "alice").text
    house.time = "2026-12-20T08:00:01Z"
    assert all(
        home("alice") not in each.to for each in reply(house, words, "No", number=2)
    )


def test_a_reply_whose_program_names_no_letter_gets_a_fresh_one(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    raw = mail_of(f"AW: {letters['alice'].subject}", home("alice"), move)
    (fresh,) = house.mail(raw)
    assert moves_of(house) == []
    assert fresh.to == (home("alice"),)
    reply(house, fresh, move)
    assert moves_of(house) == [move]


def test_the_first_line_of_a_mail_may_be_the_whole_command(house: House) -> None:
    (move, *_) = house.legal(1)
    house.mail(
        mail_of("hello there", home("alice"), f"holo move 1 alice xanadu {move}")
    )
    assert moves_of(house, 1) == [move]


def test_the_letter_is_not_passed_on_with_a_move(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    letter = letters["alice"]
    token = token_of(letter)
    link = f"mailto:pbm@localhost?subject=holo%20move%202%20alice%20~{token}%20{move}"
    sent = reply(
        house, letter, f"{move}\nGood luck\n\n{letter.text}\n{link}\n{id_of(letter)}"
    )
    bobs = letter_to(sent, "bob")
    assert "Good luck" in bobs.text
    assert token not in bobs.text
    assert (
        "These moves are possible"
        not in bobs.text.split("Good luck")[1].split("Holomino")[0]
    )


def test_a_restored_backup_gives_letters_new_ids(house: House) -> None:
    backup = house.document("holo", "1").read_bytes()
    house.taken()
    first, second, *_ = house.legal(1)
    house.type(f"holo move 1 alice {{alice}} {first}")
    one = {letter.id for letter in house.taken()}
    house.document("holo", "1").write_bytes(backup)
    house.type(f"holo move 1 alice {{alice}} {second}")
    two = {letter.id for letter in house.taken()}
    assert one
    assert two
    assert not one & two


def test_a_reminder_of_one_board_can_be_answered(house: House, monkeypatch) -> None:
    from pbm_holomino.owner.tick import do_what_is_due

    house.accept()
    house.taken()
    house.time = LATER
    list(do_what_is_due(house.server))
    reminder = letter_to(house.taken(), "alice")
    (move, *_) = house.legal(1)
    reply(house, reminder, move)
    assert moves_of(house, 1) == [move]


def test_a_reply_to_a_list_offers_the_boards_to_choose_from(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbm_holomino.owner.tick import do_what_is_due

    house.challenges(2)
    house.accept()
    house.taken()
    house.time = LATER
    list(do_what_is_due(house.server))
    reminder = letter_to(house.taken(), "alice")
    (answer,) = reply(house, reminder, "123:17")
    assert "Which one do you mean?" in answer.text
    for board in (1, 2, 3):
        assert f"- Holomino {board} " in answer.text
    monkeypatch.setattr(unread, "MOST_OFFERED", 2)
    (answer,) = reply(house, reminder, "123:18")
    assert [f"- Holomino {board} " in answer.text for board in (1, 2, 3)] == [
        True,
        True,
        False,
    ]


def test_the_answer_says_how_a_move_was_read(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    tile, spot = move.split(":")
    sent = reply(house, letters["alice"], f"{tile}@{spot}")
    assert moves_of(house) == [move]
    assert letter_to(sent, "alice").text.startswith(f"Read as {move}.\n")
    assert "Read as" not in letter_to(sent, "bob").text
    (shown,) = house.mail(mail_of("show 2", home("alice")))
    assert shown.text.startswith("Read as holo show 2.\n")
    (fields,) = house.mail(mail_of("show 2 -format=json", home("alice")))
    assert fields.text.startswith("{")


def test_a_move_is_found_among_what_people_write(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    tile, spot = move.split(":")
    text = f"Hi Bob,\n\nmy move: {tile} at {spot}\nNice game so far!\n\nCheers\nAlice"
    sent = reply(house, letters["alice"], text)
    assert moves_of(house) == [move]
    assert letter_to(sent, "alice").text.startswith(f"Read as {move}.\n")
    bobs = letter_to(sent, "bob").text
    assert "Nice game so far!" in bobs
    assert f"{tile} at {spot}" not in bobs


@pytest.mark.parametrize(
    "above",
    ["{}\nThanks!", "Hi,\n{}", "\n" * 30 + "{}\nHi", "holo 2\n{}", "Holomino 2:\n\n{}"],
)
def test_it_is_found_above_a_letter_without_marks(house: House, above: str) -> None:
    letters = first_letters(house)
    tile, spot = house.legal(2)[0].split(":")
    mine = above.format(f"{tile}: {spot}")  # as the letter has it, too
    reply(house, letters["alice"], f"{mine}\n{letters['alice'].text}")
    assert moves_of(house) == [f"{tile}:{spot}"]
    assert not house.match(2).record.notes


def test_what_is_doubtful_is_offered_by_links_that_do_it(house: House) -> None:
    letters = first_letters(house)
    first, second, *_ = house.legal(2)
    before = house.records()
    (answer,) = reply(house, letters["alice"], f"{first} or {second}? Or I resign")
    assert house.records() == before
    page = html(answer.content, Links("pbm@localhost", answer.token))
    links = re.findall(r"subject=([^&\"]*)", page)
    offered = [unquote(link) for link in links if f"~{answer.token}" in unquote(link)]
    token = f"2 alice ~{answer.token}"
    wanted = [f"holo move {token} {move}" for move in (first, second)]
    assert offered[:3] == [*wanted, f"holo resign {token}"]
    house.mail(mail_of(offered[1], home("alice")))
    assert moves_of(house) == [second]


def test_a_word_beside_a_move_reaches_nobody(house: House) -> None:
    letters = first_letters(house)
    (move, *_) = house.legal(2)
    sent = reply(house, letters["alice"], f"{move}\nxanadu")
    assert moves_of(house) == [move]
    assert all("xanadu" not in each.text for each in sent)
    told = letter_to(sent, "alice").text
    assert told.startswith("A word beside it was not passed on, as it may be a ")


def test_an_answer_says_where_a_tile_fits(house: House) -> None:
    letters = first_letters(house)
    tile = house.legal(2)[0].partition(":")[0]
    spots = [m.partition(":")[2] for m in house.legal(2) if m.startswith(tile)]
    assert len(spots) == 2
    (answer,) = reply(house, letters["alice"], f"What about {tile}:90?")
    said = f"{tile}:90 is not possible. {tile} fits at {' and '.join(spots)}."
    assert answer.text.startswith(said)
    (answer,) = reply(house, letters["alice"], f"{tile}:90", number=4)
    said = f"is not beside a tile. {tile} fits at {' and '.join(spots)}."
    assert said in " ".join(answer.text.split())
    (answer,) = reply(house, letters["alice"], f"{tile}:9o", number=2)
    assert answer.text.startswith(f'"{tile}:9o" is not a move or a command.')
    (answer,) = reply(house, letters["alice"], "xanadu", number=3)
    assert "xanadu" not in answer.text


def unmarked(letter: Letter) -> str:
    """A letter as programs quote it without marks."""
    return f"From: Holomino <pbm@localhost>\nSubject: {letter.subject}\n\n{letter.text}"


@pytest.mark.parametrize("how", ["headers", "nothing above", "wrapped", "with a page"])
def test_a_move_below_a_letter_without_marks_is_played(house: House, how: str) -> None:
    letter = first_letters(house)["alice"]
    (move, *_) = house.legal(2)
    quoted = unmarked(letter)
    if how == "nothing above":
        quoted = letter.text
    elif how == "wrapped":
        quoted = quoted.replace("Seal: ", "Seal:\n")
    elif how == "with a page":
        quoted += (
            f"\nThe board's page:\n  https://x/link/holo/2/0/a/{token_of(letter)}\n"
        )
    sent = reply(house, letter, f"{quoted}\n\n{move}\nGood luck!\n")
    assert moves_of(house) == [move]
    assert "Good luck!" in letter_to(sent, "bob").text
    assert "Seal:" not in letter_to(sent, "bob").text.partition("Good luck!")[0]


def test_what_a_letter_itself_proposes_is_no_answer(house: House) -> None:
    """Neither where it is quoted in part, nor where a program has put buttons."""
    letter = first_letters(house)["alice"]
    (move, *_) = house.legal(2)
    head, _, rest = unmarked(letter).partition("Seal:")
    for number, text in enumerate(
        (head, f"{head}{move}\n", f"{head}{move}\nSeal:{rest}")
    ):
        reply(house, letter, text, number=number)
    assert moves_of(house) == []


@pytest.mark.parametrize("web", ["", "https://games.example.org"])
def test_a_letter_has_a_link_to_its_page_only_where_there_are_pages(
    house: House, web: str
) -> None:
    house.server = Server(house.library, house.post, web=web)
    house.type("holo chat 1 alice {alice} -m", "Hi")
    said = house.taken()
    shown = house.mail(mail_of("holo showas alice xanadu 1"))
    for letter in (*said, *shown):
        assert letter.page.startswith("link/holo/1/") == bool(web)
        assert bool(letter.page) == bool(web)
