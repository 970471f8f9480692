"""The one transaction: authenticate, lock, load, done before?, decide, save, mark.

A command changes one file, a board or an account. Its letters are marked as unsent in
the same commit, and sent after its answer, or by whichever process gets there first.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from pbm_holomino import rules
from pbm_holomino.commands import accounts, table
from pbm_holomino.commands.allowance import Guess
from pbm_holomino.commands.context import Advise, Context
from pbm_holomino.commands.refusals import board_shown, refusal
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.table import Effect
from pbm_holomino.commands.texts import (
    before_quote,
    passed_on,
    without_commands,
    without_links,
)
from pbm_holomino.errors import (
    Again,
    CorruptFile,
    NotAllowed,
    NotFound,
    NotYourTurn,
    PbmError,
    Refused,
    WrongPassword,
)
from pbm_holomino.letters import board_letters
from pbm_holomino.letters.content import plain
from pbm_holomino.letters.due import Answering, Due
from pbm_holomino.letters.letter import Post
from pbm_holomino.letters.writing import Sources, letter_key, words_of
from pbm_holomino.match import forgotten, ledgers, replay
from pbm_holomino.match.account import (
    DELETED,
    AccountLine,
    Player,
    declined_by,
    fits_password,
    is_userid,
)
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import OpenChallenge, Table
from pbm_holomino.match.queue import advanced
from pbm_holomino.match.record import (
    SHELL,
    Act,
    Line,
    LogLine,
)
from pbm_holomino.match.tokens import is_token
from pbm_holomino.rules.chance import SEED_BYTES
from pbm_holomino.sentences import fill
from pbm_holomino.server import proof
from pbm_holomino.server.delivery import Delivery
from pbm_holomino.store.contract import PLAYERS, TOURNAMENTS
from pbm_holomino.store.damage import corrupt
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.match.tournament import Tournament


Later = Callable[[Sequence[Due]], object]
_SHARE = 3  # documents whose letters others have left behind


class Server:
    """Carries out requests on a library, and sends letters by its delivery.

    `post` sends one letter, `now` returns the time (that of the store if none is
    given), `seed` makes the seed of a new board, and `fits` says whether a password
    matches a hash. `rated_robots` says whether games against robots may count, and
    `wake` has robots look at their boards: whether they will. `web` is the address of
    the front page, if there are pages. `advise` has a robot think while the command
    waits, where that may be (see `commands.context`). `later` takes letters that are
    due, to send them while the server goes on; without it, the server sends them.
    """

    def __init__(
        self,
        library: Library,
        post: Post,
        now: Callable[[], str] | None = None,
        seed: Callable[[], bytes] = lambda: os.urandom(SEED_BYTES),
        fits: Callable[[str, str], bool] = fits_password,
        rated_robots: bool = False,
        wake: Callable[[], bool] = lambda: False,
        web: str = "",
        advise: Advise | None = None,
        later: Later | None = None,
    ) -> None:
        self.library = library
        self.store = library.store
        self.delivery = Delivery(library, post)
        self.now = now or library.store.now
        self.seed = seed
        self.fits = fits
        self.rated_robots = rated_robots
        self.wake = wake
        self.web = web
        self.advise = advise
        self.later = later

    def run(self, request: Request) -> Answer:
        """Carry out one command, and return the answer; a refusal is an answer too. The
        password is removed from the text that is passed on. The letters that are `due`
        then are marked as unsent, and not sent yet.

        Raises Busy or StoreTrouble: then nothing has changed, or the same command will
        find its work done when it comes again.
        """
        try:
            return self._run(request)
        except Again:
            if request.origin.mail == SHELL:
                raise  # it could not tell its own work
            return self._run(request)
        finally:
            self.store.expect(())  # what was read ahead is for this command alone
            request.allowance.guesses.settle()

    def carry_out(self, request: Request) -> Answer:
        """Carry out one command, have the letters sent that are due, and return the
        answer."""
        answer = self.run(request)
        self.deliver(answer.due)
        return answer._replace(due=())

    def deliver(self, due: Sequence[Due]) -> None:
        """Have letters sent that are due. Those that cannot leave stay marked, for
        whoever sends next; if all can, so can a share of those that others have left
        behind."""
        if self.later is not None:
            self.later(due)
        elif set(map(self._is_delivered, due)) == {True}:
            with suppress(PbmError):  # it can be looked for another time
                for each in self.left_behind():
                    self._is_delivered(each)

    def _is_delivered(self, due: Due) -> bool:
        try:
            return not self.delivery.deliver([due])
        except PbmError:
            return False

    def left_behind(self) -> list[Due]:
        """A share of the letters that were marked by somebody who could not send them,
        or has died."""
        found = self.store.marks.left(ledgers.folders(), _SHARE)
        return [Due(folder, name) for folder, name in found]

    def _run(self, request: Request) -> Answer:
        request = request._replace(body=_words_passed_on(request))
        context = Context(
            self.library,
            People(self.library),
            self.now(),
            self.seed,
            self.rated_robots,
            self.wake,
            self.advise,
            web=self.web,
        )
        if _passwords(request)[0] and not is_token(request.password):
            request.allowance.guesses.expect(request.userid)
        player = context.people.readable(request.userid)
        if player is not None and not player.addresses:
            request = request.coming(has_address=False)
        try:
            request = self._without_letters(request, context.people)
            request = proof.proved(request, self.library, context.people)
            request.allowance.work.take_passwords(*_passwords(request))
            return self._carried_out(request, context)
        except Refused as error:
            return refusal(error)

    def _without_letters(self, request: Request, people: People) -> Request:
        """The request without what its text quotes of letters about boards that it
        names, if the command is about no board that will be looked at."""
        is_about_board = table.find(request).effect is Effect.CHANGES_BOARD
        if not request.body or not request.origin.by_mail or is_about_board:
            return request
        who = request.userid or _sender_of(request, people)
        named = dict.fromkeys(_boards_named(request.body)) if who else ()
        for game, board in islice(named, _MOST_NAMED):
            with suppress(CorruptFile, NotFound):
                match = self.library.match(game, board)
                cut = _without_letter(request._replace(userid=who), match)
                request = request._replace(body=cut.body)
        return request

    def _carried_out(self, request: Request, context: Context) -> Answer:
        effect = table.find(request).effect
        if effect is Effect.OPENS_BOARD:
            return self._open(request, context)
        if effect is Effect.CHANGES_BOARD:
            return self._change_board(request, context)
        if effect is Effect.CHANGES_ACCOUNT:
            return self._change_account(request, context)
        if effect is Effect.CHANGES_TOURNAMENT:
            return self._change_tournament(request, context)
        return self._ask(request, context)

    def _authenticated(self, request: Request, people: People) -> Player:
        """The player who has given this password, replied to a letter, or signed in.
        Raises NotFound or WrongPassword."""
        player = people.player(request.userid)
        if player is None:
            raise NotFound("There is no player of that name here.")
        is_proved = request.origin.proof is not None or request.origin.is_signed_in
        if not is_proved and not self._fits(request, player):
            raise proof.wrong(request)
        if player.bounces and request.origin.is_from(player):
            self._note_alive(request.origin.sender, player, people)
        return player

    def _note_alive(self, address: str, player: Player, people: People) -> None:
        """Forget what has not reached an address from which a player has just sent a
        command."""
        today = self.now()[:10]
        heard = player.heard_from(address, today)
        if heard == player:
            return
        with self.store.lock(PLAYERS, player.userid):
            found = self.library.player(player.userid)
            if found is not None:
                self.library.save(found.heard_from(address, today))
        people.keep(heard)

    def _fits(self, request: Request, player: Player) -> bool:
        guess = Guess(
            request.password,
            player.password,
            player.userid,
            is_home=request.origin.is_from(player),
            by_word=request.command == "change password" and is_token(request.password),
        )

        def fits_word(word: str, hashed: str) -> bool:
            is_mailed = forgotten.fits(word, self.library.key, player, self.now())
            return is_mailed or self.fits(word, hashed)

        try:
            return request.allowance.guesses.fits(
                guess, fits_word if guess.by_word else self.fits
            )
        except ValueError as error:
            noun = self.store.noun
            raise corrupt(PLAYERS, player.userid, error, noun) from None

    def _ask(self, request: Request, context: Context) -> Answer:
        """Answer a question."""
        to: tuple[str, ...] = ()
        if table.find(request).is_open:
            request.allowance.answers.ask()
        else:
            to = self._authenticated(request, context.people).addresses
        if table.find(request).effect is Effect.ASKS_ROBOTS:
            from pbm_holomino.commands import lessons  # few questions do

            if (again := lessons.answered_before(request, context)) is not None:
                return again._replace(to=to)
        match = None
        try:
            if request.origin.proof is not None:
                match = self.library.match(request.game, request.board)
                proof.check_is_fresh(request, match)
            if request.command != "help" and not request.boards:
                request.allowance.work.ask_list()
            answer: Answer = table.find(request).decision()(request, context)
            self.delivery.send(answer.letters)
            return answer._replace(to=to)
        except Refused as error:
            return refusal(error, to, board_shown(request, match, request.userid))

    # What opens a board

    def _open(self, request: Request, context: Context) -> Answer:
        """Open a board, unless this mail has opened it before."""
        to: tuple[str, ...] = ()
        old = None
        try:
            if request.userid:
                to = self._authenticated(request, context.people).addresses
        except WrongPassword as error:
            return self._done_before(request, context) or refusal(error)
        try:
            old = self._old_board(request)
            with self._opening(request, old):
                found = self._opened_by(request)
                fresh = found is None
                if found is None:
                    context = context._replace(now=self.now())
                    decide = table.find(request).decision()
                    found = decide(request, context, old)
                    if not request.userid:
                        addresses = _addresses_of(found, context.people)
                        request.allowance.answers.challenge(addresses)
                    self.library.save(found, unsent=0)
        except Refused as error:
            return refusal(error, to, board_shown(request, old, request.userid))
        return self._about_board(request, context, found, 0, fresh)

    @contextmanager
    def _opening(self, request: Request, old: Match | None) -> Iterator[None]:
        """The locks under which a board is opened: those of its players' accounts, as
        the limits on challenges apply to all games together, and one for the game's
        next number."""
        names = old.record.players if old else request.words
        with ExitStack() as locks:
            for name in sorted({*names, request.userid}):
                if is_userid(name) and self.store.exists(PLAYERS, name):
                    locks.enter_context(self.store.lock(PLAYERS, name))
            locks.enter_context(self.store.lock(request.game, "new"))
            yield

    def _opened_by(self, request: Request) -> Table | None:
        """The board, or the open challenge, that this command has opened before."""
        if request.origin.mail == SHELL:
            return None
        return self.library.opened_by(request.game, request.origin.mail)

    def _old_board(self, request: Request) -> Match | None:
        """The board that a rematch follows; None for a challenge."""
        if not request.boards:
            return None
        return self.library.match(request.game, request.board)

    # What changes a board

    def _change_board(self, request: Request, context: Context) -> Answer:
        try:
            player = self._authenticated(request, context.people)
        except WrongPassword as error:
            return self._done_before(request, context) or refusal(error)
        judged: Table | None = None
        try:
            with self._locked_board(request):
                found = self.library.table(request.game, request.board)
                request.allowance.work.read_lines(
                    found.record.lines_for(request.userid)
                )
                line = found.record.line_from(request.origin.mail, request.userid)
                fresh = line is None
                if line is None:
                    context = context._replace(now=self.now())
                    judged, line = found, len(found.record.log)
                    found = _changed(request, context, found)
                    context.people.expect(found.record.players)  # they get letters
                    self.library.save(found, line)
        except Refused as error:
            return refusal(
                error, player.addresses, board_shown(request, judged, request.userid)
            )
        return self._about_board(request, context, found, line, fresh)

    @contextmanager
    def _locked_board(self, request: Request) -> Iterator[None]:
        name = str(request.board)
        if not self.store.may_lock(request.game, name):
            raise self.library.missing(request.game, str(request.board))
        with self.store.lock(request.game, name):
            yield

    def _done_before(self, request: Request, context: Context) -> Answer | None:
        """The answer to a mail that was carried out before its player changed the
        password; None if it was not."""
        player, origin = context.people.player(request.userid), request.origin
        if not origin.by_mail or player is None or not origin.is_from(player):
            return None
        found: Table | None = None
        line: int | None = 0
        if table.find(request).effect is Effect.CHANGES_TOURNAMENT:
            return self._entered_before(request, player)
        if table.find(request).effect is Effect.OPENS_BOARD:
            found = self._opened_by(request)
        elif self.store.exists(request.game, str(request.board)):
            found = self.library.table(request.game, request.board)
            line = found.record.line_from(request.origin.mail, request.userid)
        else:
            return None
        if found is None or line is None:
            return None
        return self._about_board(request, context, found, line, fresh=False)

    def _about_board(
        self, request: Request, context: Context, match: Table, line: int, fresh: bool
    ) -> Answer:
        """The answer to the author of a line of a board's log, and the letters about
        it; a mail that comes again gets the same answer."""
        folder, name = match.record.game, str(match.record.board)
        if not fresh:
            self.store.sync(folder, name)
        made, people = match.record.log[line], context.people
        people.read(match.record.players)
        answering = Answering(
            letter_key(match.key, line, made.who),
            request.origin.message_id,
            request.read_as,
            line,
        )
        due = Due.of(match, None, answering, people)
        if fresh and isinstance(match, Match) and match.robots_due and self.wake():
            from pbm_holomino.server.waking import PATIENCE  # few boards have robots

            if _may_wait(match, line, people):
                due = due._replace(robots_until=monotonic() + PATIENCE)

        return self._answered(request, made, people.player(made.who), due, fresh)

    # What changes an account

    def _change_account(self, request: Request, context: Context) -> Answer:
        player = context.people.account(request.userid)
        line = _seen_before(request, player)
        fresh = False
        if player is None or line is None:
            to: tuple[str, ...] = ()
            if request.command == "signup":
                # before there is a lock, which stays for ever
                addresses = accounts.check_signup(request, player)
                if player is None:
                    request.allowance.answers.sign_up(addresses)
            else:
                to = self._authenticated(request, context.people).addresses
            try:
                with self.store.lock(PLAYERS, request.userid):
                    context = context._replace(now=self.now())
                    player, fresh = self._changed_account(request, context)
            except Refused as error:
                return refusal(error, to)
            line = player.line_of(request.origin.mail)
            if line is None and not fresh:  # who has it so needs no letter
                return Answer(fill("It was so before."), posted=True)
            line = line or player.log[-1]
        declined = [
            self._decline(board, line, context) for board in declined_by(line).boards
        ]
        answer = self._about_account(request, context, player, line, fresh)
        return answer._replace(due=(*filter(None, declined), *answer.due))

    def _changed_account(
        self, request: Request, context: Context
    ) -> tuple[Player, bool]:
        """The account after the command, and whether it was changed only now. The
        account is read again, under its lock."""
        judged = context.people.readable(request.userid)
        player = self.library.player(request.userid)
        if player is not None and player.line_of(request.origin.mail):
            return player, False
        if player and judged and player.password != judged.password:
            raise WrongPassword("The password of that player has just been changed.")
        if request.command == "signup":
            player = self._signed_up(request, context)
        elif player is not None:
            had = player
            player = table.find(request).decision()(request, context, had)
            if player is had:
                return player, False
        else:
            raise NotFound("That account has just been removed.")
        self.library.save(player, unsent=player.log[-1].no)
        context.people.keep(player)
        return player, True

    def _signed_up(self, request: Request, context: Context) -> Player:
        old = self.library.account(request.userid)
        if old and old.status != DELETED and self._fits(request, old):
            return accounts.sign_on_again(request, context, old)
        return accounts.signup(request, context, old)

    def _decline(self, board: str, line: AccountLine, context: Context) -> Due | None:
        """Decline a challenge, such as `holo 12`, for a line of an account's log, if it
        still waits for that player's answer; the letters about it."""
        # the player gets one letter about all the boards, from the account's log
        apart = line.source if line.answered_apart else f"{line.source}/all"
        declined = Line(None, context.now, line.who, apart, Act.DECLINE)
        game, name = board.split()
        if not self.store.exists(game, name):
            return None
        with self.store.lock(game, name):
            try:
                match = replay.after(self.library.match(game, int(name)), declined)
            except (NotAllowed, NotYourTurn, CorruptFile):
                return None  # already declined, or they have moved, or it is damaged
            self.library.save(match, unsent=len(match.record.log) - 1)
        return Due.of(match, people=context.people)

    def _about_account(
        self,
        request: Request,
        context: Context,
        player: Player,
        line: AccountLine,
        fresh: bool,
    ) -> Answer:
        """The answer to a player after a line of their account's log, and the letters
        about it."""
        if not fresh:
            self.store.sync(PLAYERS, player.userid)
        answering = Answering(
            letter_key(player.key, line.no or 0, ""),
            request.origin.message_id,
            request.read_as,
            line.no,
        )
        due = Due.of(player, None, answering, context.people)
        return self._answered(request, line, player, due, fresh)

    def _answered(
        self,
        request: Request,
        line: LogLine[object],
        player: Player | None,
        due: Due,
        fresh: bool,
    ) -> Answer:
        """The answer to a saved change. For a player who has an address and is not
        answered apart, it is the letter about it."""
        to = player.addresses if player is not None else ()
        is_posted = bool(to) and not line.answered_apart
        if player is not None and not fresh:
            request.allowance.answers.repeat(to)
            answering = due.answering._replace(again=is_posted)
            due = due._replace(answering=answering)
        if is_posted:
            return Answer("", posted=True, due=(due,))
        sources = Sources.of(self.library, due.people or People(self.library))
        said = words_of(due.folder).said(due.ledger, due.answering.line or 0, sources)
        return Answer(plain(said), to=to, due=(due,))

    # What changes a tournament

    def _change_tournament(self, request: Request, context: Context) -> Answer:
        """Change a tournament, unless this command has done so before. What comes by
        mail is answered from the log, so that its letter needs no mark; one to another
        player, about the last line, has a mark."""
        from pbm_holomino.letters.tournament_letters import readers  # few commands
        from pbm_holomino.store import tournaments

        if self.library.is_robot(request.userid):
            raise NotAllowed(
                f"{request.userid} is a robot, and only people play in tournaments: "
                "please enter with your own userid."
            )
        try:
            player = self._authenticated(request, context.people)
        except WrongPassword as error:
            return self._done_before(request, context) or refusal(error)
        name = str(request.board)
        try:
            again = self._entered_before(request, player)
            if again is not None:
                return again
            marked: list[int] = []
            with self.store.lock(TOURNAMENTS, name):
                found = tournaments.find(self.library, request.board)
                line = found.line_from(request.origin.mail, request.userid)
                if line is None:
                    context, line = context._replace(now=self.now()), len(found.log)
                    found = table.find(request).decision()(request, context, found)
                    last = len(found.log) - 1
                    marked = [last] if readers(found, last) else []
                    self.library.save(found, *marked)
        except Refused as error:
            return refusal(error, player.addresses)
        due = Due.of(found, marked)
        return _about_tournament(found, line, player)._replace(due=(due,))

    def _entered_before(self, request: Request, player: Player) -> Answer | None:
        """The answer to a command that has changed a tournament before; None if it has
        not. Raises NotFound, or NotAllowed."""
        from pbm_holomino.store import tournaments

        found = tournaments.find(self.library, request.board)
        request.allowance.work.read_lines(len(found.log))
        line = found.line_from(request.origin.mail, request.userid)
        if line is None:
            return None
        self.store.sync(TOURNAMENTS, str(request.board))
        request.allowance.answers.repeat(player.addresses)
        return _about_tournament(found, line, player)


