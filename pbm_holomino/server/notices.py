"""Tells players of their turns besides letters: in their browsers, and by a request to
an address that they have named.

What is to be told waits in the store (store/notices.py). Only `pbm flush` and programs
that stay tell it, one at a time: nobody who plays waits for it.
"""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain, takewhile

from pbm_holomino.errors import Busy, PbmError
from pbm_holomino.letters import reminders
from pbm_holomino.letters.content import in_words
from pbm_holomino.letters.letter import Due
from pbm_holomino.match.account import Change, Kind, Player
from pbm_holomino.match.notices import OFF, Notices
from pbm_holomino.match.push import live, without
from pbm_holomino.match.record import TICKED, LogLine
from pbm_holomino.match.times import later
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.server import calling, subscriptions
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import notices as waiting
from pbm_holomino.store.contract import NOTICES, PLAYERS
from pbm_holomino.store.notices import ADDRESS, BROWSERS, Notice
from pbm_holomino.store.summary import Summary

FAILING_DAYS = 7  # after which a place that takes nothing is no more told anything
_AT_ONCE = 8  # players who are told: one whose service is slow holds up nobody else


def tell(server: Server) -> None:
    """Tell all that is due. Where somebody else does that, nothing is done."""
    with suppress(Busy):
        while _tell(server):
            pass  # more may have come meanwhile


def _tell(server: Server) -> bool:
    """Tell what is due now, to several players at once; whether any of it was dealt
    with."""
    by_player = defaultdict[str, list[Notice]](list)
    for one in waiting.waiting(server.store):
        if one.is_due(time.time()):
            by_player[one.userid].append(one)
    if not by_player:
        return False
    with (
        server.store.flushing(NOTICES),
        ThreadPoolExecutor(_AT_ONCE, "notices") as threads,
    ):
        return any([*threads.map(partial(_tell_player, server), by_player.values())])


def _tell_player(server: Server, found: Sequence[Notice]) -> bool:
    """Tell a player of their turns; whether any of it was dealt with."""
    userid, store = found[0].userid, server.store
    try:
        player = server.context().people.player(userid)
        turns = _turns(server, userid)
    except PbmError:
        return False  # the store may do better another time
    told = dict[str, list[Notice]]({BROWSERS: [], ADDRESS: []})
    for one in found:
        if player is None or (one.game, one.board) not in turns:
            waiting.forget(store, one)  # they have moved, or are gone
        else:
            told[one.where].append(one)
    if player is None:
        return True
    for one in told[BROWSERS]:
        _tell_browsers(server, player, one)
        waiting.forget(store, one)
    if player.notices is None:
        for one in told[ADDRESS]:
            waiting.forget(store, one)
    elif told[ADDRESS]:
        return _tell_address(server, player, player.notices, told[ADDRESS], turns)
    return True


def _turns(server: Server, userid: str) -> Mapping[tuple[str, int], Summary]:
    """The boards where it is a player's turn."""
    boards = server.library.lists.boards_of([userid], "active").boards
    return {(b.game, b.board): b for b in boards if userid in b.turn}


# Browsers


def _tell_browsers(server: Server, player: Player, one: Notice) -> None:
    """Nothing that goes wrong with it is of consequence: they also get letters."""
    try:
        from pbm_holomino.server import push  # not every server has its library
    except ModuleNotFoundError:
        return
    library, now = server.library, server.now()
    there = live(player.pushes, player.sessions, now)
    board = f"{one.game}/{one.board}"
    for gone in push.tell(there, board, library.key, server.web):
        end = partial(without, gone=gone)
        with suppress(PbmError):
            subscriptions.change(library, player.userid, end, now)


# Addresses


class Message(NamedTuple):
    """What is told: a sentence, and the page where the player can see more; and if it
    is about one board, the board."""

    text: str
    page: str
    game: str = ""
    board: int = 0


def _tell_address(
    server: Server,
    player: Player,
    to: Notices,
    found: Sequence[Notice],
    turns: Mapping[tuple[str, int], Summary],
) -> bool:
    """Tell a player of these turns, of each by itself, or once a day of all that wait
    for them; whether any of it was dealt with."""
    if to.is_daily and all(_day(one.put) == _day(time.time()) for one in found):
        return False
    messages = defaultdict[Message, list[Notice]](list)
    for one in found:
        summaries = [*turns.values()] if to.is_daily else [turns[one.game, one.board]]
        tells = _daily if to.is_daily else _of_turn
        messages[tells(server, player, summaries)].append(one)
    taken = [*takewhile(partial(_is_taken, to, server.notice_hosts), messages)]
    for one in chain.from_iterable(map(messages.pop, taken)):
        waiting.forget(server.store, one)
    if not messages:
        if to.failing:
            _save_failing(server, player.userid, "")
        return True
    # a service that does not answer is asked nothing more at once
    left = chain.from_iterable(messages.values())
    if not min([waiting.put_off(server.store, one) for one in left]):
        _note_failure(server, player.userid)
    return False


