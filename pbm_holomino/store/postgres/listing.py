"""What lists know of a board: the columns of its row, and rows that follow from its
seats.

The document's row has the seats as text, too, so that a save writes only those that
change.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.columns import Columns, Seat, columns, seats
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Value
from pbm_holomino.store.search import Entry


class Listing(NamedTuple):
    """What lists know of a board: its columns, None if it is in no list, and seats."""

    columns: Columns | None
    seats: tuple[Seat, ...]

    @classmethod
    def of(cls, entry: Entry | None) -> "Listing":
        """The listing of a board with this entry."""
        return cls(None if entry is None else columns(entry), tuple(seats(entry)))

    @property
    def sign(self) -> int | None:
        """The sign of its ending; None unless it has ended and counts."""
        return None if self.columns is None else self.columns.sign

    @property
    def seated(self) -> str:
        """The seats as text: a line for each, with tabs between its words."""
        return "\n".join(map(_format_seat, self.seats))

    @property
    def row(self) -> tuple[Value, ...]:
        """The columns of its row, from `told` on."""
        return self.columns or _NO_COLUMNS


_NO_COLUMNS = (None,) * len(Columns._fields)


def reseated(game: str, name: str, listing: Listing, seated: str) -> Iterator[Call]:
    """What changes in the rows of seats, where the board had these before."""
    old, new = _by_player(_parse_seats(seated)), _by_player(listing.seats)
    for player in sorted(old.keys() - new.keys()):
        yield Call(sql.UNSEAT, (game, name, player))
    for player, seat in sorted(new.items()):
        if player not in old:
            yield Call(sql.SEAT, (game, name, *seat))
        elif old[player] != seat:
            yield Call(sql.SEAT_AGAIN, (game, name, *seat))


def counted(
    game: str, listing: Listing, sign: int | None, seated: str
) -> Iterator[Call]:
    """What changes in what is counted, where the board had that sign and those seats:
    the total first, so that whoever has that locked has all the rest."""
    now = listing.sign
    if now == sign:
        return
    endings = (now is not None) - (sign is not None)
    yield Call(sql.TOTAL, (game, endings, (now or 0) - (sign or 0)))
    games = Counter(_firsts(listing.seats))
    games.subtract(_firsts(_parse_seats(seated)))
    for (player, first), more in sorted(games.items()):
        if more:
            yield Call(sql.TALLY, (game, player, first, more))


def _by_player(seats: Iterable[Seat]) -> dict[str, Seat]:
    return {seat.player: seat for seat in seats}


def _firsts(seats: Iterable[Seat]) -> Iterator[tuple[str, int]]:
    return ((seat.player, seat.first) for seat in seats if seat.first is not None)


def _format_seat(seat: Seat) -> str:
    return "\t".join("" if word is None else str(word) for word in seat)


def _parse_seats(seated: str) -> list[Seat]:
    return [_parse_seat(*line.split("\t")) for line in seated.splitlines()]


def _parse_seat(player: str, state: str, seen: str, first: str, matters: str) -> Seat:
    return Seat(player, int(state), seen, int(first) if first else None, matters)
