"""Sends the letters that are marked as unsent, and reports those that wait."""

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import TYPE_CHECKING, Any, NamedTuple

from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters import account_letters, board_letters, table_letters
from pbm_holomino.letters.due import NOTHING, Answering, Due
from pbm_holomino.letters.letter import Letter, Post
from pbm_holomino.match.account import DELETED, LISTS, AccountLine, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import Table
from pbm_holomino.match.record import PRIVATE, Act
from pbm_holomino.match.tokens import Tokens, letter_key, show_command
from pbm_holomino.store.contract import PLAYERS, TOURNAMENTS
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.match.tournament import Tournament


class Unsent(NamedTuple):
    """Why copies of a letter wait, whether all of its copies do, and whether it is the
    one that answers a mail."""

    why: str
    whole: bool
    answers: bool = False


class Delivery:
    """Sends the letters that a library has marked. `post` sends one letter."""

    def __init__(self, library: Library, post: Post) -> None:
        self._library = library
        self._store = library.store
        self.post = post

    def trying_once(self) -> "Delivery":
        """The same delivery, but it tries each copy of a letter only once, even if the
        letter is sent again."""
        tried: dict[tuple[str, str], str] = {}  # why a copy waits, if it does

        def post(letter: Letter) -> Mapping[str, str]:
            left = tuple(to for to in letter.to if (letter.key, to) not in tried)
            waiting = self.post(letter._replace(to=left)) if left else {}
            tried.update({(letter.key, to): waiting.get(to, "") for to in left})
            found = {to: tried[letter.key, to] for to in letter.to}
            return {to: why for to, why in found.items() if why}

        return Delivery(self._library, post)

    def deliver(self, dues: Iterable[Due]) -> dict[str, Unsent]:
        """Write the letters that are due, and send them, in this order; after robots
        have moved that have been woken. Returns why letters wait, by their keys."""
        failed: dict[str, Unsent] = {}
        for due in dues:
            failed |= self.trying_once()._send_due(self._after_robots(due))
        return failed

    def _after_robots(self, due: Due) -> Due:
        """The same with the board as it is when its robots have done what they have to
        do, or have taken too long: the letter about their last line answers the
        mail."""
        if not due.robots_until:
            return due
        from pbm_holomino.server import waking  # few boards have robots

        line = due.answering.line or 0
        match = waking.awaited(due.ledger, self._library, due.robots_until)
        who = match.record.log[line].who
        key = letter_key(match.record, match.last_answer(line), who)
        return due._replace(ledger=match, answering=due.answering._replace(key=key))

    def _send_due(self, due: Due) -> dict[str, Unsent]:
        people, answering = due.people or People(self._library), due.answering
        if due.ledger is None:
            due = due._replace(ledger=self._loaded(due.folder, due.name))
            if due.ledger is None:
                return {}
        if due.folder == TOURNAMENTS:
            return self.send_about_tournament(due.ledger, due.lines or ())
        if due.folder == PLAYERS:
            failed = self.send_about_account(due.ledger, due.lines, people, answering)
        else:
            failed = self.send_about_board(due.ledger, due.lines, people, answering)
        if answering.again:
            failed |= self.send(self._again(due, people))
        key = answering.key
        if key in failed:
            failed[key] = failed[key]._replace(answers=True)
        return failed

    def _loaded(self, folder: str, name: str) -> Any:
        if folder == PLAYERS:
            return self._library.account(name)
        if folder == TOURNAMENTS:
            from pbm_holomino.store import tournaments

            return tournaments.find(self._store, int(name))
        return self._library.table(folder, int(name))

    def _again(self, due: Due, people: People) -> Iterator[Letter]:
        """The letter that answers a mail that has been answered before."""
        ledger, answering, line = due.ledger, due.answering, due.answering.line or 0
        if due.folder == PLAYERS:
            (made,) = (each for each in ledger.log if each.no == line)
            written: Iterable[Letter] = self.letters_to(ledger, made)
        else:
            tokens = Tokens(self._library.key, ledger)
            written = self._to_players(ledger, line, people, tokens, ())
        return (answering.marked(one) for one in written if one.key == answering.key)

    # The letters about a board

    def send_about_board(
        self,
        match: Table,
        marked: Sequence[int] | None = None,
        people: People | None = None,
        answering: Answering = NOTHING,
    ) -> dict[str, Unsent]:
        """Send the letters about a board, or an open challenge, that are marked as
        unsent, oldest first.

        `marked` are the indices of the lines that they are about; if not given, those
        at the end of the log are looked up. The letter that is `answering` a mail says
        so. Returns why letters wait, by their keys.
        """
        record = match.record
        folder, name = record.game, str(record.board)
        people = people or People(self._library)
        if marked is None:
            lines = list(range(len(record.log)))
            if isinstance(match, Match):
                lines = [line for line in lines if not match.is_told_before(line)]
            # an earlier mark is rare (a process died while another went on)
            marked = self._store.marks.at_end(folder, name, lines)
        if not marked:
            return {}
        tokens, unsent = Tokens(self._library.key, match), tuple(marked)

        def written(line: int) -> Iterator[Letter]:
            better = _told_better(match, line, unsent, people)
            letters = self._to_players(match, line, people, tokens, better)
            return map(answering.marked, letters)

        return self._send_marked(folder, name, marked, written)

    def _to_players(
        self,
        match: Table,
        line: int,
        people: People,
        tokens: Tokens,
        others: Collection[str],
    ) -> Iterator[Letter]:
        """The letters to players about a line of a board's log, but for those whom
        others tell."""
        if isinstance(match, Match):
            match = people.with_absences(match)
        excluded = excluded_from(match, line, people)
        is_chat = match.record.log[line].action is Act.CHAT
        readers = table_letters.readers(match, line)
        return _to_each(
            [
                name
                for name in readers
                if name not in others and not (is_chat and name in excluded)
            ],
            people,
            lambda name: letter_key(match.record, line, name),
            lambda player: table_letters.about_table(
                match, line, player, tokens, excluded
            ),
            lambda player: table_letters.is_wanted(match, line, player),
        )

    # The letters about an account

    def send_about_account(
        self,
        player: Player,
        marked: Sequence[int] | None = None,
        people: People | None = None,
        answering: Answering = NOTHING,
    ) -> dict[str, Unsent]:
        """Send the letters about an account that are marked as unsent, oldest first.

        `marked` are the numbers of the lines that they are about; if not given, those
        at the end of the log are looked up. The letter that is `answering` a mail says
        so. Returns why letters wait, by their keys.
        """
        people = people or People(self._library)
        lines = {line.no: line for line in player.log if line.no is not None}
        if marked is None:
            marked = self._store.marks.at_end(PLAYERS, player.userid, list(lines))
        failed = self._send_marked(
            PLAYERS,
            player.userid,
            marked,
            lambda no: map(
                answering.marked, self._about_line(player, lines[no], people)
            ),
        )
        if player.status == DELETED and not failed:
            self._forget(player)
        return failed

    def _about_line(
        self, player: Player, line: AccountLine, people: People
    ) -> Iterator[Letter]:
        """The letters about a line of an account's log, to the player and to others."""
        yield from self.letters_to(player, line)
        readers, key = self._library.readers(player, line), self._library.key
        # some may have blocked the writer since
        deaf = people.blockers(readers, player.userid)
        yield from _to_each(
            [name for name in readers if name not in deaf],
            people,
            lambda name: account_letters.message_key(player, line, name),
            lambda reader: account_letters.message(player, line, reader, key),
        )

    def letters_to(self, player: Player, line: AccountLine) -> list[Letter]:
        """The letters to a player about a line of their account's log."""
        key = self._library.key
        board = account_letters.board_of(line)
        if board is None:
            written = account_letters.about_account(player, line, key)
            if line.action.kind not in LISTS:
                return written
            return [self._linked(letter, player) for letter in written]
        match = self._library.match(board.game, board.board).at(board.line)
        match = People(self._library).with_absences(match)
        tokens = Tokens(key, match)
        return [board_letters.reminder(match, line, player, tokens)]

    def _linked(self, letter: Letter, player: Player) -> Letter:
        """A letter with a list of boards, of which each has a link that brings it."""
        from pbm_holomino.letters import reminders  # few letters are lists

        def command(game: str, board: int) -> str:
            try:
                match = self._library.match(game, board)
            except (CorruptFile, NotFound):
                return ""
            return show_command(self._library.key, match, player.userid)

        return letter._replace(content=reminders.linked(letter.text, command))

    def _forget(self, player: Player) -> None:
        """Keep only the name of a deleted account, unless letters about it are still
        marked."""
        userid = player.userid
        with self._store.lock(PLAYERS, userid):
            numbers = [line.no for line in player.log if line.no is not None]
            if not any(
                self._store.marks.is_unsent(PLAYERS, userid, no) for no in numbers
            ):
                self._library.forget(player)

    # The letters about a tournament

    def send_about_tournament(
        self, found: "Tournament", marked: Sequence[int]
    ) -> dict[str, Unsent]:
        """Send the letters about lines of a tournament's log that are marked as unsent.
        Returns why letters wait, by their keys."""
        from pbm_holomino.letters import tournament_letters as letters  # few are

        people, key = People(self._library), self._library.key
        return self._send_marked(
            TOURNAMENTS,
            str(found.setup.number),
            marked,
            lambda line: _to_each(
                letters.readers(found, line),
                people,
                lambda name: letters.letter_key(found, line, name),
                lambda player: letters.about_tournament(found, line, player, key),
            ),
        )

    # Any letter

    def send(self, written: Iterable[Letter]) -> dict[str, Unsent]:
        """Send letters that have no mark. Returns why letters wait, by their keys."""
        found = [(letter, self._waiting(letter)) for letter in written]
        return {
            letter.key: _unsent(letter, waiting) for letter, waiting in found if waiting
        }

    def _send_marked(
        self,
        folder: str,
        name: str,
        marked: Iterable[int],
        written: Callable[[int], Iterable[Letter]],
    ) -> dict[str, Unsent]:
        """Send the letters `written` about each marked line that have not gone yet.
        Returns why letters wait, by their keys."""
        failed: dict[str, Unsent] = {}
        for line in marked:
            self._send_about_line(folder, name, line, written(line), failed)
        return failed

    def _send_about_line(
        self,
        folder: str,
        name: str,
        line: int,
        written: Iterable[Letter],
        failed: dict[str, Unsent],
    ) -> None:
        """Send the letters about a marked line that have not gone yet, and add those
        that cannot go now to `failed`. The mark stays while letters about this line or
        an earlier one wait, so that the marks at the end of a log have no gaps."""
        with self._store.marks.sending(folder, name, line) as mark:
            if mark is None:
                return
            for letter in written:
                if letter.key in mark:
                    continue
                copies = {to: f"{letter.key} {to}" for to in letter.to}
                left = tuple(to for to, copy in copies.items() if copy not in mark)
                waiting = self._waiting(letter._replace(to=left))
                if not waiting:
                    mark.add(letter.key)
                    continue
                for to in left:
                    if to not in waiting:
                        mark.add(copies[to])
                failed[letter.key] = _unsent(letter, waiting)
            mark.kept = bool(failed)

    def _waiting(self, letter: Letter) -> Mapping[str, str]:
        """Send a letter. Returns why its copies wait, by address."""
        if letter.trouble:
            return {"": letter.trouble}
        return self.post(letter) if letter.to else {}


