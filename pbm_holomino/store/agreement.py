"""Whether the index of all boards says what their documents say."""

from collections import Counter
from collections.abc import Iterable, Mapping

from pbm_holomino.match.record import CLOSED
from pbm_holomino.store.endings import FIRST, History, Totals
from pbm_holomino.store.lists import Lists
from pbm_holomino.store.search import Entry, Found, Unusable, Wanted
from pbm_holomino.store.summary import endings_of, format_summary, tallied

_Facts = set[tuple[str, ...]]


def agree(lists: Lists, game: str) -> bool:
    """Whether the index and the documents of a game agree, as far as lists ask. What
    changes meanwhile is no disagreement."""
    try:
        return not (differing(lists, game) and differing(lists, game))
    except Unusable:  # then nobody asks it
        return True


def differing(lists: Lists, game: str) -> _Facts:
    """What the documents say and the index does not, and the other way round."""
    before = _of_index(lists, game)
    said = _of_documents(lists, game)
    if said == before:
        return set()
    after = _of_index(lists, game)
    return (said - before - after) | ((before & after) - said)


def _of_documents(lists: Lists, game: str) -> _Facts:
    boards, damaged = Found.of(lists.summaries([game]))
    shown = [board for board in boards if board.status != CLOSED]
    return {
        *_listed([*shown, *damaged]),
        *(("active", board.name) for board in shown if board.status == "active"),
        *(("seated", board.name) for board in shown if board.players),
        *_counted(tallied(boards), History.of(endings_of(boards), FIRST).totals),
    }


def _of_index(lists: Lists, game: str) -> _Facts:
    index = lists.index
    begun = index.select(Wanted([game]))
    asked = index.select(Wanted([game], is_open=True))
    entries = [*begun, *Found.of(asked).boards]
    active = index.select(Wanted([game], active=True))
    boards = Found.of(entries).boards
    players = sorted({player for board in boards for player in board.players})
    seated = [
        *index.select(Wanted([game], players)),
        *index.select(Wanted([game], players, is_open=True)),
    ]
    return {
        *_listed(entries),
        *(("active", board.name) for board in Found.of(active).boards),
        *(("seated", board.name) for board in Found.of(seated).boards),
        *_counted(index.tallies(game), index.history(game, FIRST).totals),
    }


def _listed(entries: Iterable[Entry]) -> _Facts:
    apart = Found.of(entries)
    return {
        *(("board", format_summary(board)) for board in apart.boards),
        *(("damaged", str(damage), damage.reason) for damage in apart.damaged),
    }


def _counted(tallies: Mapping[str, Counter[int]], totals: Totals) -> _Facts:
    return {
        ("totals", *map(str, totals)),
        *(
            ("tally", player, str(first), str(games))
            for player, counts in tallies.items()
            for first, games in counts.items()
            if games
        ),
    }
