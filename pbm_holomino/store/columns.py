"""What an index knows of a board: the columns by which lists select it, and its entry
as text."""

from pbm_holomino.match.board import SCORE
from pbm_holomino.match.record import CLOSED, OPEN
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.damage import kept_damage
from pbm_holomino.store.search import Entry, Wanted
from pbm_holomino.store.summary import Summary, format_summary, parse_summary

# Of what entries say. It is raised when the same board has another entry than before:
# then all boards are listed anew.
EDITION = "2"

# How the entry ends of a board that has ended by score (see `format_summary`).
BY_SCORE = f"\n{SCORE}"

_STATES = {"active": 1, OPEN: 2, CLOSED: 3}  # 0 for a board that has ended


class Seat(NamedTuple):
    """A player's seat at a board."""

    player: str
    state: int
    seen: str  # when the player was last heard of there
    first: int | None  # None unless it has ended and counts (see `Summary.firsts`)
    matters: str  # until when the board limits new challenges


class Columns(NamedTuple):
    """The columns of a board."""

    told: str  # its entry
    state: int | None  # None for a damaged document
    due: str = ""
    time: str = ""  # of its last change
    mail: str = ""
    sign: int | None = None  # None unless it has ended and counts
    remind: str = ""  # when somebody may have to be reminded


def columns(entry: Entry) -> Columns:
    """The columns for an entry."""
    if not isinstance(entry, Summary):
        return Columns(f"{entry}\n{entry.reason}", None)
    ending = entry.ending
    return Columns(
        format_summary(entry),
        _STATES.get(entry.status, 0),
        entry.due,
        entry.last_change,
        entry.opening_mail,
        None if ending is None else ending.sign,
        entry.remind,
    )


def seats(entry: Entry | None) -> list[Seat]:
    """The seats of a board; none of one that is damaged or in no list."""
    if not isinstance(entry, Summary):
        return []
    state, firsts = _STATES.get(entry.status, 0), entry.firsts
    return [
        Seat(
            player, state, entry.seen.get(player, ""), firsts.get(player), entry.matters
        )
        for player in dict.fromkeys(entry.players)
    ]


def entry_of(text: str, state: int | None) -> Entry:
    """The entry in these columns. Raises ValueError if they are not ours."""
    if state is None:
        said, _, reason = text.partition("\n")
        return kept_damage(said, reason)
    return parse_summary(text)


def states(wanted: Wanted) -> list[int]:
    """The states of the boards that are wanted."""
    if wanted.is_open:
        return [_STATES[OPEN]]
    return [0, 1] if wanted.active is None else [int(wanted.active)]
