"""Letters about accounts, tournaments and reviews, and the pages of help, in a language
that brackets every sentence: what has no brackets cannot be translated."""

import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from pbm_holomino import rules
from pbm_holomino.errors import NotFound
from pbm_holomino.languages import known
from pbm_holomino.languages.pages import _parts as all_parts
from pbm_holomino.languages.pages import mark, wanted
from pbm_holomino.letters import (
    absences,
    account_letters,
    help,
    reviews,
    tournament_letters,
)
from pbm_holomino.letters.content import (
    Command,
    Content,
    Page,
    Table,
    content,
    plain,
    spoken,
)
from pbm_holomino.match.account import (
    LISTS,
    AccountLine,
    Change,
    Kind,
    Player,
)
from pbm_holomino.match.reviews import Judged, Review, digest
from pbm_holomino.match.tournament import LOST, WON, Tournament, readers
from pbm_holomino.match.tournament import Kind as TournamentKind
from pbm_holomino.rules import load
from pbm_holomino.sentences import WIDTH
from tests.boards import finished
from tests.club import Club, day
from tests.house import home
from tests.languages.pseudo import PSEUDO, unbracketed
from tests.match.test_tournament import line, opened, played

TIME = "2026-11-20T08:00:00Z"
NAMES = ("alice", "bob", "carol", "Holomino", "holo", "tournament")


@pytest.fixture(autouse=True)
def _all_read_it() -> Iterator[None]:
    with patch.object(known, "language", lambda code: PSEUDO):
        yield


def left_in(told: Content, *names: str) -> str:
    """What is without brackets in what has been told, all of which fits its lines."""
    said = [[b for b in part if not isinstance(b, Command | Page)] for part in told]
    text = plain(spoken(content(*said), PSEUDO.code))
    too_long = [row for row in text.splitlines() if len(row) > WIDTH]
    return " ".join([unbracketed(text, *NAMES, *names), *too_long])


# Accounts

WORDS: dict[Kind, list[tuple[str, ...]]] = {
    Kind.DIGEST: [("on",), ("off",)],
    Kind.LETTERS: [("all",), ("turns",), ("digest",)],
    Kind.FORMAT: [("text",), ("small",), ("html",), ("picture",), ("words",)],
    Kind.THREADS: [("on",), ("off",)],
    Kind.BROADCASTS: [("on",), ("off",)],
    Kind.PROFILE: [("on",), ("off",)],
    Kind.LANGUAGE: [("xx",)],
    Kind.ZONE: [("Asia/Tokyo",), ("UTC",)],
    Kind.NOTICES: [("off",), ("ntfy", "ntfy.sh"), ("json", "ntfy.sh", "daily")],
    Kind.UNSUBSCRIBE: [(), ("turns",)],
    Kind.VACATION: [(TIME,), ("-",)],
    Kind.ADDRESSES: [(), ("a@b.cd",)],
    Kind.MESSAGE: [("bob",), ("bob", "carol")],
    Kind.DECLINED: [("0", "holo.12"), ("3", "holo.12", "holo.13")],
    Kind.UNTAKEN: [("holo.12",)],
    Kind.INVITE: [("holo", "pool_size=5")],
    Kind.BLOCK: [("bob",)],
    Kind.UNBLOCK: [("bob",)],
    **{kind: [("turn",), ("asked",)] for kind in LISTS},
}
ALICE = Player("alice", "-", (home("alice"),), ())
BOB = ALICE._replace(userid="bob")
FAR = BOB._replace(addresses=())


@pytest.mark.parametrize("kind", Kind)
def test_a_player_is_told_everything_about_an_account(kind: Kind) -> None:
    for words in WORDS.get(kind, [()]):
        made = AccountLine(1, TIME, "alice", "m", Change(kind, words))
        for player in (ALICE, ALICE._replace(addresses=(), letters="digest")):
            subject = account_letters.account_subject(player, made)
            told = account_letters.account_content(player, made, [BOB, FAR])
            assert unbracketed(PSEUDO.say(subject), "alice") == ""
            if kind not in LISTS or plain(told).strip():
                assert left_in(told) == ""
        if kind is Kind.ADDRESSES:
            for player in (ALICE, FAR):
                assert left_in(account_letters.farewell(player, made)) == ""


@pytest.mark.parametrize("kind", [Kind.MESSAGE, Kind.BROADCAST])
def test_a_message(kind: Kind) -> None:
    made = AccountLine(1, TIME, "alice", "m", Change(kind))
    player = ALICE._replace(notes={1: "[Hello]"})
    subject = account_letters.message_subject(player, made)
    assert unbracketed(PSEUDO.say(subject)) == ""
    assert left_in(account_letters.message(player, made)) == ""


def test_letters_to_those_who_have_no_password() -> None:
    for letter in (
        account_letters.forgotten_password(ALICE, "~abc", TIME),
        account_letters.confirmation("alice", "a@b.cd", "https://x.org/", "xx"),
    ):
        code = "xx" if letter.stranger else "en"
        assert letter.language == code
    reader = ALICE._replace(languages=())
    with patch.object(Player, "language_at", lambda *_: "xx"):
        letter = account_letters.forgotten_password(reader, "~abc", TIME)
    assert unbracketed(letter.subject, "alice") == ""
    assert left_in(letter.content) == ""
    letter = account_letters.confirmation("alice", "a@b.cd", "https://x.org/", "xx")
    assert unbracketed(letter.subject, "alice") == ""
    assert left_in(letter.content) == ""


@pytest.mark.parametrize("number", [1, 2, 6])
def test_readers_who_get_no_letters(number: int) -> None:
    far = [FAR._replace(userid=f"bob{n}") for n in range(number)]
    told = absences.lost_on(far)
    assert unbracketed(PSEUDO.say(told[0])) == ""