def _may_wait(match: Match, line: int, people: People) -> bool:
    """Whether the author of a line gets a letter about it that may wait for a moment.
    The first letter about a board is never left out, and so has nothing to wait for."""
    made = match.record.log[line]
    if made.answered_apart or len(match.record.log) - 1 <= match.record.began:
        return False
    player = people.player(made.who)
    return player is not None and bool(player.addresses)


def _about_tournament(found: "Tournament", line: int, player: Player) -> Answer:
    """The answer to the command that has brought a line of a tournament's log."""
    from pbm_holomino.letters.tournament_letters import told

    return Answer.of(told(found, line), to=player.addresses)


def _changed(request: Request, context: Context, found: Table) -> Table:
    """A board, or an open challenge, after a command about it."""
    if isinstance(found, OpenChallenge):
        from pbm_holomino.commands import open_challenges  # few commands need it

        return open_challenges.changed(request, context, found)
    proof.check_is_fresh(request, found)
    request = _without_letter(request, found)
    decide = table.find(request).decision()
    return advanced(decide(request, context, found), context.now)


def _addresses_of(found: Table, people: People) -> list[str]:
    """All addresses of those who get letters about a new board or open challenge."""
    names = found.seated if isinstance(found, OpenChallenge) else found.record.players
    players = filter(None, map(people.player, names))
    return [address for player in players for address in player.addresses]


