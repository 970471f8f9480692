"""A letter that shows its reader several boards: a reply names one, `holo 2 123:17`.

What its token may do has four limits: only boards that the letter names; each as long
as it is unchanged; only in mail to the registered addresses; and none in an answer to
somebody who has not proved who they are.
"""

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from itertools import count

import pytest

from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match.account import TOKEN
from pbm_holomino.match.letter_ids import LetterId, parse_id
from pbm_holomino.owner import tick
from tests.house import FRIENDS, House, home, mail_of
from tests.storage import KEY

NEXT_DAY = "2026-11-21T08:00:00Z"
_NUMBERS = count(1)


def reply(
    house: House, letter: Letter, text: str, sender: str = "", letter_id: str = ""
) -> list[Letter]:
    """The letters that leave because somebody, its reader unless named, answers a
    letter, or one with another id."""
    number = next(_NUMBERS)
    raw = mail_of(
        f"Re: {letter.subject}",
        sender or home("alice"),
        text,
        In_Reply_To=f"<{letter_id or letter.id}@localhost>",
        Message_ID=f"<{number}@several>",
    )
    return house.mail(raw)


@dataclass
class Waiting:
    """It is the turn of alice on `holo 1` and `holo 2`, as a letter says; on `holo 3`
    it is that of bob."""

    house: House
    letter: Letter

    def plies(self) -> list[int]:
        return [self.house.match(board).ply for board in (1, 2, 3)]

    def move(self, board: int) -> str:
        return self.house.legal(board)[0]


def open_boards(house: House) -> House:
    """They play board 1 already."""
    house.sign_up(*FRIENDS[2:])
    for names in ("alice carol", "bob alice"):
        house.accept(house.challenge(names=names))
    return house


def digest(house: House, time: str = NEXT_DAY) -> Letter:
    house.time = time
    house.sent.clear()
    list(tick.do_what_is_due(house.server))
    (letter,) = house.sent
    return letter


@pytest.fixture(params=["digest", "reminder", "answer", "all", "choice"])
def waiting(house: House, request: pytest.FixtureRequest) -> Waiting:
    """The letters that show several boards."""
    open_boards(house)
    if request.param == "reminder":
        letters = _reminders(house)
        letter = next(each for each in letters if each.to == (home("alice"),))
    elif request.param == "digest":
        house.type("change digest alice {alice} on")
        letter = digest(house)
    else:
        of = "all" if request.param == "all" else "holo"
        asked = mail_of(f"{of} showas alice xanadu next", Message_ID="<next@x>")
        (letter,) = house.mail(asked)
        if request.param == "choice":
            (letter,) = reply(house, letter, "123")
    return Waiting(house, letter)


def _reminders(house: House) -> list[Letter]:
    house.time = "2026-11-28T08:00:00Z"
    house.sent.clear()
    list(tick.do_what_is_due(house.server))
    return list(house.sent)


@pytest.fixture
def answered(house: House) -> Waiting:
    """One of them, for what is the same for all."""
    open_boards(house).type("change digest alice {alice} on")
    return Waiting(house, digest(house))


def test_each_board_that_it_names_can_be_played(waiting: Waiting) -> None:
    assert waiting.letter.to == (home("alice"),)
    before = waiting.plies()
    reply(waiting.house, waiting.letter, f"holo 2 {waiting.move(2)}")
    assert waiting.plies() == [before[0], before[1] + 1, before[2]]
    reply(waiting.house, waiting.letter, f"holo 1 {waiting.move(1)}\nGood luck!")
    assert waiting.plies() == [before[0] + 1, before[1] + 1, before[2]]


@pytest.mark.parametrize(
    "name",
    ["Holomino 1", "holomino 1", "HOLO 1", "holo 1:", "holo #1", "> x\n\nholo 1"]
    + ["Hi, holo 1", "Hi,\n\nholo 1", "Hallo Carol,\nmein Zug: Holomino 1:"]
    + ["Sorry that it took so long.\n\nholo 1"],
)
def test_the_name_may_be_written_as_people_write_it(
    answered: Waiting, name: str
) -> None:
    reply(answered.house, answered.letter, f"{name} {answered.move(1)}")
    assert answered.plies() == [1, 0, 0]


