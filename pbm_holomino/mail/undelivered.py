"""Letters that did not reach an address: they are counted in the account of their
reader (see `match.bounces`), and do nothing else."""

from collections.abc import Collection
from hmac import compare_digest
from typing import NamedTuple

from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters.writing import Sources, words_of
from pbm_holomino.mail.bounces import Bounce
from pbm_holomino.match.account import Player
from pbm_holomino.match.bounces import is_within
from pbm_holomino.match.letter_ids import LetterId, bounce_token
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

MOST_FORGED = 100  # bounces in an hour that prove nothing, as each reads a board
_FOLDER, _FORGED = "bounces", "forged"


class _Sent(NamedTuple):
    """A letter of ours: its reader, and the day on which it was written."""

    reader: str
    day: str


def count_bounce(bounce: Bounce, library: Library, domain: str, now: str) -> None:
    """Count a bounce, if it proves a letter of the server with this domain. After too
    many in an hour that prove none, no more are looked at. Raises StoreTrouble."""
    letters = list(bounce.letters(domain)) if bounce.addresses else []
    counters, hour = library.store.counters, now[:13]
    if not letters or counters.count_of(_FOLDER, hour, _FORGED) >= MOST_FORGED:
        return
    if not any(count(each, bounce.addresses, library, now) for each in letters):
        counters.count(_FOLDER, hour, _FORGED)


def count(
    letter: LetterId, addresses: Collection[str], library: Library, now: str
) -> bool:
    """Count a letter that did not reach these addresses; whether its token is right. It
    counts only against addresses of its reader, and if it was written within a week.
    Raises StoreTrouble."""
    try:
        sent = _sent(letter, library)
        if sent is None:
            return False
        player = library.player(sent.reader)
        if is_within(sent.day, now[:10]) and player != _after(player, addresses, sent):
            with library.store.lock(PLAYERS, sent.reader):
                changed = _after(library.player(sent.reader), addresses, sent)
                if changed is not None:
                    library.save(changed)
    except (CorruptFile, NotFound):
        return False
    return True


def dead_addresses(library: Library) -> list[tuple[str, str]]:
    """All addresses that letters do not reach any more, each after its player."""
    players, _ = library.accounts()
    return [(p.userid, address) for p in players for address in p.dead_addresses]


def _after(
    player: Player | None, addresses: Collection[str], sent: _Sent
) -> Player | None:
    """The account after a letter has not reached these addresses."""
    if player is not None:
        for address in addresses:
            player = player.bounced(address, sent.day)
    return player


def _sent(letter: LetterId, library: Library) -> _Sent | None:
    """The letter with this id, or this mark; None if its token is wrong. Raises
    NotFound or CorruptFile."""
    ledger = library.find(letter.folder, letter.name)
    if ledger is None:
        return None
    sources = Sources.of(library, People(library))
    for sent in words_of(ledger).sent(ledger, letter, sources):
        tokens = (sent.token, bounce_token(library.key, sent.token))
        if any(compare_digest(letter.token, each) for each in tokens):
            return _Sent(letter.reader or letter.name, sent.time[:10])
    return None
