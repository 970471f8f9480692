"""Letters that did not reach an address: they are counted in the account of their
reader (see `match.bounces`), and do nothing else."""

from collections.abc import Collection
from hmac import compare_digest
from typing import NamedTuple

from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.mail.bounces import Bounce
from pbm_holomino.match.account import AccountLine, Kind, Player
from pbm_holomino.match.bounces import is_within
from pbm_holomino.match.letter_ids import LetterId, bounce_token
from pbm_holomino.match.tokens import Tokens, account_token
from pbm_holomino.store.contract import PLAYERS, TOURNAMENTS
from pbm_holomino.store.library import Library

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
                    library.update_player(changed)
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
    find = {PLAYERS: _about_account, TOURNAMENTS: _about_tournament}
    found = find.get(letter.folder, _about_board)(letter, library)
    if found is None:
        return None
    sent, token = found
    tokens = (token, bounce_token(library.key, token))
    return sent if any(compare_digest(letter.token, each) for each in tokens) else None


def _about_board(letter: LetterId, library: Library) -> tuple[_Sent, str] | None:
    """A letter about a board, or a reminder of it, and its token."""
    if not letter.name.isdigit():
        return None
    record = library.table(letter.folder, int(letter.name)).record
    if letter.line >= len(record.log):
        return None
    time = record.log[letter.line].time
    player = library.player(letter.reader)
    if player is not None and letter.more[:1] == "r":
        reminder = _line(player, letter.more[1:])
        if reminder is not None and reminder.action.kind is Kind.REMINDER:
            time = reminder.time
    token = Tokens(library.key, record).token(letter.line, letter.reader)
    return _Sent(letter.reader, time[:10]), token


def _about_account(letter: LetterId, library: Library) -> tuple[_Sent, str] | None:
    """A letter about a line of an account, or with a player's words, and its token."""
    owner = library.player(letter.name)
    line = _line(owner, str(letter.line)) if owner else None
    if line is None:
        return None
    reader = letter.reader or letter.name
    return _Sent(reader, line.time[:10]), account_token(library.key, line, reader)


def _about_tournament(letter: LetterId, library: Library) -> tuple[_Sent, str] | None:
    """A letter about a tournament, and its token."""
    from pbm_holomino.letters.tournament_letters import letter_token  # few letters are
    from pbm_holomino.store import tournaments

    if not letter.name.isdigit():
        return None
    found = tournaments.find(library.store, int(letter.name))
    if letter.line >= len(found.log):
        return None
    word = letter_token(library.key, found, letter.line, letter.reader)
    return _Sent(letter.reader, found.log[letter.line].time[:10]), word


def _line(player: Player, no: str) -> AccountLine | None:
    return next((line for line in player.log if str(line.no) == no), None)