@pytest.mark.parametrize(
    "text",
    ["{move} in holo 1", "Hi,\n{move} (holo 1)", "My move: {move} for Holomino 1."]
    + ["Holomino, board 1: {move}", "holo nr 1: {move}"],
)
def test_the_name_may_follow_the_move(answered: Waiting, text: str) -> None:
    reply(answered.house, answered.letter, text.format(move=answered.move(1)))
    assert answered.plies() == [1, 0, 0]


@pytest.mark.parametrize(
    "text",
    [
        "I lost in holo 1\n{move}",
        "holo 1 {move}\nwalomino 1 take:any",
        "I lost holo 1 {move}",
        "Not holo 1 {move}",
        "Is it holo 1 {move}",
    ]
    + ["Hi, holo 1\nholo 2 {move}", "Hi,\nholo 3 {move}", "Hi, holo {move}"],
)
def test_a_board_in_a_sentence_is_not_named(answered: Waiting, text: str) -> None:
    reply(answered.house, answered.letter, text.format(move=answered.move(1)))
    assert answered.plies() == [0, 0, 0]


@pytest.mark.parametrize(
    "text",
    [
        "holo 1 {one}\nholo 2 {two}",
        "Hi,\n\nholo 1: {one}\nholo 2: {two}\n\nCheers,\nAlice",
        "Holomino 2: {two}\n\nHolomino 1: {one}",
        "{one} in holo 1\n{two} in holo 2",
    ],
)
def test_a_line_for_each_board_plays_each(answered: Waiting, text: str) -> None:
    house, moves = answered.house, (answered.move(1), answered.move(2))
    text = text.format(one=moves[0], two=moves[1])
    letters = reply(house, answered.letter, text)
    assert answered.plies() == [1, 1, 0]
    assert [house.match(board).log[-1].action for board in (1, 2)] == [*moves]
    own = [letter for letter in letters if letter.to == (home("alice"),)]
    assert len({letter.subject for letter in own}) == len(own) == 2


def test_what_is_said_below_a_move_goes_with_it(answered: Waiting) -> None:
    one, two = answered.move(1), answered.move(2)
    sorry = "Sorry for the delay, bob!"
    text = f"holo 1 {one}\n{sorry}\n\nholo 2 {two}\nholo 3 was fun, carol"
    letters = reply(answered.house, answered.letter, text)
    assert answered.plies() == [1, 1, 0]
    said = {letter.to: letter.text for letter in letters}
    assert sorry in said[(home("bob"),)]
    assert "holo 3 was fun, carol" in said[(home("carol"),)]
    assert "Sorry" not in said[(home("carol"),)]


@pytest.mark.parametrize("wrong", ["126 nine", "999", "{move} or 1:2?"])
def test_what_is_not_understood_of_one_board_is_offered(
    answered: Waiting, wrong: str
) -> None:
    line = wrong.format(move=answered.move(2))
    text = f"holo 2 {line}\nholo 1 {answered.move(1)}"
    letters = reply(answered.house, answered.letter, text)
    assert answered.plies() == [1, 0, 0]
    subjects = [each.subject for each in letters if each.to == (home("alice"),)]
    assert any("holo 2" in subject for subject in subjects)


def test_a_move_that_is_refused_stops_no_other(answered: Waiting) -> None:
    house, played = answered.house, answered.move(1)
    house.accept(1)
    house.type(f"holo move 1 alice {{alice}} {played}")
    reply(house, answered.letter, f"holo 1 {played}\nholo 2 {answered.move(2)}")
    assert answered.plies() == [1, 1, 0]


def test_two_moves_for_one_board_are_offered(answered: Waiting) -> None:
    first, second, *_ = answered.house.legal(1)
    reply(answered.house, answered.letter, f"holo 1 {first}\nholo 1 {second}")
    assert answered.plies() == [0, 0, 0]


def test_the_same_mail_about_several_boards_again_plays_nothing_more(
    answered: Waiting,
) -> None:
    house = answered.house
    text = f"holo 1 {answered.move(1)}\nholo 2 {answered.move(2)}"
    header = {"In_Reply_To": f"<{answered.letter.id}@localhost>", "Message_ID": "<2@x>"}
    raw = mail_of("Re: your boards", home("alice"), text, **header)
    first = house.mail(raw)
    before = house.records()
    again = house.mail(raw)
    assert house.records() == before
    assert {letter.to for letter in again} <= {(home("alice"),)}
    assert not any("refused" in letter.text for letter in again)
    own = {letter.subject for letter in first if letter.to == (home("alice"),)}
    assert {letter.subject for letter in again} <= own


