"""Players who do nothing but tap links in their letters."""

import random

import pytest

from pbm_holomino.draw.text import draw
from pbm_holomino.letters.html import WIDEST
from pbm_holomino.letters.letter import Letter
from pbm_holomino.rules import load, names
from tests.boards import reader_of
from tests.club import Club
from tests.house import FRIENDS, home, mail_of
from tests.letters.pages import Link, Page, page_of


class Phones:
    """What each player has on the screen: the last letter to them."""

    def __init__(self, club: Club, letters: list[Letter]) -> None:
        self.club = club
        self.shown: dict[str, Letter] = {}
        self.mails = 0
        self.get(letters)

    def get(self, letters: list[Letter]) -> None:
        for letter in letters:
            assert letter.form == "html"
            self.shown[letter.to[0].partition("@")[0]] = letter

    def links(self, who: str) -> list[Link]:
        return Page(page_of(self.shown[who])).links

    def tap(self, who: str, link: Link) -> None:
        """Send the mail that a link writes."""
        self.mails += 1
        mail = mail_of(link.subject, home(who), Message_ID=f"<{self.mails}@phone>")
        self.get(self.club.server.mail(mail))

    def moves(self, who: str) -> list[Link]:
        play = f"{self.club.game} move 1 {who} ~"
        return [link for link in self.links(who) if link.subject.startswith(play)]


@pytest.mark.parametrize("game", names())
def test_a_whole_game_is_played_by_tapping_links(club: Club, game: str) -> None:
    club.game, dice = game, random.Random(5)
    most = load(game).SEATS[1]
    club.server.challenge("", " ".join(FRIENDS[:most]), game)
    phones = Phones(club, club.server.taken())
    asked = FRIENDS[1:most]
    buttons = [link for who in asked for link in phones.links(who)]
    accepts = [link for link in buttons if link.shown == "accept"]
    for who, accept in zip(asked, accepts, strict=True):
        phones.tap(who, accept)
    for _ in range(200):
        turn = club.board().turn
        if not turn:
            break
        moves = phones.moves(turn[0])
        assert moves, phones.shown[turn[0]].text
        before = len(club.board().record.log)
        phones.tap(turn[0], dice.choice(moves))
        assert len(club.board().record.log) > before
    assert club.board().status == "over"


def test_the_large_board_is_sent_for_by_a_link(club: Club) -> None:
    club.open("hextol").accept().play(most=12)
    (who,) = club.board().turn
    move = club.board().view(None).legal[0]
    club.server.by_mail(who, "1" * 16, club.line(who, move))
    phones = Phones(club, club.server.taken())
    (small,) = Page(page_of(phones.shown[who])).pictures
    (large,) = (link for link in phones.links(who) if "large" in link.shown)
    phones.tap(who, large)
    (board,) = Page(page_of(phones.shown[who])).pictures
    drawing = club.board().view(who).drawing
    assert (small, board) == (f"\n{draw(drawing, small=True)}", f"\n{draw(drawing)}")
    assert max(map(len, board.splitlines())) > WIDEST


def test_chat_and_a_rematch_are_begun_by_links(club: Club) -> None:
    club.open("holo").accept()
    club.play(most=2)
    club.server.by_mail("alice", "2" * 16, "holo resign 1 alice {alice}")
    phones = Phones(club, club.server.taken())
    chat = next(link for link in phones.links("bob") if link.shown.endswith('"chat"'))
    mail = mail_of(chat.subject, home("bob"), "Thanks!", Message_ID="<3@phone>")
    sent = {reader_of(letter): letter.text for letter in club.server.mail(mail)}
    assert "bob writes on holo 1:\n  Thanks!\n" in sent["alice"]
    again = next(
        link for link in phones.links("bob") if link.shown.endswith('"rematch"')
    )
    phones.tap("bob", again)
    assert club.server.match(2).record.players == ("bob", "alice")
