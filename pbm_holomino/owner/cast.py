"""Two new players who play by mail, for those who want to see how that goes."""

import secrets
from collections.abc import Iterable, Iterator

from pbm_holomino.errors import NotAllowed
from pbm_holomino.letters.content import plain
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.mail.post import sender
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner import showing
from pbm_holomino.resident.cache import Passwords
from pbm_holomino.sentences import WIDTH
from pbm_holomino.server import inbox
from pbm_holomino.server.open import server_on
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library

ELSEWHERE = "Please name another folder after --keep."
_TILES = 3  # that they put down on each board beside the first
PROPOSED = 3  # moves that the shown letter names
_TALLEST = 10  # lines of a small picture, so that a letter fits a screen


class Played(NamedTuple):
    """A mail with a move, and what came of it."""

    sender: str
    subject: str
    reader: str  # the other player
    letter: Letter  # that they got
    match: Match  # then


class Cast:
    """Two new players who send mails to a server, and what they get. If `aloud`, mails
    and letters are printed as they are; of players who read the language with a `code`,
    their words alone."""

    def __init__(
        self,
        home: Home,
        library: Library,
        games: Iterable[str],
        aloud: bool,
        code: str = "",
    ) -> None:
        self.home = home
        self.library = library
        self.games = list(games)
        self.aloud = aloud
        self.code = code
        self._boards: list[tuple[str, int]] = []
        self._letters: list[Letter] = []
        send = sender(home, library.store)

        def post(letter: Letter) -> dict[str, str]:
            self._letters.append(letter)
            return dict(send(letter))

        self._server = server_on(library, post, home, Passwords().fits)
        number = 1
        while library.player(f"ann{number}") or library.player(f"ben{number}"):
            number += 1
        self.names = (f"ann{number}", f"ben{number}")
        self.passwords = {name: secrets.token_hex(4) for name in self.names}
        for name in self.names:
            self._sign_up(name)

    @property
    def matches(self) -> list[Match]:
        """The boards that were opened, as they are now."""
        return [self.library.match(*board) for board in self._boards]

    def open_boards(self) -> None:
        """Open a board of each game, and begin to play."""
        for game in self.games:
            for _ in self.played(game):
                pass

    def _sign_up(self, name: str) -> None:
        letters = self._send(name, f"signup {name} {self.passwords[name]}")
        if self.library.player(name) is None:
            answers = " ".join(" ".join(plain(x.content) for x in letters).split())
            said = ("The demo's players cannot sign up here.", answers, ELSEWHERE)
            raise NotAllowed(" ".join(filter(None, said)))

    def played(self, game: str) -> Iterator[Played]:
        """Open a board, and play on it until some tiles lie there; what was sent and
        read with each of them."""
        first, second = self.names
        self._send(first, f"{game} challenge {first} {second}", "Shall we play?")
        (found,) = self.library.lists.boards_of([first], "all", [game]).boards
        board = found.board
        self._boards.append((game, board))
        tiles, match = 0, self.library.match(game, board)
        while tiles < _TILES and match.result is None:
            who, move = match.turn[0], _next_move(match)
            subject = f"{game} move {board} {who} {self.passwords[who]} {move}"
            letters = self._send(who, subject)
            before, match = match, self.library.match(game, board)
            drawing = match.rules.drawing
            then, now = drawing(before.state), drawing(match.state)
            if then.faces and now.last and now != then:
                (other,) = {*self.names} - {who}
                to = self.library.player(other)
                theirs = [each for each in letters if to and each.to == to.addresses]
                tiles += 1
                if theirs:  # another process may have sent it
                    yield Played(who, subject, other, theirs[-1], match)

    def _send(self, name: str, subject: str, body: str = "") -> list[Letter]:
        """Mail a command; the letters that the server then sends."""
        says_language = f"Content-Language: {self.code}\n" if self.code else ""
        mail = (
            f"From: {name.capitalize()} <{name}@example.org>\n{says_language}"
            f"To: {self.home.config.address}\nSubject: {subject}\n"
            f"Message-ID: <{secrets.token_hex(8)}@example.org>\n\n{body}\n"
        )
        self._letters = []
        inbox.receive(mail.encode("ascii"), self._server, self.home.config)
        if self.aloud:
            _titled(f"{name} mails to the server", mail)
            for letter in self._letters:
                _titled("the server sends a letter", self._printed(letter))
        return self._letters

    def _printed(self, letter: Letter) -> str:
        if self.code:
            return f"Subject: {letter.subject}\n\n{letter.text}"
        return message(letter, self.home.config).decode("utf-8", "replace")


def _next_move(match: Match) -> str:
    """The move that scores most among those after which the picture is not too high for
    a screen; of several, the nearest to the first tile."""
    who = match.turn[0]
    choices = showing.choices(match, who)
    if not choices:
        return match.view(who).proposal.moves[0]
    choices.sort(key=lambda choice: (-choice.points, sum(choice.cells)))
    flat = (each for each in choices if _height(match, each.move) <= _TALLEST)
    return next(flat, choices[0]).move


def _height(match: Match, move: str) -> int:
    """How high the picture is after a move, with the places of the next moves as far as
    these are known: a draw may change them."""
    after = replay.preview(match, move, match.turn[0])
    assert after is not None
    choices = showing.choices(after, after.turn[0])[:PROPOSED] if after.turn else ()
    drawing = showing.with_places(after.view(None).drawing, choices)
    return len(showing.picture(drawing, small=True).lines)


def _titled(text: str, raw: str) -> None:
    print(f"\n{f'---- {text} ':-<{WIDTH}}\n\n{raw.rstrip()}", flush=True)