def test_other_replies_are_about_the_board_that_they_name(answered: Waiting) -> None:
    (shown,) = reply(answered.house, answered.letter, "holo 2")
    assert "Holomino, board 2, at the start: alice against carol" in shown.text
    reply(answered.house, answered.letter, "holo 2 resign")
    assert answered.house.match(2).result is not None
    assert answered.house.match(1).result is None


def test_a_move_alone_is_not_played_where_several_boards_wait(
    answered: Waiting,
) -> None:
    (choice,) = reply(answered.house, answered.letter, answered.move(1))
    assert answered.plies() == [0, 0, 0]
    assert "Which one do you mean?" in choice.text


def test_a_move_alone_is_played_where_one_board_was_named(house: House) -> None:
    house.sign_up(*FRIENDS[2:]).type("change digest alice {alice} on")
    letter = digest(house)
    reply(house, letter, house.legal(1)[0])
    assert house.match(1).ply == 1


def test_yesterdays_digest_can_be_answered_too(answered: Waiting) -> None:
    newer = digest(answered.house, "2026-11-22T08:00:00Z")
    assert newer.id != answered.letter.id
    reply(answered.house, answered.letter, f"holo 1 {answered.move(1)}")
    assert answered.plies() == [1, 0, 0]


def test_the_same_mail_again_plays_nothing_more(answered: Waiting) -> None:
    house, text = answered.house, f"holo 1 {answered.move(1)}"
    header = {"In_Reply_To": f"<{answered.letter.id}@localhost>", "Message_ID": "<1@x>"}
    raw = mail_of("Re: your boards", home("alice"), text, **header)
    house.mail(raw)
    before = house.records()
    house.mail(raw)
    assert house.records() == before


# Only boards that it names


def test_a_board_that_it_does_not_name_is_not_played(waiting: Waiting) -> None:
    house = waiting.house
    later = house.challenge(names="alice bob")  # a fresh board where she begins
    house.accept(later)
    before = house.records()
    for board in (later, 3, 999, 10**12):
        reply(house, waiting.letter, f"holo {board} {house.legal(later)[0]}")
        assert house.records() == before
    reply(house, waiting.letter, "hextol 1 pass")
    assert house.records() == before


def test_nobody_elses_board_is_played(answered: Waiting) -> None:
    house = answered.house
    other = house.challenge(names="bob carol")
    house.accept(other)
    before = house.records()
    reply(house, answered.letter, f"holo {other} {house.legal(other)[0]}")
    assert house.records() == before


def _changed(known: LetterId) -> list[LetterId]:
    """Ids that are not of letters of ours, and name other boards or readers."""
    half = len(known.more) // 2
    return [
        known._replace(more=known.more[half:] + known.more[:half]),
        known._replace(more=known.more[:5]),
        known._replace(more=known.more + "abcde"),
        known._replace(more=known.more + "0"),
        known._replace(more=known.more * 2),
        known._replace(more="a" + known.more[1:]),
        known._replace(line=known.line + 1),
        known._replace(token=known.token[::-1]),
        known._replace(folder="holo", name="1", reader="alice"),
        known._replace(reader="alice"),
    ]


def test_whoever_changes_its_id_has_no_token(answered: Waiting) -> None:
    known = parse_id(answered.letter.id)
    assert known is not None
    before = answered.house.records()
    for each in _changed(known):
        text = f"holo 1 {answered.move(1)}"
        reply(answered.house, answered.letter, text, letter_id=str(each))
        assert answered.house.records() == before, each


def test_a_provider_that_drops_the_tags_does_no_harm(answered: Waiting) -> None:
    """The account's log says which boards the latest list names."""
    known = parse_id(answered.letter.id)
    assert known is not None
    short = str(known._replace(more=""))
    reply(answered.house, answered.letter, f"holo 1 {answered.move(1)}", "", short)
    assert answered.plies() == [1, 0, 0]