def _words_passed_on(request: Request) -> str:
    """The text that a command passes on: that of its mail, or else what was typed with
    it, without the password, and without whole commands, as these may hold one that is
    not in the command itself."""
    for text in (request.origin.text, request.body):
        if said := without_links(passed_on(text, request.password)):
            break
    if not said:
        return ""
    return without_commands(said, table.in_texts(), (request.userid, *request.words))


def _without_letter(request: Request, match: Match) -> Request:
    """The request without what its text quotes of the last letters about the board to
    its player: some programs quote without any mark, and a letter may show what only
    its reader may know. Earlier letters count where the text names the board, as every
    letter with a secret does."""
    who, name = request.userid, match.record.name
    if not (request.body and request.origin.by_mail and who in match.record.players):
        return request
    last, body = match.last_known(len(match.record.log) - 1, who), request.body
    lines = [last]
    if re.search(rf"(?i)\b(?:{name}|board\s+{match.record.board})\b", body):
        lines += board_letters.lines_told(match, last, who)
    for line in lines:
        body = before_quote(body, partial(board_letters.board_text, match, line, who))
    return request._replace(body=body)


def _sender_of(request: Request, people: People) -> str:
    """The player who sends a command without a userid, such as a challenge."""
    players = filter(None, map(people.readable, request.words))
    return next((p.userid for p in players if request.origin.is_from(p)), "")


