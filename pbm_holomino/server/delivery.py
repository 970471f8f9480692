"""Sends the letters that are marked as unsent, and reports those that wait."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pbm_holomino.errors import PbmError
from pbm_holomino.letters.letter import Due, Letter, Post
from pbm_holomino.letters.writing import Sources, Writer, letter_key, words_of
from pbm_holomino.match import ledgers
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.match.record import Key
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.store.notices import Notice

_TOLD = "push"  # in a mark: it waits that players are told elsewhere


class Delivery:
    """Sends the letters that a library has marked. `post` sends one letter; if the
    server `has_pages`, letters have links to them. Programs that stay can put their own
    `notify` in place: it is called when players are to be told of turns elsewhere,
    too."""

    def __init__(self, library: Library, post: Post, has_pages: bool = False) -> None:
        self._library = library
        self._has_pages = has_pages
        self._store = library.store
        self.post = post
        self.notify: Callable[[], None] = lambda: None

    def deliver(self, dues: Iterable[Due]) -> dict[str, str]:
        """Write the letters that are due, and send them, in this order; after robots
        have moved that have been woken. Returns why letters wait, by their keys."""
        failed: dict[str, str] = {}
        for due in dues:
            failed |= self._send_due(self._after_robots(due))
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
        key = letter_key(match.key, match.last_answer(line), match.log[line].who)
        return due._replace(ledger=match, answering=due.answering._replace(key=key))

    def _send_due(self, due: Due) -> dict[str, str]:
        key, lines, answering = due.key, due.lines, due.answering
        ledger = due.ledger or self._library.ledger(*key)
        kind = ledgers.kind_of(ledger)
        if lines is None:
            # an earlier mark is rare (a process died while another went on)
            lines = tuple(self._store.marks.at_end(*key, kind.with_letters(ledger)))
        else:
            lines = tuple(line for line in lines if line in kind.numbers(ledger))
        tried: dict[str, str] = {}  # letters, and why they wait, if they do
        if lines or answering.again:
            people = due.people or People(self._library)
            sources = Sources.of(self._library, people, self._has_pages)
            writer = Writer(ledger, sources)
            for line in lines:
                letters = map(answering.marked, writer.about(line, lines))
                notices = self._notices(ledger, line, people)
                self._send_about_line(key, line, letters, tried, notices)
            if answering.again and answering.key not in tried:
                again = writer.about(answering.line or 0)
                own = (one for one in again if one.key == answering.key)
                tried |= self.send(map(answering.marked, own))
        failed = {key: why for key, why in tried.items() if why}
        if not failed:
            self._forget(ledger)
        return failed

    def _forget(self, ledger: Ledger) -> None:
        """Keep only what there is to keep of a ledger whose letters have all left."""
        key, kind = ledger.key, ledgers.kind_of(ledger)
        if kind.when_sent(ledger) == ledger:
            return
        with self._store.lock(*key):
            ledger = self._library.ledger(*key)  # it may have gone on
            lines = kind.numbers(ledger)
            if not any(self._store.marks.is_unsent(*key, no) for no in lines):
                self._library.save(kind.when_sent(ledger))

    def _notices(self, ledger: Ledger, line: int, people: People) -> Sequence["Notice"]:
        """Whose turn it has become by a line, and who is to be told of it elsewhere
        than by a letter: in browsers, or at an address."""
        called = map(people.readable, words_of(ledger).called(ledger, line))
        told = [p for p in filter(None, called) if p.pushes or p.notices]
        if not told:
            return ()
        from pbm_holomino.store import notices  # few players want to be told

        game, board = ledger.key.folder, int(ledger.key.name)
        return [
            notices.Notice(place, player.userid, game, board, line)
            for player in told
            for place in notices.places(player)
        ]

    # Any letter

    def send(self, written: Iterable[Letter]) -> dict[str, str]:
        """Send letters that have no mark. Returns why letters wait, by their keys."""
        found = [(letter.key, self._waiting(letter)) for letter in written]
        return {key: _why(waiting) for key, waiting in found if waiting}

    def _send_about_line(
        self,
        key: Key,
        line: int,
        written: Iterable[Letter],
        tried: dict[str, str],
        notices: Sequence["Notice"],
    ) -> None:
        """Send the letters about a marked line that have not gone yet, and note in
        `tried` why they wait, if they do. The mark stays while letters about this line
        or an earlier one wait, so that the marks at the end of a log have no gaps. What
        is told elsewhere waits for others, who are notified."""
        with self._store.marks.sending(*key, line) as mark:
            if mark is None:
                return
            if notices and _TOLD not in mark:
                self._put(notices)
                mark.add(_TOLD)
            for letter in written:
                if letter.key in mark:
                    continue
                copies = {to: f"{letter.key} {to}" for to in letter.to}
                left = tuple(to for to, copy in copies.items() if copy not in mark)
                waiting = self._waiting(letter._replace(to=left))
                tried[letter.key] = _why(waiting)
                if not waiting:
                    mark.add(letter.key)
                    continue
                for to in left:
                    if to not in waiting:
                        mark.add(copies[to])
            mark.kept = any(tried.values())

    def _put(self, notices: Sequence["Notice"]) -> None:
        """Keep what is to be told elsewhere, and have it told."""
        from pbm_holomino.store.notices import put

        with suppress(PbmError):  # nothing that goes wrong with it is of consequence
            for notice in notices:
                put(self._store, notice)
            self.notify()

    def _waiting(self, letter: Letter) -> Mapping[str, str]:
        """Send a letter. Returns why its copies wait, by address."""
        if letter.trouble:
            return {"": letter.trouble}
        return self.post(letter) if letter.to else {}


def _why(waiting: Mapping[str, str]) -> str:
    """Why a letter waits; empty if it does not."""
    return next(iter(waiting.values()), "")
