"""The one transaction: authenticate, lock, load, seen already?, decide, save, mark.

What a command changes is one file, a board or an account. Its letters are marked
as unsent in the same commit, and sent after it, by whoever gets there first.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pbm_holomino.commands import accounts, boards, table
from pbm_holomino.commands.allowance import Guess
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.table import Effect
from pbm_holomino.commands.texts import passed_on
from pbm_holomino.errors import (
    DONE,
    TRY_LATER,
    BadCommand,
    CannotSend,
    NotAllowed,
    NotFound,
    NotYourTurn,
    PbmError,
    WrongPassword,
)
from pbm_holomino.letters import letters
from pbm_holomino.letters.letters import Post
from pbm_holomino.letters.screen import shown_with_refusals
from pbm_holomino.match.account import (
    DELETED,
    Player,
    check_blocks_none,
    check_known,
    check_not_blocked,
    fits_password,
    parse_declined,
)
from pbm_holomino.match.actions import DECLINE
from pbm_holomino.match.board import Match
from pbm_holomino.match.queue import advanced
from pbm_holomino.match.record import NOBODY, Line, Record
from pbm_holomino.match.replay import act as acted
from pbm_holomino.rules.chance import SEED_BYTES
from pbm_holomino.sentences import fill, listed
from pbm_holomino.server.delivery import Delivery, Unsent
from pbm_holomino.store.damage import corrupt
from pbm_holomino.store.library import PLAYERS, Library
from pbm_holomino.store.summary import Summary


def utc_now() -> str:
    """The time as it stands in logs."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Server(Delivery):
    """Carries out requests on a library. `fits` judges a password by its hash."""

    def __init__(
        self,
        library: Library,
        post: Post,
        now: Callable[[], str] = utc_now,
        seed: Callable[[], bytes] = lambda: os.urandom(SEED_BYTES),
        fits: Callable[[str, str], bool] = fits_password,
    ) -> None:
        super().__init__(library, post)
        self.now = now
        self.seed = seed
        self.fits = fits

    def run(self, request: Request) -> Answer:
        """Carry out one command. A refusal is an answer too; Busy, StoreTrouble and
        CannotSend are raised: then nothing has changed, or what has will be found
        done when the same mail comes again. No text is passed on with the password in
        it."""
        body = passed_on(request.body, request.password)
        try:
            request.allowance.take_passwords(*_passwords(request))
            return self._transaction(request._replace(body=body))
        except PbmError as error:
            if error.status == TRY_LATER:
                raise
            if error.screen and not request.allowance.has_board(bool(request.userid)):
                error.screen = ""
            return refusal(error)

    def _transaction(self, request: Request) -> Answer:
        effect = table.find(request).effect
        if effect is Effect.OPENS_BOARD:
            return self._open(request)
        if effect is Effect.CHANGES_BOARD:
            return self._change_board(request)
        if effect is Effect.CHANGES_ACCOUNT:
            return self._change_account(request)
        return self._query(request)

    def _authenticate(self, request: Request) -> Player:
        player = self.library.player(request.userid)
        if player is None:
            raise NotFound("There is no player of that name here.")
        if not self._fits(request, player):
            raise WrongPassword("That is not the password of that player.")
        return player

    def _fits(self, request: Request, player: Player) -> bool:
        guess = Guess(
            request.password,
            player.password,
            player.userid,
            is_home=player.owns(request.sender),
        )
        try:
            return request.allowance.fits(guess, self.fits)
        except ValueError as error:
            raise corrupt(PLAYERS, player.userid, error) from None

    def _query(self, request: Request) -> Answer:
        is_open = table.find(request).is_open
        to = () if is_open else self._authenticate(request).addresses
        if is_open:
            request.allowance.ask()
        with _answered_to(to):
            if request.command != "help" and not request.boards:
                request.allowance.ask_list()
            decide = table.find(request).decision()
            return Answer(decide(request, self.library), DONE, to)

    # What changes a board

    def _open(self, request: Request) -> Answer:
        """A new board, unless this mail has opened it before."""
        game = request.game
        try:
            player = self._authenticate(request) if request.userid else None
        except WrongPassword as error:
            return self._again(request, error)
        to = player.addresses if player else ()
        # the limits on challenges span all games, and so does this lock
        opening = self.store.lock("", "challenges")
        with _answered_to(to), opening, self.store.lock(game, "new"):
            match = None
            if request.by_mail:
                match = self.library.opened_by(game, request.mail)
            fresh = match is None
            if match is None:
                match = self._opened(request)
                if not request.userid:
                    request.allowance.challenge(self._addresses_of(match))
                self.library.save_match(match, unsent=0)
        return self._about_board(request, match, 0, fresh)

    def _addresses_of(self, match: Match) -> list[str]:
        """All addresses of a board's players."""
        players = map(self.library.player, match.record.players)
        return [address for player in players if player for address in player.addresses]

    def _opened(self, request: Request) -> Match:
        game = request.game
        old = self.library.match(game, request.board) if request.boards else None
        names = request.words if old is None else old.record.players
        found = {name: self.library.player(name) for name in names}
        known = {name: player for name, player in found.items() if player}
        number = self.library.lists.next_number(game)
        now = self.now()

        def challenges(players: Sequence[str]) -> list[Summary]:
            return self.library.lists.challenges(players, now)

        new = (known, challenges, number, self.seed(), now)
        if old is not None:
            with shown_with_refusals(old, request.userid):
                return boards.rematch(request, old, *new)
        return boards.challenge(request, *new)

    def _change_board(self, request: Request) -> Answer:
        try:
            player = self._authenticate(request)
        except WrongPassword as error:
            return self._again(request, error)
        with _answered_to(player.addresses), self._locked_board(request):
            match = self.library.match(request.game, request.board)
            request.allowance.read_lines(len(match.record.log))
            line = match.line_from(request.mail, request.userid)
            fresh = line is None
            if line is None:
                line = len(match.record.log)
                match = self._changed_board(request, match, player)
                self.library.save_match(match, unsent=line)
        return self._about_board(request, match, line, fresh)

    def _again(self, request: Request, error: WrongPassword) -> Answer:
        """The answer to a mail that has been done, and the password changed since.
        Raises the error where it is none."""
        done = self._done_before(request)
        if done is None:
            raise error
        return self._about_board(request, *done, fresh=False)

    def _done_before(self, request: Request) -> tuple[Match, int] | None:
        """The board that this mail has changed, and the line that it made."""
        player = self.library.player(request.userid)
        if not request.by_mail or player is None or not player.owns(request.sender):
            return None
        if request.command == "rematch":
            opened = self.library.opened_by(request.game, request.mail)
            return None if opened is None else (opened, 0)
        if not self.store.exists(request.game, str(request.board)):
            return None
        match = self.library.match(request.game, request.board)
        line = match.line_from(request.mail, request.userid)
        return None if line is None else (match, line)

    @contextmanager
    def _locked_board(self, request: Request) -> Iterator[None]:
        name = str(request.board)
        if not self.store.exists(request.game, name):  # its lock would stay for ever
            raise self.library.no_board(request.game, request.board)
        with self.store.lock(request.game, name):
            yield

    def _changed_board(self, request: Request, match: Match, player: Player) -> Match:
        now = self.now()
        with shown_with_refusals(match, request.userid):
            if request.command == "chat":
                self._check_heard(player, match.record)
            decide = table.find(request).decision()
            return advanced(decide(request, match, now), now)

    def _check_heard(self, who: Player, record: Record) -> None:
        """Raises NotAllowed where nobody on a board can hear a player and answer."""
        others = [player for player in record.players if player != who.userid]
        if who.userid not in record.players:
            return
        if set(others) <= set(self.blockers(others, who.userid)):
            check_not_blocked(who.userid, others, "words")
        if set(others) <= set(who.blocked):
            check_blocks_none(who, others)

    def _about_board(
        self, request: Request, match: Match, line: int, fresh: bool
    ) -> Answer:
        """Send what is to be sent, and answer who asked: a mail that came before is
        answered as it was."""
        if not fresh:
            self.store.sync(match.record.game)
        made = match.record.log[line]
        reader = made.who
        player = self.library.player(reader)
        key = letters.board_key(match.record, line, reader)
        delivery = self.on_one_round()
        failed = delivery.send_about_board(match)
        excluded = self.excluded_from(match, line)
        if not fresh and player is not None:
            request.allowance.repeat(player.addresses)
        if player is not None and not fresh and not made.answered_apart:
            again = letters.about_board(match, line, player, excluded=excluded)
            failed |= delivery.post_all([again])

        def text() -> str:
            asker = None if reader == NOBODY else reader
            return letters.board_text(match, line, asker, excluded=excluded)

        return self._answered(made, player, key, failed, text)

    # What changes an account

    def _change_account(self, request: Request) -> Answer:
        player = self.library.account(request.userid)
        line = _seen_before(request, player)
        fresh = False
        if player is None or line is None:
            to: tuple[str, ...] = ()
            if request.command == "signup":
                # before there is a lock, which stays for ever
                addresses = accounts.check_signup(request)
                if player is None:
                    request.allowance.sign_up(addresses)
            else:
                to = self._authenticate(request).addresses
            with _answered_to(to), self.store.lock(PLAYERS, request.userid):
                player, fresh = self._changed_account(request)
                line = player.line_of(request.mail) or player.log[-1]
        for board in parse_declined(line).boards:
            self._decline(board, line)
        return self._about_account(request, player, line, fresh)

    def _decline(self, board: str, line: Line) -> None:
        """Decline a challenge, as `holo 12`, because of a line of an account, if it
        still waits for that player's answer."""
        # what becomes of the boards is told in one letter, about the account
        apart = line.source if line.answered_apart else f"{line.source}/all"
        act = Line(None, self.now(), line.who, apart, DECLINE)
        game, name = board.split()
        if not self.store.exists(game, name):
            return
        with self.store.lock(game, name):
            match = self.library.match(game, int(name))
            try:
                match = acted(match, act)
            except (NotAllowed, NotYourTurn):
                return  # it is done, or they have played meanwhile
            self.library.save_match(match, unsent=len(match.record.log) - 1)
        self.send_about_board(match)

    def _changed_account(self, request: Request) -> tuple[Player, bool]:
        """The account after the command, and whether it is this that has done it."""
        player = self.library.player(request.userid)
        if player is not None and player.line_of(request.mail):
            return player, False
        if request.command == "signup":
            player = self._signed_up(request)
        elif player is not None:
            if request.command == "delete":
                self._check_plays_nowhere(request.userid)
            request = self._addressed(request, player)
            player = table.find(request).decision()(request, player, self.now())
        else:
            raise NotFound("That account has just been removed.")
        self.library.save_player(player)
        return player, True

    def _signed_up(self, request: Request) -> Player:
        old = self.library.account(request.userid)
        if old and old.status == "off" and self._fits(request, old):
            return accounts.sign_on_again(request, old, self.now())
        return accounts.signup(request, old, self.now())

    def _addressed(self, request: Request, player: Player) -> Request:
        """The request with the players whom it names, each once, or with the boards
        that it is about."""
        who = request.userid
        if request.command == "message":
            check_known(request.words, self.library.player)
            names = tuple(dict.fromkeys(request.words))
            check_not_blocked(who, self.blockers(names, who), "messages")
            check_blocks_none(player, names)
            return request._replace(words=names)
        if request.command == "block":
            check_known(request.words, self.library.player)
        if request.command == "decline all":
            return request._replace(words=self._challenges_to(who))
        return request

    def _challenges_to(self, userid: str) -> tuple[str, ...]:
        """The challenges that a player can decline, as `holo 12`. Raises NotAllowed
        where there are none."""
        found = self.library.lists.challenges([userid], self.now())
        boards = tuple(board.name for board in found if userid in board.unanswered)
        if not boards:
            raise NotAllowed("No challenge waits for your answer.")
        return boards

    def _check_plays_nowhere(self, userid: str) -> None:
        found = self.library.lists.boards_of([userid], "all")
        for damage in found.damaged:  # it may be one of theirs
            raise damage
        running = [board.name for board in found.boards if board.result is None]
        if not running:  # lists are not trusted with that
            matches = (self.library.match(b.game, b.board) for b in found.boards)
            running = [match.record.name for match in matches if match.result is None]
        if running:
            raise NotAllowed(
                f"You play on {listed(running)}: please end or resign that first."
            )

    def _about_account(
        self, request: Request, player: Player, line: Line, fresh: bool
    ) -> Answer:
        if not fresh:
            self.store.sync(PLAYERS)
        key = letters.account_key(player, line)
        delivery = self.on_one_round()
        failed = delivery.send_about_account(player)
        if not fresh:
            request.allowance.repeat(player.addresses)
            readers = self.library.readers(player, line)
            written = letters.about_account(player, line, readers)
            failed |= delivery.post_all(n for n in written if n.key == key)

        def text() -> str:
            readers = self.library.readers(player, line)
            return letters.account_text(player, line, readers)

        return self._answered(line, player, key, failed, text)

    # Letters

    def _answered(
        self,
        line: Line,
        player: Player | None,
        key: str,
        failed: dict[str, Unsent],
        text: Callable[[], str],
    ) -> Answer:
        """The answer to a change that is saved, once its letters are sent: it is one
        of them, with this key, if the player has an address and is not answered
        apart. Only if no copy of that one can leave must the mail come again; the
        others are marked."""
        to = player.addresses if player is not None else ()
        if to and not line.answered_apart:
            if key in failed and failed[key].whole:
                raise CannotSend(failed[key].why)
            return Answer("", posted=True)
        if failed and line.by_shell:
            later = fill(
                "(The letters about this could not be sent yet; they will be sent "
                "later.)"
            )
            return Answer(f"{text()}\n{later}")
        return Answer(text(), to=to)