def test_the_id_of_another_reader_serves_nobody(answered: Waiting) -> None:
    known = parse_id(answered.letter.id)
    assert known is not None
    before = answered.house.records()
    for who in ("bob", "carol"):
        theirs = str(known._replace(name=who))
        text = f"holo 3 {answered.move(3)}"
        reply(answered.house, answered.letter, text, home(who), theirs)
        assert answered.house.records() == before


# Each while it is unchanged


@pytest.mark.parametrize(
    "lines",
    [
        ["holo move 1 alice {alice} MOVE"],
        ["holo move 1 alice {alice} MOVE", "holo move 1 bob {bob} MOVE"],
        ["holo move 1 alice {alice} MOVE", "holo resign 1 bob {bob}"],
        [
            "holo move 1 alice {alice} MOVE",
            "holo move 1 alice {alice} undo",
            "holo move 1 bob {bob} accept",
        ],
        ["holo resign 1 bob {bob}"],
        ["holo move 1 alice {alice} propose", "holo move 1 bob {bob} accept"],
    ],
)
def test_a_board_that_has_changed_is_not_played(
    waiting: Waiting, lines: list[str]
) -> None:
    house, first = waiting.house, waiting.move(1)
    for line in lines:
        legal = house.legal(1)
        said = house.type(line.replace("MOVE", legal[0] if legal else first))
        assert said.status == 0, said.text
    before = house.records()
    move = next(iter(house.legal(1)), first)
    told = reply(house, waiting.letter, f"holo 1 {move}")
    assert house.records() == before
    assert [letter.to for letter in told] == [(home("alice"),)]
    reply(house, waiting.letter, f"holo 2 {waiting.move(2)}")  # this has not
    assert house.match(2).ply == 1


@pytest.mark.parametrize(
    "line",
    [
        "holo chat 1 bob {bob} -m=hello",
        "holo queue 1 bob {bob} 123:17",
        "holo move 1 bob {bob} propose",
        "holo move 2 carol {carol} propose",
    ],
)
def test_what_does_not_end_freshness_leaves_it_as_it_is(
    answered: Waiting, line: str
) -> None:
    answered.house.type(line)
    reply(answered.house, answered.letter, f"holo 1 {answered.move(1)}")
    assert answered.plies() == [1, 0, 0]


def test_an_offer_that_came_later_is_not_accepted_by_it(answered: Waiting) -> None:
    assert answered.house.type("holo move 1 bob {bob} propose").status == 0
    before = answered.house.records()
    reply(answered.house, answered.letter, "holo 1 accept")
    assert answered.house.records() == before


# Only in mail to the registered addresses


@pytest.mark.parametrize("sender", ["mallory@example.net", home("bob"), home("carol")])
def test_from_another_address_it_plays_nothing(waiting: Waiting, sender: str) -> None:
    before = waiting.house.records()
    for text in (f"holo 1 {waiting.move(1)}", "holo 2 resign", "holo 1"):
        for letter in reply(waiting.house, waiting.letter, text, sender):
            assert letter.to == (sender,)
            assert _tokens(waiting.house, letter) == []
        assert waiting.house.records() == before


def test_an_address_that_is_theirs_no_more_plays_nothing(answered: Waiting) -> None:
    house = answered.house
    house.type("change address alice {alice} new@example.org")
    before = house.records()
    reply(house, answered.letter, f"holo 1 {answered.move(1)}")
    assert house.records() == before


def test_a_mail_that_is_marked_as_forged_plays_nothing(answered: Waiting) -> None:
    house = answered.house
    house.config = house.config._replace(trust="mx.example.org")
    raw = mail_of(
        f"Re: {answered.letter.subject}",
        home("alice"),
        f"holo 1 {answered.move(1)}",
        In_Reply_To=f"<{answered.letter.id}@localhost>",
        Authentication_Results="mx.example.org; dmarc=fail header.from=example.org",
        Message_ID="<forged@x>",
    )
    before = house.records()
    house.mail(raw)
    assert house.records() == before


# Never in an answer to somebody who has not proved who they are


def _tokens(house: House, letter: Letter) -> list[str]:
    """What looks like a token in a letter as it leaves, and in its id."""
    return re.findall(rf"(?:~|%7E|\.){TOKEN}\b", message(letter, house.config).decode())