def _day(seconds: float) -> tuple[int, ...]:
    """The day of UTC of a time of the epoch, as that of digests."""
    return time.gmtime(seconds)[:3]


def _of_turn(server: Server, player: Player, boards: Sequence[Summary]) -> Message:
    (board,), now = boards, server.now()
    said = reminders.waiting_turn(board, player, now)
    text = in_words(said, player.language_at(now))
    page = f"{server.web.rstrip('/')}/{board.game}/{board.board}" if server.web else ""
    return Message(text, page, board.game, board.board)


def _daily(server: Server, player: Player, boards: Sequence[Summary]) -> Message:
    said = reminders.waiting_turns(boards)
    return Message(in_words(said, player.language_at(server.now())), server.web)


def _is_taken(to: Notices, hosts: Sequence[str], message: Message) -> bool:
    """Whether a message has reached where a player is told."""
    headers, body = _WRITTEN[to.form](message)
    try:
        return calling.post(to.url, headers, body, hosts)
    except (OSError, ValueError):
        return False


def _with_page(message: Message) -> str:
    return f"{message.text}\n{message.page}".rstrip()


def _ntfy(message: Message) -> tuple[Mapping[str, str], bytes]:
    click = {"Click": message.page} if message.page else {}
    return {"Content-Type": "text/plain; charset=utf-8", **click}, message.text.encode()


def _json(data: object) -> tuple[Mapping[str, str], bytes]:
    return {"Content-Type": "application/json"}, json.dumps(data).encode()


def _gotify(message: Message) -> tuple[Mapping[str, str], bytes]:
    click = {"client::notification": {"click": {"url": message.page}}}
    extras = {"extras": click} if message.page else {}
    return _json({"message": message.text, "priority": 5, **extras})


def _discord(message: Message) -> tuple[Mapping[str, str], bytes]:
    text = message.text.replace("_", r"\_")  # of a name, where it begins italics
    whole = _with_page(message._replace(text=text))
    return _json({"content": whole, "allowed_mentions": {"parse": []}})


def _slack(message: Message) -> tuple[Mapping[str, str], bytes]:
    return _json({"text": _with_page(message), "mrkdwn": False})


def _plain_json(message: Message) -> tuple[Mapping[str, str], bytes]:
    """The message as it is: a public interface, which only grows."""
    data = {"text": message.text, "url": message.page}
    about = {"game": message.game, "board": message.board} if message.game else {}
    return _json({**data, **about})


_WRITTEN: Mapping[str, Callable[[Message], tuple[Mapping[str, str], bytes]]] = {
    "ntfy": _ntfy,
    "gotify": _gotify,
    "discord": _discord,
    "slack": _slack,
    "json": _plain_json,
}


# What takes nothing


def _note_failure(server: Server, userid: str) -> None:
    """Note that a place has taken nothing; after a week of it, no more is told there,
    and the player gets a letter."""
    player, now = server.context().people.readable(userid), server.now()
    if player is None or player.notices is None:
        return
    failing = player.notices.failing
    if not failing:
        _save_failing(server, userid, now)
    elif later(failing, FAILING_DAYS) <= now:
        _switch_off(server, userid, now)


def _save_failing(server: Server, userid: str, since: str) -> None:
    with suppress(PbmError), server.store.lock(PLAYERS, userid):
        player = server.library.player(userid)
        if player is not None and player.notices is not None:
            to = player.notices._replace(failing=since)
            server.library.save(player._replace(notices=to))


def _switch_off(server: Server, userid: str, now: str) -> None:
    with suppress(PbmError):
        with server.store.lock(PLAYERS, userid):
            before = server.library.player(userid)
            if before is None or before.notices is None:
                return
            line = LogLine(None, now, userid, TICKED, Change(Kind.NOTICES, (OFF,)))
            after = before._replace(notices=None).after(line)
            player, _ = server.saved(before, after, server.context())
        server.deliver([Due.of(player)])
