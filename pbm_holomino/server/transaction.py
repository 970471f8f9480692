"""The one transaction: who; locks; find; done before?; decide; save with its mark.

A command changes one ledger, whatever its kind. Its letters are marked as unsent in
the same commit, and sent after its answer, or by whichever process gets there first.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

from pbm_holomino.commands import table
from pbm_holomino.commands.allowance import Guess
from pbm_holomino.commands.asker import asker, language, read_by
from pbm_holomino.commands.context import NO_ROBOTS, Context, Robots, Scope
from pbm_holomino.commands.refusals import (
    PASSWORD_CHANGED,
    board_shown,
    refusal,
    so_before,
    with_nearest,
    wrong_password,
)
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.table import Effect
from pbm_holomino.errors import (
    Again,
    CorruptFile,
    NotAllowed,
    NotFound,
    NotYourTurn,
    PbmError,
    Refused,
    TooMany,
    WrongPassword,
)
from pbm_holomino.match import ledgers
from pbm_holomino.match.account import NO_PLAYER, Player, fits_password, is_token
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.match.record import SHELL, Key
from pbm_holomino.rules.chance import SEED_BYTES
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.damage import corrupt
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

if TYPE_CHECKING:  # a question is answered without what writes and sends letters
    from pbm_holomino.letters.letter import Due, Post
    from pbm_holomino.match.board import Match
    from pbm_holomino.server.delivery import Delivery

Later = Callable[[Sequence["Due"]], object]
_SHARE = 3  # documents whose letters others have left behind


class Server:
    """Carries out requests on a library, and sends letters by its delivery.

    `post` sends one letter, `web` is the address of the front page, if there are pages,
    and `fits` says whether a password matches a hash. What is not given can be put in
    place of what is there: `now`, which returns the time; `seed`, which makes the seed
    of a new board; `later`, which takes letters that are due, to send them while the
    server goes on: without it, the server sends them; and the hosts that players may
    have called (see `match.notices`).
    """

    def __init__(
        self,
        library: Library,
        post: "Post",
        robots: Robots = NO_ROBOTS,
        web: str = "",
        fits: Callable[[str, str], bool] = fits_password,
    ) -> None:
        self.library = library
        self.store = library.store
        self._post = post
        self.robots = robots
        self.web = web
        self.fits = fits
        self.now: Callable[[], str] = library.store.now
        self.seed: Callable[[], bytes] = lambda: os.urandom(SEED_BYTES)
        self.later: Later | None = None
        self.notice_hosts: Sequence[str] = ()

    @cached_property
    def delivery(self) -> "Delivery":
        """What sends its letters."""
        from pbm_holomino.server.delivery import Delivery

        return Delivery(self.library, self._post, bool(self.web))

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
            self.store.settle()

    def carry_out(self, request: Request) -> Answer:
        """Carry out one command, have the letters sent that are due, and return the
        answer."""
        answer = self.run(request)
        self.deliver(answer.due)
        return answer._replace(due=())

    def deliver(self, due: Sequence["Due"]) -> None:
        """Have letters sent that are due. Those that cannot leave stay marked, for
        whoever sends next; if all can, so can a share of those that others have left
        behind."""
        if self.later is not None:
            self.later(due)
        elif set(map(self._is_delivered, due)) == {True}:
            with suppress(PbmError):  # it can be looked for another time
                for each in self.left_behind():
                    self._is_delivered(each)

    def _is_delivered(self, due: "Due") -> bool:
        try:
            return not self.delivery.deliver([due])
        except PbmError:
            return False

    def left_behind(self, seldom: bool = False) -> list["Due"]:
        """A share of the letters that were marked by somebody who could not send them,
        or has died; where that is asked seldom, also of those that take long to
        find."""
        from pbm_holomino.letters.letter import Due

        marks = self.store.marks
        # not only at the end of a log: the later ones may have left meanwhile
        return [
            Due(Key(folder, name), tuple(marks.unsent(folder).get(name, ())))
            for folder, name in marks.left(ledgers.folders(), _SHARE, seldom)
        ]

    def _run(self, request: Request) -> Answer:
        context = self.context()
        if _passwords(request)[0] and not is_token(request.password):
            self.store.expect(claim=request.allowance.guesses.likely(request.userid))
        player = context.people.readable(request.userid)
        if player is not None and not player.addresses:
            request = request.coming(has_address=False)
        try:
            if request.body or request.origin.text:
                from pbm_holomino.commands import passed_on

                people = context.people
                request = passed_on.with_own_words(request, self.library, people)
            if is_token(request.password):
                from pbm_holomino.server import proof

                request = proof.proved(request, self.library, context.people)
            request.allowance.work.take_passwords(*_passwords(request))
            act = self._change if table.find(request).kind else self._ask
            return act(request, context)
        except Refused as error:
            if isinstance(error, TooMany):  # nothing is read for whoever asks so often
                return refusal(error)
            reader = asker(request, context.people)
            return read_by(refusal(error), reader, context.now)

    def context(self) -> Context:
        """What a command finds now."""
        return Context(
            self.library,
            People(self.library),
            self.now(),
            self.seed,
            self.robots,
            fits=self._fits,
            web=self.web,
            notice_hosts=self.notice_hosts,
        )

    def _authenticated(self, request: Request, people: People) -> Player:
        """The player who has given this password, replied to a letter, or signed in.
        Raises NotFound or WrongPassword."""
        player = people.player(request.userid)
        if player is None:
            raise self._stranger(request)
        is_proved = request.origin.proof is not None or request.origin.is_signed_in
        if not is_proved and not self._fits(request, player):
            raise wrong_password(request)
        if player.bounces and request.origin.is_from(player):
            self._note_alive(request.origin.sender, player, people)
        return player

    def _stranger(self, request: Request) -> Refused:
        """The refusal of a userid that is no player's."""
        userid, folder = request.userid, table.folder(request)
        why = ledgers.load(folder).no_robots if folder else None
        if why and self.library.is_robot(userid):
            return NotAllowed(why.of(userid=userid))
        return NotFound(NO_PLAYER)

    def _note_alive(self, address: str, player: Player, people: People) -> None:
        """Forget what has not reached an address from which a player has just sent a
        command."""
        today = self.now()[:10]
        heard = player.heard_from(address, today)
        if heard == player:
            return
        with self.store.lock(PLAYERS, player.userid):
            account = self.library.player(player.userid)
            if account is not None:
                self.library.save(account.heard_from(address, today))
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
            from pbm_holomino.match import forgotten  # few players forget theirs

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
        if table.find(request).is_open and not request.password:
            request.allowance.answers.ask()
            reader = asker(request, context.people)
        else:
            reader = self._authenticated(request, context.people)
            to = reader.addresses
        now = context.now
        if table.find(request).effect is Effect.ASKS_ROBOTS:
            # few questions do
            from pbm_holomino.commands.hints_and_reviews import answered_before

            if (again := answered_before(request, context)) is not None:
                return read_by(again._replace(to=to), reader, now)
        match = None
        try:
            if request.origin.proof is not None:
                match = self.library.match(request.game, request.board)
                _check_is_fresh(request, match)
            if request.command != "help" and not request.boards:
                request.allowance.work.ask_list()
            answer: Answer = table.find(request).decision()(request, context)
            if answer.letters:
                self.delivery.send(answer.letters)
            return read_by(answer._replace(to=to), reader, now)
        except Refused as error:
            board = board_shown(request, context.people, match, request.userid)
            return read_by(refusal(error, to, board), reader, now)

    # What changes a ledger, or opens one

    def _change(self, request: Request, context: Context) -> Answer:
        """Change a ledger or open one, unless the same command has done so before."""
        entry, people = table.find(request), context.people
        kind = ledgers.load(table.folder(request))
        again = self._done_before(request, context) if kind.is_account else None
        if again is not None:
            return again
        author = before = None
        try:
            if not entry.is_open or request.origin.is_signed_in:
                author = self._authenticated(request, people)
        except WrongPassword:
            if (again := self._done_before(request, context)) is None:
                raise
            return again
        try:
            scope = self._scope(request, context)
            with ExitStack() as locks:
                for key in scope.locks:
                    locks.enter_context(self.store.lock(*key))
                ledger, line = scope.find()
                fresh = line is None
                if line is None:
                    before = ledger
                    context = context._replace(now=self.now())
                    ledger = self._decided(request, context, before)
                    if ledger is before:  # who has it so needs no letter
                        return so_before().in_language(language(author, context.now))
                    ledger, line = self.saved(before, ledger, context)
        except Refused as error:
            board = None if before is None else ledgers.kind_of(before).board(before)
            return _refused(error, request, context, board, author)
        return self._about(request, context, ledger, line, fresh)

    def _scope(self, request: Request, context: Context) -> Scope:
        """Where the ledger is. Raises Refused."""
        entry, library = table.find(request), self.library
        if entry.effect is Effect.OPENS:
            scope: Scope = entry.opening()(request, context)
            return scope
        folder = table.folder(request)
        kind = ledgers.load(folder)
        name = str(request.board) if kind.has_numbers else request.userid
        if not self.store.may_lock(folder, name):
            raise library.missing(folder, name)

        def find() -> tuple[Ledger, int | None]:
            ledger, who = library.ledger(folder, name), request.userid
            if kind.is_gone(ledger):
                raise library.missing(folder, name)
            request.allowance.work.read_lines(kind.lines_for(ledger, who))
            return ledger, kind.line_from(ledger, request.origin.mail, who)

        return Scope((Key(folder, name),), find)

    def _decided(self, request: Request, context: Context, before: Any) -> Any:
        """The ledger after a command, or a new one. Raises Refused."""
        judged = context.people.readable(request.userid)
        is_own = judged is not None and before and judged.key == before.key
        if judged and is_own and judged.password != before.password:
            raise WrongPassword(PASSWORD_CHANGED)
        if table.find(request).effect is Effect.CHANGES:
            _check_is_fresh(request, before)
            if request.body:
                from pbm_holomino.commands.passed_on import without_letters

                request = without_letters(request, before, context.people)
        return table.find(request).decision()(request, context, before)

    def saved(self, before: Any, after: Any, context: Context) -> tuple[Any, int]:
        """A ledger that has been changed or made, with all that follows, saved; and the
        line that has been brought. The caller has locked it."""
        kind, people = ledgers.kind_of(after), context.people
        after = kind.settled(after, context.now)
        if before is not None and before.key != after.key:
            before = None
        self.library.expect_accounts(kind.people(after))  # they get letters
        self.library.save(after, kind.marked(before, after))
        if kind.is_account:
            people.keep(after)
        return after, kind.brought(before, after)

    def _done_before(self, request: Request, context: Context) -> Answer | None:
        """The answer to a command that was carried out earlier, if that needs no
        password: its mail comes from the player, who may have another one by now. None
        if it was not."""
        origin, player = request.origin, context.people.account(request.userid)
        if player is None:
            return None
        kind = ledgers.load(table.folder(request))
        is_theirs = origin.is_from(player) if origin.by_mail else kind.is_account
        ledger: Any = player
        line: int | None = None
        if kind.is_account:
            line = kind.line_from(player, origin.mail, player.userid)
            if line is not None:
                former = kind.line(player, line).action.words
                is_theirs |= origin.sender in former or kind.is_gone(player)
        elif is_theirs:
            with suppress(NotFound):
                ledger, line = self._scope(request, context).find()
        if line is None or not is_theirs:
            return None
        return self._about(request, context, ledger, line, fresh=False)

    def _about(
        self, request: Request, context: Context, ledger: Any, line: int, fresh: bool
    ) -> Answer:
        """The answer to the author of a line, and the letters that are due; a mail that
        comes again gets the same answer, if that does not come only once. For a player
        who has an address and is not answered apart, it is the letter about the
        line."""
        from pbm_holomino.letters.writing import words_of

        kind, people = ledgers.kind_of(ledger), context.people
        people.read(kind.people(ledger))
        due = list(self.entailed(ledger, line, context))
        words = words_of(ledger)
        author = words.account(ledger, words.own_name(ledger, line), people)
        to = author.addresses if author is not None else ()
        is_posted = bool(to) and words.answers_author(ledger, line)
        if not fresh:
            self.store.sync(*ledger.key)
            if words.comes_once(ledger, line):
                folder, name = ledger.key
                is_unsent = self.store.marks.is_unsent(folder, name, line)
                is_posted = is_posted and is_unsent
            if author is not None:
                request.allowance.answers.repeat(to)
        due.append(self._due(request, context, ledger, line, fresh, is_posted))
        if is_posted:
            return Answer("", posted=True, due=tuple(due))
        answered = table.find(request).answered() or _said
        answer: Answer = answered(request, context, ledger, line)._replace(to=to)
        code = language(author, kind.line(ledger, line).time)
        return answer.in_language(code)._replace(due=tuple(due))

    def _due(
        self,
        request: Request,
        context: Context,
        ledger: Any,
        line: int,
        fresh: bool,
        is_posted: bool,
    ) -> "Due":
        """The letters about a line, one of which answers its author if that is posted.
        On a board with robots they wait until those have moved."""
        from pbm_holomino.letters.letter import Answering, Due
        from pbm_holomino.letters.writing import letter_key, words_of

        answering = Answering(
            read=request.reading,
            key=letter_key(ledger.key, line, words_of(ledger).own_name(ledger, line)),
            message_id=request.origin.message_id,
            line=line,
            again=is_posted and not fresh,
        )
        due = Due.of(ledger, None, answering, context.people)
        board = ledgers.kind_of(ledger).board(ledger)
        robots_act = fresh and board is not None and bool(board.robots_due)
        if robots_act and self.robots.wake():
            from pbm_holomino.server.waking import PATIENCE  # few boards have robots

            # its first letter is never left out, and so has nothing to wait for
            if is_posted and len(board.log) - 1 > board.record.began:
                return due._replace(robots_until=monotonic() + PATIENCE)
        return due

    def entailed(self, ledger: Ledger, line: int, context: Context) -> "Iterator[Due]":
        """Change other ledgers because of a line of one; the letters about that."""
        from pbm_holomino.letters.letter import Due

        for key, entailed in ledgers.kind_of(ledger).entails(ledger, line, context.now):
            if not self.store.exists(*key):
                continue
            with self.store.lock(*key):
                try:
                    before = self.library.ledger(*key)
                    after = ledgers.load(key.folder).after(before, entailed)
                except (NotAllowed, NotYourTurn, CorruptFile):
                    continue  # it has changed meanwhile, or is damaged
                after, _ = self.saved(before, after, context)
            yield Due.of(after, people=context.people)


def _refused(
    error: Refused,
    request: Request,
    context: Context,
    board: "Match | None",
    author: Player | None,
) -> Answer:
    """The answer to a command that changes nothing: to its author, if they have proved
    who they are, with the board that it is about."""
    people, to = context.people, author.addresses if author else ()
    people.unname(error, board)
    shown = board_shown(request, people, board, request.userid)
    nearest = with_nearest(error, board, request)
    reader = author or asker(request, people)
    return read_by(refusal(nearest, to, shown), reader, context.now)


def _check_is_fresh(request: Request, match: Any) -> None:
    """Raises OldLetter for a reply to a letter after which its board has changed."""
    if request.origin.proof is not None:
        from pbm_holomino.server import proof

        proof.check_is_fresh(request, match)


def _said(request: Request, context: Context, ledger: Any, line: int) -> Answer:
    """What the author of a line is told to whom no letter goes."""
    from pbm_holomino.letters.writing import words_of

    return Answer.of(words_of(ledger).said(ledger, line, context.people))


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
