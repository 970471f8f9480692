"""The one transaction: authenticate, lock, load, seen already?, decide, save, mark.

What a command changes is one file, a board or an account. Its letters are marked
as unsent in the same commit, and sent after it, by whoever gets there first.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import takewhile

from pbm_holomino import letters, screens
from pbm_holomino.chance import SEED_BYTES
from pbm_holomino.commands import accounts, boards, queries
from pbm_holomino.errors import (
    DONE,
    TRY_LATER,
    BadCommand,
    CannotSend,
    CorruptFile,
    NotFound,
    PbmError,
    WrongPassword,
)
from pbm_holomino.letters import Answer, Letter, Request
from pbm_holomino.library import PLAYERS, Library, no_board
from pbm_holomino.match import Match
from pbm_holomino.players import Player, fits_password
from pbm_holomino.record import Line
from pbm_holomino.store import Mark

Post = Callable[[Letter], None]

QUERIES = {
    "help": queries.help_page,
    "show": queries.show,
    "showas": queries.showas,
    "games": queries.games,
    "history": queries.history,
    "verify": queries.verify,
    "preview": queries.preview,
}
MOVES = {"move": boards.move, "resign": boards.resign}
CHANGES = {
    "change password": accounts.change_password,
    "change address": accounts.change_address,
}


def utc_now() -> str:
    """The time as it stands in logs."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Server:
    """Carries out requests on a library. `post` sends one letter and raises
    CannotSend where it cannot."""

    def __init__(
        self,
        library: Library,
        post: Post,
        now: Callable[[], str] = utc_now,
        seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        self.library = library
        self.store = library.store
        self.post = post
        self.now = now
        self.seed = seed

    def run(self, request: Request) -> Answer:
        """Carry out one command. A refusal is an answer too; Busy and StoreTrouble
        are raised: then nothing has changed, or what has will be found done when
        the same mail comes again."""
        try:
            return self._transaction(request)
        except PbmError as error:
            if error.status == TRY_LATER:
                raise
            return refusal(error)

    def _transaction(self, request: Request) -> Answer:
        if request.command == "challenge":
            return self._challenge(request)
        if request.command in MOVES:
            return self._move(request)
        if request.command == "signup" or request.command in CHANGES:
            return self._change_account(request)
        return self._query(request)

    def _authenticate(self, request: Request) -> Player:
        player = self.library.player(request.userid)
        if player is None:
            raise NotFound("There is no player of that name here.")
        if not fits_password(request.password, player.password):
            raise WrongPassword("That is not the password of that player.")
        return player

    def _query(self, request: Request) -> Answer:
        to = self._authenticate(request).addresses if request.userid else ()
        with _answered_to(to):
            return Answer(QUERIES[request.command](request, self.library), DONE, to)

    # What changes a board

    def _challenge(self, request: Request) -> Answer:
        game = request.game
        with self.store.lock(game, "new"):
            match = self._opened_by(request)
            fresh = match is None
            if match is None:
                known = {name: self.library.player(name) for name in request.words}
                match = boards.challenge(
                    request,
                    {name: player for name, player in known.items() if player},
                    max(self.library.boards(game), default=0) + 1,
                    self.seed(),
                    self.now(),
                )
                self.library.save_match(match, unsent=0)
        return self._about_board(request, match, 0, fresh)

    def _opened_by(self, request: Request) -> Match | None:
        """The board that this mail has opened before."""
        if request.by_mail:
            for summary in self.library.summaries([request.game]):
                if summary.opened_by == request.mail:
                    return self.library.match(request.game, summary.board)
        return None

    def _move(self, request: Request) -> Answer:
        try:
            player = self._authenticate(request)
        except WrongPassword:
            # it may be a mail that has been done, and the password changed since
            done = self._done_before(request)
            if done is None:
                raise
            return self._about_board(request, *done, fresh=False)
        with _answered_to(player.addresses), self._locked_board(request):
            match = self.library.match(request.game, request.board)
            line = match.line_from(request.mail, request.userid)
            fresh = line is None
            if line is None:
                match = self._moved(request, match)
                line = len(match.record.log) - 1
                self.library.save_match(match, unsent=line)
        return self._about_board(request, match, line, fresh)

    def _done_before(self, request: Request) -> tuple[Match, int] | None:
        """The board that this mail has changed, and the line that it made."""
        player = self.library.player(request.userid)
        if not request.by_mail or player is None or not player.owns(request.sender):
            return None
        if not self.store.exists(request.game, str(request.board)):
            return None
        match = self.library.match(request.game, request.board)
        line = match.line_from(request.mail, request.userid)
        return None if line is None else (match, line)

    @contextmanager
    def _locked_board(self, request: Request) -> Iterator[None]:
        name = str(request.board)
        if not self.store.exists(request.game, name):  # its lock would stay for ever
            raise no_board(request.game, request.board)
        with self.store.lock(request.game, name):
            yield

    def _moved(self, request: Request, match: Match) -> Match:
        try:
            return MOVES[request.command](request, match, self.now())
        except PbmError as error:
            error.screen = screens.screen(match, request.userid)
            raise

    def _about_board(
        self, request: Request, match: Match, line: int, fresh: bool
    ) -> Answer:
        """Send what is to be sent, and answer who asked: a mail that came before is
        answered as it was."""
        reader = match.record.log[line].who
        text = letters.board_text(match.at(line), None if reader == "-" else reader)

        def send() -> None:
            self.send_about_board(match)
            if not fresh:
                self._post_about_board(match, line, reader)

        return self._answered(request, text, self.library.player(reader), send)

    def _answered(
        self,
        request: Request,
        text: str,
        player: Player | None,
        send: Callable[[], None],
    ) -> Answer:
        """The answer to a change that is saved, once its letters are sent: by mail it
        is one of them, if the player has an address."""
        try:
            send()
        except CannotSend:
            if request.by_mail:
                raise
            text += "\n(The letters about this cannot leave now; they will later.)\n"
        is_letter = player is not None and bool(player.addresses)
        return Answer(text, posted=request.by_mail and is_letter)

    def send_about_board(
        self, match: Match, marked: Sequence[int] | None = None
    ) -> None:
        """Send the letters about a board that are marked as unsent, oldest first: of
        the lines given, or else of the last ones."""
        record = match.record
        folder, name = record.game, str(record.board)
        if marked is None:
            marked = self._unsent(folder, name, range(len(record.log)))
        for line in marked:
            # the letter to a damaged account waits until the account is mended
            with suppress(CorruptFile), self.store.sending(folder, name, line) as mark:
                if mark is not None:
                    self._send_line(match, line, mark)

    def _send_line(self, match: Match, line: int, mark: Mark) -> None:
        damage: CorruptFile | None = None
        for reader in letters.readers(match, line):
            try:
                if reader not in mark:
                    self._post_about_board(match, line, reader)
                    mark.add(reader)
            except CorruptFile as error:
                damage = error
        if damage:
            raise damage

    def _post_about_board(self, match: Match, line: int, reader: str) -> None:
        player = self.library.player(reader)
        if player is not None and player.addresses:
            self.post(letters.about_board(match, line, player))

    def _unsent(self, folder: str, name: str, lines: Sequence[int]) -> list[int]:
        """Which of the last lines are marked, oldest first. A mark before one that
        has gone is rare (a process died while another went on): flush finds it."""
        marked = takewhile(
            lambda line: self.store.is_unsent(folder, name, line), reversed(lines)
        )
        return list(marked)[::-1]

    # What changes an account

    def _change_account(self, request: Request) -> Answer:
        player = self.library.player(request.userid)
        fresh = player is None or not player.line_from(request.mail)
        if player is None or fresh:
            if request.command != "signup":
                player = self._authenticate(request)
            to = player.addresses if player and request.command != "signup" else ()
            with _answered_to(to), self.store.lock(PLAYERS, request.userid):
                player = self._changed_account(request)
        line = player.line_from(request.mail) or player.log[-1]
        return self._about_account(request, player, line, fresh)

    def _about_account(
        self, request: Request, player: Player, line: Line, fresh: bool
    ) -> Answer:
        def send() -> None:
            self.send_about_account(player)
            if not fresh:
                self._post_all(letters.about_account(player, line))

        text = letters.account_text(player, line)
        return self._answered(request, text, player, send)

    def _changed_account(self, request: Request) -> Player:
        player = self.library.player(request.userid)
        if player is not None and player.line_from(request.mail):
            return player
        if request.command == "signup":
            player = accounts.signup(request, player, self.now())
        elif player is not None:
            player = CHANGES[request.command](request, player, self.now())
        else:
            raise NotFound("That account has just been removed.")
        self.library.save_player(player)
        return player

    def send_about_account(
        self, player: Player, marked: Sequence[int] | None = None
    ) -> None:
        """Send the letters about an account that are marked as unsent."""
        lines = {line.no: line for line in player.log if line.no is not None}
        if marked is None:
            marked = self._unsent(PLAYERS, player.userid, list(lines))
        for no in marked:
            with self.store.sending(PLAYERS, player.userid, no) as mark:
                if mark is not None:
                    self._post_all(letters.about_account(player, lines[no]))

    def _post_all(self, written: Iterable[Letter]) -> None:
        for letter in written:
            if letter.to:
                self.post(letter)


def refusal(error: PbmError) -> Answer:
    """What somebody reads whose command is refused."""
    text = screens.fill(str(error))
    if isinstance(error, BadCommand):
        text += screens.fill(f'For more, send "help {error.page}".')
    if error.screen:
        text += "\n" + error.screen
    return Answer(text, error.status, error.to)


@contextmanager
def _answered_to(addresses: tuple[str, ...]) -> Iterator[None]:
    """A refusal in this block is answered to these addresses."""
    try:
        yield
    except PbmError as error:
        error.to = addresses
        raise