@pytest.mark.parametrize("sender", [home("alice"), "mallory@example.net"])
@pytest.mark.parametrize(
    "line",
    [
        "all show alice next",
        "holo show alice next",
        "holo show 1 2",
        "holo games alice",
        "holo showas alice wrong11 next",
        "all showas alice wrong11 next",
        "holo showas alice ~aaaaaaaaaaaaaaaa next",
        "holo showas mallory secret next",
    ],
)
def test_whoever_has_proved_nothing_gets_none(
    house: House, line: str, sender: str
) -> None:
    open_boards(house)
    letters = house.mail(mail_of(line, sender, Message_ID="<asks@x>"))
    assert [letter.to for letter in letters] == [(sender,)]
    assert _tokens(house, letters[0]) == []


@pytest.mark.parametrize("of", ["holo", "all"])
def test_what_it_says_to_write_does_what_it_says(house: House, of: str) -> None:
    open_boards(house).type("holo move 2 carol {carol} propose")
    (letter,) = house.mail(mail_of(f"{of} showas alice xanadu next"))
    assert "PASSWORD" not in letter.text
    told = " ".join(letter.text.split())
    played, *_ = re.findall(r'a move in its first line: "(holo 1 [^"]+)"', told)
    reply(house, letter, played)
    assert house.match(1).ply == 1
    assert "\n  holo 2 reject\n" in letter.text
    reply(house, letter, "holo 2 reject")
    assert house.match(2).offer is None


def test_with_a_password_it_goes_to_the_registered_addresses_alone(
    house: House,
) -> None:
    open_boards(house)
    asked = mail_of("holo showas alice xanadu next", "mallory@example.net")
    (letter,) = house.mail(asked)
    assert letter.to == (home("alice"),)
    assert parse_id(letter.id)
    mail = message_from_bytes(message(letter, house.config), policy=default)
    page = mail.get_body(("html",))
    assert page is not None
    links = re.findall('href="mailto:([^"]+)"', page.get_content())
    moves = [link for link in links if "holo%20move" in link]
    assert len(moves) > 10
    assert not [link for link in links if "PASSWORD" in link]


def test_the_answer_to_several_commands_has_none(house: House) -> None:
    open_boards(house)
    line = "holo showas alice xanadu next"
    (letter,) = house.mail(mail_of("multiple", home("alice"), f"{line}\n{line}\n"))
    assert letter.to == (home("alice"),)
    assert _tokens(house, letter) == []


# It changes no account, and is no password


@pytest.mark.parametrize(
    "line",
    [
        "holo move 1 alice ~TOKEN MOVE",
        "holo showas alice ~TOKEN 1",
        "change password alice ~TOKEN better99",
        "change digest alice ~TOKEN off",
        "unsubscribe alice ~TOKEN",
        "delete alice ~TOKEN",
        "message alice ~TOKEN bob",
    ],
)
def test_it_is_no_password(answered: Waiting, line: str) -> None:
    house, known = answered.house, parse_id(answered.letter.id)
    assert known is not None
    typed = line.replace("TOKEN", known.token).replace("MOVE", answered.move(1))
    before = house.records()
    house.type(typed)
    house.mail(mail_of(typed, home("alice"), "words", Message_ID="<p@x>"))
    reply(house, answered.letter, f"{typed}\nwords")
    assert house.records() == before


def test_a_letter_written_twice_is_the_same(answered: Waiting) -> None:
    house = answered.house
    player = house.library.player("alice")
    assert player is not None
    number = player.log[-1].no or 0
    house.mark("players", "alice", number)
    house.sent.clear()
    house.deliver(player)
    (again,) = house.sent
    assert again == answered.letter
    assert KEY.hex() not in again.id


def test_a_letter_about_many_boards_names_twenty(house: House) -> None:
    for _ in range(22):
        house.accept(house.challenge(names="alice bob"))
    (letter,) = house.mail(mail_of("holo showas alice xanadu next"))
    assert len(f"{letter.id}.eml") < 255  # as a file may be named
    reply(house, letter, f"holo 20 {house.legal(20)[0]}")
    assert house.match(20).ply == 1
    before = house.records()
    reply(house, letter, f"holo 23 {house.legal(23)[0]}")
    assert house.records() == before