def _told_better(
    match: Table, line: int, marked: Iterable[int], people: People
) -> frozenset[str]:
    """The players whom the letter about a later line tells all about this one: a robot
    has answered before the letter about this one has left."""
    if not isinstance(match, Match):
        return frozenset()
    last = match.last_answer(line)
    if last == line or last not in marked:
        return frozenset()
    names = table_letters.readers(match, last)
    readers = filter(None, map(people.readable, names))
    wanted = table_letters.is_wanted
    return frozenset(p.userid for p in readers if wanted(match, last, p))


def excluded_from(match: Table, line: int, people: People) -> frozenset[str]:
    """The players of a board who do not get the text that came with a line of its log,
    as they have blocked its writer."""
    written = match.record.log[line]
    if written.action in PRIVATE or not match.record.notes.get(line):
        return frozenset()
    return frozenset(people.blockers(match.record.players, written.who))


def _to_each(
    names: Iterable[str],
    people: People,
    key: Callable[[str], str],
    letter: Callable[[Player], Letter],
    is_wanted: Callable[[Player], bool] = lambda player: True,
) -> Iterator[Letter]:
    """A letter to each of these players who has an account and wants it. A letter to a
    damaged account waits."""
    for name in names:
        try:
            player = people.player(name)
        except CorruptFile as damage:
            yield Letter(key(name), trouble=str(damage))
            continue
        if player is not None and is_wanted(player):
            yield letter(player)


def _unsent(letter: Letter, waiting: Mapping[str, str]) -> Unsent:
    (why, *_) = waiting.values()
    return Unsent(why, len(waiting) >= len(letter.to))
