"""Letters that did not reach an address: they are counted in the account of their
reader (see `match.bounces`), and do nothing else."""

from collections.abc import Collection

from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters.writing import Sources, words_of
from pbm_holomino.mail.bounces import Bounce
from pbm_holomino.match.account import Player
from pbm_holomino.match.bounces import is_within
from pbm_holomino.match.letter_ids import LetterId, bounce_token
from pbm_holomino.match.tokens import is_same
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

MOST_FORGED = 100  # bounces in an hour that prove nothing, as each reads a board
_FOLDER, _FORGED = "bounces", "forged"


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
        reader, day = letter.reader or letter.name, _day(letter, library)
        if not day:
            return False
        player = library.player(reader)
        if is_within(day, now[:10]) and player != _after(player, addresses, day):
            with library.store.lock(PLAYERS, reader):
                changed = _after(library.player(reader), addresses, day)
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
    player: Player | None, addresses: Collection[str], day: str
) -> Player | None:
    """The account after a letter of this day has not reached these addresses."""
    if player is not None:
        for address in addresses:
            player = player.bounced(address, day)
    return player


def _day(letter: LetterId, library: Library) -> str:
    """The day on which the letter with this id, or this mark, was written; empty if its
    token is wrong. Raises NotFound or CorruptFile."""
    ledger = library.find(letter.folder, letter.name)
    if ledger is None:
        return ""
    sources = Sources.of(library, People(library))
    for sent in words_of(ledger).sent(ledger, letter, sources):
        tokens = (sent.token, bounce_token(library.key, sent.token))
        if any(is_same(each, letter.token) for each in tokens):
            return sent.time[:10]
    return ""
