"""Sends the letters that are marked as unsent, and knows which could not go."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from pbm_holomino.errors import CorruptFile
from pbm_holomino.letters import letters
from pbm_holomino.letters.letters import Letter, Post
from pbm_holomino.match.account import DELETED, Player
from pbm_holomino.match.board import CHAT, PRIVATE, Match
from pbm_holomino.match.record import QUEUED, Line
from pbm_holomino.store.library import PLAYERS, Library


class Unsent(NamedTuple):
    """Why copies of a letter wait, and whether all of them do."""

    why: str
    whole: bool


class Delivery:
    """Sends what a library has marked."""

    def __init__(self, library: Library, post: Post) -> None:
        self.library = library
        self.store = library.store
        self.post = post

    def on_one_round(self) -> "Delivery":
        """The same delivery, but each copy of a letter is tried once, whoever asks."""
        tried: dict[tuple[str, str], str] = {}  # why it waits, if it does

        def post(letter: Letter) -> Mapping[str, str]:
            left = tuple(to for to in letter.to if (letter.key, to) not in tried)
            waiting = self.post(letter._replace(to=left)) if left else {}
            tried.update({(letter.key, to): waiting.get(to, "") for to in left})
            found = {to: tried[letter.key, to] for to in letter.to}
            return {to: why for to, why in found.items() if why}

        return Delivery(self.library, post)

    def send_about_board(
        self, match: Match, marked: Sequence[int] | None = None
    ) -> dict[str, Unsent]:
        """Send the letters about a board that are marked as unsent, oldest first: of
        the lines given, or else of the last ones. The keys of those that wait, and
        why."""
        record = match.record
        folder, name = record.game, str(record.board)
        if marked is None:
            # what was queued is told in the letter about the line before
            lines = [i for i, line in enumerate(record.log) if line.source != QUEUED]
            marked = self._marked(folder, name, lines)
        failed: dict[str, Unsent] = {}
        for line in marked:
            self._send(folder, name, line, self._to_players(match, line), failed)
        return failed

    def send_about_account(
        self, player: Player, marked: Sequence[int] | None = None
    ) -> dict[str, Unsent]:
        """Send the letters about an account that are marked as unsent. The keys of
        those that failed, and why."""
        lines = {line.no: line for line in player.log if line.no is not None}
        if marked is None:
            marked = self._marked(PLAYERS, player.userid, list(lines))
        failed: dict[str, Unsent] = {}
        for no in marked:
            written = self._about_line(player, lines[no])
            self._send(PLAYERS, player.userid, no, written, failed)
        if player.status == DELETED and not failed:
            self._forget(player)
        return failed

    def _forget(self, player: Player) -> None:
        """Keep only the name of a deleted account, unless somebody else is sending
        letters about it."""
        userid = player.userid
        with self.store.lock(PLAYERS, userid):
            numbers = [line.no for line in player.log if line.no is not None]
            marks = self.store.marks
            if not any(marks.is_unsent(PLAYERS, userid, no) for no in numbers):
                self.library.forget(player)

    def _about_line(self, player: Player, line: Line) -> Iterator[Letter]:
        """The letters about a line of an account's log, those to others too."""
        readers = self.library.readers(player, line)
        yield from letters.about_account(player, line, readers)
        deaf = self.blockers(readers, player.userid)  # some may have blocked them since
        yield from self._to_each(
            [name for name in readers if name not in deaf],
            lambda name: letters.message_key(player, line, name),
            lambda reader: letters.message(player, line, reader),
        )

    def _to_players(self, match: Match, line: int) -> Iterator[Letter]:
        """The letters about a line of a board's log."""
        writer, excluded = self._writer(match, line), self.excluded_from(match, line)
        is_chat = match.record.log[line].action == CHAT  # and no more than words
        readers = letters.readers(match, line)
        yield from self._to_each(
            [name for name in readers if not is_chat or name not in excluded],
            lambda name: letters.board_key(match.record, line, name),
            lambda player: letters.about_board(match, line, player, writer, excluded),
        )

    def excluded_from(self, match: Match, line: int) -> frozenset[str]:
        """The players whom the words that came with a line of a board's log do not
        reach."""
        written = match.record.log[line]
        if written.action in PRIVATE or not match.record.notes.get(line):
            return frozenset()
        return frozenset(self.blockers(match.record.players, written.who))

    def blockers(self, names: Sequence[str], who: str) -> list[str]:
        """Those of these players who have blocked another one."""
        found = filter(None, map(self._readable, names))
        return [player.userid for player in found if who in player.blocked]

    def _readable(self, name: str) -> Player | None:
        """A player, if they are here and their account is not damaged."""
        try:
            return self.library.player(name)
        except CorruptFile:
            return None

    def _to_each(
        self,
        names: Iterable[str],
        key: Callable[[str], str],
        letter: Callable[[Player], Letter],
    ) -> Iterator[Letter]:
        """A letter to each player who is here. One to a damaged account goes nowhere
        yet."""
        for name in names:
            try:
                player = self.library.player(name)
            except CorruptFile as damage:
                yield Letter(key(name), trouble=str(damage))
                continue
            if player is not None:
                yield letter(player)

    def _writer(self, match: Match, line: int) -> Player | None:
        """Who says something to the others with a line, if that is what it is. Their
        account may be damaged: then a reply goes to the server."""
        written = match.record.log[line]
        return self._readable(written.who) if written.action == CHAT else None

    def _send(
        self,
        folder: str,
        name: str,
        line: int,
        written: Iterable[Letter],
        failed: dict[str, Unsent],
    ) -> None:
        """Send the letters about a marked line that have not gone, and add those that
        cannot go now to `failed`. While there are such, about this line or one before,
        the mark stays: the last marks of a log have no gaps."""
        with self.store.marks.sending(folder, name, line) as mark:
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

    def post_all(self, written: Iterable[Letter]) -> dict[str, Unsent]:
        """Post letters, and tell the keys of those that wait, and why."""
        found = [(letter, self._waiting(letter)) for letter in written]
        return {
            letter.key: _unsent(letter, waiting) for letter, waiting in found if waiting
        }

    def _waiting(self, letter: Letter) -> Mapping[str, str]:
        """Post a letter. Which of its copies wait, and why."""
        if letter.trouble:
            return {"": letter.trouble}
        return self.post(letter) if letter.to else {}

    def _marked(self, folder: str, name: str, lines: Sequence[int]) -> list[int]:
        """Which of the last lines are marked, oldest first. A mark before one that
        has gone is rare (a process died while another went on): flush finds it."""
        marked = takewhile(
            lambda line: self.store.marks.is_unsent(folder, name, line), reversed(lines)
        )
        return list(marked)[::-1]


def _unsent(letter: Letter, waiting: Mapping[str, str]) -> Unsent:
    (why, *_) = waiting.values()
    return Unsent(why, len(waiting) >= len(letter.to))