def _passwords(request: Request) -> tuple[tuple[str, str] | None, str]:
    """What a command may have hashed: a password with its userid, and the userid that
    gets a new one. It is the same each time that a mail comes, whatever has been done
    before."""
    if not request.password:
        return None, ""
    if request.command == "signup":
        return None, request.userid
    is_new = request.command == "change password"
    return (request.userid, request.password), request.userid if is_new else ""


def _seen_before(request: Request, player: Player | None) -> Line | None:
    """The line of an account's log that a mail has made, which came from an address
    of that account, or has deleted it."""
    line = player.line_of(request.mail) if player is not None else None
    if player is None or line is None:
        return None
    theirs = player.owns(request.sender) or request.sender in line.action.split()
    return line if theirs or player.status == DELETED else None


def refusal(error: PbmError) -> Answer:
    """What somebody reads whose command is refused."""
    text = fill(str(error))
    if isinstance(error, BadCommand):
        text += fill(f'For more, send "help {error.page}".')
    if error.screen:
        text += "\n" + error.screen
    return Answer(text, error.status, error.to, over=error.over)


@contextmanager
def _answered_to(addresses: tuple[str, ...]) -> Iterator[None]:
    """A refusal in this block is answered to these addresses."""
    try:
        yield
    except PbmError as error:
        error.to = addresses
        raise