_MOST_NAMED = 2  # boards in a text that are looked at, as they may be quoted there


def _boards_named(text: str) -> Iterator[tuple[str, int]]:
    """The boards that a text names: `holo 12`, or `Holomino, board 12`."""
    games = "|".join(rules.names())
    for found in re.finditer(rf"(?i)\b({games})\s+([1-9][0-9]{{0,8}})\b", text):
        yield found[1].lower(), int(found[2])
    titled = re.findall(r"(?i)\b([a-z]+),?\s+board\s+([1-9][0-9]{0,8})\b", text)
    for game in rules.names() if titled else ():
        title = rules.load(game).TITLE.lower()
        yield from ((game, int(no)) for named, no in titled if named.lower() == title)


def _passwords(request: Request) -> tuple[tuple[str, str] | None, str]:
    """The passwords that a command may have hashed: the one it gives with its userid,
    and the userid that gets a new one. They are the same each time that a mail comes,
    whatever has been done before."""
    if not request.password or request.origin.proof is not None:
        return None, ""
    if request.command == "signup":
        return None, request.userid
    is_new = request.command == "change password"
    return (request.userid, request.password), request.userid if is_new else ""


def _seen_before(request: Request, player: Player | None) -> AccountLine | None:
    """The line of an account's log that this command brought earlier, if it was typed,
    or its mail comes from an address of the account, or the account is deleted."""
    origin = request.origin
    line = player.line_of(origin.mail) if player is not None else None
    if player is None or line is None or not origin.by_mail:
        return line
    theirs = origin.is_from(player) or origin.sender in line.action.words
    return line if theirs or player.status == DELETED else None