# Tournaments


def tournaments() -> Iterator[Tournament]:
    for system in ("swiss", "robin"):
        found = opened(system, "alice", "bob", "carol")
        yield found.until(1)
        yield found.until(3)
        yield found
        found = played(found, alice_bob=WON, carol=None)
        yield found
        yield found._replace(setup=found.setup._replace(at_once=True))
        yield found.after(line(TournamentKind.LEAVE, who="bob"))
        yield found.after(line(TournamentKind.CANCEL))
        found = played(found, carol_alice=LOST, bob=None)
        yield found.after(line(TournamentKind.END))


@pytest.mark.parametrize("number", range(16))
def test_tournaments(number: int) -> None:
    found = [*tournaments()][number]
    told = [tournament_letters.tournament_content(found)]
    told.append(content([tournament_letters.tournament_line(found)]))
    told.append(content(tournament_letters.how_to_enter(found)))
    told.append(content(tournament_letters.list_news([found], "alice", "")))
    told += [
        tournament_letters.told(found, index, reader)
        for index, made in enumerate(found.log)
        for reader in readers(found, index) or (made.who,)
        if made.action.kind is not TournamentKind.ROUND or reader in found.players
    ]
    assert [left_in(each) for each in told] == [""] * len(told)


def test_subjects_of_tournaments() -> None:
    for found in tournaments():
        for index, made in enumerate(found.log):
            kind = made.action.kind
            if kind in tournament_letters.SUBJECTS:
                said = tournament_letters.subject(found, index)
                assert unbracketed(PSEUDO.say(said)) == ""


# Digests


def test_a_digest(club: Club) -> None:
    for game in ("holo", "walomino"):
        club.open(game)
    club.open("hextol").accept()
    club.say("hextol challenge carol anyone")
    with patch.object(Player, "language_at", lambda *_: PSEUDO.code):
        club.say("change digest bob {bob} on")
        club.tick(day(1))
        (letter,) = [x for x in club.server.taken() if home("bob") in x.to]
    text = re.sub(r"(?m)^  [a-z]+ [a-z]+ [\w ~]+$", "", letter.text)
    assert unbracketed(text, *rules.names()) == ""
    assert unbracketed(letter.subject, "bob") == ""


# Tables


def test_only_a_table_that_is_too_wide_has_its_head_in_several_lines() -> None:
    head, rows = ("the player", "points " * 6 + "in all"), (("alice", 12),)
    narrow = Table("<>", head, rows).plain()
    assert narrow.splitlines()[0] == f"the player  {head[1]}"
    wide = Table("<>", (head[0], head[1] * 2), rows).plain().splitlines()
    assert [row.split() for row in wide[:3]] == [
        ["the", "points"],
        ["player", "points"],
        ["points"],
    ]
    assert wide[-1].split() == ["alice", "12"]
    assert max(map(len, wide)) < 20


# Reviews


@pytest.mark.parametrize("name", rules.names())
def test_reviews(name: str) -> None:
    match = finished(1, name)
    log = match.record.log
    moves = []
    for count, n in enumerate(match.moves):
        robot = str(log[n].action) if count % 3 else "999:9"
        away, chances = count / 7, (0.5,) * len(match.record.players)
        moves.append(Judged(n, robot, away, chances))
    found = Review(digest(match), tuple(moves))
    of_moves = re.findall(
        r"[A-Za-z]+", " ".join(str(log[n].action) for n in match.moves)
    )
    shown = left_in(reviews.review(match, found), *match.record.players)
    assert {word for word in shown.split() if len(word) > 1} <= {*of_moves}
    for judged in moves:
        said = PSEUDO.say(reviews.comment(match, judged))
        assert unbracketed(said) == ""
    title, about = re.findall(
        r"<(?:title|desc)[^>]*>([^<]*)<", reviews.drawn(match, found, "xx")
    )
    assert unbracketed(title) == unbracketed(about) == ""


# Help


@pytest.mark.parametrize("name", rules.names())
def test_what_is_filled_in_on_pages(name: str) -> None:
    games = re.sub(r"(?m)^ *\w+", "", help._games(PSEUDO.code))
    options = re.sub(r"(?m)^  -.*", "", help._filled(name, "options", "", "xx"))
    assert unbracketed(games) == unbracketed(options) == ""


def test_a_page_that_there_is_not() -> None:
    with pytest.raises(NotFound) as error:
        help.page("halp", PSEUDO.code)
    assert unbracketed(PSEUDO.say(error.value.said)) == ""


@pytest.mark.parametrize("subject", help.subjects())
def test_all_that_a_page_says_can_be_translated(subject: str) -> None:
    titles = [load(name).TITLE for name in rules.names()]
    forget_pages()
    with patch.object(known, "page", bracketed):
        drawn = help.illustrated.__wrapped__(subject, PSEUDO.code)
        pieces = [piece for piece in drawn if isinstance(piece, str)]
    forget_pages()
    text = re.sub(r"(?m)^  -.*$", "", "\n".join(pieces))
    assert unbracketed(text, *titles, *rules.names(), *help.subjects()) == ""


def forget_pages() -> None:
    for kept in (help._parts, help.page):
        kept.cache_clear()


def bracketed(code: str, name: str) -> str:
    """The translation of a page into the pseudo-language, in which commands are
    left out."""
    text = (Path(help.__file__).parent / f"{name}.txt").read_text()
    said = {mark(part): "." for part in all_parts(text)}
    said |= {at: f"[{part}]" for at, part in wanted(text).items()}
    return "\n\n".join(f"@ {at}\n{part}" for at, part in said.items())
