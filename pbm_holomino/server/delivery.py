"""Sends the letters that are marked as unsent, and reports those that wait."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbm_holomino.letters.due import Due
from pbm_holomino.letters.letter import Letter, Post
from pbm_holomino.letters.writing import Sources, Writer, letter_key
from pbm_holomino.match import ledgers
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People


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
        key = letter_key(match.key, match.last_answer(line), match.log[line].who)
        return due._replace(ledger=match, answering=due.answering._replace(key=key))

    def _send_due(self, due: Due) -> dict[str, Unsent]:
        folder, name, answering = due.folder, due.name, due.answering
        ledger = due.ledger or self._library.ledger(folder, name)
        lines = due.lines
        if lines is None:
            # an earlier mark is rare (a process died while another went on)
            marked = ledgers.load(folder).with_letters(ledger)
            lines = tuple(self._store.marks.at_end(folder, name, marked))
        failed: dict[str, Unsent] = {}
        if lines or answering.again:
            people = due.people or People(self._library)
            writer = Writer(ledger, Sources.of(self._library, people))
            for line in lines:
                letters = map(answering.marked, writer.about(line, lines))
                self._send_about_line(folder, name, line, letters, failed)
            if answering.again:
                again = writer.about(answering.line or 0)
                own = (one for one in again if one.key == answering.key)
                failed |= self.send(map(answering.marked, own))
        if answering.key in failed:
            unsent = failed[answering.key]
            failed[answering.key] = unsent._replace(answers=True)
        if not failed:
            self._forget(ledger)
        return failed

    def _forget(self, ledger: Ledger) -> None:
        """Keep only what there is to keep of a ledger whose letters have all left."""
        folder, name = ledger.key
        kind = ledgers.load(folder)
        kept = kind.when_sent(ledger)
        if kept == ledger:
            return
        with self._store.lock(folder, name):
            lines = kind.numbers(ledger)
            if not any(self._store.marks.is_unsent(folder, name, no) for no in lines):
                self._library.save(kept)

    # Any letter

    def send(self, written: Iterable[Letter]) -> dict[str, Unsent]:
        """Send letters that have no mark. Returns why letters wait, by their keys."""
        found = [(letter, self._waiting(letter)) for letter in written]
        return {
            letter.key: _unsent(letter, waiting) for letter, waiting in found if waiting
        }

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


def _unsent(letter: Letter, waiting: Mapping[str, str]) -> Unsent:
    (why, *_) = waiting.values()
    return Unsent(why, len(waiting) >= len(letter.to))
